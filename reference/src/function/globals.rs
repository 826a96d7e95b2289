//! The global functions about functions, strings and bytes.

use std::ffi::c_void;

use tvm_ffi_spec::TVMFFISafeCallType;

use crate::{
    border::error::{Error, Result},
    function::{
        self,
        arguments::Arguments,
        registry,
        row::{Row, row, typed},
        signature::Signature,
    },
    value::{any::Any, text},
};

/// The functions of this subject.
pub const GLOBALS: &[Row] = &[
    row("ffi.FunctionRemoveGlobal(0: str) -> bool", |args| Ok(registry::remove(args.str(0)?).into())),
    row("ffi.FunctionListGlobalNamesFunctor() -> ffi.Function", |_| names_functor()),
    row("ffi.String(0: str) -> str", |args| args.string(0)),
    row("ffi.Bytes(0: bytes) -> bytes", |args| args.bytes(0).and_then(|_| args.any(0).to_owned())),
    row("ffi.GetGlobalFuncMetadata(0: str) -> str", |args| global_metadata(args.str(0)?)),
    row("ffi.FunctionFromExternC(0: void*, 1: void*, 2: void*) -> ffi.Function", function_from_c),
];

/// A function over a snapshot of the names: a negative index gives their count, any other the name.
fn names_functor() -> Result<Any> {
    let names = registry::names(text::string)?;
    static SIGNATURE: Signature = Signature::new("(0: int) -> Any");
    let functor = typed(&SIGNATURE, move |args| match usize::try_from(args.int(0)?) {
        Err(_) => Ok((names.len() as i64).into()),
        Ok(index) => names.get(index).cloned().ok_or_else(|| Error::out_of_bounds(index as i64, names.len())),
    })?;
    Ok(functor.into())
}

fn global_metadata(name: &[u8]) -> Result<Any> {
    let metadata = registry::metadata(name).ok_or_else(|| {
        Error::new("RuntimeError", format!("Global Function is not found: {}", String::from_utf8_lossy(name)))
    })?;
    text::string(&metadata)
}

fn function_from_c(args: &Arguments<'_>) -> Result<Any> {
    let (closure, safe_call, deleter) = (args.opaque_ptr(0)?, args.opaque_ptr(1)?, args.opaque_ptr(2)?);
    if safe_call.is_null() {
        return Err(Error::new("ValueError", "`safe_call` must not be NULL"));
    }
    // SAFETY: the caller passes the addresses of functions of these types, which are as wide as data pointers; a NULL
    // deleter is `None`.
    let (safe_call, deleter) = unsafe {
        (
            std::mem::transmute::<*mut c_void, TVMFFISafeCallType>(safe_call),
            std::mem::transmute::<*mut c_void, function::ClosureDeleter>(deleter),
        )
    };
    // SAFETY: the caller vouches for the callback.
    Ok(unsafe { function::from_c(closure, safe_call, deleter) }?.into())
}
