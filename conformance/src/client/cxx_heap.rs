//! Memory from C++'s `operator new`, which compiled C++ gives to the library where the library's own deleter takes it.

use std::{
    ffi::{CStr, c_void},
    sync::atomic::{AtomicPtr, Ordering},
};

/// `operator new(size_t)`, if what is loaded brings C++ with it.
static OPERATOR_NEW: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Finds the operator once a library is loaded that may bring it. `find` answers the address of a symbol.
pub fn find_operator(find: impl Fn(&CStr) -> *mut c_void) {
    OPERATOR_NEW.store(find(c"_Znwm"), Ordering::Relaxed);
}

/// So many bytes, from malloc where nobody brings C++: the operator is that unless somebody has replaced it.
pub fn allocate(bytes: usize) -> *mut c_void {
    let operator = OPERATOR_NEW.load(Ordering::Relaxed);
    let buffer = if operator.is_null() {
        // SAFETY: any size may be asked for.
        unsafe { libc::malloc(bytes) }
    } else {
        type New = unsafe extern "C" fn(usize) -> *mut c_void;
        // SAFETY: the function of the C++ runtime that has this name, which is of this type; any size may be asked for.
        unsafe { std::mem::transmute::<*mut c_void, New>(operator)(bytes) }
    };
    assert!(!buffer.is_null(), "out of memory");
    buffer
}
