//! Arrays: immutable sequences whose cells follow the object's header in the same allocation.
//!
//! Growing makes a new array. Arrays that clients made may lie anywhere else and may be changed in place by a client that
//! owns the only reference, so nothing here keeps a pointer to cells beyond one call.

use std::{ffi::c_void, slice};

use tvm_ffi_spec::{TVMFFIAny, TVMFFISeqCell, kTVMFFIArray};

use crate::{
    any::{Any, AnyView},
    error::Result,
    object::{self, ObjectRef, Payload},
};

/// What lies behind the header of an array.
#[repr(C)]
struct Sequence(TVMFFISeqCell);

// SAFETY: the type is repr(C) and is the cell that arrays begin with.
unsafe impl Payload for Sequence {
    const TYPE_INDEX: i32 = kTVMFFIArray;
}

impl Drop for Sequence {
    fn drop(&mut self) {
        let TVMFFISeqCell { data, size, data_deleter, .. } = self.0;
        for index in 0..size.max(0) as usize {
            // SAFETY: the first `size` cells are live and owned by the array.
            drop(unsafe { Any::from_raw(data.cast::<TVMFFIAny>().add(index).read()) });
        }
        if let Some(data_deleter) = data_deleter {
            // SAFETY: whoever put the cells elsewhere gave this deleter for them.
            unsafe { data_deleter(data) };
        }
    }
}

/// Makes an array of these values.
pub fn new(values: Vec<Any>) -> Result<ObjectRef> {
    let size = values.len();
    // Only the cells are moved; the vector must not drop them.
    let values = values.into_iter().map(Any::into_raw).collect::<Vec<_>>();
    object::new_with_tail(size.saturating_mul(size_of::<TVMFFIAny>()), |tail| {
        let data = tail.cast::<TVMFFIAny>();
        // SAFETY: the tail has room for the cells and is fresh memory.
        unsafe { data.copy_from_nonoverlapping(values.as_ptr(), size) };
        let (size, data) = (size as i64, data.cast::<c_void>());
        Sequence(TVMFFISeqCell { data, size, capacity: size, data_deleter: None })
    })
}

/// The elements of an array.
///
/// # Safety
/// `array` is an Array (or List), and nobody changes it while the elements are borrowed.
pub unsafe fn elements(array: &ObjectRef) -> &[AnyView<'_>] {
    // SAFETY: every array begins with this cell, whoever made it.
    unsafe {
        let TVMFFISeqCell { data, size, .. } = *array.data::<TVMFFISeqCell>();
        if size <= 0 { &[] } else { slice::from_raw_parts(data.cast(), size as usize) }
    }
}

/// A new array with `value` behind the elements of `array`.
///
/// # Safety
/// As for [`elements`].
pub unsafe fn with_pushed(array: &ObjectRef, value: Any) -> Result<ObjectRef> {
    // SAFETY: the caller's contract is the same.
    let elements = unsafe { elements(array) };
    let mut values = elements.iter().map(AnyView::to_owned).collect::<Result<Vec<_>>>()?;
    values.push(value);
    new(values)
}
