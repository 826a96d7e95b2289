//! Fields, methods, metadata and attribute columns.
//!
//! A registered function, default or attribute tells of its end by counting in [`RELEASED`]: whether the target keeps it is
//! seen by dropping the check's own reference.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        reflected::{self, attribute, column, info},
        view,
    },
    trial::Trial,
};

/// A field's numbers and functions appear in the record as they were given.
#[check(RFL_0001)]
fn field_members_are_stored(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let given = TVMFFIFieldInfo {
        flags: kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitMaskSEqHashIgnore,
        size: 0x0102_0304,
        alignment: 0x40,
        offset: 0x0506_0708,
        field_static_type_index: kTVMFFIFloat,
        ..field(b"x")
    };
    let anything = TVMFFIFieldInfo { field_static_type_index: kTVMFFIAny, ..field(b"y") };
    for (number, given) in [given, anything].into_iter().enumerate() {
        t.ok(t.api.TVMFFITypeRegisterField(index, &given))?;
        let stored = fields(t, index)?[number];
        t.eq("flags", stored.flags, given.flags)?;
        t.eq("size", stored.size, given.size)?;
        t.eq("alignment", stored.alignment, given.alignment)?;
        t.eq("offset", stored.offset, given.offset)?;
        t.eq("getter", stored.getter.map(|getter| getter as usize), given.getter.map(|getter| getter as usize))?;
        t.eq("setter", stored.setter, given.setter)?;
        t.eq("field_static_type_index", stored.field_static_type_index, given.field_static_type_index)?;
        text(t, "name", stored.name, &[b'x' + number as u8])?;
    }
    Ok(())
}

/// Each flag of a field appears in the record.
#[check(RFL_0001)]
fn every_flag_is_stored(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Flagged");
    // Without the flag that says that the setter is a function object, which this one is not.
    let flags = (0..13).map(|bit| 1_i64 << bit).filter(|&flag| flag != kTVMFFIFieldFlagBitSetterIsFunctionObj);
    for (number, flags) in flags.enumerate() {
        let name = format!("f{number}");
        t.ok(t.api.TVMFFITypeRegisterField(index, &TVMFFIFieldInfo { flags, ..field(name.as_bytes()) }))?;
        t.eq("flags", fields(t, index)?[number].flags, flags)?;
    }
    Ok(())
}

/// A field's texts are copied.
#[check(RFL_0002)]
fn field_texts_are_copied(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let texts = [b"abscissa".to_vec(), b"How far to the right.".to_vec(), br#"{"type_schema":"int"}"#.to_vec()];
    let mut given = texts.clone();
    let [name, doc, metadata] = given.each_ref().map(|text| TVMFFIByteArray::new(text));
    t.ok(t.api.TVMFFITypeRegisterField(index, &TVMFFIFieldInfo { name, doc, metadata, ..field(b"") }))?;
    given.iter_mut().for_each(|text| text.fill(b'#'));
    let stored = fields(t, index)?[0];
    text(t, "name after the caller's was overwritten", stored.name, &texts[0])?;
    text(t, "doc after the caller's was overwritten", stored.doc, &texts[1])?;
    text(t, "metadata after the caller's was overwritten", stored.metadata, &texts[2])
}

/// Texts with NULs, long ones and ones outside ASCII are kept byte for byte.
#[check(RFL_0002)]
fn field_texts_may_hold_anything(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let long = b"long ".repeat(2000);
    for (number, contents) in [b"a\0b".as_slice(), &long, "größe→".as_bytes()].into_iter().enumerate() {
        let (doc, metadata) = (TVMFFIByteArray::new(contents), TVMFFIByteArray::new(contents));
        t.ok(t.api.TVMFFITypeRegisterField(index, &TVMFFIFieldInfo { doc, metadata, ..field(contents) }))?;
        let stored = fields(t, index)?[number];
        text(t, "name", stored.name, contents)?;
        text(t, "doc", stored.doc, contents)?;
        text(t, "metadata", stored.metadata, contents)?;
    }
    Ok(())
}

/// Empty texts are empty in the record.
#[check(RFL_0003)]
fn empty_texts_stay_empty(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    for empty in [TVMFFIByteArray::EMPTY, TVMFFIByteArray { data: c"not read".as_ptr(), size: 0 }] {
        let name = if empty.data.is_null() { b"x" } else { b"y" };
        let given = TVMFFIFieldInfo { doc: empty, metadata: empty, ..field(name) };
        t.ok(t.api.TVMFFITypeRegisterField(index, &given))?;
        t.ok(t.api.TVMFFITypeRegisterMethod(index, &TVMFFIMethodInfo { doc: empty, metadata: empty, ..method(name) }))?;
    }
    for (field, method) in fields(t, index)?.into_iter().zip(methods(t, index)?) {
        for (what, array) in [
            ("size of the field's doc", field.doc),
            ("size of the field's metadata", field.metadata),
            ("size of the method's doc", method.doc),
            ("size of the method's metadata", method.metadata),
        ] {
            t.eq(what, array.size, 0)?;
        }
    }
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"", 24)))?;
    t.eq("size of the type's doc", reflected::metadata(t, index)?.doc.size, 0)
}

/// A plain default appears in the record as it was given.
#[check(RFL_0004)]
fn default_is_stored(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let defaults =
        [view::int(-7), view::float(2.5), view::bool(true), TVMFFIAny::NONE, view::pointer(0x5111 as *mut c_void)];
    for (number, default) in defaults.into_iter().enumerate() {
        let name = format!("f{number}");
        t.ok(t.api.TVMFFITypeRegisterField(index, &field_with_default(name.as_bytes(), default)))?;
        t.any_eq("the default", &fields(t, index)?[number].default_value_or_factory, &default)?;
    }
    Ok(())
}

/// A default that is an object outlives the caller's reference.
#[check(RFL_0005)]
fn default_object_is_kept_alive(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let object = t.opaque(0x5111 as *mut c_void, Some(released))?;
    t.ok(t.api.TVMFFITypeRegisterField(index, &field_with_default(b"x", object.any())))?;
    let stored = fields(t, index)?[0].default_value_or_factory;
    t.any_eq("the default", &stored, &object.any())?;
    kept_alive(t, "the default", object)
}

/// A function that makes the default outlives the caller's reference.
#[check(RFL_0005)]
fn default_factory_is_kept_alive(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let factory = counted_function(t)?;
    let mut given = field_with_default(b"x", factory.any());
    given.flags |= kTVMFFIFieldFlagBitMaskDefaultFromFactory;
    t.ok(t.api.TVMFFITypeRegisterField(index, &given))?;
    kept_alive(t, "the factory", factory)?;
    answers_seven(t, "the factory", fields(t, index)?[0].default_value_or_factory)
}

/// A default given as a C string or byte array is stored as an owned value.
#[check(RFL_0006)]
fn default_text_becomes_owned(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let store = |number: usize, given| {
        let name = format!("f{number}");
        t.ok(t.api.TVMFFITypeRegisterField(index, &field_with_default(name.as_bytes(), given)))
    };
    becomes_owned(t, store, |number| Ok(fields(t, index)?[number].default_value_or_factory))
}

/// An attribute given as a C string or byte array is stored as an owned value.
#[check(RFL_0006)]
fn attribute_text_becomes_owned(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let name = |number: usize| format!("verify.attribute{number}");
    let store = |number, given| t.ok(set_attribute(t, index, &name(number), &given));
    becomes_owned(t, store, |number| attribute(t, &name(number), index))
}

/// Without the flag the caller's default is not looked at.
#[check(RFL_0007)]
fn no_default_is_none(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    for (number, garbage) in [
        // An object where there is none: looked at, it is the end.
        TVMFFIAny::new(kTVMFFIStr, 0x5a5a_5a5a_5a5a),
        TVMFFIAny::new(0x5a5a_5a5a, 0x5a5a_5a5a_5a5a_5a5a),
        view::int(7),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("f{number}");
        let given = TVMFFIFieldInfo { default_value_or_factory: garbage, ..field(name.as_bytes()) };
        t.ok(t.api.TVMFFITypeRegisterField(index, &given))?;
        let stored = fields(t, index)?[number].default_value_or_factory;
        t.eq("type_index of the default", stored.type_index, kTVMFFINone)?;
    }
    Ok(())
}

/// A hundred fields are listed in the order of registration.
#[check(RFL_0008)]
fn fields_keep_their_order(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Wide");
    for number in 0..100_i64 {
        let name = format!("field{number}");
        let given = TVMFFIFieldInfo { offset: 24 + 8 * number, ..field(name.as_bytes()) };
        t.ok(t.api.TVMFFITypeRegisterField(index, &given))?;
        t.eq("num_fields", info(t, index)?.num_fields, number as i32 + 1)?;
    }
    for (number, stored) in fields(t, index)?.into_iter().enumerate() {
        text(t, "name", stored.name, format!("field{number}").as_bytes())?;
        t.eq("offset", stored.offset, 24 + 8 * number as i64)?;
    }
    Ok(())
}

/// Fields, methods and metadata appear in a record that was answered before.
#[check(RFL_0009)]
fn later_fields_appear_in_the_record(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let early = t.api.TVMFFIGetTypeInfo(index);
    for number in 0..10 {
        let name = format!("n{number}");
        t.ok(t.api.TVMFFITypeRegisterField(index, &field(name.as_bytes())))?;
        t.ok(t.api.TVMFFITypeRegisterMethod(index, &method(name.as_bytes())))?;
        let record = t.read("the early record", early)?;
        t.eq("num_fields in the early record", record.num_fields, number + 1)?;
        t.eq("num_methods in the early record", record.num_methods, number + 1)?;
        let last = number as usize;
        text(t, "name of the field", t.read("field", record.fields.wrapping_add(last))?.name, name.as_bytes())?;
        text(t, "name of the method", t.read("method", record.methods.wrapping_add(last))?.name, name.as_bytes())?;
    }
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"A point.", 48)))?;
    let record = t.read("the early record", early)?;
    t.eq("total_size in the early record", t.read("metadata", record.metadata)?.total_size, 48)
}

/// Types that share names list their own fields and methods alone.
#[check(RFL_0010)]
fn types_list_their_own(t: &Trial) -> Verdict {
    let parent = new_type(t, "verify.Parent");
    let child = new_child(t, "verify.Child", parent);
    let other = new_type(t, "verify.Other");
    for index in [parent, other] {
        t.ok(t.api.TVMFFITypeRegisterField(index, &field(b"x")))?;
        t.ok(t.api.TVMFFITypeRegisterMethod(index, &method(b"norm")))?;
    }
    for (what, index, count) in [("parent", parent, 1), ("child", child, 0), ("other type", other, 1)] {
        t.eq(format!("num_fields of the {what}"), info(t, index)?.num_fields, count)?;
        t.eq(format!("num_methods of the {what}"), info(t, index)?.num_methods, count)?;
    }
    Ok(())
}

/// A second field of the same name is refused and changes nothing.
#[check(RFL_0011)]
fn duplicate_field_is_refused(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    for name in [b"x".as_slice(), b"y"] {
        t.ok(t.api.TVMFFITypeRegisterField(index, &field(name)))?;
    }
    let again = TVMFFIFieldInfo { offset: 800, ..field(b"x") };
    t.raises(t.api.TVMFFITypeRegisterField(index, &again), &[])?;
    let stored = fields(t, index)?;
    t.eq("num_fields", stored.len(), 2)?;
    t.eq("offset of the first field", stored[0].offset, field(b"x").offset)
}

/// A setter that is a function object outlives the caller's reference.
#[check(RFL_0012)]
fn setter_function_is_kept_alive(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let setter = counted_function(t)?;
    let given = TVMFFIFieldInfo {
        flags: kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitSetterIsFunctionObj,
        setter: setter.handle(),
        ..field(b"x")
    };
    t.ok(t.api.TVMFFITypeRegisterField(index, &given))?;
    t.eq("setter", fields(t, index)?[0].setter, setter.handle())?;
    kept_alive(t, "the setter", setter)?;
    answers_seven(t, "the setter", TVMFFIAny::new(kTVMFFIFunction, fields(t, index)?[0].setter as u64))
}

/// A field that asks for a function object and has none is registered.
#[check(RFL_0013)]
fn setter_function_may_be_null(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let flags = kTVMFFIFieldFlagBitSetterIsFunctionObj;
    let given = TVMFFIFieldInfo { flags, setter: std::ptr::null_mut(), ..field(b"x") };
    t.ok(t.api.TVMFFITypeRegisterField(index, &given))?;
    t.eq("setter", fields(t, index)?[0].setter, std::ptr::null_mut())
}

/// A method's flags, function and texts appear in the record.
#[check(RFL_0014)]
fn method_members_are_stored(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let function = counted_function(t)?;
    let texts = [b"norm".to_vec(), b"The distance from the origin.".to_vec(), br#"{"type_schema":"float"}"#.to_vec()];
    for (number, flags) in [0, kTVMFFIFieldFlagBitMaskIsStaticMethod].into_iter().enumerate() {
        let mut given = texts.clone();
        let [name, doc, metadata] = given.each_ref().map(|text| TVMFFIByteArray::new(text));
        let info = TVMFFIMethodInfo { name, doc, metadata, flags, method: function.any() };
        t.ok(t.api.TVMFFITypeRegisterMethod(index, &info))?;
        given.iter_mut().for_each(|text| text.fill(b'#'));
        let stored = methods(t, index)?[number];
        t.eq("flags", stored.flags, flags)?;
        t.any_eq("the method", &stored.method, &function.any())?;
        text(t, "name after the caller's was overwritten", stored.name, &texts[0])?;
        text(t, "doc after the caller's was overwritten", stored.doc, &texts[1])?;
        text(t, "metadata after the caller's was overwritten", stored.metadata, &texts[2])?;
    }
    Ok(())
}

/// A method outlives the caller's reference and can be called.
#[check(RFL_0015)]
fn method_is_kept_alive(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let function = counted_function(t)?;
    t.ok(t.api.TVMFFITypeRegisterMethod(index, &TVMFFIMethodInfo { method: function.any(), ..method(b"norm") }))?;
    kept_alive(t, "the method", function)?;
    answers_seven(t, "the method", methods(t, index)?[0].method)
}

/// Methods are listed in the order of registration.
#[check(RFL_0016)]
fn methods_keep_their_order(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    for number in 0..50 {
        t.ok(t.api.TVMFFITypeRegisterMethod(index, &method(format!("method{number}").as_bytes())))?;
        t.eq("num_methods", info(t, index)?.num_methods, number + 1)?;
    }
    for (number, stored) in methods(t, index)?.into_iter().enumerate() {
        text(t, "name", stored.name, format!("method{number}").as_bytes())?;
    }
    Ok(())
}

/// Creator, size, structural kind and a copy of the documentation appear in the record.
#[check(RFL_0017)]
fn metadata_is_stored(t: &Trial) -> Verdict {
    let kinds = [
        kTVMFFISEqHashKindUnsupported,
        kTVMFFISEqHashKindTreeNode,
        kTVMFFISEqHashKindFreeVar,
        kTVMFFISEqHashKindDAGNode,
        kTVMFFISEqHashKindConstTreeNode,
        kTVMFFISEqHashKindUniqueInstance,
    ];
    for kind in kinds {
        let index = new_type(t, &format!("verify.Kind{kind}"));
        let mut doc = b"What a type says of itself.".to_vec();
        let given = TVMFFITypeMetadata {
            creator: (kind % 2 == 0).then_some(create_cell as TVMFFIObjectCreator),
            structural_eq_hash_kind: kind,
            ..metadata(&doc, 0x0102_0304)
        };
        t.ok(t.api.TVMFFITypeRegisterMetadata(index, &given))?;
        doc.fill(b'#');
        let stored = reflected::metadata(t, index)?;
        text(t, "doc after the caller's was overwritten", stored.doc, b"What a type says of itself.")?;
        t.eq("creator", stored.creator.map(|creator| creator as usize), given.creator.map(|creator| creator as usize))?;
        t.eq("total_size", stored.total_size, given.total_size)?;
        t.eq("structural_eq_hash_kind", stored.structural_eq_hash_kind, kind)?;
    }
    Ok(())
}

/// A second metadata is refused and the first stays.
#[check(RFL_0018)]
fn metadata_is_registered_once(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"The first.", 40)))?;
    t.raises(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"The second.", 80)), &[])?;
    let stored = reflected::metadata(t, index)?;
    text(t, "doc", stored.doc, b"The first.")?;
    t.eq("total_size", stored.total_size, 40)
}

/// A field for an index that no type has is refused.
#[check(RFL_0019)]
fn field_of_unknown_type_is_an_error(t: &Trial) -> Verdict {
    for index in UNKNOWN_TYPES {
        t.raises(t.api.TVMFFITypeRegisterField(index, &field(b"x")), &[])?;
    }
    Ok(())
}

/// A method for an index that no type has is refused.
#[check(RFL_0019)]
fn method_of_unknown_type_is_an_error(t: &Trial) -> Verdict {
    for index in UNKNOWN_TYPES {
        t.raises(t.api.TVMFFITypeRegisterMethod(index, &method(b"norm")), &[])?;
    }
    Ok(())
}

/// Metadata for an index that no type has is refused.
#[check(RFL_0019)]
fn metadata_of_unknown_type_is_an_error(t: &Trial) -> Verdict {
    for index in UNKNOWN_TYPES {
        t.raises(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"", 24)), &[])?;
    }
    Ok(())
}

/// A name without attributes has no column.
#[check(RFL_0020)]
fn unknown_column_is_null(t: &Trial) -> Verdict {
    for name in ["verify.unknown", "__no_such_attribute__", "ffi.Object"] {
        let column = column(t, name);
        t.that(format!("column {name}"), column.is_null(), "NULL", format!("{column:p}"))?;
    }
    Ok(())
}

/// The first attribute makes the column, and the entry is its value.
#[check(RFL_0021)]
fn attribute_is_stored(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    for (number, value) in [view::int(-7), view::float(2.5), view::bool(true)].into_iter().enumerate() {
        let name = format!("verify.attribute{number}");
        t.ok(set_attribute(t, index, &name, &value))?;
        t.any_eq("the entry", &attribute(t, &name, index)?, &value)?;
    }
    Ok(())
}

/// A column's address stays the same while it grows and others are made.
#[check(RFL_0022)]
fn column_never_moves(t: &Trial) -> Verdict {
    t.ok(set_attribute(t, kTVMFFIInt, "verify.early", &view::int(1)))?;
    let early = column(t, "verify.early");
    for number in 0..300 {
        let index = new_type(t, &format!("verify.Type{number}"));
        t.ok(set_attribute(t, index, &format!("verify.other{number}"), &view::int(2)))?;
        t.ok(set_attribute(t, index, "verify.early", &view::int(number)))?;
        t.eq("address of the column", column(t, "verify.early"), early)?;
        // Read through the address that was answered first, as a client does that has kept it.
        t.any_eq("the entry", &reflected::entry(t, early, index)?, &view::int(number))?;
    }
    t.any_eq("the first entry", &reflected::entry(t, early, kTVMFFIInt)?, &view::int(1))
}

/// A column covers every type that has the attribute.
#[check(RFL_0023)]
fn column_covers_its_types(t: &Trial) -> Verdict {
    let far = (0..200).map(|number| new_type(t, &format!("verify.Type{number}"))).collect::<Vec<_>>();
    for index in [far[100], kTVMFFIArray, far[199], kTVMFFIFloat, far[0]] {
        t.ok(set_attribute(t, index, "verify.rank", &view::int(index.into())))?;
        let column = t.read("column", column(t, "verify.rank"))?;
        let covered = i64::from(column.begin_index)..i64::from(column.begin_index) + i64::from(column.size);
        t.that(
            "indices that the column covers",
            covered.contains(&index.into()),
            format!("{index} among them"),
            format!("{covered:?}"),
        )?;
        let entry = t.read("the entry", column.data.wrapping_offset((index - column.begin_index) as isize))?;
        t.any_eq(format!("the entry of type {index}"), &entry, &view::int(index.into()))?;
    }
    Ok(())
}

/// Every entry that a column claims to cover can be read.
#[check(RFL_0023)]
fn column_is_readable_to_its_end(t: &Trial) -> Verdict {
    let mine = [kTVMFFIFloat, new_type(t, "verify.Point")];
    for index in mine {
        t.ok(set_attribute(t, index, "verify.rank", &view::int(index.into())))?;
        let column = t.read("column", column(t, "verify.rank"))?;
        let known = i64::from(mine[1]) + 1;
        let last = i64::from(column.begin_index) + i64::from(column.size);
        // Room for types to come is allowed; more than a page of it is not believable.
        t.that("indices that the column covers", (0..known + 4096).contains(&last), format!("about {known}"), last)?;
        for place in 0..column.size {
            let entry = t.read("an entry that the column covers", column.data.wrapping_add(place as usize))?;
            let of = column.begin_index + place;
            let value = entry.type_index == kTVMFFINone || mine.contains(&of);
            t.that(format!("the entry of type {of}"), value, "None", format!("{entry:?}"))?;
        }
    }
    Ok(())
}

/// Before begin_index existed, columns count from type index 0.
#[check(RFL_0024)]
fn column_counts_from_zero(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    t.ok(set_attribute(t, index, "verify.rank", &view::int(7)))?;
    let column = t.read("column", column(t, "verify.rank"))?;
    t.eq("upper half of the size", column.begin_index, 0)?;
    t.any_eq("the entry", &t.read("the entry", column.data.wrapping_add(index as usize))?, &view::int(7))
}

/// Types without the attribute have None, children and parents included.
#[check(RFL_0025)]
fn other_entries_are_none(t: &Trial) -> Verdict {
    let parent = new_type(t, "verify.Parent");
    let mine = new_child(t, "verify.Mine", parent);
    let child = new_child(t, "verify.Child", mine);
    t.ok(set_attribute(t, mine, "verify.rank", &view::int(7)))?;
    let late = new_type(t, "verify.Late");
    let column = column(t, "verify.rank");
    for other in [kTVMFFIInt, kTVMFFIObject, kTVMFFIArray, parent, child, late, 100, 1 << 20] {
        let entry = reflected::entry(t, column, other)?;
        t.eq(format!("type_index of the entry of type {other}"), entry.type_index, kTVMFFINone)?;
    }
    t.any_eq("the entry", &reflected::entry(t, column, mine)?, &view::int(7))
}

/// A second value for a type is refused and the first stays.
#[check(RFL_0026)]
fn attribute_is_set_once(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    t.ok(set_attribute(t, index, "verify.rank", &view::int(1)))?;
    t.raises(set_attribute(t, index, "verify.rank", &view::int(2)), &[])?;
    t.any_eq("the entry after a second value was refused", &attribute(t, "verify.rank", index)?, &view::int(1))?;
    t.raises(set_attribute(t, index, "verify.rank", &view::int(1)), &[])?;
    Ok(())
}

/// An attribute that is an object outlives the caller's reference.
#[check(RFL_0027)]
fn attribute_is_kept_alive(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    let function = counted_function(t)?;
    t.ok(set_attribute(t, index, "verify.hook", &function.any()))?;
    t.any_eq("the entry", &attribute(t, "verify.hook", index)?, &function.any())?;
    kept_alive(t, "the attribute", function)?;
    answers_seven(t, "the attribute", attribute(t, "verify.hook", index)?)
}

/// Registering for type index 0 makes the column and stores nothing.
#[check(RFL_0028)]
fn index_zero_makes_the_column(t: &Trial) -> Verdict {
    for value in [TVMFFIAny::NONE, TVMFFIAny::NONE, view::int(7)] {
        t.ok(set_attribute(t, kTVMFFINone, "verify.rank", &value))?;
        let address = column(t, "verify.rank");
        t.that("the column", !address.is_null(), "an address", "NULL")?;
        for index in [kTVMFFINone, kTVMFFIInt, kTVMFFIArray] {
            let entry = reflected::entry(t, address, index)?;
            t.eq(format!("type_index of the entry of type {index}"), entry.type_index, kTVMFFINone)?;
        }
    }
    Ok(())
}

/// Registering for type index 0 leaves a column that exists as it is.
#[check(RFL_0028)]
fn index_zero_leaves_a_column_alone(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    t.ok(set_attribute(t, index, "verify.rank", &view::int(7)))?;
    let before = column(t, "verify.rank");
    t.ok(set_attribute(t, kTVMFFINone, "verify.rank", &TVMFFIAny::NONE))?;
    t.eq("address of the column", column(t, "verify.rank"), before)?;
    t.any_eq("the entry", &reflected::entry(t, before, index)?, &view::int(7))
}

/// Columns whose names begin alike are different columns.
#[check(RFL_0029)]
fn columns_are_told_apart(t: &Trial) -> Verdict {
    let names = ["verify.rank", "verify.rank_of", "verify.ran", "verify.rank\0", "verify.rank\0s"];
    for (number, name) in names.into_iter().enumerate() {
        let address = column(t, name);
        t.that(format!("column {name:?} before it was made"), address.is_null(), "NULL", format!("{address:p}"))?;
        t.ok(set_attribute(t, kTVMFFIArray, name, &view::int(number as i64)))?;
    }
    for (number, name) in names.into_iter().enumerate() {
        t.any_eq(format!("the entry in {name:?}"), &attribute(t, name, kTVMFFIArray)?, &view::int(number as i64))?;
    }
    Ok(())
}

/// A column is found by its name after the caller's was overwritten.
#[check(RFL_0029)]
fn attribute_name_is_copied(t: &Trial) -> Verdict {
    let mut name = b"verify.volatile_and_longer_than_any_inline_buffer".to_vec();
    let kept = String::from_utf8_lossy(&name).into_owned();
    let code = t.api.TVMFFITypeRegisterAttr(kTVMFFIArray, &TVMFFIByteArray::new(&name), &view::int(7));
    t.ok(code)?;
    name.fill(b'#');
    t.any_eq("the entry", &attribute(t, &kept, kTVMFFIArray)?, &view::int(7))
}

/// Value types, built-in objects and registered types can have attributes.
#[check(RFL_0030)]
fn attributes_for_all_kinds_of_types(t: &Trial) -> Verdict {
    let mine = new_type(t, "verify.Point");
    for index in [kTVMFFIInt, kTVMFFIFloat, kTVMFFISmallStr, kTVMFFIObject, kTVMFFIStr, kTVMFFIMap, mine] {
        t.ok(set_attribute(t, index, "verify.rank", &view::int(index.into())))?;
        t.any_eq(format!("the entry of type {index}"), &attribute(t, "verify.rank", index)?, &view::int(index.into()))?;
    }
    Ok(())
}

/// The columns for hashing and equality exist from the start.
#[check(RFL_0031)]
fn hashing_columns_exist(t: &Trial) -> Verdict {
    exist(t, &["__any_hash__", "__any_equal__"])
}

/// The columns that visitors and mutators read exist from the start.
#[check(RFL_0032)]
fn structural_columns_exist(t: &Trial) -> Verdict {
    exist(t, &["__s_visit__", "__s_mutate__", "__s_maybe_inplace_mutate__", "__ffi_shallow_copy__"])
}

/// The columns for structural comparison and serialisation exist from the start.
#[check(RFL_0033)]
fn comparison_columns_exist(t: &Trial) -> Verdict {
    exist(t, &["__s_equal__", "__s_hash__", "__data_to_json__", "__data_from_json__"])
}

/// A field with the name of an ancestor's field is registered.
#[check(RFL_0034)]
fn inherited_name_may_be_used_again(t: &Trial) -> Verdict {
    let parent = new_type(t, "verify.Parent");
    let child = new_child(t, "verify.Child", parent);
    t.ok(t.api.TVMFFITypeRegisterField(parent, &field(b"x")))?;
    t.ok(t.api.TVMFFITypeRegisterField(child, &field(b"x")))?;
    t.eq("num_fields of the child", info(t, child)?.num_fields, 1)
}

/// The value of a refused attribute is let go.
#[check(RFL_0035)]
fn refused_attribute_is_not_kept(t: &Trial) -> Verdict {
    t.ok(set_attribute(t, kTVMFFIArray, "verify.hook", &view::int(1)))?;
    let function = counted_function(t)?;
    t.raises(set_attribute(t, kTVMFFIArray, "verify.hook", &function.any()), &[])?;
    let_go(t, "the refused attribute", function)
}

/// The default of a refused field is let go.
#[check(RFL_0035, RFL_0011)]
fn refused_field_is_not_kept(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Point");
    t.ok(t.api.TVMFFITypeRegisterField(index, &field(b"x")))?;
    let function = counted_function(t)?;
    let again = field_with_default(b"x", function.any());
    t.raises(t.api.TVMFFITypeRegisterField(index, &again), &[])?;
    let_go(t, "the default of the refused field", function)
}

/// The function of a method for an unknown type is let go.
#[check(RFL_0035, RFL_0019)]
fn refused_method_is_not_kept(t: &Trial) -> Verdict {
    let function = counted_function(t)?;
    let info = TVMFFIMethodInfo { method: function.any(), ..method(b"norm") };
    t.raises(t.api.TVMFFITypeRegisterMethod(UNKNOWN_TYPES[0], &info), &[])?;
    let_go(t, "the refused method", function)
}

/// An instance is made, written and read through the record alone.
#[check(RFL_0036)]
fn a_client_makes_and_fills_an_instance(t: &Trial) -> Verdict {
    let index = new_type(t, "verify.Cell");
    CELL_TYPE.store(index as usize, Ordering::Relaxed);
    t.ok(t.api.TVMFFITypeRegisterField(index, &field(b"value")))?;
    let given = TVMFFITypeMetadata { creator: Some(create_cell), ..metadata(b"", size_of::<CellObject>() as i32) };
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &given))?;

    let (field, metadata) = (fields(t, index)?[0], reflected::metadata(t, index)?);
    let what = "the creator, setter and getter in the record";
    let Some((creator, getter)) = metadata.creator.zip(field.getter) else {
        return Err(t.failure(what, "functions", "NULL"));
    };
    t.that(what, !field.setter.is_null(), "functions", "NULL")?;
    // SAFETY: what the record holds is by the header a setter, and one was registered; see the module `api`.
    let setter = unsafe { std::mem::transmute::<*mut c_void, TVMFFIFieldSetter>(field.setter) };
    let (mut handle, mut read) = (std::ptr::null_mut(), TVMFFIAny::NONE);
    let codes = t.api.noted(what, || {
        // SAFETY: by the header these are functions that make an object, and write and read its field.
        unsafe {
            let created = creator(&mut handle);
            let place = handle.wrapping_byte_offset(field.offset as isize);
            [created, setter(place, &view::int(0x0102_0304_0506)), getter(place, &mut read)]
        }
    });
    t.eq("what they answered", codes, [0; 3])?;
    t.any_eq("the field's value", &read, &view::int(0x0102_0304_0506))?;
    drop(t.own_object("the instance", handle)?);
    t.eq("instances that were deleted", RELEASED.load(Ordering::Relaxed), 1)
}

/// A NULL field is refused.
#[check(RFL_0037)]
fn null_field_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFITypeRegisterField(new_type(t, "verify.Point"), std::ptr::null()), &[])?;
    Ok(())
}

/// A NULL method is refused.
#[check(RFL_0037)]
fn null_method_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFITypeRegisterMethod(new_type(t, "verify.Point"), std::ptr::null()), &[])?;
    Ok(())
}

/// NULL metadata is refused.
#[check(RFL_0037)]
fn null_metadata_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFITypeRegisterMetadata(new_type(t, "verify.Point"), std::ptr::null()), &[])?;
    Ok(())
}

/// A NULL attribute name or value is refused.
#[check(RFL_0037)]
fn null_attribute_is_an_error(t: &Trial) -> Verdict {
    let (name, value) = (TVMFFIByteArray::new(b"verify.rank"), view::int(7));
    t.raises(t.api.TVMFFITypeRegisterAttr(kTVMFFIArray, std::ptr::null(), &value), &[])?;
    t.raises(t.api.TVMFFITypeRegisterAttr(kTVMFFIArray, &name, std::ptr::null()), &[])?;
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// What is registered
// ---------------------------------------------------------------------------------------------------------------------

/// Indices that no type has: inside the static range, beyond the dynamic one, negative.
const UNKNOWN_TYPES: [i32; 4] = [100, 1 << 20, -1, i32::MIN];

/// A new type below `ffi.Object`.
fn new_type(t: &Trial, key: &str) -> i32 {
    t.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key.as_bytes()), -1, 1, 0, 1, kTVMFFIObject)
}

/// A new type below `parent`, which lies directly below `ffi.Object` or below a child of it.
fn new_child(t: &Trial, key: &str, parent: i32) -> i32 {
    let depth = info(t, parent).map_or(1, |info| info.type_depth) + 1;
    t.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key.as_bytes()), -1, depth, 0, 1, parent)
}

/// The integer field of a [`CellObject`], or of something like it; valid as long as `name`.
fn field(name: &[u8]) -> TVMFFIFieldInfo {
    TVMFFIFieldInfo {
        name: TVMFFIByteArray::new(name),
        doc: TVMFFIByteArray::EMPTY,
        metadata: TVMFFIByteArray::EMPTY,
        flags: kTVMFFIFieldFlagBitMaskWritable,
        size: 8,
        alignment: 8,
        offset: std::mem::offset_of!(CellObject, value) as i64,
        getter: Some(get_integer),
        setter: set_integer as *mut c_void,
        default_value_or_factory: TVMFFIAny::NONE,
        field_static_type_index: kTVMFFIInt,
    }
}

/// The same field with a default.
fn field_with_default(name: &[u8], default_value_or_factory: TVMFFIAny) -> TVMFFIFieldInfo {
    let flags = kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitMaskHasDefault;
    TVMFFIFieldInfo { flags, default_value_or_factory, ..field(name) }
}

/// A method with nothing to call; valid as long as `name`.
fn method(name: &[u8]) -> TVMFFIMethodInfo {
    TVMFFIMethodInfo {
        name: TVMFFIByteArray::new(name),
        doc: TVMFFIByteArray::EMPTY,
        metadata: TVMFFIByteArray::EMPTY,
        flags: 0,
        method: TVMFFIAny::NONE,
    }
}

/// Metadata with a size and no creator; valid as long as `doc`.
fn metadata(doc: &[u8], total_size: i32) -> TVMFFITypeMetadata {
    TVMFFITypeMetadata {
        doc: TVMFFIByteArray::new(doc),
        creator: None,
        total_size,
        structural_eq_hash_kind: kTVMFFISEqHashKindTreeNode,
    }
}

/// `TVMFFITypeRegisterAttr`; the status is the caller's to judge.
fn set_attribute(t: &Trial, index: i32, name: &str, value: &TVMFFIAny) -> c_int {
    t.api.TVMFFITypeRegisterAttr(index, &TVMFFIByteArray::new(name.as_bytes()), value)
}

/// An object with one integer field.
#[repr(C)]
struct CellObject {
    header: TVMFFIObject,
    value: i64,
}

/// The index of the type of [`CellObject`]s.
static CELL_TYPE: AtomicUsize = AtomicUsize::new(0);
/// Objects that have come to their end.
static RELEASED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn create_cell(result: *mut TVMFFIObjectHandle) -> c_int {
    let header = TVMFFIObject {
        combined_ref_count: 0x1_0000_0001,
        type_index: CELL_TYPE.load(Ordering::Relaxed) as i32,
        __padding: 0,
        deleter: Some(delete_cell),
    };
    // SAFETY: the caller gives a place for the handle.
    unsafe { *result = Box::into_raw(Box::new(CellObject { header, value: 0 })).cast() };
    0
}

unsafe extern "C" fn delete_cell(object: *mut c_void, flags: c_int) {
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
        RELEASED.fetch_add(1, Ordering::Relaxed);
    }
    if flags & kTVMFFIObjectDeleterFlagBitMaskWeak != 0 {
        // SAFETY: made by `create_cell`, and this is the last that is heard of it.
        drop(unsafe { Box::from_raw(object.cast::<CellObject>()) });
    }
}

unsafe extern "C" fn get_integer(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of a cell and a place for its value.
    unsafe { *result = view::int(*field.cast::<i64>()) };
    0
}

unsafe extern "C" fn set_integer(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of a cell and a value.
    unsafe { *field.cast::<i64>() = (*value).payload() as i64 };
    0
}

/// A function that answers 7 and tells of its end.
fn counted_function(t: &Trial) -> Verdict<Owned> {
    t.function(0x5111 as *mut c_void, seven, Some(released))
}

unsafe extern "C" fn seven(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives a place for the result.
    unsafe { *result = view::int(7) };
    0
}

unsafe extern "C" fn released(_: *mut c_void) {
    RELEASED.fetch_add(1, Ordering::Relaxed);
}

/// Drops the check's reference and expects the object to live on.
fn kept_alive(t: &Trial, what: &str, object: Owned) -> Verdict {
    drop(object);
    let released = RELEASED.load(Ordering::Relaxed);
    t.eq(format!("times that {what} came to its end when the caller's reference was dropped"), released, 0)
}

/// Drops the check's reference and expects the object to come to its end.
fn let_go(t: &Trial, what: &str, object: Owned) -> Verdict {
    drop(object);
    match RELEASED.load(Ordering::Relaxed) {
        1 => Ok(()),
        times => Err(t.leak(format!("times that {what} came to its end"), 1, times)),
    }
}

/// Calls a function that the target has kept.
fn answers_seven(t: &Trial, what: &str, function: TVMFFIAny) -> Verdict {
    t.eq(format!("type_index of {what}"), function.type_index, kTVMFFIFunction)?;
    let mut result = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIFunctionCall(function.payload() as *mut c_void, std::ptr::null_mut(), 0, &mut result))?;
    t.any_eq(format!("what {what} answers"), &result, &view::int(7))
}

/// Stores C strings and byte arrays, short and long, and expects to read owned values with the same content after the
/// caller's characters were overwritten.
fn becomes_owned(
    t: &Trial,
    store: impl Fn(usize, TVMFFIAny) -> Verdict,
    read: impl Fn(usize) -> Verdict<TVMFFIAny>,
) -> Verdict {
    let contents: [&[u8]; 2] = [b"short", b"a text that does not fit into a word"];
    for (number, content) in contents.into_iter().enumerate() {
        let mut text = [content, b"\0"].concat();
        store(2 * number, TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64))?;
        text[..content.len()].fill(b'#');
        owned_text(t, &read(2 * number)?, [kTVMFFIStr, kTVMFFISmallStr], content)?;

        let mut text = content.to_vec();
        store(2 * number + 1, view::byte_array(&TVMFFIByteArray::new(&text)))?;
        text.fill(b'#');
        owned_text(t, &read(2 * number + 1)?, [kTVMFFIBytes, kTVMFFISmallBytes], content)?;
    }
    Ok(())
}

fn owned_text(t: &Trial, stored: &TVMFFIAny, types: [i32; 2], content: &[u8]) -> Verdict {
    let expected = format!("one of {types:?}");
    t.that("type_index of the stored text", types.contains(&stored.type_index), expected, stored.type_index)?;
    t.eq("the stored text", String::from_utf8_lossy(&t.text(stored)?), String::from_utf8_lossy(content))
}

// ---------------------------------------------------------------------------------------------------------------------
// What the target shows
// ---------------------------------------------------------------------------------------------------------------------

/// The fields of a type that has some.
fn fields(t: &Trial, index: i32) -> Verdict<Vec<TVMFFIFieldInfo>> {
    some(t, "field", reflected::fields(t, index)?)
}

/// The methods of a type that has some.
fn methods(t: &Trial, index: i32) -> Verdict<Vec<TVMFFIMethodInfo>> {
    some(t, "method", reflected::methods(t, index)?)
}

fn some<T>(t: &Trial, what: &str, all: Vec<T>) -> Verdict<Vec<T>> {
    t.that(format!("number of {what}s"), !all.is_empty(), "what was registered", 0).map(|()| all)
}

/// Expects a text in the target's memory.
fn text(t: &Trial, what: &str, stored: TVMFFIByteArray, expected: &[u8]) -> Verdict {
    t.eq(what, String::from_utf8_lossy(&t.read_array(what, stored)?), String::from_utf8_lossy(expected))
}

/// Expects columns of these names.
fn exist(t: &Trial, names: &[&str]) -> Verdict {
    for name in names {
        let address = column(t, name);
        t.that(format!("column {name}"), !address.is_null(), "an address", "NULL")?;
        t.read(format!("column {name}"), address)?;
    }
    Ok(())
}
