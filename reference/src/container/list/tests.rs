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
