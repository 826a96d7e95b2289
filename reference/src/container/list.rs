//! Lists: sequences that are changed in place, with their elements in a buffer of their own.
//!
//! The buffer comes from the C library and is given back through `data_deleter`, which accepts NULL: clients that let a
//! list grow inline hand the old buffer to it without a look, put one of their own in place, and leave the deleter.
//!
//! An element that goes may run foreign code, which may reach the list: elements are taken out before they are dropped.

use std::{ops::Range, ptr};

use tvm_ffi_spec::{TVMFFISeqCell, kTVMFFIList};

use crate::{
    border::error::{Error, Result},
    container::{
        buffer,
        sequence::{self, Array, List, Storage, cell, grown, out_of_bounds},
    },
    function::{
        arguments::Arguments,
        row::{Row, row},
    },
    object,
    system::memory,
    value::any::Any,
};

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
            None if at_once == 1 => drop(pop(list, end as i64 - 1)?),
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

#[cfg(test)]
mod tests {
    use std::{
        cell::RefCell,
        ffi::c_void,
        rc::Rc,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use proptest::prelude::*;
    use tvm_ffi_spec::kTVMFFIObject;

    use super::*;
    use crate::{
        container::{array, sequence::Sequence},
        object::Payload,
    };

    #[derive(Clone, Debug)]
    enum Step {
        Push(i64),
        Insert(i64, i64),
        Set(i64, i64),
        Pop(i64),
        Erase(i64, i64),
        Replace(i64, i64, Vec<i64>),
        Reverse,
        Reserve(usize),
        Clear,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let index = || -2..12i64;
        let step = prop_oneof![
            4 => any::<i64>().prop_map(Step::Push),
            4 => (index(), any::<i64>()).prop_map(|(at, value)| Step::Insert(at, value)),
            2 => (index(), any::<i64>()).prop_map(|(at, value)| Step::Set(at, value)),
            2 => index().prop_map(Step::Pop),
            1 => (index(), index()).prop_map(|(start, stop)| Step::Erase(start, stop)),
            2 => (index(), index(), proptest::collection::vec(any::<i64>(), 0..5))
                .prop_map(|(start, stop, values)| Step::Replace(start, stop, values)),
            1 => Just(Step::Reverse),
            1 => (0..40usize).prop_map(Step::Reserve),
            1 => Just(Step::Clear),
        ];
        proptest::collection::vec(step, 0..60)
    }

    fn values(ints: &[i64]) -> Vec<Any> {
        ints.iter().map(|&int| int.into()).collect()
    }

    fn ints(list: &Sequence) -> Vec<i64> {
        sequence::elements(list).unwrap().iter().map(|value| value.view().as_int().unwrap()).collect()
    }

    /// The range of a model that two indices stand for.
    fn range(model: &[i64], start: i64, stop: i64) -> Option<std::ops::Range<usize>> {
        let (start, stop) = (usize::try_from(start).ok()?, usize::try_from(stop).ok()?);
        (start < stop && stop <= model.len()).then_some(start..stop)
    }

    /// Whether a model takes a step.
    fn apply(model: &mut Vec<i64>, step: &Step) -> bool {
        let position = |at: i64, end: usize| usize::try_from(at).ok().filter(|&at| at < end);
        match *step {
            Step::Push(value) => model.push(value),
            Step::Insert(at, value) => match position(at, model.len() + 1) {
                Some(at) => model.insert(at, value),
                None => return false,
            },
            Step::Set(at, value) => match position(at, model.len()) {
                Some(at) => model[at] = value,
                None => return false,
            },
            Step::Pop(at) => match position(at, model.len()) {
                Some(at) => _ = model.remove(at),
                None => return false,
            },
            Step::Erase(start, stop) if start == stop => {}
            Step::Erase(start, stop) => match range(model, start, stop) {
                Some(range) => _ = model.drain(range),
                None => return false,
            },
            Step::Replace(start, stop, ref values) if start == stop => match position(start, model.len() + 1) {
                Some(at) => _ = model.splice(at..at, values.iter().copied()),
                None => return values.is_empty(),
            },
            Step::Replace(start, stop, ref values) => match range(model, start, stop) {
                Some(range) => _ = model.splice(range, values.iter().copied()),
                None => return false,
            },
            Step::Reverse => model.reverse(),
            Step::Reserve(_) => {}
            Step::Clear => model.clear(),
        }
        true
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_list_is_what_its_model_is(made in proptest::collection::vec(any::<i64>(), 0..8), steps in steps()) {
            let (list, mut model) = (new(values(&made)).unwrap(), made);
            for step in steps {
                let done = match &step {
                    Step::Push(value) => push(&list, (*value).into()),
                    Step::Insert(at, value) => insert(&list, *at, (*value).into()),
                    Step::Set(at, value) => set(&list, *at, (*value).into()),
                    Step::Pop(at) => pop(&list, *at).map(drop),
                    Step::Erase(start, stop) => erase_range(&list, *start, *stop),
                    Step::Replace(start, stop, with) => replace_range(&list, *start, *stop, values(with)),
                    Step::Reverse => {
                        reverse(&list).unwrap();
                        Ok(())
                    }
                    Step::Reserve(capacity) => reserve(&list, *capacity),
                    Step::Clear => clear(&list),
                };
                prop_assert_eq!(done.is_ok(), apply(&mut model, &step), "{:?}", step);
                prop_assert_eq!(ints(&list), &model[..]);
                // SAFETY: every list begins with this cell.
                let TVMFFISeqCell { capacity, data_deleter, .. } = unsafe { *cell(&list) };
                prop_assert!(capacity as usize >= model.len() && data_deleter.is_some());
            }
        }
    }

    #[test]
    fn a_longer_array_leaves_the_other_as_it_is() {
        let array = array::new(values(&[1, 2])).unwrap();
        let (longer, full) = (array::longer_than(2).unwrap(), array::with_capacity(2).unwrap());
        // SAFETY: nobody else has the arrays.
        let filled = [&longer, &full].map(|empty| unsafe { array::fill_longer(empty, &array, &3.into()) });
        assert_eq!((filled, ints(&longer), ints(&array)), ([true, false], vec![1, 2, 3], vec![1, 2]));
    }

    #[test]
    fn room_doubles() {
        let list = empty().unwrap();
        // SAFETY: every list begins with this cell.
        let capacity = || unsafe { (*cell(&list)).capacity };
        for expected in [1, 2, 4, 4, 8, 8, 8, 8, 16] {
            push(&list, Any::NONE).unwrap();
            assert_eq!(capacity(), expected);
        }
    }

    #[test]
    fn more_than_memory_is_an_error() {
        let list = new(values(&[1])).unwrap();
        for capacity in [1 << 50, 1 << 60, usize::MAX / 2, usize::MAX] {
            assert!(reserve(&list, capacity).is_err_and(|error| error.to_string().starts_with("MemoryError")));
        }
        assert_eq!(ints(&list), [1]);
    }

    /// How often [`free_of_client`] was called.
    static FREED: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" fn free_of_client(data: *mut c_void) {
        FREED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the test's buffers come from malloc.
        unsafe { libc::free(data) };
    }

    #[test]
    fn a_buffer_goes_back_to_whom_it_came_from() {
        let list = empty().unwrap();
        // SAFETY: as a client makes a list: a buffer with room for one, and its own way to free it.
        unsafe {
            let data = libc::malloc(size_of::<Any>());
            *cell(&list) = TVMFFISeqCell { data, size: 0, capacity: 1, data_deleter: Some(free_of_client) };
        }
        push(&list, 1.into()).unwrap();
        assert_eq!(FREED.load(Ordering::Relaxed), 0);
        push(&list, 2.into()).unwrap();
        assert_eq!((ints(&list), FREED.load(Ordering::Relaxed)), (vec![1, 2], 1));
        drop(list);
        assert_eq!(FREED.load(Ordering::Relaxed), 1);
    }

    thread_local! {
        /// The list that [`add_one`] and [`clear_all`] change.
        static CHANGED: RefCell<Option<List>> = const { RefCell::new(None) };
    }

    /// A client's way to free a buffer, which changes the list.
    unsafe extern "C" fn add_one(data: *mut c_void) {
        // SAFETY: the test's buffers come from malloc.
        unsafe { libc::free(data) };
        let list = CHANGED.take().unwrap();
        for value in 100..104 {
            push(&list, value.into()).unwrap();
        }
    }

    /// As [`add_one`], which takes all elements out.
    unsafe extern "C" fn clear_all(data: *mut c_void) {
        // SAFETY: the test's buffers come from malloc.
        unsafe { libc::free(data) };
        clear(&CHANGED.take().unwrap()).unwrap();
    }

    #[test]
    fn whoever_frees_a_buffer_may_change_the_list() {
        type Case = (unsafe extern "C" fn(*mut c_void), fn(&List), &'static [i64]);
        let changes: [Case; 4] = [
            (add_one, |list| push(list, 2.into()).unwrap(), &[1, 100, 101, 102, 103, 2]),
            (add_one, |list| insert(list, 0, 2.into()).unwrap(), &[2, 1, 100, 101, 102, 103]),
            (add_one, |list| replace_range(list, 0, 1, values(&[2, 3])).unwrap(), &[2, 3, 100, 101, 102, 103]),
            (clear_all, |list| insert(list, 1, 2.into()).unwrap(), &[2]),
        ];
        for (deleter, change, expected) in changes {
            let list = empty().unwrap();
            // SAFETY: as a client makes a list: a buffer with room for one, and its own way to free it.
            unsafe {
                let data = libc::malloc(size_of::<Any>());
                *cell(&list) = TVMFFISeqCell { data, size: 0, capacity: 1, data_deleter: Some(deleter) };
            }
            push(&list, 1.into()).unwrap();
            CHANGED.set(Some(list.clone()));
            change(&list);
            assert_eq!(ints(&list), expected);
        }
    }

    /// Does something when it ends.
    #[repr(C)]
    struct AtTheEnd(Box<dyn Fn()>);

    // SAFETY: a plain object has no data that the ABI prescribes.
    unsafe impl Payload for AtTheEnd {
        const TYPE_INDEX: i32 = kTVMFFIObject;
    }

    impl Drop for AtTheEnd {
        fn drop(&mut self) {
            self.0();
        }
    }

    #[test]
    fn an_element_that_goes_may_change_the_list() {
        let changes: [fn(&List); 5] = [
            |list| clear(list).unwrap(),
            |list| erase_range(list, 0, 2).unwrap(),
            |list| drop(pop(list, 1).unwrap()),
            |list| set(list, 0, Any::NONE).unwrap(),
            |list| replace_range(list, 0, 3, values(&[7, 8, 9, 10])).unwrap(),
        ];
        for change in changes {
            let (list, ends) = (Rc::new(empty().unwrap()), Rc::new(RefCell::new(0)));
            for _ in 0..4 {
                let (inner, ends) = (list.clone(), ends.clone());
                let end = move || {
                    *ends.borrow_mut() += 1;
                    (0..20).for_each(|value| push(&inner, value.into()).unwrap());
                    _ = pop(&inner, 0);
                };
                push(&list, object::new(AtTheEnd(Box::new(end))).into()).unwrap();
            }
            change(&list);
            clear(&list).unwrap();
            clear(&list).unwrap();
            assert_eq!(*ends.borrow(), 4);
        }
    }
}
