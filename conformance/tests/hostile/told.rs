//! What is told of a hostile target: what it did and where, how steadily, and in which words.

use std::process::Command;

use serde_json::Value;
use tvm_ffi_reports::FAILURE;

use super::{check, in_both_ways, library};
use crate::{program, several};

/// A crash says what the process did and where, by the libraries and the functions in them.
#[test]
fn a_crash_says_where() {
    const FUNCTION: &str = "libtvm_ffi.so+0x… (TVMFFIStringFromByteArray+0x…)";
    let called = format!("called from {FUNCTION}");
    let cases = [
        ("faults", vec!["writes to 0x10, at ", FUNCTION]),
        ("overflows", vec!["stack overflow, at libtvm_ffi.so+0x"]),
        ("jumps_into_nothing", vec!["executes 0x0, ", &called]),
        ("aborts", vec!["at libc.so", &called]),
        ("frees_twice", vec!["at libc.so", &called]),
        (
            "stops_the_suite",
            vec!["does something to the process that runs the suite, to all, or to the terminal, at libc.so", &called],
        ),
        ("throws", vec!["nobody catches a C++ exception of type int; ", &called]),
    ];
    several::each(&in_both_ways(&cases), |(isolation, (name, expected))| {
        let (_, report) = check(name, &["--only", "string.small-string-layout", "--isolation", isolation]);
        let place = report["checks"][0]["broken"]["place"].as_str().unwrap_or_default();
        // How far into something depends on the compiler.
        let numbers = place.split_inclusive("+0x").collect::<Vec<_>>();
        let plain: String = numbers
            .iter()
            .enumerate()
            .map(|(n, part)| {
                let rest = part.trim_start_matches(|c: char| n > 0 && c.is_ascii_hexdigit());
                if n > 0 { format!("…{rest}") } else { rest.to_owned() }
            })
            .collect();
        for part in expected {
            assert!(plain.contains(part), "{name}, {isolation}: {place}");
        }
    });
}

/// A check that fails once is broken, and said not to be steady; one that fails each time is said to be that.
#[test]
fn a_failing_check_is_run_again() {
    let only = ["--only", "string.small-string-layout"];
    for (name, repeat, expected) in [
        ("fails_once", "2", serde_json::json!({"runs": 3, "failed": 1})),
        ("faults", "2", serde_json::json!({"runs": 3, "failed": 3})),
        ("faults", "0", Value::Null),
        ("loops", "2", Value::Null),
    ] {
        let (code, report) = check(name, &[&only[..], &["--repeat", repeat]].concat());
        assert_eq!((code, &report["checks"][0]["repeated"]), (1, &expected), "{name}: {:#}", report["checks"]);
    }
}

/// In a failure stand the name of the function, all arguments, and what it answered.
#[test]
fn a_call_of_a_function_reads_as_what_it_is() {
    let (_, mut report) = check("array_counts_from_the_end", &["--only", "array.negative"]);
    let broken = &mut report["checks"][0]["broken"];
    assert_eq!(broken["call"], "ffi.ArrayGetItem([1, 1, 1], -1) returned 1", "{broken:#}");
    assert_eq!(broken["message"], "ffi.ArrayGetItem([1, 1, 1], -1) returned 1; expected IndexError");
    // What runs in one process is not run again, which is when a program is written.
    assert!(broken.as_object_mut().is_some_and(|broken| broken.remove("program").is_some()), "{broken:#}");
    let broken = broken.clone();
    let (_, report) = check("array_counts_from_the_end", &["--only", "array.negative", "--in-process"]);
    assert_eq!(report["checks"][0]["broken"], broken);
}

/// The line that a failure prints for the debugger stops where it happened.
#[test]
#[ignore = "needs gdb: .ci/debugger runs it"]
fn the_debugger_stops_where_it_happened() {
    let folder = program::path().parent().unwrap();
    let library = library("array_counts_from_the_end");
    let mut command = program::run();
    command.arg("check").arg(library).args(["--only", "array.negative", "--progress", "none"]);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line =
        text.lines().find_map(|line| line.find("gdb -ex").map(|at| &line[at..])).expect("a line for the debugger");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let batch = line.replacen("gdb", "gdb -batch", 1);
    let output = Command::new("sh").args(["-c", &batch]).env("PATH", path).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let stopped = told.lines().any(|line| line.contains("hit Breakpoint 1, ") && line.contains(FAILURE));
    assert!(stopped, "{line}\n{told}{}", String::from_utf8_lossy(&output.stderr));
}

/// A leak of one object each time is one object, however checks are kept apart.
#[test]
fn what_leaks_is_counted_as_it_leaks() {
    let modes: [&[&str]; 3] = [&["--isolation", "fork"], &["--isolation", "exec"], &["--in-process"]];
    for mode in modes {
        let (code, report) = check("leaks_bytes", &[&["--only", "string.bytes-no-growth"], mode].concat());
        let message = report["checks"][0]["broken"]["message"].as_str().unwrap_or_default();
        assert_eq!((code, &report["checks"][0]["outcome"]), (1, &"leak".into()), "{mode:?}: {report:#}");
        assert!(message.contains(" bytes more each time, with 1 ffi.Bytes more"), "{mode:?}: {message}");
    }
}

/// What is missing is named, versions are written as they are told, and calls show what they were given.
#[test]
fn a_failure_is_told_as_people_write() {
    let (_, report) = check("lacks_ten", &["--only", "symbols.version-kept"]);
    let broken = &report["checks"][0]["broken"];
    assert_eq!(
        (&broken["expected"], &broken["got"]),
        (
            &"all that are as old as 0.1.16, which the library claims to be".into(),
            &"none of TVMFFITypeKeyToIndex, TVMFFIErrorSetRaised, TVMFFIErrorCreate, TVMFFIDataTypeFromString, TVMFFIBacktrace, \
              TVMFFIEnvSetStream and 4 more"
                .into()
        ),
        "{broken:#}"
    );
    let (_, report) = check("err_replace_self", &["--only", "error.update-by-a-part"]);
    let call = report["checks"][0]["broken"]["call"].as_str().unwrap_or_default();
    assert!(
        call.starts_with("update_backtrace(self = ") && call.ends_with(", update_mode = 0 (replace))"),
        "{report:#}"
    );
    assert!(call.contains("backtrace = {data: \"") && call.contains(", size: "), "{call}");
}
