//! Two copies of the library in one process, as two packages bring them.

use std::{fs, path::Path, process::Command};

use tvm_ffi_fixtures::{compile, include_dir, peers};
use tvm_ffi_spec::generation::today;
use tvm_ffi_verify::{target::REFERENCE, target::Target};

#[test]
fn copies_in_one_process_keep_out_of_each_others_way() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other, program] = ["one.so", "other.so", "copies"].map(|name| folder.path().join(name));
    fs::write(&one, REFERENCE).unwrap();
    fs::write(&other, REFERENCE).unwrap();
    let source = include_dir().with_file_name("programs").join("copies.c");
    compile::program(&source, &one, &program).unwrap();

    let mut pairs = vec![(one.clone(), other)];
    if let Some(wheel) = peers::newest() {
        let release = Target::locate(Some(&wheel), today(), folder.path()).unwrap().path;
        pairs.extend([(one.clone(), release.clone()), (release, one)]);
    }
    for (one, other) in pairs {
        let run = |path: &Path| path.display().to_string();
        let output = compile::run(Command::new(&program).arg(&one).arg(&other));
        let output = output.unwrap_or_else(|said| panic!("{}, {}: {said}", run(&one), run(&other)));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    }
}
