//! The global functions about modules, and the reflected field.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::AtomicPtr,
};

use tvm_ffi_spec::TVMFFIAny;

use super::{handle::Module, imports};
use crate::{
    border::{c_pointers, error::Result, guard::guard},
    function::{
        arguments::Arguments,
        row::{Row, row},
    },
    types::schema::Type,
    value::any::Any,
};

/// The global functions about modules.
pub const GLOBALS: &[Row] = &[
    row("ffi.ModuleLoadFromFile(0: str) -> ffi.Module", |args| Ok(Module::load(args.str(0)?)?.into())),
    row("ffi.ModuleImplementsFunction(0: ffi.Module, 1: str, 2: bool) -> bool", |args| {
        Ok(module(args, 0)?.implements_function(&text(args, 1)?, args.bool(2)?)?.into())
    }),
    row("ffi.ModuleGetFunctionMetadata(0: ffi.Module, 1: str, 2: bool) -> Optional<str>", |args| {
        module(args, 0)?.function_metadata(&text(args, 1)?, args.bool(2)?)
    }),
    row("ffi.ModuleGetFunctionDoc(0: ffi.Module, 1: str, 2: bool) -> Optional<str>", |args| {
        module(args, 0)?.function_doc(&text(args, 1)?, args.bool(2)?)
    }),
    row("ffi.ModuleGetFunction(0: ffi.Module, 1: str, 2: bool) -> Optional<ffi.Function>", |args| {
        Ok(module(args, 0)?.function(&text(args, 1)?, args.bool(2)?)?.into())
    }),
    row("ffi.ModuleGetPropertyMask(0: ffi.Module) -> int", |args| Ok(module(args, 0)?.property_mask()?.into())),
    row("ffi.ModuleInspectSource(0: ffi.Module, 1: str) -> str", |args| {
        module(args, 0)?.inspect_source(&text(args, 1)?)
    }),
    row("ffi.ModuleGetKind(0: ffi.Module) -> str", |args| module(args, 0)?.kind()),
    row("ffi.ModuleGetWriteFormats(0: ffi.Module) -> Array<str>", |args| Ok(module(args, 0)?.write_formats()?.into())),
    row("ffi.ModuleWriteToFile(0: ffi.Module, 1: str, 2: str) -> void", |args| {
        module(args, 0)?.write_to_file(&text(args, 1)?, &text(args, 2)?)?;
        Ok(Any::NONE)
    }),
    row("ffi.ModuleImportModule(0: ffi.Module, 1: ffi.Module) -> void", |args| {
        // Should both be wrong, clients know to be told of the second.
        let other = module(args, 1)?;
        module(args, 0)?.import_module(other)?;
        Ok(Any::NONE)
    }),
    row("ffi.ModuleClearImports(0: ffi.Module) -> void", |args| {
        module(args, 0)?.clear_imports()?;
        Ok(Any::NONE)
    }),
    row("ffi.ModuleGlobalsAdd(0: ffi.Module) -> void", |args| {
        module(args, 0)?.keep();
        Ok(Any::NONE)
    }),
    row("ffi.ModuleGlobalsRemove(0: ffi.Module) -> void", |args| {
        module(args, 0)?.forget();
        Ok(Any::NONE)
    }),
    row("ffi.SystemLib", |args| {
        let prefix = match args.all().first() {
            None => b"",
            Some(prefix) => prefix.as_str().ok_or_else(|| Type::Str.refuse(prefix))?,
        };
        Ok(Module::of_system_library(prefix)?.into())
    }),
    row("ffi.Module.load_from_file.so(0: str, 1: str) -> ffi.Module", |args| {
        args.str(1)?;
        Ok(Module::open(args.str(0)?)?.into())
    }),
];

fn module<'a>(args: &Arguments<'a>, index: usize) -> Result<&'a Module> {
    args.borrow(index)
}

/// A String of an argument, which may have another form.
fn text(args: &Arguments<'_>, index: usize) -> Result<Any> {
    args.string(index)
}

/// Reads the reflected field `imports_`.
///
/// # Safety
/// `field` is the address of the imports of a live module, `result` NULL or writable.
pub unsafe extern "C" fn get_imports(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    guard(|| {
        let (field, result) = (c_pointers::required(field, "field")?, c_pointers::required(result, "result")?);
        // SAFETY: the field holds the handle of an array, and the result can be written.
        unsafe { result.write(Any::from(imports::held(AtomicPtr::from_ptr(field.as_ptr().cast()))).into_raw()) };
        Ok(())
    })
}
