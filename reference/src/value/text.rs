//! Strings and bytes: up to seven bytes lie in the value itself, longer ones in an object.
//!
//! The content of an object follows its cell in the same allocation and ends with a NUL that does not count. Objects
//! made elsewhere may keep it anywhere, so readers follow the data pointer.

use std::{ffi::c_char, slice};

use tvm_ffi_spec::{
    TVMFFIAny, TVMFFIAnyAux, TVMFFIAnyValue, TVMFFIByteArray, kTVMFFIBytes, kTVMFFISmallBytes, kTVMFFISmallStr,
    kTVMFFIStr,
};

use crate::{
    border::error::Result,
    object::{self, ObjectRef, Payload},
    value::any::Any,
};

/// The longest content that lies in the value itself: one byte of the payload is left for the terminating NUL.
pub const MAX_SMALL: usize = 7;

/// What lies behind the header of a string or bytes object.
#[repr(C)]
struct Content<const TYPE_INDEX: i32>(TVMFFIByteArray);

// SAFETY: the type is repr(C) and is the cell that strings and bytes begin with.
unsafe impl<const TYPE_INDEX: i32> Payload for Content<TYPE_INDEX> {
    const TYPE_INDEX: i32 = TYPE_INDEX;
}

/// An owned String, in the value itself if it is short.
pub fn string(content: &[u8]) -> Result<Any> {
    match small(kTVMFFISmallStr, content) {
        Some(value) => Ok(value),
        None => string_object(content).map(Any::from),
    }
}

/// An owned Bytes, in the value itself if it is short.
pub fn bytes(content: &[u8]) -> Result<Any> {
    match small(kTVMFFISmallBytes, content) {
        Some(value) => Ok(value),
        None => new_object::<kTVMFFIBytes>(content).map(Any::from),
    }
}

/// A String object, whatever the length.
pub fn string_object(content: &[u8]) -> Result<ObjectRef> {
    new_object::<kTVMFFIStr>(content)
}

fn new_object<const TYPE_INDEX: i32>(content: &[u8]) -> Result<ObjectRef> {
    object::new_with_tail(content.len() + 1, |tail| {
        // SAFETY: the tail has room for the content and the terminator, and is fresh memory.
        unsafe {
            tail.copy_from_nonoverlapping(content.as_ptr(), content.len());
            tail.add(content.len()).write(0);
        }
        Content::<TYPE_INDEX>(TVMFFIByteArray { data: tail.cast(), size: content.len() })
    })
}

fn small(type_index: i32, content: &[u8]) -> Option<Any> {
    if content.len() > MAX_SMALL {
        return None;
    }
    let mut v_bytes = [0; 8];
    for (to, from) in v_bytes.iter_mut().zip(content) {
        *to = *from as c_char;
    }
    let aux = TVMFFIAnyAux { small_str_len: content.len() as u32 };
    let value = TVMFFIAny { type_index, aux, value: TVMFFIAnyValue { v_bytes } };
    // SAFETY: small strings and bytes own nothing.
    Some(unsafe { Any::from_raw(value) })
}

/// The content of a string or bytes value that is stored inline.
pub(crate) fn small_content(value: &TVMFFIAny) -> &[u8] {
    let len = (value.aux_word() as usize).min(MAX_SMALL);
    // SAFETY: the payload is eight initialised bytes.
    unsafe { slice::from_raw_parts((&raw const value.value).cast(), len) }
}

/// The content of a string or bytes object.
///
/// # Safety
/// `object` is a live String or Bytes object for `'a`.
pub(crate) unsafe fn object_content<'a>(object: *const tvm_ffi_spec::TVMFFIObject) -> &'a [u8] {
    // SAFETY: every such object begins with this cell, and its content never changes.
    unsafe {
        let cell = &*object.add(1).cast::<TVMFFIByteArray>();
        if cell.size == 0 { &[] } else { slice::from_raw_parts(cell.data.cast(), cell.size) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::object::HEADER_SIZE;

    #[test]
    fn seven_bytes_are_small_and_zero_filled() {
        let value = string(b"ab\0").unwrap().into_raw();
        assert_eq!(value.to_bytes(), *b"\x0b\0\0\0\x03\0\0\0ab\0\0\0\0\0\0");
        assert_eq!(string(b"1234567").unwrap().view().type_index(), kTVMFFISmallStr);
        assert_eq!(string(b"12345678").unwrap().view().type_index(), kTVMFFIStr);
        assert_eq!(bytes(b"1234567").unwrap().view().type_index(), kTVMFFISmallBytes);
        assert_eq!(bytes(b"12345678").unwrap().view().type_index(), kTVMFFIBytes);
    }

    #[test]
    fn the_content_of_an_object_follows_its_cell_and_is_terminated() {
        let object = string_object(b"abc").unwrap();
        let start = object.handle().cast::<u8>();
        // SAFETY: the object was made as a string of three bytes.
        unsafe {
            let cell = object.data::<TVMFFIByteArray>();
            assert_eq!(cell.data.cast(), start.cast_const().add(HEADER_SIZE + size_of::<TVMFFIByteArray>()));
            assert_eq!(slice::from_raw_parts(cell.data.cast::<u8>(), 4), b"abc\0");
        }
    }

    proptest! {
        #[test]
        fn any_content_comes_back(content: Vec<u8>) {
            let (string, bytes) = (string(&content)?, bytes(&content)?);
            prop_assert_eq!(string.view().as_str(), Some(content.as_slice()));
            prop_assert_eq!(bytes.view().as_bytes(), Some(content.as_slice()));
            prop_assert_eq!(string.view().as_bytes(), None);
            prop_assert_eq!(bytes.view().as_str(), None);
        }
    }
}
