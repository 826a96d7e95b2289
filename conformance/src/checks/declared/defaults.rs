//! Defaults that are easily taken for none, and who gives them to fields.

use std::{
    ffi::c_int,
    sync::{Mutex, PoisonError, atomic::Ordering::Relaxed},
};

use tvm_ffi_spec::{clause::id, *};

use super::frontend_class::{
    FACTORY_CALLS, Point, create_point, declare, declare_with, given, holds, number, ratio, set_value_by_function,
    value, with_default, with_factory,
};
use crate::{
    checks::check,
    client::{Owned, Verdict, callback::Body, homemade::Homemade, types, view},
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

/// A default factory, of an inherited field or of the type's own, is called for a field that is given no argument and for no other, whichever
/// of them are given, by place or by name, and in whatever order, to a generated initialiser and to ffi.MakeObjectFromPackedArgs.
#[check(DCL_0005)]
fn factories_of_what_is_left_out(t: &Trial) -> Verdict {
    // The fields of each type, from the root on: x and v have factories, r has none.
    let layouts: [&[&str]; 7] =
        [&["xvr"], &["xv", "r"], &["x", "vr"], &["r", "vx"], &["vr", "x"], &["x", "v", "r"], &["r", "v", "x"]];
    let orders = ["rxv", "rvx", "xrv", "xvr", "vrx", "vxr"];
    let (sentinel, make) = (t.call_global("ffi.GetKwargsObject", &[])?, t.global("ffi.MakeObjectFromPackedArgs")?);
    let value_of = |name| match name {
        'x' => view::int(7),
        'v' => view::bool(true),
        _ => view::float(0.5),
    };
    let named = |names: &str| -> Vec<TVMFFIAny> {
        let pair = |name| {
            let text = match name {
                'x' => c"x",
                'v' => c"v",
                _ => c"r",
            };
            [view::c_str(text), value_of(name)]
        };
        names.chars().flat_map(pair).collect()
    };
    for (number_of_layout, layout) in layouts.iter().enumerate() {
        let mut index = kTVMFFIObject;
        for (depth, names) in layout.iter().enumerate() {
            let field = |name| match name {
                'x' => with_factory(t, number(b"x")),
                'v' => with_factory(t, value(b"v")),
                _ => Ok(ratio(b"r")),
            };
            let fields = names.chars().map(field).collect::<Verdict<Vec<_>>>()?;
            index = declare(t, &format!("verify.Factories{number_of_layout}.{depth}"), index, &fields)?;
        }
        let init = initialiser(t, index)?;
        let makes = |function: &Owned, args: &[TVMFFIAny], given: &str| -> Verdict {
            // What the factory answers counts the calls, and the thirteenth would be refused.
            FACTORY_CALLS.store(0, Relaxed);
            let made = Point::read(t, &t.call(function, args)?)?;
            let what = format!("of an instance of {layout:?} that is given {given:?}");
            t.eq(format_args!("calls of the factories {what}"), FACTORY_CALLS.load(Relaxed), 3 - given.len())?;
            for (name, found) in [('x', view::int(made.x)), ('v', made.v)] {
                if given.contains(name) {
                    t.any_eq(format_args!("{name} {what}"), &found, &value_of(name))?;
                }
            }
            Ok(())
        };
        for order in orders {
            for left_out in ["", "x", "v", "xv"] {
                let given: String = order.chars().filter(|name| !left_out.contains(*name)).collect();
                makes(&init, &[&[sentinel.any()], named(&given).as_slice()].concat(), &given)?;
                makes(&make, &[&[view::int(index.into())], named(&given).as_slice()].concat(), &given)?;
            }
        }
        // By place: r, which has no default, and then the others, those of the root first.
        let placed: String = std::iter::once('r').chain(layout.concat().chars().filter(|name| *name != 'r')).collect();
        for count in 1..=placed.len() {
            let (first, rest) = placed.split_at(count);
            let places: Vec<_> = first.chars().map(value_of).collect();
            makes(&init, &places, first)?;
            for behind in [rest, rest.get(1..).unwrap_or_default()] {
                let args = [places.as_slice(), &[sentinel.any()], &named(behind)].concat();
                makes(&init, &args, &format!("{first}{behind}"))?;
            }
        }
    }
    Ok(())
}

/// A default factory makes a value for each instance, be the field its type's own or that of an ancestor, one or more levels up, and whoever
/// makes the instance: the field holds the very object that was made for it.
#[check(DCL_0005, DCL_0017)]
fn factory_makes_one_for_each_instance(t: &Trial) -> Verdict {
    let (sentinel, make) = (t.call_global("ffi.GetKwargsObject", &[])?, t.global("ffi.MakeObjectFromPackedArgs")?);
    let factory = t.callback(ANSWER_NEW_OBJECT)?;
    let setters = [("C functions", value(b"v")), ("function objects", set_value_by_function(t, value(b"v"))?)];
    for (number_of_setter, (setter, v)) in setters.into_iter().enumerate() {
        let v = with_default(v, factory.any());
        let v = TVMFFIFieldInfo { flags: v.flags | kTVMFFIFieldFlagBitMaskDefaultFromFactory, ..v };
        let x = with_default(number(b"x"), view::int(40));
        for depth in 0..4 {
            let key = |level: usize| format!("verify.OneForEach{number_of_setter}.{depth}.{level}");
            let both = [v, x];
            let mut index = declare(t, &key(0), kTVMFFIObject, if depth == 0 { &both } else { &both[..1] })?;
            for level in 1..=depth {
                // Those in between have no field of their own.
                index = declare(t, &key(level), index, if level == depth { &both[1..] } else { &[] })?;
            }
            let init = initialiser(t, index)?;
            let (named, own) = ([view::c_str(c"x"), view::int(7)], view::int(index.into()));
            let ways: [(&str, &Owned, Vec<TVMFFIAny>); 5] = [
                ("an initialiser without arguments", &init, vec![]),
                ("an initialiser without names", &init, vec![sentinel.any()]),
                ("an initialiser with a name", &init, vec![sentinel.any(), named[0], named[1]]),
                ("ffi.MakeObjectFromPackedArgs without names", &make, vec![own]),
                ("ffi.MakeObjectFromPackedArgs with a name", &make, vec![own, named[0], named[1]]),
            ];
            let mut instances = Vec::new();
            for (way, function, args) in ways.iter().flat_map(|way| [way, way, way]) {
                t.clause(if way.starts_with("ffi.") { id::DCL_0017 } else { id::DCL_0005 });
                let _ = objects_made();
                let instance = t.call(function, args)?;
                let what = format!("of a type {depth} levels below the field's, set by {setter}, made by {way}");
                let made = objects_made();
                t.eq(format_args!("objects that the factory has made for an instance {what}"), made.len(), 1)?;
                let expected = TVMFFIAny::new(kTVMFFIObject, made[0] as u64);
                t.any_eq(format_args!("the field of an instance {what}"), &Point::read(t, &instance)?.v, &expected)?;
                instances.push(instance);
            }
        }
    }
    Ok(())
}

/// A factory of objects, each of which is a new one.
const ANSWER_NEW_OBJECT: Body = |_, _| {
    let object = Homemade::new(kTVMFFIObject, ());
    MADE.lock().unwrap_or_else(PoisonError::into_inner).push(object.handle() as usize);
    Some(object.view())
};

/// The objects that the factory has made.
static MADE: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// The objects that the factory has made since this was asked last.
fn objects_made() -> Vec<usize> {
    std::mem::take(&mut *MADE.lock().unwrap_or_else(PoisonError::into_inner))
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
