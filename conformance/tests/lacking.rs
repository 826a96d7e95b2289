//! Libraries that lack a part: what fails for want of it is blocked, and nothing else is.

use std::path::Path;

use serde_json::Value;
use tvm_ffi_fixtures::{
    fail,
    faults::{Builder, Fault},
};
use tvm_ffi_verify::target::REFERENCE;

use crate::program;

/// A report on the library of that name in the folder beside this file.
fn report(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lacking").join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/lacking/{name}.c"));
    let builder = Builder::new(&folder, REFERENCE).unwrap_or_else(|problem| fail(&problem));
    let library = builder.fault(&Fault::read(&source).unwrap()).unwrap_or_else(|problem| fail(&problem));
    let arguments = ["--format", "json", "--progress", "none", "--seed", "1", "--repeat", "0"];
    let output = program::run().arg("check").arg(library).args(arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{name}: {error}\n{output:?}"))
}

/// The clauses that are found broken, and what blocks checks.
fn found(name: &str) -> (Vec<String>, Vec<String>) {
    let report = report(name);
    let checks = report["checks"].as_array().unwrap();
    let mut broken: Vec<_> =
        checks.iter().filter_map(|check| check["broken"]["clause"].as_str()).map(str::to_owned).collect();
    broken.sort();
    broken.dedup();
    let blockers = report["summary"]["blockers"].as_array().unwrap();
    let blockers: Vec<_> = blockers.iter().map(|blocker| blocker["part"].as_str().unwrap().to_owned()).collect();
    (broken, blockers)
}

#[test]
fn a_global_that_is_missing_breaks_only_what_says_that_it_is_there() {
    let (broken, blockers) = found("array");
    assert!(broken.iter().all(|clause| clause.starts_with("REG-")), "{broken:?}");
    assert!(!broken.is_empty());
    assert_eq!(blockers, ["global ffi.Array"]);
}

#[test]
fn what_is_broken_besides_is_not_put_down_to_a_missing_function() {
    let (broken, blockers) = found("error_from_text");
    let (presence, others): (Vec<_>, Vec<_>) = broken.into_iter().partition(|clause| clause.starts_with("SYM-"));
    assert!(!presence.is_empty());
    // As the fault that has nothing else to it, by its head and consequences.
    assert!(
        others.contains(&"STR-0001".to_owned()) && others.iter().all(|clause| !clause.starts_with("HOK-")),
        "{others:?}"
    );
    assert_eq!(blockers, ["function TVMFFIErrorSetRaisedFromCStr"]);
}

#[test]
fn a_field_that_is_missing_blocks_what_reads_it() {
    let (broken, blockers) = found("field");
    assert!(broken.iter().all(|clause| clause.starts_with("REG-")), "{broken:?}");
    assert_eq!(blockers.len(), 1, "{blockers:?}");
    assert!(blockers[0].starts_with("field ffi.Enum."), "{blockers:?}");
}
