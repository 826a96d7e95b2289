//! The suite is proven to bite: on every fault it reports exactly the clauses that the fault breaks, with the outcomes
//! that fit, and on a library without a fault it reports nothing.
//!
//! To look at some faults only, set `TVM_FFI_FAULT` to the beginning of their names.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use tempfile::TempDir;
use tvm_ffi_fixtures::faults::{self, Fault};
use tvm_ffi_reports::{Outcome, Report};
use tvm_ffi_spec::{abi::abi, clause};
use tvm_ffi_verify::target::{FILE_NAME, REFERENCE};

/// How many faults the project promises.
const AT_LEAST: usize = 24;

/// What a suite reports: clauses, each with an outcome and the checks that say so.
type Findings = BTreeMap<(String, String), Vec<String>>;

#[test]
fn a_library_without_a_fault_passes_everything() {
    let folder = TempDir::new().unwrap();
    let library = faults::build_forwarder(&reference_in(&folder), folder.path()).unwrap();
    assert_eq!(judge(&library).unwrap(), Findings::new());
}

#[test]
fn every_fault_is_caught_by_exactly_the_clauses_it_breaks() {
    let folder = TempDir::new().unwrap();
    let base = reference_in(&folder);
    let chosen = env::var("TVM_FFI_FAULT").unwrap_or_default();
    let faults: Vec<_> = all_faults().into_iter().filter(|fault| fault.name.starts_with(&chosen)).collect();
    assert!(!faults.is_empty(), "no fault's name begins with `{chosen}`");

    let differences = in_parallel(&faults, |fault| {
        let library = faults::build(fault, &base, folder.path());
        match library.and_then(|library| judge(&library)) {
            Ok(findings) => differences(fault, &findings),
            Err(problem) => vec![format!("{}: {problem}", fault.name)],
        }
    });
    let differences: Vec<_> = differences.into_iter().flatten().collect();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

/// The README shows what a failure looks like; this is it.
#[test]
fn the_failure_in_the_readme_is_a_real_one() {
    let folder = TempDir::new().unwrap();
    let seven = all_faults().into_iter().find(|fault| fault.name == "string_of_seven_on_the_heap").unwrap();
    let library = faults::build(&seven, &reference_in(&folder), folder.path()).unwrap();
    let build = folder.path().join("build");
    fs::rename(library.parent().unwrap(), &build).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tvm-ffi-verify"))
        .args([
            "check",
            "build/libtvm_ffi.so",
            "--only",
            "string.small-is-inline",
            "--seed",
            "17",
            "--progress",
            "none",
        ])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let block =
        text.split("\n\n").find(|block| block.starts_with("FAIL")).unwrap_or_else(|| panic!("no failure:\n{text}"));
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    assert!(readme.contains(block), "the README does not show this:\n{block}");
}

#[test]
fn faults_are_described_and_cover_every_area() {
    let faults = all_faults();
    assert!(faults.len() >= AT_LEAST, "there are {} faults, {AT_LEAST} were promised", faults.len());
    for Fault { name, story, breaks, lacks, .. } in &faults {
        assert!(story.ends_with('.') && story.len() > 20, "{name}: the story is no sentence: {story}");
        assert!(!breaks.is_empty(), "{name} breaks nothing");
        let distinct: BTreeSet<_> = breaks.iter().collect();
        assert_eq!(distinct.len(), breaks.len(), "{name} names something twice");
        for (id, outcome) in breaks {
            assert!(clause::find(id).is_some(), "{name} breaks {id}, which is no clause");
            let broken = Outcome::ALL.iter().any(|known| known.as_str() == outcome && known.is_broken());
            assert!(broken, "{name} ends with {outcome}, which is no outcome of a broken target");
        }
        for function in lacks {
            assert!(abi().function(function).is_some(), "{name} lacks {function}, which is no function of the ABI");
        }
    }
    let breaks: Vec<_> = faults.iter().flat_map(|fault| &fault.breaks).collect();
    for outcome in Outcome::ALL.iter().filter(|outcome| outcome.is_broken()) {
        assert!(breaks.iter().any(|(_, other)| outcome.as_str() == other), "no fault ends with {outcome}");
    }
    let bare: Vec<_> = clause::areas()
        .iter()
        .filter(|area| !breaks.iter().any(|(id, _)| id.split('-').next() == Some(&area.prefix)))
        .map(|area| area.title.as_str())
        .collect();
    assert!(bare.is_empty(), "no fault breaks anything in: {}", bare.join(", "));
}

fn all_faults() -> Vec<Fault> {
    faults::all().unwrap_or_else(|problem| panic!("{problem}"))
}

/// Writes the reference to a file, which is the base of faults.
fn reference_in(folder: &TempDir) -> PathBuf {
    let path = folder.path().join(FILE_NAME);
    fs::write(&path, REFERENCE).unwrap();
    path
}

/// Runs the whole suite on a library.
fn judge(library: &Path) -> Result<Findings, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tvm-ffi-verify"));
    command.arg("check").arg(library).args(["--format", "json", "--jobs", "1", "--timeout", "2", "--seed", "1"]);
    let output = command.args(["--progress", "none"]).output().map_err(|error| error.to_string())?;
    let report: Report = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no report ({error}): {}", String::from_utf8_lossy(&output.stderr)))?;
    let mut findings = Findings::new();
    for check in report.checks.iter().filter(|check| !check.outcome.is_conforming()) {
        let broken = check.broken.as_ref().ok_or_else(|| format!("{} does not say what is broken", check.id))?;
        let key = (broken.clause.clone(), check.outcome.to_string());
        findings.entry(key).or_default().push(format!("{}: {}", check.id, broken.message));
    }
    Ok(findings)
}

/// One line for each thing that was promised and not found, or found and not promised.
fn differences(fault: &Fault, findings: &Findings) -> Vec<String> {
    let name = &fault.name;
    let missing = fault.breaks.iter().filter(|broken| !findings.contains_key(*broken));
    let missing = missing.map(|(clause, outcome)| format!("{name:40} missing  {clause} {outcome}"));
    let extra = findings.iter().filter(|(found, _)| !fault.breaks.contains(found));
    let extra = extra.map(|((clause, outcome), checks)| {
        let shown: String = checks.iter().map(|check| format!("\n{:>50}  {check}", "by")).collect();
        format!("{name:40} extra    {clause} {outcome}{shown}")
    });
    missing.chain(extra).collect()
}

/// Does `work` for each item on two threads; the answers are in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(item) = items.get(index)
                {
                    *results[index].lock().unwrap() = Some(work(item));
                }
            });
        }
    });
    results.into_iter().map(|result| result.into_inner().unwrap().expect("every item was worked on")).collect()
}
