//! Walks through values: structural and recursive comparison and hashing, mismatches, visits, mutation, copies and texts.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{Owned, view};

use super::{operation::Area, trees};
use crate::{library::Library, task::Task};

const SIZES: [usize; 4] = [100, 10_000, 100_000, 1_000_000];
/// Of what takes more than its walk: callbacks, texts, paths.
const FEWER: [usize; 3] = [100, 10_000, 100_000];

pub fn area() -> Area {
    let mut area = Area::new("walks");
    for (name, global, flags) in COMPARISONS {
        area.through(format!("{name} equality, tree"), &SIZES, move |lib, size| {
            compare(lib, global, flags, trees::tree(lib, size, 7), trees::tree(lib, size, 7))
        });
        area.through(format!("{name} equality, shared parts"), &[100_000], move |lib, size| {
            compare(lib, global, flags, trees::shared(lib, size), trees::shared(lib, size))
        });
        area.through(format!("{name} equality, maps"), &FEWER, move |lib, size| {
            compare(lib, global, flags, trees::records(lib, size), trees::records(lib, size))
        });
        area.through(format!("{name} equality, objects"), &[1_000], move |lib, size| {
            compare(lib, global, flags, trees::objects(lib, size), trees::objects(lib, size))
        });
    }
    for (name, global, flags) in HASHES {
        area.through(format!("{name} hash, tree"), &SIZES, move |lib, size| {
            ask(lib, global, flags, trees::tree(lib, size, 7))
        });
        area.through(format!("{name} hash, shared parts"), &[100_000], move |lib, size| {
            ask(lib, global, flags, trees::shared(lib, size))
        });
        area.through(format!("{name} hash, maps"), &FEWER, move |lib, size| {
            ask(lib, global, flags, trees::records(lib, size))
        });
        area.through(format!("{name} hash, objects"), &[1_000], move |lib, size| {
            ask(lib, global, flags, trees::objects(lib, size))
        });
    }
    area.through("first mismatch, at the end", &FEWER, |lib, size| {
        let (lib, function) = (*lib, lib.function("ffi.GetFirstStructuralMismatch"));
        let (one, other) = (trees::tree(&lib, size, 7), trees::tree(&lib, size, 8));
        let task = Task::making_alike(&lib, {
            let args = [one.any(), other.any(), view::bool(false), view::bool(false)];
            move || lib.call(function, &args)
        });
        assert_ne!(task.did, "None", "a mismatch is found");
        task.keeping([one, other])
    });
    area.through("deep copy, tree", &SIZES, |lib, size| copy(lib, trees::tree(lib, size, 7)));
    area.through("deep copy, shared parts", &[100_000], |lib, size| copy(lib, trees::shared(lib, size)));
    area.through("deep copy, maps", &FEWER, |lib, size| copy(lib, trees::records(lib, size)));
    area.through("repr, tree", &FEWER, |lib, size| ask(lib, "ffi.ReprPrint", &[], trees::tree(lib, size, 7)));
    area.through("repr, maps", &FEWER, |lib, size| ask(lib, "ffi.ReprPrint", &[], trees::records(lib, size)));
    area.through("walk with a callback", &FEWER, |lib, size| walk(lib, trees::tree(lib, size, 7)));
    area.through("walk with a callback, shared parts", &[100_000], |lib, size| walk(lib, trees::shared(lib, size)));
    area.through("visit with a callback", &FEWER, |lib, size| {
        let callbacks = callbacks(lib, ignore, &[]);
        with_callbacks(lib, "ffi.StructuralVisit", trees::tree(lib, size, 7), callbacks, None)
    });
    area.through("map with a callback", &FEWER, |lib, size| map(lib, trees::tree(lib, size, 7)));
    area.through("map with a callback, shared parts", &[100_000], |lib, size| map(lib, trees::shared(lib, size)));
    area.through("mutate with a callback", &FEWER, |lib, size| mutate(lib, trees::tree(lib, size, 7)));
    area.through("mutate with a callback, shared parts", &[100_000], |lib, size| mutate(lib, trees::shared(lib, size)));
    area.through("mutate without callbacks", &FEWER, |lib, size| {
        let none = lib.own(lib.call_global("ffi.Array", &[]));
        with_callbacks(lib, "ffi.StructuralMutate", trees::tree(lib, size, 7), none, None)
    });
    area
}

/// The flags that functions take after the values: whether variables may differ, whether the content of tensors is skipped.
const FLAGS: &[TVMFFIAny] = &[TVMFFIAny::new(kTVMFFIBool, 0), TVMFFIAny::new(kTVMFFIBool, 0)];
const COMPARISONS: [(&str, &str, &[TVMFFIAny]); 2] =
    [("structural", "ffi.StructuralEqual", FLAGS), ("recursive", "ffi.RecursiveEq", &[])];
const HASHES: [(&str, &str, &[TVMFFIAny]); 2] =
    [("structural", "ffi.StructuralHash", FLAGS), ("recursive", "ffi.RecursiveHash", &[])];

/// Compares two values that are equal.
fn compare(lib: &Library, global: &str, flags: &[TVMFFIAny], one: Owned, other: Owned) -> Task {
    let (lib, function) = (*lib, lib.function(global));
    let args = [&[one.any(), other.any()], flags].concat();
    Task::making(&lib, "true", move || lib.call(function, &args)).keeping([one, other])
}

/// Has something told of a value.
fn ask(lib: &Library, global: &str, flags: &[TVMFFIAny], value: Owned) -> Task {
    let (lib, function) = (*lib, lib.function(global));
    let args = [&[value.any()], flags].concat();
    Task::making_alike(&lib, move || lib.call(function, &args)).keeping(value)
}

fn copy(lib: &Library, value: Owned) -> Task {
    let (lib, function) = (*lib, lib.function("ffi.DeepCopy"));
    Task::making(&lib, &lib.shown(&value.any()), move || lib.call(function, &[value.any()]))
}

/// Calls a function with a value, with callbacks, and perhaps with none and an order.
fn with_callbacks(lib: &Library, global: &str, value: Owned, callbacks: Owned, order: Option<i64>) -> Task {
    let (lib, function) = (*lib, lib.function(global));
    let none = lib.own(lib.call_global("ffi.Array", &[]));
    let mut args = vec![value.any(), callbacks.any()];
    args.extend(order.into_iter().flat_map(|order| [none.any(), view::int(order)]));
    Task::making_alike(&lib, move || lib.call(function, &args)).keeping([value, callbacks, none])
}

fn walk(lib: &Library, value: Owned) -> Task {
    with_callbacks(lib, "ffi.StructuralWalk", value, callbacks(lib, ignore, &[]), Some(0))
}

fn map(lib: &Library, value: Owned) -> Task {
    with_callbacks(lib, "ffi.StructuralMap", value, callbacks(lib, add_one, &[]), Some(0))
}

fn mutate(lib: &Library, value: Owned) -> Task {
    with_callbacks(lib, "ffi.StructuralMutate", value, callbacks(lib, add_one, &[view::bool(false)]), None)
}

/// An Array with one callback, for integers, as the functions take it.
fn callbacks(lib: &Library, callback: TVMFFISafeCallType, flags: &[TVMFFIAny]) -> Owned {
    let function = lib.client.function(null_mut(), callback, None).expect("a function can be made");
    let entry =
        lib.own(lib.call_global("ffi.Array", &[&[view::int(kTVMFFIInt.into()), function.any()], flags].concat()));
    lib.own(lib.call_global("ffi.Array", &[entry.any()]))
}

unsafe extern "C" fn ignore(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    0
}

unsafe extern "C" fn add_one(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the library passes an integer, for which the callback was registered, and room for a result.
    unsafe { result.write(view::int((*args).payload() as i64 + 1)) };
    0
}
