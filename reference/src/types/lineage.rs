//! Who descends from whom, and what a type says of itself beyond its fields.

use std::sync::atomic::AtomicU64;

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    types::{
        entry::{Entry, found_of_fields},
        type_table,
    },
};

/// What the table knows of a type.
fn info(type_index: i32) -> Result<&'static TVMFFITypeInfo> {
    // SAFETY: entries are never freed.
    type_table::info(type_index).map(|info| unsafe { &*info })
}

/// The index that a client gives as an integer.
///
/// # Errors
/// As for an index that no type has if it is none.
pub fn index_of_int(int: i64) -> Result<i32> {
    i32::try_from(int).map_err(|_| type_table::unknown_index(int))
}

/// The metadata of a type, if any was registered.
pub fn metadata(type_index: i32) -> Result<Option<&'static TVMFFITypeMetadata>> {
    types(type_index).map(|types| types.metadata())
}

/// Types from the outermost ancestor to the type itself.
///
/// # Errors
/// For an index that no type has.
#[inline]
pub fn types(type_index: i32) -> Result<Lineage> {
    let info = type_table::info(type_index)?;
    // SAFETY: each info is what an entry begins with, entries are never freed, and what is kept in one is atomic.
    let (own, kept) = unsafe { (&*info, &(*info.cast::<Entry>()).found_of_fields) };
    Ok(Lineage { own, kept, depth: 0 })
}

/// A walk along a lineage.
#[derive(Clone)]
pub struct Lineage {
    /// The type itself.
    pub own: &'static TVMFFITypeInfo,
    /// What was found of the fields of them all.
    kept: &'static AtomicU64,
    /// The depth of the next type.
    depth: i32,
}

impl Lineage {
    /// The metadata of the type itself, if any was registered.
    #[inline]
    pub fn metadata(&self) -> Option<&'static TVMFFITypeMetadata> {
        // SAFETY: entries are never freed.
        unsafe { self.own.metadata.as_ref() }
    }

    /// What `find` finds out of the fields of all these types. It is asked again when fields have been added.
    ///
    /// # Errors
    /// What `find` fails with.
    #[inline(always)]
    pub fn found_of_fields(&self, find: impl FnOnce(Self) -> Result<u8>) -> Result<u8> {
        let own = self.own;
        // What is found once is looked for in others, so that these need not lie in memory, from where they are slow to move at once.
        found_of_fields(self.kept, move || types(own.type_index).and_then(find))
    }
}

impl Iterator for Lineage {
    type Item = &'static TVMFFITypeInfo;

    #[inline]
    fn next(&mut self) -> Option<&'static TVMFFITypeInfo> {
        let depth = self.depth;
        self.depth += 1;
        match self.own.type_depth.max(0) {
            // SAFETY: a type has as many ancestors as it is deep, each an entry of the table.
            own if depth < own => Some(unsafe { &**self.own.type_ancestors.add(depth as usize) }),
            own if depth == own => Some(self.own),
            _ => None,
        }
    }
}

/// Whether objects of one type are instances of another.
pub fn is_instance(type_index: i32, of: i32) -> bool {
    if type_index == of {
        return true;
    }
    if type_index < of || type_index < kTVMFFIStaticObjectBegin {
        return false;
    }
    let (Ok(own), Ok(target)) = (info(type_index), info(of)) else { return false };
    // SAFETY: a type has as many ancestors as it is deep, each an entry of the table.
    own.type_depth > target.type_depth
        && unsafe { (**own.type_ancestors.add(target.type_depth as usize)).type_index } == of
}
