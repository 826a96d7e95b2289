//! Files that the user names: opened only if they are regular and not too large, read whole.

use std::{
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

/// The largest library or wheel that is read. What is larger is none, or made to harm.
pub const LARGEST: u64 = 1 << 30;

/// Reads a file that ends, and not too late.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = openable(path)?;
    file.take(LARGEST).read_to_end(&mut bytes).map_err(|error| describe(&error))?;
    Ok(bytes)
}

/// The file of a library that this process has loaded: of a large one only what is looked at is read.
pub fn mapped(path: &Path) -> Result<memmap2::Mmap, String> {
    let file = openable(path)?;
    // SAFETY: this process has it mapped already, so that one which is cut off ends it with or without this.
    unsafe { memmap2::Mmap::map(&file) }.map_err(|error| describe(&error))
}

/// Opens a regular file that is not too large. Anything else, such as a pipe, may have no end or never begin.
pub fn openable(path: &Path) -> Result<File, String> {
    let metadata = fs::metadata(path).map_err(|error| describe(&error))?;
    if !metadata.is_file() {
        return Err("is not a regular file; a library is one".to_owned());
    }
    if metadata.len() > LARGEST {
        return Err(format!("has {} MiB; a library has at most {}", metadata.len() >> 20, LARGEST >> 20));
    }
    at_once(path).map_err(|error| describe(&error))
}

/// Opens a file that is read without waiting: some files of the system, such as `/proc/kmsg`, are regular and have nothing yet.
pub fn at_once(path: &Path) -> io::Result<File> {
    File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

/// Why a file cannot be read.
pub fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "may not be read".to_owned(),
        _ => error.to_string(),
    }
}
