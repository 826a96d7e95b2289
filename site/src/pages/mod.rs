//! The pages, each made from one part of the specification.

mod area;
mod constants;
mod cxx;
mod functions;
mod generations;
mod globals;
mod home;
mod promises;
mod releases;
mod structs;
mod types;

use tvm_ffi_spec::clause::{area_names, areas, older_areas};

use crate::frame::Page;

/// Every page, the first one first.
pub fn all() -> Vec<Page> {
    let single = [
        home::page(),
        functions::page(),
        structs::page(),
        constants::page(),
        globals::page(),
        types::page(),
        cxx::page(),
        promises::page(),
        releases::page(),
        generations::page(),
    ];
    let older = older_areas().iter().map(|(name, area)| (*name, area));
    let areas = area_names().zip(areas()).chain(older).map(|(name, area)| area::page(name, area));
    single.into_iter().chain(areas).collect()
}
