//! Programs of others that have to be installed: compilers, pip. The build script uses this file too.

use std::{
    io,
    process::{Command, Output},
};

/// What the C side is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C11.
    C11,
    /// C++17.
    Cxx17,
}

impl Language {
    /// The compiler, as `build` describes it.
    pub fn compiler(self, build: &mut cc::Build) -> Command {
        build.cpp(self == Language::Cxx17).cargo_metadata(false).cargo_warnings(false);
        let mut command = build.get_compiler().to_command();
        command.env("LC_ALL", "C").args(match self {
            Language::C11 => ["-x", "c", "-std=c11"],
            Language::Cxx17 => ["-x", "c++", "-std=c++17"],
        });
        command
    }

    /// Runs the compiler.
    ///
    /// # Errors
    /// As [`output`].
    pub fn compile(self, compiler: &mut Command) -> Result<Output, String> {
        match self {
            Language::C11 => output(compiler, "a C compiler", "gcc"),
            Language::Cxx17 => output(compiler, "a C++ compiler", "g++"),
        }
    }
}

/// Runs a command and answers its output.
///
/// # Errors
/// What it printed, if it did not succeed. If it is not there, a line that names the `package` of Debian and Ubuntu with
/// what is missing.
pub fn output(command: &mut Command, what: &str, package: &str) -> Result<Output, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let missing =
        || format!("{what} is missing (`{program}` was tried): on Debian and Ubuntu, install the package `{package}`");
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => missing(),
        _ => format!("`{program}` does not run: {error}"),
    })?;
    if output.status.success() {
        return Ok(output);
    }
    let printed = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
    // What Python says when it has no pip.
    if printed.contains(&format!("No module named {what}")) {
        return Err(missing());
    }
    Err(format!("`{program}`: {}\n{printed}", output.status))
}
