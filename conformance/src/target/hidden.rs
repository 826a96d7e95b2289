//! Exports of a library hidden from all who look for them by name.

use std::collections::BTreeSet;

use object::{Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget};

/// The library, in which no symbol is found under these names. What it does with them by itself, it still does; what it looks up by name
/// itself when it is opened, such as the records of C++ types, stays.
pub fn without(library: &[u8], names: &[String]) -> Result<Vec<u8>, String> {
    let elf = super::linkage::parse(library)?;
    let strings = elf.section_by_name(".dynstr").and_then(|section| section.file_range());
    let (start, size) = strings.ok_or("has no table of names")?;
    let (start, end) = (start as usize, (start + size) as usize);
    let symbols = elf.dynamic_symbol_table().ok_or("has no table of symbols")?;
    let looked_up = elf.dynamic_relocations().into_iter().flatten().filter_map(|(_, relocation)| {
        let RelocationTarget::Symbol(index) = relocation.target() else { return None };
        symbols.symbol_by_index(index).ok()?.name().ok()
    });
    let looked_up: BTreeSet<_> = looked_up.collect();
    let mut bytes = library.to_vec();
    for name in names.iter().filter(|name| !looked_up.contains(name.as_str())) {
        let wanted = format!("\0{name}\0");
        let table = bytes.get_mut(start..end).ok_or("its table of names is cut short")?;
        let place = table.windows(wanted.len()).position(|found| found == wanted.as_bytes());
        // The loader compares names, and none begins like this.
        table[place.ok_or_else(|| format!("does not export {name}"))? + 1] = b'-';
    }
    Ok(bytes)
}
