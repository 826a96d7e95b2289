//! Modules that are loaded and asked.

use super::{
    function_call::FunctionCall,
    kit::{Call, PASSING, Shortage},
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        modules::{GET_FUNCTION, IMPORT, LOAD, load_args},
        reflected, view,
    },
    target::library::loaded,
    trial::Trial,
};

/// A library is loaded as a module, or the call fails and the library is closed again, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn loads_modules(t: &Trial) -> Verdict {
    loads(t, PASSING)
}

/// A module is asked for what it has, or given an import, or the call fails and the module imports what it imported, where memory is refused.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn asks_modules(t: &Trial) -> Verdict {
    questions(t, PASSING)
}

/// Loading: a library as it is, and one with other modules in it.
pub(super) fn loads(t: &Trial, shortage: Shortage) -> Verdict {
    ["imports.so", "layers.so", "described.so"].into_iter().try_for_each(|library| loads_one(t, shortage, library))
}

fn loads_one(t: &Trial, shortage: Shortage, library: &str) -> Verdict {
    let path = t.fixture(library)?;
    let args = || Ok(load_args(&path).map(|any| t.own(any)).into());
    let libraries = |_: &[Owned]| Ok(loaded().len());
    // Once before, so that what a target keeps open for good counts for none of the calls.
    let Ok(first) = t.answer(LOAD, &load_args(&path))? else { return Ok(()) };
    drop(first);
    FunctionCall { measure: &libraries, ..FunctionCall::new(LOAD, &args) }.meets(t, shortage)
}

/// Asking, and importing.
pub(super) fn questions(t: &Trial, shortage: Shortage) -> Verdict {
    let (module, other) = (t.load("imports.so")?, t.load("functions.so")?);
    let imports = |args: &[Owned]| args.first().map_or(Ok(0), |module| Ok(t.imports_of(module)?.len()));
    // The module, which imports one by then.
    let importing = || {
        t.clear_imports(&module)?;
        t.import(&module, &other)?;
        reflected::share(t, module.any())
    };
    for name in
        [GET_FUNCTION, "ffi.ModuleImplementsFunction", "ffi.ModuleGetFunctionMetadata", "ffi.ModuleGetFunctionDoc"]
    {
        for function in [&b"own"[..], b"return_long_text", b"a function that no module has, with a name that is long"] {
            for within in [false, true] {
                let args = || Ok(vec![importing()?, t.string(function)?, t.own(view::bool(within))]);
                FunctionCall { measure: &imports, ..FunctionCall::new(name, &args) }.meets(t, shortage)?;
            }
        }
    }
    for name in [
        "ffi.ModuleGetKind",
        "ffi.ModuleInspectSource",
        "ffi.ModuleGetWriteFormats",
        "ffi.ModuleGetPropertyMask",
        "ffi.ModuleClearImports",
    ] {
        let args = || Ok(vec![importing()?]);
        FunctionCall { measure: &imports, ..FunctionCall::new(name, &args) }.meets(t, shortage)?;
    }
    // A function of the module's own looks up one of what it imports, whose name the module keeps.
    let looks_up = || -> Verdict<(Owned, Owned)> {
        let module = t.load("imports.so")?;
        t.import(&module, &other)?;
        Ok((t.function_of(&module, c"find_import")?, module))
    };
    Call {
        name: "TVMFFIEnvModLookupFromImports",
        prepare: &looks_up,
        run: &|(find, _), out| t.try_call(find, &[view::c_str(c"return_long_text")], out),
        look: &|(_, module), _| t.eq("how many modules are imported", t.imports_of(module)?.len(), 1),
        is_left: &|_| false,
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)?;
    let looked_up = || -> Verdict<Vec<Owned>> {
        let (find, module) = looks_up()?;
        t.call(&find, &[view::c_str(c"return_long_text")])?;
        Ok(vec![module])
    };
    FunctionCall { measure: &imports, ..FunctionCall::new("ffi.ModuleClearImports", &looked_up) }.meets(t, shortage)?;
    let args = || Ok(vec![importing()?, t.load("functions.so")?]);
    FunctionCall { measure: &imports, ..FunctionCall::new(IMPORT, &args) }.meets(t, shortage)
}
