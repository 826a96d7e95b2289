//! The suite has nothing against variants: libraries that differ from the reference in what promises leave open.

use libtest_mimic::Trial;
use tvm_ffi_fixtures::faults::{self, Fault};
use tvm_ffi_spec::clause::{self, Level};

use crate::{PATIENT, found_by, nothing_of, suite, test};

/// The tests, by the name of the variant.
pub fn trials() -> Result<Vec<Trial>, String> {
    let variants: &'static [Fault] = faults::variants()?.leak();
    let mut trials = vec![test("variants::are_described", || described(variants))];
    trials.extend(variants.iter().map(|variant| test(&format!("variants::{}", variant.name), || accepted(variant))));
    Ok(trials)
}

fn described(variants: &[Fault]) -> Result<(), String> {
    let is_sentence = |text: &str| text.ends_with('.') && text.len() > 20;
    let wrong = variants.iter().filter(|Fault { story, breaks, admitted, .. }| {
        !is_sentence(story) || !breaks.is_empty() || !admitted.as_deref().is_some_and(is_sentence)
    });
    nothing_of(
        wrong
            .map(|Fault { name, .. }| format!("{name}: a story and what admits it, and nothing that it breaks"))
            .collect(),
    )
}

/// No check that meets what the variant defines finds a MUST clause broken. What differs from SHOULD clauses is told, and is no defect.
fn accepted(variant: &'static Fault) -> Result<(), String> {
    let library = suite()?.builder.fault(variant)?;
    let checks = suite()?.checks_that_meet(variant, &library, |_| true)?;
    let findings = suite()?.judge(&library, &checks, PATIENT, 1)?;
    let is_must = |id: &str| clause::find(id).is_none_or(|clause| clause.level == Level::Must);
    nothing_of(findings.iter().filter(|(broken, _)| is_must(&broken.clause)).map(found_by).collect())
}
