//! Dicts that clients change in place or have made, and which the library then goes on with.

use std::ffi::c_void;

use tvm_ffi_spec::*;

use super::kit::{fill, ints, set};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{
            client::{self, ends_of, free_buffer, remember_buffer},
            map::{MapCell, SIZE},
        },
        globals,
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

/// A new Dict has memory for the fields of the dense layout, so that a client can make it dense in place.
#[check(DCT_0023)]
fn room_for_dense(t: &Trial) -> Verdict {
    // Dicts side by side: one with too little memory for the fields writes them into its neighbour.
    let dicts: Vec<_> =
        (0..60).map(|number| ints(t, &vec![(number, 1); number as usize % 2])).collect::<Verdict<_>>()?;
    for dict in &dicts {
        client::make_dense(t, dict.handle(), free_buffer)?;
    }
    for (number, dict) in dicts.iter().enumerate() {
        let entry = (number as i64, 1);
        t.maps_ints(dict.handle(), if number % 2 == 1 { std::slice::from_ref(&entry) } else { &[] })?;
    }
    drop(dicts);
    Ok(())
}

/// A Dict uses blocks that a client has put in, and has their deleter end them once.
#[check(DCT_0024)]
fn client_switches(t: &Trial) -> Verdict {
    for len in [0, 1, 2, 4] {
        let object = Homemade::new(kTVMFFIObject, ());
        let dict = ints(t, &[])?;
        fill(t, dict.any(), 0..len, &object)?;
        client::make_dense(t, dict.handle(), remember_buffer)?;
        let blocks: *mut c_void = t.map(dict.handle())?.cell.data;
        for key in 0..len {
            t.global_answers("ffi.DictCount", &[dict.any(), view::int(key)], 1)?;
        }
        t.eq("strong count of the values", object.counts().0, 1 + len as u32)?;
        fill(t, dict.any(), len..8, &object)?;
        t.call_void("ffi.DictErase", &[dict.any(), view::int(0)])?;
        t.eq("entries", t.map(dict.handle())?.entries.len(), 7)?;
        fill(t, dict.any(), 8..40, &object)?;
        t.eq("ends of the client's blocks when the Dict has outgrown them", ends_of(blocks), 1)?;
        t.eq("entries in the end", t.map(dict.handle())?.entries.len(), 39)?;
        drop(dict);
        t.eq("ends of the client's blocks after the Dict", ends_of(blocks), 1)?;
        t.eq("strong count of the values after the Dict", object.counts().0, 1)?;
    }
    // A Dict that ends has its blocks ended if it has not outgrown them.
    let dict = ints(t, &[(1, 1)])?;
    client::make_dense(t, dict.handle(), remember_buffer)?;
    let blocks = t.map(dict.handle())?.cell.data;
    t.call_void("ffi.DictClear", &[dict.any()])?;
    t.eq(
        "ends of the client's blocks while the Dict has them",
        ends_of(blocks),
        usize::from(t.map(dict.handle())?.cell.data != blocks),
    )?;
    drop(dict);
    t.eq("ends of the client's blocks after the Dict", ends_of(blocks), 1)
}

/// The library finds every entry that a client has put into a Dict in place.
#[check(DCT_0025)]
fn client_inserts(t: &Trial) -> Verdict {
    for (start, count) in [(0, 3), (2, 6), (5, 60), (30, 200)] {
        let dict = ints(t, &(0..start).map(|key| (key * 3, key)).collect::<Vec<_>>())?;
        for key in start..start + count {
            client::set_in_dict(t, dict.handle(), [view::int(key * 3), view::int(key)], free_buffer)?;
            t.global_answers("ffi.DictSize", &[dict.any()], key + 1)?;
            let found = t.call_int("ffi.DictGetItem", &[dict.any(), view::int(key * 3)])?;
            t.eq(format_args!("value of {} from a client", key * 3), found, key)?;
        }
        for key in 0..start + count {
            let found = t.call_int("ffi.DictGetItem", &[dict.any(), view::int(key * 3)])?;
            t.eq(format_args!("value of {}", key * 3), found, key)?;
        }
        t.maps_ints(dict.handle(), &(0..start + count).map(|key| (key * 3, key)).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// The library no longer finds an entry that a client has taken out of a dense Dict in place.
#[check(DCT_0025)]
fn client_erases(t: &Trial) -> Verdict {
    let mut expected: Vec<_> = (0..60).map(|key| (key * 5, key)).collect();
    let dict = ints(t, &expected)?;
    while !expected.is_empty() {
        let (key, _) = expected.remove(expected.len() / 3);
        let erased = client::erase_from_dense(t, dict.handle(), &view::int(key))?;
        t.eq(format_args!("whether a client finds {key}"), erased, true)?;
        t.global_answers("ffi.DictCount", &[dict.any(), view::int(key)], 0)?;
        t.maps_ints(dict.handle(), &expected)?;
    }
    set(t, &dict, 1, 1)?;
    t.maps_ints(dict.handle(), &[(1, 1)])
}

/// What a function of a Dict has found there, and what it has not, counts no more once a client has exchanged one key for another in place.
#[check(DCT_0025)]
fn client_exchanges(t: &Trial) -> Verdict {
    for (len, key) in [1, 4, 5, 20].into_iter().flat_map(|len| KEYS.map(|key| (len, key))) {
        for looks_between in [false, true] {
            let dict = ints(t, &[])?;
            for number in 0..len {
                t.call_void("ffi.DictSetItem", &[dict.any(), key(t, number)?.any(), view::int(number)])?;
            }
            let has = |number: i64, value: Option<i64>| is_found(t, &dict, &key(t, number)?, value);
            let (mut there, mut value) = (len - 1, len - 1);
            for (next, next_value) in [(100, 200), (len - 1, 201), (101, 202)] {
                has(there, Some(value))?;
                has(next, None)?;
                // The last entry is the one that came last.
                if t.map(dict.handle())?.dense.is_some() {
                    let erased = client::erase_from_dense(t, dict.handle(), &key(t, there)?.any())?;
                    t.eq("whether a client finds the key that came last", erased, true)?;
                } else {
                    client::erase_last_from_small(dict.handle());
                }
                if looks_between {
                    has(there, None)?;
                    has(next, None)?;
                    t.global_answers("ffi.DictSize", &[dict.any()], len - 1)?;
                }
                let entry = [key(t, next)?.into_any(), view::int(next_value)];
                client::set_in_dict(t, dict.handle(), entry, free_buffer)?;
                has(next, Some(next_value))?;
                has(there, None)?;
                t.global_answers("ffi.DictSize", &[dict.any()], len)?;
                (there, value) = (next, next_value);
            }
            // The functions that change a Dict look keys up, too.
            t.call_void("ffi.DictSetItem", &[dict.any(), key(t, there)?.any(), view::int(0)])?;
            t.call_void("ffi.DictErase", &[dict.any(), key(t, len - 1)?.any()])?;
            t.global_answers("ffi.DictSize", &[dict.any()], len)?;
            has(there, Some(0))?;
            t.call_void("ffi.DictErase", &[dict.any(), key(t, there)?.any()])?;
            t.eq("entries in the end", t.map(dict.handle())?.entries.len() as i64, len - 1)?;
        }
    }
    Ok(())
}

/// Makes a key of a number.
type Key = fn(&Trial, i64) -> Verdict<Owned>;

/// Keys that are integers, short texts and long ones.
const KEYS: [Key; 3] = [
    |t, number| Ok(t.own(view::int(number))),
    |t, number| t.string(format!("k{number}").as_bytes()),
    |t, number| t.string(format!("the key of the number {number}").as_bytes()),
];

/// Expects each function that looks a key up to answer this value, or that the Dict does not have the key.
fn is_found(t: &Trial, dict: &Owned, key: &Owned, value: Option<i64>) -> Verdict {
    for door in ["ffi.DictCount", "ffi.DictGetItem", "ffi.DictGetItemOrMissing"] {
        let Some(function) = globals::find(t, door)? else { continue };
        let answer = t.answer_of(function.handle(), &[dict.any(), key.any()])?.ok();
        // What is missing is told by an error, or by an object.
        let found = answer
            .map(|answer| answer.any())
            .filter(|answer| matches!(answer.type_index, kTVMFFIInt | kTVMFFIBool))
            .map(|answer| answer.payload() as i64);
        let expected = if door == "ffi.DictCount" { Some(value.is_some().into()) } else { value };
        t.eq(format_args!("what {door} answers"), found, expected)?;
    }
    Ok(())
}

/// A small Dict that a client has made can be changed, and ends once by the client's deleter.
#[check(DCT_0026)]
fn client_small(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let dict = client::small_map(kTVMFFIDict, &[[view::int(1), object.view()], [view::int(2), object.view()]], 4);
    t.call_void("ffi.DictSetItem", &[dict.view(), view::int(3), view::int(30)])?;
    t.call_void("ffi.DictSetItem", &[dict.view(), view::int(1), view::int(10)])?;
    t.call_void("ffi.DictErase", &[dict.view(), view::int(2)])?;
    // Whether a key that is given again keeps its place is left open.
    let mut entries = t.map(dict.handle())?.entries;
    entries.sort_by_key(|(key, _)| key.payload());
    t.eq("number of entries", entries.len(), 2)?;
    for ((key, value), expected) in entries.iter().zip([(1, 10), (3, 30)]) {
        t.any_eq("a key that is there", key, &view::int(expected.0))?;
        t.any_eq("the value of a key that is there", value, &view::int(expected.1))?;
    }
    t.eq("strong count of what is gone", object.counts().0, 1)?;
    t.eq("counts of the Dict", dict.counts(), (1, 1))?;
    homemade::release(dict.handle());
    t.ended_once("calls of the client's deleter", &dict)
}

/// A small Dict that a client has made becomes dense in place and keeps each entry when it grows.
#[check(DCT_0026)]
fn client_grows_dense(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for (len, slots) in [(2, 2), (3, 3), (4, 4)] {
        let entries: Vec<_> = (0..len).map(|key| [view::int(key), object.view()]).collect();
        let dict = client::small_map(kTVMFFIDict, &entries, slots);
        for key in len..40 {
            t.call_void("ffi.DictSetItem", &[dict.view(), view::int(key), object.view()])?;
            let entries = t.map(dict.handle())?.entries;
            t.eq(format_args!("entries of a Dict that began with {slots} slots"), entries.len() as i64, key + 1)?;
            t.eq("strong count of the values", i64::from(object.counts().0), key + 2)?;
        }
        t.eq("counts of the Dict", dict.counts(), (1, 1))?;
        homemade::release(dict.handle());
        t.ended_once("calls of the client's deleter", &dict)?;
        t.eq("strong count of the values after the Dict", object.counts().0, 1)?;
    }
    Ok(())
}

/// A dense Dict that a client has made has its old blocks ended once, by their deleter, when it grows.
#[check(DCT_0027)]
fn client_dense(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let entries: Vec<_> = (0..6).map(|key| [view::int(key), object.view()]).collect();
    let dict = client::dense_map(t, kTVMFFIDict, &entries, 8)?;
    let blocks = t.map(dict.handle())?.cell.data;
    fill(t, dict.view(), 6..40, &object)?;
    t.call_void("ffi.DictErase", &[dict.view(), view::int(3)])?;
    t.eq("entries", t.map(dict.handle())?.entries.len(), 39)?;
    t.eq("ends of the client's blocks", ends_of(blocks), 1)?;
    homemade::release(dict.handle());
    t.eq("ends of the client's blocks after the Dict", ends_of(blocks), 1)?;
    t.eq("strong count of the values after the Dict", object.counts().0, 1)
}

/// A small Dict whose entries lie in another object has that object ended once, by the Dict's `data_deleter`.
#[check(DCT_0028)]
fn client_donor(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for more in [0, 1, 2, 20] {
        let entries: Vec<_> = (0..3).map(|key| [view::int(key), object.view()]).collect();
        let (dict, donor) = client::switched_dict(&entries);
        t.eq("entries", t.map(dict.handle())?.entries.len(), 3)?;
        t.global_answers("ffi.DictSize", &[dict.view()], 3)?;
        fill(t, dict.view(), 3..3 + more, &object)?;
        t.eq("entries", t.map(dict.handle())?.entries.len() as i64, 3 + more)?;
        t.eq("strong count of the values", i64::from(object.counts().0), 4 + more)?;
        let outgrown = t.cell::<MapCell>("cell", dict.handle())?.data != donor.handle().wrapping_byte_add(SIZE);
        t.eq("ends of the other object", donor.ends().len(), usize::from(outgrown))?;
        t.call_void("ffi.DictClear", &[dict.view()])?;
        homemade::release(dict.handle());
        t.eq("ends of the other object after the Dict", donor.ends().len(), 1)?;
        t.eq("strong count of the values after the Dict", object.counts().0, 1)?;
    }
    Ok(())
}

/// A Dict with zero slots and no data is empty: no key is found, and erasing one changes nothing.
#[check(DCT_0029)]
fn client_moved_out(t: &Trial) -> Verdict {
    let dict = client::small_map(kTVMFFIDict, &[], 2);
    client::leave_moved(dict.handle());
    t.global_answers("ffi.DictSize", &[dict.view()], 0)?;
    t.global_answers("ffi.DictCount", &[dict.view(), view::int(0)], 0)?;
    t.call_void("ffi.DictErase", &[dict.view(), view::int(0)])?;
    t.refuses("ffi.DictGetItem", &[dict.view(), view::int(0)], &["KeyError"]).map(drop)
}

/// The functions of a Dict neither read nor release what lies where the Dict has no entry.
#[check(DCT_0030)]
fn not_past_size(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let text = view::c_str(c"a text that is not short");
    let small = client::small_map(kTVMFFIDict, &[[view::int(0), object.view()]], 4);
    let dense = client::dense_map(t, kTVMFFIDict, &[[view::int(0), object.view()]], 16)?;
    for dict in [&small, &dense] {
        t.eq("ffi.DictCount of a text", t.call_int("ffi.DictCount", &[dict.view(), text])?, 0)?;
        t.call_void("ffi.DictErase", &[dict.view(), text])?;
        fill(t, dict.view(), 1..10, &object)?;
        t.eq("entries", t.map(dict.handle())?.entries.len(), 10)?;
        t.call_void("ffi.DictErase", &[dict.view(), view::int(4)])?;
        t.call_void("ffi.DictClear", &[dict.view()])?;
        t.eq("entries", t.map(dict.handle())?.entries.len(), 0)?;
    }
    t.eq("strong count in the end", object.counts().0, 1)
}
