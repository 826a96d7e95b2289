//! The sanitizers that a library was built with, and the libraries that it then needs to be loaded before all others.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use object::{Object, ObjectKind};

/// A sanitizer: what a compiler adds to a library so that mistakes are found while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitizer {
    /// AddressSanitizer, which brings LeakSanitizer.
    Address,
    /// ThreadSanitizer.
    Thread,
    /// LeakSanitizer.
    Leak,
    /// UndefinedBehaviorSanitizer.
    Undefined,
    /// MemorySanitizer.
    Memory,
    /// HWAddressSanitizer.
    HwAddress,
}

impl Sanitizer {
    /// In the order in which their libraries have to be loaded.
    const ALL: [Self; 6] = [Self::Address, Self::Thread, Self::Leak, Self::Undefined, Self::Memory, Self::HwAddress];

    /// As after `-fsanitize=`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Thread => "thread",
            Self::Leak => "leak",
            Self::Undefined => "undefined",
            Self::Memory => "memory",
            Self::HwAddress => "hwaddress",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Address => "AddressSanitizer",
            Self::Thread => "ThreadSanitizer",
            Self::Leak => "LeakSanitizer",
            Self::Undefined => "UndefinedBehaviorSanitizer",
            Self::Memory => "MemorySanitizer",
            Self::HwAddress => "HWAddressSanitizer",
        }
    }

    /// What the names of its functions and of its libraries are made of.
    fn stem(self) -> &'static str {
        match self {
            Self::Address => "asan",
            Self::Thread => "tsan",
            Self::Leak => "lsan",
            Self::Undefined => "ubsan",
            Self::Memory => "msan",
            Self::HwAddress => "hwasan",
        }
    }

    /// Whether a file of that name is its library, GCC's or Clang's.
    fn is_runtime(self, name: &str) -> bool {
        let stem = self.stem();
        name.starts_with(&format!("lib{stem}.so")) || name.starts_with(&format!("libclang_rt.{stem}"))
    }

    /// The names that its library may have. Clang's come first: what Clang and Rust make names no library, and GCC's has the same
    /// functions.
    fn runtimes(self) -> Vec<String> {
        let stem = self.stem();
        let part = if self == Self::Undefined { "ubsan_standalone" } else { stem };
        let clang = [format!("libclang_rt.{part}-{}.so", env::consts::ARCH), format!("libclang_rt.{part}.so")];
        let gcc = ["", ".8", ".6", ".5", ".2", ".1", ".0"].map(|version| format!("lib{stem}.so{version}"));
        clang.into_iter().chain(gcc).collect()
    }
}

/// What a library was built with beyond the ordinary.
#[derive(Clone, Debug, Default)]
pub struct Instrumented {
    /// The sanitizers, in the order in which their libraries have to be loaded.
    pub sanitizers: Vec<Sanitizer>,
    /// The libraries that it names.
    needed: Vec<String>,
}

impl Instrumented {
    /// What it tells that a library looks for these symbols and names these libraries. GCC has it name its sanitizers' libraries; Clang and Rust leave their functions
    /// undefined and expect the program to have them.
    pub fn of(wanted: &[String], needed: Vec<String>) -> Self {
        let used = |sanitizer: &Sanitizer| {
            let prefix = format!("__{}_", sanitizer.stem());
            wanted.iter().any(|symbol| symbol.starts_with(&prefix))
                || needed.iter().any(|library| sanitizer.is_runtime(library))
        };
        let mut sanitizers: Vec<_> = Sanitizer::ALL.into_iter().filter(used).collect();
        if sanitizers.contains(&Sanitizer::Address) {
            sanitizers.retain(|sanitizer| *sanitizer != Sanitizer::Leak);
        }
        Self { sanitizers, needed }
    }

    /// What a process needs that has loaded both.
    pub fn and(self, other: &Self) -> Self {
        let among = |sanitizer: &Sanitizer| self.sanitizers.contains(sanitizer) || other.sanitizers.contains(sanitizer);
        let sanitizers = Sanitizer::ALL.into_iter().filter(among).collect();
        Self { sanitizers, needed: [self.needed.as_slice(), &other.needed].concat() }
    }

    /// The libraries to load before all others, in this order: those that the user named, or else those of the sanitizers. Where there
    /// are any, the library of C++ comes last: a sanitizer looks once, when it starts, for what throws exceptions.
    ///
    /// # Errors
    /// Which one is not there, and what to do.
    pub fn preloads(&self, named: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
        let whole_process = |sanitizer: &&Sanitizer| matches!(sanitizer, Sanitizer::Memory | Sanitizer::HwAddress);
        if let Some(sanitizer) = self.sanitizers.iter().find(whole_process) {
            let name = sanitizer.name();
            return Err(format!("it is built with {name}, which works only where the whole process is"));
        }
        let mut preloads = Vec::new();
        if named.is_empty() {
            for sanitizer in &self.sanitizers {
                // Clang's library for addresses has the functions for undefined behaviour, too.
                let clang = preloads.iter().any(|path: &PathBuf| file_name(path).starts_with("libclang_rt.asan"));
                if !(clang && *sanitizer == Sanitizer::Undefined) {
                    preloads.push(self.runtime(*sanitizer)?);
                }
            }
        }
        for path in named {
            let path = path.canonicalize().ok().filter(|path| is_library(path));
            preloads.push(path.ok_or("what --sanitizer-runtime names is no shared library")?);
        }
        if !preloads.is_empty() {
            let clang = self.needed.iter().find(|library| library.starts_with("libc++"));
            preloads.extend(find(if clang.is_some() { "libc++abi.so.1" } else { "libstdc++.so.6" }));
        }
        match preloads.iter().find(|path| path.to_string_lossy().contains([' ', ':'])) {
            Some(path) => Err(format!("{} cannot be loaded first: there is a space or a colon in it", path.display())),
            None => Ok(preloads),
        }
    }

    fn runtime(&self, sanitizer: Sanitizer) -> Result<PathBuf, String> {
        let named = self.needed.iter().find(|library| sanitizer.is_runtime(library));
        let names = named.map_or_else(|| sanitizer.runtimes(), |library| vec![library.clone()]);
        names.iter().find_map(|name| find(name)).ok_or_else(|| {
            let library = named.cloned().unwrap_or_else(|| format!("lib{}.so", sanitizer.stem()));
            let package = if library.starts_with("libclang_rt") { "clang" } else { "gcc" };
            format!(
                "it is built with {}, whose library {library} is not found: on Debian and Ubuntu, install the package \
                 `{package}`, or name the library with --sanitizer-runtime",
                sanitizer.name()
            )
        })
    }
}

/// A shared library by its file name, where the compilers look, or else the dynamic loader.
fn find(name: &str) -> Option<PathBuf> {
    const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];
    const FOLDERS: [&str; 6] =
        ["/lib64", "/usr/lib64", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib", "/usr/lib"];
    let told = COMPILERS.into_iter().filter_map(|compiler| {
        let output = Command::new(compiler).arg(format!("-print-file-name={name}")).output().ok()?;
        Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
    });
    let searched = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&searched).chain(FOLDERS.map(PathBuf::from)).collect();
    let places = told.chain(folders.into_iter().map(|folder| folder.join(name)));
    // A compiler that does not know the file answers its bare name.
    places.filter(|path| path.is_absolute()).find_map(|path| path.canonicalize().ok().filter(|path| is_library(path)))
}

/// Whether it is a shared library rather than a script for linkers.
fn is_library(path: &Path) -> bool {
    let bytes = fs::read(path).unwrap_or_default();
    object::File::parse(&*bytes).is_ok_and(|file| file.kind() == ObjectKind::Dynamic)
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sanitizers(wanted: &[&str], needed: &[&str]) -> Vec<Sanitizer> {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        Instrumented::of(&owned(wanted), owned(needed)).sanitizers
    }

    #[test]
    fn sanitizers_are_told_by_what_a_library_looks_for() {
        use Sanitizer::{Address, Leak, Thread, Undefined};
        assert_eq!(sanitizers(&["malloc", "dlopen"], &["libc.so.6"]), []);
        assert_eq!(sanitizers(&["__asan_init", "__ubsan_handle_add_overflow"], &[]), [Address, Undefined]);
        assert_eq!(sanitizers(&["__asan_init"], &["libasan.so.8", "liblsan.so.0"]), [Address]);
        assert_eq!(sanitizers(&["__tsan_func_entry"], &["libclang_rt.tsan-x86_64.so"]), [Thread]);
        assert_eq!(sanitizers(&[], &["liblsan.so.0"]), [Leak]);
    }

    #[test]
    fn a_sanitizer_that_cannot_be_served_is_said() {
        let preloads = |sanitizer, needed: &str| {
            Instrumented { sanitizers: vec![sanitizer], needed: vec![needed.to_owned()] }.preloads(&[]).unwrap_err()
        };
        assert!(
            preloads(Sanitizer::Memory, "").contains("MemorySanitizer, which works only where the whole process is")
        );
        let missing = preloads(Sanitizer::Address, "libasan.so.99");
        assert!(missing.contains("libasan.so.99 is not found") && missing.contains("--sanitizer-runtime"), "{missing}");
    }
}
