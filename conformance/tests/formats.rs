//! What holds of every command that has an answer: the formats, `--quiet`, and the exit codes. Each is run on real files, once where all
//! is well and once where something is found.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Output,
};

use serde_json::Value;
use tempfile::TempDir;
use tvm_ffi_fixtures::{
    compile, fail,
    faults::{self, Builder},
    include_dir, peers,
};
use tvm_ffi_verify::target::REFERENCE;

use crate::{kernel, program, several};

/// A command with arguments, and what it exits with.
struct Case {
    args: Vec<&'static str>,
    code: i32,
}

const fn schema(command: &str) -> &str {
    match command.as_bytes() {
        b"check" => "report",
        b"compare" => "comparison",
        b"reference" | b"docs" => "written",
        _ => command,
    }
}

/// Files for every command, in a folder.
fn laid_out() -> TempDir {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let fixtures = include_dir().parent().unwrap();
    fs::write(at("libtvm_ffi.so"), REFERENCE).unwrap();
    kernel::compile(&fixtures.join("exported/good/add_one.c"), &at("good.so"));
    kernel::compile(&fixtures.join("exported/bad/stale_error.c"), &at("bad.so"));
    let client = |source: &str, to: &str| {
        let source = fixtures.join("watched").join(source);
        compile::program(&source, &at("libtvm_ffi.so"), &at(to)).unwrap_or_else(|problem| fail(&problem));
    };
    client("good/values.c", "good-client");
    client("bad/boolean_of_two.c", "bad-client");
    let alone = "void TVMFFIOfNoRelease(void);\nvoid f(void) { TVMFFIOfNoRelease(); }\n";
    fs::write(at("unknown.c"), alone).unwrap();
    kernel::compile(&at("unknown.c"), &at("unknown.so"));
    fs::write(at("known.toml"), "[[known]]\ncheck = \"string.small-string-layout\"\nreason = \"none\"\n").unwrap();
    let faults = faults::all().unwrap_or_else(|problem| fail(&problem));
    let fault = faults.iter().find(|fault| fault.name == "string_small_length_counts_nul").unwrap();
    let broken = Builder::new(&at("faults"), REFERENCE).and_then(|builder| builder.fault(fault));
    let broken = broken.unwrap_or_else(|problem| fail(&problem));
    for (name, library) in [("good", at("libtvm_ffi.so")), ("bad", broken)] {
        let report = format!("json={name}.json");
        let args = ["--only", "string.small", "--no-facts", "--quiet", "--report", &report];
        let status = program::run().arg("check").arg(library).args(args).current_dir(&folder).status().unwrap();
        assert!(status.code() <= Some(1), "{name}: {status}");
    }
    if let (Some(old), Some(new)) = (peers::wheel("0.1.12"), peers::newest()) {
        symlink(old, at("old.whl")).unwrap();
        symlink(new, at("new.whl")).unwrap();
    }
    folder
}

fn cases() -> Vec<Case> {
    let case = |code, line: &'static str| Case { args: line.split(' ').collect(), code };
    let mut cases = vec![
        case(0, "check libtvm_ffi.so --only string.small --no-facts"),
        case(1, "check libtvm_ffi.so --only string.small --no-facts --known-failures known.toml"),
        case(0, "compare libtvm_ffi.so libtvm_ffi.so --no-checks"),
        case(0, "audit good.so"),
        case(1, "audit unknown.so"),
        case(4, "audit /bin/sh"),
        case(0, "kernel good.so"),
        case(1, "kernel bad.so"),
        case(4, "kernel libtvm_ffi.so"),
        case(0, "watch -- ./good-client"),
        case(1, "watch -- ./bad-client"),
        case(4, "watch -- true"),
        case(0, "matrix good.json"),
        case(1, "matrix good.json bad.json"),
        case(0, "reference --out reference"),
        case(0, "docs --out docs"),
    ];
    if peers::newest().is_some() {
        cases.push(case(1, "compare old.whl new.whl --no-checks"));
    }
    cases
}

/// Runs a case with these options, which come before what `watch` runs.
fn run(folder: &Path, case: &Case, options: &[&str]) -> Output {
    let (command, rest) = case.args.split_first().unwrap();
    program::run().arg(command).args(options).args(rest).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_owned()).unwrap()
}

/// The document, with the types that are generated from the standard's schema.
fn sarif(text: &str) -> Result<Value, String> {
    let written: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let typed: serde_sarif::sarif::Sarif =
        serde_json::from_value(written.clone()).map_err(|error| error.to_string())?;
    let typed = serde_json::to_value(typed).map_err(|error| error.to_string())?;
    if typed == written { Ok(written) } else { Err("the standard knows less than what is written".to_owned()) }
}

/// What is wrong with an answer in a format.
fn wrong(format: &str, case: &Case, said: &str) -> Option<String> {
    let command = case.args[0];
    let begins = |lead: &str| (!said.starts_with(lead)).then(|| format!("begins with no {lead:?}"));
    match format {
        "text" => said.trim().is_empty().then(|| "is empty".to_owned()),
        "json" => {
            let answer: Value = match serde_json::from_str(said) {
                Ok(answer) => answer,
                Err(error) => return Some(error.to_string()),
            };
            let part = match command {
                "check" => &answer["summary"],
                "compare" => &answer["verdict"],
                _ => &answer,
            };
            let code = part.get("exit_code");
            if code != Some(&case.code.into()) {
                return Some(format!("says that the exit code is {code:?}"));
            }
            unknown_keys(&answer, schema(command))
        }
        "sarif" => match sarif(said) {
            Ok(document) => {
                let run = &document["runs"][0];
                let successful = case.code == 0 || case.code == 1;
                let found = run["results"].as_array().is_some_and(|results| !results.is_empty());
                let says = run["invocations"][0]["executionSuccessful"] == successful;
                let fits = says && (case.code != 1 || found);
                (!fits).then(|| format!("says something else than exit code {}: {document:#}", case.code))
            }
            Err(problem) => Some(problem),
        },
        // The table of a matrix is for pages that have a head of their own.
        "markdown" if command == "matrix" => begins("| library |"),
        "markdown" => begins(&format!("# tvm-ffi-verify {command}\n")),
        "html" => begins("<!DOCTYPE html><html lang=\"en\">"),
        "junit" => begins("<?xml "),
        "github" => begins(if case.code == 0 { "::notice title=tvm-ffi-verify" } else { "::" }),
        "badge" => begins("<svg "),
        _ => Some("nobody looks at it".to_owned()),
    }
}

/// The keys of an answer, and what its schema in `reports/schema` names: both ways.
fn unknown_keys(answer: &Value, schema: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../reports/schema/{schema}.schema.json"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let keys = |object: &Value| -> Vec<String> {
        let keys = object.as_object().into_iter().flat_map(|object| object.keys().cloned());
        keys.collect()
    };
    let mut declared = keys(&schema["properties"]);
    let mut there = keys(answer);
    declared.sort();
    there.sort();
    (declared != there).then(|| format!("has the keys {there:?}, and its schema {declared:?}"))
}

/// The formats that `--help` of a command names.
fn formats(command: &str) -> Vec<String> {
    let help = text(&program::run().args([command, "--help"]).output().unwrap().stdout);
    let (_, after) = help.split_once("--format <FORMAT>").unwrap_or_else(|| panic!("{command} has no --format"));
    let values = after.lines().take_while(|line| !line.trim_start().starts_with("--"));
    let values = values.filter_map(|line| line.trim_start().strip_prefix("- ")?.split(':').next().map(str::to_owned));
    values.collect()
}

#[test]
fn every_command_answers_in_every_format_with_the_same_exit_code() {
    let folder = laid_out();
    let problems = several::each(&cases(), |case| {
        let formats = formats(case.args[0]);
        assert_eq!(formats.len(), 8, "{}: {formats:?}", case.args[0]);
        let problem = |format: String| {
            let output = run(folder.path(), case, &["--format", &format]);
            let said = text(&output.stdout);
            let problem = match output.status.code() {
                code if code != Some(case.code) => Some(format!("exit code {code:?}: {}", text(&output.stderr))),
                _ => wrong(&format, case, &said),
            };
            problem.map(|problem| format!("{} --format {format}: {problem}", case.args.join(" ")))
        };
        formats.into_iter().filter_map(problem).collect::<Vec<_>>()
    });
    let problems = problems.concat();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_command_is_quiet_and_writes_its_reports() {
    let folder = laid_out();
    for case in cases() {
        let output =
            run(folder.path(), &case, &["--quiet", "--report", "json=answer.json", "--report", "markdown=answer.md"]);
        let told = (output.status.code(), text(&output.stdout), text(&output.stderr));
        assert_eq!((told.0, &*told.1), (Some(case.code), ""), "{:?}", case.args);
        // What a watched program itself prints is its own affair.
        assert!(told.2.is_empty() || case.args[0] == "watch", "{:?}: {}", case.args, told.2);
        for report in ["answer.json", "answer.md"] {
            let path: PathBuf = folder.path().join(report);
            assert!(!fs::read_to_string(&path).unwrap().is_empty(), "{:?}: {report}", case.args);
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn every_command_refuses_what_is_not_there_in_one_line() {
    let folder = TempDir::new().unwrap();
    for args in [
        ["check", "no.such.so"].as_slice(),
        &["compare", "no.such.so", "no.such.so"],
        &["audit", "no.such.so"],
        &["kernel", "no.such.so"],
        &["watch", "--", "./no-such-program"],
        &["matrix", "no-such.json"],
        &["reference", "--out", "/proc/no/such"],
        &["docs", "--out", "/proc/no/such"],
    ] {
        let output = program::run().args(args).current_dir(&folder).output().unwrap();
        let said = text(&output.stderr);
        let named = said.contains("no.such.so") || said.contains("no-such") || said.contains("/proc/no");
        // Of a comparison each side is told of.
        let lines = said.lines().count() == 1 || args[0] == "compare";
        assert!(output.status.code() == Some(2) && named && lines, "{args:?}: {:?}: {said}", output.status.code());
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}
