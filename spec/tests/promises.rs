//! The table of promises is complete: each is decided by clauses that exist, or says why not.

use std::collections::BTreeSet;

use rstest::rstest;
use tvm_ffi_spec::{
    clause::find,
    promise::{DOCUMENTS, Promise, promises},
};

/// Everything that is wrong with `promises`, a line each.
fn problems(promises: &[Promise]) -> Vec<String> {
    let mut found = Vec::new();
    let mut distinct = BTreeSet::new();
    let mut last = 0;
    for promise in promises {
        let Promise { document, place, text, .. } = promise;
        let mut problem = |what: &str| found.push(format!("{document}, {place}: {text} {what}"));
        match DOCUMENTS.iter().position(|known| known == document) {
            None => problem("(no such document)"),
            Some(number) if number < last => problem("(documents stand in their order)"),
            Some(number) => last = number,
        }
        if !distinct.insert((document, place, text)) {
            problem("(twice)");
        }
        promise_problems(promise).iter().for_each(|what| problem(what));
    }
    found
}

fn promise_problems(promise: &Promise) -> Vec<String> {
    let Promise { document: _, place, text, clauses, missing, unseen } = promise;
    let mut found = Vec::new();
    let reasons = [missing, unseen].into_iter().flatten();
    if [place, text].into_iter().chain(reasons).any(|words| words.trim().is_empty()) {
        found.push("(no place, text or reason)".to_owned());
    }
    if clauses.is_empty() && missing.is_none() && unseen.is_none() {
        found.push("(neither clauses nor a reason)".to_owned());
    }
    if unseen.is_some() && clauses.is_empty() && missing.is_some() {
        found.push("(what no client can see, nothing can decide)".to_owned());
    }
    let unknown = clauses.iter().filter(|id| find(id).is_none());
    found.extend(unknown.map(|id| format!("({id} is no clause)")));
    if clauses.iter().collect::<BTreeSet<_>>().len() < clauses.len() {
        found.push("(a clause twice)".to_owned());
    }
    found
}

#[test]
fn promises_are_well_formed() {
    let problems = problems(promises());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_document_makes_promises() {
    for document in DOCUMENTS {
        assert!(promises().iter().any(|promise| promise.document == *document), "{document} makes none");
    }
}

#[rstest]
#[case::decided(r#"clauses = ["STR-0001", "STR-0002"]"#, "")]
#[case::in_part("clauses = [\"STR-0001\"]\nmissing = \"M.\"", "")]
#[case::by_nothing(r#"missing = "M.""#, "")]
#[case::unseen(r#"unseen = "U.""#, "")]
#[case::no_reason("", "(neither clauses nor a reason)")]
#[case::seen_in_part("clauses = [\"STR-0001\"]\nunseen = \"U.\"", "")]
#[case::unseen_and_missing("missing = \"M.\"\nunseen = \"U.\"", "(what no client can see, nothing can decide)")]
#[case::empty_reason(r#"missing = """#, "(no place, text or reason)")]
#[case::unknown_clause(r#"clauses = ["STR-9999"]"#, "(STR-9999 is no clause)")]
#[case::clause_twice(r#"clauses = ["STR-0001", "STR-0001"]"#, "(a clause twice)")]
fn bad_promises_are_found(#[case] decision: &str, #[case] expected: &str) {
    let promise = promise("c_api.h", decision);
    assert_eq!(promise_problems(&promise).join("\n"), expected);
}

#[rstest]
#[case::in_order(&["c_api.h", "dlpack.h"], "")]
#[case::out_of_order(&["dlpack.h", "c_api.h"], "c_api.h, P: T. (documents stand in their order)")]
#[case::no_such_document(&["novel.md"], "novel.md, P: T. (no such document)")]
#[case::twice(&["c_api.h", "c_api.h"], "c_api.h, P: T. (twice)")]
fn bad_tables_are_found(#[case] documents: &[&str], #[case] expected: &str) {
    let promises: Vec<_> = documents.iter().map(|document| promise(document, r#"unseen = "U.""#)).collect();
    assert_eq!(problems(&promises).join("\n"), expected);
}

fn promise(document: &str, decision: &str) -> Promise {
    let entry = format!("document = \"{document}\"\nplace = \"P\"\ntext = \"T.\"\n{decision}");
    toml::from_str(&entry).expect("the entry has the form of the model")
}
