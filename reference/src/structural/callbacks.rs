//! The callbacks that the runtime entry points take: functions with the type of the values that they are for.

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    container::sequence,
    function::{Function, arguments::Arguments},
    reflection::convert,
    types::lineage,
    value::any::Any,
};

/// A function for values of a type.
pub(super) struct Callback {
    type_index: i32,
    pub function: Function,
    /// Whether the function wants one argument more than others: the definition region, or whether the value may be
    /// changed in place.
    pub informed: bool,
}

/// The first callback that is for values of a type.
#[inline]
pub(super) fn matching(callbacks: &[Callback], type_index: i32) -> Option<&Callback> {
    callbacks.iter().find(|callback| {
        let target = callback.type_index;
        let is_one_type = (0..kTVMFFIStaticObjectBegin).contains(&target);
        type_index == target || !is_one_type && is_among(type_index, target)
    })
}

/// Whether values of type `actual` are among those of type `target`, which stands for more than one.
#[inline(never)]
fn is_among(actual: i32, target: i32) -> bool {
    match target {
        kTVMFFIAny => true,
        kTVMFFIStr => matches!(actual, kTVMFFIStr | kTVMFFISmallStr),
        kTVMFFIBytes => matches!(actual, kTVMFFIBytes | kTVMFFISmallBytes),
        kTVMFFIObject => actual >= kTVMFFIStaticObjectBegin,
        _ => target > kTVMFFIObject && lineage::is_instance(actual, target),
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
    let converted = convert::argument(args, index)?;
    let entries = converted.view().cast_ref().map(sequence::elements).transpose()?.unwrap_or_default();
    let callback = |(at, entry): (usize, &Any)| {
        // A function may be NULL as far as the types go.
        callback(entry, form).ok_or_else(|| args.mismatch(index, &format!("Array[index {at}: Array[index 1: None]]")))
    };
    entries.iter().enumerate().map(callback).collect()
}

fn callback(entry: &Any, form: Form) -> Option<Callback> {
    let parts = sequence::elements(entry.view().cast_ref()?).ok()?;
    let part = |at: usize| parts.get(at).map(Any::view);
    let informed = match form {
        Form::Plain => false,
        Form::Informed => true,
        Form::Marked => part(2)?.as_bool()?,
    };
    Some(Callback { type_index: part(0)?.as_int()? as i32, function: part(1)?.cast()?, informed })
}
