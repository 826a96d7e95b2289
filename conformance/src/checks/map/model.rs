//! Maps of random entries beside a model.

use proptest::collection::vec;
use tvm_ffi_spec::clause::id;

use crate::{
    checks::check,
    client::{
        Verdict,
        containers::keys::{Entry, Pool, Pooled, values},
        view,
    },
    trial::Trial,
};

/// How many objects may be keys and values.
const OBJECTS: usize = 3;

/// A Map of random keys and values has the entries that a model predicts and holds each object once.
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
    let mut model = Vec::new();
    pairs.iter().for_each(|(key, value)| Entry::put(&mut model, key, value));
    t.has_entries(&pool, &t.map(map.handle())?.entries, &model)?;
    for entry in &model {
        let found = t.call_global("ffi.MapGetItem", &[map.any(), pool.make(t, &entry.key)?.any])?;
        t.is(format_args!("answer for key {:?}", entry.key), &found.any(), &pool, &entry.value)?;
    }
    pool.counted(t, model.iter().flat_map(|entry| [&entry.key, &entry.value]))?;
    drop((map, kept));
    pool.let_go(t)
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
