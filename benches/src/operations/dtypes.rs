//! Data types: twenty names, parsed and printed.

use std::hint::black_box;

use tvm_ffi_spec::*;

use super::operation::Area;
use crate::{library::Library, task::Task};

const NAMES: [&str; 20] = [
    "int8",
    "int32",
    "int64",
    "uint8",
    "uint64",
    "float16",
    "float32",
    "float64",
    "bfloat16",
    "bool",
    "handle",
    "float32x4",
    "int8x16",
    "uint1x8",
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e8m0fnu",
    "float6_e2m3fn",
    "float4_e2m1fn",
    "float4_e2m1fnx2",
];

pub fn area() -> Area {
    let mut area = Area::new("data types");
    area.one("parse float32", |lib| parse(lib, &["float32"]));
    area.one("parse float32x4", |lib| parse(lib, &["float32x4"]));
    area.through("parse 20 names", &[NAMES.len()], |lib, _| parse(lib, &NAMES));
    area.one("print float32", |lib| print(lib, &["float32"]));
    area.one("print float32x4", |lib| print(lib, &["float32x4"]));
    area.through("print 20 names", &[NAMES.len()], |lib, _| print(lib, &NAMES));
    area
}

fn parsed(lib: &Library, name: &TVMFFIByteArray) -> DLDataType {
    let mut dtype = DLDataType::default();
    lib.ok(lib.TVMFFIDataTypeFromString(black_box(name), &mut dtype));
    dtype
}

#[inline(always)]
fn printed(lib: &Library, dtype: &DLDataType) -> TVMFFIAny {
    let mut out = TVMFFIAny::NONE;
    lib.ok(lib.TVMFFIDataTypeToString(black_box(dtype), &mut out));
    out
}

fn parse(lib: &Library, names: &[&'static str]) -> Task {
    let lib = *lib;
    let arrays: Vec<_> = names.iter().map(|name| TVMFFIByteArray::new(name.as_bytes())).collect();
    let did = format!("{:?}", arrays.iter().map(|name| parsed(&lib, name)).collect::<Vec<_>>());
    assert!(!did.contains("lanes: 0"), "a data type has lanes: {did}");
    Task::new(did, move || {
        for name in &arrays {
            black_box(parsed(&lib, name));
        }
    })
}

fn print(lib: &Library, names: &[&'static str]) -> Task {
    let lib = *lib;
    let dtypes: Vec<_> = names.iter().map(|name| parsed(&lib, &TVMFFIByteArray::new(name.as_bytes()))).collect();
    let did: Vec<_> = dtypes.iter().map(|dtype| lib.shown(&lib.own(printed(&lib, dtype)).any())).collect();
    assert_eq!(did, names, "what is printed of a data type that was parsed");
    Task::new(did.join(" "), move || {
        for dtype in &dtypes {
            lib.end(black_box(printed(&lib, dtype)));
        }
    })
}
