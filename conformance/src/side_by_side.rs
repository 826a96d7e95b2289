//! The reference and a public release in one process, each behind a client of its own: for tests that compare them, fuzz
//! targets and benchmarks.

use std::{
    ops::Deref,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::{abi::abi, generation::today};

use crate::{
    client::Client,
    target::{
        Target,
        library::{self, Scope},
    },
};

/// A client of a library that others are opened beside.
pub struct Side {
    /// The library, as results name it.
    pub name: &'static str,
    /// Where it lies as long as this value lives, for other processes that are to open it.
    pub path: PathBuf,
    client: Client,
    /// Holds the library's file.
    _scratch: TempDir,
}

impl Deref for Side {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

/// The reference; if the environment variable `TVM_FFI_REFERENCE` names a build of it, such as one that a fuzzing engine can
/// look into, that one.
///
/// # Panics
/// If it cannot be written to a temporary directory or opened there.
pub fn reference() -> Side {
    let build = std::env::var_os("TVM_FFI_REFERENCE").map(PathBuf::from);
    open("reference", build.as_deref())
}

/// The release that the reference is compared with; `None` where comparisons were left out on request.
///
/// # Panics
/// If its wheel cannot be had or opened.
pub fn release() -> Option<Side> {
    peers::newest().map(|wheel| open(&abi().newest_peer().name, Some(&wheel)))
}

/// Runs `test` on the reference and the release, in this order, unless comparisons were left out on request.
pub fn on_both(test: impl FnOnce(&[Side; 2])) {
    if let Some(release) = release() {
        test(&[reference(), release]);
    }
}

fn open(name: &'static str, argument: Option<&Path>) -> Side {
    let scratch = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary directory can be made: {error}"));
    let target = Target::locate(argument, today(), scratch.path()).unwrap_or_else(|problem| panic!("{problem}"));
    let opened = library::open(&target.path, Scope::Local).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    Side { name, path: target.path, client: Client::beside(opened.table), _scratch: scratch }
}
