//! Instances and their fields, by the keys of types and the names of fields.

use std::fmt::Display;

use tvm_ffi_spec::{
    abi::{self, Type},
    *,
};

use crate::{
    client::{Owned, Verdict, globals, reflected, types},
    trial::Trial,
};

/// The function that makes an instance of names and values.
pub const MAKE: &str = "ffi.MakeObjectFromPackedArgs";
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

/// The fields of a type of the spec and of its ancestors, with their names, as far as the target has them.
pub fn all_fields(t: &Trial, ty: &'static Type) -> Verdict<Vec<(&'static str, TVMFFIFieldInfo)>> {
    let types = ty.ancestors.iter().filter_map(|key| abi::abi().type_of_key(key)).chain([ty]);
    let mut found = Vec::new();
    for of in types {
        for field in reflected::fields(t, reflected::type_index(t, &of.key)?)? {
            let name = reflected::text(t, "name of a field", field.name)?;
            found.extend(of.fields.iter().find(|spec| spec.name == name).map(|spec| (spec.name.as_str(), field)));
        }
    }
    Ok(found)
}

/// Objects of several kinds, one of which a field takes that takes objects at all.
pub fn objects(t: &Trial) -> Verdict<Vec<Owned>> {
    let error = t.new_error("ValueError", "a value was wrong", "")?;
    let mut objects = vec![error, instance(t, STEP)?, t.string(b"a text of more than seven bytes")?];
    // No Array: a field that holds a List would take it as well, and hold a copy.
    for make in ["ffi.List", "ffi.Dict"] {
        if let Some(make) = globals::find(t, make)? {
            objects.push(t.call(&make, &[])?);
        }
    }
    Ok(objects)
}

/// Sets a field to the first of these values that it takes; answers its place.
pub fn first_taken(t: &Trial, instance: &Owned, field: &TVMFFIFieldInfo, values: &[Owned]) -> Verdict<Option<usize>> {
    for (place, value) in values.iter().enumerate() {
        let taken = reflected::set(t, instance.handle(), field, &value.any())? == 0;
        t.take_raised();
        if taken {
            return Ok(Some(place));
        }
    }
    Ok(None)
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
