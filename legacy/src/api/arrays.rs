//! Functions about arrays, memory of devices, and streams.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr,
};

use tvm_ffi_spec::{DLDataType, DLDevice, DLManagedTensor, DLTensor};

use super::objects::{TVMObjectFree, TVMObjectGetTypeIndex};
use crate::{
    array, device,
    error::{Error, Result, guard, required},
    object::Ref,
};

/// Makes an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMArrayAlloc(
    shape: *const i64,
    ndim: c_int,
    dtype_code: c_int,
    dtype_bits: c_int,
    dtype_lanes: c_int,
    device_type: c_int,
    device_id: c_int,
    out: *mut *mut DLTensor,
) -> c_int {
    guard(|| {
        let out = required(out, "out")?;
        device::required(device_type)?;
        let dtype = (u8::try_from(dtype_code), u8::try_from(dtype_bits), u16::try_from(dtype_lanes));
        let (Ok(code), Ok(bits), Ok(lanes)) = dtype else {
            return Err(Error::value(format!("({dtype_code}, {dtype_bits}, {dtype_lanes}) is no data type")));
        };
        // SAFETY: the caller passes as many extents, and a writable place.
        unsafe {
            let extents = array::list(shape, ndim)?;
            let made = array::new(extents, DLDataType { code, bits, lanes }, DLDevice { device_type, device_id })?;
            out.write(array::handle_of(made.into_handle()).cast());
        }
        Ok(())
    })
}

/// Gives up a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMArrayFree(handle: *mut DLTensor) -> c_int {
    // SAFETY: the caller gives up a reference, or passes NULL.
    unsafe { TVMObjectFree(array::object_of(handle.cast())) }
}

/// The type index of the object around an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMArrayGetTypeIndex(handle: *mut DLTensor, out_tindex: *mut u32) -> c_int {
    // SAFETY: the caller passes an array and a writable place.
    unsafe { TVMObjectGetTypeIndex(array::object_of(handle.cast()), out_tindex) }
}

/// A tensor that a caller passes.
///
/// # Safety
/// It is NULL or alive during `'a`.
unsafe fn tensor<'a>(tensor: *mut DLTensor, what: &str) -> Result<&'a DLTensor> {
    // SAFETY: the caller vouches for it.
    required(tensor, what).map(|tensor| unsafe { &*tensor })
}

/// Fills an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMArrayCopyFromBytes(handle: *mut DLTensor, data: *mut c_void, nbytes: usize) -> c_int {
    // SAFETY: the caller passes an array and so many bytes.
    guard(|| unsafe { device::copy_bytes(tensor(handle, "handle")?, data.cast(), nbytes, true) })
}

/// Copies out of an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMArrayCopyToBytes(handle: *mut DLTensor, data: *mut c_void, nbytes: usize) -> c_int {
    // SAFETY: the caller passes an array and room for so many bytes.
    guard(|| unsafe { device::copy_bytes(tensor(handle, "handle")?, data.cast(), nbytes, false) })
}

/// Copies from one array to another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMArrayCopyFromTo(from: *mut DLTensor, to: *mut DLTensor, _stream: *mut c_void) -> c_int {
    // SAFETY: the caller passes arrays.
    guard(|| unsafe { device::copy(tensor(from, "from")?, tensor(to, "to")?) })
}

/// Takes a tensor over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMArrayFromDLPack(from: *mut DLManagedTensor, out: *mut *mut DLTensor) -> c_int {
    guard(|| {
        let (from, out) = (required(from, "from")?, required(out, "out")?);
        // SAFETY: the caller passes a tensor and a writable place.
        unsafe { out.write(array::handle_of(array::import(from)?.into_handle()).cast()) };
        Ok(())
    })
}

/// Exports an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMArrayToDLPack(from: *mut DLTensor, out: *mut *mut DLManagedTensor) -> c_int {
    guard(|| {
        let (from, out) = (required(from, "from")?, required(out, "out")?);
        // SAFETY: the caller passes an array and a writable place.
        unsafe {
            let object = Ref::from_borrowed(array::object_of(from.cast()));
            out.write(array::export(&object.ok_or_else(|| Error::value("`from` is NULL"))?)?);
        }
        Ok(())
    })
}

/// Calls the deleter of an exported tensor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMDLManagedTensorCallDeleter(dltensor: *mut DLManagedTensor) {
    guard(|| {
        // SAFETY: the caller gives the tensor up.
        unsafe {
            if let Some(deleter) = dltensor.as_ref().and_then(|tensor| tensor.deleter) {
                deleter(dltensor);
            }
        }
        Ok(())
    });
}

/// Makes a stream, of which the processor has the default one alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMStreamCreate(device_type: c_int, _device_id: c_int, out: *mut *mut c_void) -> c_int {
    guard(|| {
        device::required(device_type)?;
        // SAFETY: the caller passes a writable place.
        unsafe { required(out, "out")?.write(ptr::null_mut()) };
        Ok(())
    })
}

/// Frees a stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMStreamFree(device_type: c_int, _device_id: c_int, _stream: *mut c_void) -> c_int {
    guard(|| device::required(device_type))
}

/// Sets this thread's stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMSetStream(device_type: c_int, _device_id: c_int, _handle: *mut c_void) -> c_int {
    guard(|| device::required(device_type))
}

/// Waits for a stream, on which there is never anything.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMSynchronize(device_type: c_int, _device_id: c_int, _stream: *mut c_void) -> c_int {
    guard(|| device::required(device_type))
}

/// Has one stream wait for another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMStreamStreamSynchronize(
    device_type: c_int,
    _device_id: c_int,
    _src: *mut c_void,
    _dst: *mut c_void,
) -> c_int {
    guard(|| device::required(device_type))
}

/// Allocates memory of a device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMDeviceAllocDataSpace(
    dev: DLDevice,
    nbytes: usize,
    alignment: usize,
    _type_hint: DLDataType,
    out_data: *mut *mut c_void,
) -> c_int {
    guard(|| {
        let out = required(out_data, "out_data")?;
        // SAFETY: the caller passes a writable place.
        unsafe { out.write(device::allocate(dev, nbytes, alignment)?) };
        Ok(())
    })
}

/// Allocates memory for a tensor in a scope.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMDeviceAllocDataSpaceWithScope(
    dev: DLDevice,
    ndim: c_int,
    shape: *const i64,
    dtype: DLDataType,
    mem_scope: *const c_char,
    out_data: *mut *mut c_void,
) -> c_int {
    guard(|| {
        let out = required(out_data, "out_data")?;
        // SAFETY: the caller passes as many extents, a text or NULL, and a writable place.
        unsafe {
            let scope = if mem_scope.is_null() { c"" } else { std::ffi::CStr::from_ptr(mem_scope) };
            out.write(device::allocate_in_scope(dev, array::list(shape, ndim)?, dtype, scope.to_bytes())?);
        }
        Ok(())
    })
}

/// Frees memory of a device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMDeviceFreeDataSpace(dev: DLDevice, ptr: *mut c_void) -> c_int {
    guard(|| device::free(dev, ptr))
}

/// Copies from one tensor to another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TVMDeviceCopyDataFromTo(
    from: *mut DLTensor,
    to: *mut DLTensor,
    _stream: *mut c_void,
) -> c_int {
    // SAFETY: the caller passes tensors.
    guard(|| unsafe { device::copy(tensor(from, "from")?, tensor(to, "to")?) })
}
