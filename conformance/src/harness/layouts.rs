//! Failures that follow from a layout: a check that looked at a struct which lies in memory otherwise than clients compile it in
//! has read something else, and says nothing of its own clauses.

use tvm_ffi_reports::{CheckReport, Outcome};

use crate::{checks, client::layout::STRUCTS};

/// Puts failures down to the layouts that they follow from: those of checks that have looked at a struct, right before they
/// failed, which is found broken by a check that decides its layout. That check is not put down to the struct itself, but may
/// be to one through which it reads.
pub fn put_down(reports: &mut [CheckReport]) {
    // For each broken struct, in the order in which they are read, the one that its failures are put down to.
    let mut roots: Vec<(&str, &str)> = Vec::new();
    for &name in STRUCTS {
        // One that crashed has not seen that anything lies elsewhere.
        let saw = |report: &&CheckReport| report.outcome == Outcome::Fail && looked_at(report, name);
        let accusers = reports.iter().filter(|report| lays(report) == Some(name)).filter(saw);
        let put_down: Vec<_> = accusers.map(|report| root_of(report, &roots)).collect();
        // It is the struct's own fault if one of them cannot be put down to another.
        if let Some(first) = put_down.first() {
            roots.push((name, first.filter(|_| !put_down.contains(&None)).unwrap_or(name)));
        }
    }
    for report in reports.iter_mut().filter(|report| report.known.is_none()) {
        if let Some(root) = root_of(report, &roots) {
            *report = CheckReport {
                outcome: Outcome::Blocked,
                undecided: Some(format!("looked at {root}, which lies in memory otherwise: {}", report.message())),
                blocked_by: Some(format!("struct {root}")),
                broken: None,
                ..report.clone()
            };
        }
    }
}

/// What a failure is put down to.
fn root_of<'a>(report: &CheckReport, roots: &[(&str, &'a str)]) -> Option<&'a str> {
    let through = roots.iter().take_while(|(name, _)| lays(report) != Some(*name));
    through.into_iter().find(|(name, _)| looked_at(report, name)).map(|(_, root)| *root)
}

/// The struct whose layout a check decides.
fn lays(report: &CheckReport) -> Option<&'static str> {
    checks::find(&report.id).and_then(|check| check.lays)
}

fn looked_at(report: &CheckReport, name: &str) -> bool {
    let broken = report.broken.as_ref().filter(|_| report.outcome.is_broken());
    broken.is_some_and(|broken| broken.looked_at.iter().any(|looked_at| looked_at == name))
}

#[cfg(test)]
mod tests {
    use tvm_ffi_reports::Evidence;

    use super::*;

    fn failed(id: &str, looked_at: &[&str]) -> CheckReport {
        let looked_at = looked_at.iter().map(|&name| name.to_owned()).collect();
        let broken = Some(Evidence { looked_at, ..Evidence::told("TYP-0021", "type_depth: expected 132, got 1") });
        CheckReport { broken, ..CheckReport::new(id, Outcome::Fail) }
    }

    fn blockers(mut reports: Vec<CheckReport>) -> Vec<Option<String>> {
        put_down(&mut reports);
        reports.into_iter().map(|report| report.blocked_by).collect()
    }

    #[test]
    fn what_was_read_of_a_broken_struct_is_put_down_to_it() {
        let reports = vec![
            failed("type.value-types-are-roots", &["TVMFFITypeInfo"]),
            failed("type.depth-counts-ancestors", &["TVMFFITypeInfo"]),
            failed("type.unknown-key", &[]),
            CheckReport { known: Some("A reason.".to_owned()), ..failed("type.a", &["TVMFFITypeInfo"]) },
        ];
        let mut put = reports.clone();
        put_down(&mut put);
        assert_eq!((&put[0], &put[2..]), (&reports[0], &reports[2..]));
        let expected = "looked at TVMFFITypeInfo, which lies in memory otherwise: type_depth: expected 132, got 1";
        assert_eq!((put[1].outcome, put[1].undecided.as_deref()), (Outcome::Blocked, Some(expected)));
        assert_eq!(put[1].broken, None);
    }

    #[test]
    fn nothing_is_put_down_to_a_struct_that_nobody_finds_broken() {
        let reports = vec![
            // It failed before it had looked.
            failed("type.value-types-are-roots", &[]),
            // It has seen nothing.
            CheckReport { outcome: Outcome::Crash, ..failed("type.info-names-built-in-types", &["TVMFFITypeInfo"]) },
            failed("type.depth-counts-ancestors", &["TVMFFITypeInfo"]),
        ];
        assert_eq!(blockers(reports), [None, None, None]);
    }

    #[test]
    fn a_struct_that_is_read_through_another_is_put_down_to_that() {
        let reports = vec![
            failed("object.header-layout", &["TVMFFIObject"]),
            failed("error.layout", &["TVMFFIObject", "TVMFFIErrorCell"]),
            failed("error.any-bytes", &["TVMFFIErrorCell"]),
        ];
        let header = Some("struct TVMFFIObject".to_owned());
        assert_eq!(blockers(reports), [None, header.clone(), header]);
    }
}
