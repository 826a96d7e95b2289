//! Functions that only the split generation has, by their names or by what they take. Each reads its arguments, calls the module of
//! its subject, and writes the result.

// The contract of each function is that of its C declaration, said once in the specification.
#![allow(clippy::missing_safety_doc)]

use std::{
    ffi::{c_char, c_int},
    ptr,
};

use tvm_ffi_spec::{DLPackManagedTensorAllocator, TVMFFIByteArray, TVMFFIObjectHandle};

use super::{c_api::backtrace_here, c_env_api::set_tensor_allocator};
use crate::{
    border::{c_pointers, error::ErrorObject, error_object, guard::guard_silently},
    environment::tensor_allocator,
    object::TypedRef,
};

/// Makes an Error object and answers it; the caller owns it. NULL without memory, and for what is no text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIErrorCreate(
    kind: *const TVMFFIByteArray,
    message: *const TVMFFIByteArray,
    traceback: *const TVMFFIByteArray,
) -> TVMFFIObjectHandle {
    let mut made = ptr::null_mut();
    guard_silently(|| {
        // SAFETY: the caller passes readable spans.
        let texts = unsafe {
            (
                c_pointers::bytes(kind, "kind")?,
                c_pointers::bytes(message, "message")?,
                c_pointers::bytes(traceback, "traceback")?,
            )
        };
        made = error_object::new_object(texts.0, texts.1, texts.2, None, None).map(ErrorObject::into_handle)?;
        Ok(())
    });
    made
}

/// A traceback of the caller, valid until the next call on this thread. With `filename` and `func` it ends there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITraceback(
    filename: *const c_char,
    lineno: c_int,
    func: *const c_char,
    cross_ffi_boundary: c_int,
) -> *const TVMFFIByteArray {
    // SAFETY: the caller's contract is the same.
    unsafe { backtrace_here(filename, lineno, func, cross_ffi_boundary) }
}

/// Sets this thread's tensor allocator, and the process-wide fallback if asked to. What is written to the last parameter is the
/// earlier one: builds of the time write the new one there, which is of no use to anybody.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIEnvSetTensorAllocator(
    allocator: Option<DLPackManagedTensorAllocator>,
    write_to_global_context: c_int,
    opt_out_original_allocator: *mut Option<DLPackManagedTensorAllocator>,
) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { set_tensor_allocator(allocator, write_to_global_context, opt_out_original_allocator) }
}

/// This thread's tensor allocator, else the process-wide one, else NULL.
#[unsafe(no_mangle)]
pub extern "C" fn TVMFFIEnvGetTensorAllocator() -> Option<DLPackManagedTensorAllocator> {
    tensor_allocator::tensor_allocator()
}
