//! The command line: what it says, and what it exits with.

mod look_up;
mod outputs;
mod terminal;
mod version;

use std::{fs, path::Path};

use snapbox::{cmd::Command, str};

use crate::program;

/// The command under test. Colours, terminals and widths must not change what it prints.
fn verify() -> Command {
    Command::new(program::path())
}

/// Checks that are quick and need little.
const QUICK: &[&str] = &["check", "--only", "symbols.", "--seed", "17", "--progress", "none"];

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_reference_conforms_without_an_argument() {
    verify().args(QUICK).assert().code(0).stdout_eq(str![[r#"
target            [..]libtvm_ffi.so
from              the reference, built into this program
sha256            [..]
claims version    0.1.16
has               core, type-keys, init-once, unsafe-view, error-cause, mutable-containers,
...

[..] checks · [..] pass · [..] clauses decided · [..]
conforms

"#]]);
}

#[test]
fn what_is_not_a_target_is_refused_in_one_line() {
    let scratch = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = scratch.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let elf = fs::read(program::path()).unwrap();
    let mut other_machine = elf.clone();
    other_machine[18..20].copy_from_slice(&183_u16.to_le_bytes());
    let mut other_class = elf.clone();
    other_class[4] = 1;
    let special = |name: &str, command: &str| {
        let path = scratch.path().join(name);
        assert!(std::process::Command::new(command).arg(&path).status().unwrap().success());
        path.display().to_string()
    };
    let sparse = |name: &str| {
        let path = scratch.path().join(name);
        fs::File::create(&path).unwrap().set_len(4 << 30).unwrap();
        path.display().to_string()
    };
    // A wheel whose library is a text; `size` is what the wheel says of it.
    let wheel = |name: &str, size: Option<u32>| {
        let mut wheel = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        wheel.start_file("tvm_ffi/lib/libtvm_ffi.so", zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut wheel, b"no library").unwrap();
        let mut bytes = wheel.finish().unwrap().into_inner();
        if let Some(size) = size {
            let directory = bytes.windows(4).position(|word| word == b"PK\x01\x02").unwrap();
            bytes[directory + 24..directory + 28].copy_from_slice(&size.to_le_bytes());
        }
        file(name, &bytes)
    };
    fs::create_dir(scratch.path().join("folder")).unwrap();
    let folder_with_pipe = scratch.path().join("folder").display().to_string();
    special("folder/libtvm_ffi.so", "mkfifo");
    let circle = scratch.path().join("circle.so");
    std::os::unix::fs::symlink(&circle, &circle).unwrap();
    let any_library = || {
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        maps.lines()
            .find_map(|line| line.find("/").map(|at| &line[at..]).filter(|path| path.contains("libc.so")))
            .unwrap()
            .to_owned()
    };
    let mut wheel_without = zip::ZipWriter::new(fs::File::create(scratch.path().join("empty.whl")).unwrap());
    wheel_without.start_file("tvm_ffi/__init__.py", zip::write::SimpleFileOptions::default()).unwrap();
    wheel_without.finish().unwrap();
    let cases: &[(String, &str)] = &[
        (scratch.path().join("nowhere.so").display().to_string(), "does not exist"),
        (scratch.path().display().to_string(), "holds no libtvm_ffi.so"),
        (file("text.so", b"int main(void) { return 0; }\n"), "is text, not an ELF file"),
        (file("empty.so", b""), "is empty"),
        (file("noise.so", &[0xff; 64]), "is not a well-formed ELF file"),
        (file("truncated.so", &elf[..40]), "is not a well-formed ELF file"),
        (file("arm.so", &other_machine), "Aarch64"),
        (program::path().display().to_string(), "tvm-ffi-verify"),
        (file("truncated.whl", b"PK\x03\x04"), "is not a readable wheel"),
        (scratch.path().join("empty.whl").display().to_string(), "is a wheel without tvm_ffi/lib/libtvm_ffi.so"),
        (special("pipe.so", "mkfifo"), "is not a regular file"),
        (special("pipe.whl", "mkfifo"), "is not a regular file"),
        ("/dev/zero".to_owned(), "is not a regular file"),
        // A regular file, which whoever may read it would wait for.
        ("/proc/kmsg".to_owned(), "/proc/kmsg: "),
        (sparse("sparse.so"), "has 4096 MiB"),
        (sparse("sparse.whl"), "has 4096 MiB"),
        (folder_with_pipe, "holds no libtvm_ffi.so"),
        (circle.display().to_string(), "symbolic links"),
        (wheel("bomb.whl", Some(u32::MAX - 1)), "holds a library of more than 1024 MiB"),
        (wheel("noise.whl", None), "is text, not an ELF file"),
        (file("archive.so", b"!<arch>\n"), "is text, not an ELF file"),
        (file("bits.so", &other_class), "ELF"),
        (any_library(), "has no function of the ABI"),
    ];
    for (target, expected) in cases {
        let output = verify().args(["check", target, "--progress", "none"]).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{target}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{target}: {stderr}");
        assert!(stderr.starts_with("tvm-ffi-verify: ") && stderr.contains(expected), "{target}: {stderr}");
        assert!(output.stdout.is_empty(), "{target}");
    }
}

/// A shell's limits are no fault of the target.
#[test]
fn few_open_files_are_enough() {
    for limit in ["-Sn 64", "-n 64"] {
        let script = format!("ulimit {limit}; exec \"$0\" check --only string --only c11 --progress none");
        let output = Command::new("sh").args(["-c", &script]).arg(program::path()).output().unwrap();
        assert!(output.status.success(), "{limit}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn a_run_without_a_folder_says_what_to_do() {
    for command in [&["check"] as &[_], &["compare", "reference", "reference"], &["watch", "true"]] {
        let output = verify().args(command).env("TMPDIR", "/nonexistent").output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{command:?}: {stderr}");
        let line = "tvm-ffi-verify: no folder can be made in /nonexistent: entity not found; set TMPDIR to a folder";
        assert!(stderr.starts_with(line) && stderr.lines().count() == 1, "{command:?}: {stderr}");
    }
}

#[test]
fn mistakes_on_the_command_line_are_usage_errors() {
    let cases: &[(&[&str], &str)] = &[
        (&["check", "--only", "no.such-check"], "no check and no clause is named `no.such-check`"),
        (&["check", "--only", "map.modle"], "similar: map.model"),
        (&["check", "--skip", "STR-0100"], "similar: STR-"),
        (&["check", "--only", "["], "is not a pattern"),
        (&["check", "--report", "xml=x"], "`xml` is not a report format"),
        (&["check", "--report", "json"], "expected FORMAT=PATH"),
        (&["check", "--timeout", "0"], "above 0"),
        (&["check", "--jobs", "0"], "--jobs"),
        (&["check", "--bless"], "--known-failures"),
        (&["check", "--require", "9.9.9"], "`9.9.9` is neither a release"),
        (&["check", "--profile", "half"], "--profile"),
        (&["check", "--memory", "much"], "expected a size"),
        (&["check", "--programs", "/dev/null"], "/dev/null"),
        (&["check", "--programs", "/tmp", "--repeat", "0"], "--repeat 0"),
        (&["check", "--config", "/nonexistent.toml"], "/nonexistent.toml"),
        (&["check", "--baseline", "/nonexistent.json"], "/nonexistent.json"),
        (&["check", "--report", "json=/nonexistent/report.json"], "cannot be written"),
        (&["check", "--report", "json=/tmp"], "is a directory"),
        (&["check", "--report", "json=-", "--report", "junit=-"], "is another report"),
        (&["check", "--known-failures", "/nonexistent/list.toml"], "/nonexistent/list.toml"),
        (&["explain", "XYZ-0001"], "nothing is named `XYZ-0001`"),
        (&["frobnicate"], "frobnicate"),
    ];
    for (args, expected) in cases {
        let output = verify().args(*args).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
    }
}

#[test]
fn nothing_to_run_is_not_a_pass() {
    verify().args(["check", "--only", "symbols.", "--skip", "symbols."]).assert().code(4).stdout_eq("").stderr_eq(
        str![[r#"
tvm-ffi-verify: no check is left to run; nothing can be said of the target

"#]],
    );
}

#[test]
fn reports_are_written_beside_the_output() {
    let scratch = tempfile::tempdir().unwrap();
    let (json_path, junit_path) = (scratch.path().join("report.json"), scratch.path().join("report.xml"));
    let reports = [format!("json={}", json_path.display()), format!("junit={}", junit_path.display())];
    verify().args(QUICK).args(["--report", &reports[0], "--report", &reports[1]]).assert().code(0);

    let report = json(&json_path);
    assert_eq!(report["target"]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(report["run"]["seed"], 17);
    assert_eq!(report["summary"]["conforms"], true);
    let checks = report["checks"].as_array().unwrap();
    assert!(!checks.is_empty());
    for check in checks {
        assert_eq!(check["outcome"], "pass");
        assert!(check["id"].as_str().unwrap().starts_with("symbols."));
        let rerun = format!("tvm-ffi-verify check --only {} --seed 17", check["id"].as_str().unwrap());
        assert_eq!(check["rerun"], rerun.as_str());
    }
    let junit = fs::read_to_string(junit_path).unwrap();
    assert_eq!(junit.matches("<testcase ").count(), checks.len());
}

#[test]
fn findings_are_written_for_code_scanning_and_summaries() {
    let scratch = tempfile::tempdir().unwrap();
    let (sarif, markdown) = (scratch.path().join("found.sarif"), scratch.path().join("found.md"));
    let reports = [format!("sarif={}", sarif.display()), format!("markdown={}", markdown.display())];
    let args = ["--require", "0.1.9", "--quiet", "--report", &reports[0], "--report", &reports[1]];
    verify().args(QUICK).args(args).assert().code(0).stdout_eq("").stderr_eq("");
    let (document, page) = (json(&sarif), fs::read_to_string(&markdown).unwrap());
    assert_eq!(
        (&document["version"], &document["runs"][0]["invocations"][0]["exitCode"]),
        (&"2.1.0".into(), &0.into())
    );
    assert!(page.starts_with("# tvm-ffi-verify check\n\n**conforms**\n") && !page.contains("## Findings"), "{page}");
    verify().args(QUICK).args(["--quiet", "--format", "json"]).assert().code(2);
}

#[test]
fn a_fresh_process_for_each_check_finds_the_same() {
    let run = |isolation: &str| {
        let output = verify().args(QUICK).args(["--format", "json", "--isolation", isolation]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let outcomes =
            report["checks"].as_array().unwrap().iter().map(|check| (check["id"].clone(), check["outcome"].clone()));
        outcomes.collect::<Vec<_>>()
    };
    assert_eq!(run("shared"), run("fork"));
    assert_eq!(run("fork"), run("exec"));
}

#[test]
fn an_untrue_list_of_known_failures_is_a_failure() {
    let scratch = tempfile::tempdir().unwrap();
    let list = scratch.path().join("known.toml");
    let entry = |check: &str| format!("[[known]]\ncheck = \"{check}\"\noutcome = \"fail\"\nreason = \"a reason\"\n");
    let cases = [
        (entry("symbols.opens"), "known failure `symbols.opens` does not happen any more; remove it"),
        (entry("nothing.at-all"), "known failure `nothing.at-all` names no check"),
        (entry("symbols.opens").repeat(2), "known failure `symbols.opens` is listed twice"),
    ];
    for (text, expected) in cases {
        fs::write(&list, text).unwrap();
        let output = verify().args(QUICK).arg("--known-failures").arg(&list).output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{stdout}");
        assert!(
            stdout.contains(expected) && stdout.contains("does not conform: ") && stdout.contains(" not true"),
            "{stdout}"
        );
    }
    // What is not part of this run may be listed.
    fs::write(&list, entry("string.*")).unwrap();
    verify().args(QUICK).arg("--known-failures").arg(&list).assert().code(0);
    fs::write(&list, "[[known]]\ncheck = 1\n").unwrap();
    verify().args(QUICK).arg("--known-failures").arg(&list).assert().code(2);
}

#[test]
fn list_and_abi_print_for_people_and_for_programs() {
    for args in [
        &["list"][..],
        &["list", "clauses"],
        &["abi"],
        &["abi", "structs"],
        &["abi", "constants"],
        &["abi", "capabilities"],
    ] {
        let output = verify().args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(output.stdout.len() > 100, "{args:?}");
        let output = verify().args(args).args(["--format", "json"]).output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}"));
    }
    let abi = verify().args(["abi"]).output().unwrap();
    let functions = String::from_utf8(abi.stdout).unwrap();
    assert_eq!(functions.lines().filter(|line| line.contains(" TVMFFI") && !line.starts_with(' ')).count(), 50);
}

#[test]
fn exit_codes_are_documented() {
    let help = String::from_utf8(verify().arg("--help").output().unwrap().stdout).unwrap();
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    use tvm_ffi_reports::exit;
    for code in [
        exit::CONFORMS,
        exit::DOES_NOT_CONFORM,
        exit::USAGE,
        exit::HARNESS_FAILED,
        exit::NOTHING_RAN,
        exit::INTERRUPTED,
    ] {
        assert!(help.contains(&format!("\n  {code}  ")), "--help says nothing of exit code {code}");
        assert!(readme.contains(&format!("| {code} |")), "the README says nothing of exit code {code}");
    }
}

#[test]
fn one_check_at_a_time_is_run_in_the_program_itself() {
    let one = ["check", "--only", "symbols.opens", "--seed", "17", "--progress", "none", "--in-process"];
    verify().args(one).assert().code(0);
    verify().args(QUICK).arg("--in-process").assert().code(2).stderr_eq(str![[r#"
tvm-ffi-verify: --in-process runs one check, and [..] are selected

"#]]);
}

/// What the suite itself has no room for says nothing of a library.
#[test]
fn what_takes_more_memory_than_is_allowed_is_not_applicable() {
    let mut command = program::run();
    command.args([
        "check",
        "--progress",
        "none",
        "--memory",
        "200M",
        "--only",
        "error.of-a-crowd",
        "--only",
        "object.dec-made",
    ]);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("NOT APPLICABLE  hundreds of threads take more memory"), "{text}");
}
