//! Objects that are given away to a container that is empty, has room, is full, or takes another form: each is taken.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, given::Given, globals, view},
    trial::Trial,
};

/// Sizes around those at which a List grows, and at which a Dict becomes dense and then grows.
const SIZES: [usize; 12] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17];

/// How many times as many numbers a container had before the rest was taken out again.
const ROOMS: [usize; 2] = [1, 2];

/// Each function that puts a value into a List takes the object out of the caller's slot, be the List empty, full or with room, at its front, in its
/// middle and at its end.
#[check(ARG_0007)]
fn given_to_a_list_of_any_room(t: &Trial) -> Verdict {
    for (size, room) in SIZES.iter().flat_map(|size| ["as made", "full", "with room"].map(|room| (*size, room))) {
        for door in ["ffi.ListAppend", "ffi.ListInsert", "ffi.ListSetItem"] {
            let Some(function) = globals::find(t, door)? else { continue };
            for place in places(door, size) {
                let Some(list) = list(t, size, room)? else { continue };
                let size = t.sequence(list.handle())?.items.len();
                // The end is where it is now: a List that was filled up has become longer.
                let place = if place == Some(usize::MAX) { end(door, size) } else { place };
                if place.is_some_and(|place| place > size) {
                    continue;
                }
                let mut given = Given::default();
                let mut args = vec![list.any()];
                args.extend(place.map(|place| view::int(place as i64)));
                args.push(given.arg());
                drop(t.call(&function, &args)?);
                let what = format!("{door} at {place:?} of a List of {size}, {room}");
                let at = place.unwrap_or(size);
                let items = t.sequence(list.handle())?.items;
                let found = items.get(at).copied().unwrap_or(TVMFFIAny::NONE);
                t.any_eq(format_args!("the object given to {what}"), &found, &given.view())?;
                let expected = size + usize::from(door != "ffi.ListSetItem");
                t.eq(format_args!("size after {what}"), items.len(), expected)?;
                drop(list);
                given.is_taken_and_gone(t, what)?;
            }
        }
    }
    Ok(())
}

/// The places that a function is tried at; none where it takes no place. [`usize::MAX`] stands for the end.
fn places(door: &str, size: usize) -> Vec<Option<usize>> {
    let mut places = match door {
        "ffi.ListAppend" => return vec![None],
        "ffi.ListSetItem" if size == 0 => return Vec::new(),
        _ => vec![Some(0), Some(size / 2)],
    };
    places.dedup();
    places.push(Some(usize::MAX));
    places
}

/// The last place that a function takes.
fn end(door: &str, size: usize) -> Option<usize> {
    Some(if door == "ffi.ListSetItem" { size - 1 } else { size })
}

/// A List of about so many numbers: as it was made, without a free cell, or with some. `None` where the target has no Lists, or a List never
/// comes to that.
fn list(t: &Trial, size: usize, room: &str) -> Verdict<Option<Owned>> {
    let Some(make) = globals::find(t, "ffi.List")? else { return Ok(None) };
    let list = t.call(&make, &(0..size as i64).map(view::int).collect::<Vec<_>>())?;
    // More than a List grows by at once.
    for _ in 0..4 * size + 20 {
        let cell = t.sequence(list.handle())?.cell;
        let is_full = cell.size == cell.capacity;
        if room == "as made" || (room == "full") == is_full {
            return Ok(Some(list));
        }
        t.call_void("ffi.ListAppend", &[list.any(), view::int(0)])?;
    }
    Ok(None)
}

/// ffi.DictSetItem takes the key, the value or both out of the caller's slots, be the Dict empty, small, just about to become dense, dense or about to
/// grow, whether the key is new or there.
#[check(ARG_0007)]
fn given_to_a_dict_of_any_room(t: &Trial) -> Verdict {
    let Some(set) = globals::find(t, "ffi.DictSetItem")? else { return Ok(()) };
    for (size, room) in (0..=20).chain([33, 65]).flat_map(|size| ROOMS.map(|room| (size, room))) {
        let dict = || -> Verdict<Owned> {
            let pairs: Vec<_> = (0..(size * room) as i64).flat_map(|at| [view::int(at), view::int(-at)]).collect();
            let dict = t.call_global("ffi.Dict", &pairs)?;
            for key in size..size * room {
                t.call_void("ffi.DictErase", &[dict.any(), view::int(key as i64)])?;
            }
            Ok(dict)
        };
        let what = |given: &str| format!("ffi.DictSetItem, {given}, of a Dict of {size} that had {}", size * room);
        let holds = |dict: &Owned, key: &TVMFFIAny, value: &TVMFFIAny, what: &str| -> Verdict {
            let entries = t.map(dict.handle())?.entries;
            let found = entries.iter().find(|(found, _)| found.to_bytes() == key.to_bytes());
            let found = found.map_or(TVMFFIAny::NONE, |(_, value)| *value);
            t.any_eq(format_args!("the value that was given to {what}"), &found, value)
        };
        for at in [0, size / 2, size] {
            // The last is a new key.
            let (dict, mut value, key) = (dict()?, Given::default(), view::int(at as i64));
            t.call_void("ffi.DictSetItem", &[dict.any(), key, value.arg()])?;
            let what = what(&format!("a value for the key {at}"));
            holds(&dict, &key, &value.view(), &what)?;
            drop(dict);
            value.is_taken_and_gone(t, what)?;
        }
        let (new, mut key) = (dict()?, Given::default());
        t.call_void("ffi.DictSetItem", &[new.any(), key.arg(), view::int(4711)])?;
        holds(&new, &key.view(), &view::int(4711), &what("a key"))?;
        drop(new);
        key.is_taken_and_gone(t, what("a key"))?;
        let (both, mut key, mut value) = (dict()?, Given::default(), Given::default());
        drop(t.call(&set, &[both.any(), key.arg(), value.arg()])?);
        holds(&both, &key.view(), &value.view(), &what("a key and a value"))?;
        drop(both);
        key.is_taken_and_gone(t, what("the key of both"))?;
        value.is_taken_and_gone(t, what("the value of both"))?;
    }
    Ok(())
}
