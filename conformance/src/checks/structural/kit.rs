//! Structural equality of built values and of client objects.

use crate::{
    client::{Verdict, homemade::Homemade, model::Value, node::Node},
    trial::Trial,
};

pub(super) fn equals(t: &Trial, lhs: &Value, rhs: &Value, expected: bool) -> Verdict {
    let answer = t.structural_equal(&lhs.build(t)?.any(), &rhs.build(t)?.any(), false)?;
    t.eq(format!("whether {lhs:?} equals {rhs:?}"), answer, expected)
}

/// Expects each value to be equal to itself only.
pub(super) fn pairwise(t: &Trial, values: &[Value]) -> Verdict {
    for (at, lhs) in values.iter().enumerate() {
        for (other, rhs) in values.iter().enumerate() {
            equals(t, lhs, rhs, at == other)?;
        }
    }
    Ok(())
}

pub(super) fn hash(t: &Trial, value: &Value) -> Verdict<i64> {
    t.structural_hash(&value.build(t)?.any(), false)
}

pub(super) fn objects_equal(t: &Trial, lhs: &Homemade<Node>, rhs: &Homemade<Node>, expected: bool) -> Verdict {
    let answer = t.structural_equal(&lhs.view(), &rhs.view(), false)?;
    t.eq("whether the objects are structurally equal", answer, expected)
}
