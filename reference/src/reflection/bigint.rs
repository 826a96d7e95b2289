//! Integers of any size: two's-complement words, least significant first, as few as it takes.
//!
//! What fits 64 bits is an Int value and never a BigInt object, so that every integer has exactly one form.

use std::{cmp::Ordering, slice};

use tvm_ffi_spec::{
    TVMFFIAny, TVMFFIByteArray, kTVMFFIBigInt, kTVMFFIBool, kTVMFFIFunction, kTVMFFIInt, kTVMFFIObject,
};

use crate::{
    border::error::{Error, Result},
    function::{
        arguments::Arguments,
        row::{Row, row},
    },
    object::{self, ObjectRef, Payload, typed_refs},
    reflection::{convert::Convert, native},
    types::schema::{Need, Type},
    value::{
        any::{Any, AnyView, Packed},
        bit_hash, text,
    },
};

const WORD: usize = size_of::<i64>();

typed_refs! {
    /// A BigInt.
    BigInt: ObjectRef = kTVMFFIBigInt;
}

/// What lies behind the header of a BigInt: the number of words, then the words.
#[repr(C)]
struct Words {
    size: usize,
    words: [i64; 0],
}

// SAFETY: `repr(C)`, and the ABI has the number of words behind the header.
unsafe impl Payload for Words {
    const TYPE_INDEX: i32 = kTVMFFIBigInt;
}

impl BigInt {
    /// Its words, least significant first.
    pub fn words(&self) -> &[i64] {
        let integer = self.data_ptr::<Words>();
        // SAFETY: every BigInt has its words right behind their number, whoever made it, and they never change.
        unsafe { slice::from_raw_parts((&raw const (*integer).words).cast(), (*integer).size) }
    }

    /// The bytes of its words, in native byte order within a word.
    pub fn bytes(&self) -> &[u8] {
        bytes_of(self.words())
    }
}

fn bytes_of(words: &[i64]) -> &[u8] {
    // SAFETY: words may be read as bytes.
    unsafe { slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

/// Makes an integer of its words' bytes, in native byte order within a word. No words at all are 0.
///
/// # Errors
/// `ValueError` for a part of a word.
#[inline]
pub fn from_bytes(bytes: &[u8]) -> Result<Any> {
    match bytes.as_array() {
        Some(word) => Ok(Any::from(i64::from_ne_bytes(*word))),
        None => from_words(bytes).into(),
    }
}

#[inline(never)]
fn from_words(bytes: &[u8]) -> Packed {
    integer_of(bytes).into()
}

#[inline]
fn integer_of(bytes: &[u8]) -> Result<Any> {
    let (words, []) = bytes.as_chunks::<WORD>() else { return Err(no_words()) };
    match significant(words) {
        [] => Ok(Any::from(0)),
        [word] => Ok(Any::from(i64::from_ne_bytes(*word))),
        words => {
            let integer = object::new_with_tail(words.len() * WORD, |tail| {
                // SAFETY: the tail has room for the words.
                unsafe { tail.copy_from_nonoverlapping(words.as_ptr().cast(), words.len() * WORD) };
                Words { size: words.len(), words: [] }
            });
            Ok(BigInt(integer?).into())
        }
    }
}

#[cold]
#[inline(never)]
fn no_words() -> Error {
    Error::new("ValueError", "BigInt content must contain whole 64-bit words")
}

/// The words that it takes: a last word that only repeats the sign of the one before is left out.
fn significant(mut words: &[[u8; WORD]]) -> &[[u8; WORD]] {
    while let [shorter @ .., last] = words
        && let [.., before] = shorter
        && i64::from_ne_bytes(*last) == i64::from_ne_bytes(*before) >> (i64::BITS - 1)
    {
        words = shorter;
    }
    words
}

/// The words of an integer as bytes, borrowed from the value or from the object in it; no bytes for any other value.
///
/// # Safety
/// `value` is NULL or readable, and what it refers to is alive.
pub unsafe fn content(value: *const TVMFFIAny) -> TVMFFIByteArray {
    // SAFETY: the caller's contract is the same, and a view has the layout of a value.
    let words = unsafe { value.cast::<AnyView<'_>>().as_ref() }.and_then(known_words);
    words.map_or(TVMFFIByteArray::EMPTY, |words| TVMFFIByteArray::new(bytes_of(words)))
}

// ---------------------------------------------------------------------------------------------------------------------
// As a type with attributes
// ---------------------------------------------------------------------------------------------------------------------

/// The attributes that are functions.
pub const ATTRIBUTES: &[Row] = &[
    row("ffi.BigInt.__ffi_eq__(0: ffi.Object, 1: ffi.Object, 2: ffi.Function) -> bool", |args| {
        Ok((compare_arguments(args)? == Ordering::Equal).into())
    }),
    row("ffi.BigInt.__ffi_compare__(0: ffi.Object, 1: ffi.Object, 2: ffi.Function) -> int", |args| {
        Ok((compare_arguments(args)? as i64).into())
    }),
    row("ffi.BigInt.__ffi_hash__(0: ffi.Object, 1: ffi.Function) -> int", |args| {
        check_callback(args, 1)?;
        args.object_ref(0, kTVMFFIObject)?;
        Ok((hash_of(words(args.any(0))?) as i64).into())
    }),
    row("ffi.BigInt.__data_to_json__(0: AnyView) -> Any", |args| {
        Ok(text::string_object(decimal(words(args.any(0))?).as_bytes())?.into())
    }),
    row("ffi.BigInt.__data_from_json__(0: AnyView) -> Any", |args| {
        let text = Some(args.any(0)).filter(|text| Type::Str.contains(text)).and_then(|text| text.as_str());
        let text = text.ok_or_else(|| Type::Str.refuse_for(Need::Identity, args.any(0)))?;
        from_decimal(text)
    }),
];

/// Compares the first two arguments. Of several wrong ones the last is told, as in the releases.
fn compare_arguments(args: &Arguments<'_>) -> Result<Ordering> {
    check_callback(args, 2)?;
    args.object_ref(1, kTVMFFIObject)?;
    args.object_ref(0, kTVMFFIObject)?;
    Ok(compare(words(args.any(0))?, words(args.any(1))?))
}

/// Integers have nothing inside, so that they never call back; the callback may be None.
fn check_callback(args: &Arguments<'_>, index: usize) -> Result<()> {
    if args.any(index).is_none() { Ok(()) } else { args.object(index, kTVMFFIFunction).map(drop) }
}

/// `__any_hash__`: the hash of an integer as a key of a map.
///
/// # Safety
/// `value` is readable, and what it refers to is alive.
pub unsafe extern "C" fn any_hash(value: *const TVMFFIAny) -> TVMFFIAny {
    native::answer(|| {
        // SAFETY: the caller vouches for the value.
        let value = unsafe { AnyView::from_raw(value) };
        Ok(TVMFFIAny::new(kTVMFFIInt, hash_of(words(&value)?)))
    })
}

/// `__any_equal__`: whether two integers are the same key of a map.
///
/// # Safety
/// Both are readable, and what they refer to is alive.
pub unsafe extern "C" fn any_equal(lhs: *const TVMFFIAny, rhs: *const TVMFFIAny) -> TVMFFIAny {
    native::answer(|| {
        // SAFETY: the caller vouches for both values.
        let (lhs, rhs) = unsafe { (AnyView::from_raw(lhs), AnyView::from_raw(rhs)) };
        Ok(TVMFFIAny::new(kTVMFFIBool, u64::from(compare(words(&lhs)?, words(&rhs)?) == Ordering::Equal)))
    })
}

/// The words of an integer, least significant first.
///
/// # Errors
/// `TypeError` for any other value.
pub fn words<'a>(value: &'a AnyView<'_>) -> Result<&'a [i64]> {
    known_words(value).ok_or_else(|| Type::object("BigInt").refuse_for(Need::Identity, value))
}

fn known_words<'a>(value: &'a AnyView<'_>) -> Option<&'a [i64]> {
    if value.type_index() == kTVMFFIInt {
        let value: *const TVMFFIAny = (&raw const *value).cast();
        // SAFETY: a view has the layout of a value, of which an integer is the payload.
        return Some(slice::from_ref(unsafe { &(*value).value.v_int64 }));
    }
    value.cast_ref::<BigInt>().map(BigInt::words)
}

/// What `__ffi_hash__` answers for an integer.
pub fn hash(integer: &BigInt) -> u64 {
    hash_of(integer.words())
}

fn hash_of(words: &[i64]) -> u64 {
    let of_words = || bit_hash::hash_of_words(words.iter().map(|word| *word as u64));
    if let [word] = words { *word as u64 } else { of_words() }
}

/// Compares integers in their shortest form: of two of the same sign, the one with more words is further from zero.
pub fn compare(lhs: &[i64], rhs: &[i64]) -> Ordering {
    let negative = |words: &[i64]| words.last().is_some_and(|word| *word < 0);
    match (negative(lhs), negative(rhs)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (negative, _) => {
            let lengths = lhs.len().cmp(&rhs.len());
            let lengths = if negative { lengths.reverse() } else { lengths };
            lengths.then_with(|| {
                let unsigned = |word: &i64| *word as u64;
                lhs.iter().rev().map(unsigned).cmp(rhs.iter().rev().map(unsigned))
            })
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Decimal digits
// ---------------------------------------------------------------------------------------------------------------------

/// As many digits as are taken at once.
const GROUP: usize = 18;
const GROUP_BASE: u64 = 10_u64.pow(GROUP as u32);

/// An integer in decimal digits.
pub fn decimal(words: &[i64]) -> String {
    let negative = words.last().is_some_and(|word| *word < 0);
    let mut magnitude: Vec<u64> = words.iter().map(|word| *word as u64).collect();
    if negative {
        negate(&mut magnitude);
    }
    let mut groups = Vec::new();
    while let Some(last) = magnitude.iter().rposition(|word| *word != 0) {
        magnitude.truncate(last + 1);
        let divide = |remainder: u64, word: &mut u64| {
            let dividend = u128::from(remainder) << 64 | u128::from(*word);
            *word = (dividend / u128::from(GROUP_BASE)) as u64;
            (dividend % u128::from(GROUP_BASE)) as u64
        };
        groups.push(magnitude.iter_mut().rev().fold(0, divide));
    }
    let mut text = if negative { "-".to_owned() } else { String::new() };
    text += &groups.pop().unwrap_or(0).to_string();
    groups.iter().rev().for_each(|group| text += &format!("{group:0GROUP$}"));
    text
}

/// The integer of an optional sign and at least one digit.
///
/// # Errors
/// `ValueError` for any other text.
fn from_decimal(text: &[u8]) -> Result<Any> {
    let (negative, digits) = match text {
        [sign @ (b'+' | b'-'), digits @ ..] => (*sign == b'-', digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Error::new("ValueError", "Invalid decimal string for ffi.BigInt"));
    }
    let mut magnitude: Vec<u64> = Vec::new();
    let (head, groups) = digits.split_at(digits.len() % GROUP);
    for group in std::iter::once(head).chain(groups.chunks(GROUP)) {
        let group = group.iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
        let multiply = |carry: u64, word: &mut u64| {
            let product = u128::from(*word) * u128::from(GROUP_BASE) + u128::from(carry);
            *word = product as u64;
            (product >> 64) as u64
        };
        match magnitude.iter_mut().fold(group, multiply) {
            0 => {}
            carry => magnitude.push(carry),
        }
    }
    // Room for the sign.
    magnitude.push(0);
    if negative {
        negate(&mut magnitude);
    }
    from_bytes(&magnitude.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<_>>())
}

/// Changes the sign of a two's-complement integer.
fn negate(words: &mut [u64]) {
    words.iter_mut().fold(true, |carry, word| {
        let (sum, carry) = (!*word).overflowing_add(u64::from(carry));
        *word = sum;
        carry
    });
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

    #[rstest]
    #[case("0", Some("0"))]
    #[case("-0", Some("0"))]
    #[case("+007", Some("7"))]
    #[case("18446744073709551616", Some("18446744073709551616"))]
    #[case("-9223372036854775809", Some("-9223372036854775809"))]
    #[case("1000000000000000000000000000000000000", Some("1000000000000000000000000000000000000"))]
    #[case("", None)]
    #[case("-", None)]
    #[case("--1", None)]
    #[case(" 1", None)]
    #[case("1x", None)]
    fn decimal_digits_are_read_and_written(#[case] text: &str, #[case] expected: Option<&str>) {
        let written = from_decimal(text.as_bytes()).ok().map(|value| decimal(words(value.view()).unwrap()));
        assert_eq!(written.as_deref(), expected);
    }

    // Known answers: what the releases hash these integers to.
    #[rstest]
    #[case("9223372036854775808", 1894)]
    #[case("-18446744073709551616", 3)]
    fn integers_hash_by_their_words(#[case] text: &str, #[case] expected: u64) {
        let value = from_decimal(text.as_bytes()).unwrap();
        // SAFETY: the value is alive.
        let answer = unsafe { any_hash(&value.view().raw()) };
        assert_eq!((answer.type_index, answer.payload()), (kTVMFFIInt, expected));
    }

    proptest! {
        #[test]
        fn integers_are_ordered_and_written_as_numbers(lhs: i128, rhs: i128) {
            let [left, right] = [lhs, rhs].map(|value| from_bytes(&value.to_ne_bytes()).unwrap());
            let [left, right] = [&left, &right].map(|value| words(value.view()).unwrap());
            prop_assert_eq!(compare(left, right), lhs.cmp(&rhs));
            prop_assert_eq!(decimal(left), lhs.to_string());
        }

        #[test]
        fn digits_come_back(value in prop::collection::vec(any::<i64>(), 1..12)) {
            let value = of_words(&value);
            let text = decimal(words(value.view()).unwrap());
            prop_assert_eq!(words_of(&from_decimal(text.as_bytes()).unwrap()), words_of(&value));
        }
    }
}
