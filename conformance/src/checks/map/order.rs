//! Keys that are given again, the order of the entries, and walking through them.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{ask, ints};
use crate::{
    checks::check,
    client::{
        Verdict,
        containers::{
            keys::text_object,
            numbers::{flattened, up_to},
        },
        forms, view,
    },
    trial::Trial,
};

/// `ffi.Map` keeps one entry, with the last value, for a key that is given several times.
#[check(MAP_0008)]
fn last_value(t: &Trial) -> Verdict {
    for others in [0, 3, 20, 63, 64, 65, 200, 1000] {
        let mut entries = vec![(-1, 1), (-1, 2)];
        entries.extend((0..others).map(|key| (key, key)));
        // One of the others is given again, too, far from where it was.
        entries.extend([(-1, 3), (others / 2, -2)]);
        let map = ints(t, &entries)?;
        t.global_answers("ffi.MapSize", &[map.any()], 1 + others.max(1))?;
        for (key, value) in [(-1, 3), (others / 2, -2)] {
            let found = t.call_int("ffi.MapGetItem", &[map.any(), view::int(key)])?;
            t.eq(format_args!("value of key {key}, of {others} others"), found, value)?;
        }
        t.map(map.handle())?;
    }
    Ok(())
}

/// Whichever of three keys are given again, in whatever turn, a Map and a Dict have each once, with the value that came last.
#[check(MAP_0008, DCT_0001)]
fn every_repetition(t: &Trial) -> Verdict {
    const KEYS: usize = 3;
    let numbers = [0, 1, 2].map(view::int);
    let texts = [c"a", c"b", c"c"].map(view::c_str);
    let long_texts = [c"a text", c"a text that is not short", c"a text that is not that"].map(view::c_str);
    for (kind, clause) in [("Map", id::MAP_0008), ("Dict", id::DCT_0001)] {
        t.clause(clause);
        let [make, size, get] = ["", "Size", "GetItem"].map(|function| t.global(&format!("ffi.{kind}{function}")));
        let (make, size, get) = (make?, size?, get?);
        let turns = (1..6_u32).flat_map(|len| (0..KEYS.pow(len)).map(move |turns| (len, turns)));
        let kinds = [numbers, texts, long_texts];
        // The longest turns with one kind of keys each.
        let with_keys = |(len, turns): (u32, usize)| {
            let is_met = move |kind: &usize| len < 5 || turns % kinds.len() == *kind;
            (0..kinds.len()).filter(is_met).map(move |kind| ((len, turns), kinds[kind]))
        };
        for ((len, turns), keys) in turns.flat_map(with_keys) {
            let given: Vec<_> = (0..len).map(|place| turns / KEYS.pow(place) % KEYS).collect();
            let args = given.iter().zip(0..).flat_map(|(&key, turn)| [keys[key], view::int(turn)]);
            let map = t.call(&make, &args.collect::<Vec<_>>())?;
            let last = |key| given.iter().rposition(|&given| given == key);
            let what = format_args!("a {kind} that was given {} keys, the numbers {given:?} of three", given.len());
            let different = (0..KEYS).filter_map(last).count() as i64;
            t.any_eq(format_args!("the size of {what}"), &t.call(&size, &[map.any()])?.any(), &view::int(different))?;
            for (key, value) in (0..KEYS).filter_map(|key| Some((key, last(key)?))) {
                let found = t.call(&get, &[map.any(), keys[key]])?;
                t.any_eq(format_args!("the value of key {key} in {what}"), &found.any(), &view::int(value as i64))?;
            }
        }
        for text in [&b""[..], b"seven_b", b"eight_by", b"a\0b"] {
            for forms in [forms::of_string(text), forms::of_bytes(text)] {
                for (one, again) in forms.iter().flat_map(|one| forms.iter().map(move |again| (one, again))) {
                    let map = t.call(&make, &[one.view, view::int(1), again.view, view::int(2)])?;
                    let found = t.call(&get, &[map.any(), one.view])?;
                    let what =
                        format_args!("the value of {} that was given again as {}, in a {kind}", one.name, again.name);
                    t.any_eq(what, &found.any(), &view::int(2))?;
                }
            }
        }
    }
    Ok(())
}

/// `ffi.Map` keeps the key object that was given first and releases equal ones that follow.
#[check(MAP_0009)]
fn first_key(t: &Trial) -> Verdict {
    for others in [0, 3, 20] {
        let [first, second] = [(); 2].map(|()| text_object(kTVMFFIStr, b"a text that is not short"));
        let mut args = vec![first.view(), view::int(1)];
        args.extend(flattened(&up_to(others)));
        args.extend([second.view(), view::int(2)]);
        let map = t.call_global("ffi.Map", &args)?;
        t.eq("strong counts of the keys", (first.counts().0, second.counts().0), (2, 1))?;
        t.eq("value of the key", t.call_int("ffi.MapGetItem", &[map.any(), second.view()])?, 2)?;
        let kept = t.map(map.handle())?.entries.iter().any(|(key, _)| key.payload() == first.handle() as u64);
        t.eq("whether the key that came first is there", kept, true)?;
    }
    Ok(())
}

/// The entries of a Map whose keys are given once are in the order in which they are given.
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
    for len in [0, 1, 2, 4, 5, 30, 300, 1030] {
        let entries: Vec<_> = (0..len).map(|key| (key * 37 % 10_007, key)).collect();
        let map = ints(t, &entries)?;
        let next = t.call_global("ffi.MapForwardIterFunctor", &[map.any()])?;
        t.type_index_eq("type_index of an iterator", next.any().type_index, kTVMFFIFunction)?;
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

/// The function that `ffi.MapForwardIterFunctor` answers walks through as many entries as there are, also where that is more than a number of
/// eight or sixteen bits counts.
#[check(MAP_0014, patient = 2)]
fn iterates_through_many(t: &Trial) -> Verdict {
    [256, 257, 65_537]
        .into_iter()
        .try_for_each(|len| t.iterates_through("ffi.MapForwardIterFunctor", &ints(t, &up_to(len))?, len))
}

/// A function from `ffi.MapForwardIterFunctor` goes on where it was, whichever thread has made it and calls it.
#[check(MAP_0014)]
fn iterates_on_any_thread(t: &Trial) -> Verdict {
    [1, 4, 5, 30].into_iter().try_for_each(|len| {
        let map = ints(t, &up_to(len))?;
        t.iterates_on_any_thread("ffi.MapForwardIterFunctor", &map, &up_to(len))
    })
}

/// Two functions from `ffi.MapForwardIterFunctor` walk through one Map independently.
#[check(MAP_0014)]
fn iterators_apart(t: &Trial) -> Verdict {
    for len in [4, 30] {
        let map = ints(t, &up_to(len))?;
        let [one, other] = [(); 2].map(|()| t.call_global("ffi.MapForwardIterFunctor", &[map.any()]));
        let (one, other) = (one?, other?);
        t.call(&one, &[view::int(2)])?;
        t.call(&one, &[view::int(2)])?;
        t.eq("keys that two iterators are at", (ask(t, &one, 0)?, ask(t, &other, 0)?), (2, 0))?;
    }
    Ok(())
}
