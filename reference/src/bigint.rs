//! Integers of any size: two's-complement words, least significant first, as few as it takes.
//!
//! What fits 64 bits is an Int value and never a BigInt object, so that every integer has exactly one form.

use tvm_ffi_spec::{TVMFFIAny, TVMFFIByteArray, kTVMFFIBigInt, kTVMFFIInt};

use crate::{
    any::Any,
    error::{Error, Result},
    object::{self, Payload},
};

const WORD: usize = size_of::<i64>();

/// What lies behind the header of a BigInt: the number of words, then the words.
#[repr(C)]
struct BigInt {
    size: usize,
    words: [i64; 0],
}

// SAFETY: `repr(C)`, and the ABI has the number of words behind the header.
unsafe impl Payload for BigInt {
    const TYPE_INDEX: i32 = kTVMFFIBigInt;
}

/// Makes an integer of its words' bytes, in native byte order within a word. No words at all are 0.
///
/// # Errors
/// `ValueError` for a part of a word.
pub fn from_bytes(bytes: &[u8]) -> Result<Any> {
    let (words, []) = bytes.as_chunks::<WORD>() else {
        return Err(Error::new("ValueError", "BigInt content must contain whole 64-bit words"));
    };
    let words = &words[..significant(words.len(), |index| i64::from_ne_bytes(words[index]))];
    match words {
        [] => Ok(Any::from(0)),
        [word] => Ok(Any::from(i64::from_ne_bytes(*word))),
        _ => {
            let object = object::new_with_tail(words.len() * WORD, |tail| {
                // SAFETY: the tail has room for the words.
                unsafe { tail.copy_from_nonoverlapping(words.as_ptr().cast(), words.len() * WORD) };
                BigInt { size: words.len(), words: [] }
            });
            object.map(Any::from)
        }
    }
}

/// How many of `count` words it takes: a last word that only repeats the sign of the one before is left out.
fn significant(mut count: usize, word: impl Fn(usize) -> i64) -> usize {
    while count > 1 && word(count - 1) == word(count - 2) >> (i64::BITS - 1) {
        count -= 1;
    }
    count
}

/// The words of an integer as bytes, borrowed from the value or from the object in it; no bytes for any other value.
///
/// # Safety
/// `value` is readable, and what it refers to is alive.
pub unsafe fn content(value: *const TVMFFIAny) -> TVMFFIByteArray {
    // SAFETY: readable, as the caller says; a BigInt has its words right behind their number.
    unsafe {
        match (*value).type_index {
            kTVMFFIInt => TVMFFIByteArray { data: (&raw const (*value).value).cast(), size: WORD },
            kTVMFFIBigInt => {
                let integer = (*value).value.v_obj.add(1).cast::<BigInt>();
                TVMFFIByteArray { data: (&raw const (*integer).words).cast(), size: (*integer).size * WORD }
            }
            _ => TVMFFIByteArray::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn words_of(value: &Any) -> Vec<i64> {
        let raw = value.view().raw();
        // SAFETY: the value is alive, and so is what it refers to.
        let bytes = unsafe {
            let TVMFFIByteArray { data, size } = content(&raw);
            std::slice::from_raw_parts(data.cast::<u8>(), size).to_vec()
        };
        bytes.as_chunks().0.iter().map(|&word| i64::from_ne_bytes(word)).collect()
    }

    fn of_words(words: &[i64]) -> Any {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        from_bytes(&bytes).expect("these are whole words")
    }

    #[rstest]
    #[case(&[], &[0], kTVMFFIInt)]
    #[case(&[5], &[5], kTVMFFIInt)]
    #[case(&[5, 0, 0], &[5], kTVMFFIInt)]
    #[case(&[-5, -1], &[-5], kTVMFFIInt)]
    #[case(&[-5, 0], &[-5, 0], kTVMFFIBigInt)]
    #[case(&[5, -1], &[5, -1], kTVMFFIBigInt)]
    #[case(&[0, i64::MIN, -1, -1], &[0, i64::MIN], kTVMFFIBigInt)]
    #[case(&[1, 2, 3], &[1, 2, 3], kTVMFFIBigInt)]
    fn every_integer_has_one_form(#[case] words: &[i64], #[case] expected: &[i64], #[case] type_index: i32) {
        let value = of_words(words);
        assert_eq!(value.view().type_index(), type_index);
        assert_eq!(words_of(&value), expected);
    }

    #[test]
    fn parts_of_words_are_refused() {
        assert!(from_bytes(&[1]).is_err());
        assert!(from_bytes(&[0; 17]).is_err());
    }

    proptest! {
        #[test]
        fn the_form_does_not_depend_on_sign_words(words in prop::collection::vec(any::<i64>(), 1..6), more in 0_usize..4) {
            let sign = words[words.len() - 1] >> 63;
            let longer: Vec<i64> = words.iter().copied().chain(std::iter::repeat_n(sign, more)).collect();
            prop_assert_eq!(words_of(&of_words(&longer)), words_of(&of_words(&words)));
        }
    }
}
