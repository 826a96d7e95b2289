//! Functions: Function objects of the core that are called with values and codes in two arrays.

use std::{
    ffi::{c_int, c_void},
    sync::OnceLock,
};

use tvm_ffi_adapter::{
    Adapter,
    types::{Finalizer, FrontendFunc, PackedFunc, TVMValue, code::kTVMNullptr, index},
};
use tvm_ffi_spec::*;

use crate::{
    core::Any,
    error::{self, Error, Result},
    object::{Body, Ref},
    value::{Args, Value},
};

/// A function of the runtime's own.
pub type Native = fn(Args<'_>) -> Result<Value>;

/// What is called.
enum Callee {
    /// A frontend's callback, whose result goes through TVMCFuncSetReturn.
    Frontend { function: FrontendFunc, resource: *mut c_void, finalizer: Option<Finalizer> },
    /// A function of a library, which stays loaded while this lives.
    Generated { function: PackedFunc, _module: Ref },
    /// The runtime's own.
    Native(Native),
}

/// What lies behind the header of a function.
#[repr(C)]
pub struct Function {
    /// Where functions of the original have a C++ entry.
    _cxx_call: *const c_void,
    callee: Callee,
}

// SAFETY: whoever makes a function of a callback and its resource has it called on any thread, one at a time or not.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Body for Function {
    const TYPE_INDEX: u32 = index::PACKED_FUNC;
    const SAFE_CALL: Option<TVMFFISafeCallType> = Some(called_by_core);
}

impl Drop for Function {
    fn drop(&mut self) {
        if let Callee::Frontend { resource, finalizer: Some(finalizer), .. } = self.callee {
            // SAFETY: it came with this resource, and this was the last reference.
            unsafe { finalizer(resource) };
        }
    }
}

fn object(callee: Callee) -> Ref {
    Ref::new(Function { _cxx_call: std::ptr::null(), callee })
}

/// A function of a frontend's callback.
pub fn frontend(function: FrontendFunc, resource: *mut c_void, finalizer: Option<Finalizer>) -> Ref {
    object(Callee::Frontend { function, resource, finalizer })
}

/// A function of a library.
pub fn generated(function: PackedFunc, module: Ref) -> Ref {
    object(Callee::Generated { function, _module: module })
}

/// A function of the runtime's own.
pub fn native(function: Native) -> Ref {
    object(Callee::Native(function))
}

/// Calls a function with the caller's own arrays.
///
/// # Safety
/// The arrays have `count` elements, and each value is what its code says.
pub unsafe fn call(function: &Ref, values: *mut TVMValue, codes: *mut c_int, count: c_int) -> Result<Value> {
    let body = function.body::<Function>();
    let body =
        body.ok_or_else(|| Error::of_type(format!("an object of type {} is no function", function.type_index())))?;
    let before = error::sets();
    let failed = || {
        error::after_failure(before);
        Err(Error::IsSet)
    };
    match &body.callee {
        Callee::Native(native) => {
            // SAFETY: the caller vouches for the arrays.
            native(unsafe { Args::new(values, codes, count) })
        }
        Callee::Frontend { function, resource, .. } => {
            let mut result = Value::NONE;
            // SAFETY: the callback came with this resource; its result goes to `set_result`.
            match unsafe { function(values, codes, count, (&raw mut result).cast(), *resource) } {
                0 => Ok(result),
                _ => failed(),
            }
        }
        Callee::Generated { function, .. } => {
            let (mut value, mut code) = (TVMValue::ZERO, kTVMNullptr);
            // SAFETY: the library exports it as a function of this type.
            match unsafe { function(values, codes, count, &mut value, &mut code, std::ptr::null_mut()) } {
                // SAFETY: what it leaves moves.
                0 => unsafe { Value::of_moved(value, code) },
                _ => failed(),
            }
        }
    }
}

/// Sets the result of a callback that is running.
///
/// # Safety
/// `result` is what the callback was given, and the value is what its code says.
pub unsafe fn set_result(result: *mut c_void, value: TVMValue, code: c_int) -> Result<()> {
    // SAFETY: the caller vouches for both; the value is kept before what it may come from is let go.
    unsafe {
        let value = Value::of_borrowed(value, code)?;
        *result.cast::<Value>() = value;
    }
    Ok(())
}

/// What calls between the core and this library go through. It is set when the library is loaded.
pub static ADAPTER: OnceLock<Adapter> = OnceLock::new();

/// The adapter.
pub fn adapter() -> Result<&'static Adapter> {
    ADAPTER.get().ok_or_else(|| Error::new("InternalError", "the library was not loaded as one"))
}

/// A function of the core as one of this generation: itself, if it is one.
pub fn of_core(function: &Any) -> Result<Ref> {
    if let Some(own) = Ref::of_core::<Function>(function) {
        return Ok(own);
    }
    let handle = function.object().ok_or_else(|| Error::of_type("a global is a function"))?;
    // SAFETY: the function is alive, and what is answered is owned.
    let wrapped = unsafe { adapter()?.to_legacy(handle).map(|handle| Ref::from_owned(handle)) };
    match wrapped {
        Ok(Some(wrapped)) => Ok(wrapped),
        Ok(None) => Err(Error::new("InternalError", "a function of the core became none")),
        Err(problem) => Err(Error::Text(problem.text())),
    }
}

/// How the core calls a function of this generation: through the adapter, by its handle here.
unsafe extern "C" fn called_by_core(
    function: *mut c_void,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    let handle = function.wrapping_byte_add(crate::object::FRONT);
    match ADAPTER.get() {
        // SAFETY: the core passes the function object and its arguments.
        Some(adapter) => unsafe { adapter.call_legacy(handle, args, count, result) },
        None => -1,
    }
}
