//! Types by their index: finding one that a target may lack, registering new ones, and calling what they have in
//! columns.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, owned::Owned, reflected, verdict::Verdict};

/// The index of a type, if the target has it.
pub fn find(client: &Client, key: &str) -> Option<i32> {
    let mut index = -1;
    let code = client.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(key.as_bytes()), &mut index);
    client.take_raised();
    (code == 0).then_some(index)
}

/// A reference of the caller's own to the function that a type has in a column.
pub fn function_in(client: &Client, column: &str, index: i32) -> Verdict<Owned> {
    let value = reflected::attribute(client, column, index)?;
    client.type_index_eq(format_args!("type_index of {column}"), value.type_index, kTVMFFIFunction)?;
    reflected::share(client, value)
}

/// Registers a type below `ffi.Object` that reserves no slots and may have children.
pub fn new(client: &Client, key: &str) -> i32 {
    client.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key.as_bytes()), -1, 1, 0, 1, kTVMFFIObject)
}

/// Registers a type below `parent` that reserves no slots and may have children.
pub fn new_child(client: &Client, key: &str, parent: i32) -> Verdict<i32> {
    let depth = reflected::info(client, parent)?.type_depth + 1;
    Ok(client.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key.as_bytes()), -1, depth, 0, 1, parent))
}

/// Types of each kind that a client registers, for messages and by index: with an index that the client names, with one of its own,
/// with one that a parent has reserved, and below any other. `name` is what their keys begin with.
pub fn of_each_kind(client: &Client, name: &str) -> Verdict<[(&'static str, i32); 4]> {
    let register = |key: &str, index, slots, parent| -> Verdict<i32> {
        let (key, depth) = (format!("{name}.{key}"), reflected::info(client, parent)?.type_depth + 1);
        let key = TVMFFIByteArray::new(key.as_bytes());
        Ok(client.api.TVMFFITypeGetOrAllocIndex(&key, index, depth, slots, 1, parent))
    };
    let parent = register("Parent", -1, 4, kTVMFFIObject)?;
    Ok([
        (
            "a type with an index that the client names",
            register("Static", kTVMFFIDynObjectBegin - 1, 0, kTVMFFIObject)?,
        ),
        ("a type that reserves indices", parent),
        ("a type with an index of its parent's", register("Child", -1, 0, parent)?),
        ("a type below any other", register("GrandChild", -1, 0, register("Other", -1, 0, kTVMFFIObject)?)?),
    ])
}

/// A field at that offset of an object, with neither getter nor setter; valid as long as `name`.
pub fn field(name: &[u8], type_index: i32, size: i64, offset: i64) -> TVMFFIFieldInfo {
    TVMFFIFieldInfo {
        name: TVMFFIByteArray::new(name),
        doc: TVMFFIByteArray::EMPTY,
        metadata: TVMFFIByteArray::EMPTY,
        flags: 0,
        size,
        alignment: 8,
        offset,
        getter: None,
        setter: std::ptr::null_mut(),
        default_value_or_factory: TVMFFIAny::NONE,
        field_static_type_index: type_index,
    }
}

/// Metadata of a type whose objects have that size, are compared as tree nodes, and are not made by a creator.
pub fn metadata(total_size: i32) -> TVMFFITypeMetadata {
    TVMFFITypeMetadata {
        doc: TVMFFIByteArray::EMPTY,
        creator: None,
        total_size,
        structural_eq_hash_kind: kTVMFFISEqHashKindTreeNode,
    }
}

/// A static method without documentation and metadata; valid as long as `name`.
pub fn method_info(name: TVMFFIByteArray, method: TVMFFIAny) -> TVMFFIMethodInfo {
    let (doc, metadata) = (TVMFFIByteArray::EMPTY, TVMFFIByteArray::EMPTY);
    TVMFFIMethodInfo { name, doc, metadata, flags: kTVMFFIFieldFlagBitMaskIsStaticMethod, method }
}

/// The parent that makes a registration a mere query, and what that answers for a key that no type has.
pub const QUERY_ONLY: i32 = -2;

/// The index that a query answers, which registers nothing: -2 for a key that no type has. `None` where the target is older
/// than the query, which is as old as `TVMFFISetCustomAllocator`.
pub fn query(client: &Client, key: &[u8]) -> Option<i32> {
    client.api.table().TVMFFISetCustomAllocator?;
    Some(client.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key), -1, 0, 0, 0, QUERY_ONLY))
}
