//! Data types in the numbering and with the names of the legacy generation, which are not today's.

use tvm_ffi_spec::DLDataType;

use crate::error::{Error, Result};

/// Signed integers.
pub const INT: u8 = 0;
/// Unsigned integers.
pub const UINT: u8 = 1;
/// Floating-point numbers.
pub const FLOAT: u8 = 2;
/// Pointers.
pub const HANDLE: u8 = 3;

/// The name of a data type.
pub fn name(DLDataType { code, bits, lanes }: DLDataType) -> Result<String> {
    if (code, bits, lanes) == (UINT, 1, 1) {
        return Ok("bool".to_owned());
    }
    if (code, bits, lanes) == (HANDLE, 0, 0) {
        return Ok(String::new());
    }
    let base = match code {
        INT => format!("int{bits}"),
        UINT => format!("uint{bits}"),
        FLOAT => format!("float{bits}"),
        HANDLE if (bits, lanes) == (64, 1) => return Ok("handle".to_owned()),
        HANDLE => format!("handle{bits}"),
        4 => format!("bfloat{bits}"),
        6 => format!("e4m3_float{bits}"),
        7 => format!("e5m2_float{bits}"),
        8 => format!("e2m1_float{bits}"),
        _ => return Err(Error::value(format!("unknown type_code={code} of a data type"))),
    };
    // A negative number of lanes is a scalable vector.
    match lanes as i16 {
        1 => Ok(base),
        lanes if lanes < -1 => Ok(format!("{base}xvscalex{}", -i32::from(lanes))),
        _ => Ok(format!("{base}x{lanes}")),
    }
}

/// Whether arrays can be made of it, and why not.
pub fn storable(DLDataType { code, bits, lanes }: DLDataType) -> Result<()> {
    let shown = format!("(code {code}, {bits} bits, {lanes} lanes)");
    if lanes == 0 || lanes > i16::MAX as u16 {
        return Err(Error::value(format!("a data type {shown} of an array has at least one lane")));
    }
    if code == FLOAT && bits % 8 != 0 {
        return Err(Error::value(format!("a floating-point number {shown} has whole bytes")));
    }
    let is_bool = (code, bits) == (UINT, 1);
    if bits == 0 || (!is_bool && !bits.is_power_of_two()) {
        return Err(Error::value(format!("the elements of an array {shown} have a power of two of bits")));
    }
    Ok(())
}
