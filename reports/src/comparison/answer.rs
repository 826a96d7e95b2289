//! A comparison as what a command answers: whatever breaks somebody is an error, what is worth knowing a note.

use std::io::{self, Write};

use tvm_ffi_spec::clause;

use super::{Change, Comparison, Difference, Effect, Kind, Side, text};
use crate::{
    answer::Answer,
    findings::{Finding, Findings, Rule, Severity},
    layout::{Width, joined},
};

/// The rule that a library does not break who uses it, by effect: an id, what has to hold, and why.
const RULES: [[&str; 3]; 7] = [
    [
        "breaks-prebuilt-and-sources",
        "What clients use is still there.",
        "Programs fail that look for it, and have to be changed.",
    ],
    [
        "breaks-prebuilt",
        "What clients have compiled in stays as it is.",
        "Programs that were built before read and write something else than they mean to.",
    ],
    ["breaks-sources", "What clients are written against stays as it is.", "They cannot be built any more."],
    ["got-worse", "A promise that was kept is kept.", "Programs that rely on it go wrong."],
    ["addition", "There is something new.", "Programs that use it need this library or a newer one."],
    ["mended", "A promise is kept that was not.", "Programs need not work around it any more."],
    ["other", "Something differs that nobody is promised.", "Programs that rely on it nevertheless may go wrong."],
];
/// The rule that everything can be compared.
const NOT_COMPARED: [&str; 3] =
    ["not-compared", "Everything can be compared.", "What could not be compared may have changed."];

impl Answer for Comparison {
    fn findings(&self) -> Findings {
        let mut findings: Vec<_> = self.differences.iter().map(|difference| finding(self, difference)).collect();
        let untold = |told: &String| Finding::new(NOT_COMPARED[0], Severity::Warning, told.clone());
        findings.extend(self.not_compared.iter().map(untold));
        let named = |id: &str| findings.iter().any(|finding| finding.rule == id);
        let own = RULES.iter().chain([&NOT_COMPARED]).filter(|[id, ..]| named(id));
        let mut rules: Vec<_> = own.map(|[id, text, why]| Rule::new(id, text, why)).collect();
        let clauses = clause::clauses().filter(|clause| named(&clause.id));
        rules.extend(clauses.map(|clause| Rule {
            help: Some(format!("{} explain {}", self.tool.name, clause.id)),
            ..Rule::new(&clause.id, &joined(&clause.text), &joined(&clause.why))
        }));
        Findings {
            tool: self.tool.clone(),
            command: "compare".to_owned(),
            facts: [("old", &self.old), ("new", &self.new)]
                .into_iter()
                .flat_map(|(key, side)| facts(key, side))
                .collect(),
            verdict: text::verdict_of(self).1,
            exit_code: self.verdict.exit_code,
            rules,
            findings,
        }
    }

    fn exit_code(&self) -> u8 {
        self.verdict.exit_code
    }

    fn text(&self, width: Width, _: bool, out: &mut dyn Write) -> io::Result<()> {
        text::render(self, width, out)
    }
}

fn facts(key: &'static str, side: &Side) -> [(&'static str, String); 2] {
    [(key, side.name.clone()), ("", text::identity(side))]
}

fn finding(comparison: &Comparison, difference: &Difference) -> Finding {
    let Difference { effect, kind, name, what, since, change, .. } = difference;
    let severity = match effect {
        _ if comparison.verdict.fail_on.counts(*effect) => Severity::Error,
        effect if effect.is_breaking() => Severity::Warning,
        _ => Severity::Note,
    };
    let is_clause = *kind == Kind::Clause && clause::find(name).is_some();
    let rule =
        if is_clause { name } else { RULES[Effect::ALL.iter().position(|one| one == effect).unwrap_or_default()][0] };
    let since = since.as_ref().map(|since| format!(" (since {since})")).unwrap_or_default();
    let message = format!("{kind} {name}: {what}{since}");
    // What is gone is to be looked for in the old library.
    let side = if *change == Change::Removed { &comparison.old } else { &comparison.new };
    Finding::new(rule, severity, message).in_file(&side.name).about(name.clone())
}
