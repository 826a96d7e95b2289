//! Loading libraries as modules, finding the functions of modules, and calling them.

use std::{ffi::CStr, fmt::Display};

use tvm_ffi_spec::*;

use crate::client::{connection::Client, names, owned::Owned, owned::Raised, reflected, value::view, verdict::Verdict};

/// The global function that loads a library. It takes [`load_args`].
pub const LOAD: &str = "ffi.Module.load_from_file.so";
/// The global function that finds a function: of a module, by a name, in its imports too or not.
pub const GET_FUNCTION: &str = "ffi.ModuleGetFunction";
/// The global function that makes a module import another.
pub const IMPORT: &str = "ffi.ModuleImportModule";
/// What [`LOAD`] takes for a format: an empty string.
pub const NO_FORMAT: TVMFFIAny = TVMFFIAny::new(kTVMFFISmallStr, 0);

/// The arguments of [`LOAD`]; valid as long as the path.
pub fn load_args(path: &CStr) -> [TVMFFIAny; 2] {
    [view::c_str(path), NO_FORMAT]
}

/// Loading modules, and asking them.
impl Client {
    /// Loads a library, which is expected to succeed.
    pub fn load_module(&self, path: &CStr) -> Verdict<Owned> {
        self.call_global(LOAD, &load_args(path))
    }

    /// Loads a library, which is expected to fail with an error of one of these kinds, or of any if there are none.
    pub fn fails_to_load(&self, path: &CStr, kinds: &[&str]) -> Verdict<Raised> {
        self.call_fails(&self.global(LOAD)?, &load_args(path), kinds)
    }

    /// Asks a module about a name, by a global function that takes both, and whether to look in imports too.
    pub fn ask_module(&self, question: &str, module: &Owned, name: &CStr, imports: bool) -> Verdict<Owned> {
        self.call_global(question, &[module.any(), view::c_str(name), view::bool(imports)])
    }

    /// What a module, or one of its imports if they are asked for, has as a function of that name.
    pub fn find_function(&self, module: &Owned, name: &CStr, imports: bool) -> Verdict<Owned> {
        self.ask_module(GET_FUNCTION, module, name, imports)
    }

    /// A function of a module, expected to be there.
    pub fn function_of(&self, module: &Owned, name: &CStr) -> Verdict<Owned> {
        self.expect_function(module, name, false)
    }

    /// A function of a module or its imports, expected to be there.
    pub fn imported_function(&self, module: &Owned, name: &CStr) -> Verdict<Owned> {
        self.expect_function(module, name, true)
    }

    fn expect_function(&self, module: &Owned, name: &CStr, imports: bool) -> Verdict<Owned> {
        let function = self.find_function(module, name, imports)?;
        self.type_index_eq(
            format_args!("type_index of the function {name:?}"),
            function.any().type_index,
            kTVMFFIFunction,
        )?;
        names::note_function(function.handle(), name.to_bytes());
        Ok(function)
    }

    /// Expects a module, and its imports if they are asked for, to have no function of that name.
    pub fn lacks(&self, what: impl Display, module: &Owned, name: &CStr, imports: bool) -> Verdict {
        self.any_eq(what, &self.find_function(module, name, imports)?.any(), &TVMFFIAny::NONE)
    }

    /// Calls a function of a module, which is expected to be there and to succeed.
    pub fn call_of(&self, module: &Owned, name: &CStr, args: &[TVMFFIAny]) -> Verdict<Owned> {
        self.call(&self.function_of(module, name)?, args)
    }

    /// Makes one module import another, which is expected to succeed.
    pub fn import(&self, importer: &Owned, imported: &Owned) -> Verdict {
        self.call_global(IMPORT, &[importer.any(), imported.any()]).map(drop)
    }

    /// Takes a module's imports away, which is expected to succeed.
    pub fn clear_imports(&self, module: &Owned) -> Verdict {
        self.call_global("ffi.ModuleClearImports", &[module.any()]).map(drop)
    }

    /// The modules that a module imports.
    pub fn imports_of(&self, module: &Owned) -> Verdict<Vec<TVMFFIObjectHandle>> {
        self.modules_in(&self.imports_array(module)?)
    }

    /// The Array that a module's field `imports_` gives out.
    pub fn imports_array(&self, module: &Owned) -> Verdict<Owned> {
        let field = reflected::field(self, kTVMFFIModule, "imports_")?;
        let array = reflected::get(self, module.handle(), &field)?;
        self.type_index_eq("type_index of the imports", array.any().type_index, kTVMFFIArray)?;
        Ok(array)
    }

    /// The modules in such an Array.
    pub fn modules_in(&self, array: &Owned) -> Verdict<Vec<TVMFFIObjectHandle>> {
        let size = self.call_global("ffi.ArraySize", &[array.any()])?.any().payload() as i64;
        let item = |place| {
            let item = self.call_global("ffi.ArrayGetItem", &[array.any(), view::int(place)])?;
            self.type_index_eq("type_index of an import", item.any().type_index, kTVMFFIModule)?;
            Ok(item.handle())
        };
        (0..size).map(item).collect()
    }
}

/// Calling functions, of modules and others.
impl Client {
    /// Calls a function and expects it to answer that integer.
    pub fn answers(&self, what: impl Display, function: &Owned, args: &[TVMFFIAny], expected: i64) -> Verdict {
        self.any_eq(what, &self.call(function, args)?.any(), &view::int(expected))
    }
}
