//! Texts that name no data type, and data types without a name.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{SIZED, VOID, array, expect_read, one, read, refused, terminated};
use crate::{checks::check, client::Verdict, trial::Trial};

/// A text that names no data type is refused with a ValueError.
#[check(DTY_0017)]
fn unknown_names(t: &Trial) -> Verdict {
    all_refused(t, &NO_NAMES)
}

/// Texts that name no data type.
pub(super) const NO_NAMES: [&str; 20] = [
    "flaot32",
    "nonsense",
    "x",
    "32",
    "x4",
    "float8_",
    "float8_e9m9",
    "float8_e4m3f",
    "float6_",
    "float6_e9m9",
    "float4_",
    "float4_e9m9",
    "float7_e2m1",
    "custom",
    "custom[",
    "custom8",
    "\u{fc}nt8",
    " int32",
    "%s%n%s%n",
    "int%d",
];

/// The name of a data type is read after another text was refused.
#[check(DTY_0017)]
fn reads_on_after_refusal(t: &Trial) -> Verdict {
    for _ in 0..3 {
        refused(t, "flaot32")?;
        expect_read(t, "float32", one(kDLFloat, 32))?;
    }
    Ok(())
}

/// A data type's name with anything behind it that does not belong there is refused with a ValueError.
#[check(DTY_0018)]
fn trailing_text(t: &Trial) -> Verdict {
    for name in ["int32", "uint8", "float16", "bfloat16", "handle", "void", "float8_e4m3fn", "float6_e2m3fn", "int32x4"]
    {
        for tail in [" ", "y", "_", "\n", ".", "!", "-"] {
            refused(t, &format!("{name}{tail}"))?;
        }
    }
    all_refused(t, &["int32x4x4", "int32x4xvscalex4", "float32x4_", "boolean", "int32xx4"])
}

/// A data type's name with an underscore behind it that sets no lanes off is refused with a ValueError.
#[check(DTY_0018)]
fn underscore_before_nothing(t: &Trial) -> Verdict {
    all_refused(t, &["float4_e2m1fn_", "float4_e2m1fn_2", "float4_e2m1fn_x", "float4_e2m1fn__x2", "float4_e2m1fnx2_"])
}

/// A data type's name with anything behind it is refused also where the name itself was read just before, which is read on.
#[check(DTY_0018, FUN_0028)]
fn right_after_the_name(t: &Trial) -> Verdict {
    for name in ["int8", "int32", "uint64", "float16", "bfloat16", "float8_e4m3fn", "int32x4", "float4_e2m1fnx2"] {
        let first = read(t, array(&terminated(name)))?;
        for tail in ["\0", "\0\0", " ", "y", "_"] {
            t.clause(id::DTY_0018);
            refused(t, &format!("{name}{tail}"))?;
            t.clause(id::FUN_0028);
            expect_read(t, name, first)?;
        }
    }
    Ok(())
}

/// A data type's name with a NUL inside its length is refused with a ValueError.
#[check(DTY_0018)]
fn trailing_nul(t: &Trial) -> Verdict {
    all_refused(
        t,
        &[
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
        ],
    )
}

/// A data type's name with zero lanes, or with no number behind its `x`, is refused with a ValueError.
#[check(DTY_0019)]
fn no_lanes(t: &Trial) -> Verdict {
    all_refused(
        t,
        &["int32x0", "int32x00", "int32x", "float8_e4m3fnx0", "float8_e4m3fnx", "int32xvscalex0", "int32xvscalex"],
    )
}

/// A data type's name that ends in `xvscale` is refused with a ValueError.
#[check(DTY_0019)]
fn no_scalable_lanes(t: &Trial) -> Verdict {
    all_refused(t, &["int32xvscale", "uint8xvscale", "float32xvscale", "bfloat16xvscale", "i8xvscale"])
}

/// A data type's name with more than 255 bits is refused with a ValueError.
#[check(DTY_0020)]
fn too_many_bits(t: &Trial) -> Verdict {
    for (name, _) in SIZED {
        for bits in ["256", "300", "65568", "4294967296", "4294967328"] {
            for lanes in ["", "x4", "xvscalex4"] {
                refused(t, &format!("{name}{bits}{lanes}"))?;
            }
        }
    }
    Ok(())
}

/// A data type's name with more than 65535 lanes is refused with a ValueError.
#[check(DTY_0020)]
fn too_many_lanes(t: &Trial) -> Verdict {
    for lanes in ["65536", "65537", "4294967296", "4294967300"] {
        refused(t, &format!("int32x{lanes}"))?;
        refused(t, &format!("float8_e4m3fnx{lanes}"))?;
    }
    Ok(())
}

/// A data type's name with more than 32768 scalable lanes is refused with a ValueError.
#[check(DTY_0020)]
fn too_many_scalable_lanes(t: &Trial) -> Verdict {
    // As numbers of 16 bits with the sign turned, these are 32767, 25536 and 1 lanes that are not scalable, or some that are.
    for lanes in ["32769", "40000", "65535", "65536", "65537", "98304", "4294967292"] {
        refused(t, &format!("int32xvscalex{lanes}"))?;
        refused(t, &format!("bfloat16xvscalex{lanes}"))?;
    }
    Ok(())
}

/// A data type's name with a number that 64 bits cannot hold is refused with a ValueError.
#[check(DTY_0032)]
fn endless_numbers(t: &Trial) -> Verdict {
    // 2^64 and a few more, which a parser that counts in 64 bits takes for just those few.
    for number in ["18446744073709551624", "18446744073709551648", &"9".repeat(500)] {
        for (name, _) in SIZED {
            refused(t, &format!("{name}{number}"))?;
            refused(t, &format!("{name}{number}x4"))?;
        }
        for name in ["int32", "bfloat16", "bool", "float8_e4m3fn", "float4_e2m1fn"] {
            refused(t, &format!("{name}x{number}"))?;
            refused(t, &format!("{name}xvscalex{number}"))?;
        }
    }
    Ok(())
}

/// A data type's name with a sign or a space before a number is refused with a ValueError.
#[check(DTY_0021)]
fn digits_only(t: &Trial) -> Verdict {
    all_refused(t, &["int-1", "int+32", "int 32", "int\t32", "int32x-1", "int32x+4", "int32x 4", "float8_e4m3fnx-2"])
}

/// Expects each of these texts to be refused.
pub(super) fn all_refused(t: &Trial, texts: &[&str]) -> Verdict {
    texts.iter().try_for_each(|text| refused(t, text))
}

/// Writing a data type whose code has no name raises an error.
#[check(DTY_0026)]
fn unknown_code(t: &Trial) -> Verdict {
    // DLPack gives codes out from 0 up, and custom codes begin at 129: DLPack will take those right before 129 last.
    for code in 100..=128 {
        let mut out = TVMFFIAny::NONE;
        t.raises(t.api.TVMFFIDataTypeToString(&one(code, 8), &mut out), &[])?;
    }
    Ok(())
}

/// Reading a data type from NULL, or from NULL data with a length, raises an error.
#[check(DTY_0031)]
fn null_text(t: &Trial) -> Verdict {
    let mut out = VOID;
    t.raises(t.api.TVMFFIDataTypeFromString(std::ptr::null(), &mut out), &[])?;
    let text = TVMFFIByteArray { data: std::ptr::null(), size: 5 };
    t.raises(t.api.TVMFFIDataTypeFromString(&text, &mut out), &[]).map(drop)
}

/// Writing a NULL data type raises an error.
#[check(DTY_0031)]
fn null_dtype(t: &Trial) -> Verdict {
    let mut out = TVMFFIAny::NONE;
    t.raises(t.api.TVMFFIDataTypeToString(std::ptr::null(), &mut out), &[]).map(drop)
}

/// Reading or writing a data type with NULL for the result raises an error.
#[check(DTY_0031)]
fn null_result(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFIDataTypeFromString(&array(&terminated("int8")), std::ptr::null_mut()), &[])?;
    t.raises(t.api.TVMFFIDataTypeToString(&one(kDLInt, 8), std::ptr::null_mut()), &[]).map(drop)
}
