//! What keys of maps add to a structural hash.

use std::cell::RefCell;

use tvm_ffi_spec::*;

use super::{
    address,
    leaf_hash::{Effort, leaf},
    may_correspond,
};
use crate::{
    border::error::Result,
    object::ObjectRef,
    system::memory::RoomFor,
    value::{any::AnyView, bit_hash::combine},
    walk::addresses::ByAddress,
};

/// What is known of objects by their addresses, which the references keep from being reused.
pub(super) type Objects = RefCell<ByAddress<usize, (ObjectRef, u64)>>;

/// Objects that were keys before they were met elsewhere.
///
/// Of two parts that are equal one may be hashed before such a key is met, and the other one afterwards; or one stands in
/// both places, and is hashed once. So what counts of a key is how it was when it first was one.
#[derive(Default)]
pub(super) struct MapKeys(RefCell<ByAddress<usize, ObjectRef>>);

impl MapKeys {
    /// The hash of a key, unless it would depend on the order of entries, or what is equal to it might have another one.
    pub fn hash(&self, key: &AnyView<'_>, objects: &Objects, effort: &Effort) -> Result<Option<u64>> {
        if key.type_index() == kTVMFFIFloat {
            return Ok(Some(combine(kTVMFFIFloat as u64, key.raw().payload())));
        }
        if let Some(hash) = leaf(key, effort) {
            return Ok(Some(hash));
        }
        let Some(object) = key.as_object() else { return Ok(None) };
        let mut unmet = self.0.borrow_mut();
        if let Some((_, hash)) = objects.borrow().get(&address(&object))
            && !unmet.contains_key(&address(&object))
        {
            return Ok(may_correspond(&object)?.then_some(*hash));
        }
        unmet.room_for(1)?;
        unmet.insert(address(&object), object);
        Ok(None)
    }

    pub fn forget(&self) {
        self.0.borrow_mut().clear();
    }
}
