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

/// Expects each of these values to be a key of its own, which is found and leads to its own value.
pub(super) fn finds_each(t: &Trial, keys: &[TVMFFIAny]) -> Verdict {
    let map = numbered(t, keys)?;
    t.map(map.handle())?;
    t.global_answers("ffi.MapSize", &[map.any()], keys.len() as i64)?;
    for (index, key) in keys.iter().enumerate() {
        t.eq(format_args!("value of {key:?}"), t.call_int("ffi.MapGetItem", &[map.any(), *key])?, index as i64)?;
    }
    Ok(())
}
