//! The hashes of values that are no objects to be taken apart, and what it takes to hash values.

use std::cell::Cell;

use tvm_ffi_spec::*;

use super::{check_contiguous, check_on_cpu, integer_words};
use crate::{
    border::error::Result,
    container::{
        sequence,
        shape::{self, Shape},
    },
    object::ObjectRef,
    tensor::Description,
    types::type_table,
    value::{
        any::AnyView,
        bit_hash::{combine, content_hash},
        text_layout::small,
    },
};

/// What it would take to hash again what has been hashed: elements, and bytes of content. Only differences count.
#[derive(Default)]
pub(super) struct Effort(Cell<usize>);

impl Effort {
    /// What it takes at least to hash a container, so that its hash is worth a note. Whatever takes less is hashed again
    /// wherever it is met, in little more than the time that it takes to look a note up.
    pub const NOTEWORTHY: usize = 64;

    /// More has been hashed.
    #[inline]
    pub fn add(&self, more: usize) {
        self.0.set(self.0.get().wrapping_add(more));
    }

    /// The effort so far.
    #[inline]
    pub fn so_far(&self) -> usize {
        self.0.get()
    }

    /// Whether what has been hashed since is worth a note.
    #[inline]
    pub fn is_noteworthy(&self, before: usize) -> bool {
        self.0.get().wrapping_sub(before) >= Self::NOTEWORTHY
    }

    /// What has been hashed since is noted, and takes nothing any more.
    #[inline]
    pub fn forget(&self, before: usize) {
        self.0.set(before);
    }
}

/// What had been found out when a container was entered: how many objects were known, and the effort until then.
#[derive(Clone, Copy)]
pub(super) struct Before {
    pub objects: usize,
    pub effort: usize,
}

/// The hash of a value that is not an object to be taken apart, whose content adds to the effort.
#[inline]
pub(super) fn leaf(value: &AnyView<'_>, effort: &Effort) -> Option<u64> {
    match value.type_index() {
        kTVMFFIInt => Some(combine(kTVMFFIInt as u64, value.raw().payload())),
        kTVMFFIArray | kTVMFFIMap | kTVMFFIList | kTVMFFIDict => None,
        _ => other_leaf(value, effort),
    }
}

fn other_leaf(value: &AnyView<'_>, effort: &Effort) -> Option<u64> {
    let (type_index, payload) = (value.type_index(), value.raw().payload());
    let content_hash = |content: &[u8]| {
        effort.add(content.len());
        content_hash(content)
    };
    Some(match type_index {
        kTVMFFISmallStr | kTVMFFIStr => combine(kTVMFFIStr as u64, content_hash(value.as_str().unwrap_or_default())),
        kTVMFFIBytes => {
            let content = value.as_bytes().unwrap_or_default();
            match small(kTVMFFISmallBytes, content) {
                // A client may have made an object of what is small elsewhere. They are equal.
                Some(small) => combine(kTVMFFISmallBytes as u64, small.payload()),
                None => combine(kTVMFFIBytes as u64, content_hash(content)),
            }
        }
        kTVMFFIBigInt => combine(kTVMFFIBigInt as u64, content_hash(integer_words(value)?)),
        kTVMFFIStaticObjectBegin.. => return None,
        kTVMFFIFloat if f64::from_bits(payload).is_nan() => combine(kTVMFFIFloat as u64, NAN),
        _ => combine(type_index as u64, payload),
    })
}

/// What every NaN is hashed as.
const NAN: u64 = 0x7ff8_0000_0000_0000;

/// The hash of a sequence of leaves, and of such sequences, if there are few of them: all that a walk needs takes longer to be
/// made ready.
#[inline]
pub(super) fn at_a_glance(value: &AnyView<'_>) -> Option<u64> {
    const GLANCED: usize = 16;
    if is_few(value, &mut { GLANCED }) { of_few(value) } else { None }
}

fn is_few(value: &AnyView<'_>, left: &mut usize) -> bool {
    let Some(sequence) = value.cast_ref() else { return false };
    // SAFETY: nothing foreign runs while the elements are looked at.
    let elements = unsafe { sequence::borrow(sequence) };
    // Each level takes something, so that a circle comes to an end.
    let Some(rest) = left.checked_sub(elements.len() + 1) else { return false };
    *left = rest;
    elements.iter().all(|element| match element.view().type_index() {
        kTVMFFIArray | kTVMFFIList => is_few(element.view(), left),
        kTVMFFIStr | kTVMFFIBytes | kTVMFFIBigInt => true,
        other => other < kTVMFFIStaticObjectBegin,
    })
}

fn of_few(value: &AnyView<'_>) -> Option<u64> {
    // SAFETY: hashing leaves runs no foreign code.
    let elements = unsafe { sequence::borrow(value.cast_ref()?) };
    let head = combine(type_key_hash(value.type_index()), elements.len() as u64);
    elements.iter().try_fold(head, |hash, element| {
        let part = leaf(element.view(), &Effort::default()).or_else(|| of_few(element.view()))?;
        Some(combine(hash, part))
    })
}

/// The hash of a shape.
pub(super) fn shape_hash(shape: &Shape, effort: &Effort) -> u64 {
    let extents = shape::extents(shape);
    effort.add(extents.len());
    let hash = combine(type_key_hash(kTVMFFIShape), extents.len() as u64);
    extents.iter().fold(hash, |hash, extent| combine(hash, *extent as u64))
}

/// The hash of the key of a type, which the hashes of its objects begin with.
pub(super) fn type_key_hash(type_index: i32) -> u64 {
    // SAFETY: entries of the table are never freed.
    type_table::info(type_index).map_or(0, |info| unsafe { (*info).type_key_hash })
}

/// The hash of the key of the type that was asked for last: in most walks one follows another of its type.
#[derive(Default)]
pub(super) struct KeyHashes(Cell<(i32, u64)>);

impl KeyHashes {
    /// As [`type_key_hash`].
    #[inline]
    pub fn of(&self, type_index: i32) -> u64 {
        let (last, hash) = self.0.get();
        if last == type_index {
            return hash;
        }
        let hash = type_key_hash(type_index);
        self.0.set((type_index, hash));
        hash
    }
}

/// The hash of a tensor.
pub(super) fn tensor_hash(object: &ObjectRef, skip_content: bool, effort: &Effort) -> Result<u64> {
    let tensor = Description::of(object)?;
    let hash = combine(type_key_hash(kTVMFFITensor), tensor.extents().len() as u64);
    let hash = tensor.extents().iter().fold(hash, |hash, extent| combine(hash, *extent as u64));
    let hash = combine(hash, tensor.dtype_word());
    if skip_content {
        return Ok(hash);
    }
    check_on_cpu(&tensor, "tensor", "can only hash CPU tensor")?;
    check_contiguous(&tensor, "tensor", "Can only hash contiguous tensor")?;
    // SAFETY: the tensor is in memory, in one piece.
    let content = unsafe { tensor.bytes() }?;
    effort.add(content.len());
    Ok(combine(hash, content_hash(content)))
}

/// Sorts the entries of a map by the hashes of their keys. Of keys with the same hash one entry is left, without a value.
pub(super) fn sort_by_key_hash<T>(entries: &mut Vec<(u64, Option<T>)>) {
    // A stable sort would need memory of its own, and the values of keys with the same hash do not count.
    entries.sort_unstable_by_key(|(hash, _)| *hash);
    entries.dedup_by(|next, kept| {
        let tie = next.0 == kept.0;
        if tie {
            kept.1 = None;
        }
        tie
    });
}

/// Whether a value of a type is hashed by a further nested call. A map gains nothing by it: to sort its entries takes longest.
#[inline]
pub(super) fn is_nested(type_index: i32, nested: u32) -> bool {
    !matches!(type_index, kTVMFFIMap | kTVMFFIDict) && super::is_nested(type_index, nested)
}
