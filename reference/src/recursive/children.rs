//! What an object refers to, as walks see it.

use crate::{
    border::error::{Error, Result},
    container::{map, sequence},
    object::ObjectRef,
    reflection::field::{self, Field},
    value::any::Any,
};

/// What an object consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The elements of an Array or a List.
    Sequence,
    /// The entries of a Map or a Dict.
    Map,
    /// The fields of any other object.
    Object,
}

/// The values that an object refers to, as they are now.
pub(super) struct Children {
    pub(super) kind: Kind,
    /// Of maps, each key and its value in turn.
    pub(super) values: Vec<Any>,
    /// Of other objects, the field of each value.
    pub(super) fields: Vec<Field>,
}

impl Children {
    /// All of an object but the fields with any of these flags.
    pub(super) fn of(object: &ObjectRef, skipped: i64) -> Result<Self> {
        let of = |kind, values| Self { kind, values, fields: Vec::new() };
        if let Some(sequence) = object.cast_ref() {
            return Ok(of(Kind::Sequence, sequence::elements(sequence)?));
        }
        if let Some(map) = object.cast_ref() {
            return Ok(of(Kind::Map, map::keys_and_values(map)?));
        }
        let fields: Vec<_> = field::fields(object.type_index())?.filter(|field| !field.has(skipped)).collect();
        // SAFETY: the fields are those of the object's type.
        let values = fields.iter().map(|field| unsafe { field.get(object) }).collect::<Result<_>>()?;
        Ok(Self { kind: Kind::Object, values, fields })
    }
}

/// The address of an object, which is what walks know it by. It is theirs as long as they hold a reference.
pub(super) fn address(object: &ObjectRef) -> usize {
    object.handle() as usize
}

#[cold]
pub(super) fn ended() -> Error {
    Error::new("RuntimeError", "The function was called after the walk that it belongs to")
}
