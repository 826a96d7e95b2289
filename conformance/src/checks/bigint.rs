//! Integers of any size: when they are objects, their one form, and the words one gets back.
//!
//! What is expected is computed here from the words that went in: [`minimal`] is the whole theory.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicU64, Ordering},
};

use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any},
    prop_oneof,
};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, dirty, memory, view},
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

/// Integers that fit in one word.
const INTS: [i64; 9] = [0, 1, -1, 2, -2, 0x0102_0304_0506_0708, i64::MAX, i64::MIN, i64::MIN + 1];
/// Integers that do not, in their one form. Each word is one of a kind where that is possible.
const BIGS: [&[i64]; 6] = [
    &[i64::MIN, 0],
    &[i64::MAX, -1],
    &[0, 1],
    &[0x1112_1314_1516_1718, 0x2122_2324_2526_2728],
    &[0x1112_1314_1516_1718, -2],
    &[0x1112_1314_1516_1718, 0x2122_2324_2526_2728, 0x3132_3334_3536_3738],
];

/// What fits in 64 bits is an Int.
#[check(BIG_0001)]
fn small_is_int(t: &Trial) -> Verdict {
    for int in INTS {
        let made = make(t, &[int])?;
        t.any_eq(format!("the value of {int}"), &made.any(), &view::int(int))?;
    }
    Ok(())
}

/// What does not fit is an object of type 78.
#[check(BIG_0002)]
fn big_is_an_object(t: &Trial) -> Verdict {
    for words in BIGS {
        expect_object(t, &make(t, words)?)?;
    }
    Ok(())
}

/// The line is drawn at 64 bits.
#[check(BIG_0001, BIG_0002)]
fn edge_of_64_bits(t: &Trial) -> Verdict {
    t.clause(id::BIG_0001);
    for int in [i64::MAX, i64::MIN] {
        t.eq("type_index of the last integer that fits", make(t, &[int])?.any().type_index, kTVMFFIInt)?;
    }
    t.clause(id::BIG_0002);
    // 2^63 and -2^63 - 1.
    for words in [[i64::MIN, 0], [i64::MAX, -1]] {
        t.eq("type_index of the first integer that does not fit", make(t, &words)?.any().type_index, kTVMFFIBigInt)?;
    }
    Ok(())
}

/// No words are zero.
#[check(BIG_0003)]
fn empty_is_zero(t: &Trial) -> Verdict {
    expect_zero(t, TVMFFIByteArray::new(&b"not to be looked at"[..0]))
}

/// No words at NULL are zero.
#[check(BIG_0003)]
fn empty_at_null_is_zero(t: &Trial) -> Verdict {
    expect_zero(t, TVMFFIByteArray::EMPTY)
}

fn expect_zero(t: &Trial, input: TVMFFIByteArray) -> Verdict {
    let mut out = dirty(kTVMFFIFloat);
    t.ok(t.api.TVMFFIBigIntFromByteArray(&input, &mut out))?;
    t.any_eq("the value of no words", &out, &view::int(0))
}

/// An Int with words that repeat its sign is an Int.
#[check(BIG_0004)]
fn sign_words_before_int(t: &Trial) -> Verdict {
    for int in INTS {
        for extra in 1..5 {
            let made = make(t, &extended(&[int], extra))?;
            t.any_eq(format!("the value of {int} with {extra} sign words"), &made.any(), &view::int(int))?;
        }
    }
    Ok(())
}

/// Words that repeat the sign of a big integer are dropped.
#[check(BIG_0004)]
fn sign_words_before_big(t: &Trial) -> Verdict {
    for words in BIGS {
        for extra in 1..5 {
            let made = make(t, &extended(words, extra))?;
            t.eq(format!("words with {extra} sign words dropped"), content(t, &made.any())?, words.to_vec())?;
        }
    }
    Ok(())
}

/// A word that tells the sign is kept.
#[check(BIG_0005)]
fn sign_guard(t: &Trial) -> Verdict {
    for words in [&[i64::MIN, 0][..], &[-1, 0], &[i64::MAX, -1], &[0, -1], &[7, i64::MIN, 0], &[7, i64::MAX, -1]] {
        let made = make(t, words)?;
        t.eq("words", content(t, &made.any())?, words.to_vec())?;
    }
    Ok(())
}

/// Number of words and words follow the header.
#[check(BIG_0006)]
fn layout(t: &Trial) -> Verdict {
    for words in BIGS {
        let made = make(t, words)?;
        t.eq("word at 24: number of words", t.cell::<u64>("number of words", made.handle())?, words.len() as u64)?;
        let behind = made.handle().wrapping_byte_add(size_of::<TVMFFIObject>() + size_of::<u64>());
        t.eq("words from 32 on", read_words(t, behind, words.len())?, words.to_vec())?;
    }
    Ok(())
}

/// A length that is no multiple of eight is refused.
#[check(BIG_0007)]
fn ragged(t: &Trial) -> Verdict {
    let bytes = [1; 40];
    for size in (0..bytes.len()).filter(|size| size % 8 != 0) {
        let mut out = TVMFFIAny::NONE;
        let code = t.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&bytes[..size]), &mut out);
        t.raises(code, &["ValueError"])?;
    }
    Ok(())
}

/// The content of an Int is its word.
#[check(BIG_0008)]
fn content_of_int(t: &Trial) -> Verdict {
    for int in INTS {
        t.eq(format!("content of {int}"), content(t, &view::int(int))?, vec![int])?;
    }
    Ok(())
}

/// The content of a big integer is its words.
#[check(BIG_0009)]
fn content_of_big(t: &Trial) -> Verdict {
    for words in BIGS {
        let made = make(t, words)?;
        t.eq("content", content(t, &made.any())?, words.to_vec())?;
    }
    Ok(())
}

/// Two contents are valid at once.
#[check(BIG_0010)]
fn content_is_borrowed(t: &Trial) -> Verdict {
    let ints = INTS.map(view::int);
    let bigs = BIGS.iter().map(|words| make(t, words)).collect::<Verdict<Vec<_>>>()?;
    let values: Vec<TVMFFIAny> = ints.into_iter().chain(bigs.iter().map(Owned::any)).collect();
    let expected = INTS.iter().map(std::slice::from_ref).chain(BIGS);
    let contents: Vec<_> = values.iter().map(|value| t.api.TVMFFIBigIntGetContentByteArray(value)).collect();
    for (array, words) in contents.into_iter().zip(expected) {
        t.eq("content, after other contents were asked for", words_of(t, array)?, words.to_vec())?;
    }
    Ok(())
}

/// Content outlasts other calls.
#[check(BIG_0010)]
fn content_stays(t: &Trial) -> Verdict {
    let (int, words) = (view::int(0x0102_0304_0506_0708), BIGS[5]);
    let big = make(t, words)?;
    let of_int = t.api.TVMFFIBigIntGetContentByteArray(&int);
    let of_big = t.api.TVMFFIBigIntGetContentByteArray(&big.any());
    for other in BIGS.into_iter().cycle().take(200) {
        content(t, &make(t, other)?.any())?;
        content(t, &view::int(other[0]))?;
    }
    t.eq("content of the Int", words_of(t, of_int)?, vec![0x0102_0304_0506_0708])?;
    t.eq("content of the BigInt", words_of(t, of_big)?, words.to_vec())
}

/// Random integers come back.
#[check(BIG_0011)]
fn round_trip(t: &Trial) -> Verdict {
    let word =
        prop_oneof![any::<i64>(), Just(0), Just(-1), Just(i64::MIN), Just(i64::MAX), any::<i8>().prop_map(i64::from)];
    t.property(vec(word, 0..12), |words| {
        let made = make(t, words)?;
        t.eq("integer that came back", minimal(&content(t, &made.any())?), minimal(words))
    })
}

/// Powers of two and their neighbours come back.
#[check(BIG_0011)]
fn powers_of_two(t: &Trial) -> Verdict {
    for exponent in 0..256 {
        let (whole, bit) = (exponent / 64, 1_i64 << (exponent % 64));
        let power = [vec![0; whole], vec![bit, 0]].concat();
        let below = [vec![-1; whole], vec![bit.wrapping_sub(1), 0]].concat();
        for words in [power, below] {
            // The complement of n is -n - 1.
            let complement = words.iter().map(|word| !word).collect();
            for words in [words, complement] {
                let made = make(t, &words)?;
                t.eq(format!("integer near 2^{exponent}"), minimal(&content(t, &made.any())?), minimal(&words))?;
            }
        }
    }
    Ok(())
}

/// An integer of a thousand words comes back.
#[check(BIG_0011)]
fn thousand_words(t: &Trial) -> Verdict {
    let words: Vec<i64> = (1..=1000).map(|number| number * 0x0101_0101_0101).collect();
    let made = make(t, &words)?;
    t.that("words that came back", content(t, &made.any())? == words, "the thousand words", "others")
}

/// The words may be changed and unmapped.
#[check(BIG_0012)]
fn copies_its_input(t: &Trial) -> Verdict {
    for words in INTS.iter().map(std::slice::from_ref).chain(BIGS) {
        let mut input = t.guarded(&bytes_of(words))?;
        let mut out = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIBigIntFromByteArray(&input.array(), &mut out))?;
        let made = t.own(out);
        input.as_mut_slice().fill(0x5A);
        t.eq("content after the input was changed", content(t, &made.any())?, words.to_vec())?;
        drop(input);
        t.eq("content after the input was unmapped", content(t, &made.any())?, words.to_vec())?;
    }
    Ok(())
}

/// An integer result is written whole.
#[check(BIG_0013)]
fn result_is_overwritten(t: &Trial) -> Verdict {
    for before in kTVMFFINone..kTVMFFIStaticObjectBegin {
        for words in [&[7_i64][..], BIGS[3]] {
            let mut out = dirty(before);
            t.ok(t.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&bytes_of(words)), &mut out))?;
            let made = t.own(out);
            t.eq("second word", out.aux_word(), 0)?;
            if made.handle().is_null() {
                t.eq("payload", out.payload(), words[0] as u64)?;
            } else {
                t.eq("type_index where the payload leads", t.header(made.handle())?.type_index, out.type_index)?;
            }
        }
    }
    Ok(())
}

/// Making and releasing an integer leaves nothing.
#[check(BIG_0014)]
fn no_growth(t: &Trial) -> Verdict {
    t.no_growth("making and releasing integers of one and of three words", || {
        make(t, &[1])?;
        // Dropping sign words may take a second object; that one has to end, too.
        make(t, &extended(BIGS[5], 3))?;
        make(t, BIGS[5]).map(drop)
    })
}

/// Reading content takes nothing.
#[check(BIG_0014)]
fn content_no_growth(t: &Trial) -> Verdict {
    let (int, big) = (view::int(1), make(t, BIGS[5])?);
    t.no_growth("reading the content of an Int and a BigInt", || {
        t.api.TVMFFIBigIntGetContentByteArray(&int);
        t.api.TVMFFIBigIntGetContentByteArray(&big.any());
        Ok(())
    })
}

/// Several threads make and read integers at once.
#[check(BIG_0015)]
fn threads(t: &Trial) -> Verdict {
    t.threads(4, |t, number| {
        for round in 0..150 {
            let words = vec![0x0101_0101_0101 * (number as i64 + 1); 1 + round % 6];
            let made = make(t, &words)?;
            t.eq("content", content(t, &made.any())?, words)?;
        }
        Ok(())
    })
}

/// A function receives the big integer it is called with.
#[check(BIG_0016)]
fn as_argument(t: &Trial) -> Verdict {
    static SEEN: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
    unsafe extern "C" fn look(_: *mut c_void, args: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
        let words: Option<[u64; 2]> = memory::read(args.cast());
        let object = words.and_then(|[_, payload]| memory::read(payload as *const TVMFFIObject));
        let seen = words.zip(object).map(|([head, payload], object)| [head, payload, object.combined_ref_count]);
        for (place, word) in SEEN.iter().zip(seen.unwrap_or_default()) {
            place.store(word, Ordering::Relaxed);
        }
        0
    }
    let function = t.function(std::ptr::null_mut(), look, None)?;
    let made = make(t, BIGS[3])?;
    let before = t.counts(made.handle())?;
    t.call(&function, &[made.any()])?;
    let [head, payload, counts] = SEEN.each_ref().map(|place| place.load(Ordering::Relaxed));
    t.eq("type index and padding that the function saw", head, kTVMFFIBigInt as u64)?;
    t.eq("object that the function saw", payload, made.handle() as u64)?;
    t.that("strong count during the call", counts as u32 >= 1, "at least 1", counts as u32)?;
    t.eq("strong and weak count afterwards", t.counts(made.handle())?, before)
}

/// A caller receives the big integer that is answered.
#[check(BIG_0016)]
fn as_result(t: &Trial) -> Verdict {
    /// Answers the object that it was made with; the check has taken the reference that goes with it.
    unsafe extern "C" fn answer(object: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        // SAFETY: the caller of a function hands it a result to write.
        unsafe { *result = TVMFFIAny::new(kTVMFFIBigInt, object as u64) };
        0
    }
    let made = make(t, BIGS[4])?;
    let (strong, weak) = t.counts(made.handle())?;
    let function = t.function(made.handle(), answer, None)?;
    t.ok(t.api.TVMFFIObjectIncRef(made.handle()))?;
    let result = t.call(&function, &[])?;
    t.any_eq("the result", &result.any(), &made.any())?;
    t.eq("strong and weak count with the result", t.counts(made.handle())?, (strong + 1, weak))?;
    drop(result);
    t.eq("strong and weak count without it", t.counts(made.handle())?, (strong, weak))
}

/// An owned copy of a big integer is one more reference.
#[check(BIG_0016)]
fn view_to_owned(t: &Trial) -> Verdict {
    let made = make(t, BIGS[3])?;
    let (strong, weak) = t.counts(made.handle())?;
    let mut out = dirty(kTVMFFIInt);
    t.ok(t.api.TVMFFIAnyViewToOwnedAny(&made.any(), &mut out))?;
    let owned = t.own(out);
    t.any_eq("the owned value", &owned.any(), &made.any())?;
    t.eq("strong and weak count", t.counts(owned.handle())?, (strong + 1, weak))?;
    drop(made);
    t.eq("content", content(t, &owned.any())?, BIGS[3].to_vec())
}

/// An integer of NULL data with a length is refused.
#[check(BIG_0018)]
fn null_data(t: &Trial) -> Verdict {
    for size in [8, 16, 800] {
        let input = TVMFFIByteArray { data: std::ptr::null(), size };
        t.raises(t.api.TVMFFIBigIntFromByteArray(&input, &mut dirty(kTVMFFINone)), &[])?;
    }
    Ok(())
}

/// An integer of a NULL input is refused.
#[check(BIG_0019)]
fn null_input(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFIBigIntFromByteArray(std::ptr::null(), &mut dirty(kTVMFFINone)), &[]).map(drop)
}

/// An integer with nowhere to go is refused.
#[check(BIG_0019)]
fn null_result(t: &Trial) -> Verdict {
    for words in [&[1_i64][..], BIGS[3]] {
        let input = bytes_of(words);
        t.raises(t.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&input), std::ptr::null_mut()), &[])?;
    }
    Ok(())
}

/// A big integer is printed in decimal.
#[check(BIG_0020)]
fn printed(t: &Trial) -> Verdict {
    for (words, decimal) in powers_in_decimal() {
        let text = t.call_global("ffi.ReprPrint", &[make(t, &words)?.any()])?;
        t.eq("the printed form", String::from_utf8_lossy(&t.text(&text.any())?).into_owned(), decimal)?;
    }
    Ok(())
}

/// A big integer is decimal in a JSON graph.
#[check(BIG_0021)]
fn in_a_graph(t: &Trial) -> Verdict {
    for (words, decimal) in powers_in_decimal() {
        let (big, none) = (make(t, &words)?, TVMFFIAny::NONE);
        let text = t.call_global("ffi.ToJSONGraphString", &[big.any(), none])?;
        let found = String::from_utf8_lossy(&t.text(&text.any())?).into_owned();
        let expected = format!("\"data\":\"{decimal}\"");
        t.that("the graph", found.contains(&expected), &expected, &found)?;
        let back = t.call_global("ffi.FromJSONGraphString", &[text.any()])?;
        t.eq(format!("the content of what {found} reads as"), content(t, &back.any())?, minimal(&words))?;
    }
    Ok(())
}

/// Big integers are ordered by value.
#[check(BIG_0022)]
fn ordered(t: &Trial) -> Verdict {
    let (less, equal) = (t.global("ffi.RecursiveLt")?, t.global("ffi.RecursiveEq")?);
    for pair in powers_in_decimal().windows(2) {
        let [(smaller, _), (larger, _)] = pair else { continue };
        let (lhs, twin, rhs) = (make(t, smaller)?, make(t, smaller)?, make(t, larger)?);
        let asks = [(&less, &lhs, &rhs, true), (&less, &rhs, &lhs, false), (&less, &lhs, &twin, false)];
        let asks = asks.into_iter().chain([(&equal, &lhs, &rhs, false), (&equal, &lhs, &twin, true)]);
        for (function, one, other, expected) in asks {
            let answer = t.call(function, &[one.any(), other.any()])?;
            t.any_eq("the answer", &answer.any(), &view::bool(expected))
                .map_err(|failure| failure.noting(format!("the words are {smaller:x?} and {larger:x?}")))?;
        }
    }
    Ok(())
}

/// Powers of two beyond an `Int`, their neighbours and their negatives, as words and as decimal digits, in ascending order.
fn powers_in_decimal() -> Vec<(Vec<i64>, String)> {
    let (mut positive, mut negative) = (Vec::new(), Vec::new());
    // The digits of 2^64, the last one first.
    let mut digits: Vec<u8> = (1_u128 << 64).to_string().bytes().rev().map(|digit| digit - b'0').collect();
    for exponent in 64..260 {
        let (whole, bit) = (exponent / 64, 1_i64 << (exponent % 64));
        let power = [vec![0; whole], vec![bit, 0]].concat();
        let below = [vec![-1; whole], vec![bit.wrapping_sub(1), 0]].concat();
        // The complement of n is -n - 1.
        let complement = |words: &[i64]| words.iter().map(|word| !word).collect::<Vec<_>>();
        // A power of two ends in neither 0 nor 9.
        let decimal = |step: i8| {
            let last = b'0'.wrapping_add_signed(step) + digits[0];
            digits[1..].iter().rev().map(|digit| b'0' + digit).chain([last]).map(char::from).collect::<String>()
        };
        negative.push((complement(&below), format!("-{}", decimal(0))));
        negative.push((complement(&power), format!("-{}", decimal(1))));
        positive.push((below, decimal(-1)));
        positive.push((power, decimal(0)));
        double(&mut digits);
    }
    negative.into_iter().rev().chain(positive).collect()
}

/// Doubles a number of decimal digits, the last one first.
fn double(digits: &mut Vec<u8>) {
    let mut carry = 0;
    for digit in &mut *digits {
        let double = 2 * *digit + carry;
        (*digit, carry) = (double % 10, double / 10);
    }
    digits.extend((carry > 0).then_some(carry));
}

/// The integer that the words stand for, as the target makes it.
fn make(t: &Trial, words: &[i64]) -> Verdict<Owned> {
    let mut out = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&bytes_of(words)), &mut out))?;
    Ok(t.own(out))
}

fn expect_object(t: &Trial, made: &Owned) -> Verdict {
    t.eq("type_index", made.any().type_index, kTVMFFIBigInt)?;
    t.eq("type_index of the object", t.header(made.handle())?.type_index, kTVMFFIBigInt)
}

/// The words of a value, through the target.
fn content(t: &Trial, value: &TVMFFIAny) -> Verdict<Vec<i64>> {
    // Asked of another kind of value, a target may do anything: the public releases crash.
    let holds_integer = [kTVMFFIInt, kTVMFFIBigInt].contains(&value.type_index);
    t.that("type_index", holds_integer, format!("{kTVMFFIInt} or {kTVMFFIBigInt}"), value.type_index)?;
    words_of(t, t.api.TVMFFIBigIntGetContentByteArray(value))
}

fn words_of(t: &Trial, array: TVMFFIByteArray) -> Verdict<Vec<i64>> {
    t.eq("size of the content modulo 8", array.size % 8, 0)?;
    read_words(t, array.data.cast(), array.size / 8)
}

fn read_words(t: &Trial, address: *const c_void, count: usize) -> Verdict<Vec<i64>> {
    let bytes = t.read_bytes("words", address, count * 8)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|&word| i64::from_ne_bytes(word)).collect())
}

fn bytes_of(words: &[i64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// The words with as many more that repeat the sign.
fn extended(words: &[i64], extra: usize) -> Vec<i64> {
    let sign = words.last().copied().unwrap_or(0) >> 63;
    words.iter().copied().chain(std::iter::repeat_n(sign, extra)).collect()
}

/// The one form: no word that only repeats the sign of the word below it, and one word for zero.
fn minimal(words: &[i64]) -> Vec<i64> {
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
