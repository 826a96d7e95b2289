//! Fields of objects that hold floats, written and read.

use std::{
    ffi::{c_int, c_void},
    mem::offset_of,
    sync::atomic::{AtomicI32, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{READ, WRITE};
use crate::{
    checks::check,
    client::{
        Verdict,
        homemade::Homemade,
        memory,
        node::{get_any, set_any},
        samples::Place,
        types, view,
    },
    trial::Trial,
};

/// An object with fields that hold a float comes back from its JSON graph with that very float wherever the object stands: an infinity, what
/// is no number, -0, and numbers below the normal ones, too.
#[check(GRF_0014, GRF_0027)]
fn floats_in_fields(t: &Trial) -> Verdict {
    let kind = floats_type(t)?;
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    let floats = [
        1.5,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::MIN_POSITIVE / 2.0,
        f64::from_bits(1),
    ];
    let places = Place::all(t)?;
    for (float, place) in floats.iter().flat_map(|float| places.iter().map(move |place| (*float, *place))) {
        let object = Homemade::new(kind, Floats { declared: float, any: view::float(float) });
        let holder = place.put(t, &object.view())?;
        for (clause, write, read) in [(id::GRF_0014, &to_graph, &from_graph), (id::GRF_0027, &write, &read)] {
            t.clause(clause);
            let graph = t.call(write, &[holder.any(), TVMFFIAny::NONE])?;
            let back = t.call(read, &[graph.any()])?;
            let found = place.look(t, &back.any())?;
            let what = format!("an object with {float:?}, {place:?}");
            t.type_index_eq(format_args!("the type of {what}"), found.type_index, kind)?;
            let floats: Floats = t.cell("the object that came back", found.payload() as TVMFFIObjectHandle)?;
            is_float(t, format_args!("the field that is declared as a float of {what}"), floats.declared, float)?;
            t.type_index_eq(format_args!("the type of the field of {what}"), floats.any.type_index, kTVMFFIFloat)?;
            is_float(t, format_args!("the field of any type of {what}"), f64::from_bits(floats.any.payload()), float)?;
        }
    }
    Ok(())
}

/// Expects a float to be another to the bit, or no number either.
fn is_float(t: &Trial, what: impl std::fmt::Display, got: f64, expected: f64) -> Verdict {
    let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
    t.that(what, same, format_args!("{expected:?}"), format_args!("{got:?}"))
}

/// What an object has behind its header: one field that is declared as a float, and one of any type.
#[repr(C)]
#[derive(Clone, Copy)]
struct Floats {
    declared: f64,
    any: TVMFFIAny,
}

/// The type of such objects, which can be made again.
fn floats_type(t: &Trial) -> Verdict<i32> {
    let index = types::new(t, "verify.Floats");
    KIND.store(index, Ordering::Release);
    let metadata = types::metadata((size_of::<TVMFFIObject>() + size_of::<Floats>()) as i32);
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &TVMFFITypeMetadata { creator: Some(make), ..metadata }))?;
    let fields: [(&[u8], _, usize, usize, TVMFFIFieldGetter, TVMFFIFieldSetter); 2] = [
        (b"declared", kTVMFFIFloat, size_of::<f64>(), offset_of!(Floats, declared), get_declared, set_declared),
        (b"any", kTVMFFIAny, size_of::<TVMFFIAny>(), offset_of!(Floats, any), get_any, set_any),
    ];
    for (name, declared, size, offset, getter, setter) in fields {
        let field = types::field(name, declared, size as i64, (size_of::<TVMFFIObject>() + offset) as i64);
        let field = TVMFFIFieldInfo {
            flags: kTVMFFIFieldFlagBitMaskWritable,
            getter: Some(getter),
            setter: setter as *mut c_void,
            ..field
        };
        t.ok(t.api.TVMFFITypeRegisterField(index, &field))?;
    }
    Ok(index)
}

/// The type of the objects that [`make`] makes.
static KIND: AtomicI32 = AtomicI32::new(0);

/// The creator: an object with zeros in it.
unsafe extern "C" fn make(result: *mut TVMFFIObjectHandle) -> c_int {
    let made = Homemade::new(KIND.load(Ordering::Acquire), Floats { declared: 0.0, any: TVMFFIAny::NONE });
    // SAFETY: the target passes where to write the object.
    unsafe { result.write(made.handle()) };
    0
}

unsafe extern "C" fn get_declared(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the target passes the address of the field, and where to write its value.
    unsafe { result.write(view::float(*field.cast())) };
    0
}

unsafe extern "C" fn set_declared(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    let number = match memory::read(value) {
        Some(value) if value.type_index == kTVMFFIFloat => f64::from_bits(value.payload()),
        // A setter of floats takes integers, too.
        Some(value) if value.type_index == kTVMFFIInt => (value.payload() as i64) as f64,
        _ => return -1,
    };
    // SAFETY: the target passes the address of the field of an object that is its own.
    unsafe { field.cast::<f64>().write(number) };
    0
}
