//! What both layouts of a map consist of: entries, and the fields that the map begins with.

use std::ffi::c_void;

use tvm_ffi_spec::TVMFFIAny;

use crate::{
    container::key::Key,
    value::any::{Any, AnyView},
};

/// The fields that both layouts have, behind the header of the object.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// Entries in the small layout, blocks in the dense one.
    pub(super) data: *mut c_void,
    /// Live entries.
    pub(super) size: u64,
    /// How many entries there can be; the highest bit tells that the layout is small.
    pub(super) slots: u64,
    /// Frees `data` when it lies outside the object.
    pub(super) data_deleter: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// A key and its value, bit by bit; who holds an entry knows whether it owns them.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) key: TVMFFIAny,
    pub(super) value: TVMFFIAny,
}

impl Entry {
    #[inline]
    pub(super) fn owning(key: Any, value: Any) -> Self {
        Self { key: key.into_raw(), value: value.into_raw() }
    }

    /// The key and the value where they lie.
    ///
    /// # Safety
    /// The entry is live for `'a`.
    #[inline]
    pub(super) unsafe fn parts<'a>(entry: *const Self) -> (&'a Any, &'a Any) {
        // SAFETY: both are owned values, and an `Any` has their layout.
        unsafe { (&*(&raw const (*entry).key).cast(), &*(&raw const (*entry).value).cast()) }
    }

    /// A key and its value, moved bit by bit from where they lie.
    #[inline]
    pub(super) fn moved([key, value]: &[AnyView<'_>; 2]) -> Self {
        Self { key: key.raw(), value: value.raw() }
    }

    /// An entry that owns references of its own.
    pub(super) fn clone_owned(&self) -> Self {
        // SAFETY: the entry is live as long as it is borrowed.
        let (key, value) = unsafe { Self::parts(self) };
        Self::owning(key.clone(), value.clone())
    }

    /// The hash of a key that has no hook.
    #[inline]
    pub(super) fn plain_hash(&self) -> u64 {
        // SAFETY: the key is live.
        let (key, _) = unsafe { Self::parts(self) };
        Key::new(key.view()).hash().unwrap_or_default()
    }
}

/// Ends an entry that was taken out.
#[inline]
pub(super) fn drop_entry(Entry { key, value }: Entry) {
    // SAFETY: the entry owned both, and nobody has it any more.
    unsafe { drop((Any::from_raw(key), Any::from_raw(value))) };
}
