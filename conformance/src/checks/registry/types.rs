//! Types: their keys, ancestors and key hashes.

use tvm_ffi_spec::{
    abi::{self, Type},
    *,
};

use super::kit::{ACCESS_PATH, ACCESS_STEP, brought_by, specified};
use crate::{
    checks::check,
    client::{TypeIndex, Verdict, reflected, types},
    trial::Trial,
};

/// ffi.reflection.AccessStep and ffi.reflection.AccessPath are registered when the library is loaded.
#[check(REG_0001)]
fn access_types(t: &Trial) -> Verdict {
    types_are_there(t, &[ACCESS_STEP, ACCESS_PATH])
}

/// ffi.StructuralKey is registered when the library is loaded.
#[check(REG_0002)]
fn structural_key_type(t: &Trial) -> Verdict {
    types_are_there(t, &["ffi.StructuralKey"])
}

/// ffi.Enum is registered when the library is loaded.
#[check(REG_0003)]
fn enum_type(t: &Trial) -> Verdict {
    types_are_there(t, &["ffi.Enum"])
}

/// ffi.VisitErrorContext is registered when the library is loaded.
#[check(REG_0004)]
fn error_context_type(t: &Trial) -> Verdict {
    types_are_there(t, &["ffi.VisitErrorContext"])
}

/// ffi.EnumState is registered when the library is loaded.
#[check(REG_0005)]
fn enum_state_type(t: &Trial) -> Verdict {
    types_are_there(t, &["ffi.EnumState"])
}

/// ffi.IntEnum and ffi.StrEnum are registered below ffi.Enum when the library is loaded.
#[check(REG_0005)]
fn value_enum_types(t: &Trial) -> Verdict {
    types_are_there(t, &["ffi.IntEnum", "ffi.StrEnum"])
}

/// ffi.StructuralVisitor is registered when the library is loaded.
#[check(REG_0005)]
fn visitor_type(t: &Trial) -> Verdict {
    types_are_there(t, &["ffi.StructuralVisitor"])
}

/// ffi.StructuralMutator is registered when the library is loaded.
#[check(REG_0006)]
fn mutator_type(t: &Trial) -> Verdict {
    types_are_there(t, &["ffi.StructuralMutator"])
}

/// Expects types without a static index to be registered with their key and their ancestors.
fn types_are_there(t: &Trial, keys: &[&str]) -> Verdict {
    for key in keys {
        let spec = specified(t, key)?;
        let index = reflected::type_index(t, key)?;
        t.that(format_args!("type index of {key}"), index >= kTVMFFIDynObjectBegin, "128 or more", TypeIndex(index))?;
        let info = reflected::info(t, index)?;
        t.type_index_eq(format_args!("type_index in the record of {key}"), info.type_index, index)?;
        t.eq(format_args!("key in the record of {key}"), reflected::key(t, &info)?.as_str(), key)?;
        t.eq(format_args!("ancestors of {key}"), &reflected::ancestors(t, &info)?, &spec.ancestors)?;
    }
    Ok(())
}

/// The key hash of a value type is the one that std::hash of GNU C++ gives for the key.
#[check(REG_0007)]
fn hashes_of_value_keys(t: &Trial) -> Verdict {
    key_hashes(t, |ty| ty.index.is_some_and(|index| index < kTVMFFIObject))
}

/// The key hash of a built-in object type is the one that std::hash of GNU C++ gives for the key.
#[check(REG_0007)]
fn hashes_of_object_keys(t: &Trial) -> Verdict {
    key_hashes(t, |ty| ty.index.is_none_or(|index| index >= kTVMFFIObject))
}

/// Expects the key hashes of the types that the target has and `chosen` picks. Those of the first release are there.
fn key_hashes(t: &Trial, chosen: fn(&Type) -> bool) -> Verdict {
    for ty in abi::abi().types.iter().filter(|ty| chosen(ty)) {
        let index = match types::find(t, &ty.key) {
            None if brought_by(&ty.since) != "core" => continue,
            None => reflected::type_index(t, &ty.key)?,
            Some(index) => index,
        };
        let hash = reflected::info(t, index)?.type_key_hash;
        t.eq(format_args!("type_key_hash of {}", ty.key), format!("{hash:#018x}"), format!("{:#018x}", ty.key_hash))?;
    }
    Ok(())
}
