//! What is registered here, and what the target shows of it.
//!
//! A registered function, default or attribute tells of its end by counting in [`RELEASED`]: whether the target keeps
//! it is seen by dropping the caller's own reference.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use crate::{
    client::{
        Owned, TypeIndex, Verdict, reflected,
        samples::{LENGTHS, TEXTS},
        shown, types, view,
    },
    trial::Trial,
};

/// The integer field of a [`CellObject`], or of something like it; valid as long as `name`.
pub fn field(name: &[u8]) -> TVMFFIFieldInfo {
    TVMFFIFieldInfo {
        flags: kTVMFFIFieldFlagBitMaskWritable,
        getter: Some(get_integer),
        setter: set_integer as *mut c_void,
        ..types::field(name, kTVMFFIInt, 8, std::mem::offset_of!(CellObject, value) as i64)
    }
}

/// Such a field with a default; valid as long as `name`.
pub fn field_with_default(name: &[u8], default_value_or_factory: TVMFFIAny) -> TVMFFIFieldInfo {
    let flags = kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitMaskHasDefault;
    TVMFFIFieldInfo { flags, default_value_or_factory, ..field(name) }
}

/// A method with nothing to call; valid as long as `name`.
pub fn method(name: &[u8]) -> TVMFFIMethodInfo {
    TVMFFIMethodInfo { flags: 0, ..types::method_info(TVMFFIByteArray::new(name), TVMFFIAny::NONE) }
}

/// Registers a field.
pub fn add_field(t: &Trial, index: i32, field: &TVMFFIFieldInfo) -> Verdict {
    t.ok(t.api.TVMFFITypeRegisterField(index, field))
}

/// Registers a method.
pub fn add_method(t: &Trial, index: i32, method: &TVMFFIMethodInfo) -> Verdict {
    t.ok(t.api.TVMFFITypeRegisterMethod(index, method))
}

/// Metadata with a size and a documentation; valid as long as `doc`.
pub fn metadata(doc: &[u8], total_size: i32) -> TVMFFITypeMetadata {
    TVMFFITypeMetadata { doc: TVMFFIByteArray::new(doc), ..types::metadata(total_size) }
}

/// Types whose records are looked at, and the names of what is registered for them.
pub const LAID: [(&str, &[u8]); 3] =
    [("verify.First", b"first"), ("verify.Second", b"second"), ("verify.Third", b"third")];

/// A record as bytes, with what it was made of: the bytes of members by their offsets.
pub type Laid<const N: usize> = (Vec<u8>, [(usize, Vec<u8>); N]);

/// Expects each member of a record to lie where clients have compiled it in. A member lies elsewhere if it is in no record at
/// its place, and in all at another: a value that is lost is another matter.
pub fn lie_in_place<const N: usize>(t: &Trial, names: [&str; N], records: &[Laid<N>]) -> Verdict {
    for (member, name) in names.into_iter().enumerate() {
        let is_at = |offset: usize, (record, given): &Laid<N>| {
            let value = &given[member].1;
            record.get(offset..offset + value.len()) == Some(value)
        };
        let at = records[0].1[member].0;
        if records.iter().any(|record| is_at(at, record)) {
            continue;
        }
        let elsewhere = (0..records[0].0.len()).find(|&offset| records.iter().all(|record| is_at(offset, record)));
        if let Some(offset) = elsewhere {
            return Err(t.failure(format!("offset of {name} in the record"), at, offset));
        }
    }
    Ok(())
}

/// Registers an attribute.
pub fn set_attribute(t: &Trial, index: i32, name: &str, value: &TVMFFIAny) -> Verdict {
    t.ok(try_set_attribute(t, index, name, value))
}

/// Tries to register an attribute; the status is the caller's to judge.
pub fn try_set_attribute(t: &Trial, index: i32, name: &str, value: &TVMFFIAny) -> c_int {
    t.api.TVMFFITypeRegisterAttr(index, &TVMFFIByteArray::new(name.as_bytes()), value)
}

/// An object with one integer field.
#[repr(C)]
pub struct CellObject {
    header: TVMFFIObject,
    value: i64,
}

/// The index of the type of [`CellObject`]s.
pub static CELL_TYPE: AtomicUsize = AtomicUsize::new(0);

/// Objects that have come to their end.
pub static RELEASED: AtomicUsize = AtomicUsize::new(0);

pub unsafe extern "C" fn create_cell(result: *mut TVMFFIObjectHandle) -> c_int {
    let header = TVMFFIObject {
        combined_ref_count: 0x1_0000_0001,
        type_index: CELL_TYPE.load(Ordering::Relaxed) as i32,
        __padding: 0,
        deleter: Some(delete_cell),
    };
    // SAFETY: the caller gives a place for the handle.
    unsafe { *result = Box::into_raw(Box::new(CellObject { header, value: 0 })).cast() };
    0
}

unsafe extern "C" fn delete_cell(object: *mut c_void, flags: c_int) {
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
        RELEASED.fetch_add(1, Ordering::Relaxed);
    }
    if flags & kTVMFFIObjectDeleterFlagBitMaskWeak != 0 {
        // SAFETY: made by `create_cell`, and this is the last that is heard of it.
        drop(unsafe { Box::from_raw(object.cast::<CellObject>()) });
    }
}

unsafe extern "C" fn get_integer(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of a cell and a place for its value.
    unsafe { *result = view::int(*field.cast::<i64>()) };
    0
}

unsafe extern "C" fn set_integer(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of a cell and a value.
    unsafe { *field.cast::<i64>() = (*value).payload() as i64 };
    0
}

/// A function that answers 7 and tells of its end.
pub fn counted_function(t: &Trial) -> Verdict<Owned> {
    t.function(0x5111 as *mut c_void, seven, Some(released))
}

unsafe extern "C" fn seven(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives a place for the result.
    unsafe { *result = view::int(7) };
    0
}

pub unsafe extern "C" fn released(_: *mut c_void) {
    RELEASED.fetch_add(1, Ordering::Relaxed);
}

/// Drops the caller's reference and expects the object to live on.
pub fn kept_alive(t: &Trial, what: &str, object: Owned) -> Verdict {
    drop(object);
    let released = RELEASED.load(Ordering::Relaxed);
    t.eq(format_args!("times that {what} came to its end when the caller's reference was dropped"), released, 0)
}

/// Calls a function that the target has kept.
pub fn answers_seven(t: &Trial, what: &str, function: TVMFFIAny) -> Verdict {
    t.type_index_eq(format_args!("type_index of {what}"), function.type_index, kTVMFFIFunction)?;
    let mut result = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIFunctionCall(function.payload() as *mut c_void, std::ptr::null_mut(), 0, &mut result))?;
    t.any_eq(format_args!("what {what} answers"), &result, &view::int(7))
}

/// Stores C strings and byte arrays of any length and content, and expects to read owned values with the same content after the
/// caller's characters were overwritten.
pub fn becomes_owned(
    t: &Trial,
    store: impl Fn(usize, TVMFFIAny) -> Verdict,
    read: impl Fn(usize) -> Verdict<TVMFFIAny>,
) -> Verdict {
    let of_every_length = LENGTHS.map(|len| (0..len).map(|at| b'a' + (at % 23) as u8).collect());
    let contents: Vec<Vec<u8>> = TEXTS.map(<[u8]>::to_vec).into_iter().chain(of_every_length).collect();
    for (number, content) in contents.iter().enumerate() {
        // A C string ends at its first NUL.
        if !content.contains(&0) {
            let mut text = [content.as_slice(), b"\0"].concat();
            store(2 * number, TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64))?;
            text[..content.len()].fill(b'#');
            owned_text(t, &read(2 * number)?, [kTVMFFIStr, kTVMFFISmallStr], content)?;
        }
        let mut text = content.to_vec();
        store(2 * number + 1, view::byte_array(&TVMFFIByteArray::new(&text)))?;
        text.fill(b'#');
        owned_text(t, &read(2 * number + 1)?, [kTVMFFIBytes, kTVMFFISmallBytes], content)?;
    }
    Ok(())
}

fn owned_text(t: &Trial, stored: &TVMFFIAny, types: [i32; 2], content: &[u8]) -> Verdict {
    let expected = format!("one of {types:?}");
    t.that(
        "type_index of the stored text",
        types.contains(&stored.type_index),
        expected,
        TypeIndex(stored.type_index),
    )?;
    t.eq("the stored text", t.text(stored)?.escape_ascii().to_string(), content.escape_ascii().to_string())
}

/// Names and documentations: with NULs, outside ASCII, not in UTF-8, and with what would be a directive elsewhere.
pub const ODD_TEXTS: [&[u8]; 6] =
    [b"a\0b", b"\0", b"a\0", "gr\u{f6}\u{df}e\u{2192}".as_bytes(), b"\xff\x80", b"100%% of %s, %n and {0}: \"\\n\"\n"];

/// The fields of a type that has some.
pub fn fields(t: &Trial, index: i32) -> Verdict<Vec<TVMFFIFieldInfo>> {
    some(t, "field", reflected::fields(t, index)?)
}

/// The methods of a type that has some.
pub fn methods(t: &Trial, index: i32) -> Verdict<Vec<TVMFFIMethodInfo>> {
    some(t, "method", reflected::methods(t, index)?)
}

/// The field of a type at this place.
pub fn field_at(t: &Trial, index: i32, number: usize) -> Verdict<TVMFFIFieldInfo> {
    at(t, "field", &reflected::fields(t, index)?, number)
}

/// The method of a type at this place.
pub fn method_at(t: &Trial, index: i32, number: usize) -> Verdict<TVMFFIMethodInfo> {
    at(t, "method", &reflected::methods(t, index)?, number)
}

/// The method of a type that has this name; there is one.
pub fn method_named(t: &Trial, index: i32, name: &[u8]) -> Verdict<TVMFFIMethodInfo> {
    let mut found = Vec::new();
    for method in methods(t, index)? {
        if t.read_array("name of a method", method.name)? == name {
            found.push(method);
        }
    }
    let missing = || t.failure(format!("methods with the name {}", shown::text(name)), 1, found.len());
    if found.len() == 1 { Ok(found[0]) } else { Err(missing()) }
}

fn at<T: Copy>(t: &Trial, what: &str, all: &[T], number: usize) -> Verdict<T> {
    let missing = || t.failure(format!("number of {what}s"), format!("{} at least", number + 1), all.len());
    all.get(number).copied().ok_or_else(missing)
}

fn some<T>(t: &Trial, what: &str, all: Vec<T>) -> Verdict<Vec<T>> {
    t.that(format_args!("number of {what}s"), !all.is_empty(), "what was registered", 0).map(|()| all)
}

/// Expects a text in the target's memory.
pub fn text(t: &Trial, what: &str, stored: TVMFFIByteArray, expected: &[u8]) -> Verdict {
    t.eq(what, t.read_array(what, stored)?.escape_ascii().to_string(), expected.escape_ascii().to_string())
}

/// Names, documentation and metadata that are given where they do not stay: short ones, and such as no buffer inside of a record holds.
pub const COPIED: [[&[u8]; 3]; 2] = [
    [b"x", b"Short.", b"{}"],
    [
        b"abscissa_with_a_name_that_is_not_short",
        b"How far to the right: a sentence that is not short.",
        br#"{"type_schema":"{\"type\":\"int\"}"}"#,
    ],
];

/// Expects name, documentation and metadata in the target's memory, after the caller's have gone.
pub fn copied(t: &Trial, stored: [TVMFFIByteArray; 3], expected: &[&[u8]; 3]) -> Verdict {
    let what = ["name", "doc", "metadata"].map(|what| format!("{what} after the caller's has gone"));
    (0..3).try_for_each(|place| text(t, &what[place], stored[place], expected[place]))
}
