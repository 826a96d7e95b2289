//! Maps that clients have made.

use std::ffi::c_void;

use tvm_ffi_spec::*;

use super::kit::ask;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{
            client::{self, ends_of},
            map::{BLOCK, BLOCK_SLOTS, DenseMapCell, EMPTY, ENTRY, Item, MapCell, NOWHERE},
        },
        globals,
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

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
        t.ended_once("calls of the client's deleter", map)?;
    }
    t.eq("ends of the blocks", ends_of(blocks), 1)?;
    t.eq("strong count of the values", object.counts().0, 1)
}

/// A Map with zero slots and no data is read as an empty Map.
#[check(MAP_0029)]
fn moved_out(t: &Trial) -> Verdict {
    let map = client::small_map(kTVMFFIMap, &[], 2);
    client::leave_moved(map.handle());
    t.global_answers("ffi.MapSize", &[map.view()], 0)?;
    for key in [view::int(0), view::c_str(c"a text that is not short"), TVMFFIAny::NONE] {
        t.global_answers("ffi.MapCount", &[map.view(), key], 0)?;
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
    // In an empty slot every bit is set: what is read there is neither a value nor the number of a slot.
    let map = client::dense_map(t, kTVMFFIMap, &numbered(5), 64)?;
    let cell: DenseMapCell = t.cell("cell", map.handle())?;
    t.eq("slots", cell.map.slots, 64)?;
    for key in 0..200 {
        let count = t.call_int("ffi.MapCount", &[map.view(), view::int(key)])?;
        t.eq(format_args!("ffi.MapCount of {key}"), count, (key < 5).into())?;
    }
    let text = view::c_str(c"a text that is not short");
    t.eq("ffi.MapCount of a text", t.call_int("ffi.MapCount", &[map.view(), text])?, 0)?;
    reads(t, map.view(), 5)
}

/// What lies in the free slots of a small Map is not in the Map, be it the rest of an entry of any kind or another entry for a key that the Map
/// has.
#[check(MAP_0030)]
fn rests_are_no_entries(t: &Trial) -> Verdict {
    let (rests, held) = (rests(t)?, Homemade::new(kTVMFFIObject, ()));
    for (len, slots) in [(0, 2), (0, 4), (1, 2), (1, 4), (2, 4), (3, 4)] {
        for rest in rests.iter().map(Owned::any).chain([held.view(), view::int(0)]) {
            let map = client::small_map(kTVMFFIMap, &numbered(len), slots);
            let cell: MapCell = t.cell("cell", map.handle())?;
            for slot in len as usize..slots as usize {
                let place = cell.data.wrapping_byte_add(slot * ENTRY).cast::<[TVMFFIAny; 2]>();
                // SAFETY: a slot of the Map that has just been made here.
                unsafe { place.write([rest, view::int(999)]) };
            }
            if len == 0 || rest.to_bytes() != view::int(0).to_bytes() {
                has_not(t, map.view(), rest)?;
            }
            reads(t, map.view(), len)?;
        }
    }
    t.eq("counts of an object of which rests tell", held.counts(), (1, 1))
}

/// What lies in the empty slots of a dense Map is not in the Map, though it is a key and a value.
#[check(MAP_0030)]
fn rests_in_empty_slots_are_no_entries(t: &Trial) -> Verdict {
    let (rests, held) = (rests(t)?, Homemade::new(kTVMFFIObject, ()));
    for (len, slots) in [(1, 8), (5, 16), (5, 64)] {
        for rest in rests.iter().map(Owned::any).chain([held.view(), view::int(0)]) {
            let map = client::dense_map(t, kTVMFFIMap, &numbered(len), slots)?;
            let read = t.map(map.handle())?;
            let Some(dense) = read.dense else { return Err(t.error("a dense Map", "the client has made a small one")) };
            for slot in (0..dense.slots.len()).filter(|&slot| dense.slots[slot].0 == EMPTY) {
                let (block, at) = (slot / BLOCK_SLOTS as usize, slot % BLOCK_SLOTS as usize);
                let offset = block * BLOCK + BLOCK_SLOTS as usize + at * size_of::<Item>();
                let item = Item { key: rest, value: view::int(999), prev: NOWHERE, next: NOWHERE };
                // SAFETY: a slot of the Map that has just been made here.
                unsafe { read.cell.data.wrapping_byte_add(offset).cast::<Item>().write_unaligned(item) };
            }
            if rest.to_bytes() != view::int(0).to_bytes() {
                has_not(t, map.view(), rest)?;
            }
            reads(t, map.view(), len)?;
        }
    }
    t.eq("counts of an object of which rests tell", held.counts(), (1, 1))
}

/// Keys of many kinds that none of the Maps here has.
fn rests(t: &Trial) -> Verdict<Vec<Owned>> {
    let plain = [
        TVMFFIAny::NONE,
        view::int(9),
        view::bool(true),
        view::float(0.5),
        view::pointer(std::ptr::without_provenance_mut(0x5111)),
        TVMFFIAny::new(kTVMFFIDevice, 7 << 32 | 2),
        TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002),
    ];
    let texts = [t.string(b"seven_b")?, t.string(b"a text that is not short")?, t.bytes(b"seven_b")?];
    Ok(plain.map(|value| t.own(value)).into_iter().chain(texts).collect())
}

/// Expects each function that looks for keys not to find this one in a Map.
fn has_not(t: &Trial, map: TVMFFIAny, key: TVMFFIAny) -> Verdict {
    t.global_answers("ffi.MapCount", &[map, key], 0)?;
    t.refuses("ffi.MapGetItem", &[map, key], &["KeyError"])?;
    let Some(get) = globals::find(t, "ffi.MapGetItemOrMissing")? else { return Ok(()) };
    let (found, missing) = (t.call(&get, &[map, key])?, t.call(&get, &[map, view::int(-1)])?);
    t.any_eq("what stands for a key that is not there", &found.any(), &missing.any())
}

/// Expects the functions of a Map to read the keys from 0 up to `len`, each with itself as its value.
fn reads(t: &Trial, map: TVMFFIAny, len: i64) -> Verdict {
    t.global_answers("ffi.MapSize", &[map], len)?;
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

/// The entries of such a Map.
fn numbered(len: i64) -> Vec<[TVMFFIAny; 2]> {
    (0..len).map(|key| [view::int(key), view::int(key)]).collect()
}
