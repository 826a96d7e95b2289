//! The user's files: read whole or not at all, and written so that what was there is not lost.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read, Write},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// The longest text that is read: no list, no setting and no report comes near.
const LONGEST: u64 = 64 << 20;

/// Reads a text. The error names the file.
pub fn read_text(path: &Path) -> Result<String, String> {
    let refuse = |problem: String| format!("{}: {problem}", path.display());
    let metadata = fs::metadata(path).map_err(|error| refuse(error.to_string()))?;
    // A pipe or a device may have no end.
    if !metadata.is_file() {
        return Err(refuse("is not a regular file".to_owned()));
    }
    if metadata.len() > LONGEST {
        return Err(refuse(format!(
            "has {} MiB, and is expected to have less than {}",
            metadata.len() >> 20,
            LONGEST >> 20
        )));
    }
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
    read.map(|_| text).map_err(|error| refuse(error.to_string()))
}

/// Makes sure that a file can be written there, without doing so.
fn try_out(path: &Path) -> Result<(), String> {
    let refuse = |problem: String| format!("{}: {problem}", path.display());
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(refuse("is a directory".to_owned())),
        Ok(found) if !found.is_file() => return Ok(()),
        _ => {}
    }
    tempfile::tempfile_in(folder(path)).map(drop).map_err(|error| refuse(format!("cannot be written ({error})")))
}

/// As [`try_out`], and that it is none of the files that are `taken`, each with what it is.
pub fn try_out_beside(path: &Path, taken: &[(&Path, &str)]) -> Result<(), String> {
    match taken.iter().find(|(other, _)| same(other, path)) {
        Some((_, other)) => Err(format!("{}: is {other}, and would be written over", path.display())),
        None => try_out(path),
    }
}

/// Writes a file. Whoever looks sees the one from before or the new one, whole; what is no regular file is written to as it
/// is.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let refuse = |error: io::Error| format!("{}: {error}", path.display());
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&place).is_ok_and(|found| !found.is_file()) {
        let mut out = BufWriter::new(File::options().write(true).open(&place).map_err(refuse)?);
        return write(&mut out).and_then(|()| out.flush()).map_err(refuse);
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tvm-ffi-verify-");
    // As a new file has them, or as the file had them.
    let mode = fs::metadata(&place).map_or(0o666, |found| found.mode());
    builder.permissions(fs::Permissions::from_mode(mode & 0o777));
    let file = builder.tempfile_in(folder(&place)).map_err(refuse)?;
    let mut out = BufWriter::new(file);
    write(&mut out).map_err(refuse)?;
    let file = out.into_inner().map_err(|error| refuse(error.into_error()))?;
    file.persist(&place).map(drop).map_err(|error| refuse(error.error))
}

/// Whether two paths lead to one file, or would.
fn same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => place(one) == place(other),
    }
}

/// Where a file that may not be there would stand.
fn place(path: &Path) -> PathBuf {
    let folder = fs::canonicalize(folder(path)).unwrap_or_else(|_| folder(path).to_owned());
    path.file_name().map_or(folder.clone(), |name| folder.join(name))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
