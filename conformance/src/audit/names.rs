//! Names of symbols: which belong to the library, and what they are called in C++. The interface to the `cpp_demangle` crate is
//! here and nowhere else.

/// Whether a symbol is one that the library has or should have: `TVMFFI…`, or something in the C++ namespace `tvm::ffi`.
pub fn is_of_the_library(symbol: &str) -> bool {
    symbol.starts_with("TVMFFI") || is_in_namespace(symbol)
}

/// Whether a C++ symbol is something in `tvm::ffi`, by how it is mangled: `_Z`, perhaps a letter pair for tables and such, `N`,
/// perhaps qualifiers of a method, and the names.
fn is_in_namespace(symbol: &str) -> bool {
    const SPECIAL: [&str; 6] = ["TV", "TI", "TS", "TT", "GV", ""];
    let Some(mangled) = symbol.strip_prefix("_Z") else { return false };
    let nested = SPECIAL.into_iter().find_map(|special| mangled.strip_prefix(special)?.strip_prefix('N'));
    nested.is_some_and(|names| names.trim_start_matches(['r', 'V', 'K', 'R', 'O']).starts_with("3tvm3ffi"))
}

/// A symbol as its language has it.
pub fn readable(symbol: &str) -> String {
    let demangled = symbol.starts_with("_Z").then(|| cpp_demangle::Symbol::new(symbol).ok()?.demangle().ok());
    let demangled = demangled.flatten().unwrap_or_else(|| symbol.to_owned());
    // What the compiler makes, such as `{vtable(X)}`, as other tools have it: `vtable for X`.
    let made = demangled.strip_prefix('{').and_then(|text| text.strip_suffix(")}")?.split_once('('));
    made.map(|(what, of)| format!("{what} for {of}")).unwrap_or(demangled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_the_library_are_told_by_their_names() {
        let of_it = [
            "TVMFFIObjectDecRef",
            "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_",
            "_ZNK3tvm3ffi9ModuleObj4kindEv",
            "_ZTVN3tvm3ffi9ModuleObjE",
        ];
        assert!(of_it.into_iter().all(is_of_the_library));
        let others =
            ["malloc", "_ZN3tvm7runtime4LoadERKNS_3ffi6StringE", "_ZSt4copyIPN3tvm3ffi3AnyEvE", "_Z3fooN3tvm3ffi3AnyE"];
        assert!(!others.into_iter().any(is_of_the_library));
    }

    #[test]
    fn symbols_are_shown_as_in_cxx() {
        let shown = readable("_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
        assert_eq!(shown, "tvm::ffi::json::Parse(tvm::ffi::String const&, tvm::ffi::String*)");
        assert_eq!(readable("_ZTVN3tvm3ffi9ModuleObjE"), "vtable for tvm::ffi::ModuleObj");
        assert_eq!(readable("_Znonsense"), "_Znonsense");
    }
}
