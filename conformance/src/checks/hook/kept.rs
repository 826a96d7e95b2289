//! Functions that a hook is given to go on with, called as nobody should.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{TREE, first, hooked};
use crate::{
    checks::check,
    client::{
        Verdict,
        api::Api,
        callback::{Body, call, raise},
        containers, globals,
        homemade::retain,
        node::{changing_node_type_with, node},
        view,
    },
    trial::Trial,
};

/// The hooks that are given a function, as the last argument, and who asks them, about how many objects, with how many flags; how many arguments
/// the function takes.
const HOOKS: [(&str, &str, usize, usize, usize); 7] = [
    ("__s_equal__", "ffi.StructuralEqual", 2, 2, 4),
    ("__s_equal__", "ffi.GetFirstStructuralMismatch", 2, 2, 4),
    ("__s_hash__", "ffi.StructuralHash", 1, 2, 3),
    ("__ffi_eq__", "ffi.RecursiveEq", 2, 0, 2),
    ("__ffi_compare__", "ffi.RecursiveLt", 2, 0, 2),
    ("__ffi_hash__", "ffi.RecursiveHash", 1, 0, 1),
    ("__ffi_repr__", "ffi.ReprPrint", 1, 0, 1),
];

/// The functions that hooks were given, each with a reference.
static GIVEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn keep(function: &TVMFFIAny) {
    retain(function.payload() as TVMFFIObjectHandle);
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).push(function.payload() as usize);
}

/// Arguments of many kinds: a few that such a function takes, and others.
fn arguments() -> Vec<Vec<TVMFFIAny>> {
    let (int, text) = (view::int(1), view::c_str(c"a text that is long enough"));
    let kinds = [int, text, TVMFFIAny::NONE, view::float(0.5)];
    let mut all = vec![vec![], vec![int], vec![int, int], vec![text, int, int], vec![int, int, text]];
    all.extend(kinds.into_iter().flat_map(|third| kinds.map(|last| vec![int, int, third, last])));
    all.extend(kinds.map(|last| vec![int, view::int(2), view::int(0), last]));
    all
}

/// Calls a function with all of these.
fn call_all(api: &Api, function: &TVMFFIAny) {
    for args in arguments() {
        match call(api, function.payload() as TVMFFIObjectHandle, &args) {
            Some(answer) => containers::release(&answer),
            None => api.release_raised(),
        }
    }
}

/// The function that a hook is given comes back, with an answer or an error, whatever it is called with.
#[check(HOK_0027)]
fn called_with_anything(t: &Trial) -> Verdict {
    asked(t, "anything", |api, args| {
        call_all(api, args.last()?);
        Some(TVMFFIAny::NONE)
    })
}

/// The function that a hook is given comes back, with an answer or an error, where it is called after the function that has called the hook.
#[check(HOK_0027)]
fn called_too_late(t: &Trial) -> Verdict {
    asked(t, "late", |_, args| {
        keep(args.last()?);
        Some(TVMFFIAny::NONE)
    })?;
    let given = std::mem::take(&mut *GIVEN.lock().unwrap_or_else(PoisonError::into_inner));
    for function in given {
        for byte in [0, 0xA5] {
            overwrite_stack(byte);
            for args in arguments() {
                drop(t.answer_of(function as TVMFFIObjectHandle, &args)?);
            }
        }
        t.api.release(function as TVMFFIObjectHandle);
    }
    Ok(())
}

/// Writes over what calls that have ended had on the stack, so that what still looks there finds the same each time.
#[inline(never)]
fn overwrite_stack(byte: u8) {
    std::hint::black_box(&mut [byte; 64 << 10]);
}

/// How many arguments the function takes that the hook in question is given.
static TAKES: AtomicUsize = AtomicUsize::new(0);
/// Other numbers of arguments with which such a function has answered.
static TAKEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Calls a function with every other number of arguments than it takes, of which those that it takes come first, or of one kind.
fn call_with_other_numbers(api: &Api, function: &TVMFFIAny) {
    let function = function.payload() as TVMFFIObjectHandle;
    let takes = TAKES.load(Ordering::Acquire);
    let (int, text) = (view::int(1), view::c_str(c"part"));
    // An object would have the hook called again by a function that goes on.
    let fitting = [int, int, view::int(0), text];
    for count in (0..=9).chain([16, 33, 256]).filter(|count| *count != takes) {
        for kinds in [&fitting[..], &[int], &[text], &[TVMFFIAny::NONE], &[int, text], &[text, int]] {
            let args: Vec<_> = kinds.iter().cycle().take(count).copied().collect();
            match call(api, function, &args) {
                Some(answer) => {
                    containers::release(&answer);
                    TAKEN.lock().unwrap_or_else(PoisonError::into_inner).push(count);
                }
                None => api.release_raised(),
            }
        }
    }
}

/// The function that a hook is given raises an error where it is called with fewer arguments than it takes, or with more.
#[check(HOK_0027)]
fn called_with_other_numbers(t: &Trial) -> Verdict {
    asked(t, "number", |api, args| {
        call_with_other_numbers(api, args.last()?);
        Some(TVMFFIAny::NONE)
    })
}

/// Has each hook be asked about objects.
fn asked(t: &Trial, key: &str, body: Body) -> Verdict {
    t.short_backtraces();
    for (number, (column, name, objects, flags, takes)) in HOOKS.into_iter().enumerate() {
        TAKES.store(takes, Ordering::Release);
        let Some(function) = globals::find(t, name)? else { continue };
        let kind = hooked(t, &format!("verify.kept.{key}{number}"), &[(column, body)])?;
        let nodes: Vec<_> = (0..objects).map(|_| node(kind, view::int(1), view::int(2))).collect();
        let args: Vec<_> = nodes.iter().map(|node| node.view()).chain((0..flags).map(|_| view::bool(false))).collect();
        drop(t.answer_of(function.handle(), &args)?);
        let taken = std::mem::take(&mut *TAKEN.lock().unwrap_or_else(PoisonError::into_inner));
        let what = format_args!("wrong numbers of arguments that what {column} is given by {name} took");
        t.eq(what, taken, Vec::new())?;
    }
    Ok(())
}

/// A structural map or mutation of an object whose copy is the object itself, of another type, or none, is an error.
#[check(HOK_0028)]
fn wrong_copies(t: &Trial) -> Verdict {
    let bodies: [Body; 4] = [
        |_, args| {
            retain(args.first()?.payload() as TVMFFIObjectHandle);
            args.first().copied()
        },
        |_, _| Some(view::int(1)),
        |_, args| {
            let inner = first(args.first()?)?;
            retain(inner.payload() as TVMFFIObjectHandle);
            Some(inner)
        },
        |api, _| raise(api, c"ValueError", c"no copy is made"),
    ];
    let change = t.callback(|_, _| Some(view::int(100)))?;
    let list = |is_triple: bool| {
        let entry = [view::int(kTVMFFIInt.into()), change.any(), view::bool(false)];
        let entry = t.call_global("ffi.Array", if is_triple { &entry } else { &entry[..2] })?;
        t.call_global("ffi.Array", &[entry.any()])
    };
    let (pairs, triples, none) = (list(false)?, list(true)?, t.call_global("ffi.Array", &[])?);
    let inner = t.call_global("ffi.Array", &[view::int(1)])?;
    for (number, body) in bodies.into_iter().enumerate() {
        let kind = changing_node_type_with(t, &format!("verify.kept.Copied{number}"), TREE, [0; 2], body)?;
        let object = node(kind, inner.any(), view::int(2));
        let outer = t.call_global("ffi.Array", &[object.view()])?;
        for value in [object.view(), outer.any()] {
            for (name, args) in [
                ("ffi.StructuralMap", &[value, none.any(), pairs.any(), view::int(0)][..]),
                ("ffi.StructuralMutate", &[value, triples.any()]),
            ] {
                let answer = t.answer(name, args)?;
                t.that(format_args!("{name} with copy number {number}"), answer.is_err(), "an error", "an answer")?;
            }
        }
    }
    Ok(())
}
