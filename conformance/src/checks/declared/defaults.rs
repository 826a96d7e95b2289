//! Defaults that are easily taken for none, and who gives them to fields.

use std::{
    ffi::c_int,
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::{clause::id, *};

use super::frontend_class::{
    Point, create_point, declare_with, given, holds, number, ratio, set_value_by_function, value, with_default,
};
use crate::{
    checks::check,
    client::{Owned, Verdict, callback::Body, types, view},
    trial::Trial,
};

/// Values of each plain type that are zero, empty or NULL.
const ZEROS: [TVMFFIAny; 9] = [
    TVMFFIAny::NONE,
    TVMFFIAny::new(kTVMFFIInt, 0),
    TVMFFIAny::new(kTVMFFIBool, 0),
    TVMFFIAny::new(kTVMFFIFloat, 0),
    TVMFFIAny::new(kTVMFFIOpaquePtr, 0),
    TVMFFIAny::new(kTVMFFIDataType, 0),
    // The device cpu:0.
    TVMFFIAny::new(kTVMFFIDevice, 1),
    TVMFFIAny::new(kTVMFFISmallStr, 0),
    TVMFFIAny::new(kTVMFFISmallBytes, 0),
];

/// A default that is None, zero or empty, or that a factory makes, is given to its field by the setter as any other is, whether the field is a
/// parameter or not, by initialisers and by ffi.MakeObjectFromPackedArgs.
#[check(DCL_0004, DCL_0005, DCL_0008, DCL_0014, DCL_0016, DCL_0017)]
fn zero_is_a_default(t: &Trial) -> Verdict {
    let (sentinel, factory) = (t.call_global("ffi.GetKwargsObject", &[])?, t.callback(ANSWER_CHOSEN)?);
    let setters = [("C functions", value(b"v")), ("function objects", set_value_by_function(t, value(b"v"))?)];
    let parameters = [
        ("a parameter", 0),
        ("a parameter that is given by name", kTVMFFIFieldFlagBitMaskKwOnly),
        ("no parameter", kTVMFFIFieldFlagBitMaskInitOff),
    ];
    let mut count = 0;
    for default in ZEROS {
        *CHOSEN.lock().unwrap_or_else(PoisonError::into_inner) = default;
        for (setter, field) in setters {
            for (parameter, flags) in parameters {
                for is_made in [false, true] {
                    let field = with_default(field, if is_made { factory.any() } else { default });
                    let from = if is_made { kTVMFFIFieldFlagBitMaskDefaultFromFactory } else { 0 };
                    let field = TVMFFIFieldInfo { flags: field.flags | flags | from, ..field };
                    count += 1;
                    let key = format!("verify.ZeroByDefault{count}");
                    let index = declare_with(t, &key, kTVMFFIObject, &[field], Some(create_filled))?;
                    t.clause(match (is_made, flags) {
                        (true, _) => id::DCL_0005,
                        (false, kTVMFFIFieldFlagBitMaskInitOff) => id::DCL_0008,
                        (false, _) if setter == "function objects" => id::DCL_0014,
                        (false, _) => id::DCL_0004,
                    });
                    let init = initialiser(t, index)?;
                    let make = t.global("ffi.MakeObjectFromPackedArgs")?;
                    for (way, function, args) in [
                        ("an initialiser", &init, &[][..]),
                        ("an initialiser that is given no names", &init, &[sentinel.any()]),
                        ("ffi.MakeObjectFromPackedArgs", &make, &[view::int(index.into())]),
                    ] {
                        if way.starts_with("ffi.") {
                            t.clause(if is_made { id::DCL_0017 } else { id::DCL_0016 });
                        }
                        let _ = given();
                        let made = t.call(function, args)?;
                        let what = format!("a field set by {setter} that is {parameter}, in what {way} has made");
                        t.that(format_args!("calls of the setter of {what}"), !given().is_empty(), "some", "none")?;
                        is_default(t, &format!("the value of {what}"), &Point::read(t, &made)?.v, &default)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Expects a field to hold a default of these.
fn is_default(t: &Trial, what: &str, found: &TVMFFIAny, default: &TVMFFIAny) -> Verdict {
    match default.type_index {
        // Whichever form it has.
        kTVMFFISmallStr | kTVMFFISmallBytes => t.eq(what, t.text(found)?, vec![]),
        _ => t.any_eq(what, found, default),
    }
}

/// Fields of several types whose defaults are zero or None are all set to them, or to what is given in their place.
#[check(DCL_0004)]
fn zeros_are_defaults_of_all_fields(t: &Trial) -> Verdict {
    let fields = [
        with_default(number(b"x"), view::int(0)),
        with_default(ratio(b"r"), view::float(0.0)),
        with_default(value(b"v"), TVMFFIAny::NONE),
    ];
    let index = declare_with(t, "verify.AllZero", kTVMFFIObject, &fields, Some(create_filled))?;
    let init = initialiser(t, index)?;
    holds(t, &t.call(&init, &[])?, 0, 0.0, &TVMFFIAny::NONE)?;
    holds(t, &t.call(&init, &[view::int(7)])?, 7, 0.0, &TVMFFIAny::NONE)?;
    holds(t, &t.call(&init, &[view::int(7), view::float(0.5)])?, 7, 0.5, &TVMFFIAny::NONE)?;
    holds(t, &t.call(&init, &[view::int(7), view::float(0.5), view::bool(true)])?, 7, 0.5, &view::bool(true))
}

/// The initialiser that is generated for a type.
fn initialiser(t: &Trial, index: i32) -> Verdict<Owned> {
    t.call_global("ffi._RegisterFFIInit", &[view::int(index.into())])?;
    types::function_in(t, "__ffi_init__", index)
}

/// What the factory answers.
static CHOSEN: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

/// A factory of the value that the check has chosen, which is no object.
const ANSWER_CHOSEN: Body = |_, _| Some(*CHOSEN.lock().unwrap_or_else(PoisonError::into_inner));

/// A creator that leaves something in each field, so that it is seen whether the field is set.
unsafe extern "C" fn create_filled(result: *mut TVMFFIObjectHandle) -> c_int {
    // SAFETY: the caller's contract is the same; what has been made is a point that nobody else has yet.
    unsafe {
        let code = create_point(result);
        let point = (*result).cast::<Point>();
        (*point).x = 4711;
        (*point).v = view::int(4711);
        code
    }
}
