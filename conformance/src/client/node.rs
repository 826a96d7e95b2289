//! Types that the suite registers as a client would, whose objects hold two values: the fields `first` and `second`.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::*;

use crate::client::{connection::Client, homemade::Homemade, homemade::retain, verdict::Verdict};

/// What an object of such a type has behind its header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Node {
    /// The field `first`.
    pub first: TVMFFIAny,
    /// The field `second`.
    pub second: TVMFFIAny,
}

/// A node that holds references of its own.
pub fn node(type_index: i32, first: TVMFFIAny, second: TVMFFIAny) -> Homemade<Node> {
    for value in [&first, &second] {
        if value.type_index >= kTVMFFIStaticObjectBegin {
            retain(value.payload() as TVMFFIObjectHandle);
        }
    }
    Homemade::new(type_index, Node { first, second })
}

/// The getter of both fields: the value with a reference of its own.
unsafe extern "C" fn get_any(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the target passes the address of a field of a node, and where to write its value.
    let value = unsafe { *field.cast::<TVMFFIAny>() };
    if value.type_index >= kTVMFFIStaticObjectBegin {
        retain(value.payload() as TVMFFIObjectHandle);
    }
    // SAFETY: as above.
    unsafe { result.write(value) };
    0
}

/// A type of nodes with this kind of structural comparison, and these flags of its fields.
pub fn node_type(client: &Client, key: &str, kind: i32, flags: [i64; 2]) -> Verdict<i32> {
    let index = client.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key.as_bytes()), -1, 1, 0, 1, kTVMFFIObject);
    let offsets = [0, size_of::<TVMFFIAny>()].map(|offset| (size_of::<TVMFFIObject>() + offset) as i64);
    for ((name, flags), offset) in ["first", "second"].iter().zip(flags).zip(offsets) {
        let field = TVMFFIFieldInfo {
            name: TVMFFIByteArray::new(name.as_bytes()),
            doc: TVMFFIByteArray::EMPTY,
            metadata: TVMFFIByteArray::EMPTY,
            flags,
            size: size_of::<TVMFFIAny>() as i64,
            alignment: 8,
            offset,
            getter: Some(get_any),
            setter: std::ptr::null_mut(),
            default_value_or_factory: TVMFFIAny::NONE,
            field_static_type_index: -1,
        };
        client.ok(client.api.TVMFFITypeRegisterField(index, &field))?;
    }
    set_kind(client, index, kind)?;
    Ok(index)
}

/// Registers how nodes of a type are compared structurally.
pub fn set_kind(client: &Client, index: i32, kind: i32) -> Verdict {
    let doc = TVMFFIByteArray::EMPTY;
    let total_size = (size_of::<TVMFFIObject>() + size_of::<Node>()) as i32;
    let metadata = TVMFFITypeMetadata { doc, creator: None, total_size, structural_eq_hash_kind: kind };
    client.ok(client.api.TVMFFITypeRegisterMetadata(index, &metadata))
}
