//! Copies that a callback makes of the visitor or the mutator that it is given.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{add_hundred, ask, entries, note, remember_text, take_seen, triples};
use crate::{
    checks::check,
    client::{
        Verdict,
        api::Api,
        callback::Body,
        homemade::release,
        model::Value,
        node::{node, node_type},
        view,
    },
    trial::Trial,
};

/// A copy of the visitor that a callback is given is refused, or to visit by it is, or it visits a value with the callbacks of the visit; the visit
/// itself goes on in any case.
#[check(VIS_0035)]
fn copy_of_a_visitor(t: &Trial) -> Verdict {
    let value = t.call_global("ffi.Array", &[view::int(1), view::int(2)])?;
    let callbacks = entries(t, &[(kTVMFFIArray, VISIT_BY_A_COPY), (kTVMFFIInt, note)])?;
    let inner = t.call_global("ffi.List", &[view::int(77)])?;
    for (door, chosen) in
        [("ffi.StructuralVisitorVisit", view::int(77)), ("ffi.StructuralVisitorDefaultVisit", inner.any())]
    {
        use_with(door, &chosen);
        let answer = t.call_global("ffi.StructuralVisit", &[value.any(), callbacks.any()])?;
        t.any_eq("the answer of the visit", &answer.any(), &TVMFFIAny::NONE)?;
        let (seen, whole) = (take_seen(), ["1", "2"]);
        let refused = seen == [&["refused"][..], &whole].concat();
        let visited = seen == [&["77", "used"][..], &whole].concat();
        let expected = "77 to be met by the copy, or a refusal, and then 1 and 2";
        t.that(format_args!("what {door} with a copy has come to"), refused || visited, expected, seen.join(", "))?;
    }
    Ok(())
}

/// A copy of the mutator that a callback is given is refused, or its use is, or it mutates a value with the callbacks of the mutation, and answers
/// about variables; the mutation itself goes on in any case.
#[check(VIS_0037, VIS_0038)]
fn copy_of_a_mutator(t: &Trial) -> Verdict {
    let value = t.call_global("ffi.Array", &[view::int(1), view::int(2)])?;
    let callbacks = triples(t, &[(kTVMFFIArray, MUTATE_BY_A_COPY), (kTVMFFIInt, add_hundred)])?;
    let kind = node_type(t, "verify.visit.OfACopy", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let (list, variable) = (t.call_global("ffi.List", &[view::int(77)])?, node(kind, view::int(1), view::int(2)));
    for (door, clause, chosen) in [
        ("ffi.StructuralMutatorMutate", id::VIS_0037, view::int(77)),
        ("ffi.StructuralMutatorDefaultMutate", id::VIS_0037, list.any()),
        ("ffi.StructuralMutatorVarRemapGet", id::VIS_0038, variable.view()),
        ("ffi.StructuralMutatorVarRemapSet", id::VIS_0038, variable.view()),
    ] {
        t.clause(clause);
        use_with(door, &chosen);
        let mutated = t.call_global("ffi.StructuralMutate", &[value.any(), callbacks.any()])?;
        let expected = Value::Array(vec![Value::Int(101), Value::Int(102)]);
        t.eq(format_args!("the mutated value, after {door} with a copy"), Value::read(t, &mutated.any())?, expected)?;
        let seen = take_seen();
        let known = seen == ["refused"] || seen == ["used"];
        let expected = "a refusal, or that it was used, once";
        t.that(format_args!("what {door} with a copy has come to"), known, expected, seen.join(", "))?;
    }
    Ok(())
}

/// Uses a copy of the visitor, and goes on.
const VISIT_BY_A_COPY: Body = |api, args| {
    let [value, visitor, ..] = args else { return None };
    use_copy(api, visitor);
    ask(api, "ffi.StructuralVisitorDefaultVisit", &[*visitor, *value])
};

/// Uses a copy of the mutator, and goes on.
const MUTATE_BY_A_COPY: Body = |api, args| {
    let [value, mutator, ..] = args else { return None };
    use_copy(api, mutator);
    ask(api, "ffi.StructuralMutatorDefaultMutate", &[*mutator, *value])
};

/// The function that copies are used with, and the value.
static DOOR: Mutex<(&str, TVMFFIAny)> = Mutex::new(("", TVMFFIAny::NONE));

fn use_with(door: &'static str, value: &TVMFFIAny) {
    *DOOR.lock().unwrap_or_else(PoisonError::into_inner) = (door, *value);
}

/// Copies an engine, uses the copy, and writes down whether that was refused.
fn use_copy(api: &Api, engine: &TVMFFIAny) {
    let (door, chosen) = *DOOR.lock().unwrap_or_else(PoisonError::into_inner);
    let let_go = |value: TVMFFIAny| {
        if value.type_index >= kTVMFFIStaticObjectBegin {
            release(value.payload() as TVMFFIObjectHandle);
        }
    };
    let copy = ask(api, "ffi.DeepCopy", &[*engine]);
    let answer = copy.and_then(|copy| match door {
        "ffi.StructuralMutatorVarRemapSet" => ask(api, door, &[copy, chosen, view::int(5)]),
        _ => ask(api, door, &[copy, chosen]),
    });
    match answer {
        Some(answer) => {
            let is_right = door != "ffi.StructuralMutatorMutate" || answer.to_bytes() == view::int(177).to_bytes();
            remember_text(if is_right { "used" } else { "used, with another answer than 177" });
            let_go(answer);
        }
        None => {
            api.release_raised();
            remember_text("refused");
        }
    }
    copy.into_iter().for_each(let_go);
}
