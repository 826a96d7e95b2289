//! Types that clients declare: generated initialisers, getters and setters, and the classes of Python.
//!
//! The type declared here is a [`Point`], written as a client would write it: with a creator, getters and setters of its
//! own. It counts the points that were made and that came to their end.

use std::{
    ffi::{CStr, c_int, c_void},
    mem::offset_of,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicI32, AtomicUsize, Ordering::Relaxed},
    },
};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Raised, Verdict,
        homemade::{self, Homemade},
        reflected, view,
    },
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

// ---------------------------------------------------------------------------------------------------------------------
// Generated initialisers
// ---------------------------------------------------------------------------------------------------------------------

/// An initialiser sets the fields in order.
#[check(DCL_0001)]
fn init(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), ratio(b"r"), value(b"v")])?;
    let object = Homemade::new(kTVMFFIError, ());
    let point = init.call(t, &[view::int(7), view::float(0.5), object.view()])?;
    t.eq("type_index of the instance", point.any().type_index, init.index)?;
    t.eq("x, r and v", Point::of(t, &point)?, (7, 0.5, object.view().to_bytes()))?;
    t.eq("strong count of v", object.counts().0, 2)
}

/// An initialiser goes through the setters.
#[check(DCL_0001)]
fn init_uses_setters(t: &Trial) -> Verdict {
    let init = Init::of(t, &[ratio(b"r"), number(b"x"), value(b"v")])?;
    let point = init.call(t, &[view::float(0.5), view::int(7), view::bool(true)])?;
    t.eq("x, r and v", Point::of(t, &point)?, (7, 0.5, view::bool(true).to_bytes()))?;
    let mut set = sets();
    set.sort_unstable();
    t.eq("fields that were set", set, vec![offset_of!(Point, x), offset_of!(Point, r), offset_of!(Point, v)])
}

/// The initialiser is in its column.
#[check(DCL_0001)]
fn init_is_an_attribute(t: &Trial) -> Verdict {
    let index = declare(t, "verify.Point", kTVMFFIObject, &[number(b"x")])?;
    t.any_eq("initialiser before", &reflected::attribute(t, "__ffi_init__", index)?, &TVMFFIAny::NONE)?;
    let answer = t.call_global("ffi._RegisterFFIInit", &[view::int(index.into())])?;
    t.any_eq("answer of ffi._RegisterFFIInit", &answer.any(), &TVMFFIAny::NONE)?;
    let init = reflected::attribute(t, "__ffi_init__", index)?;
    t.eq("type_index of the initialiser", init.type_index, kTVMFFIFunction)
}

/// The new instance is the caller's alone.
#[check(DCL_0002)]
fn init_owns(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    let point = init.call(t, &[view::int(7)])?;
    t.eq("strong and weak count of the instance", t.counts(point.handle())?, (1, 1))?;
    t.eq("instances that the creator made", CREATED.load(Relaxed), 1)?;
    drop(point);
    t.eq("instances that came to their end", ENDED.load(Relaxed), 1)
}

/// Parameters without a default come first.
#[check(DCL_0003)]
fn required_first(t: &Trial) -> Verdict {
    let init = Init::of(t, &[with_default(number(b"x"), view::int(40)), ratio(b"r"), value(b"v")])?;
    let three = init.call(t, &[view::float(0.5), view::bool(true), view::int(7)])?;
    t.eq("x, r and v", Point::of(t, &three)?, (7, 0.5, view::bool(true).to_bytes()))?;
    let two = init.call(t, &[view::float(0.5), view::bool(true)])?;
    t.eq("x, r and v", Point::of(t, &two)?, (40, 0.5, view::bool(true).to_bytes()))
}

/// A field that is left out has its default.
#[check(DCL_0004)]
fn default(t: &Trial) -> Verdict {
    let text = view::c_str(c"a text of more than seven bytes");
    let fields = [number(b"x"), with_default(ratio(b"r"), view::float(0.25)), with_default(value(b"v"), text)];
    let init = Init::of(t, &fields)?;
    let point = init.call(t, &[view::int(7)])?;
    let (x, r, v) = Point::of(t, &point)?;
    t.eq("x and r", (x, r), (7, 0.25))?;
    t.eq("v", t.text(&any_of(v))?.as_slice(), b"a text of more than seven bytes")?;
    let other = init.call(t, &[view::int(7), view::float(0.75), view::int(1)])?;
    t.eq("x, r and v that were given", Point::of(t, &other)?, (7, 0.75, view::int(1).to_bytes()))
}

/// Instances share a default that is an object.
#[check(DCL_0004)]
fn default_object(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    let init = Init::of(t, &[with_default(value(b"v"), object.view())])?;
    let before = object.counts();
    let (one, other) = (init.call(t, &[])?, init.call(t, &[])?);
    t.eq("v", Point::of(t, &one)?.2, object.view().to_bytes())?;
    t.eq("v of the other", Point::of(t, &other)?.2, object.view().to_bytes())?;
    t.eq("strong count of the default", object.counts().0, before.0 + 2)?;
    drop((one, other));
    t.eq("counts of the default", object.counts(), before)
}

/// A factory makes a default for each instance.
#[check(DCL_0005)]
fn factory(t: &Trial) -> Verdict {
    let init = Init::of(t, &[with_factory(t, value(b"v"))?])?;
    for round in 1..4 {
        let point = init.call(t, &[])?;
        t.eq("v", Point::of(t, &point)?.2, view::int(round).to_bytes())?;
    }
    t.eq("calls of the factory", FACTORY_CALLS.load(Relaxed), 3)
}

/// A given field needs no factory.
#[check(DCL_0005)]
fn factory_is_not_called(t: &Trial) -> Verdict {
    let init = Init::of(t, &[with_factory(t, value(b"v"))?])?;
    init.call(t, &[view::int(70)])?;
    init.call(t, &[kwargs(t)?.any(), view::c_str(c"v"), view::int(70)])?;
    t.eq("calls of the factory", FACTORY_CALLS.load(Relaxed), 0)
}

/// Arguments are given by name.
#[check(DCL_0006)]
fn keywords(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), ratio(b"r"), value(b"v")])?;
    let sentinel = kwargs(t)?;
    let pairs = [(c"x", view::int(7)), (c"r", view::float(0.5)), (c"v", view::bool(true))];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let mut args = vec![sentinel.any()];
        args.extend(order.iter().flat_map(|&place: &usize| [view::c_str(pairs[place].0), pairs[place].1]));
        let point = init.call(t, &args)?;
        t.eq("x, r and v", Point::of(t, &point)?, (7, 0.5, view::bool(true).to_bytes()))?;
    }
    let names = [t.string(b"x")?, t.string(b"r")?, t.string(b"v")?];
    let mut args = vec![sentinel.any()];
    args.extend(names.iter().zip(pairs).flat_map(|(name, (_, value))| [name.any(), value]));
    let point = init.call(t, &args)?;
    t.eq("x, r and v", Point::of(t, &point)?, (7, 0.5, view::bool(true).to_bytes()))
}

/// Names follow positions.
#[check(DCL_0006)]
fn keywords_after_positions(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), with_default(ratio(b"r"), view::float(0.25)), value(b"v")])?;
    // In the order of positions: x, v, r.
    let (sentinel, x, v) = (kwargs(t)?.any(), view::int(7), view::bool(true));
    for args in [
        &[x, sentinel, view::c_str(c"v"), v][..],
        &[x, v, sentinel],
        &[sentinel, view::c_str(c"v"), v, view::c_str(c"x"), x],
        &[x, sentinel, view::c_str(c"r"), view::float(0.25), view::c_str(c"v"), v],
    ] {
        t.eq("x, r and v", Point::of(t, &init.call(t, args)?)?, (7, 0.25, v.to_bytes()))?;
    }
    Ok(())
}

/// A keyword-only field has no position.
#[check(DCL_0007)]
fn keyword_only(t: &Trial) -> Verdict {
    let x = TVMFFIFieldInfo { flags: kTVMFFIFieldFlagBitMaskKwOnly, ..number(b"x") };
    let init = Init::of(t, &[x, ratio(b"r")])?;
    let (sentinel, ratio) = (kwargs(t)?.any(), view::float(0.5));
    let point = init.call(t, &[ratio, sentinel, view::c_str(c"x"), view::int(7)])?;
    t.eq("x, r and v", Point::of(t, &point)?, (7, 0.5, [0; 16]))?;
    t.clause(id::DCL_0009);
    init.fails(t, &[ratio], &["TypeError"])?;
    init.fails(t, &[ratio, view::int(7)], &["TypeError"]).map(drop)
}

/// A field may be no parameter.
#[check(DCL_0008)]
fn no_parameter(t: &Trial) -> Verdict {
    let r = TVMFFIFieldInfo { flags: kTVMFFIFieldFlagBitMaskInitOff, ..ratio(b"r") };
    let init = Init::of(t, &[number(b"x"), r, value(b"v")])?;
    let point = init.call(t, &[view::int(7), view::bool(true)])?;
    t.eq("x, r as the creator left it, and v", Point::of(t, &point)?, (7, 1.5, view::bool(true).to_bytes()))?;
    let args = [kwargs(t)?.any(), view::c_str(c"r"), view::float(0.5)];
    init.fails(t, &[&[view::int(7), view::bool(true)], &args[..]].concat(), &["TypeError"]).map(drop)
}

/// Such a field may have a default.
#[check(DCL_0008)]
fn no_parameter_with_default(t: &Trial) -> Verdict {
    let r = with_default(ratio(b"r"), view::float(0.25));
    let r = TVMFFIFieldInfo { flags: r.flags | kTVMFFIFieldFlagBitMaskInitOff, ..r };
    let init = Init::of(t, &[r, number(b"x")])?;
    let point = init.call(t, &[view::int(7)])?;
    t.eq("x, the default of r, and v", Point::of(t, &point)?, (7, 0.25, [0; 16]))
}

/// Too many arguments are refused.
#[check(DCL_0009)]
fn too_many(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), with_default(ratio(b"r"), view::float(0.25))])?;
    let args = [view::int(7), view::float(0.5), view::int(1), view::int(1)];
    init.fails(t, &args[..3], &["TypeError"])?;
    init.fails(t, &args, &["TypeError"])?;
    init.fails(t, &[&args[..3], &[kwargs(t)?.any()]].concat(), &["TypeError"]).map(drop)
}

/// A missing argument is refused.
#[check(DCL_0009)]
fn too_few(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), with_default(ratio(b"r"), view::float(0.25)), value(b"v")])?;
    let sentinel = kwargs(t)?.any();
    for args in [&[][..], &[view::int(7)], &[sentinel], &[sentinel, view::c_str(c"v"), view::int(7)]] {
        init.fails(t, args, &["TypeError"])?;
    }
    Ok(())
}

/// An unknown name is refused.
#[check(DCL_0009)]
fn unknown_name(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    for name in [c"y", c"", c"xx", c"X"] {
        let args = [view::int(7), kwargs(t)?.any(), view::c_str(name), view::int(1)];
        init.fails(t, &args, &["TypeError"])?;
    }
    Ok(())
}

/// An argument that is given twice is refused.
#[check(DCL_0009)]
fn given_twice(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    let (sentinel, x, seven) = (kwargs(t)?.any(), view::c_str(c"x"), view::int(7));
    init.fails(t, &[seven, sentinel, x, seven], &["TypeError"])?;
    init.fails(t, &[sentinel, x, seven, x, seven], &["TypeError"]).map(drop)
}

/// A name without a value is refused.
#[check(DCL_0009)]
fn name_without_value(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x"), with_default(ratio(b"r"), view::float(0.25))])?;
    let (sentinel, x, seven) = (kwargs(t)?.any(), view::c_str(c"x"), view::int(7));
    init.fails(t, &[sentinel, x], &["TypeError"])?;
    init.fails(t, &[seven, sentinel, view::c_str(c"r")], &["TypeError"]).map(drop)
}

/// A setter's error keeps its kind.
#[check(DCL_0010)]
fn setter_fails(t: &Trial) -> Verdict {
    let init = Init::of(t, &[number(b"x")])?;
    init.fails(t, &[UNLUCKY], &["KeyError"])?;
    init.fails(t, &[view::float(1.5)], &["TypeError"])?;
    init.fails(t, &[kwargs(t)?.any(), view::c_str(c"x"), UNLUCKY], &["KeyError"])?;
    init.call(t, &[view::int(7)]).map(drop)
}

/// A message names the argument.
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
        t.that("message", message.contains(name), format!("{name} in it"), message)?;
    }
    Ok(())
}

/// A setter's error is the cause.
#[check(DCL_0012)]
fn setter_error_is_cause(t: &Trial) -> Verdict {
    let raised = Init::of(t, &[number(b"x")])?.fails(t, &[UNLUCKY], &["KeyError"])?;
    let cell: TVMFFIErrorCell = t.cell("error", raised.object.handle())?;
    t.that("cause of the error", !cell.cause_chain.is_null(), "the setter's error", "NULL")?;
    let cause: TVMFFIErrorCell = t.cell("cause", cell.cause_chain)?;
    t.eq(
        "message of the cause",
        reflected::text(t, "message of the cause", cause.message)?.as_str(),
        "an unlucky number",
    )
}

/// Inherited fields come first.
#[check(DCL_0013)]
fn inherited(t: &Trial) -> Verdict {
    let parent =
        declare(t, "verify.Parent", kTVMFFIObject, &[with_default(ratio(b"r"), view::float(0.25)), number(b"x")])?;
    let init = Init::new(t, declare(t, "verify.Child", parent, &[value(b"v")])?)?;
    // Without a default: x of the parent, v of the child. With one: r.
    let point = init.call(t, &[view::int(7), view::bool(true), view::float(0.5)])?;
    t.eq("type_index of the instance", point.any().type_index, init.index)?;
    t.eq("x, r and v", Point::of(t, &point)?, (7, 0.5, view::bool(true).to_bytes()))
}

/// A setter may be a function object.
#[check(DCL_0014)]
fn function_setter(t: &Trial) -> Verdict {
    let setter = t.function(std::ptr::null_mut(), set_number_as_function, Some(ignore))?;
    let flags = kTVMFFIFieldFlagBitSetterIsFunctionObj;
    let init = Init::of(t, &[TVMFFIFieldInfo { flags, setter: setter.handle(), ..number(b"x") }, ratio(b"r")])?;
    let point = init.call(t, &[view::int(7), view::float(0.5)])?;
    t.eq("x as the function sets it, r and v", Point::of(t, &point)?, (700, 0.5, [0; 16]))?;
    init.fails(t, &[UNLUCKY, view::float(0.5)], &["KeyError"]).map(drop)
}

/// A failed initialiser keeps nothing.
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

/// Initialisers leave no memory behind.
#[check(DCL_0015, patient = 2)]
fn init_no_growth(t: &Trial) -> Verdict {
    let init = Init::of(t, &[value(b"v"), with_default(number(b"x"), view::int(1))])?;
    let (text, sentinel) = (view::c_str(c"a text of more than seven bytes"), kwargs(t)?.any());
    t.no_growth("memory for instances", || {
        SETS.lock().unwrap_or_else(PoisonError::into_inner).clear();
        init.call(t, &[text])?;
        init.call(t, &[sentinel, view::c_str(c"v"), text])?;
        init.fails(t, &[text, UNLUCKY], &["KeyError"]).map(drop)
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// ffi.MakeObjectFromPackedArgs
// ---------------------------------------------------------------------------------------------------------------------

/// An instance is made with defaults.
#[check(DCL_0016)]
fn made(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    let fields = [number(b"x"), with_default(ratio(b"r"), view::float(0.25)), with_default(value(b"v"), object.view())];
    let index = declare(t, "verify.Point", kTVMFFIObject, &fields)?;
    let before = object.counts();
    let args = [view::int(index.into()), view::c_str(c"x"), view::int(7)];
    let point = t.call_global(MAKE, &args)?;
    t.eq("x, r and v", Point::of(t, &point)?, (7, 0.25, object.view().to_bytes()))?;
    t.eq("strong count of the default", object.counts().0, before.0 + 1)?;
    drop(point);
    t.eq("counts of the default", object.counts(), before)?;
    t.eq("instances that came to their end", ENDED.load(Relaxed), 1)
}

/// An instance is made with a factory.
#[check(DCL_0017)]
fn made_with_factory(t: &Trial) -> Verdict {
    let index = declare(t, "verify.Point", kTVMFFIObject, &[number(b"x"), with_factory(t, value(b"v"))?])?;
    for round in 1..4 {
        let point = t.call_global(MAKE, &[view::int(index.into()), view::c_str(c"x"), view::int(7)])?;
        t.eq("x, r and v", Point::of(t, &point)?, (7, 1.5, view::int(round).to_bytes()))?;
    }
    Ok(())
}

/// An instance is made without a creator.
#[check(DCL_0018)]
fn made_with_new(t: &Trial) -> Verdict {
    let index = declare_with(t, "verify.Point", kTVMFFIObject, &[number(b"x")], None)?;
    let new = t.function(std::ptr::null_mut(), new_point, Some(ignore))?;
    let name = TVMFFIByteArray::new(b"__ffi_new__");
    t.ok(t.api.TVMFFITypeRegisterAttr(index, &name, &new.any()))?;
    let point = t.call_global(MAKE, &[view::int(index.into()), view::c_str(c"x"), view::int(7)])?;
    t.eq("strong and weak count of the instance", t.counts(point.handle())?, (1, 1))?;
    t.eq("x, r and v", Point::of(t, &point)?, (7, 1.5, [0; 16]))
}

// ---------------------------------------------------------------------------------------------------------------------
// Generated getters and setters
// ---------------------------------------------------------------------------------------------------------------------

/// A getter reads numbers.
#[check(DCL_0019)]
fn getter_of_numbers(t: &Trial) -> Verdict {
    reads(t, kTVMFFIInt, &mut { i64::MIN }, &view::int(i64::MIN))?;
    reads(t, kTVMFFIFloat, &mut -0.5_f64, &view::float(-0.5))?;
    // The bytes around a boolean are another field's.
    reads(t, kTVMFFIBool, &mut [1_u8, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA], &view::bool(true))?;
    reads(t, kTVMFFIBool, &mut [0_u8, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA], &view::bool(false))
}

/// A getter reads pointers and devices.
#[check(DCL_0019)]
fn getter_of_pointers(t: &Trial) -> Verdict {
    reads(t, kTVMFFIOpaquePtr, &mut 0x1234_5678_9ABC_u64, &TVMFFIAny::new(kTVMFFIOpaquePtr, 0x1234_5678_9ABC))?;
    // A data type of four bytes, before another field.
    let mut dtype =
        [DLDataType { code: kDLFloat, bits: 16, lanes: 4 }, DLDataType { code: 0xAA, bits: 0xAA, lanes: 0xAAAA }];
    reads(t, kTVMFFIDataType, &mut dtype, &TVMFFIAny::new(kTVMFFIDataType, 0x0004_1002))?;
    let mut device = DLDevice { device_type: kDLCUDA, device_id: 3 };
    reads(t, kTVMFFIDevice, &mut device, &TVMFFIAny::new(kTVMFFIDevice, 0x3_0000_0002))
}

/// A getter reads values and objects.
#[check(DCL_0019)]
fn getter_of_objects(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    reads(t, kTVMFFIAny, &mut view::float(0.5), &view::float(0.5))?;
    reads(t, kTVMFFIAny, &mut object.view(), &object.view())?;
    t.eq("counts of an object after its getter's answer was released", object.counts(), (1, 1))?;
    for index in [kTVMFFIObject, kTVMFFIError] {
        reads(t, index, &mut object.handle(), &object.view())?;
        reads(t, index, &mut std::ptr::null_mut::<c_void>(), &TVMFFIAny::NONE)?;
    }
    let getter = getter(t, kTVMFFIObject)?;
    let (mut place, mut result) = (object.handle(), TVMFFIAny::NONE);
    // SAFETY: a getter of the target is given a field of its type and a place for the result.
    t.ok(t.api.noted("a generated getter", || unsafe { getter((&raw mut place).cast(), &mut result) }))?;
    t.eq("strong count of what the getter answered", object.counts().0, 2)
}

/// There are no getters of other types.
#[check(DCL_0020)]
fn getter_of_nothing(t: &Trial) -> Verdict {
    for index in [kTVMFFIRawStr, kTVMFFIByteArrayPtr, kTVMFFIObjectRValueRef, kTVMFFISmallStr, -7] {
        let (make, mut result) = (t.global("ffi.MakeFieldGetter")?, TVMFFIAny::NONE);
        t.raises(t.try_call(&make, &[view::int(index.into())], &mut result), &[])?;
    }
    Ok(())
}

/// A setter writes numbers.
#[check(DCL_0021)]
fn setter_of_numbers(t: &Trial) -> Verdict {
    t.eq("an integer", written(t, kTVMFFIInt, 5_i64, view::int(i64::MIN))?, i64::MIN)?;
    t.eq("a double", written(t, kTVMFFIFloat, 5_f64, view::float(-0.5))?, -0.5)?;
    let beside = [0xAA_u8; 7];
    let [boolean, rest @ ..] = written(t, kTVMFFIBool, [0xAA_u8; 8], view::bool(true))?;
    t.eq("a boolean and the bytes after it", (boolean, rest), (1, beside))?;
    t.eq("a pointer", written(t, kTVMFFIOpaquePtr, 0xAAAA_u64, TVMFFIAny::new(kTVMFFIOpaquePtr, 0x1234))?, 0x1234)?;
    let dtype = written(t, kTVMFFIDataType, [0xAA_u8; 8], TVMFFIAny::new(kTVMFFIDataType, 0x0004_1002))?;
    t.eq("a data type and the bytes after it", dtype, [2, 16, 4, 0, 0xAA, 0xAA, 0xAA, 0xAA])?;
    let device = TVMFFIAny::new(kTVMFFIDevice, 0x3_0000_0002);
    t.eq("a device", written(t, kTVMFFIDevice, 0xAAAA_u64, device)?, 0x3_0000_0002)
}

/// A setter writes values and objects.
#[check(DCL_0021)]
fn setter_of_objects(t: &Trial) -> Verdict {
    for (index, words) in [(kTVMFFIAny, 2), (kTVMFFIObject, 1), (kTVMFFIError, 1)] {
        let (one, other) = (Homemade::new(kTVMFFIError, ()), Homemade::new(kTVMFFIError, ()));
        let in_field = |object: &Homemade| match words {
            2 => [kTVMFFIError as u64, object.handle() as u64],
            _ => [object.handle() as u64, 0],
        };
        let mut place = [0_u64; 2];
        write(t, index, &mut place, one.view())?;
        t.eq("the field", place, in_field(&one))?;
        t.eq("counts of what the field holds", one.counts(), (2, 1))?;
        write(t, index, &mut place, other.view())?;
        t.eq("the field", place, in_field(&other))?;
        t.eq("counts of what the field held", one.counts(), (1, 1))?;
    }
    Ok(())
}

/// A converter's error is the setter's.
#[check(DCL_0022)]
fn converter_fails(t: &Trial) -> Verdict {
    let mut place = 5_i64;
    write(t, kTVMFFIInt, &mut place, view::int(7))?;
    let setter = setter(t, kTVMFFIInt)?;
    let (args, mut result) = ([view::pointer((&raw mut place).cast()), UNLUCKY], TVMFFIAny::NONE);
    t.raises(t.try_call(&setter, &args, &mut result), &["KeyError"])?;
    t.eq("the field", place, 7)
}

// ---------------------------------------------------------------------------------------------------------------------
// Classes of Python
// ---------------------------------------------------------------------------------------------------------------------

/// A class gets its functions.
#[check(DCL_0023)]
fn class(t: &Trial) -> Verdict {
    let index = declare_class(
        t,
        "verify.Class",
        kTVMFFIObject,
        &[(b"x", kTVMFFIInt, 24), (b"v", kTVMFFIAny, 40), (b"o", kTVMFFIObject, 56)],
    )?;
    for name in ["__ffi_new__", "__ffi_init__", "__ffi_shallow_copy__"] {
        let value = reflected::attribute(t, name, index)?;
        t.eq(format!("type_index of {name}"), value.type_index, kTVMFFIFunction)?;
    }
    let instance = t.call(&attribute(t, "__ffi_new__", index)?, &[])?;
    let header = t.header(instance.handle())?;
    t.eq("type_index of the instance", header.type_index, index)?;
    t.eq("strong and weak count of the instance", t.counts(instance.handle())?, (1, 1))?;
    t.eq("what follows the header", t.cell::<[u64; 5]>("instance", instance.handle())?, [0; 5])
}

/// A class is initialised with arguments.
#[check(DCL_0023)]
fn class_init(t: &Trial) -> Verdict {
    let index = declare_class(t, "verify.Class", kTVMFFIObject, &[(b"x", kTVMFFIInt, 24), (b"v", kTVMFFIAny, 40)])?;
    let init = attribute(t, "__ffi_init__", index)?;
    let object = Homemade::new(kTVMFFIError, ());
    let instance = t.call(&init, &[view::int(7), object.view()])?;
    let expected = [7, 0, kTVMFFIError as u64, object.handle() as u64, 0];
    t.eq("what follows the header", t.cell::<[u64; 5]>("instance", instance.handle())?, expected)?;
    for (name, expected) in [("x", view::int(7)), ("v", object.view())] {
        let field = reflected::field(t, index, name)?;
        t.any_eq(name, &reflected::get(t, instance.handle(), &field)?.any(), &expected)?;
    }
    let mut result = TVMFFIAny::NONE;
    t.clause(id::DCL_0009);
    t.raises(t.try_call(&init, &[view::int(7)], &mut result), &["TypeError"]).map(drop)
}

/// An instance of a class gives its fields up.
#[check(DCL_0024)]
fn class_end(t: &Trial) -> Verdict {
    let index = declare_class(t, "verify.Class", kTVMFFIObject, &[(b"v", kTVMFFIAny, 40), (b"o", kTVMFFIObject, 56)])?;
    let (one, other) = (Homemade::new(kTVMFFIError, ()), Homemade::new(kTVMFFIError, ()));
    let instance = t.call(&attribute(t, "__ffi_init__", index)?, &[one.view(), other.view()])?;
    t.eq("counts of what the fields hold", (one.counts(), other.counts()), ((2, 1), (2, 1)))?;
    drop(instance);
    t.eq("counts of what the fields held", (one.counts(), other.counts()), ((1, 1), (1, 1)))
}

/// An instance gives inherited fields up.
#[check(DCL_0024)]
fn class_of_class(t: &Trial) -> Verdict {
    let parent = declare_class(t, "verify.Parent", kTVMFFIObject, &[(b"v", kTVMFFIAny, 40)])?;
    let child = declare_class(t, "verify.Child", parent, &[(b"o", kTVMFFIObject, 56)])?;
    let (one, other) = (Homemade::new(kTVMFFIError, ()), Homemade::new(kTVMFFIError, ()));
    let instance = t.call(&attribute(t, "__ffi_init__", child)?, &[one.view(), other.view()])?;
    t.eq("counts of what the fields hold", (one.counts(), other.counts()), ((2, 1), (2, 1)))?;
    drop(instance);
    t.eq("counts of what the fields held", (one.counts(), other.counts()), ((1, 1), (1, 1)))
}

/// An instance of a class is copied.
#[check(DCL_0025)]
fn class_copy(t: &Trial) -> Verdict {
    let fields: &[(&[u8], i32, i64)] =
        &[(b"x", kTVMFFIInt, 24), (b"r", kTVMFFIFloat, 32), (b"v", kTVMFFIAny, 40), (b"o", kTVMFFIObject, 56)];
    let index = declare_class(t, "verify.Class", kTVMFFIObject, fields)?;
    let object = Homemade::new(kTVMFFIError, ());
    let args = [view::int(7), view::float(0.5), object.view(), object.view()];
    let instance = t.call(&attribute(t, "__ffi_init__", index)?, &args)?;
    let copy = t.call(&attribute(t, "__ffi_shallow_copy__", index)?, &[instance.any()])?;
    t.eq("type_index of the copy", copy.any().type_index, index)?;
    t.ne("the copy", copy.handle(), instance.handle())?;
    t.eq("strong and weak count of the copy", t.counts(copy.handle())?, (1, 1))?;
    let content = |of: &Owned| t.cell::<[u64; 5]>("instance", of.handle());
    t.eq("what follows the header of the copy", content(&copy)?, content(&instance)?)?;
    t.eq("strong count of what both share", object.counts().0, 5)?;
    drop(instance);
    t.eq("strong count of what the copy holds", object.counts().0, 3)?;
    drop(copy);
    t.eq("counts of what the copy held", object.counts(), (1, 1))
}

/// Instances of a class leave no memory behind.
#[check(DCL_0024, patient = 2)]
fn class_no_growth(t: &Trial) -> Verdict {
    let index = declare_class(t, "verify.Class", kTVMFFIObject, &[(b"x", kTVMFFIInt, 24), (b"v", kTVMFFIAny, 40)])?;
    let (init, copy) = (attribute(t, "__ffi_init__", index)?, attribute(t, "__ffi_shallow_copy__", index)?);
    let text = t.string(b"a text of more than seven bytes")?;
    t.no_growth("memory for instances of a class", || {
        let instance = t.call(&init, &[view::int(7), text.any()])?;
        t.call(&copy, &[instance.any()]).map(drop)
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// The declared type
// ---------------------------------------------------------------------------------------------------------------------

const MAKE: &str = "ffi.MakeObjectFromPackedArgs";

/// A number that the setter and the converter here refuse, with a KeyError.
const UNLUCKY: TVMFFIAny = TVMFFIAny::new(kTVMFFIInt, 13);

/// An instance of a declared type.
#[repr(C)]
struct Point {
    header: TVMFFIObject,
    x: i64,
    r: f64,
    v: TVMFFIAny,
    end: u64,
}

impl Point {
    /// The three fields of an instance, the value as its bytes.
    fn of(t: &Trial, point: &Owned) -> Verdict<(i64, f64, [u8; 16])> {
        let point: Self = t.read("instance", point.handle().cast())?;
        Ok((point.x, point.r, point.v.to_bytes()))
    }
}

impl Clone for Point {
    fn clone(&self) -> Self {
        *self
    }
}

impl Copy for Point {}

/// The value with these bytes.
fn any_of(bytes: [u8; 16]) -> TVMFFIAny {
    // SAFETY: both are sixteen bytes, and any are a value.
    unsafe { std::mem::transmute(bytes) }
}

/// The type that the creator makes instances of.
static TYPE: AtomicI32 = AtomicI32::new(0);
static CREATED: AtomicUsize = AtomicUsize::new(0);
static ENDED: AtomicUsize = AtomicUsize::new(0);
static FACTORY_CALLS: AtomicUsize = AtomicUsize::new(0);
/// The offsets of the fields that setters were called for.
static SETS: Mutex<Vec<usize>> = Mutex::new(Vec::new());
/// The latest point that was made.
static LATEST: AtomicUsize = AtomicUsize::new(0);
/// The target's functions, for callbacks.
static TABLE: OnceLock<FunctionTable> = OnceLock::new();

fn sets() -> Vec<usize> {
    SETS.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
        Ok(Self { index, function: attribute(t, "__ffi_init__", index)? })
    }

    fn call(&self, t: &Trial, args: &[TVMFFIAny]) -> Verdict<Owned> {
        t.call(&self.function, args)
    }

    fn fails(&self, t: &Trial, args: &[TVMFFIAny], kinds: &[&str]) -> Verdict<Raised> {
        let mut result = TVMFFIAny::NONE;
        t.raises(t.try_call(&self.function, args, &mut result), kinds)
    }
}

/// A function in a column.
fn attribute(t: &Trial, name: &str, index: i32) -> Verdict<Owned> {
    let value = reflected::attribute(t, name, index)?;
    t.eq(format!("type_index of {name}"), value.type_index, kTVMFFIFunction)?;
    reflected::share(t, value)
}

/// The object after which arguments are names and values.
fn kwargs(t: &Trial) -> Verdict<Owned> {
    t.call_global("ffi.GetKwargsObject", &[])
}

/// A new type of points with these fields and the creator.
fn declare(t: &Trial, key: &str, parent: i32, fields: &[TVMFFIFieldInfo]) -> Verdict<i32> {
    declare_with(t, key, parent, fields, Some(create_point))
}

fn declare_with(
    t: &Trial,
    key: &str,
    parent: i32,
    fields: &[TVMFFIFieldInfo],
    creator: Option<TVMFFIObjectCreator>,
) -> Verdict<i32> {
    TABLE.get_or_init(|| *t.api.table());
    let depth = reflected::info(t, parent)?.type_depth + 1;
    let index = t.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key.as_bytes()), -1, depth, 0, 1, parent);
    let metadata = TVMFFITypeMetadata {
        doc: TVMFFIByteArray::EMPTY,
        creator,
        total_size: size_of::<Point>() as i32,
        structural_eq_hash_kind: kTVMFFISEqHashKindTreeNode,
    };
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata))?;
    fields.iter().try_for_each(|field| t.ok(t.api.TVMFFITypeRegisterField(index, field)))?;
    TYPE.store(index, Relaxed);
    Ok(index)
}

/// The integer of a point under any name.
fn number(name: &'static [u8]) -> TVMFFIFieldInfo {
    field(name, offset_of!(Point, x), 8, kTVMFFIInt, get_number, set_number)
}

/// The double of a point under any name.
fn ratio(name: &'static [u8]) -> TVMFFIFieldInfo {
    field(name, offset_of!(Point, r), 8, kTVMFFIFloat, get_ratio, set_ratio)
}

/// The value of a point under any name.
fn value(name: &'static [u8]) -> TVMFFIFieldInfo {
    field(name, offset_of!(Point, v), 16, kTVMFFIAny, get_value, set_value)
}

fn field(
    name: &'static [u8],
    offset: usize,
    size: i64,
    static_type: i32,
    getter: TVMFFIFieldGetter,
    setter: TVMFFIFieldSetter,
) -> TVMFFIFieldInfo {
    TVMFFIFieldInfo {
        name: TVMFFIByteArray::new(name),
        doc: TVMFFIByteArray::EMPTY,
        metadata: TVMFFIByteArray::EMPTY,
        flags: 0,
        size,
        alignment: 8,
        offset: offset as i64,
        getter: Some(getter),
        setter: setter as *mut c_void,
        default_value_or_factory: TVMFFIAny::NONE,
        field_static_type_index: static_type,
    }
}

fn with_default(field: TVMFFIFieldInfo, default: TVMFFIAny) -> TVMFFIFieldInfo {
    let flags = field.flags | kTVMFFIFieldFlagBitMaskHasDefault;
    TVMFFIFieldInfo { flags, default_value_or_factory: default, ..field }
}

/// The same field with a factory that counts its calls and answers their number.
fn with_factory(t: &Trial, field: TVMFFIFieldInfo) -> Verdict<TVMFFIFieldInfo> {
    // It stays for good, as the field does.
    let factory = t.function(std::ptr::null_mut(), count_calls, Some(ignore))?.into_any();
    let field = with_default(field, factory);
    Ok(TVMFFIFieldInfo { flags: field.flags | kTVMFFIFieldFlagBitMaskDefaultFromFactory, ..field })
}

unsafe extern "C" fn create_point(result: *mut TVMFFIObjectHandle) -> c_int {
    CREATED.fetch_add(1, Relaxed);
    let header = TVMFFIObject {
        combined_ref_count: 0x1_0000_0001,
        type_index: TYPE.load(Relaxed),
        __padding: 0,
        deleter: Some(delete_point),
    };
    let point = Box::into_raw(Box::new(Point { header, x: 0, r: 1.5, v: TVMFFIAny::NONE, end: 0 }));
    LATEST.store(point as usize, Relaxed);
    // SAFETY: the caller gives a place for the handle.
    unsafe { *result = point.cast() };
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

unsafe extern "C" fn delete_point(point: *mut c_void, flags: c_int) {
    let point: *mut Point = point.cast();
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
        ENDED.fetch_add(1, Relaxed);
        // SAFETY: the point is there until its memory is freed, below.
        give_up(unsafe { (*point).v });
    }
    if flags & kTVMFFIObjectDeleterFlagBitMaskWeak != 0 {
        // SAFETY: made by `create_point`, and this is the last that is heard of it.
        drop(unsafe { Box::from_raw(point) });
    }
}

/// Releases what a value refers to.
fn give_up(value: TVMFFIAny) {
    if value.type_index >= kTVMFFIStaticObjectBegin {
        homemade::release(value.payload() as TVMFFIObjectHandle);
    }
}

unsafe extern "C" fn get_number(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of a point and a place for its value.
    unsafe { *result = view::int(*field.cast::<i64>()) };
    0
}

unsafe extern "C" fn get_ratio(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: as above.
    unsafe { *result = view::float(*field.cast::<f64>()) };
    0
}

unsafe extern "C" fn get_value(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: as above.
    let value = unsafe { *field.cast::<TVMFFIAny>() };
    if value.type_index >= kTVMFFIStaticObjectBegin {
        homemade::retain(value.payload() as TVMFFIObjectHandle);
    }
    // SAFETY: as above.
    unsafe { *result = value };
    0
}

unsafe extern "C" fn set_number(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of a point and a value.
    unsafe { note_and_store(field, &*value, kTVMFFIInt, 1) }
}

unsafe extern "C" fn set_ratio(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: as above.
    unsafe { note_and_store(field, &*value, kTVMFFIFloat, 1) }
}

/// Stores a number of that type, multiplied where it is an integer.
///
/// # Safety
/// `field` is a number of a point.
unsafe fn note_and_store(field: *mut c_void, value: &TVMFFIAny, type_index: i32, factor: u64) -> c_int {
    note_set(field);
    if value.type_index != type_index {
        return raise(c"TypeError", c"a value of another type");
    }
    if value.to_bytes() == UNLUCKY.to_bytes() {
        return raise(c"KeyError", c"an unlucky number");
    }
    // SAFETY: the caller's promise.
    unsafe { *field.cast::<u64>() = value.payload().wrapping_mul(factor) };
    0
}

unsafe extern "C" fn set_value(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    note_set(field);
    let Some(to_owned) = TABLE.get().and_then(|table| table.TVMFFIAnyViewToOwnedAny) else { return -1 };
    let mut owned = TVMFFIAny::NONE;
    // SAFETY: the caller gives a value, and the field of a point, which holds a value.
    unsafe {
        if to_owned(value, &mut owned) != 0 {
            return -1;
        }
        give_up(std::mem::replace(&mut *field.cast::<TVMFFIAny>(), owned));
    }
    0
}

/// Remembers for which field of the latest point a setter was called.
fn note_set(field: *mut c_void) {
    let offset = (field as usize).wrapping_sub(LATEST.load(Relaxed));
    SETS.lock().unwrap_or_else(PoisonError::into_inner).push(offset);
}

/// A setter that is a function object, and stores an integer a hundredfold.
unsafe extern "C" fn set_number_as_function(
    _: *mut c_void,
    args: *const TVMFFIAny,
    count: i32,
    _: *mut TVMFFIAny,
) -> c_int {
    if count != 2 {
        return raise(c"TypeError", c"a setter takes a field and a value");
    }
    // SAFETY: the caller gives as many arguments as it says.
    let (field, value) = unsafe { (*args, *args.add(1)) };
    if field.type_index != kTVMFFIOpaquePtr {
        return raise(c"TypeError", c"a field is given as a pointer");
    }
    // SAFETY: the field of a point, by the caller's word.
    unsafe { note_and_store(field.payload() as *mut c_void, &value, kTVMFFIInt, 100) }
}

/// A factory that answers how often it was called.
unsafe extern "C" fn count_calls(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let calls = FACTORY_CALLS.fetch_add(1, Relaxed) + 1;
    // SAFETY: the caller gives a place for the result.
    unsafe { *result = view::int(calls as i64) };
    0
}

/// A deleter of a function that has no state.
unsafe extern "C" fn ignore(_: *mut c_void) {}

/// Raises an error; answers the status of a function that does.
fn raise(kind: &CStr, message: &CStr) -> c_int {
    if let Some(set_raised) = TABLE.get().and_then(|table| table.TVMFFIErrorSetRaisedFromCStr) {
        // SAFETY: a function of the ABI is given two C strings.
        unsafe { set_raised(kind.as_ptr(), message.as_ptr()) };
    }
    -1
}

// ---------------------------------------------------------------------------------------------------------------------
// Classes, and their getters and setters
// ---------------------------------------------------------------------------------------------------------------------

/// The state that [`setter`] gives to the converter.
const STATE: i64 = 0x5151;

/// The getter that the target makes for a type index.
fn getter(t: &Trial, index: i32) -> Verdict<TVMFFIFieldGetter> {
    let address = t.call_global("ffi.MakeFieldGetter", &[view::int(index.into())])?.any();
    t.eq("type_index of the getter's address", address.type_index, kTVMFFIInt)?;
    t.ne("address of the getter", address.payload(), 0)?;
    // SAFETY: the target says that it is a getter; the process exists for this check.
    Ok(unsafe { std::mem::transmute::<*const c_void, TVMFFIFieldGetter>(address.payload() as *const c_void) })
}

/// Expects what the target's getter for a type index answers for a field.
fn reads<T>(t: &Trial, index: i32, field: &mut T, expected: &TVMFFIAny) -> Verdict {
    let getter = getter(t, index)?;
    let mut result = TVMFFIAny::NONE;
    let call = || {
        // SAFETY: a getter of the target is given a field of its type and a place for the result.
        unsafe { getter(std::ptr::from_mut(field).cast(), &mut result) }
    };
    t.ok(t.api.noted(&format!("a generated getter for type index {index}"), call))?;
    t.any_eq(format!("a field of type index {index}"), &t.own(result).any(), expected)
}

/// The setter that the target makes for a type index, with a converter that takes all values but the unlucky one.
fn setter(t: &Trial, index: i32) -> Verdict<Owned> {
    TABLE.get_or_init(|| *t.api.table());
    let converter = convert as *const () as i64;
    t.call_global("ffi.MakeFieldSetter", &[view::int(index.into()), view::int(STATE), view::int(converter)])
}

/// Sets a field.
fn write<T>(t: &Trial, index: i32, field: &mut T, value: TVMFFIAny) -> Verdict {
    t.call(&setter(t, index)?, &[view::pointer(std::ptr::from_mut(field).cast()), value]).map(drop)
}

/// What is in a field after it was set.
fn written<T>(t: &Trial, index: i32, mut field: T, value: TVMFFIAny) -> Verdict<T> {
    write(t, index, &mut field, value)?;
    Ok(field)
}

/// The converter of every setter here.
unsafe extern "C" fn convert(state: *mut c_void, value: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int {
    if state as i64 != STATE {
        return raise(c"RuntimeError", c"the converter was given another state");
    }
    let Some(to_owned) = TABLE.get().and_then(|table| table.TVMFFIAnyViewToOwnedAny) else { return -1 };
    // SAFETY: the caller gives a value and a place for the result.
    unsafe {
        match (*value).to_bytes() == UNLUCKY.to_bytes() {
            true => raise(c"KeyError", c"an unlucky number"),
            false => to_owned(value, result),
        }
    }
}

/// A new class as Python registers it: fields by name, type index and offset, then the columns.
fn declare_class(t: &Trial, key: &str, parent: i32, fields: &[(&[u8], i32, i64)]) -> Verdict<i32> {
    let depth = reflected::info(t, parent)?.type_depth + 1;
    let index = t.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(key.as_bytes()), -1, depth, 0, 1, parent);
    for &(name, type_index, offset) in fields {
        // The setter stays for good, as the field does.
        let setter = setter(t, type_index)?.into_any();
        let info = TVMFFIFieldInfo {
            name: TVMFFIByteArray::new(name),
            doc: TVMFFIByteArray::EMPTY,
            metadata: TVMFFIByteArray::EMPTY,
            flags: kTVMFFIFieldFlagBitSetterIsFunctionObj | kTVMFFIFieldFlagBitMaskWritable,
            size: if type_index == kTVMFFIAny { 16 } else { 8 },
            alignment: 8,
            offset,
            getter: Some(getter(t, type_index)?),
            setter: setter.payload() as *mut c_void,
            default_value_or_factory: TVMFFIAny::NONE,
            field_static_type_index: type_index,
        };
        t.ok(t.api.TVMFFITypeRegisterField(index, &info))?;
    }
    let size = size_of::<Point>() as i32;
    let metadata = TVMFFITypeMetadata {
        doc: TVMFFIByteArray::EMPTY,
        creator: None,
        total_size: size,
        structural_eq_hash_kind: kTVMFFISEqHashKindTreeNode,
    };
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata))?;
    t.call_global("ffi._PyClassRegisterTypeAttrColumns", &[view::int(index.into()), view::int(size.into())])?;
    Ok(index)
}
