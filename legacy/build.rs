//! Compiles what throws, and links the shared library: under the soname that programs of the legacy generation ask for, and without
//! exporting what it is built on.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/throw.cc");
    cc::Build::new().cpp(true).std("c++17").warnings_into_errors(true).file("src/throw.cc").compile("tvm_runtime_cxx");
    println!("cargo:rustc-link-arg=-Wl,-soname,libtvm_runtime.so");
    // The core comes as an archive: its functions are called from here, and are not for clients of this library.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--exclude-libs,ALL");
    println!("cargo:rustc-cdylib-link-arg=-Wl,--strip-debug");
}
