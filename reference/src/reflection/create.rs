//! Objects made knowing only their type.

use tvm_ffi_spec::{TVMFFIObjectCreator, TVMFFIObjectHandle, kTVMFFIFunction};

use crate::{
    error::{Error, Result},
    function,
    object::ObjectRef,
    reflection::{
        attribute::{self, Attribute},
        field, type_table,
    },
};

/// Whether [`empty_object`] can make objects of a type.
pub fn has_creator(type_index: i32) -> bool {
    let native = field::metadata(type_index).ok().flatten().and_then(|metadata| metadata.creator);
    native.is_some() || function_of(&attribute::NEW, type_index).is_some()
}

/// An object with nothing but zeros, by the native creator of its type or by `__ffi_new__`.
///
/// # Errors
/// `RuntimeError` if the type has neither.
pub fn empty_object(type_index: i32) -> Result<ObjectRef> {
    if let Some(creator) = field::metadata(type_index)?.and_then(|metadata| metadata.creator) {
        return call_creator(type_index, creator);
    }
    let new = function_of(&attribute::NEW, type_index).ok_or_else(|| {
        let key = type_table::key_of(type_index);
        let text = "does not support reflection creation (no native creator or __ffi_new__ type attr)";
        Error::new("RuntimeError", format!("Type `{key}` {text}"))
    })?;
    function::call(&new, &[])?.view().as_object().ok_or_else(|| made_nothing(type_index))
}

/// What the native creator of a type makes.
pub fn call_creator(type_index: i32, creator: TVMFFIObjectCreator) -> Result<ObjectRef> {
    let mut handle: TVMFFIObjectHandle = std::ptr::null_mut();
    // SAFETY: the handle is writable.
    if unsafe { creator(&raw mut handle) } != 0 {
        return Err(Error::Raised);
    }
    // SAFETY: a creator hands over the only reference to what it made.
    unsafe { ObjectRef::from_owned(handle) }.ok_or_else(|| made_nothing(type_index))
}

/// The function that a type has for an attribute.
pub fn function_of(attribute: &Attribute, type_index: i32) -> Option<ObjectRef> {
    attribute.of(type_index)?.as_object_of(kTVMFFIFunction)
}

#[cold]
fn made_nothing(type_index: i32) -> Error {
    let key = type_table::key_of(type_index);
    Error::new("RuntimeError", format!("The creator of type `{key}` made no object"))
}
