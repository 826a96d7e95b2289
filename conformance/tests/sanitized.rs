//! Targets that are built with a sanitizer: it is told, served with its library, and what it reports is a failure.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use serde_json::Value;
use tvm_ffi_fixtures::{
    fail,
    faults::{Builder, Fault},
};
use tvm_ffi_verify::target::REFERENCE;

use crate::program;

/// A fault over the reference, built with those flags; without a name, no fault.
fn library(name: Option<&str>, kind: &str, flags: &'static [&'static str]) -> PathBuf {
    // Tests of one kind build in one folder.
    static BUILDING: Mutex<()> = Mutex::new(());
    let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sanitized").join(kind);
    let built = Builder::with(&folder, REFERENCE, flags).and_then(|builder| match name {
        Some(name) => {
            let folders = ["tests/sanitized", "../c_fixtures/faults"]
                .map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
            let mut sources = folders.iter().map(|folder| folder.join(format!("{name}.c")));
            builder.fault(&Fault::read(&sources.find(|source| source.exists()).expect("there is such a fault"))?)
        }
        None => builder.forwarder(),
    });
    built.unwrap_or_else(|problem| fail(&problem))
}

struct Said {
    code: i32,
    text: String,
    report: Value,
}

fn check(library: &Path, checks: &[&str]) -> Said {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.json");
    let mut command = program::run();
    command.args(["check", "--progress", "none", "--seed", "1", "--repeat", "0", "--timeout", "60"]).arg(library);
    command.args(checks.iter().flat_map(|check| ["--only", check]));
    let output = command.arg("--report").arg(format!("json={}", report.display())).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let report = std::fs::read(&report).unwrap_or_else(|_| panic!("{text}"));
    Said { code: output.status.code().unwrap(), text, report: serde_json::from_slice(&report).unwrap() }
}

/// A fault is reported with that outcome, and the sanitizer's words: how they begin, and what they hold.
fn reported(name: &str, kind: &str, flags: &'static [&'static str], check_id: &str, outcome: &str, words: &[&str]) {
    let said = check(&library(Some(name), &kind.replace(',', "-"), flags), &[check_id]);
    assert_eq!(said.code, 1, "{}", said.text);
    assert_eq!(said.report["target"]["sanitizers"], Value::from(kind.split(',').collect::<Vec<_>>()), "{}", said.text);
    let found = said.report["checks"].as_array().unwrap().iter().find(|check| check["id"] == check_id).unwrap();
    assert_eq!(found["outcome"], outcome, "{}", said.text);
    let lines = found["broken"]["sanitizer"].as_array().unwrap();
    let lines: Vec<_> = lines.iter().map(|line| line.as_str().unwrap()).collect();
    assert!(lines.len() <= 13, "{lines:#?}");
    let told = lines.join("\n");
    assert!(told.starts_with(words[0]) && words.iter().all(|word| told.contains(word)), "{told}\n{}", said.text);
    assert!(said.text.contains(words[0]), "{}", said.text);
}

const ADDRESS: &[&str] = &["-fsanitize=address", "-g"];

#[test]
fn a_use_after_release_is_named_by_the_address_sanitizer() {
    let words =
        ["AddressSanitizer: heap-use-after-free: READ of size 4", "TVMFFIObjectDecRef", "freed by", "allocated by"];
    reported("looks_at_what_it_released", "address", ADDRESS, "object.dec-made", "fail", &words);
}

#[test]
fn a_leak_is_named() {
    let words = ["LeakSanitizer: Direct leak of ", "TVMFFIStringFromByteArray"];
    reported("loses_memory", "leak", &["-fsanitize=leak", "-g"], "string.no-growth", "leak", &words);
}

#[test]
fn a_leak_is_named_by_the_address_sanitizer() {
    let words = ["LeakSanitizer: Direct leak of ", "TVMFFIStringFromByteArray"];
    reported("loses_memory", "address", ADDRESS, "string.no-growth", "leak", &words);
}

/// ThreadSanitizer starts in fresh processes, too.
#[test]
fn a_fresh_process_is_watched_by_the_thread_sanitizer() {
    let said = check(&library(None, "thread", &["-fsanitize=thread"]), &["global.first-readers"]);
    assert_eq!(said.code, 0, "{}", said.text);
}

#[test]
fn a_race_is_named_by_the_thread_sanitizer() {
    let words = ["ThreadSanitizer: data race: ", "TVMFFIObjectIncRef", "revious "];
    reported("counting_is_not_atomic", "thread", &["-fsanitize=thread", "-g"], "object.threads", "fail", &words);
}

#[test]
fn undefined_behaviour_is_named() {
    let words = ["UndefinedBehaviorSanitizer: signed integer overflow: ", "counts_too_far.c:"];
    const UNDEFINED: &[&str] = &["-fsanitize=undefined", "-g"];
    reported("counts_too_far", "undefined", UNDEFINED, "string.small-string-layout", "fail", &words);
    const BOTH: &[&str] = &["-fsanitize=address,undefined", "-g"];
    reported("counts_too_far", "address,undefined", BOTH, "string.small-string-layout", "fail", &words);
}
