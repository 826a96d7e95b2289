//! Keys: what is looked for among values, prepared so that most comparisons are of plain memory.

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    scalar::value_hash,
    types::attribute::{ANY_EQUAL, ANY_HASH},
    value::{
        any::AnyView,
        bit_hash,
        text_layout::{self, Text},
    },
};

/// A value to look for. Its hash and its comparisons answer what [`value_hash::any_hash`] and [`value_hash::any_equal`] do.
pub struct Key<'k> {
    value: &'k AnyView<'k>,
    kind: Kind<'k>,
}

enum Kind<'k> {
    /// The sixteen bytes are all that counts.
    Bits,
    /// Strings or bytes: the content counts. The two types are those of the forms in which values are kept.
    Content { content: &'k [u8], small: i32, object: i32 },
    /// The type has hooks, which are foreign code.
    Hooked,
}

impl<'k> Key<'k> {
    /// Prepares a value; C strings and byte arrays, which are not NULL, stand for the strings and bytes that they would be
    /// converted to.
    #[inline]
    pub fn new(value: &'k AnyView<'k>) -> Self {
        let string = || Kind::Content {
            content: value.as_str().unwrap_or_default(),
            small: kTVMFFISmallStr,
            object: kTVMFFIStr,
        };
        let bytes = || Kind::Content {
            content: value.as_bytes().unwrap_or_default(),
            small: kTVMFFISmallBytes,
            object: kTVMFFIBytes,
        };
        let kind = match value.type_index() {
            kTVMFFISmallStr | kTVMFFIStr | kTVMFFIRawStr => string(),
            kTVMFFISmallBytes | kTVMFFIBytes | kTVMFFIByteArrayPtr => bytes(),
            type_index @ kTVMFFIStaticObjectBegin.. if has_hooks(type_index) => Kind::Hooked,
            _ => Kind::Bits,
        };
        Self { value, kind }
    }

    /// Whether it takes no more than a look at the type of a value to know that its sixteen bytes are all that counts.
    #[inline]
    pub fn is_bits(value: &AnyView<'_>) -> bool {
        value.type_index() < kTVMFFIRawStr
    }

    /// The hash, unless it takes a hook to find out.
    #[inline]
    pub fn hash(&self) -> Option<u64> {
        match self.kind {
            Kind::Bits => Some(hash_of_bits(self.value)),
            Kind::Content { content, object, .. } => {
                Some(bit_hash::combine(object as u64, bit_hash::content_hash(content)))
            }
            Kind::Hooked => None,
        }
    }

    /// The hash, if need be by way of foreign code.
    pub fn hash_by_hook(&self) -> Result<u64> {
        self.hash().map_or_else(|| value_hash::any_hash(self.value), Ok)
    }

    /// The value, if its sixteen bytes are all that counts.
    #[inline]
    pub fn bits(&self) -> Option<&'k AnyView<'k>> {
        matches!(self.kind, Kind::Bits).then_some(self.value)
    }

    /// Whether it takes no hook to hash and compare the key.
    #[inline]
    pub fn is_plain(&self) -> bool {
        !matches!(self.kind, Kind::Hooked)
    }

    /// Whether a value that is kept somewhere equals the key, unless it takes a hook to find out.
    #[inline]
    pub fn equals(&self, kept: &AnyView<'_>) -> Option<bool> {
        let is_open = !self.is_plain() && self.value.type_index() == kept.type_index();
        if is_open && self.value.words() != kept.words() { None } else { Some(self.equals_plainly(kept)) }
    }

    /// Whether a value that is kept somewhere equals the key by what can be seen.
    #[inline]
    pub fn equals_plainly(&self, kept: &AnyView<'_>) -> bool {
        if self.value.words() == kept.words() {
            return true;
        }
        match self.kind {
            Kind::Bits | Kind::Hooked => false,
            Kind::Content { content, small, object } => match kept.type_index() {
                index if index == object => kept.cast_ref().is_some_and(|kept: &Text| kept.content() == content),
                // Two that lie in the values themselves differ as these do.
                index if index == small && self.value.type_index() != small => {
                    text_layout::small_content(&kept.raw()) == content
                }
                _ => false,
            },
        }
    }

    /// Whether a kept value equals the key by what foreign code says, which gets the kept one first if asked so.
    pub fn equals_by_hook(&self, kept: &AnyView<'_>, kept_first: bool) -> Result<bool> {
        let (lhs, rhs) = if kept_first { (kept, self.value) } else { (self.value, kept) };
        value_hash::any_equal(lhs, rhs)
    }
}

/// The hash of a value whose sixteen bytes are all that counts.
#[inline]
pub fn hash_of_bits(value: &AnyView<'_>) -> u64 {
    bit_hash::combine(value.type_index() as u64, value.raw().payload())
}

/// Whether foreign code has a say in hashing or comparing objects of a type. Apart, so that texts are prepared without it.
#[inline(never)]
pub fn has_hooks(type_index: i32) -> bool {
    ANY_HASH.of(type_index).is_some() || ANY_EQUAL.of(type_index).is_some()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::value::{any::Any, text};

    fn kept() -> Vec<Any> {
        vec![
            Any::NONE,
            Any::from(1),
            Any::from(true),
            text::string(b"abc").unwrap(),
            text::string_object(b"abc").unwrap().into(),
            text::string(b"a longer string").unwrap(),
            text::string(b"a longer strinG").unwrap(),
            text::bytes(b"abc").unwrap(),
            text::bytes(b"a longer string").unwrap(),
        ]
    }

    #[test]
    fn keys_agree_with_hash_and_equality() {
        for key in kept() {
            let prepared = Key::new(key.view());
            assert_eq!(prepared.hash(), Some(value_hash::any_hash(key.view()).unwrap()));
            for other in kept() {
                let expected = value_hash::any_equal(key.view(), other.view()).unwrap();
                assert_eq!(
                    prepared.equals(other.view()),
                    Some(expected),
                    "{:?} {:?}",
                    key.view().raw(),
                    other.view().raw()
                );
            }
        }
    }

    #[rstest]
    #[case(c"abc")]
    #[case(c"a longer string")]
    #[case(c"")]
    fn a_c_string_is_the_key_that_it_would_be_converted_to(#[case] text: &std::ffi::CStr) {
        let raw = TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as usize as u64);
        // SAFETY: the text lives through the test.
        let view = unsafe { AnyView::from_raw(&raw) };
        let (key, converted) = (Key::new(&view), view.to_owned().unwrap());
        assert_eq!(key.hash(), Key::new(converted.view()).hash());
        assert_eq!(key.equals(converted.view()), Some(true));
    }
}
