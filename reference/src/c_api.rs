//! The functions of `tvm/ffi/c_api.h`. Each reads its arguments, calls the module of its subject, and writes the result.

// The contract of each function is that of its C declaration, said once in the specification.
#![allow(clippy::missing_safety_doc)]

use std::ffi::{c_char, c_int};

use tvm_ffi_spec::*;

use crate::{
    VERSION,
    any::AnyView,
    error::{self, guard},
    input,
    object::{self, ObjectRef},
    string,
};

/// Writes the version that the library claims.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIGetVersion(out_version: *mut TVMFFIVersion) {
    if !out_version.is_null() {
        // SAFETY: the caller passes a writable pointer.
        unsafe { out_version.write(VERSION) };
    }
}

/// Adds one strong reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIObjectIncRef(obj: TVMFFIObjectHandle) -> c_int {
    match input::required(obj.cast_const().cast(), "obj") {
        // SAFETY: the caller passes a live object.
        Ok(object) => unsafe { object::inc_strong(object) },
        Err(error) => return guard(|| Err(error)),
    }
    0
}

/// Gives up one strong reference; the last one runs the deleter. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIObjectDecRef(obj: TVMFFIObjectHandle) -> c_int {
    // SAFETY: the caller gives up a reference that it owns.
    drop(unsafe { ObjectRef::from_owned(obj) });
    0
}

/// Makes an owned value of a view.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIAnyViewToOwnedAny(any_view: *const TVMFFIAny, out: *mut TVMFFIAny) -> c_int {
    guard(|| {
        let (view, out) = (input::required(any_view, "any_view")?, input::required(out, "out")?);
        // SAFETY: the caller passes a view that is alive during the call, and a writable result.
        unsafe { out.write(AnyView::from_raw(view.as_ptr()).to_owned()?.into_raw()) };
        Ok(())
    })
}

/// Moves this thread's raised error to the caller, NULL when there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorMoveFromRaised(result: *mut TVMFFIObjectHandle) {
    if !result.is_null() {
        let error = error::take_raised().map_or(std::ptr::null_mut(), ObjectRef::into_handle);
        // SAFETY: the caller passes a writable pointer.
        unsafe { result.write(error) };
    }
}

/// Raises an error object on this thread, or clears what is raised; the library takes a reference of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorSetRaised(error: TVMFFIObjectHandle) {
    // SAFETY: the caller passes NULL or a live object.
    error::set_raised(unsafe { ObjectRef::from_borrowed(error) });
}

/// Raises a new error on this thread. A NULL message is empty, a NULL kind is `RuntimeError`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorSetRaisedFromCStr(kind: *const c_char, message: *const c_char) {
    // SAFETY: one part is readable; the rest is the caller's contract.
    unsafe { TVMFFIErrorSetRaisedFromCStrParts(kind, (&raw const message).cast_mut(), 1) };
}

/// Raises a new error on this thread; its message is the concatenation of the parts. NULL parts are skipped, a NULL kind
/// is `RuntimeError`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorSetRaisedFromCStrParts(
    kind: *const c_char,
    message_parts: *mut *const c_char,
    num_parts: i32,
) {
    guard(|| {
        // SAFETY: the caller passes C strings, and NULL is answered with an error.
        let kind = unsafe { input::c_str(kind, "kind") }.unwrap_or(b"RuntimeError");
        let count = if message_parts.is_null() { 0 } else { usize::try_from(num_parts).unwrap_or(0) };
        let mut message = Vec::new();
        for index in 0..count {
            // SAFETY: the caller passes this many parts, each a C string or NULL.
            if let Ok(part) = unsafe { input::c_str(*message_parts.add(index), "part") } {
                message.extend_from_slice(part);
            }
        }
        error::set_raised(Some(error::new_here(kind, &message)?));
        Ok(())
    });
}

/// Makes an error object; the caller owns it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorCreate(
    kind: *const TVMFFIByteArray,
    message: *const TVMFFIByteArray,
    backtrace: *const TVMFFIByteArray,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    let none = std::ptr::null_mut();
    // SAFETY: the caller's contract is the same.
    unsafe { TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, none, none, out) }
}

/// Makes an error object that holds references of its own to a cause and a context, either of which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorCreateWithCauseAndExtraContext(
    kind: *const TVMFFIByteArray,
    message: *const TVMFFIByteArray,
    backtrace: *const TVMFFIByteArray,
    cause_chain: TVMFFIObjectHandle,
    extra_context: TVMFFIObjectHandle,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    guard(|| {
        let out = input::required(out, "out")?;
        // SAFETY: the caller passes readable spans, live objects or NULL, and a writable result.
        unsafe {
            let (kind, message) = (input::bytes(kind, "kind")?, input::bytes(message, "message")?);
            let backtrace = input::bytes(backtrace, "backtrace")?;
            let (cause, context) = (ObjectRef::from_borrowed(cause_chain), ObjectRef::from_borrowed(extra_context));
            out.write(error::new_object(kind, message, backtrace, cause, context)?.into_handle());
        }
        Ok(())
    })
}

/// Makes an owned String of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIStringFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { make_from_bytes(input, out, string::string) }
}

/// Makes an owned Bytes of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIBytesFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { make_from_bytes(input, out, string::bytes) }
}

/// # Safety
/// `input` is NULL or a readable span, `out` NULL or writable.
unsafe fn make_from_bytes(
    input: *const TVMFFIByteArray,
    out: *mut TVMFFIAny,
    make: fn(&[u8]) -> error::Result<crate::any::Any>,
) -> c_int {
    guard(|| {
        let out = input::required(out, "out")?;
        // SAFETY: the pointers are not NULL; the caller vouches for the rest.
        unsafe {
            out.write(TVMFFIAny::NONE);
            out.write(make(input::bytes(input, "input")?)?.into_raw());
        }
        Ok(())
    })
}
