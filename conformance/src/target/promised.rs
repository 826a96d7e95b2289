//! What the file of a library exports that clients may rely on: not what it merely carries, such as parts of the C++ library.
//!
//! A linker exports whatever nobody hides. So a name says who made it: names that are reserved belong to the compiler, names in `std` to the
//! C++ library, `backtrace_…` to libbacktrace. What every client has a copy of itself is weak or unique, as templates and inline functions
//! are, and those that begin with `TVMFFI` are the only weak ones that count.

use std::{collections::BTreeMap, path::Path};

use object::{
    Endianness, Object, ObjectSymbol, SymbolFlags, elf,
    read::elf::{ElfFile64, ElfSymbol64},
};

use super::linkage::is_defined;

/// What a symbol is to its clients, which are compiled for the one or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A C function. Clients cannot tell one that is chosen when the library is loaded.
    Function,
    /// A C variable.
    Variable,
    /// A C variable of which each thread has its own.
    ThreadLocal,
    /// Something in C++, whose name tells functions from variables.
    Cxx,
    /// A variable in C++ of which each thread has its own, which its name does not tell.
    CxxThreadLocal,
    /// Something that the file does not tell more of, as of what is written in assembly.
    Untold,
}

impl Kind {
    /// Whether clients of the one can use the other.
    pub fn serves(self, other: Self) -> bool {
        self == other || [self, other].contains(&Self::Untold)
    }

    /// As reports name it before the symbol's name.
    pub fn as_str(self) -> &'static str {
        match self {
            // Reports have always called it so.
            Self::Function | Self::Untold => "function",
            Self::Variable => "variable",
            Self::ThreadLocal => "thread-local variable",
            Self::Cxx => "C++ symbol",
            Self::CxxThreadLocal => "thread-local C++ variable",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Function, Self::Variable, Self::ThreadLocal, Self::Cxx, Self::CxxThreadLocal];
        all.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// The symbols of a file that are promises, by name; none if it cannot be read.
pub fn promised(path: &Path) -> Vec<(String, Kind)> {
    named(path, is_promise)
}

/// All symbols that a file defines for others, promises or not; none if it cannot be read.
pub fn all(path: &Path) -> BTreeMap<String, Kind> {
    named(path, |symbol| is_defined(symbol) && symbol.is_global()).into_iter().collect()
}

fn named(path: &Path, wanted: impl Fn(&ElfSymbol64<'_, '_>) -> bool) -> Vec<(String, Kind)> {
    let Ok(bytes) = super::file::read(path) else { return Vec::new() };
    let Ok(elf) = ElfFile64::<Endianness>::parse(&*bytes) else { return Vec::new() };
    let wanted = elf.dynamic_symbols().filter(wanted);
    let mut named: Vec<_> = wanted.filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), kind(&symbol)))).collect();
    named.sort();
    named.dedup();
    named
}

/// Whether clients may rely on a symbol.
pub fn is_promise(symbol: &ElfSymbol64<'_, '_>) -> bool {
    let Some(name) = symbol.name().ok().filter(|_| is_defined(symbol) && symbol.is_global()) else { return false };
    let shared = matches!(symbol.flags(), SymbolFlags::Elf { st_info, .. } if st_info.st_bind() == elf::STB_GNU_UNIQUE);
    let copied = (symbol.is_weak() || shared) && !name.starts_with("TVMFFI");
    !copied && !is_carried(name)
}

/// What a symbol is.
pub fn kind(symbol: &ElfSymbol64<'_, '_>) -> Kind {
    let SymbolFlags::Elf { st_info, .. } = symbol.flags() else { return Kind::Untold };
    match (symbol.name().is_ok_and(|name| name.starts_with("_Z")), st_info.st_type()) {
        (true, elf::STT_TLS) => Kind::CxxThreadLocal,
        (true, _) => Kind::Cxx,
        (false, elf::STT_FUNC | elf::STT_GNU_IFUNC) => Kind::Function,
        (false, elf::STT_OBJECT | elf::STT_COMMON) => Kind::Variable,
        (false, elf::STT_TLS) => Kind::ThreadLocal,
        (false, _) => Kind::Untold,
    }
}

/// Whether a name tells that it is another's, whom the library was linked with.
fn is_carried(name: &str) -> bool {
    match name.strip_prefix("_Z") {
        Some(mangled) => is_of_runtime(mangled),
        // Reserved by C for its implementations, and `_init`, `_fini`, `_end` and the like of linkers.
        None => name.starts_with('_') || LINKER.contains(&name) || CARRIED.iter().any(|begin| name.starts_with(begin)),
    }
}

/// Names that linkers define.
const LINKER: [&str; 3] = ["end", "etext", "edata"];
/// How names begin of what libraries of this kind are often linked with.
const CARRIED: [&str; 2] = ["backtrace_", "rust_eh_personality"];

/// Whether something in C++ is of the language's own library or of the compiler, by how it is mangled after `_Z`; or of Rust, where it
/// has another name in each build.
fn is_of_runtime(mangled: &str) -> bool {
    // `new` and `delete`.
    const ALLOCATION: [&str; 4] = ["nw", "na", "dl", "da"];
    // Tables, information on types, guards, and functions that adjust `this`, which tables lead to.
    const SPECIAL: [&str; 8] = ["TV", "TI", "TS", "TT", "GV", "GR", "Th", "Tv"];
    // `std` and what is abbreviated in it; then namespaces whose names are reserved.
    const STANDARD: [&str; 7] = ["St", "Sa", "Sb", "Ss", "Si", "So", "Sd"];
    if ALLOCATION.iter().any(|begin| mangled.starts_with(begin)) || is_of_rust(mangled) {
        return true;
    }
    let special = SPECIAL.iter().find(|special| mangled.starts_with(**special));
    let adjusts = special.is_some_and(|special| ["Th", "Tv"].contains(special));
    let name = special.map_or(mangled, |special| &mangled[special.len()..]);
    let name = name.strip_prefix('N').map_or(name, |nested| nested.trim_start_matches(['r', 'V', 'K', 'R', 'O']));
    let plain = name.trim_start_matches(|digit: char| digit.is_ascii_digit());
    adjusts
        || STANDARD.iter().any(|begin| name.starts_with(begin))
        || plain.len() < name.len() && plain.starts_with("__")
}

/// Whether a mangled name ends in `17h`, a hash and `E`, as Rust's former scheme has it.
fn is_of_rust(mangled: &str) -> bool {
    let hash = mangled.strip_suffix('E').and_then(|name| name.get(name.len().checked_sub(19)?..));
    hash.and_then(|hash| hash.strip_prefix("17h")).is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_library_was_linked_with_is_no_promise() {
        let carried = [
            "__cxa_call_terminate",
            "_ZSt28__throw_bad_array_new_lengthv",
            "_ZNSt6vectorIPvSaIS0_EE17_M_default_appendEm",
            "_ZNKSs4sizeEv",
            "_ZTINSt6thread6_StateE",
            "_ZTVN10__cxxabiv117__class_type_infoE",
            "_ZN9__gnu_cxx27__verbose_terminate_handlerEv",
            "_ZnwmSt11align_val_t",
            "_ZThn16_N4fork5Thing3runEv",
            "_ZN4core3fmt5write17h0123456789abcdefE",
            "_RNvCs1234_4core5write",
            "backtrace_full",
            "_init",
            "__bss_start",
            "end",
        ];
        for name in carried {
            assert!(is_carried(name), "{name}");
        }
        let own = [
            "TVMFFIForkOwn",
            "fork_open",
            "_ZN4fork4openEv",
            "_ZTVN4fork5ThingE",
            "_ZNK4fork5Thing4sizeEv",
            "_Z9fork_openSt6vectorIiSaIiEE",
            "_ZN3tvm3ffi4fork4openEv",
        ];
        for name in own {
            assert!(!is_carried(name), "{name}");
        }
    }
}
