//! Maps of given keys, whose places show the hashes of the keys.

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// A Map of these keys with their places as values.
pub(super) fn numbered(t: &Trial, keys: &[TVMFFIAny]) -> Verdict<Owned> {
    let args: Vec<_> = keys.iter().enumerate().flat_map(|(index, key)| [*key, view::int(index as i64)]).collect();
    t.call_global("ffi.Map", &args)
}

/// A dense Map of these keys with their places as values; reading it shows that each key is where its hash leads to.
pub(super) fn dense_of(t: &Trial, keys: &[TVMFFIAny]) -> Verdict<Owned> {
    let map = numbered(t, keys)?;
    let read = t.map(map.handle())?;
    t.that("layout of the Map", read.dense.is_some(), "dense", "small")?;
    t.eq("number of keys", read.entries.len(), keys.len())?;
    Ok(map)
}

/// Expects each of these values to be a key of its own, which is found, leads to its own value, and is none of the others.
pub(super) fn finds_each(t: &Trial, keys: &[TVMFFIAny]) -> Verdict {
    t.map(numbered(t, keys)?.handle())?;
    for (place, key) in keys.iter().enumerate() {
        t.same_key(keys, key, Some(place))?;
        let others: Vec<_> =
            keys.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, key)| *key).collect();
        t.same_key(&others, key, None)?;
        // Alone with the next key, whatever the others hide.
        t.same_key(&[keys[(place + 1) % keys.len()]], key, None)?;
    }
    Ok(())
}
