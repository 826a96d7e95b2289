//! Functions that are refused every request from some moment on.

use super::{
    containers, errors, exported, kit::LASTING, modules, objects, paths, records, settings, tensors, types, values,
};
use crate::{checks::check, client::Verdict, trial::Trial};

/// A function of the C API fails or succeeds, and the process goes on, where every request for memory from some moment on is refused.
#[check(MEM_0005)]
fn exported_functions_when_nothing_is_left(t: &Trial) -> Verdict {
    exported::values(t, LASTING)?;
    exported::objects(t, LASTING)?;
    exported::globals(t, LASTING)?;
    exported::symbols(t, LASTING)?;
    exported::moves(t, LASTING)?;
    exported::handles(t, LASTING)?;
    settings::settings(t, LASTING)?;
    types::registrations(t, LASTING)?;
    tensors::imports(t, LASTING)?;
    tensors::exports(t, LASTING)?;
    tensors::views(t, LASTING)?;
    tensors::allocations(t, LASTING)
}

/// A global function that makes, changes or reads a container fails or succeeds, and the process goes on, where every request for memory from some
/// moment on is refused.
#[check(MEM_0005)]
fn containers_when_nothing_is_left(t: &Trial) -> Verdict {
    containers::made(t, LASTING)?;
    containers::lists(t, LASTING)?;
    containers::dicts(t, LASTING)?;
    containers::read(t, LASTING)
}

/// A global function that goes through a value fails or succeeds, and the process goes on, where every request for memory from some moment on is
/// refused.
#[check(MEM_0005)]
fn values_when_nothing_is_left(t: &Trial) -> Verdict {
    values::walks(t, LASTING)?;
    values::texts(t, LASTING)?;
    values::visits(t, LASTING)?;
    values::names(t, LASTING)
}

/// A function that goes through objects of a client's types, or finds their places, fails or succeeds, and the process goes on, where every request for
/// memory from some moment on is refused.
#[check(MEM_0005)]
fn objects_when_nothing_is_left(t: &Trial) -> Verdict {
    objects::walks(t, LASTING)?;
    objects::hooks(t, LASTING)?;
    objects::visits(t, LASTING)?;
    objects::places(t, LASTING)
}

/// An instance of a declared type or of one of the library's is made, written, read, or has a field set, or the call fails, and the process goes on, where
/// every request for memory from some moment on is refused.
#[check(MEM_0005)]
fn records_when_nothing_is_left(t: &Trial) -> Verdict {
    records::instances(t, LASTING)?;
    records::declarations(t, LASTING)?;
    records::enumerations(t, LASTING)?;
    paths::paths(t, LASTING)?;
    paths::fields(t, LASTING)?;
    paths::conversions(t, LASTING)
}

/// A module is loaded, asked and given imports, or the call fails, and the process goes on, where every request for memory from some moment on is
/// refused.
#[check(MEM_0005)]
fn modules_when_nothing_is_left(t: &Trial) -> Verdict {
    modules::loads(t, LASTING)?;
    modules::questions(t, LASTING)
}

/// A function that refuses its arguments, or raises an error, raises one where every request for memory from some moment on is refused.
#[check(MEM_0005)]
fn errors_when_nothing_is_left(t: &Trial) -> Verdict {
    errors::refusals(t, LASTING)?;
    errors::raised(t, LASTING)
}
