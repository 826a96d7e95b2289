//! The suite on the reference and, where their wheels are at hand, on public releases.

use std::{path::Path, process::Command};

use tvm_ffi_fixtures::peers;

/// Runs the whole suite and answers its report.
fn check(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tvm-ffi-verify"))
        .args(["check", "--progress", "none", "--color", "never"])
        .args(args)
        .output()
        .unwrap();
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
            check["outcome"] == "unsupported" && check["broken"]["message"].as_str().unwrap().contains("was given up");
        assert!(check["outcome"] == "pass" || excused, "{check:#}");
    }
}

/// Releases that the suite is held to, each with the list of what it is known to break.
const PEERS: &[&str] = &["0.1.0", "0.1.9", "0.1.12", "0.1.15.post2"];

#[test]
fn peers_conform_but_for_their_known_failures() {
    let mut checked = 0;
    for release in PEERS {
        let Some(wheel) = peers::wheel(release) else {
            println!(
                "NOT CHECKED: no wheel of {release} in {} (.ci/fetch-peers fetches it)",
                peers::folder().display()
            );
            continue;
        };
        let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("known-failures").join(format!("{release}.toml"));
        let mut args = vec![wheel.to_str().unwrap(), "--strict"];
        if known.is_file() {
            args.extend(["--known-failures", known.to_str().unwrap()]);
        }
        let (code, text) = check(&args);
        assert_eq!(code, Some(0), "{release}\n{text}");
        checked += 1;
    }
    println!("checked {checked} of {} peers", PEERS.len());
}
