//! How the elements of a tensor lie in memory.

use std::slice;

use tvm_ffi_spec::{
    DLDataType, DLTensor, kDLCUDAHost, kDLCUDAManaged, kDLFloat4_e2m1fn, kDLFloat6_e2m3fn, kDLFloat6_e3m2fn, kDLROCM,
    kDLROCMHost, kTVMFFITensor,
};

use crate::{
    border::error::{Error, Result},
    object::{ObjectRef, typed_refs},
    types::type_table,
};

typed_refs! {
    /// A Tensor.
    Tensor: ObjectRef = kTVMFFITensor;
}

impl Tensor {
    /// The `DLTensor` that it begins with.
    pub fn dl_tensor(&self) -> &DLTensor {
        // SAFETY: a Tensor has a `DLTensor` behind its header, which nobody changes.
        unsafe { self.data() }
    }
}

/// A Tensor as it lies in memory, to be read.
#[derive(Clone, Copy)]
pub struct Description<'a>(&'a DLTensor);

impl<'a> Description<'a> {
    /// What a Tensor says of itself.
    ///
    /// # Errors
    /// `TypeError` for another object, `ValueError` for a malformed shape.
    pub fn of(tensor: &'a ObjectRef) -> Result<Self> {
        let tensor = tensor.cast_ref::<Tensor>().map(Tensor::dl_tensor).ok_or_else(|| {
            let key = type_table::key_of(tensor.type_index());
            Error::new("TypeError", format!("Expected a tensor, but got `{key}`"))
        })?;
        check_shape(tensor)?;
        Ok(Self(tensor))
    }

    /// The extents of its dimensions.
    pub fn extents(&self) -> &'a [i64] {
        // SAFETY: the shape has been found well-formed, and lives as long as the tensor.
        unsafe { extents(self.0) }
    }

    /// The data type, as the word that it is in a value.
    pub fn dtype_word(&self) -> u64 {
        let DLDataType { code, bits, lanes } = self.0.dtype;
        let [low, high] = lanes.to_ne_bytes();
        u64::from_ne_bytes([code, bits, low, high, 0, 0, 0, 0])
    }

    /// The type of the device that it is on.
    pub fn device_type(&self) -> i32 {
        self.0.device.device_type
    }

    /// Whether its elements lie in row-major order without gaps.
    pub fn is_contiguous(&self) -> bool {
        // SAFETY: the shape has been found well-formed; strides, if any, are as many as the extents.
        unsafe { is_contiguous(self.0) }
    }

    /// As many bytes as its elements take, from the first element on.
    ///
    /// # Errors
    /// `ValueError` if there is no data, or it cannot be that large; `InternalError` if nobody but the device knows how large
    /// an element is.
    ///
    /// # Safety
    /// The tensor is contiguous and its data can be read from here, which nobody changes during the borrow.
    pub unsafe fn bytes(&self) -> Result<&'a [u8]> {
        let bits = u64::from(self.0.dtype.bits).wrapping_mul(u64::from(self.0.dtype.lanes));
        let elements = self.extents().iter().fold(1_u64, |product, extent| product.wrapping_mul(*extent as u64));
        let size = elements.wrapping_mul(bits).wrapping_add(7) / 8;
        if size == 0 {
            return Ok(&[]);
        }
        if self.0.dtype.lanes.cast_signed() < 0 {
            return Err(Error::new("InternalError", "The content of a tensor with scalable lanes has no known size"));
        }
        if self.0.data.is_null() || size > isize::MAX as u64 {
            return Err(Error::new("ValueError", format!("The tensor has no data of {size} bytes")));
        }
        // SAFETY: the data has that many bytes, as the caller says.
        Ok(unsafe { slice::from_raw_parts(self.0.data.cast::<u8>().add(self.0.byte_offset as usize), size as usize) })
    }
}

#[inline]
pub(super) fn check_shape(tensor: &DLTensor) -> Result<()> {
    match tensor.ndim {
        1.. if !tensor.shape.is_null() => Ok(()),
        0 => Ok(()),
        _ => Err(malformed(tensor)),
    }
}

#[cold]
fn malformed(tensor: &DLTensor) -> Error {
    Error::new(
        "ValueError",
        format!("A tensor cannot have {} dimensions and a shape at {:?}", tensor.ndim, tensor.shape),
    )
}

/// DLPack has some types narrower than a byte in one width only, and tensors of another are not to be imported.
#[inline]
pub(super) fn check_dtype(tensor: &DLTensor) -> Result<()> {
    let width = match tensor.dtype.code {
        kDLFloat6_e2m3fn | kDLFloat6_e3m2fn => 6,
        kDLFloat4_e2m1fn => 4,
        _ => return Ok(()),
    };
    if tensor.dtype.bits == width { Ok(()) } else { Err(other_width(tensor, width)) }
}

#[cold]
fn other_width(tensor: &DLTensor, width: u8) -> Error {
    let DLDataType { code, bits, .. } = tensor.dtype;
    Error::new("ValueError", format!("The elements of type {code} have {width} bits, not {bits}"))
}

/// Most importers ask for no alignment.
#[inline]
pub(super) fn check_alignment(tensor: &DLTensor, alignment: i32) -> Result<()> {
    // The others ask for a power of two, which needs no division.
    let is_met = alignment == 0
        || alignment > 0
            && match (alignment as u64, address(tensor)) {
                (bytes, address) if bytes.is_power_of_two() => address & (bytes - 1) == 0,
                (bytes, address) => address.is_multiple_of(bytes),
            };
    if is_met { Ok(()) } else { Err(not_aligned(alignment)) }
}

#[cold]
fn not_aligned(alignment: i32) -> Error {
    match alignment {
        ..0 => Error::new("ValueError", format!("The required alignment {alignment} is negative")),
        _ => Error::new("RuntimeError", format!("FromDLPack: Data is not aligned to {alignment} bytes.")),
    }
}

/// The address of the first element where `data` is one, and its offset where `data` is a handle of the device's own.
fn address(tensor: &DLTensor) -> u64 {
    let device = tensor.device.device_type;
    let is_address = device <= kDLCUDAHost || [kDLCUDAManaged, kDLROCM, kDLROCMHost].contains(&device);
    if is_address { (tensor.data.addr() as u64).wrapping_add(tensor.byte_offset) } else { tensor.byte_offset }
}

/// # Safety
/// The shape is well-formed, and strides, if any, are as many as the extents.
#[inline]
pub(super) unsafe fn is_contiguous(tensor: &DLTensor) -> bool {
    if tensor.strides.is_null() || tensor.ndim == 0 {
        return true;
    }
    // SAFETY: as many strides as extents, as the caller says.
    let (shape, strides) = unsafe { (extents(tensor), slice::from_raw_parts(tensor.strides, tensor.ndim as usize)) };
    let mut expected = 1_i64;
    for (&extent, &stride) in shape.iter().zip(strides).rev() {
        // A dimension of one element is never stepped along, so its stride says nothing.
        if extent != 1 && stride != expected {
            // Without elements they lie as they please.
            // SAFETY: the shape is well-formed.
            return unsafe { has_no_elements(tensor) };
        }
        expected = expected.wrapping_mul(extent);
    }
    true
}

/// Whether there is an extent of 0.
///
/// # Safety
/// The shape is well-formed.
#[inline]
pub(super) unsafe fn has_no_elements(tensor: &DLTensor) -> bool {
    // One by one: `contains` takes eight at a time, and most tensors have fewer dimensions.
    // SAFETY: the caller's contract is the same.
    !unsafe { extents(tensor) }.iter().all(|extent| *extent != 0)
}

/// # Safety
/// The shape is well-formed and outlives `'a`.
#[inline]
pub(super) unsafe fn extents<'a>(tensor: &DLTensor) -> &'a [i64] {
    if tensor.ndim == 0 {
        return &[];
    }
    // SAFETY: `ndim` extents, as the caller says.
    unsafe { slice::from_raw_parts(tensor.shape, tensor.ndim as usize) }
}

/// # Safety
/// There is room for a stride for each extent.
pub(super) unsafe fn write_row_major(shape: &[i64], strides: *mut i64) {
    let mut stride = 1_i64;
    for (dimension, &extent) in shape.iter().enumerate().rev() {
        // SAFETY: as many strides as extents, as the caller says.
        unsafe { strides.add(dimension).write(stride) };
        stride = stride.wrapping_mul(extent);
    }
}
