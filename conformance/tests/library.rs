//! The libraries that programs in C are linked to, the reference and those of releases: each in a folder that is kept, so that what was
//! linked to it before need not be compiled again.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use tempfile::TempDir;
use tvm_ffi_fixtures::{fail, kept};
use tvm_ffi_spec::generation::today;
use tvm_ffi_verify::target::Target;

/// The library of a wheel, or else the reference.
pub fn of(wheel: Option<&Path>) -> PathBuf {
    static KNOWN: Mutex<BTreeMap<Option<PathBuf>, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let put = || {
        let scratch = TempDir::new().unwrap();
        let library = Target::locate(wheel, today(), scratch.path()).unwrap_or_else(|problem| panic!("{problem}")).path;
        let name = wheel.map_or("reference".as_ref(), |wheel| wheel.file_stem().unwrap());
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libraries").join(name).join("libtvm_ffi.so");
        kept::write(&place, &fs::read(library).unwrap()).unwrap_or_else(|problem| fail(&problem));
        place
    };
    known.entry(wheel.map(Path::to_owned)).or_insert_with(put).clone()
}
