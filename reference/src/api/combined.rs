//! Functions that only this generation of the ABI has, by their names or by what they take. Each reads its arguments, calls the
//! module of its subject, and writes the result.

// The contract of each function is that of its C declaration, said once in the specification.
#![allow(clippy::missing_safety_doc)]

use std::{
    ffi::{c_char, c_int, c_void},
    ptr::{self, NonNull},
    slice,
    sync::atomic::AtomicPtr,
};

use tvm_ffi_spec::*;

use super::{
    c_api::{TVMFFIErrorSetRaisedFromCStr, backtrace_here, optional_error, raise},
    c_api_data::{guard_code, object_argument},
    c_env_api::set_tensor_allocator,
};
use crate::{
    border::{
        c_pointers,
        error::{Error, ErrorObject},
        error_object,
        guard::{guard, guard_silently},
        raised,
    },
    environment::{object_allocator, once, tensor_allocator},
    object::{ObjectRef, TypedRef},
    reflection::bigint,
    tensor,
};

/// The version that the library claims: that of the newest release whose ABI it implements.
const VERSION: TVMFFIVersion = TVMFFIVersion { major: 0, minor: 1, patch: 16 };

/// Writes the version that the library claims.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIGetVersion(out_version: *mut TVMFFIVersion) {
    if !out_version.is_null() {
        // SAFETY: the caller passes a writable pointer.
        unsafe { out_version.write(VERSION) };
    }
}

/// Raises a new error on this thread; its message is the concatenation of the parts. NULL parts are skipped, a NULL kind
/// is `RuntimeError`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorSetRaisedFromCStrParts(
    kind: *const c_char,
    message_parts: *mut *const c_char,
    num_parts: i32,
) {
    let count = usize::try_from(num_parts).unwrap_or(0);
    // SAFETY: the caller passes this many parts, each a C string or NULL.
    unsafe {
        let parts = if message_parts.is_null() { &[] } else { slice::from_raw_parts(message_parts, count) };
        raise(kind, parts);
    }
}

/// Makes an error object; the caller owns it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorCreate(
    kind: *const TVMFFIByteArray,
    message: *const TVMFFIByteArray,
    backtrace: *const TVMFFIByteArray,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { create_error([kind, message, backtrace], [ptr::null_mut(); 2], out) }
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
    // SAFETY: the caller's contract is the same.
    unsafe { create_error([kind, message, backtrace], [cause_chain, extra_context], out) }
}

/// # Safety
/// The texts are readable spans, the cause and the context live objects or NULL, `out` NULL or writable.
unsafe fn create_error(
    [kind, message, backtrace]: [*const TVMFFIByteArray; 3],
    [cause_chain, extra_context]: [TVMFFIObjectHandle; 2],
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    guard_silently(|| {
        let out = c_pointers::required(out, "out")?;
        // SAFETY: the caller passes readable spans, live objects or NULL, and a writable result.
        unsafe {
            let (kind, message) = (c_pointers::bytes(kind, "kind")?, c_pointers::bytes(message, "message")?);
            let backtrace = c_pointers::bytes(backtrace, "backtrace")?;
            let cause = optional_error(cause_chain, "cause_chain")?;
            let context = ObjectRef::from_borrowed(extra_context);
            out.write(
                error_object::new_object(kind, message, backtrace, cause, context).map(ErrorObject::into_handle)?,
            );
        }
        Ok(())
    })
}

/// A backtrace of the caller, valid until the next call on this thread. With `filename` and `func` it begins there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIBacktrace(
    filename: *const c_char,
    lineno: c_int,
    func: *const c_char,
    cross_ffi_boundary: c_int,
) -> *const TVMFFIByteArray {
    // SAFETY: the caller's contract is the same.
    unsafe { backtrace_here(filename, lineno, func, cross_ffi_boundary) }
}

/// Makes a Tensor over the prototype's data that keeps the source alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITensorCreateUnsafeView(
    source: TVMFFIObjectHandle,
    prototype: *const DLTensor,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    guard(|| {
        let (prototype, out) = (c_pointers::required(prototype, "prototype")?, c_pointers::required(out, "out")?);
        // SAFETY: none is NULL; the caller vouches for the rest.
        unsafe {
            let view = tensor::view(object_argument(&source, "source")?, prototype.as_ref())?;
            out.write(view.into_handle());
        }
        Ok(())
    })
}

/// Makes an owned integer of 64-bit words, least significant first; normalised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIBigIntFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> c_int {
    guard(|| {
        let out = c_pointers::required(out, "out")?;
        // The words may lie in the result, so they are read before it is written to.
        // SAFETY: `out` is not NULL; the caller vouches for the rest.
        unsafe {
            let integer = c_pointers::bytes(input, "input").and_then(bigint::from_bytes);
            integer.map(|integer| out.write(integer.into_raw())).inspect_err(|_| out.write(TVMFFIAny::NONE))
        }
    })
}

/// Borrows the words of an Int or BigInt value; no bytes for any other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIBigIntGetContentByteArray(value: *const TVMFFIAny) -> TVMFFIByteArray {
    // SAFETY: the caller passes NULL, or a value that is alive for as long as the content is used.
    unsafe { bigint::content(value) }
}

/// The process-wide object allocator, never NULL; borrowed.
#[unsafe(no_mangle)]
pub extern "C" fn TVMFFIGetCustomAllocator() -> *mut TVMFFICustomAllocator {
    object_allocator::current()
}

/// Installs a process-wide object allocator; NULL restores the built-in one. The allocator must live as long as the
/// process.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFISetCustomAllocator(allocator: *mut TVMFFICustomAllocator) -> c_int {
    // SAFETY: the caller passes NULL or an allocator that is never freed.
    guard(|| unsafe { object_allocator::set_current(allocator) })
}

/// Fills a handle once, whichever thread comes first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIHandleInitOnce(handle_addr: *mut *mut c_void, init_func: Option<once::InitFn>) -> c_int {
    // SAFETY: the caller passes NULL or a handle, which is only ever accessed atomically.
    if init_func.is_some() && unsafe { handle_addr.cast::<AtomicPtr<c_void>>().as_ref() }.is_some_and(once::is_filled) {
        return 0;
    }
    guard_code(|| {
        let handle = c_pointers::required(handle_addr, "handle_addr")?;
        let init = init_func.ok_or_else(|| c_pointers::null("init_func"))?;
        // SAFETY: the handle is only ever accessed atomically, and the caller passes a function to be called.
        unsafe { once::init(AtomicPtr::from_ptr(handle.as_ptr()), init) }
    })
}

/// Empties a handle once, whichever thread comes first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIHandleDeinitOnce(
    handle_addr: *mut *mut c_void,
    deinit_func: Option<once::DeinitFn>,
) -> c_int {
    guard_code(|| {
        let handle = c_pointers::required(handle_addr, "handle_addr")?;
        let deinit = deinit_func.ok_or_else(|| c_pointers::null("deinit_func"))?;
        // SAFETY: the handle is only ever accessed atomically, and the caller passes a function to be called.
        Ok(unsafe { once::deinit(AtomicPtr::from_ptr(handle.as_ptr()), deinit) })
    })
}

/// Sets this thread's tensor allocator, and the process-wide fallback if asked to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIEnvSetDLPackManagedTensorAllocator(
    allocator: Option<DLPackManagedTensorAllocator>,
    write_to_global_context: c_int,
    opt_out_original_allocator: *mut Option<DLPackManagedTensorAllocator>,
) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { set_tensor_allocator(allocator, write_to_global_context, opt_out_original_allocator) }
}

/// This thread's tensor allocator, else the process-wide one, else NULL.
#[unsafe(no_mangle)]
pub extern "C" fn TVMFFIEnvGetDLPackManagedTensorAllocator() -> Option<DLPackManagedTensorAllocator> {
    tensor_allocator::tensor_allocator()
}

/// Allocates a Tensor with the environment's allocator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIEnvTensorAlloc(prototype: *mut DLTensor, out: *mut TVMFFIObjectHandle) -> c_int {
    guard_code(|| {
        let (prototype, out) = (c_pointers::required(prototype, "prototype")?, c_pointers::required(out, "out")?);
        let allocate = tensor_allocator::tensor_allocator().ok_or_else(no_allocator)?;
        let mut managed = ptr::null_mut();
        // What the allocator raises is told from what was raised before.
        let earlier = raised::take_raised();
        // SAFETY: whoever set the allocator said that it may be called like this; the caller passes a valid prototype.
        let code = unsafe { allocate(prototype.as_ptr(), &mut managed, ptr::null_mut(), Some(raise_for_allocator)) };
        if code != 0 {
            if !raised::has_raised() {
                allocated_nothing().raise();
            }
            return Ok(code);
        }
        if earlier.is_some() && !raised::has_raised() {
            raised::set_raised(earlier);
        }
        let managed = NonNull::new(managed).ok_or_else(allocated_nothing)?;
        // SAFETY: the allocator has just made the tensor for us; `out` is not NULL and writable.
        unsafe { out.write(tensor::adopt(managed)?.into_handle()) };
        Ok(0)
    })
}

/// How an allocator reports what went wrong.
unsafe extern "C" fn raise_for_allocator(_error_ctx: *mut c_void, kind: *const c_char, message: *const c_char) {
    // SAFETY: the allocator passes C strings or NULL.
    unsafe { TVMFFIErrorSetRaisedFromCStr(kind, message) };
}

#[cold]
fn no_allocator() -> Error {
    let message = "TVMFFIEnvTensorAlloc: allocator is nullptr, likely because \
                   TVMFFIEnvSetDLPackManagedTensorAllocator has not been called.";
    Error::new("RuntimeError", message)
}

#[cold]
fn allocated_nothing() -> Error {
    let message = "Check failed: (dlpack_tensor != nullptr) is false: \
                   TVMFFIEnvTensorAlloc: failed to allocate a tensor from the allocator";
    Error::new("RuntimeError", message)
}
