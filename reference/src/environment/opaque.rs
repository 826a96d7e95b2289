//! Opaque objects: a foreign handle under a reference count.

use std::ffi::c_void;

use tvm_ffi_spec::{TVMFFIOpaqueObjectCell, kTVMFFIOpaquePyObject};

use crate::{
    border::error::{Error, Result},
    object::{self, ObjectRef, Payload, typed_refs},
};

typed_refs! {
    /// An opaque object.
    OpaqueObject: ObjectRef = kTVMFFIOpaquePyObject;
}

/// What lies behind the header of an opaque object.
#[repr(C)]
struct Opaque {
    cell: TVMFFIOpaqueObjectCell,
    deleter: Option<unsafe extern "C" fn(*mut c_void)>,
}

// SAFETY: the type is repr(C) and begins with the cell of opaque objects.
unsafe impl Payload for Opaque {
    const TYPE_INDEX: i32 = kTVMFFIOpaquePyObject;
}

impl Drop for Opaque {
    fn drop(&mut self) {
        if let Some(deleter) = self.deleter {
            // SAFETY: the owner of the handle gave this deleter for it, and it runs once.
            unsafe { deleter(self.cell.handle) };
        }
    }
}

/// Wraps a foreign handle, whose deleter runs once at the object's end. There is one type of opaque objects.
///
/// # Safety
/// The deleter may be called with the handle, on any thread.
#[inline]
pub unsafe fn new(
    handle: *mut c_void,
    type_index: i32,
    deleter: Option<unsafe extern "C" fn(*mut c_void)>,
) -> Result<OpaqueObject> {
    if type_index != kTVMFFIOpaquePyObject {
        return Err(unsupported());
    }
    Ok(OpaqueObject(object::try_new(|| Opaque { cell: TVMFFIOpaqueObjectCell { handle }, deleter })?))
}

#[cold]
#[inline(never)]
fn unsupported() -> Error {
    Error::new("RuntimeError", "Only kTVMFFIOpaquePyObject is supported for now")
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, ptr};

    use tvm_ffi_spec::kTVMFFIFunction;

    use super::*;

    unsafe extern "C" fn count_end(handle: *mut c_void) {
        // SAFETY: the tests pass the address of a counter.
        let ends = unsafe { &*handle.cast::<Cell<u32>>() };
        ends.set(ends.get() + 1);
    }

    #[test]
    fn the_handle_is_given_back_once() {
        let ends = Cell::new(0);
        let handle = (&raw const ends).cast_mut().cast();
        // SAFETY: the deleter is right for the handle.
        let object = unsafe { new(handle, kTVMFFIOpaquePyObject, Some(count_end)) }.unwrap();
        // SAFETY: the object is opaque.
        assert_eq!(unsafe { object.data::<TVMFFIOpaqueObjectCell>() }.handle, handle);
        drop(object.clone());
        assert_eq!(ends.get(), 0);
        drop(object);
        assert_eq!(ends.get(), 1);
    }

    #[test]
    fn there_is_one_type_of_opaque_objects() {
        // SAFETY: there is no deleter.
        assert!(unsafe { new(ptr::null_mut(), kTVMFFIFunction, None) }.is_err());
    }
}
