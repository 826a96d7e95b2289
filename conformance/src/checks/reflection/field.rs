//! Fields: what is stored of one, and its default.

use std::{ffi::c_void, mem::offset_of};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    COPIED, LAID, ODD_TEXTS, add_field, answers_seven, becomes_owned, copied, counted_function, field, field_at,
    field_with_default, fields, kept_alive, lie_in_place, released, text,
};
use crate::{
    checks::check,
    client::{
        Verdict,
        homemade::Homemade,
        reflected::{self, info},
        types, view,
    },
    trial::Trial,
};

/// The numbers in a field's record lie where clients have compiled them in.
#[check(RFL_0001, lays = TVMFFIFieldInfo)]
fn field_record_layout(t: &Trial) -> Verdict {
    let mut records = Vec::new();
    for (number, (key, name)) in (1..).zip(LAID) {
        let index = types::new(t, key);
        let (size, alignment, offset) = (0x10 * number, 4 << number, 0x100 * number);
        add_field(t, index, &TVMFFIFieldInfo { size, alignment, offset, ..field(name) })?;
        field_at(t, index, 0)?;
        let record = t.read_bytes("the record", info(t, index)?.fields.cast(), size_of::<TVMFFIFieldInfo>())?;
        let at = [
            offset_of!(TVMFFIFieldInfo, size),
            offset_of!(TVMFFIFieldInfo, alignment),
            offset_of!(TVMFFIFieldInfo, offset),
        ];
        let given = [size, alignment, offset].map(|value| value.to_ne_bytes().to_vec());
        records.push((record, std::array::from_fn(|member| (at[member], given[member].clone()))));
    }
    t.looks_at::<TVMFFIFieldInfo>();
    lie_in_place(t, ["size", "alignment", "offset"], &records)
}

/// A registered field appears in its type's record with the numbers and functions that it was registered with.
#[check(RFL_0001)]
fn field_members_are_stored(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let given = TVMFFIFieldInfo {
        flags: kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitMaskSEqHashIgnore,
        size: 0x0102_0304,
        alignment: 4,
        offset: 0x0506_0708,
        field_static_type_index: kTVMFFIFloat,
        ..field(b"x")
    };
    let anything = TVMFFIFieldInfo { field_static_type_index: kTVMFFIAny, ..field(b"y") };
    // Numbers that 32 bits do not hold.
    let far = TVMFFIFieldInfo { size: 3 << 33, alignment: 1 << 32, offset: 5 << 35, ..field(b"z") };
    for (number, given) in [given, anything, far].into_iter().enumerate() {
        add_field(t, index, &given)?;
        let stored = field_at(t, index, number)?;
        t.eq("flags", stored.flags, given.flags)?;
        t.eq("size", stored.size, given.size)?;
        t.eq("alignment", stored.alignment, given.alignment)?;
        t.eq("offset", stored.offset, given.offset)?;
        t.eq("getter", stored.getter.map(|getter| getter as usize), given.getter.map(|getter| getter as usize))?;
        t.eq("setter", stored.setter, given.setter)?;
        t.type_index_eq("field_static_type_index", stored.field_static_type_index, given.field_static_type_index)?;
        text(t, "name", stored.name, &[b'x' + number as u8])?;
    }
    Ok(())
}

/// Each flag that a field is registered with appears in its type's record.
#[check(RFL_0001)]
fn every_flag_is_stored(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Flagged");
    // Without the flag that says that the setter is a function object, which this one is not.
    let flags = (0..13).map(|bit| 1_i64 << bit).filter(|&flag| flag != kTVMFFIFieldFlagBitSetterIsFunctionObj);
    for (number, flags) in flags.enumerate() {
        let name = format!("f{number}");
        add_field(t, index, &TVMFFIFieldInfo { flags, ..field(name.as_bytes()) })?;
        t.eq("flags", field_at(t, index, number)?.flags, flags)?;
    }
    Ok(())
}

/// A field's name, documentation and metadata are copied when it is registered.
#[check(RFL_0002)]
fn field_texts_are_copied(t: &Trial) -> Verdict {
    for ((what, index), (number, texts)) in types::of_each_kind(t, "verify.Point")?
        .into_iter()
        .flat_map(|kind| COPIED.iter().enumerate().map(move |texts| (kind, texts)))
    {
        // No two of them have one name: one may be the other's ancestor.
        let name = [texts[0], b" of ", what.as_bytes()].concat();
        let texts = [&name[..], texts[1], texts[2]];
        // Gone right after the call, and not merely changed.
        let given = texts.iter().map(|text| t.guarded(text)).collect::<Verdict<Vec<_>>>()?;
        let (name, doc, metadata) = (given[0].array(), given[1].array(), given[2].array());
        add_field(t, index, &TVMFFIFieldInfo { name, doc, metadata, ..field(b"") })?;
        drop(given);
        let stored = field_at(t, index, number)?;
        copied(t, [stored.name, stored.doc, stored.metadata], &texts).map_err(|failure| failure.noting(what))?;
    }
    Ok(())
}

/// A field's texts with NULs, with thousands of bytes or outside ASCII are kept byte for byte.
#[check(RFL_0002)]
fn field_texts_may_hold_anything(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let long = b"long ".repeat(2000);
    for (number, contents) in ODD_TEXTS.into_iter().chain([&long[..]]).enumerate() {
        let (doc, metadata) = (TVMFFIByteArray::new(contents), TVMFFIByteArray::new(contents));
        add_field(t, index, &TVMFFIFieldInfo { doc, metadata, ..field(contents) })?;
        let stored = field_at(t, index, number)?;
        for (what, array) in [("name", stored.name), ("doc", stored.doc), ("metadata", stored.metadata)] {
            text(t, what, array, contents)?;
        }
    }
    Ok(())
}

/// A field's default that is a plain value appears in the record as it was given.
#[check(RFL_0004)]
fn default_is_stored(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let defaults =
        [view::int(-7), view::float(2.5), view::bool(true), TVMFFIAny::NONE, view::pointer(0x5111 as *mut c_void)];
    for (number, default) in defaults.into_iter().enumerate() {
        let name = format!("f{number}");
        add_field(t, index, &field_with_default(name.as_bytes(), default))?;
        t.any_eq("the default", &field_at(t, index, number)?.default_value_or_factory, &default)?;
    }
    Ok(())
}

/// A field's default that is an object outlives the caller's reference.
#[check(RFL_0005)]
fn default_object_is_kept_alive(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let object = t.opaque(0x5111 as *mut c_void, released)?;
    add_field(t, index, &field_with_default(b"x", object.any()))?;
    let stored = field_at(t, index, 0)?.default_value_or_factory;
    t.any_eq("the default", &stored, &object.any())?;
    kept_alive(t, "the default", object)
}

/// The function that makes a field's default outlives the caller's reference and can be called.
#[check(RFL_0005)]
fn default_factory_is_kept_alive(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let factory = counted_function(t)?;
    let mut given = field_with_default(b"x", factory.any());
    given.flags |= kTVMFFIFieldFlagBitMaskDefaultFromFactory;
    add_field(t, index, &given)?;
    kept_alive(t, "the factory", factory)?;
    answers_seven(t, "the factory", field_at(t, index, 0)?.default_value_or_factory)
}

/// A field's default given as a C string or byte array is stored as an owned String or Bytes.
#[check(RFL_0006)]
fn default_text_becomes_owned(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let store = |number: usize, given| {
        let name = format!("f{number}");
        add_field(t, index, &field_with_default(name.as_bytes(), given))
    };
    becomes_owned(t, store, |number| Ok(reflected::field(t, index, &format!("f{number}"))?.default_value_or_factory))
}

/// A field's default of any kind and form is the one in the record.
#[check(RFL_0004, RFL_0005, RFL_0006)]
fn default_of_any_kind(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    for (number, sample) in t.samples()?.iter().enumerate() {
        t.clause(match sample.any().type_index {
            kTVMFFIRawStr | kTVMFFIByteArrayPtr => id::RFL_0006,
            kTVMFFIStaticObjectBegin.. => id::RFL_0005,
            _ => id::RFL_0004,
        });
        let name = format!("f{number}");
        add_field(t, index, &field_with_default(name.as_bytes(), sample.any()))?;
        let what = format!("the default that was given as {}", sample.name);
        t.is_sample(what, &field_at(t, index, number)?.default_value_or_factory, sample)?;
    }
    Ok(())
}

/// The default of a field without the flag for defaults is not looked at, and the record has no such flag.
#[check(RFL_0007)]
fn no_default_is_none(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    for (number, garbage) in [
        // An object where there is none: a target that looks at it crashes.
        TVMFFIAny::new(kTVMFFIStr, 0x5a5a_5a5a_5a5a),
        TVMFFIAny::new(0x5a5a_5a5a, 0x5a5a_5a5a_5a5a_5a5a),
        view::int(7),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("f{number}");
        let given = TVMFFIFieldInfo { default_value_or_factory: garbage, ..field(name.as_bytes()) };
        add_field(t, index, &given)?;
        t.eq("flags", field_at(t, index, number)?.flags, given.flags)?;
    }
    Ok(())
}

/// Without the flag for defaults, a field has no default whatever other flags it has, that of a default factory too: an object or a function in its
/// place is not kept, and the record has the flags that were given.
#[check(RFL_0007)]
fn no_default_whatever_the_flags(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let (object, function) = (Homemade::new(kTVMFFIObject, ()), counted_function(t)?);
    let before = (object.counts(), t.counts(function.handle())?);
    let defaults = [
        ("an object", object.view()),
        ("a function", function.any()),
        ("an integer", view::int(7)),
        // An object where there is none: a target that looks at it crashes.
        ("garbage", TVMFFIAny::new(kTVMFFIStr, 0x5a5a_5a5a_5a5a)),
    ];
    let mut number = 0;
    for flags in other_flags() {
        for (what, default) in defaults {
            let name = format!("f{number}");
            let given = TVMFFIFieldInfo { flags, default_value_or_factory: default, ..field(name.as_bytes()) };
            add_field(t, index, &given)?;
            let counts = (object.counts(), t.counts(function.handle())?);
            let what = format!("a field with flags {flags:#x} and {what} where its default would be");
            t.eq(format_args!("counts of object and function after registering {what}"), counts, before)?;
            t.eq(format_args!("flags of {what}"), field_at(t, index, number)?.flags, flags)?;
            number += 1;
        }
    }
    Ok(())
}

/// A field's default, or the function that makes it, is kept alive whatever other flags the field has.
#[check(RFL_0005)]
fn default_is_kept_whatever_the_flags(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    for (number, flags) in other_flags().enumerate() {
        let (name, default) = (format!("f{number}"), counted_function(t)?);
        let flags = flags | kTVMFFIFieldFlagBitMaskHasDefault;
        let given = TVMFFIFieldInfo { flags, ..field_with_default(name.as_bytes(), default.any()) };
        add_field(t, index, &given)?;
        let stored = field_at(t, index, number)?;
        t.eq("flags", stored.flags, flags)?;
        t.any_eq("the default", &stored.default_value_or_factory, &default.any())?;
        kept_alive(t, &format!("the default of a field with flags {flags:#x}"), default)?;
        answers_seven(t, "the default", field_at(t, index, number)?.default_value_or_factory)?;
    }
    Ok(())
}

/// No flag and each flag but the one for defaults and the one for setters that are function objects, with that of a default factory and without it.
fn other_flags() -> impl Iterator<Item = i64> {
    const LEFT_OUT: i64 = kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitSetterIsFunctionObj;
    let single = (0..13).map(|bit| 1_i64 << bit).filter(|flag| flag & LEFT_OUT == 0);
    [0].into_iter().chain(single).flat_map(|flags| [flags, flags | kTVMFFIFieldFlagBitMaskDefaultFromFactory])
}

/// A hundred fields are listed in the order in which they were registered.
#[check(RFL_0008)]
fn fields_keep_their_order(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Wide");
    for number in 0..100_i64 {
        let name = format!("field{number}");
        let given = TVMFFIFieldInfo { offset: 24 + 8 * number, ..field(name.as_bytes()) };
        add_field(t, index, &given)?;
        t.eq("num_fields", info(t, index)?.num_fields, number as i32 + 1)?;
    }
    for (number, stored) in fields(t, index)?.into_iter().enumerate() {
        text(t, "name", stored.name, format!("field{number}").as_bytes())?;
        t.eq("offset", stored.offset, 24 + 8 * number as i64)?;
    }
    Ok(())
}

/// A field with the name of an ancestor's field can be registered.
#[check(RFL_0034)]
fn inherited_name_may_be_used_again(t: &Trial) -> Verdict {
    let parent = types::new(t, "verify.Parent");
    let child = types::new_child(t, "verify.Child", parent)?;
    add_field(t, parent, &field(b"x"))?;
    add_field(t, child, &field(b"x"))?;
    t.eq("num_fields of the child", info(t, child)?.num_fields, 1)
}

/// A setter that is a function object outlives the caller's reference and can be called.
#[check(RFL_0012)]
fn setter_function_is_kept_alive(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let setter = counted_function(t)?;
    let given = TVMFFIFieldInfo {
        flags: kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitSetterIsFunctionObj,
        setter: setter.handle(),
        ..field(b"x")
    };
    add_field(t, index, &given)?;
    t.eq("setter", field_at(t, index, 0)?.setter, setter.handle())?;
    kept_alive(t, "the setter", setter)?;
    answers_seven(t, "the setter", TVMFFIAny::new(kTVMFFIFunction, field_at(t, index, 0)?.setter as u64))
}

/// A setter that is a function object and a default of the same field are both kept alive.
#[check(RFL_0012)]
fn setter_and_default_are_kept_alive(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let (setter, default) = (counted_function(t)?, counted_function(t)?);
    let given = TVMFFIFieldInfo {
        flags: kTVMFFIFieldFlagBitMaskWritable
            | kTVMFFIFieldFlagBitSetterIsFunctionObj
            | kTVMFFIFieldFlagBitMaskHasDefault,
        setter: setter.handle(),
        default_value_or_factory: default.any(),
        ..field(b"x")
    };
    add_field(t, index, &given)?;
    kept_alive(t, "the setter", setter)?;
    kept_alive(t, "the default", default)?;
    let kept = fields(t, index)?[0];
    answers_seven(t, "the setter", TVMFFIAny::new(kTVMFFIFunction, kept.setter as u64))?;
    answers_seven(t, "the default", kept.default_value_or_factory)
}

/// A field whose flags ask for a function object as setter can be registered with a NULL setter.
#[check(RFL_0013)]
fn setter_function_may_be_null(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let flags = kTVMFFIFieldFlagBitSetterIsFunctionObj;
    let given = TVMFFIFieldInfo { flags, setter: std::ptr::null_mut(), ..field(b"x") };
    add_field(t, index, &given)?;
    t.eq("setter", field_at(t, index, 0)?.setter, std::ptr::null_mut())
}
