//! Hooks of keys that fail: what was given away to the call, and each call of a hook in turn.

use std::sync::atomic::{AtomicUsize, Ordering};

use tvm_ffi_spec::{clause::id, *};

use super::number::{ASKED, Number, hash_or_equal, numbers, type_with};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{Body, raise},
        given::Given,
        globals,
        homemade::Homemade,
        types, view,
    },
    trial::Trial,
};

/// A key or a value that is given away to a function that fails at a hook of the key stays in its slot or ends, and the container
/// stays as it was.
#[check(HSH_0015, DCT_0033)]
fn given_where_a_hook_fails(t: &Trial) -> Verdict {
    for (column, index) in failing_types(t)? {
        for (kind, doors) in DOORS {
            let Some(make) = globals::find(t, kind)? else { continue };
            let is_map = matches!(kind, "ffi.Map" | "ffi.Dict");
            // What has no hash is a key of no map, and a small map may find that it does not have it without a hash.
            let is_kept = !is_map || column == "__any_equal__";
            let sizes: &[i64] = if is_kept { &[0, 1, 3, 9] } else { &[9] };
            for others in sizes {
                let kept = Homemade::new(index, ());
                let mut items: Vec<_> = (0..*others).map(view::int).collect();
                items.extend(is_kept.then(|| kept.view()));
                let pairs: Vec<_> = items.iter().flat_map(|item| [*item, view::int(1)]).collect();
                let container = t.call(&make, if is_map { &pairs } else { &items })?;
                let counts = kept.counts();
                for &door in doors {
                    let Some(function) = globals::find(t, &format!("{kind}{door}"))? else { continue };
                    for (key_given, value_given) in GIVEN {
                        let (mut key, mut value) = (Given::of_type(index), Given::default());
                        let args = [container.any(), passed(&mut key, key_given), passed(&mut value, value_given)];
                        let count = if door == "SetItem" { 3 } else { 2 };
                        let what = format!("{kind}{door} beside {others} others, where {column} fails");
                        t.clause(id::HSH_0015);
                        let failed = t.call_fails(&function, &args[..count], &["ArithmeticError"]);
                        drop(failed.map_err(|failure| failure.noting(&what))?);
                        t.clause(if count == 3 { id::DCT_0033 } else { id::HSH_0015 });
                        key.is_accounted_for(t, format_args!("{what}, as the key"))?;
                        value.is_accounted_for(t, format_args!("{what}, as the value"))?;
                        t.eq(format_args!("counts of what is kept after {what}"), kept.counts(), counts)?;
                        t.global_answers(&format!("{kind}Size"), &[container.any()], items.len() as i64)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A key or a value that is given away to a function that makes a Map or a Dict and fails at the hook of a key stays in its slot or
/// ends, wherever it stands among the arguments.
#[check(HSH_0015)]
fn given_where_a_hook_fails_half_way(t: &Trial) -> Verdict {
    let [_, (_, index)] = failing_types(t)?;
    for make in ["ffi.Map", "ffi.Dict"] {
        let Some(function) = globals::find(t, make)? else { continue };
        for count in [2, 3, 4, 5, 9, 20] {
            // The key that cannot be compared with the first is the second, the last, or one in the middle.
            for bad in [1, count / 2, count - 1] {
                for (keys_given, values_given) in GIVEN {
                    let key = |place| if place == 0 || place == bad { Given::of_type(index) } else { Given::default() };
                    let mut entries: Vec<_> = (0..count).map(|place| (key(place), Given::default())).collect();
                    let pair =
                        |(key, value): &mut (Given, Given)| [passed(key, keys_given), passed(value, values_given)];
                    let args: Vec<_> = entries.iter_mut().flat_map(pair).collect();
                    let what = format!("{make} of {count} whose key {bad} fails");
                    let failed = t.call_fails(&function, &args, &["ArithmeticError"]);
                    drop(failed.map_err(|failure| failure.noting(&what))?);
                    for (place, (key, value)) in entries.iter().enumerate() {
                        key.is_accounted_for(t, format_args!("{what}, as key {place}"))?;
                        value.is_accounted_for(t, format_args!("{what}, as value {place}"))?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A Dict stays as it was and holds nothing of the entry, whichever call of a hook it is that fails while an entry is set, also those for
/// keys that the Dict has; the entry can be set afterwards.
#[check(DCT_0033, HSH_0015, patient = 2)]
fn each_call_fails_in_turn(t: &Trial) -> Verdict {
    let hook = t.callback(fails_in_turn)?;
    let index = type_with(t, hook.any(), hook.any())?;
    let [make, set, get] = t.globals(["ffi.Dict", "ffi.DictSetItem", "ffi.DictGetItem"])?;
    // Before and after each step at which a table may be full.
    for size in [0, 1, 3, 4, 5, 7, 8, 15, 16] {
        let kept = numbers(index, 0..size);
        // A new key, and one that is equal to the first.
        for number in [size, 0] {
            for turn in 0.. {
                let dict = t.call(&make, &[])?;
                for (key, place) in kept.iter().zip(0..) {
                    t.call(&set, &[dict.any(), key.view(), view::int(place)])?;
                }
                let before = entries(t, &dict)?;
                let (key, value) = (Number::new(index, number), Homemade::new(kTVMFFIObject, ()));
                let args = [dict.any(), key.view(), value.view()];
                let what = format!("setting {number} in a Dict of {size} keys, where call {turn} of a hook is to fail");
                ASKED.store(0, Ordering::Relaxed);
                FAILING.store(turn, Ordering::Relaxed);
                let answer = t.answer_of(set.handle(), &args)?;
                FAILING.store(usize::MAX, Ordering::Relaxed);
                let failed = ASKED.load(Ordering::Relaxed) > turn;
                t.clause(id::HSH_0015);
                let kind = answer.err().map(|raised| raised.kind);
                t.eq(format_args!("error of {what}"), kind, failed.then(|| "ArithmeticError".to_owned()))?;
                t.clause(id::DCT_0033);
                if failed {
                    t.eq(format_args!("keys and values after {what}"), entries(t, &dict)?, before)?;
                    let counts = (key.counts(), value.counts());
                    t.eq(format_args!("counts of key and value after {what}"), counts, ((1, 1), (1, 1)))?;
                    t.call(&set, &args)?;
                }
                let found = t.call(&get, &args[..2])?;
                t.any_eq(format_args!("the value after {what}"), &found.any(), &value.view())?;
                t.global_answers("ffi.DictSize", &args[..1], size as i64 + i64::from(number == size))?;
                drop((found, dict));
                let held = kept.iter().filter(|key| key.counts() != (1, 1)).count();
                t.eq(format_args!("keys that are still held after {what}"), held, 0)?;
                let counts = (key.counts(), value.counts());
                t.eq(format_args!("counts of key and value after the Dict and {what}"), counts, ((1, 1), (1, 1)))?;
                if !failed {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The call of a hook that fails, counted from 0.
static FAILING: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Both hooks of a number, which fail once, at the call whose turn it is.
fn fails_in_turn(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    if ASKED.load(Ordering::Relaxed) == FAILING.load(Ordering::Relaxed) {
        ASKED.fetch_add(1, Ordering::Relaxed);
        return raise(api, c"ArithmeticError", c"a hook fails");
    }
    hash_or_equal(api, args)
}

/// The keys and values of a Dict in their order.
fn entries(t: &Trial, dict: &Owned) -> Verdict<Vec<[u64; 2]>> {
    let map = t.map(dict.handle())?;
    Ok(map.entries.iter().map(|(key, value)| [key.payload(), value.payload()]).collect())
}

/// Kinds of containers, and the functions of each that look for a key.
const DOORS: [(&str, &[&str]); 4] = [
    ("ffi.Array", &["Contains"]),
    ("ffi.List", &["Contains"]),
    ("ffi.Map", &["GetItem", "Count", "GetItemOrMissing"]),
    ("ffi.Dict", &["GetItem", "Count", "GetItemOrMissing", "Erase", "SetItem"]),
];

/// Whether keys and whether values are given away, and not lent.
const GIVEN: [(bool, bool); 3] = [(true, true), (true, false), (false, true)];

/// The argument that gives an object away, or lends it.
fn passed(object: &mut Given, is_given: bool) -> TVMFFIAny {
    if is_given { object.arg() } else { object.view() }
}

/// Types with the hook that fails: one whose objects have no hash, and one whose objects have one hash and cannot be compared.
fn failing_types(t: &Trial) -> Verdict<[(&'static str, i32); 2]> {
    let fails: Body = |api, _| raise(api, c"ArithmeticError", c"a hook fails");
    let compares: Body = |api, args| match args {
        [_] => Some(view::int(7)),
        _ => raise(api, c"ArithmeticError", c"a hook fails"),
    };
    let with = |key: &str, body: Body| -> Verdict<i32> {
        let (index, hook) = (types::new(t, key), t.callback(body)?);
        for column in ["__any_hash__", "__any_equal__"] {
            t.set_hook(index, column, &hook.any())?;
        }
        Ok(index)
    };
    Ok([("__any_hash__", with("verify.Unhashable", fails)?), ("__any_equal__", with("verify.Incomparable", compares)?)])
}
