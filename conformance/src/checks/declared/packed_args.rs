//! Instances of declared types that `ffi.MakeObjectFromPackedArgs` makes.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::Ordering::Relaxed,
};

use tvm_ffi_spec::*;

use super::frontend_class::{
    ENDED, NO_ROOM, OTHER_NAMES, TYPE, UNLUCKY, create_point, declare, declare_with, fail_to_create, holds, ignore,
    number, ratio, set_by_function, value, with_default, with_factory, with_failing_factory,
};
use crate::{
    checks::check,
    client::{Verdict, containers::keys::text_object, homemade::Homemade, view},
    trial::Trial,
};

/// ffi.MakeObjectFromPackedArgs sets a field of a declared type that is left out to its default.
#[check(DCL_0016)]
fn made(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    let fields = [number(b"x"), with_default(ratio(b"r"), view::float(0.25)), with_default(value(b"v"), object.view())];
    let index = declare(t, "verify.Point", kTVMFFIObject, &fields)?;
    let before = object.counts();
    let args = [view::int(index.into()), view::c_str(c"x"), view::int(7)];
    let point = t.call_global(MAKE, &args)?;
    holds(t, &point, 7, 0.25, &object.view())?;
    t.eq("strong count of the default", object.counts().0, before.0 + 1)?;
    drop(point);
    t.eq("counts of the default", object.counts(), before)?;
    t.eq("instances that came to their end", ENDED.load(Relaxed), 1)
}

/// ffi.MakeObjectFromPackedArgs calls the default factory of a field that is left out.
#[check(DCL_0017)]
fn made_with_factory(t: &Trial) -> Verdict {
    let index = declare(t, "verify.Point", kTVMFFIObject, &[number(b"x"), with_factory(t, value(b"v"))?])?;
    for round in 1..4 {
        let point = t.call_global(MAKE, &[view::int(index.into()), view::c_str(c"x"), view::int(7)])?;
        holds(t, &point, 7, 1.5, &view::int(round))?;
    }
    Ok(())
}

/// ffi.MakeObjectFromPackedArgs calls the function in `__ffi_new__` of a type without a creator.
#[check(DCL_0018)]
fn made_with_new(t: &Trial) -> Verdict {
    let index = declare_with(t, "verify.Point", kTVMFFIObject, &[number(b"x")], None)?;
    let new = t.function(std::ptr::null_mut(), new_point, Some(ignore))?;
    let name = TVMFFIByteArray::new(b"__ffi_new__");
    t.ok(t.api.TVMFFITypeRegisterAttr(index, &name, &new.any()))?;
    let point = t.call_global(MAKE, &[view::int(index.into()), view::c_str(c"x"), view::int(7)])?;
    t.eq("strong and weak count of the instance", t.counts(point.handle())?, (1, 1))?;
    holds(t, &point, 7, 1.5, &TVMFFIAny::NONE)
}

unsafe extern "C" fn new_point(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let mut handle = std::ptr::null_mut();
    // SAFETY: the creator is given a place for the handle, and the caller gives one for the result.
    unsafe {
        create_point(&mut handle);
        *result = TVMFFIAny::new(TYPE.load(Relaxed), handle as u64);
    }
    0
}

/// ffi.MakeObjectFromPackedArgs raises an error for a name that is no field, however alike.
#[check(INS_0021)]
fn made_with_other_names(t: &Trial) -> Verdict {
    let index = declare(t, "verify.Point", kTVMFFIObject, &[with_default(number(b"x"), view::int(1))])?;
    for name in OTHER_NAMES {
        let (given, object) = (t.string(name)?, text_object(kTVMFFIStr, name));
        for name in [given.any(), object.view()] {
            t.call_fails(&t.global(MAKE)?, &[view::int(index.into()), name, view::int(7)], &[])?;
        }
    }
    Ok(())
}

/// ffi.MakeObjectFromPackedArgs fails with the error of a creator that fails.
#[check(DCL_0027)]
fn made_by_failing_creator(t: &Trial) -> Verdict {
    let index = declare_with(t, "verify.Point", kTVMFFIObject, &[value(b"v")], Some(fail_to_create))?;
    let object = Homemade::new(kTVMFFIError, ());
    let args = [view::int(index.into()), view::c_str(c"v"), object.view()];
    let raised = t.call_fails(&t.global(MAKE)?, &args, &["MemoryError"])?;
    t.that("message", raised.message.contains(NO_ROOM), NO_ROOM, &raised.message)?;
    t.eq("counts of the value", object.counts(), (1, 1))
}

/// ffi.MakeObjectFromPackedArgs fails when a default factory fails or a setter refuses a default.
#[check(DCL_0030)]
fn made_without_default(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    for (key, x) in [
        ("verify.Factory", with_failing_factory(t, number(b"x"))?),
        ("verify.Unlucky", with_default(number(b"x"), UNLUCKY)),
    ] {
        let index = declare(t, key, kTVMFFIObject, &[value(b"v"), x])?;
        let args = [view::int(index.into()), view::c_str(c"v"), object.view()];
        t.call_fails(&t.global(MAKE)?, &args, &[])?;
        t.eq("counts of the value", object.counts(), (1, 1))?;
    }
    Ok(())
}

/// ffi.MakeObjectFromPackedArgs calls a setter that is a function object.
#[check(DCL_0029)]
fn made_with_function_setter(t: &Trial) -> Verdict {
    let index = declare(t, "verify.Point", kTVMFFIObject, &[set_by_function(t, number(b"x"))?])?;
    let point = t.call_global(MAKE, &[view::int(index.into()), view::c_str(c"x"), view::int(7)])?;
    holds(t, &point, 700, 1.5, &TVMFFIAny::NONE)
}

/// The reader of JSON graphs calls a setter that is a function object.
#[check(DCL_0029)]
fn restored_with_function_setter(t: &Trial) -> Verdict {
    declare(t, "verify.Point", kTVMFFIObject, &[set_by_function(t, number(b"x"))?])?;
    let graph = t.string(br#"{"root_index":0,"nodes":[{"type":"verify.Point","data":{"x":7}}]}"#)?;
    let point = t.call_global("ffi.FromJSONGraphString", &[graph.any()])?;
    holds(t, &point, 700, 1.5, &TVMFFIAny::NONE)
}

const MAKE: &str = "ffi.MakeObjectFromPackedArgs";
