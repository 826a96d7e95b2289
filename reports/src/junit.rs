//! A report as JUnit XML, for continuous integration, and what other commands found.
//!
//! Of a report one suite, one case for each check, for each part that is required and missing, and for each known failure that is not
//! true. A broken or blocked check is a failure whose type is its outcome, and whose text is what the human output says; a
//! check that is not applicable, a known failure and a SHOULD clause that does not count are skipped, with the reason; a
//! failure of the harness is an error, and so is an interrupted run.

use std::io::{self, Write};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, TestCase, TestCaseStatus, TestSuite, XmlString};

use crate::escape::{escape, one_line};
use crate::findings::{Finding, Findings, Severity};
use crate::layout::Width;
use crate::model::CheckReport;
use crate::outcome::Outcome;
use crate::report::Report;
use crate::text;

/// Writes `report` as one JUnit document.
///
/// # Errors
/// Those of `out`.
pub fn render(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut suite = TestSuite::new(one_line(&report.target.path));
    suite.time = Some(Duration::from_millis(report.run.duration_ms));
    suite.timestamp = report.run.started.parse().ok();
    suite.add_properties(properties(report));
    suite.add_test_cases(report.checks.iter().map(|check| case(report, check)));
    suite.add_test_cases(demands(report));

    let mut document = quick_junit::Report::new(one_line(&report.tool.name));
    document.time = suite.time;
    document.timestamp = suite.timestamp;
    document.add_test_suite(suite);
    document.serialize(out).map_err(io::Error::other)
}

/// Writes what was found as one JUnit document: a case for each finding, of which errors that are not tolerated are failures and
/// all else is skipped; without any, one case that succeeds.
///
/// # Errors
/// Those of `out`.
pub fn render_findings(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let class = one_line(&format!("{}.{}", findings.tool.name, findings.command));
    let mut suite = TestSuite::new(class.clone());
    suite.add_properties(findings.facts.iter().map(|(key, value)| Property::new(*key, one_line(value))));
    let case = |finding: &Finding| {
        let mut status = if finding.severity == Severity::Error && finding.known.is_none() {
            TestCaseStatus::non_success(NonSuccessKind::Failure)
        } else {
            TestCaseStatus::skipped()
        };
        status.set_message(one_line(&finding.message));
        let place = [&finding.file, &finding.member, &finding.symbol].into_iter().flatten();
        let place = std::iter::once(&finding.rule).chain(place).map(String::as_str).collect::<Vec<_>>();
        let mut case = TestCase::new(one_line(&place.join(" ")), status);
        case.set_classname(class.clone());
        case
    };
    suite.add_test_cases(findings.findings.iter().map(case));
    if findings.findings.is_empty() {
        let mut case = TestCase::new(one_line(&findings.verdict), TestCaseStatus::success());
        case.set_classname(class.clone());
        suite.add_test_case(case);
    }
    let mut document = quick_junit::Report::new(one_line(&findings.tool.name));
    document.add_test_suite(suite);
    document.serialize(out).map_err(io::Error::other)
}

/// What identifies the target and repeats the run.
fn properties(report: &Report) -> Vec<Property> {
    let target = &report.target;
    let present = target.capabilities.iter().filter(|capability| capability.present);
    let capabilities: Vec<_> = present.map(|capability| capability.name.as_str()).collect();
    let sanitizers = (!target.sanitizers.is_empty()).then(|| target.sanitizers.join(" "));
    let optional =
        [("claimed_version", &target.claimed_version), ("origin", &target.origin), ("sanitizers", &sanitizers)];
    let optional = optional.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
    let always = [
        ("tool_version", report.tool.version.clone()),
        ("sha256", target.sha256.clone()),
        ("capabilities", capabilities.join(" ")),
        ("seed", report.run.seed.to_string()),
        ("conforms", report.summary.conforms.to_string()),
    ];
    always.into_iter().chain(optional).map(|(name, value)| Property::new(name, one_line(&value))).collect()
}

fn case(report: &Report, check: &CheckReport) -> TestCase {
    let mut case = TestCase::new(one_line(&format!("{}: {}", check.id, check.name)), status(report, check));
    case.set_classname(one_line(&format!("{}.{}", report.tool.name, area(check))));
    case.set_time(Duration::from_micros(check.duration_us));
    case.add_property(("clauses", one_line(&check.clauses.join(" ")).as_str()));
    if let Some(output) = &check.output {
        case.set_system_out(escape(output));
    }
    case
}

/// What keeps the target from conforming, or from a verdict, without being a check.
fn demands(report: &Report) -> Vec<TestCase> {
    let case = |kind, class: &str, name: &str, message: &str| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_message(one_line(message));
        let mut case = TestCase::new(one_line(name), status);
        case.set_classname(one_line(&format!("{}.{class}", report.tool.name)));
        case
    };
    let failure = |class, name: &String, message: &str| case(NonSuccessKind::Failure, class, name, message);
    let missing = report.demands.missing.iter().map(|part| failure("required", part, "required and missing"));
    let untrue = report.demands.untrue.iter().map(|entry| failure("known-failures", entry, entry));
    let cut_short = report.run.ended.cut_short().map(|why| case(NonSuccessKind::Error, "run", "the run ends", why));
    missing.chain(untrue).chain(cut_short).collect()
}

/// What the check is about: the prefix of its first clause.
fn area(check: &CheckReport) -> &str {
    let clause = check.clauses.first().unwrap_or(&check.id);
    clause.split_once('-').map_or(clause, |(prefix, _)| prefix)
}

fn status(report: &Report, check: &CheckReport) -> TestCaseStatus {
    if let (true, Some(reason)) = (check.is_known_failure(), &check.known) {
        return skipped(&format!("known failure ({}): {reason}", check.outcome));
    }
    if check.is_difference(report.run.strict) {
        return skipped(&format!("differs from the releases ({}): {}", check.outcome, check.message()));
    }
    if check.is_remark(report.run.strict) {
        return skipped(&format!("SHOULD clause not kept ({}): {}", check.outcome, check.message()));
    }
    match check.outcome {
        Outcome::Pass => TestCaseStatus::success(),
        Outcome::Unsupported => skipped(&format!("not applicable: {}", check.message())),
        Outcome::Blocked | Outcome::Fail | Outcome::Crash | Outcome::Timeout | Outcome::Leak => {
            non_success(NonSuccessKind::Failure, report, check)
        }
        Outcome::Error => non_success(NonSuccessKind::Error, report, check),
    }
}

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(one_line(message));
    status
}

fn non_success(kind: NonSuccessKind, report: &Report, check: &CheckReport) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(one_line(check.message()));
    status.set_type(check.outcome.as_str());
    status.set_description(description(report, check));
    status
}

/// The block of the human output, whose styles `XmlString` drops.
fn description(report: &Report, check: &CheckReport) -> XmlString {
    let mut block = Vec::new();
    text::block(report, check, Width::Unlimited, &mut block).expect("writing to memory does not fail");
    XmlString::new(String::from_utf8_lossy(&block))
}
