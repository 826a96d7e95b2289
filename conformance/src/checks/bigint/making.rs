//! Integers made of words: Int or BigInt, in their one form.

use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any},
    prop_oneof,
};
use tvm_ffi_spec::{clause::id, *};

use super::kit::{BIGS, INTS, bytes_of, content, extended, holds, make, minimal, read_words};
use crate::{
    checks::check,
    client::{Failure, Owned, Verdict, dirty, forms, view},
    trial::Trial,
};

/// An integer that fits in 64 bits is made as a plain Int.
#[check(BIG_0001)]
fn small_is_int(t: &Trial) -> Verdict {
    for int in INTS {
        let made = make(t, &[int])?;
        t.any_eq(format_args!("the value of {int}"), &made.any(), &view::int(int))?;
    }
    Ok(())
}

/// An integer that does not fit in 64 bits is made as an object of type index 78.
#[check(BIG_0002)]
fn big_is_an_object(t: &Trial) -> Verdict {
    for words in BIGS {
        expect_object(t, &make(t, words)?)?;
    }
    Ok(())
}

/// Expects an object of the type of big integers.
fn expect_object(t: &Trial, made: &Owned) -> Verdict {
    t.type_index_eq("type_index", made.any().type_index, kTVMFFIBigInt)?;
    t.type_index_eq("type_index of the object", t.header(made.handle())?.type_index, kTVMFFIBigInt)
}

/// The integers 2^63 - 1 and -2^63 are Ints, and the next ones beyond them are BigInts.
#[check(BIG_0001, BIG_0002)]
fn edge_of_64_bits(t: &Trial) -> Verdict {
    t.clause(id::BIG_0001);
    for int in [i64::MAX, i64::MIN] {
        t.type_index_eq("type_index of the last integer that fits", make(t, &[int])?.any().type_index, kTVMFFIInt)?;
    }
    t.clause(id::BIG_0002);
    // 2^63 and -2^63 - 1.
    for words in [[i64::MIN, 0], [i64::MAX, -1]] {
        t.type_index_eq(
            "type_index of the first integer that does not fit",
            make(t, &words)?.any().type_index,
            kTVMFFIBigInt,
        )?;
    }
    Ok(())
}

/// An integer of no words at an address is the Int 0.
#[check(BIG_0003)]
fn empty_is_zero(t: &Trial) -> Verdict {
    expect_zero(t, TVMFFIByteArray::new(&b"not to be looked at"[..0]))
}

/// An integer of no words at NULL is the Int 0.
#[check(BIG_0003)]
fn empty_at_null_is_zero(t: &Trial) -> Verdict {
    expect_zero(t, TVMFFIByteArray::EMPTY)
}

/// Expects an input without words to be made to the Int 0.
fn expect_zero(t: &Trial, input: TVMFFIByteArray) -> Verdict {
    let mut out = dirty(kTVMFFIFloat);
    t.ok(t.api.TVMFFIBigIntFromByteArray(&input, &mut out))?;
    t.any_eq("the value of no words", &out, &view::int(0))
}

/// Words that only repeat the sign of an Int are dropped, and the integer is made as a plain Int.
#[check(BIG_0004)]
fn sign_words_before_int(t: &Trial) -> Verdict {
    for int in INTS {
        for extra in 1..5 {
            let made = make(t, &extended(&[int], extra))?;
            t.any_eq(format_args!("the value of {int} with {extra} sign words"), &made.any(), &view::int(int))?;
        }
    }
    Ok(())
}

/// Words that only repeat the sign of a BigInt are dropped.
#[check(BIG_0004)]
fn sign_words_before_big(t: &Trial) -> Verdict {
    for words in BIGS {
        for extra in 1..5 {
            let made = make(t, &extended(words, extra))?;
            holds(t, format!("words with {extra} sign words dropped"), &made.any(), words)?;
        }
    }
    Ok(())
}

/// The highest word of a BigInt is kept when it is needed to tell the sign.
#[check(BIG_0005)]
fn sign_guard(t: &Trial) -> Verdict {
    for words in [&[i64::MIN, 0][..], &[-1, 0], &[i64::MAX, -1], &[0, -1], &[7, i64::MIN, 0], &[7, i64::MAX, -1]] {
        let made = make(t, words)?;
        holds(t, "words", &made.any(), words)?;
    }
    Ok(())
}

/// The header of a BigInt is followed by the number of its words and then by the words.
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

/// Making an integer of a length that is no multiple of eight raises a ValueError.
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

/// A random integer is read as the integer that its words stand for.
#[check(BIG_0011)]
fn round_trip(t: &Trial) -> Verdict {
    let word =
        prop_oneof![any::<i64>(), Just(0), Just(-1), Just(i64::MIN), Just(i64::MAX), any::<i8>().prop_map(i64::from)];
    t.property(vec(word, 0..12), |words| {
        let made = make(t, words)?;
        t.eq("integer that came back", minimal(&content(t, &made.any())?), minimal(words))
    })
}

/// Powers of two, their neighbours and their negatives are read as the integers that they were made as.
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
                t.eq(format_args!("integer near 2^{exponent}"), minimal(&content(t, &made.any())?), minimal(&words))?;
            }
        }
    }
    Ok(())
}

/// An integer is the one of its words wherever they begin: also at an address that is no multiple of eight.
#[check(BIG_0011)]
fn words_at_any_address(t: &Trial) -> Verdict {
    for words in INTS.iter().map(std::slice::from_ref).chain(BIGS) {
        for place in 0..8 {
            let bytes = [vec![0xA5; place], bytes_of(words), vec![0xA5; 8 - place]].concat();
            let mut memory = vec![0_u64; bytes.len() / 8];
            // SAFETY: any bytes are integers; from an aligned beginning on, so that `place` says where the words begin.
            let memory = unsafe { memory.align_to_mut::<u8>().1 };
            memory.copy_from_slice(&bytes);
            let mut out = TVMFFIAny::NONE;
            let words_there = TVMFFIByteArray::new(&memory[place..place + 8 * words.len()]);
            t.ok(t.api.TVMFFIBigIntFromByteArray(&words_there, &mut out))?;
            let made = t.own(out);
            let what = format!("integer of words that begin {place} bytes behind a multiple of eight");
            t.eq(what, minimal(&content(t, &made.any())?), minimal(words))?;
        }
    }
    Ok(())
}

/// An integer of a thousand words is read word for word as it was made.
#[check(BIG_0011)]
fn thousand_words(t: &Trial) -> Verdict {
    let words: Vec<i64> = (1..=1000).map(|number| number * 0x0101_0101_0101).collect();
    let made = make(t, &words)?;
    t.that("words that came back", content(t, &made.any())? == words, "the thousand words", "others")
}

/// An integer stays unchanged when the words that it was made of are changed and unmapped.
#[check(BIG_0012)]
fn copies_its_input(t: &Trial) -> Verdict {
    for words in INTS.iter().map(std::slice::from_ref).chain(BIGS) {
        let mut input = t.guarded(&bytes_of(words))?;
        let mut out = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIBigIntFromByteArray(&input.array(), &mut out))?;
        let made = t.own(out);
        input.as_mut_slice().fill(0x5A);
        holds(t, "content after the input was changed", &made.any(), words)?;
        drop(input);
        holds(t, "content after the input was unmapped", &made.any(), words)?;
    }
    Ok(())
}

/// Making an integer overwrites the whole result, whatever its words are and whatever plain value was there, and the second word is zero.
#[check(BIG_0013)]
fn result_is_overwritten(t: &Trial) -> Verdict {
    // What callers leave there: each type with every other byte set, and values as they are.
    let mut befores: Vec<TVMFFIAny> = (kTVMFFINone..kTVMFFIStaticObjectBegin).map(dirty).collect();
    befores.extend([view::int(-1), view::bool(true), view::float(0.5), TVMFFIAny::NONE]);
    for kind in [kTVMFFISmallStr, kTVMFFISmallBytes] {
        befores.extend(["", "a", "seven_b"].into_iter().filter_map(|text| forms::inline(kind, text.as_bytes())));
    }
    let ints = INTS.iter().map(|int| vec![*int]).chain([vec![]]);
    for words in ints.chain(BIGS.iter().map(|words| words.to_vec())) {
        for given in [words.clone(), extended(&words, 2)] {
            let what = format!("of {} words of which {} are needed", given.len(), words.len());
            let input = bytes_of(&given);
            for before in &befores {
                let mut out = *before;
                t.ok(t.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&input), &mut out))?;
                let made = t.own(out);
                let over = |failure: Box<Failure>| failure.noting(format!("{what}, over {before:?}"));
                if words.len() < 2 {
                    let int = words.first().copied().unwrap_or_default();
                    t.any_eq("the integer that was made", &out, &view::int(int)).map_err(over)?;
                } else {
                    t.type_index_eq("type_index", out.type_index, kTVMFFIBigInt).map_err(over)?;
                    t.eq("second word", out.aux_word(), 0).map_err(over)?;
                    let header = t.header(made.handle())?.type_index;
                    t.type_index_eq("type_index where the payload leads", header, out.type_index).map_err(over)?;
                    holds(t, "words", &out, &words).map_err(over)?;
                }
            }
        }
    }
    Ok(())
}

/// Making an integer of NULL data with a length raises an error.
#[check(BIG_0018)]
fn null_data(t: &Trial) -> Verdict {
    for size in [8, 16, 800] {
        let input = TVMFFIByteArray { data: std::ptr::null(), size };
        t.raises(t.api.TVMFFIBigIntFromByteArray(&input, &mut dirty(kTVMFFINone)), &[])?;
    }
    Ok(())
}

/// Making an integer of a NULL input raises an error.
#[check(BIG_0019)]
fn null_input(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFIBigIntFromByteArray(std::ptr::null(), &mut dirty(kTVMFFINone)), &[]).map(drop)
}

/// Making an integer with NULL for the result raises an error.
#[check(BIG_0019)]
fn null_result(t: &Trial) -> Verdict {
    for words in [&[1_i64][..], BIGS[3]] {
        let input = bytes_of(words);
        t.raises(t.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&input), std::ptr::null_mut()), &[])?;
    }
    Ok(())
}

/// Making and releasing integers does not make the heap grow.
#[check(BIG_0014)]
fn no_growth(t: &Trial) -> Verdict {
    t.no_growth("making and releasing integers of one and of three words", || {
        make(t, &[1])?;
        // A target may make a second object when it drops sign words, and has to end the first.
        make(t, &extended(BIGS[5], 3))?;
        make(t, BIGS[5]).map(drop)
    })
}

/// Four threads make, read and release integers at once, and get the right answers.
#[check(BIG_0015)]
fn threads(t: &Trial) -> Verdict {
    t.threads(4, |t, number| {
        for round in 0..150 {
            let words = vec![0x0101_0101_0101 * (number as i64 + 1); 1 + round % 6];
            let made = make(t, &words)?;
            holds(t, "content", &made.any(), &words)?;
        }
        Ok(())
    })
}
