//! Dicts that clients change in place or have made, and which the library then goes on with.

use std::{
    collections::BTreeMap,
    ffi::c_void,
    ptr::null_mut,
    sync::atomic::{AtomicI64, AtomicPtr, AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{fill, ints, set};
use crate::{
    checks::check,
    client::{
        Failure, Owned, Verdict,
        containers::{
            client::{self, Container, GRAFFITI, ends_of, free_buffer, remember_buffer},
            map::{MapCell, SIZE},
        },
        globals,
        homemade::{self, Homemade},
        reentry::{self, CHANGES, change_container},
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
            let has = |number: i64, value: Option<i64>| is_found(t, dict.any(), &key(t, number)?, value);
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
fn is_found(t: &Trial, dict: TVMFFIAny, key: &Owned, value: Option<i64>) -> Verdict {
    for door in ["ffi.DictCount", "ffi.DictGetItem", "ffi.DictGetItemOrMissing"] {
        let Some(function) = globals::find(t, door)? else { continue };
        let answer = t.answer_of(function.handle(), &[dict, key.any()])?.ok();
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

/// A Dict that a client has made holds for the library what it holds, wherever its entries lie, and however many places it has for them.
#[check(DCT_0006, DCT_0015)]
fn client_is_read(t: &Trial) -> Verdict {
    for key in KEYS {
        for len in 1..=4 {
            let keys = (0..len).map(|number| key(t, number)).collect::<Verdict<Vec<_>>>()?;
            let entries: Vec<_> = keys.iter().zip(100..).map(|(key, value)| [key.any(), view::int(value)]).collect();
            // What has lent its place to another one is empty from then on.
            let (switched, _lender) = client::switched_dict(&entries);
            let mut forms = vec![
                ("entries in another object", switched),
                ("eight places", client::dense_map(t, kTVMFFIDict, &entries, 8)?),
            ];
            for slots in len.max(2) as u64..=4 {
                forms.push(("entries behind it", client::small_map(kTVMFFIDict, &entries, slots)));
                forms.push(("entries outside", client::dict_outside(&entries, slots, free_buffer)));
            }
            for (form, dict) in forms {
                let noting = |failure: Box<Failure>| failure.noting(format!("a client's Dict of {len} with {form}"));
                holds(t, dict.view(), &keys, &key(t, len)?).map_err(noting)?;
                homemade::release(dict.handle());
            }
        }
    }
    Ok(())
}

/// Expects a Dict to have these keys in this order, with the values from 100 on, and not to have another one.
fn holds(t: &Trial, dict: TVMFFIAny, keys: &[Owned], other: &Owned) -> Verdict {
    t.clause(id::DCT_0006);
    t.global_answers("ffi.DictSize", &[dict], keys.len() as i64)?;
    is_found(t, dict, other, None)?;
    keys.iter().zip(100..).try_for_each(|(key, value)| is_found(t, dict, key, Some(value)))?;
    t.clause(id::DCT_0015);
    let next = t.call_global("ffi.DictForwardIterFunctor", &[dict])?;
    let ask = |command| t.call(&next, &[view::int(command)]);
    let mut walked = Vec::new();
    for place in 1..=keys.len() {
        let (key, value) = (ask(0)?, ask(1)?.any().payload() as usize);
        // Where a key stands is none of this check's business.
        let expected = keys.get(value.wrapping_sub(100)).map_or(TVMFFIAny::NONE, Owned::any);
        t.any_eq(format_args!("the key of the value {value}"), &key.any(), &expected)?;
        t.any_eq("whether there is another", &ask(2)?.any(), &view::bool(place < keys.len()))?;
        walked.push(value);
    }
    walked.sort_unstable();
    t.eq("the values that are walked by", walked, (100..100 + keys.len()).collect::<Vec<_>>())
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

// ---- deleters of entries that change the Dict ------------------------------------------------------------------------

/// The Dict that is changed when the place of its entries is ended, once.
static DICT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// In which way, and what becomes a value.
static WAY: AtomicUsize = AtomicUsize::new(0);
static PUT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// The key that is being set meanwhile.
static KEY: AtomicI64 = AtomicI64::new(0);
/// How many values lie in a small Dict's place, and how often a place was ended.
static CELLS: AtomicUsize = AtomicUsize::new(0);
static ENDED: AtomicUsize = AtomicUsize::new(0);

/// The end of the place where entries lay, in which none is left.
unsafe extern "C" fn end_with_change(place: *mut c_void) {
    if place.is_null() {
        return;
    }
    ENDED.fetch_add(1, Ordering::AcqRel);
    let cells: *mut TVMFFIAny = place.cast();
    for at in 0..CELLS.swap(0, Ordering::AcqRel) {
        // SAFETY: there is room for so many values, and they are nobody's but the client's from now on.
        unsafe { cells.wrapping_add(at).write(GRAFFITI) };
    }
    let dict = DICT.swap(null_mut(), Ordering::AcqRel);
    if dict.is_null() {
        return;
    }
    let put = TVMFFIAny::new(kTVMFFIObject, PUT.load(Ordering::Acquire) as u64);
    let dict = TVMFFIAny::new(kTVMFFIDict, dict as u64);
    let (way, key) = (WAY.load(Ordering::Acquire), KEY.load(Ordering::Acquire));
    if way < CHANGES {
        return change_container(&dict, way, put);
    }
    // The key that is being set, and others beside it.
    for key in (0..=(way - CHANGES) as i64).map(|more| key + 1000 * more) {
        drop(reentry::answer("ffi.DictSetItem", &[dict, view::int(key), put]));
    }
}

/// The `data_deleter` of a client's Dict may change the Dict when it ends the place where the entries were: what was set then and what the
/// `data_deleter` has set are there, each key once, and nothing is lost or held too often.
#[check(HOK_0021, DCT_0003, DCT_0017, patient = 2)]
fn deleter_changes_the_dict(t: &Trial) -> Verdict {
    t.serve_reentry()?;
    for way in 0..CHANGES + 6 {
        for (len, slots) in [(2, 2), (3, 3), (4, 4), (6, 8), (12, 16)] {
            let (base, put) = (Homemade::new(kTVMFFIObject, ()), Homemade::new(kTVMFFIObject, ()));
            let entries: Vec<_> = (0..len).map(|key| [view::int(key), base.view()]).collect();
            let dict = if slots <= 4 {
                client::dict_outside(&entries, slots, end_with_change)
            } else {
                client::dense_map_with(t, kTVMFFIDict, &entries, slots, end_with_change)?
            };
            let what = format!("a Dict of {len} in {slots} slots, which the end of its place changes in way {way}");
            ENDED.store(0, Ordering::Release);
            CELLS.store(if slots <= 4 { 2 * slots as usize } else { 0 }, Ordering::Release);
            WAY.store(way, Ordering::Release);
            PUT.store(put.handle(), Ordering::Release);
            changed_meanwhile(t, &dict, len, way, (&base, &put)).map_err(|failure| failure.noting(&what))?;
        }
    }
    Ok(())
}

/// Puts entries in until the place where the others were is ended, and looks at what became of it all.
fn changed_meanwhile(
    t: &Trial,
    dict: &Container,
    len: i64,
    way: usize,
    (base, put): (&Homemade, &Homemade),
) -> Verdict {
    let new = Homemade::new(kTVMFFIObject, ());
    let [of_base, of_put, of_new] = [base, put, &new].map(|object| object.handle() as u64);
    let mut expected: BTreeMap<i64, u64> = (0..len).map(|key| (key, of_base)).collect();
    DICT.store(dict.handle(), Ordering::Release);
    for key in 100..200 {
        KEY.store(key, Ordering::Release);
        t.clause(id::HOK_0021);
        t.call_void("ffi.DictSetItem", &[dict.view(), view::int(key), new.view()])?;
        expected.insert(key, of_new);
        if DICT.load(Ordering::Acquire).is_null() {
            break;
        }
    }
    DICT.store(null_mut(), Ordering::Release);
    t.library_was_usable("at the end of a place of entries")?;
    t.clause(id::DCT_0003);
    let entries = t.map(dict.handle())?.entries;
    let found: BTreeMap<i64, u64> =
        entries.iter().map(|(key, value)| (key.payload() as i64, value.payload())).collect();
    t.eq("number of different keys", found.len(), entries.len())?;
    t.clause(id::HOK_0021);
    let key = KEY.load(Ordering::Acquire);
    // What was set may have come before the change or behind it.
    match way {
        0 => expected.extend([(11, of_put)]),
        1 => expected.extend([(-1, of_put)]),
        2 => expected.extend([(0, of_put)]),
        3 => expected.retain(|key, _| !(0..4).contains(key)),
        4 => expected.retain(|other, _| *other == key && found.contains_key(&key)),
        5 => expected.extend((20..60).map(|key| (key, of_put))),
        _ => {
            expected.extend((1..=(way - CHANGES) as i64).map(|more| (key + 1000 * more, of_put)));
            if found.get(&key) == Some(&of_put) {
                expected.insert(key, of_put);
            }
        }
    }
    t.eq("the entries, with the addresses of their values", &found, &expected)?;
    t.global_answers("ffi.DictSize", &[dict.view()], expected.len() as i64)?;
    for (key, value) in &expected {
        let got = t.call_global("ffi.DictGetItem", &[dict.view(), view::int(*key)])?;
        t.any_eq(format_args!("the value of {key}"), &got.any(), &TVMFFIAny::new(kTVMFFIObject, *value))?;
    }
    t.clause(id::DCT_0017);
    for (object, address) in [(base, of_base), (put, of_put), (&new, of_new)] {
        let places = expected.values().filter(|value| **value == address).count();
        t.eq("strong count of a value", object.counts().0 as usize, 1 + places)?;
    }
    t.eq("counts of the Dict", dict.counts(), (1, 1))?;
    homemade::release(dict.handle());
    t.ended_once("calls of the Dict's own deleter", dict)?;
    let strong = [base, put, &new].map(|object| object.counts().0);
    t.eq("strong counts of the values after the Dict", strong, [1; 3])?;
    t.eq("ends of the place where the entries were", ENDED.load(Ordering::Acquire), 1)
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
