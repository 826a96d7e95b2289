//! Values that clients know and a target shows: the codes of data types, the longest text that needs no object, the version of
//! DLPack that is exported.

use std::{collections::BTreeMap, ptr::null_mut};

use tvm_ffi_spec::*;

use crate::client::{Client, Verdict, memory, tensor::INT32};

/// Names of data types, one of each code and of each way to write one.
const DATA_TYPES: &[&str] = &[
    "int8",
    "int64",
    "uint8",
    "uint1",
    "bool",
    "float16",
    "float32",
    "bfloat16",
    "complex64",
    "handle",
    "void",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float4_e2m1fn",
    "float32x4",
    "float32xvscalex4",
    "i8",
    "u8",
    "f16",
    "bf16",
];

/// The values by what they are.
pub fn constants(client: &Client) -> Verdict<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for name in DATA_TYPES {
        let mut dtype = DLDataType::default();
        let status = client.api.TVMFFIDataTypeFromString(&TVMFFIByteArray::new(name.as_bytes()), &mut dtype);
        if status == 0 {
            let DLDataType { code, bits, lanes } = dtype;
            found.insert(format!("data type {name}"), format!("code {code}, bits {bits}, lanes {lanes}"));
        } else {
            client.api.release_raised();
        }
    }
    let longest = longest_small_string(client)?;
    found.insert("longest String that needs no object".to_owned(), format!("{longest} bytes"));
    if let Some(DLPackVersion { major, minor }) = exported_version(client)? {
        found.insert("DLPack version of exported tensors".to_owned(), format!("{major}.{minor}"));
    }
    Ok(found)
}

fn longest_small_string(client: &Client) -> Verdict<usize> {
    let mut longest = 0;
    for len in 0..=8 {
        if client.string(&vec![b'x'; len])?.any().type_index == kTVMFFISmallStr {
            longest = len;
        }
    }
    Ok(longest)
}

fn exported_version(client: &Client) -> Verdict<Option<DLPackVersion>> {
    let tensor = client.tensor_of_four(INT32, &[4], [1, 2, 3, 4])?;
    let mut managed = null_mut();
    client.ok(client.api.TVMFFITensorToDLPackVersioned(tensor.handle(), &mut managed))?;
    Ok(memory::read(managed.cast_const()).map(|managed| managed.version))
}
