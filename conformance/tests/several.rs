//! Many cases in one test, several at a time: while one waits for a deadline, a compiler or another process, others go on.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// How many cases are tried at once for each processor.
const AT_ONCE: usize = 2;

/// Tries out each case, and answers what came of it in the order of the cases.
pub fn each<T: Sync, R: Send>(cases: &[T], try_out: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(number) else { return done };
            done.push((number, try_out(case)));
        }
    };
    let at_once = AT_ONCE * thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once.min(cases.len())).map(|_| scope.spawn(work)).collect();
        // A case that panics has the test panic, with what it said printed before.
        threads.into_iter().flat_map(|thread| thread.join().expect("each case passes")).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}
