//! Targets that do their worst: each costs its own outcome and nothing else.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use tvm_ffi_fixtures::{
    fail,
    faults::{Builder, Fault},
};
use tvm_ffi_verify::target::REFERENCE;

use crate::{program, several};

mod told;

/// What builds hostile targets, over the reference.
fn builder() -> &'static Builder {
    static BUILDER: OnceLock<Builder> = OnceLock::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    BUILDER.get_or_init(|| Builder::new(&folder, REFERENCE).unwrap_or_else(|problem| fail(&problem)))
}

/// A hostile target, or else a fault.
fn source(name: &str) -> PathBuf {
    let folders =
        ["tests/hostile", "../c_fixtures/faults"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let mut sources = folders.map(|folder| folder.join(format!("{name}.c"))).into_iter();
    sources.find(|source| source.exists()).unwrap_or_else(|| panic!("there is no {name}"))
}

/// Checks that make a string, and some that do not.
const QUICK: &[&str] =
    &["--only", "string.small-string-layout", "--only", "symbols.opens", "--only", "object.dec-null"];

/// The library of that name.
fn library(name: &str) -> PathBuf {
    builder().fault(&Fault::read(&source(name)).unwrap()).unwrap_or_else(|problem| fail(&problem))
}

/// Runs checks on a hostile target; answers exit code and report. Nothing that the target started is there afterwards, and
/// nothing temporary.
fn check(name: &str, args: &[&str]) -> (i32, Value) {
    // On a disk, which what is written there is counted for.
    let (library, temporary) = (library(name), tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
    let late: &[&str] = if args.contains(&"--timeout") { &[] } else { &["--timeout", "1"] };
    let output = program::run()
        .args(["check", "--format", "json", "--progress", "none", "--seed", "1", "--memory", "512M"])
        .args(late)
        .arg(library)
        .args(args)
        .env("TMPDIR", temporary.path())
        .current_dir(temporary.path())
        // Where a signal to all of its group reaches nobody else.
        .process_group(0)
        .output()
        .unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "{name}: {error}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    });
    let survivors = running_in(temporary.path());
    assert!(survivors.is_empty(), "{name} left processes behind: {survivors:?}");
    let left: Vec<_> = fs::read_dir(temporary.path()).unwrap().flatten().map(|entry| entry.path()).collect();
    assert!(left.is_empty(), "{name} left files behind: {left:?}");
    let named = fs::read_dir("/dev/shm").into_iter().flatten().flatten().map(|entry| entry.file_name());
    let named: Vec<_> = named.filter(|name| name.to_string_lossy().starts_with("tvm-ffi-verify-test")).collect();
    assert!(named.is_empty(), "{name} left memory behind: {named:?}");
    (output.status.code().unwrap(), report)
}

/// The processes whose folder for what is temporary is that, or below it.
fn running_in(folder: &Path) -> Vec<String> {
    let variable = format!("TMPDIR={}", folder.display());
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let here = processes.filter(|process| {
        let environment = fs::read(process.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry.starts_with(variable.as_bytes()))
    });
    here.map(|process| fs::read_to_string(process.join("stat")).unwrap_or_default()).collect()
}

/// How checks are kept apart.
const ISOLATIONS: [&str; 2] = ["shared", "exec"];

/// Each case with its checks kept apart in either way.
fn in_both_ways<T>(cases: &[T]) -> Vec<(&'static str, &T)> {
    cases.iter().flat_map(|case| ISOLATIONS.map(|isolation| (isolation, case))).collect()
}

fn find<'a>(report: &'a Value, id: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["id"] == id).unwrap_or_else(|| panic!("{id} is not in the report"))
}

/// Making a string goes wrong, in these ways; opening the library and everything else does not.
#[test]
fn a_hostile_function_costs_its_own_checks_and_no_others() {
    const CASES: &[(&str, &str, &str)] = &[
        ("aborts", "crash", "was ended by SIGABRT during the call"),
        ("loops", "timeout", "did not end before its deadline during the call"),
        ("shouts", "timeout", "did not end before its deadline during the call"),
        ("exits", "crash", "exited with status 0 during the call"),
        ("overflows", "crash", "was ended by SIGSEGV during the call"),
        ("closes", "crash", "exited with status 0"),
        ("forges", "crash", "exited with status 0 during the call"),
        ("frees_twice", "crash", "was ended by SIGABRT during the call"),
        ("faults", "crash", "was ended by SIGSEGV during the call"),
        ("jumps_into_nothing", "crash", "was ended by SIGSEGV during the call"),
        ("throws", "crash", "was ended by SIGABRT during the call"),
        ("traps", "crash", "was ended by SIG"),
        ("terminates_itself", "crash", "was ended by SIGTERM during the call"),
        ("kills_its_group", "crash", "was ended by SIGKILL during the call"),
        ("exits_in_order", "crash", "exited with status 0 during the call"),
        ("becomes_a_success", "crash", "exited with status 0 during the call"),
        ("becomes_another", "timeout", "did not end before its deadline during the call"),
        ("stops", "timeout", "did not end before its deadline during the call"),
        ("blocks_signals", "timeout", "did not end before its deadline during the call"),
        ("leaves_its_group", "timeout", "did not end before its deadline during the call"),
        ("starts_busy_threads", "timeout", "did not end before its deadline during the call"),
        ("eats_memory", "crash", "was ended by SIGSEGV during the call"),
        ("fills_the_disk", "crash", "was ended by SIGXFSZ during the call"),
        ("prints_escapes", "crash", "was ended by SIGABRT during the call"),
        ("kills_its_worker", "crash", "was ended by SIGKILL, each time that it was tried"),
        ("interrupts_its_worker", "crash", "was ended by SIGINT, each time that it was tried"),
        ("stops_its_worker", "crash", "was stopped, each time that it was tried"),
        ("stops_the_suite", "crash", "was ended by SIGSYS during the call"),
        ("stops_the_group_of_the_suite", "crash", "was ended by SIGSYS during the call"),
        ("kills_the_suite", "crash", "was ended by SIGSYS during the call"),
        ("signals_everybody", "crash", "was ended by SIGSYS during the call"),
        ("empties_the_folder_above", "fail", "were gone, each time that it was tried"),
        ("forks_without_end", "fail", "started processes without end during the call"),
        ("borrows_its_memory", "timeout", "did not end before its deadline during the call"),
        ("scribbles_and_aborts", "crash", "was ended by SIGABRT"),
        ("unmaps_what_is_shared", "crash", "was ended by SIGSEGV"),
        ("protects_all_memory", "crash", "was ended by SIG"),
        ("is_traced", "timeout", "did not end before its deadline during the call"),
        ("handles_its_own_crash", "timeout", "did not end before its deadline during the call"),
        ("makes_a_success_of_a_crash", "fail", "type_index: expected 11"),
        ("returns_from_an_earlier_call", "fail", "type_index: expected 11"),
        ("takes_a_huge_frame", "crash", "was ended by SIGSEGV during the call"),
        ("ends_its_thread", "crash", "exited with status 0 during the call"),
        ("exits_later", "crash", "exited with status 0 during the call"),
        ("goes_on_in_a_copy", "crash", "exited with status 0 during the call"),
        ("forges_with_its_seal", "crash", "exited with status 0 during the call"),
        ("limits_the_suite", "crash", "was ended by SIGSYS during the call"),
        ("traces_the_suite", "crash", "was ended by SIGSYS during the call"),
        ("stops_the_suite_by_a_handle", "crash", "was ended by SIGSYS during the call"),
        ("stops_the_suite_by_a_thread", "crash", "was ended by SIGSYS during the call"),
        ("writes_into_the_suite", "crash", "was ended by SIGSYS during the call"),
        ("types_into_the_terminal", "crash", "was ended by SIGSYS during the call"),
    ];
    let look = |isolation: &str, (name, outcome, message): &(&str, &str, &str), timeout: &str| {
        // What is stated of a library takes calls of its own, the same in both ways.
        let facts: &[&str] = if isolation == "shared" { &[] } else { &["--no-facts"] };
        let (code, report) = check(name, &[QUICK, facts, &["--isolation", isolation, "--timeout", timeout]].concat());
        let (mut problems, mut late) = (Vec::new(), false);
        let mut expect = |holds: bool, found: &Value| {
            if !holds {
                problems.push(format!("{name}, {isolation}, {code}: {found:#}"));
            }
        };
        for found in report["checks"].as_array().unwrap() {
            if found["id"] != "string.small-string-layout" {
                late |= found["message"].as_str().is_some_and(|told| told.contains("before its deadline"));
                expect(found["outcome"] == "pass", found);
                continue;
            }
            let told = found["message"].as_str().unwrap_or_default();
            expect(code == 1 && found["outcome"] == *outcome && told.contains(message), found);
            let call = found["broken"]["call"].as_str();
            expect(call.is_none_or(|call| call.starts_with("TVMFFIStringFromByteArray(")), found);
        }
        (problems, late)
    };
    let problems = several::each(&in_both_ways(CASES), |(isolation, case)| {
        let (problems, late) = look(isolation, case, "1");
        // On a busy machine a check that is not hostile can be late, too: it is not with more time.
        if late { look(isolation, case, "10").0 } else { problems }
    });
    let problems = problems.concat();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Whatever a target answers, it is the target that is accused: no check trips over it.
#[test]
fn no_answer_is_too_wrong_for_a_check() {
    const BLUNT: &[&str] = &[
        "answers_an_array_of_one",
        "answers_an_empty_text",
        "answers_its_first_argument",
        "answers_nothing",
        "answers_zero",
        "cuts_texts",
        "empties_containers",
        "fails_in_silence",
        "finds_no_function",
        "finds_one_function_under_every_name",
        "gives_tensors_without_dimensions",
        "raises_nothing",
        "takes_every_type_for_one",
    ];
    let problems = several::each(BLUNT, |name| {
        let (code, report) = check(name, &["--repeat", "0"]);
        let checks = report["checks"].as_array().unwrap().iter();
        let tripped: Vec<_> =
            checks.filter(|found| found["outcome"] == "error").map(|found| format!("{found:#}")).collect();
        if code == 1 && tripped.is_empty() { String::new() } else { format!("{name}, {code}: {}", tripped.join("\n")) }
    });
    let problems = problems.concat();
    assert!(problems.is_empty(), "{problems}");
}

/// Many files are as much as a large one: what a target keeps for itself is limited in all.
#[test]
fn a_target_that_fills_its_folder_fails() {
    several::each(&ISOLATIONS, |isolation| {
        let (code, report) =
            check("fills_the_folder", &[QUICK, &["--isolation", isolation, "--disk", "6M", "--no-facts"]].concat());
        for found in report["checks"].as_array().unwrap() {
            let fills = found["id"] == "string.small-string-layout";
            assert_eq!((code, &found["outcome"]), (1, &Value::from(if fills { "fail" } else { "pass" })), "{found:#}");
            // What is kept in a folder that lies in memory was not written to a disk.
            let told = found["message"].as_str().unwrap_or_default();
            assert!(!fills || told.contains("--disk allows"), "{isolation}: {found:#}");
        }
        let (code, report) = check("fills_the_folder", &[QUICK, &["--isolation", isolation]].concat());
        assert_eq!(code, 0, "{isolation}: {:#}", report["checks"]);
    });
}

/// What is deleted was written all the same, whoever has written it.
#[test]
fn a_target_that_writes_without_end_fails() {
    several::each(&ISOLATIONS, |isolation| {
        for name in ["writes_and_deletes", "writes_to_a_deleted_file", "writes_by_many", "writes_to_memory"] {
            let args = [QUICK, &["--isolation", isolation, "--disk", "64M", "--no-facts"]].concat();
            let (code, report) = check(name, &args);
            for found in report["checks"].as_array().unwrap() {
                let writes = found["id"] == "string.small-string-layout";
                let outcome = if writes { "fail" } else { "pass" };
                assert_eq!((code, &found["outcome"]), (1, &Value::from(outcome)), "{name}, {isolation}: {found:#}");
                let told = found["message"].as_str().unwrap_or_default();
                let message = "the process wrote more than --disk allows during the call";
                assert!(!writes || told == message, "{name}, {isolation}: {found:#}");
            }
        }
    });
}

/// What runs beside all checks is no check's doing, and ends the run.
#[test]
fn a_target_that_writes_beside_its_checks_ends_the_run() {
    let (code, report) = check("opens_and_leaves_a_writer", &["--only", "string", "--disk", "32M"]);
    assert_eq!((code, &report["run"]["ended"]), (5, &Value::from("disk")), "{:#}", report["summary"]);
}

/// What a fork has beyond the ABI is its users' as much as the rest.
#[test]
fn what_a_baseline_has_beyond_the_abi_is_kept() {
    let fork = library("has_more");
    let only = ["--only", "symbols.opens", "--baseline", fork.to_str().unwrap()];
    assert_eq!(check("has_more", &only).0, 0);
    let (code, report) = check("ignores_children", &only);
    let beyond = [
        "function TVMFFIForkOwn",
        "C++ symbol _ZN4fork4openEv",
        "variable fork_level",
        "function fork_open",
        "global fork.own",
        "type fork.Own",
    ];
    assert_eq!((code, &report["demands"]["missing"]), (1, &serde_json::json!(beyond)), "{report:#}");
    assert_eq!(report["target"]["beyond"], serde_json::json!([]));
}

/// A client is compiled for a function or for a variable, and for a variable that threads share or that they do not.
#[test]
fn what_a_baseline_exports_is_kept_as_what_it_is() {
    let fork = library("has_kinds");
    let only = ["--only", "symbols.opens", "--baseline", fork.to_str().unwrap()];
    assert_eq!(check("has_kinds", &only).0, 0);
    let (code, report) = check("has_other_kinds", &only);
    let lost = [
        "thread-local C++ variable _ZN4fork5levelE (that is a C++ symbol now)",
        "function fork_chosen",
        "thread-local variable fork_own (that is a variable now)",
        "variable fork_shared (that is a thread-local variable now)",
        "function fork_turns (that is a variable now)",
    ];
    assert_eq!((code, &report["demands"]["missing"]), (1, &serde_json::json!(lost)), "{report:#}");
}

/// What a target starts, keeps or ignores beside its work costs it nothing, and is gone with the run.
#[test]
fn what_a_target_leaves_behind_is_gone_with_the_run() {
    const CASES: &[&str] = &[
        "leaves_a_daemon",
        "leaves_a_crowd",
        "holds_its_output",
        "empties_its_folder",
        "ignores_children",
        "waits_for_children",
        "opens_and_leaves_a_daemon",
        "opens_elsewhere",
    ];
    several::each(&in_both_ways(CASES), |(isolation, name)| {
        let (code, report) = check(name, &[QUICK, &["--isolation", isolation]].concat());
        assert_eq!(code, 0, "{name}, {isolation}: {:#}", report["checks"]);
    });
}

/// A process that is another one whenever it is looked for is gone with the run all the same; if it is not found in time, it is a failure.
#[test]
fn a_process_that_runs_away_is_gone_with_the_run() {
    several::each(&ISOLATIONS, |isolation| {
        let (code, report) = check("runs_away", &[QUICK, &["--isolation", isolation, "--no-facts"]].concat());
        let found = find(&report, "string.small-string-layout");
        let told = found["message"].as_str().unwrap_or_default();
        assert!(code == 0 || told.contains("started processes without end"), "{isolation}: {found:#}");
    });
}

/// What a call does to the program around it is found by the check that looks for it, and costs the suite nothing.
#[test]
fn what_a_call_does_to_the_program_is_found() {
    const CHECK: &str = "environment.program-is-left-alone";
    const CASES: &[(&str, &str)] = &[
        ("ignores_children_later", "whether the program learns how its children end after TVMFFIStringFromByteArray"),
        ("changes_the_folder", "the folder of the program after TVMFFIStringFromByteArray"),
        ("limits_itself", "RLIMIT_FSIZE after TVMFFIStringFromByteArray"),
        ("rounds_down", "the direction in which the thread rounds after TVMFFIStringFromByteArray"),
        ("scribbles", "whether memory of the program is as it was after TVMFFIStringFromByteArray"),
    ];
    several::each(&ISOLATIONS, |isolation| {
        for (name, what) in CASES {
            let (code, report) = check(name, &["--only", CHECK, "--isolation", isolation]);
            let broken = &report["checks"][0]["broken"];
            assert_eq!((code, &broken["clause"]), (1, &Value::from("ENV-0040")), "{name}, {isolation}: {report:#}");
            assert_eq!(broken["what"], *what, "{name}, {isolation}: {broken:#}");
        }
    });
    let (code, report) = check("ignores_children_later", &["--timeout", "10"]);
    let others =
        report["checks"].as_array().unwrap().iter().filter(|check| {
            check["id"] != CHECK && !["pass", "unsupported"].contains(&check["outcome"].as_str().unwrap())
        });
    assert_eq!((code, others.collect::<Vec<_>>()), (1, vec![]));
}

/// What a library does to its own file, it does to all who have it.
#[test]
fn a_library_that_removes_its_own_file_is_found() {
    let library = library("removes_its_own_file");
    several::each(&ISOLATIONS, |isolation| {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("libtvm_ffi.so");
        fs::copy(&library, &copy).unwrap();
        let only = ["--only", "environment.program-is-left-alone", "--isolation", isolation, "--repeat", "0"];
        let output = program::run().arg("check").arg(&copy).args(only).args(["--format", "json"]).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let broken = &report["checks"][0]["broken"];
        assert_eq!(broken["clause"], "ENV-0040", "{isolation}: {report:#}");
        assert_eq!(broken["what"], "the library's own file after TVMFFIStringFromByteArray", "{isolation}: {broken:#}");
    });
}

/// Memory with a name is there until the check has ended, and that which the library was opened with as long as it is open.
#[test]
fn named_memory_is_gone_with_its_check() {
    several::each(&ISOLATIONS, |isolation| {
        let args = ["--only", "string", "--skip", "string.*growth*", "--jobs", "1", "--isolation", isolation];
        let (code, report) = check("keeps_named_memory", &args);
        assert_eq!(code, 0, "{isolation}: {:#}", report["summary"]);
    });
}

#[test]
fn a_library_that_cannot_be_opened_is_reported_as_that() {
    const CASES: &[(&str, &str, &str)] = &[
        ("opens_and_aborts", "crash", "was ended by SIGABRT"),
        ("opens_and_loops", "timeout", "did not end before its deadline"),
        ("opens_and_exits", "crash", "exited with status 0"),
        ("opens_and_kills_its_parent_group", "crash", "was ended by SIGKILL"),
        ("opens_and_takes_descriptors", "", ""),
        ("opens_and_eats_memory", "", ""),
        ("opens_and_stops", "", ""),
        ("opens_and_stops_the_suite", "", ""),
        ("opens_and_shouts", "", ""),
        ("opens_and_closes", "", ""),
        ("opens_and_forges", "", ""),
    ];
    several::each(&in_both_ways(CASES), |(isolation, (name, outcome, message))| {
        let (code, report) = check(name, &[QUICK, &["--isolation", isolation]].concat());
        assert_eq!(code, 1, "{name}, {isolation}: {:#}", report["checks"]);
        let opening = find(&report, "symbols.opens");
        if outcome.is_empty() {
            // It depends on how checks are kept apart, and on how fast memory and disk are, how it ends.
            assert!(["crash", "timeout"].contains(&opening["outcome"].as_str().unwrap()), "{name}: {opening:#}");
            return;
        }
        assert_eq!(report["checks"].as_array().unwrap().len(), 1, "{name}, {isolation}: {:#}", report["checks"]);
        assert_eq!(opening["outcome"], *outcome, "{name}, {isolation}: {opening:#}");
        let broken = &opening["broken"];
        assert!(broken["message"].as_str().unwrap().contains(message), "{name}, {isolation}: {broken:#}");
        assert!(broken["call"].as_str().unwrap().starts_with("dlopen("), "{name}, {isolation}: {broken:#}");
        if *name == "opens_and_aborts" {
            assert!(opening["output"].as_str().unwrap().contains("last words"), "{opening:#}");
        }
    });
}

/// A machine whose disks are busy is nobody's fault: what was waited for them is not counted.
#[test]
fn a_library_that_waits_for_a_disk_while_it_is_opened_is_not_late() {
    several::each(&ISOLATIONS, |isolation| {
        let args = [QUICK, &["--isolation", isolation, "--no-facts"]].concat();
        let (code, report) = check("opens_slowly_from_a_disk", &args);
        assert_eq!(code, 0, "{isolation}: {:#}", report["checks"]);
    });
}

/// A process that has such a library open can start no other: where each check opens it for itself, that does no harm.
#[test]
fn a_library_that_keeps_the_suite_from_starting_processes_is_reported_as_that() {
    several::each(&["opens_and_forbids_forks", "opens_and_unshares"], |name| {
        let (code, report) = check(name, &[QUICK, &["--isolation", "fork"]].concat());
        let broken = &find(&report, "symbols.opens")["broken"];
        let told = broken["message"].as_str().unwrap_or_default();
        assert!(told.contains("can start no other"), "{name}: {report:#}");
        assert_eq!(code, 1, "{name}: {:#}", report["summary"]);
        let (code, report) = check(name, &[QUICK, &["--isolation", "exec"]].concat());
        assert_eq!(code, 0, "{name}: {:#}", report["checks"]);
    });
}

/// No clause is accused of what is missing: that is named once, with what waits for it.
#[test]
fn a_library_that_lacks_half_its_functions_is_on_its_way() {
    let (code, report) = check("lacks_half", &[]);
    assert_eq!(code, 1);
    let lacks = Fault::read(&source("lacks_half")).unwrap().lacks;
    let checks = report["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["outcome"] != "error"), "{report:#}");
    let blockers: Vec<_> = report["summary"]["blockers"].as_array().unwrap().iter().collect();
    for function in &lacks {
        let part = format!("function {function}");
        assert!(!report["target"]["has"].as_array().unwrap().contains(&part.clone().into()));
        assert!(blockers.iter().any(|blocker| blocker["part"] == part.as_str()), "nothing waits for {function}");
    }
    assert_eq!(blockers.len(), lacks.len(), "{blockers:#?}");
    assert_eq!(report["summary"]["clauses_broken"], serde_json::json!(["SYM-0002"]));
    for blocked in checks.iter().filter(|check| check["outcome"] == "blocked") {
        assert!(blocked["broken"].is_null() && blocked["blocked_by"].is_string(), "{blocked:#}");
    }
}

/// Nobody writes a report of a run that is killed, but somebody clears up.
#[test]
fn a_run_that_is_killed_leaves_nothing_behind() {
    several::each(&ISOLATIONS, |isolation| {
        let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut run = program::run()
            .args(["check", "--timeout", "60", "--isolation", isolation, "--only", "string.small-string-layout"])
            .arg(library("opens_and_leaves_a_writer"))
            .env("TMPDIR", temporary.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let until = |holds: &dyn Fn() -> bool| {
            let patience = Instant::now();
            while !holds() {
                assert!(patience.elapsed() < Duration::from_secs(30), "{:?}", running_in(temporary.path()));
                thread::sleep(Duration::from_millis(50));
            }
        };
        // The program, its worker, the child that never ends, and what was left when the library was opened.
        until(&|| running_in(temporary.path()).len() >= 4);
        run.kill().unwrap();
        run.wait().unwrap();
        until(&|| running_in(temporary.path()).is_empty() && fs::read_dir(temporary.path()).unwrap().next().is_none());
    });
}

#[test]
fn a_signal_ends_everything_and_leaves_what_is_known() {
    several::each(&[("INT", "fork"), ("TERM", "exec"), ("HUP", "fork"), ("INT", "exec")], |(signal, isolation)| {
        let temporary = tempfile::tempdir().unwrap();
        let (reports, work) = (temporary.path().join("reports"), temporary.path().join("work"));
        fs::create_dir(&reports).unwrap();
        fs::create_dir(&work).unwrap();
        let (json, junit) = (reports.join("report.json"), reports.join("report.xml"));
        let mut run = program::run()
            .args(["check", "--progress", "lines", "--seed", "1", "--timeout", "60", "--isolation", isolation])
            .args(["--only", "symbols.opens", "--only", "string.small-string-layout"])
            .arg(library("blocks_signals"))
            .args(["--report", &format!("json={}", json.display())])
            .args(["--report", &format!("junit={}", junit.display())])
            .env("TMPDIR", &work)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // One check has ended then, and the other one never does.
        let mut lines = BufReader::new(run.stderr.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.any(|line| line.contains("symbols.opens")), "{signal}, {isolation}");
        let kill = Command::new("kill").args([format!("-{signal}"), run.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(run.wait().unwrap().code(), Some(5), "{signal}, {isolation}");
        let report: Value = serde_json::from_slice(&fs::read(json).unwrap()).unwrap();
        assert_eq!(report["run"]["ended"], "interrupted", "{report:#}");
        assert_eq!(report["summary"]["conforms"], false);
        assert_eq!(report["checks"].as_array().unwrap().len(), 1, "{report:#}");
        assert!(fs::read_to_string(junit).unwrap().contains("the run was interrupted"));
        assert_eq!(running_in(&work), [""; 0]);
        assert_eq!(fs::read_dir(&work).unwrap().count(), 0);
    });
}
