//! Exports of a library hidden from all who look for them by name.

use object::{Object, ObjectSection};

/// The library, in which no symbol is found under these names. What it does with them by itself, it still does.
pub fn without(library: &[u8], names: &[String]) -> Result<Vec<u8>, String> {
    let elf = super::linkage::parse(library)?;
    let strings = elf.section_by_name(".dynstr").and_then(|section| section.file_range());
    let (start, size) = strings.ok_or("has no table of names")?;
    let (start, end) = (start as usize, (start + size) as usize);
    let mut bytes = library.to_vec();
    for name in names {
        let wanted = format!("\0{name}\0");
        let table = bytes.get_mut(start..end).ok_or("its table of names is cut short")?;
        let place = table.windows(wanted.len()).position(|found| found == wanted.as_bytes());
        // The loader compares names, and none begins like this.
        table[place.ok_or_else(|| format!("does not export {name}"))? + 1] = b'-';
    }
    Ok(bytes)
}
