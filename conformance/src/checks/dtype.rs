//! Data types as text, both ways.
//!
//! Texts are handed over with a NUL behind them, as C literals are: releases before 0.1.8 rely on it. Only the checks of
//! DTY-0022 do without.

use std::ffi::{c_int, c_void};

use proptest::prelude::{Strategy, any};
use tvm_ffi_spec::*;

use crate::{trial::{check::{Check, check}, Owned, Trial, Verdict, dirty, text_of, view}, client::memory};

pub const CHECKS: &[Check] = &[
    check("dtype.reads-numbers", "names of integers and floats are read", &["DTY-0001"], reads_numbers),
    check("dtype.writes-numbers", "integers and floats are written with their bits", &["DTY-0001"], writes_numbers),
    check("dtype.reads-bfloat", "`bfloat16` is read as code 4", &["DTY-0002"], reads_bfloat),
    check("dtype.writes-bfloat", "code 4 is written as `bfloat16`", &["DTY-0002"], writes_bfloat),
    check("dtype.default-bits", "a name without bits has the usual number", &["DTY-0003"], default_bits),
    check("dtype.reads-bool", "`bool` is read as code 6", &["DTY-0004"], reads_bool),
    check("dtype.writes-bool", "code 6 is written as `bool`", &["DTY-0004"], writes_bool),
    check("dtype.bool-round-trip", "vectors of `bool` come back", &["DTY-0004"], bool_round_trip),
    check("dtype.reads-bool-as-a-bit", "`bool` is read as one unsigned bit", &["DTY-0005"], reads_bool_as_a_bit),
    check("dtype.writes-a-bit-as-bool", "one unsigned bit is written as `bool`", &["DTY-0005"], writes_a_bit_as_bool),
    check("dtype.reads-handle", "`handle` is read as code 3", &["DTY-0006"], reads_handle),
    check("dtype.writes-handle", "code 3 is written as `handle`", &["DTY-0006"], writes_handle),
    check("dtype.reads-void", "`void` and the empty text are read as nothing", &["DTY-0007"], reads_void),
    check("dtype.writes-void", "nothing is written as the empty text", &["DTY-0007"], writes_void),
    check("dtype.reads-float8", "the float8 kinds are read", &["DTY-0008"], reads_float8),
    check("dtype.writes-float8", "the float8 kinds are written", &["DTY-0008"], writes_float8),
    check("dtype.reads-float6-and-4", "the float6 and float4 kinds are read", &["DTY-0009"], reads_float6_and_4),
    check("dtype.writes-float6-and-4", "the float6 and float4 kinds are written", &["DTY-0009"], writes_float6_and_4),
    check("dtype.reads-lanes", "lanes are read", &["DTY-0010"], reads_lanes),
    check("dtype.writes-lanes", "lanes are written, but not a single one", &["DTY-0010"], writes_lanes),
    check("dtype.reads-scalable-lanes", "scalable lanes are read", &["DTY-0011"], reads_scalable_lanes),
    check("dtype.writes-scalable-lanes", "scalable lanes are written", &["DTY-0011"], writes_scalable_lanes),
    check("dtype.text-is-an-object", "even a short text is a String object", &["DTY-0012"], text_is_an_object),
    check("dtype.text-is-released", "the text is the caller's to release", &["DTY-0012"], text_is_released),
    check("dtype.text-ends-with-nul", "a NUL follows the text", &["DTY-0013"], text_ends_with_nul),
    check(
        "dtype.result-is-overwritten",
        "the result of writing a data type is written whole",
        &["DTY-0014"],
        result_is_overwritten,
    ),
    check(
        "dtype.reads-into-four-bytes",
        "nothing beside the data type is written",
        &["DTY-0015"],
        reads_into_four_bytes,
    ),
    check("dtype.round-trip", "every data type with a name comes back", &["DTY-0016"], round_trip),
    check("dtype.round-trip-at-random", "random data types come back", &["DTY-0016"], round_trip_at_random),
    check("dtype.unknown-names", "a text that is no data type is refused", &["DTY-0017"], unknown_names),
    check("dtype.reads-on-after-refusal", "a good text is read after a bad one", &["DTY-0017"], reads_on_after_refusal),
    check("dtype.trailing-text", "a name with more behind it is refused", &["DTY-0018"], trailing_text),
    check("dtype.trailing-nul", "a NUL does not end the text", &["DTY-0018"], trailing_nul),
    check("dtype.no-lanes", "zero lanes and missing lanes are refused", &["DTY-0019"], no_lanes),
    check("dtype.too-many-bits", "more than 255 bits are refused", &["DTY-0020"], too_many_bits),
    check("dtype.too-many-lanes", "more than 65535 lanes are refused", &["DTY-0020"], too_many_lanes),
    check("dtype.endless-numbers", "a number beyond 64 bits is refused", &["DTY-0032"], endless_numbers),
    check("dtype.digits-only", "signs and spaces before a number are refused", &["DTY-0021"], digits_only),
    check("dtype.ends-at-its-length", "what is behind the text does not count", &["DTY-0022"], ends_at_its_length),
    check("dtype.reads-no-further", "nothing behind the text is read", &["DTY-0022"], reads_no_further),
    check("dtype.short-names", "`i8`, `u8`, `f16` and `bf16` are read", &["DTY-0023"], short_names),
    check("dtype.short-float-kinds", "`fp8_` and `f8_` and their like are read", &["DTY-0024"], short_float_kinds),
    check("dtype.underscore-lanes", "`float4_e2m1fn_x2` is read", &["DTY-0025"], underscore_lanes),
    check("dtype.unknown-code", "a code without a name is not written", &["DTY-0026"], unknown_code),
    check("dtype.reads-custom", "a registered custom name is read", &["DTY-0027"], reads_custom),
    check("dtype.writes-custom", "a registered custom code is written", &["DTY-0027"], writes_custom),
    check(
        "dtype.custom-unregistered",
        "custom types are refused when nobody names them",
        &["DTY-0028"],
        custom_unregistered,
    ),
    check("dtype.reading-no-growth", "reading a text leaves nothing", &["DTY-0029"], reading_no_growth),
    check("dtype.writing-no-growth", "a released text leaves nothing", &["DTY-0029"], writing_no_growth),
    check("dtype.refusing-no-growth", "refusing a text leaves nothing", &["DTY-0029"], refusing_no_growth).patient(2),
    check("dtype.threads", "several threads read and write data types at once", &["DTY-0030"], threads),
    check("dtype.null-text", "a NULL text of a data type is refused", &["DTY-0031"], null_text),
    check("dtype.null-dtype", "a NULL data type is refused", &["DTY-0031"], null_dtype),
    check("dtype.null-result", "a data type or its text with nowhere to go is refused", &["DTY-0031"], null_result),
];

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

fn reads_numbers(t: &Trial) -> Verdict {
    for (name, code) in NUMBERS {
        for bits in 1..=u8::MAX {
            expect_read(t, &format!("{name}{bits}"), one(code, bits))?;
        }
    }
    Ok(())
}

fn writes_numbers(t: &Trial) -> Verdict {
    for (name, code) in NUMBERS {
        // A single unsigned bit was written as `bool` up to 0.1.2.
        for bits in 2..=u8::MAX {
            expect_written(t, one(code, bits), &format!("{name}{bits}"))?;
        }
    }
    Ok(())
}

fn reads_bfloat(t: &Trial) -> Verdict {
    expect_read(t, "bfloat16", one(kDLBfloat, 16))
}

fn writes_bfloat(t: &Trial) -> Verdict {
    expect_written(t, one(kDLBfloat, 16), "bfloat16")
}

fn default_bits(t: &Trial) -> Verdict {
    for (name, code) in NUMBERS {
        expect_read(t, name, one(code, 32))?;
    }
    expect_read(t, "bfloat", one(kDLBfloat, 16))
}

fn reads_bool(t: &Trial) -> Verdict {
    expect_read(t, "bool", BOOL)?;
    expect_read(t, "uint1", BIT)
}

fn writes_bool(t: &Trial) -> Verdict {
    expect_written(t, BOOL, "bool")?;
    expect_written(t, BIT, "uint1")
}

fn bool_round_trip(t: &Trial) -> Verdict {
    for lanes in LANES {
        expect_round_trip(t, vector(BOOL, lanes))?;
        expect_round_trip(t, vector(BOOL, -lanes))?;
    }
    Ok(())
}

fn reads_bool_as_a_bit(t: &Trial) -> Verdict {
    expect_read(t, "bool", BIT)
}

fn writes_a_bit_as_bool(t: &Trial) -> Verdict {
    expect_written(t, BIT, "bool")
}

fn reads_handle(t: &Trial) -> Verdict {
    expect_read(t, "handle", HANDLE)
}

fn writes_handle(t: &Trial) -> Verdict {
    expect_written(t, HANDLE, "handle")
}

fn reads_void(t: &Trial) -> Verdict {
    expect_read(t, "void", VOID)?;
    expect_read(t, "", VOID)
}

fn writes_void(t: &Trial) -> Verdict {
    expect_written(t, VOID, "")
}

fn reads_float8(t: &Trial) -> Verdict {
    FLOAT8.iter().try_for_each(|(kind, code)| expect_read(t, &format!("float8_{kind}"), one(*code, 8)))
}

fn writes_float8(t: &Trial) -> Verdict {
    FLOAT8.iter().try_for_each(|(kind, code)| expect_written(t, one(*code, 8), &format!("float8_{kind}")))
}

fn reads_float6_and_4(t: &Trial) -> Verdict {
    FLOAT6.iter().try_for_each(|(kind, code)| expect_read(t, &format!("float6_{kind}"), one(*code, 6)))?;
    FLOAT4.iter().try_for_each(|(kind, code)| expect_read(t, &format!("float4_{kind}"), one(*code, 4)))
}

fn writes_float6_and_4(t: &Trial) -> Verdict {
    FLOAT6.iter().try_for_each(|(kind, code)| expect_written(t, one(*code, 6), &format!("float6_{kind}")))?;
    FLOAT4.iter().try_for_each(|(kind, code)| expect_written(t, one(*code, 4), &format!("float4_{kind}")))
}

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

fn reads_scalable_lanes(t: &Trial) -> Verdict {
    for lanes in LANES {
        for (name, code) in SIZED {
            expect_read(t, &format!("{name}16xvscalex{lanes}"), vector(one(code, 16), -lanes))?;
        }
    }
    Ok(())
}

fn writes_scalable_lanes(t: &Trial) -> Verdict {
    for lanes in LANES {
        for (name, code) in SIZED {
            expect_written(t, vector(one(code, 16), -lanes), &format!("{name}16xvscalex{lanes}"))?;
        }
    }
    Ok(())
}

fn text_is_an_object(t: &Trial) -> Verdict {
    for dtype in [VOID, HANDLE, one(kDLInt, 8), one(kDLBfloat, 16), vector(one(kDLFloat, 32), 4)] {
        let text = write(t, dtype)?;
        t.eq(format!("type_index of the text of {dtype:?}"), text.any().type_index, kTVMFFIStr)?;
        t.eq("type_index of the object", t.header(text.handle())?.type_index, kTVMFFIStr)?;
    }
    Ok(())
}

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

fn round_trip_at_random(t: &Trial) -> Verdict {
    let lanes = any::<i16>()
        .prop_filter("lanes that are neither none nor one scalable", |lanes| ![0, -1, i16::MIN].contains(lanes));
    let dtype = (0..SIZED.len(), 1..=u8::MAX, lanes);
    t.property(dtype, |&(index, bits, lanes)| expect_round_trip(t, vector(one(SIZED[index].1, bits), lanes)))
}

fn unknown_names(t: &Trial) -> Verdict {
    let names =
        ["flaot32", "nonsense", "x", "32", "x4", "float8_", "float8_e9m9", "float8_e4m3f", "float6_", "float6_e9m9"];
    let more = ["float4_", "float4_e9m9", "float7_e2m1", "custom", "custom[", "custom8", "\u{fc}nt8", " int32"];
    names.iter().chain(&more).try_for_each(|text| refused(t, text))
}

fn reads_on_after_refusal(t: &Trial) -> Verdict {
    for _ in 0..3 {
        refused(t, "flaot32")?;
        expect_read(t, "float32", one(kDLFloat, 32))?;
    }
    Ok(())
}

fn trailing_text(t: &Trial) -> Verdict {
    for name in ["int32", "uint8", "float16", "bfloat16", "handle", "void", "float8_e4m3fn", "float6_e2m3fn", "int32x4"]
    {
        for tail in [" ", "y", "_", "\n", ".", "!", "-"] {
            refused(t, &format!("{name}{tail}"))?;
        }
    }
    ["int32x4x4", "int32x4xvscalex4", "float32x4_", "boolean", "int32xx4"].iter().try_for_each(|text| refused(t, text))
}

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

fn no_lanes(t: &Trial) -> Verdict {
    ["int32x0", "int32x00", "int32x", "float8_e4m3fnx0", "float8_e4m3fnx", "int32xvscalex0", "int32xvscalex"]
        .iter()
        .try_for_each(|text| refused(t, text))
}

fn too_many_bits(t: &Trial) -> Verdict {
    for (name, _) in SIZED {
        for bits in ["256", "300", "65568", "4294967296", "4294967328"] {
            refused(t, &format!("{name}{bits}"))?;
        }
    }
    Ok(())
}

fn too_many_lanes(t: &Trial) -> Verdict {
    for lanes in ["65536", "65537", "4294967296", "4294967300"] {
        refused(t, &format!("int32x{lanes}"))?;
        refused(t, &format!("float8_e4m3fnx{lanes}"))?;
    }
    Ok(())
}

fn endless_numbers(t: &Trial) -> Verdict {
    // 2^64 and a bit more: what a parser that counts in 64 bits takes for the bit more.
    for number in ["18446744073709551624", "18446744073709551648", &"9".repeat(500)] {
        refused(t, &format!("int{number}"))?;
        refused(t, &format!("int32x{number}"))?;
    }
    Ok(())
}

fn digits_only(t: &Trial) -> Verdict {
    ["int-1", "int+32", "int 32", "int\t32", "int32x-1", "int32x+4", "int32x 4", "float8_e4m3fnx-2"]
        .iter()
        .try_for_each(|text| refused(t, text))
}

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

fn underscore_lanes(t: &Trial) -> Verdict {
    let two = vector(one(kDLFloat4_e2m1fn, 4), 2);
    expect_read(t, "float4_e2m1fn_x2", two)?;
    expect_read(t, "float4_e2m1fnx2", two)
}

fn unknown_code(t: &Trial) -> Verdict {
    // DLPack gives codes out from 0 up; custom ones begin at 129. Those right before them are the last to be taken.
    for code in 100..=128 {
        let mut out = TVMFFIAny::NONE;
        t.raises(t.api.TVMFFIDataTypeToString(&one(code, 8), &mut out), &["ValueError"])?;
    }
    Ok(())
}

fn reads_custom(t: &Trial) -> Verdict {
    register_custom(t)?;
    expect_read(t, "custom[c150]16", one(150, 16))?;
    expect_read(t, "custom[c129]", one(129, 32))?;
    expect_read(t, "custom[c255]8x4", vector(one(255, 8), 4))
}

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

fn custom_unregistered(t: &Trial) -> Verdict {
    let text = terminated("custom[posit]16");
    t.raises(t.api.TVMFFIDataTypeFromString(&array(&text), &mut VOID.clone()), &[])?;
    t.raises(t.api.TVMFFIDataTypeToString(&one(150, 16), &mut TVMFFIAny::NONE.clone()), &[]).map(drop)
}

fn reading_no_growth(t: &Trial) -> Verdict {
    let texts = ["float32x4", "float8_e4m3fn", "void"].map(terminated);
    t.no_growth("reading three texts", || texts.iter().try_for_each(|text| read(t, array(text)).map(drop)))
}

fn writing_no_growth(t: &Trial) -> Verdict {
    let dtypes = [vector(one(kDLFloat, 32), 4), one(kDLFloat8_e4m3fn, 8), VOID];
    t.no_growth("writing and releasing three texts", || dtypes.iter().try_for_each(|&dtype| write(t, dtype).map(drop)))
}

fn refusing_no_growth(t: &Trial) -> Verdict {
    t.no_growth("refusing a text and releasing the error", || refused(t, "nonsense"))
}

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

fn null_text(t: &Trial) -> Verdict {
    let mut out = VOID;
    t.raises(t.api.TVMFFIDataTypeFromString(std::ptr::null(), &mut out), &[])?;
    let text = TVMFFIByteArray { data: std::ptr::null(), size: 5 };
    t.raises(t.api.TVMFFIDataTypeFromString(&text, &mut out), &[]).map(drop)
}

fn null_dtype(t: &Trial) -> Verdict {
    let mut out = TVMFFIAny::NONE;
    t.raises(t.api.TVMFFIDataTypeToString(std::ptr::null(), &mut out), &[]).map(drop)
}

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
