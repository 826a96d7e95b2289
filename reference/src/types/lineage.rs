//! Who descends from whom, and what a type says of itself beyond its fields.

use std::slice;

use tvm_ffi_spec::*;

use crate::{border::error::Result, types::type_table};

/// What the table knows of a type.
fn info(type_index: i32) -> Result<&'static TVMFFITypeInfo> {
    // SAFETY: entries are never freed.
    type_table::info(type_index).map(|info| unsafe { &*info })
}

/// The metadata of a type, if any was registered.
pub fn metadata(type_index: i32) -> Result<Option<&'static TVMFFITypeMetadata>> {
    // SAFETY: entries are never freed.
    info(type_index).map(|info| unsafe { info.metadata.as_ref() })
}

/// Types from the outermost ancestor but one (the root has no fields) to the type itself.
pub fn lineage(type_index: i32) -> Result<impl Iterator<Item = &'static TVMFFITypeInfo>> {
    let own = info(type_index)?;
    let depth = own.type_depth.max(0) as usize;
    // SAFETY: a type has as many ancestors as it is deep, each an entry of the table.
    let ancestors = if depth == 0 { &[] } else { unsafe { slice::from_raw_parts(own.type_ancestors, depth) } };
    // SAFETY: as above.
    Ok(ancestors.iter().skip(1).map(|ancestor| unsafe { &**ancestor }).chain([own]))
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
