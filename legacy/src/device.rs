//! Devices, of which there is the processor alone.

use std::ffi::c_void;

use tvm_ffi_spec::{DLDataType, DLDevice, DLTensor, kDLCPU};

use crate::{
    array,
    error::{Error, Result},
};

/// Names of devices by their numbers, as messages have them.
const NAMES: [(i32, &str); 15] = [
    (2, "cuda"),
    (3, "cuda_host"),
    (4, "opencl"),
    (7, "vulkan"),
    (8, "metal"),
    (9, "vpi"),
    (10, "rocm"),
    (11, "rocm_host"),
    (12, "ext_dev"),
    (14, "oneapi"),
    (15, "webgpu"),
    (16, "hexagon"),
    (32, "aocl"),
    (33, "sdaccel"),
    (34, "opengl"),
];

/// Whether there is a device of that kind.
pub fn is_there(device_type: i32) -> bool {
    device_type == kDLCPU
}

/// Fails for a device that there is not.
pub fn required(device_type: i32) -> Result<()> {
    if is_there(device_type) {
        return Ok(());
    }
    let name = NAMES.iter().find(|(number, _)| *number == device_type);
    let name = name.map_or_else(|| format!("of type {device_type}"), |(_, name)| (*name).to_owned());
    Err(Error::runtime(format!("Device API {name} is not enabled.")))
}

/// Whether a device of that name is there.
pub fn is_enabled(name: &[u8]) -> bool {
    name == b"cpu"
}

/// Memory of a device, for `free`.
pub fn allocate(device: DLDevice, bytes: usize, alignment: usize) -> Result<*mut c_void> {
    required(device.device_type)?;
    if !alignment.is_power_of_two() {
        return Err(Error::value(format!("memory cannot be aligned to {alignment} bytes, which is no power of two")));
    }
    let mut data = std::ptr::null_mut();
    // SAFETY: the place is writable; what is no size of memory is refused.
    let code = unsafe { libc::posix_memalign(&mut data, alignment.max(size_of::<usize>()), bytes.max(1)) };
    if code == 0 { Ok(data) } else { Err(Error::new("MemoryError", format!("there is no memory of {bytes} bytes"))) }
}

/// Memory for a tensor in a scope.
pub fn allocate_in_scope(device: DLDevice, extents: &[i64], dtype: DLDataType, scope: &[u8]) -> Result<*mut c_void> {
    required(device.device_type)?;
    if !matches!(scope, b"" | b"global") {
        let scope = String::from_utf8_lossy(scope);
        return Err(Error::value(format!("the processor has no memory of the scope {scope}")));
    }
    allocate(device, array::bytes_of(extents, dtype)?, array::ALIGNMENT)
}

/// Frees it. NULL is accepted.
pub fn free(device: DLDevice, data: *mut c_void) -> Result<()> {
    required(device.device_type)?;
    // SAFETY: the caller gives up what `allocate` answered.
    unsafe { libc::free(data) };
    Ok(())
}

/// Copies all elements.
///
/// # Safety
/// Both tensors are alive, and their elements readable and writable.
pub unsafe fn copy(from: &DLTensor, to: &DLTensor) -> Result<()> {
    required(from.device.device_type)?;
    required(to.device.device_type)?;
    // SAFETY: the caller vouches for both.
    unsafe {
        let (size, room) = (array::bytes(from)?, array::bytes(to)?);
        if size != room {
            return Err(Error::value(format!("{size} bytes cannot be copied to a tensor of {room}")));
        }
        if !array::is_compact(from)? || !array::is_compact(to)? {
            return Err(Error::value("only tensors whose elements lie in the order of rows can be copied"));
        }
        std::ptr::copy(first(from), first(to), size);
    }
    Ok(())
}

/// Copies between a compact tensor and memory of just its size.
///
/// # Safety
/// The tensor is alive, and `data` is as long as `size` says.
pub unsafe fn copy_bytes(tensor: &DLTensor, data: *mut u8, size: usize, into_tensor: bool) -> Result<()> {
    required(tensor.device.device_type)?;
    // SAFETY: the caller vouches for both.
    unsafe {
        let expected = array::bytes(tensor)?;
        if size != expected {
            return Err(Error::value(format!("the array has {expected} bytes, and {size} are to be copied")));
        }
        if !array::is_compact(tensor)? {
            return Err(Error::value("the elements of the array do not lie in the order of rows"));
        }
        if size == 0 {
            return Ok(());
        }
        let data = crate::error::required(data, "data")?;
        let (from, to) = if into_tensor { (data, first(tensor)) } else { (first(tensor), data) };
        std::ptr::copy(from, to, size);
    }
    Ok(())
}

/// Where the first element lies.
fn first(tensor: &DLTensor) -> *mut u8 {
    tensor.data.cast::<u8>().wrapping_add(tensor.byte_offset as usize)
}
