//! Failures that follow from a part that is missing: those of checks that fail on the reference, too, when that is without the part.
//!
//! Most checks ask for what they need, and say so when it is not there. Others meet a missing part where nobody can: in C++, in
//! the library's own threads, in a function that the library calls, in another process. What they then report says nothing of
//! their clauses.

use std::{collections::BTreeSet, fs, ops::ControlFlow};

use tvm_ffi_reports::{CheckReport, Ended, Outcome};
use tvm_ffi_spec::{
    clause,
    generation::{Generation, today},
    part::Kind,
};

use super::{
    asked::Asked,
    known::KnownFailures,
    older::SEVERAL,
    options::Options,
    runner::{self, Findings},
};
use crate::{checks, target::Target, trial::check::Check};

/// Of how many missing parts each is tried by itself. Of a library that lacks more, it is only said that parts are missing.
const TRIED: usize = 24;

/// Puts failures down to the parts that they follow from, of those that the target has to have and lacks.
pub fn put_down(findings: &mut Findings, asked: &Asked, options: &Options) {
    let mut missing = findings.standing.to_be_had();
    if let Some(older) = findings.older.filter(|older| !older.generation.is_today()) {
        missing.retain(|part| older.has(part));
    }
    if missing.is_empty() || options.in_process || findings.ended != Ended::Complete {
        return;
    }
    block_what_follows(findings, &missing, asked, options);
    if let Some(older) = findings.older {
        findings.checks.iter_mut().for_each(|report| older.excuse_what_came_later(report, &missing));
    }
}

fn block_what_follows(findings: &mut Findings, missing: &[String], asked: &Asked, options: &Options) {
    let mut open: Vec<&mut CheckReport> = findings.checks.iter_mut().filter(|report| is_open(report)).collect();
    let generation = findings.older.map_or(today(), |older| older.generation);
    let reference = Reference { asked, options, in_force: findings.standing.capabilities.in_force(), generation };
    // All at once first: what passes without any of them is the target's own doing, and most often that is all.
    let follows = reference.fails_without(missing, &open);
    open.retain(|report| follows.contains(&report.id));
    // What names the part most likely is about it.
    let mut order: Vec<_> = missing.iter().take(TRIED).collect();
    order.sort_by_key(|part| !open.iter().any(|report| names(report, part)));
    for part in order {
        if open.is_empty() {
            return;
        }
        let follows = if missing.len() == 1 {
            open.iter().map(|report| report.id.clone()).collect()
        } else {
            reference.fails_without(std::slice::from_ref(part), &open)
        };
        let (put, left): (Vec<_>, Vec<_>) = open.into_iter().partition(|report| follows.contains(&report.id));
        put.into_iter().for_each(|report| block(report, part));
        open = left;
    }
    open.into_iter().for_each(|report| block(report, SEVERAL));
}

/// Whether a report tells of a failure that may follow from something.
fn is_open(report: &CheckReport) -> bool {
    let presence = |id: &str| clause::find(id).is_some_and(|clause| clause.presence);
    let broken = report.broken.as_ref().filter(|_| report.outcome.is_broken() && report.known.is_none());
    broken.is_some_and(|broken| !presence(&broken.clause))
}

/// Whether what is said of a failure has the name of a part in it.
fn names(report: &CheckReport, part: &str) -> bool {
    let name = Kind::and_name(part).map_or(part, |(_, name)| name);
    report.broken.as_ref().is_some_and(|broken| broken.message.contains(name))
}

fn block(report: &mut CheckReport, part: &str) {
    report.undecided = Some(format!("fails on any library that lacks what this one lacks: {}", report.message()));
    report.outcome = Outcome::Blocked;
    report.blocked_by = Some(part.to_owned());
    report.broken = None;
    report.repeated = None;
}

/// The reference of a generation, which keeps every clause of that, as long as nothing is taken from it.
struct Reference<'a> {
    asked: &'a Asked<'a>,
    options: &'a Options,
    /// The capabilities of the target.
    in_force: BTreeSet<String>,
    generation: &'static Generation,
}

impl Reference<'_> {
    /// Those of the checks that do not pass when it is without these parts; none, if it cannot be run without them.
    fn fails_without(&self, parts: &[String], reports: &[&mut CheckReport]) -> BTreeSet<String> {
        let checks: Vec<&'static Check> = reports.iter().filter_map(|report| checks::find(&report.id)).collect();
        let scratch = self.options.scratch.join("lacking");
        let options = Options { scratch, repeats: 0, facts: false, disk: 0, ..self.options.clone() };
        let asked = Asked {
            checks: &checks,
            in_force: self.in_force.clone(),
            profile: self.asked.profile,
            known: &KnownFailures::default(),
            generation: Some(self.generation),
        };
        let found = fs::create_dir_all(&options.scratch).ok();
        let found = found.and_then(|()| Target::reference_without(self.generation, parts, &options.scratch).ok());
        let found =
            found.and_then(|target| runner::run(&target, &asked, &options, &|_| ControlFlow::Continue(())).ok());
        let failed = found.into_iter().flat_map(|found| found.checks).filter(|report| report.outcome != Outcome::Pass);
        failed.map(|report| report.id).collect()
    }
}
