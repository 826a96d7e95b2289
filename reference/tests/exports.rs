//! The shared library exports the symbols of the ABI, and nothing else.

use std::{collections::BTreeMap, env, fs};

use object::{Object, ObjectSymbol, ObjectSymbolTable, RelocationTarget};
use tvm_ffi_spec::abi::abi;

/// The library. Cargo builds it for tests of this kind, and leaves it beside them.
fn library() -> Vec<u8> {
    let library = env::current_exe().unwrap().with_file_name("libtvm_ffi.so");
    fs::read(&library).unwrap_or_else(|error| panic!("{}: {error}", library.display()))
}

#[test]
fn no_exported_function_is_called_by_name_from_inside() {
    let bytes = library();
    let file = object::File::parse(&*bytes).unwrap();
    let symbols = file.dynamic_symbol_table().unwrap();
    let targets = file.dynamic_relocations().unwrap().filter_map(|(_, relocation)| match relocation.target() {
        RelocationTarget::Symbol(index) => Some(symbols.symbol_by_index(index).unwrap().name().unwrap()),
        _ => None,
    });
    let own: Vec<_> = targets.filter(|name| name.starts_with("TVMFFI")).collect();
    assert!(own.is_empty(), "another library's functions may be called in their place: {own:?}");
}

#[test]
fn exactly_the_symbols_of_the_abi_are_exported() {
    let bytes = library();
    let file = object::File::parse(&*bytes).unwrap();
    let exported = file.dynamic_symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
    let exported: BTreeMap<_, _> = exported.map(|symbol| (symbol.name().unwrap(), symbol.size())).collect();

    let functions = abi().functions.iter().map(|function| (function.name.as_str(), None));
    let cxx_symbols = abi().cxx_symbols.iter().map(|symbol| (symbol.name.as_str(), symbol.size));
    let expected: BTreeMap<_, _> = functions.chain(cxx_symbols).collect();

    let missing: Vec<_> = expected.keys().filter(|name| !exported.contains_key(*name)).collect();
    let surplus: Vec<_> = exported.keys().filter(|name| !expected.contains_key(*name)).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, surplus {surplus:?}");
    for (name, size) in expected.into_iter().filter_map(|(name, size)| Some((name, size?))) {
        assert_eq!(exported[name], u64::from(size), "{name}");
    }
}
