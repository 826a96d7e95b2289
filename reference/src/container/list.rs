//! Lists: sequences that are changed in place, with their elements in a buffer of their own.
//!
//! The buffer comes from the C library and is given back through `data_deleter`, which accepts NULL: clients that let a
//! list grow inline hand the old buffer to it without a look, put one of their own in place, and leave the deleter.
//!
//! An element that goes may run foreign code, which may reach the list: elements are taken out before they are dropped.

use std::{array, ops::Range, ptr};

use tvm_ffi_spec::{TVMFFISeqCell, kTVMFFIList};

use crate::{
    border::error::{Error, Result},
    container::{
        buffer,
        sequence::{self, Array, List, Sequence, Storage, cell, grown, out_of_bounds},
    },
    function::{
        arguments::Arguments,
        row::{Row, row},
    },
    object,
    system::memory,
    value::any::Any,
};

#[cfg(test)]
mod tests;

/// The least room in a list that is made of values.
const INITIAL_CAPACITY: usize = 4;

/// Makes a list of these values.
pub fn new(values: Vec<Any>) -> Result<List> {
    let list = empty()?;
    reserve(&list, values.len().max(INITIAL_CAPACITY))?;
    // SAFETY: the list is new and has room for exactly these values.
    unsafe {
        (*cell(&list)).size = values.len() as i64;
        sequence::move_to(values, (*cell(&list)).data);
    }
    Ok(list)
}

/// Makes a list of the elements of another.
pub fn copy(source: &Sequence) -> Result<List> {
    let copy = empty()?;
    reserve(&copy, sequence::len(source).max(INITIAL_CAPACITY))?;
    // SAFETY: cloning elements runs no foreign code, and the copy is new and has room for all of them.
    unsafe {
        let (elements, cells) = (sequence::borrow(source), (*cell(&copy)).data.cast::<Any>());
        for (index, element) in elements.iter().enumerate() {
            cells.add(index).write(element.clone());
        }
        (*cell(&copy)).size = elements.len() as i64;
    }
    Ok(copy)
}

/// Makes an empty list, without a buffer.
pub fn empty() -> Result<List> {
    // SAFETY: it is made with this type index.
    Ok(unsafe { object::try_new(nothing)?.cast_unchecked() })
}

fn nothing() -> Storage<kTVMFFIList> {
    Storage(TVMFFISeqCell { data: ptr::null_mut(), size: 0, capacity: 0, data_deleter: Some(buffer::release) })
}

/// Adds an element behind the last one.
pub fn push(list: &List, value: Any) -> Result<()> {
    ensure_room_for(list, 1)?;
    // SAFETY: there is room for one more.
    unsafe {
        cells(list).add(sequence::len(list)).write(value);
        (*cell(list)).size += 1;
    }
    Ok(())
}

/// Puts an element before the one at `index`.
pub fn insert(list: &List, index: i64, value: Any) -> Result<()> {
    let at = insertion_point(list, index)?;
    ensure_room_for(list, 1)?;
    // Whatever the deleter of the old buffer has done.
    let at = at.min(sequence::len(list));
    // SAFETY: there is room for one more, and the point lies within the list.
    unsafe { open_gap(list, at, 1).write(value) };
    Ok(())
}

/// Replaces an element.
pub fn set(list: &List, index: i64, value: Any) -> Result<()> {
    let at = position(list, index)?;
    // SAFETY: the position lies within the list.
    let _old = unsafe { ptr::replace(cells(list).add(at), value) };
    Ok(())
}

/// Takes an element out.
pub fn pop(list: &List, index: i64) -> Result<Any> {
    let at = position(list, index)?;
    // SAFETY: the position lies within the list; what is read is closed over at once.
    unsafe {
        let element = cells(list).add(at).read();
        close_gap(list, at, 1);
        Ok(element)
    }
}

/// Takes out the elements from `start` up to, but not including, `stop`.
pub fn erase_range(list: &List, start: i64, stop: i64) -> Result<()> {
    let Range { start, mut end } = erasable(list, start, stop)?;
    let mut at_once = end - start;
    // Should the end of an element change the list, what is not there any more is not erased.
    while start < end && end <= sequence::len(list) {
        match taken_out(list, end - at_once..end) {
            Some(erased) => drop(erased),
            None if at_once <= FEW => drop(few_taken_out(list, end - at_once..end)),
            // There is no memory to keep so many together.
            None => {
                at_once = at_once.div_ceil(2);
                continue;
            }
        }
        end -= at_once;
        at_once = at_once.min(end - start);
    }
    Ok(())
}

/// Puts other elements in the place of those from `start` up to, but not including, `stop`. When this fails, the list is as
/// it was.
pub fn replace_range(list: &List, start: i64, stop: i64, replacement: Vec<Any>) -> Result<()> {
    let (range, count) = (erasable(list, start, stop)?, replacement.len());
    if count == 0 {
        return erase_range(list, start, stop);
    }
    let at = if range.is_empty() { insertion_point(list, start)? } else { range.start };
    ensure_room_for(list, count.saturating_sub(range.len()))?;
    // Whatever the deleter of the old buffer has done.
    let range = erasable(list, start, stop)?;
    let at = at.min(sequence::len(list));
    let erased = taken_out(list, range).ok_or_else(|| Error::out_of_memory("the elements that are replaced"))?;
    // SAFETY: there is room, and the point lies within the list.
    unsafe { sequence::move_to(replacement, open_gap(list, at, count).cast()) };
    drop(erased);
    Ok(())
}

/// The range of the elements from `start` up to, but not including, `stop`.
fn erasable(list: &List, start: i64, stop: i64) -> Result<Range<usize>> {
    if start == stop {
        return Ok(0..0);
    }
    let size = sequence::len(list);
    let range = usize::try_from(start).ok().zip(usize::try_from(stop).ok());
    range.filter(|&(first, last)| first < last && last <= size).map(|(first, last)| first..last).ok_or_else(|| {
        let message = format!("Erase range [{start}, {stop}) out of bounds {size}");
        Error::new("IndexError", message)
    })
}

/// How many elements are kept on the stack where there is no memory for more: the elements behind them move for each such part.
const FEW: usize = 64;

/// Takes a few elements out, for which no memory is asked.
fn few_taken_out(list: &List, range: Range<usize>) -> [Option<Any>; FEW] {
    // SAFETY: the range lies within the list; what is moved out is closed over at once.
    unsafe {
        let first = cells(list).add(range.start);
        let taken = array::from_fn(|at| (at < range.len()).then(|| first.add(at).read()));
        close_gap(list, range.start, range.len());
        taken
    }
}

/// Takes elements out; none, and no change, if there is no memory for them.
fn taken_out(list: &List, range: Range<usize>) -> Option<Vec<Any>> {
    let mut taken: Vec<Any> = memory::room(range.len()).ok()?;
    if !range.is_empty() {
        // SAFETY: the range lies within the list; what is moved out is closed over at once.
        unsafe {
            taken.as_mut_ptr().copy_from_nonoverlapping(cells(list).add(range.start), range.len());
            taken.set_len(range.len());
            close_gap(list, range.start, range.len());
        }
    }
    Some(taken)
}

/// Turns the order of the elements around.
pub fn reverse(list: &List) -> Result<()> {
    // SAFETY: the first `size` cells are live, and swapping them runs no foreign code.
    unsafe { ptr::slice_from_raw_parts_mut(cells(list), sequence::len(list)).as_mut() }.map(<[Any]>::reverse);
    Ok(())
}

/// Takes out all elements and keeps the buffer.
pub fn clear(list: &List) -> Result<()> {
    erase_range(list, 0, sequence::len(list) as i64)
}

/// Makes room for `capacity` elements in all.
pub fn reserve(list: &List, capacity: usize) -> Result<()> {
    let cell = cell(list);
    // SAFETY: every list begins with this cell.
    let TVMFFISeqCell { data, size, capacity: room, data_deleter } = unsafe { *cell };
    if capacity as i64 <= room && capacity <= i64::MAX as usize {
        return Ok(());
    }
    let bytes = capacity.checked_mul(size_of::<Any>());
    let larger = buffer::allocate(bytes);
    if larger.is_null() {
        return Err(Error::new("MemoryError", format!("Cannot allocate a list of {capacity} elements")));
    }
    // SAFETY: the new buffer has room for the live cells, which move there bit by bit. The old one goes to the deleter
    // that came with it; the new one has ours.
    unsafe {
        if size > 0 {
            larger.cast::<Any>().copy_from_nonoverlapping(data.cast(), size as usize);
        }
        *cell = TVMFFISeqCell { data: larger, size, capacity: capacity as i64, data_deleter: Some(buffer::release) };
        if let Some(data_deleter) = data_deleter {
            data_deleter(data);
        }
    }
    Ok(())
}

#[inline]
fn ensure_room_for(list: &List, more: usize) -> Result<()> {
    // SAFETY: every list begins with this cell.
    let TVMFFISeqCell { capacity, .. } = unsafe { *cell(list) };
    let needed = sequence::len(list).saturating_add(more);
    if needed as i64 <= capacity { Ok(()) } else { make_room_for(list, more, capacity, needed) }
}

#[inline(never)]
fn make_room_for(list: &List, more: usize, capacity: i64, needed: usize) -> Result<()> {
    reserve(list, grown(capacity, needed))?;
    // The deleter of the old buffer, if it was a client's, may have added elements.
    ensure_room_for(list, more)
}

/// Moves the elements from `at` on away by `count` cells, which the caller then fills.
///
/// # Safety
/// There is room for `count` more, and `at` is not behind the end.
unsafe fn open_gap(list: &List, at: usize, count: usize) -> *mut Any {
    // SAFETY: the cells up to the new size lie in the buffer.
    unsafe {
        let gap = cells(list).add(at);
        let behind = sequence::len(list) - at;
        if behind > 0 {
            gap.add(count).copy_from(gap, behind);
        }
        (*cell(list)).size += count as i64;
        gap
    }
}

/// Moves the elements behind `count` cells at `at` there; what those held is not dropped.
///
/// # Safety
/// The cells lie within the list and have been moved out.
unsafe fn close_gap(list: &List, at: usize, count: usize) {
    // SAFETY: the cells up to the size lie in the buffer.
    unsafe {
        let gap = cells(list).add(at);
        let behind = sequence::len(list) - at - count;
        if behind > 0 {
            gap.copy_from(gap.add(count), behind);
        }
        (*cell(list)).size -= count as i64;
    }
}

fn cells(list: &List) -> *mut Any {
    // SAFETY: every list begins with this cell.
    unsafe { (*cell(list)).data.cast() }
}

fn position(list: &List, index: i64) -> Result<usize> {
    let size = sequence::len(list);
    usize::try_from(index).ok().filter(|&at| at < size).ok_or_else(|| out_of_bounds(index, size))
}

fn insertion_point(list: &List, index: i64) -> Result<usize> {
    let size = sequence::len(list);
    usize::try_from(index).ok().filter(|&at| at <= size).ok_or_else(|| {
        let message = format!("Index {index} out of bounds [0, {size}]");
        Error::new("IndexError", message)
    })
}

/// The global functions about lists.
pub(crate) const GLOBALS: &[Row] = &[
    row("ffi.List", |args| {
        let list = empty()?;
        reserve(&list, args.all().len().max(INITIAL_CAPACITY))?;
        // SAFETY: the list is new and has room for all values.
        unsafe { sequence::append_owned(&list, args.all())? };
        Ok(list.into())
    }),
    row("ffi.ListGetItem(0: ffi.List, 1: int) -> Any", |args| sequence::at(args.borrow::<List>(0)?, args.int(1)?)),
    row("ffi.ListSetItem(0: List<Any>, 1: int, 2: Any) -> void", |args| {
        on_list(args, 0, |list| set(list, args.int(1)?, args.any(2).to_owned()?)).map(Any::from)
    }),
    row("ffi.ListSize(0: ffi.List) -> int", |args| Ok((sequence::len(args.borrow::<List>(0)?) as i64).into())),
    row("ffi.ListContains(0: ffi.List, 1: Any) -> bool", |args| {
        let list = args.borrow::<List>(0)?;
        args.look_at(1, |value| Ok(sequence::contains(list, value)?.into()))
    }),
    row("ffi.ListAppend(0: List<Any>, 1: Any) -> void", |args| {
        on_list(args, 0, |list| push(list, args.any(1).to_owned()?)).map(Any::from)
    }),
    row("ffi.ListInsert(0: List<Any>, 1: int, 2: Any) -> void", |args| {
        on_list(args, 0, |list| insert(list, args.int(1)?, args.any(2).to_owned()?)).map(Any::from)
    }),
    row("ffi.ListPop(0: List<Any>, 1: int) -> Any", |args| on_list(args, 0, |list| pop(list, args.int(1)?))),
    row("ffi.ListErase(0: List<Any>, 1: int) -> void", |args| {
        on_list(args, 0, |list| pop(list, args.int(1)?).map(drop)).map(Any::from)
    }),
    row("ffi.ListEraseRange(0: List<Any>, 1: int, 2: int) -> void", |args| {
        on_list(args, 0, |list| erase_range(list, args.int(1)?, args.int(2)?)).map(Any::from)
    }),
    row("ffi.ListReplaceSlice(0: List<Any>, 1: int, 2: int, 3: List<Any>) -> void", |args| {
        let replace = |list: &List| {
            let (start, stop) = (args.int(1)?, args.int(2)?);
            on_list(args, 3, |other| replace_range(list, start, stop, sequence::elements(other)?))
        };
        on_list(args, 0, replace).map(Any::from)
    }),
    row("ffi.ListReverse(0: List<Any>) -> void", |args| on_list(args, 0, reverse).map(Any::from)),
    row("ffi.ListClear(0: List<Any>) -> void", |args| on_list(args, 0, clear).map(Any::from)),
    row("ffi.ListReserve(0: List<Any>, 1: int) -> void", |args| {
        on_list(args, 0, |list| reserve(list, usize::try_from(args.int(1)?).unwrap_or(0))).map(Any::from)
    }),
];

/// What is done with a `List<Any>`: an Array stands for a list of its elements.
#[inline]
fn on_list<T>(args: &Arguments<'_>, index: usize, body: impl FnOnce(&List) -> Result<T>) -> Result<T> {
    let made;
    body(match args.any(index).cast_ref() {
        Some(list) => list,
        None => {
            made = list_of_array(args, index)?;
            &made
        }
    })
}

#[cold]
fn list_of_array(args: &Arguments<'_>, index: usize) -> Result<List> {
    match args.any(index).cast_ref::<Array>() {
        Some(array) => new(sequence::elements(array)?),
        None => args.borrow(index).cloned(),
    }
}
