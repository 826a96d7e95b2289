//! The types that every process finds registered, and what is known of them.

use tvm_ffi_spec::*;

use crate::{
    function::row::Row,
    module,
    object::HEADER_SIZE,
    reflection::{
        access_path, bigint, convert, enums,
        field_types::{self, Declared, Field},
        object_def::{FieldDef, Hook, MethodDef, ObjectDef},
        structural_objects,
    },
    structural,
    types::builtin_indices::*,
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

/// The key of a built-in type.
pub fn key_of(type_index: i32) -> &'static str {
    let dynamic = DYNAMIC.iter().map(|&(key, index, _)| (key, index));
    let mut all = [ROOT].into_iter().chain(VALUES.iter().copied()).chain(OBJECTS.iter().copied()).chain(dynamic);
    all.find(|&(_, index)| index == type_index).map_or("", |(key, _)| key)
}

// ---------------------------------------------------------------------------------------------------------------------
// What is known of them
// ---------------------------------------------------------------------------------------------------------------------

/// Types whose objects are described. The size of BigInt is without its words.
pub const OBJECT_DEFS: &[&[ObjectDef]] =
    &[DESCRIBED_HERE, enums::OBJECTS, access_path::OBJECTS, structural_objects::OBJECTS];

/// Modules change their imports under a lock.
const IMPORTS: Declared = Declared { getter: module::get_imports, ..field_types::Array::DECLARED };

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
    use std::slice;

    use tvm_ffi_spec::abi::{self, Type};

    use super::*;
    use crate::{border::c_pointers, types::type_table, value::any::AnyView};

    fn text(array: TVMFFIByteArray) -> String {
        // SAFETY: the texts of the table are never freed.
        String::from_utf8_lossy(unsafe { c_pointers::span(array, "text") }.unwrap()).into_owned()
    }

    fn info(key: &str) -> &'static TVMFFITypeInfo {
        let index = type_table::index_of(key.as_bytes()).unwrap();
        // SAFETY: entries are never freed.
        unsafe { &*type_table::info(index).unwrap() }
    }

    fn all<T>(data: *const T, count: i32) -> &'static [T] {
        // SAFETY: the arrays of the table are never freed.
        if count == 0 { &[] } else { unsafe { slice::from_raw_parts(data, count as usize) } }
    }

    /// Every type that the specification has, with its fields and methods.
    #[test]
    fn types_are_those_of_the_specification() {
        for ty in &abi::abi().types {
            let info = info(&ty.key);
            assert!(ty.index.is_none_or(|index| index == info.type_index), "{}", ty.key);
            // SAFETY: a type has as many ancestors as it is deep.
            let ancestors =
                all(info.type_ancestors, info.type_depth).iter().map(|info| text(unsafe { **info }.type_key));
            assert_eq!((ancestors.collect::<Vec<_>>(), info.type_key_hash), (ty.ancestors.clone(), ty.key_hash));
            check_metadata(ty, info);
            check_fields(ty, info);
            check_methods(ty, info);
        }
        assert_eq!(
            OBJECT_DEFS.iter().copied().flatten().count(),
            abi::abi().types.iter().filter(|ty| ty.metadata.is_some()).count()
        );
    }

    fn check_metadata(ty: &Type, info: &TVMFFITypeInfo) {
        // SAFETY: metadata is never freed.
        let metadata = unsafe { info.metadata.as_ref() };
        let ours = metadata
            .map(|metadata| (metadata.total_size, metadata.structural_eq_hash_kind, metadata.creator.is_some()));
        let specified = ty.metadata.as_ref().map(|metadata| (metadata.size, metadata.kind, metadata.creator));
        assert_eq!(ours, specified, "{}", ty.key);
    }

    fn check_fields(ty: &Type, info: &TVMFFITypeInfo) {
        let ours = all(info.fields, info.num_fields).iter().map(|field| {
            assert!(field.getter.is_some() && !field.setter.is_null(), "{}.{}", ty.key, text(field.name));
            let texts = (text(field.name), text(field.doc), text(field.metadata));
            (texts, field.offset, field.size, field.alignment, field.flags, field.field_static_type_index)
        });
        let specified = ty.fields.iter().map(|field| {
            let texts = (field.name.clone(), field.doc.clone(), field.metadata.clone());
            (texts, field.offset, field.size, field.align, field.flags, field.static_type)
        });
        assert_eq!(ours.collect::<Vec<_>>(), specified.collect::<Vec<_>>(), "{}", ty.key);
    }

    fn check_methods(ty: &Type, info: &TVMFFITypeInfo) {
        let ours = all(info.methods, info.num_methods).iter().map(|method| {
            assert_eq!(method.method.type_index, kTVMFFIFunction, "{}.{}", ty.key, text(method.name));
            (text(method.name), text(method.doc), text(method.metadata), method.flags)
        });
        let specified = ty
            .methods
            .iter()
            .map(|method| (method.name.clone(), method.doc.clone(), method.metadata.clone(), method.flags));
        assert_eq!(ours.collect::<Vec<_>>(), specified.collect::<Vec<_>>(), "{}", ty.key);
    }

    /// Every column has the values that the specification has, and no others.
    #[test]
    fn attributes_are_those_of_the_specification() {
        for attribute in &abi::abi().attributes {
            // SAFETY: columns are never freed.
            let column = unsafe { type_table::attribute_column(attribute.name.as_bytes()).as_ref() }.unwrap();
            let builtin = column.size.min(STRUCTURAL_KEY + 1);
            let mut ours: Vec<_> = all(column.data, builtin)
                .iter()
                .enumerate()
                .filter(|(_, value)| value.type_index != kTVMFFINone)
                .map(|(index, value)| {
                    // SAFETY: the values of columns are never given up.
                    let value = unsafe { AnyView::from_raw(value) };
                    let boolean = (value.type_index() == kTVMFFIBool).then(|| value.as_bool()).flatten();
                    (type_table::key_of(index as i32), type_table::key_of(value.type_index()), boolean)
                })
                .collect();
            let specified =
                attribute.entries.iter().map(|entry| (entry.type_key.clone(), entry.kind.clone(), entry.value));
            let mut specified: Vec<_> = specified.collect();
            ours.sort();
            specified.sort();
            assert_eq!(ours, specified, "{}", attribute.name);
        }
        assert_eq!(COLUMNS.len(), abi::abi().attributes.len());
    }
}
