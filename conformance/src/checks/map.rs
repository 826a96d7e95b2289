//! Maps: making and reading them, their order, and both layouts as clients read them.

use std::ffi::c_void;

use proptest::collection::vec;
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{
            client::{self, ends_of},
            keys::{Pool, Value, text_object, values},
            map::{DenseCell, EMPTY, ENTRY, MEMBER, MapCell, NOWHERE, SIZE, SMALL, SMALL_SLOTS},
        },
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

// ---- making and reading ----------------------------------------------------------------------------------------------

/// `ffi.Map` makes a Map of its arguments, which are keys and values in turn.
#[check(MAP_0001)]
fn of_its_arguments(t: &Trial) -> Verdict {
    let map = ints(t, &[(3, 30), (1, 10), (2, 20)])?;
    t.eq("type_index of the result", map.any().type_index, kTVMFFIMap)?;
    t.eq("type_index in the header", t.header(map.handle())?.type_index, kTVMFFIMap)?;
    t.eq("strong count of a new Map", t.counts(map.handle())?.0, 1)?;
    t.maps_ints(map.handle(), &[(3, 30), (1, 10), (2, 20)])
}

/// `ffi.Map` makes an empty Map of no arguments.
#[check(MAP_0001)]
fn empty(t: &Trial) -> Verdict {
    let map = ints(t, &[])?;
    t.eq("type_index of the result", map.any().type_index, kTVMFFIMap)?;
    t.eq("ffi.MapSize", t.call_int("ffi.MapSize", &[map.any()])?, 0)?;
    t.eq("ffi.MapCount", t.call_int("ffi.MapCount", &[map.any(), TVMFFIAny::NONE])?, 0)?;
    t.maps_ints(map.handle(), &[])
}

/// `ffi.MapGetItem` finds every key of a Map of 1 to 300 entries.
#[check(MAP_0002)]
fn of_every_size(t: &Trial) -> Verdict {
    for len in [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33, 300] {
        let entries: Vec<_> = (0..len).map(|key| (key * 7, key)).collect();
        let map = ints(t, &entries)?;
        t.eq("ffi.MapSize", t.call_int("ffi.MapSize", &[map.any()])?, len)?;
        for (key, value) in &entries {
            let found = t.call_int("ffi.MapGetItem", &[map.any(), view::int(*key)])?;
            t.eq(format_args!("value of {key} among {len}"), found, *value)?;
        }
        t.eq("ffi.MapCount of no key", t.call_int("ffi.MapCount", &[map.any(), view::int(1)])?, 0)?;
    }
    Ok(())
}

/// `ffi.MapGetItem` finds keys among 100,000, and `ffi.MapCount` is 0 for other keys.
#[check(MAP_0002, patient = 3)]
fn of_a_hundred_thousand(t: &Trial) -> Verdict {
    const COUNT: i64 = 100_000;
    let args: Vec<_> = (0..COUNT).flat_map(|key| [view::int(key * 3), view::int(key)]).collect();
    let map = t.call_global("ffi.Map", &args)?;
    t.eq("ffi.MapSize", t.call_int("ffi.MapSize", &[map.any()])?, COUNT)?;
    let get = t.global("ffi.MapGetItem")?;
    for key in (0..COUNT).step_by(997) {
        let found = t.call(&get, &[map.any(), view::int(key * 3)])?;
        t.any_eq(format_args!("value of {}", key * 3), &found.any(), &view::int(key))?;
        t.eq("ffi.MapCount of no key", t.call_int("ffi.MapCount", &[map.any(), view::int(key * 3 + 1)])?, 0)?;
    }
    Ok(())
}

/// `ffi.MapGetItem` answers a new reference to a value that is an object.
#[check(MAP_0003)]
fn get_is_owned(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let object = Homemade::new(kTVMFFIObject, ());
        let mut args = vec![view::int(-1), object.view()];
        args.extend((0..others).flat_map(|key| [view::int(key), view::int(key)]));
        let map = t.call_global("ffi.Map", &args)?;
        let value = t.call_global("ffi.MapGetItem", &[map.any(), view::int(-1)])?;
        t.any_eq("the answer", &value.any(), &object.view())?;
        t.eq("strong count with the answer", object.counts().0, 3)?;
        drop(value);
        t.eq("strong count without it", object.counts().0, 2)?;
    }
    Ok(())
}

/// `ffi.MapSize` answers the number of keys, and `ffi.MapCount` 1 or 0.
#[check(MAP_0004)]
fn count_and_size(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let map = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        t.eq("ffi.MapSize", t.call_int("ffi.MapSize", &[map.any()])?, len)?;
        for key in -2..len + 2 {
            let count = t.call_int("ffi.MapCount", &[map.any(), view::int(key)])?;
            t.eq(format_args!("ffi.MapCount of {key} among {len}"), count, (0..len).contains(&key).into())?;
        }
    }
    Ok(())
}

/// `ffi.MapGetItem` raises a KeyError for a key that the Map does not have.
#[check(MAP_0005)]
fn missing_key(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let map = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        for key in [view::int(99), TVMFFIAny::NONE, view::float(1.0), view::c_str(c"a text that is not short")] {
            t.refuses("ffi.MapGetItem", &[map.any(), key], &["KeyError"])?;
        }
        t.eq("counts of the Map", t.counts(map.handle())?, (1, 1))?;
    }
    Ok(())
}

/// `ffi.MapGetItemOrMissing` answers a key's value, or one sentinel object for every missing key.
#[check(MAP_0006)]
fn or_missing(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let map = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        for key in 0..len {
            let found = t.call_int("ffi.MapGetItemOrMissing", &[map.any(), view::int(key)])?;
            t.eq(format_args!("value of {key}"), found, key)?;
        }
        let missing = t.call_global("ffi.MapGetItemOrMissing", &[map.any(), view::int(len)])?;
        t.eq("type_index of the sentinel", missing.any().type_index, kTVMFFIObject)?;
        let again = t.call_global("ffi.MapGetItemOrMissing", &[map.any(), TVMFFIAny::NONE])?;
        t.eq("the sentinel for another key", again.handle(), missing.handle())?;
    }
    Ok(())
}

/// Maps and Dicts answer the object of `ffi.GetInvalidObject` for a missing key.
#[check(MAP_0007)]
fn sentinel_is_one(t: &Trial) -> Verdict {
    let sentinel = t.call_global("ffi.GetInvalidObject", &[])?;
    for name in ["ffi.Map", "ffi.Dict"] {
        let empty = t.call_global(name, &[])?;
        let missing = t.call_global(&format!("{name}GetItemOrMissing"), &[empty.any(), view::int(1)])?;
        t.eq(format_args!("sentinel of {name}"), missing.handle(), sentinel.handle())?;
    }
    Ok(())
}

// ---- keys that are given again, and order ----------------------------------------------------------------------------

/// `ffi.Map` keeps one entry, with the last value, for a key that is given several times.
#[check(MAP_0008)]
fn last_value(t: &Trial) -> Verdict {
    for others in [0, 3, 20] {
        let mut entries = vec![(-1, 1), (-1, 2)];
        entries.extend((0..others).map(|key| (key, key)));
        entries.push((-1, 3));
        let map = ints(t, &entries)?;
        t.eq("ffi.MapSize", t.call_int("ffi.MapSize", &[map.any()])?, others + 1)?;
        t.eq("value of the key", t.call_int("ffi.MapGetItem", &[map.any(), view::int(-1)])?, 3)?;
        t.map(map.handle())?;
    }
    Ok(())
}

/// `ffi.Map` keeps the key object that was given first and releases equal ones that follow.
#[check(MAP_0009)]
fn first_key(t: &Trial) -> Verdict {
    for others in [0, 3, 20] {
        let [first, second] = [(); 2].map(|()| text_object(kTVMFFIStr, b"a text that is not short"));
        let mut args = vec![first.view(), view::int(1)];
        args.extend((0..others).flat_map(|key| [view::int(key), view::int(key)]));
        args.extend([second.view(), view::int(2)]);
        let map = t.call_global("ffi.Map", &args)?;
        t.eq("strong counts of the keys", (first.counts().0, second.counts().0), (2, 1))?;
        t.eq("value of the key", t.call_int("ffi.MapGetItem", &[map.any(), second.view()])?, 2)?;
        let kept = t.map(map.handle())?.entries.iter().any(|(key, _)| key.payload() == first.handle() as u64);
        t.eq("whether the key that came first is there", kept, true)?;
    }
    Ok(())
}

/// The entries of a Map are in the order in which their keys were given.
#[check(MAP_0010)]
fn order(t: &Trial) -> Verdict {
    for len in [2, 3, 4, 5, 9, 40, 200] {
        let entries: Vec<_> = (0..len).map(|key| (key * 7919 % 1000 - 500, key)).collect();
        t.maps_ints(ints(t, &entries)?.handle(), &entries)?;
    }
    Ok(())
}

/// A key that is given again while the Map is small and has room keeps its place.
#[check(MAP_0011)]
fn order_small(t: &Trial) -> Verdict {
    let map = ints(t, &[(1, 10), (2, 20), (1, 11)])?;
    t.maps_ints(map.handle(), &[(1, 11), (2, 20)])?;
    let map = ints(t, &[(1, 10), (2, 20), (3, 30), (2, 21), (1, 11)])?;
    t.maps_ints(map.handle(), &[(1, 11), (2, 21), (3, 30)])
}

/// A key that is given again while the Map is dense becomes the last.
#[check(MAP_0012)]
fn order_dense(t: &Trial) -> Verdict {
    let map = ints(t, &[(1, 10), (2, 20), (3, 30), (4, 40), (5, 50), (2, 21)])?;
    t.maps_ints(map.handle(), &[(1, 10), (3, 30), (4, 40), (5, 50), (2, 21)])?;
    let map = ints(t, &[(1, 10), (2, 20), (3, 30), (4, 40), (5, 50), (5, 51), (1, 11)])?;
    t.maps_ints(map.handle(), &[(2, 20), (3, 30), (4, 40), (5, 51), (1, 11)])
}

/// A key that is given again while the Map has four entries becomes the last.
#[check(MAP_0013)]
fn order_full(t: &Trial) -> Verdict {
    let map = ints(t, &[(1, 10), (2, 20), (3, 30), (4, 40), (2, 21)])?;
    t.maps_ints(map.handle(), &[(1, 10), (3, 30), (4, 40), (2, 21)])
}

/// The function that `ffi.MapForwardIterFunctor` answers walks through every entry in order, then tells the end.
#[check(MAP_0014)]
fn iterates(t: &Trial) -> Verdict {
    for len in [1, 2, 4, 5, 30] {
        let entries: Vec<_> = (0..len).map(|key| (key * 37 % 101, key)).collect();
        let map = ints(t, &entries)?;
        let next = t.call_global("ffi.MapForwardIterFunctor", &[map.any()])?;
        t.eq("type_index of an iterator", next.any().type_index, kTVMFFIFunction)?;
        for (index, (key, value)) in entries.iter().enumerate() {
            for _ in 0..2 {
                let got = (ask(t, &next, 0)?, ask(t, &next, 1)?);
                t.eq(format_args!("entry {index} of {len}"), got, (view::int(*key).payload(), *value as u64))?;
            }
            let moved = t.call(&next, &[view::int(2)])?.any();
            t.any_eq(format_args!("answer behind entry {index}"), &moved, &view::bool(index + 1 < entries.len()))?;
        }
    }
    Ok(())
}

/// Two functions from `ffi.MapForwardIterFunctor` walk through one Map independently.
#[check(MAP_0014)]
fn iterators_apart(t: &Trial) -> Verdict {
    for len in [4, 30] {
        let map = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        let [one, other] = [(); 2].map(|()| t.call_global("ffi.MapForwardIterFunctor", &[map.any()]));
        let (one, other) = (one?, other?);
        t.call(&one, &[view::int(2)])?;
        t.call(&one, &[view::int(2)])?;
        t.eq("keys that two iterators are at", (ask(t, &one, 0)?, ask(t, &other, 0)?), (2, 0))?;
    }
    Ok(())
}

/// What an iterator answers to a command.
fn ask(t: &Trial, iterator: &Owned, command: i64) -> Verdict<u64> {
    Ok(t.call(iterator, &[view::int(command)])?.any().payload())
}

// ---- layouts ---------------------------------------------------------------------------------------------------------

/// A Map of up to four entries keeps them in order behind its fields and has no `data_deleter`.
#[check(MAP_0015)]
fn small(t: &Trial) -> Verdict {
    for len in 0..=SMALL_SLOTS as i64 {
        let map = ints(t, &(0..len).map(|key| (key, -key)).collect::<Vec<_>>())?;
        let cell: MapCell = t.cell("cell", map.handle())?;
        t.ne("the bit of the small layout", cell.slots & SMALL, 0)?;
        t.eq("size", cell.size, len as u64)?;
        t.eq("distance of the entries from the object", cell.data as usize - map.handle() as usize, SIZE)?;
        t.that("data_deleter", cell.data_deleter.is_none(), "NULL", "a function")?;
        for index in 0..len {
            let entry: [TVMFFIAny; 2] =
                t.read("entry", cell.data.wrapping_byte_add(index as usize * ENTRY).cast_const().cast())?;
            t.any_eq(format_args!("key {index}"), &entry[0], &view::int(index))?;
            t.any_eq(format_args!("value {index}"), &entry[1], &view::int(-index))?;
        }
    }
    Ok(())
}

/// A small Map has memory for as many entries as its slots tell, which are at most four.
#[check(MAP_0016)]
fn small_room(t: &Trial) -> Verdict {
    // Maps side by side: whoever tells of more room than it has shares it with its neighbour.
    let maps: Vec<_> =
        (0..40).map(|number| ints(t, &vec![(number, number); number as usize % 2])).collect::<Verdict<_>>()?;
    for (number, map) in maps.iter().enumerate() {
        let cell: MapCell = t.cell("cell", map.handle())?;
        t.that("slots", cell.slots & SMALL != 0 && cell.slots & !SMALL <= SMALL_SLOTS, "at most 4, small", cell.slots)?;
        for index in cell.size as i64..(cell.slots & !SMALL) as i64 {
            client::set_in_dict(t, map.handle(), [view::int(1000 + index), view::int(-1)], client::remember_buffer)?;
        }
        let grown = t.call_int("ffi.MapSize", &[map.any()])?;
        t.eq(format_args!("ffi.MapSize of Map {number}"), grown as u64, cell.slots & !SMALL)?;
    }
    for (number, map) in maps.iter().enumerate() {
        let expected = if number % 2 == 1 { number as i64 } else { 1000 };
        let entries = t.map(map.handle())?.entries;
        t.any_eq(format_args!("first key of Map {number}"), &entries[0].0, &view::int(expected))?;
    }
    Ok(())
}

/// A Map of more than four entries is dense: it keeps them in blocks of 16 slots.
#[check(MAP_0017)]
fn dense(t: &Trial) -> Verdict {
    for len in [5, 6, 8, 9, 15, 16, 17, 31, 100, 1000] {
        let entries: Vec<_> = (0..len).map(|key| (key * 11, key)).collect();
        let map = ints(t, &entries)?;
        let read = t.map(map.handle())?;
        t.that("layout of a Map of more than four", read.dense.is_some(), "dense", "small")?;
        t.maps_ints(map.handle(), &entries)?;
    }
    Ok(())
}

/// A dense Map keeps its blocks outside of the object and has a `data_deleter` for them.
#[check(MAP_0018)]
fn dense_deleter(t: &Trial) -> Verdict {
    let map = ints(t, &(0..9).map(|key| (key, key)).collect::<Vec<_>>())?;
    let cell: MapCell = t.cell("cell", map.handle())?;
    t.that("data_deleter", cell.data_deleter.is_some(), "a function", "NULL")?;
    t.ne("address of the blocks", cell.data, map.handle().wrapping_byte_add(SIZE))
}

/// The chain of each key of a dense Map begins in the slot that the key's hash leads to, and slots share chains.
#[check(MAP_0019)]
fn chains(t: &Trial) -> Verdict {
    // Keys with the same home, so that chains are long and others have to make way.
    for step in [1_i64, 7, 1 << 20, 1 << 40, 0x0101_0101_0101] {
        let entries: Vec<_> = (0..60).map(|key| (key * step, key)).collect();
        let map = ints(t, &entries)?;
        let read = t.map(map.handle())?;
        let Some(dense) = read.dense else { return Err(t.failure("layout of a Map of sixty", "dense", "small")) };
        let members = dense.slots.iter().filter(|(meta, _)| *meta != EMPTY && meta & MEMBER != 0).count();
        t.that("entries that are not the first of their chain", members < 60, "fewer than all", members)?;
        t.maps_ints(map.handle(), &entries)?;
    }
    Ok(())
}

/// Each entry of a dense Map is linked to the one in front of it and the one behind it.
#[check(MAP_0020)]
fn links(t: &Trial) -> Verdict {
    let entries: Vec<_> = (0..20).map(|key| (key * 31, key)).collect();
    let map = ints(t, &entries)?;
    let read = t.map(map.handle())?;
    let Some(dense) = read.dense else { return Err(t.failure("layout of a Map of twenty", "dense", "small")) };
    let (mut place, mut keys) = (dense.cell.tail, Vec::new());
    while let Some((_, Some(item))) = dense.slots.get(place as usize) {
        keys.push(item.key.payload() as i64);
        place = item.prev;
    }
    t.eq("what is in front of the first entry", place, NOWHERE)?;
    t.eq("keys from the last to the first", keys, entries.iter().rev().map(|(key, _)| *key).collect())
}

/// A dense Map of five or six integers has each entry in the slot in which the public library puts it.
#[check(MAP_0021)]
fn places(t: &Trial) -> Verdict {
    let expected = [(1, 0, 0), (2, 0, 21), (3, 0, 28), (5, 0, 7), (6, 0, 14)];
    places_are(t, 5, 8, &expected)?;
    let expected = [(1, 0, 0), (2, 0, 21), (3, 0, 28), (5, 0, 7), (6, 0, 14), (7, 0, 35)];
    places_are(t, 6, 8, &expected)
}

/// A dense Map of nine or twelve integers has each entry in the slot in which the public library puts it.
#[check(MAP_0021)]
fn places_of_twelve(t: &Trial) -> Verdict {
    let expected = [
        (1, 0x00, 42),
        (2, 0x00, 0),
        (5, 0x00, 21),
        (6, 0x00, 28),
        (10, 0x00, 49),
        (11, 0x02, 7),
        (12, 0x00, 14),
        (13, 0x80, 56),
        (15, 0x00, 35),
    ];
    places_are(t, 9, 16, &expected)?;
    let expected = [
        (0, 0x80, 77),
        (1, 0x00, 42),
        (2, 0x00, 0),
        (4, 0x00, 63),
        (5, 0x00, 21),
        (6, 0x01, 28),
        (7, 0x80, 70),
        (10, 0x00, 49),
        (11, 0x02, 7),
        (12, 0x00, 14),
        (13, 0x80, 56),
        (15, 0x01, 35),
    ];
    places_are(t, 12, 16, &expected)
}

/// Expects a Map of the first `len` multiples of 7 to have that many slots, and used ones with this metadata and key.
fn places_are(t: &Trial, len: i64, slots: usize, expected: &[(usize, u8, i64)]) -> Verdict {
    let map = ints(t, &(0..len).map(|key| (key * 7, key)).collect::<Vec<_>>())?;
    let Some(dense) = t.map(map.handle())?.dense else { return Err(t.failure("layout", "dense", "small")) };
    t.eq("slots", dense.slots.len(), slots)?;
    let used = dense.slots.iter().enumerate().filter_map(|(place, (meta, item))| {
        let key = item.as_ref()?.key.payload() as i64;
        Some((place, *meta, key))
    });
    t.eq("used slots, with metadata and key", used.collect::<Vec<_>>(), expected.to_vec())
}

// ---- what it keeps ---------------------------------------------------------------------------------------------------

/// A Map owns its texts: a C string becomes a String and a byte array becomes Bytes, each a copy.
#[check(MAP_0022)]
fn owns_texts(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let (mut key, mut value) = (*b"a key that is not short\0", *b"a value that is not short");
        let span = TVMFFIByteArray::new(&value);
        let mut args = vec![TVMFFIAny::new(kTVMFFIRawStr, key.as_ptr() as u64), view::byte_array(&span)];
        args.extend((0..others).flat_map(|key| [view::int(key), view::int(key)]));
        let map = t.call_global("ffi.Map", &args)?;
        key.fill(b'#');
        value.fill(b'#');
        std::hint::black_box((&key, &value));
        let found = t.call_global("ffi.MapGetItem", &[map.any(), view::c_str(c"a key that is not short")])?;
        t.eq("type_index of the value", found.any().type_index, kTVMFFIBytes)?;
        t.eq("value", String::from_utf8_lossy(&t.text(&found.any())?), "a value that is not short".into())?;
        t.map(map.handle())?;
    }
    Ok(())
}

/// A Map keeps keys and values of every type to the bit, with zero in the bytes that they do not use.
#[check(MAP_0022)]
fn every_kind(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let (small, heap) = (t.string(b"seven_b")?, t.string(b"a text that is not short")?);
    let bytes = t.bytes(b"\0bytes\xff")?;
    let values = [
        TVMFFIAny::NONE,
        view::bool(true),
        view::int(1),
        view::float(1.0),
        TVMFFIAny::new(kTVMFFIDevice, 7 << 32 | 2),
        TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002),
        small.any(),
        heap.any(),
        bytes.any(),
        object.view(),
    ];
    for count in [3, values.len()] {
        for first in [0, values.len() - count] {
            let part = &values[first..first + count];
            let args: Vec<_> = part.iter().zip(part.iter().rev()).flat_map(|(key, value)| [*key, *value]).collect();
            let map = t.call_global("ffi.Map", &args)?;
            let entries = t.map(map.handle())?.entries;
            t.eq("number of entries", entries.len(), count)?;
            for (index, ((key, value), expected)) in entries.iter().zip(args.chunks(2)).enumerate() {
                t.any_eq(format_args!("key {index}"), key, &expected[0])?;
                t.any_eq(format_args!("value {index}"), value, &expected[1])?;
                let found = t.call_global("ffi.MapGetItem", &[map.any(), expected[0]])?;
                t.any_eq(format_args!("answer for key {index}"), &found.any(), &expected[1])?;
            }
        }
    }
    Ok(())
}

/// A Map holds one strong reference for each key and each value.
#[check(MAP_0023)]
fn holds_once(t: &Trial) -> Verdict {
    for len in [1, 2, 3, 4, 5, 9, 40] {
        let (key, value) = (Homemade::new(kTVMFFIObject, ()), Homemade::new(kTVMFFIObject, ()));
        let mut args = vec![key.view(), value.view()];
        args.extend((1..len).flat_map(|number| [view::int(number), value.view()]));
        let map = t.call_global("ffi.Map", &args)?;
        let counts = || (key.counts().0, value.counts().0);
        t.eq(format_args!("strong counts of a key and of a value in {len} entries"), counts(), (2, 1 + len as u32))?;
        drop(map);
        t.eq("strong counts after the Map", counts(), (1, 1))?;
    }
    Ok(())
}

/// A Map that ends releases each key and each value once.
#[check(MAP_0023)]
fn ends_entries(t: &Trial) -> Verdict {
    for len in [2, 4, 5, 12] {
        let objects: Vec<_> = (0..2 * len).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
        let map = t.call_global("ffi.Map", &objects.iter().map(Homemade::view).collect::<Vec<_>>())?;
        objects.iter().for_each(|object| homemade::release(object.handle()));
        t.that("ends while the Map lives", objects.iter().all(|object| object.ends().is_empty()), "none", "some")?;
        drop(map);
        for (index, object) in objects.iter().enumerate() {
            let what = format_args!("calls of the deleter of key or value {index} of {len} entries");
            t.eq(what, object.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])?;
        }
    }
    Ok(())
}

/// A Map does not hold a value that a later one for an equal key has replaced.
#[check(MAP_0023)]
fn releases_replaced(t: &Trial) -> Verdict {
    for others in [0, 3, 12] {
        let [key, first, last] = [(); 3].map(|()| Homemade::new(kTVMFFIObject, ()));
        let mut args = vec![key.view(), first.view()];
        args.extend((0..others).flat_map(|number| [view::int(number), view::int(0)]));
        args.extend([key.view(), last.view()]);
        let map = t.call_global("ffi.Map", &args)?;
        let counts = || [&key, &first, &last].map(|object| object.counts().0);
        t.eq("strong counts of key, replaced and last value", counts(), [2, 1, 2])?;
        drop(map);
        t.eq("strong counts after the Map", counts(), [1, 1, 1])?;
    }
    Ok(())
}

/// A Map releases its entries with its last strong reference, even while a weak reference keeps its memory.
#[check(MAP_0023)]
fn ends_with_weak(t: &Trial) -> Verdict {
    for others in [0, 12] {
        let object = Homemade::new(kTVMFFIObject, ());
        let mut args = vec![object.view(), object.view()];
        args.extend((0..others).flat_map(|number| [view::int(number), view::int(0)]));
        let map = t.call_global("ffi.Map", &args)?;
        let handle = map.handle();
        homemade::retain_weak(handle);
        drop(map);
        t.eq("strong count of an entry of a Map that only a weak reference is left to", object.counts().0, 1)?;
        t.eq("counts of the Map", t.counts(handle)?, (0, 1))?;
        homemade::release_weak(handle);
        t.eq("strong count of the entry when the memory is gone", object.counts().0, 1)?;
    }
    Ok(())
}

// ---- refusing --------------------------------------------------------------------------------------------------------

/// `ffi.Map` raises an error for a key without a value and holds none of its arguments.
#[check(MAP_0024)]
fn odd(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    t.refuses("ffi.Map", &[object.view()], &[])?;
    t.refuses("ffi.Map", &[object.view(), view::int(1), object.view()], &[])?;
    t.eq("strong count of what was refused", object.counts().0, 1)
}

/// Each function of a Map, with the number of its arguments.
const FUNCTIONS: &[(&str, usize)] =
    &[("ffi.MapSize", 1), ("ffi.MapGetItem", 2), ("ffi.MapCount", 2), ("ffi.MapForwardIterFunctor", 1)];

/// The functions of a Map raise a TypeError for an argument that is no Map.
#[check(MAP_0025)]
fn other_types(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[])?;
    for (name, count) in FUNCTIONS {
        for value in [TVMFFIAny::NONE, view::int(0), view::c_str(c"text"), array.any()] {
            t.refuses(name, &[value, view::int(0)][..*count], &["TypeError"])?;
        }
    }
    Ok(())
}

/// The functions of a Map raise a TypeError for one argument too few or too many.
#[check(MAP_0026)]
fn argument_count(t: &Trial) -> Verdict {
    let map = ints(t, &[(1, 1)])?;
    for (name, count) in FUNCTIONS {
        let args = [map.any(), view::int(1), view::int(1)];
        t.refuses(name, &args[..count - 1], &["TypeError"])?;
        t.refuses(name, &args[..count + 1], &["TypeError"])?;
    }
    Ok(())
}

/// The functions of a Map leave its reference counts as they were, once an iterator over it has ended.
#[check(MAP_0027)]
fn lent(t: &Trial) -> Verdict {
    for len in [2, 12] {
        let map = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        for (name, count) in &FUNCTIONS[..3] {
            t.call_global(name, &[map.any(), view::int(1)][..*count])?;
            t.eq(format_args!("counts after {name}"), t.counts(map.handle())?, (1, 1))?;
        }
        t.refuses("ffi.MapGetItem", &[map.any(), view::int(-1)], &[])?;
        t.eq("counts after a refused call", t.counts(map.handle())?, (1, 1))?;
        // An iterator may hold the Map, but no longer than it lives.
        drop(t.call_global("ffi.MapForwardIterFunctor", &[map.any()])?);
        t.eq("counts after an iterator", t.counts(map.handle())?, (1, 1))?;
    }
    Ok(())
}

// ---- clients ---------------------------------------------------------------------------------------------------------

/// Expects a Map with the keys 0 to `len` and the same as values to be read through its functions.
fn reads(t: &Trial, map: TVMFFIAny, len: i64) -> Verdict {
    t.eq("ffi.MapSize", t.call_int("ffi.MapSize", &[map])?, len)?;
    for key in 0..len {
        let found = t.call_int("ffi.MapGetItem", &[map, view::int(key)])?;
        t.eq(format_args!("value of {key}"), found, key)?;
    }
    t.eq("ffi.MapCount of no key", t.call_int("ffi.MapCount", &[map, view::int(len)])?, 0)?;
    t.refuses("ffi.MapGetItem", &[map, view::int(-1)], &["KeyError"])?;
    let next = t.call_global("ffi.MapForwardIterFunctor", &[map])?;
    for key in 0..len {
        t.eq("key that an iterator is at", ask(t, &next, 0)?, key as u64)?;
        t.eq(format_args!("answer behind key {key}"), ask(t, &next, 2)?, (key + 1 < len).into())?;
    }
    Ok(())
}

fn numbered(len: i64) -> Vec<[TVMFFIAny; 2]> {
    (0..len).map(|key| [view::int(key), view::int(key)]).collect()
}

/// A small Map that a client has made is read like one of the library's own.
#[check(MAP_0028)]
fn client_small(t: &Trial) -> Verdict {
    for (len, slots) in [(1, 2), (2, 2), (3, 4), (4, 4)] {
        reads(t, client::small_map(kTVMFFIMap, &numbered(len), slots).view(), len)?;
    }
    Ok(())
}

/// A small Map with three slots, which a client has made, is read like one of the library's own.
#[check(MAP_0028)]
fn client_three_slots(t: &Trial) -> Verdict {
    reads(t, client::small_map(kTVMFFIMap, &numbered(3), 3).view(), 3)
}

/// A dense Map that a client has made is read like one of the library's own.
#[check(MAP_0028)]
fn client_dense(t: &Trial) -> Verdict {
    for (len, slots) in [(1, 8), (4, 8), (8, 8), (12, 16), (60, 64), (100, 256)] {
        let map = client::dense_map(t, kTVMFFIMap, &numbered(len), slots)?;
        t.map(map.handle())?;
        reads(t, map.view(), len)?;
    }
    Ok(())
}

/// A Map that a client has made ends once, by the client's deleter, when the library drops the last reference.
#[check(MAP_0028)]
fn client_released(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let entries: Vec<_> = (0..6).map(|key| [view::int(key), object.view()]).collect();
    let small = client::small_map(kTVMFFIMap, &entries[..3], 4);
    let dense = client::dense_map(t, kTVMFFIMap, &entries, 16)?;
    let blocks: *mut c_void = t.map(dense.handle())?.cell.data;
    for map in [&small, &dense] {
        let holder = t.call_global("ffi.Map", &[view::int(0), map.view()])?;
        homemade::release(map.handle());
        t.eq("ends of a Map while another one holds it", map.ends(), vec![])?;
        drop(holder);
        t.eq("calls of the client's deleter", map.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])?;
    }
    t.eq("ends of the blocks", ends_of(blocks), 1)?;
    t.eq("strong count of the values", object.counts().0, 1)
}

/// A Map with zero slots and no data is read as an empty Map.
#[check(MAP_0029)]
fn moved_out(t: &Trial) -> Verdict {
    let map = client::small_map(kTVMFFIMap, &[], 2);
    client::leave_moved(map.handle());
    t.eq("ffi.MapSize", t.call_int("ffi.MapSize", &[map.view()])?, 0)?;
    for key in [view::int(0), view::c_str(c"a text that is not short"), TVMFFIAny::NONE] {
        t.eq("ffi.MapCount", t.call_int("ffi.MapCount", &[map.view(), key])?, 0)?;
        t.refuses("ffi.MapGetItem", &[map.view(), key], &["KeyError"])?;
    }
    Ok(())
}

/// The functions of a Map read nothing behind the last entry of a small Map.
#[check(MAP_0030)]
fn not_past_size(t: &Trial) -> Verdict {
    let map = client::small_map(kTVMFFIMap, &numbered(1), 4);
    for key in [view::c_str(c"a text that is not short"), view::int(1), TVMFFIAny::NONE] {
        t.eq("ffi.MapCount of no key", t.call_int("ffi.MapCount", &[map.view(), key])?, 0)?;
    }
    reads(t, map.view(), 1)
}

/// The functions of a Map read nothing in the empty slots of a dense Map.
#[check(MAP_0030)]
fn not_empty_slots(t: &Trial) -> Verdict {
    // The items of the slots that are empty are all ones: no values, and no slots.
    let map = client::dense_map(t, kTVMFFIMap, &numbered(5), 64)?;
    let cell: DenseCell = t.cell("cell", map.handle())?;
    t.eq("slots", cell.map.slots, 64)?;
    for key in 0..200 {
        let count = t.call_int("ffi.MapCount", &[map.view(), view::int(key)])?;
        t.eq(format_args!("ffi.MapCount of {key}"), count, (key < 5).into())?;
    }
    let text = view::c_str(c"a text that is not short");
    t.eq("ffi.MapCount of a text", t.call_int("ffi.MapCount", &[map.view(), text])?, 0)?;
    reads(t, map.view(), 5)
}

// ---- threads and memory ----------------------------------------------------------------------------------------------

/// Four threads may read one Map at the same time.
#[check(MAP_0031)]
fn readers(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let mut args: Vec<_> = (0..20).flat_map(|key| [view::int(key), object.view()]).collect();
    args.extend([view::c_str(c"a text that is not short"), object.view()]);
    let map = t.call_global("ffi.Map", &args)?;
    let (map_word, get) = (map.any().payload(), t.global("ffi.MapGetItem")?.handle() as usize);
    t.api.note("4 threads call ffi.MapGetItem");
    t.threads(4, |t, _| {
        for round in 0..300 {
            let key = if round % 3 == 0 { view::c_str(c"a text that is not short") } else { view::int(round % 20) };
            let (args, mut result) = ([TVMFFIAny::new(kTVMFFIMap, map_word), key], TVMFFIAny::NONE);
            let Some(call) = t.api.table().TVMFFIFunctionCall else {
                return Err(t.error("TVMFFIFunctionCall", "missing"));
            };
            // SAFETY: a call into a black box like any other; the arguments outlive it.
            t.ok(unsafe { call(get as *mut _, args.as_ptr().cast_mut(), 2, &mut result) })?;
            t.eq("type_index of the value", result.type_index, kTVMFFIObject)?;
            homemade::release(result.payload() as TVMFFIObjectHandle);
        }
        Ok(())
    })?;
    t.eq("strong count of the value", object.counts().0, 22)
}

/// Maps that have ended leave no memory behind.
#[check(MAP_0032, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let [make, get, iterate] = ["ffi.Map", "ffi.MapGetItem", "ffi.MapForwardIterFunctor"].map(|name| t.global(name));
    let (make, get, iterate) = (make?, get?, iterate?);
    let text = view::c_str(c"a text that is not short");
    let entries: Vec<_> = (0..9).flat_map(|key| [view::int(key), text]).collect();
    t.no_growth("memory of Maps", || {
        for count in [4, 18] {
            let map = t.call(&make, &entries[..count])?;
            t.call(&get, &[map.any(), view::int(0)])?;
            let next = t.call(&iterate, &[map.any()])?;
            t.call(&next, &[view::int(1)])?;
        }
        Ok(())
    })
}

// ---- models ----------------------------------------------------------------------------------------------------------

/// A Map of random keys and values has the entries that a model predicts, in order, and holds each object once.
#[check(MAP_0001, MAP_0008, MAP_0010, MAP_0019, patient = 2)]
fn model(t: &Trial) -> Verdict {
    const OBJECTS: usize = 3;
    t.property(vec((values(OBJECTS), values(OBJECTS)), 0..14), |pairs| {
        let pool = Pool::new(OBJECTS);
        let flat = pairs.iter().flat_map(|(key, value)| [key, value]);
        let kept: Vec<_> = flat.map(|value| pool.make(t, value)).collect::<Verdict<_>>()?;
        let map = t.call_global("ffi.Map", &kept.iter().map(|made| made.any).collect::<Vec<_>>())?;
        let entries = t.map(map.handle())?.entries;
        // Whether giving a key again moves it while the Map is small and full is another clause's matter.
        let mut expected = modelled(pairs, true);
        t.eq("number of entries", entries.len(), expected.len())?;
        if !keys_are(t, &pool, &entries, &expected)? {
            expected = modelled(pairs, false);
        }
        for (index, ((key, value), (expected_key, expected_value))) in entries.iter().zip(&expected).enumerate() {
            t.is(format_args!("key {index}"), key, &pool, expected_key)?;
            t.is(format_args!("value {index}"), value, &pool, expected_value)?;
            let found = t.call_global("ffi.MapGetItem", &[map.any(), pool.make(t, expected_key)?.any])?;
            t.is(format_args!("answer for key {index}"), &found.any(), &pool, expected_value)?;
        }
        pool.counted(t, expected.iter().flat_map(|(key, value)| [key, value]))?;
        drop((map, kept));
        pool.let_go(t)
    })
}

/// The entries that keys and values given in turn lead to.
fn modelled(pairs: &[(Value, Value)], full_moves: bool) -> Vec<(Value, Value)> {
    let mut entries: Vec<(Value, Value)> = Vec::new();
    let mut dense = false;
    for (key, value) in pairs {
        let place = entries.iter().position(|(other, _)| other.canonical() == key.canonical());
        dense |= entries.len() == SMALL_SLOTS as usize && (full_moves || place.is_none());
        match place {
            Some(place) if dense => {
                let (key, _) = entries.remove(place);
                entries.push((key, value.clone()));
            }
            Some(place) => entries[place].1 = value.clone(),
            None => entries.push((key.clone(), value.clone())),
        }
    }
    entries
}

/// Whether entries have the keys of the model, in its order.
fn keys_are(t: &Trial, pool: &Pool, entries: &[(TVMFFIAny, TVMFFIAny)], model: &[(Value, Value)]) -> Verdict<bool> {
    for ((key, _), (expected, _)) in entries.iter().zip(model) {
        if !t.same(key, &pool.make(t, expected)?.any)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A Map of random integers has sound chains, links and order, and finds each key.
#[check(MAP_0019, MAP_0002, patient = 2)]
fn model_of_numbers(t: &Trial) -> Verdict {
    t.property((vec(0_i64..400, 0..60), 0_u32..48), |(numbers, shift)| {
        let keys: Vec<i64> = numbers.iter().map(|number| number << shift).collect();
        let args: Vec<_> = keys.iter().flat_map(|key| [view::int(*key), view::int(key >> shift)]).collect();
        let map = t.call_global("ffi.Map", &args)?;
        let distinct: std::collections::BTreeSet<_> = keys.iter().copied().collect();
        let entries = t.map(map.handle())?.entries;
        t.eq("number of entries", entries.len(), distinct.len())?;
        for key in distinct {
            t.clause(id::MAP_0002);
            let found = t.call_int("ffi.MapGetItem", &[map.any(), view::int(key)])?;
            t.eq(format_args!("value of {key}"), found, key >> shift)?;
        }
        t.clause(id::MAP_0019);
        Ok(())
    })
}

/// A Map of integers.
fn ints(t: &Trial, entries: &[(i64, i64)]) -> Verdict<Owned> {
    let args: Vec<_> = entries.iter().flat_map(|(key, value)| [view::int(*key), view::int(*value)]).collect();
    t.call_global("ffi.Map", &args)
}
