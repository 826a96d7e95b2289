//! Links the shared library: under the soname that libraries built for TVM FFI ask the loader for.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libtvm_ffi.so");
    // A backtrace reads the debug information of every library it passes through, and ours is never shown.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--strip-debug");
}
