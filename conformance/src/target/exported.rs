//! What the file of a library shows clients that link to it: symbols with the sizes of data, and the functions in virtual tables.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use object::{
    Endianness, Object, ObjectSymbol, ObjectSymbolTable, RelocationTarget, SymbolKind,
    read::elf::{ElfFile64, ElfSymbol64},
};
use tvm_ffi_spec::abi::abi;

use super::{linkage::is_defined, promised};

/// What a file shows.
#[derive(Default)]
pub struct Exported {
    /// Functions of the ABI, C++ symbols of `tvm::ffi`, and whatever else clients may rely on; of data with its size in bytes.
    pub symbols: BTreeMap<String, Option<u64>>,
    /// Those of them that are variables of which each thread has its own.
    pub thread_local: BTreeSet<String>,
    /// The functions in each virtual table, as far as they are exported.
    pub virtual_tables: BTreeMap<String, Vec<Option<String>>>,
}

/// How the mangled names of what is in `tvm::ffi` begin: functions and data, methods that change nothing, virtual tables, type
/// information and the names of types.
const CXX: [&str; 5] = ["_ZN3tvm3ffi", "_ZNK3tvm3ffi", "_ZTVN3tvm3ffi", "_ZTIN3tvm3ffi", "_ZTSN3tvm3ffi"];
/// How that of a virtual table begins.
const VIRTUAL_TABLE: &str = "_ZTV";
/// The size of an entry of a virtual table. The first two are no functions.
const WORD: u64 = 8;

/// Reads a file's dynamic symbols, which are there in stripped files, too.
pub fn exported(path: &Path) -> Result<Exported, String> {
    let bytes = super::file::read(path)?;
    let elf = ElfFile64::<Endianness>::parse(&*bytes).map_err(|error| error.to_string())?;
    let mut exported = Exported::default();
    let shown = || elf.dynamic_symbols().filter(|symbol| is_defined(symbol) && symbol.is_global());
    for (symbol, name) in shown().filter_map(|symbol| Some((symbol, symbol.name().ok()?))).filter(is_for_clients) {
        let size = matches!(symbol.kind(), SymbolKind::Data | SymbolKind::Tls).then(|| symbol.size());
        if symbol.kind() == SymbolKind::Tls {
            exported.thread_local.insert(name.to_owned());
        }
        exported.symbols.insert(name.to_owned(), size);
    }
    let tables: Vec<_> = shown()
        .filter(|symbol| {
            symbol.name().is_ok_and(|name| exported.symbols.contains_key(name) && name.starts_with(VIRTUAL_TABLE))
        })
        .collect();
    let functions = functions(&elf, &tables);
    for table in tables {
        let slots = (table.address() + 2 * WORD..table.address() + table.size()).step_by(WORD as usize);
        let slots = slots.map(|place| functions.get(&place).cloned()).collect();
        exported.virtual_tables.insert(table.name().unwrap_or_default().to_owned(), slots);
    }
    Ok(exported)
}

/// Whether clients find a symbol nowhere else. What the compiler puts into every library that uses it, as a template, they have
/// themselves.
fn is_for_clients((symbol, name): &(ElfSymbol64<'_, '_>, &str)) -> bool {
    let known = || abi().cxx_symbols.iter().any(|known| known.name == *name);
    name.starts_with("TVMFFI")
        || known()
        || promised::is_promise(symbol)
        || CXX.iter().any(|begin| name.starts_with(begin)) && !symbol.is_weak()
}

/// The exported functions that the loader puts into the tables, by place.
fn functions(elf: &ElfFile64<'_>, tables: &[ElfSymbol64<'_, '_>]) -> BTreeMap<u64, String> {
    let inside =
        |place: u64| tables.iter().any(|table| (table.address()..table.address() + table.size()).contains(&place));
    let Some(symbols) = elf.dynamic_symbol_table() else { return BTreeMap::new() };
    let texts = elf.dynamic_symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    // Several names may stand for one function.
    let named: BTreeSet<_> =
        texts.filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?.to_owned()))).collect();
    let at = |address: u64| named.iter().find(|(place, _)| *place == address).map(|(_, name)| name.clone());
    let relocations = elf.dynamic_relocations().into_iter().flatten().filter(|(place, _)| inside(*place));
    let function = relocations.filter_map(|(place, relocation)| {
        let name = match relocation.target() {
            RelocationTarget::Symbol(index) => symbols.symbol_by_index(index).ok()?.name().ok()?.to_owned(),
            _ => at(relocation.addend() as u64)?,
        };
        Some((place, name))
    });
    function.collect()
}
