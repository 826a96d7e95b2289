//! The raised error of each thread: the slot that carries an error across the border.

use std::{cell::Cell, ptr};

use tvm_ffi_spec::TVMFFIObjectHandle;

use crate::{
    border::{
        error::{Error, ErrorObject, Failure},
        error_object::new_here,
        exception::{Exception, Thrown},
    },
    object::{ObjectRef, TypedRef},
    system::{thread_end, thread_words},
};

/// The raised error of this thread, owned, or NULL.
#[inline]
fn slot() -> &'static Cell<TVMFFIObjectHandle> {
    &thread_words::get().raised
}

/// Drops an error that nobody has taken, when the thread ends.
pub fn drop_raised() {
    drop(take_raised());
}

/// Replaces the raised error of this thread.
pub fn set_raised(error: Option<ErrorObject>) {
    if error.is_some() {
        thread_end::mark();
    }
    let old = slot().replace(error.map_or(ptr::null_mut(), ErrorObject::into_handle));
    // SAFETY: the slot owned the reference. It is dropped last, since that may run foreign code that raises errors.
    drop(unsafe { ObjectRef::from_owned(old) });
}

/// Moves the raised error of this thread to the caller.
pub fn take_raised() -> Option<ErrorObject> {
    // SAFETY: the slot owned the reference and holds NULL now.
    unsafe { ObjectRef::from_owned(slot().replace(ptr::null_mut())) }.and_then(ObjectRef::cast)
}

/// Whether an error is raised on this thread.
pub fn has_raised() -> bool {
    !slot().get().is_null()
}

impl Error {
    /// Sets the error as the raised one of this thread, with the backtrace of the caller of the library.
    #[cold]
    pub fn raise(self) {
        set_raised(Some(self.into_object()));
    }

    /// The error as an Error object, with that backtrace; what a callee has raised is taken from the thread.
    #[cold]
    pub fn into_object(self) -> ErrorObject {
        match self.into_failure() {
            Failure::New { kind, message } => new_here(kind.as_bytes(), message.as_bytes()),
            Failure::Object(object) => object,
            Failure::Thrown(exception) => object_of(&exception),
            Failure::Raised => take_raised()
                .unwrap_or_else(|| new_here(b"InternalError", b"A function failed without raising an error")),
        }
    }
}

/// The Error object in a `tvm::ffi::Error`, or an `InternalError` with what any other exception says of itself.
fn object_of(exception: &Exception) -> ErrorObject {
    match exception.describe() {
        Thrown::Error(object) => {
            object.cast().unwrap_or_else(|| new_here(b"InternalError", b"An exception holds no error"))
        }
        Thrown::Other(what) => new_here(b"InternalError", what),
    }
}
