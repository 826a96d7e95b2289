//! Libraries that lack a part: what fails for want of it is blocked, and nothing else is.

use std::path::Path;

use serde_json::Value;
use tvm_ffi_fixtures::{
    compile::compiler,
    fail,
    faults::{Builder, Consequences, Fault},
    include_dir,
    tools::Language,
};
use tvm_ffi_spec::generation::generation;
use tvm_ffi_verify::target::{REFERENCE, Target};

use crate::{program, several};

/// A report on the library of that name in the folder beside this file.
fn report(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lacking").join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/lacking/{name}.c"));
    let builder = Builder::new(&folder, REFERENCE).unwrap_or_else(|problem| fail(&problem));
    let library = builder.fault(&Fault::read(&source).unwrap()).unwrap_or_else(|problem| fail(&problem));
    let arguments = ["--format", "json", "--no-facts", "--progress", "none", "--seed", "1", "--repeat", "0"];
    let output = program::run().arg("check").arg(library).args(arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{name}: {error}\n{output:?}"))
}

/// The clauses that are found broken, and what blocks checks.
fn found(name: &str) -> (Vec<String>, Vec<String>) {
    in_report(&report(name))
}

/// The same of a report.
fn in_report(report: &Value) -> (Vec<String>, Vec<String>) {
    let checks = report["checks"].as_array().unwrap();
    let mut broken: Vec<_> =
        checks.iter().filter_map(|check| check["broken"]["clause"].as_str()).map(str::to_owned).collect();
    broken.sort();
    broken.dedup();
    let blockers = report["summary"]["blockers"].as_array().unwrap();
    let blockers: Vec<_> = blockers.iter().map(|blocker| blocker["part"].as_str().unwrap().to_owned()).collect();
    (broken, blockers)
}

fn says_what_is_there(clause: &str) -> bool {
    tvm_ffi_spec::clause::find(clause).is_some_and(|clause| clause.presence)
}

#[test]
fn a_global_that_is_missing_breaks_only_what_says_that_it_is_there() {
    let (broken, blockers) = found("array");
    assert!(broken.iter().all(|clause| says_what_is_there(clause)), "{broken:?}");
    assert!(!broken.is_empty());
    assert_eq!(blockers, ["global ffi.Array"]);
}

#[test]
fn what_is_broken_besides_is_not_put_down_to_a_missing_function() {
    let (broken, blockers) = found("error_from_text");
    let (presence, others): (Vec<_>, Vec<_>) = broken.into_iter().partition(|clause| clause.starts_with("SYM-"));
    assert!(!presence.is_empty());
    // As the fault that has nothing else to it, by its head and consequences.
    let fault = "string_small_length_counts_nul";
    let consequences = Consequences::read().unwrap_or_else(|problem| fail(&problem)).of(fault);
    let of_the_fault: Vec<_> = consequences.iter().map(|broken| broken.clause.as_str()).chain(["STR-0001"]).collect();
    let more: Vec<_> = others.iter().filter(|clause| !of_the_fault.contains(&clause.as_str())).collect();
    assert!(others.contains(&"STR-0001".to_owned()) && more.is_empty(), "{more:?}");
    assert_eq!(blockers, ["function TVMFFIErrorSetRaisedFromCStr"]);
}

#[test]
fn a_field_that_is_missing_blocks_what_reads_it() {
    let (broken, blockers) = found("field");
    assert!(broken.iter().all(|clause| says_what_is_there(clause)), "{broken:?}");
    assert_eq!(blockers.len(), 1, "{blockers:?}");
    assert!(blockers[0].starts_with("field ffi.Enum."), "{blockers:?}");
}

#[test]
fn a_type_that_is_missing_breaks_only_what_says_that_it_is_there() {
    let (broken, blockers) = found("type");
    assert!(!broken.is_empty() && broken.iter().all(|clause| says_what_is_there(clause)), "{broken:?} {blockers:?}");
    assert_eq!(blockers, ["type ffi.VisitInterrupt"]);
}

#[test]
fn a_column_that_is_missing_breaks_only_what_says_that_it_is_there() {
    let (broken, blockers) = found("column");
    assert!(!broken.is_empty() && broken.iter().all(|clause| says_what_is_there(clause)), "{broken:?} {blockers:?}");
    assert_eq!(blockers, ["attribute __ffi_new__"]);
}

/// Which capabilities there are is told by global functions for the most part, and those by one function.
#[test]
fn what_nobody_can_ask_for_is_blocked_and_not_excused() {
    let report = report("get_global");
    let excused = |check: &&Value| check["outcome"] == "unsupported";
    let reason = |check: &Value| check["undecided"].as_str().unwrap_or_default().to_owned();
    let shown_by_functions: Vec<_> = tvm_ffi_spec::abi::abi()
        .capabilities
        .iter()
        .filter(|capability| !capability.functions.is_empty() || capability.name.starts_with("cxx"))
        .map(|capability| format!("needs the capability {}", capability.name))
        .collect();
    let checks = report["checks"].as_array().unwrap();
    let others: Vec<_> =
        checks.iter().filter(excused).map(reason).filter(|reason| reason.starts_with("needs the cap")).collect();
    assert!(others.iter().all(|reason| shown_by_functions.contains(reason)), "{others:?}");
    let blockers = report["summary"]["blockers"].as_array().unwrap();
    assert_eq!(blockers[0]["part"], "function TVMFFIFunctionGetGlobal", "{blockers:#?}");
    assert_eq!(
        report["summary"]["clauses_broken"],
        serde_json::json!(["SYM-0002", "SYM-0009"]),
        "{:#}",
        report["summary"]
    );
}

/// A report on `begun.c`, compiled with these flags, by its MUST clauses.
fn report_on_begun(flags: &[&str], args: &[&str]) -> Value {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let library = folder.path().join("libtvm_ffi.so");
    let mut command = compiler(Language::C11, 1);
    command.args(["-std=gnu11", "-Wall", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread"]).args(flags);
    command.args(["-Wl,-soname,libtvm_ffi.so", "-I"]).arg(include_dir());
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lacking/begun.c")).arg("-o").arg(&library);
    Language::C11.compile(&mut command).unwrap_or_else(|problem| fail(&problem));
    let arguments = ["--format", "json", "--progress", "none", "--seed", "1", "--repeat", "0", "--level", "must"];
    let output = program::run().arg("check").arg(library).args(arguments).args(args).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}\n{output:?}"))
}

/// What there is of it is right, and nothing else is known yet.
#[test]
fn an_implementation_that_has_begun_is_accused_of_nothing_that_it_has_not_reached() {
    let report = report_on_begun(&[], &[]);
    let summary = &report["summary"];
    assert_eq!(summary["clauses_broken"], serde_json::json!(["SYM-0002", "SYM-0009"]), "{summary:#}");
    assert_eq!(summary["blockers"][0]["part"], "function TVMFFIFunctionGetGlobal", "{summary:#}");
    assert!(summary["counts"]["pass"].as_u64().unwrap() > 150, "{summary:#}");
}

/// Of a library that lacks hundreds of parts, C++ symbols and global functions among them, what fails for want of them is blocked.
#[test]
fn what_is_not_registered_yet_blocks_what_needs_it() {
    let only =
        ["--only", "module-class", "--only", "instance", "--only", "c11", "--only", "cxx17", "--only", "type.hash*"];
    let report = report_on_begun(&["-DHAS_A_REGISTRY"], &only);
    let checks = report["checks"].as_array().unwrap();
    let broken: Vec<_> = checks.iter().filter(|check| !check["broken"].is_null()).collect();
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(checks.iter().filter(|check| check["outcome"] == "blocked").count() > 30, "{:#}", report["summary"]);
}

/// Of each older generation, its reference without each function in turn. A client in C that calls what is not there is ended by the loader.
#[test]
fn what_a_library_of_an_older_generation_lacks_blocks_what_needs_it() {
    let scratch = tempfile::tempdir().unwrap();
    let functions = ["legacy", "split"].map(|name| {
        let generation = generation(name).unwrap();
        generation.functions_in(generation.states.first()).into_iter().map(move |function| (generation, function.name))
    });
    let cases: Vec<_> = functions.into_iter().flatten().collect();
    assert_eq!(cases.len(), 52 + 39);
    let problems = several::each(&cases, |(generation, function)| {
        let (folder, part) = (scratch.path().join(&generation.name).join(function), format!("function {function}"));
        std::fs::create_dir_all(&folder).unwrap();
        let library = Target::reference_without(generation, std::slice::from_ref(&part), &folder).unwrap().path;
        let own = if generation.name == "legacy" { "LEG" } else { "SPL" };
        let arguments =
            ["--format", "json", "--no-facts", "--progress", "none", "--seed", "1", "--jobs", "1", "--only", own];
        let output =
            program::run().arg("check").arg(library).args(["--generation", &generation.name]).args(arguments).output();
        let output = output.unwrap();
        let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
            return Some(format!("{part}: {}", String::from_utf8_lossy(&output.stderr)));
        };
        let (broken, blockers) = in_report(&report);
        let says_it = !broken.is_empty() && broken.iter().all(|clause| says_what_is_there(clause));
        let blocks = blockers.is_empty() || blockers == [part.clone()];
        (output.status.code() != Some(1) || !says_it || !blocks)
            .then(|| format!("{part}: {:?}, broken {broken:?}, blocked by {blockers:?}", output.status.code()))
    });
    let problems: Vec<_> = problems.into_iter().flatten().collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
