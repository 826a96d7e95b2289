//! The functions of `tvm/ffi/extra/c_env_api.h`: streams, the tensor allocator, signals, and what modules ask for.

// The contract of each function is that of its C declaration, said once in the specification.
#![allow(clippy::missing_safety_doc)]

use std::{
    borrow::Cow,
    ffi::{c_char, c_int, c_void},
    ptr::{self, NonNull},
};

use tvm_ffi_spec::*;

use crate::{
    api::{c_api::TVMFFIErrorSetRaisedFromCStr, c_api_data::guard_code},
    border::{
        c_pointers,
        error::{Error, Result},
        guard::guard,
        raised,
    },
    environment::{signals, streams, tensor_allocator},
    module::{Module, library},
    tensor,
};

/// Sets this thread's current stream of a device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIEnvSetStream(
    device_type: i32,
    device_id: i32,
    stream: TVMFFIStreamHandle,
    opt_out_original_stream: *mut TVMFFIStreamHandle,
) -> c_int {
    guard(|| {
        let previous = streams::set_stream(device_type, device_id, stream)?;
        // SAFETY: the caller passes NULL or a writable pointer.
        unsafe { write_optional(opt_out_original_stream, previous) };
        Ok(())
    })
}

/// This thread's current stream of a device, NULL by default.
#[unsafe(no_mangle)]
pub extern "C" fn TVMFFIEnvGetStream(device_type: i32, device_id: i32) -> TVMFFIStreamHandle {
    streams::stream(device_type, device_id)
}

/// Sets this thread's tensor allocator, and the process-wide fallback if asked to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIEnvSetDLPackManagedTensorAllocator(
    allocator: Option<DLPackManagedTensorAllocator>,
    write_to_global_context: c_int,
    opt_out_original_allocator: *mut Option<DLPackManagedTensorAllocator>,
) -> c_int {
    let previous = tensor_allocator::set_tensor_allocator(allocator, write_to_global_context != 0);
    // SAFETY: the caller passes NULL or a writable pointer.
    unsafe { write_optional(opt_out_original_allocator, previous) };
    0
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
        // SAFETY: whoever set the allocator said that it may be called like this; the caller passes a valid prototype.
        let code = unsafe { allocate(prototype.as_ptr(), &mut managed, ptr::null_mut(), Some(raise)) };
        if code != 0 {
            if !raised::has_raised() {
                allocated_nothing().raise();
            }
            return Ok(code);
        }
        let managed = NonNull::new(managed).ok_or_else(allocated_nothing)?;
        // SAFETY: the allocator has just made the tensor for us; `out` is not NULL and writable.
        unsafe { out.write(tensor::adopt(managed)?.into_handle()) };
        Ok(0)
    })
}

/// How an allocator reports what went wrong.
unsafe extern "C" fn raise(_error_ctx: *mut c_void, kind: *const c_char, message: *const c_char) {
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

/// Asks the frontend whether a signal is pending. When it answers -1 for one, the frontend has the error.
#[unsafe(no_mangle)]
pub extern "C" fn TVMFFIEnvCheckSignals() -> c_int {
    guard_code(|| signals::check_signals().map(|raised| if raised { -1 } else { 0 }))
}

/// Registers a frontend's C function by its known name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIEnvRegisterCAPI(name: *const c_char, symbol: *mut c_void) -> c_int {
    guard(|| {
        // SAFETY: the caller passes a C string, and a function of the type that goes with the name.
        unsafe { signals::register_c_api(&text(name, "name")?, symbol) }
    })
}

/// Finds a function in a module's imports, then among the globals; the module owns what is returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIEnvModLookupFromImports(
    library_ctx: TVMFFIObjectHandle,
    func_name: *const c_char,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    guard(|| {
        let out = c_pointers::required(out, "out")?;
        // SAFETY: the caller passes the context of a live module, a C string and a writable result.
        unsafe { out.write(Module::borrow_context(library_ctx)?.look_up(c_pointers::c_str(func_name, "func_name")?)?) };
        Ok(())
    })
}

/// Registers a value that is stored in the same-named symbol of every library loaded afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIEnvModRegisterContextSymbol(name: *const c_char, symbol: *mut c_void) -> c_int {
    guard(|| {
        // SAFETY: the caller passes a C string.
        library::register_context_symbol(unsafe { c_pointers::c_str(name, "name") }?, symbol);
        Ok(())
    })
}

/// Registers a symbol of the system library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIEnvModRegisterSystemLibSymbol(name: *const c_char, symbol: *mut c_void) -> c_int {
    guard(|| {
        // SAFETY: the caller passes a C string.
        library::register_system_symbol(unsafe { c_pointers::c_str(name, "name") }?, symbol);
        Ok(())
    })
}

/// # Safety
/// `place` is NULL or writable.
unsafe fn write_optional<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: writable, as the caller says.
        unsafe { place.write(value) };
    }
}

/// # Safety
/// `string` is NULL or a C string that stays readable for `'a`.
unsafe fn text<'a>(string: *const c_char, name: &str) -> Result<Cow<'a, str>> {
    // SAFETY: the caller's contract is the same.
    unsafe { c_pointers::c_str(string, name) }.map(String::from_utf8_lossy)
}
