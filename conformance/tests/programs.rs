//! The C programs that repeat failures: each compiles with the headers and the library alone, shows the same wrong value on the faulty
//! library, and nothing of it on the reference.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use serde_json::Value;
use tvm_ffi_fixtures::{
    fail,
    faults::{Builder, Fault},
    include_dir,
};
use tvm_ffi_verify::target::REFERENCE;

use crate::program;

static BUILDER: LazyLock<Builder> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults");
    Builder::new(&folder, REFERENCE).unwrap_or_else(|problem| fail(&problem))
});

/// The library of a fault.
fn faulty(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../c_fixtures/faults/{name}.c"));
    let built = Fault::read(&source).and_then(|fault| BUILDER.fault(&fault));
    built.unwrap_or_else(|problem| fail(&problem))
}

/// The folder of a library named as linkers look for it.
fn reference(folder: &Path) -> PathBuf {
    let folder = folder.join("reference");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("libtvm_ffi.so"), REFERENCE).unwrap();
    folder
}

/// Runs one check, which fails, and answers what is broken, with the program's file and what was printed.
fn failing(library: &Path, check: &str, folder: &Path) -> (Value, PathBuf, String) {
    let (report, programs) = (folder.join("report.json"), folder.join("programs"));
    let mut command = program::run();
    command.args(["check", "--progress", "none", "--seed", "1", "--only", check]).arg(library);
    command.arg("--programs").arg(&programs).arg("--report").arg(format!("json={}", report.display()));
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let report: Value = serde_json::from_slice(&fs::read(&report).unwrap_or_else(|_| panic!("{output:?}"))).unwrap();
    let found = report["checks"].as_array().unwrap().iter().find(|found| found["id"] == check).unwrap();
    (found["broken"].clone(), programs.join(format!("{check}.c")), text)
}

/// What a program prints that is linked with the library in that folder; what ends it is printed, too.
fn prints(source: &Path, library: &Path) -> String {
    let program = source.with_extension("bin");
    let mut compiler = Command::new("cc");
    compiler.arg(source).arg("-I").arg(include_dir()).arg("-L").arg(library).arg("-ltvm_ffi").arg("-o").arg(&program);
    let compiled = compiler.output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    assert!(compiled.stderr.is_empty(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).env("LD_LIBRARY_PATH", library).output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), output.status)
}

/// The program of a fault's check shows `wrong` on the faulty library, and not on the reference.
fn repeats(fault: &str, check: &str, wrong: &str) {
    let (folder, library) = (tempfile::tempdir().unwrap(), faulty(fault));
    let (broken, source, text) = failing(&library, check, folder.path());
    let written = fs::read_to_string(&source).unwrap_or_else(|_| panic!("no program: {broken:#}"));
    assert_eq!(broken["program"]["source"], written);
    assert!(text.contains(&format!("program     {}", source.display())), "{text}");
    let shown = prints(&source, library.parent().unwrap());
    assert!(shown.contains(wrong), "{written}\n{shown}");
    let right = prints(&source, &reference(folder.path()));
    assert!(!right.contains(wrong), "{written}\n{right}");
}

#[test]
fn a_text_that_is_cut_is_shown() {
    repeats("string_cut_at_nul", "string.embedded-nul-at-random", "TVMFFIStringFromByteArray: \"\"");
}

#[test]
fn a_parsed_value_is_shown() {
    repeats("json_arrays_in_reverse", "json.any-value", "ffi.json.Parse: [None, ");
}

#[test]
fn a_big_integer_is_shown() {
    repeats("bigint_zero_top_dropped", "bigint.round-trip", "TVMFFIBigIntFromByteArray: -1  (type 1)");
}

#[test]
fn a_map_is_shown() {
    repeats("map_keeps_the_first_value", "map.model", "ffi.Map: {True: None}");
}

#[test]
fn a_success_that_is_none_is_shown() {
    repeats("list_insert_clamps", "list.model", "ffi.ListInsert: None");
}

#[test]
fn an_error_that_is_none_is_shown() {
    repeats("access_path_is_extended_in_place", "access-path.model", "AccessPath._is_prefix_of failed (-1)");
}

#[test]
fn memory_behind_a_header_is_shown() {
    repeats(
        "tensor_export_drops_far_byte_offset",
        "tensor.any-tensor-round-trips",
        "(address) 0x0 (address) (address)\n",
    );
}

#[test]
fn calls_of_functions_that_the_library_gives_out_are_made() {
    repeats("error_append_replaces", "error.update-sequences", "0x0 (address)\n   backtrace: b\"\"");
}

#[test]
fn a_crash_is_repeated() {
    repeats("string_of_nothing_crashes", "json.any-text", "signal: 11");
}

#[test]
fn what_other_threads_do_is_done_on_threads() {
    repeats("type_is_known_on_its_thread", "type.other-threads-know-a-type", "TVMFFITypeKeyToIndex failed (-1)");
    repeats("environment_streams_are_shared", "environment.streams-are-thread-local", "TVMFFIEnvGetStream: a pointer");
}

#[test]
fn what_a_callback_answers_is_answered() {
    repeats("function_status_dropped", "function.status", "7: <a function of the suite's own>: None");
}

#[test]
fn what_a_callback_is_given_is_shown() {
    repeats("function_null_self_is_the_function", "function.null-self", "is called with a self");
}

#[test]
fn what_no_program_can_do_is_said() {
    for (fault, check, why) in [
        ("error_shared_between_threads", "error.of-a-crowd", "calls are made on more than sixteen threads"),
        (
            "map_shift_is_one_too_small",
            "c11.dense-map-find",
            "the check itself is a function in C, in c_fixtures/callers",
        ),
    ] {
        let (folder, library) = (tempfile::tempdir().unwrap(), faulty(fault));
        let (broken, source, text) = failing(&library, check, folder.path());
        assert_eq!(broken["program"]["left_out"], why, "{broken:#}");
        assert!(!source.exists() && text.contains(&format!("program     none in C: {why}")), "{text}");
    }
}
