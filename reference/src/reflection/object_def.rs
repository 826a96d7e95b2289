//! Objects of built-in types that are made, copied and described by reflection.

use std::ffi::c_int;

use tvm_ffi_spec::{TVMFFIObjectCreator, TVMFFIObjectHandle, kTVMFFIFieldFlagBitMaskIsStaticMethod};

use crate::{
    border::{c_pointers, error::Result, guard::guard},
    function::{
        arguments::Arguments,
        row::{Row, row},
    },
    object::{self, HEADER_SIZE, ObjectRef, Payload},
    reflection::field_types::Declared,
    value::any::Any,
};

/// What lies behind the header of objects that reflection can make empty.
pub trait Empty: Payload {
    /// The content of a new object.
    fn empty() -> Result<Self>;
}

/// What is known of a type beyond its key and its place in the hierarchy.
pub struct ObjectDef {
    /// The type.
    pub type_index: i32,
    /// Size of its objects in bytes, header included.
    pub size: usize,
    /// A `TVMFFISEqHashKind`.
    pub structural_kind: i32,
    /// Whether no type may inherit from it; `None` where nobody says so.
    pub is_final: Option<bool>,
    /// Makes an empty object.
    pub creator: Option<TVMFFIObjectCreator>,
    /// Makes an object with the same fields as one of the type.
    pub copy: Option<unsafe fn(&ObjectRef) -> Result<ObjectRef>>,
    /// The fields that the type itself adds.
    pub fields: &'static [FieldDef],
}

/// A field of a built-in type.
pub struct FieldDef {
    /// Its name.
    pub name: &'static str,
    /// Documentation.
    pub doc: &'static str,
    /// Bits of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
    /// Offset from the object header in bytes.
    pub offset: usize,
    /// What it is declared with.
    pub ty: Declared,
}

/// A method of a built-in type, by the type key and the name in its signature.
pub struct MethodDef {
    /// What it takes and does.
    pub row: Row,
    /// Documentation.
    pub doc: &'static str,
    /// Bits of `TVMFFIFieldFlagBitMask`.
    pub flags: i64,
}

/// A method that takes its object as the first argument.
pub const fn method<F>(signature: &'static str, body: F) -> MethodDef
where
    F: Fn(&Arguments<'_>) -> Result<Any> + Copy + Send + Sync + 'static,
{
    MethodDef { row: row(signature, body), doc: "", flags: 0 }
}

/// A method that takes no object.
pub const fn static_method<F>(signature: &'static str, body: F) -> MethodDef
where
    F: Fn(&Arguments<'_>) -> Result<Any> + Copy + Send + Sync + 'static,
{
    MethodDef { flags: kTVMFFIFieldFlagBitMaskIsStaticMethod, ..method(signature, body) }
}

impl MethodDef {
    /// With documentation.
    pub const fn with_doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }
}

impl ObjectDef {
    /// A type with objects of this size, of which nothing else is known.
    pub const fn new(type_index: i32, size: usize) -> Self {
        Self { type_index, size, structural_kind: 0, is_final: None, creator: None, copy: None, fields: &[] }
    }

    /// A type whose objects have this content.
    pub const fn of<T: Payload + Clone>() -> Self {
        Self { copy: Some(copy::<T>), ..Self::new(T::TYPE_INDEX, HEADER_SIZE + size_of::<T>()) }
    }

    /// With a creator.
    pub const fn creatable<T: Empty>(self) -> Self {
        Self { creator: Some(create::<T>), ..self }
    }

    /// With a word on whether types may inherit from it.
    pub const fn with_final(self, is_final: bool) -> Self {
        Self { is_final: Some(is_final), ..self }
    }

    /// With a `TVMFFISEqHashKind`.
    pub const fn with_kind(self, structural_kind: i32) -> Self {
        Self { structural_kind, ..self }
    }

    /// With fields.
    pub const fn with_fields(self, fields: &'static [FieldDef]) -> Self {
        Self { fields, ..self }
    }
}

impl FieldDef {
    /// A field without flags and documentation.
    pub const fn new(name: &'static str, offset: usize, ty: Declared) -> Self {
        Self { name, doc: "", flags: 0, offset: HEADER_SIZE + offset, ty }
    }

    /// With documentation.
    pub const fn with_doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// With flags.
    pub const fn with_flags(self, flags: i64) -> Self {
        Self { flags, ..self }
    }
}

/// The creator of a type.
unsafe extern "C" fn create<T: Empty>(result: *mut TVMFFIObjectHandle) -> c_int {
    guard(|| {
        let result = c_pointers::required(result, "result")?;
        let object = T::empty().and_then(|payload| Ok(object::try_new(|| payload)?))?;
        // SAFETY: the caller passes a writable pointer.
        unsafe { result.write(object.into_handle()) };
        Ok(())
    })
}

/// # Safety
/// The object's data begins with a `T`.
unsafe fn copy<T: Payload + Clone>(object: &ObjectRef) -> Result<ObjectRef> {
    // SAFETY: the caller's contract is the same.
    let payload = unsafe { object.data::<T>() }.clone();
    Ok(object::try_new(|| payload)?)
}

/// An attribute that is the address of a C function.
pub struct Hook {
    /// The name of the attribute.
    pub attribute: &'static str,
    /// The type that has it.
    pub type_index: i32,
    /// The function; its type depends on the attribute.
    pub function: *const (),
}
