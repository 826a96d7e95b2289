//! Looking for functions in a module and in what it imports.

use tvm_ffi_spec::TVMFFIObjectHandle;

use super::{handle::Module, imports::Walk};
use crate::{
    border::error::{Error, Result},
    function::{Function, registry},
    object::ObjectRef,
    value::{any::Any, text},
};

impl Module {
    /// A function of the module or, when asked for, of the first of its imports that has it.
    pub fn function(&self, name: &Any, query_imports: bool) -> Result<Option<ObjectRef>> {
        self.first(query_imports, |module| module.own_function_at_once(name))
    }

    /// Whether the module or, when asked for, any of its imports has a function.
    pub fn implements_function(&self, name: &Any, query_imports: bool) -> Result<bool> {
        let found = self.first(query_imports, |module| Ok(module.implements_own_function(name)?.then_some(())))?;
        Ok(found.is_some())
    }

    /// The metadata of such a function; None without.
    pub fn function_metadata(&self, name: &Any, query_imports: bool) -> Result<Any> {
        let text = self.first(query_imports, |module| some(module.own_function_metadata(name)?))?;
        Ok(text.unwrap_or_default())
    }

    /// The documentation of such a function; None without.
    pub fn function_doc(&self, name: &Any, query_imports: bool) -> Result<Any> {
        let text = self.first(query_imports, |module| some(module.own_function_doc(name)?))?;
        Ok(text.unwrap_or_default())
    }

    /// What `look` finds in the module or, when asked for, in the first of its imports where it finds anything.
    fn first<T>(&self, query_imports: bool, look: impl Fn(&Module) -> Result<Option<T>>) -> Result<Option<T>> {
        if let Some(found) = look(self)? {
            return Ok(Some(found));
        }
        if !query_imports {
            return Ok(None);
        }
        let mut walk = Walk::new(self);
        while let Some(module) = walk.next() {
            if let Some(found) = look(module)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Finds a function among the imports, else among the global functions, for the library of this module. The handle
    /// is borrowed from the module, which keeps the function from now on.
    ///
    /// # Errors
    /// `RuntimeError` when there is none.
    pub fn look_up(&self, name: &[u8]) -> Result<TVMFFIObjectHandle> {
        let name = text::string(name)?;
        if let Some(function) = self.looked_up(&name)? {
            return Ok(function);
        }
        // Other modules that are asked may run any code.
        let _alive = self.clone();
        let imports = self.imports();
        let own = self.address();
        let imported = self.first(true, |module| match module.address() == own {
            true => Ok(None),
            false => module.own_function_at_once(&name),
        })?;
        let text = name.view().as_str().unwrap_or_default();
        let found = imported.or_else(|| registry::get(text).map(Function::into)).ok_or_else(|| {
            let text = String::from_utf8_lossy(text);
            let message = format!("Cannot find function {text} in the imported modules or global registry.");
            Error::new("RuntimeError", message)
        })?;
        self.keep_looked_up(&name, &found, &imports)
    }
}

fn some(value: Any) -> Result<Option<Any>> {
    Ok(if value.view().is_none() { None } else { Some(value) })
}
