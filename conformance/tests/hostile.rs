//! Targets that do their worst: each costs its own outcome and nothing else.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use serde_json::Value;
use tvm_ffi_fixtures::{
    fail,
    faults::{Builder, Fault},
};
use tvm_ffi_verify::target::REFERENCE;

/// What builds hostile targets, over the reference.
fn builder() -> &'static Builder {
    static BUILDER: OnceLock<Builder> = OnceLock::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    BUILDER.get_or_init(|| Builder::new(&folder, REFERENCE).unwrap_or_else(|problem| fail(&problem)))
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile").join(format!("{name}.c"))
}

/// Runs checks on the hostile target of that name; answers exit code and report.
fn check(name: &str, args: &[&str]) -> (i32, Value) {
    let library = builder().fault(&Fault::read(&source(name)).unwrap()).unwrap_or_else(|problem| fail(&problem));
    let output = Command::new(env!("CARGO_BIN_EXE_tvm-ffi-verify"))
        .args(["check", "--format", "json", "--progress", "none", "--seed", "1", "--timeout", "1"])
        .arg(library)
        .args(args)
        .output()
        .unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "{name}: {error}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    });
    (output.status.code().unwrap(), report)
}

fn find<'a>(report: &'a Value, id: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["id"] == id).unwrap_or_else(|| panic!("{id} is not in the report"))
}

/// Making a string goes wrong, in these ways; opening the library and everything else does not.
#[test]
fn a_hostile_function_costs_its_own_checks_and_no_others() {
    const CASES: &[(&str, &str, &str)] = &[
        ("aborts", "crash", "was ended by SIGABRT during the call"),
        ("loops", "timeout", "did not end before its deadline during the call"),
        ("shouts", "timeout", "did not end before its deadline during the call"),
        ("exits", "crash", "exited with status 0 during the call"),
        ("overflows", "crash", "was ended by SIGSEGV during the call"),
        ("closes", "crash", "exited with status 0"),
        ("forges", "crash", "exited with status 0 during the call"),
        ("frees_twice", "crash", "was ended by SIGABRT during the call"),
    ];
    for isolation in ["fork", "exec"] {
        for (name, outcome, message) in CASES {
            let only = ["--only", "string.small-string-layout", "--only", "symbols.opens", "--only", "object.dec-null"];
            let (code, report) = check(name, &[&only[..], &["--isolation", isolation]].concat());
            assert_eq!(code, 1, "{name}: {report:#}");
            let hit = find(&report, "string.small-string-layout");
            assert_eq!(hit["outcome"], *outcome, "{name}, {isolation}: {hit:#}");
            let broken = &hit["broken"];
            assert!(broken["message"].as_str().unwrap().contains(message), "{name}, {isolation}: {broken:#}");
            assert!(broken["call"].as_str().unwrap().starts_with("TVMFFIStringFromByteArray("), "{name}: {broken:#}");
            for other in report["checks"].as_array().unwrap().iter().filter(|check| check["id"] != hit["id"]) {
                assert_eq!(other["outcome"], "pass", "{name}, {isolation}: {other:#}");
            }
        }
    }
}

#[test]
fn a_library_that_cannot_be_opened_is_reported_as_that() {
    const CASES: &[(&str, &str, &str)] = &[
        ("opens_and_aborts", "crash", "was ended by SIGABRT"),
        ("opens_and_loops", "timeout", "did not end before its deadline"),
        ("opens_and_exits", "crash", "exited with status 0"),
    ];
    for isolation in ["fork", "exec"] {
        for (name, outcome, message) in CASES {
            let (code, report) = check(name, &["--isolation", isolation]);
            assert_eq!(code, 1, "{name}, {isolation}: {report:#}");
            assert_eq!(report["checks"].as_array().unwrap().len(), 1, "{name}, {isolation}: {report:#}");
            let opening = find(&report, "symbols.opens");
            assert_eq!(opening["outcome"], *outcome, "{name}, {isolation}: {opening:#}");
            let broken = &opening["broken"];
            assert!(broken["message"].as_str().unwrap().contains(message), "{name}, {isolation}: {broken:#}");
            assert!(broken["call"].as_str().unwrap().starts_with("dlopen("), "{name}, {isolation}: {broken:#}");
            if *name == "opens_and_aborts" {
                assert!(opening["output"].as_str().unwrap().contains("last words"), "{opening:#}");
            }
        }
    }
}

#[test]
fn a_library_that_lacks_half_its_functions_fails_by_name() {
    let (code, report) = check("lacks_half", &[]);
    assert_eq!(code, 1);
    let checks = report["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["outcome"] != "error"), "{report:#}");
    let missing: Vec<_> = checks.iter().filter(|check| check["broken"]["got"] == "missing").collect();
    assert!(missing.iter().all(|check| check["outcome"] == "fail"), "{missing:#?}");
    for function in Fault::read(&source("lacks_half")).unwrap().lacks {
        assert!(
            missing.iter().any(|check| check["broken"]["what"] == *function),
            "nothing says that {function} is missing"
        );
    }
}
