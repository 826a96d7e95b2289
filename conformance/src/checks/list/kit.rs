//! Lists of integers, and what Lists can be asked to do.

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// A List of integers.
pub(super) fn ints(t: &Trial, values: &[i64]) -> Verdict<Owned> {
    t.sequence_of_ints("ffi.List", values)
}

/// A call's arguments: a List and integers.
pub(super) fn with(list: TVMFFIAny, ints: &[i64]) -> Vec<TVMFFIAny> {
    [list].into_iter().chain(ints.iter().map(|value| view::int(*value))).collect()
}

/// Each function of a List, with integers that fit as its further arguments.
pub(super) const FUNCTIONS: &[(&str, &[i64])] = &[
    ("ffi.ListSize", &[]),
    ("ffi.ListGetItem", &[0]),
    ("ffi.ListSetItem", &[0, 5]),
    ("ffi.ListContains", &[5]),
    ("ffi.ListAppend", &[5]),
    ("ffi.ListInsert", &[0, 5]),
    ("ffi.ListPop", &[0]),
    ("ffi.ListErase", &[0]),
    ("ffi.ListEraseRange", &[0, 1]),
    ("ffi.ListReverse", &[]),
    ("ffi.ListClear", &[]),
];
