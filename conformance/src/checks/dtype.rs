//! Data types as text, both ways.
//!
//! Texts are handed over with a NUL behind them, as C literals are: releases before 0.1.8 rely on it. Only the checks of
//! DTY-0022 do without.

use std::ffi::{c_int, c_void};

use proptest::prelude::{Strategy, any};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, dirty, memory, text_of, view},
    trial::Trial,
};

/// Codes whose name is followed by the number of bits.
const SIZED: [(&str, u8); 4] = [("int", kDLInt), ("uint", kDLUInt), ("float", kDLFloat), ("bfloat", kDLBfloat)];
/// Those of them that have always had the name for every number of bits.
const NUMBERS: [(&str, u8); 3] = [SIZED[0], SIZED[1], SIZED[2]];
const BITS: [u8; 8] = [2, 4, 8, 16, 32, 64, 128, 255];

/// Kinds whose name tells the bits: what follows `float8_`.
const FLOAT8: [(&str, u8); 8] = [
    ("e3m4", kDLFloat8_e3m4),
    ("e4m3", kDLFloat8_e4m3),
    ("e4m3b11fnuz", kDLFloat8_e4m3b11fnuz),
    ("e4m3fn", kDLFloat8_e4m3fn),
    ("e4m3fnuz", kDLFloat8_e4m3fnuz),
    ("e5m2", kDLFloat8_e5m2),
    ("e5m2fnuz", kDLFloat8_e5m2fnuz),
    ("e8m0fnu", kDLFloat8_e8m0fnu),
];
const FLOAT6: [(&str, u8); 2] = [("e2m3fn", kDLFloat6_e2m3fn), ("e3m2fn", kDLFloat6_e3m2fn)];
const FLOAT4: [(&str, u8); 1] = [("e2m1fn", kDLFloat4_e2m1fn)];

/// Lanes that a vector may have; above them the number turns negative, which stands for a scalable vector.
const LANES: [i16; 8] = [2, 3, 4, 8, 16, 255, 256, i16::MAX];

const VOID: DLDataType = DLDataType { code: kDLOpaqueHandle, bits: 0, lanes: 0 };
const HANDLE: DLDataType = one(kDLOpaqueHandle, 64);
const BOOL: DLDataType = one(kDLBool, 8);
const BIT: DLDataType = one(kDLUInt, 1);

/// Names of integers and floats are read.
#[check(DTY_0001)]
fn reads_numbers(t: &Trial) -> Verdict {
    for (name, code) in NUMBERS {
        for bits in 1..=u8::MAX {
            expect_read(t, &format!("{name}{bits}"), one(code, bits))?;
        }
    }
    Ok(())
}

/// Integers and floats are written with their bits.
#[check(DTY_0001)]
fn writes_numbers(t: &Trial) -> Verdict {
    for (name, code) in NUMBERS {
        // A single unsigned bit was written as `bool` up to 0.1.2.
        for bits in 2..=u8::MAX {
            expect_written(t, one(code, bits), &format!("{name}{bits}"))?;
        }
    }
    Ok(())
}

/// `bfloat16` is read as code 4.
#[check(DTY_0002)]
fn reads_bfloat(t: &Trial) -> Verdict {
    expect_read(t, "bfloat16", one(kDLBfloat, 16))
}

/// Code 4 is written as `bfloat16`.
#[check(DTY_0002)]
fn writes_bfloat(t: &Trial) -> Verdict {
    expect_written(t, one(kDLBfloat, 16), "bfloat16")
}

/// A name without bits has the usual number.
#[check(DTY_0003)]
fn default_bits(t: &Trial) -> Verdict {
    for (name, code) in NUMBERS {
        expect_read(t, name, one(code, 32))?;
    }
    expect_read(t, "bfloat", one(kDLBfloat, 16))
}

/// `bool` is read as code 6.
#[check(DTY_0004)]
fn reads_bool(t: &Trial) -> Verdict {
    expect_read(t, "bool", BOOL)?;
    expect_read(t, "uint1", BIT)
}

/// Code 6 is written as `bool`.
#[check(DTY_0004)]
fn writes_bool(t: &Trial) -> Verdict {
    expect_written(t, BOOL, "bool")?;
    expect_written(t, BIT, "uint1")
}

/// Vectors of `bool` come back.
#[check(DTY_0004)]
fn bool_round_trip(t: &Trial) -> Verdict {
    for lanes in LANES {
        expect_round_trip(t, vector(BOOL, lanes))?;
        expect_round_trip(t, vector(BOOL, -lanes))?;
    }
    Ok(())
}

/// `bool` is read as one unsigned bit.
#[check(DTY_0005)]
fn reads_bool_as_a_bit(t: &Trial) -> Verdict {
    expect_read(t, "bool", BIT)
}

/// One unsigned bit is written as `bool`.
#[check(DTY_0005)]
fn writes_a_bit_as_bool(t: &Trial) -> Verdict {
    expect_written(t, BIT, "bool")
}

/// `handle` is read as code 3.
#[check(DTY_0006)]
fn reads_handle(t: &Trial) -> Verdict {
    expect_read(t, "handle", HANDLE)
}

/// Code 3 is written as `handle`.
#[check(DTY_0006)]
fn writes_handle(t: &Trial) -> Verdict {
    expect_written(t, HANDLE, "handle")
}

/// `void` and the empty text are read as nothing.
#[check(DTY_0007)]
fn reads_void(t: &Trial) -> Verdict {
    expect_read(t, "void", VOID)?;
    expect_read(t, "", VOID)
}

/// Nothing is written as the empty text.
#[check(DTY_0007)]
fn writes_void(t: &Trial) -> Verdict {
    expect_written(t, VOID, "")
}

/// The float8 kinds are read.
#[check(DTY_0008)]
fn reads_float8(t: &Trial) -> Verdict {
    FLOAT8.iter().try_for_each(|(kind, code)| expect_read(t, &format!("float8_{kind}"), one(*code, 8)))
}

/// The float8 kinds are written.
#[check(DTY_0008)]
fn writes_float8(t: &Trial) -> Verdict {
    FLOAT8.iter().try_for_each(|(kind, code)| expect_written(t, one(*code, 8), &format!("float8_{kind}")))
}

/// The float6 and float4 kinds are read.
#[check(DTY_0009)]
fn reads_float6_and_4(t: &Trial) -> Verdict {
    FLOAT6.iter().try_for_each(|(kind, code)| expect_read(t, &format!("float6_{kind}"), one(*code, 6)))?;
    FLOAT4.iter().try_for_each(|(kind, code)| expect_read(t, &format!("float4_{kind}"), one(*code, 4)))
}

/// The float6 and float4 kinds are written.
#[check(DTY_0009)]
fn writes_float6_and_4(t: &Trial) -> Verdict {
    FLOAT6.iter().try_for_each(|(kind, code)| expect_written(t, one(*code, 6), &format!("float6_{kind}")))?;
    FLOAT4.iter().try_for_each(|(kind, code)| expect_written(t, one(*code, 4), &format!("float4_{kind}")))
}

/// Lanes are read.
#[check(DTY_0010)]
fn reads_lanes(t: &Trial) -> Verdict {
    for lanes in LANES {
        for (name, code) in SIZED {
            expect_read(t, &format!("{name}16x{lanes}"), vector(one(code, 16), lanes))?;
        }
        expect_read(t, &format!("float8_e4m3fnx{lanes}"), vector(one(kDLFloat8_e4m3fn, 8), lanes))?;
        expect_read(t, &format!("float4_e2m1fnx{lanes}"), vector(one(kDLFloat4_e2m1fn, 4), lanes))?;
    }
    expect_read(t, "int32x1", one(kDLInt, 32))
}

/// Lanes are written, but not a single one.
#[check(DTY_0010)]
fn writes_lanes(t: &Trial) -> Verdict {
    for lanes in LANES {
        for (name, code) in SIZED {
            expect_written(t, vector(one(code, 16), lanes), &format!("{name}16x{lanes}"))?;
        }
        expect_written(t, vector(one(kDLFloat8_e4m3fn, 8), lanes), &format!("float8_e4m3fnx{lanes}"))?;
        expect_written(t, vector(one(kDLFloat4_e2m1fn, 4), lanes), &format!("float4_e2m1fnx{lanes}"))?;
    }
    expect_written(t, one(kDLInt, 32), "int32")
}

/// Scalable lanes are read.
#[check(DTY_0011)]
fn reads_scalable_lanes(t: &Trial) -> Verdict {
    for lanes in LANES {
        for (name, code) in SIZED {
            expect_read(t, &format!("{name}16xvscalex{lanes}"), vector(one(code, 16), -lanes))?;
        }
    }
    Ok(())
}

/// Scalable lanes are written.
#[check(DTY_0011)]
fn writes_scalable_lanes(t: &Trial) -> Verdict {
    for lanes in LANES {
        for (name, code) in SIZED {
            expect_written(t, vector(one(code, 16), -lanes), &format!("{name}16xvscalex{lanes}"))?;
        }
    }
    Ok(())
}

/// Even a short text is a String object.
#[check(DTY_0012)]
fn text_is_an_object(t: &Trial) -> Verdict {
    for dtype in [VOID, HANDLE, one(kDLInt, 8), one(kDLBfloat, 16), vector(one(kDLFloat, 32), 4)] {
        let text = write(t, dtype)?;
        t.eq(format!("type_index of the text of {dtype:?}"), text.any().type_index, kTVMFFIStr)?;
        t.eq("type_index of the object", t.header(text.handle())?.type_index, kTVMFFIStr)?;
    }
    Ok(())
}

/// The text is the caller's to release.
#[check(DTY_0012)]
fn text_is_released(t: &Trial) -> Verdict {
    // Two texts of one data type: the end of the first must not be the end of the second.
    let dtype = one(kDLFloat, 32);
    let [first, second] = [write(t, dtype)?, write(t, dtype)?];
    drop(first);
    let others: Vec<Owned> = BITS.iter().map(|&bits| write(t, one(kDLFloat, bits))).collect::<Verdict<_>>()?;
    t.eq("text", lossy(&t.text(&second.any())?), "float32".to_owned())?;
    drop(others);
    t.eq("text", lossy(&t.text(&second.any())?), "float32".to_owned())
}

/// A NUL follows the text.
#[check(DTY_0013)]
fn text_ends_with_nul(t: &Trial) -> Verdict {
    for (dtype, len) in [(VOID, 0), (HANDLE, 6), (one(kDLInt, 8), 4), (vector(one(kDLFloat, 16), -32), 17)] {
        let text = write(t, dtype)?;
        if text.handle().is_null() {
            continue;
        }
        let cell: TVMFFIByteArray = t.cell("address and length of the text", text.handle())?;
        t.eq("length of the text", cell.size, len)?;
        t.eq("the byte behind the text", t.read("the byte behind the text", cell.data.wrapping_add(len))?, 0)?;
    }
    Ok(())
}

/// The result of writing a data type is written whole.
#[check(DTY_0014)]
fn result_is_overwritten(t: &Trial) -> Verdict {
    for before in kTVMFFINone..kTVMFFIStaticObjectBegin {
        let mut out = dirty(before);
        t.ok(t.api.TVMFFIDataTypeToString(&vector(one(kDLFloat, 16), 4), &mut out))?;
        let text = t.own(out);
        if !text.handle().is_null() {
            t.eq("second word", out.aux_word(), 0)?;
            t.eq("type_index where the payload leads", t.header(text.handle())?.type_index, out.type_index)?;
        }
    }
    Ok(())
}

/// Nothing beside the data type is written.
#[check(DTY_0015)]
fn reads_into_four_bytes(t: &Trial) -> Verdict {
    const BESIDE: [DLDataType; 3] = [DLDataType { code: 0xA5, bits: 0xA5, lanes: 0xA5A5 }; 3];
    for text in ["int8", "float32x4", "float8_e4m3fn", "", "handle"] {
        let mut slots = BESIDE;
        t.ok(t.api.TVMFFIDataTypeFromString(&array(&terminated(text)), &mut slots[1]))?;
        t.eq("the four bytes before the result", slots[0], BESIDE[0])?;
        t.eq("the four bytes behind the result", slots[2], BESIDE[2])?;
    }
    Ok(())
}

/// Every data type with a name comes back.
#[check(DTY_0016)]
fn round_trip(t: &Trial) -> Verdict {
    for (_, code) in SIZED {
        for bits in 1..=u8::MAX {
            expect_round_trip(t, one(code, bits))?;
        }
        for (bits, lanes) in BITS.into_iter().zip(LANES) {
            expect_round_trip(t, vector(one(code, bits), lanes))?;
            expect_round_trip(t, vector(one(code, bits), -lanes))?;
        }
    }
    let kinds = FLOAT8.map(|(_, code)| one(code, 8));
    let kinds =
        kinds.into_iter().chain(FLOAT6.map(|(_, code)| one(code, 6))).chain(FLOAT4.map(|(_, code)| one(code, 4)));
    for kind in kinds {
        expect_round_trip(t, kind)?;
        LANES.iter().try_for_each(|&lanes| expect_round_trip(t, vector(kind, lanes)))?;
    }
    expect_round_trip(t, HANDLE)?;
    expect_round_trip(t, VOID)
}

/// Random data types come back.
#[check(DTY_0016)]
fn round_trip_at_random(t: &Trial) -> Verdict {
    let lanes = any::<i16>()
        .prop_filter("lanes that are neither none nor one scalable", |lanes| ![0, -1, i16::MIN].contains(lanes));
    let dtype = (0..SIZED.len(), 1..=u8::MAX, lanes);
    t.property(dtype, |&(index, bits, lanes)| expect_round_trip(t, vector(one(SIZED[index].1, bits), lanes)))
}

/// A text that is no data type is refused.
#[check(DTY_0017)]
fn unknown_names(t: &Trial) -> Verdict {
    let names =
        ["flaot32", "nonsense", "x", "32", "x4", "float8_", "float8_e9m9", "float8_e4m3f", "float6_", "float6_e9m9"];
    let more = ["float4_", "float4_e9m9", "float7_e2m1", "custom", "custom[", "custom8", "\u{fc}nt8", " int32"];
    names.iter().chain(&more).try_for_each(|text| refused(t, text))
}

/// A good text is read after a bad one.
#[check(DTY_0017)]
fn reads_on_after_refusal(t: &Trial) -> Verdict {
    for _ in 0..3 {
        refused(t, "flaot32")?;
        expect_read(t, "float32", one(kDLFloat, 32))?;
    }
    Ok(())
}

/// A name with more behind it is refused.
#[check(DTY_0018)]
fn trailing_text(t: &Trial) -> Verdict {
    for name in ["int32", "uint8", "float16", "bfloat16", "handle", "void", "float8_e4m3fn", "float6_e2m3fn", "int32x4"]
    {
        for tail in [" ", "y", "_", "\n", ".", "!", "-"] {
            refused(t, &format!("{name}{tail}"))?;
        }
    }
    ["int32x4x4", "int32x4xvscalex4", "float32x4_", "boolean", "int32xx4"].iter().try_for_each(|text| refused(t, text))
}

/// A NUL does not end the text.
#[check(DTY_0018)]
fn trailing_nul(t: &Trial) -> Verdict {
    [
        "int32\0",
        "int32\0x4",
        "int\x0032",
        "\0",
        "\0int8",
        "bool\0",
        "handle\0",
        "float8_e4m3fn\0",
        "float32x4\0",
        "void\0",
    ]
    .iter()
    .try_for_each(|text| refused(t, text))
}

/// Zero lanes and missing lanes are refused.
#[check(DTY_0019)]
fn no_lanes(t: &Trial) -> Verdict {
    ["int32x0", "int32x00", "int32x", "float8_e4m3fnx0", "float8_e4m3fnx", "int32xvscalex0", "int32xvscalex"]
        .iter()
        .try_for_each(|text| refused(t, text))
}

/// More than 255 bits are refused.
#[check(DTY_0020)]
fn too_many_bits(t: &Trial) -> Verdict {
    for (name, _) in SIZED {
        for bits in ["256", "300", "65568", "4294967296", "4294967328"] {
            refused(t, &format!("{name}{bits}"))?;
        }
    }
    Ok(())
}

/// More than 65535 lanes are refused.
#[check(DTY_0020)]
fn too_many_lanes(t: &Trial) -> Verdict {
    for lanes in ["65536", "65537", "4294967296", "4294967300"] {
        refused(t, &format!("int32x{lanes}"))?;
        refused(t, &format!("float8_e4m3fnx{lanes}"))?;
    }
    Ok(())
}

/// A number beyond 64 bits is refused.
#[check(DTY_0032)]
fn endless_numbers(t: &Trial) -> Verdict {
    // 2^64 and a bit more: what a parser that counts in 64 bits takes for the bit more.
    for number in ["18446744073709551624", "18446744073709551648", &"9".repeat(500)] {
        refused(t, &format!("int{number}"))?;
        refused(t, &format!("int32x{number}"))?;
    }
    Ok(())
}

/// Signs and spaces before a number are refused.
#[check(DTY_0021)]
fn digits_only(t: &Trial) -> Verdict {
    ["int-1", "int+32", "int 32", "int\t32", "int32x-1", "int32x+4", "int32x 4", "float8_e4m3fnx-2"]
        .iter()
        .try_for_each(|text| refused(t, text))
}

/// What is behind the text does not count.
#[check(DTY_0022)]
fn ends_at_its_length(t: &Trial) -> Verdict {
    let cases = [
        ("int32", "8", one(kDLInt, 32)),
        ("int32", "x4", one(kDLInt, 32)),
        ("int32", "xvscalex4", one(kDLInt, 32)),
        ("int", "8", one(kDLInt, 32)),
        ("float", "8_e4m3fn", one(kDLFloat, 32)),
        ("float8_e4m3", "fn", one(kDLFloat8_e4m3, 8)),
        ("float8_e4m3fn", "uz", one(kDLFloat8_e4m3fn, 8)),
        ("float8_e4m3fn", "x4", one(kDLFloat8_e4m3fn, 8)),
        ("bfloat", "32", one(kDLBfloat, 16)),
        ("handle", "32", HANDLE),
        ("int32x4", "4", vector(one(kDLInt, 32), 4)),
        ("", "int8", VOID),
        ("void", "x", VOID),
        ("uint8", "\u{ff}", one(kDLUInt, 8)),
    ];
    for (text, behind, expected) in cases {
        let buffer = format!("{text}{behind}");
        let read = read(t, TVMFFIByteArray { size: text.len(), ..TVMFFIByteArray::new(buffer.as_bytes()) })?;
        t.eq(format!("`{text}` with `{behind}` behind it"), read, expected)?;
    }
    Ok(())
}

/// Nothing behind the text is read.
#[check(DTY_0022)]
fn reads_no_further(t: &Trial) -> Verdict {
    for text in
        ["int", "int32", "uint8x4", "float16xvscalex2", "bfloat16", "bool", "handle", "float8_e4m3", "float4_e2m1fn"]
    {
        read(t, t.guarded(text.as_bytes())?.array())?;
    }
    for text in ["i", "in", "nonsense", "float8_", "float8_e4m", "int32x", "int32xvscale-"] {
        let input = t.guarded(text.as_bytes())?;
        t.raises(t.api.TVMFFIDataTypeFromString(&input.array(), &mut VOID.clone()), &["ValueError"])?;
    }
    Ok(())
}

/// `i8`, `u8`, `f16` and `bf16` are read.
#[check(DTY_0023)]
fn short_names(t: &Trial) -> Verdict {
    let numbers = [("i", kDLInt), ("u", kDLUInt), ("f", kDLFloat)];
    for (name, code) in numbers {
        for bits in [8, 16, 32, 64] {
            expect_read(t, &format!("{name}{bits}"), one(code, bits))?;
        }
    }
    expect_read(t, "bf16", one(kDLBfloat, 16))?;
    expect_read(t, "f16x4", vector(one(kDLFloat, 16), 4))?;
    expect_read(t, "bf16xvscalex4", vector(one(kDLBfloat, 16), -4))
}

/// `fp8_` and `f8_` and their like are read.
#[check(DTY_0024)]
fn short_float_kinds(t: &Trial) -> Verdict {
    for prefix in ["f", "fp"] {
        for (kind, code) in FLOAT8 {
            expect_read(t, &format!("{prefix}8_{kind}"), one(code, 8))?;
        }
        for (kind, code) in FLOAT6 {
            expect_read(t, &format!("{prefix}6_{kind}"), one(code, 6))?;
        }
        for (kind, code) in FLOAT4 {
            expect_read(t, &format!("{prefix}4_{kind}"), one(code, 4))?;
        }
    }
    Ok(())
}

/// `float4_e2m1fn_x2` is read.
#[check(DTY_0025)]
fn underscore_lanes(t: &Trial) -> Verdict {
    let two = vector(one(kDLFloat4_e2m1fn, 4), 2);
    expect_read(t, "float4_e2m1fn_x2", two)?;
    expect_read(t, "float4_e2m1fnx2", two)
}

/// A code without a name is not written.
#[check(DTY_0026)]
fn unknown_code(t: &Trial) -> Verdict {
    // DLPack gives codes out from 0 up; custom ones begin at 129. Those right before them are the last to be taken.
    for code in 100..=128 {
        let mut out = TVMFFIAny::NONE;
        t.raises(t.api.TVMFFIDataTypeToString(&one(code, 8), &mut out), &["ValueError"])?;
    }
    Ok(())
}

/// A registered custom name is read.
#[check(DTY_0027)]
fn reads_custom(t: &Trial) -> Verdict {
    register_custom(t)?;
    expect_read(t, "custom[c150]16", one(150, 16))?;
    expect_read(t, "custom[c129]", one(129, 32))?;
    expect_read(t, "custom[c255]8x4", vector(one(255, 8), 4))
}

/// A registered custom code is written.
#[check(DTY_0027)]
fn writes_custom(t: &Trial) -> Verdict {
    register_custom(t)?;
    for code in [129, 150, 255] {
        // Whether the bits are written is not settled.
        let text = lossy(&t.text(&write(t, one(code, 8))?.any())?);
        let expected = format!("custom[c{code}]");
        t.that(format!("text of code {code}"), text.starts_with(&expected), format!("{expected}…"), text)?;
    }
    Ok(())
}

/// Gives code 150 the name `c150` and so on.
fn register_custom(t: &Trial) -> Verdict {
    unsafe extern "C" fn name(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        let Some(code) = memory::read(args) else { return -1 };
        let mut text = [0; 8];
        text[..4].copy_from_slice(&[b'c', digit(code, 100), digit(code, 10), digit(code, 1)]);
        let mut small = TVMFFIAny::new(kTVMFFISmallStr, u64::from_ne_bytes(text));
        small.aux.small_str_len = 4;
        // SAFETY: the caller of a function hands it a result to write.
        unsafe { *result = small };
        0
    }
    unsafe extern "C" fn code(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        let text = memory::read(args).and_then(|arg| text_of(&arg)).unwrap_or_default();
        let code = text.iter().skip(1).fold(0, |code, digit| code * 10 + i64::from(digit.wrapping_sub(b'0')));
        // SAFETY: as above.
        unsafe { *result = view::int(code) };
        0
    }
    fn digit(code: TVMFFIAny, place: u64) -> u8 {
        b'0' + (code.payload() / place % 10) as u8
    }
    for (global, callback) in [
        ("dtype.get_custom_type_name", name as TVMFFISafeCallType),
        ("dtype.get_custom_type_code", code as TVMFFISafeCallType),
    ] {
        let function = t.function(std::ptr::null_mut(), callback, None)?;
        let name = TVMFFIByteArray::new(global.as_bytes());
        t.ok(t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 1))?;
    }
    Ok(())
}

/// Custom types are refused when nobody names them.
#[check(DTY_0028)]
fn custom_unregistered(t: &Trial) -> Verdict {
    let text = terminated("custom[posit]16");
    t.raises(t.api.TVMFFIDataTypeFromString(&array(&text), &mut VOID.clone()), &[])?;
    t.raises(t.api.TVMFFIDataTypeToString(&one(150, 16), &mut TVMFFIAny::NONE.clone()), &[]).map(drop)
}

/// Reading a text leaves nothing.
#[check(DTY_0029)]
fn reading_no_growth(t: &Trial) -> Verdict {
    let texts = ["float32x4", "float8_e4m3fn", "void"].map(terminated);
    t.no_growth("reading three texts", || texts.iter().try_for_each(|text| read(t, array(text)).map(drop)))
}

/// A released text leaves nothing.
#[check(DTY_0029)]
fn writing_no_growth(t: &Trial) -> Verdict {
    let dtypes = [vector(one(kDLFloat, 32), 4), one(kDLFloat8_e4m3fn, 8), VOID];
    t.no_growth("writing and releasing three texts", || dtypes.iter().try_for_each(|&dtype| write(t, dtype).map(drop)))
}

/// Refusing a text leaves nothing.
#[check(DTY_0029, patient = 2)]
fn refusing_no_growth(t: &Trial) -> Verdict {
    t.no_growth("refusing a text and releasing the error", || refused(t, "nonsense"))
}

/// Several threads read and write data types at once.
#[check(DTY_0030)]
fn threads(t: &Trial) -> Verdict {
    t.threads(4, |t, number| {
        let (name, code) = SIZED[number];
        for bits in 2..150 {
            let (text, dtype) = (format!("{name}{bits}"), one(code, bits));
            expect_read(t, &text, dtype)?;
            expect_written(t, dtype, &text)?;
        }
        Ok(())
    })
}

/// A NULL text of a data type is refused.
#[check(DTY_0031)]
fn null_text(t: &Trial) -> Verdict {
    let mut out = VOID;
    t.raises(t.api.TVMFFIDataTypeFromString(std::ptr::null(), &mut out), &[])?;
    let text = TVMFFIByteArray { data: std::ptr::null(), size: 5 };
    t.raises(t.api.TVMFFIDataTypeFromString(&text, &mut out), &[]).map(drop)
}

/// A NULL data type is refused.
#[check(DTY_0031)]
fn null_dtype(t: &Trial) -> Verdict {
    let mut out = TVMFFIAny::NONE;
    t.raises(t.api.TVMFFIDataTypeToString(std::ptr::null(), &mut out), &[]).map(drop)
}

/// A data type or its text with nowhere to go is refused.
#[check(DTY_0031)]
fn null_result(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFIDataTypeFromString(&array(&terminated("int8")), std::ptr::null_mut()), &[])?;
    t.raises(t.api.TVMFFIDataTypeToString(&one(kDLInt, 8), std::ptr::null_mut()), &[]).map(drop)
}

/// One lane.
const fn one(code: u8, bits: u8) -> DLDataType {
    DLDataType { code, bits, lanes: 1 }
}

/// So many lanes of it; negative for a scalable vector.
const fn vector(lane: DLDataType, lanes: i16) -> DLDataType {
    DLDataType { lanes: lanes as u16, ..lane }
}

/// The text as a C literal has it, with a NUL behind.
fn terminated(text: &str) -> Vec<u8> {
    [text.as_bytes(), b"\0"].concat()
}

/// A view of such a text without its NUL.
fn array(terminated: &[u8]) -> TVMFFIByteArray {
    TVMFFIByteArray::new(&terminated[..terminated.len() - 1])
}

fn read(t: &Trial, text: TVMFFIByteArray) -> Verdict<DLDataType> {
    let mut out = DLDataType { code: 0xC0, bits: 0xB1, lanes: 0x1A9E };
    t.ok(t.api.TVMFFIDataTypeFromString(&text, &mut out))?;
    Ok(out)
}

fn expect_read(t: &Trial, text: &str, expected: DLDataType) -> Verdict {
    t.eq(format!("data type of `{text}`"), read(t, array(&terminated(text)))?, expected)
}

fn refused(t: &Trial, text: &str) -> Verdict {
    let mut out = VOID;
    t.raises(t.api.TVMFFIDataTypeFromString(&array(&terminated(text)), &mut out), &["ValueError"]).map(drop)
}

/// The text as the target wrote it.
fn write(t: &Trial, dtype: DLDataType) -> Verdict<Owned> {
    let mut out = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIDataTypeToString(&dtype, &mut out))?;
    Ok(t.own(out))
}

fn expect_written(t: &Trial, dtype: DLDataType, expected: &str) -> Verdict {
    let text = t.text(&write(t, dtype)?.any())?;
    t.eq(format!("text of {dtype:?}"), lossy(&text), expected.to_owned())
}

fn expect_round_trip(t: &Trial, dtype: DLDataType) -> Verdict {
    let text = lossy(&t.text(&write(t, dtype)?.any())?);
    t.eq(format!("data type of the text `{text}`"), read(t, array(&terminated(&text)))?, dtype)
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
