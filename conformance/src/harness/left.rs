//! What of a run is left to do: groups of checks, which threads take, and of which they put back what did not pass in company.

use std::{
    collections::VecDeque,
    ops::Range,
    sync::{Condvar, Mutex, MutexGuard},
};

/// The groups that nobody has taken yet, each a list of checks by their places.
pub struct Left {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    groups: VecDeque<Vec<usize>>,
    /// How many are taken, of which something may be put back.
    taken: usize,
}

/// A group that somebody is at.
pub struct Taken<'a> {
    left: &'a Left,
    /// The checks.
    pub checks: Vec<usize>,
}

impl Left {
    /// These, in this order.
    pub fn new(groups: impl IntoIterator<Item = Vec<usize>>) -> Self {
        let state = State { groups: groups.into_iter().collect(), taken: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next group; waits where all are taken, and `None` when all is done.
    pub fn take(&self) -> Option<Taken<'_>> {
        let mut state = self.lock();
        loop {
            if let Some(checks) = state.groups.pop_front() {
                state.taken += 1;
                return Some(Taken { left: self, checks });
            }
            if state.taken == 0 {
                return None;
            }
            state = self.changed.wait(state).expect("no thread panics while it holds this lock");
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds this lock")
    }
}

impl Taken<'_> {
    /// Puts groups of them back, which are the next that are taken.
    pub fn put_back(&self, groups: Vec<Range<usize>>) {
        let mut state = self.left.lock();
        for group in groups.into_iter().rev().filter(|group| !group.is_empty()) {
            state.groups.push_front(self.checks[group].to_vec());
        }
        self.left.changed.notify_all();
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.left.lock().taken -= 1;
        self.left.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_back_is_next_and_waited_for() {
        let left = Left::new([vec![0, 1, 2], vec![3]]);
        let take = || left.take().map(|taken| taken.checks.clone());
        let first = left.take().unwrap();
        assert_eq!(first.checks, [0, 1, 2]);
        first.put_back(vec![0..1, 1..1, 1..3]);
        assert_eq!([take(), take(), take()], [Some(vec![0]), Some(vec![1, 2]), Some(vec![3])]);
        std::thread::scope(|scope| {
            let waits = scope.spawn(take);
            first.put_back(vec![0..0, 2..3]);
            assert_eq!(waits.join().unwrap(), Some(vec![2]));
        });
        drop(first);
        assert_eq!(take(), None);
    }
}
