//! Lists: sequences that are changed in place, with their elements in a buffer of their own.
//!
//! The buffer comes from the C library and is given back through `data_deleter`, which accepts NULL: clients that let a
//! list grow inline hand the old buffer to it without a look, put one of their own in place, and leave the deleter.
//!
//! An element that goes may run foreign code, which may reach the list: elements are taken out before they are dropped.

use std::{borrow::Cow, ptr};

use tvm_ffi_spec::{TVMFFISeqCell, kTVMFFIArray, kTVMFFIList};

use crate::{
    any::Any,
    arguments::Arguments,
    container::{
        free,
        sequence::{self, Sequence, cell, grown, out_of_bounds},
    },
    error::{Error, Result},
    globals::{Row, row},
    object::{self, ObjectRef},
};

/// The least room in a list that is made of values.
const INITIAL_CAPACITY: usize = 4;

/// Makes a list of these values.
pub fn new(values: Vec<Any>) -> Result<ObjectRef> {
    let list = empty();
    reserve(&list, values.len().max(INITIAL_CAPACITY))?;
    // SAFETY: the list is new and has room for exactly these values.
    unsafe {
        (*cell(&list)).size = values.len() as i64;
        sequence::move_to(values, (*cell(&list)).data);
    }
    Ok(list)
}

/// Makes an empty list, without a buffer.
pub fn empty() -> ObjectRef {
    let cell = TVMFFISeqCell { data: ptr::null_mut(), size: 0, capacity: 0, data_deleter: Some(free) };
    object::new(Sequence::<kTVMFFIList>(cell))
}

/// Adds an element behind the last one.
pub fn push(list: &ObjectRef, value: Any) -> Result<()> {
    let size = sequence::len(list);
    ensure_room_for(list, 1)?;
    // SAFETY: there is room for one more.
    unsafe { open_gap(list, size, 1).write(value) };
    Ok(())
}

/// Puts an element before the one at `index`.
pub fn insert(list: &ObjectRef, index: i64, value: Any) -> Result<()> {
    ensure_room_for(list, 1)?;
    let at = insertion_point(list, index)?;
    // SAFETY: there is room for one more, and the point lies within the list.
    unsafe { open_gap(list, at, 1).write(value) };
    Ok(())
}

/// Replaces an element.
pub fn set(list: &ObjectRef, index: i64, value: Any) -> Result<()> {
    let at = position(list, index)?;
    // SAFETY: the position lies within the list.
    let _old = unsafe { ptr::replace(cells(list).add(at), value) };
    Ok(())
}

/// Takes an element out.
pub fn pop(list: &ObjectRef, index: i64) -> Result<Any> {
    let at = position(list, index)?;
    // SAFETY: the position lies within the list; what is read is closed over at once.
    unsafe {
        let element = cells(list).add(at).read();
        close_gap(list, at, 1);
        Ok(element)
    }
}

/// Takes out the elements from `start` up to, but not including, `stop`.
pub fn erase_range(list: &ObjectRef, start: i64, stop: i64) -> Result<()> {
    if start == stop {
        return Ok(());
    }
    let size = sequence::len(list);
    let range = usize::try_from(start).ok().zip(usize::try_from(stop).ok());
    let Some((first, last)) = range.filter(|&(first, last)| first < last && last <= size) else {
        let message = format!("Erase range [{start}, {stop}) out of bounds {size}");
        return Err(Error::new("IndexError", message));
    };
    let mut erased: Vec<Any> = Vec::with_capacity(last - first);
    // SAFETY: the range lies within the list; what is moved out is closed over at once.
    unsafe {
        erased.as_mut_ptr().copy_from_nonoverlapping(cells(list).add(first), last - first);
        erased.set_len(last - first);
        close_gap(list, first, last - first);
    }
    Ok(())
}

/// Puts other elements in the place of those from `start` up to, but not including, `stop`.
pub fn replace_range(list: &ObjectRef, start: i64, stop: i64, replacement: Vec<Any>) -> Result<()> {
    erase_range(list, start, stop)?;
    if replacement.is_empty() {
        return Ok(());
    }
    let count = replacement.len();
    ensure_room_for(list, count)?;
    let at = insertion_point(list, start)?;
    // SAFETY: there is room, and the point lies within the list.
    unsafe { sequence::move_to(replacement, open_gap(list, at, count).cast()) };
    Ok(())
}

/// Turns the order of the elements around.
pub fn reverse(list: &ObjectRef) {
    // SAFETY: the first `size` cells are live, and swapping them runs no foreign code.
    unsafe { ptr::slice_from_raw_parts_mut(cells(list), sequence::len(list)).as_mut() }.map(<[Any]>::reverse);
}

/// Takes out all elements and keeps the buffer.
pub fn clear(list: &ObjectRef) -> Result<()> {
    erase_range(list, 0, sequence::len(list) as i64)
}

/// Makes room for `capacity` elements in all.
pub fn reserve(list: &ObjectRef, capacity: usize) -> Result<()> {
    let cell = cell(list);
    // SAFETY: every list begins with this cell.
    let TVMFFISeqCell { data, size, capacity: room, data_deleter } = unsafe { *cell };
    if capacity as i64 <= room && capacity <= i64::MAX as usize {
        return Ok(());
    }
    let bytes = capacity.checked_mul(size_of::<Any>());
    // SAFETY: malloc may be called with any size.
    let larger = bytes.map_or(ptr::null_mut(), |bytes| unsafe { libc::malloc(bytes) });
    if larger.is_null() {
        return Err(Error::new("MemoryError", format!("Cannot allocate a list of {capacity} elements")));
    }
    // SAFETY: the new buffer has room for the live cells, which move there bit by bit. The old one goes to the deleter
    // that came with it; the new one has ours.
    unsafe {
        if size > 0 {
            larger.cast::<Any>().copy_from_nonoverlapping(data.cast(), size as usize);
        }
        *cell = TVMFFISeqCell { data: larger, size, capacity: capacity as i64, data_deleter: Some(free) };
        if let Some(data_deleter) = data_deleter {
            data_deleter(data);
        }
    }
    Ok(())
}

fn ensure_room_for(list: &ObjectRef, more: usize) -> Result<()> {
    // SAFETY: every list begins with this cell.
    let TVMFFISeqCell { capacity, .. } = unsafe { *cell(list) };
    let needed = sequence::len(list).saturating_add(more);
    if needed as i64 <= capacity { Ok(()) } else { reserve(list, grown(capacity, needed)) }
}

/// Moves the elements from `at` on away by `count` cells, which the caller then fills.
///
/// # Safety
/// There is room for `count` more, and `at` is not behind the end.
unsafe fn open_gap(list: &ObjectRef, at: usize, count: usize) -> *mut Any {
    // SAFETY: the cells up to the new size lie in the buffer.
    unsafe {
        let gap = cells(list).add(at);
        gap.add(count).copy_from(gap, sequence::len(list) - at);
        (*cell(list)).size += count as i64;
        gap
    }
}

/// Moves the elements behind `count` cells at `at` there; what those held is not dropped.
///
/// # Safety
/// The cells lie within the list and have been moved out.
unsafe fn close_gap(list: &ObjectRef, at: usize, count: usize) {
    // SAFETY: the cells up to the size lie in the buffer.
    unsafe {
        let gap = cells(list).add(at);
        gap.copy_from(gap.add(count), sequence::len(list) - at - count);
        (*cell(list)).size -= count as i64;
    }
}

fn cells(list: &ObjectRef) -> *mut Any {
    // SAFETY: every list begins with this cell.
    unsafe { (*cell(list)).data.cast() }
}

fn position(list: &ObjectRef, index: i64) -> Result<usize> {
    let size = sequence::len(list);
    usize::try_from(index).ok().filter(|&at| at < size).ok_or_else(|| out_of_bounds(index, size))
}

fn insertion_point(list: &ObjectRef, index: i64) -> Result<usize> {
    let size = sequence::len(list);
    usize::try_from(index).ok().filter(|&at| at <= size).ok_or_else(|| {
        let message = format!("Index {index} out of bounds [0, {size}]");
        Error::new("IndexError", message)
    })
}

/// The global functions about lists.
pub(crate) const GLOBALS: &[Row] = &[
    row("ffi.List", |args| {
        let values = args.all().iter().map(|value| value.to_owned()).collect::<Result<_>>()?;
        Ok(new(values)?.into())
    }),
    row("ffi.ListGetItem(0: ffi.List, 1: int) -> Any", |args| sequence::at(args.borrow(0, kTVMFFIList)?, args.int(1)?)),
    row("ffi.ListSetItem(0: List<Any>, 1: int, 2: Any) -> void", |args| {
        set(&*list_argument(args, 0)?, args.int(1)?, args.any(2).to_owned()?)?;
        Ok(Any::NONE)
    }),
    row("ffi.ListSize(0: ffi.List) -> int", |args| Ok((sequence::len(args.borrow(0, kTVMFFIList)?) as i64).into())),
    row("ffi.ListContains(0: ffi.List, 1: Any) -> bool", |args| {
        let list = args.borrow(0, kTVMFFIList)?;
        Ok(sequence::contains(list, args.value(1)?.view())?.into())
    }),
    row("ffi.ListAppend(0: List<Any>, 1: Any) -> void", |args| {
        push(&*list_argument(args, 0)?, args.any(1).to_owned()?)?;
        Ok(Any::NONE)
    }),
    row("ffi.ListInsert(0: List<Any>, 1: int, 2: Any) -> void", |args| {
        insert(&*list_argument(args, 0)?, args.int(1)?, args.any(2).to_owned()?)?;
        Ok(Any::NONE)
    }),
    row("ffi.ListPop(0: List<Any>, 1: int) -> Any", |args| pop(&*list_argument(args, 0)?, args.int(1)?)),
    row("ffi.ListErase(0: List<Any>, 1: int) -> void", |args| {
        pop(&*list_argument(args, 0)?, args.int(1)?)?;
        Ok(Any::NONE)
    }),
    row("ffi.ListEraseRange(0: List<Any>, 1: int, 2: int) -> void", |args| {
        erase_range(&*list_argument(args, 0)?, args.int(1)?, args.int(2)?)?;
        Ok(Any::NONE)
    }),
    row("ffi.ListReplaceSlice(0: List<Any>, 1: int, 2: int, 3: List<Any>) -> void", |args| {
        let (list, start, stop) = (list_argument(args, 0)?, args.int(1)?, args.int(2)?);
        replace_range(&list, start, stop, sequence::elements(&*list_argument(args, 3)?))?;
        Ok(Any::NONE)
    }),
    row("ffi.ListReverse(0: List<Any>) -> void", |args| {
        reverse(&*list_argument(args, 0)?);
        Ok(Any::NONE)
    }),
    row("ffi.ListClear(0: List<Any>) -> void", |args| {
        clear(&*list_argument(args, 0)?)?;
        Ok(Any::NONE)
    }),
    row("ffi.ListReserve(0: List<Any>, 1: int) -> void", |args| {
        let (list, capacity) = (list_argument(args, 0)?, args.int(1)?);
        reserve(&list, usize::try_from(capacity).unwrap_or(0))?;
        Ok(Any::NONE)
    }),
];

/// A `List<Any>`: an Array stands for a list of its elements.
fn list_argument<'a>(args: &Arguments<'a>, index: usize) -> Result<Cow<'a, ObjectRef>> {
    match args.any(index).borrow_object_of(kTVMFFIArray) {
        Some(array) => Ok(Cow::Owned(new(sequence::elements(array))?)),
        None => args.borrow(index, kTVMFFIList).map(Cow::Borrowed),
    }
}
