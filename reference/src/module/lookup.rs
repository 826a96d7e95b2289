//! The functions that a module has looked up for its library: its Map from names to functions.

use tvm_ffi_spec::TVMFFIObjectHandle;

use super::handle::Module;
use crate::{
    border::error::Result,
    container::map::{self, Map},
    object::ObjectRef,
    system::fork::Exclusive,
    value::any::Any,
};

/// Held while the Map of any module is read or changed. No foreign code runs meanwhile: names have no hooks.
pub static LOOKED_UP: Exclusive<()> = Exclusive::new(());

/// The Map of a new module.
pub fn no_functions() -> Result<Map> {
    map::new(Vec::new())
}

impl Module {
    /// A function that has been looked up before, borrowed from the module.
    pub(super) fn looked_up(&self, name: &Any) -> Result<Option<TVMFFIObjectHandle>> {
        let _reading = LOOKED_UP.lock();
        // SAFETY: the lock is held, so that nobody changes the field.
        handle_in(unsafe { &*self.fields().looked_up.get() }, name)
    }

    /// Keeps a function that has been looked up, and answers the one that is kept: another thread may have been faster,
    /// and its caller relies on what it found.
    pub(super) fn keep_looked_up(&self, name: Any, function: ObjectRef) -> Result<TVMFFIObjectHandle> {
        let handle = function.handle();
        let _changing = LOOKED_UP.lock();
        // SAFETY: the lock is held, so this is the only access.
        let functions = unsafe { &mut *self.fields().looked_up.get() };
        if let Some(faster) = handle_in(functions, &name)? {
            return Ok(faster);
        }
        map::set(functions, name, function.into())?;
        Ok(handle)
    }

    /// Finds no more what has been looked up before. The functions are kept, since those who have looked them up go on to
    /// use them: under a key that is no name.
    pub(super) fn forget_looked_up(&self) -> Result<()> {
        let _changing = LOOKED_UP.lock();
        // SAFETY: the lock is held, so this is the only access.
        let functions = unsafe { &mut *self.fields().looked_up.get() };
        if map::len(functions) > 0 {
            *functions = map::new(vec![(Any::NONE, Any::from(functions.clone()))])?;
        }
        Ok(())
    }
}

/// The function of a name, borrowed from the Map.
fn handle_in(functions: &Map, name: &Any) -> Result<Option<TVMFFIObjectHandle>> {
    let function = map::get(functions, name.view())?;
    Ok(function.and_then(|function| function.view().cast_ref().map(ObjectRef::handle)))
}
