//! The border between Rust and C++: what went wrong behind it is thrown.
//!
//! Functions that C++ code calls end in [`or_throw`], the counterpart of [`guard`](crate::border::guard::guard): an error
//! is thrown as the class `tvm::ffi::Error` that every client catches, or as the very exception that was caught before.
//! Throwing is a call of the C++ runtime.

use std::ffi::c_void;

use crate::border::{
    cxx_error::{CxxError, ERROR_TYPE_INFO},
    error::{Error, ErrorObject, Failure, Result},
    guard::caught,
};

unsafe extern "C-unwind" {
    fn __cxa_throw(
        exception: *mut c_void,
        type_info: *const c_void,
        destructor: unsafe extern "C" fn(*mut CxxError),
    ) -> !;
}

unsafe extern "C" {
    fn __cxa_allocate_exception(size: usize) -> *mut c_void;
}

/// Runs `body`, and throws what went wrong. A panic does not get through.
pub fn or_throw<T>(body: impl FnOnce() -> Result<T>) -> T {
    caught(body).unwrap_or_else(|error| throw(error))
}

/// Throws the exception that was caught, or else a `tvm::ffi::Error`.
#[cold]
fn throw(error: Error) -> ! {
    match error.into_failure() {
        Failure::Thrown(exception) => exception.rethrow(),
        failure => throw_object(Error::from(failure).into_object()),
    }
}

fn throw_object(object: ErrorObject) -> ! {
    // SAFETY: the runtime answers memory of that size (or ends the process), which becomes the exception, and the type
    // information and the destructor are those of the class.
    unsafe {
        let exception = __cxa_allocate_exception(size_of::<CxxError>());
        exception.cast::<CxxError>().write(CxxError::new(object));
        __cxa_throw(exception, (&raw const ERROR_TYPE_INFO).cast(), CxxError::end)
    }
}
