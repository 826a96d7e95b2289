//! A whole report.
//!
//! It is finished when it is made: [`Report::new`] has [`Summary::of`] say whether the target conforms.

use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::model::{CheckReport, Demands, RunInfo, Target, Tool};
use crate::summary::Summary;

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
    /// What was asked for beside the clauses.
    #[serde(default)]
    pub demands: Demands,
    /// What came out.
    pub summary: Summary,
    /// Every check that was selected and has ended, in the order of the suite.
    pub checks: Vec<CheckReport>,
    /// What the target shows of itself.
    #[serde(default)]
    pub facts: Option<Facts>,
}

impl Report {
    /// A report of `checks`, with their messages and their summary.
    pub fn new(tool: Tool, target: Target, run: RunInfo, demands: Demands, mut checks: Vec<CheckReport>) -> Self {
        for check in &mut checks {
            let told = check.broken.as_ref().map(|broken| &broken.message).or(check.undecided.as_ref());
            check.message = told.cloned();
        }
        let summary = Summary::of(&checks, &run, &demands);
        Self { schema_version: SCHEMA_VERSION, tool, target, run, demands, summary, checks, facts: None }
    }

    /// The report with what the target shows of itself.
    pub fn showing(self, facts: Facts) -> Self {
        Self { facts: Some(facts), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{outcome::Outcome, summary::Counts};

    #[test]
    fn schema_file_is_that_of_the_model() {
        crate::json::holds_schema::<Report>("report");
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
