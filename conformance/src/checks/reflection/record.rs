//! Metadata, and what a type's record shows of fields, methods and metadata together.

use std::{ffi::c_void, mem::offset_of, sync::atomic::Ordering};

use tvm_ffi_spec::*;

use super::kit::{
    CELL_TYPE, CellObject, LAID, ODD_TEXTS, RELEASED, add_field, add_method, create_cell, field, field_at, fields,
    lie_in_place, metadata, method, method_named, methods, text,
};
use crate::{
    checks::check,
    client::{
        Verdict,
        reflected::{self, info},
        types, view,
    },
    trial::Trial,
};

/// The numbers in a type's metadata lie where clients have compiled them in.
#[check(RFL_0017, lays = TVMFFITypeMetadata)]
fn metadata_layout(t: &Trial) -> Verdict {
    let mut records = Vec::new();
    let kinds = [kTVMFFISEqHashKindTreeNode, kTVMFFISEqHashKindDAGNode, kTVMFFISEqHashKindUniqueInstance];
    for (number, (kind, (key, _))) in kinds.into_iter().zip(LAID).enumerate() {
        let (index, total_size) = (types::new(t, key), 0x1020 << number);
        let given = TVMFFITypeMetadata { structural_eq_hash_kind: kind, ..metadata(b"", total_size) };
        t.ok(t.api.TVMFFITypeRegisterMetadata(index, &given))?;
        let at = [offset_of!(TVMFFITypeMetadata, total_size), offset_of!(TVMFFITypeMetadata, structural_eq_hash_kind)];
        let given = [total_size, kind].map(|value| value.to_ne_bytes().to_vec());
        reflected::metadata(t, index)?;
        let size = size_of::<TVMFFITypeMetadata>();
        let record = t.read_bytes("the metadata", info(t, index)?.metadata.cast(), size)?;
        records.push((record, std::array::from_fn(|member| (at[member], given[member].clone()))));
    }
    t.looks_at::<TVMFFITypeMetadata>();
    lie_in_place(t, ["total_size", "structural_eq_hash_kind"], &records)
}

/// A type's creator, size and structural kind and a copy of its documentation appear in its record.
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
        let index = types::new(t, &format!("verify.Kind{kind}"));
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

/// The documentation of a type of any kind is copied: the memory in which it was given may be gone right after the call.
#[check(RFL_0017)]
fn metadata_text_is_copied(t: &Trial) -> Verdict {
    let docs: [&[u8]; 2] = [b"What a type says of itself, in a sentence that is not short.", b"Short."];
    for ((what, index), doc) in types::of_each_kind(t, "verify.Documented")?.into_iter().zip(docs.into_iter().cycle()) {
        let given = t.guarded(doc)?;
        t.ok(t.api.TVMFFITypeRegisterMetadata(index, &TVMFFITypeMetadata { doc: given.array(), ..metadata(b"", 24) }))?;
        drop(given);
        let stored = reflected::metadata(t, index)?.doc;
        text(t, "doc after the caller's has gone", stored, doc).map_err(|failure| failure.noting(what))?;
    }
    Ok(())
}

/// A type's documentation with NULs, with thousands of bytes or outside ASCII is kept byte for byte.
#[check(RFL_0017)]
fn metadata_text_may_hold_anything(t: &Trial) -> Verdict {
    let long = b"long ".repeat(2000);
    for (number, doc) in ODD_TEXTS.into_iter().chain([&long[..]]).enumerate() {
        let index = types::new(t, &format!("verify.Documented{number}"));
        t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata(doc, 24)))?;
        let stored = t.read_array("doc", reflected::metadata(t, index)?.doc)?;
        t.eq("doc", stored.escape_ascii().to_string(), doc.escape_ascii().to_string())?;
    }
    Ok(())
}

/// Registering metadata for a type again raises an error, and the first metadata stays.
#[check(RFL_0018)]
fn metadata_is_registered_once(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"The first.", 40)))?;
    t.raises(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"The second.", 80)), &[])?;
    let stored = reflected::metadata(t, index)?;
    text(t, "doc", stored.doc, b"The first.")?;
    t.eq("total_size", stored.total_size, 40)
}

/// Documentation and metadata that are empty when a field, method or type is registered are empty in its record.
#[check(RFL_0003)]
fn empty_texts_stay_empty(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    for empty in [TVMFFIByteArray::EMPTY, TVMFFIByteArray { data: c"not read".as_ptr(), size: 0 }] {
        let name = if empty.data.is_null() { b"x" } else { b"y" };
        let given = TVMFFIFieldInfo { doc: empty, metadata: empty, ..field(name) };
        add_field(t, index, &given)?;
        add_method(t, index, &TVMFFIMethodInfo { doc: empty, metadata: empty, ..method(name) })?;
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

/// Fields, methods and metadata appear in the record that was answered before they were registered.
#[check(RFL_0009)]
fn later_fields_appear_in_the_record(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let early = t.api.TVMFFIGetTypeInfo(index);
    for number in 0..10 {
        let name = format!("n{number}");
        add_field(t, index, &field(name.as_bytes()))?;
        add_method(t, index, &method(name.as_bytes()))?;
        let record = t.read("the early record", early)?;
        t.eq("num_fields in the early record", record.num_fields, number + 1)?;
        t.eq("num_methods in the early record", record.num_methods, number + 1)?;
        let last = number as usize;
        text(t, "name of the field", t.read("field", record.fields.wrapping_add(last))?.name, name.as_bytes())?;
        // Methods stand in any order.
        method_named(t, index, name.as_bytes())?;
    }
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"A point.", 48)))?;
    let record = t.read("the early record", early)?;
    t.eq("total_size in the early record", t.read("metadata", record.metadata)?.total_size, 48)
}

/// Types whose fields and methods have the same names each list their own alone.
#[check(RFL_0010)]
fn types_list_their_own(t: &Trial) -> Verdict {
    let parent = types::new(t, "verify.Parent");
    let child = types::new_child(t, "verify.Child", parent)?;
    let other = types::new(t, "verify.Other");
    for index in [parent, other] {
        add_field(t, index, &field(b"x"))?;
        add_method(t, index, &method(b"norm"))?;
    }
    for (what, index, count) in [("parent", parent, 1), ("child", child, 0), ("other type", other, 1)] {
        t.eq(format_args!("num_fields of the {what}"), info(t, index)?.num_fields, count)?;
        t.eq(format_args!("num_methods of the {what}"), info(t, index)?.num_methods, count)?;
    }
    Ok(())
}

/// The creator, setter and getter in a type's record make an instance and write and read its field.
#[check(RFL_0036)]
fn a_client_makes_and_fills_an_instance(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Cell");
    CELL_TYPE.store(index as usize, Ordering::Relaxed);
    add_field(t, index, &field(b"value"))?;
    let given = TVMFFITypeMetadata { creator: Some(create_cell), ..metadata(b"", size_of::<CellObject>() as i32) };
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &given))?;

    let (field, metadata) = (field_at(t, index, 0)?, reflected::metadata(t, index)?);
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
