//! SARIF keeps to the standard: the types that are generated from its schema have all that we write, and nothing that they
//! need is missing.

use serde_json::Value;
use tvm_ffi_reports::{Answer, Findings, sarif};

/// The document, as it is and as the types have read it.
pub fn read(findings: &Findings) -> (Value, Value) {
    let mut text = Vec::new();
    sarif::render(findings, &mut text).unwrap();
    let written: Value = serde_json::from_slice(&text).unwrap();
    let typed: serde_sarif::sarif::Sarif = serde_json::from_value(written.clone()).unwrap();
    (written, serde_json::to_value(typed).unwrap())
}

#[test]
fn sarif_of_the_sample_keeps_to_the_standard() {
    let findings = crate::sample::report().findings();
    let (written, typed) = read(&findings);
    assert_eq!(written, typed);
    let run = &written["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), findings.findings.len());
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
    }
    // The sample holds a failure of the harness, so nothing is decided.
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn what_is_tolerated_is_suppressed() {
    let findings = crate::sample::report().findings();
    let (written, _) = read(&findings);
    let results = written["runs"][0]["results"].as_array().unwrap();
    let suppressed: Vec<_> =
        results.iter().filter(|result| result["suppressions"].as_array().is_some_and(|all| !all.is_empty())).collect();
    assert_eq!(suppressed.len(), 1);
    assert_eq!(suppressed[0]["ruleId"], "SAMPLE-0011");
}
