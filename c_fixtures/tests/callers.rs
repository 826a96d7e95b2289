//! The callers use the whole ABI: every function is called from C, in either language.

use std::collections::BTreeSet;

use object::{Object, ObjectSymbol};
use rstest::rstest;
use tvm_ffi_fixtures::LIBRARIES;
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

#[test]
fn both_languages_have_the_same_callers() {
    let callers = |fixture| symbols(fixture, |symbol| symbol.is_definition() && symbol.is_global());
    let c11 = callers("callers_c11.so");
    assert_eq!(c11, callers("callers_cxx17.so"));
    assert!(c11.iter().filter(|name| name.starts_with("caller_")).count() >= 24, "{c11:?}");
}
