//! Making Dicts and changing them: new keys, other values, erasing and clearing.

use std::ffi::CStr;

use tvm_ffi_spec::{clause::id, *};

use super::kit::{ints, set};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{hash::keys_of_one_hash, keys::text_object, numbers::up_to},
        globals,
        node::{node, node_type},
        samples::{Place, pairs},
        view,
    },
    trial::Trial,
};

/// `ffi.Dict` makes a Dict of its arguments, which are keys and values in turn, and keeps their order.
#[check(DCT_0001)]
fn of_its_arguments(t: &Trial) -> Verdict {
    for len in [0, 1, 2, 3, 4, 5, 9, 100] {
        let entries: Vec<_> = (0..len).map(|key| (key * 13 % 101, key)).collect();
        let dict = ints(t, &entries)?;
        t.is_new(&dict, kTVMFFIDict)?;
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
        t.global_answers("ffi.DictSize", &[dict.any()], others + 1)?;
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
        let dict = ints(t, &up_to(len))?;
        for key in 0..len {
            set(t, &dict, key, -key)?;
            t.global_answers("ffi.DictSize", &[dict.any()], len)?;
            let value = t.call_int("ffi.DictGetItem", &[dict.any(), view::int(key)])?;
            t.eq(format_args!("value of {key} among {len}"), value, -key)?;
        }
        t.map(dict.handle())?;
    }
    Ok(())
}

/// `ffi.DictSetItem` puts the very value that it is given in the place of one that is equal to it, or nearly so.
#[check(DCT_0003)]
fn overwrites_the_like(t: &Trial) -> Verdict {
    let (samples, none) = (t.samples()?, TVMFFIAny::NONE);
    let [set, get] = t.globals(["ffi.DictSetItem", "ffi.DictGetItem"])?;
    for (before, given) in pairs(&samples) {
        for others in [0, 9] {
            let dict = Place::DictValue.put_before(t, &before.any(), others)?;
            t.call(&set, &[dict.any(), none, given.any()])?;
            let found = t.call(&get, &[dict.any(), none])?;
            t.is_sample(format_args!("what was {} and was set to {}", before.name, given.name), &found.any(), given)?;
        }
    }
    // Two that their type calls equal.
    let kind = node_type(t, "verify.dict.Equal", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    t.set_hook(kind, "__any_equal__", &t.callback(|_, _| Some(view::bool(true)))?.any())?;
    t.set_hook(kind, "__any_hash__", &t.callback(|_, _| Some(view::int(7)))?.any())?;
    for (key, others) in
        [none, view::c_str(c"a key that is a text")].into_iter().flat_map(|key| [0, 9].map(|others| (key, others)))
    {
        let [before, given] = [node(kind, view::int(1), view::int(2)), node(kind, view::int(1), view::int(2))];
        let dict = Place::DictValue.put_before(t, &view::int(7), others)?;
        t.call(&set, &[dict.any(), key, before.view()])?;
        t.call(&set, &[dict.any(), key, given.view()])?;
        t.any_eq(
            "what was set in the place of an equal object",
            &t.call(&get, &[dict.any(), key])?.any(),
            &given.view(),
        )?;
        t.eq("counts of the object that is no longer there", before.counts(), (1, 1))?;
    }
    // Two that are equal until one is changed.
    for kind in ["ffi.List", "ffi.Dict"] {
        let [before, given] = [t.call_global(kind, &[])?, t.call_global(kind, &[])?];
        let dict = Place::DictValue.put(t, &before.any())?;
        t.call(&set, &[dict.any(), none, given.any()])?;
        t.any_eq("the value that was set", &Place::DictValue.look(t, &dict.any())?, &given.any())?;
    }
    Ok(())
}

/// `ffi.DictSetItem` keeps the key object that is there when an equal key is given with another value.
#[check(DCT_0035)]
fn overwrite_keeps_key(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let [first, second] = [(); 2].map(|()| text_object(kTVMFFIStr, b"a text that is not short"));
        let dict = ints(t, &up_to(others))?;
        for key in [&first, &second] {
            t.call_void("ffi.DictSetItem", &[dict.any(), key.view(), view::int(1)])?;
        }
        t.eq("strong counts of the keys", (first.counts().0, second.counts().0), (2, 1))?;
        t.global_answers("ffi.DictSize", &[dict.any()], others + 1)?;
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
            t.global_answers("ffi.DictCount", &[dict.any(), view::int(key * 3)], 0)?;
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
        let entries = up_to(len);
        let dict = ints(t, &entries)?;
        for key in [view::int(-1), view::int(len), TVMFFIAny::NONE, view::c_str(c"a text that is not short")] {
            t.call_void("ffi.DictErase", &[dict.any(), key])?;
            t.maps_ints(dict.handle(), &entries)?;
        }
    }
    Ok(())
}

/// `ffi.DictErase` takes a key out in whatever form it is given, and leaves one that is only like it.
#[check(DCT_0004)]
fn erases_every_form(t: &Trial) -> Verdict {
    let samples = t.samples()?;
    for (kept, given) in pairs(&samples) {
        let dict = Place::DictKey.put(t, &kept.any())?;
        t.call_void("ffi.DictErase", &[dict.any(), given.any()])?;
        let left = t.map(dict.handle())?.entries.len();
        t.eq(
            format_args!("entries of a Dict of {} without {}", kept.name, given.name),
            left,
            usize::from(!kept.same(given)),
        )?;
    }
    Ok(())
}

/// A Dict keeps each of five keys that have one hash apart from the others, whichever is erased.
#[check(DCT_0002, DCT_0004)]
fn one_hash(t: &Trial) -> Verdict {
    let keys = keys_of_one_hash();
    for erased in 0..keys.len() {
        for others in [0, 9] {
            t.clause(id::DCT_0002);
            let dict = ints(t, &up_to(others))?;
            for (number, key) in (0..).zip(&keys) {
                t.call_void("ffi.DictSetItem", &[dict.any(), *key, view::int(100 + number)])?;
                t.map(dict.handle())?;
            }
            t.clause(id::DCT_0004);
            t.call_void("ffi.DictErase", &[dict.any(), keys[erased]])?;
            for (number, key) in (0..).zip(&keys) {
                let there = t.call_int("ffi.DictCount", &[dict.any(), *key])?;
                t.eq(format_args!("whether {key:?} is there"), there, (number != erased).into())?;
            }
            t.eq("entries", t.map(dict.handle())?.entries.len(), others as usize + keys.len() - 1)?;
        }
    }
    Ok(())
}

/// `ffi.DictClear` takes all entries out and leaves a Dict that can be filled again.
#[check(DCT_0005)]
fn clears(t: &Trial) -> Verdict {
    for len in [0, 2, 4, 5, 20] {
        let dict = ints(t, &up_to(len))?;
        t.call_void("ffi.DictClear", &[dict.any()])?;
        t.maps_ints(dict.handle(), &[])?;
        t.global_answers("ffi.DictSize", &[dict.any()], 0)?;
        t.global_answers("ffi.DictCount", &[dict.any(), view::int(0)], 0)?;
        let mut expected = Vec::new();
        for key in 0..20 {
            set(t, &dict, key, 2 * key)?;
            expected.push((key, 2 * key));
            t.maps_ints(dict.handle(), &expected)?;
        }
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
    t.maps_ints(seen.handle(), &up_to(40)[1..])
}

/// What a Dict holds, by the model: keys, and values as they are shown.
type Model = Vec<(i64, String)>;
/// A change: what it is, a key that is looked up, what is done to a Dict with a new value, and to its model.
type Change = (&'static str, i64, fn(&Trial, TVMFFIAny, TVMFFIAny) -> Verdict, fn(&mut Model, String));

static CHANGES: [Change; 6] = [
    ("a key got another value", 1, |t, dict, value| put(t, dict, 1, value), |model, value| model[1].1 = value),
    ("a key was erased", 1, |t, dict, _| erase(t, dict, 1), |model, _| drop(model.remove(1))),
    (
        "a key was erased and set again",
        1,
        |t, dict, value| erase(t, dict, 1).and_then(|()| put(t, dict, 1, value)),
        |model, value| {
            model.remove(1);
            model.push((1, value));
        },
    ),
    (
        "a key was erased and another set",
        1,
        |t, dict, value| erase(t, dict, 1).and_then(|()| put(t, dict, 99, value)),
        |model, value| {
            model.remove(1);
            model.push((99, value));
        },
    ),
    ("a key was set", 99, |t, dict, value| put(t, dict, 99, value), |model, value| model.push((99, value))),
    ("all was cleared", 1, |t, dict, _| t.call_void("ffi.DictClear", &[dict]), |model, _| model.clear()),
];

fn put(t: &Trial, dict: TVMFFIAny, key: i64, value: TVMFFIAny) -> Verdict {
    t.call_void("ffi.DictSetItem", &[dict, view::int(key), value])
}

fn erase(t: &Trial, dict: TVMFFIAny, key: i64) -> Verdict {
    t.call_void("ffi.DictErase", &[dict, view::int(key)])
}

/// What one thread changes in a Dict is seen by another that has looked at the Dict before, whatever was changed and however the other looks.
#[check(DCT_0009, patient = 2)]
fn changes_are_seen_by_other_threads(t: &Trial) -> Verdict {
    const NEW: &CStr = c"another value, and not a short one";
    let mut doors = vec!["GetItem", "Count", "Size", "ForwardIterFunctor"];
    if globals::find(t, "ffi.DictGetItemOrMissing")?.is_some() {
        doors.push("GetItemOrMissing");
    }
    let new = |is_text| {
        if is_text { view::c_str(NEW) } else { view::int(7) }
    };
    let (mut dicts, mut cases) = (Vec::new(), Vec::new());
    for (change, door) in CHANGES.iter().flat_map(|change| doors.iter().map(move |&door| (change, door))) {
        for (is_text, len) in [(false, 3), (true, 3), (false, 12), (true, 12)] {
            let (dict, mut model) = (ints(t, &[])?, Model::new());
            for key in 0..len {
                let text = format!("the value of key {key}");
                let made = t.string(text.as_bytes())?;
                put(t, dict.any(), key, if is_text { made.any() } else { view::int(1000 + key) })?;
                model.push((key, if is_text { text } else { (1000 + key).to_string() }));
            }
            let mut changed = model.clone();
            change.3(&mut changed, if is_text { NEW.to_string_lossy().into_owned() } else { 7.to_string() });
            cases.push((dict.any(), change, door, is_text, model, changed));
            dicts.push(dict);
        }
    }
    let look = |t: &Trial, case: usize, again: bool| -> Verdict {
        let (dict, change, door, _, model, changed) = &cases[case];
        let (model, when) = if again { (changed, "after") } else { (model, "before") };
        let what = format!("what ffi.Dict{door} shows {when} {} on another thread", change.0);
        t.eq(what, shown(t, door, *dict, change.1)?, expected(door, model, change.1))
    };
    t.changes_are_seen(cases.len(), look, |t, case| {
        let (dict, change, _, is_text, ..) = &cases[case];
        change.2(t, *dict, new(*is_text))
    })
}

/// What a function of a Dict shows, of one key or of all.
fn shown(t: &Trial, door: &str, dict: TVMFFIAny, key: i64) -> Verdict<String> {
    let (name, args) = (format!("ffi.Dict{door}"), [dict, view::int(key)]);
    let text = |found: &Owned| -> Verdict<String> {
        match found.any().type_index {
            kTVMFFIInt => Ok((found.any().payload() as i64).to_string()),
            kTVMFFIStr | kTVMFFISmallStr => Ok(String::from_utf8_lossy(&t.text(&found.any())?).into_owned()),
            _ => Ok("nothing".to_owned()),
        }
    };
    match door {
        "Size" => Ok(t.call_int(&name, &args[..1])?.to_string()),
        "Count" => Ok(t.call_int(&name, &args)?.to_string()),
        "ForwardIterFunctor" if t.call_int("ffi.DictSize", &args[..1])? == 0 => Ok(String::new()),
        "ForwardIterFunctor" => {
            let (next, mut all) = (t.call_global(&name, &args[..1])?, Vec::new());
            loop {
                let ask = |command| t.call(&next, &[view::int(command)]);
                all.push(format!("{}: {}", text(&ask(0)?)?, text(&ask(1)?)?));
                if ask(2)?.any().payload() == 0 || all.len() > 100 {
                    // Where a key stands whose value has changed is left open.
                    all.sort();
                    return Ok(all.join(", "));
                }
            }
        }
        _ => t.answer(&name, &args)?.map_or_else(|_| Ok("nothing".to_owned()), |found| text(&found)),
    }
}

/// The same by the model.
fn expected(door: &str, model: &[(i64, String)], key: i64) -> String {
    let found = model.iter().find(|entry| entry.0 == key);
    match door {
        "Size" => model.len().to_string(),
        "Count" => u8::from(found.is_some()).to_string(),
        "ForwardIterFunctor" => {
            let mut all: Vec<_> = model.iter().map(|(key, value)| format!("{key}: {value}")).collect();
            all.sort();
            all.join(", ")
        }
        _ => found.map_or("nothing", |entry| &entry.1).to_owned(),
    }
}

/// A Dict that grows is laid out as a Map is, and is dense with more than four entries.
#[check(DCT_0016)]
fn layouts(t: &Trial) -> Verdict {
    let dict = ints(t, &[])?;
    for key in 0..70 {
        set(t, &dict, key * 11, key)?;
        let dense = t.map(dict.handle())?.dense.is_some();
        t.that(format_args!("layout of a Dict of {}", key + 1), dense || key < 4, "dense", "small")?;
    }
    t.type_index_eq("type_index in the header", t.header(dict.handle())?.type_index, kTVMFFIDict)
}

/// A Dict may be a key and a value of itself, and lets go of itself when it is cleared.
#[check(DCT_0031)]
fn in_itself(t: &Trial) -> Verdict {
    for others in [0, 10] {
        let dict = ints(t, &up_to(others))?;
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
