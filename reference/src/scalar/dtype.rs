//! Data types as text: `int32`, `float16x4`, `float8_e4m3fn`, `float32xvscalex4`, `custom[posit]`.
//!
//! A type is a code, the bits of one lane and a number of lanes. Types whose name fixes their width (`float8_*` and the
//! like) are matched from a table; the others are a name with an optional width. Custom codes have names that the
//! program registers as global functions, so reading and writing them is left to the caller's closures.

use tvm_ffi_spec::{
    DLDataType, kDLBfloat, kDLBool, kDLFloat, kDLFloat4_e2m1fn, kDLFloat6_e2m3fn, kDLFloat6_e3m2fn, kDLFloat8_e3m4,
    kDLFloat8_e4m3, kDLFloat8_e4m3b11fnuz, kDLFloat8_e4m3fn, kDLFloat8_e4m3fnuz, kDLFloat8_e5m2, kDLFloat8_e5m2fnuz,
    kDLFloat8_e8m0fnu, kDLInt, kDLOpaqueHandle, kDLUInt,
};

use crate::{
    border::error::{Error, Result},
    function::{self, registry},
    generation::NEW_DTYPES,
    types::schema::Type,
    value::{any::Any, bit_hash, text},
};

/// The first code that belongs to custom types.
pub const CUSTOM_BEGIN: u8 = 129;

/// Nothing: written as the empty string, read from it and from `void`.
pub const VOID: DLDataType = DLDataType { code: kDLOpaqueHandle, bits: 0, lanes: 0 };

/// What the beginning of a text says of the type.
#[derive(Clone, Copy)]
enum Meaning {
    /// A code, and the width when none is given. A width may follow.
    Sized(u8, u8),
    /// A name that fixes the width; the variant follows.
    Variant(&'static Family),
    /// A name that the program knows follows in brackets.
    Custom,
}

/// A family of names that fix the width.
struct Family {
    prefix: &'static str,
    bits: u8,
    /// Lanes may be set off by an underscore, as in `float4_e2m1fn_x2`.
    underscore: bool,
    names: &'static [(&'static str, u8)],
}

static FLOAT8: Family = Family {
    prefix: "float8_",
    bits: 8,
    underscore: false,
    names: &[
        ("float8_e3m4", kDLFloat8_e3m4),
        ("float8_e4m3", kDLFloat8_e4m3),
        ("float8_e4m3b11fnuz", kDLFloat8_e4m3b11fnuz),
        ("float8_e4m3fn", kDLFloat8_e4m3fn),
        ("float8_e4m3fnuz", kDLFloat8_e4m3fnuz),
        ("float8_e5m2", kDLFloat8_e5m2),
        ("float8_e5m2fnuz", kDLFloat8_e5m2fnuz),
        ("float8_e8m0fnu", kDLFloat8_e8m0fnu),
    ],
};

static FLOAT6: Family = Family {
    prefix: "float6_",
    bits: 6,
    underscore: false,
    names: &[("float6_e2m3fn", kDLFloat6_e2m3fn), ("float6_e3m2fn", kDLFloat6_e3m2fn)],
};

static FLOAT4: Family =
    Family { prefix: "float4_", bits: 4, underscore: true, names: &[("float4_e2m1fn", kDLFloat4_e2m1fn)] };

/// How a text may begin.
struct Beginning {
    /// As it is written: a word of eight bytes, and those of its bits that count.
    word: u64,
    mask: u64,
    len: usize,
    /// As it is spelled out.
    name: &'static str,
    meaning: Meaning,
    /// A short spelling that needs a digit next, lest `index` be taken for `int`.
    needs_digit: bool,
}

const fn beginning(written: &str, name: &'static str, meaning: Meaning) -> Beginning {
    let (bytes, mut word, mut len) = (written.as_bytes(), 0, 0);
    while len < bytes.len() {
        word |= (bytes[len] as u64) << (8 * len);
        len += 1;
    }
    Beginning { word, mask: (1 << (8 * len)) - 1, len, name, meaning, needs_digit: false }
}

const fn full(name: &'static str, meaning: Meaning) -> Beginning {
    beginning(name, name, meaning)
}

const fn short(written: &str, name: &'static str, meaning: Meaning) -> Beginning {
    Beginning { needs_digit: true, ..beginning(written, name, meaning) }
}

const INT: Meaning = Meaning::Sized(kDLInt, 32);
const UINT: Meaning = Meaning::Sized(kDLUInt, 32);
const BOOL: Meaning = if NEW_DTYPES { Meaning::Sized(kDLBool, 8) } else { Meaning::Sized(kDLUInt, 1) };
const FLOAT: Meaning = Meaning::Sized(kDLFloat, 32);
const BFLOAT: Meaning = Meaning::Sized(kDLBfloat, 16);
const HANDLE: Meaning = Meaning::Sized(kDLOpaqueHandle, 64);

/// All beginnings; short ones are behind the others. Of two that fit the first counts.
static BEGINNINGS: [Beginning; 20] = [
    full("float8_", Meaning::Variant(&FLOAT8)),
    full("float6_", Meaning::Variant(&FLOAT6)),
    full("float4_", Meaning::Variant(&FLOAT4)),
    full("float", FLOAT),
    full("int", INT),
    full("uint", UINT),
    full("bool", BOOL),
    full("bfloat", BFLOAT),
    full("handle", HANDLE),
    full("custom", Meaning::Custom),
    beginning("fp8_", "float8_", Meaning::Variant(&FLOAT8)),
    beginning("fp6_", "float6_", Meaning::Variant(&FLOAT6)),
    beginning("fp4_", "float4_", Meaning::Variant(&FLOAT4)),
    beginning("f8_", "float8_", Meaning::Variant(&FLOAT8)),
    beginning("f6_", "float6_", Meaning::Variant(&FLOAT6)),
    beginning("f4_", "float4_", Meaning::Variant(&FLOAT4)),
    short("i", "int", INT),
    short("u", "uint", UINT),
    short("bf", "bfloat", BFLOAT),
    short("f", "float", FLOAT),
];

/// How many of them are known.
const KNOWN: usize = if NEW_DTYPES { BEGINNINGS.len() } else { 10 };

/// Reads a data type. `custom_code` finds the code of a custom name.
///
/// # Errors
/// `ValueError` for text that is no data type, and whatever `custom_code` fails with.
#[inline(always)]
pub fn parse(text: &[u8], custom_code: impl FnOnce(&str) -> Result<u8>) -> Result<DLDataType> {
    if text.is_empty() { Ok(VOID) } else { parse_some(text, custom_code) }
}

/// As [`parse`], of a text that is not empty.
#[inline(never)]
fn parse_some(text: &[u8], custom_code: impl FnOnce(&str) -> Result<u8>) -> Result<DLDataType> {
    let word = bit_hash::padded(text);
    let fits = |beginning: &&Beginning| {
        word & beginning.mask == beginning.word
            && (!beginning.needs_digit || text.get(beginning.len).is_some_and(u8::is_ascii_digit))
    };
    let Some(beginning) = BEGINNINGS[..KNOWN].iter().find(fits) else {
        return if text == b"void" { Ok(VOID) } else { Err(unknown_bytes(text)) };
    };
    let behind = &text[beginning.len..];
    let mut scan = Scan { name: beginning.name, behind, rest: behind };
    let (code, default_bits) = match beginning.meaning {
        Meaning::Variant(family) => return scan.variant(family),
        Meaning::Sized(code, bits) => (code, bits),
        Meaning::Custom => (custom_code(&String::from_utf8_lossy(scan.bracketed()?))?, 32),
    };
    let bits = match scan.bits()? {
        0 => default_bits,
        bits => bits,
    };
    let lanes = if scan.skip(b"xvscale") { scan.scalable_lanes()? } else { scan.lanes()?.unwrap_or(1) };
    scan.end()?;
    Ok(DLDataType { code, bits, lanes })
}

/// What is still to be read of a text. It is copied for messages, so that it stays in registers until there is one.
#[derive(Clone, Copy)]
struct Scan<'a> {
    /// How it begins, spelled out, and what follows that.
    name: &'static str,
    behind: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Scan<'a> {
    #[inline]
    fn skip(&mut self, prefix: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// A variant that fixes the width, and lanes.
    #[inline]
    fn variant(mut self, family: &'static Family) -> Result<DLDataType> {
        let ends_name = |&byte: &u8| byte == b'x' || family.underscore && byte == b'_';
        let (variant, rest) = self.rest.split_at(self.rest.iter().position(ends_name).unwrap_or(self.rest.len()));
        let named = |(name, _): &&(&str, u8)| name.as_bytes()[family.prefix.len()..] == *variant;
        let Some(&(_, code)) = family.names.iter().find(named) else { return Err(self.unknown_variant(family)) };
        self.rest = rest;
        // Alone, it sets nothing off.
        if family.underscore && self.rest.starts_with(b"_x") {
            self.skip(b"_");
        }
        let lanes = self.lanes()?.unwrap_or(1);
        self.end()?;
        Ok(DLDataType { code, bits: family.bits, lanes })
    }

    fn bracketed(&mut self) -> Result<&'a [u8]> {
        let Some(inside) = self.rest.strip_prefix(b"[") else { return Err(self.no_brace("opening")) };
        let Some(end) = inside.iter().position(|&byte| byte == b']') else { return Err(self.no_brace("closing")) };
        self.rest = &inside[end + 1..];
        Ok(&inside[..end])
    }

    /// A decimal number, `None` when there is no digit.
    #[inline]
    fn number(&mut self) -> Result<Option<u32>> {
        // All numbers that are too large are the same one.
        let (text, mut number) = (self.rest, 0_u64);
        while let [digit @ b'0'..=b'9', rest @ ..] = self.rest {
            number = (10 * number + u64::from(digit - b'0')).min(u64::from(u32::MAX) + 1);
            self.rest = rest;
        }
        match u32::try_from(number) {
            _ if text.len() == self.rest.len() => Ok(None),
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(too_large(&text[..text.len() - self.rest.len()])),
        }
    }

    #[inline]
    fn bits(&mut self) -> Result<u8> {
        let bits = self.number()?.unwrap_or(0);
        u8::try_from(bits).map_err(|_| self.too_many_bits(bits))
    }

    /// An `x` and a number of lanes, `None` when there is no `x`.
    #[inline]
    fn lanes(&mut self) -> Result<Option<u16>> {
        if !self.skip(b"x") {
            return Ok(None);
        }
        let Some(lanes @ 1..) = self.number()? else { return Err(self.no_lanes()) };
        u16::try_from(lanes).map(Some).map_err(|_| self.too_many_lanes(lanes))
    }

    /// As [`Scan::lanes`], of a scalable vector, which does not go without: they are kept as a negative number.
    fn scalable_lanes(&mut self) -> Result<u16> {
        match self.lanes()? {
            Some(lanes @ ..=0x8000) => Ok(lanes.wrapping_neg()),
            Some(lanes) => Err(self.too_many_scalable_lanes(lanes)),
            None => Err(self.no_lanes()),
        }
    }

    #[inline]
    fn end(self) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(unknown(&self.text())) }
    }

    /// The whole text, for messages.
    #[cold]
    fn text(self) -> String {
        format!("{}{}", self.name, String::from_utf8_lossy(self.behind))
    }

    #[cold]
    fn unknown_variant(self, family: &Family) -> Error {
        value_error(format!("unknown {} type `{}`", family.prefix.trim_end_matches('_'), self.text()))
    }

    #[cold]
    fn no_brace(self, which: &str) -> Error {
        value_error(format!("expected {which} brace after 'custom' type in{}", self.text()))
    }

    #[cold]
    fn too_many_bits(self, bits: u32) -> Error {
        value_error(format!("Bits value {bits} is out of range for uint8_t in dtype '{}'", self.text()))
    }

    #[cold]
    fn no_lanes(self) -> Error {
        let text = self.text();
        value_error(format!("Invalid lanes specification in dtype '{text}'. Lanes must be a positive integer."))
    }

    #[cold]
    fn too_many_lanes(self, lanes: u32) -> Error {
        value_error(format!("Lanes value {lanes} is out of range for uint16_t in dtype '{}'", self.text()))
    }

    #[cold]
    fn too_many_scalable_lanes(self, lanes: u16) -> Error {
        value_error(format!("Lanes value {lanes} is out of range for scalable lanes in dtype '{}'", self.text()))
    }
}

#[cold]
fn too_large(digits: &[u8]) -> Error {
    let digits = String::from_utf8_lossy(digits);
    value_error(format!("Integer value in dtype string '{digits}' is out of range for uint32_t"))
}

#[cold]
fn unknown_bytes(text: &[u8]) -> Error {
    unknown(&String::from_utf8_lossy(text))
}

#[cold]
fn unknown(text: &str) -> Error {
    value_error(format!("unknown dtype `{text}`"))
}

#[cold]
fn value_error(message: String) -> Error {
    Error::new("ValueError", message)
}

/// The names of the built-in codes, without width where it is free. Complex numbers have a code but no name in this ABI.
static NAMES: [Option<&str>; kDLFloat4_e2m1fn as usize + 1] = {
    let mut names = [None; kDLFloat4_e2m1fn as usize + 1];
    let mut at = 0;
    while at < BEGINNINGS.len() {
        let name = BEGINNINGS[at].name;
        match BEGINNINGS[at].meaning {
            // A name that is not its code's own comes second.
            Meaning::Sized(code, _) if names[code as usize].is_none() => names[code as usize] = Some(name),
            Meaning::Sized(..) => {}
            Meaning::Variant(family) => {
                let mut variant = 0;
                while variant < family.names.len() {
                    let (name, code) = family.names[variant];
                    names[code as usize] = Some(name);
                    variant += 1;
                }
            }
            Meaning::Custom => {}
        }
        at += 1;
    }
    names[kDLBool as usize] = Some("bool");
    names
};

/// Writes a data type. `custom_name` finds the name of a custom code.
///
/// # Errors
/// `ValueError` for a code that is neither known nor custom, and whatever `custom_name` fails with.
pub fn print(dtype: DLDataType, custom_name: impl FnOnce(u8) -> Result<String>) -> Result<String> {
    print_to(dtype, custom_name, |text| String::from_utf8_lossy(text).into_owned())
}

/// As [`print()`], to whoever takes the bytes.
pub fn print_to<T>(
    dtype: DLDataType,
    custom_name: impl FnOnce(u8) -> Result<String>,
    take: impl FnOnce(&[u8]) -> T,
) -> Result<T> {
    let DLDataType { code, bits, lanes } = dtype;
    if dtype == VOID {
        return Ok(take(b""));
    }
    if !NEW_DTYPES && (code, bits, lanes) == (kDLUInt, 1, 1) {
        return Ok(take(b"bool"));
    }
    let name = NAMES.get(usize::from(code)).copied().flatten();
    let mut text = Text { room: [0; LONGEST], len: 0 };
    text.push(name.unwrap_or_default());
    match code {
        kDLOpaqueHandle => return Ok(take(text.bytes())),
        kDLBool if NEW_DTYPES && bits == 8 => {}
        kDLInt | kDLUInt | kDLFloat | kDLBfloat | kDLBool => text.push_number(bits.into()),
        _ => {}
    }
    match i32::from(lanes as i16) {
        lanes if lanes > 1 => {
            text.push("x");
            text.push_number(lanes.unsigned_abs());
        }
        lanes if lanes < 0 => {
            text.push("xvscalex");
            text.push_number(lanes.unsigned_abs());
        }
        _ => {}
    }
    match name {
        Some(_) => Ok(take(text.bytes())),
        // The text has only what follows the name.
        None if code >= CUSTOM_BEGIN => {
            let name = custom_name(code)?;
            Ok(take(&[b"custom[", name.as_bytes(), b"]", text.bytes()].concat()))
        }
        None => Err(value_error(format!("DLDataType contains unknown type_code={code}"))),
    }
}

/// How long the text of a built-in code can be: `float8_e4m3b11fnuzxvscalex32768`.
const LONGEST: usize = 31;

/// A text that is put together on the stack.
struct Text {
    room: [u8; LONGEST],
    len: usize,
}

impl Text {
    fn bytes(&self) -> &[u8] {
        &self.room[..self.len]
    }

    fn push(&mut self, part: &str) {
        self.room[self.len..][..part.len()].copy_from_slice(part.as_bytes());
        self.len += part.len();
    }

    fn push_number(&mut self, number: u32) {
        if number >= 10 {
            self.push_number(number / 10);
        }
        self.room[self.len] = b'0' + (number % 10) as u8;
        self.len += 1;
    }
}

/// The code of a custom type, as the program's `dtype.get_custom_type_code` has it.
///
/// # Errors
/// `ValueError` when no such function is registered, `TypeError` when it answers no number, and whatever the function fails with.
pub fn registered_code(name: &str) -> Result<u8> {
    let answer = call_registered("dtype.get_custom_type_code", text::string(name.as_bytes())?)?;
    let code = answer.view().as_int().ok_or_else(|| Type::Int.refuse(answer.view()))?;
    u8::try_from(code)
        .map_err(|_| value_error(format!("The custom type `{name}` has the code {code}, which is no byte")))
}

/// The name of a custom type, as the program's `dtype.get_custom_type_name` has it.
///
/// # Errors
/// `ValueError` when no such function is registered, `TypeError` when it answers no text, and whatever the function fails with.
pub fn registered_name(code: u8) -> Result<String> {
    let answer = call_registered("dtype.get_custom_type_name", i64::from(code).into())?;
    let name = answer.view().as_str().ok_or_else(|| Type::Str.refuse(answer.view()))?;
    Ok(String::from_utf8_lossy(name).into_owned())
}

/// The function is looked up at each call: the program may register it late, or another one instead.
fn call_registered(name: &str, argument: Any) -> Result<Any> {
    let function = registry::get(name.as_bytes()).ok_or_else(|| value_error(format!("Function {name} not found")))?;
    function::call(&function, &[*argument.view()])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use tvm_ffi_spec::kDLComplex;

    use super::*;

    fn parse_known(text: &str) -> std::result::Result<(u8, u8, u16), String> {
        let parsed =
            parse(text.as_bytes(), |name| if name == "posit" { Ok(130) } else { Err(value_error(name.to_owned())) });
        parsed.map(|DLDataType { code, bits, lanes }| (code, bits, lanes)).map_err(message)
    }

    fn print_known(code: u8, bits: u8, lanes: u16) -> std::result::Result<String, String> {
        let name = |code: u8| if code == 130 { Ok("posit".to_owned()) } else { Err(value_error(code.to_string())) };
        print(DLDataType { code, bits, lanes }, name).map_err(message)
    }

    fn message(error: Error) -> String {
        error.to_string()
    }

    #[rstest]
    #[case("", (kDLOpaqueHandle, 0, 0))]
    #[case("void", (kDLOpaqueHandle, 0, 0))]
    #[case("handle", (kDLOpaqueHandle, 64, 1))]
    #[case("handle32", (kDLOpaqueHandle, 32, 1))]
    #[case("int", (kDLInt, 32, 1))]
    #[case("int0", (kDLInt, 32, 1))]
    #[case("int8", (kDLInt, 8, 1))]
    #[case("i64x4", (kDLInt, 64, 4))]
    #[case("uint1", (kDLUInt, 1, 1))]
    #[case("u255x65535", (kDLUInt, 255, 65535))]
    #[case("bool", (kDLBool, 8, 1))]
    #[case("bool4x2", (kDLBool, 4, 2))]
    #[case("float", (kDLFloat, 32, 1))]
    #[case("f16", (kDLFloat, 16, 1))]
    #[case("f8", (kDLFloat, 8, 1))]
    #[case("bfloat", (kDLBfloat, 16, 1))]
    #[case("bf16x8", (kDLBfloat, 16, 8))]
    #[case("float32xvscalex4", (kDLFloat, 32, 65532))]
    #[case("int8xvscalex32768", (kDLInt, 8, 32768))]
    #[case("float8_e3m4", (kDLFloat8_e3m4, 8, 1))]
    #[case("fp8_e4m3", (kDLFloat8_e4m3, 8, 1))]
    #[case("f8_e4m3fn", (kDLFloat8_e4m3fn, 8, 1))]
    #[case("float8_e4m3b11fnuzx2", (kDLFloat8_e4m3b11fnuz, 8, 2))]
    #[case("fp6_e2m3fn", (kDLFloat6_e2m3fn, 6, 1))]
    #[case("f6_e3m2fnx3", (kDLFloat6_e3m2fn, 6, 3))]
    #[case("float4_e2m1fn", (kDLFloat4_e2m1fn, 4, 1))]
    #[case("float4_e2m1fn_x2", (kDLFloat4_e2m1fn, 4, 2))]
    #[case("f4_e2m1fnx2", (kDLFloat4_e2m1fn, 4, 2))]
    #[case("custom[posit]16x2", (130, 16, 2))]
    fn text_becomes_a_type(#[case] text: &str, #[case] expected: (u8, u8, u16)) {
        assert_eq!(parse_known(text), Ok(expected));
    }

    #[rstest]
    #[case("xyz", "unknown dtype `xyz`")]
    #[case("i", "unknown dtype `i`")]
    #[case("index", "unknown dtype `index`")]
    #[case("int32 ", "unknown dtype `int32 `")]
    #[case("int\08", "unknown dtype `int\08`")]
    #[case("complex64", "unknown dtype `complex64`")]
    #[case("float8_zz", "unknown float8 type `float8_zz`")]
    #[case("f6_e2m3fnq", "unknown float6 type `float6_e2m3fnq`")]
    #[case("float6_e2m3fn_x2", "unknown float6 type `float6_e2m3fn_x2`")]
    #[case("fp4_", "unknown float4 type `float4_`")]
    #[case("f4_e2m1fn_", "unknown dtype `float4_e2m1fn_`")]
    #[case("int32x", "Invalid lanes specification in dtype 'int32x'. Lanes must be a positive integer.")]
    #[case("bf16x0", "Invalid lanes specification in dtype 'bfloat16x0'. Lanes must be a positive integer.")]
    #[case("int300", "Bits value 300 is out of range for uint8_t in dtype 'int300'")]
    #[case("int4294967296", "Integer value in dtype string '4294967296' is out of range for uint32_t")]
    #[case("int32xvscale", "Invalid lanes specification in dtype 'int32xvscale'. Lanes must be a positive integer.")]
    #[case("i8xvscalex32769", "Lanes value 32769 is out of range for scalable lanes in dtype 'int8xvscalex32769'")]
    #[case("int32x65536", "Lanes value 65536 is out of range for uint16_t in dtype 'int32x65536'")]
    #[case("custom", "expected opening brace after 'custom' type incustom")]
    #[case("custom[a", "expected closing brace after 'custom' type incustom[a")]
    #[case("custom[a]", "a")]
    fn other_text_is_refused(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(parse_known(text), Err(format!("ValueError: {expected}")));
    }

    #[rstest]
    #[case((kDLOpaqueHandle, 0, 0), "")]
    #[case((kDLOpaqueHandle, 64, 4), "handle")]
    #[case((kDLBool, 8, 1), "bool")]
    #[case((kDLBool, 8, 4), "boolx4")]
    #[case((kDLBool, 1, 1), "bool1")]
    #[case((kDLInt, 0, 0), "int0")]
    #[case((kDLInt, 32, 65535), "int32xvscalex1")]
    #[case((kDLInt, 32, 32768), "int32xvscalex32768")]
    #[case((kDLFloat4_e2m1fn, 8, 2), "float4_e2m1fnx2")]
    #[case((130, 16, 2), "custom[posit]x2")]
    fn a_type_becomes_text(#[case] (code, bits, lanes): (u8, u8, u16), #[case] expected: &str) {
        assert_eq!(print_known(code, bits, lanes).as_deref(), Ok(expected));
    }

    #[rstest]
    fn codes_without_a_name_are_refused(#[values(kDLComplex, 18, 128)] code: u8) {
        let expected = format!("ValueError: DLDataType contains unknown type_code={code}");
        assert_eq!(print_known(code, 8, 1), Err(expected));
    }

    proptest! {
        #[test]
        fn sized_types_survive_the_round_trip(
            code in prop::sample::select(vec![kDLInt, kDLUInt, kDLFloat, kDLBfloat]),
            bits in 1_u8..,
            lanes in prop_oneof![1_u16..32768, 32769_u16..=65535],
        ) {
            let text = print_known(code, bits, lanes).unwrap();
            prop_assert_eq!(parse_known(&text), Ok((code, bits, lanes)));
        }

        #[test]
        fn named_types_survive_the_round_trip(code in kDLFloat8_e3m4..=kDLFloat4_e2m1fn, lanes in 1_u16..32768) {
            let text = print_known(code, 0, lanes).unwrap();
            let parsed = parse_known(&text).unwrap();
            prop_assert_eq!((parsed.0, parsed.2), (code, lanes));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,12}|(int|uint|bool|fp8_|f4_|custom|handle)[a-z0-9_\\[\\]]{0,12}") {
            let _ = parse_known(&text);
        }
    }
}
