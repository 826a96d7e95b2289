//! Callbacks and hooks that have another thread go on with the visitor or the mutator that they are given, and wait for it.

use tvm_ffi_spec::*;

use super::kit::{PRE, add_hundred, ask, choose, entries, fail, interrupt_at_two, note, sample, take_seen, triples};
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::{Body, elsewhere, here_or_elsewhere},
        globals,
        node::{fields_of, node, node_type},
        view,
    },
    trial::Trial,
};

/// A visit, a mutation and a walk come to the same where a callback or a hook has another thread go on with the visitor or the mutator, and waits for
/// it, whether the callbacks that are called there go on, replace, interrupt or fail.
#[check(HOK_0021)]
fn another_thread_goes_on(t: &Trial) -> Verdict {
    if globals::find(t, "ffi.StructuralVisit")?.is_none() || globals::find(t, "ffi.StructuralMutate")?.is_none() {
        return Ok(());
    }
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
    choose(&interrupt);
    let value = sample().build(t)?;
    let kind = node_type(t, "verify.visit.Elsewhere", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    t.set_hook(kind, "__s_visit__", &t.callback(VISIT_FIRST)?.any())?;
    let hooked = t.call_global("ffi.Array", &[node(kind, value.any(), view::int(7)).view(), view::int(8)])?;
    let none = entries(t, &[])?;
    let endings: [(&str, Body); 3] = [("goes on", note), ("interrupts", interrupt_at_two), ("fails", fail)];
    for (end, callback) in endings {
        let visiting = entries(t, &[(kTVMFFIArray, VISIT), (kTVMFFIInt, callback)])?;
        comes_to_the_same(t, end, "ffi.StructuralVisit", &[value.any(), visiting.any()])?;
        let walking = entries(t, &[(kTVMFFIInt, callback)])?;
        for value in [&value, &hooked] {
            let args = [value.any(), walking.any(), none.any(), view::int(PRE)];
            comes_to_the_same(t, end, "ffi.StructuralWalk", &args)?;
        }
    }
    let endings: [(&str, Body); 2] = [("replaces", add_hundred), ("fails", fail)];
    for (end, callback) in endings {
        let mutating = triples(t, &[(kTVMFFIArray, MUTATE), (kTVMFFIInt, callback)])?;
        comes_to_the_same(t, end, "ffi.StructuralMutate", &[value.any(), mutating.any()])?;
    }
    Ok(())
}

/// Expects a call to come to the same, and its callbacks to see the same, on whichever thread they go on.
fn comes_to_the_same(t: &Trial, end: &str, name: &str, args: &[TVMFFIAny]) -> Verdict {
    let function = t.global(name)?;
    let come_to = || -> Verdict<_> { Ok((t.come_to(t.answer_of(function.handle(), args)?)?, take_seen())) };
    let expected = come_to()?;
    let what = format_args!("what {name} has come to, gone on with elsewhere, whose callback {end}");
    t.eq(what, elsewhere(come_to)?, expected)
}

/// Has the visitor go on with what is in the value.
const VISIT: Body = |api, args| {
    let [value, visitor] = args else { return None };
    here_or_elsewhere(api, |api| ask(api, "ffi.StructuralVisitorDefaultVisit", &[*visitor, *value]))
};

/// Has the mutator go on with what is in the value.
const MUTATE: Body = |api, args| {
    let [value, mutator, ..] = args else { return None };
    here_or_elsewhere(api, |api| ask(api, "ffi.StructuralMutatorDefaultMutate", &[*mutator, *value]))
};

/// A hook that has the visitor visit the first field.
const VISIT_FIRST: Body = |api, args| {
    let [visitor, object] = args else { return None };
    let first = fields_of(object)?.first;
    here_or_elsewhere(api, |api| ask(api, "ffi.StructuralVisitorVisit", &[*visitor, first]))
};
