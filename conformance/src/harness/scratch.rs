//! The run's own folder: what it holds for workers, and whether a target has taken that away.

use std::{
    borrow::Cow,
    fs, io,
    path::{Path, PathBuf},
};

/// The files that workers need. Any target can remove them, so they can be laid out again.
pub struct Scratch {
    files: Vec<(PathBuf, Cow<'static, [u8]>)>,
    /// Where a target is told to keep what is temporary.
    pub temporary: PathBuf,
}

impl Scratch {
    /// Nothing yet, in that folder.
    pub fn new(folder: &Path) -> Self {
        Self { files: Vec::new(), temporary: folder.join("tmp") }
    }

    /// Has the folder hold a file.
    pub fn add(&mut self, path: PathBuf, bytes: impl Into<Cow<'static, [u8]>>) {
        self.files.push((path, bytes.into()));
    }

    /// Whether everything is there.
    pub fn is_intact(&self) -> bool {
        let there = |path: &Path, len: usize| fs::metadata(path).is_ok_and(|found| found.len() == len as u64);
        self.temporary.is_dir() && self.files.iter().all(|(path, bytes)| there(path, bytes.len()))
    }

    /// Writes what is not there.
    pub fn lay_out(&self) -> io::Result<()> {
        fs::create_dir_all(&self.temporary)?;
        for (path, bytes) in &self.files {
            if fs::metadata(path).is_ok_and(|found| found.len() == bytes.len() as u64) {
                continue;
            }
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            // Renamed, so that no worker sees half a file.
            let half = path.with_extension("half");
            fs::write(&half, bytes)?;
            fs::rename(half, path)?;
        }
        Ok(())
    }
}
