//! The fixtures: libraries that a check has the target load, or calls itself. A check that asks for one finds it written where it lies.

use std::{
    ffi::{CString, c_void},
    fs,
    io::{self, Write},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;
use tvm_ffi_fixtures::LIBRARIES;

use super::Trial;
use crate::{
    client::{Owned, Verdict, changes},
    target::library,
};

impl Trial<'_> {
    /// Where a fixture lies.
    pub fn fixture_path(&self, library: &str) -> Verdict<PathBuf> {
        let path = self.fixtures.join(library);
        let (_, bytes) = LIBRARIES
            .iter()
            .find(|(name, _)| *name == library)
            .ok_or_else(|| self.error("a fixture", format!("{library} is none")))?;
        lay_out(&path, bytes).map_err(|problem| self.error("a fixture", format!("{}: {problem}", path.display())))?;
        Ok(path)
    }

    /// The same, as functions take it.
    pub fn fixture(&self, library: &str) -> Verdict<CString> {
        let path = self.fixture_path(library)?;
        CString::new(path.as_os_str().as_bytes()).map_err(|error| self.error("the path of a fixture", error))
    }

    /// Has the target load a fixture as a module, which is expected to succeed.
    pub fn load(&self, library: &str) -> Verdict<Owned> {
        self.load_module(&self.fixture(library)?)
    }

    /// The address of a symbol of a fixture, which the check's own process opens and keeps open.
    pub fn fixture_symbol(&self, library: &str, name: &str) -> Verdict<*const c_void> {
        changes::note();
        library::fixture_symbol(&self.fixture_path(library)?, name)
            .map_err(|problem| self.error(format!("the fixture {library}"), problem))
    }
}

/// Has a file hold these bytes, and its folder be there. Nobody sees half of it.
///
/// # Errors
/// It cannot be written.
pub fn lay_out(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_there(path, bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut half = NamedTempFile::new_in(folder)?;
    half.write_all(bytes)?;
    half.persist(path)?;
    Ok(())
}

/// Whether the file is there, and as long as it has to be.
pub fn is_there(path: &Path, bytes: &[u8]) -> bool {
    fs::metadata(path).is_ok_and(|found| found.len() == bytes.len() as u64)
}
