//! Floats as they are printed, with six digits.

use crate::{
    checks::check,
    client::{Verdict, view},
    trial::Trial,
};

/// A float is printed with six digits as C's `%g` prints it, also where rounding carries into a digit that it does not have, or
/// to the power of ten from which on there is an exponent.
#[check(REC_0022)]
fn floats_that_carry(t: &Trial) -> Verdict {
    for exponent in (-30..=40).chain((-307..-30).step_by(9)).chain((41..=308).step_by(9)) {
        // Just below the power, on either side of where it is rounded up.
        for digits in
            ["9.99999", "9.999994", "9.9999949", "9.9999951", "9.999996", "9.99999999", "1", "1.000001", "1.00001"]
        {
            let sign = if exponent % 3 == 0 { "-" } else { "" };
            let value: f64 = format!("{sign}{digits}e{exponent}").parse().unwrap_or_default();
            let text = printed_by_c(value);
            // A whole number may have a point behind it, as it has in Python.
            if text.contains(['.', 'e']) {
                t.prints(&view::float(value), &text)?;
            } else {
                let found = t.printed(&view::float(value))?;
                let (point, expected) = (format!("{text}.0"), format!("{text} or {text}.0"));
                t.that(format_args!("{value} printed"), found == text || found == point, expected, &found)?;
            }
        }
    }
    Ok(())
}

/// What `%g` makes of a number in the locale of this program, which is C's.
fn printed_by_c(value: f64) -> String {
    let mut text = [0_u8; 64];
    // SAFETY: the text is as large as said, and `%g` of a double is shorter.
    let size = unsafe { libc::snprintf(text.as_mut_ptr().cast(), text.len(), c"%g".as_ptr(), value) };
    String::from_utf8_lossy(&text[..size as usize]).into_owned()
}
