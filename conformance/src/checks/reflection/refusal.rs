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
    for index in UNKNOWN_TYPES {
        t.raises(t.api.TVMFFITypeRegisterField(index, &field(b"x")), &[])?;
    }
    Ok(())
}

/// Registering a method for an index that no type has raises an error.
#[check(RFL_0019)]
fn method_of_unknown_type_is_an_error(t: &Trial) -> Verdict {
    for index in UNKNOWN_TYPES {
        t.raises(t.api.TVMFFITypeRegisterMethod(index, &method(b"norm")), &[])?;
    }
    Ok(())
}

/// Registering metadata for an index that no type has raises an error.
#[check(RFL_0019)]
fn metadata_of_unknown_type_is_an_error(t: &Trial) -> Verdict {
    for index in UNKNOWN_TYPES {
        t.raises(t.api.TVMFFITypeRegisterMetadata(index, &metadata(b"", 24)), &[])?;
    }
    Ok(())
}

/// Indices that no type has: inside the static range, beyond the dynamic one, negative.
const UNKNOWN_TYPES: [i32; 4] = [100, 1 << 20, -1, i32::MIN];

/// The value of an attribute that is refused is not kept.
#[check(RFL_0035, RFL_0026)]
fn refused_attribute_is_not_kept(t: &Trial) -> Verdict {
    t.clause(id::RFL_0026);
    set_attribute(t, kTVMFFIArray, "verify.hook", &view::int(1))?;
    let function = counted_function(t)?;
    t.raises(try_set_attribute(t, kTVMFFIArray, "verify.hook", &function.any()), &[])?;
    t.clause(id::RFL_0035);
    let_go(t, "the refused attribute", function)
}

/// The default of a field that is refused is not kept.
#[check(RFL_0035, RFL_0011)]
fn refused_field_is_not_kept(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    t.clause(id::RFL_0011);
    add_field(t, index, &field(b"x"))?;
    let function = counted_function(t)?;
    let again = field_with_default(b"x", function.any());
    t.raises(t.api.TVMFFITypeRegisterField(index, &again), &[])?;
    t.clause(id::RFL_0035);
    let_go(t, "the default of the refused field", function)
}

/// The function of a method that is refused is not kept.
#[check(RFL_0035, RFL_0019)]
fn refused_method_is_not_kept(t: &Trial) -> Verdict {
    let function = counted_function(t)?;
    let info = TVMFFIMethodInfo { method: function.any(), ..method(b"norm") };
    t.clause(id::RFL_0019);
    t.raises(t.api.TVMFFITypeRegisterMethod(UNKNOWN_TYPES[0], &info), &[])?;
    t.clause(id::RFL_0035);
    let_go(t, "the refused method", function)
}

/// Drops the caller's reference and expects the object to come to its end.
fn let_go(t: &Trial, what: &str, object: Owned) -> Verdict {
    drop(object);
    match RELEASED.load(Ordering::Relaxed) {
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
