//! `docs --out`: the pages, the manual and the completions, as their readers take them.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use tempfile::TempDir;

use crate::program;

fn run(args: &[&str]) -> Output {
    program::run().args(args).output().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// A folder with the documentation in it.
fn written() -> TempDir {
    let folder = TempDir::new().unwrap();
    let output = run(&["docs", "--out", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stderr));
    assert!(text(output.stdout).lines().all(|path| Path::new(path).is_file()));
    folder
}

#[test]
fn the_list_of_checksums_is_that_of_the_files() {
    let folder = written();
    let status = Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&folder).status();
    assert!(status.unwrap().success());
    assert!(fs::read_to_string(folder.path().join("index.html")).unwrap().starts_with("<!DOCTYPE html>"));
}

#[test]
fn every_command_has_a_page_of_the_manual_with_all_its_options() {
    let folder = written();
    let commands = text(run(&["--help"]).stdout);
    let (_, commands) = commands.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty()).filter_map(|line| {
        // What is indented further goes on with the line before.
        line.strip_prefix("  ").filter(|line| !line.starts_with(' ')).and_then(|line| line.split(' ').next())
    });
    let mut pages = 0;
    for command in commands.filter(|command| *command != "help") {
        let page = folder.path().join(format!("man/man1/tvm-ffi-verify-{command}.1"));
        let page = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        let help = text(run(&[command, "--help"]).stdout);
        let options = help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2);
        for option in options.map(|word| word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric())) {
            let spelled = option.replace('-', "\\-");
            assert!(page.contains(&spelled) || page.contains(option), "the page of {command} lacks {option}");
        }
        pages += 1;
    }
    assert!(pages >= 8, "{pages} pages");
    assert!(folder.path().join("man/man1/tvm-ffi-verify.1").is_file());
}

#[test]
fn a_shell_takes_the_completions() {
    let folder = written();
    let script = "
        source completions/tvm-ffi-verify.bash
        COMP_WORDS=(tvm-ffi-verify chec) COMP_CWORD=1
        $(complete -p tvm-ffi-verify | sed 's/.*-F \\([^ ]*\\) .*/\\1/') tvm-ffi-verify chec tvm-ffi-verify
        echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-euc", script]).current_dir(&folder).output().unwrap();
    assert_eq!(text(output.stdout).trim(), "check", "{}", text(output.stderr));
    for script in fs::read_dir(folder.path().join("completions")).unwrap() {
        let path = script.unwrap().path();
        assert!(!fs::read_to_string(&path).unwrap().contains("__child"), "{} offers what is internal", path.display());
    }
}

#[test]
fn nobodys_files_are_written_over() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("index.html"), "mine").unwrap();
    let out = folder.path().to_str().unwrap();
    let output = run(&["docs", "--out", out]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(output.stderr).contains("index.html: was not written by this command; --force writes over it"));
    assert_eq!(fs::read_to_string(folder.path().join("index.html")).unwrap(), "mine");
    assert_eq!(run(&["docs", "--out", out, "--force", "--quiet"]).status.code(), Some(0));
    assert_eq!(run(&["docs", "--out", out, "--quiet"]).status.code(), Some(0));
}
