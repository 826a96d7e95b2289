//! From what the user named to a library on disk.
//!
//! A target is a file, a directory that holds one, a wheel, or nothing at all: then it is the reference, which this
//! binary carries inside. What cannot be a target is refused here, with one line that says why, before anything runs.
//! The interface to the `zip` crate is here and nowhere else, that to the `object` crate here and in the modules below.

pub mod library;
pub mod sanitizer;
pub mod symbols;

use std::{
    fmt, fs,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use object::{Architecture, Object, ObjectKind};
use sanitizer::Instrumented;
use sha2::{Digest, Sha256};

/// The file name of the library, in wheels and directories.
pub const FILE_NAME: &str = "libtvm_ffi.so";
/// Where the library lies below a directory that a user might name.
const PLACES: &[&str] = &["", "lib", "tvm_ffi/lib"];
/// The largest library or wheel that is read. What is larger is none, or made to harm.
const LARGEST: u64 = 1 << 30;
/// Where the library lies in a wheel.
const WHEEL_MEMBER: &str = "tvm_ffi/lib/libtvm_ffi.so";
/// The reference, as it was built together with this binary.
pub const REFERENCE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libtvm_ffi.so"));

/// The library under test.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its absolute path.
    pub path: PathBuf,
    /// SHA-256 of the file, in lowercase hexadecimal digits.
    pub sha256: String,
    /// Where the file came from, if not from the path: a wheel, or this binary.
    pub origin: Option<String>,
    /// How the user named it, for a command that runs the same again.
    pub argument: Option<PathBuf>,
    /// What it was built with beyond the ordinary.
    pub instrumented: Instrumented,
}

/// Why something cannot be a target.
#[derive(Debug)]
pub struct NotATarget {
    path: PathBuf,
    problem: String,
}

impl fmt::Display for NotATarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl Target {
    /// The target that the user named; `scratch` is a directory for what has to be unpacked.
    pub fn locate(argument: Option<&Path>, scratch: &Path) -> Result<Self, NotATarget> {
        let Some(argument) = argument else { return Self::reference(scratch) };
        let refuse = |problem: String| NotATarget { path: argument.to_owned(), problem };
        let metadata = fs::metadata(argument).map_err(|error| refuse(describe(&error)))?;
        let (path, origin) = if metadata.is_dir() {
            (find_in(argument).map_err(refuse)?, None)
        } else if is_wheel(argument) {
            (unpack(argument, scratch).map_err(refuse)?, Some(argument.display().to_string()))
        } else {
            (argument.to_owned(), None)
        };
        Self::at(&path, origin, Some(argument.to_owned())).map_err(|problem| NotATarget { path, problem })
    }

    fn reference(scratch: &Path) -> Result<Self, NotATarget> {
        let path = scratch.join(FILE_NAME);
        let written = fs::write(&path, REFERENCE).map_err(|error| describe(&error));
        written
            .and_then(|()| Self::at(&path, Some("the reference, built into this program".to_owned()), None))
            .map_err(|problem| NotATarget { path, problem })
    }

    fn at(path: &Path, origin: Option<String>, argument: Option<PathBuf>) -> Result<Self, String> {
        let bytes = read(path)?;
        inspect(&bytes)?;
        let sha256 = hex::encode(Sha256::digest(&bytes));
        let path = path.canonicalize().map_err(|error| describe(&error))?;
        let Exports { wanted, needed, .. } = exports_of(&bytes).unwrap_or_default();
        let instrumented = Instrumented::of(&wanted, needed);
        Ok(Self { path, sha256, origin, argument, instrumented })
    }
}

/// Reads a file that ends, and not too late.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = openable(path)?;
    file.take(LARGEST).read_to_end(&mut bytes).map_err(|error| describe(&error))?;
    Ok(bytes)
}

/// Opens a regular file that is not too large. Anything else, such as a pipe, may have no end or never begin.
fn openable(path: &Path) -> Result<File, String> {
    let metadata = fs::metadata(path).map_err(|error| describe(&error))?;
    if !metadata.is_file() {
        return Err("is not a regular file; a target is a shared library".to_owned());
    }
    if metadata.len() > LARGEST {
        return Err(format!("has {} MiB; a target has at most {}", metadata.len() >> 20, LARGEST >> 20));
    }
    File::open(path).map_err(|error| describe(&error))
}

/// Refuses what the dynamic loader could not open on this machine.
fn inspect(bytes: &[u8]) -> Result<(), String> {
    if bytes.is_empty() {
        return Err("is empty; a target is a shared library".to_owned());
    }
    let elf = object::File::parse(bytes).map_err(|error| {
        let text = bytes.iter().take(256).all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        let kind = if text { "is text, not an ELF file" } else { "is not a well-formed ELF file" };
        format!("{kind}; a target is a shared library ({error})")
    })?;
    let here = if cfg!(target_arch = "x86_64") { Architecture::X86_64 } else { Architecture::Aarch64 };
    if elf.architecture() != here {
        return Err(format!("is for {:?}, this machine is {here:?}", elf.architecture()));
    }
    if elf.kind() != ObjectKind::Dynamic {
        return Err(format!("is an ELF file of kind {:?}; a target is a shared library", elf.kind()));
    }
    Ok(())
}

/// What a shared library tells the dynamic loader: its name, what it exports, and what it needs.
#[derive(Default)]
pub struct Exports {
    /// `DT_SONAME`.
    pub soname: Option<String>,
    /// Names of the symbols in `.dynsym` that are defined and visible.
    pub symbols: Vec<String>,
    /// Names of those that others have to define.
    pub wanted: Vec<String>,
    /// The libraries that it names: `DT_NEEDED`.
    pub needed: Vec<String>,
}

/// Reads what a shared library exports, from its dynamic symbols: those are there in stripped files, too.
pub fn exports(path: &Path) -> Result<Exports, String> {
    exports_of(&fs::read(path).map_err(|error| describe(&error))?)
}

fn exports_of(bytes: &[u8]) -> Result<Exports, String> {
    use object::{
        ObjectSymbol,
        elf::{DT_NEEDED, DT_SONAME},
        read::elf::{Dyn, ElfFile64},
    };
    let elf = ElfFile64::<object::Endianness>::parse(bytes).map_err(|error| error.to_string())?;
    let mut exports = Exports::default();
    for symbol in elf.dynamic_symbols() {
        let Ok(name) = symbol.name() else { continue };
        if symbol.is_definition() && symbol.is_global() {
            exports.symbols.push(name.to_owned());
        } else if symbol.is_undefined() && !symbol.is_weak() {
            exports.wanted.push(name.to_owned());
        }
    }
    let endian = elf.endian();
    let sections = elf.elf_section_table();
    let dynamic = sections.dynamic(endian, bytes).map_err(|error| error.to_string())?;
    let Some((entries, strings)) = dynamic else { return Ok(exports) };
    let Ok(strings) = sections.strings(endian, bytes, strings) else { return Ok(exports) };
    for entry in entries {
        let name = || entry.string(endian, strings).ok().map(|name| String::from_utf8_lossy(name).into_owned());
        match entry.d_tag(endian) {
            DT_SONAME => exports.soname = name(),
            DT_NEEDED => exports.needed.extend(name()),
            _ => {}
        }
    }
    Ok(exports)
}

fn find_in(directory: &Path) -> Result<PathBuf, String> {
    let candidates = PLACES.iter().map(|place| directory.join(place).join(FILE_NAME));
    candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| format!("holds no {FILE_NAME}"))
}

fn is_wheel(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "whl")
}

fn unpack(wheel: &Path, scratch: &Path) -> Result<PathBuf, String> {
    let file = openable(wheel)?;
    let broken = |error: &dyn fmt::Display| format!("is not a readable wheel ({error})");
    let mut archive = zip::ZipArchive::new(file).map_err(|error| broken(&error))?;
    let member = archive.by_name(WHEEL_MEMBER).map_err(|error| match error {
        zip::result::ZipError::FileNotFound => {
            format!("is a wheel without {WHEEL_MEMBER}; an apache-tvm-ffi wheel has it")
        }
        error => broken(&error),
    })?;
    let mut bytes = Vec::new();
    let length = member.size();
    if length <= LARGEST {
        // It may be more than it says.
        member.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
    }
    if length.max(bytes.len() as u64) > LARGEST {
        return Err(format!("holds a library of more than {} MiB; a target has at most that", LARGEST >> 20));
    }
    let path = scratch.join(FILE_NAME);
    fs::write(&path, bytes).map_err(|error| describe(&error))?;
    Ok(path)
}

fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "may not be read".to_owned(),
        _ => error.to_string(),
    }
}
