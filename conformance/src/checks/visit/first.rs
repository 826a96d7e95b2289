//! Which of several callbacks is called for a value: the first in the list that is for values of its type.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::*;

use super::kit::{EVERYTHING, POST, PRE, entries, index_of_either_form};
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
    let none = entries(t, &[])?;
    let marks = MARKS.map(|mark| t.callback(mark)).into_iter().collect::<Verdict<Vec<_>>>()?;
    let array = t.global("ffi.Array")?;
    let list = |items: &[Owned]| t.call(&array, &items.iter().map(Owned::any).collect::<Vec<_>>());
    // Callbacks for values of these types, each of which knows its place, as functions take them.
    let listed = |indices: &[i32]| -> Verdict<Lists> {
        let (mut pairs, mut triples) = (Vec::new(), Vec::new());
        for (index, mark) in indices.iter().zip(&marks) {
            let entry = [view::int((*index).into()), mark.any(), view::bool(false)];
            pairs.push(t.call(&array, &entry[..2])?);
            triples.push(t.call(&array, &entry)?);
        }
        Ok(Lists { none: none.any(), pairs: list(&pairs)?, triples: list(&triples)? })
    };
    let mut calls = Vec::new();
    for (name, global, keeps, args) in CALLS {
        calls.extend(globals::find(t, global)?.map(|function| (name, global, function, keeps, args)));
    }
    for (value, place) in values.iter().flat_map(|value| PLACES.map(|place| (value, place))) {
        let holder = place.put(t, &value.any())?;
        let value = place.look(t, &holder.any())?;
        // For its very type, in either form, for its parent's, for all objects, for all values, and for none that is here.
        let (own, either) = (value.type_index, index_of_either_form(value.type_index));
        let mut all = vec![own, either, parent, kTVMFFIObject, EVERYTHING, kTVMFFIDevice];
        all.dedup();
        let alone = all.iter().map(|index| listed(&[*index])).collect::<Verdict<Vec<_>>>()?;
        let mut together = Vec::new();
        for turns in 0..all.len() {
            let mut order = all.clone();
            order.rotate_left(turns);
            for _ in 0..2 {
                order.reverse();
                together.push((order.clone(), listed(&order)?));
            }
        }
        for (name, global, function, keeps, args) in &calls {
            // A visit and a mutation do not enter what a callback is called for, and most here are for what is around the value, too.
            if place != Place::Alone && [VISIT, MUTATE].contains(global) {
                continue;
            }
            let called = |lists: &Lists| -> Verdict<Vec<usize>> {
                *MET.lock().unwrap_or_else(PoisonError::into_inner) =
                    Met { keeps: *keeps, of: value, places: Vec::new() };
                drop(t.call(function, &args(holder.any(), lists))?);
                Ok(std::mem::take(&mut MET.lock().unwrap_or_else(PoisonError::into_inner).places))
            };
            // Which of them are for the value is for other clauses to say.
            let mut fitting = Vec::new();
            for (index, lists) in all.iter().zip(&alone) {
                if !called(lists)?.is_empty() {
                    fitting.push(*index);
                }
            }
            for (list, lists) in &together {
                let expected = list.iter().position(|index| fitting.contains(index));
                t.eq(
                    format_args!("places of the callbacks for {list:?} that {name} calls for {value:?}, {place:?}"),
                    called(lists)?,
                    expected.into_iter().collect(),
                )?;
            }
        }
    }
    Ok(())
}

const PLACES: [Place; 3] = [Place::Alone, Place::InArray, Place::MapValue];

/// Callbacks as functions take them.
struct Lists {
    /// None of them.
    none: TVMFFIAny,
    pairs: Owned,
    /// Those of a mutation.
    triples: Owned,
}

impl Lists {
    /// The lists of callbacks that are told nothing else and of those that are told regions, and the order.
    fn plain(&self, order: i64) -> [TVMFFIAny; 3] {
        [self.pairs.any(), self.none, view::int(order)]
    }

    fn told(&self, order: i64) -> [TVMFFIAny; 3] {
        [self.none, self.pairs.any(), view::int(order)]
    }
}

/// The arguments of a call with callbacks.
type Args = fn(TVMFFIAny, &Lists) -> Vec<TVMFFIAny>;

/// What takes callbacks: in words, the global function, whether what a callback answers takes the value's place, and the arguments.
const CALLS: [(&str, &str, bool, Args); 10] = [
    ("a walk in pre order", WALK, false, |value, lists| with(value, lists.plain(PRE))),
    ("a walk in post order", WALK, false, |value, lists| with(value, lists.plain(POST))),
    ("a walk that tells regions", WALK, false, |value, lists| with(value, lists.told(PRE))),
    ("a walk that tells regions in post order", WALK, false, |value, lists| with(value, lists.told(POST))),
    ("a visit", VISIT, false, |value, lists| vec![value, lists.pairs.any()]),
    ("a map in pre order", MAP, true, |value, lists| with(value, lists.plain(PRE))),
    ("a map in post order", MAP, true, |value, lists| with(value, lists.plain(POST))),
    ("a map that tells regions", MAP, true, |value, lists| with(value, lists.told(PRE))),
    ("a map that tells regions in post order", MAP, true, |value, lists| with(value, lists.told(POST))),
    ("a mutation", MUTATE, true, |value, lists| vec![value, lists.triples.any()]),
];

fn with(value: TVMFFIAny, others: [TVMFFIAny; 3]) -> Vec<TVMFFIAny> {
    [&[value][..], &others].concat()
}

const WALK: &str = "ffi.StructuralWalk";
const VISIT: &str = "ffi.StructuralVisit";
const MAP: &str = "ffi.StructuralMap";
const MUTATE: &str = "ffi.StructuralMutate";

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
