//! The fixtures: libraries that a check has the target load, or calls itself.

use std::{
    ffi::{CString, c_void},
    os::unix::ffi::OsStrExt,
};

use super::Trial;
use crate::{
    client::{Owned, Verdict},
    target::library,
};

impl Trial<'_> {
    /// The path of a fixture.
    pub fn fixture(&self, library: &str) -> Verdict<CString> {
        let path = self.fixtures.join(library);
        if !path.is_file() {
            return Err(self.error("a fixture", format!("{} is not there", path.display())));
        }
        CString::new(path.as_os_str().as_bytes()).map_err(|error| self.error("the path of a fixture", error))
    }

    /// Has the target load a fixture as a module, which is expected to succeed.
    pub fn load(&self, library: &str) -> Verdict<Owned> {
        self.load_module(&self.fixture(library)?)
    }

    /// The address of a symbol of a fixture, which the check's own process opens and keeps open.
    pub fn fixture_symbol(&self, library: &str, name: &str) -> Verdict<*const c_void> {
        library::fixture_symbol(&self.fixtures.join(library), name)
            .map_err(|problem| self.error(format!("the fixture {library}"), problem))
    }
}
