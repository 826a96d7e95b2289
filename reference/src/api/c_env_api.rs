//! The functions of `tvm/ffi/extra/c_env_api.h`: streams, the tensor allocator, signals, and what modules ask for.

// The contract of each function is that of its C declaration, said once in the specification.
#![allow(clippy::missing_safety_doc)]

use std::{
    borrow::Cow,
    ffi::{c_char, c_int, c_void},
};

use tvm_ffi_spec::*;

use crate::{
    api::c_api_data::guard_code,
    border::{c_pointers, error::Result, guard::guard},
    environment::{signals, streams, tensor_allocator},
    module::{Module, library},
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
        library::register_context_symbol(unsafe { c_pointers::c_str(name, "name") }?, symbol)
    })
}

/// Registers a symbol of the system library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIEnvModRegisterSystemLibSymbol(name: *const c_char, symbol: *mut c_void) -> c_int {
    guard(|| {
        // SAFETY: the caller passes a C string.
        library::register_system_symbol(unsafe { c_pointers::c_str(name, "name") }?, symbol)
    })
}

/// Sets this thread's tensor allocator, and the process-wide fallback if asked to, for the function that does so under the name of its
/// generation.
///
/// # Safety
/// `opt_out_original_allocator` is NULL or writable.
pub unsafe fn set_tensor_allocator(
    allocator: Option<DLPackManagedTensorAllocator>,
    write_to_global_context: c_int,
    opt_out_original_allocator: *mut Option<DLPackManagedTensorAllocator>,
) -> c_int {
    let previous = tensor_allocator::set_tensor_allocator(allocator, write_to_global_context != 0);
    // SAFETY: by contract.
    unsafe { write_optional(opt_out_original_allocator, previous) };
    0
}

/// # Safety
/// `place` is NULL or writable.
pub unsafe fn write_optional<T>(place: *mut T, value: T) {
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
