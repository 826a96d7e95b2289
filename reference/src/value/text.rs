//! Strings and bytes as values.

use crate::{
    border::error::Result,
    value::{
        any::Any,
        text_layout::{self, Str},
    },
};

/// An owned String, in the value itself if it is short.
#[inline]
pub fn string(content: &[u8]) -> Result<Any> {
    Any::of_string(content)
}

/// An owned Bytes, in the value itself if it is short.
#[inline]
pub fn bytes(content: &[u8]) -> Result<Any> {
    Any::of_bytes(content)
}

/// A String object, whatever the length.
#[inline]
pub fn string_object(content: &[u8]) -> Result<Str> {
    text_layout::new_str(content)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use std::slice;

    use tvm_ffi_spec::{TVMFFIByteArray, kTVMFFIBytes, kTVMFFISmallBytes, kTVMFFISmallStr, kTVMFFIStr};

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
