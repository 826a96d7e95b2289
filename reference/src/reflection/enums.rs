//! Enumerations: classes whose only objects are registered by an integer and a string.
//!
//! The objects of a class are found through its state, which is the attribute `__ffi_enum__` of the class.

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    container::{
        list,
        map::{self, Dict},
        sequence::List,
    },
    object::{self, ObjectRef, Payload, typed_refs},
    reflection::{
        convert::Convert,
        field_types::{DictOfColumns, DictOfObjects, Field, Int64, ListOfObjects, Str},
        object_def::{Empty, FieldDef, MethodDef, ObjectDef, static_method},
    },
    types::{
        attribute,
        builtin_indices::{ENUM, ENUM_STATE, INT_ENUM, STR_ENUM},
        lineage,
        schema::Type,
        type_table,
    },
    value::{
        any::{Any, AnyView},
        text,
    },
};

typed_refs! {
    /// The state of a class.
    State: ObjectRef = ENUM_STATE;
    /// An object of an enumeration.
    EnumObject: ObjectRef = type_index if lineage::is_instance(type_index, ENUM);
}

impl State {
    /// A Dict from integers and strings to the objects.
    fn indexes(&self) -> Option<Dict> {
        // SAFETY: it is such a state; the copy is independent of what others write to the object.
        unsafe { self.data::<EnumState>() }.indexes.clone()
    }
}

impl EnumObject {
    /// The integer and the string that it is found by.
    pub fn content(&self) -> Enum<ENUM> {
        // SAFETY: all objects of enumerations begin with this; the copy is independent of what others write to them.
        unsafe { self.data::<Enum<ENUM>>() }.clone()
    }
}

/// What lies behind the header of the state of a class.
#[repr(C)]
#[derive(Clone)]
pub struct EnumState {
    /// A List of its objects in the order of registration.
    pub entries: Option<List>,
    /// A Dict from integers and strings to the objects.
    pub indexes: Option<Dict>,
    /// A Dict from names of attributes to Dicts from objects to values.
    pub attrs: Option<Dict>,
}

/// What lies behind the header of an object of an enumeration.
#[repr(C)]
#[derive(Clone)]
pub struct Enum<const TYPE_INDEX: i32> {
    /// The integer that it is found by.
    pub int_index: i64,
    /// The string that it is found by.
    pub str_index: Any,
}

// SAFETY: `repr(C)`, with the fields of the type.
unsafe impl Payload for EnumState {
    const TYPE_INDEX: i32 = ENUM_STATE;
}

// SAFETY: as above.
unsafe impl<const TYPE_INDEX: i32> Payload for Enum<TYPE_INDEX> {
    const TYPE_INDEX: i32 = TYPE_INDEX;
}

impl Empty for EnumState {
    fn empty() -> Result<Self> {
        Ok(Self {
            entries: Some(list::empty()?),
            indexes: Some(map::new_dict(Vec::new())?),
            attrs: Some(map::new_dict(Vec::new())?),
        })
    }
}

impl<const TYPE_INDEX: i32> Empty for Enum<TYPE_INDEX> {
    fn empty() -> Result<Self> {
        Ok(Self { int_index: 0, str_index: text::string(b"")? })
    }
}

const INT_DOC: &str = "Canonical integer index.";
const STR_DOC: &str = "Canonical string index.";
const INT_OFFSET: usize = std::mem::offset_of!(Enum<ENUM>, int_index);
const STR_OFFSET: usize = std::mem::offset_of!(Enum<ENUM>, str_index);
const IGNORED: i64 = kTVMFFIFieldFlagBitMaskSEqHashIgnore;
const NOT_IN_INIT: i64 = kTVMFFIFieldFlagBitMaskInitOff;

/// The types of this file.
pub const OBJECTS: &[ObjectDef] = &[
    ObjectDef::of::<EnumState>().creatable::<EnumState>().with_final(true).with_fields(&[
        FieldDef::new("entries", std::mem::offset_of!(EnumState, entries), ListOfObjects::DECLARED)
            .with_doc("Enum singletons in registration order.")
            .with_flags(NOT_IN_INIT),
        FieldDef::new("indexes", std::mem::offset_of!(EnumState, indexes), DictOfObjects::DECLARED)
            .with_doc("Canonical integer and string indices to enum singletons.")
            .with_flags(NOT_IN_INIT),
        FieldDef::new("attrs", std::mem::offset_of!(EnumState, attrs), DictOfColumns::DECLARED)
            .with_doc("Extensible-attribute columns keyed by enum singleton.")
            .with_flags(NOT_IN_INIT),
    ]),
    enumeration::<ENUM>(&[
        FieldDef::new("_int_index", INT_OFFSET, Int64::DECLARED).with_doc(INT_DOC).with_flags(IGNORED),
        FieldDef::new("_str_index", STR_OFFSET, Str::DECLARED).with_doc(STR_DOC),
    ]),
    enumeration::<INT_ENUM>(&[FieldDef::new("value", INT_OFFSET, Int64::DECLARED)
        .with_doc(INT_DOC)
        .with_flags(NOT_IN_INIT | IGNORED)]),
    enumeration::<STR_ENUM>(&[FieldDef::new("value", STR_OFFSET, Str::DECLARED)
        .with_doc(STR_DOC)
        .with_flags(NOT_IN_INIT | IGNORED)]),
];

const fn enumeration<const TYPE_INDEX: i32>(fields: &'static [FieldDef]) -> ObjectDef {
    ObjectDef::of::<Enum<TYPE_INDEX>>()
        .creatable::<Enum<TYPE_INDEX>>()
        .with_final(false)
        .with_kind(kTVMFFISEqHashKindUniqueInstance)
        .with_fields(fields)
}

/// The methods of the types of this file.
pub const METHODS: &[MethodDef] = &[static_method("ffi.EnumState.__ffi_init__() -> ffi.Object", |_| {
    let state = EnumState::empty()?;
    Ok(object::try_new(|| state)?.into())
})];

/// The object of an enumeration that is registered by an integer or a string.
///
/// # Errors
/// `ValueError` if there is none.
pub fn find(type_index: i32, index: &AnyView<'_>) -> Result<ObjectRef> {
    let indexes = attribute::ENUM.of(type_index).and_then(|state| state.cast_ref().and_then(State::indexes));
    if let Some(indexes) = indexes
        && let Some(found) = map::get(&indexes, index)?
    {
        return Type::object("ffi.Enum")
            .cast(found.view())?
            .view()
            .as_object()
            .ok_or_else(|| no_instance(type_index, index));
    }
    Err(no_instance(type_index, index))
}

#[cold]
fn no_instance(type_index: i32, index: &AnyView<'_>) -> Error {
    let shown = match index.as_int() {
        Some(number) => number.to_string(),
        None => String::from_utf8_lossy(index.as_str().unwrap_or_default()).into_owned(),
    };
    let key = type_table::key_of(type_index);
    Error::new("ValueError", format!("Enum `{key}` has no instance with index {shown}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::type_table::NewType;

    #[test]
    fn objects_are_found_by_integer_and_string() {
        let new = NewType {
            key: b"test.enums.colour",
            static_index: -1,
            depth: 2,
            num_child_slots: 0,
            can_overflow: true,
            parent_index: ENUM,
        };
        let colour = type_table::get_or_register(new).unwrap();
        let (one, red) = (Any::from(1), text::string(b"red").unwrap());
        assert!(find(colour, one.view()).is_err());

        let object = object::new(Enum::<ENUM> { int_index: 1, str_index: red.clone() });
        let state = EnumState::empty().unwrap();
        let indexes = state.indexes.clone().unwrap();
        map::insert(&indexes, one.clone(), object.clone().into()).unwrap();
        map::insert(&indexes, red.clone(), object.clone().into()).unwrap();
        map::insert(&indexes, 2.into(), list::empty().unwrap().into()).unwrap();
        type_table::register_attribute(colour, b"__ffi_enum__", Any::from(object::new(state)).view()).unwrap();

        assert_eq!(find(colour, one.view()).unwrap().handle(), object.handle());
        assert_eq!(find(colour, red.view()).unwrap().handle(), object.handle());
        let text = |index: Any| find(colour, index.view()).unwrap_err().to_string();
        assert_eq!(text(3.into()), "ValueError: Enum `test.enums.colour` has no instance with index 3");
        let blue = text::string(b"blue").unwrap();
        assert_eq!(text(blue), "ValueError: Enum `test.enums.colour` has no instance with index blue");
        assert_eq!(text(2.into()), "TypeError: Cannot convert from type `ffi.List` to `ffi.Enum`");
    }
}
