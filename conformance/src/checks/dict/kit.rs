//! Dicts of integers, and what Dicts can be asked to do.

use crate::{
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// A Dict of integers.
pub(super) fn ints(t: &Trial, entries: &[(i64, i64)]) -> Verdict<Owned> {
    t.map_of_ints("ffi.Dict", entries)
}

pub(super) fn set(t: &Trial, dict: &Owned, key: i64, value: i64) -> Verdict {
    t.call_void("ffi.DictSetItem", &[dict.any(), view::int(key), view::int(value)])
}

/// Each function of a Dict, with the number of its arguments.
pub(super) const FUNCTIONS: &[(&str, usize)] = &[
    ("ffi.DictSize", 1),
    ("ffi.DictGetItem", 2),
    ("ffi.DictSetItem", 3),
    ("ffi.DictCount", 2),
    ("ffi.DictErase", 2),
    ("ffi.DictClear", 1),
    ("ffi.DictForwardIterFunctor", 1),
    ("ffi.DictGetItemOrMissing", 2),
];
