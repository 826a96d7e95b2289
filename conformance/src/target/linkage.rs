//! What an ELF file tells linkers: what it defines, what it wants of others, and which libraries it names, whatever machine it
//! is for.

use std::collections::BTreeSet;

use object::{
    Endianness, File, FileKind, Object, ObjectSection, ObjectSymbol, Symbol,
    elf::{self, FileHeader32, FileHeader64},
    read::elf::FileHeader,
};

/// What a shared library, an object file or a program tells linkers.
#[derive(Clone, Debug, Default)]
pub struct Linkage {
    /// `DT_SONAME`.
    pub soname: Option<String>,
    /// Names of the symbols that are defined and visible: of those in `.dynsym` where there is one, which stripped files keep.
    pub symbols: Vec<String>,
    /// Names of those that others have to define.
    pub wanted: Vec<String>,
    /// Names of those that others may define, and that are 0 otherwise.
    pub weak: Vec<String>,
    /// The libraries that it names: `DT_NEEDED`.
    pub needed: Vec<String>,
    /// Where these are looked for first: `DT_RUNPATH`, or else `DT_RPATH`.
    pub run_path: Vec<String>,
}

impl Linkage {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// What is not well-formed.
    pub fn of(bytes: &[u8]) -> Result<Self, String> {
        let file = File::parse(bytes).map_err(|error| error.to_string())?;
        let mut linkage = match FileKind::parse(bytes) {
            Ok(FileKind::Elf32) => dynamic::<FileHeader32<Endianness>>(bytes)?,
            _ => dynamic::<FileHeader64<Endianness>>(bytes)?,
        };
        for symbol in symbols(&file) {
            let Ok(name) = symbol.name() else { continue };
            if symbol.is_definition() && symbol.is_global() {
                linkage.symbols.push(name.to_owned());
            } else if symbol.is_undefined() && !name.is_empty() {
                let wanted = if symbol.is_weak() { &mut linkage.weak } else { &mut linkage.wanted };
                wanted.push(name.to_owned());
            }
        }
        Ok(linkage)
    }

    /// What files tell that are linked together: what one defines, no other wants of others.
    pub fn together(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut whole = Self::default();
        for part in parts {
            whole.symbols.extend(part.symbols);
            whole.wanted.extend(part.wanted);
            whole.weak.extend(part.weak);
        }
        let defined: BTreeSet<_> = whole.symbols.iter().cloned().collect();
        for names in [&mut whole.wanted, &mut whole.weak] {
            names.retain(|name| !defined.contains(name));
            names.sort();
            names.dedup();
        }
        whole
    }
}

/// The bytes of a file from a symbol on to the end of its section; `None` if it defines no such symbol, or has no bytes for it.
pub fn bytes_from<'a>(bytes: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let file = File::parse(bytes).ok()?;
    let symbol = symbols(&file).find(|symbol| symbol.is_definition() && symbol.name() == Ok(name))?;
    let section = file.section_by_index(symbol.section_index()?).ok()?;
    let start = usize::try_from(symbol.address().checked_sub(section.address())?).ok()?;
    section.data().ok()?.get(start..)
}

/// The dynamic symbols; of what has none, since it is still to be linked, all.
fn symbols<'data, 'file>(file: &'file File<'data>) -> impl Iterator<Item = Symbol<'data, 'file>> {
    let linked = file.dynamic_symbols().next().is_some();
    file.dynamic_symbols().chain(file.symbols().filter(move |_| !linked))
}

/// What the dynamic section says.
fn dynamic<Elf: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Result<Linkage, String> {
    let told = |error: object::Error| error.to_string();
    let header = Elf::parse(bytes).map_err(told)?;
    let endian = header.endian().map_err(told)?;
    let table =
        header.sections(endian, bytes).and_then(|sections| sections.dynamic_table(endian, bytes)).map_err(told)?;
    let mut linkage = Linkage::default();
    let mut old_run_path = Vec::new();
    for entry in table.iter() {
        let name = || entry.string(table.strings()).ok().map(|name| String::from_utf8_lossy(name).into_owned());
        let folders =
            || name().unwrap_or_default().split(':').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        match entry.tag {
            elf::DT_SONAME => linkage.soname = name(),
            elf::DT_NEEDED => linkage.needed.extend(name()),
            elf::DT_RUNPATH => linkage.run_path = folders(),
            elf::DT_RPATH => old_run_path = folders(),
            _ => {}
        }
    }
    if linkage.run_path.is_empty() {
        linkage.run_path = old_run_path;
    }
    Ok(linkage)
}
