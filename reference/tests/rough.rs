//! The library in programs that are rough: without memory, files or keys, with forks among threads, on the smallest stacks and on their
//! own, with signals and cancelled threads.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use rstest::rstest;
use tvm_ffi_fixtures::compile;

/// Cargo builds the library for tests of this kind, and leaves it beside them.
fn library() -> PathBuf {
    env::current_exe().unwrap().with_file_name("libtvm_ffi.so")
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("c")
}

#[rstest]
#[case::no_memory("no_memory")]
#[case::little_memory("little_memory")]
#[case::fork("fork")]
#[case::small_stack("small_stack")]
#[case::own_stack("own_stack")]
#[case::no_files("no_files")]
#[case::keys_taken("keys_taken")]
#[case::allocator("allocator")]
#[case::signal("signal")]
#[case::cancelled("cancelled")]
fn a_rough_program_is_served(#[case] name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join(name);
    compile::program(&source(name), &library(), &program).unwrap_or_else(|message| panic!("{message}"));
    compile::run(&mut Command::new(program)).unwrap_or_else(|message| panic!("{message}"));
}

/// An initialiser raises errors while other threads do, and a function is named whose library was not there when the first error was raised.
#[rstest]
#[case::loading("loading")]
#[case::named("named")]
fn a_program_loads_a_library_that_raises_errors(#[case] name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (program, loaded) = (folder.path().join(name), folder.path().join("loaded.so"));
    compile::program(&source(name), &library(), &program).unwrap_or_else(|message| panic!("{message}"));
    compile::shared_object(&source("loaded"), &library(), &loaded).unwrap_or_else(|message| panic!("{message}"));
    compile::run(Command::new(program).arg(loaded)).unwrap_or_else(|message| panic!("{message}"));
}

/// A function is not named after one of a library that was there before and lay where its own does.
#[test]
fn a_program_unloads_a_library_that_raised_errors() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("replaced");
    compile::program(&source("replaced"), &library(), &program).unwrap_or_else(|message| panic!("{message}"));
    let libraries = ["loaded", "other"].map(|name| {
        let loaded = folder.path().join(name).with_extension("so");
        compile::shared_object(&source(name), &library(), &loaded).unwrap_or_else(|message| panic!("{message}"));
        loaded
    });
    compile::run(Command::new(program).args(libraries)).unwrap_or_else(|message| panic!("{message}"));
}
