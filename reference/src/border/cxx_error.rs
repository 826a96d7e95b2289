//! The C++ class `tvm::ffi::Error`, which clients throw and catch: a `std::exception` in front of an Error object.

use std::ffi::{c_char, c_void};

use tvm_ffi_spec::TVMFFIObjectHandle;

use crate::{
    border::{
        error::ErrorObject,
        itanium::{Base, Class, SeveralBases, Table},
    },
    generation::TVMFFIErrorCell,
    object::{HEADER_SIZE, ObjectRef, TypedRef},
};

unsafe extern "C" {
    #[link_name = "_ZdlPv"]
    fn operator_delete(memory: *mut c_void);
}

/// An exception as C++ lays it out: a `std::exception` is nothing but its virtual table.
#[repr(C)]
pub struct CxxError {
    vtable: *const c_void,
    object: TVMFFIObjectHandle,
}

impl CxxError {
    /// An exception with an Error object.
    pub fn new(object: ErrorObject) -> Self {
        Self { vtable: (&raw const ERROR_TABLE.methods).cast(), object: object.into_handle() }
    }

    /// The destructor.
    ///
    /// # Safety
    /// `this` is an exception of the class, which nobody uses afterwards but to free its memory.
    pub unsafe extern "C" fn end(this: *mut Self) {
        // SAFETY: the exception owns its object.
        drop(unsafe { ObjectRef::from_owned((*this).object) });
    }

    /// The destructor, and the memory goes too.
    ///
    /// # Safety
    /// `this` is an exception of the class that was made with `operator new`, and nobody uses it afterwards.
    pub unsafe extern "C" fn end_and_free(this: *mut Self) {
        // SAFETY: the caller's contract is the same.
        unsafe {
            Self::end(this);
            operator_delete(this.cast());
        }
    }

    /// `std::exception::what`: the message.
    ///
    /// # Safety
    /// `this` is an exception of the class.
    pub unsafe extern "C" fn what(this: *const Self) -> *const c_char {
        // SAFETY: the exception holds an Error object, whose message ends with a NUL.
        unsafe { (*(*this).object.byte_add(HEADER_SIZE).cast::<TVMFFIErrorCell>()).message.data }
    }
}

/// The methods of the class.
#[repr(C)]
pub struct ErrorMethods {
    destructor: unsafe extern "C" fn(*mut CxxError),
    deleting_destructor: unsafe extern "C" fn(*mut CxxError),
    what: unsafe extern "C" fn(*const CxxError) -> *const c_char,
}

/// The class of object references, which every client has its own copy of.
static OBJECT_REF: Class = Class::new(c"N3tvm3ffi9ObjectRefE");

/// The mangled name of the class.
#[unsafe(export_name = "_ZTSN3tvm3ffi5ErrorE")]
pub static ERROR_NAME: [u8; 17] = *b"N3tvm3ffi5ErrorE\0";

/// The type information of the class.
#[unsafe(export_name = "_ZTIN3tvm3ffi5ErrorE")]
pub static ERROR_TYPE_INFO: SeveralBases<2> =
    SeveralBases::new((&raw const ERROR_NAME).cast(), [Base::public(&raw const OBJECT_REF, 8), Base::STD_EXCEPTION]);

/// The virtual table of the class.
#[unsafe(export_name = "_ZTVN3tvm3ffi5ErrorE")]
pub static ERROR_TABLE: Table<ErrorMethods> = Table::new(
    (&raw const ERROR_TYPE_INFO).cast(),
    ErrorMethods { destructor: CxxError::end, deleting_destructor: CxxError::end_and_free, what: CxxError::what },
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_are_those_of_the_abi() {
        assert_eq!((size_of_val(&ERROR_TYPE_INFO), size_of_val(&ERROR_TABLE)), (56, 40));
    }
}
