//! What a target's type table shows: records, fields, methods, attributes.
//!
//! Everything is read as a client reads it, through the addresses that the target answers, and nothing is believed: an
//! address that leads nowhere is an unmet expectation.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::*;

use crate::trial::{Owned, Trial, Verdict};

/// The index of a type that is expected to be registered.
pub fn type_index(t: &Trial, key: &str) -> Verdict<i32> {
    let mut index = -1;
    t.ok(t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(key.as_bytes()), &mut index))
        .map_err(|failure| failure.noting(format!("the type {key} is expected to be registered")))?;
    Ok(index)
}

/// The record of a type.
pub fn info(t: &Trial, index: i32) -> Verdict<TVMFFITypeInfo> {
    t.read(format!("record of type {index}"), t.api.TVMFFIGetTypeInfo(index))
}

/// The key in a record.
pub fn key(t: &Trial, info: &TVMFFITypeInfo) -> Verdict<String> {
    text(t, "type key", info.type_key)
}

/// The keys of a type's ancestors, from the root to its parent.
pub fn ancestors(t: &Trial, info: &TVMFFITypeInfo) -> Verdict<Vec<String>> {
    t.that("type_depth", (0..1000).contains(&info.type_depth), "the number of ancestors", info.type_depth)?;
    let record = |place: usize| t.read("address of an ancestor", info.type_ancestors.wrapping_add(place));
    let records = (0..info.type_depth as usize).map(record);
    records.map(|address| key(t, &t.read("record of an ancestor", address?)?)).collect()
}

/// A type's own fields.
pub fn fields(t: &Trial, index: i32) -> Verdict<Vec<TVMFFIFieldInfo>> {
    let info = info(t, index)?;
    all(t, "field", info.fields, info.num_fields)
}

/// A field that a type of its own is expected to have.
pub fn field(t: &Trial, index: i32, name: &str) -> Verdict<TVMFFIFieldInfo> {
    named(t, fields(t, index)?, name, |field| field.name)
}

/// A type's own methods.
pub fn methods(t: &Trial, index: i32) -> Verdict<Vec<TVMFFIMethodInfo>> {
    let info = info(t, index)?;
    all(t, "method", info.methods, info.num_methods)
}

/// A method that a type of its own is expected to have.
pub fn method(t: &Trial, index: i32, name: &str) -> Verdict<TVMFFIMethodInfo> {
    named(t, methods(t, index)?, name, |method| method.name)
}

/// The metadata of a type that is expected to have some.
pub fn metadata(t: &Trial, index: i32) -> Verdict<TVMFFITypeMetadata> {
    t.read(format!("metadata of type {index}"), info(t, index)?.metadata)
}

/// The column of that name, or NULL.
pub fn column(t: &Trial, name: &str) -> *const TVMFFITypeAttrColumn {
    t.api.TVMFFIGetTypeAttrColumn(&TVMFFIByteArray::new(name.as_bytes()))
}

/// A type's entry in a column as clients look it up: None outside of what the column covers.
pub fn entry(t: &Trial, column: *const TVMFFITypeAttrColumn, index: i32) -> Verdict<TVMFFIAny> {
    let column = t.read("column", column)?;
    match index.checked_sub(column.begin_index) {
        Some(place) if (0..column.size).contains(&place) => {
            t.read(format!("entry of type {index}"), column.data.wrapping_add(place as usize))
        }
        _ => Ok(TVMFFIAny::NONE),
    }
}

/// A type's entry in the column of that name, which is expected to exist.
pub fn attribute(t: &Trial, name: &str, index: i32) -> Verdict<TVMFFIAny> {
    entry(t, column(t, name), index).map_err(|failure| failure.noting(format!("in the column {name}")))
}

/// A reference of the caller's own to an attribute that is expected to be a function.
pub fn attribute_function(t: &Trial, name: &str, type_key: &str) -> Verdict<Owned> {
    let value = attribute(t, name, type_index(t, type_key)?)?;
    t.eq(format!("type_index of {name} of {type_key}"), value.type_index, kTVMFFIFunction)?;
    share(t, value)
}

/// A reference of the caller's own to an object that the target keeps.
pub fn share(t: &Trial, object: TVMFFIAny) -> Verdict<Owned> {
    t.ok(t.api.TVMFFIObjectIncRef(object.payload() as TVMFFIObjectHandle))?;
    Ok(t.own(object))
}

/// A new instance, by the creator in the type's metadata.
pub fn create(t: &Trial, index: i32) -> Verdict<Owned> {
    let Some(creator) = metadata(t, index)?.creator else {
        return Err(t.failure(format!("creator of type {index}"), "a function", "NULL"));
    };
    let mut out = std::ptr::null_mut();
    // SAFETY: a function of the target, of the type that the header gives it; the process exists for this check.
    t.ok(t.api.noted("the creator in a type's metadata", || unsafe { creator(&mut out) }))?;
    t.own_object("the new instance", out)
}

/// A field of a type or of one of its ancestors.
pub fn inherited_field(t: &Trial, index: i32, name: &str) -> Verdict<TVMFFIFieldInfo> {
    let info = info(t, index)?;
    for place in 0..info.type_depth as usize {
        let ancestor = t.read("address of an ancestor", info.type_ancestors.wrapping_add(place))?;
        let ancestor = t.read("record of an ancestor", ancestor)?;
        for each in all(t, "field", ancestor.fields, ancestor.num_fields)? {
            if text(t, "name", each.name)? == name {
                return Ok(each);
            }
        }
    }
    field(t, index, name)
}

/// What the getter of a field answers, which the caller owns.
pub fn get(t: &Trial, object: TVMFFIObjectHandle, field: &TVMFFIFieldInfo) -> Verdict<Owned> {
    let name = text(t, "name of a field", field.name)?;
    let Some(getter) = field.getter else { return Err(t.failure(format!("getter of {name}"), "a function", "NULL")) };
    let mut result = TVMFFIAny::NONE;
    let place = object.wrapping_byte_offset(field.offset as isize);
    // SAFETY: a function of the target, of the type that the header gives it; the process exists for this check.
    t.ok(t.api.noted(&format!("the getter of {name}"), || unsafe { getter(place, &mut result) }))?;
    Ok(t.own(result))
}

/// The status of a field's setter, which may be a C function or a function object.
pub fn set(t: &Trial, object: TVMFFIObjectHandle, field: &TVMFFIFieldInfo, value: &TVMFFIAny) -> Verdict<c_int> {
    let name = text(t, "name of a field", field.name)?;
    t.that(format!("setter of {name}"), !field.setter.is_null(), "a function", "NULL")?;
    let place = object.wrapping_byte_offset(field.offset as isize);
    if field.flags & kTVMFFIFieldFlagBitSetterIsFunctionObj != 0 {
        let (mut args, mut result) = ([TVMFFIAny::new(kTVMFFIOpaquePtr, place as u64), *value], TVMFFIAny::NONE);
        return Ok(t.api.TVMFFIFunctionCall(field.setter, args.as_mut_ptr(), 2, &mut result));
    }
    // SAFETY: without the flag, the pointer is a C function of the type that the header gives it.
    let setter = unsafe { std::mem::transmute::<*mut c_void, TVMFFIFieldSetter>(field.setter) };
    // SAFETY: as above; the process exists for this check.
    Ok(t.api.noted(&format!("the setter of {name}"), || unsafe { setter(place, value) }))
}

/// A text in the target's memory.
pub fn text(t: &Trial, what: &str, array: TVMFFIByteArray) -> Verdict<String> {
    Ok(String::from_utf8_lossy(&t.read_array(what, array)?).into_owned())
}

fn all<T: Copy>(t: &Trial, what: &str, first: *const T, count: i32) -> Verdict<Vec<T>> {
    t.that(format!("number of {what}s"), (0..=1000).contains(&count), "what was registered", count)?;
    (0..count as usize).map(|number| t.read(format!("{what} {number}"), first.wrapping_add(number))).collect()
}

fn named<T: Copy>(t: &Trial, all: Vec<T>, name: &str, name_of: fn(&T) -> TVMFFIByteArray) -> Verdict<T> {
    let mut names = Vec::new();
    for each in all {
        let this = text(t, "name", name_of(&each))?;
        if this == name {
            return Ok(each);
        }
        names.push(this);
    }
    Err(t.failure(format!("{name}, by its name"), "registered", format!("only {names:?}")))
}
