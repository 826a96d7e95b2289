//! Compiles the fixtures into shared libraries for the crate to embed.
//!
//! None is linked to a `libtvm_ffi.so`: what they call is found, when they are loaded, in the target that is open by then.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The folders whose C files are fixtures; each file becomes a library of the same name.
const FOLDERS: &[&str] = &["kernels"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=include");
    // C compilers that are run outside of a build script have to be told the target.
    println!("cargo::rustc-env=TARGET={}", variable("TARGET"));
    let libraries: String = FOLDERS.iter().flat_map(|folder| sources(folder)).map(|source| library(&source)).collect();
    let table = format!(
        "/// The fixtures as shared libraries: file name, and the library.\npub const LIBRARIES: &[(&str, &[u8])] = &[\n{libraries}];\n"
    );
    fs::write(out_dir().join("libraries.rs"), table).expect("cargo's output folder can be written");
}

/// The C files of a folder, by name.
fn sources(folder: &str) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={folder}");
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let files = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut sources: Vec<_> = files.filter(|file| file.extension().is_some_and(|extension| extension == "c")).collect();
    sources.sort();
    sources
}

/// Compiles a C file and answers its row in the table of libraries.
fn library(source: &Path) -> String {
    let name = format!("{}.so", source.file_stem().and_then(|stem| stem.to_str()).expect("a plain file name"));
    let output = out_dir().join(&name);
    let mut compiler = cc::Build::new().get_compiler().to_command();
    compiler.args(["-shared", "-fPIC", "-O1", "-g", "-fvisibility=hidden", "-std=c11", "-Wall", "-Wextra", "-Werror"]);
    compiler.args(["-I", "include"]).arg(source).arg("-o").arg(&output);
    let status = compiler.status().unwrap_or_else(|error| panic!("{compiler:?}: {error}"));
    assert!(status.success(), "{compiler:?} failed");
    format!("    ({name:?}, include_bytes!({output:?})),\n")
}

fn out_dir() -> PathBuf {
    PathBuf::from(variable("OUT_DIR"))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|error| panic!("cargo sets {name}: {error}"))
}
