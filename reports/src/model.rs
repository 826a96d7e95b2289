//! What a report holds. The same types are its JSON, field by field.
//!
//! A report is finished when it is made: [`Report::new`] counts the checks, and [`Summary::of`] is the one place that
//! says whether a target conforms. Text that comes from the target may hold anything; the renderers escape it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tvm_ffi_spec::clause::{self, Basis, Clause, Level};

use crate::exit;
use crate::failure::Evidence;
use crate::outcome::Outcome;

/// The version of the model. It rises when a key goes away or changes its meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 1;

/// The report of one run on one target.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// The version of the format of the report.
    pub schema_version: u32,
    /// What made the report.
    pub tool: Tool,
    /// What was judged.
    pub target: Target,
    /// How it was run.
    pub run: RunInfo,
    /// What came out.
    pub summary: Summary,
    /// Every check that was selected, in the order of the suite.
    pub checks: Vec<CheckReport>,
}

impl Report {
    /// A report of `checks`, with their messages and their summary.
    pub fn new(tool: Tool, target: Target, run: RunInfo, mut checks: Vec<CheckReport>) -> Self {
        for check in &mut checks {
            check.message = check.broken.as_ref().map(|broken| broken.message.clone());
        }
        Self { schema_version: SCHEMA_VERSION, tool, target, summary: Summary::of(&checks, run.strict), run, checks }
    }
}

/// The program that made a report.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tool {
    /// The name of its command.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The library under test.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Target {
    /// The absolute path it was opened from.
    pub path: String,
    /// SHA-256 of the file, in 64 lowercase hexadecimal digits: its identity.
    pub sha256: String,
    /// The version that it reports itself, such as `0.1.15`: a claim, not evidence.
    pub claimed_version: Option<String>,
    /// Every capability that the suite knows, with what was found.
    pub capabilities: Vec<CapabilityReport>,
    /// Where the file came from, such as the wheel that held it.
    pub origin: Option<String>,
}

/// A capability, present or not.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CapabilityReport {
    /// Its name in `spec/abi.toml`.
    pub name: String,
    /// Whether the target has it.
    pub present: bool,
    /// What told so, such as the symbol that was found or missed.
    pub evidence: Option<String>,
}

/// How a run was set up. With the same tool and target it can be repeated.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunInfo {
    /// The seed that the seeds of the checks come from.
    pub seed: u64,
    /// How many cases a property check tries.
    pub cases: u32,
    /// Which clauses were asked for: `must`, `should` or `all`.
    pub level: String,
    /// What the clauses asked for rest on, such as `documented`.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub basis: Vec<Basis>,
    /// Whether SHOULD clauses count like MUST clauses.
    pub strict: bool,
    /// How checks were kept apart: `fork` or `exec`.
    pub isolation: String,
    /// How many checks ran at once.
    pub jobs: u32,
    /// When the run began, in RFC 3339.
    pub started: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckReport {
    /// Its id, unique in a report.
    pub id: String,
    /// The behaviour it checks, as a sentence.
    pub name: String,
    /// The ids of the clauses that it decides.
    pub clauses: Vec<String>,
    /// The most binding level among its clauses.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["MUST", "SHOULD"])))]
    pub level: Level,
    /// What its clauses rest on, the strongest of them.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = Basis::ALL)))]
    pub basis: Basis,
    /// How it ended.
    pub outcome: Outcome,
    /// What happened, in one line, for readers that look no further: the message of `broken`, or `null`. Filled in by
    /// [`Report::new`].
    pub message: Option<String>,
    /// The reason from the known-failures file, if the check is listed there.
    pub known: Option<String>,
    /// What went wrong, or for `unsupported` what the target lacks; `null` for `pass`.
    pub broken: Option<Evidence>,
    /// The last of what the process of the check printed.
    pub output: Option<String>,
    /// How long it took, in microseconds.
    pub duration_us: u64,
    /// The seed of its random cases, if it has any.
    pub seed: Option<u64>,
    /// The command that runs this check alone in the same way.
    pub rerun: String,
}

impl CheckReport {
    /// Whether the check is broken and the known-failures file says why. A failure of the harness is never known: the
    /// file excuses targets.
    pub fn is_known_failure(&self) -> bool {
        self.outcome.is_broken() && self.known.is_some()
    }

    /// Whether the check alone keeps the target from conforming: a MUST clause is broken, or any if the run is strict,
    /// and that is not known.
    pub fn breaks_conformance(&self, strict: bool) -> bool {
        self.outcome.is_broken() && self.known.is_none() && (strict || self.broken_level() == Level::Must)
    }

    /// Whether the check found a SHOULD clause broken, which is worth a remark and no more.
    pub fn is_remark(&self, strict: bool) -> bool {
        self.outcome.is_broken() && self.known.is_none() && !self.breaks_conformance(strict)
    }

    /// Whether a remark is no defect: nobody promises what the target does not do, the releases only do it.
    pub fn is_difference(&self, strict: bool) -> bool {
        self.is_remark(strict) && self.broken_clause().map_or(self.basis, |clause| clause.basis) == Basis::Observed
    }

    /// The level of the clause found broken; that of the check where the clause is not known.
    fn broken_level(&self) -> Level {
        self.broken_clause().map_or(self.level, |clause| clause.level)
    }

    fn broken_clause(&self) -> Option<&'static Clause> {
        self.broken.as_ref().and_then(|broken| clause::find(&broken.clause))
    }

    /// What happened, in one line; the outcome if nothing is known beyond it.
    pub fn message(&self) -> &str {
        self.broken.as_ref().map_or(self.outcome.as_str(), |broken| &broken.message)
    }

    /// The ids of the clauses found broken: the one that the check names, or all that it decides if it names none.
    fn broken_clauses(&self) -> &[String] {
        match &self.broken {
            _ if !self.outcome.is_broken() => &[],
            Some(broken) => std::slice::from_ref(&broken.clause),
            None => &self.clauses,
        }
    }

    /// The ids of the clauses decided. A check that breaks one clause stops there, and says nothing of its others.
    fn decided_clauses(&self) -> &[String] {
        if self.outcome == Outcome::Pass { &self.clauses } else { self.broken_clauses() }
    }
}

/// How many checks ended in each outcome, known failures included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counts {
    /// Checks that ended in `pass`.
    pub pass: u32,
    /// Checks that ended in `unsupported`.
    pub unsupported: u32,
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
    /// Whether the target conforms, as far as the run went: the exit code is 0.
    pub conforms: bool,
    /// What the process exits with: 0 conforms, 1 does not, 3 the harness failed, 4 nothing ran.
    pub exit_code: u8,
}

impl Summary {
    /// The summary of `checks`.
    ///
    /// A broken MUST clause counts against conformance unless it is known, a broken SHOULD clause only in a strict run. A
    /// failure of the harness outweighs everything else, for then the rest cannot be trusted.
    pub fn of(checks: &[CheckReport], strict: bool) -> Self {
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
        } else if breaking().next().is_some() {
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
            conforms: exit_code == exit::CONFORMS,
            exit_code,
        }
    }
}

/// A count that fits: no run has four billion checks.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;

    use super::*;

    #[test]
    fn schema_file_is_that_of_the_model() {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let mut schema = generator.into_root_schema_for::<Report>().to_value();
        schema.sort_all_objects();
        let schema = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        snapbox::assert_data_eq!(schema, snapbox::file!["../schema/report.schema.json"].raw());
    }

    #[test]
    fn outcomes_are_listed_in_their_order() {
        assert!(Outcome::ALL.is_sorted());
        for outcome in Outcome::ALL {
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.as_str());
            assert_eq!(Counts::from_iter([outcome]).of(outcome), 1);
        }
    }
}
