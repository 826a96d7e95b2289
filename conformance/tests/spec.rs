//! Clauses and checks cover each other.

use std::collections::{BTreeMap, BTreeSet};

use tvm_ffi_spec::{
    abi::abi,
    clause::{self, Level},
    generation::generations,
};
use tvm_ffi_verify::{checks, client::layout::STRUCTS};

#[test]
fn every_clause_is_decided_by_a_check() {
    let decided: BTreeSet<_> = checks::all().flat_map(|check| check.clauses.iter().copied()).collect();
    for level in [Level::Must, Level::Should] {
        let undecided: Vec<_> = clause::clauses()
            .filter(|clause| clause.level == level && !decided.contains(clause.id.as_str()))
            .map(|clause| clause.id.as_str())
            .collect();
        assert!(undecided.is_empty(), "{level} clauses that no check decides: {undecided:?}");
    }
}

/// A clause that says to hold for an older generation is decided by a check that runs on libraries of that.
#[test]
fn every_clause_of_an_older_generation_is_decided_by_a_check() {
    for generation in generations().iter().filter(|generation| !generation.is_today()) {
        let decided: BTreeSet<_> =
            checks::of(&generation.name).flat_map(|check| check.clauses.iter().copied()).collect();
        let undecided: Vec<_> = clause::clauses_of(&generation.name).filter(|it| !decided.contains(&*it.id)).collect();
        let undecided: Vec<_> = undecided.into_iter().map(|clause| &clause.id).collect();
        assert!(undecided.is_empty(), "no check of the {} generation decides {undecided:?}", generation.name);
    }
}

#[test]
fn every_check_names_clauses_that_exist() {
    for check in checks::every() {
        assert!(!check.clauses.is_empty(), "{} decides nothing", check.id);
        for id in check.clauses {
            assert!(clause::find(id).is_some(), "{} names {id}, which is no clause", check.id);
        }
        let distinct: BTreeSet<_> = check.clauses.iter().collect();
        assert_eq!(distinct.len(), check.clauses.len(), "{} names a clause twice", check.id);
    }
}

#[test]
fn every_layout_is_decided_by_a_check_with_a_clause_that_must_be_kept() {
    let decided: BTreeSet<_> = checks::all().filter_map(|check| check.lays).collect();
    assert_eq!(decided, STRUCTS.iter().copied().collect());
    for check in checks::all().filter(|check| check.lays.is_some()) {
        assert!(check.clauses.iter().all(|id| clause::find(id).is_some_and(|clause| clause.level == Level::Must)));
    }
}

#[test]
fn ids_and_names_of_checks_are_unique_and_well_formed() {
    let mut names = BTreeMap::new();
    for check in checks::all() {
        let (area, slug) = check.id.split_once('.').unwrap_or_else(|| panic!("{} has no area", check.id));
        let word = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        assert!(word(area) && word(slug), "{} is not lowercase words with hyphens", check.id);
        assert!(check.patience >= 1, "{} has no time", check.id);
        if let Some(other) = names.insert((area, check.name), check.id) {
            panic!("{other} and {} have the same name", check.id);
        }
    }
    let ids: BTreeSet<_> = checks::all().map(|check| check.id).collect();
    assert_eq!(ids.len(), checks::all().count(), "an id is used twice");
}

#[test]
fn clauses_of_one_check_can_be_in_force_together() {
    for check in checks::all() {
        let clauses: Vec<_> = check.clauses.iter().filter_map(|id| clause::find(id)).collect();
        for clause in &clauses {
            if let Some(ended_by) = &clause.ended_by {
                let clash = clauses.iter().find(|other| &other.capability == ended_by);
                assert!(
                    clash.is_none(),
                    "{} can never run: {} ends where another of its clauses begins",
                    check.id,
                    clause.id
                );
            }
        }
    }
}

/// Checks of what any call leaves alone go by the list of calls that succeed: no function of the ABI is forgotten there, but those
/// whose very work is the raised error.
#[test]
fn every_function_is_among_the_calls_that_succeed() {
    const OWN_BUSINESS: [&str; 4] = [
        "TVMFFIErrorMoveFromRaised",
        "TVMFFIErrorSetRaised",
        "TVMFFIErrorSetRaisedFromCStr",
        "TVMFFIErrorSetRaisedFromCStrParts",
    ];
    let calls = include_str!("../src/trial/successes.rs");
    let words: BTreeSet<_> = calls.split(|character: char| !character.is_alphanumeric()).collect();
    let names = abi().functions.iter().map(|function| function.name.as_str());
    let forgotten: Vec<_> = names.filter(|name| !OWN_BUSINESS.contains(name) && !words.contains(name)).collect();
    assert!(forgotten.is_empty(), "no call that succeeds is one of {forgotten:?}");
}
