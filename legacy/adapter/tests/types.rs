//! The Rust types of the legacy generation against `spec/generations/legacy.toml`.

use tvm_ffi_adapter::types::{Header, StringObject, TVMByteArray, TVMParallelGroupEnv, TVMValue, code::*};
use tvm_ffi_spec::generation::generation;

#[test]
fn sizes_and_codes_are_those_of_the_generation() {
    let legacy = generation("legacy").unwrap();
    let sizes = [
        ("TVMValue", size_of::<TVMValue>()),
        ("TVMByteArray", size_of::<TVMByteArray>()),
        ("TVMParallelGroupEnv", size_of::<TVMParallelGroupEnv>()),
        ("runtime.Object", size_of::<Header>()),
        ("runtime.String", size_of::<StringObject>()),
    ];
    for (name, size) in sizes {
        assert_eq!(legacy.record(name).unwrap().size.0 as usize, size, "{name}");
    }
    let groups = legacy.all_enums();
    let group = groups.iter().find(|group| group.name == "TVMArgTypeCode").unwrap();
    let codes = [
        ("kTVMArgInt", kTVMArgInt),
        ("kTVMArgFloat", kTVMArgFloat),
        ("kTVMOpaqueHandle", kTVMOpaqueHandle),
        ("kTVMNullptr", kTVMNullptr),
        ("kTVMDataType", kTVMDataType),
        ("kDLDevice", kDLDevice),
        ("kTVMDLTensorHandle", kTVMDLTensorHandle),
        ("kTVMObjectHandle", kTVMObjectHandle),
        ("kTVMModuleHandle", kTVMModuleHandle),
        ("kTVMPackedFuncHandle", kTVMPackedFuncHandle),
        ("kTVMStr", kTVMStr),
        ("kTVMBytes", kTVMBytes),
        ("kTVMNDArrayHandle", kTVMNDArrayHandle),
        ("kTVMObjectRValueRefArg", kTVMObjectRValueRefArg),
        ("kTVMArgBool", kTVMArgBool),
    ];
    for (name, code) in codes {
        let constant = group.constants.iter().find(|constant| constant.name == name).unwrap();
        assert_eq!(constant.value, i64::from(code), "{name}");
    }
}
