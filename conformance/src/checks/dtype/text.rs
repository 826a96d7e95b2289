//! The text that is written, and how much is read of a text and into a result.

use tvm_ffi_spec::*;

use super::kit::{
    BITS, HANDLE, SIZED, VOID, array, expect_read, expect_written, lossy, one, read, refused, terminated, vector, write,
};
use crate::{
    checks::check,
    client::{Owned, Verdict, dirty},
    trial::Trial,
};

/// The text of a data type is always a String object, however short it is.
#[check(DTY_0012)]
fn text_is_an_object(t: &Trial) -> Verdict {
    for dtype in [VOID, HANDLE, one(kDLInt, 8), one(kDLBfloat, 16), vector(one(kDLFloat, 32), 4)] {
        let Some(text) = written(t, dtype)? else { continue };
        t.type_index_eq(format_args!("type_index of the text of {dtype:?}"), text.any().type_index, kTVMFFIStr)?;
        t.type_index_eq("type_index of the object", t.header(text.handle())?.type_index, kTVMFFIStr)?;
    }
    Ok(())
}

/// The text of a data type belongs to its caller alone, also when a data type is written twice.
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

/// A NUL follows the text of a data type, and the text's length does not count it.
#[check(DTY_0013)]
fn text_ends_with_nul(t: &Trial) -> Verdict {
    let plain = [(one(kDLInt, 8), "int8"), (vector(one(kDLFloat, 16), 4), "float16x4")];
    for (dtype, expected) in plain {
        expect_written(t, dtype, expected)?;
    }
    // What these are called, and whether they are written at all, is for other clauses to say.
    for dtype in [plain[0].0, plain[1].0, VOID, HANDLE, vector(one(kDLFloat, 16), -32)] {
        let Some(text) = written(t, dtype)? else { continue };
        let cell: TVMFFIByteArray = t.cell("address and length of the text", text.handle())?;
        let behind = cell.data.wrapping_add(cell.size);
        t.eq("the byte behind the text", t.read("the byte behind the text", behind)?, 0)?;
        t.eq("whether a NUL is counted", t.text(&text.any())?.contains(&0), false)?;
    }
    Ok(())
}

/// The text of a data type, if it is written.
fn written(t: &Trial, dtype: DLDataType) -> Verdict<Option<Owned>> {
    let mut out = TVMFFIAny::NONE;
    match t.api.TVMFFIDataTypeToString(&dtype, &mut out) {
        0 => Ok(Some(t.own(out))),
        status => t.raises(status, &[]).map(|_| None),
    }
}

/// Writing a data type overwrites the whole result, and the second word is zero.
#[check(DTY_0014)]
fn result_is_overwritten(t: &Trial) -> Verdict {
    for before in kTVMFFINone..kTVMFFIStaticObjectBegin {
        let mut out = dirty(before);
        t.ok(t.api.TVMFFIDataTypeToString(&vector(one(kDLFloat, 16), 4), &mut out))?;
        let text = t.own(out);
        if !text.handle().is_null() {
            t.eq("second word", out.aux_word(), 0)?;
            t.type_index_eq("type_index where the payload leads", t.header(text.handle())?.type_index, out.type_index)?;
        }
    }
    Ok(())
}

/// Reading a text writes the four bytes of the data type and nothing beside them.
#[check(DTY_0015)]
fn reads_into_four_bytes(t: &Trial) -> Verdict {
    const BESIDE: [DLDataType; 3] = [DLDataType { code: 0xA5, bits: 0xA5, lanes: 0xA5A5 }; 3];
    for text in ["int8", "float32x4", "float8_e4m3fn", "", "handle"] {
        let mut slots = BESIDE;
        // The last two may be no names.
        if t.api.TVMFFIDataTypeFromString(&array(&terminated(text)), &mut slots[1]) != 0 {
            t.api.release_raised();
        }
        t.eq("the four bytes before the result", slots[0], BESIDE[0])?;
        t.eq("the four bytes behind the result", slots[2], BESIDE[2])?;
    }
    Ok(())
}

/// A data type's name ends where its length says, whatever follows it in memory.
#[check(DTY_0022)]
fn ends_at_its_length(t: &Trial) -> Verdict {
    let cases = [
        ("int32", "8"),
        ("int32", "x4"),
        ("int32", "xvscalex4"),
        ("int", "8"),
        ("float", "8_e4m3fn"),
        ("float8_e4m3", "fn"),
        ("float8_e4m3fn", "uz"),
        ("float8_e4m3fn", "x4"),
        ("bfloat", "32"),
        ("handle", "32"),
        ("int32x4", "4"),
        ("", "int8"),
        ("void", "x"),
        ("uint8", "\u{ff}"),
    ];
    for (text, behind) in cases {
        // Some of them are names by a SHOULD alone.
        let alone = read_if_named(t, array(&terminated(text)))?;
        let buffer = format!("{text}{behind}");
        let within = TVMFFIByteArray { size: text.len(), ..TVMFFIByteArray::new(buffer.as_bytes()) };
        t.eq(format_args!("`{text}` with `{behind}` behind it"), read_if_named(t, within)?, alone)?;
    }
    Ok(())
}

/// The data type that a text names, if it names one.
fn read_if_named(t: &Trial, text: TVMFFIByteArray) -> Verdict<Option<DLDataType>> {
    let mut out = VOID;
    match t.api.TVMFFIDataTypeFromString(&text, &mut out) {
        0 => Ok(Some(out)),
        status => t.raises(status, &["ValueError"]).map(|_| None),
    }
}

/// No byte behind the text of a data type is read.
#[check(DTY_0022)]
fn reads_no_further(t: &Trial) -> Verdict {
    for text in
        ["int", "int32", "uint8x4", "float16xvscalex2", "bfloat16", "bool", "handle", "float8_e4m3", "float4_e2m1fn"]
    {
        read_if_named(t, t.guarded(text.as_bytes())?.array())?;
    }
    for text in ["i", "in", "nonsense", "float8_", "float8_e4m", "int32x", "int32xvscale-"] {
        let input = t.guarded(text.as_bytes())?;
        t.raises(t.api.TVMFFIDataTypeFromString(&input.array(), &mut VOID.clone()), &["ValueError"])?;
    }
    Ok(())
}

/// Reading data types does not make the heap grow, also on threads that end.
#[check(DTY_0029, patient = 3)]
fn reading_no_growth(t: &Trial) -> Verdict {
    let texts = ["float32x4", "float8_e4m3fn", "uint1"].map(terminated);
    t.leaves_nothing("reading three texts", |t| texts.iter().try_for_each(|text| read(t, array(text)).map(drop)))
}

/// Writing data types and releasing their texts does not make the heap grow, also on threads that end.
#[check(DTY_0029, patient = 3)]
fn writing_no_growth(t: &Trial) -> Verdict {
    let dtypes = [vector(one(kDLFloat, 32), 4), one(kDLFloat8_e4m3fn, 8), one(kDLInt, 1)];
    t.leaves_nothing("writing and releasing three texts", |t| {
        dtypes.iter().try_for_each(|&dtype| write(t, dtype).map(drop))
    })
}

/// Refusing a text and releasing the error does not make the heap grow.
#[check(DTY_0029, patient = 2)]
fn refusing_no_growth(t: &Trial) -> Verdict {
    t.no_growth("refusing a text and releasing the error", || refused(t, "nonsense"))
}

/// Reading or refusing a text that goes on behind the name of a data type, in whatever way and with however much, does not make the heap grow.
#[check(DTY_0029, patient = 2)]
fn text_behind_a_name_no_growth(t: &Trial) -> Verdict {
    t.short_backtraces();
    let names =
        ["int", "uint8", "float32", "bfloat16", "bool", "handle", "float8_e4m3fn", "float4_e2m1fn", "custom[a]"];
    let long = "9".repeat(200);
    let rests = [
        "x",
        "x0",
        "x4",
        "x-4",
        "x4x4",
        "x4 and more",
        "xvscalex",
        "xvscalex4",
        "xvscale4",
        "_",
        " ",
        "x99999999999",
        &long,
        "x and then some",
    ];
    for name in names {
        let texts = rests.map(|rest| format!("{name}{rest}"));
        let what = format!("reading or refusing {name} with something behind it");
        t.no_growth(what, || texts.iter().try_for_each(|text| read_if_any(t, text)))?;
    }
    Ok(())
}

/// Has a text read, which may name a data type or be refused.
fn read_if_any(t: &Trial, text: &str) -> Verdict {
    match t.api.TVMFFIDataTypeFromString(&TVMFFIByteArray::new(text.as_bytes()), &mut VOID.clone()) {
        0 => Ok(()),
        status => t.raises(status, &[]).map(drop),
    }
}

/// Four threads read and write data types at once, and get the right answers.
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
