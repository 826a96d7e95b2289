//! Which checks are asked for, and which of them a target has to pass.
//!
//! The interface to the `globset` crate is here and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use globset::{Glob, GlobMatcher};
use tvm_ffi_reports::CapabilityReport;
use tvm_ffi_spec::{
    abi::{self, Capability},
    clause::{self, Basis, Level},
    layer::Layer,
    part::Kind,
};

use crate::{checks, harness::process::message::Probed, trial::check::Check};

/// Which levels are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// Checks that decide a MUST clause.
    Must,
    /// Checks that decide SHOULD clauses only.
    Should,
    /// All of them.
    All,
}

impl Levels {
    /// Whether this one is among them.
    pub fn include(self, level: Level) -> bool {
        match self {
            Levels::Must => level == Level::Must,
            Levels::Should => level == Level::Should,
            Levels::All => true,
        }
    }

    /// As on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Levels::Must => "must",
            Levels::Should => "should",
            Levels::All => "all",
        }
    }
}

/// A choice of checks by check id or clause id: the id itself, the beginning of one, or a glob.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    /// If it is more than an id or its beginning.
    glob: Option<IdGlob>,
}

/// A glob over ids.
#[derive(Clone, Debug)]
pub struct IdGlob(GlobMatcher);

impl IdGlob {
    /// Reads a glob.
    pub fn parse(text: &str) -> Result<Self, String> {
        let glob = Glob::new(text).map_err(|error| format!("`{text}` is not a pattern: {error}"))?;
        Ok(Self(glob.compile_matcher()))
    }

    /// Whether an id is meant.
    pub fn matches(&self, id: &str) -> bool {
        self.0.is_match(id)
    }
}

impl Pattern {
    /// Reads a pattern; one that no check answers to is refused, since it could only choose nothing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let glob = text.contains(['*', '?', '[', '{', '\\']).then(|| IdGlob::parse(text)).transpose()?;
        let pattern = Self { text: text.to_owned(), glob };
        if checks::every().any(|check| pattern.matches(check)) {
            Ok(pattern)
        } else {
            Err(format!("no check and no clause is named `{text}`; `tvm-ffi-verify list` shows all"))
        }
    }

    /// Whether a check is meant.
    pub fn matches(&self, check: &Check) -> bool {
        let mut ids = std::iter::once(&check.id).chain(check.clauses);
        ids.any(|id| id.starts_with(&self.text) || self.glob.as_ref().is_some_and(|glob| glob.matches(id)))
    }
}

/// The checks of a generation that the user asked for, in the order of the suite.
pub fn select(
    generation: &str,
    levels: Levels,
    bases: &[Basis],
    profile: Layer,
    only: &[Pattern],
    skip: &[Pattern],
) -> Vec<&'static Check> {
    let meant = |check: &&Check| {
        (only.is_empty() || only.iter().any(|pattern| pattern.matches(check)))
            && !skip.iter().any(|pattern| pattern.matches(check))
    };
    let asked = |check: &&Check| {
        checks::is_of(check, generation)
            && levels.include(level(check))
            && bases.contains(&basis(check))
            && check.clauses.iter().all(|id| profile.includes(Layer::of_clause(id)))
    };
    // By their names first: the rest reads their clauses.
    checks::every().filter(meant).filter(asked).collect()
}

/// The most binding level among a check's clauses.
pub fn level(check: &Check) -> Level {
    let levels = check.clauses.iter().filter_map(|id| clause::find(id)).map(|clause| clause.level);
    levels.min().unwrap_or(Level::Should)
}

/// The strongest of what a check's clauses rest on.
pub fn basis(check: &Check) -> Basis {
    let bases = check.clauses.iter().filter_map(|id| clause::find(id)).map(|clause| clause.basis);
    bases.min().unwrap_or(Basis::Courtesy)
}

/// What a target has and lacks.
pub struct Capabilities {
    found: BTreeMap<&'static str, String>,
    /// Those that only a function shows which the target lacks, and that function.
    hidden: BTreeMap<&'static str, &'static str>,
}

/// Why a check does not run.
pub enum Excuse {
    /// The target need not pass it, for this reason.
    NotInForce(String),
    /// Whether the target has to pass it, only that function tells, which the target lacks.
    Hidden(&'static str),
}

impl Capabilities {
    /// Weighs the evidence; a capability that is required is in force without any.
    pub fn of(probed: &Probed, required: &BTreeSet<String>) -> Self {
        let (mut found, mut hidden) = (BTreeMap::new(), BTreeMap::new());
        for capability in &abi::abi().capabilities {
            let required = required.contains(&capability.name).then(|| "it is required".to_owned());
            if let Some(evidence) = evidence(capability, probed).or(required) {
                found.insert(capability.name.as_str(), evidence);
            } else if let Some(function) = hides(capability, probed) {
                hidden.insert(capability.name.as_str(), function);
            }
        }
        // What came later vouches for what came before, through however many steps.
        loop {
            let implied = abi::abi().capabilities.iter().find_map(|capability| {
                let later = capability.implied_by.iter().find(|later| found.contains_key(later.as_str()))?;
                (!found.contains_key(capability.name.as_str())).then_some((capability.name.as_str(), later))
            });
            match implied {
                Some((name, later)) => {
                    found.insert(name, format!("implied by {later}"));
                    hidden.remove(name);
                }
                None => return Self { found, hidden },
            }
        }
    }

    /// Why the target need not pass a check, or `None` when it has to.
    pub fn excuse(&self, check: &Check) -> Option<Excuse> {
        let clauses = || check.clauses.iter().filter_map(|id| clause::find(id));
        let not_in_force = clauses().find_map(|clause| {
            let capability = clause.capability.as_str();
            if !self.found.contains_key(capability) && !self.hidden.contains_key(capability) {
                return Some(format!("needs the capability {capability}"));
            }
            let ended_by = clause.ended_by.as_deref().filter(|ended_by| self.found.contains_key(ended_by))?;
            Some(format!("{} was given up with the capability {ended_by}", clause.id))
        });
        let hidden = || clauses().find_map(|clause| self.hidden.get(clause.capability.as_str()));
        not_in_force.map(Excuse::NotInForce).or_else(|| hidden().map(|function| Excuse::Hidden(function)))
    }

    /// Their names.
    pub fn in_force(&self) -> BTreeSet<String> {
        self.found.keys().map(|&name| name.to_owned()).collect()
    }

    /// Whether the newest capability is as new as that release.
    pub fn reach(&self, release: &str) -> bool {
        let abi = abi::abi();
        let mut found = abi.capabilities.iter().filter(|capability| self.found.contains_key(capability.name.as_str()));
        found.any(|capability| abi.at_least(&capability.since, release))
    }

    /// For the report.
    pub fn report(&self) -> Vec<CapabilityReport> {
        let row = |capability: &Capability| CapabilityReport {
            name: capability.name.clone(),
            present: self.found.contains_key(capability.name.as_str()),
            evidence: self.found.get(capability.name.as_str()).cloned(),
        };
        abi::abi().capabilities.iter().map(row).collect()
    }
}

/// The function without which nobody knows whether a target has a capability: what that shows is all that would show it.
fn hides(capability: &Capability, probed: &Probed) -> Option<&'static str> {
    let is_exported = |name: &str| abi::abi().cxx_symbols.iter().any(|symbol| symbol.capability == name);
    if !capability.functions.is_empty() || is_exported(&capability.name) {
        return None;
    }
    let shown = [(Kind::Global, &capability.globals), (Kind::Type, &capability.type_keys)];
    let asked = shown.into_iter().filter(|(_, names)| !names.is_empty()).filter_map(|(kind, _)| kind.asked_with());
    let missing: Vec<_> =
        asked.clone().filter(|function| !probed.functions.iter().any(|name| name == function)).collect();
    if missing.len() == asked.count() { missing.first().copied() } else { None }
}

fn evidence(capability: &Capability, probed: &Probed) -> Option<String> {
    if capability.name == "core" {
        return Some("every target has to have it".to_owned());
    }
    let shows = |name: &str| {
        abi::abi().cxx_symbols.iter().any(|symbol| symbol.capability == capability.name && symbol.name == name)
    };
    let function = capability.functions.iter().find(|name| probed.functions.contains(name));
    let exported = function.or_else(|| probed.cxx_symbols.iter().find(|name| shows(name)));
    let mut registered = capability.globals.iter().chain(&capability.type_keys);
    let registered = registered.find(|name| probed.registered.contains(name));
    exported.map(|name| format!("exports {name}")).or_else(|| registered.map(|name| format!("has registered {name}")))
}

#[cfg(test)]
mod tests {
    use tvm_ffi_spec::generation::TODAY;

    use super::*;

    #[test]
    fn what_came_later_vouches_for_what_came_before() {
        let probed = Probed { registered: vec!["ffi.ListReserve".to_owned()], ..Probed::default() };
        let report = Capabilities::of(&probed, &BTreeSet::new()).report();
        // The C++ symbols are a line of their own, which no C function vouches for.
        let absent = report.iter().filter(|capability| !capability.present);
        assert!(absent.clone().all(|capability| capability.name.starts_with("cxx")), "{report:?}");
        let nothing = Capabilities::of(&Probed::default(), &BTreeSet::new()).report();
        assert_eq!(nothing.iter().filter(|capability| capability.present).count(), 1);
    }

    #[test]
    fn a_pattern_is_an_id_a_beginning_or_a_glob() {
        for text in ["string.", "STR-0001", "STR", "*-0001"] {
            let pattern = Pattern::parse(text).unwrap();
            assert!(
                select(TODAY, Levels::All, Basis::ALL, Layer::Full, &[pattern], &[])
                    .iter()
                    .any(|check| check.clauses.contains(&"STR-0001"))
            );
        }
        assert!(Pattern::parse("nothing.has-this-name").is_err());
    }
}
