//! Functions about this thread's error.

use std::ffi::{CStr, c_char, c_void};

use crate::error;

/// Sets this thread's error text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMAPISetLastError(msg: *const c_char) {
    // SAFETY: the caller passes a text; NULL stands for an empty one.
    error::set(if msg.is_null() { b"" } else { unsafe { CStr::from_ptr(msg) }.to_bytes() });
}

/// This thread's error text, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMGetLastError() -> *const c_char {
    error::text()
}

/// Where this thread's error arose, if its text says so; or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMGetLastBacktrace() -> *const c_char {
    error::backtrace()
}

/// The exception of Python's that is this thread's error, borrowed; or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMGetLastPythonError() -> *mut c_void {
    error::python()
}

/// Has this thread hold an exception of Python's as its error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMAPISetLastPythonError(py_object: *mut c_void) {
    error::hold_python(py_object);
}

/// Gives that exception up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMDropLastPythonError() {
    error::drop_python();
}

unsafe extern "C-unwind" {
    fn tvm_runtime_throw(text: *const c_char) -> !;
}

/// Throws this thread's error as a `std::runtime_error`.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn TVMThrowLastError() {
    let text = error::text();
    // SAFETY: the text is copied into the exception.
    unsafe { tvm_runtime_throw(if text.is_null() { c"".as_ptr() } else { text }) }
}
