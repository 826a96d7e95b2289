//! What a comparison is made of: the two sides, what differs between them, and what that is to whom.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::model::{CheckReport, RunInfo, Target};
use crate::outcome::Outcome;
use crate::report::Report;

/// A library that is compared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Side {
    /// How the user named it: a library, a wheel, or a report.
    pub name: String,
    /// The library.
    pub target: Target,
    /// How the checks ran on it.
    pub run: RunInfo,
    /// What it shows of itself; `null` in a report that has none.
    pub facts: Option<Facts>,
    /// How each check ended on it.
    pub checks: Vec<Ran>,
}

impl Side {
    /// What a report says of its target.
    pub fn of(name: String, report: Report) -> Self {
        let Report { target, run, facts, checks, .. } = report;
        Self { name, target, run, facts, checks: checks.into_iter().map(Ran::of).collect() }
    }
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ran {
    /// Its id.
    pub id: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The clauses that it decides; of a check that found one broken, this one.
    pub clauses: Vec<String>,
    /// What happened, in one line.
    pub message: String,
    /// What it waits for, if it is blocked: such as `struct TVMFFITypeInfo`.
    pub blocked_by: Option<String>,
    /// Whether it ends now in one way and now in another, as far as that was tried.
    pub unsteady: bool,
}

impl Ran {
    fn of(report: CheckReport) -> Self {
        let broken = report.broken.as_ref().map(|broken| broken.clause.clone()).filter(|clause| !clause.is_empty());
        Self {
            outcome: report.outcome,
            message: report.message().to_owned(),
            blocked_by: report.blocked_by.clone(),
            unsteady: report.unsteady().is_some(),
            clauses: broken.map_or(report.clauses, |clause| vec![clause]),
            id: report.id,
        }
    }

    /// Whether it decided its clauses.
    pub(crate) fn decided(&self) -> bool {
        self.outcome == Outcome::Pass || self.outcome.is_broken()
    }
}

/// What a difference is to those who use the library, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Programs that were built with the old library go wrong with the new one, and what they are made of has to be changed.
    BreaksPrebuiltAndSources,
    /// Programs that were built with the old library go wrong with the new one until they are built anew.
    BreaksPrebuilt,
    /// Programs go on, but what they are made of has to be changed to be built with the new library.
    BreaksSources,
    /// The library kept a promise and keeps it no more.
    Worse,
    /// There is something new.
    Addition,
    /// The library did not keep a promise and keeps it now.
    Mended,
    /// Nobody is promised the one or the other.
    Other,
}

impl Effect {
    /// All of them, the worst first.
    pub const ALL: [Self; 7] = [
        Self::BreaksPrebuiltAndSources,
        Self::BreaksPrebuilt,
        Self::BreaksSources,
        Self::Worse,
        Self::Addition,
        Self::Mended,
        Self::Other,
    ];

    /// Whether somebody has to do something about it.
    pub fn is_breaking(self) -> bool {
        self <= Self::Worse
    }

    /// The effect of two differences together.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self.min(other), self.max(other)) {
            (Self::BreaksPrebuilt, Self::BreaksSources) => Self::BreaksPrebuiltAndSources,
            (worse, _) => worse,
        }
    }
}

/// Where a difference was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The library's own name, or the version that it claims.
    Library,
    /// An exported function.
    Function,
    /// An exported variable.
    Variable,
    /// A C++ symbol.
    CxxSymbol,
    /// A virtual table.
    VirtualTable,
    /// A struct of the ABI.
    Struct,
    /// A value that clients know.
    Constant,
    /// A global function.
    Global,
    /// A type.
    Type,
    /// A field that reflection knows of.
    Field,
    /// A method that reflection knows of.
    Method,
    /// An attribute of a type, or a column of these.
    Attribute,
    /// A clause.
    Clause,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Library => "library",
            Self::Function => "function",
            Self::Variable => "variable",
            Self::CxxSymbol => "C++ symbol",
            Self::VirtualTable => "virtual table",
            Self::Struct => "struct",
            Self::Constant => "constant",
            Self::Global => "global",
            Self::Type => "type",
            Self::Field => "field",
            Self::Method => "method",
            Self::Attribute => "attribute",
            Self::Clause => "clause",
        })
    }
}

/// What became of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The old library has it and the new one does not.
    Removed,
    /// The new library has it and the old one does not.
    Added,
    /// Both have it, and it is not the same.
    Changed,
}

/// One thing that differs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Difference {
    /// What that is to users.
    pub effect: Effect,
    /// Where it was found.
    pub kind: Kind,
    /// What became of it.
    pub change: Change,
    /// Its name, such as `ffi.MapSize`, `TVMFFIErrorCell.cause_chain` or `STR-0001`.
    pub name: String,
    /// What differs, in one line.
    pub what: String,
    /// The release in which it changed, if that is known.
    pub since: Option<String>,
    /// How it was, where it is one value.
    pub old: Option<String>,
    /// How it is, where it is one value.
    pub new: Option<String>,
}

impl Difference {
    /// Something that only the new library has.
    pub(crate) fn added(kind: Kind, name: impl Into<String>, what: impl Into<String>) -> Self {
        Self::new(Effect::Addition, kind, Change::Added, name, what)
    }

    /// Something that only the old library has.
    pub(crate) fn removed(effect: Effect, kind: Kind, name: impl Into<String>, what: impl Into<String>) -> Self {
        Self::new(effect, kind, Change::Removed, name, what)
    }

    pub(crate) fn new(
        effect: Effect,
        kind: Kind,
        change: Change,
        name: impl Into<String>,
        what: impl Into<String>,
    ) -> Self {
        Self { effect, kind, change, name: name.into(), what: what.into(), since: None, old: None, new: None }
    }
}

/// What differs in one thing, gathered point by point.
#[derive(Default)]
pub(crate) struct Changes {
    effect: Option<Effect>,
    told: Vec<String>,
    values: Vec<(String, String)>,
}

impl Changes {
    /// Notes one point, if it differs.
    pub fn compare<T: PartialEq + fmt::Display>(&mut self, effect: Effect, what: &str, old: T, new: T) {
        if old != new {
            self.values.push((old.to_string(), new.to_string()));
            self.note(effect, format!("{what} {old}, now {new}"));
        }
    }

    /// Notes a point that differs.
    pub fn note(&mut self, effect: Effect, what: impl Into<String>) {
        self.effect = Some(self.effect.map_or(effect, |so_far| so_far.and(effect)));
        self.told.push(what.into());
    }

    /// The difference, if there is one.
    pub fn of(self, kind: Kind, name: impl Into<String>) -> Option<Difference> {
        let difference = Difference::new(self.effect?, kind, Change::Changed, name, self.told.join("; "));
        let (old, new) = match <[_; 1]>::try_from(self.values) {
            Ok([(old, new)]) if self.told.len() == 1 => (Some(old), Some(new)),
            _ => (None, None),
        };
        Some(Difference { old, new, ..difference })
    }
}
