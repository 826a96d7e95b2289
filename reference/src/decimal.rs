//! Floating-point numbers as C writes and reads them, whatever the locale of the program.

use std::{
    ffi::{CString, c_char, c_int},
    ptr,
    sync::LazyLock,
};

unsafe extern "C" {
    fn strtod_l(text: *const c_char, end: *mut *mut c_char, locale: libc::locale_t) -> f64;
}

/// The locale whose decimal point is a point.
struct CLocale(libc::locale_t);

// SAFETY: the locale is never changed.
unsafe impl Send for CLocale {}
// SAFETY: as above.
unsafe impl Sync for CLocale {}

static C_LOCALE: LazyLock<CLocale> = LazyLock::new(|| {
    // SAFETY: the name is a C string, and no base is given.
    CLocale(unsafe { libc::newlocale(libc::LC_ALL_MASK, c"C".as_ptr(), ptr::null_mut()) })
});

/// Reads all of `text` as `strtod` does; `None` if it is no number, or one that a double cannot come close to.
pub fn parse(text: &[u8]) -> Option<f64> {
    let text = CString::new(text).ok()?;
    let mut end = ptr::null_mut();
    // SAFETY: the text is a C string, the end is writable, and the locale is that of C or NULL for none.
    let (value, status) = unsafe {
        *errno() = 0;
        let value = if C_LOCALE.0.is_null() {
            libc::strtod(text.as_ptr(), &mut end)
        } else {
            strtod_l(text.as_ptr(), &mut end, C_LOCALE.0)
        };
        (value, *errno())
    };
    let all = text.as_bytes().as_ptr_range().end == end.cast_const().cast();
    (status == 0 && all && !text.is_empty()).then_some(value)
}

/// Where this thread has the status of its last call into C.
fn errno() -> *mut c_int {
    // SAFETY: the function has no requirements.
    #[cfg(any(target_os = "linux", target_os = "emscripten", target_os = "hurd"))]
    return unsafe { libc::__errno_location() };
    // SAFETY: the function has no requirements.
    #[cfg(not(any(target_os = "linux", target_os = "emscripten", target_os = "hurd")))]
    return unsafe { libc::__error() };
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
    #[case(b"2.2250738585072012e-308", None)]
    #[case(b"1e-310", None)]
    #[case(b"1e309", None)]
    #[case(b"1e", None)]
    #[case(b"1\0", None)]
    #[case(b"", None)]
    fn numbers_out_of_range_and_other_texts_are_none(#[case] text: &[u8], #[case] value: Option<f64>) {
        assert_eq!(parse(text), value);
    }

    proptest! {
        #[test]
        fn any_number_is_written_as_in_c_and_comes_back(bits: u64) {
            let value = f64::from_bits(bits);
            for digits in [6, 17] {
                prop_assert_eq!(general(value, digits), printed_by_c(value, digits));
            }
            if value.is_normal() {
                prop_assert_eq!(parse(general(value, 17).as_bytes()), Some(value));
            }
        }
    }
}
