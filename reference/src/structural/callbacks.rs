//! The callbacks that the runtime entry points take: functions with the type of the values that they are for.

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    container::sequence,
    function::arguments::Arguments,
    object::ObjectRef,
    types::{lineage, type_table},
    value::any::{Any, AnyView},
};

/// A function for values of a type.
pub(super) struct Callback {
    type_index: i32,
    pub function: ObjectRef,
    /// Whether the function wants one argument more than others: the definition region, or whether the value may be
    /// changed in place.
    pub informed: bool,
}

/// The first callback that is for values of a type.
pub(super) fn matching(callbacks: &[Callback], type_index: i32) -> Option<&Callback> {
    callbacks.iter().find(|callback| matches(type_index, callback.type_index))
}

/// Whether a value of type `actual` is one for callbacks of type `target`.
fn matches(actual: i32, target: i32) -> bool {
    match target {
        kTVMFFIAny => true,
        kTVMFFIStr => matches!(actual, kTVMFFIStr | kTVMFFISmallStr),
        kTVMFFIBytes => matches!(actual, kTVMFFIBytes | kTVMFFISmallBytes),
        kTVMFFIObject => actual >= kTVMFFIStaticObjectBegin,
        _ => lineage::is_instance(actual, target),
    }
}

/// Which arguments a function may ask for besides the value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `(type index, function)`: none.
    Plain,
    /// `(type index, function)`: one more than plain ones get.
    Informed,
    /// `(type index, function, whether it wants one more)`.
    Marked,
}

/// Reads an argument that is an array of callbacks.
///
/// # Errors
/// `TypeError` that says which part of the argument is not as declared.
pub(super) fn read(args: &Arguments<'_>, index: usize, form: Form) -> Result<Vec<Callback>> {
    callbacks_in(args.any(index), form).map_err(|actual| args.mismatch(index, &actual))
}

fn callbacks_in(value: &AnyView<'_>, form: Form) -> std::result::Result<Vec<Callback>, String> {
    let Some(object) = value.as_object().filter(sequence::is_sequence) else { return Err(key_of(value)) };
    let entries = sequence::elements(&object);
    let callback = |(at, entry): (usize, &Any)| {
        callback_in(entry.view(), form).map_err(|actual| format!("Array[index {at}: {actual}]"))
    };
    entries.iter().enumerate().map(callback).collect()
}

fn callback_in(entry: &AnyView<'_>, form: Form) -> std::result::Result<Callback, String> {
    let Some(tuple) = entry.as_object_of(kTVMFFIArray) else { return Err(key_of(entry)) };
    let parts = sequence::elements(&tuple);
    let mismatch = |at: usize| format!("Array[index {at}: {}]", key_of(parts[at].view()));
    let expected = if form == Form::Marked { 3 } else { 2 };
    if parts.len() != expected {
        return Err(format!("Array[size={}]", parts.len()));
    }
    let type_index = parts[0].view().as_int().ok_or_else(|| mismatch(0))? as i32;
    let function = parts[1].view().as_object_of(kTVMFFIFunction).ok_or_else(|| mismatch(1))?;
    let informed = match form {
        Form::Plain => false,
        Form::Informed => true,
        Form::Marked => parts[2].view().as_bool().ok_or_else(|| mismatch(2))?,
    };
    Ok(Callback { type_index, function, informed })
}

fn key_of(value: &AnyView<'_>) -> String {
    type_table::key_of(value.type_index())
}
