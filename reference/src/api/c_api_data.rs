//! The functions of `tvm/ffi/c_api.h` about data: tensors, big integers, data types, the object allocator, and handles
//! that are filled once. Each reads its arguments, calls the module of its subject, and writes the result.

// The contract of each function is that of its C declaration, said once in the specification.
#![allow(clippy::missing_safety_doc)]

use std::ffi::c_int;

use tvm_ffi_spec::*;

use crate::{
    border::{c_pointers, error::Result, guard::guard},
    object::ObjectRef,
    scalar::dtype,
    tensor::{self, Managed, Requirements},
    value::{any::Any, text},
};

/// Takes a DLPack tensor over as a Tensor; its deleter runs once, at the Tensor's end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITensorFromDLPack(
    from: *mut DLManagedTensor,
    require_alignment: i32,
    require_contiguous: i32,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { import(from, require_alignment, require_contiguous, out) }
}

/// Takes a versioned DLPack tensor over as a Tensor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITensorFromDLPackVersioned(
    from: *mut DLManagedTensorVersioned,
    require_alignment: i32,
    require_contiguous: i32,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { import(from, require_alignment, require_contiguous, out) }
}

/// # Safety
/// `from` is NULL or a valid DLPack tensor that the caller gives up when this succeeds; `out` is NULL or writable.
unsafe fn import<M: Managed>(from: *mut M, alignment: i32, contiguous: i32, out: *mut TVMFFIObjectHandle) -> c_int {
    guard(|| {
        let (from, out) = (c_pointers::required(from, "from")?, c_pointers::required(out, "out")?);
        let requirements = Requirements { alignment, contiguous: contiguous != 0 };
        // SAFETY: neither is NULL; the caller vouches for the rest.
        unsafe { out.write(tensor::import(from, requirements)?.into_handle()) };
        Ok(())
    })
}

/// Exports a Tensor; the exported struct holds one reference until its deleter is called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITensorToDLPack(from: TVMFFIObjectHandle, out: *mut *mut DLManagedTensor) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { export(from, out) }
}

/// Exports a Tensor in the versioned form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFITensorToDLPackVersioned(
    from: TVMFFIObjectHandle,
    out: *mut *mut DLManagedTensorVersioned,
) -> c_int {
    // SAFETY: the caller's contract is the same.
    unsafe { export(from, out) }
}

/// # Safety
/// `from` is NULL or a live object, `out` is NULL or writable.
unsafe fn export<M: Managed>(from: TVMFFIObjectHandle, out: *mut *mut M) -> c_int {
    guard(|| {
        let out = c_pointers::required(out, "out")?;
        // SAFETY: the caller vouches for both pointers.
        unsafe { out.write(tensor::export(object_argument(&from, "from")?)?.as_ptr()) };
        Ok(())
    })
}

/// # Safety
/// `handle` is NULL or an object that is alive for `'a`.
pub unsafe fn object_argument<'a>(handle: &'a TVMFFIObjectHandle, name: &str) -> Result<&'a ObjectRef> {
    // SAFETY: the caller's contract is the same.
    unsafe { ObjectRef::lent(handle) }.ok_or_else(|| c_pointers::null(name))
}

/// Parses a data type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIDataTypeFromString(str: *const TVMFFIByteArray, out: *mut DLDataType) -> c_int {
    guard(|| {
        let out = c_pointers::required(out, "out")?;
        // SAFETY: the caller passes a readable span and a writable result.
        unsafe {
            out.write(dtype::parse(c_pointers::bytes(str, "str")?, dtype::registered_code)?);
        }
        Ok(())
    })
}

/// Writes a data type as an owned String object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIDataTypeToString(dtype: *const DLDataType, out: *mut TVMFFIAny) -> c_int {
    guard(|| {
        let (dtype, out) = (c_pointers::required(dtype, "dtype")?, c_pointers::required(out, "out")?);
        // SAFETY: neither is NULL; the caller vouches for the rest.
        unsafe {
            let string = dtype::print_to(dtype.read(), dtype::registered_name, text::string_object)??;
            out.write(Any::from(string).into_raw());
        }
        Ok(())
    })
}

/// The border for functions that hand on the code of a callee: answers what `body` does, or raises its error and
/// answers -1.
#[inline]
pub(crate) fn guard_code(body: impl FnOnce() -> Result<c_int>) -> c_int {
    let mut code = 0;
    match guard(|| body().map(|answer| code = answer)) {
        0 => code,
        failure => failure,
    }
}
