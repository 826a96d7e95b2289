//! Watching a program that uses the library: what is laid out for it, and what comes of what it leaves behind.
//!
//! The program is started with a library of ours in front of its own (`tvm-ffi-watch`), which appends a line to a file for each thing that
//! it sees. This side knows nothing of how it looks: it reads the lines when the program has ended.

mod records;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

pub use records::{Older, read};

/// What a program is run with, in a folder of the run's.
pub struct Setup {
    interposer: PathBuf,
    records: PathBuf,
}

impl Setup {
    /// Writes into a folder what the program needs.
    ///
    /// # Errors
    /// Those of writing there.
    pub fn lay_out(folder: &Path) -> io::Result<Self> {
        let setup = Self { interposer: folder.join(tvm_ffi_watch::FILE_NAME), records: folder.join("records.jsonl") };
        fs::write(&setup.interposer, tvm_ffi_watch::LIBRARY)?;
        fs::write(&setup.records, "")?;
        Ok(setup)
    }

    /// A run of the program with our library in front, and behind it `library`, if the program is not to use its own. With `leaks`, objects
    /// that nobody can reach are looked for when its processes end.
    pub fn command(&self, program: &Path, library: Option<&Path>, leaks: bool) -> Command {
        let mut loaded = self.interposer.as_os_str().to_owned();
        if let Some(library) = library {
            loaded.push(":");
            loaded.push(library);
        }
        if let Some(others) = env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
            loaded.push(":");
            loaded.push(others);
        }
        let mut command = Command::new(program);
        command.env("LD_PRELOAD", loaded).env(tvm_ffi_watch::RECORDS, &self.records);
        if let Some(library) = library {
            command.env(tvm_ffi_watch::LIBRARY_IN_PLACE, library);
        }
        if leaks {
            command.env(tvm_ffi_watch::LOST, "1");
        }
        command
    }

    /// What the program has left behind.
    ///
    /// # Errors
    /// That it cannot be read.
    pub fn records(&self) -> io::Result<String> {
        fs::read(&self.records).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}
