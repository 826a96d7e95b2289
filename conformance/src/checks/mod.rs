//! The checks, one file for each area of clauses.
//!
//! A check is a row of data and a small function. Its name says what a conforming target does; its clauses are those of
//! `spec/clauses/`, and a failure quotes the clause, so the function need not repeat it.

use crate::trial::check::Check;

mod access_path;
mod allocator;
mod any;
mod argument;
mod array;
mod backtrace;
mod bigint;
mod c_callers;
mod container;
mod declared;
mod dict;
mod dict_model;
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
mod list;
mod list_model;
mod map;
mod module;
mod module_class;
mod module_embedded;
mod object;
mod once;
mod recursive;
mod reflection;
mod registry;
mod string;
mod structural;
mod symbols;
mod tensor;
mod type_table;
mod visit;

/// The areas, in the order in which they are run and reported.
pub const AREAS: &[&[Check]] = &[
    symbols::CHECKS,
    any::CHECKS,
    object::CHECKS,
    string::CHECKS,
    error::CHECKS,
    backtrace::CHECKS,
    function::CHECKS,
    global::CHECKS,
    type_table::CHECKS,
    reflection::CHECKS,
    registry::CHECKS,
    argument::CHECKS,
    instance::CHECKS,
    access_path::CHECKS,
    declared::CHECKS,
    enumeration::CHECKS,
    tensor::CHECKS,
    dtype::CHECKS,
    environment::CHECKS,
    bigint::CHECKS,
    allocator::CHECKS,
    once::CHECKS,
    module::CHECKS,
    module_embedded::CHECKS,
    module_class::CHECKS,
    hash::CHECKS,
    array::CHECKS,
    list::CHECKS,
    list_model::CHECKS,
    map::CHECKS,
    dict::CHECKS,
    dict_model::CHECKS,
    container::CHECKS,
    json::CHECKS,
    graph::CHECKS,
    recursive::CHECKS,
    structural::CHECKS,
    hook::CHECKS,
    visit::CHECKS,
    c_callers::CHECKS,
];
