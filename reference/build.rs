//! Gives the shared library the soname that libraries built for TVM FFI ask the loader for.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libtvm_ffi.so");
}
