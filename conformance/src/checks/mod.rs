//! The checks, one module for each area of clauses.
//!
//! A check stands in one place: a function with the attribute [`check`]. The first sentence of its documentation says what
//! a conforming target does, the attribute names the clauses it decides, and its name makes the id. What only one area
//! needs stands in the area's own kit; no area uses another's.

use std::{collections::HashMap, sync::LazyLock};

pub(crate) use tvm_ffi_check_macro::check;
use tvm_ffi_spec::{clause, generation::TODAY};

use crate::trial::check::{Check, Declared};

mod access_path;
mod allocator;
mod any;
mod argument;
mod array;
mod backtrace;
mod bigint;
pub mod callers;
mod container;
mod container_client;
mod container_own;
mod declared;
mod dict;
mod dtype;
mod enumeration;
mod environment;
mod error;
mod function;
mod global;
mod graph;
mod hash;
mod hook;
mod instance;
mod json;
mod legacy;
mod list;
mod map;
mod memory;
mod module;
mod module_class;
mod module_embedded;
mod object;
mod once;
mod recursive;
mod reflection;
mod registry;
mod split;
mod string;
mod structural;
mod symbols;
mod tensor;
mod r#type;
mod visit;

/// What `#[check]` has declared, in no order.
#[linkme::distributed_slice]
pub(crate) static DECLARED: [Declared];

/// Checks that are made from a table of another crate rather than declared one by one.
#[linkme::distributed_slice]
pub(crate) static GENERATED: [fn() -> Vec<Check>];

/// Every check of today's generation: the areas in the order of the specification, and in an area as they stand in its files.
pub fn all() -> impl Iterator<Item = &'static Check> {
    static TODAYS: LazyLock<Vec<&Check>> = LazyLock::new(|| of(TODAY).collect());
    TODAYS.iter().copied()
}

/// Every check of a generation of the ABI: those whose clauses all hold for it, but for what is compiled for another.
pub fn of(generation: &str) -> impl Iterator<Item = &'static Check> {
    let holds = move |id: &&str| clause::find(id).is_some_and(|clause| clause.holds_for(generation));
    let can = move |check: &Check| check.compiled_for.is_none_or(|compiled_for| compiled_for == generation);
    every().filter(move |check| can(check) && check.clauses.iter().all(holds))
}

/// Every check of every generation.
pub fn every() -> impl Iterator<Item = &'static Check> {
    static ALL: LazyLock<Vec<Check>> = LazyLock::new(|| {
        let mut found: Vec<_> = DECLARED.iter().collect();
        found.sort_by_cached_key(|check| (rank(&area(check)), check.module, check.line));
        found.into_iter().map(named).chain(GENERATED.iter().flat_map(|generate| generate())).collect()
    });
    ALL.iter()
}

/// The check with that id, of whichever generation.
pub fn find(id: &str) -> Option<&'static Check> {
    static BY_ID: LazyLock<HashMap<&str, &Check>> = LazyLock::new(|| every().map(|check| (check.id, check)).collect());
    BY_ID.get(id).copied()
}

fn named(check: &Declared) -> Check {
    let id = format!("{}.{}", area(check), words(check.function));
    let &Declared { sentence, clauses, run, patience, lays, fresh, plain, .. } = check;
    Check { id: id.leak(), name: sentence, clauses, run, patience, lays, fresh, plain, compiled_for: None }
}

/// The area of a check: the module below this one that it stands in.
fn area(check: &Declared) -> String {
    let below = check.module.strip_prefix(concat!(module_path!(), "::")).unwrap_or(check.module);
    words(below.split("::").next().unwrap_or(below))
}

/// The place of an area of checks in the specification: that of the clauses of the same name, or of the name's beginning.
fn rank(area: &str) -> usize {
    let names = |name: &str| area == name || area.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    let older = clause::older_areas().iter().map(|(name, _)| *name);
    let place = older.chain(clause::area_names()).position(names);
    place.unwrap_or_else(|| panic!("no area of clauses has the name of the area of checks {area}"))
}

/// The name of a module or a function as a part of an id.
fn words(name: &str) -> String {
    name.trim_start_matches("r#").replace('_', "-")
}
