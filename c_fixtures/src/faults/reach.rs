//! Which checks can meet a fault: those that enter what it defines anew. Every other check does on the fault's library
//! just what it did on one without a fault, so it need not run again.
//!
//! What a check enters is told by a library without a fault that prints it ([`Builder::told`](super::Builder::told)).

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use object::{Object, ObjectSymbol};
use tvm_ffi_spec::abi::{CxxSymbol, abi};

use super::fault::Fault;

/// How much of what a check printed the suite keeps: where it is full, something may be lost.
const KEPT: usize = 8 << 10;
/// Printed before a function's name when a process enters it for the first time.
pub(super) const ENTERS: &str = "enters";
/// Printed before a global function's name when a process looks it up for the first time.
pub(super) const LOOKS_UP: &str = "looks up";
/// The macros of `wrapped_global.h`: each has names of global functions among its arguments.
const OF_NAMES: &[&str] = &["WRAPPED_GLOBAL(", "WRAPPED_GLOBALS(", "MISSING_GLOBALS("];
/// The function that these macros define.
const LOOK_UP: &str = "TVMFFIFunctionGetGlobal";

/// What the checks enter, by their ids.
#[derive(Debug, Default)]
pub struct Reach(BTreeMap<String, BTreeSet<String>>);

impl Reach {
    /// Notes what a check printed on the library that tells what is entered.
    pub fn note(&mut self, check: &str, printed: &str) {
        // Of a check that printed too much nothing is known, hence it can meet anything.
        if printed.len() < KEPT {
            self.0.insert(check.to_owned(), printed.lines().map(str::to_owned).collect());
        }
    }

    /// Whether a check can meet a fault that touches this.
    pub fn meets(&self, check: &str, touched: &Touched) -> bool {
        match (touched, self.0.get(check)) {
            (Touched::Some(touched), Some(entered)) => !touched.is_disjoint(entered),
            _ => true,
        }
    }
}

/// What a fault touches, in the words in which entering it is told.
#[derive(Debug, PartialEq, Eq)]
pub enum Touched {
    /// These functions and global functions.
    Some(BTreeSet<String>),
    /// More than functions: what it does when it is loaded, what it exports.
    Anything,
}

impl Touched {
    /// Reads it from a fault's library: what the fault defines is there in place of the forwarder's weak definition.
    ///
    /// # Errors
    /// What is wrong with the library.
    pub fn by(fault: &Fault, library: &Path) -> Result<Self, String> {
        let own = own_symbols(library)?;
        // An indirect function is no definition of one.
        let only_functions = fault.lacks.is_empty() && own.values().all(|is_definition| *is_definition);
        Ok(Self::of(&source_of(fault)?, only_functions, own.into_keys().collect()))
    }

    fn of(source: &str, only_functions: bool, mut own: BTreeSet<String>) -> Self {
        let loaded = source.contains("constructor");
        if !only_functions || loaded || own.is_empty() || !own.iter().all(|name| is_function(name)) {
            return Self::Anything;
        }
        let names = names_of_macros(source);
        // A look-up that a macro defines changes what these names lead to, and nothing else.
        let known = |name: &&str| abi().globals.iter().any(|global| global.name == **name);
        let mut touched = BTreeSet::new();
        if !names.is_empty() && names.iter().all(known) {
            own.remove(LOOK_UP);
            touched.extend(names.iter().map(|name| format!("{LOOKS_UP} {name}")));
        }
        touched.extend(own.iter().map(|name| format!("{ENTERS} {name}")));
        Self::Some(touched)
    }
}

/// What a fault has to do with by name, in its own file: functions that it defines or passes on, and global functions. Of two that have
/// none in common, one can be built over the other, and both are there.
///
/// # Errors
/// What is wrong with the file.
pub fn names_in(fault: &Fault) -> Result<BTreeSet<String>, String> {
    let source = source_of(fault)?;
    // What it calls of the original is not meant.
    let own = |name: &str| source.match_indices(name).any(|(at, _)| !source[..at].ends_with("real."));
    let functions = abi().functions.iter().map(|function| &function.name).filter(|name| own(&format!("{name}(")));
    let symbols = abi().cxx_symbols.iter().map(|symbol| &symbol.name).filter(|name| own(name));
    let globals = abi().globals.iter().map(|global| &global.name).filter(|name| own(&format!("\"{name}\"")));
    Ok(functions.chain(symbols).chain(globals).cloned().collect())
}

fn source_of(fault: &Fault) -> Result<String, String> {
    fs::read_to_string(&fault.source).map_err(|error| format!("{}: {error}", fault.source.display()))
}

/// What a fault's library exports in place of the forwarders' weak definitions, and whether each is the definition itself.
fn own_symbols(library: &Path) -> Result<BTreeMap<String, bool>, String> {
    let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", library.display());
    let bytes = fs::read(library).map_err(|error| problem(&error))?;
    let file = object::File::parse(&*bytes).map_err(|error| problem(&error))?;
    let own = file.dynamic_symbols().filter(|symbol| !symbol.is_undefined() && !symbol.is_weak());
    Ok(own.filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.is_definition()))).collect())
}

/// The names of global functions that a fault gives the macro which defines its look-up; it uses one of them.
fn names_of_macros(source: &str) -> Vec<&str> {
    let arguments = OF_NAMES.iter().find_map(|name| source.split_once(&format!("\n{name}"))?.1.split(')').next());
    arguments.into_iter().flat_map(|arguments| arguments.split('"').skip(1).step_by(2)).collect()
}

/// Whether the ABI has a function of that name, in C or in C++.
fn is_function(name: &str) -> bool {
    let cxx = |symbol: &CxxSymbol| symbol.name == name && symbol.size.is_none();
    abi().function(name).is_some() || abi().cxx_symbols.iter().any(cxx)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(source: &str, own: &[&str]) -> Touched {
        Touched::of(source, true, own.iter().map(|&name| name.to_owned()).collect())
    }

    fn some(words: &[&str]) -> Touched {
        Touched::Some(words.iter().map(|&word| word.to_owned()).collect())
    }

    #[test]
    fn a_fault_touches_what_it_defines() {
        assert_eq!(touched("", &["TVMFFIObjectIncRef"]), some(&["enters TVMFFIObjectIncRef"]));
        assert_eq!(touched("", &[LOOK_UP]), some(&["enters TVMFFIFunctionGetGlobal"]));
    }

    #[test]
    fn a_look_up_of_a_macro_touches_the_names_that_it_is_given() {
        let wrapped = "\nWRAPPED_GLOBAL(\"ffi.Array\", array)\n";
        assert_eq!(touched(wrapped, &[LOOK_UP]), some(&["looks up ffi.Array"]));
        let both = ["TVMFFIObjectIncRef", LOOK_UP];
        assert_eq!(touched(wrapped, &both), some(&["enters TVMFFIObjectIncRef", "looks up ffi.Array"]));
        let several = "\nWRAPPED_GLOBALS(callee, \"ffi.Array\",\n                \"ffi.Map\")\n// \"ffi.List\"";
        assert_eq!(touched(several, &[LOOK_UP]), some(&["looks up ffi.Array", "looks up ffi.Map"]));
        let missing = "\nMISSING_GLOBALS(\"ffi.Array\", \"ffi.Map\")\n";
        assert_eq!(touched(missing, &[LOOK_UP]), some(&["looks up ffi.Array", "looks up ffi.Map"]));
        let one_is_unknown = "\nWRAPPED_GLOBALS(callee, \"ffi.Array\", \"my.own\")\n";
        assert_eq!(touched(one_is_unknown, &[LOOK_UP]), some(&["enters TVMFFIFunctionGetGlobal"]));
        let only_talked_about = "// WRAPPED_GLOBAL(\"ffi.Array\", array)";
        assert_eq!(touched(only_talked_about, &[LOOK_UP]), some(&["enters TVMFFIFunctionGetGlobal"]));
    }

    #[test]
    fn what_is_more_than_functions_can_be_met_by_all() {
        assert_eq!(touched("", &[]), Touched::Anything);
        assert_eq!(touched("__attribute__((constructor))", &["TVMFFIObjectIncRef"]), Touched::Anything);
        assert_eq!(touched("", &["TVMFFIUnheardOf"]), Touched::Anything);
        assert_eq!(Touched::of("", false, [LOOK_UP.to_owned()].into()), Touched::Anything);
    }

    #[test]
    fn a_check_meets_what_it_enters() {
        let mut reach = Reach::default();
        reach.note("string.empty", "enters TVMFFIObjectIncRef\nsomething else\n");
        reach.note("string.chatty", &"x".repeat(KEPT));
        assert!(reach.meets("string.empty", &some(&["enters TVMFFIObjectIncRef"])));
        assert!(!reach.meets("string.empty", &some(&["enters TVMFFIObjectDecRef"])));
        assert!(reach.meets("string.empty", &Touched::Anything));
        assert!(reach.meets("string.chatty", &some(&["enters TVMFFIObjectDecRef"])));
        assert!(reach.meets("string.unknown", &some(&["enters TVMFFIObjectDecRef"])));
    }
}
