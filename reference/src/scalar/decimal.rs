//! Floating-point numbers as C writes and reads them, whatever the locale of the program.

/// Reads all of `text`, digits with perhaps a sign, a point and an exponent, as the nearest number; `None` if it is no
/// number, or one that no double comes close to. `strtod` as the releases use it also refuses the smallest numbers, which
/// can then be written but not be read.
pub fn parse(text: &[u8]) -> Option<f64> {
    str::from_utf8(text).ok()?.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Writes a number with so many significant digits, and without zeros at the end: `%.{digits}g`.
pub fn general(value: f64, digits: usize) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if !value.is_finite() {
        return format!("{sign}{}", if value.is_nan() { "nan" } else { "inf" });
    }
    let magnitude = value.abs();
    let precision = digits.max(1) - 1;
    let scientific = format!("{magnitude:.precision$e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    match usize::try_from(exponent + 4) {
        // From 0.0001 on, and below the number that has one digit too many.
        Ok(above) if above < digits + 4 => {
            let decimals = precision + 4 - above;
            format!("{sign}{}", without_zeros(&format!("{magnitude:.decimals$}")))
        }
        _ => format!("{sign}{}e{exponent:+03}", without_zeros(mantissa)),
    }
}

fn without_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use std::ffi::c_int;

    use super::*;

    fn printed_by_c(value: f64, digits: usize) -> String {
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
        fn any_number_is_written_as_in_c_and_comes_back(bits: u64) {
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
