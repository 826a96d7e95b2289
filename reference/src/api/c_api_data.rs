//! The functions of `tvm/ffi/c_api.h` about data: tensors, big integers, data types, the object allocator, and handles
//! that are filled once. Each reads its arguments, calls the module of its subject, and writes the result.

// The contract of each function is that of its C declaration, said once in the specification.
#![allow(clippy::missing_safety_doc)]

use std::{
    ffi::{c_int, c_void},
    sync::atomic::AtomicPtr,
};

use tvm_ffi_spec::*;

use crate::{
    border::{c_pointers, error::Result, guard::guard},
    environment::{object_allocator, once},
    object::ObjectRef,
    reflection::bigint,
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
        unsafe { out.write(tensor::export(object_argument(from, "from")?)?.as_ptr()) };
        Ok(())
    })
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
            let view = tensor::view(object_argument(source, "source")?, prototype.as_ref())?;
            out.write(view.into_handle());
        }
        Ok(())
    })
}

/// # Safety
/// `handle` is NULL or a live object.
unsafe fn object_argument(handle: TVMFFIObjectHandle, name: &str) -> Result<ObjectRef> {
    // SAFETY: the caller's contract is the same.
    unsafe { ObjectRef::from_borrowed(handle) }.ok_or_else(|| c_pointers::null(name))
}

/// Makes an owned integer of 64-bit words, least significant first; normalised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIBigIntFromByteArray(input: *const TVMFFIByteArray, out: *mut TVMFFIAny) -> c_int {
    guard(|| {
        let out = c_pointers::required(out, "out")?;
        // SAFETY: `out` is not NULL; the caller vouches for the rest.
        unsafe {
            out.write(TVMFFIAny::NONE);
            out.write(bigint::from_bytes(c_pointers::bytes(input, "input")?)?.into_raw());
        }
        Ok(())
    })
}

/// Borrows the words of an Int or BigInt value; no bytes for any other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMFFIBigIntGetContentByteArray(value: *const TVMFFIAny) -> TVMFFIByteArray {
    if value.is_null() {
        return TVMFFIByteArray::EMPTY;
    }
    // SAFETY: the caller passes a value that is alive for as long as the content is used.
    unsafe { bigint::content(value) }
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
