//! Hands the target triple on to the crate: C compilers that are run outside of a build script have to be told.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=TARGET={}", std::env::var("TARGET").expect("cargo sets TARGET"));
}
