//! From what happened in a child to what is reported of its check.

use tvm_ffi_reports::{CheckReport, Evidence, Outcome};

use crate::{
    checks,
    harness::{
        options::Options,
        plan,
        process::message::{End, Ended, Record},
        rerun,
    },
    target::Target,
    trial::check::Check,
};

/// The check to which everything is put down that happens while the target is opened.
const OPENING: &str = "symbols.opens";

/// Reports on the checks of one run.
#[derive(Clone, Copy)]
pub struct Reporter<'a> {
    /// What the checks ran on.
    pub target: &'a Target,
    /// How they ran.
    pub options: &'a Options,
}

impl Reporter<'_> {
    /// The report of a check that the target need not pass.
    pub fn excused(&self, check: &Check, excuse: String) -> CheckReport {
        self.unmet(check, Outcome::Unsupported, Evidence::told(check.clauses[0], excuse))
    }

    /// The report of a check that the suite could not run.
    pub fn harness_error(&self, check: &Check, problem: impl Into<String>) -> CheckReport {
        self.unmet(check, Outcome::Error, Evidence::told("", problem))
    }

    /// The report of a check whose child has ended.
    pub fn ended(&self, check: &Check, ended: Ended) -> CheckReport {
        let clause = || ended.trail.clause.clone().unwrap_or_else(|| check.clauses[0].to_owned());
        let (outcome, evidence) = match ended.record {
            Some(Record::Held) => (Outcome::Pass, None),
            Some(Record::Broke(failure)) => (failure.outcome, Some(failure.evidence)),
            Some(Record::Refused(reason)) => (Outcome::Fail, Some(refused(clause(), reason, ended.trail.last.clone()))),
            Some(Record::Probed(_)) => return self.harness_error(check, "a check answered a probe"),
            None => (silent(ended.end), Some(died(clause(), &ended))),
        };
        let wanted = self.options.verbose || outcome != Outcome::Pass;
        let output = (wanted && !ended.output.trim().is_empty()).then_some(ended.output);
        CheckReport { broken: evidence, output, duration_us: ended.micros, ..self.blank(check, outcome) }
    }

    /// The report of a target that did not survive being opened.
    pub fn died_opening(&self, end: End, output: String) -> CheckReport {
        let check = checks::find(OPENING).expect("the check that opens the target exists");
        let ended = Ended { record: None, end, trail: Default::default(), output, micros: 0 };
        let mut report = self.ended(check, ended);
        if let Some(evidence) = &mut report.broken {
            evidence.call = Some(format!("dlopen(\"{}\", RTLD_NOW | RTLD_GLOBAL)", self.target.path.display()));
            evidence.note = Some("no other check could run".to_owned());
        }
        report
    }

    fn unmet(&self, check: &Check, outcome: Outcome, evidence: Evidence) -> CheckReport {
        CheckReport { broken: Some(evidence), ..self.blank(check, outcome) }
    }

    fn blank(&self, check: &Check, outcome: Outcome) -> CheckReport {
        CheckReport {
            id: check.id.to_owned(),
            name: check.name.to_owned(),
            clauses: check.clauses.iter().map(|&id| id.to_owned()).collect(),
            level: plan::level(check),
            outcome,
            message: None,
            known: None,
            broken: None,
            output: None,
            duration_us: 0,
            seed: Some(self.options.seed),
            rerun: rerun::command(self.target, check, self.options),
        }
    }
}

/// The outcome of a child that ended without a record: silence is never a pass.
fn silent(end: End) -> Outcome {
    match end {
        End::TimedOut => Outcome::Timeout,
        End::Exited(_) | End::Signaled(_) => Outcome::Crash,
    }
}

/// What shows that a child died: how it ended, and what it was doing.
fn died(clause: String, ended: &Ended) -> Evidence {
    let (call, place) = match (ended.trail.open.first(), &ended.trail.last) {
        (Some(call), _) => (Some(call.clone()), "during the call"),
        (None, Some(call)) => (Some(call.clone()), "after the call had returned"),
        (None, None) => (None, "before any call"),
    };
    let more = ended.trail.open.get(1..).filter(|others| !others.is_empty());
    let note = more.map(|others| format!("other threads were in {}", others.join(", ")));
    Evidence {
        call,
        note,
        signal: ended.end.signal(),
        ..Evidence::told(clause, format!("the process {} {place}", ended.end))
    }
}

/// What shows that the loader would not open the target in a child, though it did when it was probed.
fn refused(clause: String, reason: String, call: Option<String>) -> Evidence {
    Evidence { call, ..Evidence::value(clause, "opening the target".to_owned(), "a handle".to_owned(), reason) }
}
