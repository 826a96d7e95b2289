//! A value that a structural hash is inside of, and what is left to be hashed of it.

use std::{cell::Cell, vec};

use tvm_ffi_spec::*;

use super::{
    Level, address,
    fields::Fields,
    leaf_hash::{Before, Effort, leaf},
};
use crate::{
    border::error::Result,
    container::{held::Held, sequence},
    object::ObjectRef,
    value::{any::Any, bit_hash::combine},
};

/// A value that is being hashed.
pub(super) struct Part {
    pub value: Held,
    /// Whether the walk may come by again: there is another reference to the value, or to what it is inside of.
    pub again: bool,
    pub hash: u64,
    pub before: Before,
    pub content: Content,
}

/// Entries of a map: the hash of each key, and its value.
pub(super) type Entries = vec::IntoIter<(u64, Option<Held>)>;

/// What is left of it.
pub(super) enum Content {
    Sequence {
        at: usize,
    },
    /// The values in the order of the hashes of their keys, whose values are None where several keys have that hash.
    Map(Entries),
    Object {
        fields: Fields,
        kind: i32,
    },
}

impl Level for Part {
    type Key = usize;

    fn key(&self) -> usize {
        self.value.object().map_or(0, address)
    }
}

impl Part {
    /// The next value that goes into the hash.
    #[inline]
    pub fn next(&mut self, region: &Cell<i32>, effort: &Effort) -> Result<Option<Held>> {
        let Some(object) = self.value.object() else { return Ok(None) };
        match &mut self.content {
            Content::Sequence { at } => {
                let element = next_element(object, at, &mut self.hash, effort);
                let is_fixed = object.type_index() == kTVMFFIArray;
                // SAFETY: the level has the sequence, or what it is inside of, for as long as its elements.
                Ok(element.map(|element| unsafe { Held::part(element, is_fixed) }))
            }
            Content::Map(entries) => Ok(next_entry(entries, &mut self.hash, effort)),
            Content::Object { fields, .. } => {
                // SAFETY: the fields are those of the object's type.
                fields.next(region).map(|field| unsafe { field.held(object) }).transpose()
            }
        }
    }
}

/// Hashes the leaves of a sequence from an index on, up to an element that is none.
#[inline(always)]
pub(super) fn next_element<'a>(
    sequence: &'a ObjectRef,
    at: &mut usize,
    hash: &mut u64,
    effort: &Effort,
) -> Option<&'a Any> {
    // SAFETY: hashing a leaf runs no foreign code, and what is no leaf is held at once.
    let elements = unsafe { sequence::borrow_in(sequence) };
    for element in elements.get(*at..).unwrap_or_default() {
        *at += 1;
        match leaf(element.view(), effort) {
            Some(part) => *hash = combine(*hash, part),
            None => return Some(element),
        }
    }
    None
}

/// Hashes the entries of a map, up to a value that is no leaf.
#[inline]
pub(super) fn next_entry(entries: &mut Entries, hash: &mut u64, effort: &Effort) -> Option<Held> {
    for (key, value) in entries {
        *hash = combine(*hash, key);
        let Some(value) = value else { continue };
        match leaf(value.view(), effort) {
            Some(part) => *hash = combine(*hash, part),
            None => return Some(value),
        }
    }
    None
}
