//! Names of data types, read and written.

use std::ops::RangeInclusive;

use proptest::sample::select;
use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    BIT, BITS, BOOL, FLOAT6_AND_4, FLOAT8, HANDLE, LANES, NUMBERS, SIZED, VOID, array, expect_read, expect_written,
    lossy, one, read, read_or_refused, terminated, vector, write,
};
use crate::{checks::check, client::Verdict, trial::Trial};

/// `int`, `uint` and `float` with a number of bits are read as the codes 0, 1 and 2 with that many bits.
#[check(DTY_0001)]
fn reads_numbers(t: &Trial) -> Verdict {
    for (name, code) in NUMBERS {
        for bits in 1..=u8::MAX {
            expect_read(t, &format!("{name}{bits}"), one(code, bits))?;
        }
    }
    Ok(())
}

/// The codes 0, 1 and 2 are written as `int`, `uint` and `float` with their number of bits.
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

/// `bfloat16` is read as code 4 with 16 bits.
#[check(DTY_0002)]
fn reads_bfloat(t: &Trial) -> Verdict {
    expect_read(t, "bfloat16", one(kDLBfloat, 16))
}

/// Code 4 with 16 bits is written as `bfloat16`.
#[check(DTY_0002)]
fn writes_bfloat(t: &Trial) -> Verdict {
    expect_written(t, one(kDLBfloat, 16), "bfloat16")
}

/// `int`, `uint` and `float` without a number are read as 32 bits, and `bfloat` as 16.
#[check(DTY_0003)]
fn default_bits(t: &Trial) -> Verdict {
    for (name, code) in NUMBERS {
        expect_read(t, name, one(code, 32))?;
    }
    expect_read(t, "bfloat", one(kDLBfloat, 16))
}

/// `bool` is read as code 6 with 8 bits, and `uint1` as one unsigned bit.
#[check(DTY_0004)]
fn reads_bool(t: &Trial) -> Verdict {
    expect_read(t, "bool", BOOL)?;
    expect_read(t, "uint1", BIT)
}

/// Code 6 with 8 bits is written as `bool`, and one unsigned bit as `uint1`.
#[check(DTY_0004)]
fn writes_bool(t: &Trial) -> Verdict {
    expect_written(t, BOOL, "bool")?;
    expect_written(t, BIT, "uint1")
}

/// What is written of a vector of `bool` is read as that data type.
#[check(DTY_0004)]
fn bool_round_trip(t: &Trial) -> Verdict {
    LANES.into_iter().try_for_each(|lanes| expect_round_trip(t, vector(BOOL, lanes)))
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

/// `handle` is read as code 3 with 64 bits.
#[check(DTY_0006)]
fn reads_handle(t: &Trial) -> Verdict {
    expect_read(t, "handle", HANDLE)
}

/// Code 3 with 64 bits is written as `handle`.
#[check(DTY_0006)]
fn writes_handle(t: &Trial) -> Verdict {
    expect_written(t, HANDLE, "handle")
}

/// `void` and the empty text are read as code 3 with no bits and no lanes.
#[check(DTY_0007)]
fn reads_void(t: &Trial) -> Verdict {
    expect_read(t, "void", VOID)?;
    expect_read(t, "", VOID)
}

/// Code 3 with no bits and no lanes is written as the empty text.
#[check(DTY_0007)]
fn writes_void(t: &Trial) -> Verdict {
    expect_written(t, VOID, "")
}

/// The eight `float8_` kinds are read as the codes 7 to 14 with 8 bits.
#[check(DTY_0008)]
fn reads_float8(t: &Trial) -> Verdict {
    FLOAT8.iter().try_for_each(|(kind, dtype)| expect_read(t, &format!("float{kind}"), *dtype))
}

/// The codes 7 to 14 with 8 bits are written as the eight `float8_` kinds.
#[check(DTY_0008)]
fn writes_float8(t: &Trial) -> Verdict {
    FLOAT8.iter().try_for_each(|(kind, dtype)| expect_written(t, *dtype, &format!("float{kind}")))
}

/// The `float6_` and `float4_` kinds are read as the codes 15 to 17 with 6 and 4 bits.
#[check(DTY_0009)]
fn reads_float6_and_4(t: &Trial) -> Verdict {
    FLOAT6_AND_4.iter().try_for_each(|(kind, dtype)| expect_read(t, &format!("float{kind}"), *dtype))
}

/// The codes 15 to 17 with 6 and 4 bits are written as the `float6_` and `float4_` kinds.
#[check(DTY_0009)]
fn writes_float6_and_4(t: &Trial) -> Verdict {
    FLOAT6_AND_4.iter().try_for_each(|(kind, dtype)| expect_written(t, *dtype, &format!("float{kind}")))
}

/// `x` and a number behind a data type's name are read as the lanes of a vector.
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

/// Zeros in front of a number of bits or of lanes make no other number of it: the name is read with that number, or refused.
#[check(DTY_0010, DTY_0011, DTY_0001)]
fn zeros_in_front(t: &Trial) -> Verdict {
    let numbers = [2, 8, 9, 10, 12, 16, 32, 64, 100, 123];
    let bits = NUMBERS.map(|(name, code)| (id::DTY_0001, name.to_owned(), code, numbers.to_vec()));
    let lanes = |clause, by: &str| {
        SIZED.map(|(name, code)| (clause, format!("{name}16{by}"), code, [&numbers[..], &[1000, 4096, 32767]].concat()))
    };
    let all = bits.into_iter().chain(lanes(id::DTY_0010, "x")).chain(lanes(id::DTY_0011, "xvscalex"));
    for (clause, name, code, numbers) in all {
        t.clause(clause);
        for (number, zeros) in numbers.into_iter().flat_map(|number| [1, 2, 17].map(|zeros| (number, zeros))) {
            let expected = match clause {
                id::DTY_0001 => one(code, number as u8),
                id::DTY_0010 => vector(one(code, 16), number),
                _ => vector(one(code, 16), -number),
            };
            read_or_refused(t, &format!("{name}{}{number}", "0".repeat(zeros)), expected)?;
        }
    }
    Ok(())
}

/// The lanes of a vector are written as `x` and their number, and a single lane is not written.
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

/// A data type is written as itself, and its name read, beside one that differs from it in a single part, in turns.
#[check(DTY_0010, DTY_0001)]
fn beside_others(t: &Trial) -> Verdict {
    let types = [
        (one(kDLInt, 8), "int8"),
        (one(kDLUInt, 8), "uint8"),
        (one(kDLInt, 16), "int16"),
        (vector(one(kDLInt, 8), 2), "int8x2"),
        (vector(one(kDLInt, 8), 257), "int8x257"),
        (vector(one(kDLInt, 8), 258), "int8x258"),
        (vector(one(kDLUInt, 8), 257), "uint8x257"),
        (vector(one(kDLInt, 16), 513), "int16x513"),
    ];
    for (at, one) in types.iter().enumerate() {
        for other in types.iter().skip(at + 1) {
            for (dtype, name) in [one, other, one] {
                t.clause(if dtype.lanes == 1 { id::DTY_0001 } else { id::DTY_0010 });
                expect_written(t, *dtype, name)?;
            }
            for (dtype, name) in [one, other, one] {
                t.clause(if dtype.lanes == 1 { id::DTY_0001 } else { id::DTY_0010 });
                expect_read(t, name, *dtype)?;
            }
        }
    }
    Ok(())
}

/// `xvscalex` and a number behind a data type's name are read as scalable lanes, kept as a negative number.
#[check(DTY_0011)]
fn reads_scalable_lanes(t: &Trial) -> Verdict {
    for lanes in LANES {
        for (name, code) in SIZED {
            expect_read(t, &format!("{name}16xvscalex{lanes}"), vector(one(code, 16), -lanes))?;
        }
    }
    Ok(())
}

/// Scalable lanes are written as `xvscalex` and their number.
#[check(DTY_0011)]
fn writes_scalable_lanes(t: &Trial) -> Verdict {
    for lanes in LANES {
        for (name, code) in SIZED {
            expect_written(t, vector(one(code, 16), -lanes), &format!("{name}16xvscalex{lanes}"))?;
        }
    }
    Ok(())
}

/// `i`, `u`, `f` and `bf` with a number of bits are read as `int`, `uint`, `float` and `bfloat`.
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

/// `fp8_` and `f8_` are read as `float8_`, and likewise for 6 and 4 bits.
#[check(DTY_0024)]
fn short_float_kinds(t: &Trial) -> Verdict {
    for prefix in ["f", "fp"] {
        for &(kind, dtype) in FLOAT8.iter().chain(&FLOAT6_AND_4) {
            expect_read(t, &format!("{prefix}{kind}"), dtype)?;
        }
    }
    Ok(())
}

/// `float4_e2m1fn_x2` is read as two lanes of `float4_e2m1fn`.
#[check(DTY_0025)]
fn underscore_lanes(t: &Trial) -> Verdict {
    let two = vector(one(kDLFloat4_e2m1fn, 4), 2);
    expect_read(t, "float4_e2m1fn_x2", two)?;
    expect_read(t, "float4_e2m1fnx2", two)
}

/// What is written of a data type with a name is read as that data type.
#[check(DTY_0016)]
fn round_trip(t: &Trial) -> Verdict {
    for (_, code) in SIZED {
        for bits in 1..=u8::MAX {
            expect_round_trip(t, one(code, bits))?;
        }
        for bits in [1].into_iter().chain(BITS) {
            LANES.iter().try_for_each(|&lanes| expect_round_trip(t, vector(one(code, bits), lanes)))?;
        }
    }
    for &(_, dtype) in FLOAT8.iter().chain(&FLOAT6_AND_4) {
        expect_round_trip(t, dtype)?;
        LANES.iter().try_for_each(|&lanes| expect_round_trip(t, vector(dtype, lanes)))?;
    }
    Ok(())
}

/// What is written of a random vector of numbers is read as that data type.
#[check(DTY_0016)]
fn round_trip_at_random(t: &Trial) -> Verdict {
    round_trip_of(t, 1..=i16::MAX)
}

/// What is written of a handle and of no type at all is read as that data type.
#[check(DTY_0006, DTY_0007)]
fn round_trip_of_handles(t: &Trial) -> Verdict {
    expect_round_trip(t, HANDLE)?;
    t.clause(id::DTY_0007);
    expect_round_trip(t, VOID)
}

/// What is written of a scalable vector is read as that data type.
#[check(DTY_0011)]
fn round_trip_of_scalable_vectors(t: &Trial) -> Verdict {
    round_trip_of(t, -i16::MAX..=-2)
}

/// Expects what is written of random vectors with so many lanes to be read as the same.
fn round_trip_of(t: &Trial, lanes: RangeInclusive<i16>) -> Verdict {
    let vectors = (select(&SIZED[..]), 1..=u8::MAX, lanes);
    let told = |&((name, _), bits, lanes): &_| match lanes {
        1 => format!("{name}{bits}"),
        2.. => format!("{name}{bits}x{lanes}"),
        _ => format!("{name}{bits}xvscalex{}", -i32::from(lanes)),
    };
    t.property_told(vectors, told, |&((_, code), bits, lanes)| expect_round_trip(t, vector(one(code, bits), lanes)))
}

/// What is written of a complex data type is read as that data type, unless writing it is refused with an error.
#[check(DTY_0033)]
fn round_trip_of_complex(t: &Trial) -> Verdict {
    for dtype in [one(kDLComplex, 64), one(kDLComplex, 128), vector(one(kDLComplex, 64), 2)] {
        let mut out = TVMFFIAny::NONE;
        match t.api.TVMFFIDataTypeToString(&dtype, &mut out) {
            0 => {
                let text = lossy(&t.text(&t.own(out).any())?);
                t.eq(format_args!("data type of the text `{text}`"), read(t, array(&terminated(&text)))?, dtype)?;
            }
            code => t.raises(code, &[]).map(drop)?,
        }
    }
    Ok(())
}

/// Expects what is written of a data type to be read as that data type.
fn expect_round_trip(t: &Trial, dtype: DLDataType) -> Verdict {
    let text = lossy(&t.text(&write(t, dtype)?.any())?);
    t.eq(format_args!("data type of the text `{text}`"), read(t, array(&terminated(&text)))?, dtype)
}
