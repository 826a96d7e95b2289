//! Compiles the C++ part, and links the shared library: as for the reference, whose sources these are.

#[path = "../build.rs"]
mod reference;

fn main() {
    println!("cargo:rerun-if-changed=../build.rs");
    reference::main();
}
