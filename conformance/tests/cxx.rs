//! The data says which C++ symbols each release exports.

use std::collections::BTreeSet;

use tempfile::TempDir;
use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::abi::abi;
use tvm_ffi_verify::target::{self, Target};

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
