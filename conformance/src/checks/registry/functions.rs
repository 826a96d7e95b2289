//! Global functions and their metadata.

use tvm_ffi_spec::{
    abi::{self, Global},
    *,
};

use super::kit::{brought_by, same_schema};
use crate::{
    checks::check,
    client::{Verdict, globals},
    trial::Trial,
};

/// The global functions that make and read shapes and arrays are registered when the library is loaded.
#[check(REG_0044)]
fn array_functions(t: &Trial) -> Verdict {
    functions(t, "array", "core")
}

/// The global functions that make, read and iterate over maps are registered when the library is loaded.
#[check(REG_0044)]
fn map_functions(t: &Trial) -> Verdict {
    functions(t, "map", "core")
}

/// The global functions ffi.GetFirstStructuralMismatch and ffi.StructuralHash are registered when the library is
/// loaded.
#[check(REG_0044)]
fn structural_functions(t: &Trial) -> Verdict {
    functions(t, "structural", "core")
}

/// The global functions that save values as texts of JSON graphs and restore them are registered when the library is
/// loaded.
#[check(REG_0044)]
fn json_functions(t: &Trial) -> Verdict {
    functions(t, "json", "core")
}

/// The global functions that read and write JSON, and JSON graphs as values, are registered when the library is loaded.
#[check(REG_0060)]
fn json_functions_of_values(t: &Trial) -> Verdict {
    uncalled(t, "core")
}

/// The global functions that load, search, write and import modules are registered when the library is loaded.
#[check(REG_0044)]
fn module_functions(t: &Trial) -> Verdict {
    functions(t, "module", "core")
}

/// The global function ffi.MakeObjectFromPackedArgs is registered when the library is loaded.
#[check(REG_0044)]
fn object_functions(t: &Trial) -> Verdict {
    functions(t, "object", "core")
}

/// The global function ffi.GetRegisteredTypeKeys is registered when the library is loaded.
#[check(REG_0045)]
fn type_key_function(t: &Trial) -> Verdict {
    functions(t, "value", "type-keys")
}

/// The global function ffi.MapGetItemOrMissing is registered when the library is loaded.
#[check(REG_0046)]
fn map_function_for_missing(t: &Trial) -> Verdict {
    functions(t, "map", "unsafe-view")
}

/// The global function ffi.ModuleGlobalsAdd is registered when the library is loaded.
#[check(REG_0046)]
fn module_functions_of_globals(t: &Trial) -> Verdict {
    functions(t, "module", "unsafe-view")
}

/// The global function ffi.ModuleGlobalsRemove is registered when the library is loaded.
#[check(REG_0061)]
fn module_function_that_lets_go(t: &Trial) -> Verdict {
    uncalled(t, "unsafe-view")
}

/// The global function ffi.ArrayContains is registered when the library is loaded.
#[check(REG_0047)]
fn array_function_of_content(t: &Trial) -> Verdict {
    functions(t, "array", "error-cause")
}

/// The global functions that make, read and change lists are registered when the library is loaded.
#[check(REG_0048)]
fn list_functions(t: &Trial) -> Verdict {
    functions(t, "list", "mutable-containers")
}

/// The global functions that make, read and change dictionaries are registered when the library is loaded.
#[check(REG_0048)]
fn dict_functions(t: &Trial) -> Verdict {
    functions(t, "dict", "mutable-containers")
}

/// The global functions that compare structurally and make structural keys are registered when the library is loaded.
#[check(REG_0048)]
fn structural_key_functions(t: &Trial) -> Verdict {
    functions(t, "structural", "mutable-containers")
}

/// The global functions ffi.DeepCopy and ffi.ReprPrint are registered when the library is loaded.
#[check(REG_0048)]
fn copy_functions(t: &Trial) -> Verdict {
    functions(t, "recursive", "mutable-containers")
}

/// The global function ffi.GetInvalidObject is registered when the library is loaded.
#[check(REG_0048)]
fn sentinel_function(t: &Trial) -> Verdict {
    functions(t, "value", "mutable-containers")
}

/// The global functions that hash and compare values recursively are registered when the library is loaded.
#[check(REG_0049)]
fn recursive_functions(t: &Trial) -> Verdict {
    functions(t, "recursive", "field-init")
}

/// The global functions that generate initialisers, getters, setters and classes are registered when the library is
/// loaded.
#[check(REG_0049)]
fn object_functions_of_fields(t: &Trial) -> Verdict {
    functions(t, "object", "field-init")
}

/// The global function ffi.ContainerFindFirstNonCPUDevice is registered when the library is loaded.
#[check(REG_0049)]
fn array_function_of_devices(t: &Trial) -> Verdict {
    functions(t, "array", "field-init")
}

/// The global function ffi.GetKwargsObject is registered when the library is loaded.
#[check(REG_0049)]
fn keyword_function(t: &Trial) -> Verdict {
    functions(t, "value", "field-init")
}

/// The global function ffi.FunctionFromExternC is registered when the library is loaded.
#[check(REG_0062)]
fn extern_function(t: &Trial) -> Verdict {
    uncalled(t, "field-init")
}

/// The global function ffi.VisitErrorContext.FindAccessPaths is registered when the library is loaded.
#[check(REG_0050)]
fn error_functions(t: &Trial) -> Verdict {
    uncalled(t, "visit-error-context")
}

/// The global functions of structural visitors are registered when the library is loaded.
#[check(REG_0051)]
fn visitor_functions(t: &Trial) -> Verdict {
    functions(t, "structural", "custom-allocator")
}

/// The global functions of structural mutators are registered when the library is loaded.
#[check(REG_0052)]
fn mutator_functions(t: &Trial) -> Verdict {
    functions(t, "structural", "unchanged")
}

/// The global function ffi.ListReserve is registered when the library is loaded.
#[check(REG_0053)]
fn list_function_of_capacity(t: &Trial) -> Verdict {
    uncalled(t, "list-reserve")
}

/// The global functions that no prebuilt client looks up by name.
const UNCALLED: &[&str] = &[
    "ffi.json.Parse",
    "ffi.json.Stringify",
    "ffi.ToJSONGraph",
    "ffi.FromJSONGraph",
    "ffi.ModuleGlobalsRemove",
    "ffi.FunctionFromExternC",
    "ffi.VisitErrorContext.FindAccessPaths",
    "ffi.ListReserve",
];

/// Expects the global functions of a subject that a capability brings and clients look up.
fn functions(t: &Trial, about: &str, capability: &str) -> Verdict {
    let subjects = [about];
    let called = globals::about(&subjects).filter(|global| !UNCALLED.contains(&global.name.as_str()));
    registered(t, called, capability)
}

/// Expects the global functions that a capability brings and no prebuilt client looks up.
fn uncalled(t: &Trial, capability: &str) -> Verdict {
    registered(t, UNCALLED.iter().filter_map(|name| abi::abi().global(name)), capability)
}

/// Expects those of the global functions that a capability brings.
fn registered(t: &Trial, globals: impl Iterator<Item = &'static Global>, capability: &str) -> Verdict {
    let chosen: Vec<_> = globals.filter(|global| brought_by(&global.since) == capability).collect();
    if chosen.is_empty() {
        return Err(t.error("global functions", format!("the spec has none with {capability}")));
    }
    for Global { name, .. } in chosen {
        let function = t.global(name)?;
        t.type_index_eq(format_args!("type_index of {name}"), function.any().type_index, kTVMFFIFunction)?;
    }
    Ok(())
}

/// The metadata of each global function about containers describes the function's type.
#[check(REG_0054)]
fn schemas_of_containers(t: &Trial) -> Verdict {
    global_schemas(t, &["array", "list", "map", "dict"])
}

/// The metadata of each global function about values, objects or errors describes the function's type.
#[check(REG_0054)]
fn schemas_of_values(t: &Trial) -> Verdict {
    global_schemas(t, &["value", "object", "error"])
}

/// The metadata of each global function that compares, copies or visits describes the function's type.
#[check(REG_0054)]
fn schemas_of_comparison(t: &Trial) -> Verdict {
    global_schemas(t, &["structural", "recursive"])
}

/// The metadata of each global function about modules or JSON describes the function's type.
#[check(REG_0054)]
fn schemas_of_modules(t: &Trial) -> Verdict {
    global_schemas(t, &["module", "json"])
}

/// Expects the metadata of the global functions of these subjects, as far as the target has them.
fn global_schemas(t: &Trial, subjects: &[&str]) -> Verdict {
    let describe = t.global("ffi.GetGlobalFuncMetadata")?;
    for global in globals::about(subjects) {
        if globals::find(t, &global.name)?.is_none() {
            // What came after the first release may be missing.
            t.that(&global.name, brought_by(&global.since) != "core", "registered", "missing")?;
            continue;
        }
        let metadata = t.call(&describe, &[t.string(global.name.as_bytes())?.any()])?;
        let metadata = String::from_utf8_lossy(&t.text(&metadata.any())?).into_owned();
        same_schema(t, &global.name, &metadata, &global.metadata)?;
    }
    Ok(())
}
