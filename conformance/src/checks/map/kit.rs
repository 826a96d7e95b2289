//! Maps of integers, and what Maps can be asked.

use crate::{
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// A Map of integers.
pub(super) fn ints(t: &Trial, entries: &[(i64, i64)]) -> Verdict<Owned> {
    t.map_of_ints("ffi.Map", entries)
}

/// What an iterator answers to a command.
pub(super) fn ask(t: &Trial, iterator: &Owned, command: i64) -> Verdict<u64> {
    Ok(t.call(iterator, &[view::int(command)])?.any().payload())
}

/// Each function of a Map, with the number of its arguments.
pub(super) const FUNCTIONS: &[(&str, usize)] =
    &[("ffi.MapSize", 1), ("ffi.MapGetItem", 2), ("ffi.MapCount", 2), ("ffi.MapForwardIterFunctor", 1)];
