//! Generated initialisers: the order of parameters, defaults, names, and what is refused.

use std::{
    mem::offset_of,
    sync::{Mutex, PoisonError, atomic::Ordering::Relaxed},
};

use tvm_ffi_spec::{clause::id, *};

use super::frontend_class::{
    CREATED, ENDED, FACTORY_CALLS, MOST_ARGUMENTS, NO_ROOM, OTHER_NAMES, Point, RESULT_BEFORE, TYPE, UNLUCKY, declare,
    declare_with, fail_to_create, given, holds, number, ratio, set_by_function, set_value_by_function, sets, value,
    with_default, with_factory, with_failing_factory,
};
use crate::{
    checks::check,
    client::{
        Owned, Raised, Verdict,
        callback::{self, Body},
        containers::keys::text_object,
        forms,
        homemade::{Homemade, release},
        reflected, types, view,
    },
    trial::Trial,
};

/// A generated initialiser sets the fields to its arguments, in the order in which the fields were registered.
#[check(DCL_0001)]
fn init(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), ratio(b"r"), value(b"v")])?;
    let object = Homemade::new(kTVMFFIError, ());
    let point = init.call(t, &[view::int(7), view::float(0.5), object.view()])?;
    t.type_index_eq("type_index of the instance", point.any().type_index, init.index)?;
    holds(t, &point, 7, 0.5, &object.view())?;
    t.eq("strong count of v", object.counts().0, 2)
}

/// A generated initialiser calls the setter of each field once.
#[check(DCL_0001)]
fn init_uses_setters(t: &Trial) -> Verdict {
    let init = Init::of(t, &[ratio(b"r"), number(b"x"), value(b"v")])?;
    let point = init.call(t, &[view::float(0.5), view::int(7), view::bool(true)])?;
    holds(t, &point, 7, 0.5, &view::bool(true))?;
    let mut set = sets().clone();
    set.sort_unstable();
    t.eq("fields that were set", set, vec![offset_of!(Point, x), offset_of!(Point, r), offset_of!(Point, v)])
}

/// ffi._RegisterFFIInit puts a function into a type's entry of `__ffi_init__`, and answers None.
#[check(DCL_0001)]
fn init_is_an_attribute(t: &Trial) -> Verdict {
    let index = declare(t, "verify.Point", kTVMFFIObject, &[number(b"x")])?;
    t.any_eq("initialiser before", &reflected::attribute(t, "__ffi_init__", index)?, &TVMFFIAny::NONE)?;
    let answer = t.call_global("ffi._RegisterFFIInit", &[view::int(index.into())])?;
    t.any_eq("answer of ffi._RegisterFFIInit", &answer.any(), &TVMFFIAny::NONE)?;
    let init = reflected::attribute(t, "__ffi_init__", index)?;
    t.type_index_eq("type_index of the initialiser", init.type_index, kTVMFFIFunction)
}

/// The instance that a generated initialiser makes belongs to the caller alone.
#[check(DCL_0002)]
fn init_owns(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    let point = init.call(t, &[view::int(7)])?;
    t.eq("strong and weak count of the instance", t.counts(point.handle())?, (1, 1))?;
    t.eq("instances that the creator made", CREATED.load(Relaxed), 1)?;
    drop(point);
    t.eq("instances that came to their end", ENDED.load(Relaxed), 1)
}

/// A generated initialiser takes the parameters without a default first, then those with one.
#[check(DCL_0003)]
fn required_first(t: &Trial) -> Verdict {
    let init = Init::of(t, &[with_default(number(b"x"), view::int(40)), ratio(b"r"), value(b"v")])?;
    let three = init.call(t, &[view::float(0.5), view::bool(true), view::int(7)])?;
    holds(t, &three, 7, 0.5, &view::bool(true))?;
    let two = init.call(t, &[view::float(0.5), view::bool(true)])?;
    holds(t, &two, 40, 0.5, &view::bool(true))
}

/// A generated initialiser sets a field that is given no argument to its default.
#[check(DCL_0004)]
fn default(t: &Trial) -> Verdict {
    let text = view::c_str(c"a text of more than seven bytes");
    let fields = [number(b"x"), with_default(ratio(b"r"), view::float(0.25)), with_default(value(b"v"), text)];
    let init = Init::of(t, &fields)?;
    let point = init.call(t, &[view::int(7)])?;
    let Point { x, r, v, .. } = Point::read(t, &point)?;
    t.eq("x and r", (x, r), (7, 0.25))?;
    t.eq("v", t.text(&v)?.as_slice(), b"a text of more than seven bytes")?;
    let other = init.call(t, &[view::int(7), view::float(0.75), view::int(1)])?;
    holds(t, &other, 7, 0.75, &view::int(1))
}

/// All instances that a generated initialiser makes share a default that is an object.
#[check(DCL_0004)]
fn default_object(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    let init = Init::of(t, &[with_default(value(b"v"), object.view())])?;
    let before = object.counts();
    let (one, other) = (init.call(t, &[])?, init.call(t, &[])?);
    t.any_eq("v", &Point::read(t, &one)?.v, &object.view())?;
    t.any_eq("v of the other", &Point::read(t, &other)?.v, &object.view())?;
    t.eq("strong count of the default", object.counts().0, before.0 + 2)?;
    drop((one, other));
    t.eq("counts of the default", object.counts(), before)
}

/// A generated initialiser calls a field's default factory once for each instance that it makes.
#[check(DCL_0005)]
fn factory(t: &Trial) -> Verdict {
    let init = Init::of(t, &[with_factory(t, value(b"v"))?])?;
    for round in 1..4 {
        let point = init.call(t, &[])?;
        t.any_eq("v", &Point::read(t, &point)?.v, &view::int(round))?;
    }
    t.eq("calls of the factory", FACTORY_CALLS.load(Relaxed), 3)
}

/// A default factory may make another instance by the same initialiser, or fail to: each instance has the values that it was given.
#[check(DCL_0001, DCL_0004, DCL_0006)]
fn factory_makes_another(t: &Trial) -> Verdict {
    /// The initialiser that the factory calls, if it does, and with what.
    static INNER: Mutex<Option<(usize, Vec<TVMFFIAny>)>> = Mutex::new(None);
    let another: Body = |api, _| {
        // Once: the inner instance may need a default, too.
        let inner = INNER.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((init, args)) = inner {
            match callback::call(api, init as TVMFFIObjectHandle, &args) {
                Some(made) => release(made.payload() as TVMFFIObjectHandle),
                None => api.release_raised(),
            }
        }
        Some(view::int(11))
    };
    let v = with_default(value(b"v"), t.callback(another)?.into_any());
    let v = TVMFFIFieldInfo { flags: v.flags | kTVMFFIFieldFlagBitMaskDefaultFromFactory, ..v };
    let init = Init::of(t, &[number(b"x"), v, ratio(b"r")])?;
    let (sentinel, seven, half) = (kwargs(t)?.any(), view::int(7), view::float(0.5));
    let (hundred, quarter, [x, r, v]) = (view::int(100), view::float(0.25), [c"x", c"r", c"v"].map(view::c_str));
    let inner: [&[TVMFFIAny]; 7] = [
        &[hundred, quarter, seven],
        &[hundred, quarter],
        &[sentinel, r, quarter, x, hundred],
        &[sentinel, v, seven, r, quarter, x, hundred],
        &[hundred, UNLUCKY],
        &[sentinel, x, UNLUCKY, r, quarter],
        &[],
    ];
    let outer: [&[TVMFFIAny]; 3] = [&[seven, half], &[seven, sentinel, r, half], &[sentinel, r, half, x, seven]];
    for (inner, outer) in inner.iter().flat_map(|inner| outer.map(|outer| (inner, outer))) {
        t.clause(if outer.len() == 2 { id::DCL_0001 } else { id::DCL_0006 });
        let calls = (init.function.handle() as usize, inner.to_vec());
        *INNER.lock().unwrap_or_else(PoisonError::into_inner) = Some(calls);
        holds(t, &init.call(t, outer)?, 7, 0.5, &view::int(11))?;
    }
    Ok(())
}

/// A default factory is called without arguments, and it and a setter that is a function object find no object in their
/// result.
#[check(DCL_0005, DCL_0017, FUN_0025)]
fn factory_and_setter_are_called_as_functions(t: &Trial) -> Verdict {
    let fields = [with_factory(t, value(b"v"))?, set_by_function(t, number(b"x"))?];
    let init = Init::of(t, &fields)?;
    init.call(t, &[view::int(7)])?;
    t.eq("arguments that the factory was called with", MOST_ARGUMENTS.load(Relaxed), 0)?;
    t.clause(id::DCL_0017);
    let args = [view::int(init.index.into()), view::c_str(c"x"), view::int(7)];
    t.call_global("ffi.MakeObjectFromPackedArgs", &args)?;
    t.eq("arguments that the factory was called with", MOST_ARGUMENTS.load(Relaxed), 0)?;
    t.clause(id::FUN_0025);
    let found = RESULT_BEFORE.load(Relaxed);
    t.that("the result of a factory and a setter before", found < kTVMFFIStaticObjectBegin, "less than 64", found)
}

/// Setters are given values of every kind and form without stray bytes, whoever makes the object and wherever the value is from.
#[check(ANY_0029)]
fn setters_are_given_whole_values(t: &Trial) -> Verdict {
    let samples = t.samples()?;
    let plain = [value(b"v"), set_value_by_function(t, value(b"v"))?];
    for (field, key) in plain.into_iter().zip(["verify.GivenToSetter", "verify.GivenToFunction"]) {
        let init = Init::new(t, declare(t, key, kTVMFFIObject, &[field])?)?;
        for sample in &samples {
            let _ = given();
            init.call(t, &[sample.any()])?;
            init.call(t, &[kwargs(t)?.any(), view::c_str(c"v"), sample.any()])?;
            let args = [view::int(init.index.into()), view::c_str(c"v"), sample.any()];
            t.call_global("ffi.MakeObjectFromPackedArgs", &args)?;
            let what = format!("what a setter is given of {}", sample.name);
            given().iter().try_for_each(|value| t.is_whole(&what, value))?;
        }
    }
    for (number, sample) in samples.iter().enumerate() {
        let (key, field) = (format!("verify.DefaultOfAnyKind{number}"), with_default(value(b"v"), sample.any()));
        let init = Init::new(t, declare(t, &key, kTVMFFIObject, &[field])?)?;
        let _ = given();
        init.call(t, &[])?;
        t.call_global("ffi.MakeObjectFromPackedArgs", &[view::int(init.index.into())])?;
        let what = format!("what a setter is given of a default that was {}", sample.name);
        given().iter().try_for_each(|value| t.is_whole(&what, value))?;
    }
    Ok(())
}

/// A generated initialiser does not call the default factory of a field that is given an argument.
#[check(DCL_0005)]
fn factory_is_not_called(t: &Trial) -> Verdict {
    let init = Init::of(t, &[with_factory(t, value(b"v"))?])?;
    init.call(t, &[view::int(70)])?;
    init.call(t, &[kwargs(t)?.any(), view::c_str(c"v"), view::int(70)])?;
    t.eq("calls of the factory", FACTORY_CALLS.load(Relaxed), 0)
}

/// A generated initialiser takes names, in every form of a text, and values in any order after the object of ffi.GetKwargsObject.
#[check(DCL_0006)]
fn keywords(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), ratio(b"r"), value(b"v")])?;
    let sentinel = kwargs(t)?;
    let pairs = [(c"x", view::int(7)), (c"r", view::float(0.5)), (c"v", view::bool(true))];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let mut args = vec![sentinel.any()];
        args.extend(order.iter().flat_map(|&place: &usize| [view::c_str(pairs[place].0), pairs[place].1]));
        let point = init.call(t, &args)?;
        holds(t, &point, 7, 0.5, &view::bool(true))?;
    }
    let names = pairs.map(|(name, _)| forms::of_string(name.to_bytes()));
    (0..names[0].len()).try_for_each(|form| {
        let mut args = vec![sentinel.any()];
        args.extend(names.iter().zip(pairs).flat_map(|(name, (_, value))| [name[form].view, value]));
        holds(t, &init.call(t, &args)?, 7, 0.5, &view::bool(true))
    })
}

/// A generated initialiser takes positional arguments before the object of ffi.GetKwargsObject.
#[check(DCL_0006)]
fn keywords_after_positions(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), with_default(ratio(b"r"), view::float(0.25)), value(b"v")])?;
    // The positional parameters are x, v and then r, which has a default.
    let (sentinel, x, v) = (kwargs(t)?.any(), view::int(7), view::bool(true));
    for args in [
        &[x, sentinel, view::c_str(c"v"), v][..],
        &[x, v, sentinel],
        &[sentinel, view::c_str(c"v"), v, view::c_str(c"x"), x],
        &[x, sentinel, view::c_str(c"r"), view::float(0.25), view::c_str(c"v"), v],
    ] {
        holds(t, &init.call(t, args)?, 7, 0.25, &v)?;
    }
    Ok(())
}

/// None is an argument like any other to a generated initialiser: a parameter that is given None does not get its default.
#[check(DCL_0006, DCL_0001)]
fn none_is_an_argument(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), ratio(b"r"), with_default(value(b"v"), view::int(11))])?;
    let (sentinel, x, r, none) = (kwargs(t)?.any(), view::int(7), view::float(0.5), TVMFFIAny::NONE);
    for (clause, args) in [
        (id::DCL_0001, &[x, r, none][..]),
        (id::DCL_0006, &[x, r, sentinel, view::c_str(c"v"), none]),
        (id::DCL_0006, &[sentinel, view::c_str(c"v"), none, view::c_str(c"r"), r, view::c_str(c"x"), x]),
    ] {
        t.clause(clause);
        holds(t, &init.call(t, args)?, 7, 0.5, &none)?;
    }
    holds(t, &init.call(t, &[x, r])?, 7, 0.5, &view::int(11))
}

/// A generated initialiser takes the argument of a keyword-only field by name, and not by position.
#[check(DCL_0007)]
fn keyword_only(t: &Trial) -> Verdict {
    let x = TVMFFIFieldInfo { flags: kTVMFFIFieldFlagBitMaskKwOnly, ..number(b"x") };
    let init = Init::of(t, &[x, ratio(b"r")])?;
    let (sentinel, ratio) = (kwargs(t)?.any(), view::float(0.5));
    let point = init.call(t, &[ratio, sentinel, view::c_str(c"x"), view::int(7)])?;
    holds(t, &point, 7, 0.5, &TVMFFIAny::NONE)?;
    t.clause(id::DCL_0009);
    init.fails(t, &[ratio], &[])?;
    init.fails(t, &[ratio, view::int(7)], &[]).map(drop)
}

/// A generated initialiser takes no argument for a field marked as no parameter, and leaves it as the creator did.
#[check(DCL_0008)]
fn no_parameter(t: &Trial) -> Verdict {
    let r = TVMFFIFieldInfo { flags: kTVMFFIFieldFlagBitMaskInitOff, ..ratio(b"r") };
    let init = Init::of(t, &[number(b"x"), r, value(b"v")])?;
    let point = init.call(t, &[view::int(7), view::bool(true)])?;
    holds(t, &point, 7, 1.5, &view::bool(true))?;
    let args = [kwargs(t)?.any(), view::c_str(c"r"), view::float(0.5)];
    init.fails(t, &[&[view::int(7), view::bool(true)], &args[..]].concat(), &[]).map(drop)
}

/// A generated initialiser sets a field marked as no parameter to its default.
#[check(DCL_0008)]
fn no_parameter_with_default(t: &Trial) -> Verdict {
    let r = with_default(ratio(b"r"), view::float(0.25));
    let r = TVMFFIFieldInfo { flags: r.flags | kTVMFFIFieldFlagBitMaskInitOff, ..r };
    let init = Init::of(t, &[r, number(b"x")])?;
    let point = init.call(t, &[view::int(7)])?;
    holds(t, &point, 7, 0.25, &TVMFFIAny::NONE)
}

/// A generated initialiser refuses more positional arguments than it has parameters.
#[check(DCL_0009)]
fn too_many(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), with_default(ratio(b"r"), view::float(0.25))])?;
    let args = [view::int(7), view::float(0.5), view::int(1), view::int(1)];
    init.fails(t, &args[..3], &[])?;
    init.fails(t, &args, &[])?;
    init.fails(t, &[&args[..3], &[kwargs(t)?.any()]].concat(), &[]).map(drop)
}

/// A generated initialiser refuses a call without an argument for a field that has no default.
#[check(DCL_0009)]
fn too_few(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), with_default(ratio(b"r"), view::float(0.25)), value(b"v")])?;
    let sentinel = kwargs(t)?.any();
    for args in [&[][..], &[view::int(7)], &[sentinel], &[sentinel, view::c_str(c"v"), view::int(7)]] {
        init.fails(t, args, &[])?;
    }
    Ok(())
}

/// A generated initialiser refuses a name that no field has.
#[check(DCL_0009)]
fn unknown_name(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    let sentinel = kwargs(t)?.any();
    for name in OTHER_NAMES {
        // As the target makes them, the short ones are small Strings.
        let (given, object) = (t.string(name)?, text_object(kTVMFFIStr, name));
        for name in [given.any(), object.view()] {
            init.fails(t, &[view::int(7), sentinel, name, view::int(1)], &[])?;
            init.fails(t, &[sentinel, name, view::int(7)], &[])?;
        }
    }
    init.fails(t, &[view::int(7), sentinel, view::c_str(c"y"), view::int(1)], &[]).map(drop)
}

/// A generated initialiser refuses a second argument for a field.
#[check(DCL_0009)]
fn given_twice(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    let (sentinel, x, seven) = (kwargs(t)?.any(), view::c_str(c"x"), view::int(7));
    init.fails(t, &[seven, sentinel, x, seven], &[])?;
    init.fails(t, &[sentinel, x, seven, x, seven], &[]).map(drop)
}

/// A generated initialiser refuses a name without a value.
#[check(DCL_0009)]
fn name_without_value(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), with_default(ratio(b"r"), view::float(0.25))])?;
    let (sentinel, x, seven) = (kwargs(t)?.any(), view::c_str(c"x"), view::int(7));
    init.fails(t, &[sentinel, x], &[])?;
    init.fails(t, &[seven, sentinel, view::c_str(c"r")], &[]).map(drop)
}

/// The error of a generated initialiser that refuses its arguments by number or by name is a TypeError.
#[check(DCL_0026)]
fn refusals_are_type_errors(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    let (sentinel, x, y, seven) = (kwargs(t)?.any(), view::c_str(c"x"), view::c_str(c"y"), view::int(7));
    let calls: [&[TVMFFIAny]; 5] =
        [&[], &[seven, seven], &[sentinel, y, seven], &[seven, sentinel, x, seven], &[sentinel, x]];
    calls.into_iter().try_for_each(|args| init.fails(t, args, &["TypeError"]).map(drop))
}

/// A generated initialiser fails when the setter of a field refuses the argument, and takes the next right one.
#[check(DCL_0010)]
fn setter_fails(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    init.fails(t, &[UNLUCKY], &[])?;
    init.fails(t, &[view::float(1.5)], &[])?;
    init.fails(t, &[kwargs(t)?.any(), view::c_str(c"x"), UNLUCKY], &[])?;
    init.call(t, &[view::int(7)]).map(drop)
}

/// A call of a generated initialiser comes to the same whatever call of it has failed on the thread before, and why.
#[check(DCL_0006)]
fn failure_is_forgotten(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), ratio(b"r"), with_default(value(b"v"), view::int(11))])?;
    let other = Init::new(t, declare(t, "verify.AnotherPoint", kTVMFFIObject, &[number(b"x"), ratio(b"r")])?)?;
    let [x, r, v, nobody] = [c"x", c"r", c"v", c"nobody"].map(view::c_str);
    let (sentinel, seven, half) = (kwargs(t)?.any(), view::int(7), view::float(0.5));
    let failing: [&[TVMFFIAny]; 12] = [
        &[sentinel, x, UNLUCKY, r, half],
        &[sentinel, r, half, x, UNLUCKY],
        &[sentinel, v, seven, r, half, x, UNLUCKY],
        &[UNLUCKY, half],
        &[seven, view::c_str(c"no number")],
        &[sentinel, x, seven],
        &[sentinel, x, seven, r, half, nobody, seven],
        &[sentinel, x, seven, x, seven, r, half],
        &[seven, sentinel, x, seven, r, half],
        &[sentinel, x, seven, r],
        &[seven, half, seven, seven],
        &[],
    ];
    let right: [&[TVMFFIAny]; 4] =
        [&[sentinel, x, seven, r, half], &[sentinel, r, half, x, seven], &[seven, sentinel, r, half], &[seven, half]];
    for (wrong, right) in failing.iter().flat_map(|wrong| right.map(|right| (wrong, right))) {
        init.fails(t, wrong, &[])?;
        holds(t, &init.call(t, right)?, 7, 0.5, &view::int(11))?;
        init.fails(t, wrong, &[])?;
        holds(t, &other.call(t, right)?, 7, 0.5, &TVMFFIAny::NONE)?;
    }
    Ok(())
}

/// A generated initialiser fails when the setter of a field refuses the field's default.
#[check(DCL_0010)]
fn default_is_refused(t: &Trial) -> Verdict {
    let x = with_default(number(b"x"), UNLUCKY);
    let init = Init::of(t, &[x, value(b"v")])?;
    init.fails(t, &[view::int(1)], &[])?;
    t.eq("instances that came to their end", ENDED.load(Relaxed), CREATED.load(Relaxed))?;
    holds(t, &init.call(t, &[view::int(1), view::int(7)])?, 7, 1.5, &view::int(1))
}

/// A generated initialiser fails when the setter refuses the default of a field that is marked as no parameter.
#[check(DCL_0010)]
fn default_of_no_parameter_is_refused(t: &Trial) -> Verdict {
    let x = with_default(number(b"x"), UNLUCKY);
    let x = TVMFFIFieldInfo { flags: x.flags | kTVMFFIFieldFlagBitMaskInitOff, ..x };
    let init = Init::of(t, &[x])?;
    init.fails(t, &[], &[])?;
    t.eq("instances that came to their end", ENDED.load(Relaxed), CREATED.load(Relaxed))
}

/// A generated initialiser fails when a default factory fails.
#[check(DCL_0010)]
fn factory_fails(t: &Trial) -> Verdict {
    let init = Init::of(t, &[value(b"v"), with_failing_factory(t, number(b"x"))?])?;
    let object = Homemade::new(kTVMFFIError, ());
    init.fails(t, &[object.view()], &[])?;
    t.eq("instances that came to their end", ENDED.load(Relaxed), CREATED.load(Relaxed))?;
    t.eq("counts of the argument", object.counts(), (1, 1))?;
    holds(t, &init.call(t, &[object.view(), view::int(7)])?, 7, 1.5, &object.view())
}

/// The error of a generated initialiser has the kind of the error of the setter that failed.
#[check(DCL_0026)]
fn setter_error_keeps_its_kind(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    init.fails(t, &[UNLUCKY], &["KeyError"])?;
    init.fails(t, &[view::float(1.5)], &["TypeError"])?;
    init.fails(t, &[kwargs(t)?.any(), view::c_str(c"x"), UNLUCKY], &["KeyError"]).map(drop)
}

/// The error of a generated initialiser has a well-formed backtrace, whether its cause is the setter's or its own.
#[check(BTR_0010)]
fn errors_have_backtraces(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    for args in [&[UNLUCKY][..], &[view::float(1.5)], &[], &[view::int(1), view::int(2)]] {
        t.well_formed(&init.fails(t, args, &[])?.backtrace)?;
    }
    Ok(())
}

/// A generated initialiser fails with the error of a creator that fails.
#[check(DCL_0027)]
fn creator_fails(t: &Trial) -> Verdict {
    let index = declare_with(t, "verify.Point", kTVMFFIObject, &[value(b"v")], Some(fail_to_create))?;
    let (init, object) = (Init::new(t, index)?, Homemade::new(kTVMFFIError, ()));
    let raised = init.fails(t, &[object.view()], &["MemoryError"])?;
    t.that("message", raised.message.contains(NO_ROOM), NO_ROOM, &raised.message)?;
    t.eq("counts of the argument", object.counts(), (1, 1))
}

/// A generated initialiser takes no argument, by place or by name, for a field marked as no parameter and keyword-only.
#[check(DCL_0028)]
fn no_parameter_and_keyword_only(t: &Trial) -> Verdict {
    let flags = kTVMFFIFieldFlagBitMaskInitOff | kTVMFFIFieldFlagBitMaskKwOnly;
    let r = TVMFFIFieldInfo { flags, ..ratio(b"r") };
    let init = Init::of(t, &[number(b"x"), r])?;
    holds(t, &init.call(t, &[view::int(7)])?, 7, 1.5, &TVMFFIAny::NONE)?;
    init.fails(t, &[view::int(7), view::float(0.5)], &[])?;
    init.fails(t, &[view::int(7), kwargs(t)?.any(), view::c_str(c"r"), view::float(0.5)], &[]).map(drop)
}

/// The message of a generated initialiser's error names the argument that is missing or wrong.
#[check(DCL_0011)]
fn message_names_argument(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"abscissa"), value(b"ordinate")])?;
    let (sentinel, seven) = (kwargs(t)?.any(), view::int(7));
    for (args, name) in [
        (&[seven][..], "ordinate"),
        (&[seven, seven, sentinel, view::c_str(c"altitude"), seven], "altitude"),
        (&[seven, sentinel, view::c_str(c"abscissa"), seven], "abscissa"),
        (&[UNLUCKY, seven], "abscissa"),
    ] {
        let message = init.fails(t, args, &[])?.message;
        t.that("message", message.contains(name), format_args!("{name} in it"), message)?;
    }
    Ok(())
}

/// The error of a generated initialiser has the error of the setter that failed as its cause.
#[check(DCL_0012)]
fn setter_error_is_cause(t: &Trial) -> Verdict {
    let raised = Init::of(t, &[number(b"x")])?.fails(t, &[UNLUCKY], &[])?;
    let cell: TVMFFIErrorCell = t.cell("error", raised.object.handle())?;
    t.that("cause of the error", !cell.cause_chain.is_null(), "the setter's error", "NULL")?;
    let cause: TVMFFIErrorCell = t.cell("cause", cell.cause_chain)?;
    t.eq(
        "message of the cause",
        reflected::text(t, "message of the cause", cause.message)?.as_str(),
        "an unlucky number",
    )
}

/// A generated initialiser sets inherited fields as well, and takes their arguments before those of the type's own.
#[check(DCL_0013)]
fn inherited(t: &Trial) -> Verdict {
    let parent =
        declare(t, "verify.Parent", kTVMFFIObject, &[with_default(ratio(b"r"), view::float(0.25)), number(b"x")])?;
    let init = Init::new(t, declare(t, "verify.Child", parent, &[value(b"v")])?)?;
    // The parameters are x of the parent and v of the child, and then r, which has a default.
    let point = init.call(t, &[view::int(7), view::bool(true), view::float(0.5)])?;
    t.type_index_eq("type_index of the instance", point.any().type_index, init.index)?;
    holds(t, &point, 7, 0.5, &view::bool(true))
}

/// A generated initialiser calls a setter that is a function object with a pointer to the field and the value.
#[check(DCL_0014)]
fn function_setter(t: &Trial) -> Verdict {
    let init = Init::of(t, &[set_by_function(t, number(b"x"))?, ratio(b"r")])?;
    let point = init.call(t, &[view::int(7), view::float(0.5)])?;
    holds(t, &point, 700, 0.5, &TVMFFIAny::NONE)?;
    init.fails(t, &[UNLUCKY, view::float(0.5)], &[]).map(drop)
}

/// A generated initialiser that fails ends the instance and keeps no reference to its arguments.
#[check(DCL_0015)]
fn failed_init(t: &Trial) -> Verdict {
    let init = Init::of(t, &[value(b"v"), number(b"x")])?;
    let object = Homemade::new(kTVMFFIError, ());
    let (sentinel, v) = (kwargs(t)?.any(), object.view());
    for args in [&[v][..], &[v, UNLUCKY], &[v, v], &[v, v, v], &[v, sentinel, view::c_str(c"y"), v]] {
        init.fails(t, args, &[])?;
        t.eq("counts of the argument", object.counts(), (1, 1))?;
        t.eq("instances that came to their end", ENDED.load(Relaxed), CREATED.load(Relaxed))?;
    }
    Ok(())
}

/// Calls of a generated initialiser, successful or failed, do not make the heap grow.
#[check(DCL_0015, patient = 2)]
fn init_no_growth(t: &Trial) -> Verdict {
    let init = Init::of(t, &[value(b"v"), with_default(number(b"x"), view::int(1))])?;
    let (text, sentinel) = (view::c_str(c"a text of more than seven bytes"), kwargs(t)?.any());
    t.no_growth("memory for instances", || {
        sets().clear();
        init.call(t, &[text])?;
        init.call(t, &[sentinel, view::c_str(c"v"), text])?;
        init.fails(t, &[text, UNLUCKY], &[]).map(drop)
    })
}

/// A generated initialiser.
struct Init {
    index: i32,
    function: Owned,
}

impl Init {
    /// That of a new type with these fields.
    fn of(t: &Trial, fields: &[TVMFFIFieldInfo]) -> Verdict<Self> {
        Self::new(t, declare(t, "verify.Point", kTVMFFIObject, fields)?)
    }

    fn new(t: &Trial, index: i32) -> Verdict<Self> {
        t.call_global("ffi._RegisterFFIInit", &[view::int(index.into())])?;
        Ok(Self { index, function: types::function_in(t, "__ffi_init__", index)? })
    }

    fn call(&self, t: &Trial, args: &[TVMFFIAny]) -> Verdict<Owned> {
        self.is_what_is_created();
        t.call(&self.function, args)
    }

    fn fails(&self, t: &Trial, args: &[TVMFFIAny], kinds: &[&str]) -> Verdict<Raised> {
        self.is_what_is_created();
        t.call_fails(&self.function, args, kinds)
    }

    /// Has the creator of points make those of this type, whichever was declared last.
    fn is_what_is_created(&self) {
        TYPE.store(self.index, Relaxed);
    }
}

/// The object after which arguments are names and values.
fn kwargs(t: &Trial) -> Verdict<Owned> {
    t.call_global("ffi.GetKwargsObject", &[])
}
