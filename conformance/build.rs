//! Hands the references of the generations to `target.rs`, which embeds them; links the program without symbols but one; tells it its commit.
//!
//! Cargo builds the reference before this script because it is a build dependency, and leaves the shared library beside
//! the other dependencies, under its plain name.

use std::{env, fs, path::Path};

#[path = "build/commit.rs"]
mod commit;

/// What the program is made of. Where it changes, the program is built anew; a commit that changes nothing here is no reason
/// to, and goes unnoticed.
const SOURCES: &[&str] = &[
    "build.rs",
    "build",
    "src",
    "../spec",
    "../reports/src",
    "../reference/src",
    "../reference/split/src",
    "../legacy/src",
    "../legacy/adapter/src",
    "../c_fixtures/callers",
    "../c_fixtures/callers_split",
    "../c_fixtures/callers_legacy",
    "../c_fixtures/cxx",
    "../c_fixtures/include",
    "../c_fixtures/include_split",
    "../c_fixtures/include_legacy",
    "../c_fixtures/kernels",
    "../c_fixtures/operators_legacy",
    "../c_fixtures/src",
    "../watch/interposer",
    "../watch/src",
];

fn main() {
    // One that is not there, as in sources that were packed by themselves, would count as changed each time.
    for source in SOURCES.iter().filter(|source| Path::new(source).exists()) {
        println!("cargo:rerun-if-changed={source}");
    }
    if let Some(commit) = commit::commit(Path::new(".."), "conformance/build.rs") {
        println!("cargo:rustc-env=TVM_FFI_VERIFY_COMMIT={commit}");
    }
    // Errors carry backtraces, and to make one a target reads the symbols of the program it is in, afresh in the process
    // of every check. So the program has none. (`strip` in a profile would take them from the tests, too.)
    println!("cargo:rustc-link-arg-bins=-Wl,--strip-all");
    // But for the place where debuggers are to stop (`tvm_ffi_reports::FAILURE`).
    println!("cargo:rustc-link-arg-bins=-Wl,--export-dynamic-symbol=tvm_ffi_verify_failure");
    // At addresses of its own: a run starts the program several times and copies it for each process of checks, and forty thousand
    // addresses that the loader writes are pages that each of them has to itself.
    println!("cargo:rustc-link-arg-bins=-no-pie");
    let out_dir = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let out_dir = Path::new(&out_dir);
    // <target>/<profile>/build/<package>/out, and with `--target` <target>/<triple>/<profile>/…, where what this script needs is
    // built two folders up, for the host.
    let profile_dir = out_dir.ancestors().nth(3).expect("OUT_DIR lies below the profile's directory");
    let host_dir =
        profile_dir.ancestors().nth(2).unwrap_or(profile_dir).join(profile_dir.file_name().unwrap_or_default());
    for name in ["libtvm_ffi.so", "libtvm_ffi_split.so", "libtvm_runtime.so"] {
        let [library, for_host] = [profile_dir, &host_dir].map(|dir| dir.join("deps").join(name));
        let library = if library.is_file() { library } else { for_host };
        println!("cargo:rerun-if-changed={}", library.display());
        if let Err(error) = fs::copy(&library, out_dir.join(name)) {
            panic!("the reference was not built at {}: {error}", library.display());
        }
    }
}
