//! How Maps and Dicts lie in memory.

use std::ffi::c_void;

use tvm_ffi_spec::*;

/// What ends a buffer that lies outside of its container.
pub type BufferDeleter = unsafe extern "C" fn(*mut c_void);

/// What follows the header of a Map or a Dict.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MapCell {
    /// Entries in the small layout, blocks in the dense one.
    pub data: *mut c_void,
    /// Live entries.
    pub size: u64,
    /// Room for entries, with [`SMALL`] set in the small layout.
    pub slots: u64,
    /// Ends `data` when it lies outside of the object.
    pub data_deleter: Option<BufferDeleter>,
}

/// What follows the header in the dense layout.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DenseMapCell {
    /// What every map has.
    pub map: MapCell,
    /// How far a hash is shifted to the right for the number of its slot.
    pub fib_shift: u32,
    /// Not used.
    pub unused: u32,
    /// The slot of the first entry in iteration order, or [`NOWHERE`].
    pub head: u64,
    /// The slot of the last one.
    pub tail: u64,
}

/// A slot of the dense layout.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// The key.
    pub key: TVMFFIAny,
    /// The value.
    pub value: TVMFFIAny,
    /// The entry before this one in iteration order, or [`NOWHERE`].
    pub prev: u64,
    /// The entry after it.
    pub next: u64,
}

/// How long a Map or a Dict is without entries of its own.
pub const SIZE: usize = size_of::<TVMFFIObject>() + size_of::<MapCell>();
/// How long it is in the dense layout.
pub const DENSE_SIZE: usize = size_of::<TVMFFIObject>() + size_of::<DenseMapCell>();
/// How long an entry of the small layout is.
pub const ENTRY: usize = 2 * size_of::<TVMFFIAny>();
/// The bit in `slots` that tells the small layout.
pub const SMALL: u64 = 1 << 63;
/// The most entries that the small layout has room for.
pub const SMALL_SLOTS: u64 = 4;
/// The number of no slot.
pub const NOWHERE: u64 = u64::MAX;
/// How many slots a block has.
pub const BLOCK_SLOTS: u64 = 16;
/// How long a block is: a byte and an item for each slot.
pub const BLOCK: usize = BLOCK_SLOTS as usize * (1 + size_of::<Item>());
/// The byte of an empty slot.
pub const EMPTY: u8 = 0xFF;
/// The bit in the byte of a slot that is not the first of its chain.
pub const MEMBER: u8 = 0x80;
/// What a hash is multiplied with for the number of its slot.
pub const FIBONACCI: u64 = 11_400_714_819_323_198_485;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_those_of_the_public_library() {
        assert_eq!((SIZE, DENSE_SIZE, ENTRY, BLOCK, size_of::<Item>()), (56, 80, 32, 784, 48));
        assert_eq!(std::mem::offset_of!(DenseMapCell, head), 40);
    }
}
