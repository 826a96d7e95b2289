//! Instances of declared types that `ffi.MakeObjectFromPackedArgs` makes.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::Ordering::Relaxed,
};

use tvm_ffi_spec::{clause::id, *};

use super::frontend_class::{
    CREATED, ENDED, NO_ROOM, OTHER_NAMES, TYPE, UNLUCKY, create_point, declare, declare_with, fail_to_create, holds,
    ignore, number, ratio, set_by_function, value, with_default, with_factory, with_failing_factory,
};
use crate::{
    checks::check,
    client::{Verdict, containers::keys::text_object, globals, homemade::Homemade, types, view},
    trial::{Trial, meanwhile::others_work},
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

/// A field that is registered when there are instances of its type, or of a type below that, is a field of those that
/// ffi.MakeObjectFromPackedArgs makes next: it is set to what is given, or to its default.
#[check(DCL_0016, INS_0026)]
fn made_with_later_fields(t: &Trial) -> Verdict {
    for (clause, inherits) in [(id::DCL_0016, false), (id::INS_0026, true)] {
        t.clause(clause);
        let parent = declare(t, &format!("verify.Later{inherits}"), kTVMFFIObject, &[])?;
        let key = format!("verify.LaterChild{inherits}");
        let child = declare(t, &key, parent, &[number(b"x")])?;
        let (key, changed) = (t.string(key.as_bytes())?, if inherits { parent } else { child });
        let makes = |args: &[TVMFFIAny], r: f64, v: TVMFFIAny| -> Verdict {
            for of in [view::int(child.into()), key.any()] {
                let args = [&[of, view::c_str(c"x"), view::int(7)], args].concat();
                holds(t, &t.call_global(MAKE, &args)?, 7, r, &v)?;
            }
            Ok(())
        };
        let (r, v, none) = (view::c_str(c"r"), view::c_str(c"v"), TVMFFIAny::NONE);
        makes(&[], 1.5, none)?;
        t.ok(t.api.TVMFFITypeRegisterField(changed, &with_default(ratio(b"r"), view::float(0.25))))?;
        makes(&[], 0.25, none)?;
        makes(&[r, view::float(0.5)], 0.5, none)?;
        t.ok(t.api.TVMFFITypeRegisterField(changed, &with_default(value(b"v"), view::int(5))))?;
        makes(&[], 0.25, view::int(5))?;
        makes(&[v, view::bool(true)], 0.25, view::bool(true))?;
        makes(&[v, view::bool(true), r, view::float(0.5)], 0.5, view::bool(true))?;
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

/// ffi.MakeObjectFromPackedArgs calls the function in `__ffi_new__` of a type that has no metadata at all, and so no creator.
#[check(DCL_0018)]
fn made_with_new_without_metadata(t: &Trial) -> Verdict {
    // Another type is declared first, so that all is there that the functions of points need.
    declare(t, "verify.Declared", kTVMFFIObject, &[])?;
    let new = t.function(std::ptr::null_mut(), new_point, Some(ignore))?;
    for (key, fields) in [("verify.Point", &[number(b"x"), ratio(b"r")][..]), ("verify.Bare", &[])] {
        let index = types::new(t, key);
        for field in fields {
            t.ok(t.api.TVMFFITypeRegisterField(index, field))?;
        }
        t.ok(t.api.TVMFFITypeRegisterAttr(index, &TVMFFIByteArray::new(b"__ffi_new__"), &new.any()))?;
        TYPE.store(index, Relaxed);
        let args = [view::int(index.into()), view::c_str(c"x"), view::int(7), view::c_str(c"r"), view::float(0.5)];
        let point = t.call_global(MAKE, &args[..1 + 2 * fields.len()])?;
        t.type_index_eq("type_index of the instance", point.any().type_index, index)?;
        let (x, r) = if fields.is_empty() { (0, 1.5) } else { (7, 0.5) };
        holds(t, &point, x, r, &TVMFFIAny::NONE)?;
    }
    Ok(())
}

/// While the library has a client make an instance, a default or a value of a field, calls of other threads come back.
#[check(FUN_0026, patient = 8)]
fn others_make_meanwhile(t: &Trial) -> Verdict {
    let make = |index: i32, args: &[TVMFFIAny]| t.call_global(MAKE, &[&[view::int(index.into())], args].concat());
    let created = declare_with(t, "verify.Created", kTVMFFIObject, &[], Some(create_with_others))?;
    t.others_meanwhile("a creator", || make(created, &[]).map(drop))?;
    let factory = t.function(std::ptr::null_mut(), answer_with_others, Some(ignore))?.into_any();
    let field = with_default(value(b"v"), factory);
    let flags = field.flags | kTVMFFIFieldFlagBitMaskDefaultFromFactory;
    let filled = declare(t, "verify.Filled", kTVMFFIObject, &[TVMFFIFieldInfo { flags, ..field }])?;
    t.others_meanwhile("the factory of a default", || make(filled, &[]).map(drop))?;
    let field = TVMFFIFieldInfo {
        getter: Some(get_with_others),
        setter: set_with_others as *mut c_void,
        ..with_default(number(b"x"), view::int(7))
    };
    let point = declare(t, "verify.Set", kTVMFFIObject, &[field])?;
    t.others_meanwhile("a setter for a default", || make(point, &[]).map(drop))?;
    t.others_meanwhile("a setter", || make(point, &[view::c_str(c"x"), view::int(8)]).map(drop))?;
    let point = make(point, &[])?;
    for (asks, args) in [("ffi.ReprPrint", 1), ("ffi.RecursiveHash", 1), ("ffi.RecursiveEq", 2)] {
        if globals::find(t, asks)?.is_some() {
            t.others_meanwhile(&format!("a getter that {asks} calls"), || t.returns(asks, &vec![point.any(); args]))?;
        }
    }
    let converter = view::int(convert_with_others as *const () as i64);
    let setter = t.call_global("ffi.MakeFieldSetter", &[view::int(kTVMFFIAny.into()), view::int(0), converter])?;
    t.others_meanwhile("a converter", || {
        let mut field = TVMFFIAny::NONE;
        t.call(&setter, &[view::pointer((&raw mut field).cast()), view::int(7)]).map(drop)
    })
}

unsafe extern "C" fn create_with_others(result: *mut TVMFFIObjectHandle) -> c_int {
    others_work();
    // SAFETY: by contract.
    unsafe { create_point(result) }
}

unsafe extern "C" fn answer_with_others(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    others_work();
    // SAFETY: the caller gives a place for the result.
    unsafe { result.write(view::int(7)) };
    0
}

unsafe extern "C" fn get_with_others(_: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    others_work();
    // SAFETY: as above.
    unsafe { result.write(view::int(7)) };
    0
}

unsafe extern "C" fn set_with_others(_: *mut c_void, _: *const TVMFFIAny) -> c_int {
    others_work();
    0
}

unsafe extern "C" fn convert_with_others(_: *mut c_void, _: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int {
    others_work();
    // SAFETY: as above.
    unsafe { result.write(view::int(7)) };
    0
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

/// A value that a field does not take is an error, whether the field has a default, a default factory or neither, which others are given, and
/// in whatever order, for ffi.MakeObjectFromPackedArgs and for a generated initialiser; nothing is kept of what was given.
#[check(INS_0023, INS_0025, DCL_0010, DCL_0015)]
fn refused_value_has_no_substitute(t: &Trial) -> Verdict {
    let (object, one) = (Homemade::new(kTVMFFIError, ()), view::int(1));
    let all = [
        ("Plain", number(b"x")),
        ("Default", with_default(number(b"x"), one)),
        ("Factory", with_factory(t, number(b"x"))?),
        ("Function", set_by_function(t, number(b"x"))?),
        ("FunctionAndDefault", with_default(set_by_function(t, number(b"x"))?, one)),
        ("FunctionAndFactory", with_factory(t, set_by_function(t, number(b"x"))?)?),
    ];
    let refused = [UNLUCKY, view::float(7.0), TVMFFIAny::NONE, view::bool(true), view::c_str(c"7"), object.view()];
    let (r, v) = ([view::c_str(c"r"), view::float(0.5)], [view::c_str(c"v"), object.view()]);
    let (make, sentinel) = (t.global(MAKE)?, t.call_global("ffi.GetKwargsObject", &[])?);
    for (kind, x) in all {
        let others = (with_default(ratio(b"r"), view::float(0.25)), with_default(value(b"v"), view::int(5)));
        let index = declare(t, &format!("verify.{kind}"), kTVMFFIObject, &[x, others.0, others.1])?;
        t.call_global("ffi._RegisterFFIInit", &[view::int(index.into())])?;
        let init = types::function_in(t, "__ffi_init__", index)?;
        for bad in refused {
            let x = [view::c_str(c"x"), bad];
            let orders: [&[[TVMFFIAny; 2]]; 6] = [&[x], &[x, v], &[v, x], &[x, r, v], &[r, x, v], &[v, r, x]];
            for order in orders {
                for (function, first, fails, keeps) in [
                    (&make, view::int(index.into()), id::INS_0023, id::INS_0025),
                    (&init, sentinel.any(), id::DCL_0010, id::DCL_0015),
                ] {
                    t.clause(fails);
                    let args = [&[first], order.as_flattened()].concat();
                    let raised = t.call_fails(function, &args, &[]);
                    drop(raised.map_err(|failure| failure.noting(format!("a field that is {kind}, given {bad:?}")))?);
                    t.clause(keeps);
                    t.eq("counts of a value", object.counts(), (1, 1))?;
                    t.eq("instances that came to their end", ENDED.load(Relaxed), CREATED.load(Relaxed))?;
                }
            }
        }
    }
    Ok(())
}

const MAKE: &str = "ffi.MakeObjectFromPackedArgs";
