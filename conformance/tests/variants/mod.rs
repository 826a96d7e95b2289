//! The suite has nothing against variants: libraries that differ from the reference in what promises leave open.
//!
//! Those that have no name in common are built one over the other and judged as the one library that they are then. Where the suite has
//! something against it, and with `TVM_FFI_FAULTS=all`, each is judged alone.

use std::{collections::BTreeSet, path::PathBuf, sync::OnceLock};

use libtest_mimic::Trial;
use tvm_ffi_fixtures::faults::{self, Fault, names_in};
use tvm_ffi_spec::clause::{self, Level};

use crate::{Findings, PATIENT, found_by, nothing_of, processors, suite, test};

/// How many variants are built one over the other: a call goes through all of them.
const AT_MOST: usize = 8;
/// How many checks of a group run at once for each processor: many of them wait.
const AT_ONCE: usize = 3;

/// The tests, by the name of the variant.
pub fn trials(alone: bool) -> Result<Vec<Trial>, String> {
    let variants: &'static [Fault] = faults::variants()?.leak();
    let mut trials = vec![test("variants::are_described", || described(variants))];
    for group in &*groups(variants)?.leak() {
        trials.extend(group.variants.iter().map(|variant| {
            test(&format!("variants::{}", variant.name), move || {
                let nothing_against_all = !alone && group.findings().as_ref().is_ok_and(Findings::is_empty);
                if nothing_against_all { Ok(()) } else { accepted(variant) }
            })
        }));
    }
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

fn accepted(variant: &'static Fault) -> Result<(), String> {
    nothing_of(against(&[variant])?.iter().map(found_by).collect())
}

/// Variants that are built one over the other.
#[derive(Default)]
struct Group {
    variants: Vec<&'static Fault>,
    /// What they have to do with by name.
    names: BTreeSet<String>,
    findings: OnceLock<Result<Findings, String>>,
}

impl Group {
    /// What the suite has against them together, found out when the first of them asks.
    fn findings(&self) -> &Result<Findings, String> {
        self.findings.get_or_init(|| against(&self.variants))
    }
}

/// Each variant in the first group that it has no name in common with.
fn groups(variants: &'static [Fault]) -> Result<Vec<Group>, String> {
    let mut groups: Vec<Group> = Vec::new();
    for variant in variants {
        let names = names_in(variant)?;
        let fits = |group: &Group| group.variants.len() < AT_MOST && group.names.is_disjoint(&names);
        let at = groups.iter().position(fits).unwrap_or(groups.len());
        if at == groups.len() {
            groups.push(Group::default());
        }
        groups[at].variants.push(variant);
        groups[at].names.extend(names);
    }
    Ok(groups)
}

/// The MUST clauses that checks find broken on variants that are built one over the other. What differs from SHOULD clauses is told, and
/// is no defect.
fn against(variants: &[&'static Fault]) -> Result<Findings, String> {
    let suite = suite()?;
    let (mut meeting, mut library) = (BTreeSet::new(), None::<PathBuf>);
    for variant in variants {
        // What a variant touches is read from its own library.
        let alone = suite.builder.fault(variant)?;
        meeting.extend(suite.checks_that_meet(variant, &alone, |_| true)?);
        library = Some(match library {
            None => alone,
            Some(below) => suite.builder.over(&below)?.fault(variant)?,
        });
    }
    let library = library.ok_or("there is no variant to judge")?;
    let checks: Vec<_> = meeting.into_iter().collect();
    let jobs = if variants.len() == 1 { 1 } else { AT_ONCE * processors() };
    let mut findings = suite.judge(&library, &checks, PATIENT, jobs)?;
    let is_must = |id: &str| clause::find(id).is_none_or(|clause| clause.level == Level::Must);
    findings.retain(|broken, _| is_must(&broken.clause));
    Ok(findings)
}
