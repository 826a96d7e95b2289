//! What a matrix holds; the same types are its JSON, field by field.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tvm_ffi_spec::{
    abi::abi,
    clause::{Basis, Level, TODAY},
};

use crate::{
    check::beside_checks,
    exit,
    findings::Finding,
    layout::joined,
    model::{CheckReport, Target, Tool},
    outcome::Outcome,
    report::Report,
};

/// The version of the model. It rises when a key goes away or changes its meaning, not when one is added.
pub const MATRIX_SCHEMA_VERSION: u32 = 2;

/// Several reports, each a row.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Matrix {
    /// The version of the format.
    pub schema_version: u32,
    /// What made it.
    pub tool: Tool,
    /// The areas, in the order in which the suite has them.
    pub areas: Vec<String>,
    /// A row for each report, in the order in which they were given.
    pub rows: Vec<Row>,
    /// What the libraries do not pass, by the reason: each reason once, in the order in which the rows come to it.
    pub reasons: Vec<Reason>,
    /// What the process exits with: the highest of the reports' exit codes.
    pub exit_code: u8,
}

/// What one report says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    /// The release, if the library is that of one; else the name of its file.
    pub name: String,
    /// SHA-256 of the library.
    pub sha256: String,
    /// The version that it reports itself.
    pub claimed_version: Option<String>,
    /// Whether it was yanked.
    pub yanked: bool,
    /// The older generation of the ABI that it speaks and was judged by; none for today's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<String>,
    /// The revision of the specification that it was judged by.
    pub spec: Option<String>,
    /// Whether the run came to its end, and every MUST clause that was decided holds. What is known not to hold does not.
    pub conforms: bool,
    /// How the checks of each area ended.
    pub areas: BTreeMap<String, Tally>,
    /// What else keeps its run from a good end: what is required and missing, what is not true in its list of known failures, that it was
    /// cut short.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other: Vec<Other>,
}

/// Something wrong with a run that is no check that the library does not pass.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Other {
    /// What it is about, such as `required`.
    pub rule: String,
    /// What is wrong.
    pub message: String,
}

/// How many checks ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tally {
    /// Every clause holds.
    pub pass: u32,
    /// A clause does not hold.
    pub broken: u32,
    /// A part is missing, or lies in memory otherwise.
    pub blocked: u32,
    /// The rule is not in force.
    pub not_applicable: u32,
}

impl Tally {
    fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Pass => self.pass += 1,
            Outcome::Blocked => self.blocked += 1,
            Outcome::Unsupported => self.not_applicable += 1,
            Outcome::Leak | Outcome::Fail | Outcome::Timeout | Outcome::Crash => self.broken += 1,
            // It says nothing of the target.
            Outcome::Error => {}
        }
    }

    /// The checks that it does not pass.
    pub fn unmet(self) -> u32 {
        self.broken + self.blocked
    }

    fn with(self, other: Self) -> Self {
        Self {
            pass: self.pass + other.pass,
            broken: self.broken + other.broken,
            blocked: self.blocked + other.blocked,
            not_applicable: self.not_applicable + other.not_applicable,
        }
    }
}

/// Why libraries do not pass checks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reason {
    /// The reason: from the list of known failures, or else what happened.
    pub reason: String,
    /// Whether it is from a list of known failures.
    pub known: bool,
    /// The checks that are not passed for that reason.
    pub unmet: Vec<Unmet>,
}

/// A check that libraries do not pass.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unmet {
    /// The id of the check.
    pub check: String,
    /// Its sentence.
    pub name: String,
    /// The clauses that it decides.
    pub clauses: Vec<String>,
    /// The level of the clause that is broken.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["MUST", "SHOULD"])))]
    pub level: Level,
    /// What the clauses rest on, the strongest of them.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = Basis::ALL)))]
    pub basis: Basis,
    /// The libraries that do not pass it: their places among the rows, from 0, in rising order.
    pub rows: Vec<usize>,
}

impl Matrix {
    /// The matrix of some reports.
    pub fn of(tool: Tool, reports: &[Report]) -> Self {
        let mut areas: Vec<String> = Vec::new();
        for check in reports.iter().flat_map(|report| &report.checks) {
            let area = area_of(&check.id);
            if !areas.iter().any(|known| known == area) {
                areas.push(area.to_owned());
            }
        }
        let exit_code = reports.iter().map(|report| report.summary.exit_code).max().unwrap_or_default();
        let rows = reports.iter().map(Row::of).collect();
        let mut reasons = Vec::new();
        for (place, report) in reports.iter().enumerate() {
            for check in report.checks.iter().filter(|check| check.outcome.is_unmet()) {
                note(&mut reasons, place, check);
            }
        }
        Self { schema_version: MATRIX_SCHEMA_VERSION, tool, areas, rows, reasons, exit_code }
    }

    /// Each check that libraries do not pass, with the reason.
    pub fn unmet(&self) -> impl Iterator<Item = (&Reason, &Unmet)> {
        self.reasons.iter().flat_map(|reason| reason.unmet.iter().map(move |unmet| (reason, unmet)))
    }

    /// What one library does not pass: that of a place among the rows.
    pub fn unmet_by(&self, row: usize) -> impl Iterator<Item = (&Reason, &Unmet)> {
        self.unmet().filter(move |(_, unmet)| unmet.rows.contains(&row))
    }

    /// How many checks of that level one library does not pass.
    pub fn unmet_of(&self, row: usize, level: Level) -> usize {
        self.unmet_by(row).filter(|(_, unmet)| unmet.level == level).count()
    }

    /// In one line.
    pub fn verdict(&self) -> String {
        let conform = self.rows.iter().filter(|row| row.conforms).count();
        format!("{conform} of {} libraries keep every MUST", self.rows.len())
    }
}

impl Row {
    fn of(report: &Report) -> Self {
        let (name, yanked) = identity(&report.target);
        let mut areas: BTreeMap<String, Tally> = BTreeMap::new();
        for check in &report.checks {
            areas.entry(area_of(&check.id).to_owned()).or_default().count(check.outcome);
        }
        let mut unmet = report.checks.iter().filter(|check| check.outcome.is_unmet());
        let ran = [exit::CONFORMS, exit::DOES_NOT_CONFORM].contains(&report.summary.exit_code);
        Self {
            name,
            sha256: report.target.sha256.clone(),
            claimed_version: report.target.claimed_version.clone(),
            yanked,
            generation: report.target.generation_name().filter(|name| *name != TODAY).map(str::to_owned),
            spec: report.tool.spec.clone(),
            conforms: ran && unmet.all(|check| check.broken_level() != Level::Must),
            areas,
            other: beside_checks(report).map(|Finding { rule, message, .. }| Other { rule, message }).collect(),
        }
    }

    /// All areas together.
    pub fn total(&self) -> Tally {
        self.areas.values().copied().fold(Tally::default(), Tally::with)
    }

    /// How many checks it was judged by.
    pub fn checks(&self) -> u32 {
        let Tally { pass, broken, blocked, not_applicable } = self.total();
        pass + broken + blocked + not_applicable
    }

    /// Its name, the generation if that is an older one, and whether it was yanked.
    pub fn title(&self) -> String {
        let generation = self.generation.as_ref().map(|name| format!(" ({name} generation)")).unwrap_or_default();
        format!("{}{generation}{}", self.name, if self.yanked { " (yanked)" } else { "" })
    }
}

impl Unmet {
    /// What it breaks: the first clause that the check decides.
    pub fn rule(&self) -> &str {
        self.clauses.first().unwrap_or(&self.check)
    }

    /// Whether it belongs to an area.
    pub fn is_in(&self, area: &str) -> bool {
        area_of(&self.check) == area
    }
}

/// Notes that the library of a row does not pass a check: with what is the same of another library, if there is such.
fn note(reasons: &mut Vec<Reason>, row: usize, check: &CheckReport) {
    let told = check.message.clone().unwrap_or_else(|| check.outcome.to_string());
    let (reason, known) = (joined(check.known.as_ref().unwrap_or(&told)), check.known.is_some());
    let new = Unmet {
        check: check.id.clone(),
        name: check.name.clone(),
        clauses: check.clauses.clone(),
        level: check.broken_level(),
        basis: check.basis,
        rows: vec![row],
    };
    let Some(reason) = reasons.iter_mut().find(|other| (other.known, &other.reason) == (known, &reason)) else {
        reasons.push(Reason { reason, known, unmet: vec![new] });
        return;
    };
    match reason.unmet.iter_mut().find(|other| Unmet { rows: new.rows.clone(), ..(*other).clone() } == new) {
        Some(unmet) => unmet.rows.push(row),
        None => reason.unmet.push(new),
    }
}

/// The area of a check.
fn area_of(check: &str) -> &str {
    check.split('.').next().unwrap_or(check)
}

/// What a library is called, and whether it was yanked. Of several releases that hold it, it is the one whose wheel it came from.
fn identity(target: &Target) -> (String, bool) {
    let version = target.origin.as_deref().and_then(|wheel| wheel.split('-').nth(1));
    let release = target.releases.iter().find(|release| Some(release.as_str()) == version);
    if let Some(release) = release.and_then(|name| abi().releases.iter().find(|release| release.name == *name)) {
        return (release.name.clone(), release.yanked);
    }
    let file = || target.path.rsplit('/').next().unwrap_or(&target.path).to_owned();
    let name = if target.releases.is_empty() { file() } else { target.releases.join(" and ") };
    (name, target.yanked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_file_is_that_of_the_model() {
        crate::json::holds_schema::<Matrix>("matrix");
    }
}
