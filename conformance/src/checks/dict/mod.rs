//! Dicts: changing them, their order, and changing them in place by clients.

mod model;

use std::ffi::c_void;

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{
            client::{self, ends_of, free_buffer, remember_buffer},
            keys::text_object,
            map::{MapCell, SIZE},
        },
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

// ---- making and changing ---------------------------------------------------------------------------------------------

/// `ffi.Dict` makes a Dict of its arguments, which are keys and values in turn, and keeps their order.
#[check(DCT_0001)]
fn of_its_arguments(t: &Trial) -> Verdict {
    for len in [0, 1, 2, 3, 4, 5, 9, 100] {
        let entries: Vec<_> = (0..len).map(|key| (key * 13 % 101, key)).collect();
        let dict = ints(t, &entries)?;
        t.eq("type_index of the result", dict.any().type_index, kTVMFFIDict)?;
        t.eq("type_index in the header", t.header(dict.handle())?.type_index, kTVMFFIDict)?;
        t.eq("strong count of a new Dict", t.counts(dict.handle())?.0, 1)?;
        t.maps_ints(dict.handle(), &entries)?;
    }
    Ok(())
}

/// `ffi.Dict` keeps one entry, with the last value, for a key that is given several times.
#[check(DCT_0001)]
fn given_again(t: &Trial) -> Verdict {
    for others in [1, 3, 20] {
        let mut entries = vec![(-1, 1)];
        entries.extend((0..others).map(|key| (key, key)));
        entries.push((-1, 3));
        let dict = ints(t, &entries)?;
        t.eq("ffi.DictSize", t.call_int("ffi.DictSize", &[dict.any()])?, others + 1)?;
        t.eq("value of the key", t.call_int("ffi.DictGetItem", &[dict.any(), view::int(-1)])?, 3)?;
    }
    Ok(())
}

/// `ffi.DictSetItem` puts each new key behind all others, with its value.
#[check(DCT_0002)]
fn sets(t: &Trial) -> Verdict {
    let (dict, mut expected) = (ints(t, &[])?, Vec::new());
    for number in 0..70 {
        let (key, value) = (number * 7 % 71, number);
        set(t, &dict, key, value)?;
        expected.push((key, value));
        t.maps_ints(dict.handle(), &expected)?;
    }
    Ok(())
}

/// A Dict takes 3,000 new keys one by one and keeps them all in order.
#[check(DCT_0002, patient = 2)]
fn sets_thousands(t: &Trial) -> Verdict {
    const COUNT: i64 = 3000;
    let (dict, set) = (ints(t, &[])?, t.global("ffi.DictSetItem")?);
    for key in 0..COUNT {
        t.call(&set, &[dict.any(), view::int(key * 5), view::int(key)])?;
    }
    let expected: Vec<_> = (0..COUNT).map(|key| (key * 5, key)).collect();
    t.maps_ints(dict.handle(), &expected)
}

/// `ffi.DictSetItem` gives a key that the Dict has another value and adds no entry.
#[check(DCT_0003)]
fn overwrites(t: &Trial) -> Verdict {
    for len in [1, 2, 3, 5, 20] {
        let dict = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        for key in 0..len {
            set(t, &dict, key, -key)?;
            t.eq("ffi.DictSize", t.call_int("ffi.DictSize", &[dict.any()])?, len)?;
            let value = t.call_int("ffi.DictGetItem", &[dict.any(), view::int(key)])?;
            t.eq(format_args!("value of {key} among {len}"), value, -key)?;
        }
        t.map(dict.handle())?;
    }
    Ok(())
}

/// `ffi.DictSetItem` keeps the key object that is there when an equal key is given with another value.
#[check(DCT_0003)]
fn overwrite_keeps_key(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let [first, second] = [(); 2].map(|()| text_object(kTVMFFIStr, b"a text that is not short"));
        let dict = ints(t, &(0..others).map(|key| (key, key)).collect::<Vec<_>>())?;
        for key in [&first, &second] {
            t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), view::int(1)])?;
        }
        t.eq("strong counts of the keys", (first.counts().0, second.counts().0), (2, 1))?;
        t.eq("ffi.DictSize", t.call_int("ffi.DictSize", &[dict.any()])?, others + 1)?;
    }
    Ok(())
}

/// `ffi.DictErase` takes a key and its value out and leaves every other entry.
#[check(DCT_0004)]
fn erases(t: &Trial) -> Verdict {
    for len in [1, 2, 4, 5, 20] {
        for key in [0, len / 2, len - 1] {
            let mut expected: Vec<_> = (0..len).map(|key| (key * 3, key)).collect();
            let dict = ints(t, &expected)?;
            t.call_void("ffi.DictErase", &[dict.any(), view::int(key * 3)])?;
            expected.remove(key as usize);
            t.maps_ints(dict.handle(), &expected)?;
            t.eq("ffi.DictCount", t.call_int("ffi.DictCount", &[dict.any(), view::int(key * 3)])?, 0)?;
        }
    }
    Ok(())
}

/// A Dict whose keys were all erased, in whatever order, can be filled again.
#[check(DCT_0004)]
fn erases_all(t: &Trial) -> Verdict {
    for step in [1, 7, 19] {
        let dict = ints(t, &[])?;
        for _ in 0..2 {
            let mut expected = Vec::new();
            for key in 0..20 {
                set(t, &dict, key, key)?;
                expected.push((key, key));
            }
            for number in 0..20 {
                let key = number * step % 20;
                t.call_void("ffi.DictErase", &[dict.any(), view::int(key)])?;
                expected.retain(|entry| entry.0 != key);
                t.maps_ints(dict.handle(), &expected)?;
            }
        }
    }
    Ok(())
}

/// `ffi.DictErase` leaves a Dict as it is when the Dict does not have the key.
#[check(DCT_0004)]
fn erases_nothing(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let entries: Vec<_> = (0..len).map(|key| (key, key)).collect();
        let dict = ints(t, &entries)?;
        for key in [view::int(-1), view::int(len), TVMFFIAny::NONE, view::c_str(c"a text that is not short")] {
            t.call_void("ffi.DictErase", &[dict.any(), key])?;
            t.maps_ints(dict.handle(), &entries)?;
        }
    }
    Ok(())
}

/// `ffi.DictClear` takes all entries out and leaves a Dict that can be filled again.
#[check(DCT_0005)]
fn clears(t: &Trial) -> Verdict {
    for len in [0, 2, 4, 5, 20] {
        let dict = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        t.call_void("ffi.DictClear", &[dict.any()])?;
        t.maps_ints(dict.handle(), &[])?;
        t.eq("ffi.DictSize", t.call_int("ffi.DictSize", &[dict.any()])?, 0)?;
        t.eq("ffi.DictCount", t.call_int("ffi.DictCount", &[dict.any(), view::int(0)])?, 0)?;
        let mut expected = Vec::new();
        for key in 0..20 {
            set(t, &dict, key, 2 * key)?;
            expected.push((key, 2 * key));
            t.maps_ints(dict.handle(), &expected)?;
        }
    }
    Ok(())
}

// ---- reading ---------------------------------------------------------------------------------------------------------

/// `ffi.DictGetItem` answers a key's value, `ffi.DictCount` 1 or 0, and `ffi.DictSize` the number of keys.
#[check(DCT_0006)]
fn reads(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for len in [0, 3, 20] {
        let dict = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        t.call_void("ffi.DictSetItem", &[dict.any(), view::int(-1), object.view()])?;
        t.eq("ffi.DictSize", t.call_int("ffi.DictSize", &[dict.any()])?, len + 1)?;
        for key in 0..len {
            t.eq("ffi.DictGetItem", t.call_int("ffi.DictGetItem", &[dict.any(), view::int(key)])?, key)?;
            t.eq("ffi.DictCount", t.call_int("ffi.DictCount", &[dict.any(), view::int(key)])?, 1)?;
        }
        t.eq("ffi.DictCount of no key", t.call_int("ffi.DictCount", &[dict.any(), view::int(len)])?, 0)?;
        let value = t.call_global("ffi.DictGetItem", &[dict.any(), view::int(-1)])?;
        t.any_eq("a value that is an object", &value.any(), &object.view())?;
        t.eq("strong count with the answer", object.counts().0, 3)?;
    }
    Ok(())
}

/// `ffi.DictGetItem` raises a KeyError for a key that the Dict does not have.
#[check(DCT_0007)]
fn missing_key(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let dict = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        for key in [view::int(99), TVMFFIAny::NONE, view::c_str(c"a text that is not short")] {
            t.refuses("ffi.DictGetItem", &[dict.any(), key], &["KeyError"])?;
        }
    }
    Ok(())
}

/// `ffi.DictGetItemOrMissing` answers a key's value, or one sentinel object for every missing key.
#[check(DCT_0008)]
fn or_missing(t: &Trial) -> Verdict {
    for len in [0, 3, 20] {
        let dict = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        for key in 0..len {
            let found = t.call_int("ffi.DictGetItemOrMissing", &[dict.any(), view::int(key)])?;
            t.eq(format_args!("value of {key}"), found, key)?;
        }
        let missing = t.call_global("ffi.DictGetItemOrMissing", &[dict.any(), view::int(len)])?;
        t.eq("type_index of the sentinel", missing.any().type_index, kTVMFFIObject)?;
        let again = t.call_global("ffi.DictGetItemOrMissing", &[dict.any(), TVMFFIAny::NONE])?;
        t.eq("the sentinel for another key", again.handle(), missing.handle())?;
    }
    Ok(())
}

/// A Dict that is changed stays the same object, so every holder sees the change.
#[check(DCT_0009)]
fn same_object(t: &Trial) -> Verdict {
    let dict = ints(t, &[(0, 0)])?;
    let holder = t.call_global("ffi.Array", &[dict.any()])?;
    let before = dict.handle();
    for key in 1..40 {
        set(t, &dict, key, key)?;
    }
    t.call_void("ffi.DictErase", &[dict.any(), view::int(0)])?;
    let seen = t.call_global("ffi.ArrayGetItem", &[holder.any(), view::int(0)])?;
    t.eq("the Dict that another holder sees", seen.handle(), before)?;
    t.maps_ints(seen.handle(), &(1..40).map(|key| (key, key)).collect::<Vec<_>>())
}

/// The function that `ffi.DictForwardIterFunctor` answers walks through every entry in order, then tells the end.
#[check(DCT_0015)]
fn iterates(t: &Trial) -> Verdict {
    for len in [1, 2, 4, 5, 30] {
        let dict = ints(t, &[])?;
        let entries: Vec<_> = (0..len).map(|key| (key * 37 % 101, key)).collect();
        for (key, value) in &entries {
            set(t, &dict, *key, *value)?;
        }
        let next = t.call_global("ffi.DictForwardIterFunctor", &[dict.any()])?;
        for (index, (key, value)) in entries.iter().enumerate() {
            let ask = |command| t.call(&next, &[view::int(command)]).map(|answer| answer.any());
            t.any_eq(format_args!("key {index} of {len}"), &ask(0)?, &view::int(*key))?;
            t.any_eq(format_args!("value {index} of {len}"), &ask(1)?, &view::int(*value))?;
            t.any_eq(format_args!("answer behind entry {index}"), &ask(2)?, &view::bool(index + 1 < entries.len()))?;
        }
    }
    Ok(())
}

// ---- order -----------------------------------------------------------------------------------------------------------

/// The entries of a Dict are in the order in which their keys were put in, however the Dict grows.
#[check(DCT_0010)]
fn order(t: &Trial) -> Verdict {
    let (dict, mut expected) = (ints(t, &[])?, Vec::new());
    for number in 0..40 {
        let key = number * 7919 % 1000 - 500;
        set(t, &dict, key, number)?;
        expected.push((key, number));
        t.maps_ints(dict.handle(), &expected)?;
    }
    Ok(())
}

/// A key whose value changes while the Dict is small and has room keeps its place.
#[check(DCT_0011)]
fn order_small(t: &Trial) -> Verdict {
    let dict = ints(t, &[(1, 10), (2, 20)])?;
    set(t, &dict, 1, 11)?;
    t.maps_ints(dict.handle(), &[(1, 11), (2, 20)])?;
    set(t, &dict, 3, 30)?;
    set(t, &dict, 2, 21)?;
    set(t, &dict, 1, 12)?;
    t.maps_ints(dict.handle(), &[(1, 12), (2, 21), (3, 30)])
}

/// A key whose value changes while the Dict is dense becomes the last.
#[check(DCT_0012)]
fn order_dense(t: &Trial) -> Verdict {
    let dict = ints(t, &[(1, 10), (2, 20), (3, 30), (4, 40), (5, 50)])?;
    set(t, &dict, 2, 21)?;
    t.maps_ints(dict.handle(), &[(1, 10), (3, 30), (4, 40), (5, 50), (2, 21)])?;
    set(t, &dict, 2, 22)?;
    set(t, &dict, 1, 11)?;
    t.maps_ints(dict.handle(), &[(3, 30), (4, 40), (5, 50), (2, 22), (1, 11)])
}

/// A key whose value changes while the Dict has four entries becomes the last.
#[check(DCT_0013)]
fn order_full(t: &Trial) -> Verdict {
    let dict = ints(t, &[(1, 10), (2, 20), (3, 30), (4, 40)])?;
    set(t, &dict, 2, 21)?;
    t.maps_ints(dict.handle(), &[(1, 10), (3, 30), (4, 40), (2, 21)])
}

/// The entries of a Dict keep their order when another entry is erased.
#[check(DCT_0014)]
fn order_after_erase(t: &Trial) -> Verdict {
    for len in [3, 4, 6, 40] {
        let mut expected: Vec<_> = (0..len).map(|key| (key * 7919 % 1000, key)).collect();
        let dict = ints(t, &expected)?;
        while expected.len() > 1 {
            let (key, _) = expected.remove(expected.len() / 2);
            t.call_void("ffi.DictErase", &[dict.any(), view::int(key)])?;
            t.maps_ints(dict.handle(), &expected)?;
        }
    }
    Ok(())
}

/// A key that was erased from a Dict and is put back becomes the last.
#[check(DCT_0014)]
fn order_put_back(t: &Trial) -> Verdict {
    for len in [3, 20] {
        let mut expected: Vec<_> = (0..len).map(|key| (key, key)).collect();
        let dict = ints(t, &expected)?;
        t.call_void("ffi.DictErase", &[dict.any(), view::int(1)])?;
        set(t, &dict, 1, 100)?;
        expected.remove(1);
        expected.push((1, 100));
        t.maps_ints(dict.handle(), &expected)?;
    }
    Ok(())
}

/// A Dict that grows is laid out as a Map is, is dense with more than four entries, and stays dense.
#[check(DCT_0016)]
fn layouts(t: &Trial) -> Verdict {
    let (dict, mut was_dense) = (ints(t, &[])?, false);
    for key in 0..70 {
        set(t, &dict, key * 11, key)?;
        let dense = t.map(dict.handle())?.dense.is_some();
        t.that(format_args!("layout of a Dict of {}", key + 1), dense || !was_dense, "dense, as before", "small")?;
        t.that(format_args!("layout of a Dict of {}", key + 1), dense || key < 4, "dense", "small")?;
        was_dense = dense;
    }
    t.eq("type_index in the header", t.header(dict.handle())?.type_index, kTVMFFIDict)
}

// ---- references ------------------------------------------------------------------------------------------------------

/// A Dict holds one strong reference for each key and each value, however it grows.
#[check(DCT_0017)]
fn holds_once(t: &Trial) -> Verdict {
    let (key, value) = (Homemade::new(kTVMFFIObject, ()), Homemade::new(kTVMFFIObject, ()));
    let dict = ints(t, &[])?;
    t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), value.view()])?;
    for number in 1..40 {
        t.eq(format_args!("strong count of a key among {number}"), key.counts().0, 2)?;
        t.eq(format_args!("strong count of a value of {number} keys"), value.counts().0, 1 + number)?;
        t.call_void("ffi.DictSetItem", &[dict.any(), view::int(number.into()), value.view()])?;
    }
    drop(dict);
    t.eq("strong counts after the Dict", (key.counts().0, value.counts().0), (1, 1))
}

/// A Dict releases a value that is replaced, also by itself, and keeps one reference to the key.
#[check(DCT_0018)]
fn releases_replaced(t: &Trial) -> Verdict {
    for others in [0, 2, 3, 12] {
        let [key, first, last] = [(); 3].map(|()| Homemade::new(kTVMFFIObject, ()));
        let dict = ints(t, &(0..others).map(|key| (key, key)).collect::<Vec<_>>())?;
        let counts = || [&key, &first, &last].map(|object| object.counts().0);
        t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), first.view()])?;
        t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), last.view()])?;
        t.eq(format_args!("strong counts of key, replaced and last value beside {others}"), counts(), [2, 1, 2])?;
        t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), last.view()])?;
        t.eq("strong counts when a value has replaced itself", counts(), [2, 1, 2])?;
    }
    Ok(())
}

/// A Dict releases the key and the value of an entry that is erased or cleared.
#[check(DCT_0018)]
fn releases_removed(t: &Trial) -> Verdict {
    for others in [0, 2, 12] {
        let [key, value] = [(); 2].map(|()| Homemade::new(kTVMFFIObject, ()));
        let dict = ints(t, &(0..others).map(|key| (key, key)).collect::<Vec<_>>())?;
        let counts = || [&key, &value].map(|object| object.counts().0);
        let entry = [dict.any(), key.view(), value.view()];
        t.call_void("ffi.DictSetItem", &entry)?;
        t.call_void("ffi.DictErase", &entry[..2])?;
        t.eq(format_args!("strong counts of an entry that was erased beside {others}"), counts(), [1, 1])?;
        t.call_void("ffi.DictSetItem", &entry)?;
        t.call_void("ffi.DictClear", &entry[..1])?;
        t.eq("strong counts of an entry that was cleared", counts(), [1, 1])?;
    }
    Ok(())
}

/// A Dict that ends releases each key and each value once.
#[check(DCT_0017)]
fn ends_entries(t: &Trial) -> Verdict {
    for len in [2, 3, 4, 5, 12] {
        let objects: Vec<_> = (0..2 * len).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
        let dict = ints(t, &[])?;
        for pair in objects.chunks(2) {
            t.call_void("ffi.DictSetItem", &[dict.any(), pair[0].view(), pair[1].view()])?;
        }
        objects.iter().for_each(|object| homemade::release(object.handle()));
        t.that("ends while the Dict lives", objects.iter().all(|object| object.ends().is_empty()), "none", "some")?;
        drop(dict);
        for (index, object) in objects.iter().enumerate() {
            let what = format_args!("calls of the deleter of key or value {index} of {len} entries");
            t.eq(what, object.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])?;
        }
    }
    Ok(())
}

/// A Dict releases its entries with its last strong reference, even while a weak reference keeps its memory.
#[check(DCT_0017)]
fn ends_with_weak(t: &Trial) -> Verdict {
    for len in [2, 4, 12] {
        let object = Homemade::new(kTVMFFIObject, ());
        let dict = ints(t, &[])?;
        for key in 0..len {
            t.call_void("ffi.DictSetItem", &[dict.any(), view::int(key), object.view()])?;
        }
        let handle = dict.handle();
        homemade::retain_weak(handle);
        drop(dict);
        t.eq("strong count of a value of a Dict that only a weak reference is left to", object.counts().0, 1)?;
        t.eq("counts of the Dict", t.counts(handle)?, (0, 1))?;
        homemade::release_weak(handle);
        t.eq("strong count of the value when the memory is gone", object.counts().0, 1)?;
    }
    Ok(())
}

/// A Dict owns its texts: a C string becomes a String and a byte array becomes Bytes, each a copy.
#[check(DCT_0019)]
fn owns_texts(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let (mut key, mut value) = (*b"a key that is not short\0", *b"a value that is not short");
        let span = TVMFFIByteArray::new(&value);
        let dict = ints(t, &(0..others).map(|key| (key, key)).collect::<Vec<_>>())?;
        let raw = TVMFFIAny::new(kTVMFFIRawStr, key.as_ptr() as u64);
        t.call_void("ffi.DictSetItem", &[dict.any(), raw, view::byte_array(&span)])?;
        key.fill(b'#');
        value.fill(b'#');
        std::hint::black_box((&key, &value));
        let found = t.call_global("ffi.DictGetItem", &[dict.any(), view::c_str(c"a key that is not short")])?;
        t.eq("type_index of the value", found.any().type_index, kTVMFFIBytes)?;
        t.eq("value", String::from_utf8_lossy(&t.text(&found.any())?), "a value that is not short".into())?;
        t.map(dict.handle())?;
    }
    Ok(())
}

/// No function of a Dict changes the reference counts of the Dict.
#[check(DCT_0032)]
fn lent(t: &Trial) -> Verdict {
    for len in [2, 12] {
        let dict = ints(t, &(0..len).map(|key| (key, key)).collect::<Vec<_>>())?;
        for (name, count) in FUNCTIONS {
            drop(t.call_global(name, &[dict.any(), view::int(1), view::int(1)][..*count])?);
            t.eq(format_args!("counts after {name}"), t.counts(dict.handle())?, (1, 1))?;
            set(t, &dict, 1, 1)?;
        }
        t.refuses("ffi.DictGetItem", &[dict.any(), view::int(-1)], &[])?;
        t.eq("counts after a refused call", t.counts(dict.handle())?, (1, 1))?;
    }
    Ok(())
}

// ---- types -----------------------------------------------------------------------------------------------------------

/// The functions that read a Map raise a TypeError for a Dict.
#[check(DCT_0020)]
fn map_refuses_dict(t: &Trial) -> Verdict {
    let dict = ints(t, &[(1, 1)])?;
    for (name, count) in
        [("ffi.MapSize", 1), ("ffi.MapGetItem", 2), ("ffi.MapCount", 2), ("ffi.MapForwardIterFunctor", 1)]
    {
        t.refuses(name, &[dict.any(), view::int(1)][..count], &["TypeError"])?;
    }
    Ok(())
}

/// The functions that read a Dict raise a TypeError for a Map.
#[check(DCT_0020)]
fn readers_refuse_map(t: &Trial) -> Verdict {
    let map = t.call_global("ffi.Map", &[view::int(1), view::int(1)])?;
    let functions =
        [("ffi.DictSize", 1), ("ffi.DictGetItem", 2), ("ffi.DictCount", 2), ("ffi.DictForwardIterFunctor", 1)];
    for (name, count) in functions {
        t.refuses(name, &[map.any(), view::int(1)][..count], &["TypeError"])?;
    }
    Ok(())
}

/// The functions that change a Dict take a Map, act on a copy and leave the Map as it was.
#[check(DCT_0021)]
fn map_is_copied(t: &Trial) -> Verdict {
    for len in [2, 12] {
        let object = Homemade::new(kTVMFFIObject, ());
        let args: Vec<_> = (0..len).flat_map(|key| [view::int(key), object.view()]).collect();
        let map = t.call_global("ffi.Map", &args)?;
        t.call_void("ffi.DictSetItem", &[map.any(), view::int(0), view::int(0)])?;
        t.call_void("ffi.DictSetItem", &[map.any(), view::int(99), view::int(0)])?;
        t.call_void("ffi.DictErase", &[map.any(), view::int(1)])?;
        t.call_void("ffi.DictClear", &[map.any()])?;
        let entries = t.map(map.handle())?.entries;
        t.eq("entries of the Map", entries.len(), len as usize)?;
        t.eq("strong count of the values", object.counts().0, 1 + len as u32)?;
        t.eq("counts of the Map", t.counts(map.handle())?, (1, 1))?;
    }
    Ok(())
}

/// Each function of a Dict, with the number of its arguments.
const FUNCTIONS: &[(&str, usize)] = &[
    ("ffi.DictSize", 1),
    ("ffi.DictGetItem", 2),
    ("ffi.DictSetItem", 3),
    ("ffi.DictCount", 2),
    ("ffi.DictErase", 2),
    ("ffi.DictClear", 1),
    ("ffi.DictForwardIterFunctor", 1),
    ("ffi.DictGetItemOrMissing", 2),
];

/// `ffi.Dict` raises an error for a key without a value and holds none of its arguments.
#[check(DCT_0022)]
fn odd(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    t.refuses("ffi.Dict", &[object.view()], &[])?;
    t.refuses("ffi.Dict", &[object.view(), view::int(1), object.view()], &[])?;
    t.eq("strong count of what was refused", object.counts().0, 1)
}

/// The functions of a Dict raise a TypeError for an argument that is neither a Dict nor a Map.
#[check(DCT_0022)]
fn other_types(t: &Trial) -> Verdict {
    let list = t.call_global("ffi.List", &[])?;
    for (name, count) in FUNCTIONS {
        for value in [TVMFFIAny::NONE, view::int(0), view::c_str(c"text"), list.any()] {
            t.refuses(name, &[value, view::int(0), view::int(0)][..*count], &["TypeError"])?;
        }
    }
    Ok(())
}

/// The functions of a Dict raise a TypeError for one argument too few or too many.
#[check(DCT_0022)]
fn argument_count(t: &Trial) -> Verdict {
    let (dict, object) = (ints(t, &[(1, 1)])?, Homemade::new(kTVMFFIObject, ()));
    for (name, count) in FUNCTIONS {
        let args = [dict.any(), object.view(), object.view(), object.view()];
        t.refuses(name, &args[..count - 1], &["TypeError"])?;
        t.refuses(name, &args[..count + 1], &["TypeError"])?;
        t.maps_ints(dict.handle(), &[(1, 1)])?;
    }
    t.eq("strong count of what was refused", object.counts().0, 1)
}

// ---- clients ---------------------------------------------------------------------------------------------------------

/// A new Dict has memory for the fields of the dense layout, so that a client can make it dense in place.
#[check(DCT_0023)]
fn room_for_dense(t: &Trial) -> Verdict {
    // Dicts side by side: a block that is too short shares its end with its neighbour.
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
        for key in 0..len {
            t.call_void("ffi.DictSetItem", &[dict.any(), view::int(key), object.view()])?;
        }
        client::make_dense(t, dict.handle(), remember_buffer)?;
        let blocks: *mut c_void = t.map(dict.handle())?.cell.data;
        for key in 0..len {
            t.eq("ffi.DictCount", t.call_int("ffi.DictCount", &[dict.any(), view::int(key)])?, 1)?;
        }
        t.eq("strong count of the values", object.counts().0, 1 + len as u32)?;
        for key in len..8 {
            t.call_void("ffi.DictSetItem", &[dict.any(), view::int(key), object.view()])?;
        }
        t.call_void("ffi.DictErase", &[dict.any(), view::int(0)])?;
        t.eq("entries", t.map(dict.handle())?.entries.len(), 7)?;
        for key in 8..40 {
            t.call_void("ffi.DictSetItem", &[dict.any(), view::int(key), object.view()])?;
        }
        t.eq("ends of the client's blocks when the Dict has outgrown them", ends_of(blocks), 1)?;
        t.eq("entries in the end", t.map(dict.handle())?.entries.len(), 39)?;
        drop(dict);
        t.eq("ends of the client's blocks after the Dict", ends_of(blocks), 1)?;
        t.eq("strong count of the values after the Dict", object.counts().0, 1)?;
    }
    // The end of a Dict ends blocks that it has not outgrown.
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
            t.eq("ffi.DictSize", t.call_int("ffi.DictSize", &[dict.any()])?, key + 1)?;
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
        t.eq("ffi.DictCount", t.call_int("ffi.DictCount", &[dict.any(), view::int(key)])?, 0)?;
        t.maps_ints(dict.handle(), &expected)?;
    }
    set(t, &dict, 1, 1)?;
    t.maps_ints(dict.handle(), &[(1, 1)])
}

/// A small Dict that a client has made can be changed, and ends once by the client's deleter.
#[check(DCT_0026)]
fn client_small(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let dict = client::small_map(kTVMFFIDict, &[[view::int(1), object.view()], [view::int(2), object.view()]], 4);
    t.call_void("ffi.DictSetItem", &[dict.view(), view::int(3), view::int(30)])?;
    t.call_void("ffi.DictSetItem", &[dict.view(), view::int(1), view::int(10)])?;
    t.call_void("ffi.DictErase", &[dict.view(), view::int(2)])?;
    t.maps_ints(dict.handle(), &[(1, 10), (3, 30)])?;
    t.eq("strong count of what is gone", object.counts().0, 1)?;
    t.eq("counts of the Dict", dict.counts(), (1, 1))?;
    homemade::release(dict.handle());
    t.eq("calls of the client's deleter", dict.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])
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
        t.eq("calls of the client's deleter", dict.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])?;
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
    for key in 6..40 {
        t.call_void("ffi.DictSetItem", &[dict.view(), view::int(key), object.view()])?;
    }
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
        t.eq("ffi.DictSize", t.call_int("ffi.DictSize", &[dict.view()])?, 3)?;
        for key in 3..3 + more {
            t.call_void("ffi.DictSetItem", &[dict.view(), view::int(key), object.view()])?;
        }
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
    t.eq("ffi.DictSize", t.call_int("ffi.DictSize", &[dict.view()])?, 0)?;
    t.eq("ffi.DictCount", t.call_int("ffi.DictCount", &[dict.view(), view::int(0)])?, 0)?;
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
        for key in 1..10 {
            t.call_void("ffi.DictSetItem", &[dict.view(), view::int(key), object.view()])?;
        }
        t.eq("entries", t.map(dict.handle())?.entries.len(), 10)?;
        t.call_void("ffi.DictErase", &[dict.view(), view::int(4)])?;
        t.call_void("ffi.DictClear", &[dict.view()])?;
        t.eq("entries", t.map(dict.handle())?.entries.len(), 0)?;
    }
    t.eq("strong count in the end", object.counts().0, 1)
}

/// A Dict may be a key and a value of itself, and lets go of itself when it is cleared.
#[check(DCT_0031)]
fn in_itself(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let dict = ints(t, &(0..others).map(|key| (key, key)).collect::<Vec<_>>())?;
        t.call_void("ffi.DictSetItem", &[dict.any(), view::int(-1), dict.any()])?;
        t.call_void("ffi.DictSetItem", &[dict.any(), dict.any(), view::int(5)])?;
        t.eq("strong count of a Dict in itself", t.counts(dict.handle())?.0, 3)?;
        t.eq("value of itself", t.call_int("ffi.DictGetItem", &[dict.any(), dict.any()])?, 5)?;
        t.map(dict.handle())?;
        t.call_void("ffi.DictClear", &[dict.any()])?;
        t.eq("strong count of a Dict that was cleared of itself", t.counts(dict.handle())?, (1, 1))?;
    }
    Ok(())
}

/// # Safety
/// Always sound; `unsafe` because the type of functions is.
unsafe extern "C" fn fails(raise: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> i32 {
    // SAFETY: `raise` is the function of the target that raises errors.
    let raise: unsafe extern "C" fn(*const i8, *const i8) = unsafe { std::mem::transmute(raise) };
    // SAFETY: two C strings.
    unsafe { raise(c"ArithmeticError".as_ptr().cast(), c"a hook fails".as_ptr().cast()) };
    -1
}

/// A Dict stays as it was, and holds nothing of the entry, when the hook of a key fails.
#[check(DCT_0033)]
fn hook_fails(t: &Trial) -> Verdict {
    let Some(raise) = t.api.table().TVMFFIErrorSetRaisedFromCStr else {
        return Err(t.error("raising", "it is missing"));
    };
    let hook = t.function(raise as *mut _, fails, None)?;
    let key = TVMFFIByteArray::new(b"verify.Unhashable");
    let index = t.api.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
    for column in ["__any_hash__", "__any_equal__"] {
        t.ok(t.api.TVMFFITypeRegisterAttr(index, &TVMFFIByteArray::new(column.as_bytes()), &hook.any()))?;
    }
    let (bad, value) = (Homemade::new(index, ()), Homemade::new(kTVMFFIObject, ()));
    let entries: Vec<_> = (0..9).map(|key| (key, key)).collect();
    let dict = ints(t, &entries)?;
    t.refuses("ffi.DictSetItem", &[dict.any(), bad.view(), value.view()], &["ArithmeticError"])?;
    t.refuses("ffi.DictErase", &[dict.any(), bad.view()], &["ArithmeticError"])?;
    t.maps_ints(dict.handle(), &entries)?;
    t.eq("strong counts of key and value", (bad.counts().0, value.counts().0), (1, 1))?;
    set(t, &dict, 9, 9)?;
    t.eq("entries", t.map(dict.handle())?.entries.len(), 10)
}

// ---- memory ----------------------------------------------------------------------------------------------------------

/// Dicts that have ended leave no memory behind.
#[check(DCT_0034, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let [make, set] = ["ffi.Dict", "ffi.DictSetItem"].map(|name| t.global(name));
    let (make, set) = (make?, set?);
    let text = view::c_str(c"a text that is not short");
    t.no_growth("memory of Dicts", || {
        let dict = t.call(&make, &[text, text])?;
        for key in 0..9 {
            t.call(&set, &[dict.any(), view::int(key), text])?;
        }
        Ok(())
    })
}

/// Dict entries that were replaced, erased or cleared leave no memory behind.
#[check(DCT_0034, patient = 2)]
fn no_growth_in_place(t: &Trial) -> Verdict {
    let [set, erase, clear] = ["ffi.DictSetItem", "ffi.DictErase", "ffi.DictClear"].map(|name| t.global(name));
    let (set, erase, clear) = (set?, erase?, clear?);
    let text = view::c_str(c"a text that is not short");
    let (small, dense) = (ints(t, &[(1, 1)])?, ints(t, &(0..9).map(|key| (key, key)).collect::<Vec<_>>())?);
    t.no_growth("memory of entries", || {
        for dict in [&small, &dense] {
            t.call(&set, &[dict.any(), text, text])?;
            t.call(&set, &[dict.any(), text, text])?;
            t.call(&erase, &[dict.any(), text])?;
        }
        t.call(&set, &[dense.any(), text, text])?;
        t.call(&clear, &[dense.any()]).map(drop)
    })
}

/// A Dict of integers.
fn ints(t: &Trial, entries: &[(i64, i64)]) -> Verdict<Owned> {
    let args: Vec<_> = entries.iter().flat_map(|(key, value)| [view::int(*key), view::int(*value)]).collect();
    t.call_global("ffi.Dict", &args)
}

fn set(t: &Trial, dict: &Owned, key: i64, value: i64) -> Verdict {
    t.call_void("ffi.DictSetItem", &[dict.any(), view::int(key), view::int(value)])
}
