//! Arrays of integers.

use crate::{
    client::{Owned, Verdict},
    trial::Trial,
};

/// An Array of integers.
pub(super) fn ints(t: &Trial, values: &[i64]) -> Verdict<Owned> {
    t.sequence_of_ints("ffi.Array", values)
}
