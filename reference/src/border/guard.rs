//! The border between Rust and C: what runs behind it reports errors and panics as C functions do.

use std::{
    any::Any as PanicPayload,
    ffi::c_int,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::border::{
    error::{Error, Result},
    log::log,
};

/// Runs `body` and answers 0, or raises what went wrong and answers -1. A panic does not
/// get through.
#[inline]
pub fn guard(body: impl FnOnce() -> Result<()>) -> c_int {
    match caught(body) {
        Ok(()) => 0,
        Err(error) => {
            error.raise();
            -1
        }
    }
}

/// Runs `body`, of which a panic is an error like any other.
#[inline]
pub fn caught<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(of_panic(panic)))
}

/// Runs `body` and answers 0, or -1 when it fails. Nothing is raised: what makes errors is what has failed.
#[inline]
pub fn guard_silently(body: impl FnOnce() -> Result<()>) -> c_int {
    if matches!(catch_unwind(AssertUnwindSafe(body)), Ok(Ok(()))) { 0 } else { -1 }
}

/// The error that a panic becomes at the border.
#[cold]
fn of_panic(panic: Box<dyn PanicPayload + Send>) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    Error::new("InternalError", text.unwrap_or("unknown panic").to_owned())
}

/// The border of functions that cannot report: runs `body`, or writes what went wrong to stderr and ends the process
/// with status 255, as every release does.
pub fn guard_or_exit<T>(name: &str, body: impl FnOnce() -> Result<T>) -> T {
    caught(body).unwrap_or_else(|error| {
        log(format_args!("Exception caught during {name}:\n{}", error.into_message()));
        std::process::exit(255)
    })
}
