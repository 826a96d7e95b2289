//! From what happened in a child to what is reported of its check: here a check that found something missing is told to be
//! blocked, or excused.

use std::fmt::Display;

use tvm_ffi_reports::{CheckReport, Evidence, Failure, Outcome};
use tvm_ffi_spec::{clause, part::Kind};

use crate::{
    checks,
    harness::{
        options::Options,
        plan,
        process::message::{End, Ended, Record},
        program, rerun,
        sanitizer_report::{self, Meaning, SanitizerReport},
        scratch::Damage,
        standing::{Absence, Standing},
        wreck,
    },
    target::Target,
    trial::check::Check,
};

/// The check to which everything is put down that happens while the target is opened.
const OPENING: &str = "symbols.opens";
/// What the dynamic loader says before the name of a function that a fixture calls and nobody has.
const UNDEFINED: &str = "undefined symbol: ";

/// Reports on the checks of one run.
#[derive(Clone, Copy)]
pub struct Reporter<'a> {
    /// What the checks ran on.
    pub target: &'a Target,
    /// How they ran.
    pub options: &'a Options,
    /// Whether a sanitizer watched them.
    pub sanitized: bool,
}

impl Reporter<'_> {
    /// The report of a check that the target need not pass.
    pub fn excused(&self, check: &Check, excuse: String) -> CheckReport {
        CheckReport { undecided: Some(excuse), ..self.blank(check, Outcome::Unsupported) }
    }

    /// The report of a check that cannot tell anything for want of that part.
    pub fn blocked(&self, check: &Check, part: String) -> CheckReport {
        CheckReport {
            undecided: Some(format!("needs {part}, which is missing")),
            blocked_by: Some(part),
            ..self.blank(check, Outcome::Blocked)
        }
    }

    /// The report of a check that the suite could not run.
    pub fn harness_error(&self, check: &Check, problem: impl Into<String>) -> CheckReport {
        self.unmet(check, Outcome::Error, Evidence::told("", problem))
    }

    /// The report of a check during which what watched it ended, more than once: a check does not end other processes.
    pub fn watcher_lost(&self, check: &Check, end: impl Display) -> CheckReport {
        let message = format!("the process that watches the check {end}, each time that it was tried");
        self.unmet(check, Outcome::Crash, Evidence::told(check.clauses[0], message))
    }

    /// The report of a check for which what watches it, with the target open, could start no process, more than once.
    pub fn watcher_disabled(&self, check: &Check, problem: &str) -> CheckReport {
        let message =
            format!("the process that watches the check can start no other, each time that it was tried: {problem}");
        self.unmet(check, Outcome::Crash, Evidence::told(check.clauses[0], message))
    }

    /// The report of a check after which that had been done to the run's own folder, more than once.
    pub fn damaged(&self, check: &Check, damage: Damage) -> CheckReport {
        let done = match damage {
            Damage::Gone => "files in the temporary folder that are not the target's were gone",
            Damage::Filled => "more was kept in the temporary folder than --disk allows",
        };
        let message = format!("{done}, each time that it was tried");
        self.unmet(check, Outcome::Fail, Evidence::told(check.clauses[0], message))
    }

    /// The report of a check whose child has ended, on a target of that standing.
    pub fn ended(&self, check: &Check, ended: Ended, standing: &Standing) -> CheckReport {
        let (duration_us, part) = (ended.micros, wanting(&ended));
        let absence = part.as_deref().map_or(Absence::Untrue, |part| standing.absence(part));
        let part = part.unwrap_or_default();
        let report = match absence {
            Absence::Untrue => self.happened(check, ended),
            Absence::Excused => self.excused(check, format!("needs {part}, which it need not have")),
            Absence::Blocks => self.blocked(check, part),
        };
        CheckReport { duration_us, ..report }
    }

    fn happened(&self, check: &Check, mut ended: Ended) -> CheckReport {
        let sanitizer = self.sanitized.then(|| sanitizer_report::read(&ended.output, &self.target.path)).flatten();
        if sanitizer.as_ref().is_some_and(|report| report.meaning == Meaning::NoMemory) {
            return self.excused(check, "memory runs out, where a sanitizer ends the process".to_owned());
        }
        // The page that tells it is shared with the target, which may have written there.
        let known = |id: &String| clause::find(id).is_some();
        let or_first = |id: Option<String>| id.filter(known).unwrap_or_else(|| check.clauses[0].to_owned());
        let clause = || or_first(ended.trail.clause.clone());
        let (outcome, evidence) = match ended.record {
            Some(Record::Held) => (Outcome::Pass, None),
            Some(Record::Broke(ref failure)) if failure.outcome == Outcome::Unsupported => {
                return self.excused(check, failure.evidence.message.clone());
            }
            Some(Record::Broke(ref failure)) => {
                let evidence = failure.evidence.clone();
                (failure.outcome, Some(Evidence { clause: or_first(Some(evidence.clause)), ..evidence }))
            }
            Some(Record::Refused(ref reason)) => {
                (Outcome::Fail, Some(refused(clause(), reason.clone(), ended.trail.last.clone())))
            }
            Some(
                Record::Probed(_)
                | Record::Saw(_)
                | Record::Registered(_)
                | Record::Shown(_)
                | Record::Passed { .. }
                | Record::Called(_),
            ) => {
                return self.harness_error(check, "a check answered a question that it was not asked");
            }
            None => (silent(ended.end), Some(died(clause(), &ended))),
        };
        let (outcome, evidence) = match sanitizer {
            Some(report) => {
                if !self.options.verbose {
                    ended.output.truncate(report.start);
                }
                accused(report, outcome, evidence, clause(), &ended)
            }
            None => (outcome, evidence),
        };
        let evidence = evidence
            .map(|evidence| Evidence { program: program::of(&ended.trail.program, check.id, &evidence), ..evidence });
        let wanted = self.options.verbose || outcome != Outcome::Pass;
        let output = (wanted && !ended.output.trim().is_empty()).then(|| the_last_of(&ended.output).to_owned());
        CheckReport { broken: evidence, output, duration_us: ended.micros, ..self.blank(check, outcome) }
    }

    /// The report of a target that did not survive being opened.
    pub fn died_opening(&self, end: End, output: String) -> CheckReport {
        let check = checks::find(OPENING).expect("the check that opens the target exists");
        let ended = Ended { record: None, end, trail: Default::default(), output, micros: 0 };
        self.while_opening(self.happened(check, ended))
    }

    /// The report of a target with which open a process can start no other, for that reason.
    pub fn disabled_opening(&self, problem: &str) -> CheckReport {
        let check = checks::find(OPENING).expect("the check that opens the target exists");
        let message = format!("a process that has it open can start no other any more: {problem}");
        self.while_opening(self.unmet(check, Outcome::Crash, Evidence::told(check.clauses[0], message)))
    }

    fn while_opening(&self, mut report: CheckReport) -> CheckReport {
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
            name: check.name.to_owned(),
            clauses: check.clauses.iter().map(|&id| id.to_owned()).collect(),
            level: plan::level(check),
            basis: plan::basis(check),
            seed: Some(self.options.seed),
            rerun: rerun::command(self.target, check, self.options),
            ..CheckReport::new(check.id, outcome)
        }
    }
}

/// The part of the ABI that a check did not find, if that is what ended it.
fn wanting(ended: &Ended) -> Option<String> {
    match &ended.record {
        Some(Record::Broke(failure)) => looked_for(failure).or_else(|| undefined(&failure_text(failure))),
        None if matches!(ended.end, End::Exited(_)) => undefined(&ended.output),
        _ => None,
    }
}

fn looked_for(failure: &Failure) -> Option<String> {
    let part = failure.missing.clone()?;
    let presence = clause::find(&failure.evidence.clause).is_some_and(|clause| clause.presence);
    // What a function would have told is not known without it.
    let decides_it = presence && Kind::Function.name_in(&part).is_none();
    (!decides_it).then_some(part)
}

fn failure_text(failure: &Failure) -> String {
    let Evidence { message, note, .. } = &failure.evidence;
    format!("{message} {}", note.as_deref().unwrap_or_default())
}

/// The function or C++ symbol that the loader did not find for a fixture.
fn undefined(text: &str) -> Option<String> {
    let (_, name) = text.split_once(UNDEFINED)?;
    let name: String = name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    // So begins the name of whatever is not C, by the Itanium C++ ABI.
    let kind = if name.starts_with("_Z") { Kind::CxxSymbol } else { Kind::Function };
    Some(kind.part(&name))
}

/// The outcome of a child that ended without a record: silence is never a pass.
fn silent(end: End) -> Outcome {
    match end {
        End::TimedOut => Outcome::Timeout,
        End::Wrote | End::Multiplied => Outcome::Fail,
        End::Exited(_) | End::Signaled(_) | End::Stopped | End::Garbled => Outcome::Crash,
    }
}

/// What shows that a child died: how it ended, and what it was doing.
fn died(clause: String, ended: &Ended) -> Evidence {
    let (call, place) = call_at_the_end(ended);
    let more = ended.trail.open.get(1..).filter(|others| !others.is_empty());
    let note = more.map(|others| format!("other threads were in {}", others.join(", ")));
    Evidence {
        call,
        note,
        signal: ended.end.signal(),
        looked_at: ended.trail.looked_at.clone(),
        place: ended.trail.crash.as_ref().filter(|_| ended.end.signal().is_some()).map(wreck::told),
        ..Evidence::told(clause, format!("the process {} {place}", ended.end))
    }
}

/// The call that was the last in a process, and when that ended.
fn call_at_the_end(ended: &Ended) -> (Option<String>, &'static str) {
    match (ended.trail.open.first(), &ended.trail.last) {
        (Some(call), _) => (Some(call.clone()), "during the call"),
        (None, Some(call)) => (Some(call.clone()), "after the call had returned"),
        (None, None) => (None, "before any call"),
    }
}

/// What it amounts to that a sanitizer reported something in a process that ended so, and the evidence.
fn accused(
    report: SanitizerReport,
    outcome: Outcome,
    evidence: Option<Evidence>,
    clause: String,
    ended: &Ended,
) -> (Outcome, Option<Evidence>) {
    let SanitizerReport { meaning, headline, lines, .. } = report;
    let by_itself = match meaning {
        Meaning::Mistake => Outcome::Fail,
        Meaning::Leak => Outcome::Leak,
        Meaning::NoMemory | Meaning::Failed => Outcome::Error,
    };
    let (outcome, evidence) = match (outcome, evidence) {
        // The check went on: it was a copy of its process, or a race, or a leak.
        (Outcome::Pass, _) => {
            let call = ended.trail.last.clone().filter(|_| meaning != Meaning::Leak);
            (by_itself, Evidence { call, ..Evidence::told(clause, headline.clone()) })
        }
        // The sanitizer ended the process.
        (Outcome::Crash, Some(died)) => {
            let message = format!("{headline}, {}", call_at_the_end(ended).1);
            (by_itself, Evidence { message, signal: None, place: None, ..died })
        }
        (outcome, evidence) => (outcome, evidence.unwrap_or_else(|| Evidence::told(clause, headline.clone()))),
    };
    let sanitizer = std::iter::once(headline).chain(lines).collect();
    (outcome, Some(Evidence { sanitizer, ..evidence }))
}

/// As much of what a process printed as a report holds.
fn the_last_of(output: &str) -> &str {
    const MOST: usize = 8 << 10;
    let from = output.len().saturating_sub(MOST);
    let from = (from..=output.len()).find(|&at| output.is_char_boundary(at)).unwrap_or_default();
    &output[from..]
}

/// What shows that the loader would not open the target in a child, though it did when it was probed.
fn refused(clause: String, reason: String, call: Option<String>) -> Evidence {
    Evidence { call, ..Evidence::value(clause, "opening the target".to_owned(), "a handle".to_owned(), reason) }
}
