//! Checks that share a process: one after the other, as long as each passes and leaves the process as it was.
//!
//! Half of what a short check costs is its process. So a check that passes makes room for the next one, unless the next one would find what
//! is none of its own: something that was registered or set ([`changes`]), or a variable of this program, by which checks, callbacks and
//! threads tell what has happened.
//! Whatever is not a pass is left to a process of the check's own, so nothing is told of a check that others have been at.

use std::{ops::Range, time::Instant};

use super::message::Record;
use crate::{
    checks::DECLARED,
    client::{changes, crumb::Crumbs},
};

/// Runs them, and answers which of them passed.
pub fn run<Run: FnOnce() -> Record>(runs: impl Iterator<Item = Run>, crumbs: &Crumbs) -> Record {
    let (before, changes) = (Variables::now(), changes::count());
    let mut micros = Vec::new();
    for run in runs {
        let start = Instant::now();
        if !matches!(run(), Record::Held) {
            return Record::Passed { micros, next_broke: true };
        }
        micros.push(start.elapsed().as_micros() as u64);
        crumbs.set_passed(micros.len());
        if changes::count() != changes || !before.are_as_they_were() {
            break;
        }
    }
    Record::Passed { micros, next_broke: false }
}

/// A place where variables lie, and what they held.
struct Place {
    at: *const u8,
    before: Vec<u8>,
}

/// What the variables of this program held.
struct Variables([Place; 2]);

impl Variables {
    fn now() -> Self {
        Self(places().map(|Range { start, end }| {
            let mut before = vec![0; (end as usize).saturating_sub(start as usize)];
            // SAFETY: both are there in that length. No check runs, and so nobody writes there.
            unsafe { libc::memcpy(before.as_mut_ptr().cast(), start.cast(), before.len()) };
            Place { at: start, before }
        }))
    }

    fn are_as_they_were(&self) -> bool {
        // SAFETY: both are there in that length. Where a thread of a check's writes meanwhile, either answer is true.
        self.0
            .iter()
            .all(|Place { at, before }| unsafe { libc::memcmp(at.cast(), before.as_ptr().cast(), before.len()) } == 0)
    }
}

/// Where the variables lie: what is between the names that linkers give to the beginning and the end of them, but for the list of checks,
/// which is larger than all others together.
fn places() -> [Range<*const u8>; 2] {
    unsafe extern "C" {
        static __data_start: u8;
        static _end: u8;
    }
    let all = &raw const __data_start..&raw const _end;
    let Range { start, end } = DECLARED.as_ptr_range();
    let list = start.cast::<u8>()..end.cast::<u8>();
    if all.contains(&list.start) { [all.start..list.start, list.end..all.end] } else { [all, list.end..list.end] }
}
