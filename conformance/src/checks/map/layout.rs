//! The memory of a Map in both layouts.

use tvm_ffi_spec::*;

use super::kit::ints;
use crate::{
    checks::check,
    client::{
        Verdict,
        containers::{
            client,
            map::{DenseMapCell, EMPTY, ENTRY, MEMBER, MapCell, NOWHERE, SIZE, SMALL, SMALL_SLOTS},
            numbers::up_to,
        },
        view,
    },
    trial::Trial,
};

/// A Map has the number of its entries in the second word behind its header, and its slots in the third.
#[check(MAP_0015, MAP_0017, lays = MapCell)]
fn cell(t: &Trial) -> Verdict {
    let (mut found, mut lies_there) = (Vec::new(), false);
    for len in [1, 2, 3, 4, 5, 9, 100] {
        let MapCell { size, slots, .. } = t.cell("cell", ints(t, &up_to(len))?.handle())?;
        let room = if slots & SMALL == 0 { slots } else { slots & !SMALL };
        lies_there |= size == len as u64 && (size..1 << 20).contains(&room);
        found.push([size, slots]);
    }
    t.looks_at::<MapCell>();
    t.that("sizes and slots of Maps of 1 to 100 entries", lies_there, "such in one of them", format_args!("{found:x?}"))
}

/// A dense Map has the numbers of its first and its last slot in the sixth and the seventh word behind its header.
#[check(MAP_0020, lays = DenseMapCell)]
fn dense_cell(t: &Trial) -> Verdict {
    let (mut found, mut lies_there) = (Vec::new(), false);
    for len in [5, 9, 20, 100] {
        let map = ints(t, &up_to(len))?;
        let MapCell { slots, .. } = t.cell("cell", map.handle())?;
        // Another clause says which Maps are dense.
        if slots & SMALL != 0 {
            return Ok(());
        }
        let DenseMapCell { head, tail, .. } = t.cell("cell", map.handle())?;
        lies_there |= head < slots && tail < slots && [head, tail] != [0, 0];
        found.push([head, tail]);
    }
    t.looks_at::<DenseMapCell>();
    t.that("first and last slots of dense Maps", lies_there, "slots in one of them", format_args!("{found:x?}"))
}

/// A Map whose slots have bit 63 set keeps its entries, keys with values, in order where its `data` leads to.
#[check(MAP_0015)]
fn small(t: &Trial) -> Verdict {
    for len in 0..=SMALL_SLOTS as i64 {
        let map = ints(t, &(0..len).map(|key| (key, -key)).collect::<Vec<_>>())?;
        let cell: MapCell = t.cell("cell", map.handle())?;
        t.eq("size", cell.size, len as u64)?;
        // Another clause says which Maps are small.
        for index in 0..if cell.slots & SMALL == 0 { 0 } else { len } {
            let entry: [TVMFFIAny; 2] =
                t.read("entry", cell.data.wrapping_byte_add(index as usize * ENTRY).cast_const().cast())?;
            t.any_eq(format_args!("key {index}"), &entry[0], &view::int(index))?;
            t.any_eq(format_args!("value {index}"), &entry[1], &view::int(-index))?;
        }
    }
    Ok(())
}

/// A Map of up to four entries is small, keeps them behind its fields and has no `data_deleter`.
#[check(MAP_0033)]
fn small_layout(t: &Trial) -> Verdict {
    for len in 0..=SMALL_SLOTS as i64 {
        let map = ints(t, &up_to(len))?;
        let cell: MapCell = t.cell("cell", map.handle())?;
        t.ne("the bit of the small layout", cell.slots & SMALL, 0)?;
        t.eq("distance of the entries from the object", cell.data as usize - map.handle() as usize, SIZE)?;
        t.that("data_deleter", cell.data_deleter.is_none(), "NULL", "a function")?;
    }
    Ok(())
}

/// A small Map has memory for as many entries as its slots tell, which are at most four.
#[check(MAP_0016)]
fn small_room(t: &Trial) -> Verdict {
    // Maps side by side: one that claims more room than it has shares it with its neighbour.
    let maps: Vec<_> =
        (0..40).map(|number| ints(t, &vec![(number, number); number as usize % 2])).collect::<Verdict<_>>()?;
    for (number, map) in maps.iter().enumerate() {
        let cell: MapCell = t.cell("cell", map.handle())?;
        if cell.slots & SMALL == 0 {
            continue;
        }
        t.that("slots", cell.slots & !SMALL <= SMALL_SLOTS, "at most 4", cell.slots & !SMALL)?;
        for index in cell.size as i64..(cell.slots & !SMALL) as i64 {
            client::set_in_dict(t, map.handle(), [view::int(1000 + index), view::int(-1)], client::remember_buffer)?;
        }
        let grown = t.call_int("ffi.MapSize", &[map.any()])?;
        t.eq(format_args!("ffi.MapSize of Map {number}"), grown as u64, cell.slots & !SMALL)?;
    }
    for (number, map) in maps.iter().enumerate() {
        let entries = t.map(map.handle())?.entries;
        let expected = view::int(if number % 2 == 1 { number as i64 } else { 1000 });
        if let Some((key, _)) = entries.first() {
            t.any_eq(format_args!("first key of Map {number}"), key, &expected)?;
        }
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
    let map = ints(t, &up_to(9))?;
    let cell: MapCell = t.cell("cell", map.handle())?;
    t.that("data_deleter", cell.data_deleter.is_some(), "a function", "NULL")?;
    t.ne("address of the blocks", cell.data, map.handle().wrapping_byte_add(SIZE))
}

/// The chain of each key of a dense Map begins in the slot that the key's hash leads to, and slots share chains.
#[check(MAP_0019)]
fn chains(t: &Trial) -> Verdict {
    // Keys whose chains begin in one slot, so that chains are long and other entries have to move.
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

/// Expects a Map of the first `len` multiples of 7 to have that many slots, the used ones with this metadata and key.
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
