//! The types that every process finds registered, and what is known of them.

use tvm_ffi_spec::*;

use crate::{module, object::HEADER_SIZE};

/// The root of all objects.
pub const ROOT: (&str, i32) = ("ffi.Object", kTVMFFIObject);

/// Types that are no objects: they have no parent.
pub const VALUES: &[(&str, i32)] = &[
    ("None", kTVMFFINone),
    ("int", kTVMFFIInt),
    ("bool", kTVMFFIBool),
    ("float", kTVMFFIFloat),
    ("void*", kTVMFFIOpaquePtr),
    ("DataType", kTVMFFIDataType),
    ("Device", kTVMFFIDevice),
    ("DLTensor*", kTVMFFIDLTensorPtr),
    ("const char*", kTVMFFIRawStr),
    ("TVMFFIByteArray*", kTVMFFIByteArrayPtr),
    ("ObjectRValueRef", kTVMFFIObjectRValueRef),
    ("ffi.SmallStr", kTVMFFISmallStr),
    ("ffi.SmallBytes", kTVMFFISmallBytes),
    ("ffi.Unchanged", kTVMFFIUnchanged),
];

/// Objects with a fixed index: children of `ffi.Object`. All but `ffi.VisitInterrupt` can have no children.
pub const OBJECTS: &[(&str, i32)] = &[
    ("ffi.String", kTVMFFIStr),
    ("ffi.Bytes", kTVMFFIBytes),
    ("ffi.Error", kTVMFFIError),
    ("ffi.Function", kTVMFFIFunction),
    ("ffi.Shape", kTVMFFIShape),
    ("ffi.Tensor", kTVMFFITensor),
    ("ffi.Array", kTVMFFIArray),
    ("ffi.Map", kTVMFFIMap),
    ("ffi.Module", kTVMFFIModule),
    ("ffi.OpaquePyObject", kTVMFFIOpaquePyObject),
    ("ffi.List", kTVMFFIList),
    ("ffi.Dict", kTVMFFIDict),
    ("ffi.VisitInterrupt", kTVMFFIVisitInterrupt),
    ("ffi.BigInt", kTVMFFIBigInt),
];

/// Attributes that clients look for as soon as they are loaded, so that the columns must exist even when empty.
pub const ATTRIBUTES: &[&str] = &[
    "__any_equal__",
    "__any_hash__",
    "__data_from_json__",
    "__data_to_json__",
    "__ffi_compare__",
    "__ffi_convert__",
    "__ffi_enum__",
    "__ffi_eq__",
    "__ffi_hash__",
    "__ffi_init__",
    "__ffi_new__",
    "__ffi_repr__",
    "__ffi_shallow_copy__",
    "__ffi_type_final__",
    "__s_equal__",
    "__s_hash__",
    "__s_maybe_inplace_mutate__",
    "__s_mutate__",
    "__s_visit__",
];

/// Types with a fixed index that no type may inherit from.
pub const FINAL: &[i32] = &[kTVMFFIModule, kTVMFFIVisitInterrupt, kTVMFFIBigInt];

/// Types whose metadata says their size in bytes; for BigInt without its words.
pub const SIZES: &[(i32, usize)] =
    &[(kTVMFFIObject, HEADER_SIZE), (kTVMFFIModule, HEADER_SIZE + 24), (kTVMFFIBigInt, HEADER_SIZE + 8)];

/// The reflected fields, each with the index of its type.
pub fn fields() -> [(i32, TVMFFIFieldInfo); 1] {
    let imports = TVMFFIFieldInfo {
        name: TVMFFIByteArray::new(b"imports_"),
        doc: TVMFFIByteArray::EMPTY,
        metadata: TVMFFIByteArray::new(br#"{"type_schema":"{\"type\":\"ffi.Array\",\"args\":[{\"type\":\"Any\"}]}"}"#),
        flags: 0,
        size: size_of::<TVMFFIObjectHandle>() as i64,
        alignment: align_of::<TVMFFIObjectHandle>() as i64,
        offset: HEADER_SIZE as i64,
        getter: Some(module::get_imports),
        setter: std::ptr::null_mut(),
        default_value_or_factory: TVMFFIAny::NONE,
        field_static_type_index: kTVMFFIArray,
    };
    [(kTVMFFIModule, imports)]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tvm_ffi_spec::abi;

    use super::*;

    /// `abi.toml` lists every type that a release registers at load; those with a fixed index are all here.
    #[test]
    fn types_with_a_fixed_index_are_those_of_the_specification() {
        let fixed = abi::abi().types.iter().filter_map(|ty| Some((ty.key.as_str(), (ty.index?, ty.depth()))));
        let specified: BTreeMap<_, _> = fixed.collect();
        let root = [(ROOT.0, (ROOT.1, 0))];
        let values = VALUES.iter().map(|&(key, index)| (key, (index, 0)));
        let objects = OBJECTS.iter().map(|&(key, index)| (key, (index, 1)));
        assert_eq!(root.into_iter().chain(values).chain(objects).collect::<BTreeMap<_, _>>(), specified);
    }
}
