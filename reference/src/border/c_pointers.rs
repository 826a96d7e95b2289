//! Reading what C callers pass: pointers that may be NULL, spans that may have no data.
//!
//! Each function answers a `ValueError` that names the parameter where the caller's mistake can be told from its value.

use std::{
    ffi::{CStr, c_char},
    ptr::NonNull,
    slice,
};

use tvm_ffi_spec::{TVMFFIByteArray, TVMFFIObjectHandle};

use crate::{
    border::error::{Error, Result},
    generation::TVMFFIObject,
    object::{ObjectRef, TypedRef},
};

/// The pointer, unless it is NULL.
#[inline]
pub fn required<T>(pointer: *const T, name: &str) -> Result<NonNull<T>> {
    NonNull::new(pointer.cast_mut()).ok_or_else(|| null(name))
}

/// The bytes of a span that C passes by pointer. A NULL `data` is fine for an empty span.
///
/// # Safety
/// `array` is NULL or readable; its `data`, unless NULL, is readable for `size` bytes for `'a`.
#[inline]
pub unsafe fn bytes<'a>(array: *const TVMFFIByteArray, name: &str) -> Result<&'a [u8]> {
    // SAFETY: the pointer is not NULL, hence readable.
    let array = unsafe { required(array, name)?.read() };
    // SAFETY: the caller vouches for the span.
    unsafe { span(array, name) }
}

/// The bytes of a span that C passes by value. A NULL `data` is fine for an empty span.
///
/// # Safety
/// `data`, unless NULL, is readable for `size` bytes for `'a`.
#[inline]
pub unsafe fn span<'a>(TVMFFIByteArray { data, size }: TVMFFIByteArray, name: &str) -> Result<&'a [u8]> {
    if size == 0 {
        return Ok(&[]);
    }
    if data.is_null() || size > isize::MAX as usize {
        return Err(no_span(data.is_null(), size, name));
    }
    // SAFETY: the span is not NULL and not larger than an object can be; the caller vouches for the rest.
    Ok(unsafe { slice::from_raw_parts(data.cast(), size) })
}

/// The bytes of a C string, without the terminator.
///
/// # Safety
/// `string` is NULL or NUL-terminated and readable for `'a`.
#[inline]
pub unsafe fn c_str<'a>(string: *const c_char, name: &str) -> Result<&'a [u8]> {
    let string = required(string, name)?;
    // SAFETY: the pointer is not NULL; the caller vouches for the terminator.
    Ok(unsafe { CStr::from_ptr(string.as_ptr()) }.to_bytes())
}

/// The header of an object of the given type.
///
/// # Safety
/// `handle` is NULL or a live object.
#[inline]
pub unsafe fn object_of_type(handle: TVMFFIObjectHandle, type_index: i32, name: &str) -> Result<NonNull<TVMFFIObject>> {
    let object = required(handle.cast_const().cast::<TVMFFIObject>(), name)?;
    // SAFETY: the object is alive.
    let actual = unsafe { (*object.as_ptr()).type_index };
    if actual != type_index { Err(other_type(actual, type_index, name)) } else { Ok(object) }
}

/// A new reference to an object of the given type.
///
/// # Safety
/// `handle` is NULL or a live object.
#[inline]
pub unsafe fn reference<T: TypedRef>(handle: TVMFFIObjectHandle, type_index: i32, name: &str) -> Result<T> {
    // SAFETY: the caller's contract is the same.
    let object = unsafe {
        object_of_type(handle, type_index, name)?;
        ObjectRef::from_borrowed(handle)
    };
    object.and_then(ObjectRef::cast).ok_or_else(|| null(name))
}

/// The error of a pointer that must not be NULL.
#[cold]
pub fn null(name: &str) -> Error {
    Error::new("ValueError", format!("`{name}` must not be NULL"))
}

#[cold]
fn no_span(is_null: bool, size: usize, name: &str) -> Error {
    let message = match is_null {
        true => format!("`{name}` has {size} bytes at a NULL address"),
        false => format!("`{name}` has a size of {size} bytes, more than memory can hold"),
    };
    Error::new("ValueError", message)
}

#[cold]
fn other_type(actual: i32, type_index: i32, name: &str) -> Error {
    let text = format!("`{name}` must be an object of type index {type_index}, but its type index is {actual}");
    Error::new("TypeError", text)
}
