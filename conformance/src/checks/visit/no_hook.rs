//! Types with a value in a column of hooks that is none.

use tvm_ffi_spec::*;

use super::kit::{POST, PRE, entries, note, triples};
use crate::{
    checks::check,
    client::{
        Verdict,
        node::{node, node_type},
        samples::Sample,
        view,
    },
    trial::Trial,
};

/// What is no hook: all that is neither None nor a pointer nor a function.
fn no_hooks(t: &Trial) -> Verdict<Vec<Sample>> {
    let hooks = [kTVMFFINone, kTVMFFIOpaquePtr, kTVMFFIFunction];
    Ok(t.samples()?.into_iter().filter(|sample| !hooks.contains(&sample.any().type_index)).collect())
}

/// How many Arrays an object lies in.
const LEVELS: [usize; 4] = [0, 1, 3, 40];

/// A walk or visit that meets an object of a type with a value in `__s_visit__` that is neither a function nor a pointer fails with a TypeError, however deep the object lies.
#[check(VIS_0058)]
fn visits_refuse_what_is_no_hook(t: &Trial) -> Verdict {
    t.short_backtraces();
    for (number, no_hook) in no_hooks(t)?.iter().enumerate() {
        let kind = node_type(t, &format!("verify.visit.No{number}"), kTVMFFISEqHashKindTreeNode, [0, 0])?;
        t.set_hook(kind, "__s_visit__", &no_hook.any())?;
        let (some, none) = (entries(t, &[(kTVMFFIInt, note)])?, entries(t, &[])?);
        met(t, kind, LEVELS[number % LEVELS.len()], |value| {
            for order in [PRE, POST] {
                t.refuses("ffi.StructuralWalk", &[*value, some.any(), none.any(), view::int(order)], &["TypeError"])?;
            }
            t.refuses("ffi.StructuralVisit", &[*value, some.any()], &["TypeError"]).map(drop)
        })
        .map_err(|failure| failure.noting(format!("the hook is {}", no_hook.name)))?;
    }
    Ok(())
}

/// A map or mutation that meets an object of a type with a value in `__s_mutate__` that is neither a function nor a pointer fails with a TypeError, however deep the object lies.
#[check(VIS_0058)]
fn mutations_refuse_what_is_no_hook(t: &Trial) -> Verdict {
    t.short_backtraces();
    for (number, no_hook) in no_hooks(t)?.iter().enumerate() {
        let kind = node_type(t, &format!("verify.mutate.No{number}"), kTVMFFISEqHashKindTreeNode, [0, 0])?;
        t.set_hook(kind, "__s_mutate__", &no_hook.any())?;
        let (some, none) = (entries(t, &[(kTVMFFIDevice, note)])?, entries(t, &[])?);
        let changes = triples(t, &[(kTVMFFIDevice, note)])?;
        met(t, kind, LEVELS[number % LEVELS.len()], |value| {
            for order in [PRE, POST] {
                t.refuses("ffi.StructuralMap", &[*value, some.any(), none.any(), view::int(order)], &["TypeError"])?;
            }
            t.refuses("ffi.StructuralMutate", &[*value, changes.any()], &["TypeError"]).map(drop)
        })
        .map_err(|failure| failure.noting(format!("the hook is {}", no_hook.name)))?;
    }
    Ok(())
}

/// Has an object of a type met, by itself or within so many Arrays, and expects it to be the caller's alone afterwards.
fn met(t: &Trial, kind: i32, levels: usize, meet: impl Fn(&TVMFFIAny) -> Verdict) -> Verdict {
    let object = node(kind, view::int(1), view::int(2));
    let mut held = t.call_global("ffi.Array", &[object.view()])?;
    for _ in 1..levels {
        held = t.call_global("ffi.Array", &[held.any(), view::int(levels as i64)])?;
    }
    meet(&if levels == 0 { object.view() } else { held.any() })?;
    drop(held);
    t.eq(format_args!("counts of the object that was {levels} Arrays deep"), object.counts(), (1, 1))
}
