//! The libraries that the benchmarks compare: the reference, and the newest peer when its wheel is at hand.

#![deny(missing_docs)]

use std::path::Path;

use tempfile::TempDir;
use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::FunctionTable;
use tvm_ffi_verify::target::{
    Target,
    library::{self, Scope},
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
    const PEER: &str = "0.1.15.post2";
    let mut libraries = vec![open("reference", None)];
    match peers::wheel(PEER) {
        Some(wheel) => libraries.push(open(PEER, Some(&wheel))),
        None => println!("NOT COMPARED: no wheel of {PEER} in {} (set TVM_FFI_PEERS)", peers::folder().display()),
    }
    libraries
}

fn open(name: &str, argument: Option<&Path>) -> Library {
    let scratch = tempfile::tempdir().expect("a temporary directory can be made");
    let target = Target::locate(argument, scratch.path()).expect("the library is a target");
    let opened = library::open(&target.path, Scope::Local).expect("the library can be opened");
    Library { name: name.to_owned(), table: opened.table, _scratch: scratch }
}
