//! Clients of the legacy generation of the ABI, told by the symbols that they need, export and define.
//!
//! Newer runtimes of TVM kept some of its names, with other parameters or none the wiser; a client that has to do with TVM FFI, too,
//! says nothing by those.

use std::collections::BTreeMap;

use tvm_ffi_reports::audit::Legacy;
use tvm_ffi_spec::generation::{Function, Generation, generation};

use super::names::is_of_the_library;
use crate::target::linkage::Linkage;

/// How symbols begin that a client exports for TVM FFI.
const OFFERED: &str = "__tvm_ffi_";

/// What shows that a client speaks the legacy generation; nothing if it is not known to.
pub fn spoken_by(linkage: &Linkage) -> Option<Legacy> {
    let legacy = generation("legacy")?;
    let functions: BTreeMap<_, _> = legacy.functions.iter().map(|each| (each.name.as_str(), each)).collect();
    let last = legacy.functions.iter().find(|each| each.name == "TVMFuncCall").and_then(|each| each.until.as_ref());
    let wanted = linkage.wanted.iter().chain(&linkage.weak);
    let mut needs: Vec<&Function> = wanted.filter_map(|name| functions.get(name.as_str()).copied()).collect();
    needs.sort_by_key(|each| &each.name);
    let of_it_alone = needs.iter().any(|each| each.until.as_ref() == last);
    let speaks = of_it_alone || (!needs.is_empty() && !speaks_newer(linkage));
    let needs = if speaks { needs.iter().map(|each| each.name.clone()).collect() } else { Vec::new() };
    let is_place = |name: &&String| legacy.evidence.places.contains(name);
    let places: Vec<String> = linkage.symbols.iter().filter(is_place).cloned().collect();
    let defines = defined(legacy, linkage);
    let shown = !needs.is_empty() || !places.is_empty() || defines > 0;
    shown.then(|| Legacy { period: legacy.period.clone(), needs, places, defines })
}

/// Whether a client has to do with TVM FFI.
pub fn speaks_newer(linkage: &Linkage) -> bool {
    let Linkage { wanted, weak, symbols, .. } = linkage;
    let mut all = wanted.iter().chain(weak).chain(symbols);
    all.any(|name| is_of_the_library(name) || name.starts_with(OFFERED))
}

/// How many functions of it a runtime of it defines.
fn defined(legacy: &Generation, linkage: &Linkage) -> u32 {
    if legacy.evidence.refuted_by(&linkage.symbols).is_some() {
        return 0;
    }
    legacy.functions.iter().filter(|each| linkage.symbols.contains(&each.name)).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(wanted: &[&str], symbols: &[&str]) -> Option<Legacy> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        spoken_by(&Linkage { wanted: owned(wanted), symbols: owned(symbols), ..Linkage::default() })
    }

    #[test]
    fn it_is_told_by_what_it_alone_has() {
        let told_by = |wanted: &[&str], symbols: &[&str]| told(wanted, symbols).map(|it| (it.needs, it.places));
        assert_eq!(told_by(&["malloc", "TVMFFIFunctionCall"], &["add"]), None);
        let found = told_by(&["TVMFuncCall", "TVMAPISetLastError", "malloc"], &["add"]).unwrap();
        assert_eq!(found.0, ["TVMAPISetLastError", "TVMFuncCall"]);
        assert_eq!(told_by(&[], &["__TVMFuncCall"]).unwrap().1, ["__TVMFuncCall"]);
        assert!(told_by(&["TVMFuncCall", "TVMFFIFunctionCall"], &[]).is_some(), "it speaks both");
    }

    /// Runtimes of TVM over TVM FFI have these, too.
    #[test]
    fn what_outlived_it_tells_only_of_who_has_nothing_to_do_with_what_came_after() {
        for outlived in ["TVMBackendParallelLaunch", "TVMBackendAllocWorkspace", "TVMBackendAnyListResetItem"] {
            assert_eq!(told(&[outlived, "TVMFFIErrorSetRaisedFromCStr"], &[]), None, "{outlived}");
            assert_eq!(told(&[outlived], &["__tvm_ffi_main"]), None, "{outlived}");
            assert!(told(&[outlived], &["main"]).is_some(), "{outlived}");
        }
    }

    #[test]
    fn a_runtime_defines_what_tells_it() {
        let all: Vec<_> = generation("legacy").unwrap().functions.iter().map(|each| each.name.as_str()).collect();
        assert_eq!(told(&[], &all).unwrap().defines, 56);
        assert_eq!(told(&[], &["TVMFuncCall", "TVMFuncFree"]), None);
        assert_eq!(told(&[], &[&all[..], &["TVMFFIFunctionCall"]].concat()), None);
    }
}
