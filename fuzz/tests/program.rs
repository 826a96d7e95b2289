//! Programs of any calls in any order: no program harms the reference, and it does what the release does.

use std::{process::Command, time::Duration};

use tvm_ffi_fixtures::{compile, include_dir, tools::Language};
use tvm_ffi_fuzz::{
    program::{
        c_text, catalogue,
        lockstep::{Lockstep, STEP},
    },
    target,
};
use tvm_ffi_spec::generation::today;
use tvm_ffi_verify::{side_by_side, target::Target};

/// How long an input is at most: forty operations. Programs shrink themselves, an operation at a time.
const LENGTH: usize = 40 * STEP;

/// Under a fuzzing engine programs run in its own process, where it sees which code they reach; otherwise each in one of
/// its own, so that what ends it is an answer, too.
fn run(lockstep: &Lockstep, bytes: &[u8]) {
    if cfg!(fuzzing) {
        lockstep.run(bytes);
    } else if let Some(problem) = lockstep.problem(bytes) {
        panic!("{problem}");
    }
}

#[test]
fn program_harms_nothing() {
    let lockstep = Lockstep::new(&[side_by_side::reference()]);
    target!(LENGTH).with_shrink_time(Duration::ZERO).for_each(|bytes: &[u8]| run(&lockstep, bytes));
}

#[test]
fn program_does_what_the_release_does() {
    let Some(release) = side_by_side::release() else { return };
    let lockstep = Lockstep::new(&[side_by_side::reference(), release]);
    target!(LENGTH).with_shrink_time(Duration::ZERO).for_each(|bytes: &[u8]| run(&lockstep, bytes));
}

/// A program that calls everything there is once does as C what it does here.
#[test]
fn a_program_is_the_same_as_c() {
    let steps = (0..catalogue::all().len()).flat_map(|verb| [verb as u8, 2, 0, 1, 0, 3, 0, 2, 0, 1, 0, 5, 0, 1]);
    let steps: Vec<u8> = steps.collect();
    assert_eq!(steps.len() % STEP, 0);
    let transcript = Lockstep::new(&[side_by_side::reference()]).transcript(&steps);
    assert!(transcript.lines.len() > catalogue::all().len());

    let folder = tempfile::tempdir().expect("a folder can be made");
    let library = Target::locate(None, today(), folder.path()).expect("the reference can be written").path;
    let (source, program) = (folder.path().join("program.c"), folder.path().join("program"));
    std::fs::write(&source, c_text::program(&transcript.lines)).expect("a program can be written");
    let mut compiler = compile::compiler(Language::C11, 0);
    compiler.arg("-I").arg(include_dir()).arg(&source).args(["-x", "none"]).arg(&library).arg("-o").arg(&program);
    compiler.arg(format!("-Wl,-rpath,{}", folder.path().display()));
    compile::run(&mut compiler).unwrap_or_else(|said| panic!("{said}\n{}", c_text::program(&transcript.lines)));
    let printed = compile::run(&mut Command::new(&program)).unwrap_or_else(|said| panic!("{said}"));
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    let mut outcomes =
        printed.lines().filter_map(|line| line.strip_prefix("v[")).filter_map(|line| line.split_once("]: "));
    for (number, (outcome, line)) in transcript.outcomes.iter().zip(&transcript.lines).enumerate() {
        let (found, rest) = outcomes.next().unwrap_or_else(|| panic!("the program ends at {line}"));
        assert_eq!(found, number.to_string());
        let kind = outcome.split(',').next().unwrap_or(outcome);
        assert!(rest.starts_with(kind), "{line}: {rest}, and here {outcome}");
    }
}
