//! Whether repeating something makes the heap grow.

use std::{ffi::c_void, fmt::Display};

use super::Trial;
use crate::client::Verdict;

impl Trial<'_> {
    /// Expects that repeating `round` does not make the heap grow. A few rounds come first, so that what is kept once
    /// (a cache, a table) is not taken for a leak. A leak grows all the time, while malloc's own caches fill up in fits
    /// and starts, slower and slower: the first stretch of rounds that grows by less than a leak settles it.
    pub fn no_growth(&self, what: impl Display, round: impl Fn() -> Verdict) -> Verdict {
        const STRETCHES: usize = 16;
        const ROUNDS: usize = 500;
        // Half the smallest block malloc hands out, for each round: less cannot come from a round that leaks.
        const BOUND: usize = ROUNDS * 8;
        let stretch = || -> Verdict<usize> {
            let before = heap_in_use();
            (0..ROUNDS).try_for_each(|_| round())?;
            Ok(heap_in_use().saturating_sub(before))
        };
        stretch()?;
        let mut least = usize::MAX;
        for _ in 0..STRETCHES {
            least = least.min(stretch()?);
            if least < BOUND {
                return Ok(());
            }
        }
        Err(self.leak(
            what,
            format!("less than {BOUND} bytes more in use after {ROUNDS} rounds"),
            format!("at least {least} bytes more, {STRETCHES} times in a row"),
        ))
    }

    /// Expects that threads which do `work` and end leave nothing behind.
    pub fn threads_leave_nothing(&self, what: impl Display, work: impl Fn(&Trial) -> Verdict + Sync) -> Verdict {
        self.no_growth(what, || self.threads(1, |t, _| work(t)))
    }
}

/// Bytes that malloc has handed out and not got back.
fn heap_in_use() -> usize {
    fill_caches();
    // SAFETY: mallinfo2 only reads malloc's own records.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks + info.hblkhd
}

/// Gives malloc more small blocks of every size than a thread's cache takes. Blocks in such a cache count as handed out,
/// and their number drifts for thousands of rounds; only full caches are the same from one look to the next.
fn fill_caches() {
    const EACH: usize = 32;
    const LARGEST: usize = 1032;
    for size in (24..=LARGEST).step_by(16) {
        // SAFETY: any size may be asked for.
        let blocks: [*mut c_void; EACH] = std::array::from_fn(|_| unsafe { libc::malloc(size) });
        // The compiler may leave out blocks that nobody looks at.
        for block in std::hint::black_box(blocks) {
            // SAFETY: from malloc, or NULL, and freed once.
            unsafe { libc::free(block) };
        }
    }
}
