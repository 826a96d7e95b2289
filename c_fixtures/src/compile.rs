//! Running compilers outside of a build script: for faults, and for programs in tests.

use std::{
    path::Path,
    process::{Command, Output},
    sync::LazyLock,
};

use crate::{TARGET, include_dir, kept, tools::Language};

/// The compiler of a language, with optimisation at this level.
pub fn compiler(language: Language, opt_level: u32) -> Command {
    // Clones share what was found out of the compilers by running them.
    static BUILD: LazyLock<cc::Build> = LazyLock::new(cc::Build::new);
    let mut build = BUILD.clone();
    language.compiler(build.target(TARGET).host(TARGET).opt_level(opt_level).debug(false).warnings(false))
}

/// Warnings are errors. Structs may be begun with the fields that matter.
const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror"];

/// Compiles a C11 program, or a C++17 one if its name says so, and links it to a `libtvm_ffi.so`, which it will find where
/// it is. An error holds what the compiler said.
pub fn program(source: &Path, library: &Path, output: &Path) -> Result<(), String> {
    link(source, library, output, &[])
}

/// As [`program`], a library that programs load.
pub fn shared_object(source: &Path, library: &Path, output: &Path) -> Result<(), String> {
    link(source, library, output, &["-shared", "-fPIC"])
}

/// What is made is kept ([`kept`]). The library that it is linked to is none of what goes into it: linking only asks whether that has the functions.
fn link(source: &Path, library: &Path, output: &Path, flags: &[&str]) -> Result<(), String> {
    let folder = library.parent().unwrap_or(Path::new("."));
    let is_cxx = source.extension().is_some_and(|extension| extension == "cc");
    let language = if is_cxx { Language::Cxx17 } else { Language::C11 };
    let mut command = compiler(language, 1);
    command.args(WARNINGS).args(flags).arg("-I").arg(include_dir()).arg(source).args(["-x", "none"]).arg(library);
    command.arg(format!("-Wl,-rpath,{}", folder.display()));
    kept::make(language, &mut command, output, &[&kept::digest_of(source, &[include_dir().to_owned()])?])
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
