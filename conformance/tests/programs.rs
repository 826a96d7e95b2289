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
    headers_of, include_dir,
};
use tvm_ffi_spec::generation::{TODAY, generation};
use tvm_ffi_verify::target::{REFERENCE, reference_of};

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
    command.arg("check");
    let older = ["split", "legacy"].into_iter().find(|name| check.starts_with(name));
    command.args(older.into_iter().flat_map(|name| ["--generation", name]));
    command.args(["--progress", "none", "--seed", "1", "--only", check]).arg(library);
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
    let (folder, library) = (tempfile::tempdir().unwrap(), faulty("error_shared_between_threads"));
    let (broken, source, text) = failing(&library, "error.of-a-crowd", folder.path());
    let why = "calls are made on more than sixteen threads";
    assert_eq!(broken["program"]["left_out"], why, "{broken:#}");
    assert!(!source.exists() && text.contains(&format!("program     none in C: {why}")), "{text}");
}

/// The library of a fault of a generation, and that without it.
fn faulty_of(name: &str, fault: &str) -> (PathBuf, PathBuf) {
    if name == TODAY {
        let right = BUILDER.forwarder().unwrap_or_else(|problem| fail(&problem));
        return (faulty(fault), right);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("programs_of_{name}"));
    let described = generation(name).unwrap();
    let base = reference_of(described).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../c_fixtures/faults_{name}/{fault}.c"));
    let built = Builder::of(described, &folder, base)
        .and_then(|builder| Ok((Fault::read(&source).and_then(|fault| builder.fault(&fault))?, builder.forwarder()?)));
    built.unwrap_or_else(|problem| fail(&problem))
}

/// The program of a check in C or C++ is its own source: the failure is the same on the faulty library, and there is none without the
/// fault. It is compiled as its first lines say.
#[test]
fn a_caller_is_repeated_by_its_own_source() {
    for (generation, fault, caller, wrong) in [
        (TODAY, "map_shift_is_one_too_small", "dense-map-find", ": expected "),
        ("split", "update_appends", "update-replaces", "the traceback: expected "),
        ("legacy", "every_place_is_filled", "places-of-a-library-are-filled", "place that nobody fills: expected "),
    ] {
        let (faulty, right) = faulty_of(generation, fault);
        let folder = tempfile::tempdir().unwrap();
        let include = folder.path().join("include");
        for (path, text) in headers_of(generation) {
            let path = include.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        for language in ["c11", "cxx17"] {
            let area = if generation == TODAY { language.to_owned() } else { format!("{generation}-{language}") };
            let (broken, source, _) = failing(&faulty, &format!("{area}.{caller}"), folder.path());
            let text = fs::read_to_string(&source).unwrap_or_else(|_| panic!("no program: {broken:#}"));
            let commands = text.split_once(" */").unwrap().0.lines().rev();
            let commands =
                commands.filter_map(|line| line.split_once("cc ").or_else(|| line.split_once("c++ ")).map(|_| line));
            for library in [&faulty, &right] {
                for line in commands.clone() {
                    let command = line.trim_start_matches(" * ").trim_start_matches("and first: ");
                    let command = command.split(", and run").next().unwrap();
                    let mut shell = Command::new("sh");
                    shell.arg("-c").arg(command.replace("DIR", "\"$DIR\"")).env("DIR", library.parent().unwrap());
                    shell.current_dir(source.parent().unwrap());
                    std::os::unix::fs::symlink(&include, source.with_file_name("include")).ok();
                    let compiled = shell.output().unwrap();
                    assert!(compiled.status.success(), "{line}: {}", String::from_utf8_lossy(&compiled.stderr));
                }
                let mut program = Command::new("./a.out");
                program.current_dir(source.parent().unwrap()).env("LD_LIBRARY_PATH", library.parent().unwrap());
                let ran = program.output().unwrap();
                let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
                assert_eq!(shown.contains(wrong), library == &faulty, "{}: {shown}", library.display());
                assert_eq!(ran.status.success(), library == &right, "{shown}");
            }
        }
    }
}
