//! The operations that are compared, a file for each area.

mod counts;
mod dtypes;
mod errors;
mod functions;
mod globals;
mod json;
pub(crate) mod kit;
mod maps;
mod modules;
pub mod operation;
mod sequences;
mod strings;
mod tensors;
mod trees;
mod types;
mod values;
mod walks;

use operation::Operation;

/// All of them. Those that leave something behind in the process, types above all, come last.
pub fn all() -> Vec<Operation> {
    let areas = [
        values::area(),
        counts::area(),
        strings::area(),
        dtypes::area(),
        functions::area(),
        errors::area(),
        tensors::area(),
        sequences::area(),
        maps::area(),
        json::area(),
        walks::area(),
        modules::area(),
        globals::area(),
        types::area(),
    ];
    areas.into_iter().flat_map(|area| area.operations).collect()
}
