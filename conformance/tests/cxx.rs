//! The data says which C++ symbols each release exports.

use std::collections::BTreeSet;

use tempfile::TempDir;
use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::{abi::abi, generation::today};
use tvm_ffi_verify::target::{self, Target, promised::promised};

#[test]
fn releases_export_the_cxx_symbols_of_their_time() {
    for (release, wheel) in peers::wheels() {
        let folder = TempDir::new().unwrap();
        let library = Target::locate(Some(&wheel), today(), folder.path()).unwrap().path;
        let exported: BTreeSet<_> = target::exports(&library).unwrap().symbols.into_iter().collect();
        for symbol in &abi().cxx_symbols {
            let ended = symbol.until.as_ref().is_some_and(|until| !abi().at_least(until, &release.name));
            let expected = abi().at_least(&release.name, &symbol.since) && !ended;
            assert_eq!(exported.contains(&symbol.name), expected, "{}: {}", release.name, symbol.name);
        }
    }
}

/// Releases promise what the ABI names and nothing else, so that no release is told to lack what another was only linked with.
#[test]
fn releases_have_no_symbols_of_their_own() {
    let named = |name: &str| abi().function(name).is_some() || abi().cxx_symbols.iter().any(|known| known.name == name);
    for (release, wheel) in peers::wheels() {
        let folder = TempDir::new().unwrap();
        let library = Target::locate(Some(&wheel), today(), folder.path()).unwrap().path;
        let promised = promised(&library);
        assert!(promised.len() > 40, "{}: {promised:?}", release.name);
        let own: Vec<_> = promised.into_iter().filter(|(name, _)| !named(name)).collect();
        assert!(own.is_empty(), "{}: {own:?}", release.name);
    }
}
