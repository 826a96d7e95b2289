//! What a target's type table shows: records, fields, methods, attributes.
//!
//! Everything is read as a client reads it, through the addresses that the target answers, and nothing is believed: an
//! address that leads nowhere is an unmet expectation.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::*;

use crate::client::{connection::Client, names, owned::Owned, program::Statement, shown, verdict::Verdict};

/// The index of a type that is expected to be registered.
pub fn type_index(client: &Client, key: &str) -> Verdict<i32> {
    let mut index = -1;
    client
        .ok(client.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(key.as_bytes()), &mut index))
        .map_err(|failure| failure.noting(format!("the type {key} is expected to be registered")))
        .map_err(|failure| failure.for_want_of(format!("type {key}")))?;
    Ok(index)
}

/// The record of a type.
pub fn info(client: &Client, index: i32) -> Verdict<TVMFFITypeInfo> {
    client.read(format!("record of type {index}"), client.api.TVMFFIGetTypeInfo(index))
}

/// The key in a record.
pub fn key(client: &Client, info: &TVMFFITypeInfo) -> Verdict<String> {
    text(client, "type key", info.type_key)
}

/// The keys of a type's ancestors, from the root to its parent.
pub fn ancestors(client: &Client, info: &TVMFFITypeInfo) -> Verdict<Vec<String>> {
    client.that("type_depth", (0..1000).contains(&info.type_depth), "the number of ancestors", info.type_depth)?;
    let record = |place: usize| client.read("address of an ancestor", info.type_ancestors.wrapping_add(place));
    let records = (0..info.type_depth as usize).map(record);
    records.map(|address| key(client, &client.read("record of an ancestor", address?)?)).collect()
}

/// A type's own fields.
pub fn fields(client: &Client, index: i32) -> Verdict<Vec<TVMFFIFieldInfo>> {
    let info = info(client, index)?;
    all(client, "field", info.fields, info.num_fields)
}

/// A field that a type of its own is expected to have.
pub fn field(client: &Client, index: i32, name: &str) -> Verdict<TVMFFIFieldInfo> {
    named(client, fields(client, index)?, name, |field| field.name)
}

/// A type's own methods.
pub fn methods(client: &Client, index: i32) -> Verdict<Vec<TVMFFIMethodInfo>> {
    let info = info(client, index)?;
    all(client, "method", info.methods, info.num_methods)
}

/// A method that a type of its own is expected to have.
pub fn method(client: &Client, index: i32, name: &str) -> Verdict<TVMFFIMethodInfo> {
    let method = named(client, methods(client, index)?, name, |method| method.name)?;
    called(&method.method, || format!("{}.{name}", type_name(index)));
    Ok(method)
}

/// The metadata of a type that is expected to have some.
pub fn metadata(client: &Client, index: i32) -> Verdict<TVMFFITypeMetadata> {
    client.read(format!("metadata of type {index}"), info(client, index)?.metadata)
}

/// The column of that name, or NULL.
pub fn column(client: &Client, name: &str) -> *const TVMFFITypeAttrColumn {
    client.api.TVMFFIGetTypeAttrColumn(&TVMFFIByteArray::new(name.as_bytes()))
}

/// A type's entry in a column as clients look it up: None outside of what the column covers.
pub fn entry(client: &Client, column: *const TVMFFITypeAttrColumn, index: i32) -> Verdict<TVMFFIAny> {
    let column = client.read("column", column)?;
    match index.checked_sub(column.begin_index) {
        Some(place) if (0..column.size).contains(&place) => {
            client.read(format!("entry of type {index}"), column.data.wrapping_add(place as usize))
        }
        _ => Ok(TVMFFIAny::NONE),
    }
}

/// A type's entry in the column of that name, which is expected to exist.
pub fn attribute(client: &Client, name: &str, index: i32) -> Verdict<TVMFFIAny> {
    let value = entry(client, column(client, name), index);
    let value = value.map_err(|failure| failure.noting(format!("in the column {name}")))?;
    called(&value, || format!("{name} of {}", type_name(index)));
    Ok(value)
}

/// Notes what a function is called, if the value is one.
fn called(value: &TVMFFIAny, name: impl FnOnce() -> String) {
    if value.type_index == kTVMFFIFunction {
        names::note_function(value.payload() as *mut c_void, name().as_bytes());
    }
}

fn type_name(index: i32) -> String {
    shown::type_key(index).unwrap_or_else(|| format!("type {index}"))
}

/// A reference of the caller's own to an attribute that is expected to be a function.
pub fn attribute_function(client: &Client, name: &str, type_key: &str) -> Verdict<Owned> {
    let value = attribute(client, name, type_index(client, type_key)?)?;
    client.type_index_eq(format_args!("type_index of {name} of {type_key}"), value.type_index, kTVMFFIFunction)?;
    share(client, value)
}

/// A reference of the caller's own to an object that the target keeps.
pub fn share(client: &Client, object: TVMFFIAny) -> Verdict<Owned> {
    client.ok(client.api.TVMFFIObjectIncRef(object.payload() as TVMFFIObjectHandle))?;
    Ok(client.own(object))
}

/// A new instance, by the creator in the type's metadata.
pub fn create(client: &Client, index: i32) -> Verdict<Owned> {
    let Some(creator) = metadata(client, index)?.creator else {
        return Err(client.failure(format!("creator of type {index}"), "a function", "NULL"));
    };
    let mut out = std::ptr::null_mut();
    // SAFETY: a function of the target, of the type that the header gives it; the process exists for this check.
    let code = client.api.noted("the creator in a type's metadata", || unsafe { creator(&mut out) });
    client.looks_at::<TVMFFITypeMetadata>();
    client.ok(code)?;
    client.own_object("the new instance", out)
}

/// A field of a type or of one of its ancestors.
pub fn inherited_field(client: &Client, index: i32, name: &str) -> Verdict<TVMFFIFieldInfo> {
    let info = info(client, index)?;
    for place in 0..info.type_depth as usize {
        let ancestor = client.read("address of an ancestor", info.type_ancestors.wrapping_add(place))?;
        let ancestor = client.read("record of an ancestor", ancestor)?;
        for each in all(client, "field", ancestor.fields, ancestor.num_fields)? {
            if text(client, "name", each.name)? == name {
                return Ok(each);
            }
        }
    }
    field(client, index, name)
}

/// What the getter of a field answers, which the caller owns.
pub fn get(client: &Client, object: TVMFFIObjectHandle, field: &TVMFFIFieldInfo) -> Verdict<Owned> {
    let name = text(client, "name of a field", field.name)?;
    let Some(getter) = field.getter else {
        return Err(client.failure(format!("getter of {name}"), "a function", "NULL"));
    };
    let mut result = TVMFFIAny::NONE;
    let (place, out) = (object.wrapping_byte_offset(field.offset as isize), &raw mut result);
    let spell = |c: &mut Statement, out: &str| {
        format!("((TVMFFIFieldGetter){})({}, {out})", c.handle(getter as *const c_void), c.field(place))
    };
    // SAFETY: a function of the target, of the type that the header gives it; the process exists for this check.
    let code = client.api.called(&format!("the getter of {name}"), Some(&out), spell, || unsafe { getter(place, out) });
    // What it has read rests on the offset in the record.
    client.looks_at::<TVMFFIFieldInfo>();
    client.ok(code)?;
    Ok(client.own(result))
}

/// The status of a field's setter, which may be a C function or a function object.
pub fn set(client: &Client, object: TVMFFIObjectHandle, field: &TVMFFIFieldInfo, value: &TVMFFIAny) -> Verdict<c_int> {
    let name = text(client, "name of a field", field.name)?;
    client.that(format_args!("setter of {name}"), !field.setter.is_null(), "a function", "NULL")?;
    let place = object.wrapping_byte_offset(field.offset as isize);
    if field.flags & kTVMFFIFieldFlagBitSetterIsFunctionObj != 0 {
        names::note_function(field.setter, format!("<the setter of {name}>").as_bytes());
        let (mut args, mut result) = ([TVMFFIAny::new(kTVMFFIOpaquePtr, place as u64), *value], TVMFFIAny::NONE);
        let code = client.api.TVMFFIFunctionCall(field.setter, args.as_mut_ptr(), 2, &mut result);
        client.looks_at::<TVMFFIFieldInfo>();
        return Ok(code);
    }
    // SAFETY: without the flag, the pointer is a C function of the type that the header gives it.
    let setter = unsafe { std::mem::transmute::<*mut c_void, TVMFFIFieldSetter>(field.setter) };
    let spell = |c: &mut Statement, _: &str| {
        format!("((TVMFFIFieldSetter){})({}, {})", c.handle(field.setter), c.field(place), c.view(value))
    };
    // SAFETY: as above; the process exists for this check.
    let code = client.api.called(&format!("the setter of {name}"), None, spell, || unsafe { setter(place, value) });
    client.looks_at::<TVMFFIFieldInfo>();
    Ok(code)
}

/// A text in the target's memory.
pub fn text(client: &Client, what: &str, array: TVMFFIByteArray) -> Verdict<String> {
    Ok(String::from_utf8_lossy(&client.read_array(what, array)?).into_owned())
}

fn all<T: Copy + 'static>(client: &Client, what: &str, first: *const T, count: i32) -> Verdict<Vec<T>> {
    client.that(format_args!("number of {what}s"), (0..=1000).contains(&count), "what was registered", count)?;
    (0..count as usize).map(|number| client.read(format!("{what} {number}"), first.wrapping_add(number))).collect()
}

fn named<T: Copy>(client: &Client, all: Vec<T>, name: &str, name_of: fn(&T) -> TVMFFIByteArray) -> Verdict<T> {
    let mut names = Vec::new();
    for each in all {
        let this = text(client, "name", name_of(&each))?;
        if this == name {
            return Ok(each);
        }
        names.push(this);
    }
    Err(client.failure(format!("{name}, by its name"), "registered", format!("only {names:?}")))
}
