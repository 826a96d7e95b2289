//! The order of calls, for ThreadSanitizer, which does not see how threads of the suite wait for each other.
//!
//! A call that begins after another one has returned comes after it: that is all that a client has to see to, and whatever the
//! suite's threads do to have it so, it is true. Calls that overlap have no order.

use std::{
    ffi::{CStr, c_void},
    sync::atomic::{AtomicPtr, AtomicU8, Ordering},
};

/// `__tsan_acquire` and `__tsan_release`, where ThreadSanitizer watches the process.
static ACQUIRE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static RELEASE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
/// What the calls are ordered by.
static PLACE: AtomicU8 = AtomicU8::new(0);

/// Finds out whether ThreadSanitizer watches the process. `find` answers the address of a symbol.
pub fn find_annotations(find: impl Fn(&CStr) -> *mut c_void) {
    ACQUIRE.store(find(c"__tsan_acquire"), Ordering::Relaxed);
    RELEASE.store(find(c"__tsan_release"), Ordering::Relaxed);
}

/// A call begins: after all that have returned.
pub fn begins() {
    annotate(&ACQUIRE);
}

/// A call has returned.
pub fn ended() {
    annotate(&RELEASE);
}

fn annotate(annotation: &AtomicPtr<c_void>) {
    type Annotation = unsafe extern "C" fn(*mut c_void);
    let annotation = annotation.load(Ordering::Relaxed);
    if !annotation.is_null() {
        // SAFETY: the sanitizer's function, which is of this type and takes any address.
        unsafe { std::mem::transmute::<*mut c_void, Annotation>(annotation)(PLACE.as_ptr().cast()) };
    }
}
