//! Data types and their texts.
//!
//! Texts are handed over with a NUL behind them, as C literals are: releases before 0.1.8 rely on it, which the checks of
//! DTY-0022 show and the others leave alone.

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict},
    trial::Trial,
};

/// Codes whose name is followed by the number of bits.
pub const SIZED: [(&str, u8); 4] = [("int", kDLInt), ("uint", kDLUInt), ("float", kDLFloat), ("bfloat", kDLBfloat)];
/// Those of [`SIZED`] that every release reads and writes with any number of bits.
pub const NUMBERS: [(&str, u8); 3] = [SIZED[0], SIZED[1], SIZED[2]];
/// Some numbers of bits.
pub const BITS: [u8; 8] = [2, 4, 8, 16, 32, 64, 128, 255];

/// Small floats of eight bits: what follows `float`, which tells the bits.
pub const FLOAT8: [(&str, DLDataType); 8] = [
    ("8_e3m4", one(kDLFloat8_e3m4, 8)),
    ("8_e4m3", one(kDLFloat8_e4m3, 8)),
    ("8_e4m3b11fnuz", one(kDLFloat8_e4m3b11fnuz, 8)),
    ("8_e4m3fn", one(kDLFloat8_e4m3fn, 8)),
    ("8_e4m3fnuz", one(kDLFloat8_e4m3fnuz, 8)),
    ("8_e5m2", one(kDLFloat8_e5m2, 8)),
    ("8_e5m2fnuz", one(kDLFloat8_e5m2fnuz, 8)),
    ("8_e8m0fnu", one(kDLFloat8_e8m0fnu, 8)),
];

/// Smaller floats: what follows `float`.
pub const FLOAT6_AND_4: [(&str, DLDataType); 3] = [
    ("6_e2m3fn", one(kDLFloat6_e2m3fn, 6)),
    ("6_e3m2fn", one(kDLFloat6_e3m2fn, 6)),
    ("4_e2m1fn", one(kDLFloat4_e2m1fn, 4)),
];

/// Numbers of lanes of a vector. As a negative number, each stands for a scalable vector.
pub const LANES: [i16; 8] = [2, 3, 4, 8, 16, 255, 256, i16::MAX];

pub const VOID: DLDataType = DLDataType { code: kDLOpaqueHandle, bits: 0, lanes: 0 };
pub const HANDLE: DLDataType = one(kDLOpaqueHandle, 64);
pub const BOOL: DLDataType = one(kDLBool, 8);
pub const BIT: DLDataType = one(kDLUInt, 1);

/// One lane.
pub const fn one(code: u8, bits: u8) -> DLDataType {
    DLDataType { code, bits, lanes: 1 }
}

/// A vector with that many lanes; a negative number makes it scalable.
pub const fn vector(lane: DLDataType, lanes: i16) -> DLDataType {
    DLDataType { lanes: lanes as u16, ..lane }
}

/// The text as a C literal has it, with a NUL behind.
pub fn terminated(text: &str) -> Vec<u8> {
    [text.as_bytes(), b"\0"].concat()
}

/// A view of such a text without its NUL.
pub fn array(terminated: &[u8]) -> TVMFFIByteArray {
    TVMFFIByteArray::new(&terminated[..terminated.len() - 1])
}

/// The data type that a text is read as.
pub fn read(t: &Trial, text: TVMFFIByteArray) -> Verdict<DLDataType> {
    let mut out = DLDataType { code: 0xC0, bits: 0xB1, lanes: 0x1A9E };
    t.ok(t.api.TVMFFIDataTypeFromString(&text, &mut out))?;
    Ok(out)
}

pub fn expect_read(t: &Trial, text: &str, expected: DLDataType) -> Verdict {
    t.eq(format_args!("data type of `{text}`"), read(t, array(&terminated(text)))?, expected)
}

/// Expects a text to be read as a data type, or to be refused.
pub fn read_or_refused(t: &Trial, text: &str, expected: DLDataType) -> Verdict {
    let mut out = VOID;
    match t.api.TVMFFIDataTypeFromString(&array(&terminated(text)), &mut out) {
        0 => t.eq(format_args!("data type of `{text}`"), out, expected),
        status => t.raises(status, &["ValueError"]).map(drop),
    }
}

/// Expects a text to be refused as a data type.
pub fn refused(t: &Trial, text: &str) -> Verdict {
    let mut out = VOID;
    t.raises(t.api.TVMFFIDataTypeFromString(&array(&terminated(text)), &mut out), &["ValueError"]).map(drop)
}

/// The text as the target wrote it.
pub fn write(t: &Trial, dtype: DLDataType) -> Verdict<Owned> {
    let mut out = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIDataTypeToString(&dtype, &mut out))?;
    Ok(t.own(out))
}

pub fn expect_written(t: &Trial, dtype: DLDataType, expected: &str) -> Verdict {
    let text = t.text(&write(t, dtype)?.any())?;
    t.eq(format_args!("text of {dtype:?}"), lossy(&text), expected.to_owned())
}

pub fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
