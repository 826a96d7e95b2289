//! Types that a function meets for the first time: what a library finds out of their fields may take memory.

use std::cell::Cell;

use tvm_ffi_spec::*;

use super::{
    kit::{Call, PASSING},
    objects::{copy, owned},
};
use crate::{
    checks::check,
    client::{Owned, Verdict, globals, node::changing_node_type_with, view},
    trial::Trial,
};

/// An object whose type a function meets for the first time stays as it is where that fails for want of memory, however deep the object lies.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn meets_types(t: &Trial) -> Verdict {
    first_looks(t, &LOOKS)
}

/// An object whose type a structural visit, map or mutation meets for the first time stays as it is where that fails for want of memory.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn visits_types(t: &Trial) -> Verdict {
    first_looks(t, &VISITS)
}

/// What stands for a list with the callbacks of a function, and for an empty one.
const CALLBACKS: TVMFFIAny = TVMFFIAny::new(kTVMFFIArray, 0);
const EMPTY: TVMFFIAny = TVMFFIAny::new(kTVMFFIList, 0);
const NO: TVMFFIAny = TVMFFIAny::new(kTVMFFIBool, 0);

/// A function, how many objects it goes through, and its other arguments.
type Function = (&'static str, usize, &'static [TVMFFIAny]);

/// The functions that look at an object.
const LOOKS: [Function; 9] = [
    ("ffi.RecursiveEq", 2, &[]),
    ("ffi.RecursiveLt", 2, &[]),
    ("ffi.RecursiveHash", 1, &[]),
    ("ffi.ReprPrint", 1, &[]),
    ("ffi.DeepCopy", 1, &[]),
    ("ffi.ToJSONGraph", 1, &[TVMFFIAny::NONE]),
    ("ffi.StructuralEqual", 2, &[NO, NO]),
    ("ffi.GetFirstStructuralMismatch", 2, &[NO, NO]),
    ("ffi.StructuralHash", 1, &[NO, NO]),
];

/// The functions that call callbacks with what is in it.
const VISITS: [Function; 4] = [
    ("ffi.StructuralMap", 1, &[EMPTY, CALLBACKS, TVMFFIAny::new(kTVMFFIInt, 0)]),
    ("ffi.StructuralMutate", 1, &[CALLBACKS]),
    ("ffi.StructuralWalk", 1, &[EMPTY, EMPTY, TVMFFIAny::new(kTVMFFIInt, 0)]),
    ("ffi.StructuralVisit", 1, &[EMPTY]),
];

/// Everything that goes through objects, each time with another type.
fn first_looks(t: &Trial, functions: &[Function]) -> Verdict {
    t.short_backtraces();
    let number = Cell::new(0);
    let new_type = || {
        number.set(number.get() + 1);
        let key = format!("verify.first_look.{}", number.get());
        changing_node_type_with(t, &key, kTVMFFISEqHashKindTreeNode, [0; 2], copy)
    };
    let change = t.callback(|_, args| args.first().map(|arg| view::int(arg.payload() as i64 + 1)))?;
    let list = |is_triple: bool| -> Verdict<Owned> {
        let entry = [view::int(kTVMFFIInt.into()), change.any(), view::bool(false)];
        let entry = t.call_global("ffi.Array", if is_triple { &entry } else { &entry[..2] })?;
        t.call_global("ffi.Array", &[entry.any()])
    };
    let (pairs, triples, none) = (list(false)?, list(true)?, t.call_global("ffi.Array", &[])?);
    for levels in [0, 40] {
        for &(name, count, others) in functions {
            let callbacks = if name == "ffi.StructuralMutate" { &triples } else { &pairs };
            let in_full = |other: &TVMFFIAny| match other.type_index {
                kTVMFFIArray => callbacks.any(),
                kTVMFFIList => none.any(),
                _ => *other,
            };
            let Some(function) = globals::find(t, name)? else { continue };
            Call {
                name,
                prepare: &|| {
                    let kind = new_type()?;
                    let nested = |_| {
                        let node = owned(t, kind, view::int(1), view::int(2));
                        (0..levels).try_fold(node, |inner, _| t.call_global("ffi.Map", &[view::int(1), inner.any()]))
                    };
                    (0..count).map(nested).collect::<Verdict<Vec<_>>>()
                },
                run: &|values, out| {
                    let args: Vec<_> = values.iter().map(Owned::any).chain(others.iter().map(in_full)).collect();
                    t.try_call(&function, &args, out)
                },
                look: &|values, done| {
                    if done.is_none() {
                        for value in values {
                            let (count, _) = t.counts(value.handle())?;
                            t.eq(format_args!("references to what {name} was given"), count, 1)?;
                        }
                    }
                    Ok(())
                },
                is_left: &|_| false,
                raises: true,
                // Types stay for good.
                lasts: true,
            }
            .meets(t, PASSING)?;
        }
    }
    Ok(())
}
