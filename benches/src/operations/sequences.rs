//! Arrays and Lists, through the library's global functions. What clients do to an Array in place they compile in, so the
//! library has no part in it.

use std::hint::black_box;

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::view;

use super::{kit::next, operation::Area};
use crate::{library::Library, task::Task};

const SIZES: [usize; 3] = [4, 16, 100_000];

pub fn area() -> Area {
    let mut area = Area::new("sequences");
    area.through("Array build", &SIZES, |lib, size| build(lib, "Array", size));
    area.among("Array get", &SIZES, |lib, size| get(lib, "Array", size));
    area.among("Array size", &[4], |lib, size| ask_size(lib, "Array", size));
    area.through("Array iterate", &SIZES, |lib, size| iterate(lib, "Array", size));
    area.through("Array contains, at the end", &SIZES, |lib, size| contains(lib, "Array", size));
    area.through("List build", &SIZES, |lib, size| build(lib, "List", size));
    area.among("List get", &SIZES, |lib, size| get(lib, "List", size));
    area.among("List size", &[4], |lib, size| ask_size(lib, "List", size));
    area.through("List iterate", &SIZES, |lib, size| iterate(lib, "List", size));
    area.among("List set", &SIZES, set);
    area.among("List append and pop", &SIZES, |lib, size| insert_and_pop(lib, "ffi.ListAppend", size));
    area.among("List insert in front and pop there", &SIZES, |lib, size| insert_and_pop(lib, "ffi.ListInsert", size));
    area.through("List build by appending", &SIZES, append_all);
    area.through("List reverse", &SIZES, |lib, size| {
        let (lib, reverse) = (*lib, lib.function("ffi.ListReverse"));
        let list = sequence(&lib, "List", size);
        Task::making(&lib, "None", move || lib.call(reverse, &[list.any()]))
    });
    area
}

fn ints(count: usize) -> Vec<TVMFFIAny> {
    (0..count as i64).map(view::int).collect()
}

fn sequence(lib: &Library, kind: &str, size: usize) -> tvm_ffi_verify::client::Owned {
    lib.own(lib.call_global(&format!("ffi.{kind}"), &ints(size)))
}

fn build(lib: &Library, kind: &str, size: usize) -> Task {
    let (lib, make, args) = (*lib, lib.function(&format!("ffi.{kind}")), ints(size));
    let expected = lib.shown(&sequence(&lib, kind, size).any());
    assert!(size > 4 || expected.contains("0, 1, 2, 3"), "an {kind} of four is {expected}");
    Task::making(&lib, &expected, move || lib.call(make, &args))
}

fn get(lib: &Library, kind: &str, size: usize) -> Task {
    let (lib, get, mut at) = (*lib, lib.function(&format!("ffi.{kind}GetItem")), 0);
    let sequence = sequence(&lib, kind, size);
    Task::making(&lib, &next(0, size).to_string(), move || {
        at = next(at, size);
        lib.call(get, &[sequence.any(), view::int(at as i64)])
    })
}

fn ask_size(lib: &Library, kind: &str, size: usize) -> Task {
    let (lib, ask) = (*lib, lib.function(&format!("ffi.{kind}Size")));
    let sequence = sequence(&lib, kind, size);
    Task::making(&lib, &size.to_string(), move || lib.call(ask, &[sequence.any()]))
}

fn iterate(lib: &Library, kind: &str, size: usize) -> Task {
    let (lib, get) = (*lib, lib.function(&format!("ffi.{kind}GetItem")));
    let sequence = sequence(&lib, kind, size);
    let sum = move || (0..size as i64).map(|at| lib.call(get, &[sequence.any(), view::int(at)]).payload()).sum::<u64>();
    assert_eq!(sum(), (0..size as u64).sum::<u64>(), "sum of the elements");
    Task::new("the sum", move || {
        black_box(sum());
    })
}

fn contains(lib: &Library, kind: &str, size: usize) -> Task {
    let (lib, contains) = (*lib, lib.function(&format!("ffi.{kind}Contains")));
    let sequence = sequence(&lib, kind, size);
    Task::making(&lib, "true", move || lib.call(contains, &[sequence.any(), view::int(size as i64 - 1)]))
}

fn set(lib: &Library, size: usize) -> Task {
    let (lib, set, mut at) = (*lib, lib.function("ffi.ListSetItem"), 0);
    let list = sequence(&lib, "List", size);
    Task::making(&lib, "None", move || {
        at = next(at, size);
        lib.call(set, &[list.any(), view::int(at as i64), view::int(7)])
    })
}

/// Puts an element in and takes it out again, so that the List stays as long as it is.
fn insert_and_pop(lib: &Library, door: &str, size: usize) -> Task {
    let (lib, insert, pop) = (*lib, lib.function(door), lib.function("ffi.ListPop"));
    let list = sequence(&lib, "List", size);
    let (value, front) = (view::int(-7), door == "ffi.ListInsert");
    let place = view::int(if front { 0 } else { size as i64 });
    Task::making(&lib, "-7", move || {
        if front {
            lib.call(insert, &[list.any(), place, value]);
        } else {
            lib.call(insert, &[list.any(), value]);
        }
        lib.call(pop, &[list.any(), place])
    })
}

fn append_all(lib: &Library, size: usize) -> Task {
    let (lib, make, append) = (*lib, lib.function("ffi.List"), lib.function("ffi.ListAppend"));
    let expected = lib.shown(&sequence(&lib, "List", size).any());
    Task::making(&lib, &expected, move || {
        let list = lib.call(make, &[]);
        (0..size as i64).for_each(|value| lib.end(lib.call(append, &[list, view::int(value)])));
        list
    })
}
