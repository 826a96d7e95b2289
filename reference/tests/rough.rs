//! The library in programs that are rough: without memory, with forks among threads, on the smallest stacks.

use std::{env, path::Path, process::Command};

use rstest::rstest;
use tvm_ffi_fixtures::compile;

#[rstest]
#[case::no_memory("no_memory")]
#[case::fork("fork")]
#[case::small_stack("small_stack")]
fn a_rough_program_is_served(#[case] name: &str) {
    // Cargo builds the library for tests of this kind, and leaves it beside them.
    let library = env::current_exe().unwrap().with_file_name("libtvm_ffi.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("c");
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join(name);
    compile::program(&source, &library, &program).unwrap_or_else(|message| panic!("{message}"));
    compile::run(&mut Command::new(program)).unwrap_or_else(|message| panic!("{message}"));
}
