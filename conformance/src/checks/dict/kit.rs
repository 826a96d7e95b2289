//! Dicts of integers, and what Dicts can be asked to do.

use std::ops::Range;

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, homemade::Homemade, view},
    trial::Trial,
};

/// A Dict of integers.
pub(super) fn ints(t: &Trial, entries: &[(i64, i64)]) -> Verdict<Owned> {
    t.map_of_ints("ffi.Dict", entries)
}

/// Puts one integer in with another as its value.
pub(super) fn set(t: &Trial, dict: &Owned, key: i64, value: i64) -> Verdict {
    t.call_void("ffi.DictSetItem", &[dict.any(), view::int(key), view::int(value)])
}

/// Puts integers in, each with the same object as its value.
pub(super) fn fill(t: &Trial, dict: TVMFFIAny, keys: Range<i64>, value: &Homemade) -> Verdict {
    keys.into_iter().try_for_each(|key| t.call_void("ffi.DictSetItem", &[dict, view::int(key), value.view()]))
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
