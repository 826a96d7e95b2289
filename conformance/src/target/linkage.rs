//! What an ELF file tells linkers: what it defines, what it wants of others, and which libraries it names, whatever machine it
//! is for.

use std::collections::BTreeSet;

use object::{
    Endianness, File, FileKind, Object, ObjectKind, ObjectSection, ObjectSymbol, ReadRef, Symbol, SymbolFlags,
    elf::{self, FileHeader32, FileHeader64},
    read::elf::FileHeader,
};

/// What an ELF file is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// To be linked.
    Object,
    /// To be loaded.
    #[default]
    SharedLibrary,
    /// To be run.
    Program,
}

/// What a shared library, an object file or a program tells linkers.
#[derive(Clone, Debug, Default)]
pub struct Linkage {
    /// What it is for.
    pub form: Form,
    /// The machine that it is for, such as `X86_64`.
    pub architecture: String,
    /// Whether it has no table of sections, in which symbols are found.
    pub lacks_sections: bool,
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
    /// Reads an ELF file: of one that is not in memory yet, only what this takes.
    ///
    /// # Errors
    /// What is not well-formed.
    pub fn of<'data>(data: impl ReadRef<'data>) -> Result<Self, String> {
        let file = parse(data)?;
        let mut linkage = match FileKind::parse(data) {
            Ok(FileKind::Elf32) => dynamic::<FileHeader32<Endianness>>(data)?,
            _ => dynamic::<FileHeader64<Endianness>>(data)?,
        };
        match file.kind() {
            ObjectKind::Relocatable => linkage.form = Form::Object,
            ObjectKind::Executable => linkage.form = Form::Program,
            _ => {}
        }
        linkage.architecture = format!("{:?}", file.architecture());
        linkage.lacks_sections = file.sections().next().is_none();
        for symbol in symbols(&file) {
            let Ok(name) = symbol.name() else { continue };
            if is_defined(&symbol) && symbol.is_global() {
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

/// Reads the head of an ELF file.
///
/// # Errors
/// What it is instead, in words that follow its name.
pub fn parse<'data, R: ReadRef<'data>>(data: R) -> Result<File<'data, R>, String> {
    let head = data.len().and_then(|len| data.read_bytes_at(0, len.min(256))).unwrap_or_default();
    if head.is_empty() {
        return Err("is empty".to_owned());
    }
    File::parse(data).map_err(|error| {
        let text = head.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        match (head, text) {
            (_, true) => format!("is text, not an ELF file ({error})"),
            ([b'M', b'Z', ..], _) => "is a library for Windows, not an ELF file".to_owned(),
            ([0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..], _) => {
                "is a library for macOS, not an ELF file".to_owned()
            }
            _ => format!("is not a well-formed ELF file ({error})"),
        }
    })
}

/// Whether a file defines a symbol: as a function, also one that is chosen when the library is loaded, or as a variable, also one of
/// which each thread has its own.
pub fn is_defined<'data>(symbol: &impl ObjectSymbol<'data>) -> bool {
    let is_known = |kind| [elf::STT_TLS, elf::STT_GNU_IFUNC].contains(&kind) && symbol.section_index().is_some();
    symbol.is_definition() || matches!(symbol.flags(), SymbolFlags::Elf { st_info, .. } if is_known(st_info.st_type()))
}

/// The bytes of a file from a symbol on to the end of its section; `None` if it defines no such symbol.
pub fn bytes_from<'a>(bytes: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let file = File::parse(bytes).ok()?;
    let symbol = symbols(&file).find(|symbol| symbol.is_definition() && symbol.name() == Ok(name))?;
    let section = file.section_by_index(symbol.section_index()?).ok()?;
    let start = usize::try_from(symbol.address().checked_sub(section.address())?).ok()?;
    // A place that is filled when it is loaded has no bytes in the file.
    Some(section.data().ok()?.get(start..).unwrap_or_default())
}

/// The dynamic symbols; of what has none, since it is still to be linked, all.
fn symbols<'data, 'file, R: ReadRef<'data>>(
    file: &'file File<'data, R>,
) -> impl Iterator<Item = Symbol<'data, 'file, R>> {
    let linked = file.dynamic_symbols().next().is_some();
    file.dynamic_symbols().chain(file.symbols().filter(move |_| !linked))
}

/// What the dynamic section says.
fn dynamic<'data, Elf: FileHeader<Endian = Endianness>>(data: impl ReadRef<'data>) -> Result<Linkage, String> {
    let told = |error: object::Error| error.to_string();
    let header = Elf::parse(data).map_err(told)?;
    let endian = header.endian().map_err(told)?;
    let table =
        header.sections(endian, data).and_then(|sections| sections.dynamic_table(endian, data)).map_err(told)?;
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
            // A program may be loaded anywhere, as a shared library is.
            elf::DT_FLAGS_1 if entry.val & elf::DF_1_PIE.0 != 0 => linkage.form = Form::Program,
            _ => {}
        }
    }
    if linkage.run_path.is_empty() {
        linkage.run_path = old_run_path;
    }
    Ok(linkage)
}
