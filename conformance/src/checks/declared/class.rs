//! Classes that Python registers: their functions, their end and their copies.

use std::ffi::c_void;

use tvm_ffi_spec::{clause::id, *};

use super::frontend_class::{Point, getter, setter};
use crate::{
    checks::check,
    client::{Owned, Verdict, homemade::Homemade, reflected, types, view},
    trial::Trial,
};

/// ffi._PyClassRegisterTypeAttrColumns registers functions for instances, whose fields start as None, NULL or zero.
#[check(DCL_0023)]
fn class(t: &Trial) -> Verdict {
    let index = declare_class(t, "verify.Class", kTVMFFIObject, &[X, V, O])?;
    for name in ["__ffi_new__", "__ffi_init__", "__ffi_shallow_copy__"] {
        let value = reflected::attribute(t, name, index)?;
        t.type_index_eq(format_args!("type_index of {name}"), value.type_index, kTVMFFIFunction)?;
    }
    let instance = t.call(&types::function_in(t, "__ffi_new__", index)?, &[])?;
    let header = t.header(instance.handle())?;
    t.type_index_eq("type_index of the instance", header.type_index, index)?;
    t.eq("strong and weak count of the instance", t.counts(instance.handle())?, (1, 1))?;
    t.eq("what follows the header", t.cell::<[u64; 5]>("instance", instance.handle())?, [0; 5])
}

/// ffi._PyClassRegisterTypeAttrColumns registers an initialiser that sets the fields to its arguments.
#[check(DCL_0023)]
fn class_init(t: &Trial) -> Verdict {
    let index = declare_class(t, "verify.Class", kTVMFFIObject, &[X, V])?;
    let init = types::function_in(t, "__ffi_init__", index)?;
    let object = Homemade::new(kTVMFFIError, ());
    let instance = t.call(&init, &[view::int(7), object.view()])?;
    let expected = [7, 0, kTVMFFIError as u64, object.handle() as u64, 0];
    t.eq("what follows the header", t.cell::<[u64; 5]>("instance", instance.handle())?, expected)?;
    for (name, expected) in [("x", view::int(7)), ("v", object.view())] {
        let field = reflected::field(t, index, name)?;
        t.any_eq(name, &reflected::get(t, instance.handle(), &field)?.any(), &expected)?;
    }
    t.clause(id::DCL_0009);
    t.call_fails(&init, &[view::int(7)], &[]).map(drop)
}

/// An instance of a class of Python gives up what its fields hold when it ends.
#[check(DCL_0024)]
fn class_end(t: &Trial) -> Verdict {
    let index = declare_class(t, "verify.Class", kTVMFFIObject, &[V, O])?;
    gives_up_its_fields(t, index)
}

/// An instance of a class of Python gives up what its inherited fields hold when it ends.
#[check(DCL_0024)]
fn class_of_class(t: &Trial) -> Verdict {
    let parent = declare_class(t, "verify.Parent", kTVMFFIObject, &[V])?;
    let child = declare_class(t, "verify.Child", parent, &[O])?;
    gives_up_its_fields(t, child)
}

/// Expects an instance of a class with the fields `v` and `o` to give both up when it ends.
fn gives_up_its_fields(t: &Trial, index: i32) -> Verdict {
    let (one, other) = (Homemade::new(kTVMFFIError, ()), Homemade::new(kTVMFFIError, ()));
    let instance = t.call(&types::function_in(t, "__ffi_init__", index)?, &[one.view(), other.view()])?;
    t.eq("counts of what the fields hold", (one.counts(), other.counts()), ((2, 1), (2, 1)))?;
    drop(instance);
    t.eq("counts of what the fields held", (one.counts(), other.counts()), ((1, 1), (1, 1)))
}

/// The shallow copy of an instance of a class of Python has the same values and shares the objects.
#[check(DCL_0025, DCL_0024)]
fn class_copy(t: &Trial) -> Verdict {
    let index = declare_class(t, "verify.Class", kTVMFFIObject, &[X, R, V, O])?;
    copies(t, index)
}

/// The shallow copy of an instance of a class of Python has the values of inherited fields, whichever these are.
#[check(DCL_0025, DCL_0024)]
fn class_copy_of_inherited(t: &Trial) -> Verdict {
    let lines: [&[&[Field]]; 6] = [
        &[&[X], &[R, V, O]],
        &[&[X, R, V, O], &[]],
        &[&[V], &[X, R, O]],
        &[&[O], &[V], &[R], &[X]],
        &[&[], &[R, V, O, X]],
        &[&[X, O], &[], &[R, V]],
    ];
    for (number, line) in lines.iter().enumerate() {
        let mut newest = kTVMFFIObject;
        for (depth, fields) in line.iter().enumerate() {
            newest = declare_class(t, &format!("verify.Class{number}.{depth}"), newest, fields)?;
        }
        copies(t, newest).map_err(|failure| {
            let own: Vec<_> = line.iter().map(|fields| fields.len()).collect();
            failure.noting(format!("numbers of fields from the first ancestor on: {own:?}"))
        })?;
    }
    Ok(())
}

/// Expects the copy of an instance with the four fields to be as it, whatever value it holds.
fn copies(t: &Trial, index: i32) -> Verdict {
    let copy_of = types::function_in(t, "__ffi_shallow_copy__", index)?;
    let object = Homemade::new(kTVMFFIError, ());
    let content = |of: &Owned| t.cell::<[u64; 5]>("instance", of.handle());
    let made = |value: TVMFFIAny| -> Verdict<(Owned, Owned)> {
        t.clause(id::DCL_0025);
        let instance = t.call(&types::function_in(t, "__ffi_new__", index)?, &[])?;
        for ((_, type_index, offset), value) in
            [X, R, V, O].iter().zip([view::int(7), view::float(0.5), value, object.view()])
        {
            let place = instance.handle().wrapping_byte_add(*offset as usize);
            t.call(&setter(t, *type_index)?, &[view::pointer(place), value])?;
        }
        let copy = t.call(&copy_of, &[instance.any()])?;
        t.type_index_eq("type_index of the copy", copy.any().type_index, index)?;
        t.ne("the copy", copy.handle(), instance.handle())?;
        t.eq("strong and weak count of the copy", t.counts(copy.handle())?, (1, 1))?;
        t.eq("what follows the header of the copy", content(&copy)?, content(&instance)?)?;
        Ok((instance, copy))
    };
    let (instance, copy) = made(object.view())?;
    t.eq("strong count of what both share", object.counts().0, 5)?;
    t.clause(id::DCL_0024);
    drop(instance);
    t.eq("strong count of what the copy holds", object.counts().0, 3)?;
    drop(copy);
    t.eq("counts of what the copy held", object.counts(), (1, 1))?;
    t.samples()?.iter().try_for_each(|sample| made(sample.any()).map(drop))
}

/// Making and copying instances of a class of Python does not make the heap grow.
#[check(DCL_0024, patient = 2)]
fn class_no_growth(t: &Trial) -> Verdict {
    let index = declare_class(t, "verify.Class", kTVMFFIObject, &[X, V])?;
    let init = types::function_in(t, "__ffi_init__", index)?;
    let copy = types::function_in(t, "__ffi_shallow_copy__", index)?;
    let text = t.string(b"a text of more than seven bytes")?;
    t.no_growth("memory for instances of a class", || {
        let instance = t.call(&init, &[view::int(7), text.any()])?;
        t.call(&copy, &[instance.any()]).map(drop)
    })
}

/// A field of a class: name, type index and offset.
type Field = (&'static [u8], i32, i64);

const X: Field = (b"x", kTVMFFIInt, 24);
const R: Field = (b"r", kTVMFFIFloat, 32);
const V: Field = (b"v", kTVMFFIAny, 40);
const O: Field = (b"o", kTVMFFIObject, 56);

/// A new class as Python registers it: first the fields, then the columns.
fn declare_class(t: &Trial, key: &str, parent: i32, fields: &[Field]) -> Verdict<i32> {
    let index = types::new_child(t, key, parent)?;
    for &(name, type_index, offset) in fields {
        // The field keeps its setter for the life of the process.
        let setter = setter(t, type_index)?.into_any();
        let size = if type_index == kTVMFFIAny { 16 } else { 8 };
        let info = TVMFFIFieldInfo {
            flags: kTVMFFIFieldFlagBitSetterIsFunctionObj | kTVMFFIFieldFlagBitMaskWritable,
            getter: Some(getter(t, type_index)?),
            setter: setter.payload() as *mut c_void,
            ..types::field(name, type_index, size, offset)
        };
        t.ok(t.api.TVMFFITypeRegisterField(index, &info))?;
    }
    let size = size_of::<Point>() as i32;
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &types::metadata(size)))?;
    t.call_global("ffi._PyClassRegisterTypeAttrColumns", &[view::int(index.into()), view::int(size.into())])?;
    Ok(index)
}
