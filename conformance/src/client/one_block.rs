//! Objects that a client makes in one block of memory, one after the other.

use tvm_ffi_spec::*;

use crate::client::{header, homemade::Homemade, memory};

/// A block of memory for objects of a client's. It is kept for the life of the process.
pub struct OneBlock {
    memory: *mut [u64; Self::WORDS],
}

impl Default for OneBlock {
    fn default() -> Self {
        Self::new()
    }
}

impl OneBlock {
    /// Room for a header and what lies behind it, in words.
    const WORDS: usize = 40;

    /// A block with nothing in it yet.
    pub fn new() -> Self {
        Self { memory: Box::into_raw(Box::new([0; Self::WORDS])) }
    }

    /// Makes an object where the one before lay, which nobody holds any more. It has one strong and one weak reference.
    pub fn put<C>(&self, type_index: i32, cell: C, deleter: Option<TVMFFIObjectDeleter>) -> TVMFFIAny {
        const { assert!(size_of::<(TVMFFIObject, C)>() <= Self::WORDS * size_of::<u64>()) };
        const { assert!(align_of::<C>() <= align_of::<u64>()) };
        let header: *mut TVMFFIObject = self.memory.cast();
        // SAFETY: the block has room for both, is aligned for both, and nobody else looks at it while it has no object.
        unsafe {
            self.memory.write([0; Self::WORDS]);
            header.write(header::new(type_index, deleter));
            header.add(1).cast::<C>().write(cell);
        }
        TVMFFIAny::new(type_index, self.memory as u64)
    }

    /// Makes an object that has the content of another, which outlives it.
    pub fn put_like<C: Copy>(&self, other: &Homemade<C>, deleter: Option<TVMFFIObjectDeleter>) -> TVMFFIAny {
        let cell = memory::read(other.handle().wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<C>());
        match cell {
            Some(cell) => self.put(other.view().type_index, cell, deleter),
            None => TVMFFIAny::NONE,
        }
    }

    /// The counts of the object that is in the block, or was there last.
    pub fn counts(&self) -> (u32, u32) {
        header::both(self.memory.cast())
    }
}
