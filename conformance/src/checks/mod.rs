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

/// Every check of a generation of the ABI.
pub fn of(generation: &str) -> impl Iterator<Item = &'static Check> {
    every().filter(move |check| is_of(check, generation))
}

/// Whether a check is one of a generation: its clauses all hold for it, and it is not compiled for another.
pub fn is_of(check: &Check, generation: &str) -> bool {
    let holds = |id: &&str| clause::find(id).is_some_and(|clause| clause.holds_for(generation));
    let can = check.compiled_for.is_none_or(|compiled_for| compiled_for == generation);
    can && check.clauses.iter().all(holds)
}

/// Every check of every generation.
pub fn every() -> impl Iterator<Item = &'static Check> {
    static ALL: LazyLock<Vec<Check>> = LazyLock::new(|| {
        let mut found: Vec<_> = DECLARED.iter().collect();
        found.sort_by_key(|check| (check.module, check.line));
        // Each process of a run makes this list, so what is the same for all checks of a module is found out once.
        let modules = found.chunk_by(|one, next| one.module == next.module);
        let mut modules: Vec<_> = modules.map(|checks| (area(checks[0].module), checks)).collect();
        modules.sort_by_cached_key(|(area, _)| rank(area));
        let checks = modules.iter().flat_map(|(area, checks)| checks.iter().map(|check| named(area, check)));
        checks.chain(GENERATED.iter().flat_map(|generate| generate())).collect()
    });
    ALL.iter()
}

/// The check with that id, of whichever generation.
pub fn find(id: &str) -> Option<&'static Check> {
    static BY_ID: LazyLock<HashMap<&str, &Check>> = LazyLock::new(|| every().map(|check| (check.id, check)).collect());
    BY_ID.get(id).copied()
}

fn named(area: &str, check: &Declared) -> Check {
    let id = [area, &words(check.function)].join(".");
    let &Declared { sentence, clauses, run, patience, lays, fresh, plain, .. } = check;
    Check { id: id.leak(), name: sentence, clauses, run, patience, lays, fresh, plain, compiled_for: None }
}

/// The area of the checks in a module: the module below this one that they stand in.
fn area(path: &str) -> String {
    let below = path.strip_prefix(concat!(module_path!(), "::")).unwrap_or(path);
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
