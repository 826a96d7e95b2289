//! New instances, by creators and by functions in columns, and copies.

use tvm_ffi_spec::{abi, clause::id, *};

use super::kit::{PATH, STEP, all_fields, creatable, field, first_taken, get, instance, objects, reads, set};
use crate::{
    checks::check,
    client::{Owned, TypeIndex, Verdict, homemade::Homemade, reflected, types, view},
    trial::Trial,
};

/// The creator of a built-in type makes an instance with the type's index and one strong and one weak reference.
#[check(INS_0001)]
fn creators_make_instances(t: &Trial) -> Verdict {
    for (ty, index) in creatable(t)? {
        let instance = reflected::create(t, index)?;
        t.type_index_eq(
            format_args!("type_index of a new {}", ty.key),
            t.header(instance.handle())?.type_index,
            index,
        )?;
        t.eq(format_args!("strong and weak count of a new {}", ty.key), t.counts(instance.handle())?, (1, 1))?;
    }
    Ok(())
}

/// The creator of a built-in type makes another instance with each call.
#[check(INS_0001)]
fn creators_make_others(t: &Trial) -> Verdict {
    for (ty, index) in creatable(t)? {
        let (one, other) = (reflected::create(t, index)?, reflected::create(t, index)?);
        t.ne(format_args!("a second new {}", ty.key), other.handle(), one.handle())?;
    }
    Ok(())
}

/// A new instance of a built-in type has None, NULL, an empty string or an empty container in its fields.
#[check(INS_0002)]
fn new_fields_are_empty(t: &Trial) -> Verdict {
    let size = |kind: &str, value: &Owned| t.call_global(&format!("ffi.{kind}Size"), &[value.any()]);
    for (ty, index) in creatable(t)? {
        let instance = reflected::create(t, index)?;
        // An integer of a step or a path has no empty value, and may start with any number.
        for spec in ty.fields.iter().filter(|field| field.static_type != kTVMFFIInt) {
            let Ok(field) = reflected::field(t, index, &spec.name) else { continue };
            let value = get(t, &instance, &field)?;
            let label = format!("{} of a new {}", spec.name, ty.key);
            match value.any().type_index {
                kTVMFFINone => {}
                kTVMFFISmallStr => t.eq(label, value.any().aux_word(), 0)?,
                kTVMFFIArray => t.any_eq(label, &size("Array", &value)?.any(), &view::int(0))?,
                kTVMFFIMap => t.any_eq(label, &size("Map", &value)?.any(), &view::int(0))?,
                kTVMFFIList => t.any_eq(label, &size("List", &value)?.any(), &view::int(0))?,
                kTVMFFIDict => t.any_eq(label, &size("Dict", &value)?.any(), &view::int(0))?,
                other => {
                    return Err(t.failure(
                        format!("type_index of {label}"),
                        "that of an empty value",
                        TypeIndex(other),
                    ));
                }
            }
        }
    }
    Ok(())
}

/// New instances share no List and no Dict, neither with each other nor between two fields of one.
#[check(INS_0002, INS_0017)]
fn containers_are_their_own(t: &Trial) -> Verdict {
    let mut looked_at = 0;
    for (ty, index) in creatable(t)? {
        let fields = all_fields(t, ty)?;
        for (maker, instances) in made_twice(t, &ty.key, index)? {
            t.clause(if maker == "__ffi_init__" { id::INS_0017 } else { id::INS_0002 });
            let mut seen = Vec::new();
            for (instance, (name, field)) in
                instances.iter().flat_map(|each| fields.iter().map(move |field| (each, field)))
            {
                let value = get(t, instance, field)?;
                if matches!(value.any().type_index, kTVMFFIList | kTVMFFIDict) {
                    let what = format!("{name} of a new {}, made by {maker}", ty.key);
                    t.eq(
                        format_args!("whether another field holds the {what}"),
                        seen.contains(&value.handle()),
                        false,
                    )?;
                    t.eq(format_args!("strong count of the {what}"), t.counts(value.handle())?.0, 2)?;
                    seen.push(value.handle());
                    looked_at += 1;
                }
            }
        }
    }
    t.that("number of containers in new instances", looked_at > 0, "those of ffi.EnumState at least", looked_at)
}

/// Two new instances of a type from each of its makers that take no arguments.
fn made_twice(t: &Trial, key: &str, index: i32) -> Verdict<Vec<(&'static str, [Owned; 2])>> {
    let mut all = vec![("the creator", [reflected::create(t, index)?, reflected::create(t, index)?])];
    for column in ["__ffi_new__", "__ffi_init__"] {
        // The function that makes a key wants a value.
        if key != "ffi.StructuralKey" && types_with(t, column).any(|with| with == key) {
            let make = reflected::attribute_function(t, column, key)?;
            let made = |place: usize| match t.answer_of(make.handle(), &[])? {
                Ok(made) => Ok(Some(made)),
                Err(_) if place == 0 => Ok(None),
                Err(raised) => {
                    Err(t.failure(format!("another call of {column} of {key}"), "an instance", raised.message))
                }
            };
            if let Some(one) = made(0)?
                && let Some(other) = made(1)?
            {
                all.push((column, [one, other]));
            }
        }
    }
    Ok(all)
}

/// A function in `__ffi_new__` makes another instance with each call, which the caller owns alone.
#[check(INS_0010)]
fn new_makes_instances(t: &Trial) -> Verdict {
    let types: Vec<_> = types_with(t, "__ffi_new__").collect();
    t.that(
        "types with a function in __ffi_new__",
        types.contains(&STEP),
        format_args!("{STEP} at least"),
        types.join(", "),
    )?;
    for ty in types {
        let new = reflected::attribute_function(t, "__ffi_new__", ty)?;
        let (one, other) = (t.call(&new, &[])?, t.call(&new, &[])?);
        let index = reflected::type_index(t, ty)?;
        for instance in [&one, &other] {
            t.type_index_eq(format_args!("type_index of a new {ty}"), instance.any().type_index, index)?;
            t.eq(format_args!("strong and weak count of a new {ty}"), t.counts(instance.handle())?, (1, 1))?;
        }
        t.ne(format_args!("a second new {ty}"), other.handle(), one.handle())?;
    }
    Ok(())
}

/// The keys of the spec's types for which the target has an entry in a column.
fn types_with<'t>(t: &'t Trial, column: &'t str) -> impl Iterator<Item = &'static str> + 't {
    let attribute = abi::abi().attributes.iter().filter(move |attribute| attribute.name == column);
    let keys = attribute.flat_map(|attribute| attribute.entries.iter().map(|entry| entry.type_key.as_str()));
    let has_entry = |index| reflected::attribute(t, column, index).is_ok_and(|entry| entry.type_index != kTVMFFINone);
    keys.filter(move |key| types::find(t, key).is_some_and(has_entry))
}

/// A function in `__ffi_new__` that is called with an argument raises an error.
#[check(INS_0010)]
fn new_takes_nothing(t: &Trial) -> Verdict {
    let new = reflected::attribute_function(t, "__ffi_new__", STEP)?;
    t.call_fails(&new, &[view::int(1)], &[]).map(drop)
}

/// A function in `__ffi_shallow_copy__` makes an instance with the same values that shares what they refer to.
#[check(INS_0011)]
fn shallow_copy(t: &Trial) -> Verdict {
    let copy = reflected::attribute_function(t, "__ffi_shallow_copy__", STEP)?;
    let step = instance(t, STEP)?;
    let (kind, key) = (field(t, STEP, "kind")?, field(t, STEP, "key")?);
    let object = Homemade::new(kTVMFFIError, ());
    set(t, &step, &kind, &view::int(2))?;
    set(t, &step, &key, &object.view())?;
    let other = t.call(&copy, &[step.any()])?;
    t.eq("counts of what both share", object.counts(), (3, 1))?;
    t.type_index_eq("type_index of the copy", other.any().type_index, step.any().type_index)?;
    reads(t, "kind of the copy", &other, &kind, &view::int(2))?;
    reads(t, "key of the copy", &other, &key, &object.view())?;
    drop(step);
    t.eq("counts of what the copy holds", object.counts(), (2, 1))?;
    drop(other);
    t.eq("counts of what the copy held", object.counts(), (1, 1))
}

/// A function in `__ffi_shallow_copy__` copies every field of its type, those that the type inherits too.
#[check(INS_0011)]
fn shallow_copy_of_every_field(t: &Trial) -> Verdict {
    let (mut values, mut looked_at) = (objects(t)?, Vec::new());
    values.push(t.own(view::int(7)));
    for key in types_with(t, "__ffi_shallow_copy__") {
        let Some((ty, index)) = creatable(t)?.into_iter().find(|(ty, _)| ty.key == key) else { continue };
        let copy = reflected::attribute_function(t, "__ffi_shallow_copy__", key)?;
        let (original, fields) = (reflected::create(t, index)?, all_fields(t, ty)?);
        fields.iter().try_for_each(|(_, field)| first_taken(t, &original, field, &values).map(drop))?;
        let copy = t.call(&copy, &[original.any()])?;
        for (name, field) in &fields {
            let expected = get(t, &original, field)?;
            reads(t, format!("{name} of the copy of {key}"), &copy, field, &expected.any())?;
            looked_at.push(format!("{key}.{name}"));
        }
    }
    let expected = "those of AccessStep and AccessPath at least";
    t.that("fields that were copied", looked_at.len() > 4, expected, looked_at.join(", "))
}

/// A function in `__ffi_shallow_copy__` makes an instance of its own, which the caller owns alone.
#[check(INS_0011)]
fn shallow_copy_is_another(t: &Trial) -> Verdict {
    let copy = reflected::attribute_function(t, "__ffi_shallow_copy__", PATH)?;
    let path = instance(t, PATH)?;
    let depth = field(t, PATH, "depth")?;
    set(t, &path, &depth, &view::int(1))?;
    let other = t.call(&copy, &[path.any()])?;
    t.ne("the copy", other.handle(), path.handle())?;
    t.eq("strong and weak count of the copy", t.counts(other.handle())?, (1, 1))?;
    t.eq("strong and weak count of the original", t.counts(path.handle())?, (1, 1))?;
    set(t, &other, &depth, &view::int(2))?;
    reads(t, "depth of the original", &path, &depth, &view::int(1))
}

/// The function in `__ffi_init__` of ffi.EnumState makes a state with an empty List and two empty Dicts of its own.
#[check(INS_0017)]
fn enum_state(t: &Trial) -> Verdict {
    let init = reflected::attribute_function(t, "__ffi_init__", "ffi.EnumState")?;
    let (one, other) = (t.call(&init, &[])?, t.call(&init, &[])?);
    t.call_fails(&init, &[view::int(1)], &[])?;
    for (name, index, size) in [
        ("entries", kTVMFFIList, "ffi.ListSize"),
        ("indexes", kTVMFFIDict, "ffi.DictSize"),
        ("attrs", kTVMFFIDict, "ffi.DictSize"),
    ] {
        let field = field(t, "ffi.EnumState", name)?;
        let (of_one, of_other) = (get(t, &one, &field)?, get(t, &other, &field)?);
        t.type_index_eq(format_args!("type_index of {name}"), of_one.any().type_index, index)?;
        t.any_eq(format_args!("size of {name}"), &t.call_global(size, &[of_one.any()])?.any(), &view::int(0))?;
        t.ne(format_args!("{name} of another state"), of_other.handle(), of_one.handle())?;
    }
    t.eq("strong and weak count of the state", t.counts(one.handle())?, (1, 1))
}

/// The function in `__ffi_init__` of ffi.StructuralKey makes a key that holds a value and its structural hash.
#[check(INS_0018)]
fn structural_key(t: &Trial) -> Verdict {
    let init = reflected::attribute_function(t, "__ffi_init__", "ffi.StructuralKey")?;
    let (key, hash) = (field(t, "ffi.StructuralKey", "key")?, field(t, "ffi.StructuralKey", "hash_i64")?);
    let array = t.call_global("ffi.Array", &[view::int(1), view::c_str(c"a text of more than seven bytes")])?;
    for value in [view::int(7), view::float(0.5), array.any()] {
        let instance = t.call(&init, &[value])?;
        reads(t, "key", &instance, &key, &value)?;
        let expected = t.call_global("ffi.StructuralHash", &[value, view::bool(false), view::bool(false)])?;
        reads(t, "hash_i64", &instance, &hash, &expected.any())?;
    }
    t.eq("counts of the array", t.counts(array.handle())?, (1, 1))
}

/// ffi.VisitInterrupt makes an instance whose field `value` holds the argument.
#[check(INS_0019)]
fn visit_interrupt(t: &Trial) -> Verdict {
    let value = field(t, "ffi.VisitInterrupt", "value")?;
    let object = Homemade::new(kTVMFFIError, ());
    for expected in [view::int(7), TVMFFIAny::NONE, object.view()] {
        let interrupt = t.call_global("ffi.VisitInterrupt", &[expected])?;
        t.type_index_eq("type_index of the interruption", interrupt.any().type_index, kTVMFFIVisitInterrupt)?;
        reads(t, "value", &interrupt, &value, &expected)?;
    }
    t.eq("counts of the value", object.counts(), (1, 1))
}
