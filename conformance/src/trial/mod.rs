//! What a check works with: a client of the target, and what it may know of the run that it is a part of.

mod blocks;
mod census;
pub mod check;
pub mod deadline;
mod exit;
mod failures;
pub mod fixtures;
pub mod forked;
pub mod growth;
mod lasting;
mod layers;
pub mod meanwhile;
pub mod property;
mod room;
pub mod scarcity;
mod successes;
mod thread_end;
pub mod threads;

use std::{ops::Deref, path::Path};

use crate::client::{Client, changes};

/// A check's view of the target.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// The check's id.
    pub check: &'static str,
    /// A client of the target.
    pub client: Client,
    /// The directory of the fixtures, each of which is there once a check has asked for it.
    pub fixtures: &'a Path,
    /// The target's path.
    pub target: &'a Path,
    /// Exported functions that came from another library than the target, with that library.
    pub foreign: &'a [(String, String)],
    /// C++ symbols that are found through the target.
    pub cxx_symbols: &'a [String],
    /// What a random choice in this check starts from.
    pub seed: u64,
    /// How many cases a property check tries.
    pub cases: u32,
    /// Whether a sanitizer watches this process.
    pub sanitized: bool,
}

impl Deref for Trial<'_> {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Trial<'_> {
    /// Has backtraces be the shortest there are from now on, where many are taken that nobody reads: a full one takes longer than most calls.
    /// Not while other threads run.
    pub fn short_backtraces(&self) {
        changes::note();
        // SAFETY: this process has one thread.
        unsafe { std::env::set_var("TVM_TRACEBACK_LIMIT", "0") };
    }

    /// From here on the check decides this clause.
    pub fn clause(&self, id: &'static str) {
        self.crumbs.set_clause(id);
    }
}
