//! How a map lies in memory: up to four entries in its object, or the fields of a table of more.

use std::ptr;

use tvm_ffi_spec::{kTVMFFIDict, kTVMFFIMap};

use super::{
    dense::{self, Dense},
    entry::{Entry, Head, drop_entry},
};
use crate::{
    border::error::Result,
    container::buffer,
    object::{self, ObjectRef, Payload, TypedRef, typed_refs},
    value::any::Any,
};

typed_refs! {
    /// A Map or a Dict.
    Mapping: ObjectRef = kTVMFFIMap | kTVMFFIDict;
    /// A Map.
    Map: Mapping = kTVMFFIMap;
    /// A Dict.
    Dict: Mapping = kTVMFFIDict;
}

pub(super) const SMALL: u64 = 1 << 63;
/// The room that a small map claims at first, and that which its object has.
pub(super) const FIRST_SLOTS: u64 = 2;
pub(super) const SMALL_SLOTS: u64 = 4;

/// What lies behind the header of a map made here.
#[repr(C)]
pub(super) struct Storage<const TYPE_INDEX: i32>(Head);

// SAFETY: the type is repr(C) and is what maps and dicts begin with.
unsafe impl<const TYPE_INDEX: i32> Payload for Storage<TYPE_INDEX> {
    const TYPE_INDEX: i32 = TYPE_INDEX;

    #[inline]
    unsafe fn end_alone(&self) -> bool {
        let Head { data, size, slots, data_deleter } = self.0;
        let is_leaf = |index| {
            // SAFETY: a small map has so many entries, one behind the other.
            let (key, value) = unsafe { Entry::parts(data.cast::<Entry>().add(index as usize)) };
            !key.view().has_object() && !value.view().has_object()
        };
        let is_alone = size == 0 || slots & SMALL != 0 && (0..size).all(is_leaf);
        // SAFETY: the entries refer to nothing, and nobody uses them any more.
        is_alone && unsafe { buffer::release_ours(data, data_deleter) }
    }
}

impl<const TYPE_INDEX: i32> Drop for Storage<TYPE_INDEX> {
    fn drop(&mut self) {
        let Self(Head { data, size, slots, data_deleter }) = *self;
        if slots & SMALL != 0 {
            let values = ptr::slice_from_raw_parts_mut(data.cast::<Any>(), 2 * size as usize);
            // SAFETY: that many entries are live and owned by the map: two values each.
            unsafe { ptr::drop_in_place(values) };
        } else if !data.is_null() {
            drop_dense(&self.0);
        }
        if let Some(data_deleter) = data_deleter {
            // SAFETY: whoever put the entries elsewhere gave this deleter for them.
            unsafe { data_deleter(data) };
        }
    }
}

/// Drops the entries of a table. Out of line, so that the end of a small map is one call.
#[inline(never)]
fn drop_dense(head: &Head) {
    dense::for_each_entry(head, drop_entry);
}

/// An empty map that claims so many slots of the room in its object.
#[inline]
pub(super) fn small(type_index: i32, slots: u64) -> Result<Mapping> {
    let slots = slots.clamp(FIRST_SLOTS, SMALL_SLOTS) | SMALL;
    let head = |tail: *mut u8| Head { data: tail.cast(), size: 0, slots, data_deleter: None };
    let room = SMALL_SLOTS as usize * size_of::<Entry>();
    let map = match type_index {
        kTVMFFIDict => object::new_with_tail(room, |tail| Storage::<kTVMFFIDict>(head(tail)))?,
        _ => object::new_with_tail(room, |tail| Storage::<kTVMFFIMap>(head(tail)))?,
    };
    Ok(Mapping(map))
}

/// Makes a Map of so few entries that they lie in its object. The keys differ and have no hooks.
#[inline]
pub fn of_few<const COUNT: usize>(entries: [(Any, Any); COUNT]) -> Result<Map> {
    const { assert!(COUNT as u64 <= SMALL_SLOTS) };
    let map = small(kTVMFFIMap, COUNT as u64)?;
    // SAFETY: the map is new, nobody else looks at it, and it claims a slot for each entry.
    unsafe {
        let head = &mut *head_ptr(&map);
        head.size = COUNT as u64;
        for (at, (key, value)) in entries.into_iter().enumerate() {
            head.data.cast::<Entry>().add(at).write(Entry::owning(key, value));
        }
    }
    // SAFETY: it was made with this type index.
    Ok(unsafe { map.into_object().cast_unchecked() })
}

#[inline]
pub(super) fn head_ptr(map: &Mapping) -> *mut Head {
    map.data_ptr()
}

/// The fields that both layouts have. They are read anew after each change.
#[inline]
pub(super) fn head(map: &Mapping) -> &Head {
    // SAFETY: every map begins with these fields, whoever made it.
    unsafe { &*head_ptr(map) }
}

#[inline]
pub(super) fn is_small(map: &Mapping) -> bool {
    head(map).slots & SMALL != 0
}

/// Where a dense map has its fields.
#[inline]
pub(super) fn dense_fields(map: &Mapping) -> *mut Dense {
    map.data_ptr()
}

/// The table of a dense map.
#[inline]
pub(super) fn dense(map: &Mapping) -> Option<&Dense> {
    // SAFETY: such a map has these fields, whoever made it.
    (!is_small(map)).then(|| unsafe { &*dense_fields(map) })
}

/// The table of a dense map, to be changed.
#[expect(clippy::mut_from_ref, reason = "the reference to an object says nothing about access to its fields")]
#[inline]
pub(super) fn dense_mut(map: &Mapping) -> Option<&mut Dense> {
    // SAFETY: such a map has these fields, and nothing else accesses them until the caller is done.
    (!is_small(map)).then(|| unsafe { &mut *dense_fields(map) })
}
