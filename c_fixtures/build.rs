//! Compiles the fixtures to shared libraries and lists them for `LIBRARIES`.
//!
//! Functions of the ABI stay undefined in them: they are found in the target, which is opened first.

use std::{
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

#[path = "src/tools.rs"]
mod tools;
use tools::Language;

/// No warnings, nothing visible that is not marked so, and no library that is not needed.
const FLAGS: &[&str] = &["-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden", "-Wl,--as-needed"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tools.rs");
    // C compilers that are run outside of a build script have to be told the target.
    println!("cargo::rustc-env=TARGET={}", env::var("TARGET").expect("cargo sets TARGET"));
    println!("cargo::rerun-if-changed=include");

    let callers = sources("callers");
    let mut libraries =
        vec![library("callers_c11", &callers, Language::C11), library("callers_cxx17", &callers, Language::Cxx17)];
    for kernel in sources("kernels") {
        let name = kernel.file_stem().expect("a source has a name").to_string_lossy();
        libraries.push(library(&name, std::slice::from_ref(&kernel), Language::C11));
    }

    println!("cargo::rerun-if-changed=cxx");
    libraries.push(library("module_class", &[PathBuf::from("cxx/module_class.cc")], Language::Cxx17));

    let mut list = "&[\n".to_owned();
    for path in libraries {
        let name = path.file_name().expect("a library has a name");
        writeln!(list, "({name:?}, include_bytes!({path:?})),").expect("a string takes everything");
    }
    fs::write(out_dir().join("libraries.rs"), list + "]").expect("OUT_DIR is writable");
}

/// The C files in a directory, sorted.
fn sources(directory: &str) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={directory}");
    let entries = fs::read_dir(directory).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("the entry is readable").path());
    let mut sources: Vec<_> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    sources.sort();
    sources
}

/// Compiles and links one fixture.
fn library(name: &str, sources: &[PathBuf], language: Language) -> PathBuf {
    let library = out_dir().join(format!("{name}.so"));
    let mut command = language.compiler(cc::Build::new().opt_level(1).debug(true).warnings(false));
    command.args(FLAGS).args(["-I", "include"]).args(sources).arg("-o").arg(&library);
    if let Err(problem) = language.compile(&mut command) {
        eprintln!("error: {problem}");
        std::process::exit(1);
    }
    library
}

fn out_dir() -> PathBuf {
    Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).to_owned()
}
