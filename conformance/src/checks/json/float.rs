//! The floats that JSON numbers are read as.

use std::{iter::repeat_n, slice::from_ref};

use proptest::{
    collection::vec,
    num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO},
    prelude::any,
};
use tvm_ffi_spec::*;

use super::kit::{parse, reads};
use crate::{
    checks::check,
    client::{Verdict, model::Value, view},
    trial::Trial,
};

/// A JSON number with a fraction or an exponent is read as the nearest float.
#[check(JSN_0003)]
fn floats(t: &Trial) -> Verdict {
    let texts = ["0.0", "1.5", "-0.25", "1e3", "1E3", "2e-3", "-1.5e+2", "123456789.125", "1e300", "2.5e-308", "0.1"];
    texts.iter().try_for_each(|text| reads(t, &[(text, Value::float(text.parse().unwrap_or_default()))]))
}

/// A JSON number between two floats is read as the nearer, and one half way as the even one, however many digits tell that.
#[check(JSN_0003)]
fn floats_between_two(t: &Trial) -> Verdict {
    let half = "1.00000000000000011102230246251565404236316680908203125";
    let zeros = "0".repeat(800);
    let texts = [
        half.to_owned(),
        format!("{half}{zeros}1"),
        format!("{half}{zeros}"),
        "1.00000000000000033306690738754696212708950042724609375".to_owned(),
        "1.0000000000000001110223024625156540423631668090820312".to_owned(),
        "9007199254740993.0".to_owned(),
        "9007199254740995.0".to_owned(),
        "-9007199254740993.0".to_owned(),
        "9007199254740992.999999999999999999".to_owned(),
        // Half way between two floats of 32 bits and a little more, which two roundings take for the even one.
        "1.00000005960464477539062500000000000001e0".to_owned(),
        "1e23".to_owned(),
        "8.41e21".to_owned(),
        "0.000001e6".to_owned(),
        format!("1{zeros}e-800"),
        format!("0.{zeros}1e801"),
        "2.2250738585072014e-308".to_owned(),
        "1.7976931348623157e308".to_owned(),
        "1.797693134862315807e+308".to_owned(),
        "-0.0".to_owned(),
        "-0e5".to_owned(),
    ];
    texts.iter().try_for_each(|text| reads(t, &[(text, Value::float(text.parse().unwrap_or_default()))]))
}

/// The shortest digits of a random float are read as that float, to the bit.
#[check(JSN_0003)]
fn any_float(t: &Trial) -> Verdict {
    t.property(NORMAL | ZERO | POSITIVE | NEGATIVE, |value| reads(t, &[(&format!("{value:e}"), Value::float(*value))]))
}

/// The shortest digits of a random subnormal float are read as that float, to the bit.
#[check(JSN_0037)]
fn subnormals(t: &Trial) -> Verdict {
    t.property(SUBNORMAL | POSITIVE | NEGATIVE, |value| reads(t, &[(&format!("{value:e}"), Value::float(*value))]))
}

/// A JSON number of any count of digits, with any power of ten behind it, is read as the nearest float.
#[check(JSN_0003)]
fn floats_of_any_power(t: &Trial) -> Verdict {
    // A list of digits that has no pattern to it.
    let digits = |seed: i32, count: usize| {
        let mixed = u64::from(seed.unsigned_abs() + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let digits = format!("{mixed:020}{:020}", mixed.rotate_left(29).wrapping_mul(0x94D0_49BB_1331_11EB));
        digits.trim_start_matches('0')[..count].to_owned()
    };
    // Each digit at each power, and the counts of digits that a word holds or nearly holds at the powers that a float holds or nearly holds.
    let few = (-307..=307).flat_map(|power| (1..=9).map(move |digit| format!("{digit}e{power}")));
    let many = (-60..=60).flat_map(|power| (2..=20).map(move |count| (power, count)));
    let many = many.map(|(power, count)| format!("{}e{power}", digits(power * 32 + count as i32, count)));
    let far = (-280..=280).map(|power| format!("{}E{power}", digits(power, 1 + power.unsigned_abs() as usize % 20)));
    let texts = few.chain(many).chain(far).map(|text| {
        // What the standard library reads is the nearest one, of two the even one.
        let nearest = text.parse().unwrap_or_default();
        (text, nearest)
    });
    let texts = texts.collect::<Vec<(String, f64)>>();
    read_as(t, &texts)?;
    // A number that is the whole text may be read by a way of its own.
    texts.iter().filter(|(text, _)| text.len() < 5).try_for_each(|case| read_as(t, from_ref(case)))
}

/// A JSON number whose digits are just as many as a float holds, or one more or less, is read as the nearest float, wherever its point is and
/// whatever power of ten is behind it.
#[check(JSN_0003)]
fn floats_of_digits_that_just_fit(t: &Trial) -> Verdict {
    const FIT: u64 = 1 << 53;
    // The first integers that no float is, those where every second and every fourth is one, and the last of a word.
    let edges = [FIT, 2 * FIT, 4 * FIT, 10 * (FIT + 1), 100 * (FIT + 1), 1 << 60, 1 << 63, u64::MAX - 2];
    let near = edges.into_iter().flat_map(|edge| edge - 2..=edge + 2);
    let others = [999_999_999_999_999, 900_719_925_474_099, 9_123_456_789_012_345, 9_999_999_999_999_997];
    let mut texts: Vec<(String, f64)> = Vec::new();
    for (digits, power) in near.chain(others).flat_map(|digits| (-25_i32..=25).map(move |power| (digits, power))) {
        let digits = digits.to_string();
        let (first, rest) = digits.split_at(1 + power.unsigned_abs() as usize % (digits.len() - 1));
        for text in [format!("{digits}e{power}"), format!("-{first}.{rest}E{}", power + rest.len() as i32)] {
            // What the standard library reads is the nearest one, of two the even one.
            let nearest = text.parse().unwrap_or_default();
            texts.push((text, nearest));
        }
    }
    read_as(t, &texts)
}

/// JSON numbers of random digits, about as many as a float holds, with random powers of ten are read as the nearest floats.
#[check(JSN_0003)]
fn any_digits(t: &Trial) -> Verdict {
    // Of random words: to make texts of a pattern takes longer than to read them.
    t.property_told(
        vec(any::<(u64, u64)>(), 1..60),
        |words| format!("{:?}", words.iter().map(number_of).collect::<Vec<_>>()),
        |words| {
            let nearest = |words| {
                let text = number_of(words);
                let nearest = text.parse().unwrap_or_default();
                (text, nearest)
            };
            read_as(t, &words.iter().map(nearest).collect::<Vec<(String, f64)>>())
        },
    )
}

/// A number of 13 to 19 digits, a fraction of up to three or none, and an exponent of one digit or two.
fn number_of(&(digits, form): &(u64, u64)) -> String {
    let least = 10_u64.pow(12 + (form % 7) as u32);
    let (minus, digits) = (["", "-"][(form >> 8 & 1) as usize], least + digits % (9 * least));
    // The point and one to three digits of four characters, or nothing.
    let fraction = format!(".{:03}", (form >> 24 & 0xFFF) % 1000);
    let fraction = &fraction[..[0, 0, 0, 2, 3, 4][(form >> 16 & 0xFF) as usize % 6]];
    let (letter, sign) = (["e", "E"][(form >> 36 & 1) as usize], ["", "+", "-"][(form >> 40 & 0xFF) as usize % 3]);
    format!("{minus}{digits}{fraction}{letter}{sign}{}", (form >> 48) % 40)
}

/// A JSON number that lies half way between two floats of any size is read as the even one, and what is a little more or less as the one on that side.
#[check(JSN_0003)]
fn floats_half_way_at_any_power(t: &Trial) -> Verdict {
    let mut texts = Vec::new();
    for power in
        [-1000, -700, -333, -128, -63, -31, -20, -4, -1, 0, 1, 4, 10, 25, 51, 52, 53, 63, 64, 100, 127, 334, 701, 1000]
    {
        for fraction in [0, 1, 0x8_0000_0000_0000, 0xF_FFFF_FFFF_FFFE, 0x5_5555_5555_5555_u64] {
            let below = f64::from_bits(((power + 1023) as u64) << 52 | fraction);
            let above = f64::from_bits(below.to_bits() + 1);
            let even = if fraction % 2 == 0 { below } else { above };
            let (digits, exponent) = half_way(1 << 52 | fraction, power - 52);
            // The last digit is not 0.
            let (first, last) = digits.split_at(digits.len() - 1);
            let less = format!("{first}{}9", last.parse::<u8>().unwrap_or(1) - 1);
            texts.extend([
                (format!("{digits}e{exponent}"), even),
                (format!("-{}.{}e{}", &digits[..1], &digits[1..], exponent + digits.len() as i32 - 1), -even),
                (format!("{digits}000.000E{}", exponent - 3), even),
                (format!("{digits}00000000000000000001e{}", exponent - 20), above),
                (format!("{less}e{}", exponent - 1), below),
            ]);
        }
    }
    read_as(t, &texts)
}

/// The number half way between `mantissa` and the next one, times that power of two: its digits, of which the last is not 0, and the power of ten behind them.
fn half_way(mantissa: u64, power: i32) -> (String, i32) {
    // In parts of nine digits, the last one first.
    const PART: u64 = 1_000_000_000;
    let (odd, power) = (2 * mantissa + 1, power - 1);
    let mut parts = vec![odd % PART, odd / PART % PART];
    // n / 2^k is n * 5^k / 10^k.
    let factor = if power < 0 { 5_u64 } else { 2 };
    let steps = power.unsigned_abs() as usize;
    for factor in repeat_n(u64::pow(factor, 8), steps / 8).chain(repeat_n(factor, steps % 8)) {
        let mut carry = 0;
        for part in &mut parts {
            carry += *part * factor;
            *part = carry % PART;
            carry /= PART;
        }
        parts.extend((carry > 0).then_some(carry));
    }
    let digits: String = parts.iter().rev().map(|part| format!("{part:09}")).collect();
    let digits = digits.trim_start_matches('0');
    let significant = digits.trim_end_matches('0');
    (significant.to_owned(), power.min(0) + (digits.len() - significant.len()) as i32)
}

/// Expects each of these numbers to be read as that float, to the bit; all in one text, which is what makes so many of them cheap.
fn read_as(t: &Trial, cases: &[(String, f64)]) -> Verdict {
    let texts: Vec<_> = cases.iter().map(|(text, _)| text.as_str()).collect();
    let read = match &texts[..] {
        [text] => parse(t, text)?,
        _ => parse(t, &format!("[{}]", texts.join(",")))?,
    };
    let items = if texts.len() == 1 { vec![read.any()] } else { t.sequence(read.handle())?.items };
    t.eq("numbers that were read", items.len(), cases.len())?;
    for ((text, expected), found) in cases.iter().zip(items) {
        if (found.type_index, found.payload()) != (kTVMFFIFloat, expected.to_bits()) {
            let end = text.char_indices().nth(60).map_or("", |_| " and more");
            let what = format_args!("what {}{end} reads as", &text[..text.len().min(60)]);
            t.any_eq(what, &found, &view::float(*expected))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_way_is_half_way() {
        assert_eq!(half_way(1 << 52, -52), ("100000000000000011102230246251565404236316680908203125".into(), -53));
        assert_eq!(half_way(1 << 52, 0), ("45035996273704965".into(), -1));
        assert_eq!(half_way(1 << 52, 1), ("9007199254740993".into(), 0));
        assert_eq!(half_way((1 << 52) + 1, 3), ("3602879701896398".into(), 1));
    }
}
