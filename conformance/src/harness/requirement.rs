//! What a target is held to beside the clauses: what a release or a capability brings, and what another library has and keeps.

use std::collections::BTreeSet;

use tvm_ffi_reports::{Outcome, Report};
use tvm_ffi_spec::{abi::abi, part::Part};

use super::standing::Beyond;
use crate::target::promised;

/// What a target is held to.
#[derive(Debug, Default)]
pub struct Requirement {
    /// A release, of which it has to have everything.
    releases: Vec<String>,
    /// Capabilities, of which it has to have what shows them.
    capabilities: Vec<String>,
    baseline: Option<Baseline>,
}

/// What another library has and keeps.
#[derive(Debug)]
pub struct Baseline {
    name: String,
    has: BTreeSet<String>,
    beyond: Vec<String>,
    capabilities: BTreeSet<String>,
    passes: BTreeSet<String>,
}

impl Baseline {
    /// What a report says of its target.
    pub fn of(name: String, report: Report) -> Self {
        let passed = report.checks.into_iter().filter(|check| check.outcome == Outcome::Pass);
        let present = report.target.capabilities.into_iter().filter(|capability| capability.present);
        Self {
            name,
            has: report.target.has.into_iter().collect(),
            beyond: report.target.beyond,
            capabilities: present.map(|capability| capability.name).collect(),
            passes: passed.map(|check| check.id).collect(),
        }
    }
}

impl Requirement {
    /// What has these names: releases and capabilities.
    pub fn parse(names: &[String], baseline: Option<Baseline>) -> Result<Self, String> {
        let mut requirement = Self { baseline, ..Self::default() };
        for name in names {
            if abi().release(name).is_some() {
                requirement.releases.push(name.clone());
            } else if abi().capability(name).is_some() {
                requirement.capabilities.push(name.clone());
            } else {
                let newest = abi().releases.last().map_or("", |release| &release.name);
                return Err(format!(
                    "`{name}` is neither a release, such as {newest}, nor a capability; `tvm-ffi-verify abi capabilities` shows these"
                ));
            }
        }
        Ok(requirement)
    }

    /// Whose parts are required, for the report.
    pub fn told(&self) -> Vec<String> {
        let yanked = |name: &String| abi().releases.iter().any(|release| release.yanked && release.name == *name);
        let note = |name| if yanked(name) { " (yanked)" } else { "" };
        let releases = self.releases.iter().map(|name| format!("release {name}{}", note(name)));
        let capabilities = self.capabilities.iter().map(|name| format!("capability {name}"));
        let baseline = self.baseline.iter().map(|baseline| format!("baseline {}", baseline.name));
        releases.chain(capabilities).chain(baseline).collect()
    }

    /// The capabilities that are in force whatever the target shows of them.
    pub fn in_force(&self) -> BTreeSet<String> {
        let brought = |since: &str| self.releases.iter().any(|release| abi().at_least(release, since));
        let of_releases = abi().capabilities.iter().filter(|capability| brought(&capability.since));
        let named = of_releases.map(|capability| &capability.name).chain(&self.capabilities);
        named.chain(self.baseline.iter().flat_map(|baseline| &baseline.capabilities)).cloned().collect()
    }

    /// Whether the target has to have a part.
    pub fn wants(&self, part: &Part) -> bool {
        let shows = |name: &String| abi().capability(name).is_some_and(|capability| capability.is_shown_by(part));
        self.releases.iter().any(|release| abi().has(release, part))
            || self.capabilities.iter().any(shows)
            || self.baseline.as_ref().is_some_and(|baseline| baseline.has.contains(&part.to_string()))
    }

    /// What the baseline has beyond the ABI and the target lacks.
    pub fn lost(&self, target: &Beyond) -> Vec<String> {
        let had = self.baseline.iter().flat_map(|baseline| &baseline.beyond);
        let (mut told, mut unknown) = (Vec::new(), false);
        for part in had.filter(|part| !target.parts.contains(part)) {
            match exported(part) {
                Some((kind, name)) => match target.exports.get(name) {
                    Some(other) if other.serves(kind) => {}
                    Some(other) => told.push(format!("{part} (that is a {} now)", other.as_str())),
                    None => told.push(part.clone()),
                },
                None if target.listed => told.push(part.clone()),
                None => unknown = true,
            }
        }
        told.extend(unknown.then(|| "what is registered beyond the ABI (the target does not list it)".to_owned()));
        told
    }

    /// Whether the baseline passes a check.
    pub fn keeps(&self, check: &str) -> bool {
        self.baseline.as_ref().is_some_and(|baseline| baseline.passes.contains(check))
    }
}

/// The name by which a part beyond the ABI is exported, and what it stands for; none of what only the library itself can tell.
fn exported(part: &str) -> Option<(promised::Kind, &str)> {
    let (kind, name) = part.rsplit_once(' ')?;
    Some((promised::Kind::named(kind)?, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(names: &[&str]) -> Vec<String> {
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let requirement = Requirement::parse(&names, None).unwrap();
        abi().parts().iter().filter(|part| requirement.wants(part)).map(Part::to_string).collect()
    }

    #[test]
    fn a_release_has_what_is_as_old_as_it_and_was_not_given_up() {
        let first = wanted(&["0.1.0"]);
        assert_eq!(first.iter().filter(|part| part.starts_with("function ")).count(), 42);
        assert!(first.contains(&"type ffi.Map".to_owned()) && !first.contains(&"type ffi.List".to_owned()));
        let newest = wanted(&[&abi().newest_peer().name]);
        assert_eq!(newest.iter().filter(|part| part.starts_with("function ")).count(), 50);
        assert!(newest.contains(&"constant kTVMFFIList".to_owned()));
        let given_up = |part: &&String| part.contains("json9StringifyERKNS0_3AnyENS0_8OptionalIivEE");
        assert!(first.iter().any(|part| given_up(&part)) && !newest.iter().any(|part| given_up(&part)));
    }

    #[test]
    fn a_capability_has_what_shows_it() {
        let expected = ["function TVMFFIHandleInitOnce", "function TVMFFIHandleDeinitOnce"];
        assert_eq!(wanted(&["init-once"]), expected);
        assert!(Requirement::parse(&["0.0.1".to_owned()], None).is_err());
    }
}
