//! One operation on both libraries, timed in turns.
//!
//! Criterion decides how often to run an operation, and is handed the times of the reference. Each time that it asks for a
//! sample, both libraries run in short turns, the one right after the other and each first in half of the cases, so that a busy
//! moment of the machine hits both; what other programs take of the processor meanwhile does not count ([`Task`]). The median
//! turn of each library makes a pair; the ratio is taken of pairs, and its interval from their order
//! ([`statistics`](crate::statistics)). Rejected: a criterion run for each library, whose ratio moves with whatever happened in
//! between (on a busy machine by half), and the intervals of criterion's own means, which one turn that was interrupted pulls
//! apart.

use std::time::Duration;

use crate::{library::Library, operations::operation::Operation, statistics::median, task::Task};

/// The libraries that are compared.
pub struct Sides {
    /// The public release.
    pub release: Library,
    /// The reference.
    pub ours: Library,
}

/// An operation that is set up on both libraries.
pub struct Pair {
    /// The release's and ours.
    tasks: [Task; 2],
    /// How often the operation runs in a turn.
    turn: u64,
    /// Whose turn comes first.
    first: usize,
    /// Blocks that are in the way of what the operation allocates.
    in_the_way: Vec<Vec<u8>>,
    /// Nanoseconds for each run of the release and of ours, a pair for each sample.
    pub samples: Vec<[f64; 2]>,
}

impl Pair {
    /// Sets an operation up on both, with no more than so many elements.
    ///
    /// # Panics
    /// If the two do not do the same.
    pub fn set_up(sides: &Sides, operation: &Operation, most: usize) -> Self {
        let tasks = [&sides.release, &sides.ours].map(|library| operation.set_up(library, most));
        let [release, ours] = [&tasks[0].did, &tasks[1].did];
        assert_eq!(ours, release, "{}: the reference and the release have done different things", operation.id());
        let turn = tasks[0].least;
        Self { tasks, turn, first: 0, in_the_way: Vec::new(), samples: Vec::new() }
    }

    /// Finds out how often the operation has to run for a turn of the right length.
    pub fn calibrate(&mut self) {
        while self.turn < 1 << 24 {
            let spent: Duration = self.tasks.iter_mut().map(|task| task.run(self.turn)).sum();
            if spent >= 2 * self.tasks[0].turn {
                break;
            }
            self.turn *= 2;
        }
    }

    /// Takes one sample of about so many runs of each library, and answers what they took of the reference.
    pub fn sample(&mut self, runs: u64) -> Duration {
        let turns = (runs / self.turn).max(1);
        let each = (runs / turns).max(self.tasks[0].least);
        self.move_on();
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..turns {
            for side in [self.first, 1 - self.first] {
                times[side].push(self.tasks[side].run(each).as_nanos() as f64 / each as f64);
            }
            self.first = 1 - self.first;
        }
        let pair = [median(&times[0]), median(&times[1])];
        self.samples.push(pair);
        Duration::from_nanos((pair[1] * runs as f64) as u64)
    }

    /// Has small blocks come to lie elsewhere from now on: some places are slow, by half for the fastest operations, and one that
    /// is chosen for all samples would say more of a place than of a library. Both libraries get the same ones.
    fn move_on(&mut self) {
        const LARGEST: usize = 1024;
        self.in_the_way.extend((16..=LARGEST).step_by(16).map(Vec::with_capacity));
    }
}
