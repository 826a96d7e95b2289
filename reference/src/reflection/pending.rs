//! Containers until the module of containers has them.

use crate::{any::Any, error::Result, object::ObjectRef};

/// Lists.
pub mod list {
    use std::ffi::c_void;

    use tvm_ffi_spec::{TVMFFISeqCell, kTVMFFIList};

    use super::*;
    use crate::object::{self, Payload};

    #[repr(C)]
    struct List(TVMFFISeqCell);

    // SAFETY: the cell of lists.
    unsafe impl Payload for List {
        const TYPE_INDEX: i32 = kTVMFFIList;
    }

    unsafe extern "C" fn free(data: *mut c_void) {
        // SAFETY: from malloc.
        unsafe { libc::free(data) };
    }

    /// A list.
    pub fn new(_values: Vec<Any>) -> Result<ObjectRef> {
        let data = std::ptr::null_mut();
        Ok(object::new(List(TVMFFISeqCell { data, size: 0, capacity: 0, data_deleter: Some(free) })))
    }
}

/// Maps.
pub mod map {
    use super::*;

    /// A map.
    pub fn new(_entries: Vec<(Any, Any)>) -> Result<ObjectRef> {
        list::new(Vec::new())
    }

    /// A dict.
    pub fn new_dict(_entries: Vec<(Any, Any)>) -> Result<ObjectRef> {
        list::new(Vec::new())
    }

    /// Look-up.
    pub fn get(_map: &ObjectRef, _key: &crate::any::AnyView<'_>) -> Result<Option<Any>> {
        Ok(None)
    }

    /// Entries.
    pub fn entries(_map: &ObjectRef) -> Vec<(Any, Any)> {
        Vec::new()
    }
}

/// Sequences.
pub mod sequence {
    use super::*;

    /// Elements.
    pub fn elements(object: &ObjectRef) -> Vec<Any> {
        // SAFETY: a sequence.
        let elements = unsafe { crate::container::array::elements(object) };
        elements.iter().filter_map(|view| view.to_owned().ok()).collect()
    }
}
