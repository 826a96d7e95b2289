//! An older generation of the ABI that a target speaks, and what of it is asked.

use tvm_ffi_reports::CheckReport;
use tvm_ffi_spec::{
    clause,
    generation::{Generation, State, generation},
};

use super::plan::Excuse;
use crate::trial::check::Check;

/// The generation, and its state where it has any.
#[derive(Clone, Copy)]
pub struct Older {
    /// The generation.
    pub generation: &'static Generation,
    /// The state that the target's exports show.
    pub state: Option<&'static State>,
}

impl Older {
    /// Why a check is not in force: what it decides held until a day before the state of the generation began.
    pub fn excuse(self, check: &Check) -> Option<Excuse> {
        let State { name, since, .. } = self.state?;
        let mut clauses = check.clauses.iter().filter_map(|id| clause::find(id));
        let ended =
            clauses.find(|clause| !clause.is_todays() && clause.until.as_ref().is_some_and(|day| day < since))?;
        Some(Excuse::NotInForce(format!("{} does not hold for builds from {since} on (state {name})", ended.id)))
    }

    /// Why a check that is blocked is none for the target: no library of its generation has what is missing.
    pub fn came_later(self, report: &CheckReport) -> Option<String> {
        // A state of today's has the functions of the generation before.
        let parts_of = self.state.and_then(|state| generation(state.parts_of.as_ref()?));
        let part = report.blocked_by.as_ref().filter(|part| parts_of.unwrap_or(self.generation).lacks(part))?;
        let state = self.state.filter(|_| parts_of.is_some()).map(|state| format!(" in its state {}", state.name));
        let state = state.unwrap_or_default();
        Some(format!("needs {part}, which the {} generation does not have{state}", self.generation.name))
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
