//! The suite on the reference and on public releases.

use std::path::Path;

use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::abi::abi;

use crate::program;

/// Runs the whole suite and answers its report.
fn check(args: &[&str]) -> (Option<i32>, String) {
    let output = program::run().args(["check", "--progress", "none", "--color", "never"]).args(args).output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), text)
}

#[test]
fn every_check_passes_on_the_reference() {
    let (code, text) = check(&["--strict", "--format", "json"]);
    assert_eq!(code, Some(0), "{}", check(&[]).1);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    for check in report["checks"].as_array().unwrap() {
        let excused =
            check["outcome"] == "unsupported" && check["undecided"].as_str().unwrap().contains("was given up");
        assert!(check["outcome"] == "pass" || excused, "{check:#}");
    }
}

/// What a check does with memory of its own does not lean on how it was compiled.
#[test]
fn every_check_passes_as_tests_are_compiled() {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_tvm-ffi-verify"));
    let output = program.args(["check", "--strict", "--no-facts", "--progress", "none"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn peers_conform_but_for_their_known_failures() {
    for release in abi().peers().map(|release| &release.name) {
        let Some(wheel) = peers::wheel(release) else { return };
        let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("known-failures").join(format!("{release}.toml"));
        let mut args = vec![wheel.to_str().unwrap(), "--strict", "--no-facts"];
        if known.is_file() {
            args.extend(["--known-failures", known.to_str().unwrap()]);
        }
        let (code, text) = check(&args);
        assert_eq!(code, Some(0), "{release}\n{text}");
    }
}

#[test]
fn a_release_is_a_target_by_its_name() {
    let Some(wheel) = peers::newest() else { return };
    let check = |release: &str| {
        let arguments = ["check", release, "--only", "any.none", "--progress", "none"];
        program::run().args(arguments).env("TVM_FFI_PEERS", wheel.parent().unwrap()).output().unwrap()
    };
    let output = check(&format!("apache-tvm-ffi=={}", abi().newest_peer().name));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let name = wheel.file_name().unwrap().to_str().unwrap();
    assert!(text.lines().any(|line| line.starts_with("from ") && line.ends_with(name)), "{text}");
    let output = check("apache-tvm-ffi==99.0");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{text}");
    assert!(text.contains("apache-tvm-ffi==99.0: is no release that this program knows"), "{text}");
}
