//! An older generation of the ABI that a target speaks, and what of it is asked.

use tvm_ffi_reports::{CheckReport, Outcome};
use tvm_ffi_spec::{
    clause,
    generation::{Generation, State, generation},
    part::Kind,
};

use super::plan::Excuse;
use crate::trial::check::Check;

/// What blocks a check that no single missing part does.
pub const SEVERAL: &str = "more than one part";

/// The generation, and its state where it has any.
#[derive(Clone, Copy)]
pub struct Older {
    /// The generation.
    pub generation: &'static Generation,
    /// The state that the target's exports show.
    pub state: Option<&'static State>,
}

impl Older {
    /// Why a check is not in force: what it decides held until a day before the state of the generation began, or is what releases
    /// have, and the state is older than the first.
    pub fn excuse(self, check: &Check) -> Option<Excuse> {
        let State { name, since, .. } = self.state?;
        let mut clauses = check.clauses.iter().filter_map(|id| clause::find(id));
        if self.parts_of().is_some() && clauses.clone().all(|clause| clause.presence) {
            return Some(Excuse::NotInForce(format!("is about what releases have (state {name} is older)")));
        }
        let ended =
            clauses.find(|clause| !clause.is_todays() && clause.until.as_ref().is_some_and(|day| day < since))?;
        Some(Excuse::NotInForce(format!("{} does not hold for builds from {since} on (state {name})", ended.id)))
    }

    /// The generation that has the functions of the state, where that is another one.
    fn parts_of(self) -> Option<&'static Generation> {
        generation(self.state?.parts_of.as_ref()?)
    }

    /// The functions that its libraries have, as parts; none where the generation is today's.
    pub fn functions(&self) -> Vec<String> {
        if self.generation.is_today() {
            return Vec::new();
        }
        let functions = self.generation.functions_in(self.state);
        functions.iter().map(|function| Kind::Function.part(&function.name)).collect()
    }

    /// Whether libraries of the generation are known to have a part: a function, or a global.
    pub fn has(self, part: &str) -> bool {
        let is_told = [Kind::Function, Kind::Global].iter().any(|kind| kind.name_in(part).is_some());
        is_told && !self.lacks(part)
    }

    /// Whether libraries of the generation, in that state, have no such part.
    fn lacks(self, part: &str) -> bool {
        self.parts_of().unwrap_or(self.generation).lacks(part)
    }

    /// Why a check that is blocked is none for the target: no library of its generation, in that state, has what is missing.
    pub fn came_later(self, report: &CheckReport) -> Option<String> {
        let part = report.blocked_by.as_ref().filter(|part| self.lacks(part))?;
        Some(self.without(part))
    }

    fn without(self, part: &str) -> String {
        let state = self.state.filter(|_| self.parts_of().is_some());
        let state = state.map(|state| format!(" in its state {}", state.name)).unwrap_or_default();
        format!("needs {part}, which the {} generation does not have{state}", self.generation.name)
    }

    /// Has a check that is blocked by what came later be none for the target, of which these parts are missing.
    pub fn excuse_what_came_later(self, report: &mut CheckReport, missing: &[String]) {
        let several = report.blocked_by.as_deref() == Some(SEVERAL);
        let all_later = several && missing.iter().all(|part| self.lacks(part));
        let reason = if all_later { Some(self.without(SEVERAL)) } else { self.came_later(report) };
        if reason.is_some() {
            (report.undecided, report.outcome, report.blocked_by) = (reason, Outcome::Unsupported, None);
        }
    }

    /// For people.
    pub fn told(self) -> String {
        let Generation { name, title, .. } = self.generation;
        match self.state {
            Some(state) => format!("{name}, in its state {}: {title}", state.name),
            None => format!("{name}: {title}"),
        }
    }
}
