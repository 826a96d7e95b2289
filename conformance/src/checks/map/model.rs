//! Maps of random entries beside a model.

use proptest::collection::vec;
use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Verdict,
        containers::{
            keys::{Pool, Pooled, values},
            map::SMALL_SLOTS,
        },
        view,
    },
    trial::Trial,
};

/// How many objects may be keys and values.
const OBJECTS: usize = 3;

/// A Map of random keys and values has the entries that a model predicts, in order, and holds each object once.
#[check(MAP_0001, MAP_0008, MAP_0010, MAP_0019, patient = 2)]
fn model(t: &Trial) -> Verdict {
    t.property(vec((values(OBJECTS), values(OBJECTS)), 0..14), |pairs| keeps(t, pairs))
}

/// Expects a Map of these keys and values to have what the model predicts, and to hold it once.
fn keeps(t: &Trial, pairs: &[(Pooled, Pooled)]) -> Verdict {
    let pool = Pool::new(OBJECTS);
    let flat = pairs.iter().flat_map(|(key, value)| [key, value]);
    let kept: Vec<_> = flat.map(|value| pool.make(t, value)).collect::<Verdict<_>>()?;
    let map = t.call_global("ffi.Map", &kept.iter().map(|made| made.any).collect::<Vec<_>>())?;
    let entries = t.map(map.handle())?.entries;
    // Another clause says whether a key that is given again moves while the Map is small and full.
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
}

/// The entries that keys and values given in turn lead to.
fn modelled(pairs: &[(Pooled, Pooled)], full_moves: bool) -> Vec<(Pooled, Pooled)> {
    let mut entries: Vec<(Pooled, Pooled)> = Vec::new();
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
fn keys_are(t: &Trial, pool: &Pool, entries: &[(TVMFFIAny, TVMFFIAny)], model: &[(Pooled, Pooled)]) -> Verdict<bool> {
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
