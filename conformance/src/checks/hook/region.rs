//! What hooks pass to the functions that they are given: kinds of definition regions, and parts that contain the object.

use std::{
    ffi::CString,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        access_path::Step,
        api::Api,
        callback::{Body, call, raise},
        containers::keys::text_object,
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

/// Variables in a part are bound by the kind of region that a hook passes for it also where the part before has failed in a region of any
/// kind, and the hook has taken the error.
#[check(HOK_0022)]
fn kind_after_a_failure(t: &Trial) -> Verdict {
    let tree = |key: &str, flag| node_type(t, key, kTVMFFISEqHashKindTreeNode, [flag, 0]);
    let (variables, kind) = (variables(t)?, tree("verify.hook.GoingOn", 0)?);
    t.set_hook(kind, "__s_equal__", &t.callback(compare_second)?.any())?;
    t.set_hook(kind, "__s_hash__", &t.callback(hash_second)?.any())?;
    let (failing, sound) = (tree("verify.hook.FailingPart", 0)?, tree("verify.hook.SoundPart", 0)?);
    let fail: Body = |api, _| raise(api, c"KeyError", c"by a part");
    for column in ["__s_equal__", "__s_hash__"] {
        t.set_hook(failing, column, &t.callback(fail)?.any())?;
    }
    let pattern = tree("verify.hook.AroundFailure", kTVMFFIFieldFlagBitMaskSEqHashDefPattern)?;
    let [x, y] = [(); 2].map(|()| node(variables, view::int(1), view::int(0)));
    let no = view::bool(false);
    // That a call goes on after a failure within it is for another clause to say: `None` if it does not.
    let equal = |lhs: &Homemade<Node>, rhs: &Homemade<Node>| -> Verdict<Option<bool>> {
        let answer = t.answer("ffi.StructuralEqual", &[lhs.view(), rhs.view(), no, no])?;
        Ok(answer.ok().map(|answer| answer.any().payload() != 0))
    };
    let one_hash = |what: &str, lhs: &Homemade<Node>, rhs: &Homemade<Node>| -> Verdict {
        let hash = |node: &Homemade<Node>| t.answer("ffi.StructuralHash", &[node.view(), no, no]);
        match (hash(lhs)?, hash(rhs)?) {
            (Ok(one), Ok(other)) => t.any_eq(format_args!("the hash of {what}"), &other.any(), &one.any()),
            _ => Ok(()),
        }
    };
    for place in [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
        for region in [kTVMFFIDefRegionKindNone, kTVMFFIDefRegionKindPattern, kTVMFFIDefRegionKindSimple] {
            KIND.store(region.into(), Ordering::Release);
            let part = |kind: i32| place.put(t, &node(kind, view::int(1), view::int(2)).view());
            let of = |part: Owned, variable: &Homemade<Node>| node(kind, part.any(), variable.view());
            let what = format!("what stands behind a part that has failed in a region of kind {region}, {place:?}");
            let (one, other) = (of(part(failing)?, &x), of(part(failing)?, &y));
            if let Some(equal) = equal(&one, &other)? {
                t.eq(format_args!("whether unlike variables are equal in {what}"), equal, false)?;
            }
            let twin = of(part(sound)?, &x);
            if equal(&one, &twin)? == Some(true) {
                one_hash(&what, &twin, &one)?;
            }
            let (one, other) = (node(pattern, one.view(), x.view()), node(pattern, other.view(), y.view()));
            if let Some(equal) = equal(&one, &other)? {
                t.eq(format_args!("whether a pattern binds {what}"), equal, true)?;
                one_hash(&format!("a pattern that binds {what}"), &one, &other)?;
            }
        }
    }
    Ok(())
}

/// Tries to compare the first fields in a region of the chosen kind, and answers for the second ones alone.
fn compare_second(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [lhs, rhs, go_on] = args else { return None };
    let (lhs, rhs, go_on) = (fields_of(lhs)?, fields_of(rhs)?, go_on.payload() as TVMFFIObjectHandle);
    if call(api, go_on, &[lhs.first, rhs.first, chosen_kind(), view::c_str(c"first")]).is_none() {
        release(api.take_raised());
    }
    call(api, go_on, &[lhs.second, rhs.second, view::int(0), view::c_str(c"second")])
}

/// Tries to hash the first field in a region of the chosen kind, and mixes in the second one alone.
fn hash_second(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [object, hash, go_on] = args else { return None };
    let (fields, go_on) = (fields_of(object)?, go_on.payload() as TVMFFIObjectHandle);
    if call(api, go_on, &[fields.first, *hash, chosen_kind()]).is_none() {
        release(api.take_raised());
    }
    call(api, go_on, &[fields.second, *hash, view::int(0)])
}

/// The name that a function in `__s_equal__` gives to a part is the name of a step to the first mismatch, however long it is and in
/// whatever form it is given.
#[check(HOK_0002)]
fn names_of_parts(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.hook.Naming", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    t.set_hook(kind, "__s_equal__", &t.callback(compare_named)?.any())?;
    let plain = node_type(t, "verify.hook.AroundNaming", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    for text in [
        "",
        "x",
        "seven_b",
        "eight_by",
        "first",
        "gr\u{f6}\u{df}e",
        "\u{20ac}\u{20ac}\u{20ac}",
        "a\0b",
        "the name of a part that has forty bytes_",
        "a name that is not short, with \0 in it",
    ] {
        let (string, own) = (t.string(text.as_bytes())?, text_object(kTVMFFIStr, text.as_bytes()));
        let raw = CString::new(text).ok();
        let forms = [Some(string.any()), Some(own.view()), raw.as_deref().map(view::c_str)];
        for name in forms.into_iter().flatten() {
            *NAME.lock().unwrap_or_else(PoisonError::into_inner) = name;
            let named = |part: TVMFFIAny| node(kind, part, view::int(7)).view();
            let array = |value: TVMFFIAny| t.call_global("ffi.Array", &[view::int(7), value]);
            let map = |value: TVMFFIAny| t.call_global("ffi.Map", &[view::c_str(c"key"), value]);
            let (step, number) = (Step::attr(text), [1, 2].map(view::int));
            let (arrays, maps) = ([array(number[0])?, array(number[1])?], [map(number[0])?, map(number[1])?]);
            let around = [array(named(number[0]))?, array(named(number[1]))?];
            for ([one, other], path) in [
                (number.map(named), vec![step.clone()]),
                (arrays.each_ref().map(|array| named(array.any())), vec![step.clone(), Step::item(1)]),
                (maps.each_ref().map(|map| named(map.any())), vec![step.clone(), Step::entry("key")]),
                (number.map(|number| named(named(number))), vec![step.clone(), step.clone()]),
                (around.each_ref().map(Owned::any), vec![Step::item(1), step.clone()]),
                (
                    number.map(|number| node(plain, view::int(7), named(number)).view()),
                    vec![Step::attr("second"), step.clone()],
                ),
            ] {
                t.differ_at(&one, &other, Some((&path, &path)))?;
                t.differ_at(&other, &one, Some((&path, &path)))?;
                t.differ_at(&one, &one, None)?;
            }
        }
    }
    Ok(())
}

/// What [`compare_named`] calls the part, which the check keeps alive.
static NAME: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

/// Compares the first fields under the name that the check has chosen.
fn compare_named(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [lhs, rhs, go_on] = args else { return None };
    let name = *NAME.lock().unwrap_or_else(PoisonError::into_inner);
    let parts = [fields_of(lhs)?.first, fields_of(rhs)?.first, view::int(0), name];
    call(api, go_on.payload() as TVMFFIObjectHandle, &parts)
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
            let empty = t.printed(&t.call_global("ffi.List", &[])?.any())?;
            t.eq("an empty List as it is printed afterwards", t.printed(&list.any())?, empty)?;
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
