//! Copies of what a container has, made before foreign code runs that may change it, and taken one by one. A few, which is
//! what most containers have, need no memory.

use std::{mem, ops::Range, vec};

use crate::{border::error::Result, system::memory};

const FEW: usize = 4;

/// What is left of the copies.
pub enum Copies<T> {
    /// They lie here.
    Few {
        /// Those that have been taken have left a default behind.
        items: [T; FEW],
        /// Where the others are.
        left: Range<usize>,
    },
    /// They lie in memory of their own.
    Many(vec::IntoIter<T>),
}

impl<T: Default> Default for Copies<T> {
    fn default() -> Self {
        Self::Few { items: Default::default(), left: 0..0 }
    }
}

impl<T: Default> Copies<T> {
    /// Takes so many copies in, in place of what is left. They are made where they stay: to move what has just been written
    /// takes longer than to write it. Many are made from both ends at once: each entry of a large map says where its
    /// neighbours lie, so that the next one can only be looked for when the last one has come.
    ///
    /// # Errors
    /// `MemoryError` if there is no memory for them.
    #[inline]
    pub fn fill(&mut self, count: usize, copies: impl DoubleEndedIterator<Item = T>) -> Result<()> {
        match self {
            Self::Few { items, left } if count <= FEW => {
                let kept = items.iter_mut().zip(copies).map(|(item, copy)| *item = copy).count();
                *left = 0..kept;
            }
            _ => *self = Self::Many(from_both_ends(count, copies)?.into_iter()),
        }
        Ok(())
    }

    /// The copies that are left.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::Few { items, left } => &items[left.start..left.end],
            Self::Many(many) => many.as_slice(),
        }
    }
}

/// So many items, from both ends in turn; only those in front if there are not so many.
fn from_both_ends<T>(count: usize, mut items: impl DoubleEndedIterator<Item = T>) -> Result<Vec<T>> {
    let mut all = memory::room(count)?;
    let room = &mut all.spare_capacity_mut()[..count];
    let (mut front, mut back) = (0, count);
    while front < back
        && let Some(item) = items.next()
    {
        room[front].write(item);
        front += 1;
        if front < back
            && let Some(item) = items.next_back()
        {
            back -= 1;
            room[back].write(item);
        }
    }
    // SAFETY: where the ends have met, all places have been written; else those in front have.
    unsafe { all.set_len(if front == back { count } else { front }) };
    Ok(all)
}

impl<T: Default> Iterator for Copies<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self {
            Self::Few { items, left } => left.next().map(|at| mem::take(&mut items[at])),
            Self::Many(many) => many.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_in_order_from_whichever_end_they_come() {
        for count in 0..20 {
            let mut copies = Copies::default();
            copies.fill(count, 0..count).unwrap();
            assert_eq!(copies.as_slice().len(), count);
            assert!(copies.eq(0..count));
        }
    }

    #[test]
    fn fewer_than_expected_are_those_in_front() {
        assert_eq!(from_both_ends(7, 0..4).unwrap(), [0, 1]);
    }
}
