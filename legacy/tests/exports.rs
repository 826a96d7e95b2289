//! The library exports the functions of its generation, no more and no less.

use std::{collections::BTreeSet, env, fs};

use object::{Object, ObjectSymbol};
use tvm_ffi_spec::generation::generation;

#[test]
fn functions_are_those_of_the_generation() {
    // Cargo builds the library for tests, and leaves it beside them.
    let library = env::current_exe().expect("a test knows its program").with_file_name("libtvm_runtime.so");
    let bytes = fs::read(&library).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
    let elf = object::File::parse(&*bytes).expect("it is a library");
    let defined = elf.dynamic_symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
    let exported: BTreeSet<_> = defined.map(|symbol| symbol.name().unwrap_or_default().to_owned()).collect();
    let legacy = generation("legacy").expect("there is one");
    let specified: BTreeSet<_> = legacy.all_functions().into_iter().map(|function| function.name).collect();
    assert_eq!(exported, specified);
}
