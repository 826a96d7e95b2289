//! Every rendering of a sample matrix, byte for byte, and the matrix that is published. `SNAPSHOTS=overwrite` rewrites the
//! expected files; `.ci/releases --publish` what is published.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use snapbox::{assert_data_eq, file};
use tvm_ffi_reports::{Answer, Demands, Outcome, Report, layout::Width, matrix::Matrix};
use tvm_ffi_spec::abi::abi;

use crate::{sample, sarif};

/// The sample, a library that passes everything, and one without a release.
fn matrix() -> Matrix {
    let sample = sample::report();
    let mut checks = sample.checks.clone();
    checks.retain(|check| matches!(check.outcome, Outcome::Pass | Outcome::Unsupported));
    let mut target = sample.target.clone();
    (target.releases, target.yanked, target.path) = (Vec::new(), false, "/home/me/fork/libtvm_ffi.so".to_owned());
    let fork = Report::new(sample.tool.clone(), target, sample.run.clone(), Default::default(), checks);
    Matrix::of(sample::tool(), &[sample, fork])
}

fn rendered(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    render(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn text(verbose: bool) -> String {
    let styled = rendered(|out| matrix().text(Width::Unlimited, verbose, out));
    anstream::adapter::strip_str(&styled).to_string()
}

#[test]
fn text_of_the_matrix() {
    assert_data_eq!(text(false), file!["snapshots/matrix.txt"].raw());
}

#[test]
fn verbose_text_of_the_matrix() {
    assert_data_eq!(text(true), file!["snapshots/matrix-verbose.txt"].raw());
}

#[test]
fn markdown_of_the_matrix() {
    assert_data_eq!(rendered(|out| matrix().markdown(out)), file!["snapshots/matrix.md"].raw());
}

#[test]
fn html_of_the_matrix() {
    assert_data_eq!(rendered(|out| matrix().html(out)), file!["snapshots/matrix.html"].raw());
}

#[test]
fn sarif_of_the_matrix_keeps_to_the_standard() {
    let (written, typed) = sarif::read(&matrix().findings());
    assert_eq!(written, typed);
}

#[test]
fn a_reason_is_told_once_with_its_libraries() {
    let sample = sample::report();
    let matrix = Matrix::of(sample::tool(), &[sample.clone(), sample]);
    let unmet = matrix.unmet().count();
    assert!(unmet > 0 && matrix.unmet().all(|(_, unmet)| unmet.rows == [0, 1]), "{matrix:#?}");
    assert!((0..2).all(|row| matrix.unmet_by(row).count() == unmet));
    let reasons: Vec<_> = matrix.reasons.iter().map(|reason| &reason.reason).collect();
    assert!(reasons.iter().enumerate().all(|(place, reason)| !reasons[..place].contains(reason)), "{reasons:?}");
}

/// A library that passes everything, and whose list of known failures is not true any more.
#[test]
fn what_is_wrong_with_a_run_beside_its_checks_is_told() {
    let mut report = sample::report();
    report.checks.retain(|check| check.outcome == Outcome::Pass);
    let untrue = "string.empty passes by now: take it off";
    let demands = Demands { untrue: vec![untrue.to_owned()], ..Default::default() };
    let report = Report::new(report.tool, report.target, report.run, demands, report.checks);
    let matrix = Matrix::of(sample::tool(), &[report]);
    let findings = matrix.findings();
    assert_eq!((matrix.exit_code, findings.findings.len(), &*findings.findings[0].rule), (1, 1, "known-failures"));
    for told in [rendered(|out| matrix.text(Width::Unlimited, false, out)), rendered(|out| matrix.html(out))] {
        assert!(told.contains(untrue), "{told}");
    }
}

#[test]
fn nothing_of_the_machine_is_in_a_matrix() {
    let json = serde_json::to_string(&matrix()).unwrap();
    assert!(!json.contains("/home") && !json.contains("/opt"), "{json}");
}

/// What is published.
fn published() -> Matrix {
    serde_json::from_str(include_str!("../../published/matrix.json")).unwrap()
}

#[test]
fn every_release_and_each_older_generation_is_published() {
    let released: Vec<_> = abi().releases.iter().map(|release| (release.name.clone(), release.yanked)).collect();
    let (older, rows): (Vec<_>, Vec<_>) = published().rows.into_iter().partition(|row| row.generation.is_some());
    let older: BTreeSet<_> = older.into_iter().filter_map(|row| row.generation).collect();
    assert_eq!(older, ["legacy", "split"].map(str::to_owned).into(), "beside the releases");
    assert_eq!(rows.iter().map(|row| (row.name.clone(), row.yanked)).collect::<Vec<_>>(), released);
    for (row, release) in rows.iter().zip(&abi().releases) {
        assert_eq!(row.sha256, release.library, "{}", row.name);
    }
    // What is published without a reason helps nobody.
    let silent: Vec<_> = published().reasons.into_iter().filter(|reason| !reason.known).collect();
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn the_published_page_shows_the_published_data() {
    let page = rendered(|out| published().html(out));
    assert_data_eq!(page, file!["../../published/index.html"].raw());
}

#[test]
fn each_reason_stands_once_on_the_page_and_every_reference_leads_to_one() {
    let (published, page) = (published(), rendered(|out| published().html(out)));
    for number in 1..=published.reasons.len() {
        assert_eq!(page.matches(&format!("id=\"reason-{number}\"")).count(), 1, "reason {number}");
    }
    let references = page.split("href=\"#reason-").skip(1).map(|rest| rest.split_once('"').unwrap().0.parse().unwrap());
    let references: Vec<usize> = references.collect();
    let repeated = published.unmet().count() - published.reasons.len();
    assert!(references.len() == repeated && references.iter().all(|number| *number <= published.reasons.len()));
}

#[test]
fn the_table_in_the_readme_is_that_of_the_published_data() {
    let table = rendered(|out| published().markdown(out));
    let readme = include_str!("../../../README.md");
    let shown =
        readme.split_once("<!-- matrix -->\n\n").and_then(|(_, rest)| rest.split_once("\n<!-- end of the matrix -->"));
    let (shown, _) = shown.expect("the README has a place for the table");
    assert_eq!(shown, table, "publish with .ci/releases --publish");
}
