//! Arrays of numbers: NDArray objects, whose memory a tensor of DLPack's holds.

use std::{
    alloc::{self, Layout},
    ffi::c_void,
    ptr,
};

use tvm_ffi_adapter::types::{Header, index};
use tvm_ffi_spec::*;

use crate::{
    dtype,
    error::{Error, Result},
    object::{Body, Ref},
};

/// How memory of arrays and workspaces is aligned.
pub const ALIGNMENT: usize = 64;
/// How far an array's handle lies behind the handle of its object.
const INSIDE: usize = size_of::<Header>();

/// What lies behind the header of a ShapeTuple.
#[repr(C)]
pub struct Shape {
    data: *const i64,
    size: u64,
    extents: Box<[i64]>,
}

// SAFETY: the span is over the extents, which nobody changes.
unsafe impl Send for Shape {}
// SAFETY: as above.
unsafe impl Sync for Shape {}

impl Body for Shape {
    const TYPE_INDEX: u32 = index::SHAPE_TUPLE;
}

impl Shape {
    /// A ShapeTuple of these extents.
    pub fn object(extents: impl Into<Box<[i64]>>) -> Ref {
        let extents = extents.into();
        Ref::new(Self { data: extents.as_ptr(), size: extents.len() as u64, extents })
    }

    /// The extents.
    pub fn extents(&self) -> &[i64] {
        &self.extents
    }
}

/// Who frees the memory.
enum Memory {
    /// It was allocated here.
    Own(*mut u8, Layout),
    /// It came through DLPack.
    Imported(*mut DLManagedTensor),
}

impl Drop for Memory {
    fn drop(&mut self) {
        match *self {
            // SAFETY: it was allocated with this layout.
            Self::Own(data, layout) => unsafe { alloc::dealloc(data, layout) },
            // SAFETY: the tensor was handed over, and its deleter is called once.
            Self::Imported(tensor) => unsafe {
                if let Some(deleter) = (*tensor).deleter {
                    deleter(tensor);
                }
            },
        }
    }
}

/// What lies behind the header of an NDArray.
#[repr(C)]
pub struct Array {
    /// What the handle points to.
    tensor: DLTensor,
    manager_ctx: *mut c_void,
    shape: *mut c_void,
    /// The object that `shape` points to.
    _extents: Ref,
    _memory: Memory,
}

// SAFETY: the library reads the tensor alone; who works on the data synchronises.
unsafe impl Send for Array {}
// SAFETY: as above.
unsafe impl Sync for Array {}

impl Body for Array {
    const TYPE_INDEX: u32 = index::NDARRAY;
}

impl Array {
    fn object(mut tensor: DLTensor, extents: &[i64], memory: Memory) -> Ref {
        let extents = Shape::object(extents);
        let shape = extents.body::<Shape>().expect("a shape was made");
        tensor.shape = shape.extents.as_ptr().cast_mut();
        let (manager_ctx, shape) = (ptr::null_mut(), extents.handle());
        Ref::new(Self { tensor, manager_ctx, shape, _extents: extents, _memory: memory })
    }
}

/// The handle of an array for the handle of its object.
pub fn handle_of(object: *mut c_void) -> *mut c_void {
    object.wrapping_byte_add(INSIDE)
}

/// The handle of the object for the handle of an array, of which NULL has none.
pub fn object_of(array: *mut c_void) -> *mut c_void {
    if array.is_null() { array } else { array.wrapping_byte_sub(INSIDE) }
}

/// The number of elements, if memory could have room for as many.
fn elements(extents: &[i64]) -> Option<usize> {
    let extents = extents.iter().map(|extent| usize::try_from(*extent).ok());
    let extents = extents.collect::<Option<Vec<_>>>()?;
    if extents.contains(&0) {
        return Some(0);
    }
    extents.into_iter().try_fold(1_usize, usize::checked_mul)
}

/// How many bytes the elements of a compact tensor take.
///
/// # Safety
/// The extents are readable.
pub unsafe fn bytes(tensor: &DLTensor) -> Result<usize> {
    // SAFETY: the caller vouches for it.
    bytes_of(unsafe { extents(tensor) }?, tensor.dtype)
}

/// The same for extents by themselves.
pub fn bytes_of(extents: &[i64], dtype: DLDataType) -> Result<usize> {
    let per_element = (usize::from(dtype.bits) * usize::from(dtype.lanes)).div_ceil(8);
    let bytes = elements(extents).and_then(|count| count.checked_mul(per_element));
    let bytes = bytes.filter(|bytes| isize::try_from(*bytes).is_ok());
    bytes.ok_or_else(|| Error::value(format!("the extents {extents:?} of elements of {per_element} bytes are no size")))
}

/// The extents of a tensor.
///
/// # Safety
/// They are readable during `'a`.
unsafe fn extents<'a>(tensor: &DLTensor) -> Result<&'a [i64]> {
    // SAFETY: the caller vouches for it.
    unsafe { list(tensor.shape, tensor.ndim) }
}

/// Extents as C passes them.
///
/// # Safety
/// `count` of them are readable during `'a`.
pub unsafe fn list<'a>(first: *const i64, count: i32) -> Result<&'a [i64]> {
    match usize::try_from(count) {
        Ok(0) => Ok(&[]),
        // SAFETY: the caller vouches for it.
        Ok(count) if !first.is_null() => Ok(unsafe { std::slice::from_raw_parts(first, count) }),
        _ => Err(Error::value(format!("{count} extents, at {first:?}, are no shape"))),
    }
}

/// Whether a tensor's elements lie one behind the other in the order of rows. The stride of a single element says nothing.
///
/// # Safety
/// Extents and strides are readable.
pub unsafe fn is_compact(tensor: &DLTensor) -> Result<bool> {
    // SAFETY: the caller vouches for both.
    let (extents, strides) = unsafe {
        if tensor.strides.is_null() {
            return Ok(true);
        }
        (extents(tensor)?, list(tensor.strides, tensor.ndim)?)
    };
    if extents.contains(&0) {
        return Ok(true);
    }
    let mut expected = 1_i64;
    for (extent, stride) in extents.iter().zip(strides).rev() {
        if *extent != 1 && *stride != expected {
            return Ok(false);
        }
        expected = expected.saturating_mul(*extent);
    }
    Ok(true)
}

/// Memory aligned as that of arrays, of at least one byte.
pub fn layout(bytes: usize, alignment: usize) -> Result<Layout> {
    let layout = Layout::from_size_align(bytes.max(1), alignment);
    layout.map_err(|_| Error::value(format!("{bytes} bytes aligned to {alignment} are no size of memory")))
}

/// Memory of this layout, or why there is none.
pub fn allocate(layout: Layout) -> Result<*mut u8> {
    // SAFETY: the layout has at least one byte.
    let data = unsafe { alloc::alloc(layout) };
    if data.is_null() {
        return Err(Error::new("MemoryError", format!("there is no memory of {} bytes", layout.size())));
    }
    Ok(data)
}

/// A new array in memory of its own.
pub fn new(extents: &[i64], dtype: DLDataType, device: DLDevice) -> Result<Ref> {
    dtype::storable(dtype)?;
    let layout = layout(bytes_of(extents, dtype)?, ALIGNMENT)?;
    let data = allocate(layout)?;
    let memory = Memory::Own(data, layout);
    let (shape, strides) = (ptr::null_mut(), ptr::null_mut());
    let tensor =
        DLTensor { data: data.cast(), device, ndim: extents.len() as i32, dtype, shape, strides, byte_offset: 0 };
    Ok(Array::object(tensor, extents, memory))
}

/// An array that takes a tensor over. One that is refused stays the caller's.
///
/// # Safety
/// `managed` is a tensor of the caller's.
pub unsafe fn import(managed: *mut DLManagedTensor) -> Result<Ref> {
    // SAFETY: the caller passes a tensor.
    let tensor = unsafe { (*managed).dl_tensor };
    let first = (tensor.data as usize).wrapping_add(tensor.byte_offset as usize);
    if !first.is_multiple_of(ALIGNMENT) {
        return Err(Error::value(format!("the first element, at {first:#x}, is not aligned to {ALIGNMENT} bytes")));
    }
    // SAFETY: as above.
    let extents = unsafe { extents(&tensor) }?;
    // SAFETY: as above.
    if !unsafe { is_compact(&tensor) }? {
        return Err(Error::value("the elements do not lie one behind the other, in the order of rows"));
    }
    Ok(Array::object(tensor, extents, Memory::Imported(managed)))
}

/// A tensor for DLPack that keeps the array alive.
pub fn export(array: &Ref) -> Result<*mut DLManagedTensor> {
    let body = array.body::<Array>().ok_or_else(|| Error::of_type("this is no array of this library"))?;
    let manager_ctx = array.clone().into_handle();
    Ok(Box::into_raw(Box::new(DLManagedTensor { dl_tensor: body.tensor, manager_ctx, deleter: Some(give_back) })))
}

unsafe extern "C" fn give_back(managed: *mut DLManagedTensor) {
    if !managed.is_null() {
        // SAFETY: `export` made it, with a reference to the array, and DLPack calls this once.
        unsafe { drop(Ref::from_owned(Box::from_raw(managed).manager_ctx)) };
    }
}
