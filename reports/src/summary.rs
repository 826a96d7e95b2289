//! The verdict, and the numbers behind it.
//!
//! [`Summary::of`] is the one place that says whether a target conforms: the exit code, the text, the JSON and the JUnit
//! document all print what it found.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::exit;
use crate::model::{CheckReport, Demands, RunInfo};
use crate::outcome::Outcome;

/// How many checks ended in each outcome, known failures included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counts {
    /// Checks that ended in `pass`.
    pub pass: u32,
    /// Checks that ended in `unsupported`.
    pub unsupported: u32,
    /// Checks that ended in `blocked`.
    #[serde(default)]
    pub blocked: u32,
    /// Checks that ended in `leak`.
    pub leak: u32,
    /// Checks that ended in `fail`.
    pub fail: u32,
    /// Checks that ended in `timeout`.
    pub timeout: u32,
    /// Checks that ended in `crash`.
    pub crash: u32,
    /// Checks that ended in `error`.
    pub error: u32,
}

impl Counts {
    /// The number of checks that ended in `outcome`.
    pub fn of(mut self, outcome: Outcome) -> u32 {
        *self.slot(outcome)
    }

    /// The number of all checks.
    pub fn total(self) -> u32 {
        Outcome::ALL.iter().map(|&outcome| self.of(outcome)).sum()
    }

    fn slot(&mut self, outcome: Outcome) -> &mut u32 {
        match outcome {
            Outcome::Pass => &mut self.pass,
            Outcome::Unsupported => &mut self.unsupported,
            Outcome::Blocked => &mut self.blocked,
            Outcome::Leak => &mut self.leak,
            Outcome::Fail => &mut self.fail,
            Outcome::Timeout => &mut self.timeout,
            Outcome::Crash => &mut self.crash,
            Outcome::Error => &mut self.error,
        }
    }
}

impl FromIterator<Outcome> for Counts {
    fn from_iter<I: IntoIterator<Item = Outcome>>(outcomes: I) -> Self {
        let mut counts = Self::default();
        for outcome in outcomes {
            *counts.slot(outcome) += 1;
        }
        counts
    }
}

/// The verdict, and the numbers behind it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    /// The number of checks for each outcome.
    pub counts: Counts,
    /// The number of broken checks that are listed as known and so do not count against conformance.
    pub known: u32,
    /// The number of clauses that were found to hold or to be broken.
    pub clauses_decided: u32,
    /// The ids of the clauses that were found broken and count against conformance, sorted, without known failures.
    pub clauses_broken: Vec<String>,
    /// The ids of the SHOULD clauses that were found broken and do not count, sorted, without known failures.
    pub remarks: Vec<String>,
    /// Those among the remarks that are no defects: the releases do so, and nobody promises it.
    #[serde(default)]
    pub differences: Vec<String>,
    /// What blocks checks, with the most blocking first.
    #[serde(default)]
    pub blockers: Vec<Blocker>,
    /// Whether the target conforms, as far as the run went: the exit code is 0.
    pub conforms: bool,
    /// What the process exits with: 0 conforms, 1 does not, 3 the harness failed, 4 nothing ran, 5 interrupted.
    pub exit_code: u8,
}

/// Something that the target has to have and lacks or has otherwise, and what waits for it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Blocker {
    /// The part of the ABI, such as `function TVMFFIObjectDecRef`, or the struct that lies in memory otherwise, such as
    /// `struct TVMFFITypeInfo`.
    pub part: String,
    /// The checks that came to it first and went no further. They may lack more than that.
    pub checks: Vec<String>,
}

impl Blocker {
    /// Whether it is a struct whose layout is broken, and not a part that is missing.
    pub fn is_layout(&self) -> bool {
        self.part.starts_with("struct ")
    }
}

impl Summary {
    /// The verdict on `checks` and `demands`: what the process exits with, and what every rendering says.
    ///
    /// A failure of the harness outweighs everything else, for then the rest cannot be trusted; then that the run was
    /// interrupted. A broken or blocked MUST clause counts against conformance unless it is known, a SHOULD clause only in a
    /// strict run or where the baseline keeps it; so does what is required and missing, and an untrue list of known failures.
    pub fn of(checks: &[CheckReport], run: &RunInfo, demands: &Demands) -> Self {
        let strict = run.strict;
        let counts: Counts = checks.iter().map(|check| check.outcome).collect();
        let decided: BTreeSet<_> = checks.iter().flat_map(CheckReport::decided_clauses).collect();
        let breaking = || checks.iter().filter(|check| check.breaks_conformance(strict));
        let clauses_broken: BTreeSet<_> = breaking().flat_map(CheckReport::broken_clauses).collect();
        let remarks: BTreeSet<_> =
            checks.iter().filter(|check| check.is_remark(strict)).flat_map(CheckReport::broken_clauses).collect();
        let differences: BTreeSet<_> =
            checks.iter().filter(|check| check.is_difference(strict)).flat_map(CheckReport::broken_clauses).collect();
        let exit_code = if counts.error > 0 {
            exit::HARNESS_FAILED
        } else if run.ended.cut_short().is_some() {
            exit::INTERRUPTED
        } else if breaking().next().is_some() || !demands.missing.is_empty() || !demands.untrue.is_empty() {
            exit::DOES_NOT_CONFORM
        } else if counts.total() == counts.unsupported {
            exit::NOTHING_RAN
        } else {
            exit::CONFORMS
        };
        Self {
            counts,
            known: number(checks.iter().filter(|check| check.is_known_failure()).count()),
            clauses_decided: number(decided.len()),
            clauses_broken: clauses_broken.into_iter().cloned().collect(),
            remarks: remarks.into_iter().cloned().collect(),
            differences: differences.into_iter().cloned().collect(),
            blockers: blockers(checks),
            conforms: exit_code == exit::CONFORMS,
            exit_code,
        }
    }
}

fn blockers(checks: &[CheckReport]) -> Vec<Blocker> {
    let mut waiting: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for check in checks.iter().filter(|check| check.outcome == Outcome::Blocked) {
        waiting.entry(check.blocked_by.as_deref().unwrap_or_default()).or_default().push(check.id.clone());
    }
    let mut blockers: Vec<_> =
        waiting.into_iter().map(|(part, checks)| Blocker { part: part.to_owned(), checks }).collect();
    blockers.sort_by_key(|blocker| std::cmp::Reverse(blocker.checks.len()));
    blockers
}

/// A count that fits: no run has four billion checks.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
