//! The examples of the README, run as they stand: each command in a folder where what it names is there.

use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Command,
};

use tempfile::TempDir;
use tvm_ffi_fixtures::{compile, fail, include_dir, peers};
use tvm_ffi_spec::{abi::abi, generation::generation};
use tvm_ffi_verify::target::{REFERENCE, reference_of};

use crate::{kernel, program};

const README: &str = include_str!("../../README.md");

/// What is run elsewhere, by how it begins, and where.
const ELSEWHERE: [(&str, &str); 9] = [
    ("cargo run --release -- check", ".ci/run"),
    ("cargo test", ".ci/run"),
    ("cargo install", "tests/integrations.rs, .ci/wheel"),
    // The example's library fails, and the reference does not.
    ("tvm-ffi-verify check build/libtvm_ffi.so --only json.any-value --programs", "tests/programs.rs"),
    ("cc programs/json.any-value.c", "tests/programs.rs"),
    // Not every machine has it.
    ("man -M", "tests/docs.rs"),
    ("export PATH=$PWD", "here: the folder is among the commands"),
    ("tvm-ffi-verify check old/libtvm_ffi.so", "tests/generations.rs"),
    ("tvm-ffi-verify check --generation split", "tests/generations.rs"),
];

/// The commands that the README shows, as somebody would type them.
fn examples() -> Vec<String> {
    let mut examples = Vec::new();
    let mut language = None;
    for line in README.lines() {
        if let Some(fence) = line.strip_prefix("```") {
            language = if language.is_none() { Some(fence) } else { None };
            continue;
        }
        let command = match language {
            Some("console") => line.strip_prefix("$ "),
            Some("yaml") => line.trim_start_matches("- ").strip_prefix("run: "),
            _ => None,
        };
        // What follows the command is said of it.
        let command = command.map(|command| command.split("  #").next().unwrap_or(command).trim().to_owned());
        examples.extend(command);
    }
    examples
}

/// The README's file of calls.
fn calls() -> &'static str {
    let (_, calls) = README.split_once("```toml\n[[call]]").expect("the README shows a file of calls");
    let (calls, _) = calls.split_once("```").expect("which ends");
    let begin = README.find(calls).expect("it was found") - "[[call]]".len();
    &README[begin..begin + "[[call]]".len() + calls.len()]
}

const PARSE: &str = r#"
#include "kernel.h"
KERNEL(parse) {
  if (num_args != 1 || (args[0].type_index != kTVMFFISmallStr && args[0].type_index != kTVMFFIStr)) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected a text");
    return -1;
  }
  TVMFFIErrorSetRaisedFromCStr("ValueError", "expected a number");
  return -1;
}
"#;

/// Finds the library by its path, as a package does.
const PROGRAM: &str =
    "import ctypes\nctypes.CDLL('build/libtvm_ffi.so').TVMFFIErrorSetRaisedFromCStr(b'ValueError', b'no')\n";

/// Runs the program, with checks that take no time in place of all: the options are what is tried.
const QUICK: &str = "#!/bin/sh
case $1 in
  check) exec PROGRAM \"$@\" --only symbols. --only LEG-0041 ;;
  compare) exec PROGRAM \"$@\" --only symbols. ;;
  *) exec PROGRAM \"$@\" ;;
esac
";

/// A folder with all that the examples name.
fn laid_out() -> TempDir {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    let fixtures = include_dir().parent().unwrap();
    fs::write(at("build/libtvm_ffi.so"), REFERENCE).unwrap();
    fs::write(at("site-packages/tvm_ffi/lib/libtvm_ffi.so"), REFERENCE).unwrap();
    let legacy = reference_of(generation("legacy").unwrap()).unwrap();
    fs::write(at("build/libtvm_runtime.so"), legacy).unwrap();
    kernel::compile(&fixtures.join("exported/good/add_one.c"), &at("build/add_one.so"));
    fs::write(at("parse.c"), PARSE).unwrap();
    kernel::compile(&at("parse.c"), &at("build/parse.so"));
    fs::write(at("calls.toml"), calls()).unwrap();
    fs::write(at("prog.py"), PROGRAM).unwrap();
    for file in ["add_one_cpu.c", "kernel.h"] {
        fs::copy(fixtures.join("kernels").join(file), at(&format!("src/{file}"))).unwrap();
    }
    let client = fixtures.join("watched/bad/passed_after_release.c");
    let built = compile::program(&client, &at("build/libtvm_ffi.so"), &at("passed_after_release"));
    built.unwrap_or_else(|problem| fail(&problem));
    for wheel in peers::newest().into_iter().chain(peers::wheel("0.1.12")) {
        symlink(&wheel, folder.path().join(wheel.file_name().unwrap())).unwrap();
    }
    // Of a comparison the example names a release that tests do not fetch: another one will do.
    if let (Some(old), Some(new)) = (peers::wheel("0.1.12"), peers::newest()) {
        symlink(old, at("apache_tvm_ffi-0.1.12-….whl")).unwrap();
        symlink(new, at("apache_tvm_ffi-0.1.13-….whl")).unwrap();
    }
    fs::write(at("bin/tvm-ffi-verify"), QUICK.replace("PROGRAM", &program::path().display().to_string())).unwrap();
    fs::set_permissions(at("bin/tvm-ffi-verify"), fs::Permissions::from_mode(0o755)).unwrap();
    // Not every machine has a `python`.
    fs::write(at("bin/python"), "#!/bin/sh\nexec python3 \"$@\"\n").unwrap();
    fs::set_permissions(at("bin/python"), fs::Permissions::from_mode(0o755)).unwrap();
    for report in ["released/report.json", "reports/one.json", "reports/other.json"] {
        let report = format!("json={}", at(report).display());
        let args = ["check", "--only", "symbols.", "--quiet", "--report", &report];
        assert!(program::run().args(args).status().unwrap().success());
    }
    folder
}

#[test]
fn the_examples_run() {
    let with_releases = peers::newest().is_some();
    let folder = laid_out();
    let path = env::var("PATH").unwrap();
    let path = format!("{0}/bin:{0}/tvm-ffi/bin:{path}", folder.path().display());
    let mut problems = Vec::new();
    let mut ran = 0;
    for example in examples() {
        let is_elsewhere = ELSEWHERE.iter().any(|(begin, _)| example.starts_with(begin));
        let needs_release = example.contains(".whl") || example.contains("apache-tvm-ffi==");
        if is_elsewhere || needs_release && !with_releases {
            continue;
        }
        let mut command = Command::new("bash");
        command.args(["-c", &example]).current_dir(&folder).env("PATH", &path).env_remove("LD_LIBRARY_PATH");
        if let Some(wheel) = peers::newest() {
            command.env("TVM_FFI_PEERS", wheel.parent().unwrap());
        }
        let output = command.output().unwrap();
        // Whether all is well is told by 0 and 1; all else is that the example does not work.
        if !matches!(output.status.code(), Some(0 | 1)) {
            let said =
                format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            problems.push(format!("$ {example}\n{}\n{said}", output.status));
        }
        ran += 1;
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(ran > 15, "{ran} examples ran");
    assert_eq!(abi().newest_peer().name, "0.1.15.post2", "the wheels of the README are of the newest release");
}

/// The words that `--help` of the program and of all its commands have for options.
fn options() -> (Vec<String>, Vec<String>) {
    let help = |args: &[&str]| {
        let output = program::run().args(args).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let all = help(&[]);
    let (_, commands) = all.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let commands: Vec<_> = commands
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?.split(' ').next())
        .filter(|command| *command != "help")
        .map(str::to_owned)
        .collect();
    let mut words = all;
    commands.iter().for_each(|command| words += &help(&[command]));
    let options = words.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).filter(|word| word.starts_with("--"));
    (commands.clone(), options.map(str::to_owned).collect())
}

#[test]
fn every_command_has_an_example_and_every_option_is_there() {
    let (commands, options) = options();
    assert!(commands.len() >= 11, "{commands:?}");
    let examples = examples();
    for command in commands {
        let begin = format!("tvm-ffi-verify {command}");
        let is_shown = examples.iter().any(|example| example.split(" && ").any(|each| each.starts_with(&begin)));
        assert!(is_shown, "the README has no example of {command}");
    }
    // Options of ours stand as code; those of `tvm-ffi-config`, cargo, pip, gdb and sed are others'.
    let others = ["--cflags", "--ldflags", "--libs", "--libdir", "--release", "--args", "--path", "--locked"];
    let code = README.split('`').skip(1).step_by(2).chain(examples.iter().map(String::as_str));
    for word in code.flat_map(str::split_whitespace).filter(|word| word.starts_with("--") && word.len() > 2) {
        let option = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).split(['=', '|']).next().unwrap();
        assert!(options.iter().any(|known| known == option) || others.contains(&option), "{option} is no option");
    }
}

#[test]
fn what_runs_elsewhere_is_in_the_readme() {
    let examples = examples();
    for (begin, _) in ELSEWHERE {
        assert!(examples.iter().any(|example| example.starts_with(begin)), "{begin} is no example any more");
    }
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md").is_file());
}
