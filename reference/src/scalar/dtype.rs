//! Data types as text: `int32`, `float16x4`, `float8_e4m3fn`, `float32xvscalex4`, `custom[posit]`.
//!
//! A type is a code, the bits of one lane and a number of lanes. Types whose name fixes their width (`float8_*` and the
//! like) are matched from a table; the others are a name with an optional width. Custom codes have names that the
//! program registers as global functions, so reading and writing them is left to the caller's closures.

use tvm_ffi_spec::{
    DLDataType, kDLBfloat, kDLBool, kDLComplex, kDLFloat, kDLFloat4_e2m1fn, kDLFloat6_e2m3fn, kDLFloat6_e3m2fn,
    kDLFloat8_e3m4, kDLFloat8_e4m3, kDLFloat8_e4m3b11fnuz, kDLFloat8_e4m3fn, kDLFloat8_e4m3fnuz, kDLFloat8_e5m2,
    kDLFloat8_e5m2fnuz, kDLFloat8_e8m0fnu, kDLInt, kDLOpaqueHandle, kDLUInt,
};

use crate::{
    border::error::{Error, Result},
    function::{self, registry},
    types::schema::Type,
    value::{any::Any, text},
};

/// The first code that belongs to custom types.
pub const CUSTOM_BEGIN: u8 = 129;

/// Nothing: written as the empty string, read from it and from `void`.
pub const VOID: DLDataType = DLDataType { code: kDLOpaqueHandle, bits: 0, lanes: 0 };

/// Names that take a width: prefix, code, width when none is given.
const SIZED: [(&str, u8, u8); 6] = [
    ("int", kDLInt, 32),
    ("uint", kDLUInt, 32),
    ("bool", kDLBool, 8),
    ("float", kDLFloat, 32),
    ("handle", kDLOpaqueHandle, 64),
    ("bfloat", kDLBfloat, 16),
];

/// A family of names that fix the width.
struct Family {
    prefix: &'static str,
    bits: u8,
    /// Lanes may be set off by an underscore, as in `float4_e2m1fn_x2`.
    underscore: bool,
    variants: &'static [(&'static str, u8)],
}

const FAMILIES: [Family; 3] = [
    Family {
        prefix: "float8_",
        bits: 8,
        underscore: false,
        variants: &[
            ("e3m4", kDLFloat8_e3m4),
            ("e4m3", kDLFloat8_e4m3),
            ("e4m3b11fnuz", kDLFloat8_e4m3b11fnuz),
            ("e4m3fn", kDLFloat8_e4m3fn),
            ("e4m3fnuz", kDLFloat8_e4m3fnuz),
            ("e5m2", kDLFloat8_e5m2),
            ("e5m2fnuz", kDLFloat8_e5m2fnuz),
            ("e8m0fnu", kDLFloat8_e8m0fnu),
        ],
    },
    Family {
        prefix: "float6_",
        bits: 6,
        underscore: false,
        variants: &[("e2m3fn", kDLFloat6_e2m3fn), ("e3m2fn", kDLFloat6_e3m2fn)],
    },
    Family { prefix: "float4_", bits: 4, underscore: true, variants: &[("e2m1fn", kDLFloat4_e2m1fn)] },
];

/// Short spellings and what they stand for. Those marked need a digit next, lest `index` be taken for `int`.
const ALIASES: [(&str, &str, bool); 10] = [
    ("fp8_", "float8_", false),
    ("fp6_", "float6_", false),
    ("fp4_", "float4_", false),
    ("f8_", "float8_", false),
    ("f6_", "float6_", false),
    ("f4_", "float4_", false),
    ("i", "int", true),
    ("u", "uint", true),
    ("bf", "bfloat", true),
    ("f", "float", true),
];

/// Reads a data type. `custom_code` finds the code of a custom name.
///
/// # Errors
/// `ValueError` for text that is no data type, and whatever `custom_code` fails with.
pub fn parse(text: &str, custom_code: impl FnOnce(&str) -> Result<u8>) -> Result<DLDataType> {
    if text.is_empty() || text == "void" {
        return Ok(VOID);
    }
    let text = &expand_alias(text);
    for family in &FAMILIES {
        if let Some(variant) = text.strip_prefix(family.prefix) {
            return parse_variant(text, variant, family);
        }
    }
    let mut scan = Scan { text, rest: text };
    let (code, default_bits) = if let Some(rest) = text.strip_prefix("custom") {
        scan.rest = rest;
        (custom_code(scan.bracketed()?)?, 32)
    } else {
        let &(prefix, code, bits) =
            SIZED.iter().find(|(prefix, ..)| text.starts_with(prefix)).ok_or_else(|| unknown(text))?;
        scan.rest = &text[prefix.len()..];
        (code, bits)
    };
    let bits = match scan.bits()? {
        0 => default_bits,
        bits => bits,
    };
    let lanes = if scan.skip("xvscale") { scan.lanes()?.map(u16::wrapping_neg) } else { scan.lanes()? };
    scan.end()?;
    Ok(DLDataType { code, bits, lanes: lanes.unwrap_or(1) })
}

/// Writes a data type. `custom_name` finds the name of a custom code.
///
/// # Errors
/// `ValueError` for a code that is neither known nor custom, and whatever `custom_name` fails with.
pub fn print(dtype: DLDataType, custom_name: impl FnOnce(u8) -> Result<String>) -> Result<String> {
    let DLDataType { code, bits, lanes } = dtype;
    if dtype == VOID {
        return Ok(String::new());
    }
    let mut text = match name_of(code) {
        Some(name) => name,
        None if code >= CUSTOM_BEGIN => format!("custom[{}]", custom_name(code)?),
        None => return Err(value_error(format!("DLDataType contains unknown type_code={code}"))),
    };
    if code == kDLOpaqueHandle {
        return Ok(text);
    }
    let width_is_free = SIZED.iter().any(|&(_, sized, _)| sized == code);
    if width_is_free && !(code == kDLBool && bits == 8) {
        text += &bits.to_string();
    }
    match i32::from(lanes as i16) {
        lanes if lanes > 1 => text += &format!("x{lanes}"),
        lanes if lanes < 0 => text += &format!("xvscalex{}", -lanes),
        _ => {}
    }
    Ok(text)
}

/// The name of a built-in code without width. Complex numbers have a code but no name in this ABI.
fn name_of(code: u8) -> Option<String> {
    if code == kDLComplex {
        return None;
    }
    let sized = SIZED.iter().find(|&&(_, sized, _)| sized == code).map(|(name, ..)| name.to_string());
    let in_family = |family: &Family| {
        let &(variant, _) = family.variants.iter().find(|&&(_, known)| known == code)?;
        Some(format!("{}{variant}", family.prefix))
    };
    sized.or_else(|| FAMILIES.iter().find_map(in_family))
}

fn expand_alias(text: &str) -> String {
    for (alias, full, needs_digit) in ALIASES {
        if let Some(rest) = text.strip_prefix(alias)
            && (!needs_digit || rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            return format!("{full}{rest}");
        }
    }
    text.to_owned()
}

/// Reads what follows the family's prefix: a variant that fixes the width, and lanes.
fn parse_variant(text: &str, variant: &str, family: &Family) -> Result<DLDataType> {
    let ends_name = |rest: &str| rest.is_empty() || rest.starts_with('x') || family.underscore && rest.starts_with('_');
    let (code, rest) = family
        .variants
        .iter()
        .find_map(|&(name, code)| variant.strip_prefix(name).filter(|rest| ends_name(rest)).map(|rest| (code, rest)))
        .ok_or_else(|| value_error(format!("unknown {} type `{text}`", family.prefix.trim_end_matches('_'))))?;
    let mut scan = Scan { text, rest };
    if family.underscore {
        scan.skip("_");
    }
    let lanes = scan.lanes()?.unwrap_or(1);
    scan.end()?;
    Ok(DLDataType { code, bits: family.bits, lanes })
}

/// What is still to be read of a text.
struct Scan<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Scan<'a> {
    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn bracketed(&mut self) -> Result<&'a str> {
        let missing = |which| value_error(format!("expected {which} brace after 'custom' type in{}", self.text));
        let inside = self.rest.strip_prefix('[').ok_or_else(|| missing("opening"))?;
        let (name, rest) = inside.split_once(']').ok_or_else(|| missing("closing"))?;
        self.rest = rest;
        Ok(name)
    }

    /// A decimal number, `None` when there is no digit.
    fn number(&mut self) -> Result<Option<u32>> {
        let (digits, rest) = self.rest.split_at(self.rest.bytes().take_while(u8::is_ascii_digit).count());
        self.rest = rest;
        if digits.is_empty() {
            return Ok(None);
        }
        let out_of_range =
            |_| value_error(format!("Integer value in dtype string '{digits}' is out of range for uint32_t"));
        digits.parse().map(Some).map_err(out_of_range)
    }

    fn bits(&mut self) -> Result<u8> {
        let bits = self.number()?.unwrap_or(0);
        let out_of_range =
            |_| value_error(format!("Bits value {bits} is out of range for uint8_t in dtype '{}'", self.text));
        u8::try_from(bits).map_err(out_of_range)
    }

    /// An `x` and a number of lanes, `None` when there is no `x`.
    fn lanes(&mut self) -> Result<Option<u16>> {
        if !self.skip("x") {
            return Ok(None);
        }
        let lanes = self.number()?.filter(|&lanes| lanes != 0).ok_or_else(|| {
            let text = self.text;
            value_error(format!("Invalid lanes specification in dtype '{text}'. Lanes must be a positive integer."))
        })?;
        let out_of_range =
            |_| value_error(format!("Lanes value {lanes} is out of range for uint16_t in dtype '{}'", self.text));
        u16::try_from(lanes).map(Some).map_err(out_of_range)
    }

    fn end(&self) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(unknown(self.text)) }
    }
}

fn unknown(text: &str) -> Error {
    value_error(format!("unknown dtype `{text}`"))
}

fn value_error(message: String) -> Error {
    Error::new("ValueError", message)
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

    use super::*;

    fn parse_known(text: &str) -> std::result::Result<(u8, u8, u16), String> {
        let parsed = parse(text, |name| if name == "posit" { Ok(130) } else { Err(value_error(name.to_owned())) });
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
    #[case("int32xvscale", (kDLInt, 32, 1))]
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
    #[case("int32x", "Invalid lanes specification in dtype 'int32x'. Lanes must be a positive integer.")]
    #[case("bf16x0", "Invalid lanes specification in dtype 'bfloat16x0'. Lanes must be a positive integer.")]
    #[case("int300", "Bits value 300 is out of range for uint8_t in dtype 'int300'")]
    #[case("int4294967296", "Integer value in dtype string '4294967296' is out of range for uint32_t")]
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
