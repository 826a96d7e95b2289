//! What hooks pass to the functions that they are given: kinds of definition regions, and parts that contain the object.

use std::sync::atomic::{AtomicI64, Ordering};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Verdict,
        api::Api,
        callback::call,
        homemade::{Homemade, release},
        node::{Node, fields_of, node, node_type},
        samples::Place,
        text_of, view,
    },
    trial::Trial,
};

/// Variables in a part are bound by the kind of region that the hook passes, for equality and for the hash.
#[check(HOK_0022)]
fn bound_by_kind(t: &Trial) -> Verdict {
    let (variables, lambda) = (variables(t)?, hooked(t, "verify.hook.Lambda")?);
    let of = |within: TVMFFIAny| node(variables, within, view::int(0));
    let (one, two, free) = (of(view::int(1)), of(view::int(1)), of(view::int(1)));
    let (outer_one, outer_two) = (of(one.view()), of(two.view()));
    let function = |bound: &Homemade<Node>, used: &Homemade<Node>| node(lambda, bound.view(), used.view());
    for (kind, binds, binds_within) in [
        (kTVMFFIDefRegionKindNone, false, false),
        (kTVMFFIDefRegionKindPattern, true, true),
        (kTVMFFIDefRegionKindSimple, true, false),
    ] {
        KIND.store(kind.into(), Ordering::Release);
        alike(
            t,
            &format!("functions of other variables, kind {kind}"),
            function(&one, &one),
            function(&two, &two),
            binds,
        )?;
        alike(t, &format!("one that uses another, kind {kind}"), function(&one, &one), function(&two, &free), false)?;
        let (within_one, within_two) = (function(&outer_one, &one), function(&outer_two, &two));
        let what = format!("functions that use what is in their variables, kind {kind}");
        alike(t, &what, within_one, within_two, binds_within)?;
        alike(t, &format!("one function, kind {kind}"), function(&one, &two), function(&one, &two), true)?;
    }
    Ok(())
}

/// Within a field that is a pattern, a hook that passes another kind of region binds as the pattern does.
#[check(HOK_0022)]
fn kind_within_a_pattern(t: &Trial) -> Verdict {
    let (variables, inner) = (variables(t)?, hooked(t, "verify.hook.Inner")?);
    let flags = [kTVMFFIFieldFlagBitMaskSEqHashDefPattern, 0];
    let outer = node_type(t, "verify.hook.Pattern", kTVMFFISEqHashKindTreeNode, flags)?;
    let of = |within: TVMFFIAny| node(variables, within, view::int(0));
    let (one, two, free) = (of(view::int(1)), of(view::int(1)), of(view::int(1)));
    let (around_one, around_two) = (of(one.view()), of(two.view()));
    let function = |bound: &Homemade<Node>, used: &Homemade<Node>| {
        node(outer, node(inner, bound.view(), view::int(0)).view(), used.view())
    };
    for kind in [kTVMFFIDefRegionKindNone, kTVMFFIDefRegionKindSimple, kTVMFFIDefRegionKindPattern] {
        KIND.store(kind.into(), Ordering::Release);
        let what = format!("what a pattern binds through a hook that passes {kind}");
        alike(t, &what, function(&around_one, &one), function(&around_two, &two), true)?;
        alike(t, &what, function(&around_one, &one), function(&around_two, &free), false)?;
    }
    Ok(())
}

/// Expects two objects to be structurally equal, with one hash, or not to be equal.
fn alike(t: &Trial, what: &str, lhs: Homemade<Node>, rhs: Homemade<Node>, expected: bool) -> Verdict {
    for (lhs, rhs) in [(&lhs, &rhs), (&rhs, &lhs)] {
        t.eq(what, t.structural_equal(&lhs.view(), &rhs.view(), false)?, expected)?;
    }
    let hash = |node: &Homemade<Node>| t.structural_hash(&node.view(), false);
    if expected { t.eq(format_args!("the hash: {what}"), hash(&rhs)?, hash(&lhs)?) } else { Ok(()) }
}

/// A type of variables.
fn variables(t: &Trial) -> Verdict<i32> {
    node_type(t, "verify.hook.Variable", kTVMFFISEqHashKindFreeVar, [0, 0])
}

/// A type whose hooks go into the first field in a region of the kind that the check has chosen, then into the second.
fn hooked(t: &Trial, key: &str) -> Verdict<i32> {
    let index = node_type(t, key, kTVMFFISEqHashKindTreeNode, [0, 0])?;
    t.set_hook(index, "__s_equal__", &t.callback(compare)?.any())?;
    t.set_hook(index, "__s_hash__", &t.callback(hash)?.any())?;
    Ok(index)
}

/// The kind of region that the hooks pass for the first field.
static KIND: AtomicI64 = AtomicI64::new(0);

fn chosen_kind() -> TVMFFIAny {
    view::int(KIND.load(Ordering::Acquire))
}

fn compare(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [lhs, rhs, go_on] = args else { return None };
    let (lhs, rhs, go_on) = (fields_of(lhs)?, fields_of(rhs)?, go_on.payload() as TVMFFIObjectHandle);
    let first = call(api, go_on, &[lhs.first, rhs.first, chosen_kind(), view::c_str(c"first")])?;
    if first.payload() == 0 {
        return Some(view::bool(false));
    }
    call(api, go_on, &[lhs.second, rhs.second, view::int(0), view::c_str(c"second")])
}

fn hash(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [object, hash, go_on] = args else { return None };
    let (fields, go_on) = (fields_of(object)?, go_on.payload() as TVMFFIObjectHandle);
    let hash = call(api, go_on, &[fields.first, *hash, chosen_kind()])?;
    call(api, go_on, &[fields.second, hash, view::int(0)])
}

/// Printing and hashing an object end where the function of its type goes on with a part that contains the object.
#[check(HOK_0023)]
fn part_that_contains_the_object(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.Parent", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    t.set_hook(kind, "__ffi_repr__", &t.callback(quote_first)?.any())?;
    t.set_hook(kind, "__ffi_hash__", &t.callback(hash_first)?.any())?;
    for place in [Place::Alone, Place::InList, Place::DictValue] {
        for around in [Place::Alone, Place::InArray, Place::MapValue] {
            let list = t.call_global("ffi.List", &[])?;
            let object = node(kind, list.any(), view::int(2));
            let held = place.put(t, &object.view())?;
            t.call_global("ffi.ListAppend", &[list.any(), held.any()])?;
            let value = around.put(t, &object.view())?;
            for name in ["ffi.ReprPrint", "ffi.RecursiveHash"] {
                t.returns(name, &[value.any()])?;
                t.returns(name, &[list.any()])?;
            }
            t.clear_list(&list)?;
            // Neither is in the way of what comes later.
            let text = t.text(&t.call_global("ffi.ReprPrint", &[list.any()])?.any())?;
            let empty = t.text(&t.call_global("ffi.ReprPrint", &[t.call_global("ffi.List", &[])?.any()])?.any())?;
            t.eq("an empty List as it is printed afterwards", text, empty)?;
        }
    }
    Ok(())
}

/// Answers what the function for parts answers for the first field.
fn hash_first(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [object, go_on] = args else { return None };
    call(api, go_on.payload() as TVMFFIObjectHandle, &[fields_of(object)?.first])
}

/// Answers `node of` and the printed form of the first field.
fn quote_first(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let part = hash_first(api, args)?;
    let text = [b"node of ", text_of(&part)?.as_slice()].concat();
    if part.type_index >= kTVMFFIStaticObjectBegin {
        release(part.payload() as TVMFFIObjectHandle);
    }
    let mut answer = TVMFFIAny::NONE;
    (api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(&text), &mut answer) == 0).then_some(answer)
}
