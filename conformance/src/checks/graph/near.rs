//! Values that are nearly one, in one graph: nodes are shared by what is the same and by nothing else.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{READ, WRITE};
use crate::{
    checks::check,
    client::{Owned, Verdict, model::Value, near},
    trial::Trial,
};

/// Strings, and Bytes, that differ in one byte or have one hash as keys come back from one JSON graph as they were, as elements of an Array
/// and as keys and values of a Map, through every door.
#[check(GRF_0001, GRF_0004, patient = 2)]
fn texts_apart(t: &Trial) -> Verdict {
    texts_come_back(t, [(id::GRF_0001, Value::Array), (id::GRF_0004, |texts| Value::Map(keyed(texts)))])
}

/// Strings, and Bytes, that differ in one byte or have one hash as keys come back from one JSON graph as they were, as elements of a List
/// and as keys and values of a Dict, through every door.
#[check(GRF_0005, patient = 2)]
fn texts_apart_in_what_changes(t: &Trial) -> Verdict {
    texts_come_back(t, [(id::GRF_0005, Value::List), (id::GRF_0005, |texts| Value::Dict(keyed(texts)))])
}

/// What makes a container of texts.
type Make = fn(Vec<Value>) -> Value;

/// Expects texts to come back in these containers, each with the clause about it.
fn texts_come_back(t: &Trial, containers: [(&'static str, Make); 2]) -> Verdict {
    let mut pairs = near::texts_of_one_hash();
    pairs.extend(near::texts(17).into_iter().step_by(3));
    let doors = doors(t)?;
    for pairs in pairs.chunks(12) {
        let mut texts = pairs.concat();
        texts.sort();
        texts.dedup();
        for of in [Value::Str as fn(_) -> _, Value::Bytes] {
            for (clause, make) in containers {
                t.clause(clause);
                let value = make(texts.iter().cloned().map(of).collect());
                let made = value.build(t)?;
                for (write, read) in &doors {
                    let graph = t.call(write, &[made.any(), TVMFFIAny::NONE])?;
                    let back = t.call(read, &[graph.any()])?;
                    t.eq("what comes back", &Value::read(t, &back.any())?, &value)?;
                }
            }
        }
    }
    Ok(())
}

/// Entries whose keys and values are these texts.
fn keyed(texts: Vec<Value>) -> Vec<(Value, Value)> {
    let values: Vec<_> = texts.iter().rev().cloned().collect();
    texts.into_iter().zip(values).collect()
}

/// Devices, and data types, that differ in one member alone come back from one JSON graph as they were, through every door.
#[check(GRF_0002)]
fn devices_and_types_apart(t: &Trial) -> Verdict {
    let values: Vec<_> = near::members().concat();
    let array = t.call_global("ffi.Array", &values)?;
    for (write, read) in doors(t)? {
        let back = t.call(&read, &[t.call(&write, &[array.any(), TVMFFIAny::NONE])?.any()])?;
        let items = t.sequence(back.handle())?.items;
        t.eq("number of values that came back", items.len(), values.len())?;
        for (found, expected) in items.iter().zip(&values) {
            t.any_eq("a value that came back", found, expected)?;
        }
    }
    Ok(())
}

/// The functions that write and read graphs, as texts and as values.
fn doors(t: &Trial) -> Verdict<[(Owned, Owned); 2]> {
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    Ok([(write, read), (to_graph, from_graph)])
}
