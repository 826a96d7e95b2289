//! The Error object for when there is no memory for any: one that the whole process shares and that never ends.

use std::{cell::UnsafeCell, ptr};

use tvm_ffi_spec::{TVMFFIByteArray, TVMFFIObjectHandle, kTVMFFIError};

use crate::{
    border::{backtrace, error::ErrorObject},
    generation::{TVMFFIErrorCell, TVMFFIObject, Update, update_entry},
    object::{self, ObjectRef},
};

#[repr(C)]
struct LastResort {
    header: TVMFFIObject,
    cell: TVMFFIErrorCell,
}

/// In writable memory, since its references are counted.
struct Shared(UnsafeCell<LastResort>);

// SAFETY: nothing of it ever changes but the count, which is atomic.
unsafe impl Sync for Shared {}

const fn text(text: &'static [u8]) -> TVMFFIByteArray {
    TVMFFIByteArray { data: text.as_ptr().cast(), size: text.len() - 1 }
}

static ERROR: Shared = Shared(UnsafeCell::new(LastResort {
    header: object::immortal_header(kTVMFFIError),
    cell: TVMFFIErrorCell {
        kind: text(b"MemoryError\0"),
        message: text(b"No memory is left\0"),
        backtrace: backtrace::EMPTY,
        update_backtrace: Some(update_entry::<Kept>),
        cause_chain: ptr::null_mut(),
        extra_context: ptr::null_mut(),
    },
}));

/// A backtrace of it would be everybody's.
struct Kept;

impl Update for Kept {
    unsafe fn update(_error: TVMFFIObjectHandle, _text: *const TVMFFIByteArray, _mode: i32) {}
}

/// The error.
pub fn error() -> ErrorObject {
    // SAFETY: it is an object that never ends, of this type.
    unsafe { ObjectRef::from_borrowed(ERROR.0.get().cast()).unwrap_unchecked().cast_unchecked() }
}

/// Whether an error is this one.
pub fn is(error: &ErrorObject) -> bool {
    error.handle() == ERROR.0.get().cast()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::TypedRef;

    #[test]
    fn it_is_an_error_like_any_other_that_never_ends() {
        for _ in 0..3 {
            let error = error();
            assert_eq!((error.kind(), error.message()), (&b"MemoryError"[..], &b"No memory is left"[..]));
            assert!(error.backtrace().is_empty());
            drop(error.clone().into_object());
        }
    }
}
