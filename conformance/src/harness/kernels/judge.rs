//! From what happened in the process of a call to the rules that it broke.

use std::path::Path;

use tvm_ffi_reports::{duty::Duty, kernel::rules};

use crate::{
    client::wreck::{Access, Crash},
    harness::{
        errands::Came,
        no_run::NoRun,
        process::message::{End, Ended, Record},
        sanitizer_report, wreck,
    },
    kernel::{
        arena::{Part, Place, place_of},
        calls::Outcome,
        errand::{Seen, StepSeen, TensorSeen},
        given::Given,
        hostile::{Aim, Scenario},
        schema::{self, Types},
    },
};

/// A rule that was broken.
pub struct Judged {
    /// Which.
    pub rule: &'static Duty,
    /// What happened.
    pub message: String,
    /// What the process printed, if it died.
    pub output: Option<String>,
}

/// What is to be said of a scenario.
#[derive(Default)]
pub struct Ruling {
    /// The rules that it broke.
    pub broken: Vec<Judged>,
    /// What it did not find out.
    pub undecided: Option<String>,
}

/// What a process has seen, if it got that far.
pub fn seen(ended: &Ended) -> Option<&Seen> {
    match &ended.record {
        Some(Record::Called(seen)) => Some(seen),
        _ => None,
    }
}

/// What came of the last call of so many.
pub fn last(ended: &Ended, count: usize) -> Option<StepSeen> {
    match seen(ended)? {
        Seen::Calls(steps) if steps.len() == count => steps.last().cloned(),
        _ => None,
    }
}

/// Why a library could not be loaded, if it could not.
pub fn not_loaded(ended: &Ended) -> Option<String> {
    match &ended.record {
        Some(Record::Called(_)) => None,
        Some(Record::Broke(failure)) => Some(failure.evidence.message.clone()),
        Some(Record::Refused(reason)) => Some(reason.clone()),
        _ => Some(format!("the process {} when it was loaded", ended.end)),
    }
}

/// The symbol that the dynamic loader did not find when a function of the kernel was called.
pub fn undefined(ended: &Ended) -> Option<&str> {
    const SAID: &str = ": symbol lookup error: ";
    const UNDEFINED: &str = "undefined symbol: ";
    let line = ended.output.lines().find(|line| line.contains(SAID)).filter(|_| ended.end == End::Exited(127))?;
    line.split_once(UNDEFINED)?.1.split([' ', ',']).next()
}

/// Why the suite could not do what it set out to: a part that the library lacks, or something else.
pub fn not_done(came: &Came) -> Option<NoRun> {
    let Came::Ended(ended) = came else { return None };
    match &ended.record {
        Some(Record::Broke(failure)) => Some(match &failure.missing {
            Some(part) => NoRun::Refused(format!("it lacks {part}, without which calls cannot be made")),
            None => NoRun::Harness(failure.evidence.message.clone()),
        }),
        Some(Record::Refused(reason)) => Some(NoRun::Refused(reason.clone())),
        _ => None,
    }
}

/// What is said of metadata that came to something else than a text.
pub fn no_text(steps: &[StepSeen]) -> String {
    match steps.first() {
        Some(StepSeen { status: 0, result_index, .. }) => {
            format!("it returned a value of type {result_index}, and no text")
        }
        Some(StepSeen { status, error: Some((kind, message)), .. }) => {
            format!("it returned {status} ({kind}: {message})")
        }
        _ => "it came to nothing".to_owned(),
    }
}

/// Whether the same came of two calls, as far as tensors and plain results tell.
pub fn same(one: &StepSeen, other: &StepSeen) -> bool {
    one.status == other.status && differing(one, other).is_none()
}

/// The first tensor that came out otherwise.
fn differing(one: &StepSeen, other: &StepSeen) -> Option<usize> {
    let alike = |(one, other): &(&TensorSeen, &TensorSeen)| one.written == other.written && one.has_elements_of(other);
    one.tensors.iter().zip(&other.tensors).position(|pair| !alike(&pair))
}

/// The rules that a scenario broke, with what a sanitizer says of that library.
pub fn judge(
    scenario: &Scenario,
    ended: &Ended,
    good: Option<&StepSeen>,
    types: Option<&Types>,
    kernel: &Path,
) -> Ruling {
    let mut ruling = all(scenario, ended, good, types);
    if let Some(report) = sanitizer_report::read(&ended.output, kernel).filter(|_| seen(ended).is_none()) {
        let told: Vec<_> = std::iter::once(report.headline).chain(report.lines).collect();
        ruling.broken = vec![Judged { rule: &rules::SANITIZER, message: told.join(" "), output: None }];
    }
    // Whoever forgets a byte offset reads and writes beside the elements, which is no mistake of its own.
    if std::ptr::eq(scenario.rule, &rules::BYTE_OFFSET) {
        let follows =
            |rule| [&rules::WRITES_OUTSIDE, &rules::READS_OUTSIDE].into_iter().any(|each| std::ptr::eq(each, rule));
        ruling.broken.iter_mut().filter(|judged| follows(judged.rule)).for_each(|judged| judged.rule = scenario.rule);
        ruling.broken.dedup_by_key(|judged| judged.rule.id);
    }
    ruling
}

fn all(scenario: &Scenario, ended: &Ended, good: Option<&StepSeen>, types: Option<&Types>) -> Ruling {
    let mut ruling = Ruling::default();
    let mut broke = |rule, message| ruling.broken.push(Judged { rule, message, output: None });
    let steps = match seen(ended) {
        Some(Seen::Calls(steps)) => steps,
        Some(Seen::Repeated(grown, broken)) => {
            broken.iter().filter_map(known).for_each(|(rule, message)| broke(rule, message));
            match grown {
                Some(0) => {}
                Some(bytes) => broke(&rules::LEAK, format!("each call takes {bytes} bytes for ever")),
                None if broken.is_empty() => {
                    ruling.undecided = Some(format!("whether it leaks: {} takes too long", scenario.situation));
                }
                None => {}
            }
            return ruling;
        }
        Some(Seen::Loaded | Seen::Metadata(_)) => return ruling,
        None if matches!(scenario.aim, Aim::Larger) && ended.end == End::TimedOut => {
            ruling.undecided = Some(format!("what it does where {}: it takes too long", scenario.situation));
            return ruling;
        }
        None if matches!(scenario.aim, Aim::NoGrowth) && ended.end == End::TimedOut => {
            ruling.undecided = Some(format!("whether it leaks: {} takes too long", scenario.situation));
            return ruling;
        }
        None => {
            let (rule, message) = died(scenario, ended);
            let output = (!ended.output.trim().is_empty()).then(|| ended.output.trim().to_owned());
            ruling.broken.push(Judged { rule, message, output });
            return ruling;
        }
    };
    for step in steps {
        step.broken.iter().filter_map(known).for_each(|(rule, message)| broke(rule, message));
    }
    let Some(step) = steps.last().filter(|_| steps.len() == scenario.steps.len()) else { return ruling };
    if let Some(types) = types
        && step.status == 0
        && step.broken.is_empty()
        && !schema::admits(&types.result, step.result_index)
    {
        let message =
            format!("it returned a value of type index {}; its metadata says {}", step.result_index, types.result);
        broke(&rules::RESULT_TYPE, message);
    }
    match (&scenario.aim, good) {
        (Aim::Known(outcome), _) => {
            if let Some(problem) = unlike(step, outcome) {
                broke(&rules::EXPECTED, problem);
            }
        }
        (Aim::AsGood, Some(good)) if !same(step, good) => broke(scenario.rule, not_as(step, good)),
        (Aim::Again, Some(good)) if !same(step, good) => broke(&rules::AGAIN, not_as(step, good)),
        (Aim::SameElements, Some(good)) if step.status == 0 && written(good) && differing(step, good).is_some() => {
            broke(scenario.rule, not_as(step, good));
        }
        _ => {}
    }
    ruling
}

fn known(broken: &crate::kernel::errand::Broken) -> Option<(&'static Duty, String)> {
    rules::find(&broken.rule).map(|rule| (rule, broken.message.clone()))
}

fn written(step: &StepSeen) -> bool {
    step.tensors.iter().any(|tensor| tensor.written)
}

/// What came of a call, in words.
fn told(step: &StepSeen) -> String {
    match &step.error {
        Some((kind, message)) => format!("it returned {} ({kind}: {message})", step.status),
        None => format!("it returned {}", step.status),
    }
}

fn not_as(step: &StepSeen, good: &StepSeen) -> String {
    if step.status != good.status {
        return format!("{}; the same call returned {} before", told(step), good.status);
    }
    match differing(step, good) {
        Some(place) => format!("tensor {place} of the call has other elements after it than after the good call"),
        None => "something else came of it than of the good call".to_owned(),
    }
}

/// What of a call is not as the file of calls says.
fn unlike(step: &StepSeen, outcome: &Outcome) -> Option<String> {
    match (&outcome.raises, &step.error) {
        (Some(kind), _) if step.status == 0 => return Some(format!("it succeeded; expected {kind}")),
        (Some(kind), Some((raised, message))) if raised != kind => {
            return Some(format!("it raised {raised} ({message}); expected {kind}"));
        }
        (Some(_), _) => return None,
        (None, _) if step.status != 0 => return Some(format!("{}; expected success", told(step))),
        (None, _) => {}
    }
    let expected = outcome.returns.as_ref()?;
    let equal = match (&step.result, expected) {
        (Some(Given::Float(got)), Given::Float(expected)) => (got - expected).abs() <= 1e-5 * expected.abs().max(1.0),
        (got, expected) => got.as_ref() == Some(expected),
    };
    let got =
        || step.result.as_ref().map_or_else(|| format!("a value of type {}", step.result_index), Given::to_string);
    (!equal).then(|| format!("it returned {}; expected {expected}", got()))
}

/// How a process ended, and where.
pub fn how_it_ended(ended: &Ended) -> (String, Option<&Crash>) {
    let crash = ended.trail.crash.as_ref().filter(|_| ended.end.signal().is_some());
    let place = crash.map(|crash| format!(": {}", wreck::told(crash))).unwrap_or_default();
    (format!("the process {}{place}", ended.end), crash)
}

/// The rule that a process broke by its end: what it died of tells that better than what it was given.
fn died(scenario: &Scenario, ended: &Ended) -> (&'static Duty, String) {
    let (message, crash) = how_it_ended(ended);
    match ended.end {
        // What fills disks would not come back, either.
        End::TimedOut | End::Wrote | End::Multiplied => return (&rules::HANGS, message),
        End::Exited(_) => return (&rules::EXITS, message),
        End::Signaled(_) | End::Stopped | End::Garbled => {}
    }
    let Some(crash) = crash else { return (scenario.rule, message) };
    if crash.exception.is_some() {
        return (&rules::EXCEPTION, message);
    }
    match fault_at(crash) {
        Some(place) => touched(scenario, crash, place, message),
        None => (scenario.rule, message),
    }
}

/// What a process died of, where that is memory of its arguments.
fn fault_at(crash: &Crash) -> Option<Place> {
    let is_fault = [libc::SIGSEGV, libc::SIGBUS].contains(&crash.signal) && crash.code > 0;
    is_fault.then(|| place_of(crash.address as usize)).flatten()
}

fn touched(scenario: &Scenario, crash: &Crash, place: Place, message: String) -> (&'static Duty, String) {
    let writes = crash.access == Access::Write;
    let verb = if writes { "writes" } else { "reads" };
    let whose = place.argument.map_or("the array of arguments".to_owned(), |place| format!("argument {place}"));
    if place.call + 1 < scenario.steps.len() {
        return (&rules::VIEW_KEPT, format!("it {verb} {whose} of a call that has returned; {message}"));
    }
    let what = match place.part {
        Part::Plain if place.argument.is_none() => "behind the last argument",
        Part::Plain => "outside of what it points to",
        Part::Header => "outside of the DLTensor",
        Part::Shape => "outside of the shape",
        Part::Strides => "outside of the strides",
        Part::Data => "outside of the elements",
        Part::Foreign => "where its device has memory",
    };
    let rule = match place.part {
        Part::Plain if place.argument.is_none() => &rules::WRONG_COUNT,
        Part::Plain | Part::Header => scenario.rule,
        Part::Shape | Part::Strides => &rules::OTHER_SHAPE,
        Part::Data if writes => &rules::WRITES_OUTSIDE,
        Part::Data => &rules::READS_OUTSIDE,
        Part::Foreign => &rules::FOREIGN_DEVICE,
    };
    (rule, format!("it {verb} {what} of {whose}; {message}"))
}
