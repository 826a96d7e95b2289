//! Running the C compiler outside of a build script: for faults, and for programs in tests.

use std::{
    path::Path,
    process::{Command, Output},
};

use crate::{TARGET, include_dir};

/// The C compiler, with optimisation at this level and our headers.
pub fn compiler(opt_level: u32) -> Command {
    command(cc::Build::new().opt_level(opt_level))
}

/// The C++ compiler, likewise.
pub fn cxx_compiler(opt_level: u32) -> Command {
    command(cc::Build::new().cpp(true).opt_level(opt_level))
}

fn command(build: &mut cc::Build) -> Command {
    build.target(TARGET).host(TARGET).debug(false).warnings(false).cargo_metadata(false);
    let mut command = build.get_compiler().to_command();
    command.env("LC_ALL", "C").arg("-I").arg(include_dir());
    command
}

/// Warnings are errors. Structs may be begun with the fields that matter.
const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror"];

/// Compiles a C11 program, or a C++17 one if its name says so, and links it to a `libtvm_ffi.so`, which it will find where
/// it is. An error holds what the compiler said.
pub fn program(source: &Path, library: &Path, output: &Path) -> Result<(), String> {
    let folder = library.parent().unwrap_or(Path::new("."));
    let is_cxx = source.extension().is_some_and(|extension| extension == "cc");
    let mut command = if is_cxx { cxx_compiler(1) } else { compiler(1) };
    command.arg(if is_cxx { "-std=c++17" } else { "-std=c11" });
    command.args(WARNINGS).arg(source).arg(library).arg("-o").arg(output);
    command.arg(format!("-Wl,-rpath,{}", folder.display()));
    run(&mut command).map(drop)
}

/// Runs a command and answers its output. An error, also that it did not succeed, holds what it printed. Programs find
/// the library that they were linked to: cargo's own search path may lead to another one of the same name.
pub fn run(command: &mut Command) -> Result<Output, String> {
    command.env_remove("LD_LIBRARY_PATH");
    let output = command.output().map_err(|error| format!("{:?} does not run: {error}", command.get_program()))?;
    if output.status.success() {
        return Ok(output);
    }
    let printed = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    Err(format!("{:?}: {}\n{}", command.get_program(), output.status, printed.concat()))
}
