//! The list of lists of the global functions that every process finds registered.
//!
//! A function is one row: its signature and its body. The rows of a subject stand in the module of that subject, and the
//! list here puts them in order; a further subject adds its rows to it.

use std::collections::BTreeMap;

use crate::{
    border::error::Result,
    container::{array, devices, list, map, shape},
    function::{
        self, Function,
        registry::Global,
        row::Row,
        sentinels,
        signature::{self, Signature},
    },
    generation, json, module,
    object::storage,
    recursive,
    reflection::{class, create},
    startup::types,
    structural,
    system::found::Found,
    value::any::{Any, AnyView},
};

/// All built-in functions, by subject, in the order of their registration.
const TABLES: &[&[Row]] = &[
    types::GLOBALS,
    sentinels::GLOBALS,
    function::globals::GLOBALS,
    shape::GLOBALS,
    array::GLOBALS,
    list::GLOBALS,
    map::GLOBALS,
    devices::GLOBALS,
    structural::equal::GLOBALS,
    structural::hash::GLOBALS,
    structural::visit::GLOBALS,
    structural::walk::GLOBALS,
    structural::mutate::GLOBALS,
    structural::mapper::GLOBALS,
    structural::error_context::GLOBALS,
    json::GLOBALS,
    class::GLOBALS,
    recursive::GLOBALS,
    class::GETTER,
    recursive::COMPARISONS,
    create::GLOBALS,
    structural::key::GLOBALS,
    module::GLOBALS,
];

fn rows() -> impl Iterator<Item = &'static Row> {
    TABLES.iter().copied().flatten().filter(|row| generation::has_global(signature::name_in(row.signature)))
}

/// All built-in functions in the order of their registration.
pub fn builtin() -> Vec<(&'static str, Global)> {
    rows().map(|row| (signature::name_in(row.signature), global_of(row))).collect()
}

/// Calls a built-in function, whatever is registered under its name by now.
pub fn call_builtin(name: &str, args: &[AnyView<'_>]) -> Result<Any> {
    static FUNCTIONS: Found<BTreeMap<&str, (&Row, Found<Function>)>> = Found::new();
    let with_name = |row: &'static Row| (signature::name_in(row.signature), (row, Found::new()));
    let all = FUNCTIONS.get_or_find(|| rows().map(with_name).collect());
    let (Row { signature, function }, made) = &all[name];
    let made = made.get_or_try_find(|| storage::without_allocator(|| function(Signature::new(signature))))?;
    function::call(made, args)
}

fn global_of(&Row { signature, function }: &Row) -> Global {
    let signature = Signature::new(signature);
    let metadata = signature.metadata().into_bytes().into();
    Global { function: function(signature).expect("there is memory for what is built in"), metadata }
}

#[cfg(test)]
mod tests {
    use tvm_ffi_spec::abi;

    use super::*;

    /// The specification lists the functions as they are registered; some tables hold parts of a subject that others
    /// come between.
    #[test]
    fn functions_come_in_the_order_of_the_specification() {
        let names: Vec<_> = builtin().into_iter().map(|(name, _)| name).collect();
        let specified = abi::abi().globals.iter().map(|global| global.name.as_str());
        assert_eq!(names, specified.filter(|name| names.contains(name)).collect::<Vec<_>>());
    }

    #[test]
    fn functions_are_described_as_in_the_specification() {
        let globals = &abi::abi().globals;
        for (name, Global { metadata, .. }) in builtin() {
            let specified = globals.iter().find(|global| global.name == name);
            let specified = specified.unwrap_or_else(|| panic!("{name} is no function of the specification"));
            assert_eq!(String::from_utf8_lossy(&metadata), specified.metadata, "{name}");
        }
    }
}
