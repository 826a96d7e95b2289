//! From what the user named to a library on disk.
//!
//! A target is a file, a directory that holds one, a wheel, a public release by name, or nothing at all: then it is the
//! reference, which this binary carries inside. What cannot be a target is refused here, with one line that says why, before anything runs.
//! The interface to the `object` crate is here and in the modules below, and nowhere else.

pub mod archive;
pub mod exported;
pub mod file;
mod hidden;
pub mod imports;
pub mod library;
pub mod linkage;
pub mod offered;
pub mod promised;
pub mod release;
pub mod sanitizer;
pub mod symbols;
pub mod wheel;
pub mod withheld;

use std::{
    fmt, fs, iter,
    path::{Path, PathBuf},
};

use file::describe;
use linkage::Linkage;
use object::{Architecture, Object, ObjectKind, ReadCache};
use sanitizer::Instrumented;
use sha2::{Digest, Sha256};
use tvm_ffi_spec::{
    generation::{Generation, generations},
    part::Kind,
};
use wheel::Wheel;

/// The file name of the library, in wheels and directories.
pub const FILE_NAME: &str = "libtvm_ffi.so";
/// Where the library lies below a directory that a user might name.
const PLACES: &[&str] = &["", "lib", "tvm_ffi/lib"];
/// Where the library lies in a wheel.
const WHEEL_MEMBER: &str = "tvm_ffi/lib/libtvm_ffi.so";
/// The reference, as it was built together with this binary.
pub const REFERENCE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libtvm_ffi.so"));

/// The reference of an older generation of the ABI.
const OLDER_REFERENCES: &[(&str, &[u8])] = &[
    ("legacy", include_bytes!(concat!(env!("OUT_DIR"), "/libtvm_runtime.so"))),
    ("split", include_bytes!(concat!(env!("OUT_DIR"), "/libtvm_ffi_split.so"))),
];

/// The reference of a generation of the ABI, if the program has one inside.
pub fn reference_of(generation: &Generation) -> Option<&'static [u8]> {
    if generation.is_today() {
        return Some(REFERENCE);
    }
    OLDER_REFERENCES.iter().find(|(name, _)| *name == generation.name).map(|(_, library)| *library)
}

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
    /// What the file tells linkers; nothing where that is not well-formed.
    pub linkage: Linkage,
    /// What it was built with beyond the ordinary.
    pub instrumented: Instrumented,
    /// Parts that are taken from it when it has been opened.
    pub withheld: Vec<String>,
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
    /// The target that the user named, or else the reference of a generation; `scratch` is a directory for what has to be unpacked.
    pub fn locate(argument: Option<&Path>, generation: &Generation, scratch: &Path) -> Result<Self, NotATarget> {
        let Some(argument) = argument else { return Self::reference(generation, scratch) };
        let refuse = |problem: String| NotATarget { path: argument.to_owned(), problem };
        if let (Some(release), false) = (release::named(argument), argument.exists()) {
            let wheel = release::wheel(release).map_err(refuse)?;
            let path = unpack(&wheel, scratch).map_err(refuse)?;
            let origin = wheel.file_name().map(|name| name.to_string_lossy().into_owned());
            return Self::at(&path, origin, Some(argument.to_owned())).map_err(refuse);
        }
        let metadata = fs::metadata(argument).map_err(|error| refuse(describe(&error)))?;
        let (path, origin) = if metadata.is_dir() {
            (find_in(argument, generation).map_err(refuse)?, None)
        } else if wheel::is_wheel(argument) {
            (unpack(argument, scratch).map_err(refuse)?, Some(argument.display().to_string()))
        } else {
            (argument.to_owned(), None)
        };
        Self::at(&path, origin, Some(argument.to_owned())).map_err(|problem| NotATarget { path, problem })
    }

    /// How a line names it: as the user did, or else where it came from.
    pub fn named(&self) -> String {
        let argument = self.argument.as_ref().map(|argument| argument.display().to_string());
        argument.or_else(|| self.origin.clone()).unwrap_or_else(|| self.path.display().to_string())
    }

    fn reference(generation: &Generation, scratch: &Path) -> Result<Self, NotATarget> {
        let path = scratch.join(&generation.library);
        let which =
            if generation.is_today() { String::new() } else { format!(" of the {} generation", generation.name) };
        let library = reference_of(generation)
            .ok_or_else(|| format!("there is no reference{which} in this program: name a library"));
        let written = library.and_then(|library| fs::write(&path, library).map_err(|error| describe(&error)));
        written
            .and_then(|()| Self::at(&path, Some(format!("the reference{which}, built into this program")), None))
            .map_err(|problem| NotATarget { path, problem })
    }

    /// The reference of a generation without some parts, such as `function TVMFFIErrorSetRaised` and `global ffi.Array`.
    pub fn reference_without(generation: &Generation, parts: &[String], scratch: &Path) -> Result<Self, String> {
        let path = scratch.join(&generation.library);
        let library = reference_of(generation).ok_or("there is no reference of the generation")?;
        let named = |kind: Kind| parts.iter().filter_map(move |part| Some(kind.name_in(part)?.to_owned()));
        let symbols: Vec<_> = named(Kind::Function).chain(named(Kind::CxxSymbol)).collect();
        let bytes = hidden::without(library, &symbols)?;
        fs::write(&path, bytes).map_err(|error| describe(&error))?;
        let target = Self::at(&path, None, None)?;
        Ok(Self { withheld: parts.to_vec(), ..target })
    }

    fn at(path: &Path, origin: Option<String>, argument: Option<PathBuf>) -> Result<Self, String> {
        let bytes = file::read(path)?;
        inspect(&bytes)?;
        let sha256 = sha256(&bytes);
        let path = path.canonicalize().map_err(|error| describe(&error))?;
        let linkage = Linkage::of(&*bytes).unwrap_or_default();
        let instrumented = Instrumented::of(&linkage.wanted, linkage.needed.clone());
        Ok(Self { path, sha256, origin, argument, linkage, instrumented, withheld: Vec::new() })
    }
}

/// The SHA-256 of a file, in lowercase hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Refuses what the dynamic loader could not open on this machine.
pub fn inspect(bytes: &[u8]) -> Result<(), String> {
    let elf = linkage::parse(bytes).map_err(|problem| format!("{problem}; a target is a shared library"))?;
    let here = if cfg!(target_arch = "x86_64") { Architecture::X86_64 } else { Architecture::Aarch64 };
    if elf.architecture() != here {
        return Err(format!("is for {:?}, this machine is {here:?}", elf.architecture()));
    }
    if elf.kind() != ObjectKind::Dynamic {
        return Err(format!("is an ELF file of kind {:?}; a target is a shared library", elf.kind()));
    }
    Ok(())
}

/// Reads what a library exports, and what else it tells linkers.
pub fn exports(path: &Path) -> Result<Linkage, String> {
    Linkage::of(&ReadCache::new(file::openable(path)?))
}

/// The library of a generation in a directory, or else that of another.
fn find_in(directory: &Path, generation: &Generation) -> Result<PathBuf, String> {
    let names = iter::once(&generation.library).chain(generations().iter().map(|other| &other.library));
    let mut paths = names.flat_map(|name| PLACES.iter().map(move |place| directory.join(place).join(name)));
    paths.find(|path| path.is_file()).ok_or_else(|| format!("holds no {}", generation.library))
}

fn unpack(wheel: &Path, scratch: &Path) -> Result<PathBuf, String> {
    let bytes = Wheel::open(wheel)?.read(WHEEL_MEMBER)?;
    let bytes = bytes.ok_or_else(|| format!("is a wheel without {WHEEL_MEMBER}; an apache-tvm-ffi wheel has it"))?;
    let path = scratch.join(FILE_NAME);
    fs::write(&path, bytes).map_err(|error| describe(&error))?;
    Ok(path)
}
