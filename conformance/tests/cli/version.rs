//! What the program says of itself, and which releases it knows.

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;
use tvm_ffi_fixtures::peers;

#[path = "../../build/commit.rs"]
mod commit;
use commit::commit;

use super::program;

fn said(args: &[&str]) -> String {
    let output = program::run().args(args).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_version_names_the_commit_and_the_specification() {
    let version = said(&["--version"]);
    let spec = format!("spec {})\n", tvm_ffi_spec::REVISION);
    let begin = format!("tvm-ffi-verify {} (", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(&begin) && version.ends_with(&spec), "{version}");
    let report: serde_json::Value =
        serde_json::from_str(&said(&["check", "--only", "symbols.opens", "--format", "json"])).unwrap();
    assert_eq!(report["tool"]["spec"], tvm_ffi_spec::REVISION);
    if let Some(commit) = report["tool"]["commit"].as_str() {
        assert!(version.contains(&format!("commit {commit}, ")), "{version}");
    }
}

#[test]
fn a_release_is_known_by_its_library() {
    for (release, wheel) in peers::wheels() {
        let wheel = wheel.display().to_string();
        let report = said(&["check", &wheel, "--only", "symbols.opens", "--no-facts", "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let known = report["target"]["releases"].as_array().unwrap();
        assert!(known.iter().any(|known| *known == release.name), "{}: {known:?}", release.name);
        assert_eq!(report["target"]["yanked"], release.yanked, "{}", release.name);
    }
}

fn git(folder: &Path, args: &[&str]) {
    let who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"];
    let output = Command::new("git").arg("-C").arg(folder).args(who).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_commit_is_that_of_the_sources() {
    let outer = TempDir::new().unwrap();
    // What was unpacked, and nothing else.
    fs::write(outer.path().join("build.rs"), "1").unwrap();
    assert_eq!(commit(outer.path(), "build.rs"), None);
    git(outer.path(), &["init", "--quiet"]);
    git(outer.path(), &["add", "build.rs"]);
    git(outer.path(), &["commit", "--quiet", "--message", "all"]);
    let clean = commit(outer.path(), "build.rs").unwrap();
    assert!(clean.len() == 12 && clean.bytes().all(|byte| byte.is_ascii_hexdigit()), "{clean}");
    fs::write(outer.path().join("build.rs"), "2").unwrap();
    assert_eq!(commit(outer.path(), "build.rs"), Some(format!("{clean} with changes")));
    // What was unpacked into the repository of something else.
    let inner = outer.path().join("vendored");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("build.rs"), "1").unwrap();
    assert_eq!(commit(&inner, "build.rs"), None);
}
