//! What an object refers to, as walks see it.

use tvm_ffi_spec::{kTVMFFIArray, kTVMFFIDict, kTVMFFIList, kTVMFFIMap};

use crate::{
    border::error::{Error, Result},
    container::held::{Holder, Parts},
    object::ObjectRef,
    reflection::field::{self, Field, Fields},
};

/// What an object consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The elements of an Array or a List.
    Sequence,
    /// The entries of a Map or a Dict.
    Map,
    /// The fields of any other object, and whether references tell nothing of what is in them.
    Object { foreign: bool },
}

impl Kind {
    /// What a walk has of the values.
    pub(super) fn holder(self) -> Holder {
        if self == (Self::Object { foreign: true }) { Holder::Foreign } else { Holder::Walk }
    }
}

/// The values that an object refers to, as they are when the walk begins with it. Of maps, each key and its value in turn.
pub(super) struct Children {
    pub(super) kind: Kind,
    pub(super) values: Parts,
    /// Of objects that are no containers, the field of each value.
    pub(super) fields: VisibleFields,
}

impl Children {
    /// All of an object but the fields with any of these flags.
    ///
    /// # Safety
    /// The walk holds the object, or it is lent to it, for as long as the children are used.
    pub(super) unsafe fn of(object: &ObjectRef, skipped: i64) -> Result<Self> {
        let kind = match object.type_index() {
            kTVMFFIArray | kTVMFFIList => Kind::Sequence,
            kTVMFFIMap | kTVMFFIDict => Kind::Map,
            _ => Kind::Object { foreign: false },
        };
        // SAFETY: the caller's contract is the same.
        if let Some(values) = unsafe { Parts::of(object)? } {
            return Ok(Self { kind, values, fields: VisibleFields(None) });
        }
        let fields = VisibleFields::of(object.type_index(), skipped)?;
        let foreign = fields.holder() == Holder::Foreign;
        // SAFETY: the fields are those of the object's type.
        let value = |field: Field| unsafe { field.get(object) };
        let values = fields.clone().map(value).collect::<Result<Vec<_>>>()?;
        Ok(Self { kind: Kind::Object { foreign }, values: Parts::Copied(values.into_iter()), fields })
    }
}

/// The fields of an object without those that have certain flags.
#[derive(Clone)]
pub(super) struct VisibleFields(Option<(Fields, i64)>);

impl VisibleFields {
    /// All fields of a type but those with any of these flags.
    pub(super) fn of(type_index: i32, skipped: i64) -> Result<Self> {
        Ok(Self(Some((field::fields(type_index)?, skipped))))
    }

    /// What a walk has of their values.
    fn holder(&self) -> Holder {
        self.0.as_ref().map_or(Holder::Foreign, |(fields, _)| fields.holder())
    }
}

impl Iterator for VisibleFields {
    type Item = Field;

    #[inline]
    fn next(&mut self) -> Option<Field> {
        let (fields, skipped) = self.0.as_mut()?;
        fields.find(|field| !field.has(*skipped))
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
