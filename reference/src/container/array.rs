//! Arrays: immutable sequences whose cells follow the object's header in the same allocation.
//!
//! Growing makes a new array. Arrays that clients made may keep their cells anywhere else.

use std::{
    mem::{self, ManuallyDrop},
    slice,
    sync::atomic::{AtomicI64, Ordering},
};

use tvm_ffi_spec::{TVMFFIAny, TVMFFISeqCell, kTVMFFIArray};

use crate::{
    border::error::{Error, Result},
    container::sequence::{self, Array, Storage, cell, grown},
    function::row::{Row, row},
    object,
    value::any::{Any, AnyView},
};

/// Makes an array of these values.
pub fn new(values: Vec<Any>) -> Result<Array> {
    let array = with_capacity(values.len())?;
    // SAFETY: the array is new, and has room for exactly these values.
    unsafe {
        (*cell(&array)).size = values.len() as i64;
        sequence::move_to(values, (*cell(&array)).data);
    }
    Ok(array)
}

/// Makes an array of so many values.
pub fn of<const LEN: usize>(values: [Any; LEN]) -> Result<Array> {
    let array = with_capacity(LEN)?;
    let values = ManuallyDrop::new(values);
    // SAFETY: the array is new, and has room for exactly these values, which move there.
    unsafe {
        (*cell(&array)).data.cast::<Any>().copy_from_nonoverlapping(values.as_ptr(), LEN);
        (*cell(&array)).size = LEN as i64;
    }
    Ok(array)
}

/// Makes an array of at most so many values, which come last to first.
///
/// # Errors
/// If there is no memory for it, and what `next` fails with.
#[inline]
pub fn of_reversed(most: usize, mut next: impl FnMut() -> Result<Option<Any>>) -> Result<Array> {
    let array = with_capacity(most)?;
    let mut size = 0;
    while size < most
        && let Some(value) = next()?
    {
        // SAFETY: the array is new, and has room for so many values.
        unsafe { (*cell(&array)).data.cast::<Any>().add(size).write(value) };
        size += 1;
        // SAFETY: as above. So many values end with it, should the next one fail.
        unsafe { (*cell(&array)).size = size as i64 };
    }
    // SAFETY: as above; so many have come.
    unsafe { slice::from_raw_parts_mut((*cell(&array)).data.cast::<Any>(), size) }.reverse();
    Ok(array)
}

/// Makes an array of the values from an index on, which leave the vector, also if this fails.
pub fn of_last(values: &mut Vec<Any>, start: usize) -> Result<Array> {
    let last = values.drain(start..);
    let array = with_capacity(last.len())?;
    // SAFETY: the array is new, and has room for exactly these values, which move there.
    unsafe {
        (*cell(&array)).data.cast::<Any>().copy_from_nonoverlapping(last.as_slice().as_ptr(), last.len());
        (*cell(&array)).size = last.len() as i64;
    }
    last.for_each(mem::forget);
    Ok(array)
}

/// Makes an array of the same elements.
pub fn copy(array: &Array) -> Result<Array> {
    // SAFETY: cloning elements runs no foreign code.
    let elements = unsafe { sequence::borrow(array) };
    let copy = with_capacity(elements.len())?;
    // SAFETY: the copy is new and has room for all elements.
    unsafe {
        let cells = (*cell(&copy)).data.cast::<Any>();
        for (index, element) in elements.iter().enumerate() {
            cells.add(index).write(element.clone());
        }
        (*cell(&copy)).size = elements.len() as i64;
    }
    Ok(copy)
}

/// Makes an array of owned copies of these values.
pub fn of_views(values: &[AnyView<'_>]) -> Result<Array> {
    let array = with_capacity(values.len())?;
    // SAFETY: the array is new and has room for all values.
    unsafe { sequence::append_owned(&array, values)? };
    Ok(array)
}

/// The elements of an array.
///
/// # Safety
/// Nobody changes the array while the elements are borrowed, but for what another thread [appends](append) to it.
pub unsafe fn elements(array: &Array) -> &[AnyView<'_>] {
    // SAFETY: every array begins with this cell, and so many values are live.
    unsafe { AnyView::slice((*cell(array)).data.cast(), len(array)) }
}

/// How many elements there are, while another thread may [append] more.
pub fn len(array: &Array) -> usize {
    // SAFETY: every array begins with this cell, and the size is aligned.
    let size = unsafe { AtomicI64::from_ptr(&raw mut (*cell(array)).size) };
    size.load(Ordering::Acquire).max(0) as usize
}

/// Whether there is room behind the last element.
pub fn has_room(array: &Array) -> bool {
    // SAFETY: every array begins with this cell.
    (len(array) as i64) < unsafe { (*cell(array)).capacity }
}

/// Makes an array without elements that has room for more than so many.
///
/// # Errors
/// If there is no memory for it.
pub fn longer_than(size: usize) -> Result<Array> {
    with_capacity(grown(size as i64, size.saturating_add(1)))
}

/// Puts the elements of an array and a value behind them into another one, unless there is no room for them.
///
/// # Safety
/// Nobody looks at `empty`, which has no elements. For `array` as for [`elements`].
pub unsafe fn fill_longer(empty: &Array, array: &Array, value: &Any) -> bool {
    // SAFETY: every array begins with this cell, and cloning its elements runs no foreign code.
    let (elements, TVMFFISeqCell { capacity, .. }) = unsafe { (sequence::borrow(array), *cell(empty)) };
    let has_room = (elements.len() as i64) < capacity;
    if has_room {
        // SAFETY: nobody looks at it, and it has room.
        elements.iter().chain([value]).for_each(|element| unsafe { append(empty, element.clone()) });
    }
    has_room
}

/// Makes an array without elements that has room for some.
pub(crate) fn with_capacity(capacity: usize) -> Result<Array> {
    object::new_with_tail(capacity.saturating_mul(size_of::<TVMFFIAny>()), |tail| {
        let cell = TVMFFISeqCell { data: tail.cast(), size: 0, capacity: capacity as i64, data_deleter: None };
        Storage::<kTVMFFIArray>(cell)
    })
    .map_err(Error::from)
    // SAFETY: it was made with this type index.
    .map(|array| unsafe { array.cast_unchecked() })
}

/// Adds an element behind the last one. Others may look at the [elements] meanwhile.
///
/// # Safety
/// Nobody else changes the array, nor relies on it to stay as it is, and it has room.
pub(crate) unsafe fn append(array: &Array, value: Any) {
    let (cell, len) = (cell(array), len(array));
    // SAFETY: the place behind the last element is inside the array's room, and nobody looks at it before the size says that
    // there is a value.
    unsafe {
        (*cell).data.cast::<Any>().add(len).write(value);
        AtomicI64::from_ptr(&raw mut (*cell).size).store(len as i64 + 1, Ordering::Release);
    }
}

/// The global functions about arrays.
pub(crate) const GLOBALS: &[Row] = &[
    row("ffi.Array", |args| Ok(of_views(args.all())?.into())),
    row("ffi.ArrayGetItem(0: ffi.Array, 1: int) -> Any", |args| sequence::at(args.borrow::<Array>(0)?, args.int(1)?)),
    row("ffi.ArraySize(0: ffi.Array) -> int", |args| Ok((sequence::len(args.borrow::<Array>(0)?) as i64).into())),
    row("ffi.ArrayContains(0: ffi.Array, 1: Any) -> bool", |args| {
        let array = args.borrow::<Array>(0)?;
        args.look_at(1, |value| Ok(sequence::contains(array, value)?.into()))
    }),
];
