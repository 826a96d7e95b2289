//! The callbacks that the runtime entry points take: functions with the type of the values that they are for.

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    container::sequence::{self, Array},
    function::{Function, arguments::Arguments},
    reflection::convert,
    system::memory,
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
    // SAFETY: nothing foreign runs while the entries are looked at.
    let as_declared = args.any(index).cast_ref().and_then(|array: &Array| unsafe { all_of(array, form) });
    as_declared.map_or_else(|| convert(args, index, form), Ok)
}

/// The callbacks of an array whose entries are all as declared.
///
/// # Safety
/// Nobody changes the array meanwhile.
unsafe fn all_of(array: &Array, form: Form) -> Option<Vec<Callback>> {
    // SAFETY: the caller's contract is the same.
    let entries = unsafe { sequence::borrow(array) };
    let mut callbacks = memory::room(entries.len()).ok()?;
    for entry in entries {
        let (type_index, function, informed) = parts_of(entry, form)?;
        callbacks.push(Callback { type_index: lineage::index_of_int(type_index).ok()?, function, informed });
    }
    Some(callbacks)
}

/// As [`read`], of an argument that may have to be converted first.
#[cold]
fn convert(args: &Arguments<'_>, index: usize, form: Form) -> Result<Vec<Callback>> {
    let converted = convert::argument(args, index)?;
    let entries = converted.view().cast_ref().map(sequence::elements).transpose()?.unwrap_or_default();
    let callback = |(at, entry): (usize, &Any)| {
        // A function may be NULL as far as the types go.
        let refuse = || args.mismatch(index, &format!("Array[index {at}: Array[index 1: None]]"));
        let (type_index, function, informed) = parts_of(entry, form).ok_or_else(refuse)?;
        Ok(Callback { type_index: lineage::index_of_int(type_index)?, function, informed })
    };
    entries.iter().enumerate().map(callback).collect()
}

/// The type, the function, and whether that wants one argument more; None for another entry.
fn parts_of(entry: &Any, form: Form) -> Option<(i64, Function, bool)> {
    let entry = entry.view().cast_ref::<Array>()?;
    // SAFETY: nothing foreign runs while the parts are looked at.
    let (type_index, function, informed) = match (form, unsafe { sequence::borrow(entry) }) {
        (Form::Plain, [type_index, function]) => (type_index, function, false),
        (Form::Informed, [type_index, function]) => (type_index, function, true),
        (Form::Marked, [type_index, function, informed]) => (type_index, function, informed.view().as_bool()?),
        _ => return None,
    };
    Some((type_index.view().as_int()?, function.view().cast()?, informed))
}
