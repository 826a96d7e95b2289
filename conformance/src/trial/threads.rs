//! Running a part of a check on several threads at once.

use std::{sync::Barrier, thread};

use super::Trial;
use crate::client::Verdict;

impl Trial<'_> {
    /// Runs `work` on `count` threads at once and answers the first failure. Each call gets its thread's number.
    pub fn threads(&self, count: usize, work: impl Fn(&Trial, usize) -> Verdict + Sync) -> Verdict {
        let barrier = Barrier::new(count);
        let results: Vec<Verdict> = thread::scope(|scope| {
            let threads: Vec<_> = (0..count)
                .map(|number| {
                    let (work, barrier) = (&work, &barrier);
                    scope.spawn(move || {
                        barrier.wait();
                        work(self, number)
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Err(self.error("a thread", "it panicked"))))
                .collect()
        });
        results.into_iter().collect()
    }
}

/// Pauses the thread it is called on, so that others arrive while this one is in the middle of something. It sleeps,
/// since a mere yield comes back at once where every processor has other work.
pub fn let_others_run() {
    thread::sleep(std::time::Duration::from_micros(20));
}
