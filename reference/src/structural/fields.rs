//! The reflected fields of an object as structural walks see them, and the definition regions that they enter.
//!
//! In a definition region the variables that are met are defined, elsewhere they are used. A walk keeps the kind of the
//! region that it is in, a `TVMFFIDefRegionKind`, in a cell.

use std::cell::Cell;

use tvm_ffi_spec::*;

use super::kind_in;
use crate::{
    border::error::Result,
    reflection::field::{self, Field},
    types::lineage::{self, Lineage},
};

/// The region that a walk in region `current` is in when it enters one of kind `kind`: a pattern stays one all the way
/// down.
pub(super) fn entered(current: i32, kind: i32) -> i32 {
    if current == kTVMFFIDefRegionKindPattern { current } else { kind }
}

/// Whether objects of a type have no fields at all.
#[inline]
pub(super) fn are_none(type_index: i32) -> bool {
    field::has_any(type_index).is_ok_and(|some| !some)
}

/// The fields of an object in order, those of its ancestors first, without those that are to be ignored. While a field is
/// walked, the region is the one that its flags ask for.
pub(super) struct Fields {
    fields: field::Fields,
    /// The region in which the object itself was met.
    outer: i32,
    /// The region of fields that do not enter another.
    base: i32,
}

impl Fields {
    /// The fields of objects of a type, for a walk in this region.
    #[inline]
    pub fn new(type_index: i32, kind: i32, region: &Cell<i32>) -> Result<Self> {
        Self::of(lineage::types(type_index)?, kind, region)
    }

    /// As [`new`](Self::new), of a type whose kind need not be known otherwise.
    #[inline]
    pub fn of_any(type_index: i32, region: &Cell<i32>) -> Result<Self> {
        let types = lineage::types(type_index)?;
        let kind = kind_in(types.metadata());
        Self::of(types, kind, region)
    }

    /// As [`new`](Self::new), of a type that has been looked up.
    #[inline]
    pub fn of(types: Lineage, kind: i32, region: &Cell<i32>) -> Result<Self> {
        let fields = field::fields_of(types)?;
        let outer = region.get();
        Ok(Self { fields, outer, base: enter_object(kind, region) })
    }

    /// The next field, whose region is in force until the one after it is asked for.
    pub fn next(&mut self, region: &Cell<i32>) -> Option<Field> {
        region.set(self.base);
        let field = self.fields.find(|field| !field.has(kTVMFFIFieldFlagBitMaskSEqHashIgnore))?;
        if field.has(kTVMFFIFieldFlagBitMaskSEqHashDefSimple) {
            region.set(entered(self.base, kTVMFFIDefRegionKindSimple));
        } else if field.has(kTVMFFIFieldFlagBitMaskSEqHashDefPattern) {
            region.set(entered(self.base, kTVMFFIDefRegionKindPattern));
        }
        Some(field)
    }

    /// Back to the region in which the object itself was met.
    pub fn close(&self, region: &Cell<i32>) {
        region.set(self.outer);
    }
}

/// Enters the region in which the parts of an object are walked: a simple definition is about a variable alone, so what
/// its fields refer to is used.
pub(super) fn enter_object(kind: i32, region: &Cell<i32>) -> i32 {
    if kind == kTVMFFISEqHashKindFreeVar && region.get() == kTVMFFIDefRegionKindSimple {
        region.set(kTVMFFIDefRegionKindNone);
    }
    region.get()
}
