//! What a check is, and the list of all of them.

use crate::{checks, trial::{Trial, Verdict}};

/// One function that decides one or more clauses on a target.
#[derive(Debug)]
pub struct Check {
    /// Area and slug, such as `string.small-is-inline`; never changed and never used again.
    pub id: &'static str,
    /// What the target does if it conforms, as a sentence.
    pub name: &'static str,
    /// The clauses it decides; the first is the one that a failure breaks unless the check says otherwise.
    pub clauses: &'static [&'static str],
    /// Decides them.
    pub run: fn(&Trial) -> Verdict,
    /// How many times the usual deadline it may take.
    pub patience: u32,
    /// Whether it needs a process in which nothing has been called before, however checks are kept apart otherwise.
    pub fresh: bool,
}

/// A check with the usual deadline.
pub const fn check(
    id: &'static str,
    name: &'static str,
    clauses: &'static [&'static str],
    run: fn(&Trial) -> Verdict,
) -> Check {
    Check { id, name, clauses, run, patience: 1, fresh: false }
}

impl Check {
    /// The same check with a deadline `times` as long.
    pub const fn patient(mut self, times: u32) -> Self {
        self.patience = times;
        self
    }

    /// The same check in a process in which nothing has been called before: for what a target may decide at first use.
    pub const fn fresh(mut self) -> Self {
        self.fresh = true;
        self
    }
}

/// Every check, area by area.
pub fn all() -> impl Iterator<Item = &'static Check> {
    checks::AREAS.iter().copied().flatten()
}

/// The check with that id.
pub fn find(id: &str) -> Option<&'static Check> {
    all().find(|check| check.id == id)
}
