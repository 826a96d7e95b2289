//! The verdict: what counts, what does not, and what outweighs what.

use crate::sample::{broken, check, report, run};
use tvm_ffi_reports::exit;
use tvm_ffi_reports::{CheckReport, Demands, Ended, Outcome, RunInfo, Summary};
use tvm_ffi_spec::clause::{Basis, Level};

fn known(mut check: CheckReport) -> CheckReport {
    check.known = Some("a reason".into());
    check
}

fn summary(checks: &[CheckReport], strict: bool) -> Summary {
    Summary::of(checks, &RunInfo { strict, ..run() }, &Demands::default())
}

fn exit_code(checks: &[CheckReport]) -> u8 {
    summary(checks, false).exit_code
}

#[test]
fn sample_is_counted() {
    let report = report();
    let counts = report.summary.counts;
    assert_eq!(counts.total(), 14);
    assert_eq!((counts.pass, counts.fail, counts.unsupported, counts.blocked), (1, 3, 2, 4));
    assert_eq!((counts.crash, counts.timeout, counts.leak, counts.error), (1, 1, 1, 1));
    assert_eq!(report.summary.known, 1);
    assert_eq!(report.summary.clauses_decided, 7);
    assert_eq!(report.summary.clauses_broken, ["SAMPLE-0003", "SAMPLE-0004", "SAMPLE-0006"]);
    assert_eq!(report.summary.remarks, ["SAMPLE-0007"]);
    assert!(!report.summary.conforms);
}

#[test]
fn every_outcome_has_its_exit_code() {
    for outcome in Outcome::ALL {
        let expected = match outcome {
            Outcome::Pass => exit::CONFORMS,
            Outcome::Unsupported => exit::NOTHING_RAN,
            Outcome::Error => exit::HARNESS_FAILED,
            _ => exit::DOES_NOT_CONFORM,
        };
        assert_eq!(exit_code(&[check("a", &["A-0001"], outcome)]), expected, "{outcome}");
        assert_eq!(summary(&[check("a", &["A-0001"], outcome)], true).conforms, expected == 0, "{outcome}");
    }
}

#[test]
fn nothing_passes_vacuously() {
    assert_eq!(exit_code(&[]), exit::NOTHING_RAN);
    assert!(!summary(&[], true).conforms);
}

#[test]
fn worst_check_decides() {
    let mut checks = vec![check("a", &["A-0001"], Outcome::Unsupported), check("b", &["A-0002"], Outcome::Pass)];
    assert_eq!(exit_code(&checks), exit::CONFORMS);
    checks.push(check("c", &["A-0003"], Outcome::Leak));
    assert_eq!(exit_code(&checks), exit::DOES_NOT_CONFORM);
    checks.push(check("d", &["A-0004"], Outcome::Error));
    assert_eq!(exit_code(&checks), exit::HARNESS_FAILED);
}

#[test]
fn known_failures_do_not_count() {
    for outcome in [Outcome::Leak, Outcome::Fail, Outcome::Timeout, Outcome::Crash] {
        let summary = summary(&[known(check("a", &["A-0001"], outcome))], true);
        assert!(summary.conforms, "{outcome}");
        assert_eq!((summary.known, summary.clauses_broken.len()), (1, 0), "{outcome}");
    }
}

#[test]
fn a_should_clause_counts_only_in_a_strict_run() {
    for outcome in [Outcome::Leak, Outcome::Fail, Outcome::Timeout, Outcome::Crash] {
        let courtesy = CheckReport { level: Level::Should, ..check("a", &["A-0001"], outcome) };
        let lenient = summary(std::slice::from_ref(&courtesy), false);
        assert_eq!((lenient.exit_code, lenient.remarks), (exit::CONFORMS, vec!["A-0001".to_owned()]), "{outcome}");
        assert!(lenient.clauses_broken.is_empty());
        let strict = summary(&[courtesy], true);
        assert_eq!((strict.exit_code, strict.clauses_broken), (exit::DOES_NOT_CONFORM, vec!["A-0001".to_owned()]));
        assert!(strict.remarks.is_empty());
    }
}

#[test]
fn what_is_only_observed_is_a_difference() {
    let observed =
        CheckReport { level: Level::Should, basis: Basis::Observed, ..check("a", &["A-0001"], Outcome::Fail) };
    let lenient = summary(std::slice::from_ref(&observed), false);
    assert_eq!((&lenient.remarks, &lenient.differences), (&vec!["A-0001".to_owned()], &vec!["A-0001".to_owned()]));
    assert_eq!(lenient.exit_code, exit::CONFORMS);
    let strict = summary(&[observed], true);
    assert_eq!((strict.exit_code, strict.differences.len()), (exit::DOES_NOT_CONFORM, 0));
}

#[test]
fn what_is_required_and_missing_counts() {
    let passes = [check("a", &["A-0001"], Outcome::Pass)];
    let missing = Demands { missing: vec!["global ffi.Map".into()], ..Demands::default() };
    let untrue = Demands { untrue: vec!["known failure `b` names no check".into()], ..Demands::default() };
    for demands in [missing, untrue] {
        assert_eq!(Summary::of(&passes, &run(), &demands).exit_code, exit::DOES_NOT_CONFORM);
        // Nothing else was decided, and yet something is known.
        assert_eq!(Summary::of(&[], &run(), &demands).exit_code, exit::DOES_NOT_CONFORM);
    }
}

#[test]
fn what_is_blocked_counts_and_accuses_no_clause() {
    let blocked = |id| CheckReport {
        blocked_by: Some("function F".into()),
        ..check(id, &["A-0001", "A-0002"], Outcome::Blocked)
    };
    let found = summary(&[blocked("a"), blocked("b")], false);
    assert_eq!((found.exit_code, found.clauses_decided), (exit::DOES_NOT_CONFORM, 0));
    assert!(found.clauses_broken.is_empty());
    assert_eq!((found.blockers[0].part.as_str(), found.blockers[0].checks.len()), ("function F", 2));
    assert!(summary(&[known(blocked("a"))], false).conforms);
}

#[test]
fn what_the_baseline_keeps_counts_whatever_its_level() {
    let courtesy = CheckReport { level: Level::Should, ..check("a", &["A-0001"], Outcome::Fail) };
    assert_eq!(exit_code(std::slice::from_ref(&courtesy)), exit::CONFORMS);
    assert_eq!(exit_code(&[CheckReport { kept_by_baseline: true, ..courtesy }]), exit::DOES_NOT_CONFORM);
}

#[test]
fn an_interrupted_run_has_no_verdict() {
    let run = RunInfo { ended: Ended::Interrupted, ..run() };
    for outcome in [Outcome::Pass, Outcome::Fail] {
        let summary = Summary::of(&[check("a", &["A-0001"], outcome)], &run, &Demands::default());
        assert_eq!((summary.exit_code, summary.conforms), (exit::INTERRUPTED, false), "{outcome}");
    }
}

#[test]
fn the_harness_is_never_excused() {
    assert_eq!(exit_code(&[known(check("a", &["A-0001"], Outcome::Error))]), exit::HARNESS_FAILED);
}

#[test]
fn only_broken_checks_are_known_failures() {
    let summary = summary(&[known(check("a", &["A-0001"], Outcome::Pass))], true);
    assert_eq!((summary.known, summary.exit_code), (0, exit::CONFORMS));
}

#[test]
fn clauses_are_counted_once_and_named_exactly() {
    let failed = |evidence| CheckReport { broken: evidence, ..check("a", &["A-0002", "A-0001"], Outcome::Fail) };
    let named = summary(&[failed(Some(broken("A-0002", "no"))), failed(Some(broken("A-0002", "no")))], true);
    assert_eq!((named.clauses_decided, named.clauses_broken), (1, vec!["A-0002".to_owned()]));
    let unnamed = summary(&[failed(None)], true);
    assert_eq!((unnamed.clauses_decided, unnamed.clauses_broken), (2, vec!["A-0001".into(), "A-0002".into()]));
}

#[test]
fn conforming_and_broken_exclude_each_other() {
    for outcome in Outcome::ALL {
        assert!(!(outcome.is_conforming() && outcome.is_broken()), "{outcome}");
    }
    assert!(!Outcome::Error.is_conforming() && !Outcome::Error.is_broken());
}
