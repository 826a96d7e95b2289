//! Libraries of other generations of the ABI are told, in one line, and judged by the clauses of theirs.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{LazyLock, OnceLock},
};

use tvm_ffi_fixtures::{
    compile, fail,
    faults::{Builder, Fault},
    generations, peers,
    tools::Language,
};
use tvm_ffi_spec::abi::abi;
use tvm_ffi_verify::target::{REFERENCE, Target};

use crate::program::run;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generations").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The small library of a generation.
fn small(generation: &str) -> String {
    static BUILT: LazyLock<[(&str, PathBuf); 2]> = LazyLock::new(|| {
        ["split", "legacy"].map(|name| {
            let built = generations::library(name, &folder(name));
            (name, built.unwrap_or_else(|problem| fail(&problem)))
        })
    });
    let (_, path) = BUILT.iter().find(|(name, _)| *name == generation).unwrap();
    path.display().to_string()
}

/// What builds faults, over the reference.
pub fn builder() -> &'static Builder {
    static BUILDER: OnceLock<Builder> = OnceLock::new();
    BUILDER.get_or_init(|| Builder::new(&folder("faults"), REFERENCE).unwrap_or_else(|problem| fail(&problem)))
}

pub fn check(args: &[&str]) -> Output {
    run().args(["check", "--progress", "none", "--seed", "17"]).args(args).output().unwrap()
}

/// The exit code, and the one line on standard error.
#[track_caller]
pub fn refused(args: &[&str]) -> (Option<i32>, String) {
    let output = check(args);
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(line.lines().count() == 1 && output.stdout.is_empty(), "{args:?}: {line}");
    (output.status.code(), line.trim_end().to_owned())
}

/// The report on a library, and the exit code.
pub fn report(args: &[&str]) -> (serde_json::Value, Option<i32>) {
    let output = check(&[args, &["--format", "json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    (serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}")), output.status.code())
}

#[test]
fn the_split_generation_is_told_and_judged_by_its_clauses() {
    let split = small("split");
    for isolation in ["fork", "exec"] {
        let (report, code) =
            report(&[&split, "--generation", "split", "--isolation", isolation, "--only", "split-c11.inc-ref"]);
        assert_eq!(code, Some(0), "{report}");
        let generation = report["target"]["generation"].as_str().unwrap();
        assert!(generation.starts_with("split, in its state 1a: objects with a type index"), "{generation}");
        assert_eq!(report["checks"].as_array().unwrap().len(), 1);
    }
    // Unasked, too: what is a check of either generation chooses among them.
    let (report_unasked, _) = report(&[&split, "--only", "any.", "--repeat", "0"]);
    assert!(report_unasked["target"]["generation"].as_str().unwrap().starts_with("split, in its state 1a"));
    // It has next to no functions.
    let (report, code) = report(&[&split, "--generation", "split", "--only", "SPL-0001"]);
    assert_eq!((code, report["checks"][0]["outcome"].as_str()), (Some(1), Some("fail")));
}

/// Nothing fails, and nothing is left out but what needs a function that came later.
#[test]
fn the_reference_of_the_split_generation_keeps_its_clauses() {
    for target in [&[][..], &["--isolation", "exec", "--only", "SPL"]] {
        let (report, code) = report(&[&["--generation", "split"], target].concat());
        let checks = report["checks"].as_array().unwrap();
        let ended = |outcome: &str| checks.iter().filter(|check| check["outcome"] == outcome).count();
        let (passed, later) = (ended("pass"), ended("unsupported"));
        assert!(code == Some(0) && passed + later == checks.len(), "{}", report["summary"]);
        assert!(passed > 60 && later < checks.len() / 10, "{passed} checks passed, {later} are not for it");
        assert!(report["target"]["origin"].as_str().unwrap().contains("the reference of the split generation"));
    }
}

/// What no longer held in a later state of the generation is not in force for it; everything else is.
#[test]
fn a_later_state_of_the_split_generation_is_told_and_judged() {
    let split = tvm_ffi_spec::generation::generation("split").unwrap();
    let base = tvm_ffi_verify::target::reference_of(split).unwrap();
    let builder = Builder::of(split, &folder("state_1b"), base).unwrap_or_else(|problem| fail(&problem));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generation/state_1b.c");
    let fault = Fault::read(&source).unwrap_or_else(|problem| fail(&problem));
    let library = builder.fault(&fault).unwrap_or_else(|problem| fail(&problem)).display().to_string();
    let (report, code) = report(&[&library, "--generation", "split", "--only", "SPL"]);
    assert_eq!(code, Some(0), "{}", report["summary"]);
    assert!(report["target"]["generation"].as_str().unwrap().starts_with("split, in its state 1b"));
    let checks = report["checks"].as_array().unwrap();
    let left_out: std::collections::BTreeSet<_> = checks
        .iter()
        .filter(|check| check["outcome"] == "unsupported")
        .flat_map(|check| check["clauses"].as_array().unwrap().iter().filter_map(|id| id.as_str()))
        .collect();
    assert_eq!(left_out.into_iter().collect::<Vec<_>>(), ["SPL-0018", "SPL-0019", "SPL-0021"]);
    assert!(checks.iter().filter(|check| check["outcome"] == "pass").count() > 50);
}

/// The functions of the split generation's last state over objects of today's: what came later is no fault of it, and all else is judged.
#[test]
fn the_state_between_the_split_generation_and_the_first_release_is_told_and_judged() {
    let split = tvm_ffi_spec::generation::generation("split").unwrap();
    let mut fault = Fault::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generation/state_2a.c")).unwrap();
    let later = abi().functions.iter().map(|function| function.name.clone());
    // The name of 1a is that of a traceback.
    let is_later = |name: &String| split.lacks(&format!("function {name}")) && name != "TVMFFIBacktrace";
    fault.lacks = later.filter(is_later).collect();
    assert!(fault.lacks.len() > 10);
    let library = builder().fault(&fault).unwrap_or_else(|problem| fail(&problem)).display().to_string();
    let (report, code) = report(&[&library]);
    let told = report["target"]["generation"].as_str().unwrap_or_default();
    assert!(told.starts_with("combined, in its state 2a: "), "{told}");
    let checks = report["checks"].as_array().unwrap();
    let ended = |outcome: &str| checks.iter().filter(|check| check["outcome"] == outcome).count();
    let (passed, later) = (ended("pass"), ended("unsupported"));
    assert!(
        passed > 1000 && passed + later == checks.len() && code == Some(0),
        "{later} not for it: {}",
        report["summary"]
    );
}

/// The examples of its document run on it, in both languages.
#[test]
fn the_examples_of_the_split_generation_run_on_its_reference() {
    let folder = folder("programs_split");
    let library = folder.join("libtvm_ffi.so");
    let split = tvm_ffi_spec::generation::generation("split").unwrap();
    std::fs::write(&library, tvm_ffi_verify::target::reference_of(split).unwrap()).unwrap();
    for (language, name) in [(Language::C11, "c11"), (Language::Cxx17, "cxx17")] {
        let program = folder.join(name);
        generations::program("split", "abi_overview", language, &library, &program)
            .unwrap_or_else(|problem| fail(&problem));
        let output = compile::run(&mut Command::new(&program)).unwrap_or_else(|problem| fail(&problem));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "all examples of the overview hold\n", "{name}");
    }
}

/// Told by its exports, in either way of keeping checks apart.
#[test]
fn the_legacy_generation_is_told_and_judged_by_its_clauses() {
    let legacy = small("legacy");
    for more in [&[][..], &["--generation", "legacy"], &["--generation", "legacy", "--isolation", "exec"]] {
        let (report, code) = report(&[&[legacy.as_str(), "--only", "legacy-c11.text-is-cop"], more].concat());
        assert_eq!(code, Some(0), "{report}");
        assert!(report["target"]["generation"].as_str().unwrap().starts_with("legacy: packed functions"), "{report}");
        assert_eq!(report["checks"].as_array().unwrap().len(), 1);
    }
    // It has nine functions.
    let (report, code) = report(&[&legacy, "--only", "LEG-0041"]);
    assert_eq!((code, report["checks"][0]["outcome"].as_str()), (Some(1), Some("fail")));
}

/// With many workers for parallel launches, as callers ask for, and with one.
#[test]
fn the_reference_of_the_legacy_generation_keeps_its_clauses() {
    for (workers, only) in [(None, &[][..]), (Some("1"), &["--only", "legacy-*.*task*", "--only", "legacy-*.nested*"])]
    {
        let mut command = run();
        command
            .args(["check", "--generation", "legacy", "--strict", "--format", "json", "--progress", "none"])
            .args(only);
        let output = command.envs(workers.map(|count| ("TVM_NUM_THREADS", count))).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = report["checks"].as_array().unwrap();
        let passed = checks.iter().filter(|check| check["outcome"] == "pass").count();
        assert!(output.status.code() == Some(0) && passed == checks.len(), "{}", report["summary"]);
        assert!(passed > if workers.is_some() { 8 } else { 80 }, "{passed} checks passed");
        assert!(report["target"]["origin"].as_str().unwrap().contains("the reference of the legacy generation"));
    }
}

/// The runtime of TVM 0.17 in a public wheel breaks what its list says and nothing else, and so does an entry that it does not break.
#[test]
fn a_real_library_of_the_legacy_generation_breaks_what_is_listed() {
    let peer = tvm_ffi_fixtures::legacy::peer(&folder("peer")).unwrap_or_else(|problem| fail(&problem));
    let Some(peer) = peer.map(|path| path.display().to_string()) else { return };
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("known-failures/tilelang-0.1.5.toml");
    // What hangs is busy all the time, and tried three times.
    let known = ["--known-failures", list.to_str().unwrap(), "--strict", "--timeout", "1"];
    let (report, code) = report(&[&[peer.as_str()][..], &known].concat());
    assert_eq!(code, Some(0), "{}", report["summary"]);
    assert!(report["target"]["generation"].as_str().unwrap().starts_with("legacy"));
    let (_, code) =
        self::report(&[&[peer.as_str(), "--only", "legacy-c11.null-functions"][..], &["--strict"]].concat());
    assert_eq!(code, Some(1));
}

/// The reference of a generation as a file.
fn reference(generation: &str) -> String {
    let described = tvm_ffi_spec::generation::generation(generation).unwrap();
    let path = folder(&format!("reference_{generation}")).join(&described.library);
    // Tests that run beside each other write the same.
    let scratch = tempfile::NamedTempFile::new_in(path.parent().unwrap()).unwrap();
    std::fs::write(scratch.path(), tvm_ffi_verify::target::reference_of(described).unwrap()).unwrap();
    scratch.persist(&path).unwrap();
    path.display().to_string()
}

/// A library of each generation, judged as one of each other: one line, and not a thousand failures.
#[test]
fn a_library_of_one_generation_is_none_of_another() {
    const NAMES: [&str; 3] = ["legacy", "split", "combined"];
    for spoken in NAMES {
        let library = reference(spoken);
        for wanted in NAMES.into_iter().filter(|wanted| *wanted != spoken) {
            let (code, line) = refused(&[&library, "--generation", wanted]);
            assert_eq!(code, Some(2), "{spoken} as {wanted}: {line}");
            let told = match wanted {
                "combined" => format!("{library} speaks the {spoken} generation of the ABI ("),
                _ => format!("{library} does not speak the {wanted} generation of the ABI: it "),
            };
            assert!(line.starts_with(&format!("tvm-ffi-verify: {told}")), "{spoken} as {wanted}: {line}");
        }
    }
}

#[test]
fn a_library_that_lacks_what_tells_it_is_judged_where_its_generation_is_named() {
    let scratch = tempfile::tempdir().unwrap();
    let legacy = tvm_ffi_spec::generation::generation("legacy").unwrap();
    let lacking = ["function TVMFuncCall".to_owned()];
    let library = Target::reference_without(legacy, &lacking, scratch.path()).unwrap().path.display().to_string();
    let (code, line) = refused(&[&library]);
    assert!(code == Some(2) && line.contains("by which --generation legacy judges it"), "{line}");
    let (report, code) = report(&[&library, "--generation", "legacy", "--only", "LEG-0041"]);
    assert_eq!((code, report["checks"][0]["outcome"].as_str()), (Some(1), Some("fail")));
}

/// Also as the library that a baseline or a comparison is about.
#[test]
fn every_command_that_runs_a_library_knows_its_generation() {
    for generation in ["split", "legacy"] {
        let library = reference(generation);
        let only = ["--only", if generation == "split" { "split-c11.inc-ref" } else { "legacy-c11.null-is-freed" }];
        let output = check(&[&[library.as_str(), "--baseline", &library][..], &only].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        // What it does not have of its baseline.
        let output = check(&[&[small(generation).as_str(), "--baseline", &library][..], &only].concat());
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        let (code, line) = refused(&["--only", "symbols.opens", "--baseline", &library]);
        assert!(code == Some(2) && line.contains(&format!("speaks the {generation} generation")), "{line}");
        let (code, line) = refused(&[&library, "--require", "0.1.12"]);
        assert!(code == Some(2) && line.contains("which the") && line.contains(generation), "{line}");
        let compared = |args: &[&str]| {
            let output = run().args(["compare", "--quiet"]).args(args).output().unwrap();
            (output.status.code(), String::from_utf8(output.stderr).unwrap())
        };
        let (code, said) = compared(&[&[library.as_str(), &library][..], &only].concat());
        assert_eq!(code, Some(0), "{said}");
        let (code, said) = compared(&["--no-checks", &library, &library]);
        assert_eq!(code, Some(0), "{said}");
        let (code, said) = compared(&[&[reference("combined").as_str(), &library, "--only", "any.none"][..]].concat());
        assert!(code == Some(2) && said.lines().count() == 1 && said.contains("generation of the ABI"), "{said}");
    }
}

/// A program of the legacy generation, which adds one to its argument, compiled in a folder that `reference --out` has written.
const LEGACY_PROGRAM: &str = r#"
    #include <tvm/runtime/c_runtime_api.h>
    static int add_one(TVMValue* args, int* codes, int count, TVMRetValueHandle result, void* resource) {
      TVMValue sum;
      sum.v_int64 = args[0].v_int64 + count;
      (void)resource;
      return TVMCFuncSetReturn(result, &sum, codes, 1);
    }
    int main(void) {
      TVMFunctionHandle function;
      TVMValue one, sum;
      int code = kTVMArgInt, result = -1;
      one.v_int64 = 1;
      if (TVMFuncCreateFromCFunc(add_one, NULL, NULL, &function) != 0) return 1;
      if (TVMFuncCall(function, &one, &code, 1, &sum, &result) != 0) return 2;
      return TVMFuncFree(function) != 0 || result != kTVMArgInt || sum.v_int64 != 2;
    }"#;

/// What `reference --out` writes of a generation, and a program that is compiled with it as its users do.
fn for_use(generation: &str) -> (PathBuf, PathBuf) {
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (kit, source) = (folder(&format!("for_use_{generation}")), folder("for_use").join(format!("{generation}.c")));
    let program = source.with_extension("");
    let written = run().args(["reference", "--generation", generation, "--out"]).arg(&kit).output().unwrap();
    assert_eq!(written.status.code(), Some(0), "{}", String::from_utf8_lossy(&written.stderr));
    let overview = include_str!("../../c_fixtures/programs_split/abi_overview.c");
    std::fs::write(&source, if generation == "split" { overview } else { LEGACY_PROGRAM }).unwrap();
    let package = if generation == "split" { "tvm_ffi" } else { "tvm_runtime" };
    // What pkg-config makes of the file, which not every machine has.
    let told = std::fs::read_to_string(kit.join(format!("lib/pkgconfig/{package}.pc"))).unwrap();
    let flags: String = told.lines().filter_map(|line| line.strip_prefix("Cflags: ")).collect();
    let libraries: String = told.lines().filter_map(|line| line.strip_prefix("Libs: ")).collect();
    let flags = flags.replace("${includedir}", &kit.join("include").display().to_string());
    let libraries = libraries.replace("${libdir}", &kit.join("lib").display().to_string());
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-Wall", "-Wextra", "-Werror"]).arg(&source).args(flags.split_whitespace());
    compiler.args(libraries.split_whitespace()).arg(format!("-Wl,-rpath,{}", kit.join("lib").display()));
    compile::run(compiler.arg("-o").arg(&program)).unwrap_or_else(|problem| fail(&problem));
    (kit.join("lib").join(&tvm_ffi_spec::generation::generation(generation).unwrap().library), program)
}

#[test]
fn references_of_older_generations_are_written_for_use() {
    for generation in ["split", "legacy"] {
        let (library, program) = for_use(generation);
        compile::run(&mut Command::new(program)).unwrap_or_else(|problem| fail(&problem));
        let described = tvm_ffi_spec::generation::generation(generation).unwrap();
        let told = tvm_ffi_verify::target::exports(&library).unwrap();
        assert_eq!(told.soname.as_ref(), Some(&described.library));
        let exports = if generation == "split" { "SPL-0001" } else { "LEG-0041" };
        let output = check(&[library.to_str().unwrap(), "--generation", generation, "--only", exports]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    }
    // The command that answers for the Python package answers for that of the time.
    let config = folder("for_use_split").join("bin/tvm-ffi-config");
    let answer = compile::run(Command::new(config).arg("--libs")).unwrap_or_else(|problem| fail(&problem));
    assert_eq!(String::from_utf8_lossy(&answer.stdout), "-ltvm_ffi\n");
}

/// Commands that are about clients of today's say so in one line.
#[test]
fn functions_and_programs_of_older_generations_are_neither_called_nor_watched() {
    let refused = |args: &[&str], words: &[&str]| {
        // Cargo names folders there in which today's library lies, too.
        let output = run().args(args).env_remove("LD_LIBRARY_PATH").output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let is_one_line = told.starts_with("tvm-ffi-verify: ") && told.trim_end().lines().count() == 1;
        let has_words = words.iter().all(|word| told.contains(word));
        assert!(output.status.code() == Some(2) && is_one_line && has_words, "{args:?}: {:?} {told}", output.status);
    };
    let fixture = |name: &str| {
        let (_, bytes) = tvm_ffi_fixtures::LIBRARIES.iter().find(|(each, _)| *each == name).unwrap();
        let path = folder("fixtures").join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let (kernel, operators) = (fixture("functions.so"), fixture("legacy_operators.so"));
    refused(&["kernel", &operators], &["legacy_operators.so: speaks the legacy generation", "today's"]);
    refused(&["kernel", &fixture("callers_split_c11.so")], &["the split generation", "today's"]);
    for generation in ["split", "legacy"] {
        let (library, program) = for_use(generation);
        let (library, program) = (library.display().to_string(), program.display().to_string());
        let speaks = format!("speaks the {generation} generation of the ABI");
        refused(&["kernel", &kernel, "--library", &library], &[&library, &speaks]);
        refused(&["watch", "--", &program], &[&program, &library, &speaks]);
        // Of split, only an object tells.
        let run = if generation == "legacy" { "true" } else { program.as_str() };
        refused(&["watch", "--library", &library, "--", run], &[&library, &speaks]);
    }
}

#[test]
fn what_only_another_generation_has_is_found_with_advice() {
    for (id, generation) in [("SPL-0001", "split"), ("LEG-0001", "legacy")] {
        let advice = format!("--generation {generation} has some");
        let (code, line) = refused(&["--only", id]);
        assert!(code == Some(4) && line.contains(&advice), "{line}");
        let (code, line) = refused(&[&reference("combined"), "--only", id]);
        assert!(code == Some(4) && line.contains(&advice), "{line}");
        let output = run().args(["list", "clauses", "--area", &id[..3]]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(4) && said.contains(&advice), "{said}");
        // A library of it needs none.
        let (report, _) = report(&[&reference(generation), "--only", id]);
        assert!(!report["checks"].as_array().unwrap().is_empty());
    }
}

/// Both are `libtvm_ffi.so` and export the same names.
#[test]
fn a_library_of_another_generation_in_the_process_is_told() {
    let (split, combined) = (reference("split"), reference("combined"));
    for (preloaded, target, told) in [(&split, &combined, "split"), (&combined, &split, "combined")] {
        let mut command = run();
        command.env("LD_PRELOAD", preloaded).args(["check", target, "--progress", "none", "--repeat", "0"]);
        let only = if told == "split" { "symbols.opens" } else { "SPL-0001" };
        let output = command.args(["--only", only]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = format!("{preloaded}, whose exports are those of the {told} generation");
        assert!(text.contains(&expected), "{text}{}", String::from_utf8_lossy(&output.stderr));
    }
    let alone = String::from_utf8(check(&[&combined, "--only", "symbols.opens"]).stdout).unwrap();
    assert!(!alone.contains("beside"), "{alone}");
}

#[test]
fn clauses_and_checks_of_a_generation_are_listed_and_explained() {
    let printed = |args: &[&str]| {
        let output = run().args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let split = printed(&["list", "clauses", "--generation", "split"]);
    assert!(split.contains("SPL-0032") && split.contains("ANY-"), "{split}");
    assert!(!printed(&["list", "clauses"]).contains("SPL-"));
    assert!(printed(&["list", "checks", "--generation", "split", "--area", "SPL"]).contains("split-cxx17.inc-ref"));
    let explained = printed(&["explain", "SPL-0005"]);
    assert!(explained.contains("split-c11.inc-ref") && explained.contains("generations"), "{explained}");
}

#[test]
fn a_repository_says_which_generation_it_speaks() {
    let scratch = tempfile::tempdir().unwrap();
    let check = |generation: &str| {
        let settings = format!("target = {:?}\ngeneration = {generation:?}\n", small("legacy"));
        std::fs::write(scratch.path().join("tvm-ffi-verify.toml"), settings).unwrap();
        run().arg("check").current_dir(scratch.path()).output().unwrap().status.code()
    };
    assert_eq!(
        (check("legacy"), check("split"), check("combined"), check("new")),
        (Some(1), Some(2), Some(2), Some(2))
    );
}

#[test]
fn what_a_generation_consists_of_is_printed() {
    let printed = |args: &[&str]| {
        let output = run().arg("abi").args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let all = printed(&["generations"]);
    assert!(["legacy (", "split (", "combined ("].iter().all(|name| all.contains(name)), "{all}");
    let split = printed(&["structs", "--generation", "split"]);
    assert!(split.contains("strong_ref_count") && !split.contains("combined_ref_count"), "{split}");
    assert!(printed(&["constants", "--generation", "legacy"]).contains("kTVMObjectRValueRefArg"));
    let functions = printed(&["functions", "--generation", "legacy"]);
    assert_eq!(functions.lines().filter(|line| line.contains(" TVM") && !line.starts_with(' ')).count(), 56);
    let json = printed(&["--generation", "split", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["function"].as_array().unwrap().len(), 39);
    for what in ["functions", "structs", "constants"] {
        assert_eq!(printed(&[what, "--generation", "combined"]), printed(&[what]));
    }
}

/// Releases and the reference are judged, with the option as without it.
#[test]
fn a_library_of_today_is_judged() {
    let wheels: Vec<_> = abi().peers().filter_map(|release| peers::wheel(&release.name)).collect();
    let wheels = wheels.iter().map(|wheel| wheel.display().to_string());
    let targets: Vec<Vec<String>> = wheels.map(|wheel| vec![wheel]).chain([Vec::new()]).collect();
    for target in &targets {
        let target: Vec<&str> = target.iter().map(String::as_str).collect();
        for more in [&[][..], &["--generation", "combined"]] {
            let output = check(&[&target, more, &["--only", "symbols.opens", "--format", "json"]].concat());
            assert_eq!(
                output.status.code(),
                Some(0),
                "{target:?} {more:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        for older in ["split", "legacy"] {
            // Without a target, it is another reference.
            if target.is_empty() {
                continue;
            }
            let (code, line) = refused(&[&target[..], &["--generation", older]].concat());
            assert_eq!(code, Some(2), "{line}");
            assert!(line.contains(&format!("does not speak the {older} generation of the ABI")), "{line}");
        }
    }
}
