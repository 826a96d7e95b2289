//! The suite on the reference and on public releases.

use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::abi::abi;

use crate::{program, whole};

#[test]
fn every_check_passes_on_the_reference() {
    let whole = whole::reference();
    assert_eq!(whole.code, Some(0), "{}", whole.said);
    for check in whole.read()["checks"].as_array().unwrap() {
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
fn the_newest_release_conforms_but_for_its_known_failures() {
    let Some(whole) = whole::newest() else { return };
    assert_eq!(whole.code, Some(0), "{}", whole.said);
}

#[test]
fn older_peers_conform_but_for_their_known_failures() {
    for release in abi().peers().filter(|release| release.name != abi().newest_peer().name) {
        let Some(wheel) = peers::wheel(&release.name) else { return };
        let mut run = program::run();
        run.arg("check").arg(wheel).args(["--strict", "--no-facts", "--progress", "none"]);
        let known = whole::known_failures(&release.name);
        if known.is_file() {
            run.arg("--known-failures").arg(known);
        }
        let output = run.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}\n{}", release.name, String::from_utf8_lossy(&output.stdout));
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
