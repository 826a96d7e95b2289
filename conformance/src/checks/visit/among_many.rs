//! One value among many of another type.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{Callback, POST, PRE, entries, map, note, replace, take_seen, triples, walk_by_each_list};
use crate::{
    checks::check,
    client::{Owned, Verdict, model::Value},
    trial::Trial,
};

/// A callback meets the one value of its type among many of another, wherever it stands in a container of any size, and those among which it is
/// are met by a callback of theirs.
#[check(VIS_0005, VIS_0015, VIS_0018, VIS_0022)]
fn one_among_many(t: &Trial) -> Verdict {
    for size in [1, 3, 4, 5, 8, 9, 13] {
        for (at, odd) in (0..size).enumerate() {
            let parts: Vec<_> =
                (0..size).map(|part| if part == odd { Value::str("odd") } else { Value::Int(part) }).collect();
            let others: Vec<_> = (0..size).filter(|part| *part != odd).map(|part| part.to_string()).collect();
            let whole = of_kind(at + size as usize, parts);
            let value = whole.build(t)?;
            let callbacks: [Callback; 2] = [(kTVMFFIStr, note), (kTVMFFIInt, note)];
            for (callback, expected) in callbacks.into_iter().zip([vec!["odd".to_owned()], others]) {
                meets(t, &value, &whole, callback, &expected)?;
            }
            let replaced: Vec<_> = (0..size).map(|part| Value::Int(if part == odd { 4711 } else { part })).collect();
            let expected = of_kind(at + size as usize, replaced);
            let callbacks = [(kTVMFFIStr, replace as _)];
            t.clause(id::VIS_0018);
            for order in [PRE, POST] {
                let mapped = map(t, &value, &callbacks, order)?;
                t.eq(
                    format_args!("what a map has made of {whole:?}"),
                    Value::read(t, &mapped.any())?,
                    expected.clone(),
                )?;
            }
            t.clause(id::VIS_0022);
            let mutated = t.call_global("ffi.StructuralMutate", &[value.any(), triples(t, &callbacks)?.any()])?;
            t.eq(format_args!("what a mutation has made of {whole:?}"), Value::read(t, &mutated.any())?, expected)?;
        }
    }
    Ok(())
}

/// Expects walks and a visit to call the callback with that.
fn meets(t: &Trial, value: &Owned, whole: &Value, callback: Callback, expected: &[String]) -> Verdict {
    let saw = |what: &str| t.eq(format_args!("what {what} of {whole:?} has met"), &take_seen()[..], expected);
    for order in [PRE, POST] {
        t.clause(id::VIS_0005);
        walk_by_each_list(t, value, &[callback], order, || saw("a walk"))?;
    }
    t.clause(id::VIS_0015);
    t.call_global("ffi.StructuralVisit", &[value.any(), entries(t, &[callback])?.any()])?;
    saw("a visit")
}

/// A container of one kind or another. Keys are of a type that nothing is called for.
fn of_kind(turn: usize, parts: Vec<Value>) -> Value {
    let entries = |parts: Vec<Value>| parts.into_iter().enumerate().map(|(at, part)| (key(at), part)).collect();
    match turn % 4 {
        0 => Value::Array(parts),
        1 => Value::List(parts),
        2 => Value::Map(entries(parts)),
        _ => Value::Dict(entries(parts)),
    }
}

fn key(at: usize) -> Value {
    Value::Bytes(vec![b'k', at as u8])
}
