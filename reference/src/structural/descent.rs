//! The explicit stack of a walk.

use std::{
    collections::HashSet,
    hash::{BuildHasherDefault, Hash},
};

use crate::{border::error::Error, system::memory::RoomFor, types::type_table, walk::addresses::WordHasher};

/// A value that a walk is inside of.
pub(super) trait Level {
    /// What the value is known by.
    type Key: Copy + Eq + Hash;
    /// The identity of the value, or of both that are walked together.
    fn key(&self) -> Self::Key;
}

/// How deep a walk goes before it looks out for values that contain themselves. Few go deeper, and those that run in
/// circles get there soon.
const UNWATCHED: usize = 1024;

/// The values that a walk is inside of, outermost first.
pub(super) struct Descent<L: Level> {
    levels: Vec<L>,
    /// The keys of all levels; none while the walk has not been deep.
    inside: HashSet<L::Key, BuildHasherDefault<WordHasher>>,
}

impl<L: Level> Descent<L> {
    /// Not inside of anything.
    pub fn new() -> Self {
        Self { levels: Vec::new(), inside: HashSet::default() }
    }

    /// Makes room for the level of a value, which is entered next.
    ///
    /// # Errors
    /// `ValueError` if the walk is inside of it already, `MemoryError` if it cannot go deeper.
    #[inline]
    pub fn admit(&mut self, key: L::Key, type_index: i32) -> Result<(), Error> {
        self.levels.room_for(1)?;
        if self.levels.len() < UNWATCHED && self.inside.is_empty() { Ok(()) } else { self.watch(key, type_index) }
    }

    /// Whether neither the next value nor one inside of it brings the walk to look out.
    #[inline]
    pub fn is_unwatched(&self) -> bool {
        self.levels.len() + 1 < UNWATCHED && self.inside.is_empty()
    }

    /// Enters a value that has been [admitted](Self::admit).
    #[inline]
    pub fn push(&mut self, level: L) {
        self.levels.push(level);
    }

    #[cold]
    fn watch(&mut self, key: L::Key, type_index: i32) -> Result<(), Error> {
        if self.inside.is_empty() {
            self.inside.room_for(self.levels.len() + 1)?;
            self.inside.extend(self.levels.iter().map(L::key));
        }
        self.inside.room_for(1)?;
        if self.inside.insert(key) { Ok(()) } else { Err(contains_itself(type_index, self.levels.len())) }
    }

    /// The innermost value.
    #[inline]
    pub fn innermost(&mut self) -> Option<&mut L> {
        self.levels.last_mut()
    }

    /// Leaves the innermost value, of which nothing is needed any more.
    #[inline]
    pub fn end_innermost(&mut self) {
        if self.inside.is_empty() {
            // Where it lies, as most often.
            self.levels.truncate(self.levels.len().saturating_sub(1));
        } else {
            drop(self.leave());
        }
    }

    /// Leaves the innermost value.
    #[inline]
    pub fn leave(&mut self) -> Option<L> {
        let level = self.levels.pop()?;
        if !self.inside.is_empty() {
            self.inside.remove(&level.key());
            if self.levels.len() < UNWATCHED / 2 {
                self.inside.clear();
            }
        }
        Some(level)
    }
}

#[cold]
fn contains_itself(type_index: i32, depth: usize) -> Error {
    let key = type_table::key_of(type_index);
    Error::new(
        "ValueError",
        format!("A value contains itself: a `{key}` is met again inside of it, {depth} levels deep"),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl Descent<u32> {
        fn enter(&mut self, level: u32) -> Result<(), Error> {
            self.admit(level, 0).map(|()| self.push(level))
        }
    }

    impl Level for u32 {
        type Key = u32;

        fn key(&self) -> u32 {
            *self
        }
    }

    #[test]
    fn a_circle_is_noticed() {
        let mut descent = Descent::new();
        let entered = (0..).map(|at| at % 3).take_while(|&at: &u32| descent.enter(at).is_ok()).count();
        assert!(entered <= UNWATCHED, "{entered} levels");
    }

    #[test]
    fn depth_alone_is_no_circle() {
        let mut descent = Descent::new();
        assert!((0..100_000).all(|at: u32| descent.enter(at).is_ok()));
        assert!((0..100_000).rev().all(|at| descent.leave() == Some(at)));
        assert!(descent.innermost().is_none());
    }

    proptest! {
        /// Going in and out around the depth where watching begins: what is left can be entered again.
        #[test]
        fn what_has_been_left_can_be_entered_again(moves in proptest::collection::vec(0..3000_usize, 1..30)) {
            let mut descent = Descent::new();
            let mut depth = 0;
            for target in moves {
                while depth < target {
                    prop_assert!(descent.enter(depth as u32).is_ok());
                    depth += 1;
                }
                while depth > target {
                    depth -= 1;
                    prop_assert_eq!(descent.leave(), Some(depth as u32));
                }
            }
        }
    }
}
