//! Deep copies of containers of many elements, in which one object stands far from and near to itself.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        node::{changing_node_type, fields_of, node},
        view,
    },
    trial::Trial,
};

/// Around what a library may look at, or grow by, at once.
const SIZES: [usize; 7] = [5, 8, 9, 16, 17, 33, 100];

/// What occurs at two places of a container of up to a hundred elements is one object in the deep copy: at the first and the last place, beside
/// itself, at top or deeper in what stands there, as key and value of a map, and in fields.
#[check(REC_0017, patient = 2)]
fn sharing_in_many(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.copy.InMany", kTVMFFISEqHashKindTreeNode, [0; 2])?;
    for (make, size) in t.containers()?.into_iter().flat_map(|make| SIZES.map(|size| (make, size))) {
        let last = size - 1;
        for [one, other] in [[0, last], [0, 1], [last - 1, last], [size / 2 - 1, size / 2], [1, size / 2 + 1]] {
            // In turn: each depth and each kind of object comes with each size and each place.
            let turn = |at: &usize| (at + size + one + other) % DEPTHS.len() < 2;
            for (at, (depth, other_depth)) in DEPTHS.into_iter().enumerate().filter(|(at, _)| turn(at)) {
                let shared = match (at + size) % 3 {
                    0 => t.call_global("ffi.List", &[view::int(1)])?,
                    1 => t.call_global("ffi.Dict", &[view::int(1), view::int(2)])?,
                    _ => t.own(node(kind, view::int(1), view::int(2)).view()),
                };
                let places = [wrapped(t, kind, &shared, depth)?, wrapped(t, kind, &shared, other_depth)?];
                let whole = container(t, make, size, [one, other], &places)?;
                let copy = t.call_global("ffi.DeepCopy", &[whole.any()])?;
                let parts = parts(t, &copy)?;
                let what = format!(
                    "an object at the places {one} and {other} of {make} of {size}, {depth:?} and {other_depth:?}"
                );
                t.eq(format_args!("number of parts of the copy with {what}"), parts.len(), size)?;
                let first = unwrapped(t, parts[one], depth)?;
                t.type_index_eq(format_args!("type of the copy of {what}"), first.type_index, shared.any().type_index)?;
                t.any_eq(
                    format_args!("the second place of {what}"),
                    &unwrapped(t, parts[other], other_depth)?,
                    &first,
                )?;
            }
        }
    }
    Ok(())
}

/// What is a key of a map of up to a hundred entries and the value of another entry is one object in the deep copy.
#[check(REC_0017)]
fn sharing_of_keys_in_many(t: &Trial) -> Verdict {
    let kind = changing_node_type(t, "verify.copy.KeyInMany", kTVMFFISEqHashKindTreeNode, [0; 2])?;
    let makes = t.containers()?.into_iter().filter(|make| ["ffi.Map", "ffi.Dict"].contains(make));
    for (make, size) in makes.flat_map(|make| SIZES.map(|size| (make, size))) {
        let last = size - 1;
        for [key, value] in [[0, last], [last, 0], [0, 0], [last, last], [size / 2, size / 2 - 1]] {
            let list = t.call_global("ffi.List", &[view::int(1)])?;
            let shared = t.own(node(kind, list.any(), view::int(2)).view());
            let mut args: Vec<_> = (0..size as i64).flat_map(|at| [view::int(at), view::int(-at)]).collect();
            args[2 * key] = shared.any();
            args[2 * value + 1] = shared.any();
            let copy = t.call_global("ffi.DeepCopy", &[t.call_global(make, &args)?.any()])?;
            let entries = t.map(copy.handle())?.entries;
            let what = format!("the key {key} and the value {value} of {make} of {size}");
            t.eq(format_args!("number of entries of the copy that shares {what}"), entries.len(), size)?;
            t.any_eq(format_args!("the copy of {what}"), &entries[value].1, &entries[key].0)?;
        }
    }
    Ok(())
}

/// How deep what is shared stands at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Depth {
    AtTop,
    InAnArray,
    InAField,
}

const DEPTHS: [(Depth, Depth); 5] = [
    (Depth::AtTop, Depth::AtTop),
    (Depth::AtTop, Depth::InAnArray),
    (Depth::InAnArray, Depth::InAnArray),
    (Depth::InAField, Depth::AtTop),
    (Depth::InAField, Depth::InAnArray),
];

/// What stands at the place of a shared object.
fn wrapped(t: &Trial, kind: i32, shared: &Owned, depth: Depth) -> Verdict<Owned> {
    match depth {
        Depth::AtTop => {
            let mut owned = TVMFFIAny::NONE;
            t.ok(t.api.TVMFFIAnyViewToOwnedAny(&shared.any(), &mut owned))?;
            Ok(t.own(owned))
        }
        Depth::InAnArray => {
            let inner = t.call_global("ffi.Array", &[view::int(0), shared.any()])?;
            t.call_global("ffi.Array", &[inner.any()])
        }
        Depth::InAField => Ok(t.own(node(kind, shared.any(), view::int(3)).view())),
    }
}

/// What stands there of the shared object.
fn unwrapped(t: &Trial, at: TVMFFIAny, depth: Depth) -> Verdict<TVMFFIAny> {
    match depth {
        Depth::AtTop => Ok(at),
        Depth::InAnArray => {
            let inner = t.element(at.payload() as TVMFFIObjectHandle, 0)?;
            t.element(inner.payload() as TVMFFIObjectHandle, 1)
        }
        Depth::InAField => match fields_of(&at) {
            Some(fields) => Ok(fields.first),
            None => Err(t.failure("the copy of an object", "two fields", "nothing that can be read")),
        },
    }
}

/// A container of so many numbers, with other values at two of the places.
fn container(t: &Trial, make: &str, size: usize, places: [usize; 2], values: &[Owned; 2]) -> Verdict<Owned> {
    let mut items: Vec<_> = (0..size as i64).map(view::int).collect();
    places.into_iter().zip(values).for_each(|(place, value)| items[place] = value.any());
    match make {
        "ffi.Array" | "ffi.List" => t.call_global(make, &items),
        _ => {
            let pairs: Vec<_> = (0..).zip(items).flat_map(|(key, value)| [view::int(key), value]).collect();
            t.call_global(make, &pairs)
        }
    }
}

/// The elements of a copy, or its values in their order.
fn parts(t: &Trial, copy: &Owned) -> Verdict<Vec<TVMFFIAny>> {
    match copy.any().type_index {
        kTVMFFIMap | kTVMFFIDict => Ok(t.map(copy.handle())?.entries.into_iter().map(|(_, value)| value).collect()),
        _ => Ok(t.sequence(copy.handle())?.items),
    }
}
