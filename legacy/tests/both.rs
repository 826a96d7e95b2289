//! Both generations in one process, and functions of each called as functions of the other: by this library and by a real one.

use std::{env, path::Path, process::Command};

use tvm_ffi_fixtures::{compile, legacy};

#[test]
fn functions_of_each_are_functions_of_the_other() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("both");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapter/include");
    let program = legacy::program(&folder, "both", &include).unwrap_or_else(|problem| panic!("{problem}"));
    // Cargo builds the libraries for tests, and leaves them beside these.
    let test = env::current_exe().expect("a test knows its program");
    let [ffi, own, adapter] =
        ["libtvm_ffi.so", "libtvm_runtime.so", "libtvm_ffi_adapter.so"].map(|name| test.with_file_name(name));
    let peer = legacy::peer(&folder.join("peer")).unwrap_or_else(|problem| panic!("{problem}"));
    for library in [Some(own), peer].into_iter().flatten() {
        let ran = compile::run(Command::new(&program).arg(&ffi).arg(&library).arg(&adapter));
        if let Err(said) = ran {
            panic!("{}: {said}", library.display());
        }
    }
}
