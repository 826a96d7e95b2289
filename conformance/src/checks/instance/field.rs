//! Fields: what getters answer, what setters take, and what becomes of both.

use std::{
    ffi::c_void,
    sync::{Mutex, PoisonError},
};

use proptest::prelude::*;
use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    PATH, STEP, all_fields, creatable, field, first_taken, get, inherited, instance, objects, reads, set,
};
use crate::{
    checks::check,
    client::{
        Owned, Raised, TypeIndex, Verdict, callback, globals,
        homemade::{self, Homemade},
        reflected,
        samples::LENGTHS,
        view,
    },
    trial::Trial,
};

/// Each built-in field that takes an object holds a reference, lends none of it, and gives it up when it is set again.
#[check(INS_0003, INS_0004, INS_0009)]
fn every_field_counts(t: &Trial) -> Verdict {
    let mut looked_at = 0;
    for (ty, index) in creatable(t)? {
        for (_, field) in all_fields(t, ty)? {
            let (one, other) = (objects(t)?, objects(t)?);
            let before = one.iter().map(|one| Ok(t.counts(one.handle())?.0)).collect::<Verdict<Vec<_>>>()?;
            let instance = reflected::create(t, index)?;
            let Some(place) = first_taken(t, &instance, &field, &one)? else { continue };
            let (one, other) = (&one[place], &other[place]);
            let what = format_args!("{}.{}", ty.key, reflected::text(t, "name of a field", field.name)?);
            if one.handle() == other.handle() {
                continue;
            }
            let counts = |of: &Owned| -> Verdict<u32> { Ok(t.counts(of.handle())?.0) };
            // The instance has its reference already.
            let (held, free) = (counts(one)?, counts(other)?);
            t.clause(id::INS_0004);
            t.eq(format_args!("strong count of what {what} holds"), held, before[place] + 1)?;
            t.clause(id::INS_0003);
            let value = get(t, &instance, &field)?;
            t.any_eq(format_args!("value of {what}"), &value.any(), &one.any())?;
            t.eq(format_args!("strong count of what the getter of {what} answers"), counts(one)?, held + 1)?;
            drop(value);
            t.clause(id::INS_0004);
            for _ in 0..2 {
                set(t, &instance, &field, &one.any())?;
                t.eq(format_args!("strong count of what {what} held and was set to again"), counts(one)?, held)?;
            }
            set(t, &instance, &field, &other.any())?;
            t.eq(
                format_args!("strong counts after {what} was set again"),
                [counts(one)?, counts(other)?],
                [held - 1, free + 1],
            )?;
            t.clause(id::INS_0009);
            drop(instance);
            t.eq(format_args!("strong count of what {what} held"), counts(other)?, free)?;
            looked_at += 1;
        }
    }
    t.that("number of fields that take objects", looked_at >= 3, "those of AccessStep and AccessPath", looked_at)
}

/// The getter of a field of any value answers the value with a reference of the caller's own.
#[check(INS_0003)]
fn getter_owns(t: &Trial) -> Verdict {
    gives_a_reference(t, STEP, "key")
}

/// The getter of a field of objects answers the object with a reference of the caller's own.
#[check(INS_0003)]
fn getter_of_object(t: &Trial) -> Verdict {
    gives_a_reference(t, PATH, "parent")
}

/// Expects what the getter of a field answers to be one more reference.
fn gives_a_reference(t: &Trial, key: &str, name: &str) -> Verdict {
    let (instance, field) = (instance(t, key)?, field(t, key, name)?);
    let object = Homemade::new(kTVMFFIError, ());
    set(t, &instance, &field, &object.view())?;
    let before = object.counts();
    let value = get(t, &instance, &field)?;
    t.any_eq("value of the field", &value.any(), &object.view())?;
    t.eq("strong count of the field's value after its getter", object.counts().0, before.0 + 1)
}

/// The setter of a field of any value takes a reference to the value and gives up the one before.
#[check(INS_0004)]
fn setter_owns(t: &Trial) -> Verdict {
    keeps_a_reference(t, STEP, "key")
}

/// The setter of a field of objects takes a reference to the object and gives up the one before.
#[check(INS_0004)]
fn setter_of_object(t: &Trial) -> Verdict {
    keeps_a_reference(t, PATH, "parent")
}

/// Expects the setter of a field to take a reference to what it stores and give up the one before.
fn keeps_a_reference(t: &Trial, key: &str, name: &str) -> Verdict {
    let (instance, field) = (instance(t, key)?, field(t, key, name)?);
    let (one, other) = (Homemade::new(kTVMFFIError, ()), Homemade::new(kTVMFFIError, ()));
    set(t, &instance, &field, &one.view())?;
    t.eq("counts of what the field holds", one.counts(), (2, 1))?;
    set(t, &instance, &field, &other.view())?;
    t.eq("counts of what the field held before", one.counts(), (1, 1))?;
    t.eq("counts of what the field holds now", other.counts(), (2, 1))?;
    set(t, &instance, &field, &TVMFFIAny::NONE)?;
    t.eq("counts of what the field held last", other.counts(), (1, 1))
}

/// The fields of any value that can be set, each with an instance.
fn fields_of_any(t: &Trial) -> Verdict<Vec<(Owned, TVMFFIFieldInfo)>> {
    const INTERRUPT: &str = "ffi.VisitInterrupt";
    let mut fields = vec![(instance(t, STEP)?, field(t, STEP, "key")?)];
    if globals::find(t, INTERRUPT)?.is_some() {
        fields.push((t.call_global(INTERRUPT, &[TVMFFIAny::NONE])?, field(t, INTERRUPT, "value")?));
    }
    fields.retain(|(_, field)| !field.setter.is_null());
    Ok(fields)
}

/// A field of any value can be set to a part of what it holds, which nothing else holds.
#[check(INS_0004)]
fn setter_of_a_part(t: &Trial) -> Verdict {
    for (instance, field) in &fields_of_any(t)? {
        for make in ["ffi.Array", "ffi.List"] {
            let part = Homemade::new(kTVMFFIError, ());
            let whole = t.call_global(make, &[part.view()])?;
            set(t, instance, field, &whole.any())?;
            drop(whole);
            // The container's reference to the part is the only one, as the field's is to the container.
            part.set_counts(1, 1);
            set(t, instance, field, &part.view())?;
            t.eq("ends of the part that the field was set to", part.ends(), vec![])?;
            t.eq("counts of the part", part.counts(), (1, 1))?;
            part.set_counts(2, 1);
            set(t, instance, field, &TVMFFIAny::NONE)?;
        }
    }
    Ok(())
}

/// The deleter of what a field held, which runs when the field is set to something else, does not find it in the field any more.
#[check(INS_0004)]
fn former_value_looks_at_its_field(t: &Trial) -> Verdict {
    static LOOK: Mutex<Option<Look>> = Mutex::new(None);
    /// A field of an instance, and what its getter answered: type and payload.
    struct Look {
        field: TVMFFIFieldInfo,
        address: usize,
        found: Option<(i32, u64)>,
    }
    // SAFETY: what the record points to is the library's and lives as long as that; the address is read by the getter alone.
    unsafe impl Send for Look {}
    unsafe extern "C" fn look(_: *mut c_void) {
        // It may be called once more for what the getter answers.
        let (Some(mut look), Some(api)) = (LOOK.lock().unwrap_or_else(PoisonError::into_inner).take(), callback::api())
        else {
            return;
        };
        let (mut value, Some(getter)) = (TVMFFIAny::NONE, look.field.getter) else { return };
        // SAFETY: the address of a field of a live instance, and a place for its value.
        if unsafe { getter(look.address as *mut c_void, &mut value) } == 0 {
            look.found = Some((value.type_index, value.payload()));
            if value.type_index >= kTVMFFIStaticObjectBegin {
                api.release(value.payload() as TVMFFIObjectHandle);
            }
        }
        *LOOK.lock().unwrap_or_else(PoisonError::into_inner) = Some(look);
    }
    t.serve_callbacks();
    for (instance, field) in fields_of_any(t)? {
        for next in [view::int(7), TVMFFIAny::NONE] {
            let former = t.opaque(std::ptr::dangling_mut(), look)?;
            set(t, &instance, &field, &former.any())?;
            let was = former.any().payload();
            drop(former);
            let address = instance.handle().wrapping_byte_add(field.offset as usize) as usize;
            *LOOK.lock().unwrap_or_else(PoisonError::into_inner) = Some(Look { field, address, found: None });
            set(t, &instance, &field, &next)?;
            let found = LOOK.lock().unwrap_or_else(PoisonError::into_inner).take().and_then(|look| look.found);
            t.ne("what the field holds while its former value ends", found, Some((kTVMFFIOpaquePyObject, was)))?;
            reads(t, "the field afterwards", &instance, &field, &next)?;
        }
    }
    Ok(())
}

/// A field can be set to the object that it holds already.
#[check(INS_0004)]
fn setter_of_same(t: &Trial) -> Verdict {
    for (key, name) in [(STEP, "key"), (PATH, "parent")] {
        let (instance, field) = (instance(t, key)?, field(t, key, name)?);
        let object = Homemade::new(kTVMFFIError, ());
        set(t, &instance, &field, &object.view())?;
        // The field's reference is the only one when the field is set to what it holds.
        object.set_counts(1, 1);
        set(t, &instance, &field, &object.view())?;
        t.eq("ends of what the field holds", object.ends(), vec![])?;
        t.eq("counts of what the field holds", object.counts(), (1, 1))?;
    }
    Ok(())
}

/// Each built-in field can be set, again and again, to the object that it holds already and that nothing else holds.
#[check(INS_0004)]
fn every_setter_of_same(t: &Trial) -> Verdict {
    let mut fields = Vec::new();
    for (ty, index) in creatable(t)? {
        for (name, field) in all_fields(t, ty)?.into_iter().filter(|(_, field)| !field.setter.is_null()) {
            fields.push((format!("{}.{name}", ty.key), reflected::create(t, index)?, field));
        }
    }
    for (instance, field) in fields_of_any(t)? {
        fields.push((format!("the field of any value of type {}", instance.any().type_index), instance, field));
    }
    let mut looked_at = 0;
    for (what, instance, field) in &fields {
        for object in objects_of_every_kind(t)? {
            let (value, before) = (object.any(), t.counts(object.handle())?);
            let code = reflected::set(t, instance.handle(), field, &value)?;
            t.take_raised();
            // What holds a copy, or has not taken it, is no holder of this one.
            let holds = code == 0 && get(t, instance, field)?.any().payload() == value.payload();
            if !holds || before != (1, 1) {
                continue;
            }
            let handle = object.handle();
            // The memory is there as long as there is a weak reference, even if the object has come to its end.
            homemade::retain_weak(handle);
            drop(object);
            for time in ["once", "twice", "three times"] {
                set(t, instance, field, &value)?;
                let counts = t.counts(handle)?;
                t.eq(format_args!("counts of what {what} alone holds and was set to {time}"), counts, (1, 2))?;
            }
            reads(t, what, instance, field, &value)?;
            homemade::release_weak(handle);
            looked_at += 1;
        }
    }
    t.that("objects that fields took", looked_at >= 3, "those of AccessStep and AccessPath", looked_at)
}

/// A field of a four-byte integer is read as it was set, and the next field keeps its value.
#[check(INS_0005)]
fn integer_round_trip(t: &Trial) -> Verdict {
    let step = instance(t, STEP)?;
    let kind = field(t, STEP, "kind")?;
    let key = field(t, STEP, "key")?;
    set(t, &step, &key, &view::int(-1))?;
    for number in [5, 0, -1, i32::MAX, i32::MIN] {
        set(t, &step, &kind, &view::int(number.into()))?;
        reads(t, "kind", &step, &kind, &view::int(number.into()))?;
        let stored: i32 = t.cell("the four bytes of the field", step.handle())?;
        t.eq("the four bytes of the field", stored, number)?;
    }
    reads(t, "the next field", &step, &key, &view::int(-1))
}

/// A field of any value is read as the random plain value that it was set to.
#[check(INS_0005)]
fn value_round_trip(t: &Trial) -> Verdict {
    let (step, key) = (instance(t, STEP)?, field(t, STEP, "key")?);
    let plain = prop_oneof![
        any::<i64>().prop_map(view::int),
        any::<f64>().prop_map(view::float),
        any::<bool>().prop_map(view::bool),
        any::<u64>().prop_map(|bits| TVMFFIAny::new(kTVMFFIOpaquePtr, bits)),
        any::<u32>().prop_map(|bits| TVMFFIAny::new(kTVMFFIDataType, bits.into())),
        any::<u64>().prop_map(|bits| TVMFFIAny::new(kTVMFFIDevice, bits)),
        Just(TVMFFIAny::NONE),
    ];
    t.property(plain, |value| {
        set(t, &step, &key, value)?;
        reads(t, "value of the field", &step, &key, value)
    })
}

/// The field `_str_index` of ffi.Enum is read as the string that it was set to.
#[check(INS_0005, REG_0011)]
fn string_round_trip(t: &Trial) -> Verdict {
    t.clause(id::REG_0011);
    let name = field(t, "ffi.Enum", "_str_index")?;
    t.clause(id::INS_0005);
    let instance = instance(t, "ffi.Enum")?;
    for text in [b"red".as_slice(), b"seven_b", b"a text of more than seven bytes"] {
        let string = t.string(text)?;
        set(t, &instance, &name, &string.any())?;
        let value = get(t, &instance, &name)?;
        t.eq("the string index", t.text(&value.any())?.escape_ascii().to_string(), text.escape_ascii().to_string())?;
    }
    Ok(())
}

/// The field `reverse_visit_pattern` of ffi.VisitErrorContext is read as the list that it was set to.
#[check(INS_0005, REG_0015)]
fn container_round_trip(t: &Trial) -> Verdict {
    t.clause(id::REG_0015);
    let pattern = field(t, "ffi.VisitErrorContext", "reverse_visit_pattern")?;
    t.clause(id::INS_0005);
    let instance = instance(t, "ffi.VisitErrorContext")?;
    let list = t.call_global("ffi.List", &[Homemade::new(kTVMFFIError, ()).view()])?;
    set(t, &instance, &pattern, &list.any())?;
    reads(t, "the list", &instance, &pattern, &list.any())?;
    t.eq("counts of the list", t.counts(list.handle())?, (2, 1))
}

/// The field `value` of ffi.IntEnum and ffi.StrEnum is an inherited index under another name.
#[check(REG_0012)]
fn alias_round_trip(t: &Trial) -> Verdict {
    let (one, other) = (t.string(b"a text of more than seven bytes")?, t.string(b"another text, no shorter")?);
    let counts = || -> Verdict<_> { Ok([t.counts(one.handle())?, t.counts(other.handle())?]) };
    let before = counts()?;
    for (key, name, first, second) in [
        ("ffi.IntEnum", "_int_index", view::int(-7), view::int(i64::MAX)),
        ("ffi.StrEnum", "_str_index", one.any(), other.any()),
    ] {
        let instance = instance(t, key)?;
        let (index, alias) = (inherited(t, key, name)?, field(t, key, "value")?);
        set(t, &instance, &index, &first)?;
        reads(t, format!("value of {key}"), &instance, &alias, &first)?;
        set(t, &instance, &alias, &second)?;
        reads(t, format!("{name} of {key}"), &instance, &index, &second)?;
    }
    t.eq("counts of the strings", counts()?, before)
}

/// The setter of a built-in field refuses a value of another type.
#[check(INS_0006)]
fn setters_refuse(t: &Trial) -> Verdict {
    refuse(t, &[])
}

/// The error of a setter of a built-in field that refuses a value of another type is a TypeError.
#[check(INS_0027)]
fn setters_raise_type_errors(t: &Trial) -> Verdict {
    refuse(t, &["TypeError"])
}

/// Expects the setters of all built-in fields to refuse values of other types with errors of these kinds.
fn refuse(t: &Trial, kinds: &[&str]) -> Verdict {
    let error = Homemade::new(kTVMFFIError, ());
    for (ty, index) in creatable(t)? {
        let instance = reflected::create(t, index)?;
        for spec in ty.fields.iter().filter(|field| field.size == 8 || field.size == 4) {
            let Ok(field) = reflected::field(t, index, &spec.name) else { continue };
            let object = if spec.static_type == kTVMFFIInt { error.view() } else { view::int(1) };
            for value in [object, view::float(1.5), view::c_str(c"text"), TVMFFIAny::new(kTVMFFISmallBytes, 0)] {
                let label = format!("{}.{} set to {value:?}", ty.key, spec.name);
                let refused = t.raises(reflected::set(t, instance.handle(), &field, &value)?, kinds);
                refused.map_err(|failure| failure.noting(label))?;
            }
        }
    }
    t.eq("counts of a refused object", error.counts(), (1, 1))
}

/// A built-in field keeps its value and its reference when its setter refuses a value.
#[check(INS_0006)]
fn refused_value_changes_nothing(t: &Trial) -> Verdict {
    let step = instance(t, STEP)?;
    let kind = field(t, STEP, "kind")?;
    set(t, &step, &kind, &view::int(4))?;
    set_fails(t, &step, &kind, &view::c_str(c"map item"))?;
    reads(t, "kind", &step, &kind, &view::int(4))?;

    let path = instance(t, PATH)?;
    let field = field(t, PATH, "step")?;
    set(t, &path, &field, &step.any())?;
    let other = Homemade::new(kTVMFFIError, ());
    for wrong in [view::int(3), other.view()] {
        set_fails(t, &path, &field, &wrong)?;
        t.eq("counts of what the field holds", t.counts(step.handle())?, (2, 1))?;
        reads(t, "step", &path, &field, &step.any())?;
    }
    t.eq("counts of the refused object", other.counts(), (1, 1))
}

/// Expects a field's setter to refuse a value.
fn set_fails(t: &Trial, instance: &Owned, field: &TVMFFIFieldInfo, value: &TVMFFIAny) -> Verdict<Raised> {
    t.raises(reflected::set(t, instance.handle(), field, value)?, &[])
}

/// A field of objects stores None as NULL, and is then read as None.
#[check(INS_0007)]
fn none_is_null(t: &Trial) -> Verdict {
    let (path, other) = (instance(t, PATH)?, instance(t, STEP)?);
    for (place, name) in ["parent", "step"].into_iter().enumerate() {
        let field = field(t, PATH, name)?;
        for value in [TVMFFIAny::NONE, other.any(), TVMFFIAny::NONE] {
            set(t, &path, &field, &value)?;
            let stored: [u64; 2] = t.cell("the fields", path.handle())?;
            t.eq(format_args!("the eight bytes of {name}"), stored[place], value.payload())?;
            reads(t, name, &path, &field, &value)?;
        }
    }
    t.eq("counts of what the fields held", t.counts(other.handle())?, (1, 1))
}

/// Each built-in field that holds an object or nothing is emptied by None, and gives up what it held.
#[check(INS_0007, INS_0004)]
fn none_empties_every_field(t: &Trial) -> Verdict {
    let mut looked_at = Vec::new();
    for (ty, index) in creatable(t)? {
        for (name, field) in all_fields(t, ty)? {
            let instance = reflected::create(t, index)?;
            let stored = || -> Verdict<Vec<u8>> {
                let bytes = instance.handle().wrapping_byte_offset(field.offset as isize);
                t.read_bytes("bytes of the field", bytes.cast(), field.size as usize)
            };
            // Of the fields of no one type, those of any value hold None itself, and the others are pointers.
            let is_pointer = field.field_static_type_index == kTVMFFIAny && field.size as usize == size_of::<usize>();
            let is_empty = is_pointer && stored()?.iter().all(|byte| *byte == 0);
            if is_empty {
                t.clause(id::INS_0007);
                reads(t, format!("{}.{name} of a new instance", ty.key), &instance, &field, &TVMFFIAny::NONE)?;
            }
            // What starts as None may hold nothing.
            if get(t, &instance, &field)?.any().type_index != kTVMFFINone {
                continue;
            }
            let values = objects_of_every_kind(t)?;
            let Some(place) = first_taken(t, &instance, &field, &values)? else { continue };
            let what = format!("{}.{name}", ty.key);
            t.eq(format_args!("strong count of what {what} holds"), t.counts(values[place].handle())?.0, 2)?;
            for _ in 0..2 {
                t.clause(id::INS_0007);
                set(t, &instance, &field, &TVMFFIAny::NONE)?;
                reads(t, format!("{what} that was set to None"), &instance, &field, &TVMFFIAny::NONE)?;
                let bytes = vec![0; field.size as usize];
                t.eq(format_args!("the bytes of {what} that was set to None"), stored()?, bytes)?;
                t.clause(id::INS_0004);
                t.eq(format_args!("counts of what {what} held"), t.counts(values[place].handle())?, (1, 1))?;
            }
            looked_at.push(what);
        }
    }
    t.that("fields that None empties", looked_at.len() > 2, "those of AccessPath and AccessStep", looked_at.join(", "))
}

/// Objects of several kinds, with an instance of each type that has a creator.
fn objects_of_every_kind(t: &Trial) -> Verdict<Vec<Owned>> {
    let mut all = objects(t)?;
    for (_, index) in creatable(t)? {
        all.push(reflected::create(t, index)?);
    }
    Ok(all)
}

/// Every built-in field that is set to a C string or a byte array of any length keeps an owned String or Bytes.
#[check(INS_0008, patient = 2)]
fn texts_become_owned(t: &Trial) -> Verdict {
    let mut looked_at = Vec::new();
    for (ty, index) in creatable(t)? {
        for (name, field) in all_fields(t, ty)? {
            let instance = reflected::create(t, index)?;
            let what = format!("{}.{name}", ty.key);
            let taken = becomes_owned(t, &what, |value| match reflected::set(t, instance.handle(), &field, value)? {
                0 => get(t, &instance, &field).map(Some),
                code => t.raises(code, &[]).map(|_| None),
            })?;
            looked_at.extend(taken.then_some(what));
        }
    }
    t.that("fields that take texts", !looked_at.is_empty(), "AccessStep.key at least", looked_at.join(", "))
}

/// An instance that is made with a C string or a byte array of any length, in whatever way, holds an owned String or Bytes.
#[check(INS_0008)]
fn texts_are_owned_from_the_start(t: &Trial) -> Verdict {
    if let Some(make) = globals::find(t, "ffi.MakeObjectFromPackedArgs")? {
        let (class, kind, key) = (view::c_str(c"ffi.reflection.AccessStep"), view::c_str(c"kind"), view::c_str(c"key"));
        let field = field(t, STEP, "key")?;
        becomes_owned(t, "the key of a step that was made", |value| {
            let step = t.call(&make, &[class, key, *value, kind, view::int(2)])?;
            get(t, &step, &field).map(Some)
        })?;
    }
    for (global, class, name) in
        [("ffi.VisitInterrupt", "ffi.VisitInterrupt", "value"), ("ffi.StructuralKey", "ffi.StructuralKey", "key")]
    {
        if let Some(make) = globals::find(t, global)? {
            let field = field(t, class, name)?;
            becomes_owned(t, global, |value| get(t, &t.call(&make, &[*value])?, &field).map(Some))?;
        }
    }
    for method in ["_map_item", "_map_item_missing", "_attr", "_attr_missing"] {
        let index = reflected::type_index(t, PATH)?;
        let function = |name| reflected::share(t, reflected::method(t, index, name)?.method);
        let (root, extend, step) = (t.call(&function("_root")?, &[])?, function(method)?, field(t, PATH, "step")?);
        let key = field(t, STEP, "key")?;
        becomes_owned(t, method, |value| match t.answer_of(extend.handle(), &[root.any(), *value])? {
            Ok(path) => get(t, &get(t, &path, &step)?, &key).map(Some),
            Err(_) => Ok(None),
        })?;
    }
    Ok(())
}

/// Expects what is kept of a C string and of a byte array of any length to be owned: it lasts when the caller's characters
/// change. Answers whether any of them was taken.
fn becomes_owned(t: &Trial, what: &str, keep: impl Fn(&TVMFFIAny) -> Verdict<Option<Owned>>) -> Verdict<bool> {
    let mut taken = false;
    for len in LENGTHS {
        let content: Vec<u8> = (0..len).map(|at| b'a' + (at % 23) as u8).collect();
        let mut text = [&content[..], b"\0"].concat();
        let bytes = TVMFFIByteArray::new(&text[..len]);
        let forms = [
            (TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64), [kTVMFFIStr, kTVMFFISmallStr]),
            (view::byte_array(&bytes), [kTVMFFIBytes, kTVMFFISmallBytes]),
        ];
        for (value, types) in forms {
            text[..len].copy_from_slice(&content);
            let Some(kept) = keep(&value)? else { continue };
            text[..len].fill(b'#');
            let found = kept.any().type_index;
            t.that(
                format_args!("type_index of {what}"),
                types.contains(&found),
                format_args!("one of {types:?}"),
                TypeIndex(found),
            )?;
            let kept = t.text(&kept.any())?;
            t.eq(what, kept.escape_ascii().to_string(), content.escape_ascii().to_string())?;
            taken = true;
        }
    }
    Ok(taken)
}

/// An instance gives up what its fields hold when it ends, and not before.
#[check(INS_0009)]
fn fields_go_with_it(t: &Trial) -> Verdict {
    for (key, name) in [(STEP, "key"), (PATH, "parent")] {
        let (instance, field) = (instance(t, key)?, field(t, key, name)?);
        let object = Homemade::new(kTVMFFIError, ());
        set(t, &instance, &field, &object.view())?;
        let another = get(t, &instance, &field)?;
        drop(another);
        t.eq(format_args!("counts of what {name} holds"), object.counts(), (2, 1))?;
        drop(instance);
        t.eq(format_args!("counts of what {name} held"), object.counts(), (1, 1))?;
    }
    Ok(())
}

/// Making, filling and ending instances does not make the heap grow.
#[check(INS_0009, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let (index, key) = (reflected::type_index(t, STEP)?, field(t, STEP, "key")?);
    t.no_growth("memory for instances", || {
        let step = reflected::create(t, index)?;
        set(t, &step, &key, &view::c_str(c"a text of more than seven bytes"))?;
        set(t, &step, &key, &view::c_str(c"another text of more than seven bytes"))?;
        get(t, &step, &key).map(drop)
    })
}
