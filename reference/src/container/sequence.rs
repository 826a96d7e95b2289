//! What Array and List have in common: the cell behind their header, and reading what it points to.
//!
//! Clients read and write the cell inline, and whoever owns the only reference to an array may change it in place. So
//! nothing here keeps a pointer to elements beyond one call, nor across a call of foreign code: such walks take a
//! snapshot, look for each element anew, or hold an Array, which then nobody may change ([`held`](super::held)).

use std::{ffi::c_void, slice};

use tvm_ffi_spec::{TVMFFIAny, TVMFFISeqCell, kTVMFFIArray, kTVMFFIList};

use crate::{
    border::error::{Error, Result},
    container::{buffer, key::Key},
    object::{ObjectRef, Payload, typed_refs},
    system::memory,
    value::any::{Any, AnyView},
};

typed_refs! {
    /// An Array or a List.
    Sequence: ObjectRef = kTVMFFIArray | kTVMFFIList;
    /// An Array.
    Array: Sequence = kTVMFFIArray;
    /// A List.
    List: Sequence = kTVMFFIList;
}

/// So many elements are looked at before a sequence ends: those that are no objects need not end themselves.
const FEW: i64 = 8;

/// What lies behind the header of a sequence made here.
#[repr(C)]
pub(super) struct Storage<const TYPE_INDEX: i32>(pub(super) TVMFFISeqCell);

// SAFETY: the type is repr(C) and is the cell that arrays and lists begin with.
unsafe impl<const TYPE_INDEX: i32> Payload for Storage<TYPE_INDEX> {
    const TYPE_INDEX: i32 = TYPE_INDEX;

    #[inline]
    unsafe fn end_alone(&self) -> bool {
        let TVMFFISeqCell { data, size, data_deleter, .. } = self.0;
        // SAFETY: the first `size` cells are live.
        let is_leaf = |index| unsafe { !(*data.cast::<Any>().add(index as usize)).view().has_object() };
        // SAFETY: the elements refer to nothing, and nobody uses them any more.
        size <= FEW && (0..size).all(is_leaf) && unsafe { buffer::release_ours(data, data_deleter) }
    }
}

impl<const TYPE_INDEX: i32> Drop for Storage<TYPE_INDEX> {
    fn drop(&mut self) {
        let TVMFFISeqCell { data, size, data_deleter, .. } = self.0;
        for index in 0..size.max(0) as usize {
            // SAFETY: the first `size` cells are live and owned by the sequence.
            drop(unsafe { Any::from_raw(data.cast::<TVMFFIAny>().add(index).read()) });
        }
        if let Some(data_deleter) = data_deleter {
            // SAFETY: whoever put the cells elsewhere gave this deleter for them.
            unsafe { data_deleter(data) };
        }
    }
}

/// How many elements there are.
pub fn len(sequence: &Sequence) -> usize {
    // SAFETY: nothing runs during the borrow.
    unsafe { borrow(sequence) }.len()
}

/// An element of an Array or List.
pub fn get(sequence: &Sequence, index: usize) -> Option<Any> {
    // SAFETY: cloning a value runs no foreign code.
    unsafe { borrow(sequence) }.get(index).cloned()
}

/// An element of an Array or List; other objects have none.
pub fn get_in(object: &ObjectRef, index: usize) -> Option<Any> {
    get(object.cast_ref()?, index)
}

/// The elements of an Array or List as they are now, to be walked while foreign code runs.
pub fn elements(sequence: &Sequence) -> Result<Vec<Any>> {
    // SAFETY: cloning values runs no foreign code.
    let elements = unsafe { borrow(sequence) };
    let mut copy = memory::room(elements.len())?;
    copy.extend_from_slice(elements);
    Ok(copy)
}

/// The element at an index as clients give it: negative ones are out of bounds like those behind the end.
pub fn at(sequence: &Sequence, index: i64) -> Result<Any> {
    // SAFETY: cloning a value runs no foreign code.
    let elements = unsafe { borrow(sequence) };
    let element = usize::try_from(index).ok().and_then(|index| elements.get(index));
    element.cloned().ok_or_else(|| out_of_bounds(index, elements.len()))
}

/// Whether a value is among the elements, in the sense in which it would be a key of a map.
pub fn contains(sequence: &Sequence, value: &AnyView<'_>) -> Result<bool> {
    let key = Key::new(value);
    if key.is_plain() {
        // SAFETY: comparing memory runs no foreign code.
        return Ok(unsafe { borrow(sequence) }.iter().any(|element| key.equals_plainly(element.view())));
    }
    let mut index = 0;
    // A hook may change the sequence, so its elements are looked up each time and cloned for the hook.
    // SAFETY: the element is not used after the hook.
    while let Some(element) = unsafe { borrow(sequence) }.get(index) {
        let equal = match key.equals(element.view()) {
            Some(equal) => equal,
            None => key.equals_by_hook(element.clone().view(), true)?,
        };
        if equal {
            return Ok(true);
        }
        index += 1;
    }
    Ok(false)
}

/// The element at an index, or the next one behind it that is of a type which is not passed over: taken out, with None left
/// behind, if it is wanted, and else shared. Tells which. The index goes on behind it. None behind the end.
#[inline]
pub(crate) fn take_next(
    sequence: &Sequence,
    index: &mut usize,
    passes: impl Fn(i32) -> bool,
    wanted: impl Fn(&AnyView<'_>) -> bool,
) -> Option<(Any, bool)> {
    // SAFETY: nothing foreign runs while the elements are looked at.
    let left = unsafe { borrow(sequence) }.get(*index..)?;
    let passed = left.iter().take_while(|element| passes(element.view().type_index())).count();
    *index += passed + 1;
    let element = left.get(passed)?;
    if wanted(element.view()) {
        return exchange(sequence, *index - 1, Any::NONE).map(|element| (element, true));
    }
    Some((element.clone(), false))
}

/// Puts a value in the place of an element, which is given back. None behind the end, and the value is gone.
#[inline(always)]
pub(crate) fn exchange(sequence: &Sequence, index: usize, value: Any) -> Option<Any> {
    // SAFETY: every sequence begins with this cell, and its first `size` values are live.
    (index < len(sequence)).then(|| unsafe { (*cell(sequence)).data.cast::<Any>().add(index).replace(value) })
}

/// The elements of an Array or List where they lie.
///
/// # Safety
/// Nobody changes the sequence while the elements are borrowed. So no foreign code is called meanwhile.
pub(crate) unsafe fn borrow(sequence: &Sequence) -> &[Any] {
    // SAFETY: every sequence begins with this cell, whoever made it, and its first `size` values are live.
    unsafe {
        let TVMFFISeqCell { data, size, .. } = *cell(sequence);
        if size <= 0 { &[] } else { slice::from_raw_parts(data.cast(), size as usize) }
    }
}

/// As [`borrow`], of an Array or List; other objects have no elements.
///
/// # Safety
/// As for [`borrow`].
pub(crate) unsafe fn borrow_in(object: &ObjectRef) -> &[Any] {
    // SAFETY: the caller's contract is the same.
    object.cast_ref().map_or(&[], |sequence| unsafe { borrow(sequence) })
}

/// Where the cell of a sequence lies.
pub(super) fn cell(sequence: &Sequence) -> *mut TVMFFISeqCell {
    sequence.data_ptr()
}

/// The room that a sequence gets when it has room for `capacity` elements and needs room for `needed`.
pub(super) fn grown(capacity: i64, needed: usize) -> usize {
    needed.max((capacity.max(0) as usize).saturating_mul(2))
}

/// Moves values to fresh cells.
///
/// # Safety
/// There is room for them at `cells`.
pub(super) unsafe fn move_to(mut values: Vec<Any>, cells: *mut c_void) {
    // SAFETY: an `Any` is what a cell holds. The vector gives its values up without dropping them.
    unsafe {
        cells.cast::<Any>().copy_from_nonoverlapping(values.as_ptr(), values.len());
        values.set_len(0);
    }
}

/// Adds owned copies of values behind the last element, up to one that cannot be owned.
///
/// # Safety
/// There is room for them, and nobody else looks at the sequence.
pub(super) unsafe fn append_owned(sequence: &Sequence, values: &[AnyView<'_>]) -> Result<()> {
    let cell = cell(sequence);
    // SAFETY: the cells behind the last element are inside the room.
    unsafe {
        let end = (*cell).data.cast::<Any>().add((*cell).size as usize);
        for (index, value) in values.iter().enumerate() {
            value.write_owned(end.add(index))?;
            (*cell).size += 1;
        }
    }
    Ok(())
}

#[cold]
pub(crate) fn out_of_bounds(index: i64, size: usize) -> Error {
    Error::new("IndexError", format!("Index {index} out of bounds {size}"))
}
