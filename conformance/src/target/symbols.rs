//! The code of a library: what a place in it belongs to.

use std::{fs, path::Path};

use object::{Object, ObjectSegment, ObjectSymbol, SymbolKind};

/// No file of more bytes is read.
const LARGEST: u64 = 1 << 30;

/// A library's code and the names in it.
pub struct Code(Vec<u8>);

impl Code {
    /// Reads a file; `None` when that cannot be done.
    pub fn read(path: &Path) -> Option<Self> {
        let length = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
        (length <= LARGEST).then(|| fs::read(path).ok().map(Self))?
    }

    /// The function that a place is in and how far into it, by the symbol that comes right before it.
    pub fn symbol(&self, offset: u64) -> Option<(String, u64)> {
        let elf = object::File::parse(&*self.0).ok()?;
        let before = |symbol: &object::Symbol| {
            symbol.kind() == SymbolKind::Text && symbol.is_definition() && symbol.address() <= offset
        };
        let nearest = elf.symbols().chain(elf.dynamic_symbols()).filter(before).max_by_key(ObjectSymbol::address)?;
        let inside = nearest.size() == 0 || offset < nearest.address() + nearest.size();
        inside.then(|| Some((nearest.name().ok()?.to_owned(), offset - nearest.address())))?
    }

    /// Whether the code right before a place is that of a call, which has this place to return to.
    pub fn returns_to(&self, offset: u64) -> bool {
        const LONGEST: u64 = 7;
        let Ok(elf) = object::File::parse(&*self.0) else { return false };
        let Some(start) = offset.checked_sub(LONGEST) else { return false };
        let code = elf.segments().find_map(|segment| segment.data_range(start, LONGEST).ok().flatten());
        code.is_some_and(is_call)
    }
}

/// Whether these bytes end with a call: one to an address that is given, or through a register or memory.
#[cfg(target_arch = "x86_64")]
fn is_call(code: &[u8]) -> bool {
    let at = |back: usize| code.len().checked_sub(back).and_then(|place| code.get(place)).copied().unwrap_or_default();
    // The second byte of a call through something says `2` in three of its bits.
    at(5) == 0xE8 || [2, 3, 4, 6, 7].into_iter().any(|back| at(back) == 0xFF && at(back - 1) >> 3 & 7 == 2)
}

#[cfg(not(target_arch = "x86_64"))]
fn is_call(_: &[u8]) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn calls_are_told_from_other_code() {
        assert!(is_call(&[0x90, 0x90, 0xE8, 1, 2, 3, 4]), "call rel32");
        assert!(is_call(&[0x90, 0x90, 0x90, 0x90, 0x90, 0xFF, 0xD0]), "call rax");
        assert!(is_call(&[0x90, 0xFF, 0x15, 1, 2, 3, 4]), "call [rip+…]");
        assert!(!is_call(&[0x90; 7]));
    }

    #[test]
    fn a_place_in_this_program_is_in_a_function_of_it() {
        let code = Code::read(&std::env::current_exe().unwrap()).unwrap();
        let elf = object::File::parse(&*code.0).unwrap();
        let symbol = elf.symbols().find(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 8).unwrap();
        let (_, into) = code.symbol(symbol.address() + 3).unwrap();
        assert_eq!(into, 3);
        assert!(Code::read(Path::new("/dev/zero")).is_none());
    }
}
