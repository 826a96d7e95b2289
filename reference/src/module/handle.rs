//! A reference to a module, and what every module has behind its header.

use std::{cell::UnsafeCell, ffi::c_void, mem::ManuallyDrop};

use tvm_ffi_spec::{TVMFFIObjectHandle, kTVMFFIModule};

use crate::{
    border::{
        c_pointers,
        error::{Error, Result},
    },
    container::{map::Map, sequence::Array},
    object::{ObjectRef, typed_refs},
};

/// Room for the address of the virtual table, in front of the header.
pub(super) const VTABLE_SLOT: usize = 8;

/// What every module has behind its header, whoever made it.
#[repr(C)]
pub(super) struct Fields {
    /// An Array of modules, see `imports`.
    pub(super) imports: UnsafeCell<Array>,
    /// A Map from names to functions, see `lookup`.
    pub(super) looked_up: UnsafeCell<Map>,
}

typed_refs! {
    /// A module.
    Module: ObjectRef = kTVMFFIModule;
}

impl Module {
    /// The module with a handle.
    ///
    /// # Errors
    /// `ValueError` for NULL, `TypeError` for an object that is not a module.
    ///
    /// # Safety
    /// The handle is NULL or a live object.
    pub unsafe fn of_handle(handle: TVMFFIObjectHandle) -> Result<Self> {
        // SAFETY: the caller's contract is the same.
        let object = unsafe { ObjectRef::from_borrowed(handle) };
        let object = object.ok_or_else(|| Error::new("ValueError", "a module must not be NULL"))?;
        object.cast().ok_or_else(|| Error::new("TypeError", "the object is not a module"))
    }

    /// The module that C code knows by the address in front of its header.
    ///
    /// # Errors
    /// `ValueError` for NULL, `TypeError` for an object that is not a module.
    ///
    /// # Safety
    /// `context` is NULL or comes from [`context`](Module::context), and the module is alive.
    pub unsafe fn of_context(context: *mut c_void) -> Result<Self> {
        // SAFETY: the caller's contract is the same.
        unsafe { Self::borrow_context(context) }.map(|module| Self::clone(&module))
    }

    /// As [`of_context`](Module::of_context), without a reference of its own.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// As there, for as long as the result is used.
    pub unsafe fn borrow_context(context: *mut c_void) -> Result<ManuallyDrop<Self>> {
        // SAFETY: the header lies behind the slot.
        let handle = if context.is_null() { context } else { unsafe { context.byte_add(VTABLE_SLOT) } };
        // SAFETY: the handle is NULL or that of a module, which is alive; the reference is not dropped.
        unsafe {
            c_pointers::object_of_type(handle, kTVMFFIModule, "library_ctx")?;
            let object = ObjectRef::from_owned(handle).ok_or_else(|| c_pointers::null("library_ctx"))?;
            Ok(ManuallyDrop::new(object.cast_unchecked()))
        }
    }

    /// The address by which C code knows the module, and a C++ method the object that it belongs to.
    pub fn context(&self) -> *mut c_void {
        self.handle().wrapping_byte_sub(VTABLE_SLOT)
    }

    pub(super) fn fields(&self) -> &Fields {
        // SAFETY: every module begins with these fields.
        unsafe { self.data() }
    }

    pub(super) fn is(&self, other: &Module) -> bool {
        self.address() == other.address()
    }

    pub(super) fn address(&self) -> usize {
        self.handle().addr()
    }
}
