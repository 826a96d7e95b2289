//! Data types, which the two sides number differently: 6 and 7 of the legacy generation are kinds of float8, today a boolean and
//! another float8.

use tvm_ffi_spec::DLDataType;

use crate::problem::{Problem, Result};

/// The codes of the legacy generation beside today's, where both mean the same.
const SAME_MEANING: [(u8, u8, u8); 3] = [
    // e4m3 with finite values only, e5m2, e2m1.
    (6, 8, 10),
    (7, 8, 12),
    (8, 4, 17),
];
/// Integers, floating-point numbers, pointers, and bfloat: numbered alike.
const LAST_ALIKE: u8 = 4;
const UINT: u8 = 1;
const BOOL: u8 = 6;

/// A data type of the legacy generation as today's library numbers it.
pub fn to_ffi(dtype: DLDataType) -> Result<DLDataType> {
    let DLDataType { code, bits, lanes } = dtype;
    if (code, bits) == (UINT, 1) {
        return Ok(DLDataType { code: BOOL, bits: 8, lanes });
    }
    if code <= LAST_ALIKE {
        return Ok(dtype);
    }
    let found = SAME_MEANING.iter().find(|(legacy, width, _)| (*legacy, *width) == (code, bits));
    match found {
        Some((_, _, today)) => Ok(DLDataType { code: *today, bits, lanes }),
        None => Err(without_form("legacy", "today", dtype)),
    }
}

/// A data type of today's as the legacy generation numbers it.
pub fn to_legacy(dtype: DLDataType) -> Result<DLDataType> {
    let DLDataType { code, bits, lanes } = dtype;
    if (code, bits) == (BOOL, 8) {
        return Ok(DLDataType { code: UINT, bits: 1, lanes });
    }
    if code <= LAST_ALIKE {
        return Ok(dtype);
    }
    let found = SAME_MEANING.iter().find(|(_, width, today)| (*today, *width) == (code, bits));
    match found {
        Some((legacy, _, _)) => Ok(DLDataType { code: *legacy, bits, lanes }),
        None => Err(without_form("today's", "the legacy generation", dtype)),
    }
}

fn without_form(whose: &str, where_: &str, DLDataType { code, bits, lanes }: DLDataType) -> Problem {
    Problem::of_type(format!(
        "{whose} data type with code {code}, {bits} bits and {lanes} lanes has no form in {where_}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_over_comes_back() {
        let types = (0..=8).flat_map(|code| [1, 4, 8, 16, 32, 64].map(|bits| DLDataType { code, bits, lanes: 3 }));
        let there: Vec<_> = types.filter_map(|dtype| Some((dtype, to_ffi(dtype).ok()?))).collect();
        assert!(there.len() > 25);
        for (dtype, today) in there {
            let back = to_legacy(today).unwrap();
            assert_eq!((back.code, back.bits, back.lanes), (dtype.code, dtype.bits, dtype.lanes));
        }
    }

    #[test]
    fn a_number_with_another_meaning_is_not_passed_on() {
        let float8 = to_ffi(DLDataType { code: 6, bits: 8, lanes: 1 }).unwrap();
        assert_eq!(float8.code, 10);
        let boolean = to_legacy(DLDataType { code: 6, bits: 8, lanes: 1 }).unwrap();
        assert_eq!((boolean.code, boolean.bits), (1, 1));
        // e3m4 has no name in the legacy generation, where its number means e5m2.
        assert!(to_legacy(DLDataType { code: 7, bits: 8, lanes: 1 }).is_err());
        assert!(to_ffi(DLDataType { code: 10, bits: 8, lanes: 1 }).is_err());
    }
}
