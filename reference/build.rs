//! Compiles the C++ part, and links the shared library: under the soname that libraries built for TVM FFI ask the loader
//! for.

use std::{io::ErrorKind, path::Path, process::Command};

/// Compiles and links; the crate of another generation, which has the same sources, lies below this one.
pub fn main() {
    let folder = if Path::new("src/border").exists() { "src" } else { "../src" };
    let sources = ["border/exception.cc", "container/buffer.cc"].map(|file| format!("{folder}/{file}"));
    println!("cargo:rerun-if-changed=build.rs");
    for file in &sources {
        println!("cargo:rerun-if-changed={file}");
    }
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").warnings_into_errors(true).files(&sources);
    let compiler = build.get_compiler();
    let answer = Command::new(compiler.path()).arg("--version").output();
    if answer.is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        let program = compiler.path().display();
        eprintln!(
            "error: a C++ compiler is missing (`{program}` was tried): on Debian and Ubuntu, install the package `g++`"
        );
        std::process::exit(1);
    }
    build.compile("tvm_ffi_cxx");
    // Cargo hands what is said to be for shared libraries alone on to those of other crates that are linked with this one.
    println!("cargo:rustc-link-arg=-Wl,-soname,libtvm_ffi.so");
    // A backtrace reads the debug information of every library it passes through, and ours is never shown.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--strip-debug");
}
