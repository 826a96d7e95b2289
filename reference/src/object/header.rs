//! References that keep the counts in the 24-byte header of every object.
//!
//! The layout of the header and the meaning of its counts are the [generation](crate::generation)'s. All strong references
//! together own one weak reference. The last strong reference ends the value (deleter flag 1), the last weak one frees the
//! memory (flag 2), and where both fall together the deleter is called once with both flags (3).

use std::{
    ffi::c_int,
    mem::ManuallyDrop,
    ptr::{self, NonNull},
};

use tvm_ffi_spec::{
    TVMFFIObjectDeleter, TVMFFIObjectHandle, kTVMFFIObjectDeleterFlagBitMaskBoth,
    kTVMFFIObjectDeleterFlagBitMaskStrong, kTVMFFIObjectDeleterFlagBitMaskWeak,
};

use crate::generation::{self, Counts, Left, TVMFFIObject};

/// The size of the header; an object's own data begins here, seen from its handle.
pub const HEADER_SIZE: usize = size_of::<TVMFFIObject>();

/// Adds a strong reference.
///
/// # Safety
/// `object` is alive: the caller holds, or borrows from somebody who holds, a strong reference to it.
#[inline]
pub unsafe fn inc_strong(object: NonNull<TVMFFIObject>) {
    // SAFETY: the object is alive.
    unsafe { count(object) }.add_strong();
}

/// Gives up a strong reference, which may end the object.
///
/// # Safety
/// The caller owns the reference and does not use it afterwards.
#[inline]
pub unsafe fn dec_strong(object: NonNull<TVMFFIObject>) {
    // SAFETY: the caller's reference keeps the object alive until the subtraction.
    match unsafe { count(object) }.sub_strong() {
        Left::Others => {}
        // Nobody else is left, so the value and the memory go in one call.
        // SAFETY: this was the last reference of either kind.
        Left::Nobody => unsafe {
            count(object).see_others();
            run_deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
        },
        // SAFETY: this was the last strong reference; the weak reference of the strong ones is still there.
        Left::Weak => unsafe { end_held_weakly(object) },
    }
}

/// Ends an object that others may hold weakly. Out of line, as what is inlined wherever a reference is given up has to be short.
///
/// # Safety
/// The last strong reference has just been given up, and the caller owns the weak one of all strong ones.
#[inline(never)]
unsafe fn end_held_weakly(object: NonNull<TVMFFIObject>) {
    // SAFETY: the weak reference keeps the memory, and is given up only after the value has ended.
    unsafe {
        count(object).see_others();
        run_deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
        dec_weak(object);
    }
}

/// Adds a weak reference.
///
/// # Safety
/// The caller holds, or borrows, a reference of either kind.
unsafe fn inc_weak(object: NonNull<TVMFFIObject>) {
    // SAFETY: a reference of either kind keeps the header readable.
    unsafe { count(object) }.add_weak();
}

/// Gives up a weak reference, which may free the memory.
///
/// # Safety
/// The caller owns the reference and does not use it afterwards.
pub unsafe fn dec_weak(object: NonNull<TVMFFIObject>) {
    // SAFETY: the caller's reference keeps the header readable until the subtraction.
    if unsafe { count(object) }.sub_weak() {
        // SAFETY: this was the last reference of either kind, and the value has ended before.
        unsafe {
            count(object).see_others();
            run_deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
        }
    }
}

/// # Safety
/// The header is readable and writable for `'a`.
#[inline]
unsafe fn count<'a>(object: NonNull<TVMFFIObject>) -> Counts<'a> {
    // SAFETY: the caller's contract is the same.
    unsafe { Counts::of(object.as_ptr()) }
}

/// # Safety
/// The references that `flags` stand for are gone.
#[inline]
unsafe fn run_deleter(object: NonNull<TVMFFIObject>, flags: i32) {
    // SAFETY: the memory is still there: freeing it is what the deleter is about to do.
    if let Some(deleter) = unsafe { (*object.as_ptr()).deleter } {
        // SAFETY: whoever made the object put this deleter in its header, to be called with these flags.
        unsafe { deleter(object.as_ptr().cast(), flags as c_int) };
    }
}

/// A strong reference to an object, never NULL.
///
/// Objects are shared between threads by their callers' leave, as the ABI has it: the counts are atomic, and what an
/// object holds is its maker's business.
#[repr(transparent)]
#[derive(Debug)]
pub struct ObjectRef(NonNull<TVMFFIObject>);

// SAFETY: the count is atomic, and the ABI lets handles travel between threads.
unsafe impl Send for ObjectRef {}
// SAFETY: as above; a shared reference gives no access that the handle does not give.
unsafe impl Sync for ObjectRef {}

impl ObjectRef {
    /// Takes over the caller's reference; `None` for NULL.
    ///
    /// # Safety
    /// `handle` is NULL or a live object, and the caller gives up one strong reference that it owns.
    #[inline]
    pub unsafe fn from_owned(handle: TVMFFIObjectHandle) -> Option<Self> {
        NonNull::new(handle.cast()).map(Self)
    }

    /// The reference that somebody lends; `None` for NULL.
    ///
    /// # Safety
    /// `handle` is NULL or an object that is alive for as long as the borrow.
    #[inline]
    pub unsafe fn lent(handle: &TVMFFIObjectHandle) -> Option<&Self> {
        // SAFETY: a reference has the layout of a handle that is not NULL.
        (!handle.is_null()).then(|| unsafe { &*(&raw const *handle).cast() })
    }

    /// Adds a reference of its own; `None` for NULL.
    ///
    /// # Safety
    /// `handle` is NULL or a live object.
    #[inline]
    pub unsafe fn from_borrowed(handle: TVMFFIObjectHandle) -> Option<Self> {
        let object = NonNull::new(handle.cast())?;
        // SAFETY: the object is alive.
        unsafe { inc_strong(object) };
        Some(Self(object))
    }

    /// The handle, for as long as the reference lives.
    #[inline]
    pub fn handle(&self) -> TVMFFIObjectHandle {
        self.0.as_ptr().cast()
    }

    /// Hands the reference to the caller as a handle.
    #[inline]
    pub fn into_handle(self) -> TVMFFIObjectHandle {
        ManuallyDrop::new(self).handle()
    }

    /// The index of the object's type.
    #[inline]
    pub fn type_index(&self) -> i32 {
        // SAFETY: the reference keeps the header readable; the index never changes once the object is shared.
        unsafe { (*self.0.as_ptr()).type_index }
    }

    /// Whether this is the only reference of either kind, so that the object may be changed in place.
    pub fn is_unique(&self) -> bool {
        // SAFETY: the reference keeps the header readable.
        unsafe { count(self.0) }.are_one()
    }

    /// How many strong references there were a moment ago.
    pub fn strong_count(&self) -> u64 {
        // SAFETY: the reference keeps the header readable.
        unsafe { count(self.0) }.strong()
    }

    /// A weak reference to the same object.
    #[cfg(test)]
    pub fn downgrade(&self) -> WeakRef {
        // SAFETY: the reference keeps the object alive.
        unsafe { inc_weak(self.0) };
        WeakRef(self.0)
    }

    /// What lies behind the header, read as `T`.
    ///
    /// # Safety
    /// The object's data begins with a `T`, and nobody changes it during the borrow but through interior mutability.
    #[inline]
    pub unsafe fn data<T>(&self) -> &T {
        // SAFETY: the caller vouches for the type; the reference keeps the object alive.
        unsafe { &*self.data_ptr() }
    }

    /// Where the object's own data begins.
    #[inline]
    pub fn data_ptr<T>(&self) -> *mut T {
        // SAFETY: the header is part of the same allocation as what follows it.
        unsafe { self.0.as_ptr().add(1).cast() }
    }
}

impl Clone for ObjectRef {
    fn clone(&self) -> Self {
        // SAFETY: `self` keeps the object alive.
        unsafe { inc_strong(self.0) };
        Self(self.0)
    }
}

impl Drop for ObjectRef {
    fn drop(&mut self) {
        // SAFETY: the reference is owned and not used afterwards.
        unsafe { dec_strong(self.0) };
    }
}

/// A weak reference: keeps the memory of an object but not its value.
#[derive(Debug)]
pub struct WeakRef(NonNull<TVMFFIObject>);

// SAFETY: as for `ObjectRef`.
unsafe impl Send for WeakRef {}
// SAFETY: as for `ObjectRef`.
unsafe impl Sync for WeakRef {}

#[cfg(test)]
impl Clone for WeakRef {
    fn clone(&self) -> Self {
        // SAFETY: `self` keeps the header readable.
        unsafe { inc_weak(self.0) };
        Self(self.0)
    }
}

#[cfg(test)]
impl WeakRef {
    /// A strong reference, unless the last one is gone.
    pub fn upgrade(&self) -> Option<ObjectRef> {
        // SAFETY: `self` is a weak reference to the object, whose header it keeps readable.
        unsafe { count(self.0) }.promote().then(|| ObjectRef(self.0))
    }
}

impl Drop for WeakRef {
    fn drop(&mut self) {
        // SAFETY: the reference is owned and not used afterwards.
        unsafe { dec_weak(self.0) };
    }
}

/// The header of an object that is being made: its maker holds the only reference.
#[inline]
pub(super) fn new_header(type_index: i32, deleter: TVMFFIObjectDeleter) -> TVMFFIObject {
    generation::new_header(type_index, Some(deleter))
}

/// The header of an object in static memory, which holds a reference to itself.
pub const fn immortal_header(type_index: i32) -> TVMFFIObject {
    generation::new_header(type_index, None)
}

impl ObjectRef {
    /// The only reference to an object that has just been made.
    ///
    /// # Safety
    /// The object's [header](new_header) and what lies behind it are in place.
    #[inline]
    pub(super) unsafe fn of_new(object: NonNull<TVMFFIObject>) -> Self {
        Self(object)
    }

    /// Whether the object ends by this deleter, which tells who made it.
    #[inline]
    pub(super) fn has_deleter(&self, deleter: TVMFFIObjectDeleter) -> bool {
        // SAFETY: the reference keeps the header readable, and the deleter never changes.
        let own = unsafe { (*self.0.as_ptr()).deleter };
        own.is_some_and(|own| ptr::fn_addr_eq(own, deleter))
    }
}

impl WeakRef {
    /// Adds a weak reference of its own; `None` for NULL.
    ///
    /// # Safety
    /// `handle` is NULL or an object whose memory somebody keeps with a reference of either kind.
    pub(super) unsafe fn from_borrowed(handle: TVMFFIObjectHandle) -> Option<Self> {
        let object = NonNull::new(handle.cast())?;
        // SAFETY: the caller's contract is the same.
        unsafe { inc_weak(object) };
        Some(Self(object))
    }
}
