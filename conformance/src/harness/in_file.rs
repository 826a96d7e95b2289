//! What the file of a target shows without running it.

use tvm_ffi_reports::Facts;
use tvm_ffi_spec::{abi::abi, part::Kind};

use super::process::message::Probed;
use crate::target::{self, Target};

/// What a target claims and has, as far as its file shows.
pub fn exported(target: &Target) -> Probed {
    let symbols = target::exports(&target.path).map(|exports| exports.symbols).unwrap_or_default();
    let is_cxx = |symbol: &String| abi().cxx_symbols.iter().any(|known| known.name == *symbol);
    let (functions, others): (Vec<_>, Vec<_>) =
        symbols.into_iter().partition(|symbol| abi().function(symbol).is_some());
    Probed { functions, cxx_symbols: others.into_iter().filter(is_cxx).collect(), ..Probed::default() }
}

/// What the file of a target shows, to be compared.
pub fn facts(target: &Target) -> Facts {
    let exported = target::exported::exported(&target.path).unwrap_or_default();
    let soname = target::exports(&target.path).ok().and_then(|exports| exports.soname);
    Facts { soname, symbols: exported.symbols, virtual_tables: exported.virtual_tables, ..Facts::default() }
}

/// The parts that the file of a target with these functions shows.
pub fn parts(target: &Target, probed: &Probed) -> Vec<String> {
    let part = |kind: Kind, name: &str| format!("{} {name}", kind.as_str());
    let symbols = target::exports(&target.path).map(|exports| exports.symbols).unwrap_or_default();
    let functions = probed.functions.iter().map(|name| part(Kind::Function, name));
    functions.chain(symbols.iter().map(|name| part(Kind::CxxSymbol, name))).collect()
}

/// The functions that the file of a target shows and the ABI does not name, though they are called as its functions are.
pub fn own_functions(target: &Target) -> Vec<String> {
    let symbols = target::exports(&target.path).map(|exports| exports.symbols).unwrap_or_default();
    let own = symbols.iter().filter(|name| name.starts_with("TVMFFI") && abi().function(name).is_none());
    let mut own: Vec<_> = own.map(|name| format!("{} {name}", Kind::Function.as_str())).collect();
    own.sort();
    own
}
