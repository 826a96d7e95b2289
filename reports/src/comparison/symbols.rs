//! What two libraries export: symbols, and the functions in virtual tables.

use std::collections::BTreeMap;

use tvm_ffi_spec::abi::abi;

use super::model::{Changes, Difference, Effect, Kind};
use crate::facts::Facts;

/// What differs in what the libraries export, and in the name that the loader knows them by.
pub(super) fn compare(old: &Facts, new: &Facts) -> Vec<Difference> {
    let mut changes = Changes::default();
    let soname = |facts: &Facts| facts.soname.clone().unwrap_or_else(|| "none".to_owned());
    changes.compare(Effect::BreaksPrebuilt, "the loader's name", soname(old), soname(new));
    let mut found: Vec<_> = changes.of(Kind::Library, "soname").into_iter().collect();
    for (symbol, size) in &old.symbols {
        let (kind, name) = shown(symbol, size);
        let Some(new_size) = new.symbols.get(symbol) else {
            found.push(removed(symbol, kind, name, &new.symbols));
            continue;
        };
        let mut changes = Changes::default();
        // Clients are compiled for the one or the other.
        let (was, is) = (form(old, symbol, size), form(new, symbol, new_size));
        changes.compare(Effect::BreaksPrebuiltAndSources, "kind", was, is);
        if let (Some(old), Some(new)) = (size, new_size) {
            changes.compare(Effect::BreaksPrebuilt, "size", old, new);
        }
        found.extend(changes.of(kind, name));
    }
    let added = new.symbols.iter().filter(|(symbol, _)| !old.symbols.contains_key(*symbol));
    found.extend(added.map(|(symbol, size)| {
        let (kind, name) = shown(symbol, size);
        Difference::added(kind, name, "is new")
    }));
    found.extend(virtual_tables(old, new));
    found
}

/// What a symbol stands for.
fn form(facts: &Facts, symbol: &str, size: &Option<u64>) -> &'static str {
    match size {
        None => "function",
        Some(_) if facts.thread_local.contains(symbol) => "thread-local variable",
        Some(_) => "variable",
    }
}

fn removed(symbol: &str, kind: Kind, name: String, new: &BTreeMap<String, Option<u64>>) -> Difference {
    if kind != Kind::CxxSymbol {
        return Difference::removed(Effect::BreaksPrebuiltAndSources, kind, name, "is gone");
    }
    // A function of the same name with other parameters serves programs that are built anew.
    let successor = new
        .keys()
        .find(|other| *other != symbol && qualified(other).is_some_and(|name| Some(name) == qualified(symbol)));
    match successor {
        Some(successor) => {
            let what = format!("is gone; there is {}", named(successor).1);
            Difference::removed(Effect::BreaksPrebuilt, kind, name, what)
        }
        None => Difference::removed(Effect::BreaksPrebuiltAndSources, kind, name, "is gone"),
    }
}

/// A symbol as people know it, of data with its size.
fn shown(symbol: &str, size: &Option<u64>) -> (Kind, String) {
    match (named(symbol), size) {
        ((Kind::Function, name), Some(_)) => (Kind::Variable, name),
        (named, _) => named,
    }
}

/// A symbol as people know it, where it is no variable in C.
pub(super) fn named(symbol: &str) -> (Kind, String) {
    if !symbol.starts_with("_Z") {
        return (Kind::Function, symbol.to_owned());
    }
    let known = abi().cxx_symbols.iter().find(|known| known.name == symbol);
    (Kind::CxxSymbol, known.map_or(symbol, |known| &known.declaration).to_owned())
}

/// The part of a mangled name that says what is meant, without its parameters.
fn qualified(symbol: &str) -> Option<&str> {
    let rest = symbol.strip_prefix("_ZN")?;
    let mut end = 0;
    // Names follow one another, each behind its length.
    while let Some(digits) = rest[end..].find(|c: char| !c.is_ascii_digit()).filter(|digits| *digits > 0) {
        let length: usize = rest[end..end + digits].parse().ok()?;
        end = end.checked_add(digits)?.checked_add(length).filter(|end| rest.is_char_boundary(*end))?;
    }
    rest[end..].starts_with('E').then(|| &rest[..end])
}

fn virtual_tables(old: &Facts, new: &Facts) -> Vec<Difference> {
    let mut found = Vec::new();
    for (table, old) in &old.virtual_tables {
        let Some(new) = new.virtual_tables.get(table) else { continue };
        let mut changes = Changes::default();
        changes.compare(Effect::BreaksPrebuilt, "functions", old.len(), new.len());
        for (slot, functions) in old.iter().zip(new).enumerate() {
            // What has no exported name cannot be told from another such function.
            if let (Some(one), Some(other)) = functions {
                changes.compare(Effect::BreaksPrebuilt, &format!("function {slot}"), named(one).1, named(other).1);
            }
        }
        found.extend(changes.of(Kind::VirtualTable, named(table).1));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_from_its_parameters() {
        let names = ["_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE", "_ZN3tvm3ffi9ReprPrintERKNS0_3AnyE"];
        assert_eq!(names.map(qualified), [Some("3tvm3ffi4json9Stringify"), Some("3tvm3ffi9ReprPrint")]);
        for name in ["_ZTVN3tvm3ffi5ErrorE", "_ZN99999999999999999999tvmE", "_ZN9tvmE", "_ZN3größE"] {
            assert_eq!(qualified(name), None, "{name}");
        }
    }
}
