//! `watch` on clients in C, right ones and wrong ones, on the reference and on a release; and on what is no client.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::Value;
use tempfile::TempDir;
use tvm_ffi_fixtures::{LIBRARIES, compile, fail, include_dir, peers};
use tvm_ffi_spec::generation::today;
use tvm_ffi_verify::target::Target;

use crate::program;

/// The sources of clients.
fn sources(folder: &str) -> Vec<PathBuf> {
    let folder = include_dir().with_file_name("watched").join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut sources: Vec<_> = entries.filter(|path| path.extension().is_some_and(|kind| kind == "c")).collect();
    sources.sort();
    sources
}

fn source(folder: &str, name: &str) -> PathBuf {
    include_dir().with_file_name("watched").join(folder).join(name)
}

/// The libraries that clients are run on, each in a folder of its own: the reference and the newest release.
fn libraries() -> Vec<(TempDir, PathBuf)> {
    let in_folder = |wheel: Option<&Path>| {
        let folder = TempDir::new().unwrap();
        let library = Target::locate(wheel, today(), folder.path()).unwrap_or_else(|problem| panic!("{problem}")).path;
        (folder, library)
    };
    let newest = peers::newest();
    std::iter::once(None).chain(newest.as_deref().map(Some)).map(in_folder).collect()
}

/// Compiles a client beside the library that it is linked to.
fn compiled(source: &Path, library: &Path) -> PathBuf {
    let client = library.with_file_name(source.file_stem().unwrap());
    compile::program(source, library, &client).unwrap_or_else(|problem| fail(&problem));
    client
}

fn watch<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Output {
    program::run().arg("watch").args(args).env_remove("LD_LIBRARY_PATH").output().unwrap()
}

/// The exit code and the JSON of an answer, lost objects included.
fn json(client: &Path) -> (Option<i32>, Value) {
    let output =
        watch([OsStr::new("--leaks"), "--format".as_ref(), "json".as_ref(), "--".as_ref(), client.as_os_str()]);
    let answer = serde_json::from_slice(&output.stdout);
    let answer = answer.unwrap_or_else(|error| panic!("{}: {error}\n{}", client.display(), text(&output.stderr)));
    (output.status.code(), answer)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What stands after a word in the head of a source.
fn head(text: &str, word: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("// ")?.strip_prefix(word)?.strip_prefix(": "));
    lines.flat_map(|line| line.split(", ")).map(str::to_owned).collect()
}

fn rules(answer: &Value) -> BTreeSet<String> {
    let findings = answer["findings"].as_array().unwrap().iter();
    findings.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

/// What goes wrong with each of the sources on each library, several at a time.
fn on_all(sources: &[PathBuf], try_out: impl Fn(&Path, &Path) -> Result<(), String> + Sync) -> Vec<String> {
    let libraries = libraries();
    let tasks: Vec<_> =
        libraries.iter().flat_map(|(_, library)| sources.iter().map(move |source| (library, source))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut problems = Vec::new();
        while let Some((library, source)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let client = compiled(source, library);
            if let Err(problem) = try_out(source, &client) {
                problems.push(format!("{} on {}: {problem}", source.display(), library.display()));
            }
        }
        problems
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn each_bad_client_is_found_by_the_rule_that_it_breaks() {
    let sources = sources("bad");
    assert!(sources.len() >= 25, "{}", sources.len());
    let wrong = on_all(&sources, |source, client| {
        let text = fs::read_to_string(source).unwrap();
        let expected: BTreeSet<_> = [head(&text, "breaks"), head(&text, "also")].concat().into_iter().collect();
        let (code, answer) = json(client);
        let level = |finding: &Value| finding["level"] == "MUST";
        let counts = answer["findings"].as_array().unwrap().iter().any(level);
        let is_right = rules(&answer) == expected && code == Some(i32::from(counts));
        if is_right { Ok(()) } else { Err(format!("exit code {code:?}, expected {expected:?}: {answer:#}")) }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let heads = sources.iter().map(|source| fs::read_to_string(source).unwrap());
    let broken: BTreeSet<_> = heads.flat_map(|text| head(&text, "breaks")).collect();
    let rules: BTreeSet<_> = tvm_ffi_reports::watch::rules::RULES.iter().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(broken, rules, "each rule has a client that breaks it");
}

#[test]
fn of_good_clients_nothing_is_reported() {
    let wrong = on_all(&sources("good"), |_, client| {
        let (code, answer) = json(client);
        let is_right = (code, &answer["program"]["code"]) == (Some(0), &0.into()) && rules(&answer).is_empty();
        if is_right { Ok(()) } else { Err(format!("exit code {code:?}: {answer:#}")) }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_finding_tells_the_object_where_it_was_made_and_where_it_ended() {
    let (folder, library) = libraries().swap_remove(0);
    let client = compiled(&source("bad", "passed_after_release.c"), &library);
    let (_, answer) = json(&client);
    let finding = &answer["findings"][0];
    let functions = |key: &str| -> Vec<String> {
        let frames = finding[key].as_array().unwrap().iter();
        frames.filter_map(|frame| frame["function"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!((&finding["call"], &finding["object"]), (&"TVMFFIFunctionCall".into(), &"ffi.String".into()));
    assert_eq!(finding["made_by"], "TVMFFIStringFromByteArray");
    assert_eq!((&*functions("made")[0], &*functions("at")[0]), ("string", "main"));
    assert!(functions("ended").contains(&"main".to_owned()), "{finding:#}");
    assert!(!finding["clauses"].as_array().unwrap().is_empty());
    assert_eq!(answer["processes"][0]["library"], library.canonicalize().unwrap().display().to_string());
    drop(folder);
}

#[test]
fn every_process_of_a_program_is_watched() {
    let (folder, library) = libraries().swap_remove(0);
    let (_, answer) = json(&compiled(&source("good", "processes.c"), &library));
    assert_eq!(answer["processes"].as_array().unwrap().len(), 3, "{answer:#}");
    let client = compiled(&source("bad", "released_twice.c"), &library);
    let script = format!("{} & wait; exit 7", client.display());
    let output = watch(["--format", "json", "--", "sh", "-c", &script]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["program"]["code"]), (Some(1), &7.into()));
    assert_eq!(rules(&answer), BTreeSet::from(["used-after-end".to_owned()]));
    drop(folder);
}

#[test]
fn a_program_is_run_on_another_library_than_its_own() {
    let (folder, library) = libraries().swap_remove(0);
    let client = compiled(&source("good", "values.c"), &library);
    let output = watch(["--library", "reference", "--format", "json", "--", client.to_str().unwrap()]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let used = answer["processes"][0]["library"].as_str().unwrap();
    assert_eq!(output.status.code(), Some(0), "{answer:#}");
    assert_ne!(Path::new(used), library.canonicalize().unwrap());
    drop(folder);
}

#[test]
fn what_the_program_prints_does_not_meet_the_answer() {
    let (folder, library) = libraries().swap_remove(0);
    let client = compiled(&source("bad", "strings_lost.c"), &library);
    let client = client.to_str().unwrap();
    let output = watch(["--", client]);
    assert!(text(&output.stderr).contains("8600"), "{}", text(&output.stderr));
    assert!(text(&output.stdout).ends_with("1 process watched: nothing found; the program ended with exit code 0\n"));
    let quiet = watch(["--quiet", "--leaks", "--", client]);
    assert_eq!(
        (quiet.status.code(), text(&quiet.stdout), text(&quiet.stderr)),
        (Some(1), "8600\n".into(), String::new())
    );
    drop(folder);
}

#[test]
fn every_format_has_what_was_found() {
    let (folder, library) = libraries().swap_remove(0);
    let client = compiled(&source("bad", "boolean_of_two.c"), &library);
    for (format, words) in [
        ("text", "FAIL  boolean"),
        ("json", "\"rule\": \"boolean\""),
        ("sarif", "\"ruleId\": \"boolean\""),
        ("markdown", "| error | boolean |"),
        ("html", "boolean"),
        ("junit", "boolean"),
        ("github", "::error"),
    ] {
        let output = watch(["--format", format, "--", client.to_str().unwrap()]);
        assert!(text(&output.stdout).contains(words), "{format}: {}", text(&output.stdout));
        assert_eq!(output.status.code(), Some(1), "{format}");
    }
    drop(folder);
}

#[test]
fn rules_that_are_only_mentioned_count_when_that_is_asked() {
    let (folder, library) = libraries().swap_remove(0);
    let client = compiled(&source("bad", "status_of_its_own.c"), &library);
    let client = client.to_str().unwrap();
    assert_eq!(watch(["--quiet", "--", client]).status.code(), Some(0));
    assert_eq!(watch(["--quiet", "--strict", "--", client]).status.code(), Some(1));
    drop(folder);
}

#[test]
fn a_program_that_is_no_client_says_nothing() {
    let output = watch(["--", "true"]);
    let told = "no process called the library; the program ended with exit code 0\n";
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(4), told.to_owned()));
}

#[test]
fn what_cannot_be_run_is_told_in_one_line() {
    let refused = |args: &[&str], words: &[&str]| {
        let output = watch(args);
        let told = text(&output.stderr);
        let is_one_line = told.starts_with("tvm-ffi-verify: ") && told.trim_end().lines().count() == 1;
        let has_words = words.iter().all(|word| told.contains(word));
        assert!(output.status.code() == Some(2) && is_one_line && has_words, "{args:?}: {told}");
    };
    refused(&["--", "/does/not/exist"], &["/does/not/exist", "cannot be run"]);
    refused(&["--library", "missing.so", "--", "true"], &["missing.so", "does not exist"]);
}

/// The loader that the documents print, and kernels that it loads, do nothing wrong.
#[test]
fn the_programs_of_the_documents_do_nothing_wrong() {
    for (folder, library) in libraries() {
        let source = include_dir().with_file_name("programs").join("load.c");
        let loader = compiled(&source, &library);
        for (name, bytes) in LIBRARIES {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let mut command: Command = program::run();
        command.args(["watch", "--leaks", "--format", "json", "--"]).arg(&loader);
        command.arg(folder.path().join("add_one_cpu.so")).arg("add_one_cpu").env_remove("LD_LIBRARY_PATH");
        let output = command.output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), rules(&answer)), (Some(0), BTreeSet::new()), "{answer:#}");
    }
}

#[test]
fn the_readme_shows_what_is_printed() {
    let (folder, library) = libraries().swap_remove(0);
    let client = compiled(&source("bad", "passed_after_release.c"), &library);
    let printed = text(&watch(["--", client.to_str().unwrap()]).stdout);
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    // Where in the code it happened is the compiler's affair.
    for line in printed.lines().map(|line| line.split("+0x").next().unwrap()) {
        assert!(readme.contains(line), "{line:?} is printed, and not in the README");
    }
    drop(folder);
}
