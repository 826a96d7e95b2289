//! What the shared library exports: functions of `include/tvm/ffi_adapter.h`.

use std::{
    cell::RefCell,
    ffi::{CString, c_char, c_int, c_void},
    ptr,
};

use tvm_ffi_spec::TVMFFIObjectHandle;

use crate::{
    call::Adapter,
    problem::{Problem, Result},
    tables::{Ffi, Legacy},
};

thread_local! {
    static LAST: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// 0 with the result written, or -1 with this thread's text set.
fn answer<T>(result: Result<T>, out: *mut T) -> c_int {
    let result = if out.is_null() { Err(Problem::new("ValueError", "`out` is NULL")) } else { result };
    match result {
        Ok(value) => {
            // SAFETY: the caller passes a writable place.
            unsafe { out.write(value) };
            0
        }
        Err(problem) => {
            let text = CString::new(problem.text()).ok();
            let _ = LAST.try_with(|last| *last.borrow_mut() = text);
            -1
        }
    }
}

/// Makes an adapter between two libraries that the caller has opened with `dlopen`, and keeps open. It is never freed.
///
/// # Safety
/// The handles are open, and belong to libraries of these generations; `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIAdapterCreate(
    ffi_library: *mut c_void,
    legacy_library: *mut c_void,
    out: *mut *const c_void,
) -> c_int {
    let missing = |which: &str, name| Problem::new("ValueError", format!("{which} exports no {name}"));
    let made = || {
        // SAFETY: the caller vouches for the libraries.
        unsafe {
            let ffi = Ffi::load(|name| libc::dlsym(ffi_library, name.as_ptr()));
            let legacy = Legacy::load(|name| libc::dlsym(legacy_library, name.as_ptr()));
            let ffi = ffi.map_err(|name| missing("the library of TVM FFI", name))?;
            let legacy = legacy.map_err(|name| missing("the legacy library", name))?;
            Ok(ptr::from_ref(Box::leak(Box::new(Adapter::new(ffi, legacy)))).cast())
        }
    };
    answer(made(), out)
}

/// Why the last of these functions that failed on this thread did so; NULL if none has.
#[unsafe(no_mangle)]
pub extern "C" fn TVMFFIAdapterGetLastError() -> *const c_char {
    let text = LAST.try_with(|last| last.borrow().as_ref().map_or(ptr::null(), |text| text.as_ptr()));
    text.unwrap_or(ptr::null())
}

/// Makes a Function object over a legacy function, to which it takes a reference; the caller owns it.
///
/// # Safety
/// The adapter and the function are alive; `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIAdapterFunctionToFFI(
    adapter: *const c_void,
    function: *mut c_void,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    // SAFETY: the caller vouches for both.
    unsafe { answer(of(adapter, function).and_then(|adapter| adapter.to_ffi(function)), out) }
}

/// Makes a legacy function over a Function object, to which it takes a reference; the caller owns it.
///
/// # Safety
/// The adapter and the function are alive; `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIAdapterFunctionToLegacy(
    adapter: *const c_void,
    function: TVMFFIObjectHandle,
    out: *mut *mut c_void,
) -> c_int {
    // SAFETY: the caller vouches for both.
    unsafe { answer(of(adapter, function).and_then(|adapter| adapter.to_legacy(function)), out) }
}

/// # Safety
/// The adapter is NULL or was made above.
unsafe fn of(adapter: *const c_void, function: *mut c_void) -> Result<&'static Adapter> {
    // SAFETY: adapters are never freed.
    let adapter = unsafe { adapter.cast::<Adapter>().as_ref() };
    let adapter = adapter.ok_or_else(|| Problem::new("ValueError", "`adapter` is NULL"))?;
    if function.is_null() { Err(Problem::new("ValueError", "`function` is NULL")) } else { Ok(adapter) }
}
