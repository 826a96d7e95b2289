//! A bound on how deep hooks of clients call back into the library: each level takes some of the thread's own stack.

use std::{cell::Cell, marker::PhantomData};

use crate::error::{Error, Result};

/// How many walks may be under way on one thread, each started by a hook of the one before.
pub const LIMIT: usize = 1000;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A walk that is under way on this thread, until it is dropped.
pub struct Reentry(PhantomData<*const ()>);

impl Reentry {
    /// Begins a walk that may call hooks.
    ///
    /// # Errors
    /// `ValueError` if too many are under way already.
    pub fn enter() -> Result<Self> {
        let depth = DEPTH.get();
        if depth >= LIMIT {
            return Err(Error::new("ValueError", format!("Hooks call back more than {LIMIT} levels deep")));
        }
        DEPTH.set(depth + 1);
        Ok(Self(PhantomData))
    }
}

impl Drop for Reentry {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_counted_and_given_back() {
        let levels: Vec<_> = (0..LIMIT).map(|_| Reentry::enter().unwrap()).collect();
        assert!(Reentry::enter().is_err());
        drop(levels);
        assert!(Reentry::enter().is_ok());
    }
}
