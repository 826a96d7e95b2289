//! Small libraries that speak an older generation of the ABI, compiled for tests.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{compile::compiler, include_dirs_of, kept, tools::Language};

/// Compiles the library of that generation, which lies in `generations/`, into a folder under the name that real ones have.
///
/// # Errors
/// What the compiler said.
pub fn library(generation: &str, folder: &Path) -> Result<PathBuf, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("generations/{generation}.c"));
    let described = tvm_ffi_spec::generation::generation(generation);
    let name = &described.ok_or_else(|| format!("there is no generation {generation}"))?.library;
    let library = folder.join(name);
    let mut command = compiler(Language::C11, 1);
    command.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden"]);
    command.arg(format!("-Wl,-soname,{name}")).arg(&source);
    make(generation, Language::C11, &mut command, &source, &library)?;
    Ok(library)
}

/// Compiles a program of that generation, which lies in `programs_NAME/`, in a language, and links it to a library.
///
/// # Errors
/// What the compiler said.
pub fn program(generation: &str, name: &str, language: Language, library: &Path, output: &Path) -> Result<(), String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs_{generation}/{name}.c"));
    let mut command = compiler(language, 1);
    let folder = library.parent().unwrap_or(Path::new("."));
    command.args(["-Wall", "-Wextra", "-Werror"]).arg(&source).args(["-x", "none"]).arg(library);
    command.arg(format!("-Wl,-rpath,{}", folder.display()));
    make(generation, language, &mut command, &source, output)
}

/// Has a command compile a source with the headers of a generation. What is made is kept ([`kept`]).
fn make(
    generation: &str,
    language: Language,
    command: &mut Command,
    source: &Path,
    output: &Path,
) -> Result<(), String> {
    let headers = include_dirs_of(generation);
    headers.iter().for_each(|folder| {
        command.arg("-I").arg(folder);
    });
    kept::make(language, command, output, &[&kept::digest_of(source, &headers)?])
}
