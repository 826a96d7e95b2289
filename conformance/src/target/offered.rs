//! What a library offers: functions under names that the ABI knows, with their metadata and documentation.

use std::collections::BTreeSet;

use tvm_ffi_reports::audit::Exported;

/// What precedes the names of functions.
pub const FUNCTION: &str = "__tvm_ffi_";
/// What precedes the names of functions whose metadata it is.
pub const METADATA: &str = "__tvm_ffi__metadata_";
/// What precedes the names of functions whose documentation it is.
const DOCUMENTATION: &str = "__tvm_ffi__doc_";
/// The place for the module that the library becomes.
pub const CONTEXT: &str = "__tvm_ffi__library_ctx";
/// The modules that are embedded in it.
pub const EMBEDDED: &str = "__tvm_ffi__library_bin";

/// The functions that a library offers, and metadata and documentation of others.
pub fn offered(symbols: &[String]) -> (Vec<Exported>, Vec<String>) {
    let names = |prefix: &str| -> BTreeSet<&str> {
        symbols.iter().filter_map(|symbol| symbol.strip_prefix(prefix)).filter(|name| !name.is_empty()).collect()
    };
    let (metadata, documentation) = (names(METADATA), names(DOCUMENTATION));
    let special = |symbol: &str| {
        [METADATA, DOCUMENTATION].iter().any(|prefix| symbol.starts_with(prefix))
            || [CONTEXT, EMBEDDED].contains(&symbol)
    };
    let functions: BTreeSet<&str> = symbols
        .iter()
        .filter(|symbol| !special(symbol))
        .filter_map(|symbol| symbol.strip_prefix(FUNCTION))
        .filter(|name| !name.is_empty())
        .collect();
    let stray = |prefix: &'static str, names: &BTreeSet<&str>| {
        names.difference(&functions).map(|name| format!("{prefix}{name}")).collect::<Vec<_>>()
    };
    let strays = [stray(METADATA, &metadata), stray(DOCUMENTATION, &documentation)].concat();
    let exported = |name: &&str| Exported {
        name: (*name).to_owned(),
        metadata: metadata.contains(name),
        doc: documentation.contains(name),
    };
    (functions.iter().map(exported).collect(), strays)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_told_by_their_symbols() {
        let symbols = [
            "__tvm_ffi_add",
            "__tvm_ffi__metadata_add",
            "__tvm_ffi__doc_sub",
            "__tvm_ffi__library_ctx",
            "__tvm_ffi__library_bin",
            "__tvm_ffi__private",
            "other",
        ];
        let (functions, strays) = offered(&symbols.map(str::to_owned));
        let names: Vec<_> = functions.iter().map(|each| (&*each.name, each.metadata, each.doc)).collect();
        assert_eq!(names, [("_private", false, false), ("add", true, false)]);
        assert_eq!(strays, ["__tvm_ffi__doc_sub"]);
    }
}
