//! C++ clients find in the library what they link to, and what they do with its classes works: on the reference and on
//! public releases.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use tempfile::TempDir;
use tvm_ffi_fixtures::{
    LIBRARIES,
    compile::{program, run},
    fail, peers,
};
use tvm_ffi_spec::abi::abi;
use tvm_ffi_verify::target::{self, Target};

#[test]
fn a_client_with_modules_of_its_own_works() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c_fixtures/cxx/modules.cc");
    let wheels = peers::wheels();
    for wheel in std::iter::once(None).chain(wheels.iter().map(|(_, wheel)| Some(wheel.as_path()))) {
        let folder = TempDir::new().unwrap();
        let library = Target::locate(wheel, folder.path()).unwrap().path;
        let client = folder.path().join("client");
        program(&source, &library, &client).unwrap_or_else(|problem| fail(&problem));
        let (name, module) = LIBRARIES.iter().find(|(name, _)| *name == "functions.so").unwrap();
        let module_path = folder.path().join(name);
        fs::write(&module_path, module).unwrap();
        run(Command::new(client).arg(module_path)).unwrap_or_else(|problem| panic!("{wheel:?}: {problem}"));
    }
}

#[test]
fn releases_export_the_cxx_symbols_of_their_time() {
    for (release, wheel) in peers::wheels() {
        let folder = TempDir::new().unwrap();
        let library = Target::locate(Some(&wheel), folder.path()).unwrap().path;
        let exported: BTreeSet<_> = target::exports(&library).unwrap().symbols.into_iter().collect();
        for symbol in &abi().cxx_symbols {
            let ended = symbol.until.as_ref().is_some_and(|until| !abi().at_least(until, &release.name));
            let expected = abi().at_least(&release.name, &symbol.since) && !ended;
            assert_eq!(exported.contains(&symbol.name), expected, "{}: {}", release.name, symbol.name);
        }
    }
}
