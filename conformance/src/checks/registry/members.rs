//! What the types show: fields, metadata and methods, and the schemas that describe them.

use tvm_ffi_spec::{
    abi::{self, ReflectedField, Type, TypeMetadata},
    *,
};

use super::kit::{ACCESS_PATH, ACCESS_STEP, same_schema, specified};
use crate::{
    checks::check,
    client::{Verdict, reflected, types},
    trial::Trial,
};

/// ffi.Module has the field `imports_`, of eight bytes at offset 24.
#[check(REG_0008)]
fn module_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.Module")
}

/// The metadata of ffi.Module gives a size of 48 bytes and no structural kind.
#[check(REG_0055)]
fn module_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.Module")
}

/// ffi.VisitInterrupt has the writable field `value`, of sixteen bytes at offset 24.
#[check(REG_0009)]
fn visit_interrupt_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.VisitInterrupt")
}

/// The metadata of ffi.VisitInterrupt gives a size of 40 bytes and a creator.
#[check(REG_0058)]
fn visit_interrupt_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.VisitInterrupt")
}

/// ffi.EnumState has the fields `entries`, `indexes` and `attrs`, none of them a parameter of its initialiser.
#[check(REG_0010)]
fn enum_state_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.EnumState")
}

/// The metadata of ffi.EnumState gives a size of 48 bytes and a creator.
#[check(REG_0058)]
fn enum_state_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.EnumState")
}

/// ffi.Enum has the fields `_int_index`, which structural comparison ignores, and `_str_index`.
#[check(REG_0011)]
fn enum_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.Enum")
}

/// The metadata of ffi.Enum gives a size of 48 bytes, a creator and comparison by identity.
#[check(REG_0011)]
fn enum_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.Enum")
}

/// ffi.IntEnum and ffi.StrEnum have the field `value`, which structural comparison ignores.
#[check(REG_0012)]
fn value_enum_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.IntEnum")?;
    fields(t, "ffi.StrEnum")
}

/// The metadata of ffi.IntEnum and ffi.StrEnum gives the size, creator and kind of ffi.Enum.
#[check(REG_0012)]
fn value_enum_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.IntEnum")?;
    metadata(t, "ffi.StrEnum")
}

/// ffi.reflection.AccessStep has the fields `kind`, of four bytes at offset 24, and `key`, a value at offset 32.
#[check(REG_0013)]
fn access_step_fields(t: &Trial) -> Verdict {
    fields(t, ACCESS_STEP)
}

/// The metadata of ffi.reflection.AccessStep gives 48 bytes, a creator and the kind of a constant tree node.
#[check(REG_0055)]
fn access_step_metadata(t: &Trial) -> Verdict {
    metadata(t, ACCESS_STEP)
}

/// ffi.reflection.AccessPath has the fields `parent`, `step` and `depth` at offsets 24, 32 and 40.
#[check(REG_0014)]
fn access_path_fields(t: &Trial) -> Verdict {
    fields(t, ACCESS_PATH)
}

/// The metadata of ffi.reflection.AccessPath gives 48 bytes, a creator and the kind of a constant tree node.
#[check(REG_0055)]
fn access_path_metadata(t: &Trial) -> Verdict {
    metadata(t, ACCESS_PATH)
}

/// ffi.VisitErrorContext has the fields `reverse_visit_pattern` and `prev_error_context` at offsets 24 and 32.
#[check(REG_0015)]
fn error_context_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.VisitErrorContext")
}

/// The metadata of ffi.VisitErrorContext gives a size of 40 bytes and a creator.
#[check(REG_0057)]
fn error_context_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.VisitErrorContext")
}

/// ffi.StructuralKey has the fields `key`, a value at offset 24, and `hash_i64`, an integer at offset 40.
#[check(REG_0016)]
fn structural_key_fields(t: &Trial) -> Verdict {
    fields(t, "ffi.StructuralKey")
}

/// The metadata of ffi.StructuralKey gives a size of 48 bytes and a creator.
#[check(REG_0056)]
fn structural_key_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.StructuralKey")
}

/// The metadata of ffi.StructuralVisitor gives a size of 40 bytes and no creator.
#[check(REG_0021)]
fn visitor_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.StructuralVisitor")
}

/// The metadata of ffi.StructuralMutator gives a size of 40 bytes and no creator.
#[check(REG_0022)]
fn mutator_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.StructuralMutator")
}

/// The metadata of ffi.BigInt gives a size of 32 bytes and no creator.
#[check(REG_0023)]
fn big_int_metadata(t: &Trial) -> Verdict {
    metadata(t, "ffi.BigInt")
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
    t.eq(format_args!("names of the fields of {key}"), names, expected)
}

/// Expects a field to be as the spec says.
fn field(t: &Trial, label: &str, found: &TVMFFIFieldInfo, expected: &ReflectedField) -> Verdict {
    t.eq(format_args!("offset of {label}"), found.offset, expected.offset)?;
    t.eq(format_args!("size of {label}"), found.size, expected.size)?;
    t.eq(format_args!("alignment of {label}"), found.alignment, expected.align)?;
    t.eq(format_args!("flags of {label}"), found.flags, expected.flags)?;
    t.type_index_eq(format_args!("static type index of {label}"), found.field_static_type_index, expected.static_type)?;
    t.that(format_args!("getter of {label}"), found.getter.is_some(), "a function", "NULL")?;
    t.that(format_args!("setter of {label}"), !found.setter.is_null(), "a function", "NULL")
}

/// Each built-in field has a getter and a setter, whether it is writable or not.
#[check(REG_0063)]
fn getters_and_setters(t: &Trial) -> Verdict {
    let mut read_only = 0;
    for ty in &abi::abi().types {
        let Some(index) = types::find(t, &ty.key) else { continue };
        for found in reflected::fields(t, index)? {
            let label = format!("{}.{}", ty.key, reflected::text(t, "name of a field", found.name)?);
            t.that(format_args!("getter of {label}"), found.getter.is_some(), "a function", "NULL")?;
            t.that(format_args!("setter of {label}"), !found.setter.is_null(), "a function", "NULL")?;
            read_only += i32::from(found.flags & kTVMFFIFieldFlagBitMaskWritable == 0);
        }
    }
    t.ne("number of built-in fields that are not writable", read_only, 0)
}

/// Expects the size, the structural kind and the creator of a type's metadata.
fn metadata(t: &Trial, key: &str) -> Verdict {
    let Some(TypeMetadata { size, kind, creator, .. }) = specified(t, key)?.metadata else {
        return Err(t.error(format!("metadata of {key}"), "the spec has none"));
    };
    let found = reflected::metadata(t, reflected::type_index(t, key)?)?;
    t.eq(format_args!("total_size of {key}"), found.total_size, size)?;
    t.eq(format_args!("structural_eq_hash_kind of {key}"), found.structural_eq_hash_kind, kind)?;
    t.eq(format_args!("whether {key} has a creator"), found.creator.is_some(), creator)
}

/// ffi.reflection.AccessPath has the static method `_root` and the methods that extend and compare paths.
#[check(REG_0017)]
fn access_path_methods(t: &Trial) -> Verdict {
    methods(t, ACCESS_PATH)
}

/// ffi.StructuralKey has the static method `__ffi_init__`.
#[check(REG_0018)]
fn structural_key_methods(t: &Trial) -> Verdict {
    methods(t, "ffi.StructuralKey")
}

/// ffi.EnumState has the static method `__ffi_init__`.
#[check(REG_0019)]
fn enum_state_methods(t: &Trial) -> Verdict {
    methods(t, "ffi.EnumState")
}

/// Expects a type's methods to be functions with the flags of the spec.
fn methods(t: &Trial, key: &str) -> Verdict {
    let index = reflected::type_index(t, key)?;
    for expected in &specified(t, key)?.methods {
        let found = reflected::method(t, index, &expected.name)?;
        let label = format!("{key}.{}", expected.name);
        t.eq(format_args!("flags of {label}"), found.flags, expected.flags)?;
        t.type_index_eq(format_args!("type_index of {label}"), found.method.type_index, kTVMFFIFunction)?;
        let object = t.header(found.method.payload() as TVMFFIObjectHandle)?;
        t.type_index_eq(format_args!("type_index in the header of {label}"), object.type_index, kTVMFFIFunction)?;
    }
    Ok(())
}

/// The metadata of a built-in field is a JSON object whose `type_schema` describes the field's type.
#[check(REG_0020)]
fn schemas_of_fields(t: &Trial) -> Verdict {
    schemas(t, field_schemas)
}

/// The metadata of a built-in method is a JSON object whose `type_schema` describes the method's type.
#[check(REG_0020)]
fn schemas_of_methods(t: &Trial) -> Verdict {
    schemas(t, method_schemas)
}

/// Expects schemas in the types that the spec and the target have; `of_type` answers how many it has looked at.
fn schemas(t: &Trial, of_type: fn(&Trial, &Type, i32) -> Verdict<usize>) -> Verdict {
    let mut looked_at = 0;
    for ty in &abi::abi().types {
        if let Some(index) = types::find(t, &ty.key) {
            looked_at += of_type(t, ty, index)?;
        }
    }
    t.ne("number of schemas", looked_at, 0)
}

fn field_schemas(t: &Trial, ty: &Type, index: i32) -> Verdict<usize> {
    let mut looked_at = 0;
    for found in reflected::fields(t, index)? {
        let name = reflected::text(t, "name of a field", found.name)?;
        if let Some(expected) = ty.fields.iter().find(|field| field.name == name) {
            let metadata = reflected::text(t, "metadata of a field", found.metadata)?;
            same_schema(t, &format!("{}.{name}", ty.key), &metadata, &expected.metadata)?;
            looked_at += 1;
        }
    }
    Ok(looked_at)
}

fn method_schemas(t: &Trial, ty: &Type, index: i32) -> Verdict<usize> {
    let mut looked_at = 0;
    for found in reflected::methods(t, index)? {
        let name = reflected::text(t, "name of a method", found.name)?;
        if let Some(expected) = ty.methods.iter().find(|method| method.name == name) {
            let metadata = reflected::text(t, "metadata of a method", found.metadata)?;
            same_schema(t, &format!("{}.{name}", ty.key), &metadata, &expected.metadata)?;
            looked_at += 1;
        }
    }
    Ok(looked_at)
}
