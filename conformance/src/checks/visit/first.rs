//! Which of several callbacks is called for a value: the first in the list that is for values of its type.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::*;

use super::kit::{Callback, EVERYTHING, POST, PRE, entries, index_of_either_form, map, triples, walk};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::Body,
        globals,
        homemade::retain,
        node::{changing_node_type, copy_of, node, set_kind},
        samples::Place,
        types, view,
    },
    trial::Trial,
};

const TREE: i32 = kTVMFFISEqHashKindTreeNode;

/// Of the callbacks of a walk, visit, map or mutation that are for a value, the first in the list is called and no other, whichever of
/// them is for its very type, for more types or for all.
#[check(VIS_0009, patient = 2)]
fn first_in_the_list(t: &Trial) -> Verdict {
    let parent = changing_node_type(t, "verify.visit.FirstParent", TREE, [0, 0])?;
    let child = types::new_child(t, "verify.visit.FirstChild", parent)?;
    set_kind(t, child, TREE)?;
    t.set_hook(child, "__ffi_shallow_copy__", &t.callback(|_, args| copy_of(args))?.any())?;
    let object = node(child, view::float(1.5), view::float(2.5));
    retain(object.handle());
    let mut values = vec![
        t.own(view::int(7)),
        t.string(b"short")?,
        t.string(b"a text that is not short")?,
        t.bytes(b"bytes that are not short")?,
        t.own(object.view()),
    ];
    for make in t.containers()? {
        values.push(t.call_global(make, &[view::float(0.5), view::float(2.5)])?);
    }
    for (value, place) in values.iter().flat_map(|value| PLACES.map(|place| (value, place))) {
        let holder = place.put(t, &value.any())?;
        let value = place.look(t, &holder.any())?;
        // For its very type, in either form, for its parent's, for all objects, for all values, and for none that is here.
        let (own, either) = (value.type_index, index_of_either_form(value.type_index));
        let mut all = vec![own, either, parent, kTVMFFIObject, EVERYTHING, kTVMFFIDevice];
        all.dedup();
        for (name, global, keeps, call) in CALLS {
            // A visit and a mutation do not enter what a callback is called for, and most here are for what is around the value, too.
            if globals::find(t, global)?.is_none() || place != Place::Alone && [VISIT, MUTATE].contains(&global) {
                continue;
            }
            let called = |list: &[i32]| -> Verdict<Vec<usize>> {
                *MET.lock().unwrap_or_else(PoisonError::into_inner) = Met { keeps, of: value, places: Vec::new() };
                let callbacks: Vec<Callback> = list.iter().copied().zip(MARKS).collect();
                drop(call(t, &holder, &callbacks)?);
                Ok(std::mem::take(&mut MET.lock().unwrap_or_else(PoisonError::into_inner).places))
            };
            // Which of them are for the value is for other clauses to say.
            let mut fitting = Vec::new();
            for index in &all {
                if !called(&[*index])?.is_empty() {
                    fitting.push(*index);
                }
            }
            for turns in 0..all.len() {
                let mut list = all.clone();
                list.rotate_left(turns);
                for _ in 0..2 {
                    list.reverse();
                    let expected = list.iter().position(|index| fitting.contains(index));
                    t.eq(
                        format_args!("places of the callbacks for {list:?} that {name} calls for {value:?}, {place:?}"),
                        called(&list)?,
                        expected.into_iter().collect(),
                    )?;
                }
            }
        }
    }
    Ok(())
}

const PLACES: [Place; 3] = [Place::Alone, Place::InArray, Place::MapValue];

/// Calls a function with callbacks.
type Call = fn(&Trial, &Owned, &[Callback]) -> Verdict<Owned>;

/// What takes callbacks: in words, the global function, whether what a callback answers takes the value's place, and the call.
const CALLS: [(&str, &str, bool, Call); 10] = [
    ("a walk in pre order", WALK, false, |t, value, callbacks| walk(t, value, callbacks, PRE)),
    ("a walk in post order", WALK, false, |t, value, callbacks| walk(t, value, callbacks, POST)),
    ("a walk that tells regions", WALK, false, |t, value, callbacks| told(t, WALK, value, callbacks, PRE)),
    ("a walk that tells regions in post order", WALK, false, |t, value, list| told(t, WALK, value, list, POST)),
    ("a visit", VISIT, false, |t, value, list| t.call_global(VISIT, &[value.any(), entries(t, list)?.any()])),
    ("a map in pre order", MAP, true, |t, value, callbacks| map(t, value, callbacks, PRE)),
    ("a map in post order", MAP, true, |t, value, callbacks| map(t, value, callbacks, POST)),
    ("a map that tells regions", MAP, true, |t, value, callbacks| told(t, MAP, value, callbacks, PRE)),
    ("a map that tells regions in post order", MAP, true, |t, value, list| told(t, MAP, value, list, POST)),
    ("a mutation", MUTATE, true, |t, value, list| t.call_global(MUTATE, &[value.any(), triples(t, list)?.any()])),
];

const WALK: &str = "ffi.StructuralWalk";
const VISIT: &str = "ffi.StructuralVisit";
const MAP: &str = "ffi.StructuralMap";
const MUTATE: &str = "ffi.StructuralMutate";

/// Walks or maps with callbacks in the second list.
fn told(t: &Trial, name: &str, value: &Owned, callbacks: &[Callback], order: i64) -> Verdict<Owned> {
    let (none, callbacks) = (entries(t, &[])?, entries(t, callbacks)?);
    t.call_global(name, &[value.any(), none.any(), callbacks.any(), view::int(order)])
}

/// What callbacks were called for.
struct Met {
    /// Whether they answer the value that they are called with.
    keeps: bool,
    /// The value that counts.
    of: TVMFFIAny,
    /// The places in the list of the callbacks that were called with it.
    places: Vec<usize>,
}

static MET: Mutex<Met> = Mutex::new(Met { keeps: false, of: TVMFFIAny::NONE, places: Vec::new() });

/// A callback for each place in a list.
const MARKS: [Body; 6] = [
    |_, args| mark(0, args),
    |_, args| mark(1, args),
    |_, args| mark(2, args),
    |_, args| mark(3, args),
    |_, args| mark(4, args),
    |_, args| mark(5, args),
];

/// Notes the place, if the callback is called with the value that counts.
fn mark(place: usize, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let value = *args.first()?;
    let mut met = MET.lock().unwrap_or_else(PoisonError::into_inner);
    if value.to_bytes() == met.of.to_bytes() {
        met.places.push(place);
    }
    if !met.keeps {
        return Some(TVMFFIAny::NONE);
    }
    if value.type_index >= kTVMFFIStaticObjectBegin {
        retain(value.payload() as TVMFFIObjectHandle);
    }
    Some(value)
}
