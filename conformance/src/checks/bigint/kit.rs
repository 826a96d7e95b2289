//! Integers as words.
//!
//! What is expected is computed from the words that went in: [`minimal`] is the whole theory.

use std::{ffi::c_void, fmt::Display};

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, TypeIndex, Verdict},
    trial::Trial,
};

/// Integers that fit in one word.
pub const INTS: [i64; 9] = [0, 1, -1, 2, -2, 0x0102_0304_0506_0708, i64::MAX, i64::MIN, i64::MIN + 1];

/// Integers that do not, in their one form. As far as possible, no two words are alike.
pub const BIGS: [&[i64]; 6] = [
    &[i64::MIN, 0],
    &[i64::MAX, -1],
    &[0, 1],
    &[0x1112_1314_1516_1718, 0x2122_2324_2526_2728],
    &[0x1112_1314_1516_1718, -2],
    &[0x1112_1314_1516_1718, 0x2122_2324_2526_2728, 0x3132_3334_3536_3738],
];

/// The integer that the words stand for, as the target makes it.
pub fn make(t: &Trial, words: &[i64]) -> Verdict<Owned> {
    let mut out = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&bytes_of(words)), &mut out))?;
    Ok(t.own(out))
}

/// Expects the content of a value to be these words.
pub fn holds(t: &Trial, what: impl Display, value: &TVMFFIAny, words: &[i64]) -> Verdict {
    t.eq(what, content(t, value)?, words.to_vec())
}

/// The words of a value, through the target.
pub fn content(t: &Trial, value: &TVMFFIAny) -> Verdict<Vec<i64>> {
    // Asked of another kind of value, a target may do anything: the public releases crash.
    let holds_integer = [kTVMFFIInt, kTVMFFIBigInt].contains(&value.type_index);
    t.that("type_index", holds_integer, format_args!("{kTVMFFIInt} or {kTVMFFIBigInt}"), TypeIndex(value.type_index))?;
    words_of(t, t.api.TVMFFIBigIntGetContentByteArray(value))
}

/// The words in a content.
pub fn words_of(t: &Trial, array: TVMFFIByteArray) -> Verdict<Vec<i64>> {
    t.eq("size of the content modulo 8", array.size % 8, 0)?;
    read_words(t, array.data.cast(), array.size / 8)
}

/// That many words at an address.
pub fn read_words(t: &Trial, address: *const c_void, count: usize) -> Verdict<Vec<i64>> {
    let bytes = t.read_bytes("words", address, count * 8)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|&word| i64::from_ne_bytes(word)).collect())
}

/// The bytes of words, least significant word first.
pub fn bytes_of(words: &[i64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// The words with as many more that repeat the sign.
pub fn extended(words: &[i64], extra: usize) -> Vec<i64> {
    let sign = words.last().copied().unwrap_or(0) >> 63;
    words.iter().copied().chain(std::iter::repeat_n(sign, extra)).collect()
}

/// The one form: no word that only repeats the sign of the word below it, and one word for zero.
pub fn minimal(words: &[i64]) -> Vec<i64> {
    let mut words = if words.is_empty() { vec![0] } else { words.to_vec() };
    while let [.., below, last] = words[..]
        && last == below >> 63
    {
        words.pop();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_form() {
        for (words, expected) in [
            (&[][..], &[0][..]),
            (&[5, 0, 0], &[5]),
            (&[-5, -1, -1], &[-5]),
            (&[i64::MIN, 0, 0], &[i64::MIN, 0]),
            (&[i64::MIN, -1], &[i64::MIN]),
            (&[0, 0, 1], &[0, 0, 1]),
        ] {
            assert_eq!(minimal(words), expected);
        }
        assert_eq!(extended(&[-5], 2), [-5, -1, -1]);
    }
}
