//! What the file of a target shows without running it.

use std::collections::BTreeMap;

use tvm_ffi_reports::Facts;
use tvm_ffi_spec::{abi::abi, part::Kind};

use super::process::message::Probed;
use crate::target::{self, Target, promised};

/// What a target claims and has, as far as its file shows.
pub fn exported(target: &Target) -> Probed {
    let symbols = target.linkage.symbols.iter().cloned();
    let is_cxx = |symbol: &String| abi().cxx_symbols.iter().any(|known| known.name == *symbol);
    let (functions, others): (Vec<_>, Vec<_>) = symbols.partition(|symbol| abi().function(symbol).is_some());
    Probed { functions, cxx_symbols: others.into_iter().filter(is_cxx).collect(), ..Probed::default() }
}

/// What the file of a target shows, to be compared.
pub fn facts(target: &Target) -> Facts {
    let exported = target::exported::exported(&target.path).unwrap_or_default();
    let soname = target.linkage.soname.clone();
    let target::exported::Exported { symbols, thread_local, virtual_tables } = exported;
    Facts { soname, symbols, thread_local, virtual_tables, ..Facts::default() }
}

/// The parts that the file of a target with these functions shows.
pub fn parts(target: &Target, probed: &Probed) -> Vec<String> {
    let part = |kind: Kind, name: &str| format!("{} {name}", kind.as_str());
    let functions = probed.functions.iter().map(|name| part(Kind::Function, name));
    functions.chain(target.linkage.symbols.iter().map(|name| part(Kind::CxxSymbol, name))).collect()
}

/// Every name that the file of a target exports, and what it stands for.
pub fn names(target: &Target) -> BTreeMap<String, promised::Kind> {
    promised::all(&target.path)
}

/// What the file of a target exports by a name of its own, which the ABI does not have.
pub fn beyond(target: &Target) -> Vec<String> {
    let known = |name: &str| abi().function(name).is_some() || abi().cxx_symbols.iter().any(|known| known.name == name);
    let own = promised::promised(&target.path).into_iter().filter(|(name, _)| !known(name));
    own.map(|(name, kind)| format!("{} {name}", kind.as_str())).collect()
}
