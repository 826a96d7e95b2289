//! Every rendering of the sample report, byte for byte. `SNAPSHOTS=overwrite` rewrites the expected files.

use std::io::{self, Write};

use crate::sample;
use snapbox::{assert_data_eq, file};
use tvm_ffi_reports::{
    Answer, CheckReport, Outcome, Report, Severity, badge, github, json, junit, layout::Width, sarif, text,
};
use tvm_ffi_spec::clause;

fn rendered(render: fn(&Report, &mut dyn Write) -> io::Result<()>, report: &Report) -> String {
    let mut bytes = Vec::new();
    render(report, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn text_of(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    text::render(report, Width::Unlimited, out)
}

fn json_of(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    json::render(report, out)
}

fn verbose_text_of(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    text::render_verbose(report, Width::Unlimited, out)
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn text_of_the_sample() {
    let text = rendered(text_of, &sample::report());
    assert_data_eq!(plain(&text), file!["snapshots/sample.txt"].raw());
}

#[test]
fn verbose_text_of_the_sample() {
    let text = rendered(verbose_text_of, &sample::report());
    assert_data_eq!(plain(&text), file!["snapshots/sample-verbose.txt"].raw());
}

#[test]
fn coloured_text_of_the_sample() {
    let text = rendered(text_of, &sample::report()).replace('\u{1b}', "ESC");
    assert_data_eq!(text, file!["snapshots/sample-coloured.txt"].raw());
}

/// What stands on one line however narrow the terminal: commands, to be copied, and single words.
fn may_be_long(line: &str) -> bool {
    let copied = ["rerun ", "see ", "debug "].iter().any(|key| line.trim_start().starts_with(key));
    copied || line.split_whitespace().count() <= 2
}

#[test]
fn text_fits_the_terminal() {
    let mut report = sample::report();
    let clause = |nth: usize| clause::clauses().nth(nth).unwrap().id.clone();
    report.checks[1].broken.as_mut().unwrap().clause = clause(0);
    report.checks[4].broken.as_mut().unwrap().clause = clause(1);
    report.checks[12].broken.as_mut().unwrap().clause = clause(2);
    report.target.sha256 = "0123456789abcdef".repeat(4);
    for columns in [40, 60, 80, 120] {
        let mut text = Vec::new();
        text::render_verbose(&report, Width::Terminal(columns), &mut text).unwrap();
        let text = plain(&String::from_utf8(text).unwrap());
        let long: Vec<_> = text.lines().filter(|line| line.chars().count() > columns && !may_be_long(line)).collect();
        assert!(long.is_empty(), "{columns} columns: {long:#?}");
        let sum = text.lines().find(|line| line.contains(&report.target.sha256)).unwrap();
        assert!(sum.len() <= columns || columns < 66, "{columns} columns: {sum}");
    }
}

#[test]
fn text_of_the_sample_on_a_narrow_terminal() {
    let mut narrow = Vec::new();
    text::render(&sample::report(), Width::Terminal(60), &mut narrow).unwrap();
    assert_data_eq!(plain(&String::from_utf8(narrow).unwrap()), file!["snapshots/sample-narrow.txt"].raw());
}

#[test]
fn a_clause_that_need_not_be_kept_is_mentioned_once() {
    let clause = clause::clauses().find(|clause| clause.level == clause::Level::Should).unwrap();
    let mut report = sample::report();
    let ends = [Outcome::Crash, Outcome::Fail, Outcome::Crash];
    for (check, outcome) in report.checks.iter_mut().zip(ends) {
        let broken = Some(sample::broken(&clause.id, "the process was ended by SIGSEGV during the call"));
        *check = CheckReport { broken, level: clause.level, ..sample::check(&check.id, &[&clause.id], outcome) };
    }
    let text = plain(&rendered(text_of, &report));
    let mentions: Vec<_> = text.lines().filter(|line| line.contains(&clause.id)).collect();
    let sentence = clause.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let label = if clause.basis == clause::Basis::Observed { "DIFFERS" } else { "SHOULD" };
    assert_eq!(mentions, [format!("{label}  {}  {sentence} (1 fail, 2 crash)", clause.id)]);
}

#[test]
fn what_was_yanked_is_called_that() {
    let mut report = sample::report();
    let text = plain(&rendered(text_of, &report));
    assert!(text.contains("\nrelease           0.1.5, which was yanked\n"), "{text}");
    assert!(text.contains("\nclaims version    0.1.5\n") && text.contains("; 0.1.5 was yanked"), "{text}");
    // A library that is no release, with a version that only such releases claim.
    report.target.releases.clear();
    let text = plain(&rendered(text_of, &report));
    assert!(!text.contains("\nrelease "), "{text}");
    assert!(text.contains("\nclaims version    0.1.5, which was yanked\n"), "{text}");
}

#[test]
fn json_of_the_sample() {
    assert_data_eq!(rendered(json_of, &sample::report()), file!["snapshots/sample.json"].raw());
}

#[test]
fn junit_of_the_sample() {
    assert_data_eq!(rendered(junit::render, &sample::report()), file!["snapshots/sample.xml"].raw());
}

#[test]
fn sarif_of_the_sample() {
    let sarif = |report: &Report, out: &mut dyn Write| sarif::render(&report.findings(), out);
    assert_data_eq!(rendered(sarif, &sample::report()), file!["snapshots/sample.sarif"].raw());
}

#[test]
fn markdown_of_the_sample() {
    assert_data_eq!(rendered(Report::markdown, &sample::report()), file!["snapshots/sample.md"].raw());
}

#[test]
fn html_of_the_sample() {
    assert_data_eq!(rendered(Report::html, &sample::report()), file!["snapshots/sample.html"].raw());
}

#[test]
fn annotations_of_the_sample() {
    let github = |report: &Report, out: &mut dyn Write| github::render(&report.findings(), out);
    assert_data_eq!(rendered(github, &sample::report()), file!["snapshots/sample.github"].raw());
}

#[test]
fn badge_of_the_sample() {
    let badge = |report: &Report, out: &mut dyn Write| badge::render(&report.findings(), out);
    assert_data_eq!(rendered(badge, &sample::report()), file!["snapshots/sample.svg"].raw());
}

#[test]
fn junit_of_findings() {
    let findings = |report: &Report, out: &mut dyn Write| junit::render_findings(&report.findings(), out);
    let document = quick_junit::Report::deserialize_from_str(&rendered(findings, &sample::report())).unwrap();
    let found = sample::report().findings().findings;
    let tolerated =
        found.iter().filter(|finding| finding.known.is_some() || finding.severity != Severity::Error).count();
    assert_eq!(document.tests, found.len());
    assert_eq!((document.failures, document.skipped), (found.len() - tolerated, tolerated));
    // What has no findings is a case that succeeds.
    let fine = Report::new(sample::tool(), sample::target(), sample::run(), Default::default(), vec![]);
    let document = quick_junit::Report::deserialize_from_str(&rendered(findings, &fine)).unwrap();
    assert_eq!((document.tests, document.failures, document.skipped), (1, 0, 0));
}

#[test]
fn json_is_the_report() {
    let report = sample::report();
    let json = rendered(json_of, &report);
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
}

#[test]
fn json_has_the_promised_keys() {
    let json: serde_json::Value = serde_json::from_str(&rendered(json_of, &sample::report())).unwrap();
    assert!(json["target"].is_object() && json["summary"].is_object());
    for check in json["checks"].as_array().unwrap() {
        assert!(check["id"].is_string() && check["outcome"].is_string());
    }
}

#[test]
fn junit_names_every_case_and_counts_failures() {
    let document = quick_junit::Report::deserialize_from_str(&rendered(junit::render, &sample::report())).unwrap();
    let [suite] = document.test_suites.as_slice() else { panic!("one suite") };
    assert_eq!((suite.tests, suite.failures, suite.errors, suite.skipped), (18, 12, 1, 4));
    assert_eq!((document.tests, document.failures, document.errors, document.skipped), (18, 12, 1, 4));
    for (case, check) in suite.test_cases.iter().zip(sample::report().checks) {
        assert_eq!(case.name.as_str(), format!("{}: {}", check.id, check.name));
        assert_eq!(case.classname.as_deref(), Some("tvm-ffi-verify.SAMPLE"));
    }
}

/// Any clause will do, so this looks at all of them.
#[test]
fn clauses_speak_for_themselves() {
    let mut report = sample::report();
    report.run.strict = true;
    for clause in clause::clauses() {
        report.checks[1].broken = Some(sample::broken(&clause.id, "it does not hold"));
        let text = plain(&rendered(text_of, &report));
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for prose in [&clause.text, &clause.why] {
            let prose = prose.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(&prose), "{}: {text}", clause.id);
        }
        assert!(text.contains(&format!("FAIL  {}  ", clause.id)));
        assert!(text.contains(&format!("tvm-ffi-verify explain {}\n", clause.id)));
    }
}
