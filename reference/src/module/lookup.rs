//! The functions that a module has looked up for its library, by name.

use std::{collections::BTreeMap, sync::Mutex};

use tvm_ffi_spec::{TVMFFIObjectHandle, kTVMFFIMap};

use super::{Module, lock};
use crate::{
    any::Any,
    error::Result,
    object::{self, ObjectRef, Payload},
};

/// A Map without entries: no table, no size, no slots.
#[repr(C)]
struct EmptyMap([u64; 7]);

// SAFETY: `repr(C)`, and all zeros are what the ABI has for a Map without a table.
unsafe impl Payload for EmptyMap {
    const TYPE_INDEX: i32 = kTVMFFIMap;
}

/// What has been looked up, by the module's Map (which is held, so that its address stays its own) and the name.
static LOOKED_UP: Mutex<BTreeMap<usize, (ObjectRef, Functions)>> = Mutex::new(BTreeMap::new());

type Functions = BTreeMap<Vec<u8>, ObjectRef>;

/// The Map of a new module.
pub fn no_functions() -> Result<ObjectRef> {
    Ok(object::new(EmptyMap([0; 7])))
}

impl Module {
    /// A function that has been looked up before, borrowed from the module.
    pub(super) fn looked_up(&self, name: &Any) -> Option<TVMFFIObjectHandle> {
        let table = lock(&LOOKED_UP);
        let (_, functions) = table.get(&self.looked_up_map().handle().addr())?;
        functions.get(name.view().as_str()?).map(ObjectRef::handle)
    }

    /// Keeps a function that has been looked up, and answers the one that is kept: another thread may have been faster,
    /// and its caller relies on what it found.
    pub(super) fn keep_looked_up(&self, name: Any, function: ObjectRef) -> Result<TVMFFIObjectHandle> {
        let map = self.looked_up_map();
        let mut table = lock(&LOOKED_UP);
        let (_, functions) = table.entry(map.handle().addr()).or_insert_with(|| (map, BTreeMap::new()));
        let name = name.view().as_str().unwrap_or_default().to_vec();
        Ok(functions.entry(name).or_insert(function).handle())
    }

    fn looked_up_map(&self) -> ObjectRef {
        // SAFETY: the Map of a module is never replaced.
        unsafe { (*self.fields().looked_up.get()).clone() }
    }
}
