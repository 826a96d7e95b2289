//! Compiles the C++ part, and links the shared library: under the soname that libraries built for TVM FFI ask the loader
//! for.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/exception.cc");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .warnings_into_errors(true)
        .file("src/exception.cc")
        .compile("tvm_ffi_exception");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libtvm_ffi.so");
    // A backtrace reads the debug information of every library it passes through, and ours is never shown.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--strip-debug");
}
