//! The order of big integers, whatever their signs and lengths.

use std::cmp::Ordering;

use super::kit::{BIGS, extended, make, minimal};
use crate::{
    checks::check,
    client::{Verdict, view},
    trial::Trial,
};

/// The five recursive comparisons of two BigInts agree with arithmetic, whatever their signs, how many words they have, in which word they differ, and
/// however many words that say nothing were given with them.
#[check(BIG_0022, patient = 2)]
fn five_comparisons(t: &Trial) -> Verdict {
    let all = integers();
    let made = all.iter().map(|words| make(t, words)).collect::<Verdict<Vec<_>>>()?;
    let other_forms = all.iter().zip(1..).map(|(words, number)| make(t, &extended(words, number % 3)));
    let other_forms = other_forms.collect::<Verdict<Vec<_>>>()?;
    let comparisons = [
        ("ffi.RecursiveLt", Ordering::is_lt as fn(Ordering) -> bool),
        ("ffi.RecursiveLe", Ordering::is_le),
        ("ffi.RecursiveGt", Ordering::is_gt),
        ("ffi.RecursiveGe", Ordering::is_ge),
        ("ffi.RecursiveEq", Ordering::is_eq),
    ];
    for (name, holds) in comparisons {
        let function = t.global(name)?;
        for (one, lhs) in all.iter().zip(&made) {
            for (other, rhs) in all.iter().zip(&other_forms) {
                let answer = t.call(&function, &[lhs.any(), rhs.any()])?;
                let what = format_args!("{name} of the words {one:x?} and {other:x?}");
                t.any_eq(what, &answer.any(), &view::bool(holds(order(one, other))))?;
            }
        }
    }
    Ok(())
}

/// BigInts in containers are ordered by value, whatever their signs and lengths.
#[check(BIG_0022)]
fn in_containers(t: &Trial) -> Verdict {
    let all = integers();
    for (one, other) in all.iter().zip(all.iter().rev()).chain(all.iter().zip(&all[1..])) {
        for kind in ["ffi.Array", "ffi.List"] {
            let (lhs, rhs) = (make(t, one)?, make(t, other)?);
            let (lhs, rhs) = (t.call_global(kind, &[lhs.any()])?, t.call_global(kind, &[rhs.any()])?);
            t.recursively_ordered(&lhs.any(), &rhs.any(), order(one, other))
                .map_err(|failure| failure.noting(format!("in {kind} the words are {one:x?} and {other:x?}")))?;
        }
    }
    Ok(())
}

/// Integers of two to five words, with both signs, that differ in the first word, in the last, or in their number of words alone.
pub(super) fn integers() -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = BIGS.iter().map(|words| words.to_vec()).collect();
    for count in [2, 3, 5] {
        for [low, high] in [[1, 1], [2, 1], [-1, 2], [i64::MIN, 1]] {
            let words = [vec![low], vec![7; count - 2], vec![high]].concat();
            all.push(words.iter().map(|word| !word).collect());
            all.push(words);
        }
    }
    all.retain(|words| minimal(words).len() > 1);
    all.sort();
    all.dedup();
    all
}

/// Which of two integers in their one form is less.
pub(super) fn order(one: &[i64], other: &[i64]) -> Ordering {
    let count = one.len().max(other.len());
    let [one, other] = [one, other].map(|words| extended(words, count - words.len()));
    // The last word has the sign; those below it have none.
    let signed = one.last().cmp(&other.last());
    let below = one.iter().rev().skip(1).map(|word| word.cast_unsigned());
    signed.then_with(|| below.cmp(other.iter().rev().skip(1).map(|word| word.cast_unsigned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_arithmetic() {
        let of = |value: i128| minimal(&[value as i64, (value >> 64) as i64]);
        let all = [i128::MIN, -(1 << 100), -(1 << 64) - 1, -(1 << 64), -1, 0, 1 << 63, 1 << 64, i128::MAX];
        for (at, one) in all.iter().enumerate() {
            for (place, other) in all.iter().enumerate() {
                assert_eq!(order(&of(*one), &of(*other)), at.cmp(&place));
            }
        }
    }
}
