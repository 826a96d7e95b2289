//! Walks through values: structural and recursive comparison and hashing, mismatches, visits, mutation, copies and texts.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{Owned, reflected, view};

use super::{operation::Area, trees};
use crate::{
    library::{Library, handle},
    task::Task,
};

const SIZES: [usize; 4] = [100, 10_000, 100_000, 1_000_000];
/// Of what takes more than its walk: callbacks, texts, paths.
const FEWER: [usize; 3] = [100, 10_000, 100_000];
/// Of single containers, where what is done once for each call counts.
const FROM_FEW: [usize; 3] = [4, 100, 10_000];

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
        area.one(format!("{name} equality, integers"), move |lib| {
            compare(lib, global, flags, lib.own(view::int(7)), lib.own(view::int(7)))
        });
        for kind in ["Map", "Dict"] {
            area.through(format!("{name} equality, one {kind}"), &FROM_FEW, move |lib, size| {
                compare(lib, global, flags, trees::map(lib, kind, 0..size), trees::map(lib, kind, 0..size))
            });
            area.through(format!("{name} equality, one {kind} in another order"), &FROM_FEW, move |lib, size| {
                compare(lib, global, flags, trees::map(lib, kind, 0..size), trees::map(lib, kind, (0..size).rev()))
            });
        }
    }
    area.through("equality of structural keys", &FROM_FEW, |lib, size| {
        let key = || lib.own(lib.call_global("ffi.StructuralKey", &[trees::map(lib, "Map", 0..size).any()]));
        compare(lib, "ffi.StructuralKeyEqual", &[], key(), key())
    });
    area.through("equality of access paths", &[4, 100], paths_equal);
    area.through("chain of Arrays made and ended", &FROM_FEW, |lib, size| {
        let (lib, array) = (*lib, lib.function("ffi.Array"));
        Task::new("ended", move || lib.end(trees::chain(&lib, array, size)))
    });
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
    area.through("visit with a callback", &FEWER, |lib, size| visit(lib, trees::tree(lib, size, 7)));
    area.through("walk with a callback, objects", &FROM_FEW, |lib, size| walk(lib, trees::objects(lib, size)));
    area.through("visit with a callback, objects", &FROM_FEW, |lib, size| visit(lib, trees::objects(lib, size)));
    for kind in ["Map", "Dict"] {
        let one = move |lib: &Library, size| trees::map(lib, kind, 0..size);
        area.through(format!("walk with a callback, one {kind}"), &FROM_FEW, move |lib, size| {
            walk(lib, one(lib, size))
        });
        area.through(format!("map with a callback, one {kind}"), &FROM_FEW, move |lib, size| map(lib, one(lib, size)));
        area.through(format!("mutate with a callback, one {kind}"), &FROM_FEW, move |lib, size| {
            mutate(lib, one(lib, size))
        });
    }
    area.through("walk with a callback, one List", &FROM_FEW, |lib, size| walk(lib, trees::list(lib, size)));
    area.through("map with a callback, one List", &FROM_FEW, |lib, size| map(lib, trees::list(lib, size)));
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

fn visit(lib: &Library, value: Owned) -> Task {
    with_callbacks(lib, "ffi.StructuralVisit", value, callbacks(lib, ignore, &[]), None)
}

/// Compares two access paths of so many steps by their method.
fn paths_equal(lib: &Library, steps: usize) -> Task {
    const KEY: &str = "ffi.reflection.AccessPath";
    let index = reflected::type_index(&lib.client, KEY).expect("the type is registered");
    let method = |name| reflected::method(&lib.client, index, name).expect("the type has the method").method;
    let (root, array_item, equal) = (method("_root"), method("_array_item"), method("_path_equal"));
    let path = || {
        (0..steps as i64).fold(lib.own(lib.call(handle(&root), &[])), |path, step| {
            lib.own(lib.call(handle(&array_item), &[path.any(), view::int(step)]))
        })
    };
    let (lib, one, other) = (*lib, path(), path());
    let args = [one.any(), other.any()];
    Task::making(&lib, "true", move || lib.call(handle(&equal), &args)).keeping([one, other])
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
