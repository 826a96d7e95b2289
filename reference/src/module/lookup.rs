//! The functions that a module has looked up for its library: its Map from names to functions.

use std::{mem, sync::MutexGuard};

use tvm_ffi_spec::TVMFFIObjectHandle;

use super::handle::Module;
use crate::{
    border::error::Result,
    container::{
        map::{self, Map},
        sequence::Array,
    },
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

    /// Keeps a function that has been looked up when the module had these imports, and answers the one that is kept: another
    /// thread may have been faster, and its caller relies on what it found. Should the imports be others by now, it is kept
    /// as those are whose names have been [forgotten](Self::forget_names).
    pub(super) fn keep_looked_up(
        &self,
        name: &Any,
        function: &ObjectRef,
        imports: &Array,
    ) -> Result<TVMFFIObjectHandle> {
        let _changing = LOOKED_UP.lock();
        // SAFETY: the lock is held, so this is the only access: nobody else has a reference to the Map.
        let functions = unsafe { &mut *self.fields().looked_up.get() };
        let still_imports = self.still_imports(imports);
        if still_imports && let Some(faster) = handle_in(functions, name)? {
            return Ok(faster);
        }
        // The caller holds them too, so that nothing ends here should this fail.
        let kept = Any::from(function.clone());
        let key = if still_imports { name.clone() } else { address_of(&kept) };
        map::insert(functions, key, kept)?;
        Ok(function.handle())
    }

    /// Finds no more what has been looked up before. The functions are kept, since those who have looked them up go on to
    /// use them: each once, under its address, which is no name. They come into a new Map, which is exchanged for the
    /// module's: names end in the memory of whoever allocates, which may call back.
    pub(super) fn forget_names(&self, new: &mut Map, _changing: &MutexGuard<'_, ()>) -> Result<()> {
        // SAFETY: the lock is held, so this is the only access.
        let functions = unsafe { &mut *self.fields().looked_up.get() };
        for (_, function) in map::entries(functions)? {
            map::insert(new, address_of(&function), function)?;
        }
        mem::swap(functions, new);
        Ok(())
    }
}

/// What a function is kept under without a name.
fn address_of(function: &Any) -> Any {
    Any::from(function.view().raw().payload().cast_signed())
}

/// The function of a name, borrowed from the Map.
fn handle_in(functions: &Map, name: &Any) -> Result<Option<TVMFFIObjectHandle>> {
    let function = map::get(functions, name.view())?;
    Ok(function.and_then(|function| function.view().cast_ref().map(ObjectRef::handle)))
}
