//! Objects made knowing only their type.

use tvm_ffi_spec::{TVMFFIObjectCreator, TVMFFIObjectHandle};

use crate::{
    border::error::{Error, Result},
    function::{
        self, Function,
        row::{Row, row},
    },
    object::ObjectRef,
    reflection::{convert::Convert, field},
    types::{
        attribute::{self, Attribute},
        lineage,
        schema::Type,
        type_table,
    },
    value::any::{Any, AnyView},
};

/// Whether [`empty_object`] can make objects of a type.
pub fn has_creator(type_index: i32) -> bool {
    let native = lineage::metadata(type_index).ok().flatten().and_then(|metadata| metadata.creator);
    native.is_some() || function_of(&attribute::NEW, type_index).is_some()
}

/// An object with nothing but zeros, by the native creator of its type or by `__ffi_new__`.
///
/// # Errors
/// `RuntimeError` if the type has neither.
pub fn empty_object(type_index: i32) -> Result<ObjectRef> {
    if let Some(creator) = lineage::metadata(type_index)?.and_then(|metadata| metadata.creator) {
        return call_creator(type_index, creator);
    }
    let new = function_of(&attribute::NEW, type_index).ok_or_else(|| {
        let key = type_table::key_of(type_index);
        let text = "does not support reflection creation (no native creator or __ffi_new__ type attr)";
        Error::new("RuntimeError", format!("Type `{key}` {text}"))
    })?;
    instance_of(type_index, function::call(&new, &[])?.view().as_object())
}

/// What the native creator of a type makes.
pub fn call_creator(type_index: i32, creator: TVMFFIObjectCreator) -> Result<ObjectRef> {
    let mut handle: TVMFFIObjectHandle = std::ptr::null_mut();
    // SAFETY: the handle is writable.
    if unsafe { creator(&raw mut handle) } != 0 {
        return Err(Error::raised());
    }
    // SAFETY: a creator hands over the only reference to what it made.
    instance_of(type_index, unsafe { ObjectRef::from_owned(handle) })
}

/// What was made for a type, whose fields are about to be set: so it must have them.
fn instance_of(type_index: i32, made: Option<ObjectRef>) -> Result<ObjectRef> {
    made.filter(|made| lineage::is_instance(made.type_index(), type_index)).ok_or_else(|| {
        let key = type_table::key_of(type_index);
        Error::new("RuntimeError", format!("The creator of type `{key}` made no object of that type"))
    })
}

/// The function that a type has for an attribute.
pub fn function_of(attribute: &Attribute, type_index: i32) -> Option<Function> {
    attribute.of(type_index)?.cast()
}

// ---------------------------------------------------------------------------------------------------------------------
// Objects made of names and values
// ---------------------------------------------------------------------------------------------------------------------

/// Functions that make objects.
pub const GLOBALS: &[Row] = &[row("ffi.MakeObjectFromPackedArgs", |args| from_packed(args.all()).map(Any::from))];

/// An object of a type, given by its index or key, whose fields have the values behind their names, or else their
/// defaults.
fn from_packed(args: &[AnyView<'_>]) -> Result<ObjectRef> {
    let (of, rest) = args.split_first().ok_or_else(wrong_count)?;
    let type_index = match of.as_int() {
        Some(index) => lineage::index_of_int(index)?,
        None => type_table::index_of(Type::Str.cast(of)?.view().as_str().unwrap_or_default())?,
    };
    let (pairs, []) = rest.as_chunks::<2>() else { return Err(wrong_count()) };
    let object = empty_object(type_index)?;
    let mut values = Vec::with_capacity(pairs.len());
    for [name, value] in pairs {
        values.push((Type::Str.cast(name)?, Some(value)));
    }
    for field in field::fields(type_index)? {
        // Of several values for one field only the first is taken; what is left over has no field.
        let given =
            values.iter_mut().find(|(name, value)| value.is_some() && name.view().as_str() == Some(field.name()));
        match given.and_then(|(_, value)| value.take()) {
            // SAFETY: the object was made for the type that has the field.
            Some(value) => unsafe { field.set(&object, value)? },
            None => match field.default()? {
                // SAFETY: as above.
                Some(value) => unsafe { field.set(&object, value.view())? },
                None => return Err(without_value(field.name(), type_index)),
            },
        }
    }
    match values.iter().find(|(_, value)| value.is_some()) {
        Some((name, _)) => Err(without_field(name.view().as_str().unwrap_or_default(), type_index)),
        None => Ok(object),
    }
}

#[cold]
fn wrong_count() -> Error {
    Error::new("InternalError", "Check failed: (args.size() % 2 == 1) is false: ")
}

#[cold]
fn without_value(field: &[u8], type_index: i32) -> Error {
    let (field, key) = (String::from_utf8_lossy(field), type_table::key_of(type_index));
    Error::new("TypeError", format!("Required field `{field}` not set in type `{key}`"))
}

#[cold]
fn without_field(name: &[u8], type_index: i32) -> Error {
    let (name, key) = (String::from_utf8_lossy(name), type_table::key_of(type_index));
    Error::new("TypeError", format!("Type `{key}` does not have field `{name}`"))
}
