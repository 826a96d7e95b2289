//! Instances and their fields, by the keys of types and the names of fields.

use std::fmt::Display;

use tvm_ffi_spec::{
    abi::{self, Type},
    *,
};

use crate::{
    client::{Owned, Verdict, reflected, types},
    trial::Trial,
};

pub const STEP: &str = "ffi.reflection.AccessStep";
pub const PATH: &str = "ffi.reflection.AccessPath";

/// The types of the spec that have a creator, with their indices, as far as the target has them.
pub fn creatable(t: &Trial) -> Verdict<Vec<(&'static Type, i32)>> {
    let mut found = Vec::new();
    for ty in abi::abi().types.iter().filter(|ty| ty.metadata.as_ref().is_some_and(|metadata| metadata.creator)) {
        found.extend(types::find(t, &ty.key).map(|index| (ty, index)));
    }
    t.that("types with a creator", !found.is_empty(), "AccessStep at least", "none").map(|()| found)
}

/// A new instance of a type.
pub fn instance(t: &Trial, key: &str) -> Verdict<Owned> {
    reflected::create(t, reflected::type_index(t, key)?)
}

/// A type's own field.
pub fn field(t: &Trial, key: &str, name: &str) -> Verdict<TVMFFIFieldInfo> {
    reflected::field(t, reflected::type_index(t, key)?, name)
}

/// A field of a type or its ancestors.
pub fn inherited(t: &Trial, key: &str, name: &str) -> Verdict<TVMFFIFieldInfo> {
    reflected::inherited_field(t, reflected::type_index(t, key)?, name)
}

/// Sets a field.
pub fn set(t: &Trial, instance: &Owned, field: &TVMFFIFieldInfo, value: &TVMFFIAny) -> Verdict {
    t.ok(reflected::set(t, instance.handle(), field, value)?)
}

/// What a field's getter answers.
pub fn get(t: &Trial, instance: &Owned, field: &TVMFFIFieldInfo) -> Verdict<Owned> {
    reflected::get(t, instance.handle(), field)
}

/// Expects a field's getter to answer that value.
pub fn reads(
    t: &Trial,
    what: impl Display,
    instance: &Owned,
    field: &TVMFFIFieldInfo,
    expected: &TVMFFIAny,
) -> Verdict {
    t.any_eq(what, &get(t, instance, field)?.any(), expected)
}
