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
    /// takes longer than to write it.
    ///
    /// # Errors
    /// `MemoryError` if there is no memory for them.
    #[inline]
    pub fn fill(&mut self, count: usize, copies: impl Iterator<Item = T>) -> Result<()> {
        match self {
            Self::Few { items, left } if count <= FEW => {
                let kept = items.iter_mut().zip(copies).map(|(item, copy)| *item = copy).count();
                *left = 0..kept;
            }
            _ => {
                let mut many = memory::room(count)?;
                many.extend(copies);
                *self = Self::Many(many.into_iter());
            }
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
