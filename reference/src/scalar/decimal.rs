//! Floating-point numbers as C writes and reads them, whatever the locale of the program.

/// Reads all of `text`, digits with perhaps a sign, a point and an exponent, as the nearest number; `None` if it is no
/// number, or one that no double comes close to. `strtod` as the releases use it also refuses the smallest numbers, which
/// can then be written but not be read.
pub fn parse(text: &[u8]) -> Option<f64> {
    str::from_utf8(text).ok()?.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Writes an integer.
#[inline]
pub fn write_int(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Writes a number with so many significant digits, 17 at most, and without zeros at the end: `%.{digits}g`.
pub fn write_general(out: &mut Vec<u8>, value: f64, digits: u32) {
    if value.is_sign_negative() {
        out.push(b'-');
    }
    let magnitude = value.abs();
    if magnitude.is_nan() || magnitude.is_infinite() {
        return out.extend_from_slice(if magnitude.is_nan() { b"nan" } else { b"inf" });
    }
    if magnitude == 0.0 {
        return out.push(b'0');
    }
    let (significand, exponent) = exactly(magnitude, digits).unwrap_or_else(|| by_formatting(magnitude, digits));
    let mut buffer = itoa::Buffer::new();
    let significand = buffer.format(significand).trim_end_matches('0').as_bytes();
    match usize::try_from(exponent) {
        // Below the number that has one digit too many.
        Ok(exponent) if exponent < digits as usize => {
            let (whole, fraction) = significand.split_at(significand.len().min(exponent + 1));
            out.extend_from_slice(whole);
            out.resize(out.len() + exponent + 1 - whole.len(), b'0');
            write_fraction(out, fraction);
        }
        // From 0.0001 on.
        Err(_) if exponent >= -4 => {
            out.extend_from_slice(&b"0.000"[..(1 - exponent) as usize]);
            out.extend_from_slice(significand);
        }
        _ => {
            out.push(significand[0]);
            write_fraction(out, &significand[1..]);
            out.extend_from_slice(format!("e{exponent:+03}").as_bytes());
        }
    }
}

fn write_fraction(out: &mut Vec<u8>, digits: &[u8]) {
    if !digits.is_empty() {
        out.push(b'.');
        out.extend_from_slice(digits);
    }
}

/// The first digits of a positive number, rounded to even where that is a tie, and the exponent of the first one; `None`
/// for numbers for which 128 bits are too few.
fn exactly(value: f64, digits: u32) -> Option<(u64, i32)> {
    const POWERS_OF_5: [u64; 28] = {
        let mut powers = [1; 28];
        let mut at = 1;
        while at < powers.len() {
            powers[at] = powers[at - 1] * 5;
            at += 1;
        }
        powers
    };
    let (bits, subnormal) = (value.to_bits(), value < f64::MIN_POSITIVE);
    if subnormal {
        return None;
    }
    // The value is `mantissa * 2^power`.
    let (mantissa, power) = (bits & ((1 << 52) - 1) | 1 << 52, (bits >> 52) as i32 - 1075);
    // A decimal exponent that is right, or one too low: 78913 / 2^18 is a little less than the logarithm of 2.
    let mut exponent = ((power + 52) * 78_913) >> 18;
    let (least, limit) = (10_u64.pow(digits - 1), 10_u64.pow(digits));
    loop {
        // The value times `10^scale` is to have so many digits before the point.
        let scale = digits as i32 - 1 - exponent;
        let product = u128::from(mantissa) * u128::from(*POWERS_OF_5.get(usize::try_from(scale).ok()?)?);
        let shift = power + scale;
        let (whole, half) = if shift >= 0 {
            (product.checked_shl(shift as u32)?, None)
        } else {
            let rest = product & !(u128::MAX.checked_shl(-shift as u32)?);
            (product >> -shift, rest.checked_sub(1 << (-shift - 1)))
        };
        let whole = u64::try_from(whole).ok()?;
        if whole >= limit {
            exponent += 1;
            continue;
        }
        debug_assert!(whole >= least);
        let up = half.is_some_and(|beyond| beyond > 0 || whole % 2 == 1);
        return Some(if whole + u64::from(up) == limit {
            (least, exponent + 1)
        } else {
            (whole + u64::from(up), exponent)
        });
    }
}

/// As [`exactly`], for any number.
fn by_formatting(value: f64, digits: u32) -> (u64, i32) {
    let precision = digits as usize - 1;
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let significand =
        mantissa.bytes().filter(u8::is_ascii_digit).fold(0, |all, digit| all * 10 + u64::from(digit - b'0'));
    (significand, exponent.parse().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use std::ffi::c_int;

    use super::*;

    fn general(value: f64, digits: u32) -> String {
        let mut out = Vec::new();
        write_general(&mut out, value, digits);
        String::from_utf8(out).unwrap()
    }

    fn printed_by_c(value: f64, digits: u32) -> String {
        let mut buffer = [0_u8; 512];
        // SAFETY: the buffer is as large as said, and the arguments are those of the format.
        let size = unsafe {
            libc::snprintf(buffer.as_mut_ptr().cast(), buffer.len(), c"%.*g".as_ptr(), digits as c_int, value)
        };
        String::from_utf8(buffer[..size as usize].to_vec()).unwrap()
    }

    #[rstest]
    #[case(0.0)]
    #[case(-0.0)]
    #[case(0.1)]
    #[case(1e-4)]
    #[case(1e-5)]
    #[case(9.99999e-5)]
    #[case(999_999.5)]
    #[case(1e6)]
    #[case(1e16)]
    #[case(1e17)]
    #[case(1e22)]
    #[case(0.5_f64.powi(25))] // a tie in the last of 17 digits
    #[case(f64::MAX)]
    #[case(f64::MIN_POSITIVE)]
    #[case(5e-324)]
    #[case(f64::INFINITY)]
    #[case(f64::NEG_INFINITY)]
    fn numbers_are_written_as_in_c(#[case] value: f64) {
        for digits in [1, 6, 17] {
            assert_eq!(general(value, digits), printed_by_c(value, digits));
        }
    }

    #[rstest]
    #[case(b"1.", Some(1.0))]
    #[case(b".5", Some(0.5))]
    #[case(b"+1e+2", Some(100.0))]
    #[case(b"0e-999", Some(0.0))]
    #[case(b"2.2250738585072014e-308", Some(f64::MIN_POSITIVE))]
    #[case(b"1e-310", Some(1e-310))]
    #[case(b"1e-999", Some(0.0))]
    #[case(b"1e309", None)]
    #[case(b"1e", None)]
    #[case(b"1\0", None)]
    #[case(b"", None)]
    fn numbers_are_read_and_other_texts_are_not(#[case] text: &[u8], #[case] value: Option<f64>) {
        assert_eq!(parse(text), value);
    }

    proptest! {
        #[test]
        fn any_number_is_written_as_in_c_and_comes_back(bits: u64, near_one: f64, whole in -1000_i32..1000) {
            let ordinary = [near_one.sin(), f64::from(whole) / 8.0, near_one % 1e9, f64::from(whole) * 1e-7];
            for value in ordinary.into_iter().filter(|value| value.is_finite()) {
                for digits in [1, 6, 17] {
                    prop_assert_eq!(general(value, digits), printed_by_c(value, digits));
                }
            }
            let value = f64::from_bits(bits);
            for digits in [6, 17] {
                prop_assert_eq!(general(value, digits), printed_by_c(value, digits));
            }
            if value.is_finite() {
                prop_assert_eq!(parse(general(value, 17).as_bytes()), Some(value));
            }
        }
    }
}
