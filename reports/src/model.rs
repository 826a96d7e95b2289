//! What a report is made of: the tool, the target, the run, what was asked for, and each check. The same types are its JSON,
//! field by field.
//!
//! Text that comes from the target may hold anything; the renderers escape it.

use serde::{Deserialize, Serialize};
use tvm_ffi_spec::abi::abi;
use tvm_ffi_spec::clause::{self, Basis, Clause, Level};
use tvm_ffi_spec::part::Kind;

use crate::failure::Evidence;
use crate::outcome::Outcome;

/// The program that made a report.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tool {
    /// The name of its command.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The commit that it was built from, such as `6417ea3b0c1d`, ` with changes` if there were any; `null` if it was built
    /// without git.
    #[serde(default)]
    pub commit: Option<String>,
    /// The revision of its specification, such as `9f86d081884c`: a hash of the files.
    #[serde(default)]
    pub spec: Option<String>,
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
    /// The public releases that hold it, told by its SHA-256.
    #[serde(default)]
    pub releases: Vec<String>,
    /// Whether these were yanked; of a library that is in none, whether every release was that claims its version.
    #[serde(default)]
    pub yanked: bool,
    /// Parts of the ABI that it has, such as `global ffi.MapSize`; of a target that did not survive the question, only what
    /// its file shows.
    #[serde(default)]
    pub has: Vec<String>,
    /// What it has beyond the ABI: the symbols that it exports by names of its own, and global functions and types, if it lists them.
    #[serde(default)]
    pub beyond: Vec<String>,
    /// Parts that it lacks, though every release that claims its version has them.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// The older generation of the ABI that it speaks and was judged by; none for today's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<String>,
    /// Libraries of other generations in the same process, which export functions of the same names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<String>,
    /// The sanitizers that it was built with, as after `-fsanitize=`: such as `address`.
    #[serde(default)]
    pub sanitizers: Vec<String>,
}

impl Target {
    /// The releases that hold it, or else the version that it claims.
    pub fn release(&self) -> Option<String> {
        if self.releases.is_empty() { self.claimed_version.clone() } else { Some(self.releases.join(" and ")) }
    }

    /// The name of the generation of the ABI that it was judged by, if that is told.
    pub fn generation_name(&self) -> Option<&str> {
        self.generation.as_deref().and_then(|told| told.split([',', ':']).next())
    }

    /// How many of the functions that every library has it has, and how many there are.
    pub fn core_functions(&self) -> (usize, usize) {
        let core = abi().functions.iter().filter(|function| function.capability == "core");
        let there = |name: &str| self.has.iter().any(|part| Kind::Function.name_in(part) == Some(name));
        (core.clone().filter(|function| there(&function.name)).count(), core.count())
    }
}

/// What was asked of a target beside the clauses, and what came of it. Each line in `missing` and `untrue` keeps it from
/// conforming.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Demands {
    /// Whose parts it has to have: releases, capabilities, another library.
    pub required: Vec<String>,
    /// The parts of those that it lacks, such as `global ffi.MapSize`.
    pub missing: Vec<String>,
    /// What is not true in the list of known failures.
    pub untrue: Vec<String>,
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
    /// Which layer of the ABI was asked for: `c-abi`, `containers`, `reflection`, `modules` or `full`.
    #[serde(default = "full")]
    pub profile: String,
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
    /// Whether every check that was selected has ended.
    #[serde(default)]
    pub ended: Ended,
}

fn full() -> String {
    "full".to_owned()
}

/// How a run came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Every check that was selected has ended.
    #[default]
    Complete,
    /// It was stopped at the number of failures that was asked for.
    MaxFailures,
    /// A signal interrupted it.
    Interrupted,
    /// The target had written ten times as much to disks as it may in a check.
    Disk,
}

impl Ended {
    /// What came before the checks that were selected had ended, unless that was asked for.
    pub fn cut_short(self) -> Option<&'static str> {
        match self {
            Ended::Complete | Ended::MaxFailures => None,
            Ended::Interrupted => Some("the run was interrupted"),
            Ended::Disk => Some("the run was ended, since the target had written ten times --disk to disks"),
        }
    }
}

/// The function that the suite enters wherever an expectation is not met.
pub const FAILURE: &str = "tvm_ffi_verify_failure";

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
    /// What happened, in one line, for readers that look no further: the message of `broken`, or `undecided`, or `null`.
    /// Filled in by [`Report::new`](crate::Report::new).
    pub message: Option<String>,
    /// The reason from the known-failures file, if the check is listed there.
    pub known: Option<String>,
    /// What went wrong; `null` where nothing did.
    pub broken: Option<Evidence>,
    /// Why nothing was decided: for `unsupported` and `blocked`, what the target lacks or lays out otherwise.
    #[serde(default)]
    pub undecided: Option<String>,
    /// For `blocked`, the part of the ABI that was not found, such as `function TVMFFIObjectDecRef`, or the struct that was looked
    /// at and lies in memory otherwise, such as `struct TVMFFITypeInfo`.
    #[serde(default)]
    pub blocked_by: Option<String>,
    /// Whether the library that the target is held to passes the check: then it counts whatever its level.
    #[serde(default)]
    pub kept_by_baseline: bool,
    /// The last of what the process of the check printed.
    pub output: Option<String>,
    /// How long it took, in microseconds.
    pub duration_us: u64,
    /// The seed of its random cases, if it has any.
    pub seed: Option<u64>,
    /// The command that runs this check alone in the same way.
    pub rerun: String,
    /// How often it failed, where it was run again because it failed. It counts as broken if it failed once.
    #[serde(default)]
    pub repeated: Option<Repeated>,
}

/// A check that was run more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Repeated {
    /// How often it was run.
    pub runs: u32,
    /// In how many of these runs it failed.
    pub failed: u32,
}

impl CheckReport {
    /// A check that ended like that, with nothing more said of it; as if a document promised what it decides.
    pub fn new(id: impl Into<String>, outcome: Outcome) -> Self {
        Self {
            id: id.into(),
            name: String::new(),
            clauses: Vec::new(),
            level: Level::Must,
            basis: Basis::Documented,
            outcome,
            message: None,
            known: None,
            broken: None,
            undecided: None,
            blocked_by: None,
            kept_by_baseline: false,
            output: None,
            duration_us: 0,
            seed: None,
            rerun: String::new(),
            repeated: None,
        }
    }

    /// Whether the check is broken and the known-failures file says why. A failure of the harness is never known: the
    /// file excuses targets.
    pub fn is_known_failure(&self) -> bool {
        self.outcome.is_unmet() && self.known.is_some()
    }

    /// Whether the check alone keeps the target from conforming: a MUST clause is broken or blocked, or any if the run is
    /// strict or the baseline keeps it, and that is not known.
    pub fn breaks_conformance(&self, strict: bool) -> bool {
        let counts = strict || self.kept_by_baseline || self.broken_level() == Level::Must;
        self.outcome.is_unmet() && self.known.is_none() && counts
    }

    /// Whether the check found a SHOULD clause broken, which is worth a remark and no more.
    pub fn is_remark(&self, strict: bool) -> bool {
        self.outcome.is_unmet() && self.known.is_none() && !self.breaks_conformance(strict)
    }

    /// Whether a remark is no defect: nobody promises what the target does not do, the releases only do it.
    pub fn is_difference(&self, strict: bool) -> bool {
        self.is_remark(strict) && self.broken_clause().map_or(self.basis, |clause| clause.basis) == Basis::Observed
    }

    /// The level of the clause found broken; that of the check where the clause is not known.
    pub(crate) fn broken_level(&self) -> Level {
        self.broken_clause().map_or(self.level, |clause| clause.level)
    }

    fn broken_clause(&self) -> Option<&'static Clause> {
        self.broken.as_ref().and_then(|broken| clause::find(&broken.clause))
    }

    /// Whether the check broke the same clause in the same way as in another run.
    pub fn breaks_as(&self, other: &Self) -> bool {
        let clause = |report: &Self| report.broken.as_ref().map(|broken| broken.clause.clone());
        self.outcome == other.outcome && clause(self) == clause(other)
    }

    /// Such as `failed 1 of 3 runs`, of a check that does not fail each time.
    pub fn unsteady(&self) -> Option<String> {
        let Repeated { runs, failed } = self.repeated.filter(|repeated| repeated.failed < repeated.runs)?;
        Some(format!("failed {failed} of {runs} runs"))
    }

    /// The command that runs this check in a debugger, which stops where something is found to be wrong.
    pub fn debugger(&self) -> String {
        format!("gdb -ex 'break {FAILURE}' -ex run --args {} --in-process", self.rerun)
    }

    /// What happened, in one line; the outcome if nothing is known beyond it.
    pub fn message(&self) -> &str {
        let told = self.broken.as_ref().map(|broken| &broken.message).or(self.undecided.as_ref());
        told.map_or(self.outcome.as_str(), String::as_str)
    }

    /// The ids of the clauses found broken: the one that the check names, or all that it decides if it names none.
    pub(crate) fn broken_clauses(&self) -> &[String] {
        match &self.broken {
            _ if !self.outcome.is_broken() => &[],
            Some(broken) => std::slice::from_ref(&broken.clause),
            None => &self.clauses,
        }
    }

    /// The ids of the clauses decided. A check that breaks one clause stops there, and says nothing of its others.
    pub(crate) fn decided_clauses(&self) -> &[String] {
        if self.outcome == Outcome::Pass { &self.clauses } else { self.broken_clauses() }
    }
}
