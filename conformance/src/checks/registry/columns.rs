//! Attribute columns and their entries.

use tvm_ffi_spec::{abi, *};

use super::kit::brought_by;
use crate::{
    checks::check,
    client::{Verdict, reflected, view},
    trial::Trial,
};

/// `__any_hash__` has an entry for ffi.StructuralKey.
#[check(REG_0024)]
fn hash_of_structural_keys(t: &Trial) -> Verdict {
    entries(t, "__any_hash__", "mutable-containers")
}

/// `__any_equal__` has an entry for ffi.StructuralKey.
#[check(REG_0024)]
fn equality_of_structural_keys(t: &Trial) -> Verdict {
    entries(t, "__any_equal__", "mutable-containers")
}

/// `__any_hash__` and `__any_equal__` have an entry for ffi.BigInt.
#[check(REG_0025)]
fn big_int_as_key(t: &Trial) -> Verdict {
    entries(t, "__any_hash__", "big-int")?;
    entries(t, "__any_equal__", "big-int")
}

/// `__data_to_json__` and `__data_from_json__` have an entry for ffi.BigInt.
#[check(REG_0059)]
fn big_int_in_json(t: &Trial) -> Verdict {
    entries(t, "__data_to_json__", "big-int")?;
    entries(t, "__data_from_json__", "big-int")
}

/// `__ffi_eq__`, `__ffi_hash__` and `__ffi_compare__` have an entry for ffi.BigInt.
#[check(REG_0059)]
fn big_int_compared(t: &Trial) -> Verdict {
    entries(t, "__ffi_eq__", "big-int")?;
    entries(t, "__ffi_hash__", "big-int")?;
    entries(t, "__ffi_compare__", "big-int")
}

/// `__ffi_convert__` has a function for ffi.Object and for texts, errors, functions, shapes, tensors and containers.
#[check(REG_0026)]
fn converters(t: &Trial) -> Verdict {
    entries(t, "__ffi_convert__", "field-init")
}

/// `__ffi_convert__` has a function for ffi.IntEnum and for ffi.StrEnum.
#[check(REG_0027)]
fn converters_of_enums(t: &Trial) -> Verdict {
    entries(t, "__ffi_convert__", "custom-allocator")
}

/// The column `__ffi_enum__` exists when the library has been loaded.
#[check(REG_0028)]
fn enum_column(t: &Trial) -> Verdict {
    columns(t, &["__ffi_enum__"])
}

/// The columns that convert, make, initialise and copy objects exist when the library has been loaded.
#[check(REG_0029)]
fn columns_of_objects(t: &Trial) -> Verdict {
    columns(t, &["__ffi_convert__", "__ffi_new__", "__ffi_init__", "__ffi_shallow_copy__"])
}

/// The columns that print, compare and hash objects exist when the library has been loaded.
#[check(REG_0029)]
fn columns_of_comparison(t: &Trial) -> Verdict {
    columns(t, &["__ffi_repr__", "__ffi_eq__", "__ffi_hash__", "__ffi_compare__"])
}

/// `__ffi_init__` has a function for ffi.StructuralKey.
#[check(REG_0030)]
fn init_of_structural_key(t: &Trial) -> Verdict {
    entries(t, "__ffi_init__", "field-init")
}

/// `__ffi_init__` has a function for ffi.EnumState.
#[check(REG_0031)]
fn init_of_enum_state(t: &Trial) -> Verdict {
    entries(t, "__ffi_init__", "custom-allocator")
}

/// `__ffi_new__` has a function for ffi.Enum, access steps, access paths and structural keys.
#[check(REG_0032)]
fn new(t: &Trial) -> Verdict {
    entries(t, "__ffi_new__", "field-init")
}

/// `__ffi_new__` and `__ffi_shallow_copy__` have a function for ffi.VisitErrorContext.
#[check(REG_0033)]
fn new_error_context(t: &Trial) -> Verdict {
    entries(t, "__ffi_new__", "visit-error-context")?;
    entries(t, "__ffi_shallow_copy__", "visit-error-context")
}

/// `__ffi_new__` has a function for ffi.VisitInterrupt, ffi.EnumState, ffi.IntEnum and ffi.StrEnum.
#[check(REG_0034)]
fn new_enums(t: &Trial) -> Verdict {
    entries(t, "__ffi_new__", "custom-allocator")
}

/// `__ffi_shallow_copy__` has a function for visit interrupts, visitors, enumeration states, ffi.IntEnum and
/// ffi.StrEnum.
#[check(REG_0034)]
fn shallow_copy_of_enums(t: &Trial) -> Verdict {
    entries(t, "__ffi_shallow_copy__", "custom-allocator")
}

/// `__ffi_repr__` has an entry for ffi.reflection.AccessStep and for ffi.reflection.AccessPath.
#[check(REG_0035)]
fn repr(t: &Trial) -> Verdict {
    entries(t, "__ffi_repr__", "visit-error-context")
}

/// `__ffi_shallow_copy__` has a function for access steps, access paths and structural keys.
#[check(REG_0036)]
fn shallow_copy(t: &Trial) -> Verdict {
    entries(t, "__ffi_shallow_copy__", "mutable-containers")
}

/// `__ffi_shallow_copy__` has a function for ffi.Enum.
#[check(REG_0037)]
fn shallow_copy_of_enum(t: &Trial) -> Verdict {
    entries(t, "__ffi_shallow_copy__", "field-init")
}

/// `__ffi_shallow_copy__` has a function for ffi.StructuralMutator.
#[check(REG_0038)]
fn shallow_copy_of_mutator(t: &Trial) -> Verdict {
    entries(t, "__ffi_shallow_copy__", "unchanged")
}

/// `__ffi_type_final__` is true for built-in types that may have no children, and false for those that may.
#[check(REG_0039)]
fn final_types(t: &Trial) -> Verdict {
    entries(t, "__ffi_type_final__", "unchanged")
}

/// `__ffi_type_final__` is true for ffi.BigInt.
#[check(REG_0040)]
fn big_int_is_final(t: &Trial) -> Verdict {
    entries(t, "__ffi_type_final__", "big-int")
}

/// `__s_visit__` has an entry for ffi.Array, ffi.Map, ffi.List and ffi.Dict.
#[check(REG_0041)]
fn visit(t: &Trial) -> Verdict {
    entries(t, "__s_visit__", "custom-allocator")
}

/// `__s_mutate__` has an entry for ffi.String, ffi.Bytes, ffi.Array, ffi.Map, ffi.List and ffi.Dict.
#[check(REG_0042)]
fn mutate(t: &Trial) -> Verdict {
    entries(t, "__s_mutate__", "unchanged")
}

/// `__s_maybe_inplace_mutate__` has an entry for ffi.String, ffi.Bytes, ffi.Array, ffi.Map, ffi.List and ffi.Dict.
#[check(REG_0042)]
fn mutate_in_place(t: &Trial) -> Verdict {
    entries(t, "__s_maybe_inplace_mutate__", "unchanged")
}

/// `__s_mutate__` and `__s_maybe_inplace_mutate__` have an entry for ffi.BigInt.
#[check(REG_0043)]
fn mutate_big_int(t: &Trial) -> Verdict {
    entries(t, "__s_mutate__", "big-int")?;
    entries(t, "__s_maybe_inplace_mutate__", "big-int")
}

/// Expects the entries of a column that a capability brings.
fn entries(t: &Trial, name: &str, capability: &str) -> Verdict {
    let attribute = abi::abi().attributes.iter().find(|attribute| attribute.name == name);
    let attribute = attribute.ok_or_else(|| t.error(format!("column {name}"), "the spec has none"))?;
    columns(t, &[name])?;
    let since = |entry: &abi::AttributeEntry| brought_by(entry.since.as_ref().unwrap_or(&attribute.since));
    let chosen: Vec<_> = attribute.entries.iter().filter(|entry| since(entry) == capability).collect();
    if chosen.is_empty() {
        return Err(t.error(format!("column {name}"), format!("the spec has no entry with {capability}")));
    }
    for entry in chosen {
        let label = format!("type_index of {name} of {}", entry.type_key);
        let value = reflected::attribute(t, name, reflected::type_index(t, &entry.type_key)?)?;
        match (entry.kind.as_str(), entry.value) {
            (_, Some(expected)) => {
                t.any_eq(format_args!("{name} of {}", entry.type_key), &value, &view::bool(expected))?
            }
            // A pointer to a C function may be replaced by a function that does the same.
            ("void*", _) => {
                let either = [kTVMFFIOpaquePtr, kTVMFFIFunction].contains(&value.type_index);
                t.that(label, either, "that of a function or a pointer", value.type_index)?;
                t.ne(format_args!("{name} of {}", entry.type_key), value.payload(), 0)?;
            }
            _ => t.eq(label, value.type_index, kTVMFFIFunction)?,
        }
    }
    Ok(())
}

/// Expects columns to exist.
fn columns(t: &Trial, names: &[&str]) -> Verdict {
    names.iter().try_for_each(|name| {
        let address = reflected::column(t, name);
        t.that(format_args!("column {name}"), !address.is_null(), "an address", "NULL")?;
        t.read(format!("column {name}"), address).map(drop)
    })
}
