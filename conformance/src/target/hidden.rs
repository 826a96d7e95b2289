//! Exports of a library hidden from all who look for them by name.

use object::{Object, ObjectSection, ObjectSymbol, elf::Sym64};

/// The library, in which nobody else finds symbols of these names: they are local ones. What it does with them by itself, it still does.
pub fn without(library: &[u8], names: &[String]) -> Result<Vec<u8>, String> {
    /// Where a symbol says how it is bound, which the upper half of the byte does; zero is for local ones.
    const BINDING: usize = std::mem::offset_of!(Sym64<object::Endianness>, st_info);
    let elf = super::linkage::parse(library)?;
    if !elf.is_64() {
        return Err("has 32-bit symbols".to_owned());
    }
    let table = elf.section_by_name(".dynsym").and_then(|section| section.file_range());
    let (start, _) = table.ok_or("has no table of symbols")?;
    let mut bytes = library.to_vec();
    for name in names {
        let symbol = elf.dynamic_symbols().find(|symbol| symbol.name() == Ok(name) && symbol.is_global());
        let index = symbol.ok_or_else(|| format!("does not export {name}"))?.index().0;
        let place = start as usize + index * size_of::<Sym64<object::Endianness>>() + BINDING;
        *bytes.get_mut(place).ok_or("its table of symbols is cut short")? &= 0x0f;
    }
    Ok(bytes)
}
