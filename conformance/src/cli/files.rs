//! The user's files: read whole or not at all, and written so that what was there is not lost.

use std::{
    fs::{self, File, FileType, Metadata},
    io::{self, BufWriter, Read, Write},
    os::{
        fd::BorrowedFd,
        unix::fs::{FileTypeExt, MetadataExt, PermissionsExt},
    },
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;

use crate::target::file;

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
    let read = file::at_once(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
    read.map(|_| text).map_err(|error| refuse(error.to_string()))
}

/// The program that runs, whatever its file is called by now.
const THIS_PROGRAM: &str = "/proc/self/exe";
/// What is no regular file and may be opened at any time without an effect: the device that swallows everything, the one that is
/// always full, and the terminal that the program was started on.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/full", "/dev/tty"];
/// How files begin that nobody wants written over with a text: programs and libraries, archives of object files, wheels.
const BINARY: [(&[u8], &str); 3] = [
    (b"\x7fELF", "a library or a program"),
    (b"!<arch>\n", "an archive of object files"),
    (b"PK\x03\x04", "a wheel or another archive"),
];

/// Makes sure that a file can be written there, without doing so, and that it is none of the files that are `taken`, each with what
/// it is: what a run reads is never written over.
///
/// A run reads more than what it was told: libraries in folders, wheels that are kept. So whatever is there and is no text is taken, too.
pub fn try_out(path: &Path, taken: &[(&Path, &str)]) -> Result<(), String> {
    differs(path, taken)?;
    let refuse = |problem: String| format!("{}: {problem}", path.display());
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => return special(path, &found).map(drop).map_err(refuse),
        Ok(_) => {
            if let Some(kind) = binary(path) {
                return Err(refuse(format!("is {kind}, and would be written over")));
            }
        }
        Err(_) => {}
    }
    tempfile::tempfile_in(folder(path)).map(drop).map_err(|error| refuse(format!("cannot be written ({error})")))
}

/// Makes sure that a file is none of those that are `taken`, each with what it is, nor the program that runs.
pub fn differs(path: &Path, taken: &[(&Path, &str)]) -> Result<(), String> {
    let mut all = taken.iter().copied().chain([(Path::new(THIS_PROGRAM), "this program")]);
    match all.find(|(other, _)| same(other, path)) {
        Some((_, other)) => Err(format!("{}: is {other}, and would be written over", path.display())),
        None => Ok(()),
    }
}

/// What a file is that begins as no text does.
fn binary(path: &Path) -> Option<&'static str> {
    let mut begin = Vec::new();
    File::open(path).and_then(|file| file.take(8).read_to_end(&mut begin)).ok()?;
    BINARY.iter().find(|(magic, _)| begin.starts_with(magic)).map(|(_, kind)| *kind)
}

/// Opens what is no regular file to be written to, or says why not.
///
/// Opening a pipe with a name waits for a reader, for ever if none comes, and opening a device may set it off. What this program was
/// started with is open already, and is taken as it is: that is what `/dev/stdout` and `/dev/fd/N` lead to.
fn special(path: &Path, found: &Metadata) -> Result<File, String> {
    if DEVICES.iter().any(|device| fs::metadata(device).is_ok_and(|device| device.rdev() == found.rdev()))
        && found.file_type().is_char_device()
    {
        return File::options().write(true).open(path).map_err(|error| format!("cannot be written ({error})"));
    }
    let kind = described(found.file_type());
    if found.is_dir() {
        return Err(format!("is {kind}; a report is a file"));
    }
    match inherited(found) {
        Some(file) => file.map_err(|error| format!("cannot be written ({error})")),
        None => Err(format!(
            "is {kind}; a report is a regular file, or what this program was started with, such as /dev/stdout or /dev/fd/3"
        )),
    }
}

fn described(kind: FileType) -> &'static str {
    match kind {
        kind if kind.is_dir() => "a directory",
        kind if kind.is_fifo() => "a named pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

/// Another descriptor for what one of this program's own has open for writing; none if no one has.
fn inherited(wanted: &Metadata) -> Option<io::Result<File>> {
    let own = fs::read_dir("/proc/self/fd").ok()?.filter_map(Result::ok);
    let leads_there =
        |path: &Path| fs::metadata(path).is_ok_and(|found| (found.dev(), found.ino()) == (wanted.dev(), wanted.ino()));
    let numbers =
        own.filter(|entry| leads_there(&entry.path())).filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.into_iter().find_map(|number| {
        // SAFETY: a descriptor that was open a moment ago, of those that the program was started with, which nothing closes.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let mode = rustix::fs::fcntl_getfl(descriptor).ok()? & OFlags::ACCMODE;
        (mode != OFlags::RDONLY).then(|| descriptor.try_clone_to_owned().map(File::from))
    })
}

/// Writes a file. Whoever looks sees the one from before or the new one, whole; what is no regular file is written to as it
/// is.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let refuse = |error: io::Error| format!("{}: {error}", path.display());
    if let Some(found) = fs::metadata(path).ok().filter(|found| !found.is_file()) {
        let file = special(path, &found).map_err(|problem| format!("{}: {problem}", path.display()))?;
        let mut out = BufWriter::new(file);
        return write(&mut out).and_then(|()| out.flush()).map_err(refuse);
    }
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
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
