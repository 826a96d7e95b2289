//! A matrix as what a command answers: a finding for each check that a library does not pass.

use std::io::{self, Write};

use tvm_ffi_spec::clause::{self, Level};

use super::{Matrix, Other, Reason, Row, Unmet, page, text};
use crate::{
    answer::Answer,
    check::rule_beside_clauses,
    findings::{Finding, Findings, Rule, Severity},
    layout::{Width, joined},
    model::Tool,
};

impl Answer for Matrix {
    fn findings(&self) -> Findings {
        let of_row = |(place, row)| {
            let unmet = self.unmet_by(place).map(move |(reason, unmet)| finding(row, reason, unmet));
            unmet.chain(row.other.iter().map(move |other| about_run(row, other)))
        };
        let findings: Vec<_> = self.rows.iter().enumerate().flat_map(of_row).collect();
        let mut rules: Vec<Rule> = Vec::new();
        let of_checks = self.unmet().map(|(_, unmet)| rule(unmet, &self.tool));
        let of_runs = self.rows.iter().flat_map(|row| &row.other).filter_map(|other| rule_beside_clauses(&other.rule));
        for rule in of_checks.chain(of_runs) {
            if !rules.iter().any(|known| known.id == rule.id) {
                rules.push(rule);
            }
        }
        Findings {
            tool: self.tool.clone(),
            command: "matrix".to_owned(),
            facts: vec![("reports", self.rows.len().to_string())],
            verdict: self.verdict(),
            exit_code: self.exit_code,
            rules,
            findings,
        }
    }

    fn exit_code(&self) -> u8 {
        self.exit_code
    }

    fn text(&self, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
        text::render(self, width, verbose, out)
    }

    fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        text::markdown(self, out)
    }

    fn html(&self, out: &mut dyn Write) -> io::Result<()> {
        page::render(self, self.findings(), out)
    }
}

/// What a check that is not passed is about. A report may name clauses that this program does not know.
fn rule(unmet: &Unmet, tool: &Tool) -> Rule {
    match clause::find(unmet.rule()) {
        Some(clause) => Rule {
            help: Some(format!("{} explain {}", tool.name, clause.id)),
            ..Rule::new(&clause.id, &joined(&clause.text), &joined(&clause.why))
        },
        None => Rule::new(unmet.rule(), &unmet.name, ""),
    }
}

fn about_run(row: &Row, other: &Other) -> Finding {
    Finding::new(&other.rule, Severity::Error, format!("{}: {}", row.title(), other.message)).in_file(&row.name)
}

fn finding(row: &Row, reason: &Reason, unmet: &Unmet) -> Finding {
    let severity = match (reason.known, unmet.level) {
        (true, _) => Severity::Note,
        (false, Level::Must) => Severity::Error,
        (false, Level::Should) => Severity::Warning,
    };
    let message = format!("{}: {}: {}", row.title(), unmet.check, reason.reason);
    let known = reason.known.then(|| reason.reason.clone());
    Finding { known, ..Finding::new(unmet.rule(), severity, message).in_file(&row.name).about(unmet.check.clone()) }
}
