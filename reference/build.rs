//! Compiles the C++ part, and links the shared library: under the soname that libraries built for TVM FFI ask the loader
//! for.

const CXX: [&str; 2] = ["src/border/exception.cc", "src/container/buffer.cc"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for file in CXX {
        println!("cargo:rerun-if-changed={file}");
    }
    cc::Build::new().cpp(true).std("c++17").warnings_into_errors(true).files(CXX).compile("tvm_ffi_cxx");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libtvm_ffi.so");
    // A backtrace reads the debug information of every library it passes through, and ours is never shown.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--strip-debug");
}
