//! Where a library that is loaded keeps the addresses of functions that it has from others.

use std::path::Path;

use object::{Endianness, Object, ObjectSymbol, ObjectSymbolTable, RelocationTarget, read::elf::ElfFile64};

use super::linkage::is_defined;

/// A function that a library has from another, and the place where the loader has put its address: relative to where the library lies.
pub struct Import {
    /// The function's name.
    pub name: String,
    /// The place.
    pub place: u64,
}

/// What a library has from others of these functions; nothing if it is one that defines any of them.
pub fn imports(path: &Path, names: &[&str]) -> Result<Vec<Import>, String> {
    let bytes = super::file::read(path)?;
    let elf = ElfFile64::<Endianness>::parse(&*bytes).map_err(|error| error.to_string())?;
    let is_named = |name: &str| names.contains(&name);
    if elf.dynamic_symbols().any(|symbol| is_defined(&symbol) && symbol.name().is_ok_and(is_named)) {
        return Ok(Vec::new());
    }
    let Some(symbols) = elf.dynamic_symbol_table() else { return Ok(Vec::new()) };
    let relocations = elf.dynamic_relocations().into_iter().flatten();
    let import = relocations.filter_map(|(place, relocation)| {
        let RelocationTarget::Symbol(index) = relocation.target() else { return None };
        let name = symbols.symbol_by_index(index).ok()?.name().ok()?;
        is_named(name).then(|| Import { name: name.to_owned(), place })
    });
    Ok(import.collect())
}
