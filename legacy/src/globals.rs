//! Global functions: the core's registry, with what every runtime of the legacy generation has in it.

use std::{
    ffi::{CStr, CString},
    sync::Once,
};

use crate::{
    containers, core, device,
    error::{Error, Result},
    function::{self, Native},
    module,
    object::Ref,
    parallel,
    value::Value,
};

/// Functions of several subjects; those of containers stand there.
const GLOBALS: &[(&str, Native)] = &[
    ("runtime.SystemLib", |args| {
        let prefix = if args.len() == 0 { Vec::new() } else { args.text(0)? };
        module::system(&prefix).map(Value::object)
    }),
    ("runtime.module.loadfile_so", |args| {
        let path = CString::new(args.text(0)?).map_err(|_| Error::value("a path has a NUL in it"))?;
        module::open(&path).map(Value::object)
    }),
    ("runtime.ModuleGetFunction", |args| {
        let name = CString::new(args.text(1)?).map_err(|_| Error::value("a name has a NUL in it"))?;
        let found = module::function(&args.object(0)?, &name, args.int(2)? != 0)?;
        Ok(found.map_or(Value::NONE, Value::object))
    }),
    ("runtime.RuntimeEnabled", |args| Ok(Value::bool(device::is_enabled(&args.text(0)?)))),
    ("runtime.NumThreads", |_| Ok(Value::int(parallel::workers().into()))),
    ("runtime.config_threadpool", |args| {
        // The mode says on which processors threads run, which is not decided here.
        args.int(0)?;
        parallel::set_workers(i32::try_from(args.int(1)?).unwrap_or(0));
        Ok(Value::NONE)
    }),
];

/// Fills the registry, once.
fn fill() {
    static FILLED: Once = Once::new();
    FILLED.call_once(|| {
        for (name, native) in GLOBALS.iter().chain(containers::GLOBALS) {
            // A name that somebody took before stays theirs.
            if let Ok(function) = function::native(*native).to_core() {
                drop(core::set_global(name.as_bytes(), &function, false));
            }
        }
    });
}

/// The function of that name.
pub fn get(name: &CStr) -> Result<Option<Ref>> {
    fill();
    core::global(name.to_bytes())?.map(|function| function::of_core(&function)).transpose()
}

/// Registers a function.
pub fn set(name: &CStr, function: &Ref, replaces: bool) -> Result<()> {
    fill();
    if function.body::<function::Function>().is_none() {
        return Err(Error::of_type(format!("an object of type {} is no function", function.type_index())));
    }
    core::set_global(name.to_bytes(), &function.to_core()?, replaces)
}

/// Removes a function; nothing happens if there is none.
pub fn remove(name: &CStr) -> Result<()> {
    fill();
    core::remove_global(name.to_bytes())
}

/// All names.
pub fn names() -> Result<Vec<Vec<u8>>> {
    fill();
    core::global_names()
}
