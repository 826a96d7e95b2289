//! Whatever a target prints or returns, every rendering stays well-formed.

use crate::sample;
use proptest::option;
use proptest::prelude::*;
use tvm_ffi_reports::{layout::Width, *};

/// Text as targets send it: any characters, with those that have a meaning to a terminal or to XML often.
fn any_text() -> impl Strategy<Value = String> {
    let special =
        prop::sample::select(vec!['\0', '\n', '\r', '\t', '\u{1b}', '[', 'm', '<', '&', '"', ']', '>', '\u{ffff}']);
    prop::collection::vec(prop_oneof![any::<char>(), special], 0..20).prop_map(String::from_iter)
}

prop_compose! {
    fn any_program()(texts in prop::array::uniform3(option::of(any_text()))) -> Program {
        let [source, left_out, file] = texts;
        Program { source, left_out, file }
    }
}

prop_compose! {
    fn any_evidence()(
        texts in prop::array::uniform4(any_text()),
        optional in prop::array::uniform7(option::of(any_text())),
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        sanitizer in prop::collection::vec(any_text(), 0..3),
        program in option::of(any_program()),
    ) -> Evidence {
        let [clause, message, label, raw] = texts;
        let [call, what, expected, got, note, signal, place] = optional;
        let bytes = vec![Dump::new(label.clone(), &bytes), Dump { label, bytes: raw }];
        let looked_at = vec![clause.clone()];
        Evidence { clause, message, call, what, expected, got, bytes, note, signal, looked_at, place, sanitizer, program }
    }
}

prop_compose! {
    fn any_check()(
        outcome in prop::sample::select(Outcome::ALL.to_vec()),
        texts in prop::array::uniform4(any_text()),
        broken in option::of(any_evidence()),
        known in option::of(any_text()),
        output in option::of(any_text()),
    ) -> CheckReport {
        let [id, name, clause, rerun] = texts;
        CheckReport { id, name, rerun, broken, known, output, ..sample::check("", &[&clause], outcome) }
    }
}

prop_compose! {
    fn any_report()(
        checks in prop::collection::vec(any_check(), 0..6),
        texts in prop::array::uniform4(any_text()),
    ) -> Report {
        let [path, sha256, origin, started] = texts;
        let target = Target { path, sha256, origin: Some(origin), ..sample::target() };
        Report::new(sample::tool(), target, RunInfo { started, ..sample::run() }, Default::default(), checks)
    }
}

/// Whether XML 1.0 allows the character.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

proptest! {
    #[test]
    fn json_comes_back(report in any_report()) {
        let mut json = Vec::new();
        json::render(&report, &mut json).unwrap();
        prop_assert_eq!(serde_json::from_slice::<Report>(&json).unwrap(), report);
    }

    #[test]
    fn junit_is_valid(report in any_report()) {
        let mut xml = Vec::new();
        junit::render(&report, &mut xml).unwrap();
        let xml = String::from_utf8(xml).unwrap();
        prop_assert!(xml.chars().all(is_xml));
        let document = quick_junit::Report::deserialize_from_str(&xml).unwrap();
        let suite = &document.test_suites[0];
        prop_assert_eq!(suite.test_cases.len(), report.checks.len());
        prop_assert!(suite.test_cases.iter().all(|case| !case.name.is_empty() && case.classname.is_some()));
        let failures = report.checks.iter().filter(|check| check.breaks_conformance(report.run.strict)).count();
        prop_assert_eq!((suite.failures, suite.errors), (failures, report.summary.counts.error as usize));
    }

    #[test]
    fn sarif_keeps_to_the_standard(report in any_report()) {
        let (written, typed) = crate::sarif::read(&report.findings());
        prop_assert_eq!(written, typed);
    }

    #[test]
    fn markdown_has_a_line_for_each_finding(report in any_report()) {
        let mut page = Vec::new();
        report.markdown(&mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        prop_assert!(page.chars().all(|c| c == '\n' || !c.is_control()));
        let findings = report.findings().findings.len();
        let table = page.split("## Findings").nth(1).unwrap_or_default();
        let rows = table.lines().filter(|line| line.starts_with("| ")).count();
        prop_assert_eq!(rows, if findings == 0 { 0 } else { findings + 1 });
    }

    #[test]
    fn html_is_well_formed(report in any_report()) {
        let mut page = Vec::new();
        report.html(&mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        prop_assert!(page.chars().all(|c| c == '\n' || !c.is_control()));
        // Every element that has a content is closed, in order; nothing else begins with the sign.
        let mut open = Vec::new();
        for tag in page.split('<').skip(1) {
            let name = tag.split(['>', ' ', '\n']).next().unwrap();
            match name.strip_prefix('/') {
                Some(closed) => prop_assert_eq!(open.pop(), Some(closed)),
                None if ["!DOCTYPE", "meta", "br"].contains(&name) => {}
                None => open.push(name),
            }
        }
        prop_assert!(open.is_empty(), "{:?}", open);
    }

    #[test]
    fn github_has_a_line_for_each_finding_and_the_verdict(report in any_report()) {
        let mut lines = Vec::new();
        github::render(&report.findings(), &mut lines).unwrap();
        let lines = String::from_utf8(lines).unwrap();
        prop_assert_eq!(lines.lines().count(), 1 + report.findings().findings.len());
        prop_assert!(lines.lines().all(|line| ["::error ", "::warning ", "::notice "].iter().any(|level| line.starts_with(level))));
        prop_assert!(lines.chars().all(|c| c == '\n' || !c.is_control()));
    }

    #[test]
    fn text_holds_no_control_characters_but_styles(report in any_report()) {
        let mut text = Vec::new();
        text::render_verbose(&report, Width::Unlimited, &mut text).unwrap();
        let text = anstream::adapter::strip_str(&String::from_utf8(text).unwrap()).to_string();
        prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    }
}
