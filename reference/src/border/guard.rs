//! The border between Rust and C: what runs behind it reports errors and panics as C functions do.

use std::{
    any::Any as PanicPayload,
    ffi::c_int,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::border::{
    error::{Error, Failure, Result},
    log::log,
};

/// Runs `body` and answers 0, or raises what went wrong and answers -1. A panic does not
/// get through.
#[inline]
pub fn guard(body: impl FnOnce() -> Result<()>) -> c_int {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => error.raise(),
        Err(panic) => of_panic(panic).raise(),
    }
    -1
}

/// Runs `body` and answers 0, or -1 when it fails. Nothing is raised: what makes errors is what has failed.
#[inline]
pub fn guard_silently(body: impl FnOnce() -> Result<()>) -> c_int {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        _ => -1,
    }
}

/// The error that a panic becomes at the border.
#[cold]
pub fn of_panic(panic: Box<dyn PanicPayload + Send>) -> Error {
    Error::new("InternalError", panic_message(panic))
}

fn panic_message(panic: Box<dyn PanicPayload + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("unknown panic").to_owned()
}

/// The border of functions that cannot report: runs `body`, or writes what went wrong to stderr and ends the process
/// with status 255, as every release does.
pub fn guard_or_exit<T>(name: &str, body: impl FnOnce() -> Result<T>) -> T {
    let message = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => return value,
        Ok(Err(error)) => match error.into_failure() {
            Failure::New { message, .. } => message,
            failure => Error::from(failure).to_string().into(),
        },
        Err(panic) => panic_message(panic).into(),
    };
    log(format_args!("Exception caught during {name}:\n{message}"));
    std::process::exit(255)
}
