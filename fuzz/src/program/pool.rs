//! The plain values that arguments are taken from: few enough to meet again, with those at the edges among them.

use std::ffi::CStr;

use tvm_ffi_spec::*;

/// Integers.
pub const INTS: &[i64] = &[
    0,
    1,
    2,
    3,
    -1,
    7,
    8,
    5,
    -2,
    16,
    64,
    71,
    72,
    75,
    76,
    127,
    128,
    255,
    256,
    1000,
    1 << 31,
    (1 << 31) - 1,
    -(1 << 31),
    1 << 32,
    1 << 53,
    (1 << 53) + 1,
    i64::MAX,
    i64::MIN,
];

/// Doubles.
pub const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    5e-324,
    1e300,
    f64::MAX,
    f64::MIN_POSITIVE,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    9007199254740993.0,
    -2147483648.0,
];

/// Texts: of both forms, with bytes that end C strings or are no UTF-8, and of every small language that the library reads.
pub const TEXTS: &[&[u8]] = &[
    b"",
    b"a",
    b"b",
    b"seven_b",
    b"eight_by",
    b"a text that is not short at all",
    b"nul\0in it",
    "\u{e4}\u{1f600}".as_bytes(),
    b"\xff\xfe",
    b"ab\x80",
    b"\"quoted\" \\ \n\t\x01",
    b"float32x4",
    b"int8",
    b"bool",
    b"[1, 2.5, \"x\", null, true]",
    b"{\"a\": [], \"b\": {\"a\": -1}}",
    b"[[[[",
    b"1e400",
    b"-9223372036854775808",
    b"12345678901234567890",
    b"ffi.Array",
    b"ffi.Map",
    b"ffi.String",
    b"ffi.Array.no",
    b"{\"root_index\": 0, \"nodes\": [{\"type\": \"int\", \"data\": 3}]}",
    b"{\"root_index\":1,\"nodes\":[{\"type\":\"ffi.String\",\"data\":\"x\"},{\"type\":\"ffi.Array\",\"data\":[0,0]}]}",
    b"{\"root_index\": 5, \"nodes\": []}",
];

/// Texts that C strings can be.
pub const C_TEXTS: &[&CStr] = &[
    c"",
    c"a",
    c"seven_b",
    c"eight_by",
    c"ValueError",
    c"TypeError",
    c"a text that is not short at all",
    c"\xc3\xa4",
    c"\xff",
    c"float16",
    c"[1, {\"a\": 2}]",
    c"ffi.Array",
    c"ffi.json.Parse",
    c"fuzz.one",
];

/// Names of global functions: those that programs register, and some that are there.
pub const NAMES: &[&[u8]] = &[b"fuzz.one", b"fuzz.two", b"", b"ffi.ArraySize", b"ffi.no.such", b"ffi.json.Parse"];

/// The names that a program may have registered.
pub const OWN_NAMES: &[&[u8]] = &[b"fuzz.one", b"fuzz.two"];

/// Keys of types: those that programs register, and some that are there.
pub const TYPE_KEYS: &[&[u8]] =
    &[b"fuzz.A", b"fuzz.B", b"ffi.Array", b"ffi.Object", b"int", b"no.such", b"", b"ffi.reflection.AccessPath"];

/// Names of attributes.
pub const ATTRIBUTES: &[&[u8]] = &[b"fuzz.attribute", b"__ffi_repr__", b"__any_hash__", b"no.such"];

/// Contents of BigInts: two's complement, little-endian.
pub const BIG_INTS: &[&[u8]] = &[
    b"\x01",
    b"\xff",
    b"",
    b"\0\0\0\0\0\0\0\x80\0",
    b"\0\0\0\0\0\0\0\0\x01",
    b"\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80",
    b"\x15\xcd\x5b\x07\x15\xcd\x5b\x07\x15\xcd\x5b\x07\x15\xcd\x5b\x07\x15",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
];

const fn dtype(code: u8, bits: u8, lanes: u16) -> DLDataType {
    DLDataType { code, bits, lanes }
}

/// Data types.
pub const DTYPES: &[DLDataType] = &[
    dtype(kDLFloat, 32, 1),
    dtype(kDLInt, 32, 1),
    dtype(kDLUInt, 8, 1),
    dtype(kDLInt, 64, 4),
    dtype(kDLFloat, 16, 0x8004),
    dtype(6, 8, 1),
    dtype(3, 0, 0),
    dtype(4, 16, 1),
    dtype(17, 4, 2),
    dtype(200, 8, 1),
    dtype(0, 0, 0),
    dtype(1, 1, 1),
];

/// Devices.
pub const DEVICES: &[DLDevice] = &[
    DLDevice { device_type: kDLCPU, device_id: 0 },
    DLDevice { device_type: 2, device_id: 0 },
    DLDevice { device_type: 2, device_id: 3 },
    DLDevice { device_type: 99, device_id: -1 },
];

/// Shapes of tensors, of at most eight elements. They lie over the same eight words.
pub const SHAPES: &[&[i64]] = &[&[4], &[2, 2], &[], &[0], &[1, 2, 1], &[8], &[2, 0, 3]];
