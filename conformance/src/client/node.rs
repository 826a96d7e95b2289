//! Types that the suite registers as a client would, whose objects hold two values: the fields `first` and `second`.

use std::{
    ffi::{c_int, c_void},
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::*;

use crate::client::{
    callback::{self, Body, raise},
    connection::Client,
    homemade::{Homemade, release, remember_end, retain},
    memory,
    verdict::Verdict,
};

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
    node_with(type_index, first, second, remember_end)
}

/// A node that gives up what it holds when it ends.
pub fn ending_node(type_index: i32, first: TVMFFIAny, second: TVMFFIAny) -> Homemade<Node> {
    node_with(type_index, first, second, end_node)
}

fn node_with(type_index: i32, first: TVMFFIAny, second: TVMFFIAny, deleter: TVMFFIObjectDeleter) -> Homemade<Node> {
    for value in [&first, &second] {
        if value.type_index >= kTVMFFIStaticObjectBegin {
            retain(value.payload() as TVMFFIObjectHandle);
        }
    }
    Homemade::with_deleter(type_index, Node { first, second }, Some(deleter))
}

unsafe extern "C" fn end_node(node: TVMFFIObjectHandle, flags: c_int) {
    let held = fields_of(&TVMFFIAny::new(kTVMFFIObject, node as u64));
    if let (Some(Node { first, second }), true) = (held, flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0) {
        for value in [first, second] {
            if value.type_index >= kTVMFFIStaticObjectBegin {
                release(value.payload() as TVMFFIObjectHandle);
            }
        }
    }
}

/// Puts a value into the first field of a node, as the setter does.
pub fn set_first(node: &TVMFFIAny, value: &TVMFFIAny) {
    let field = (node.payload() as TVMFFIObjectHandle).wrapping_byte_add(size_of::<TVMFFIObject>());
    // SAFETY: the first field lies behind the header of a node, whose memory is kept.
    unsafe { set_any(field, value) };
}

/// The getter of both fields: the value with a reference of its own.
///
/// # Safety
/// The addresses are those of a value that nobody changes meanwhile, and of one that may be overwritten.
pub unsafe extern "C" fn get_any(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the target passes the address of a field of a node, and where to write its value.
    let value = unsafe { *field.cast::<TVMFFIAny>() };
    if value.type_index >= kTVMFFIStaticObjectBegin {
        retain(value.payload() as TVMFFIObjectHandle);
    }
    // SAFETY: as above.
    unsafe { result.write(value) };
    0
}

/// The setter of both fields: the field holds a reference of its own, and gives up what it held.
///
/// # Safety
/// The addresses are those of an owned value that nobody else uses meanwhile, and of a value that lives.
pub unsafe extern "C" fn set_any(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: the target passes the address of a field of a node, and a value that it lends.
    let (old, new) = unsafe { (field.cast::<TVMFFIAny>().read(), *value) };
    if new.type_index >= kTVMFFIStaticObjectBegin {
        retain(new.payload() as TVMFFIObjectHandle);
    }
    // SAFETY: as above.
    unsafe { field.cast::<TVMFFIAny>().write(new) };
    if old.type_index >= kTVMFFIStaticObjectBegin {
        release(old.payload() as TVMFFIObjectHandle);
    }
    0
}

/// What [`get_or_common`] answers for None.
static COMMON: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

/// Has [`get_or_common`] answer this value for None from now on, which the caller keeps alive: no object holds it.
pub fn set_common(value: &TVMFFIAny) {
    *COMMON.lock().unwrap_or_else(PoisonError::into_inner) = *value;
}

/// A getter of both fields for which None stands for a value that all objects have in common, and that is kept elsewhere.
///
/// # Safety
/// As for [`get_any`].
pub unsafe extern "C" fn get_or_common(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the target passes the address of a field of a node.
    let value = unsafe { *field.cast::<TVMFFIAny>() };
    let mut common = *COMMON.lock().unwrap_or_else(PoisonError::into_inner);
    let field = if value.type_index == kTVMFFINone { (&raw mut common).cast() } else { field };
    // SAFETY: one of two values that live, and where to write it.
    unsafe { get_any(field, result) }
}

/// The same as a function object, which is given the address of the field and the value.
unsafe extern "C" fn set_as_function(_: *mut c_void, args: *const TVMFFIAny, count: i32, _: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives as many arguments as it says.
    let args = if count == 2 { unsafe { std::slice::from_raw_parts(args, 2) } } else { &[] };
    match args {
        [field, value] if field.type_index == kTVMFFIOpaquePtr => {
            // SAFETY: the address is that of a field of a node.
            unsafe { set_any(field.payload() as *mut c_void, value) }
        }
        _ => {
            callback::api()
                .and_then(|api| raise(api, c"AssertionError", c"a setter takes the field's address and a value"));
            -1
        }
    }
}

/// A type of nodes with this kind of structural comparison, and these flags of its fields, which cannot be set.
pub fn node_type(client: &Client, key: &str, kind: i32, flags: [i64; 2]) -> Verdict<i32> {
    node_type_with(client, key, kind, flags, get_any, std::ptr::null_mut())
}

/// A type of nodes that can be copied, and whose fields can be set and are read by [`get_or_common`].
pub fn common_node_type(client: &Client, key: &str, kind: i32, flags: [i64; 2]) -> Verdict<i32> {
    let index = node_type_with(client, key, kind, flags, get_or_common, set_any as *mut c_void)?;
    client.set_hook(index, "__ffi_shallow_copy__", &client.callback(|_, args| copy_of(args))?.any())?;
    Ok(index)
}

/// A type of nodes that can be copied, and whose fields can be set: by a C function, or by a function object where the flags
/// say so.
pub fn changing_node_type(client: &Client, key: &str, kind: i32, flags: [i64; 2]) -> Verdict<i32> {
    changing_node_type_with(client, key, kind, flags, |_, args| copy_of(args))
}

/// A node with the same fields as the one that a hook is given.
pub fn copy_of(args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let original = args.first()?;
    let Node { first, second } = fields_of(original)?;
    Some(node(original.type_index, first, second).view())
}

/// The same, which gives up what it holds when it ends.
pub fn ending_copy_of(args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let original = args.first()?;
    let Node { first, second } = fields_of(original)?;
    Some(ending_node(original.type_index, first, second).view())
}

/// As [`changing_node_type`], with a function that copies nodes.
pub fn changing_node_type_with(client: &Client, key: &str, kind: i32, flags: [i64; 2], copy: Body) -> Verdict<i32> {
    let setter = if (flags[0] | flags[1]) & kTVMFFIFieldFlagBitSetterIsFunctionObj == 0 {
        set_any as *mut c_void
    } else {
        client.serve_callbacks();
        // The fields keep it for the life of the process.
        client.function(std::ptr::null_mut(), set_as_function, None)?.into_any().payload() as *mut c_void
    };
    let index = node_type_with(client, key, kind, flags, get_any, setter)?;
    client.set_hook(index, "__ffi_shallow_copy__", &client.callback(copy)?.any())?;
    Ok(index)
}

/// What a node has behind its header.
pub fn fields_of(node: &TVMFFIAny) -> Option<Node> {
    memory::read((node.payload() as *const u8).wrapping_add(size_of::<TVMFFIObject>()).cast())
}

fn node_type_with(
    client: &Client,
    key: &str,
    kind: i32,
    flags: [i64; 2],
    getter: TVMFFIFieldGetter,
    setter: *mut c_void,
) -> Verdict<i32> {
    let index = new_type(client, key, 1, kTVMFFIObject);
    register_fields(client, [index; 2], flags, getter, setter)?;
    set_kind(client, index, kind)?;
    Ok(index)
}

/// A type of nodes that has the field `first` from its parent, as [`node_type`] otherwise.
pub fn inheriting_node_type(client: &Client, key: &str, kind: i32, flags: [i64; 2]) -> Verdict<i32> {
    let parent = new_type(client, &format!("{key}Base"), 1, kTVMFFIObject);
    let index = new_type(client, key, 2, parent);
    register_fields(client, [parent, index], flags, get_any, std::ptr::null_mut())?;
    set_kind(client, parent, kind)?;
    set_kind(client, index, kind)?;
    Ok(index)
}

fn new_type(client: &Client, key: &str, depth: i32, parent: i32) -> i32 {
    client.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key.as_bytes()), -1, depth, 0, 1, parent)
}

/// Registers each field of nodes for the type that has it.
fn register_fields(
    client: &Client,
    types: [i32; 2],
    flags: [i64; 2],
    getter: TVMFFIFieldGetter,
    setter: *mut c_void,
) -> Verdict {
    let offsets = [0, size_of::<TVMFFIAny>()].map(|offset| (size_of::<TVMFFIObject>() + offset) as i64);
    for (((name, index), flags), offset) in ["first", "second"].iter().zip(types).zip(flags).zip(offsets) {
        let field = TVMFFIFieldInfo {
            name: TVMFFIByteArray::new(name.as_bytes()),
            doc: TVMFFIByteArray::EMPTY,
            metadata: TVMFFIByteArray::EMPTY,
            flags,
            size: size_of::<TVMFFIAny>() as i64,
            alignment: 8,
            offset,
            getter: Some(getter),
            setter,
            default_value_or_factory: TVMFFIAny::NONE,
            field_static_type_index: -1,
        };
        client.ok(client.api.TVMFFITypeRegisterField(index, &field))?;
    }
    Ok(())
}

/// Registers how nodes of a type are compared structurally.
pub fn set_kind(client: &Client, index: i32, kind: i32) -> Verdict {
    let doc = TVMFFIByteArray::EMPTY;
    let total_size = (size_of::<TVMFFIObject>() + size_of::<Node>()) as i32;
    let metadata = TVMFFITypeMetadata { doc, creator: None, total_size, structural_eq_hash_kind: kind };
    client.ok(client.api.TVMFFITypeRegisterMetadata(index, &metadata))
}
