//! What a terminal shows, and what a pipe gets.

use std::{
    fs::File,
    io::Read,
    process::{Command, Stdio},
};

use nix::pty::{Winsize, openpty};
use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::abi::abi;

use super::program;

/// Checks of which the newest release breaks some, MUST and SHOULD, and some are not applicable to it.
const MIXED: &str = "dtype.";

fn program() -> Command {
    program::run()
}

/// What the program writes to a terminal of so many columns.
fn on_terminal(columns: u16, args: &[&str], variables: &[(&str, &str)]) -> String {
    let pty = openpty(&Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }, None).unwrap();
    let slave = || Stdio::from(pty.slave.try_clone().unwrap());
    let mut command = program();
    command.args(args).env("TERM", "xterm").env_remove("NO_COLOR").envs(variables.iter().copied());
    let mut child = command.stdin(slave()).stdout(slave()).stderr(slave()).spawn().unwrap();
    // A terminal ends when nobody is left who could write to it, which reading it says with an error.
    drop((command, pty.slave));
    let (mut terminal, mut shown, mut some) = (File::from(pty.master), Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = terminal.read(&mut some) {
        shown.extend(&some[..count]);
    }
    child.wait().unwrap();
    String::from_utf8_lossy(&shown).replace("\r\n", "\n")
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// What stands on one line however narrow the terminal: commands, to be copied, and single words.
fn may_be_long(line: &str) -> bool {
    let copied = ["rerun ", "see ", "debug "].iter().any(|key| line.trim_start().starts_with(key));
    copied || line.split_whitespace().count() <= 2
}

#[track_caller]
fn fits(text: &str, columns: u16) {
    let fits = |line: &&str| line.chars().count() <= columns.into() || may_be_long(line);
    let long: Vec<_> = text.lines().filter(|line| !fits(line)).collect();
    assert!(long.is_empty(), "{columns} columns: {long:#?}");
}

#[test]
fn text_is_wrapped_to_the_terminal() {
    let wheel = peers::wheel(&abi().newest_peer().name).map(|wheel| wheel.display().to_string());
    let mut check = vec!["check", "--only", MIXED, "--progress", "none"];
    check.extend(wheel.as_deref());
    let looked_up = [
        &["explain", "STR-0001"][..],
        &["explain", "TVMFFIAny"],
        &["list", "clauses"],
        &["abi"],
        &["abi", "constants"],
    ];
    for columns in [60, 80, 120] {
        let shown = plain(&on_terminal(columns, &check, &[]));
        assert!(shown.contains("conform"), "{shown}");
        fits(&shown, columns);
        for args in looked_up {
            let shown = plain(&on_terminal(columns, args, &[]));
            // An example is a program, which is not to be changed.
            fits(shown.split("\n//").next().unwrap(), columns);
        }
    }
}

#[test]
fn a_statement_is_one_line_in_a_pipe() {
    let list = program().args(["list", "clauses"]).output().unwrap();
    let clauses = tvm_ffi_spec::clause::clauses().count();
    let lines = String::from_utf8(list.stdout).unwrap().lines().filter(|line| line.starts_with("  ")).count();
    assert_eq!(lines, clauses);
    let Some(wheel) = peers::wheel(&abi().newest_peer().name) else { return };
    let output = program().args(["check", "--only", MIXED, "--progress", "none"]).arg(wheel).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let verdict = "does not conform: 5 clauses broken (DTY-0018, DTY-0019, DTY-0020, DTY-0028, DTY-0032); ";
    assert!(text.lines().last().unwrap().starts_with(verdict), "{text}");
    let remark = "SHOULD  DTY-0031  NULL in the place of a text, of its data while the length is not zero, of a data type or of \
                  a result is refused with an error. (3 crash)";
    assert_eq!(text.matches("DTY-0031").count(), 1, "{text}");
    assert!(text.lines().any(|line| line == remark), "{text}");
    let rule = "NOT APPLICABLE  DTY-0005 was given up with the capability type-keys: 2 checks";
    assert!(text.lines().any(|line| line == rule), "{text}");
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let check = &["check", "--only", "symbols.", "--progress", "none"];
    assert!(on_terminal(80, check, &[]).contains('\u{1b}'));
    assert!(!on_terminal(80, check, &[("NO_COLOR", "1")]).contains('\u{1b}'));
    assert!(!program().args(check).output().unwrap().stdout.contains(&0x1b));
}

#[test]
fn the_bar_shows_failures_and_time() {
    let shown = plain(&on_terminal(80, &["check", "--only", "symbols."], &[]));
    let bars: Vec<_> = shown.split(['\r', '\n']).filter(|line| line.contains(" · 0 failed · ")).collect();
    assert!(!bars.is_empty(), "{shown}");
    for bar in bars {
        let time = bar.split(" · ").nth(2).unwrap();
        assert!(time.starts_with(|c: char| c.is_ascii_digit()) && bar.chars().count() <= 80, "{bar}");
    }
    // Nothing is left of it, and a pipe gets none.
    let output = program().args(["check", "--only", "symbols."]).output().unwrap();
    assert!(output.stderr.is_empty());
    assert!(shown.trim_end().ends_with("conforms"), "{shown}");

    let Some(wheel) = peers::wheel(&abi().newest_peer().name) else { return };
    let wheel = wheel.display().to_string();
    let shown = plain(&on_terminal(80, &["check", "--only", "dtype.endless-numbers", &wheel], &[]));
    assert!(shown.contains("1/1 · 1 failed · "), "{shown}");
}

#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    for args in [&["check", "--only", "symbols."][..], &["list"], &["explain", "STR"], &["abi", "--format", "json"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = program().args(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && complaints.is_empty(), "{args:?}: {:?} {complaints}", output.status);
    }
}
