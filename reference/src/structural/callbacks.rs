//! The callbacks that the runtime entry points take: functions with the type of the values that they are for.

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    container::sequence::{self, Array},
    function::{Function, arguments::Arguments},
    reflection::convert,
    types::lineage,
    value::any::{Any, AnyView},
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
    if args.any(index).cast_ref::<Array>().is_some_and(|array| sequence::len(array) == 0) {
        return Ok(Vec::new());
    }
    let converted = convert::argument(args, index)?;
    let entries = converted.view().cast_ref().map(sequence::elements).transpose()?.unwrap_or_default();
    let callback = |(at, entry): (usize, &Any)| {
        // A function may be NULL as far as the types go.
        let refuse = || args.mismatch(index, &format!("Array[index {at}: Array[index 1: None]]"));
        let (type_index, function, informed) = parts_of(entry, form)?.ok_or_else(refuse)?;
        Ok(Callback { type_index: lineage::index_of_int(type_index)?, function, informed })
    };
    entries.iter().enumerate().map(callback).collect()
}

/// The type, the function, and whether that wants one argument more; None for another entry.
fn parts_of(entry: &Any, form: Form) -> Result<Option<(i64, Function, bool)>> {
    let parts = entry.view().cast_ref().map(sequence::elements).transpose()?.unwrap_or_default();
    let part = |at: usize| parts.get(at).map(Any::view);
    let informed = match form {
        Form::Plain => Some(false),
        Form::Informed => Some(true),
        Form::Marked => part(2).and_then(AnyView::as_bool),
    };
    let (type_index, function) = (part(0).and_then(AnyView::as_int), part(1).and_then(AnyView::cast));
    Ok(type_index
        .zip(function)
        .zip(informed)
        .map(|((type_index, function), informed)| (type_index, function, informed)))
}
