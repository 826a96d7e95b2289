//! What the target refuses to register: seconds of a name, strangers' indices, NULL.

use std::sync::atomic::Ordering;

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    RELEASED, add_field, counted_function, field, field_with_default, fields, metadata, method, set_attribute,
    try_set_attribute,
};
use crate::{
    checks::check,
    client::{Owned, Verdict, types, view},
    trial::Trial,
};

/// A second field of the same name in a type is refused, and the type's fields stay as they were.
#[check(RFL_0011)]
fn duplicate_field_is_refused(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    for name in [b"x".as_slice(), b"y"] {
        add_field(t, index, &field(name))?;
    }
    let again = TVMFFIFieldInfo { offset: 800, ..field(b"x") };
    t.raises(t.api.TVMFFITypeRegisterField(index, &again), &[])?;
    let stored = fields(t, index)?;
    t.eq("num_fields", stored.len(), 2)?;
    t.eq("offset of the first field", stored[0].offset, field(b"x").offset)
}

/// Registering a field for an index that no type has raises an error.
#[check(RFL_0019)]
fn field_of_unknown_type_is_an_error(t: &Trial) -> Verdict {
    for index in unknown_types(t)? {
        t.raises(t.api.TVMFFITypeRegisterField(index, &field(b"x")), &[])?;
    }
    Ok(())
}

/// Registering a method for an index that no type has raises an error.
#[check(RFL_0019)]
fn method_of_unknown_type_is_an_error(t: &Trial) -> Verdict {
    for index in unknown_types(t)? {
        t.raises(t.api.TVMFFITypeRegisterMethod(index, &method(b"norm")), &[])?;
    }
    Ok(())
}

/// Registering metadata for an index that no type has raises an error.
#[check(RFL_0019)]
fn metadata_of_unknown_type_is_an_error(t: &Trial) -> Verdict {
    for index in unknown_types(t)? {
        t.raises(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"", 24)), &[])?;
    }
    Ok(())
}

/// Indices that no type has: beyond the dynamic range, negative, inside the static range, unless the library has a type there, and those that
/// types have reserved for children which are not registered.
fn unknown_types(t: &Trial) -> Verdict<Vec<i32>> {
    const FREE_IN_HEADERS: i32 = 100;
    // It may end the process that asks for a type which is not there.
    let is_there = t.forked(|t| Ok((!t.api.TVMFFIGetTypeInfo(FREE_IN_HEADERS).is_null()).into()))? == Some(1);
    let outside = [1 << 20, -1, i32::MIN, 1 << 30, i32::MAX];
    Ok(outside.into_iter().chain((!is_there).then_some(FREE_IN_HEADERS)).chain(reserved(t)?).collect())
}

/// Indices in the reserved slots of types without children, of one with a child, and of that child.
fn reserved(t: &Trial) -> Verdict<Vec<i32>> {
    let register = |key: &str, depth, slots, overflows, parent| {
        t.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key.as_bytes()), -1, depth, slots, overflows, parent)
    };
    let (mut reserved, mut taken) = (Vec::new(), Vec::new());
    for (key, slots, overflows) in [("verify.OneSlot", 1, 0), ("verify.Slots", 4, 0), ("verify.SlotsAndMore", 9, 1)] {
        let childless = register(key, 1, slots, overflows, kTVMFFIObject);
        reserved.extend(childless + 1..=childless + slots);
        taken.push(childless);
    }
    let parent = register("verify.SlotsOfAParent", 1, 4, 0, kTVMFFIObject);
    // With one slot of its own.
    let child = register("verify.SlotsOfAChild", 2, 1, 0, parent);
    reserved.extend(parent + 1..=parent + 4);
    taken.extend([parent, child]);
    // Where a type has got no index, or its slots elsewhere, which is for another clause to say, there are none here.
    reserved.retain(|index| *index > kTVMFFIDynObjectBegin && !taken.contains(index));
    Ok(reserved)
}

/// The value of an attribute that is refused is not kept.
#[check(RFL_0035, RFL_0026)]
fn refused_attribute_is_not_kept(t: &Trial) -> Verdict {
    t.clause(id::RFL_0026);
    set_attribute(t, kTVMFFIArray, "verify.hook", &view::int(1))?;
    let function = counted_function(t)?;
    t.raises(try_set_attribute(t, kTVMFFIArray, "verify.hook", &function.any()), &[])?;
    let_go(t, "the refused attribute", function)
}

/// The value of an attribute that is refused for its negative type index is not kept.
#[check(RFL_0035, RFL_0040)]
fn attribute_of_no_type_is_not_kept(t: &Trial) -> Verdict {
    for index in [-1, i32::MIN] {
        let function = counted_function(t)?;
        t.clause(id::RFL_0040);
        t.raises(try_set_attribute(t, index, "verify.hook", &function.any()), &[])?;
        let_go(t, "the refused attribute", function)?;
    }
    Ok(())
}

/// Neither the default nor the setter of a field that is refused is kept, why ever it is refused.
#[check(RFL_0035, RFL_0011, RFL_0019)]
fn refused_field_is_not_kept(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    t.clause(id::RFL_0011);
    add_field(t, index, &field(b"x"))?;
    let unknown = unknown_types(t)?.into_iter().map(|index| (index, id::RFL_0019));
    for (index, clause) in [(index, id::RFL_0011)].into_iter().chain(unknown) {
        for what in ["default", "factory", "setter", "default and setter"] {
            let function = counted_function(t)?;
            let mut again = field(b"x");
            if what != "setter" {
                again = field_with_default(b"x", function.any());
            }
            if what == "factory" {
                again.flags |= kTVMFFIFieldFlagBitMaskDefaultFromFactory;
            }
            if what.ends_with("setter") {
                again.flags |= kTVMFFIFieldFlagBitSetterIsFunctionObj;
                again.setter = function.handle();
            }
            t.clause(clause);
            t.raises(t.api.TVMFFITypeRegisterField(index, &again), &[])?;
            let_go(t, &format!("the {what} of the refused field"), function)?;
        }
    }
    Ok(())
}

/// The function of a method that is refused is not kept.
#[check(RFL_0035, RFL_0019)]
fn refused_method_is_not_kept(t: &Trial) -> Verdict {
    for index in unknown_types(t)? {
        let function = counted_function(t)?;
        let info = TVMFFIMethodInfo { method: function.any(), ..method(b"norm") };
        t.clause(id::RFL_0019);
        t.raises(t.api.TVMFFITypeRegisterMethod(index, &info), &[])?;
        let_go(t, "the refused method", function)?;
    }
    Ok(())
}

/// No copy of a text that is refused is kept, be it a name, a documentation, a default or an attribute.
#[check(RFL_0035, RFL_0011, RFL_0019, RFL_0018, RFL_0026, patient = 3)]
fn refused_texts_are_not_kept(t: &Trial) -> Verdict {
    // Thousands of full backtraces would take long.
    t.short_backtraces();
    let index = types::new(t, "verify.Point");
    let long = TVMFFIByteArray::new(b"a text that does not fit into a word, and takes some memory to keep");
    add_field(t, index, &TVMFFIFieldInfo { name: long, ..field(b"") })?;
    set_attribute(t, index, "verify.rank", &view::byte_array(&long))?;
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"", 24)))?;
    let texts = |info: TVMFFIFieldInfo| TVMFFIFieldInfo { name: long, doc: long, metadata: long, ..info };
    let unknown = unknown_types(t)?[0];
    let c_text = view::c_str(c"a text that does not fit into a word, and takes some memory to keep");
    t.no_growth("memory for texts of what is refused", || {
        t.clause(id::RFL_0011);
        for default in [view::byte_array(&long), c_text] {
            let again = texts(field_with_default(b"", default));
            t.raises(t.api.TVMFFITypeRegisterField(index, &again), &[])?;
        }
        t.clause(id::RFL_0019);
        let info = TVMFFIMethodInfo { name: long, doc: long, metadata: long, ..method(b"") };
        t.raises(t.api.TVMFFITypeRegisterMethod(unknown, &info), &[])?;
        let metadata = TVMFFITypeMetadata { doc: long, ..metadata(b"", 24) };
        t.clause(id::RFL_0018);
        t.raises(t.api.TVMFFITypeRegisterMetadata(index, &metadata), &[])?;
        t.clause(id::RFL_0026);
        for lent in [view::byte_array(&long), c_text] {
            t.raises(try_set_attribute(t, index, "verify.rank", &lent), &[])?;
        }
        t.clause(id::RFL_0035);
        Ok(())
    })
}

/// Drops the caller's reference and expects the object to come to its end.
fn let_go(t: &Trial, what: &str, object: Owned) -> Verdict {
    t.clause(id::RFL_0035);
    drop(object);
    match RELEASED.swap(0, Ordering::Relaxed) {
        1 => Ok(()),
        times => Err(t.leak(format!("times that {what} came to its end"), 1, times)),
    }
}

/// Registering a NULL field raises an error.
#[check(RFL_0037)]
fn null_field_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFITypeRegisterField(types::new(t, "verify.Point"), std::ptr::null()), &[]).map(drop)
}

/// Registering a NULL method raises an error.
#[check(RFL_0037)]
fn null_method_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFITypeRegisterMethod(types::new(t, "verify.Point"), std::ptr::null()), &[]).map(drop)
}

/// Registering NULL metadata raises an error.
#[check(RFL_0037)]
fn null_metadata_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFITypeRegisterMetadata(types::new(t, "verify.Point"), std::ptr::null()), &[]).map(drop)
}

/// Registering an attribute with a NULL name or a NULL value raises an error.
#[check(RFL_0037)]
fn null_attribute_is_an_error(t: &Trial) -> Verdict {
    let (name, value) = (TVMFFIByteArray::new(b"verify.rank"), view::int(7));
    t.raises(t.api.TVMFFITypeRegisterAttr(kTVMFFIArray, std::ptr::null(), &value), &[])?;
    t.raises(t.api.TVMFFITypeRegisterAttr(kTVMFFIArray, &name, std::ptr::null()), &[]).map(drop)
}
