//! Structural maps and mutations.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    EVERYTHING, POST, PRE, add_hundred, answer_chosen, choose, choose_value, entries, fail, map, note_and_keep,
    replace_by_chosen, sample, saw, triples, unchanged,
};
use crate::{
    checks::check,
    client::{Failure, Verdict, callback::Body, model::Value, view},
    trial::Trial,
};

/// A structural map gives a container with what its callback answers in place of the elements and values that match.
#[check(VIS_0018)]
fn map_replaces(t: &Trial) -> Verdict {
    let value = Value::Array(vec![Value::Int(1), Value::str("x"), Value::Int(3)]).build(t)?;
    let mapped = map(t, &value, &[(kTVMFFIInt, add_hundred)], PRE)?;
    let expected = Value::Array(vec![Value::Int(101), Value::str("x"), Value::Int(103)]);
    t.eq("the mapped value", Value::read(t, &mapped.any())?, expected)?;
    let entries = |value| vec![(Value::str("key"), Value::Int(value)), (Value::str("other"), Value::None)];
    for kind in [Value::Map, Value::Dict] {
        let mapped = map(t, &kind(entries(1)).build(t)?, &[(kTVMFFIInt, add_hundred)], PRE)?;
        t.eq("the mapped values", Value::read(t, &mapped.any())?, kind(entries(101)))?;
    }
    let mapped = map(t, &Value::List(vec![Value::Int(1)]).build(t)?, &[(kTVMFFIInt, add_hundred)], POST)?;
    t.eq("the mapped List", Value::read(t, &mapped.any())?, Value::List(vec![Value::Int(101)]))
}

/// A structural map and a mutation put what their callback answers in the place of a value, be it None or another that is
/// easily taken for no answer.
#[check(VIS_0018, VIS_0022)]
fn replaced_by_nothing_much(t: &Trial) -> Verdict {
    use Value::{Array, Bool, Bytes, Dict, Int, List, Map, None};
    let places: [fn(Value) -> Value; 5] = [
        |value| value,
        |value| Array(vec![Value::str("x"), value]),
        |value| List(vec![value, Value::str("x")]),
        |value| Map(vec![(Value::str("key"), value)]),
        |value| Dict(vec![(Value::str("key"), value)]),
    ];
    let answers =
        [None, Bool(false), Value::float(0.0), Value::str(""), Bytes(vec![]), Array(vec![]), Map(vec![]), List(vec![])];
    for answer in answers {
        let chosen = answer.build(t)?;
        choose_value(&chosen.any());
        for place in places {
            let expected = || place(answer.clone());
            for order in [PRE, POST] {
                t.clause(id::VIS_0018);
                let mapped = map(t, &place(Int(1)).build(t)?, &[(kTVMFFIInt, answer_chosen)], order)?;
                t.eq("the mapped value", Value::read(t, &mapped.any())?, expected())?;
            }
            t.clause(id::VIS_0022);
            let callbacks = triples(t, &[(kTVMFFIInt, answer_chosen)])?;
            let mutated = t.call_global("ffi.StructuralMutate", &[place(Int(1)).build(t)?.any(), callbacks.any()])?;
            t.eq("the mutated value", Value::read(t, &mutated.any())?, expected())?;
        }
    }
    Ok(())
}

/// A structural map leaves a value alone that somebody else refers to.
#[check(VIS_0019)]
fn map_leaves_original(t: &Trial) -> Verdict {
    for value in [sample(), Value::List(vec![Value::Int(1)]), Value::Map(vec![(Value::Int(1), Value::Int(2))])] {
        let original = value.build(t)?;
        let mapped = map(t, &original, &[(kTVMFFIInt, add_hundred)], PRE)?;
        t.ne("the mapped value", mapped.handle(), original.handle())?;
        t.eq("the original", Value::read(t, &original.any())?, value)?;
    }
    Ok(())
}

/// A structural map in which no callback matches gives the value itself back.
#[check(VIS_0020)]
fn map_unchanged(t: &Trial) -> Verdict {
    let original = sample().build(t)?;
    let mapped = map(t, &original, &[(kTVMFFIStr, add_hundred)], PRE)?;
    t.any_eq("the mapped value", &mapped.any(), &original.any())
}

/// A structural map in post order replaces elements of nested Arrays.
#[check(VIS_0018)]
fn map_nested(t: &Trial) -> Verdict {
    let mapped = map(t, &sample().build(t)?, &[(kTVMFFIInt, add_hundred)], POST)?;
    let inner = Value::Array(vec![Value::Int(102), Value::Int(103)]);
    let expected = Value::Array(vec![Value::Int(101), inner, Value::Int(104)]);
    t.eq("the mapped value", Value::read(t, &mapped.any())?, expected)
}

/// A structural map calls its callbacks with a value before what is in it, or after that, as it is asked to.
#[check(VIS_0049)]
fn map_order(t: &Trial) -> Verdict {
    for (order, expected) in [(PRE, ["71", "1", "71", "2", "3", "4"]), (POST, ["1", "2", "3", "71", "4", "71"])] {
        let value = sample().build(t)?;
        map(t, &value, &[(kTVMFFIArray, note_and_keep), (kTVMFFIInt, note_and_keep)], order)?;
        saw(t, &expected)?;
    }
    Ok(())
}

/// What a callback of a structural map in pre order answers in the place of a value is mapped further.
#[check(VIS_0018)]
fn map_of_replacement(t: &Trial) -> Verdict {
    let replacement = Value::Array(vec![Value::Int(5), Value::str("x")]).build(t)?;
    choose(&replacement);
    let value = Value::List(vec![Value::Int(1)]).build(t)?;
    let mapped = map(t, &value, &[(kTVMFFIList, replace_by_chosen), (kTVMFFIInt, add_hundred)], PRE)?;
    let expected = Value::Array(vec![Value::Int(105), Value::str("x")]);
    t.eq("the mapped value", Value::read(t, &mapped.any())?, expected)
}

/// A structural map replaces the values of Maps and Dicts and keeps their keys and their order.
#[check(VIS_0021)]
fn map_values(t: &Trial) -> Verdict {
    let entries = |offset| (1..7).map(|n| (Value::Int(n), Value::Int(10 * n + offset))).collect();
    let mapped = map(t, &Value::Map(entries(0)).build(t)?, &[(kTVMFFIInt, add_hundred)], PRE)?;
    t.eq("the mapped map", Value::read(t, &mapped.any())?, Value::Map(entries(100)))?;
    let mapped = map(t, &Value::Dict(entries(0)).build(t)?, &[(kTVMFFIInt, add_hundred)], PRE)?;
    t.eq("the mapped dict", Value::read(t, &mapped.any())?, Value::Dict(entries(100)))
}

/// An error of a callback is raised by a structural map and leaves the value as it was.
#[check(VIS_0029)]
fn map_error(t: &Trial) -> Verdict {
    let function = t.global("ffi.StructuralMap")?;
    let (callbacks, none) = (entries(t, &[(kTVMFFIInt, fail)])?, entries(t, &[])?);
    let value = sample().build(t)?;
    let mut result = TVMFFIAny::NONE;
    let code = t.try_call(&function, &[value.any(), callbacks.any(), none.any(), view::int(PRE)], &mut result);
    t.raises(code, &["KeyError"])?;
    t.eq("the value", Value::read(t, &value.any())?, sample())
}

/// A callback of a structural map or mutation that answers the marker of an unchanged value leaves the value as it is, whether that is the whole, a
/// container in it or an element.
#[check(VIS_0033)]
fn unchanged_marker(t: &Trial) -> Verdict {
    let (list, entries) = (Value::List(vec![sample(), Value::Int(5)]), vec![(Value::Int(1), sample())]);
    for value in [sample(), list, Value::Map(entries.clone()), Value::Dict(entries), Value::Int(7)] {
        let original = value.build(t)?;
        for matched in [kTVMFFIInt, kTVMFFIArray, original.any().type_index, EVERYTHING] {
            let callbacks = [(matched, unchanged as Body)];
            let noting = |failure: Box<Failure>| failure.noting(format!("the callback matches type index {matched}"));
            for order in [PRE, POST] {
                let mapped = map(t, &original, &callbacks, order)?;
                t.eq("the mapped value", Value::read(t, &mapped.any())?, value.clone()).map_err(noting)?;
            }
            let callbacks = triples(t, &callbacks)?;
            let mutated = t.call_global("ffi.StructuralMutate", &[original.any(), callbacks.any()])?;
            t.eq("the mutated value", Value::read(t, &mutated.any())?, value.clone()).map_err(noting)?;
        }
    }
    Ok(())
}

/// A structural mutation replaces a value that a callback matches by the callback's answer.
#[check(VIS_0022, VIS_0051)]
fn mutate(t: &Trial) -> Verdict {
    let callbacks = triples(t, &[(kTVMFFIInt, add_hundred)])?;
    let mutated = t.call_global("ffi.StructuralMutate", &[sample().build(t)?.any(), callbacks.any()])?;
    let inner = Value::Array(vec![Value::Int(102), Value::Int(103)]);
    let expected = Value::Array(vec![Value::Int(101), inner, Value::Int(104)]);
    t.eq("the mutated value", Value::read(t, &mutated.any())?, expected)
}

/// A structural mutation without callbacks gives the value itself back.
#[check(VIS_0020)]
fn mutate_nothing(t: &Trial) -> Verdict {
    let original = sample().build(t)?;
    let mutated = t.call_global("ffi.StructuralMutate", &[original.any(), triples(t, &[])?.any()])?;
    t.any_eq("the mutated value", &mutated.any(), &original.any())
}
