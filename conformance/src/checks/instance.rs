//! Instances of the built-in reflected types: how they are made, read, written, copied and converted.
//!
//! Everything goes through what the type table offers: creators, getters, setters and functions in columns.

use std::ffi::CStr;

use proptest::prelude::*;
use tvm_ffi_spec::{
    abi::{self, Type},
    *,
};

use crate::{
    checks::check,
    client::{Owned, Raised, Verdict, homemade::Homemade, reflected, view},
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

const STEP: &str = "ffi.reflection.AccessStep";
const PATH: &str = "ffi.reflection.AccessPath";
const MAKE: &str = "ffi.MakeObjectFromPackedArgs";

/// Creators make new instances.
#[check(INS_0001)]
fn creators_make_instances(t: &Trial) -> Verdict {
    for (ty, index) in creatable(t)? {
        let instance = reflected::create(t, index)?;
        t.eq(format!("type_index of a new {}", ty.key), t.header(instance.handle())?.type_index, index)?;
        t.eq(format!("strong and weak count of a new {}", ty.key), t.counts(instance.handle())?, (1, 1))?;
    }
    Ok(())
}

/// Each instance is another.
#[check(INS_0001)]
fn creators_make_others(t: &Trial) -> Verdict {
    for (ty, index) in creatable(t)? {
        let (one, other) = (reflected::create(t, index)?, reflected::create(t, index)?);
        t.ne(format!("a second new {}", ty.key), other.handle(), one.handle())?;
    }
    Ok(())
}

/// The fields of a new instance are empty.
#[check(INS_0002)]
fn new_fields_are_empty(t: &Trial) -> Verdict {
    for (ty, index) in creatable(t)? {
        let instance = reflected::create(t, index)?;
        // What has a static type but no empty value starts with any: the numbers of steps and paths.
        for spec in ty.fields.iter().filter(|field| field.static_type != kTVMFFIInt) {
            let Ok(field) = reflected::field(t, index, &spec.name) else { continue };
            let value = reflected::get(t, instance.handle(), &field)?;
            let label = format!("{} of a new {}", spec.name, ty.key);
            match value.any().type_index {
                kTVMFFINone => {}
                kTVMFFISmallStr => t.eq(label, value.any().aux_word(), 0)?,
                kTVMFFIList => t.any_eq(label, &t.call_global("ffi.ListSize", &[value.any()])?.any(), &view::int(0))?,
                kTVMFFIDict => t.any_eq(label, &t.call_global("ffi.DictSize", &[value.any()])?.any(), &view::int(0))?,
                other => return Err(t.failure(format!("type_index of {label}"), "that of an empty value", other)),
            }
        }
    }
    Ok(())
}

/// A getter gives a reference.
#[check(INS_0003)]
fn getter_owns(t: &Trial) -> Verdict {
    let (step, key) = (instance(t, STEP)?, field(t, STEP, "key")?);
    let object = Homemade::new(kTVMFFIError, ());
    t.ok(reflected::set(t, step.handle(), &key, &object.view())?)?;
    let before = object.counts();
    let value = reflected::get(t, step.handle(), &key)?;
    t.any_eq("value of the field", &value.any(), &object.view())?;
    t.eq("strong count of the field's value after its getter", object.counts().0, before.0 + 1)
}

/// The getter of an object gives a reference.
#[check(INS_0003)]
fn getter_of_object(t: &Trial) -> Verdict {
    let (path, parent) = (instance(t, PATH)?, field(t, PATH, "parent")?);
    let object = Homemade::new(kTVMFFIError, ());
    t.ok(reflected::set(t, path.handle(), &parent, &object.view())?)?;
    let before = object.counts();
    let value = reflected::get(t, path.handle(), &parent)?;
    t.any_eq("value of the field", &value.any(), &object.view())?;
    t.eq("strong count of the field's value after its getter", object.counts().0, before.0 + 1)
}

/// A setter keeps a reference.
#[check(INS_0004)]
fn setter_owns(t: &Trial) -> Verdict {
    keeps_a_reference(t, STEP, "key")
}

/// The setter of an object keeps a reference.
#[check(INS_0004)]
fn setter_of_object(t: &Trial) -> Verdict {
    keeps_a_reference(t, PATH, "parent")
}

fn keeps_a_reference(t: &Trial, key: &str, name: &str) -> Verdict {
    let (instance, field) = (instance(t, key)?, field(t, key, name)?);
    let (one, other) = (Homemade::new(kTVMFFIError, ()), Homemade::new(kTVMFFIError, ()));
    t.ok(reflected::set(t, instance.handle(), &field, &one.view())?)?;
    t.eq("counts of what the field holds", one.counts(), (2, 1))?;
    t.ok(reflected::set(t, instance.handle(), &field, &other.view())?)?;
    t.eq("counts of what the field held before", one.counts(), (1, 1))?;
    t.eq("counts of what the field holds now", other.counts(), (2, 1))?;
    t.ok(reflected::set(t, instance.handle(), &field, &TVMFFIAny::NONE)?)?;
    t.eq("counts of what the field held last", other.counts(), (1, 1))
}

/// A field may be set to what it holds.
#[check(INS_0004)]
fn setter_of_same(t: &Trial) -> Verdict {
    for (key, name) in [(STEP, "key"), (PATH, "parent")] {
        let (instance, field) = (instance(t, key)?, field(t, key, name)?);
        let object = Homemade::new(kTVMFFIError, ());
        t.ok(reflected::set(t, instance.handle(), &field, &object.view())?)?;
        // The field's is the only reference when it is set to what it holds.
        object.set_counts(1, 1);
        t.ok(reflected::set(t, instance.handle(), &field, &object.view())?)?;
        t.eq("ends of what the field holds", object.ends(), vec![])?;
        t.eq("counts of what the field holds", object.counts(), (1, 1))?;
    }
    Ok(())
}

/// A small integer is read as it was set.
#[check(INS_0005)]
fn integer_round_trip(t: &Trial) -> Verdict {
    let step = instance(t, STEP)?;
    let kind = field(t, STEP, "kind")?;
    let key = field(t, STEP, "key")?;
    t.ok(reflected::set(t, step.handle(), &key, &view::int(-1))?)?;
    for number in [5, 0, -1, i32::MAX, i32::MIN] {
        t.ok(reflected::set(t, step.handle(), &kind, &view::int(number.into()))?)?;
        let value = reflected::get(t, step.handle(), &kind)?;
        t.any_eq("kind", &value.any(), &view::int(number.into()))?;
        let stored: i32 = t.cell("the four bytes of the field", step.handle())?;
        t.eq("the four bytes of the field", stored, number)?;
    }
    t.any_eq("the next field", &reflected::get(t, step.handle(), &key)?.any(), &view::int(-1))
}

/// Any value is read as it was set.
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
        t.ok(reflected::set(t, step.handle(), &key, value)?)?;
        t.any_eq("value of the field", &reflected::get(t, step.handle(), &key)?.any(), value)
    })
}

/// A string is read as it was set.
#[check(INS_0005, REG_0011)]
fn string_round_trip(t: &Trial) -> Verdict {
    t.clause(id::REG_0011);
    let name = field(t, "ffi.Enum", "_str_index")?;
    t.clause(id::INS_0005);
    let instance = instance(t, "ffi.Enum")?;
    for text in [b"red".as_slice(), b"seven_b", b"a text of more than seven bytes"] {
        let string = t.string(text)?;
        t.ok(reflected::set(t, instance.handle(), &name, &string.any())?)?;
        let value = reflected::get(t, instance.handle(), &name)?;
        t.eq("the string index", t.text(&value.any())?.escape_ascii().to_string(), text.escape_ascii().to_string())?;
    }
    Ok(())
}

/// A list is read as it was set.
#[check(INS_0005, REG_0015)]
fn container_round_trip(t: &Trial) -> Verdict {
    t.clause(id::REG_0015);
    let pattern = field(t, "ffi.VisitErrorContext", "reverse_visit_pattern")?;
    t.clause(id::INS_0005);
    let instance = instance(t, "ffi.VisitErrorContext")?;
    let list = t.call_global("ffi.List", &[Homemade::new(kTVMFFIError, ()).view()])?;
    t.ok(reflected::set(t, instance.handle(), &pattern, &list.any())?)?;
    t.any_eq("the list", &reflected::get(t, instance.handle(), &pattern)?.any(), &list.any())?;
    t.eq("counts of the list", t.counts(list.handle())?, (2, 1))
}

/// What is set under one name is read under the other.
#[check(REG_0012)]
fn alias_round_trip(t: &Trial) -> Verdict {
    let string = t.string(b"a text of more than seven bytes")?;
    for (key, name, value) in
        [("ffi.IntEnum", "_int_index", view::int(-7)), ("ffi.StrEnum", "_str_index", string.any())]
    {
        let instance = instance(t, key)?;
        let (index, alias) = (inherited(t, key, name)?, field(t, key, "value")?);
        t.ok(reflected::set(t, instance.handle(), &index, &value)?)?;
        t.any_eq(format!("value of {key}"), &reflected::get(t, instance.handle(), &alias)?.any(), &value)?;
        t.ok(reflected::set(t, instance.handle(), &alias, &value)?)?;
        t.any_eq(format!("{name} of {key}"), &reflected::get(t, instance.handle(), &index)?.any(), &value)?;
    }
    t.eq("counts of the string", t.counts(string.handle())?, (1, 1))
}

/// Setters refuse values of other types.
#[check(INS_0006)]
fn setters_refuse(t: &Trial) -> Verdict {
    let error = Homemade::new(kTVMFFIError, ());
    for (ty, index) in creatable(t)? {
        let instance = reflected::create(t, index)?;
        for spec in ty.fields.iter().filter(|field| field.size == 8 || field.size == 4) {
            let Ok(field) = reflected::field(t, index, &spec.name) else { continue };
            let object = if spec.static_type == kTVMFFIInt { error.view() } else { view::int(1) };
            for value in [object, view::float(1.5), view::c_str(c"text"), TVMFFIAny::new(kTVMFFISmallBytes, 0)] {
                let label = format!("{}.{} set to {value:?}", ty.key, spec.name);
                let refused = t.raises(reflected::set(t, instance.handle(), &field, &value)?, &["TypeError"]);
                refused.map_err(|failure| failure.noting(label))?;
            }
        }
    }
    t.eq("counts of a refused object", error.counts(), (1, 1))
}

/// A refused value leaves the field as it was.
#[check(INS_0006)]
fn refused_value_changes_nothing(t: &Trial) -> Verdict {
    let step = instance(t, STEP)?;
    let kind = field(t, STEP, "kind")?;
    t.ok(reflected::set(t, step.handle(), &kind, &view::int(4))?)?;
    t.raises(reflected::set(t, step.handle(), &kind, &view::c_str(c"map item"))?, &["TypeError"])?;
    t.any_eq("kind", &reflected::get(t, step.handle(), &kind)?.any(), &view::int(4))?;

    let path = instance(t, PATH)?;
    let field = field(t, PATH, "step")?;
    t.ok(reflected::set(t, path.handle(), &field, &step.any())?)?;
    let other = Homemade::new(kTVMFFIError, ());
    for wrong in [view::int(3), other.view()] {
        t.raises(reflected::set(t, path.handle(), &field, &wrong)?, &["TypeError"])?;
        t.eq("counts of what the field holds", t.counts(step.handle())?, (2, 1))?;
        t.any_eq("step", &reflected::get(t, path.handle(), &field)?.any(), &step.any())?;
    }
    t.eq("counts of the refused object", other.counts(), (1, 1))
}

/// None is NULL in a field of objects.
#[check(INS_0007)]
fn none_is_null(t: &Trial) -> Verdict {
    let (path, parent) = (instance(t, PATH)?, field(t, PATH, "parent")?);
    let object = Homemade::new(kTVMFFIError, ());
    for value in [TVMFFIAny::NONE, object.view(), TVMFFIAny::NONE] {
        t.ok(reflected::set(t, path.handle(), &parent, &value)?)?;
        let stored: u64 = t.cell("the eight bytes of the field", path.handle())?;
        t.eq("the eight bytes of the field", stored, value.payload())?;
        t.any_eq("parent", &reflected::get(t, path.handle(), &parent)?.any(), &value)?;
    }
    Ok(())
}

/// A text that is set is copied.
#[check(INS_0008)]
fn texts_become_owned(t: &Trial) -> Verdict {
    let (step, key) = (instance(t, STEP)?, field(t, STEP, "key")?);
    for content in [b"short".as_slice(), b"a text of more than seven bytes"] {
        let mut text = [content, b"\0"].concat();
        let bytes = TVMFFIByteArray::new(&text[..content.len()]);
        let forms = [
            (TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64), [kTVMFFIStr, kTVMFFISmallStr]),
            (view::byte_array(&bytes), [kTVMFFIBytes, kTVMFFISmallBytes]),
        ];
        for (value, types) in forms {
            text[..content.len()].copy_from_slice(content);
            t.ok(reflected::set(t, step.handle(), &key, &value)?)?;
            text[..content.len()].fill(b'#');
            let kept = reflected::get(t, step.handle(), &key)?;
            let found = kept.any().type_index;
            t.that("type_index of the field", types.contains(&found), format!("one of {types:?}"), found)?;
            let kept = t.text(&kept.any())?;
            t.eq("the field", kept.escape_ascii().to_string(), content.escape_ascii().to_string())?;
        }
    }
    Ok(())
}

/// An instance gives its fields up at its end.
#[check(INS_0009)]
fn fields_go_with_it(t: &Trial) -> Verdict {
    for (key, name) in [(STEP, "key"), (PATH, "parent")] {
        let (instance, field) = (instance(t, key)?, field(t, key, name)?);
        let object = Homemade::new(kTVMFFIError, ());
        t.ok(reflected::set(t, instance.handle(), &field, &object.view())?)?;
        let another = reflected::get(t, instance.handle(), &field)?;
        drop(another);
        t.eq(format!("counts of what {name} holds"), object.counts(), (2, 1))?;
        drop(instance);
        t.eq(format!("counts of what {name} held"), object.counts(), (1, 1))?;
    }
    Ok(())
}

/// Instances leave no memory behind.
#[check(INS_0009, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let (index, key) = (reflected::type_index(t, STEP)?, field(t, STEP, "key")?);
    t.no_growth("memory for instances", || {
        let step = reflected::create(t, index)?;
        t.ok(reflected::set(t, step.handle(), &key, &view::c_str(c"a text of more than seven bytes"))?)?;
        t.ok(reflected::set(t, step.handle(), &key, &view::c_str(c"another text of more than seven bytes"))?)?;
        reflected::get(t, step.handle(), &key).map(drop)
    })
}

/// `__ffi_new__` makes new instances.
#[check(INS_0010)]
fn new_makes_instances(t: &Trial) -> Verdict {
    for ty in types_with(t, "__ffi_new__") {
        let new = reflected::attribute_function(t, "__ffi_new__", ty)?;
        let (one, other) = (t.call(&new, &[])?, t.call(&new, &[])?);
        let index = reflected::type_index(t, ty)?;
        for instance in [&one, &other] {
            t.eq(format!("type_index of a new {ty}"), instance.any().type_index, index)?;
            t.eq(format!("strong and weak count of a new {ty}"), t.counts(instance.handle())?, (1, 1))?;
        }
        t.ne(format!("a second new {ty}"), other.handle(), one.handle())?;
    }
    Ok(())
}

/// `__ffi_new__` takes no arguments.
#[check(INS_0010)]
fn new_takes_nothing(t: &Trial) -> Verdict {
    let new = reflected::attribute_function(t, "__ffi_new__", STEP)?;
    let mut result = TVMFFIAny::NONE;
    t.raises(t.try_call(&new, &[view::int(1)], &mut result), &["TypeError"]).map(drop)
}

/// A copy has the same values.
#[check(INS_0011)]
fn shallow_copy(t: &Trial) -> Verdict {
    let copy = reflected::attribute_function(t, "__ffi_shallow_copy__", STEP)?;
    let step = instance(t, STEP)?;
    let (kind, key) = (field(t, STEP, "kind")?, field(t, STEP, "key")?);
    let object = Homemade::new(kTVMFFIError, ());
    t.ok(reflected::set(t, step.handle(), &kind, &view::int(2))?)?;
    t.ok(reflected::set(t, step.handle(), &key, &object.view())?)?;
    let other = t.call(&copy, &[step.any()])?;
    t.eq("counts of what both share", object.counts(), (3, 1))?;
    t.eq("type_index of the copy", other.any().type_index, step.any().type_index)?;
    t.any_eq("kind of the copy", &reflected::get(t, other.handle(), &kind)?.any(), &view::int(2))?;
    t.any_eq("key of the copy", &reflected::get(t, other.handle(), &key)?.any(), &object.view())?;
    drop(step);
    t.eq("counts of what the copy holds", object.counts(), (2, 1))?;
    drop(other);
    t.eq("counts of what the copy held", object.counts(), (1, 1))
}

/// A copy is an object of its own.
#[check(INS_0011)]
fn shallow_copy_is_another(t: &Trial) -> Verdict {
    let copy = reflected::attribute_function(t, "__ffi_shallow_copy__", PATH)?;
    let path = instance(t, PATH)?;
    let depth = field(t, PATH, "depth")?;
    t.ok(reflected::set(t, path.handle(), &depth, &view::int(1))?)?;
    let other = t.call(&copy, &[path.any()])?;
    t.ne("the copy", other.handle(), path.handle())?;
    t.eq("strong and weak count of the copy", t.counts(other.handle())?, (1, 1))?;
    t.eq("strong and weak count of the original", t.counts(path.handle())?, (1, 1))?;
    t.ok(reflected::set(t, other.handle(), &depth, &view::int(2))?)?;
    t.any_eq("depth of the original", &reflected::get(t, path.handle(), &depth)?.any(), &view::int(1))
}

/// A converter answers an instance as it is.
#[check(INS_0012)]
fn convert_instance(t: &Trial) -> Verdict {
    for (key, make) in INSTANCES {
        let object = make(t)?;
        let before = t.counts(object.handle())?;
        for key in [key, "ffi.Object"] {
            let converted = convert(t, key, &object.any())?;
            t.any_eq(format!("the object as {key}"), &converted.any(), &object.any())?;
            t.eq("strong count of the object that two own", t.counts(object.handle())?.0, before.0 + 1)?;
        }
        t.eq("counts of the object", t.counts(object.handle())?, before)?;
    }
    Ok(())
}

/// A converter makes owned texts.
#[check(INS_0013)]
fn convert_text(t: &Trial) -> Verdict {
    let content = b"a text of more than seven bytes";
    let mut text = [content.as_slice(), b"\0"].concat();
    let bytes = TVMFFIByteArray::new(&text[..content.len()]);
    let string = convert(t, "ffi.String", &TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64))?;
    let owned = convert(t, "ffi.Bytes", &view::byte_array(&bytes))?;
    text.fill(b'#');
    for (converted, expected) in [(string, kTVMFFIStr), (owned, kTVMFFIBytes)] {
        t.eq("type_index of the text", converted.any().type_index, expected)?;
        t.eq("the text", t.text(&converted.any())?.as_slice(), content)?;
    }
    Ok(())
}

/// A converter makes one sequence of another.
#[check(INS_0014)]
fn convert_sequence(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    let args = [view::int(7), object.view()];
    for (from, to, index, size, get) in [
        ("ffi.Array", "ffi.List", kTVMFFIList, "ffi.ListSize", "ffi.ListGetItem"),
        ("ffi.List", "ffi.Array", kTVMFFIArray, "ffi.ArraySize", "ffi.ArrayGetItem"),
    ] {
        let before = object.counts();
        let sequence = t.call_global(from, &args)?;
        let converted = convert(t, to, &sequence.any())?;
        t.eq(format!("type_index of {to}"), converted.any().type_index, index)?;
        t.any_eq(size, &t.call_global(size, &[converted.any()])?.any(), &view::int(2))?;
        for (place, expected) in args.iter().enumerate() {
            let item = t.call_global(get, &[converted.any(), view::int(place as i64)])?;
            t.any_eq(format!("item {place}"), &item.any(), expected)?;
        }
        t.eq("strong count of an item that both hold", object.counts().0, before.0 + 2)?;
    }
    Ok(())
}

/// A converter makes one mapping of another.
#[check(INS_0014)]
fn convert_mapping(t: &Trial) -> Verdict {
    let args = [view::int(7), view::int(70), view::int(8), view::int(80)];
    for (from, to, index, size, get) in [
        ("ffi.Map", "ffi.Dict", kTVMFFIDict, "ffi.DictSize", "ffi.DictGetItem"),
        ("ffi.Dict", "ffi.Map", kTVMFFIMap, "ffi.MapSize", "ffi.MapGetItem"),
    ] {
        let mapping = t.call_global(from, &args)?;
        let converted = convert(t, to, &mapping.any())?;
        t.eq(format!("type_index of {to}"), converted.any().type_index, index)?;
        t.any_eq(size, &t.call_global(size, &[converted.any()])?.any(), &view::int(2))?;
        for pair in args.chunks(2) {
            let value = t.call_global(get, &[converted.any(), pair[0]])?;
            t.any_eq("value of a key", &value.any(), &pair[1])?;
        }
    }
    Ok(())
}

/// A converter makes a shape of integers.
#[check(INS_0014)]
fn convert_shape(t: &Trial) -> Verdict {
    let expected = [3_i64, -1, 1 << 40];
    for from in ["ffi.Array", "ffi.List"] {
        let sequence = t.call_global(from, &expected.map(view::int))?;
        let shape = convert(t, "ffi.Shape", &sequence.any())?;
        t.eq("type_index of the shape", shape.any().type_index, kTVMFFIShape)?;
        let cell: TVMFFIShapeCell = t.cell("shape", shape.handle())?;
        t.eq("extents of the shape", cell.size, expected.len())?;
        t.eq("extents", t.read("extents", cell.data.cast::<[i64; 3]>())?, expected)?;
    }
    let wrong = t.call_global("ffi.Array", &[view::int(1), view::c_str(c"text")])?;
    t.clause(id::INS_0015);
    refuses(t, "ffi.Shape", &wrong.any()).map(drop)
}

/// A converter refuses what does not convert.
#[check(INS_0015)]
fn convert_refuses(t: &Trial) -> Verdict {
    let stranger = Homemade::new(kTVMFFIOpaquePyObject, [0_u64; 2]);
    for (key, _) in INSTANCES.iter().chain([&("ffi.Tensor", empty_array as Make)]) {
        for wrong in [view::int(1), view::float(1.5), view::pointer(std::ptr::null_mut()), stranger.view()] {
            refuses(t, key, &wrong)?;
        }
        t.eq("counts of a refused object", stranger.counts(), (1, 1))?;
    }
    refuses(t, "ffi.Object", &view::int(1))?;
    refuses(t, "ffi.String", &TVMFFIAny::new(kTVMFFISmallBytes, 0))?;
    refuses(t, "ffi.Bytes", &view::c_str(c"text"))?;
    refuses(t, "ffi.Map", &t.call_global("ffi.Array", &[])?.any()).map(drop)
}

/// A converter of references takes None.
#[check(INS_0016)]
fn convert_none(t: &Trial) -> Verdict {
    for key in ["ffi.Object", "ffi.Function", "ffi.Tensor"] {
        t.any_eq(format!("None as {key}"), &convert(t, key, &TVMFFIAny::NONE)?.any(), &TVMFFIAny::NONE)?;
    }
    Ok(())
}

/// The state of an enumeration starts empty.
#[check(INS_0017)]
fn enum_state(t: &Trial) -> Verdict {
    let init = reflected::attribute_function(t, "__ffi_init__", "ffi.EnumState")?;
    let (one, other) = (t.call(&init, &[])?, t.call(&init, &[])?);
    let mut result = TVMFFIAny::NONE;
    t.raises(t.try_call(&init, &[view::int(1)], &mut result), &["TypeError"])?;
    for (name, index, size) in [
        ("entries", kTVMFFIList, "ffi.ListSize"),
        ("indexes", kTVMFFIDict, "ffi.DictSize"),
        ("attrs", kTVMFFIDict, "ffi.DictSize"),
    ] {
        let field = field(t, "ffi.EnumState", name)?;
        let (of_one, of_other) = (reflected::get(t, one.handle(), &field)?, reflected::get(t, other.handle(), &field)?);
        t.eq(format!("type_index of {name}"), of_one.any().type_index, index)?;
        t.any_eq(format!("size of {name}"), &t.call_global(size, &[of_one.any()])?.any(), &view::int(0))?;
        t.ne(format!("{name} of another state"), of_other.handle(), of_one.handle())?;
    }
    t.eq("strong and weak count of the state", t.counts(one.handle())?, (1, 1))
}

/// A structural key holds value and hash.
#[check(INS_0018)]
fn structural_key(t: &Trial) -> Verdict {
    let init = reflected::attribute_function(t, "__ffi_init__", "ffi.StructuralKey")?;
    let (key, hash) = (field(t, "ffi.StructuralKey", "key")?, field(t, "ffi.StructuralKey", "hash_i64")?);
    let array = t.call_global("ffi.Array", &[view::int(1), view::c_str(c"a text of more than seven bytes")])?;
    for value in [view::int(7), view::float(0.5), array.any()] {
        let instance = t.call(&init, &[value])?;
        t.any_eq("key", &reflected::get(t, instance.handle(), &key)?.any(), &value)?;
        let expected = t.call_global("ffi.StructuralHash", &[value, view::bool(false), view::bool(false)])?;
        t.any_eq("hash_i64", &reflected::get(t, instance.handle(), &hash)?.any(), &expected.any())?;
    }
    t.eq("counts of the array", t.counts(array.handle())?, (1, 1))
}

/// An interruption holds its value.
#[check(INS_0019)]
fn visit_interrupt(t: &Trial) -> Verdict {
    let value = field(t, "ffi.VisitInterrupt", "value")?;
    let object = Homemade::new(kTVMFFIError, ());
    for expected in [view::int(7), TVMFFIAny::NONE, object.view()] {
        let interrupt = t.call_global("ffi.VisitInterrupt", &[expected])?;
        t.eq("type_index of the interruption", interrupt.any().type_index, kTVMFFIVisitInterrupt)?;
        t.any_eq("value", &reflected::get(t, interrupt.handle(), &value)?.any(), &expected)?;
    }
    t.eq("counts of the value", object.counts(), (1, 1))
}

/// An object is made by type key.
#[check(INS_0020)]
fn make_by_key(t: &Trial) -> Verdict {
    let (string, object) = (t.string(STEP.as_bytes())?, Homemade::new(kTVMFFIError, ()));
    for first in [string.any(), view::c_str(STEP_C)] {
        let args = [first, view::c_str(c"kind"), view::int(2), view::c_str(c"key"), object.view()];
        is_step(t, &t.call_global(MAKE, &args)?, 2, &object.view())?;
    }
    t.eq("counts of the value", object.counts(), (1, 1))
}

/// An object is made by type index.
#[check(INS_0020)]
fn make_by_index(t: &Trial) -> Verdict {
    let first = view::int(reflected::type_index(t, STEP)?.into());
    let (kind, key) = (t.string(b"kind")?, t.string(b"key")?);
    let args = [first, key.any(), view::float(0.5), kind.any(), view::int(4)];
    is_step(t, &t.call_global(MAKE, &args)?, 4, &view::float(0.5))
}

/// An object is not made without its fields.
#[check(INS_0021)]
fn make_needs_fields(t: &Trial) -> Verdict {
    let (first, kind, key) = (view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"key"));
    for args in [&[first][..], &[first, kind, view::int(1)], &[first, key, view::int(1)]] {
        not_made(t, args, &["TypeError"])?;
    }
    Ok(())
}

/// An object has no fields but its own.
#[check(INS_0021)]
fn make_knows_fields(t: &Trial) -> Verdict {
    let (first, kind, key) = (view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"key"));
    let one = view::int(1);
    for name in [c"nobody", c"ke", c"keys", c""] {
        not_made(t, &[first, kind, one, key, one, view::c_str(name), one], &["TypeError"])?;
    }
    not_made(t, &[first, kind, one, kind, one, key, one], &["TypeError"]).map(drop)
}

/// What is no object's description is refused.
#[check(INS_0022)]
fn make_refuses(t: &Trial) -> Verdict {
    let (first, kind, key) = (view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"key"));
    let one = view::int(1);
    not_made(t, &[view::c_str(c"verify.NoSuchType"), kind, one], &[])?;
    not_made(t, &[view::float(1.5), kind, one, key, one], &[])?;
    not_made(t, &[first, one, one, key, one], &[])?;
    not_made(t, &[first, kind, one, key], &[]).map(drop)
}

/// A value that a field does not take is refused.
#[check(INS_0023)]
fn make_refuses_values(t: &Trial) -> Verdict {
    let args = [view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"text"), view::c_str(c"key"), view::int(1)];
    not_made(t, &args, &["TypeError"]).map(drop)
}

/// What cannot be made is refused.
#[check(INS_0024)]
fn make_needs_a_creator(t: &Trial) -> Verdict {
    for key in [c"ffi.Object", c"ffi.Array", c"ffi.Function", c"ffi.Module"] {
        not_made(t, &[view::c_str(key)], &[])?;
    }
    let index = t.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(b"verify.Unmade"), -1, 1, 0, 1, kTVMFFIObject);
    not_made(t, &[view::int(index.into())], &[]).map(drop)
}

/// An object that is not made keeps nothing.
#[check(INS_0025)]
fn make_keeps_nothing(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    let (first, kind, key) = (view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"key"));
    not_made(t, &[first, key, object.view()], &["TypeError"])?;
    not_made(
        t,
        &[first, key, object.view(), kind, view::int(1), view::c_str(c"nobody"), object.view()],
        &["TypeError"],
    )?;
    t.eq("counts of a value of what was not made", object.counts(), (1, 1))?;
    t.no_growth("memory for what was not made", || {
        let text = view::c_str(c"a text of more than seven bytes");
        not_made(t, &[first, key, text, kind, view::int(1), view::c_str(c"nobody"), text], &["TypeError"]).map(drop)
    })
}

/// Inherited fields are set.
#[check(INS_0026)]
fn make_inherited_fields(t: &Trial) -> Verdict {
    let name = t.string(b"a text of more than seven bytes")?;
    let args = [
        view::c_str(c"ffi.IntEnum"),
        view::c_str(c"_str_index"),
        name.any(),
        view::c_str(c"value"),
        view::int(9),
        view::c_str(c"_int_index"),
        view::int(9),
    ];
    let made = t.call_global(MAKE, &args)?;
    for (field, expected) in [("_str_index", name.any()), ("_int_index", view::int(9)), ("value", view::int(9))] {
        let field = inherited(t, "ffi.IntEnum", field)?;
        t.any_eq("a field", &reflected::get(t, made.handle(), &field)?.any(), &expected)?;
    }
    Ok(())
}

const STEP_C: &CStr = c"ffi.reflection.AccessStep";

type Make = fn(&Trial) -> Verdict<Owned>;

/// Objects to be converted, by type.
const INSTANCES: &[(&str, Make)] = &[
    ("ffi.String", |t| t.string(b"a text of more than seven bytes")),
    ("ffi.Bytes", |t| t.bytes(b"bytes, more than seven of them")),
    ("ffi.Error", |t| t.new_error("ValueError", "a value was wrong", "")),
    ("ffi.Function", |t| t.global("ffi.Array")),
    ("ffi.Shape", |t| t.call_global("ffi.Shape", &[view::int(2), view::int(3)])),
    ("ffi.Array", empty_array),
    ("ffi.Map", |t| t.call_global("ffi.Map", &[])),
    ("ffi.List", |t| t.call_global("ffi.List", &[])),
    ("ffi.Dict", |t| t.call_global("ffi.Dict", &[])),
];

fn empty_array(t: &Trial) -> Verdict<Owned> {
    t.call_global("ffi.Array", &[])
}

/// The types of the spec that have a creator, with their indices, as far as the target has them.
fn creatable(t: &Trial) -> Verdict<Vec<(&'static Type, i32)>> {
    let mut found = Vec::new();
    for ty in abi::abi().types.iter().filter(|ty| ty.metadata.as_ref().is_some_and(|metadata| metadata.creator)) {
        let mut index = -1;
        let code = t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(ty.key.as_bytes()), &mut index);
        t.take_raised();
        if code == 0 {
            found.push((ty, index));
        }
    }
    t.that("types with a creator", !found.is_empty(), "AccessStep at least", "none").map(|()| found)
}

/// The keys of the spec's types for which the target has an entry in a column.
fn types_with<'t>(t: &'t Trial, column: &'t str) -> impl Iterator<Item = &'static str> + 't {
    let attribute = abi::abi().attributes.iter().filter(move |attribute| attribute.name == column);
    let keys = attribute.flat_map(|attribute| attribute.entries.iter().map(|entry| entry.type_key.as_str()));
    keys.filter(move |key| {
        let mut index = -1;
        let code = t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(key.as_bytes()), &mut index);
        t.take_raised();
        code == 0 && reflected::attribute(t, column, index).is_ok_and(|entry| entry.type_index != kTVMFFINone)
    })
}

/// A new instance of a type.
fn instance(t: &Trial, key: &str) -> Verdict<Owned> {
    reflected::create(t, reflected::type_index(t, key)?)
}

/// A type's own field.
fn field(t: &Trial, key: &str, name: &str) -> Verdict<TVMFFIFieldInfo> {
    reflected::field(t, reflected::type_index(t, key)?, name)
}

/// A field of a type or its ancestors.
fn inherited(t: &Trial, key: &str, name: &str) -> Verdict<TVMFFIFieldInfo> {
    reflected::inherited_field(t, reflected::type_index(t, key)?, name)
}

/// What a type's converter makes of a value.
fn convert(t: &Trial, key: &str, value: &TVMFFIAny) -> Verdict<Owned> {
    let convert = reflected::attribute_function(t, "__ffi_convert__", key)?;
    t.call(&convert, &[*value]).map_err(|failure| failure.noting(format!("converting to {key}")))
}

/// Expects a type's converter to refuse a value.
fn refuses(t: &Trial, key: &str, value: &TVMFFIAny) -> Verdict<Raised> {
    let convert = reflected::attribute_function(t, "__ffi_convert__", key)?;
    let mut result = TVMFFIAny::NONE;
    let raised = t.raises(t.try_call(&convert, &[*value], &mut result), &["TypeError"]);
    raised.map_err(|failure| failure.noting(format!("converting {value:?} to {key}")))
}

/// Expects an object not to be made.
fn not_made(t: &Trial, args: &[TVMFFIAny], kinds: &[&str]) -> Verdict<Raised> {
    let (make, mut result) = (t.global(MAKE)?, TVMFFIAny::NONE);
    t.raises(t.try_call(&make, args, &mut result), kinds)
}

/// Expects an access step that nobody else owns.
fn is_step(t: &Trial, step: &Owned, kind: i64, key: &TVMFFIAny) -> Verdict {
    t.eq("type_index of the object", step.any().type_index, reflected::type_index(t, STEP)?)?;
    t.eq("strong and weak count of the object", t.counts(step.handle())?, (1, 1))?;
    t.any_eq("kind", &reflected::get(t, step.handle(), &field(t, STEP, "kind")?)?.any(), &view::int(kind))?;
    t.any_eq("key", &reflected::get(t, step.handle(), &field(t, STEP, "key")?)?.any(), key)
}
