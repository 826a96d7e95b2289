//! What sets apart the generation of the ABI that is built here: the header of objects with its counts, the cell of errors, and
//! what a client sees otherwise.
//!
//! The library of another generation is the same code with another file in the place of this one: `reference/split` has that of
//! the split generation. Whatever differs is decided when the library is compiled.

use std::{
    ptr::NonNull,
    sync::atomic::{AtomicPtr, AtomicU64, Ordering},
};

use tvm_ffi_spec::{TVMFFIByteArray, TVMFFIObjectDeleter, TVMFFIObjectHandle, kTVMFFIDynObjectBegin};
pub use tvm_ffi_spec::{TVMFFIErrorCell, TVMFFIObject};

use crate::system::count::Count;

/// An Error has a cause and a context that clients know of.
pub const ERRORS_HAVE_CONTEXT: bool = true;
/// A function without a closure and a deleter is handed itself.
pub const BARE_FUNCTIONS: bool = true;
/// C++ callers look whether a function has an entry for them before they jump there.
pub const CPP_CALL_MAY_BE_NULL: bool = true;
/// A tensor without dimensions needs no strides.
pub const SCALARS_HAVE_STRIDES: bool = false;
/// Versioned exports of one tensor are one struct.
pub const SHARED_EXPORT: bool = false;
/// The minor version of DLPack that exported tensors speak.
pub const DLPACK_MINOR: u32 = 3;
/// Data types have short names, and `bool` is a code of its own.
pub const NEW_DTYPES: bool = true;

/// The built-in types of objects have no children that they did not reserve an index for.
pub const SEALED_TYPES: bool = true;
/// Modules have documentation of their functions.
pub const MODULES_HAVE_DOCS: bool = true;

/// The index of the built-in type that is this many behind the first without a fixed one.
pub const fn dynamic_index(behind: i32) -> i32 {
    kTVMFFIDynObjectBegin + behind
}

/// A backtrace that begins with the most recent call, in the order that clients expect: this one.
pub fn in_order(backtrace: String) -> String {
    backtrace
}

/// Whether a global function is built in.
pub fn has_global(_name: &str) -> bool {
    true
}

/// Whether a type is built in.
pub fn has_type(_key: &str) -> bool {
    true
}

/// Whether an attribute has its column from the beginning.
pub fn has_column(_name: &str) -> bool {
    true
}

/// What a place that exports of a tensor share has, or a new struct for it: there are no such places.
pub fn export_in<M, E>(_place: &AtomicPtr<M>, new: impl FnOnce() -> Result<NonNull<M>, E>) -> Result<NonNull<M>, E> {
    new()
}

/// How the backtrace of an Error is changed.
pub trait Update {
    /// Replaces or extends it, as `mode` says.
    ///
    /// # Safety
    /// `error` is an Error that this is the update of, and `text` NULL or a readable span.
    unsafe fn update(error: TVMFFIObjectHandle, text: *const TVMFFIByteArray, mode: i32);
}

/// The function for the cell of an Error.
///
/// # Safety
/// As for [`Update::update`].
pub unsafe extern "C" fn update_entry<U: Update>(error: TVMFFIObjectHandle, text: *const TVMFFIByteArray, mode: i32) {
    // SAFETY: the caller's contract is the same.
    unsafe { U::update(error, text, mode) };
}

// ---------------------------------------------------------------------------------------------------------------------
// The counts: strong references in the low half of one word, weak ones in its high half
// ---------------------------------------------------------------------------------------------------------------------

const STRONG_ONE: u64 = 1;
const WEAK_ONE: u64 = 1 << 32;
const BOTH_ONE: u64 = STRONG_ONE | WEAK_ONE;
const STRONG_MASK: u64 = WEAK_ONE - 1;

/// The header of an object that is being made: its maker holds the only reference.
#[inline]
pub const fn new_header(type_index: i32, deleter: Option<TVMFFIObjectDeleter>) -> TVMFFIObject {
    TVMFFIObject { combined_ref_count: BOTH_ONE, type_index, __padding: 0, deleter }
}

/// The word of a header that nobody reads when no reference of either kind is left, so that something else may be put there until
/// the object has ended, ...
///
/// # Safety
/// The header is readable and writable.
#[inline]
pub const unsafe fn unread_word(object: *mut TVMFFIObject) -> *mut u64 {
    // SAFETY: the caller vouches for the header.
    unsafe { &raw mut (*object).combined_ref_count }
}

/// ... and what stands there otherwise: the weak reference of the strong ones.
pub const UNREAD: u64 = WEAK_ONE;

/// What giving up a strong reference leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Others hold the object.
    Others,
    /// Nobody holds it, strongly or weakly.
    Nobody,
    /// It is only held weakly, by the strong references together at least.
    Weak,
}

/// The counts in a header.
pub struct Counts<'a>(&'a AtomicU64);

impl Counts<'_> {
    /// # Safety
    /// The header is readable and writable for `'a`.
    #[inline]
    pub unsafe fn of<'a>(object: *mut TVMFFIObject) -> Counts<'a> {
        // SAFETY: the field is an aligned u64 that every party accesses atomically.
        Counts(unsafe { AtomicU64::from_ptr(&raw mut (*object).combined_ref_count) })
    }

    /// Adds a strong reference.
    #[inline]
    pub fn add_strong(&self) {
        self.0.add(STRONG_ONE, Ordering::Relaxed);
    }

    /// Gives up a strong reference. If it was the last, the weak one of all strong ones is still to be given up, unless nobody is left.
    #[inline]
    pub fn sub_strong(&self) -> Left {
        match self.0.sub(STRONG_ONE, Ordering::Release) {
            before if before & STRONG_MASK != STRONG_ONE => Left::Others,
            BOTH_ONE => Left::Nobody,
            _ => Left::Weak,
        }
    }

    /// Adds a weak reference.
    #[inline]
    pub fn add_weak(&self) {
        self.0.add(WEAK_ONE, Ordering::Relaxed);
    }

    /// Gives up a weak reference; whether it was the last of either kind.
    #[inline]
    pub fn sub_weak(&self) -> bool {
        self.0.sub(WEAK_ONE, Ordering::Release) == WEAK_ONE
    }

    /// Adds a strong reference if there is one.
    #[cfg(test)]
    pub fn promote(&self) -> bool {
        let alive = |now: u64| (now & STRONG_MASK != 0).then_some(now + STRONG_ONE);
        // What other threads did to the object before they gave it up must be seen by whoever gets it this way.
        self.0.fetch_update(Ordering::Acquire, Ordering::Relaxed, alive).is_ok()
    }

    /// Has this thread see what others did to an object before they gave up their references. By a load, since ThreadSanitizer
    /// does not know fences.
    #[inline]
    pub fn see_others(&self) {
        self.0.load(Ordering::Acquire);
    }

    /// Whether there is one reference of each kind, so that the object may be changed in place.
    #[inline]
    pub fn are_one(&self) -> bool {
        self.0.load(Ordering::Acquire) == BOTH_ONE
    }

    /// How many strong references there were a moment ago.
    #[inline]
    pub fn strong(&self) -> u64 {
        self.0.load(Ordering::Relaxed) & STRONG_MASK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_header_is_as_the_abi_says() {
        let header = new_header(kTVMFFIDynObjectBegin, None);
        assert_eq!((header.combined_ref_count, header.__padding), (0x1_0000_0001, 0));
        assert_eq!(header.type_index, kTVMFFIDynObjectBegin);
    }
}
