//! What a library registers when it is loaded: types, fields, methods, attributes and global functions.
//!
//! The checks hold the target to the tables of `spec/abi.toml`: each reads its part of them, named by type, column or
//! subject. A part begins with the capability that brings it, so that nothing is demanded of a target that need not have
//! it.

use serde_json::{Value, json};
use tvm_ffi_spec::{
    abi::{self, Global, ReflectedField, Type, TypeMetadata},
    *,
};

use crate::{
    checks::check,
    client::{Verdict, reflected, view},
    trial::Trial,
};

const ACCESS_PATH: &str = "ffi.reflection.AccessPath";
const ACCESS_STEP: &str = "ffi.reflection.AccessStep";

/// The types of access paths are there.
#[check(REG_0001)]
fn access_types(t: &Trial) -> Verdict {
    types(t, &[ACCESS_STEP, ACCESS_PATH])
}

/// The type of structural keys is there.
#[check(REG_0002)]
fn structural_key_type(t: &Trial) -> Verdict {
    types(t, &["ffi.StructuralKey"])
}

/// The type of enumerations is there.
#[check(REG_0003)]
fn enum_type(t: &Trial) -> Verdict {
    types(t, &["ffi.Enum"])
}

/// The type of visit error contexts is there.
#[check(REG_0004)]
fn error_context_type(t: &Trial) -> Verdict {
    types(t, &["ffi.VisitErrorContext"])
}

/// The type of an enumeration's state is there.
#[check(REG_0005)]
fn enum_state_type(t: &Trial) -> Verdict {
    types(t, &["ffi.EnumState"])
}

/// The types of enumerations with values are there.
#[check(REG_0005)]
fn value_enum_types(t: &Trial) -> Verdict {
    types(t, &["ffi.IntEnum", "ffi.StrEnum"])
}

/// The type of visitors is there.
#[check(REG_0005)]
fn visitor_type(t: &Trial) -> Verdict {
    types(t, &["ffi.StructuralVisitor"])
}

/// The type of mutators is there.
#[check(REG_0006)]
fn mutator_type(t: &Trial) -> Verdict {
    types(t, &["ffi.StructuralMutator"])
}

/// Value types have the key hashes of GNU C++.
#[check(REG_0007)]
fn hashes_of_value_keys(t: &Trial) -> Verdict {
    key_hashes(t, |ty| ty.index.is_some_and(|index| index < kTVMFFIObject))
}

/// Object types have the key hashes of GNU C++.
#[check(REG_0007)]
fn hashes_of_object_keys(t: &Trial) -> Verdict {
    key_hashes(t, |ty| ty.index.is_none_or(|index| index >= kTVMFFIObject))
}

/// Ffi.Module has its field.
#[check(REG_0008)]
fn module_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.Module")
}

/// Ffi.Module has its metadata.
#[check(REG_0008)]
fn module_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.Module")
}

/// Ffi.VisitInterrupt has its field.
#[check(REG_0009)]
fn visit_interrupt_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.VisitInterrupt")
}

/// Ffi.VisitInterrupt has its metadata.
#[check(REG_0009)]
fn visit_interrupt_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.VisitInterrupt")
}

/// Ffi.EnumState has its fields.
#[check(REG_0010)]
fn enum_state_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.EnumState")
}

/// Ffi.EnumState has its metadata.
#[check(REG_0010)]
fn enum_state_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.EnumState")
}

/// Ffi.Enum has its fields.
#[check(REG_0011)]
fn enum_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.Enum")
}

/// Ffi.Enum has its metadata.
#[check(REG_0011)]
fn enum_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.Enum")
}

/// Enumerations with values have their field.
#[check(REG_0012)]
fn value_enum_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.IntEnum")?;
    fields(t, "ffi.StrEnum")
}

/// Enumerations with values have their metadata.
#[check(REG_0012)]
fn value_enum_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.IntEnum")?;
    metadata(t, "ffi.StrEnum")
}

/// An access step has its fields.
#[check(REG_0013)]
fn access_step_fields(t: &Trial) -> Verdict {
    fields(t, ACCESS_STEP)
}

/// An access step has its metadata.
#[check(REG_0013)]
fn access_step_metadata(t: &Trial) -> Verdict {
    metadata(t, ACCESS_STEP)
}

/// An access path has its fields.
#[check(REG_0014)]
fn access_path_fields(t: &Trial) -> Verdict {
    fields(t, ACCESS_PATH)
}

/// An access path has its metadata.
#[check(REG_0014)]
fn access_path_metadata(t: &Trial) -> Verdict {
    metadata(t, ACCESS_PATH)
}

/// A visit error context has its fields.
#[check(REG_0015)]
fn error_context_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.VisitErrorContext")
}

/// A visit error context has its metadata.
#[check(REG_0015)]
fn error_context_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.VisitErrorContext")
}

/// A structural key has its fields.
#[check(REG_0016)]
fn structural_key_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.StructuralKey")
}

/// A structural key has its metadata.
#[check(REG_0016)]
fn structural_key_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.StructuralKey")
}

/// An access path has its methods.
#[check(REG_0017)]
fn access_path_methods(t: &Trial) -> Verdict {
    methods(t, ACCESS_PATH)
}

/// A structural key has its initialiser.
#[check(REG_0018)]
fn structural_key_methods(t: &Trial) -> Verdict {
    methods(t, "ffi.StructuralKey")
}

/// Ffi.EnumState has its initialiser.
#[check(REG_0019)]
fn enum_state_methods(t: &Trial) -> Verdict {
    methods(t, "ffi.EnumState")
}

/// The metadata of each field describes its type.
#[check(REG_0020)]
fn schemas_of_fields(t: &Trial) -> Verdict {
    schemas(t, field_schemas)
}

/// The metadata of each method describes its type.
#[check(REG_0020)]
fn schemas_of_methods(t: &Trial) -> Verdict {
    schemas(t, method_schemas)
}

/// Ffi.StructuralVisitor has its metadata.
#[check(REG_0021)]
fn visitor_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.StructuralVisitor")
}

/// Ffi.StructuralMutator has its metadata.
#[check(REG_0022)]
fn mutator_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.StructuralMutator")
}

/// Ffi.BigInt has its metadata.
#[check(REG_0023)]
fn big_int_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.BigInt")
}

/// Structural keys have a hash for maps.
#[check(REG_0024)]
fn hash_of_structural_keys(t: &Trial) -> Verdict {
    entries(t, "__any_hash__", "mutable-containers")
}

/// Structural keys have an equality for maps.
#[check(REG_0024)]
fn equality_of_structural_keys(t: &Trial) -> Verdict {
    entries(t, "__any_equal__", "mutable-containers")
}

/// Large integers have a hash and an equality for maps.
#[check(REG_0025)]
fn big_int_as_key(t: &Trial) -> Verdict {
    entries(t, "__any_hash__", "big-int")?;
    entries(t, "__any_equal__", "big-int")
}

/// Large integers go to JSON and back.
#[check(REG_0025)]
fn big_int_in_json(t: &Trial) -> Verdict {
    entries(t, "__data_to_json__", "big-int")?;
    entries(t, "__data_from_json__", "big-int")
}

/// Large integers are compared by value.
#[check(REG_0025)]
fn big_int_compared(t: &Trial) -> Verdict {
    entries(t, "__ffi_eq__", "big-int")?;
    entries(t, "__ffi_hash__", "big-int")?;
    entries(t, "__ffi_compare__", "big-int")
}

/// Built-in types have converters.
#[check(REG_0026)]
fn converters(t: &Trial) -> Verdict {
    entries(t, "__ffi_convert__", "field-init")
}

/// Enumerations with values have converters.
#[check(REG_0027)]
fn converters_of_enums(t: &Trial) -> Verdict {
    entries(t, "__ffi_convert__", "custom-allocator")
}

/// The column of enumerations is there and empty.
#[check(REG_0028)]
fn enum_column(t: &Trial) -> Verdict {
    reflected::attribute(t, "__ffi_enum__", kTVMFFIObject).map(drop)?;
    let column = t.read("column", reflected::column(t, "__ffi_enum__"))?;
    let all = (0..column.size as usize).map(|place| t.read("entry", column.data.wrapping_add(place)));
    all.enumerate().try_for_each(|(place, entry)| {
        t.eq(format!("type_index of entry {place} of __ffi_enum__"), entry?.type_index, kTVMFFINone)
    })
}

/// The columns that make and copy objects are there.
#[check(REG_0029)]
fn columns_of_objects(t: &Trial) -> Verdict {
    columns(t, &["__ffi_convert__", "__ffi_new__", "__ffi_init__", "__ffi_shallow_copy__"])
}

/// The columns that compare and print are there.
#[check(REG_0029)]
fn columns_of_comparison(t: &Trial) -> Verdict {
    columns(t, &["__ffi_repr__", "__ffi_eq__", "__ffi_hash__", "__ffi_compare__"])
}

/// A structural key has an initialiser.
#[check(REG_0030)]
fn init_of_structural_key(t: &Trial) -> Verdict {
    entries(t, "__ffi_init__", "field-init")
}

/// The state of an enumeration has an initialiser.
#[check(REG_0031)]
fn init_of_enum_state(t: &Trial) -> Verdict {
    entries(t, "__ffi_init__", "custom-allocator")
}

/// Built-in types with a creator have a function that makes one.
#[check(REG_0032)]
fn new(t: &Trial) -> Verdict {
    entries(t, "__ffi_new__", "field-init")
}

/// A visit error context is made and copied.
#[check(REG_0033)]
fn new_error_context(t: &Trial) -> Verdict {
    entries(t, "__ffi_new__", "visit-error-context")?;
    entries(t, "__ffi_shallow_copy__", "visit-error-context")
}

/// Enumerations with values and interruptions are made.
#[check(REG_0034)]
fn new_enums(t: &Trial) -> Verdict {
    entries(t, "__ffi_new__", "custom-allocator")
}

/// Enumerations with values are copied.
#[check(REG_0034)]
fn shallow_copy_of_enums(t: &Trial) -> Verdict {
    entries(t, "__ffi_shallow_copy__", "custom-allocator")
}

/// Access paths are printed.
#[check(REG_0035)]
fn repr(t: &Trial) -> Verdict {
    entries(t, "__ffi_repr__", "visit-error-context")
}

/// Access paths and structural keys are copied.
#[check(REG_0036)]
fn shallow_copy(t: &Trial) -> Verdict {
    entries(t, "__ffi_shallow_copy__", "mutable-containers")
}

/// An enumeration's instance is copied.
#[check(REG_0037)]
fn shallow_copy_of_enum(t: &Trial) -> Verdict {
    entries(t, "__ffi_shallow_copy__", "field-init")
}

/// A mutator is copied.
#[check(REG_0038)]
fn shallow_copy_of_mutator(t: &Trial) -> Verdict {
    entries(t, "__ffi_shallow_copy__", "unchanged")
}

/// It is known of a type whether it may have children.
#[check(REG_0039)]
fn final_types(t: &Trial) -> Verdict {
    entries(t, "__ffi_type_final__", "unchanged")
}

/// A large integer's type has no children.
#[check(REG_0040)]
fn big_int_is_final(t: &Trial) -> Verdict {
    entries(t, "__ffi_type_final__", "big-int")
}

/// Visitors know how to visit containers.
#[check(REG_0041)]
fn visit(t: &Trial) -> Verdict {
    entries(t, "__s_visit__", "custom-allocator")
}

/// Mutators know how to treat texts and containers.
#[check(REG_0042)]
fn mutate(t: &Trial) -> Verdict {
    entries(t, "__s_mutate__", "unchanged")
}

/// Mutators know how to change containers in place.
#[check(REG_0042)]
fn mutate_in_place(t: &Trial) -> Verdict {
    entries(t, "__s_maybe_inplace_mutate__", "unchanged")
}

/// Mutators know how to treat large integers.
#[check(REG_0043)]
fn mutate_big_int(t: &Trial) -> Verdict {
    entries(t, "__s_mutate__", "big-int")?;
    entries(t, "__s_maybe_inplace_mutate__", "big-int")
}

/// The functions of shapes and arrays are there.
#[check(REG_0044)]
fn array_functions(t: &Trial) -> Verdict {
    globals(t, "array", "core")
}

/// The functions of maps are there.
#[check(REG_0044)]
fn map_functions(t: &Trial) -> Verdict {
    globals(t, "map", "core")
}

/// The first functions of structural comparison are there.
#[check(REG_0044)]
fn structural_functions(t: &Trial) -> Verdict {
    globals(t, "structural", "core")
}

/// The functions of JSON are there.
#[check(REG_0044)]
fn json_functions(t: &Trial) -> Verdict {
    globals(t, "json", "core")
}

/// The functions of modules are there.
#[check(REG_0044)]
fn module_functions(t: &Trial) -> Verdict {
    globals(t, "module", "core")
}

/// The function that makes objects is there.
#[check(REG_0044)]
fn object_functions(t: &Trial) -> Verdict {
    globals(t, "object", "core")
}

/// The functions of values and functions are there.
#[check(GLB_0023)]
fn value_functions(t: &Trial) -> Verdict {
    globals(t, "value", "core")
}

/// The function that lists type keys is there.
#[check(REG_0045)]
fn type_key_function(t: &Trial) -> Verdict {
    globals(t, "value", "type-keys")
}

/// The function that tells what a map lacks is there.
#[check(REG_0046)]
fn map_function_for_missing(t: &Trial) -> Verdict {
    globals(t, "map", "unsafe-view")
}

/// The functions that keep modules are there.
#[check(REG_0046)]
fn module_functions_of_globals(t: &Trial) -> Verdict {
    globals(t, "module", "unsafe-view")
}

/// The function that searches an array is there.
#[check(REG_0047)]
fn array_function_of_content(t: &Trial) -> Verdict {
    globals(t, "array", "error-cause")
}

/// The functions of lists are there.
#[check(REG_0048)]
fn list_functions(t: &Trial) -> Verdict {
    globals(t, "list", "mutable-containers")
}

/// The functions of dictionaries are there.
#[check(REG_0048)]
fn dict_functions(t: &Trial) -> Verdict {
    globals(t, "dict", "mutable-containers")
}

/// The functions of structural keys are there.
#[check(REG_0048)]
fn structural_key_functions(t: &Trial) -> Verdict {
    globals(t, "structural", "mutable-containers")
}

/// The functions that copy and print are there.
#[check(REG_0048)]
fn copy_functions(t: &Trial) -> Verdict {
    globals(t, "recursive", "mutable-containers")
}

/// The function that answers the missing object is there.
#[check(REG_0048)]
fn sentinel_function(t: &Trial) -> Verdict {
    globals(t, "value", "mutable-containers")
}

/// The functions that compare recursively are there.
#[check(REG_0049)]
fn recursive_functions(t: &Trial) -> Verdict {
    globals(t, "recursive", "field-init")
}

/// The functions that make fields work are there.
#[check(REG_0049)]
fn object_functions_of_fields(t: &Trial) -> Verdict {
    globals(t, "object", "field-init")
}

/// The function that finds a device is there.
#[check(REG_0049)]
fn array_function_of_devices(t: &Trial) -> Verdict {
    globals(t, "array", "field-init")
}

/// The functions of sentinels and C functions are there.
#[check(REG_0049)]
fn extern_function(t: &Trial) -> Verdict {
    globals(t, "value", "field-init")
}

/// The function that finds access paths is there.
#[check(REG_0050)]
fn error_functions(t: &Trial) -> Verdict {
    globals(t, "error", "visit-error-context")
}

/// The functions of visitors are there.
#[check(REG_0051)]
fn visitor_functions(t: &Trial) -> Verdict {
    globals(t, "structural", "custom-allocator")
}

/// The functions of mutators are there.
#[check(REG_0052)]
fn mutator_functions(t: &Trial) -> Verdict {
    globals(t, "structural", "unchanged")
}

/// The function that makes room in a list is there.
#[check(REG_0053)]
fn list_function_of_capacity(t: &Trial) -> Verdict {
    globals(t, "list", "list-reserve")
}

/// Functions of containers are described.
#[check(REG_0054)]
fn schemas_of_containers(t: &Trial) -> Verdict {
    global_schemas(t, &["array", "list", "map", "dict"])
}

/// Functions of values, objects and errors are described.
#[check(REG_0054)]
fn schemas_of_values(t: &Trial) -> Verdict {
    global_schemas(t, &["value", "object", "error"])
}

/// Functions that compare, copy and visit are described.
#[check(REG_0054)]
fn schemas_of_comparison(t: &Trial) -> Verdict {
    global_schemas(t, &["structural", "recursive"])
}

/// Functions of modules and JSON are described.
#[check(REG_0054)]
fn schemas_of_modules(t: &Trial) -> Verdict {
    global_schemas(t, &["module", "json"])
}

/// Expects types without a fixed index to be registered with their key and their ancestors.
fn types(t: &Trial, keys: &[&str]) -> Verdict {
    for key in keys {
        let spec = specified(t, key)?;
        let index = reflected::type_index(t, key)?;
        t.that(format!("type index of {key}"), index >= kTVMFFIDynObjectBegin, "128 or more", index)?;
        let info = reflected::info(t, index)?;
        t.eq(format!("type_index in the record of {key}"), info.type_index, index)?;
        t.eq(format!("key in the record of {key}"), reflected::key(t, &info)?.as_str(), key)?;
        t.eq(format!("ancestors of {key}"), &reflected::ancestors(t, &info)?, &spec.ancestors)?;
    }
    Ok(())
}

/// Expects the key hashes of the types that the target has and `chosen` picks.
fn key_hashes(t: &Trial, chosen: fn(&Type) -> bool) -> Verdict {
    for ty in abi::abi().types.iter().filter(|ty| chosen(ty)) {
        let Some(index) = registered(t, &ty.key) else { continue };
        let hash = reflected::info(t, index)?.type_key_hash;
        t.eq(format!("type_key_hash of {}", ty.key), format!("{hash:#018x}"), format!("{:#018x}", ty.key_hash))?;
    }
    Ok(())
}

/// Expects the size, the structural kind and the creator of a type's metadata.
fn metadata(t: &Trial, key: &str) -> Verdict {
    let Some(TypeMetadata { size, kind, creator, .. }) = specified(t, key)?.metadata else {
        return Err(t.error(format!("metadata of {key}"), "the spec has none"));
    };
    let found = reflected::metadata(t, reflected::type_index(t, key)?)?;
    t.eq(format!("total_size of {key}"), found.total_size, size)?;
    t.eq(format!("structural_eq_hash_kind of {key}"), found.structural_eq_hash_kind, kind)?;
    t.eq(format!("whether {key} has a creator"), found.creator.is_some(), creator)
}

/// Expects a type's fields, in order. A target may have more of them.
fn fields(t: &Trial, key: &str) -> Verdict {
    let spec = &specified(t, key)?.fields;
    let index = reflected::type_index(t, key)?;
    let mut names = Vec::new();
    for found in reflected::fields(t, index)? {
        let name = reflected::text(t, "name of a field", found.name)?;
        if let Some(expected) = spec.iter().find(|field| field.name == name) {
            field(t, &format!("{key}.{name}"), &found, expected)?;
            names.push(name);
        }
    }
    let expected: Vec<_> = spec.iter().map(|field| field.name.clone()).collect();
    t.eq(format!("names of the fields of {key}"), names, expected)
}

fn field(t: &Trial, label: &str, found: &TVMFFIFieldInfo, expected: &ReflectedField) -> Verdict {
    t.eq(format!("offset of {label}"), found.offset, expected.offset)?;
    t.eq(format!("size of {label}"), found.size, expected.size)?;
    t.eq(format!("alignment of {label}"), found.alignment, expected.align)?;
    t.eq(format!("flags of {label}"), found.flags, expected.flags)?;
    t.eq(format!("static type index of {label}"), found.field_static_type_index, expected.static_type)?;
    t.that(format!("getter of {label}"), found.getter.is_some(), "a function", "NULL")?;
    t.that(format!("setter of {label}"), !found.setter.is_null(), "a function", "NULL")?;
    t.eq(format!("type_index of the default of {label}"), found.default_value_or_factory.type_index, kTVMFFINone)
}

/// Expects a type's methods to be functions, static where they are.
fn methods(t: &Trial, key: &str) -> Verdict {
    let index = reflected::type_index(t, key)?;
    for expected in &specified(t, key)?.methods {
        let found = reflected::method(t, index, &expected.name)?;
        let label = format!("{key}.{}", expected.name);
        t.eq(format!("flags of {label}"), found.flags, expected.flags)?;
        t.eq(format!("type_index of {label}"), found.method.type_index, kTVMFFIFunction)?;
        let object = t.header(found.method.payload() as TVMFFIObjectHandle)?;
        t.eq(format!("type_index in the header of {label}"), object.type_index, kTVMFFIFunction)?;
    }
    Ok(())
}

/// Calls `of_type` with each type that the spec and the target have.
fn schemas(t: &Trial, of_type: fn(&Trial, &Type, i32) -> Verdict) -> Verdict {
    for ty in &abi::abi().types {
        if let Some(index) = registered(t, &ty.key) {
            of_type(t, ty, index)?;
        }
    }
    Ok(())
}

fn field_schemas(t: &Trial, ty: &Type, index: i32) -> Verdict {
    for found in reflected::fields(t, index)? {
        let name = reflected::text(t, "name of a field", found.name)?;
        if let Some(expected) = ty.fields.iter().find(|field| field.name == name) {
            let metadata = reflected::text(t, "metadata of a field", found.metadata)?;
            same_schema(t, &format!("{}.{name}", ty.key), &metadata, &expected.metadata)?;
        }
    }
    Ok(())
}

fn method_schemas(t: &Trial, ty: &Type, index: i32) -> Verdict {
    for found in reflected::methods(t, index)? {
        let name = reflected::text(t, "name of a method", found.name)?;
        if let Some(expected) = ty.methods.iter().find(|method| method.name == name) {
            let metadata = reflected::text(t, "metadata of a method", found.metadata)?;
            same_schema(t, &format!("{}.{name}", ty.key), &metadata, &expected.metadata)?;
        }
    }
    Ok(())
}

/// Expects metadata to hold the same schema as the spec's.
fn same_schema(t: &Trial, label: &str, metadata: &str, expected: &str) -> Verdict {
    let Some(found) = schema(metadata) else {
        return Err(t.failure(format!("metadata of {label}"), "a JSON object with a type_schema", metadata));
    };
    t.eq(format!("type_schema of {label}"), Some(found), schema(expected))
}

/// The schema in a metadata string, with functions in the form of earlier releases: the result, then the parameters.
fn schema(metadata: &str) -> Option<Value> {
    let metadata: Value = serde_json::from_str(metadata).ok()?;
    let schema = metadata.get("type_schema")?;
    let mut schema: Value = match schema {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    if let Some(named) = schema.as_object_mut()?.remove("named_args") {
        let both = [named.get("return")?.as_array()?.as_slice(), named.get("params")?.as_array()?].concat();
        schema["args"] = json!(both);
    }
    Some(schema)
}

/// Expects columns to exist.
fn columns(t: &Trial, names: &[&str]) -> Verdict {
    names.iter().try_for_each(|name| {
        let address = reflected::column(t, name);
        t.that(format!("column {name}"), !address.is_null(), "an address", "NULL")?;
        t.read(format!("column {name}"), address).map(drop)
    })
}

/// Expects the entries of a column that a capability brings.
fn entries(t: &Trial, name: &str, capability: &str) -> Verdict {
    let attribute = abi::abi().attributes.iter().find(|attribute| attribute.name == name);
    let attribute = attribute.ok_or_else(|| t.error(format!("column {name}"), "the spec has none"))?;
    columns(t, &[name])?;
    let since =
        |entry: &abi::AttributeEntry| brought_by(entry.since.as_ref().unwrap_or(&attribute.since)) == capability;
    let chosen: Vec<_> = attribute.entries.iter().filter(|entry| since(entry)).collect();
    if chosen.is_empty() {
        return Err(t.error(format!("column {name}"), format!("the spec has no entry with {capability}")));
    }
    for entry in chosen {
        let label = format!("type_index of {name} of {}", entry.type_key);
        let value = reflected::attribute(t, name, reflected::type_index(t, &entry.type_key)?)?;
        match (entry.kind.as_str(), entry.value) {
            (_, Some(expected)) => t.any_eq(format!("{name} of {}", entry.type_key), &value, &view::bool(expected))?,
            // A pointer to a C function may be replaced by a function that does the same.
            ("void*", _) => {
                let either = [kTVMFFIOpaquePtr, kTVMFFIFunction].contains(&value.type_index);
                t.that(label, either, "that of a function or a pointer", value.type_index)?;
                t.ne(format!("{name} of {}", entry.type_key), value.payload(), 0)?;
            }
            _ => t.eq(label, value.type_index, kTVMFFIFunction)?,
        }
    }
    Ok(())
}

/// What global functions are about, told by how their names begin. What begins otherwise is about values.
const SUBJECTS: &[(&str, &[&str])] = &[
    ("list", &["ffi.List"]),
    ("dict", &["ffi.Dict"]),
    ("map", &["ffi.Map"]),
    ("array", &["ffi.Array", "ffi.Shape", "ffi.Container"]),
    ("structural", &["ffi.Structural", "ffi.GetFirstStructuralMismatch", "ffi.VisitInterrupt"]),
    ("json", &["ffi.json.", "ffi.ToJSON", "ffi.FromJSON"]),
    ("module", &["ffi.Module", "ffi.SystemLib"]),
    ("recursive", &["ffi.Recursive", "ffi.DeepCopy", "ffi.ReprPrint"]),
    ("object", &["ffi.Make", "ffi._"]),
    ("error", &["ffi.VisitErrorContext."]),
];

/// What a global function is about.
pub fn subject(global: &Global) -> &'static str {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| global.name.starts_with(prefix));
    SUBJECTS.iter().find(|(_, prefixes)| begins(prefixes)).map_or("value", |(subject, _)| subject)
}

/// Expects the global functions of a subject that a capability brings.
fn globals(t: &Trial, about: &str, capability: &str) -> Verdict {
    let chosen = |global: &&Global| subject(global) == about && brought_by(&global.since) == capability;
    let chosen: Vec<_> = abi::abi().globals.iter().filter(chosen).collect();
    if chosen.is_empty() {
        return Err(t.error(format!("functions about {about}"), format!("the spec has none with {capability}")));
    }
    for Global { name, .. } in chosen {
        let function = t.global(name)?;
        t.eq(format!("type_index of {name}"), function.any().type_index, kTVMFFIFunction)?;
    }
    Ok(())
}

/// Expects the metadata of those global functions of some subjects that are there.
fn global_schemas(t: &Trial, subjects: &[&str]) -> Verdict {
    let describe = t.global("ffi.GetGlobalFuncMetadata")?;
    for global in abi::abi().globals.iter().filter(|global| subjects.contains(&subject(global))) {
        let name = TVMFFIByteArray::new(global.name.as_bytes());
        let mut function = std::ptr::null_mut();
        t.ok(t.api.TVMFFIFunctionGetGlobal(&name, &mut function))?;
        if function.is_null() {
            continue;
        }
        let _function = t.own_object("a global function", function)?;
        let metadata = t.call(&describe, &[t.string(global.name.as_bytes())?.any()])?;
        let metadata = String::from_utf8_lossy(&t.text(&metadata.any())?).into_owned();
        same_schema(t, &global.name, &metadata, &global.metadata)?;
    }
    Ok(())
}

/// The first capability that vouches for what appeared in `release`.
fn brought_by(release: &str) -> &'static str {
    let later = |capability: &&abi::Capability| abi::abi().at_least(&capability.since, release);
    abi::abi().capabilities.iter().find(later).map_or("", |capability| &capability.name)
}

/// What the spec says of a type.
fn specified(t: &Trial, key: &str) -> Verdict<&'static Type> {
    abi::abi().type_of_key(key).ok_or_else(|| t.error(format!("type {key}"), "the spec has none"))
}

/// The index of a type, if the target has it.
fn registered(t: &Trial, key: &str) -> Option<i32> {
    let mut index = -1;
    let code = t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(key.as_bytes()), &mut index);
    t.take_raised();
    (code == 0).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Capabilities ascend, so that the first one that is not older than a release is the one that vouches for it.
    #[test]
    fn everything_in_the_tables_is_brought_by_a_capability() {
        let abi = abi::abi();
        assert!(abi.capabilities.is_sorted_by_key(|capability| abi.release(&capability.since)));
        assert_eq!(
            (brought_by("0.1.0"), brought_by("0.1.10"), brought_by("0.1.15.post0")),
            ("core", "field-init", "list-reserve")
        );
        assert!(abi.globals.iter().all(|global| !brought_by(&global.since).is_empty()));
    }

    #[test]
    fn schemas_of_all_releases_are_read_alike() {
        let old = r#"{"type_schema":"{\"type\":\"ffi.Function\",\"args\":[{\"type\":\"Any\"},{\"type\":\"int\"}]}"}"#;
        let new = r#"{"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":[{\"type\":\"Any\"}],\"params\":[{\"type\":\"int\"}]}}"}"#;
        assert_eq!(schema(old), schema(new));
        assert!(schema(old).is_some());
        assert_eq!(schema("{}"), None);
        assert_eq!(schema(""), None);
    }
}
