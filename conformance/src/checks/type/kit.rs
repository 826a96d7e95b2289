//! Registering types as clients register theirs, by key below a parent, and looking them up.

use tvm_ffi_spec::{abi, *};

use crate::{
    client::{
        Verdict,
        reflected::{self, info},
    },
    trial::Trial,
};

/// What an index is before the target has written it.
pub const GARBAGE: i32 = 0x5a5a_5a5a;

/// A type that has been registered.
#[derive(Clone, Copy)]
pub struct Type {
    pub index: i32,
    pub depth: i32,
}

/// The root of all objects.
pub const ROOT: Type = Type { index: kTVMFFIObject, depth: 0 };

/// The last of the static range, which no release has come near.
pub const FREE_STATIC: i32 = kTVMFFIDynObjectBegin - 1;

/// Registers a type below `parent`.
pub fn allocate(t: &Trial, key: &str, parent: Type, slots: i32, overflow: bool) -> Type {
    let depth = parent.depth + 1;
    let index = t.api.TVMFFITypeGetOrAllocIndex(&bytes(key), -1, depth, slots, overflow.into(), parent.index);
    Type { index, depth }
}

/// Registers a type below `parent` that reserves nothing and may have children, as most types do.
pub fn open_type(t: &Trial, key: &str, parent: Type) -> Type {
    allocate(t, key, parent, 0, true)
}

pub fn bytes(text: &str) -> TVMFFIByteArray {
    TVMFFIByteArray::new(text.as_bytes())
}

/// The indices of value types that every release registers: all but the tensor pointer's.
pub fn built_in_values() -> impl Iterator<Item = i32> {
    (kTVMFFINone..=kTVMFFISmallBytes).filter(|&index| index != kTVMFFIDLTensorPtr)
}

/// The indices of object types that every release registers, the root first.
pub fn built_in_objects() -> impl Iterator<Item = i32> {
    kTVMFFIObject..=kTVMFFIOpaquePyObject
}

/// The key of a built-in type, by the spec.
pub fn spec_key(t: &Trial, index: i32) -> Verdict<&'static str> {
    let ty = abi::abi().types.iter().find(|ty| ty.index == Some(index));
    ty.map(|ty| ty.key.as_str()).ok_or_else(|| t.error(format!("key of type {index}"), "the spec does not say"))
}

/// `TVMFFITypeKeyToIndex`, expected to succeed.
pub fn key_to_index(t: &Trial, key: &str) -> Verdict<i32> {
    let mut index = GARBAGE;
    t.ok(t.api.TVMFFITypeKeyToIndex(&bytes(key), &mut index))?;
    Ok(index)
}

/// Expects a type's record to give its index and key.
pub fn names(t: &Trial, index: i32, key: &str) -> Verdict {
    let info = info(t, index)?;
    t.type_index_eq(format_args!("type_index in the record of {key}"), info.type_index, index)?;
    t.eq(format_args!("type_key in the record of {key}"), reflected::key(t, &info)?, key.to_owned())
}

/// The addresses of a type's ancestors, as they are listed.
pub fn ancestor_addresses(t: &Trial, info: &TVMFFITypeInfo) -> Verdict<Vec<*const TVMFFITypeInfo>> {
    t.that("type_depth", (0..=1000).contains(&info.type_depth), "a number of ancestors", info.type_depth)?;
    let place = |depth: i32| info.type_ancestors.wrapping_add(depth as usize);
    (0..info.type_depth).map(|depth| t.read(format!("type_ancestors[{depth}]"), place(depth))).collect()
}

/// The indices of a type's ancestors, as they are listed.
pub fn ancestors(t: &Trial, info: &TVMFFITypeInfo) -> Verdict<Vec<i32>> {
    let addresses = ancestor_addresses(t, info)?;
    addresses.into_iter().map(|address| Ok(t.read("ancestor", address)?.type_index)).collect()
}

/// Expects a type's record to list these ancestors.
pub fn has_ancestors(t: &Trial, what: &str, index: i32, expected: &[i32]) -> Verdict {
    t.eq(format_args!("ancestors of {what}"), ancestors(t, &info(t, index)?)?, expected.to_vec())
}

/// The instance test as clients inline it: whether objects of a type with that index and these ancestors pass for such of `target`, which was
/// registered with that many slots, and as one that may overflow or not.
pub fn passes_for(index: i32, ancestors: &[i32], target: Type, slots: i32, overflow: bool) -> bool {
    if (target.index..=target.index + slots).contains(&index) {
        return true;
    }
    overflow
        && index >= target.index
        && ancestors.len() as i32 > target.depth
        && ancestors.get(target.depth as usize) == Some(&target.index)
}
