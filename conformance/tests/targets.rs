//! The suite on the reference and on public releases.

mod program;

use std::path::Path;

use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::abi::abi;

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

#[test]
fn peers_conform_but_for_their_known_failures() {
    for release in abi().peers().map(|release| &release.name) {
        let Some(wheel) = peers::wheel(release) else { return };
        let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("known-failures").join(format!("{release}.toml"));
        let mut args = vec![wheel.to_str().unwrap(), "--strict"];
        if known.is_file() {
            args.extend(["--known-failures", known.to_str().unwrap()]);
        }
        let (code, text) = check(&args);
        assert_eq!(code, Some(0), "{release}\n{text}");
    }
}
