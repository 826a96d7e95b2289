//! What values become in a mutation: what answers say of that, and the copies that changed parts go to.

use tvm_ffi_spec::*;

use super::{call_back, same, visit::value_of_call};
use crate::{
    border::error::{Error, Result},
    container::{array, list, sequence::Sequence},
    function::Function,
    object::{ObjectRef, TypedRef},
    reflection::field::Field,
    types::{attribute, type_table},
    value::any::{Any, AnyView},
};

/// The answer that a value stays what it is.
pub(super) fn unchanged() -> Any {
    // SAFETY: the value owns nothing.
    unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIUnchanged, 0)) }
}

/// Whether an answer says that a value stays what it is.
pub(super) fn is_unchanged(answer: &Any) -> bool {
    answer.view().type_index() == kTVMFFIUnchanged
}

/// What a value has become by an answer; none if it stays what it is.
pub(super) fn changed(answer: Any) -> Option<Any> {
    if is_unchanged(&answer) { None } else { Some(answer) }
}

/// Whether a value holds the only reference to an object.
pub(super) fn is_unique(value: &AnyView<'_>) -> bool {
    value.borrow_object_of(value.type_index()).is_some_and(ObjectRef::is_unique)
}

/// Where changed parts of a container go.
pub(super) enum Container<T> {
    /// Where they came from.
    Same,
    /// To a copy, should there be any.
    Unchanged,
    /// To this copy.
    Copy(T),
}

impl<T> Container<T> {
    /// Of a container whose parts are changed where they lie if `in_place`.
    #[inline]
    pub fn of_changed(in_place: bool) -> Self {
        if in_place { Self::Same } else { Self::Unchanged }
    }

    /// Where the next changed part goes.
    pub fn target<'a>(&'a mut self, source: &'a T, copy: fn(&T) -> Result<T>) -> Result<&'a T> {
        if matches!(self, Self::Unchanged) {
            *self = Self::Copy(copy(source)?);
        }
        Ok(match self {
            Self::Copy(copy) => copy,
            Self::Same | Self::Unchanged => source,
        })
    }
}

impl<T: TypedRef> Container<T> {
    /// What the container has become, if that is another one.
    #[inline]
    pub fn put_together(self) -> Option<ObjectRef> {
        match self {
            Self::Copy(changed) => Some(changed.into_object()),
            Self::Same | Self::Unchanged => None,
        }
    }
}

/// Whether a part of a container is taken out of it: if it is changed in place itself, as nobody else refers to it.
#[inline]
pub(super) fn wanted<T>(result: &Container<T>) -> impl Fn(&AnyView<'_>) -> bool {
    let in_place = matches!(result, Container::Same);
    move |part| in_place && is_unique(part)
}

/// Whether nobody changes a container, whose changed parts go to a copy.
#[inline]
pub(super) fn is_fixed<T>(container: &ObjectRef, result: &Container<T>) -> bool {
    matches!(container.type_index(), kTVMFFIArray | kTVMFFIMap) && !matches!(result, Container::Same)
}

/// Another sequence with the same elements, to be changed.
pub(super) fn copy_sequence(sequence: &Sequence) -> Result<Sequence> {
    match sequence.cast_ref() {
        Some(array) => array::copy(array).map(Sequence::from),
        None => list::copy(sequence).map(Sequence::from),
    }
}

/// Another object with the same fields, to be changed.
pub(super) fn shallow_copy(object: &ObjectRef) -> Result<ObjectRef> {
    let object = object.clone();
    let value = &AnyView::of(&object);
    let attribute = attribute::SHALLOW_COPY.of(value.type_index());
    let function = attribute.as_ref().and_then(|attribute| attribute.cast_ref::<Function>());
    let function = function.ok_or_else(|| Error::new("TypeError", "__ffi_shallow_copy__ must be an ffi.Function"))?;
    let copy = value_of_call(call_back(function, &[*value])?)?;
    let is_copy = copy.view().type_index() == value.type_index() && !same(copy.view(), value);
    copy.into_object().filter(|_| is_copy).ok_or_else(|| {
        let text = "Shallow copy callback must return a distinct object with the same type as its input";
        Error::new("TypeError", text)
    })
}

/// Sets a field of an object.
///
/// # Safety
/// The field is one of the object's type.
pub(super) unsafe fn set_field(object: &ObjectRef, field: Field, value: &AnyView<'_>) -> Result<()> {
    if field.info().setter.is_null() {
        let (name, key) = (String::from_utf8_lossy(field.name()), type_table::key_of(object.type_index()));
        let text =
            format!("Cannot structurally mutate field `{name}` of type `{key}` because it does not define a setter");
        return Err(Error::new("TypeError", text));
    }
    // SAFETY: the caller's contract is the same.
    unsafe { field.set(object, value) }
}
