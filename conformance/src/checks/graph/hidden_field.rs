//! Fields that hide inherited ones of the same name.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicI32, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{READ, WRITE};
use crate::{
    checks::check,
    client::{
        Verdict,
        homemade::Homemade,
        node::{get_any, set_any},
        samples::Place,
        types, view,
    },
    trial::Trial,
};

/// An object with a field that has the name of an inherited one, and the same value, comes back from its JSON graph with all its fields.
#[check(GRF_0014)]
fn hidden_field_of_the_same_value(t: &Trial) -> Verdict {
    let [write, read, to_graph, from_graph] = t.globals([WRITE, READ, "ffi.ToJSONGraph", "ffi.FromJSONGraph"])?;
    let text = t.string(b"a text that is not short")?;
    // How many fields there are between those of the same name, and behind them.
    for (between, behind) in [(0, 0), (1, 0), (0, 1), (2, 1), (3, 0), (4, 2)] {
        let kind = hiding_type(t, between, behind)?;
        for value in [view::int(7), text.any()] {
            let mut fields = [TVMFFIAny::NONE; MOST];
            fields.iter_mut().zip(0..2 + between + behind).for_each(|(field, at)| *field = view::int(at as i64 + 100));
            (fields[0], fields[1 + between]) = (value, value);
            let object = Homemade::new(kind, fields);
            for place in [Place::Alone, Place::InArray, Place::MapValue] {
                let holder = place.put(t, &object.view())?;
                for (write, read) in [(&write, &read), (&to_graph, &from_graph)] {
                    let graph = t.call(write, &[holder.any(), TVMFFIAny::NONE])?;
                    let back = t.call(read, &[graph.any()])?;
                    let found = place.look(t, &back.any())?;
                    t.type_index_eq("the type of what came back", found.type_index, kind)?;
                    let came: [TVMFFIAny; MOST] = t.cell("the object", found.payload() as TVMFFIObjectHandle)?;
                    for (at, (came, field)) in came.iter().zip(&fields).enumerate() {
                        let what = format!("field {at} of an object, {between} between and {behind} behind, {place:?}");
                        if field.type_index == kTVMFFIStr {
                            t.eq(what, t.text(came)?, t.text(field)?)?;
                        } else {
                            t.any_eq(what, came, field)?;
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// An object with a field that has the name of an inherited one, and another value, is not written, or comes back from its JSON graph with values of
/// its fields: what a field of that name holds is what one of the two held.
///
/// A child type should not register an inherited field again, as libraries say that admit it.
#[check(GRF_0014)]
fn hidden_field_of_another_value(t: &Trial) -> Verdict {
    let kind = hiding_type(t, 1, 1)?;
    let text = t.string(b"a text that is not short")?;
    for (first, third) in [(view::int(7), view::int(8)), (view::int(7), text.any()), (text.any(), TVMFFIAny::NONE)] {
        let mut fields = [TVMFFIAny::NONE; MOST];
        fields[..4].copy_from_slice(&[first, view::int(1), third, view::int(2)]);
        let object = Homemade::new(kind, fields);
        for (write, read) in [(WRITE, READ), ("ffi.ToJSONGraph", "ffi.FromJSONGraph")] {
            let Ok(graph) = t.answer(write, &[object.view(), TVMFFIAny::NONE])? else { continue };
            let back = t.call_global(read, &[graph.any()])?;
            t.type_index_eq("the type of what came back", back.any().type_index, kind)?;
            let came: [TVMFFIAny; MOST] = t.cell("the object", back.handle())?;
            let text = |value: &TVMFFIAny| -> Verdict<String> { Ok(t.outline(value, &[])?.text) };
            for (at, came) in came.iter().enumerate().take(4) {
                let held = if at % 2 == 0 { vec![text(&first)?, text(&third)?] } else { vec![text(&fields[at])?] };
                let (came, expected) = (text(came)?, held.join(" or "));
                t.that(format_args!("field {at} of an object from {write}"), held.contains(&came), expected, &came)?;
            }
        }
    }
    Ok(())
}

/// The most fields that an object has.
const MOST: usize = 8;

/// A type with a field from its parent, others of its own, one of the name of the first, and others behind it.
fn hiding_type(t: &Trial, between: usize, behind: usize) -> Verdict<i32> {
    let name = format!("verify.Hiding{between}And{behind}");
    let parent = types::new(t, &format!("{name}Base"));
    let index = types::new_child(t, &name, parent)?;
    KIND.store(index, Ordering::Release);
    let metadata = types::metadata((size_of::<TVMFFIObject>() + size_of::<[TVMFFIAny; MOST]>()) as i32);
    for kind in [parent, index] {
        t.ok(t.api.TVMFFITypeRegisterMetadata(kind, &TVMFFITypeMetadata { creator: Some(make), ..metadata }))?;
    }
    let names = ["same", "b", "c", "d", "e", "f", "g", "h"];
    for at in 0..2 + between + behind {
        let name = if at == 1 + between { names[0] } else { names[at] };
        let offset = size_of::<TVMFFIObject>() + at * size_of::<TVMFFIAny>();
        let field = types::field(name.as_bytes(), kTVMFFIAny, size_of::<TVMFFIAny>() as i64, offset as i64);
        let (flags, setter) = (kTVMFFIFieldFlagBitMaskWritable, set_any as *mut c_void);
        let field = TVMFFIFieldInfo { flags, getter: Some(get_any), setter, ..field };
        t.ok(t.api.TVMFFITypeRegisterField(if at == 0 { parent } else { index }, &field))?;
    }
    Ok(index)
}

/// The type of the objects that [`make`] makes.
static KIND: AtomicI32 = AtomicI32::new(0);

/// The creator: an object with None in every field.
unsafe extern "C" fn make(result: *mut TVMFFIObjectHandle) -> c_int {
    let made = Homemade::new(KIND.load(Ordering::Acquire), [TVMFFIAny::NONE; MOST]);
    // SAFETY: the target passes where to write the object.
    unsafe { result.write(made.handle()) };
    0
}
