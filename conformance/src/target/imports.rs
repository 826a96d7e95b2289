//! Where a library that is loaded keeps the addresses of functions that it has from others.

use std::{collections::HashMap, path::Path};

use object::{Endianness, Object, ObjectSymbol, RelocationTarget, SymbolIndex, read::elf::ElfFile64};

use super::linkage::is_defined;

/// A function that a library has from another, and the place where the loader has put its address: relative to where the library lies.
pub struct Import {
    /// The function's name.
    pub name: &'static str,
    /// The place.
    pub place: u64,
}

/// What a library has from others of these functions; nothing if it is one that defines any of them.
pub fn imports(path: &Path, names: &[&'static str]) -> Result<Vec<Import>, String> {
    let file = super::file::mapped(path)?;
    let elf = ElfFile64::<Endianness>::parse(&*file).map_err(|error| error.to_string())?;
    let mut wanted: HashMap<SymbolIndex, &'static str> = HashMap::new();
    for symbol in elf.dynamic_symbols() {
        let Some(name) = symbol.name().ok().and_then(|name| names.iter().find(|known| **known == name)) else {
            continue;
        };
        if is_defined(&symbol) {
            return Ok(Vec::new());
        }
        wanted.insert(symbol.index(), name);
    }
    let relocations = elf.dynamic_relocations().into_iter().flatten();
    let import = relocations.filter_map(|(place, relocation)| match relocation.target() {
        RelocationTarget::Symbol(index) => wanted.get(&index).map(|name| Import { name, place }),
        _ => None,
    });
    Ok(import.collect())
}
