//! Where reports go: never over what the run reads, and never where writing might wait for ever.

use std::{
    fs,
    os::{
        fd::OwnedFd,
        unix::{fs::symlink, net::UnixListener},
    },
    path::Path,
    process::{Command, Output, Stdio},
};

use crate::program;

const QUICK: &[&str] = &["check", "--only", "symbols.opens", "--progress", "none"];

/// Runs the program in a folder; it has a minute.
fn run(folder: &Path, args: &[&str]) -> Output {
    let mut limited = Command::new("timeout");
    limited.args(["-s", "KILL", "60"]).arg(program::path()).args(args).current_dir(folder);
    limited.output().unwrap()
}

/// That the program refuses these arguments in one line, which says this.
fn is_refused(folder: &Path, args: &[&str], expected: &str) {
    let output = run(folder, args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{args:?}: {said}");
    assert!(said.contains(expected), "{args:?}: {said}");
    assert!(output.stdout.is_empty(), "{args:?}");
}

#[test]
fn what_a_run_reads_is_never_written_over() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let settings = "level = \"must\"\n";
    for name in ["tvm-ffi-verify.toml", "other.toml"] {
        fs::write(folder.join(name), settings).unwrap();
    }
    fs::copy(program::path(), folder.join("copied")).unwrap();
    fs::hard_link(folder.join("copied"), folder.join("linked")).unwrap();
    symlink("copied", folder.join("leads-there")).unwrap();
    symlink("other.toml", folder.join("leads-to-other")).unwrap();
    fs::create_dir_all(folder.join("library")).unwrap();
    fs::write(folder.join("library/libtvm_ffi.so"), b"\x7fELF and so on").unwrap();
    fs::write(folder.join("kept.whl"), b"PK\x03\x04 and so on").unwrap();
    fs::write(folder.join("kept.a"), b"!<arch>\nand so on").unwrap();
    let report = |name: &str| format!("json={name}");
    let own = [QUICK, &["--report"]].concat();
    let cases: &[(&[&str], &str, &str)] = &[
        (&own, "tvm-ffi-verify.toml", "is the settings, and would be written over"),
        (
            &[QUICK, &["--config", "other.toml", "--report"]].concat(),
            "leads-to-other",
            "is the settings, and would be written over",
        ),
        (&own, program::path().to_str().unwrap(), "is this program, and would be written over"),
        (&own, "copied", "is a library or a program, and would be written over"),
        (&["matrix", "no.json", "--report"], program::path().to_str().unwrap(), "is this program"),
        (&["audit", "library", "--report"], "library/libtvm_ffi.so", "is a library or a program"),
        (&["kernel", "library", "--report"], "kept.whl", "is a wheel or another archive"),
        (&["audit", "library", "--report"], "kept.a", "is an archive of object files"),
    ];
    for (args, path, expected) in cases {
        is_refused(folder, &[args, [report(path).as_str()].as_slice()].concat(), expected);
    }
    // A list of nothing and settings of nothing may be one file.
    fs::write(folder.join("empty.toml"), "").unwrap();
    let bless = [QUICK, &["--config", "empty.toml", "--bless", "--known-failures", "empty.toml"]].concat();
    is_refused(folder, &bless, "empty.toml: is the settings, and would be written over");
    // By whatever name it was started.
    for started in ["copied", "linked", "leads-there"] {
        for path in ["copied", "linked", "leads-there"] {
            let output = Command::new(folder.join(started))
                .args([QUICK, &["--report", &report(path)]].concat())
                .current_dir(folder)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code() == Some(2) && said.contains("is this program"), "{started}, {path}: {said}");
        }
    }
    // Programs of failures, too.
    fs::create_dir(folder.join("programs")).unwrap();
    symlink("../other.toml", folder.join("programs/symbols.opens.c")).unwrap();
    let programs = [QUICK, &["--config", "other.toml", "--programs", "programs"]].concat();
    is_refused(folder, &programs, "is the settings, and would be written over");
    assert_eq!(fs::read_to_string(folder.join("tvm-ffi-verify.toml")).unwrap(), settings);
    assert_eq!(fs::read_to_string(folder.join("other.toml")).unwrap(), settings);
    // A text is a report from before, as far as anyone can tell.
    fs::write(folder.join("before.json"), "{}").unwrap();
    assert_eq!(run(folder, &[&own, [report("before.json").as_str()].as_slice()].concat()).status.code(), Some(0));
    assert!(fs::read_to_string(folder.join("before.json")).unwrap().contains("symbols.opens"));
}

#[test]
fn a_report_goes_nowhere_that_might_wait_for_ever() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
    symlink("pipe", folder.join("leads-to-pipe")).unwrap();
    let _socket = UnixListener::bind(folder.join("socket")).unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    for (path, expected) in [
        ("pipe", "is a named pipe; a report is a regular file"),
        ("leads-to-pipe", "is a named pipe; a report is a regular file"),
        ("socket", "is a socket; a report is a regular file"),
        ("folder", "is a directory; a report is a file"),
        ("/dev/zero", "is a device; a report is a regular file"),
    ] {
        is_refused(folder, &[QUICK, &["--report", &format!("json={path}")]].concat(), expected);
    }
    // What a run finds there at its end that was not there when it began is refused then.
    fs::create_dir(folder.join("programs")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("programs/symbols.opens.c")).status().unwrap().success());
    is_refused(folder, &[QUICK, &["--programs", "programs"]].concat(), "is a named pipe");
}

/// What the program was started with takes a report, whatever it is.
#[test]
fn a_report_goes_to_what_the_program_was_started_with() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let is_report = |bytes: &[u8]| {
        let report: serde_json::Value = serde_json::from_slice(bytes).unwrap_or_else(|error| {
            panic!("{error}: {}", String::from_utf8_lossy(bytes));
        });
        assert_eq!(report["checks"][0]["id"], "symbols.opens");
    };
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"] {
        let output = run(folder, &[QUICK, &["--quiet", "--report", &format!("json={path}")]].concat());
        assert_eq!(output.status.code(), Some(0), "{path}: {}", String::from_utf8_lossy(&output.stderr));
        is_report(&output.stdout);
    }
    let output = run(folder, &[QUICK, &["--quiet", "--report", "json=/dev/null"]].concat());
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(0), 0, 0));
    let shell = |script: &str| {
        let output = Command::new("timeout")
            .args(["-s", "KILL", "60", "bash", "-c", script])
            .arg(program::path())
            .args(QUICK)
            .arg("--quiet")
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    };
    // As shells do it with another process.
    shell(r#""$0" "$@" --report json=>(cat > substituted); wait $!"#);
    shell(r#""$0" "$@" --report json=/dev/fd/7 7>&1 | cat > piped"#);
    shell(r#""$0" "$@" --report json=/dev/stdout > redirected"#);
    for name in ["substituted", "piped", "redirected"] {
        is_report(&fs::read(folder.join(name)).unwrap());
    }
    // A socket cannot be opened by a name.
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
    let mut started = program::run();
    started.args(QUICK).args(["--quiet", "--report", "json=/dev/stdout"]).stdout(Stdio::from(OwnedFd::from(theirs)));
    let reader = std::thread::spawn(move || std::io::read_to_string(ours).unwrap());
    let status = started.status().unwrap();
    drop(started);
    assert_eq!(status.code(), Some(0));
    is_report(reader.join().unwrap().as_bytes());
}
