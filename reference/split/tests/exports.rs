//! The library exports the functions of its generation and has registered its global functions, no more and no less.

use std::{collections::BTreeSet, fs, path::PathBuf, ptr};

use object::{Object, ObjectSymbol};
use tvm_ffi_spec::{
    TVMFFIByteArray,
    abi::abi,
    generation::{Generation, generation},
};
use tvm_ffi_split::api::c_api::TVMFFIFunctionGetGlobal;

fn split() -> &'static Generation {
    generation("split").expect("there is one")
}

/// Cargo leaves it beside the tests.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    test.parent().expect("it is in a folder").join("libtvm_ffi_split.so")
}

#[test]
fn functions_are_those_of_the_generation() {
    let bytes = fs::read(library()).expect("the library was built");
    let elf = object::File::parse(&*bytes).expect("it is a library");
    let defined = elf.dynamic_symbols().filter(|symbol| symbol.is_definition()).filter_map(|symbol| symbol.name().ok());
    let exported: BTreeSet<_> = defined.filter(|name| name.starts_with("TVMFFI")).map(str::to_owned).collect();
    let specified: BTreeSet<_> = split().all_functions().into_iter().map(|function| function.name).collect();
    assert_eq!(exported, specified);
}

#[test]
fn global_functions_are_those_of_the_generation() {
    for name in abi().globals.iter().map(|global| &global.name) {
        let mut function = ptr::null_mut();
        let text = TVMFFIByteArray::new(name.as_bytes());
        // SAFETY: the name lives through the call, and the result is writable.
        assert_eq!(unsafe { TVMFFIFunctionGetGlobal(&text, &mut function) }, 0);
        assert_eq!(!function.is_null(), split().globals.contains(name), "{name}");
    }
}
