//! The callbacks that the runtime entry points take: functions with the type of the values that they are for.

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    container::sequence::{self, Array},
    function::{Function, arguments::Arguments},
    reflection::convert,
    system::memory::RoomFor,
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

impl Callback {
    /// Whether the callback is for values of a type.
    #[inline]
    fn is_for(&self, type_index: i32) -> bool {
        let is_one_type = (0..kTVMFFIStaticObjectBegin).contains(&self.type_index);
        type_index == self.type_index || !is_one_type && is_among(type_index, self.type_index)
    }
}

/// The callbacks of an engine, read where they stay. Most have one, for which no memory is needed.
#[derive(Default)]
pub(super) struct Callbacks {
    first: Option<Callback>,
    others: Vec<Callback>,
}

impl Callbacks {
    /// The first callback that is for values of a type.
    #[inline]
    pub fn matching(&self, type_index: i32) -> Option<&Callback> {
        let first = self.first.as_ref()?;
        if first.is_for(type_index) {
            return Some(first);
        }
        self.others.iter().find(|callback| callback.is_for(type_index))
    }

    /// Reads an argument that is an array of callbacks, where there are none yet.
    ///
    /// # Errors
    /// `TypeError` that says which part of the argument is not as declared.
    pub fn read(&mut self, args: &Arguments<'_>, index: usize, form: Form) -> Result<()> {
        // SAFETY: nothing foreign runs while the entries are looked at.
        if args.any(index).cast_ref().is_some_and(|array| unsafe { self.are_all_of(array, form) }) {
            return Ok(());
        }
        *self = Self::default();
        self.convert(args, index, form)
    }

    /// Takes the callbacks of an array; `false` if not all of its entries are as declared.
    ///
    /// # Safety
    /// Nobody changes the array meanwhile.
    unsafe fn are_all_of(&mut self, array: &Array, form: Form) -> bool {
        // SAFETY: the caller's contract is the same.
        unsafe { sequence::borrow(array) }.iter().all(|entry| {
            let Some((type_index, function, informed)) = parts_of(entry, form) else { return false };
            let Ok(type_index) = lineage::index_of_int(type_index) else { return false };
            self.push(Callback { type_index, function, informed }).is_ok()
        })
    }

    /// As [`read`](Self::read), of an argument that may have to be converted first.
    #[cold]
    fn convert(&mut self, args: &Arguments<'_>, index: usize, form: Form) -> Result<()> {
        let converted = convert::argument(args, index)?;
        let entries = converted.view().cast_ref().map(sequence::elements).transpose()?.unwrap_or_default();
        for (at, entry) in entries.iter().enumerate() {
            // A function may be NULL as far as the types go.
            let refuse = || args.mismatch(index, &format!("Array[index {at}: Array[index 1: None]]"));
            let (type_index, function, informed) = parts_of(entry, form).ok_or_else(refuse)?;
            self.push(Callback { type_index: lineage::index_of_int(type_index)?, function, informed })?;
        }
        Ok(())
    }

    /// Adds others behind these.
    ///
    /// # Errors
    /// `MemoryError` if there is no memory for them.
    #[inline]
    pub fn append(&mut self, behind: Self) -> Result<()> {
        let Self { first: Some(first), others } = behind else { return Ok(()) };
        self.push(first)?;
        others.into_iter().try_for_each(|callback| self.push(callback))
    }

    #[inline(always)]
    fn push(&mut self, callback: Callback) -> Result<()> {
        if self.first.is_none() {
            self.first = Some(callback);
        } else {
            self.others.room_for(1)?;
            self.others.push(callback);
        }
        Ok(())
    }
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
