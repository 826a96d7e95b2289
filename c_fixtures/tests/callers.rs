//! The callers use the whole ABI: every function is called from C, in either language.

use std::collections::BTreeSet;

use object::{Object, ObjectSymbol};
use rstest::rstest;
use tvm_ffi_fixtures::{CALLERS, LIBRARIES};
use tvm_ffi_spec::abi::abi;

/// The names in the dynamic symbol table of a fixture for which `choose` holds.
fn symbols(fixture: &str, choose: impl Fn(&object::Symbol<'_, '_>) -> bool) -> BTreeSet<String> {
    let (_, bytes) = LIBRARIES.iter().find(|(name, _)| *name == fixture).expect("the fixture is embedded");
    let file = object::File::parse(*bytes).expect("the fixture is a shared library");
    let chosen = file.dynamic_symbols().filter(|symbol| choose(symbol));
    chosen.map(|symbol| symbol.name().expect("a symbol has a name").to_owned()).collect()
}

#[rstest]
#[case("callers_c11.so")]
#[case("callers_cxx17.so")]
fn every_function_is_called(#[case] fixture: &str) {
    let called = symbols(fixture, |symbol| symbol.is_undefined());
    let names = abi().functions.iter().map(|function| &function.name);
    let uncalled: Vec<_> = names.filter(|name| !called.contains(*name)).collect();
    assert!(uncalled.is_empty(), "{fixture} never calls {uncalled:?}");
}

#[rstest]
#[case("callers_c11.so")]
#[case("callers_cxx17.so")]
#[case("cxx_values.so")]
#[case("cxx_modules.so")]
#[case("cxx_imports.so")]
#[case("cxx_recursive.so")]
#[case("cxx_texts.so")]
fn every_caller_is_in_the_table(#[case] fixture: &str) {
    let defined = symbols(fixture, |symbol| symbol.is_definition() && symbol.is_global());
    let callers = defined.into_iter().filter(|name| name.starts_with("caller_")).collect::<BTreeSet<_>>();
    let listed = CALLERS.iter().filter(|caller| caller.forms.iter().any(|form| form.library == fixture));
    assert_eq!(callers, listed.map(|caller| format!("caller_{}", caller.name)).collect());
}
