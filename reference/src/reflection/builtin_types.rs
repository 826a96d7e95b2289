//! The types that every process finds registered, and what is known of them.

use tvm_ffi_spec::*;

use crate::{
    bigint,
    globals::Row,
    module,
    object::HEADER_SIZE,
    reflection::{
        access_path, convert, enums,
        object_def::{FieldDef, MethodDef, ObjectDef},
        storage::{self, Declared, Field},
        structural_objects,
    },
    structural,
};

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

/// The state of an enumeration.
pub const ENUM_STATE: i32 = kTVMFFIDynObjectBegin;
/// An object of an enumeration.
pub const ENUM: i32 = kTVMFFIDynObjectBegin + 1;
/// An object of an enumeration that stands for an integer.
pub const INT_ENUM: i32 = kTVMFFIDynObjectBegin + 2;
/// An object of an enumeration that stands for a string.
pub const STR_ENUM: i32 = kTVMFFIDynObjectBegin + 3;
/// A step of an access path.
pub const ACCESS_STEP: i32 = kTVMFFIDynObjectBegin + 4;
/// An access path.
pub const ACCESS_PATH: i32 = kTVMFFIDynObjectBegin + 5;
/// A visitor.
pub const STRUCTURAL_VISITOR: i32 = kTVMFFIDynObjectBegin + 6;
/// The context of an error.
pub const VISIT_ERROR_CONTEXT: i32 = kTVMFFIDynObjectBegin + 7;
/// A mutator.
pub const STRUCTURAL_MUTATOR: i32 = kTVMFFIDynObjectBegin + 8;
/// A key that is compared by structure.
pub const STRUCTURAL_KEY: i32 = kTVMFFIDynObjectBegin + 9;

/// Objects that get the first free indices, each with the index of its parent. Clients look their indices up.
pub const DYNAMIC: &[(&str, i32, i32)] = &[
    ("ffi.EnumState", ENUM_STATE, kTVMFFIObject),
    ("ffi.Enum", ENUM, kTVMFFIObject),
    ("ffi.IntEnum", INT_ENUM, ENUM),
    ("ffi.StrEnum", STR_ENUM, ENUM),
    ("ffi.reflection.AccessStep", ACCESS_STEP, kTVMFFIObject),
    ("ffi.reflection.AccessPath", ACCESS_PATH, kTVMFFIObject),
    ("ffi.StructuralVisitor", STRUCTURAL_VISITOR, kTVMFFIObject),
    ("ffi.VisitErrorContext", VISIT_ERROR_CONTEXT, kTVMFFIObject),
    ("ffi.StructuralMutator", STRUCTURAL_MUTATOR, kTVMFFIObject),
    ("ffi.StructuralKey", STRUCTURAL_KEY, kTVMFFIObject),
];

// ---------------------------------------------------------------------------------------------------------------------
// What is known of them
// ---------------------------------------------------------------------------------------------------------------------

/// Types whose objects are described. The size of BigInt is without its words.
pub const OBJECT_DEFS: &[&[ObjectDef]] =
    &[DESCRIBED_HERE, enums::OBJECTS, access_path::OBJECTS, structural_objects::OBJECTS];

/// Modules change their imports under a lock.
const IMPORTS: Declared = Declared { getter: module::get_imports, ..storage::Array::DECLARED };

const DESCRIBED_HERE: &[ObjectDef] = &[
    ObjectDef::new(kTVMFFIObject, HEADER_SIZE),
    ObjectDef::new(kTVMFFIModule, HEADER_SIZE + 24)
        .with_final(true)
        .with_fields(&[FieldDef::new("imports_", 0, IMPORTS)]),
    ObjectDef::new(kTVMFFIBigInt, HEADER_SIZE + 8).with_final(true),
];

/// Their methods. `__ffi_init__` is an attribute, too.
pub const METHODS: &[&[MethodDef]] = &[enums::METHODS, access_path::METHODS, structural::key::METHODS];

/// Attributes that are functions, by the type key and the name in their signatures.
pub const FUNCTION_ATTRIBUTES: &[&[Row]] = &[convert::ATTRIBUTES, bigint::ATTRIBUTES, access_path::ATTRIBUTES];

/// An attribute that is the address of a C function.
pub struct Hook {
    /// The name of the attribute.
    pub attribute: &'static str,
    /// The type that has it.
    pub type_index: i32,
    /// The function; its type depends on the attribute.
    pub function: *const (),
}

/// Attributes that are addresses of C functions.
pub const HOOKS: &[&[Hook]] = &[
    &[
        Hook { attribute: "__any_hash__", type_index: kTVMFFIBigInt, function: bigint::any_hash as *const () },
        Hook { attribute: "__any_equal__", type_index: kTVMFFIBigInt, function: bigint::any_equal as *const () },
    ],
    structural::key::HOOKS,
    structural::visit::HOOKS,
    structural::mutate::HOOKS,
];

/// Attributes that clients look for as soon as they are loaded, so that the columns must exist even when empty.
pub const COLUMNS: &[&str] = &[
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
