//! The run's own folder: what it holds for workers, and whether a target has taken that away.

use std::{
    borrow::Cow,
    fs, io,
    path::{Path, PathBuf},
    sync::Mutex,
};

/// The files that workers need. Any target can remove them, so they can be laid out again.
pub struct Scratch {
    files: Vec<(PathBuf, Cow<'static, [u8]>)>,
    /// Where a target is told to keep what is temporary.
    pub temporary: PathBuf,
    /// How often something was gone.
    damages: Mutex<u32>,
}

impl Scratch {
    /// Nothing yet, in that folder.
    pub fn new(folder: &Path) -> Self {
        Self { files: Vec::new(), temporary: folder.join("tmp"), damages: Mutex::new(0) }
    }

    /// Has the folder hold a file.
    pub fn add(&mut self, path: PathBuf, bytes: impl Into<Cow<'static, [u8]>>) {
        self.files.push((path, bytes.into()));
    }

    /// How often something was gone by now; it is there again when this answers. What is the target's own is not missed.
    pub fn mended(&self) -> io::Result<u32> {
        const TRIES: u32 = 100;
        let mut damages = self.damages.lock().expect("no thread panics while it holds this lock");
        fs::create_dir_all(&self.temporary)?;
        for _ in 0..TRIES {
            if self.files.iter().all(is_there) {
                return Ok(*damages);
            }
            *damages += 1;
            // Another check may still be at it.
            let _ = self.lay_out();
        }
        Err(io::Error::other("files of the suite are removed faster than they are written"))
    }

    /// Writes what is not there.
    pub fn lay_out(&self) -> io::Result<()> {
        fs::create_dir_all(&self.temporary)?;
        for file @ (path, bytes) in &self.files {
            if is_there(file) {
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

fn is_there((path, bytes): &(PathBuf, Cow<'static, [u8]>)) -> bool {
    fs::metadata(path).is_ok_and(|found| found.len() == bytes.len() as u64)
}
