//! Every rendering of the sample report, byte for byte. `SNAPSHOTS=overwrite` rewrites the expected files.

use std::io::{self, Write};

use crate::sample;
use snapbox::{assert_data_eq, file};
use tvm_ffi_reports::{Report, json, junit, text};
use tvm_ffi_spec::clause;

fn rendered(render: fn(&Report, &mut dyn Write) -> io::Result<()>, report: &Report) -> String {
    let mut bytes = Vec::new();
    render(report, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn text_of(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    text::render(report, text::WIDTH, out)
}

fn verbose_text_of(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    text::render_verbose(report, text::WIDTH, out)
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

#[test]
fn prose_fits_a_narrow_terminal() {
    let mut narrow = Vec::new();
    text::render(&sample::report(), 40, &mut narrow).unwrap();
    let narrow = plain(&String::from_utf8(narrow).unwrap());
    let capabilities = narrow.lines().skip_while(|line| !line.starts_with("has ")).take(2).collect::<Vec<_>>();
    assert!(capabilities.iter().all(|line| line.len() <= 40), "{narrow}");
}

#[test]
fn json_of_the_sample() {
    assert_data_eq!(rendered(json::render, &sample::report()), file!["snapshots/sample.json"].raw());
}

#[test]
fn junit_of_the_sample() {
    assert_data_eq!(rendered(junit::render, &sample::report()), file!["snapshots/sample.xml"].raw());
}

#[test]
fn json_is_the_report() {
    let report = sample::report();
    let json = rendered(json::render, &report);
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
}

#[test]
fn json_has_the_promised_keys() {
    let json: serde_json::Value = serde_json::from_str(&rendered(json::render, &sample::report())).unwrap();
    assert!(json["target"].is_object() && json["summary"].is_object());
    for check in json["checks"].as_array().unwrap() {
        assert!(check["id"].is_string() && check["outcome"].is_string());
    }
}

#[test]
fn junit_names_every_case_and_counts_failures() {
    let document = quick_junit::Report::deserialize_from_str(&rendered(junit::render, &sample::report())).unwrap();
    let [suite] = document.test_suites.as_slice() else { panic!("one suite") };
    assert_eq!((suite.tests, suite.failures, suite.errors, suite.skipped), (17, 11, 1, 4));
    assert_eq!((document.tests, document.failures, document.errors, document.skipped), (17, 11, 1, 4));
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
        assert!(text.contains(&format!("tvm-ffi-verify explain {} · rerun: ", clause.id)));
    }
}
