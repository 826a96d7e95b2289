//! Names of data types that differ in one byte and follow each other in one place in memory.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{lossy, one, vector};
use crate::{
    checks::check,
    client::{
        Verdict,
        api::Api,
        one_memory::{LENGTHS, OneMemory, steps},
        text_of, view,
    },
    trial::Trial,
};

/// A name of a data type that differs in one byte from the one that stood in the same place in memory at the call before is read as the data type
/// that it names.
#[check(DTY_0001, DTY_0010)]
fn names_that_differ_in_one_byte(t: &Trial) -> Verdict {
    let mut memory = OneMemory::new();
    let mut is_read = |name: &str, expected: DLDataType| -> Verdict {
        let mut read = one(0, 0);
        t.clause(if expected.lanes == 1 { id::DTY_0001 } else { id::DTY_0010 });
        t.ok(t.api.TVMFFIDataTypeFromString(memory.put(name.as_bytes()), &mut read))?;
        t.eq(format_args!("data type of `{name}`"), read, expected)
    };
    // One digit after the other, of the bits and of the lanes, and back.
    const BITS: [u8; 7] = [16, 17, 37, 47, 46, 66, 16];
    const LANES: [i16; 10] = [10_000, 20_000, 21_000, 21_200, 21_230, 21_234, 11_234, 11_034, 11_004, 10_004];
    for (name, code) in [("int", kDLInt), ("uint", kDLUInt), ("float", kDLFloat)] {
        for bits in BITS {
            is_read(&format!("{name}{bits}"), one(code, bits))?;
        }
        for (bits, lanes) in BITS.into_iter().flat_map(|bits| LANES.map(|lanes| (bits, lanes))) {
            is_read(&format!("{name}{bits}x{lanes}"), vector(one(code, bits), lanes))?;
        }
    }
    Ok(())
}

/// A custom name that differs in one byte from the one that stood in the same place in memory at the call before is read as the code that it is
/// given.
#[check(DTY_0027)]
fn custom_names_that_differ_in_one_byte(t: &Trial) -> Verdict {
    let function = t.callback(answer_code)?;
    let name = TVMFFIByteArray::new(b"dtype.get_custom_type_code");
    t.ok(t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 1))?;
    let mut memory = OneMemory::new();
    for (text, bits) in
        LENGTHS.into_iter().flat_map(steps).flat_map(|text| [16_u8, 17].map(|bits| (text.clone(), bits)))
    {
        let name = [b"custom[", &text[..], format!("]{bits}").as_bytes()].concat();
        let mut read = one(0, 0);
        t.ok(t.api.TVMFFIDataTypeFromString(memory.put(&name), &mut read))?;
        t.eq(format_args!("data type of `{}`", lossy(&name)), read, one(code_of(&text), bits))?;
    }
    Ok(())
}

/// A code for a name: another where one letter is of another size.
fn code_of(name: &[u8]) -> u8 {
    let sum: u32 = name.iter().copied().map(u32::from).sum();
    129 + (sum % 120) as u8
}

fn answer_code(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    Some(view::int(code_of(&text_of(args.first()?)?).into()))
}
