//! Modules made by the loader that is registered for a kind of file or of bytes.

use super::handle::Module;
use crate::{
    border::error::{Error, Result},
    function::{self, Function, registry},
    types::schema::Type,
    value::{any::AnyView, text},
};

impl Module {
    /// Loads the module in a file with the loader that is registered for its extension.
    ///
    /// # Errors
    /// `RuntimeError` for a name without extension or with one that has no loader, and whatever the loader fails with.
    pub fn load(path: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(path);
        let Some((_, extension)) = text.rsplit_once('.') else {
            return Err(Error::new("RuntimeError", format!("Failed to get file format from {text}")));
        };
        let format = if ["dll", "dylib", "dso"].contains(&extension) { "so" } else { extension };
        let name = format!("ffi.Module.load_from_file.{format}");
        let Some(load) = registry::get(name.as_bytes()) else {
            let message = format!(
                "Loader for `.{format}` files is not registered, resolved to ({name}) in the global registry.\
                 Ensure that you have loaded the correct runtime code, and\
                 that you are on the correct hardware architecture."
            );
            return Err(Error::new("RuntimeError", message));
        };
        let (path, format) = (text::string(path)?, text::string(format.as_bytes())?);
        Self::made_by(&load, &[*path.view(), *format.view()])
    }

    /// Has a module made from bytes by the loader that is registered for its kind.
    ///
    /// # Errors
    /// `RuntimeError` for a kind that has no loader, and whatever the loader fails with.
    pub fn of_bytes(kind: &str, bytes: &[u8]) -> Result<Self> {
        let loader = format!("ffi.Module.load_from_bytes.{kind}");
        let Some(load) = registry::get(loader.as_bytes()) else {
            let message = format!(
                "Library binary was created using {{{kind}}} but a loader of that name is not registered. \
                 Make sure to have runtime that registers {loader}"
            );
            return Err(Error::new("RuntimeError", message));
        };
        Self::made_by(&load, &[*text::bytes(bytes)?.view()])
    }

    fn made_by(load: &Function, args: &[AnyView<'_>]) -> Result<Self> {
        let module = function::call(load, args)?;
        module.view().cast().ok_or_else(|| Type::object("ffi.Module").refuse(module.view()))
    }
}
