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

use crate::{trial::{check::{Check, check}, Trial, Verdict, view}, client::reflected};

const ACCESS_PATH: &str = "ffi.reflection.AccessPath";
const ACCESS_STEP: &str = "ffi.reflection.AccessStep";

pub const CHECKS: &[Check] = &[
    check("registry.access-types", "the types of access paths are there", &["REG-0001"], |t| {
        types(t, &[ACCESS_STEP, ACCESS_PATH])
    }),
    check("registry.structural-key-type", "the type of structural keys is there", &["REG-0002"], |t| {
        types(t, &["ffi.StructuralKey"])
    }),
    check("registry.enum-type", "the type of enumerations is there", &["REG-0003"], |t| types(t, &["ffi.Enum"])),
    check("registry.error-context-type", "the type of visit error contexts is there", &["REG-0004"], |t| {
        types(t, &["ffi.VisitErrorContext"])
    }),
    check("registry.enum-state-type", "the type of an enumeration's state is there", &["REG-0005"], |t| {
        types(t, &["ffi.EnumState"])
    }),
    check("registry.value-enum-types", "the types of enumerations with values are there", &["REG-0005"], |t| {
        types(t, &["ffi.IntEnum", "ffi.StrEnum"])
    }),
    check("registry.visitor-type", "the type of visitors is there", &["REG-0005"], |t| {
        types(t, &["ffi.StructuralVisitor"])
    }),
    check("registry.mutator-type", "the type of mutators is there", &["REG-0006"], |t| {
        types(t, &["ffi.StructuralMutator"])
    }),
    check("registry.hashes-of-value-keys", "value types have the key hashes of GNU C++", &["REG-0007"], |t| {
        key_hashes(t, |ty| ty.index.is_some_and(|index| index < kTVMFFIObject))
    }),
    check("registry.hashes-of-object-keys", "object types have the key hashes of GNU C++", &["REG-0007"], |t| {
        key_hashes(t, |ty| ty.index.is_none_or(|index| index >= kTVMFFIObject))
    }),
    check("registry.module-fields", "ffi.Module has its field", &["REG-0008"], |t| fields(t, "ffi.Module")),
    check("registry.module-metadata", "ffi.Module has its metadata", &["REG-0008"], |t| metadata(t, "ffi.Module")),
    check("registry.visit-interrupt-fields", "ffi.VisitInterrupt has its field", &["REG-0009"], |t| {
        fields(t, "ffi.VisitInterrupt")
    }),
    check("registry.visit-interrupt-metadata", "ffi.VisitInterrupt has its metadata", &["REG-0009"], |t| {
        metadata(t, "ffi.VisitInterrupt")
    }),
    check("registry.enum-state-fields", "ffi.EnumState has its fields", &["REG-0010"], |t| fields(t, "ffi.EnumState")),
    check("registry.enum-state-metadata", "ffi.EnumState has its metadata", &["REG-0010"], |t| {
        metadata(t, "ffi.EnumState")
    }),
    check("registry.enum-fields", "ffi.Enum has its fields", &["REG-0011"], |t| fields(t, "ffi.Enum")),
    check("registry.enum-metadata", "ffi.Enum has its metadata", &["REG-0011"], |t| metadata(t, "ffi.Enum")),
    check("registry.value-enum-fields", "enumerations with values have their field", &["REG-0012"], |t| {
        fields(t, "ffi.IntEnum")?;
        fields(t, "ffi.StrEnum")
    }),
    check("registry.value-enum-metadata", "enumerations with values have their metadata", &["REG-0012"], |t| {
        metadata(t, "ffi.IntEnum")?;
        metadata(t, "ffi.StrEnum")
    }),
    check("registry.access-step-fields", "an access step has its fields", &["REG-0013"], |t| fields(t, ACCESS_STEP)),
    check("registry.access-step-metadata", "an access step has its metadata", &["REG-0013"], |t| {
        metadata(t, ACCESS_STEP)
    }),
    check("registry.access-path-fields", "an access path has its fields", &["REG-0014"], |t| fields(t, ACCESS_PATH)),
    check("registry.access-path-metadata", "an access path has its metadata", &["REG-0014"], |t| {
        metadata(t, ACCESS_PATH)
    }),
    check("registry.error-context-fields", "a visit error context has its fields", &["REG-0015"], |t| {
        fields(t, "ffi.VisitErrorContext")
    }),
    check("registry.error-context-metadata", "a visit error context has its metadata", &["REG-0015"], |t| {
        metadata(t, "ffi.VisitErrorContext")
    }),
    check("registry.structural-key-fields", "a structural key has its fields", &["REG-0016"], |t| {
        fields(t, "ffi.StructuralKey")
    }),
    check("registry.structural-key-metadata", "a structural key has its metadata", &["REG-0016"], |t| {
        metadata(t, "ffi.StructuralKey")
    }),
    check("registry.access-path-methods", "an access path has its methods", &["REG-0017"], |t| methods(t, ACCESS_PATH)),
    check("registry.structural-key-methods", "a structural key has its initialiser", &["REG-0018"], |t| {
        methods(t, "ffi.StructuralKey")
    }),
    check("registry.enum-state-methods", "ffi.EnumState has its initialiser", &["REG-0019"], |t| {
        methods(t, "ffi.EnumState")
    }),
    check("registry.schemas-of-fields", "the metadata of each field describes its type", &["REG-0020"], |t| {
        schemas(t, field_schemas)
    }),
    check("registry.schemas-of-methods", "the metadata of each method describes its type", &["REG-0020"], |t| {
        schemas(t, method_schemas)
    }),
    check("registry.visitor-metadata", "ffi.StructuralVisitor has its metadata", &["REG-0021"], |t| {
        metadata(t, "ffi.StructuralVisitor")
    }),
    check("registry.mutator-metadata", "ffi.StructuralMutator has its metadata", &["REG-0022"], |t| {
        metadata(t, "ffi.StructuralMutator")
    }),
    check("registry.big-int-metadata", "ffi.BigInt has its metadata", &["REG-0023"], |t| metadata(t, "ffi.BigInt")),
    check("registry.hash-of-structural-keys", "structural keys have a hash for maps", &["REG-0024"], |t| {
        entries(t, "__any_hash__", "mutable-containers")
    }),
    check("registry.equality-of-structural-keys", "structural keys have an equality for maps", &["REG-0024"], |t| {
        entries(t, "__any_equal__", "mutable-containers")
    }),
    check("registry.big-int-as-key", "large integers have a hash and an equality for maps", &["REG-0025"], |t| {
        entries(t, "__any_hash__", "big-int")?;
        entries(t, "__any_equal__", "big-int")
    }),
    check("registry.big-int-in-json", "large integers go to JSON and back", &["REG-0025"], |t| {
        entries(t, "__data_to_json__", "big-int")?;
        entries(t, "__data_from_json__", "big-int")
    }),
    check("registry.big-int-compared", "large integers are compared by value", &["REG-0025"], |t| {
        entries(t, "__ffi_eq__", "big-int")?;
        entries(t, "__ffi_hash__", "big-int")?;
        entries(t, "__ffi_compare__", "big-int")
    }),
    check("registry.converters", "built-in types have converters", &["REG-0026"], |t| {
        entries(t, "__ffi_convert__", "field-init")
    }),
    check("registry.converters-of-enums", "enumerations with values have converters", &["REG-0027"], |t| {
        entries(t, "__ffi_convert__", "custom-allocator")
    }),
    check("registry.enum-column", "the column of enumerations is there and empty", &["REG-0028"], |t| {
        reflected::attribute(t, "__ffi_enum__", kTVMFFIObject).map(drop)?;
        let column = t.read("column", reflected::column(t, "__ffi_enum__"))?;
        let all = (0..column.size as usize).map(|place| t.read("entry", column.data.wrapping_add(place)));
        all.enumerate().try_for_each(|(place, entry)| {
            t.eq(format!("type_index of entry {place} of __ffi_enum__"), entry?.type_index, kTVMFFINone)
        })
    }),
    check("registry.columns-of-objects", "the columns that make and copy objects are there", &["REG-0029"], |t| {
        columns(t, &["__ffi_convert__", "__ffi_new__", "__ffi_init__", "__ffi_shallow_copy__"])
    }),
    check("registry.columns-of-comparison", "the columns that compare and print are there", &["REG-0029"], |t| {
        columns(t, &["__ffi_repr__", "__ffi_eq__", "__ffi_hash__", "__ffi_compare__"])
    }),
    check("registry.init-of-structural-key", "a structural key has an initialiser", &["REG-0030"], |t| {
        entries(t, "__ffi_init__", "field-init")
    }),
    check("registry.init-of-enum-state", "the state of an enumeration has an initialiser", &["REG-0031"], |t| {
        entries(t, "__ffi_init__", "custom-allocator")
    }),
    check("registry.new", "built-in types with a creator have a function that makes one", &["REG-0032"], |t| {
        entries(t, "__ffi_new__", "field-init")
    }),
    check("registry.new-error-context", "a visit error context is made and copied", &["REG-0033"], |t| {
        entries(t, "__ffi_new__", "visit-error-context")?;
        entries(t, "__ffi_shallow_copy__", "visit-error-context")
    }),
    check("registry.new-enums", "enumerations with values and interruptions are made", &["REG-0034"], |t| {
        entries(t, "__ffi_new__", "custom-allocator")
    }),
    check("registry.shallow-copy-of-enums", "enumerations with values are copied", &["REG-0034"], |t| {
        entries(t, "__ffi_shallow_copy__", "custom-allocator")
    }),
    check("registry.repr", "access paths are printed", &["REG-0035"], |t| {
        entries(t, "__ffi_repr__", "visit-error-context")
    }),
    check("registry.shallow-copy", "access paths and structural keys are copied", &["REG-0036"], |t| {
        entries(t, "__ffi_shallow_copy__", "mutable-containers")
    }),
    check("registry.shallow-copy-of-enum", "an enumeration's instance is copied", &["REG-0037"], |t| {
        entries(t, "__ffi_shallow_copy__", "field-init")
    }),
    check("registry.shallow-copy-of-mutator", "a mutator is copied", &["REG-0038"], |t| {
        entries(t, "__ffi_shallow_copy__", "unchanged")
    }),
    check("registry.final-types", "it is known of a type whether it may have children", &["REG-0039"], |t| {
        entries(t, "__ffi_type_final__", "unchanged")
    }),
    check("registry.big-int-is-final", "a large integer's type has no children", &["REG-0040"], |t| {
        entries(t, "__ffi_type_final__", "big-int")
    }),
    check("registry.visit", "visitors know how to visit containers", &["REG-0041"], |t| {
        entries(t, "__s_visit__", "custom-allocator")
    }),
    check("registry.mutate", "mutators know how to treat texts and containers", &["REG-0042"], |t| {
        entries(t, "__s_mutate__", "unchanged")
    }),
    check("registry.mutate-in-place", "mutators know how to change containers in place", &["REG-0042"], |t| {
        entries(t, "__s_maybe_inplace_mutate__", "unchanged")
    }),
    check("registry.mutate-big-int", "mutators know how to treat large integers", &["REG-0043"], |t| {
        entries(t, "__s_mutate__", "big-int")?;
        entries(t, "__s_maybe_inplace_mutate__", "big-int")
    }),
    check("registry.array-functions", "the functions of shapes and arrays are there", &["REG-0044"], |t| {
        globals(t, "array", "core")
    }),
    check("registry.map-functions", "the functions of maps are there", &["REG-0044"], |t| globals(t, "map", "core")),
    check(
        "registry.structural-functions",
        "the first functions of structural comparison are there",
        &["REG-0044"],
        |t| globals(t, "structural", "core"),
    ),
    check("registry.json-functions", "the functions of JSON are there", &["REG-0044"], |t| globals(t, "json", "core")),
    check("registry.module-functions", "the functions of modules are there", &["REG-0044"], |t| {
        globals(t, "module", "core")
    }),
    check("registry.object-functions", "the function that makes objects is there", &["REG-0044"], |t| {
        globals(t, "object", "core")
    }),
    check("registry.value-functions", "the functions of values and functions are there", &["GLB-0023"], |t| {
        globals(t, "value", "core")
    }),
    check("registry.type-key-function", "the function that lists type keys is there", &["REG-0045"], |t| {
        globals(t, "value", "type-keys")
    }),
    check(
        "registry.map-function-for-missing",
        "the function that tells what a map lacks is there",
        &["REG-0046"],
        |t| globals(t, "map", "unsafe-view"),
    ),
    check("registry.module-functions-of-globals", "the functions that keep modules are there", &["REG-0046"], |t| {
        globals(t, "module", "unsafe-view")
    }),
    check("registry.array-function-of-content", "the function that searches an array is there", &["REG-0047"], |t| {
        globals(t, "array", "error-cause")
    }),
    check("registry.list-functions", "the functions of lists are there", &["REG-0048"], |t| {
        globals(t, "list", "mutable-containers")
    }),
    check("registry.dict-functions", "the functions of dictionaries are there", &["REG-0048"], |t| {
        globals(t, "dict", "mutable-containers")
    }),
    check("registry.structural-key-functions", "the functions of structural keys are there", &["REG-0048"], |t| {
        globals(t, "structural", "mutable-containers")
    }),
    check("registry.copy-functions", "the functions that copy and print are there", &["REG-0048"], |t| {
        globals(t, "recursive", "mutable-containers")
    }),
    check("registry.sentinel-function", "the function that answers the missing object is there", &["REG-0048"], |t| {
        globals(t, "value", "mutable-containers")
    }),
    check("registry.recursive-functions", "the functions that compare recursively are there", &["REG-0049"], |t| {
        globals(t, "recursive", "field-init")
    }),
    check("registry.object-functions-of-fields", "the functions that make fields work are there", &["REG-0049"], |t| {
        globals(t, "object", "field-init")
    }),
    check("registry.array-function-of-devices", "the function that finds a device is there", &["REG-0049"], |t| {
        globals(t, "array", "field-init")
    }),
    check("registry.extern-function", "the functions of sentinels and C functions are there", &["REG-0049"], |t| {
        globals(t, "value", "field-init")
    }),
    check("registry.error-functions", "the function that finds access paths is there", &["REG-0050"], |t| {
        globals(t, "error", "visit-error-context")
    }),
    check("registry.visitor-functions", "the functions of visitors are there", &["REG-0051"], |t| {
        globals(t, "structural", "custom-allocator")
    }),
    check("registry.mutator-functions", "the functions of mutators are there", &["REG-0052"], |t| {
        globals(t, "structural", "unchanged")
    }),
    check(
        "registry.list-function-of-capacity",
        "the function that makes room in a list is there",
        &["REG-0053"],
        |t| globals(t, "list", "list-reserve"),
    ),
    check("registry.schemas-of-containers", "functions of containers are described", &["REG-0054"], |t| {
        global_schemas(t, &["array", "list", "map", "dict"])
    }),
    check("registry.schemas-of-values", "functions of values, objects and errors are described", &["REG-0054"], |t| {
        global_schemas(t, &["value", "object", "error"])
    }),
    check(
        "registry.schemas-of-comparison",
        "functions that compare, copy and visit are described",
        &["REG-0054"],
        |t| global_schemas(t, &["structural", "recursive"]),
    ),
    check("registry.schemas-of-modules", "functions of modules and JSON are described", &["REG-0054"], |t| {
        global_schemas(t, &["module", "json"])
    }),
];

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
