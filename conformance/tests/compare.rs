//! `compare` on real libraries: what is known to differ is found, and nothing else is.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
    sync::OnceLock,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tvm_ffi_fixtures::{
    fail,
    faults::{Builder, Fault},
    peers,
};
use tvm_ffi_verify::target::REFERENCE;

use crate::{
    program,
    whole::{self, Whole},
};

/// What `compare` says of two libraries in a folder: the exit code and the JSON, if there is any.
fn compare(folder: &Path, args: &[&str]) -> (i32, Value) {
    let output = run(folder, &[&["compare", "--format", "json", "--progress", "none"], args].concat());
    let code = output.status.code().unwrap();
    let json = serde_json::from_slice(&output.stdout);
    (code, json.unwrap_or_else(|error| panic!("{code}: {error}: {}", String::from_utf8_lossy(&output.stderr))))
}

fn run(folder: &Path, args: &[&str]) -> Output {
    program::run().args(args).current_dir(folder).output().unwrap()
}

/// What differs, as `EFFECT KIND NAME: WHAT`.
fn differences(comparison: &Value) -> Vec<String> {
    let told = |found: &Value| {
        let [effect, kind, name, what] = ["effect", "kind", "name", "what"].map(|key| found[key].as_str().unwrap());
        format!("{effect} {kind} {name}: {what}")
    };
    comparison["differences"].as_array().unwrap().iter().map(told).collect()
}

/// The wheel of a release, if it is a peer or lies beside the peers.
fn wheel(release: &str) -> Option<String> {
    let wheels = peers::wheels();
    wheels.into_iter().find(|(known, _)| known.name == release).map(|(_, wheel)| wheel.display().to_string())
}

fn reference(folder: &Path) -> String {
    let path = folder.join("reference.so");
    fs::write(&path, REFERENCE).unwrap();
    path.display().to_string()
}

/// A fault, or else a hostile target.
fn library(name: &str) -> String {
    static BUILDER: OnceLock<Builder> = OnceLock::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare");
    let builder = BUILDER.get_or_init(|| Builder::new(&folder, REFERENCE).unwrap_or_else(|problem| fail(&problem)));
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources =
        ["../c_fixtures/faults", "tests/hostile"].map(|folder| manifest.join(folder).join(format!("{name}.c")));
    let source: PathBuf = sources.into_iter().find(|source| source.exists()).unwrap_or_else(|| panic!("no {name}"));
    let built = builder.fault(&Fault::read(&source).unwrap()).unwrap_or_else(|problem| fail(&problem));
    built.display().to_string()
}

/// The whole suite runs on both sides: nothing that is random, that depends on addresses or on what comes first is a
/// difference.
#[test]
fn a_library_does_not_differ_from_itself() {
    let folder = TempDir::new().unwrap();
    for Whole { library, report, .. } in [Some(whole::reference()), whole::newest()].into_iter().flatten() {
        let (code, comparison) = compare(folder.path(), &[report, library, "--fail-on", "any"]);
        assert_eq!((code, differences(&comparison)), (0, vec![]));
    }
}

/// Two peers, and some of what is known to differ between them.
type Step = (&'static str, &'static str, &'static [&'static str]);

const STEPS: &[Step] = &[
    (
        "0.1.0",
        "0.1.9",
        &[
            "breaks-prebuilt struct TVMFFIErrorCell.cause_chain: byte 80 is read, which clients that were built before do not have",
            "breaks-prebuilt constant data type bool: value code 1, bits 1, lanes 1, now code 6, bits 8, lanes 1",
            "addition function TVMFFIHandleInitOnce: is new",
            "addition type ffi.List: is new",
            "other constant DLPack version of exported tensors: value 1.2, now 1.3",
        ],
    ),
    (
        "0.1.9",
        "0.1.12",
        &[
            "addition global ffi.MakeFieldGetter: is new",
            "addition cxx-symbol String ReprPrint(const Any&): is new",
            "addition attribute __ffi_init__: is new, with entries of ffi.StructuralKey",
            "breaks-prebuilt-and-sources method ffi.StructuralKey.__ffi_shallow_copy__: is gone",
        ],
    ),
    (
        "0.1.12",
        "0.1.13",
        &[
            "breaks-prebuilt-and-sources field ffi.Enum._value: is gone",
            "breaks-prebuilt cxx-symbol String json::Stringify(const Any&, Optional<int>): is gone; there is String json::Stringify(const Any&, const Optional<int>&)",
            "breaks-prebuilt type ffi.reflection.AccessPath: size of an instance 48, now 64",
            "breaks-prebuilt field ffi.reflection.AccessPath.parent: size 8, now 16",
            "breaks-prebuilt field ffi.reflection.AccessPath.step: byte 32, now 40; size 8, now 16",
            "breaks-prebuilt field ffi.reflection.AccessPath.depth: byte 40, now 56",
            "addition function TVMFFISetCustomAllocator: is new",
        ],
    ),
    (
        "0.1.12",
        "0.1.15.post2",
        &[
            "addition function TVMFFIBigIntFromByteArray: is new",
            "addition type ffi.BigInt: is new",
            "addition global ffi.ListReserve: is new",
        ],
    ),
];

#[test]
fn what_releases_are_known_to_have_changed_is_found() {
    let folder = TempDir::new().unwrap();
    for (old, new, expected) in STEPS {
        let (Some(old_wheel), Some(new_wheel)) = (wheel(old), wheel(new)) else { continue };
        let (code, comparison) = compare(folder.path(), &[&old_wheel, &new_wheel, "--no-checks"]);
        let found = differences(&comparison);
        for expected in *expected {
            assert!(
                found.iter().any(|found| found == expected),
                "{old} -> {new} lacks {expected}:\n{}",
                found.join("\n")
            );
        }
        assert_eq!((code, comparison["verdict"]["exit_code"].as_i64()), (1, Some(1)), "{old} -> {new}");
    }
}

/// The reference is a drop-in for the newest release, and keeps what some of the releases had.
#[test]
fn the_reference_breaks_nothing_of_the_newest_release() {
    let folder = TempDir::new().unwrap();
    let Some(newest) = whole::newest() else { return };
    let (code, comparison) =
        compare(folder.path(), &[&newest.report, &whole::reference().report, "--fail-on", "breaking"]);
    let found = differences(&comparison);
    assert_eq!(code, 0, "{found:#?}");
    assert!(found.iter().any(|found| found.starts_with("mended clause ")), "{found:#?}");
}

#[test]
fn another_layout_breaks_prebuilt_clients() {
    let folder = TempDir::new().unwrap();
    let cases: &[(&str, &[&str], &[&str])] = &[
        (
            "registry_field_has_moved",
            &["--no-checks"],
            &["breaks-prebuilt field ffi.reflection.AccessPath.depth: byte 40, now 44"],
        ),
        (
            "type_records_begin_with_the_depth",
            &["--no-checks"],
            &[
                "breaks-prebuilt struct TVMFFITypeInfo.type_index: byte 0, now 4",
                "breaks-prebuilt struct TVMFFITypeInfo.type_depth: byte 4, now 0",
            ],
        ),
        ("array_has_no_capacity", &["--only", "array.cell"], &["worse clause ARR-0004: is broken now"]),
    ];
    for (fault, args, expected) in cases {
        let (code, comparison) =
            compare(folder.path(), &[&[reference(folder.path()).as_str(), &library(fault)], *args].concat());
        let found = differences(&comparison);
        for expected in *expected {
            assert!(found.iter().any(|found| found.starts_with(expected)), "{fault} lacks {expected}: {found:#?}");
        }
        assert_eq!(code, 1, "{fault}");
    }
}

/// What a library does not survive, it tells no more; the rest is compared.
#[test]
fn a_hostile_library_costs_what_it_does_not_survive() {
    let folder = TempDir::new().unwrap();
    let cases = [
        ("aborts", "struct TVMFFIByteArray: does not survive the question (the process was ended by SIGABRT)"),
        (
            "loops",
            "values that clients know: does not survive the question (the process did not end before its deadline)",
        ),
        ("opens_and_aborts", "all that is not in the file: does not survive being opened"),
    ];
    for (name, lost) in cases {
        let args = ["--only", "symbols.", "--only", "string.small-string-layout", "--timeout", "1"];
        let (code, comparison) =
            compare(folder.path(), &[[reference(folder.path()).as_str(), &library(name)].as_slice(), &args].concat());
        let found = differences(&comparison);
        let lost = format!("worse library {lost}");
        assert!(found.contains(&lost), "{name} lacks {lost}: {found:#?}");
        assert!(code == 1 && found.iter().any(|found| found.contains(" clause ")), "{name}: {found:#?}");
    }
}

#[test]
fn what_is_gone_and_what_is_new_is_told_apart() {
    let folder = TempDir::new().unwrap();
    let reference = reference(folder.path());
    let (code, comparison) = compare(folder.path(), &[&reference, &library("has_more"), "--no-checks"]);
    let found = differences(&comparison);
    assert!(code == 0 && !found.is_empty(), "{found:#?}");
    assert!(found.iter().all(|found| found.starts_with("addition ")), "{found:#?}");
    let (code, comparison) = compare(folder.path(), &[&library("has_more"), &reference, "--no-checks"]);
    let found = differences(&comparison);
    assert!(code == 1 && found.iter().all(|found| found.starts_with("breaks-prebuilt-and-sources ")), "{found:#?}");
}

/// A client is compiled for a function or for a variable, and for a variable that threads share or that they do not.
#[test]
fn what_a_symbol_stands_for_is_compared() {
    let folder = TempDir::new().unwrap();
    let (old, new) = (library("has_kinds"), library("has_other_kinds"));
    let (code, comparison) = compare(folder.path(), &[&old, &new, "--no-checks"]);
    let mut found = differences(&comparison);
    found.sort();
    let breaks = "breaks-prebuilt-and-sources";
    let expected = [
        format!("{breaks} cxx-symbol _ZN4fork5levelE: kind thread-local variable, now variable"),
        format!("{breaks} function fork_chosen: is gone"),
        format!("{breaks} function fork_turns: kind function, now variable"),
        format!("{breaks} variable fork_own: kind thread-local variable, now variable"),
        format!("{breaks} variable fork_shared: kind variable, now thread-local variable"),
    ];
    assert_eq!((code, found), (1, expected.to_vec()));
    assert_eq!(compare(folder.path(), &[&old, &old, "--no-checks", "--fail-on", "any"]).0, 0);
}

#[test]
fn what_was_saved_stands_for_the_library() {
    let folder = TempDir::new().unwrap();
    let (folder, reference) = (folder.path(), reference(folder.path()));
    let saved =
        ["check", &reference, "--only", "symbols.", "--progress", "none", "--report", "json=saved.json", "--quiet"];
    assert!(run(folder, &saved).status.success());
    let (code, comparison) = compare(folder, &["saved.json", &reference, "--only", "symbols.", "--fail-on", "any"]);
    assert_eq!((code, differences(&comparison)), (0, vec![]));
    // Of a comparison, its new library.
    fs::write(folder.join("compared.json"), comparison.to_string()).unwrap();
    let (code, comparison) = compare(folder, &["compared.json", "saved.json", "--fail-on", "any"]);
    assert_eq!((code, differences(&comparison), &comparison["not_compared"]), (0, vec![], &json!([])));
    // Programs from before there were facts.
    let mut earlier: Value = serde_json::from_slice(&fs::read(folder.join("saved.json")).unwrap()).unwrap();
    earlier.as_object_mut().unwrap().remove("facts");
    fs::write(folder.join("earlier.json"), earlier.to_string()).unwrap();
    let (code, comparison) = compare(folder, &["earlier.json", "saved.json"]);
    assert!(code == 0 && comparison["not_compared"].to_string().contains("the old library was saved without facts"));
}

#[test]
fn a_comparison_is_had_in_every_format() {
    let folder = TempDir::new().unwrap();
    let (old, new) = (reference(folder.path()), library("registry_field_has_moved"));
    let formats = ["text", "json", "sarif", "markdown", "junit"];
    let reports: Vec<_> = formats.iter().map(|format| format!("--report={format}=said.{format}")).collect();
    let mut args = vec!["compare", &old, &new, "--no-checks", "--quiet"];
    args.extend(reports.iter().map(String::as_str));
    let output = run(folder.path(), &args);
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(1), 0, 0));
    for format in formats {
        let said = fs::read_to_string(folder.path().join(format!("said.{format}"))).unwrap();
        assert!(said.contains("ffi.reflection.AccessPath.depth"), "{format}: {said}");
    }
}

#[test]
fn what_cannot_be_compared_is_a_mistake_in_one_line() {
    let folder = TempDir::new().unwrap();
    let reference = reference(folder.path());
    fs::write(folder.path().join("no.json"), "{}").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["nowhere.so", &reference], "does not exist"),
        (&["no.json", &reference], "is no report"),
        (&[&reference, "nowhere.json"], "nowhere.json"),
        (&[&reference, "no.json", "--report", "json=no.json"], "is no report"),
        (&[&reference, &reference, "--report", &format!("json={reference}")], "would be written over"),
    ];
    for (args, expected) in cases {
        let output = run(folder.path(), &[&["compare", "--progress", "none"], *args].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{args:?}: {said}");
        assert!(said.contains(expected), "{args:?}: {said}");
    }
}
