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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use tvm_ffi_reports::{Evidence, Failure, Outcome};

    use super::*;

    /// What comes of one that does this, and of one that must not run behind it.
    fn passed(first: impl Fn() -> Record) -> (usize, bool) {
        let runs: [&dyn Fn() -> Record; 2] = [&first, &|| panic!("runs behind what it must not run behind")];
        match run(runs.into_iter(), &Crumbs::private().unwrap()) {
            Record::Passed { micros, next_broke } => (micros.len(), next_broke),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nothing_runs_behind_what_changes_a_variable() {
        static CHANGED: AtomicBool = AtomicBool::new(false);
        let change = || {
            CHANGED.store(true, Ordering::Relaxed);
            Record::Held
        };
        assert_eq!(passed(change), (1, false));
    }

    #[test]
    fn nothing_runs_behind_what_changes_the_process() {
        let change = || {
            changes::note();
            Record::Held
        };
        assert_eq!(passed(change), (1, false));
    }

    #[test]
    fn nothing_runs_behind_what_does_not_pass() {
        let evidence = || Evidence::told("STR-0001", "an expectation that was not met");
        assert_eq!(passed(|| Record::Broke(Box::new(Failure::new(Outcome::Fail, evidence())))), (0, true));
    }
}
