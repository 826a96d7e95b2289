//! A place for a function that any thread may replace.

use std::{
    ffi::c_void,
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

/// A pointer to a function, or NULL, that any thread may replace.
pub struct FnSlot(AtomicPtr<c_void>);

impl FnSlot {
    /// Without a function.
    pub const fn empty() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// Replaces the function.
    pub fn set(&self, function: *mut c_void) {
        self.0.store(function, Ordering::Release);
    }

    /// The function.
    ///
    /// # Safety
    /// `F` is a type of functions, and whatever was stored here is NULL or a function of that type.
    pub unsafe fn get<F: Copy>(&self) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        let function = self.0.load(Ordering::Acquire);
        // SAFETY: the pointer is not NULL and, as the caller says, one to an `F`.
        (!function.is_null()).then(|| unsafe { std::mem::transmute_copy(&function) })
    }
}
