//! The libraries that the benchmarks compare: the reference and, unless comparisons are left out, the newest peer.

#![deny(missing_docs)]

use std::path::Path;

use tempfile::TempDir;
use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::{FunctionTable, abi::abi};
use tvm_ffi_verify::{
    library::{self, Scope},
    target::Target,
};

/// A library under measurement.
pub struct Library {
    /// How it is named in the results.
    pub name: String,
    /// Its functions.
    pub table: FunctionTable,
    /// Holds the library's file.
    _scratch: TempDir,
}

/// The reference first, then the newest peer.
pub fn libraries() -> Vec<Library> {
    let mut libraries = vec![open("reference", None)];
    libraries.extend(peers::newest().map(|wheel| open(&abi().newest_peer().name, Some(&wheel))));
    libraries
}

fn open(name: &str, argument: Option<&Path>) -> Library {
    let scratch = tempfile::tempdir().expect("a temporary directory can be made");
    let target = Target::locate(argument, scratch.path()).expect("the library is a target");
    let opened = library::open(&target.path, Scope::Local).expect("the library can be opened");
    Library { name: name.to_owned(), table: opened.table, _scratch: scratch }
}
