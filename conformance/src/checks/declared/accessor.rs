//! Getters and setters that the library makes for a type index.

use std::{ffi::c_void, sync::atomic::Ordering};

use tvm_ffi_spec::{clause::id, *};

use super::frontend_class::{RESULT_BEFORE, UNLUCKY, getter, given, setter};
use crate::{
    checks::check,
    client::{Verdict, homemade::Homemade, near::in_the_place_of_each_other, types, view},
    trial::Trial,
};

/// ffi.MakeFieldGetter makes getters that read integers, doubles and booleans of one byte.
#[check(DCL_0019)]
fn getter_of_numbers(t: &Trial) -> Verdict {
    reads(t, kTVMFFIInt, &mut { i64::MIN }, &view::int(i64::MIN))?;
    reads(t, kTVMFFIFloat, &mut -0.5_f64, &view::float(-0.5))?;
    // The bytes around a boolean are another field's.
    reads(t, kTVMFFIBool, &mut [1_u8, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA], &view::bool(true))?;
    reads(t, kTVMFFIBool, &mut [0_u8, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA], &view::bool(false))
}

/// ffi.MakeFieldGetter makes getters that read opaque pointers, data types and devices.
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

/// Getters and setters that the library makes leave every bit of a number, a pointer, a data type and a device as it is.
#[check(DCL_0019, DCL_0021)]
fn every_bit_pattern(t: &Trial) -> Verdict {
    // Zeros and infinities of either sign, the least and the largest floats, and quiet and signalling NaNs of either sign with any payload;
    // for integers and pointers, numbers of any size.
    const PATTERNS: [u64; 22] = [
        0,
        1,
        0xFF,
        0x7FFF_FFFF,
        0x8000_0000,
        0xFFFF_FFFF,
        0x000F_FFFF_FFFF_FFFF,
        0x0010_0000_0000_0000,
        0x3FF0_0000_0000_0000,
        0x7FEF_FFFF_FFFF_FFFF,
        0x7FF0_0000_0000_0000,
        0x7FF0_0000_0000_0001,
        0x7FF0_0000_2000_0000,
        0x7FF4_0000_0000_0000,
        0x7FF8_0000_0000_0000,
        0x7FFF_FFFF_FFFF_FFFF,
        0x8000_0000_0000_0000,
        0x8000_0000_0000_0001,
        0xFFF0_0000_0000_0000,
        0xFFF7_FFFF_FFFF_FFFF,
        0xFFF8_0000_0000_1234,
        u64::MAX,
    ];
    for index in [kTVMFFIInt, kTVMFFIFloat, kTVMFFIOpaquePtr, kTVMFFIDevice, kTVMFFIDataType] {
        let (getter, setter) = (getter(t, index)?, setter(t, index)?);
        for bits in PATTERNS {
            // A data type fills half a word.
            let bits = if index == kTVMFFIDataType { bits & 0xFFFF_FFFF } else { bits };
            let (mut place, mut result, value) = (bits, TVMFFIAny::NONE, TVMFFIAny::new(index, bits));
            // SAFETY: a getter of the target is given a field of its type and a place for the result.
            let got = t.api.noted("a generated getter", || unsafe { getter((&raw mut place).cast(), &mut result) });
            t.clause(id::DCL_0019);
            t.ok(got)?;
            t.any_eq(format_args!("what the getter answers for {bits:#x}"), &result, &value)?;
            let mut place = !bits;
            t.call(&setter, &[view::pointer((&raw mut place).cast()), value])?;
            let expected = if index == kTVMFFIDataType { !bits & !0xFFFF_FFFF | bits } else { bits };
            t.clause(id::DCL_0021);
            t.eq(format_args!("the bits of a field of type index {index} that was set to {bits:#x}"), place, expected)?;
        }
    }
    Ok(())
}

/// ffi.MakeFieldGetter makes getters that answer values and objects with a reference of the caller's own.
#[check(DCL_0019)]
fn getter_of_objects(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    reads(t, kTVMFFIAny, &mut view::float(0.5), &view::float(0.5))?;
    reads(t, kTVMFFIAny, &mut object.view(), &object.view())?;
    t.eq("counts of an object after its getter's answer was released", object.counts(), (1, 1))?;
    let dynamic = types::new(t, "verify.Held");
    for index in [kTVMFFIObject, kTVMFFIStr, kTVMFFIError, kTVMFFIFunction, kTVMFFIArray, kTVMFFIDict, dynamic] {
        let object = Homemade::new(index, [0_u64; 8]);
        reads(t, index, &mut object.handle(), &object.view())?;
        reads(t, index, &mut std::ptr::null_mut::<c_void>(), &TVMFFIAny::NONE)?;
    }
    let getter = getter(t, kTVMFFIObject)?;
    let (mut place, mut result) = (object.handle(), TVMFFIAny::NONE);
    // SAFETY: a getter of the target is given a field of its type and a place for the result.
    t.ok(t.api.noted("a generated getter", || unsafe { getter((&raw mut place).cast(), &mut result) }))?;
    t.eq("strong count of what the getter answered", object.counts().0, 2)
}

/// ffi.MakeFieldGetter raises an error for a type index that no field can have.
#[check(DCL_0020)]
fn getter_of_nothing(t: &Trial) -> Verdict {
    for index in [kTVMFFIRawStr, kTVMFFIByteArrayPtr, kTVMFFIObjectRValueRef, kTVMFFISmallStr, -7] {
        t.call_fails(&t.global("ffi.MakeFieldGetter")?, &[view::int(index.into())], &[])?;
    }
    Ok(())
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
    t.any_eq(format_args!("a field of type index {index}"), &t.own(result).any(), expected)
}

/// A setter of ffi.MakeFieldSetter stores numbers, pointers, data types and devices, and nothing beside them.
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

/// A setter of ffi.MakeFieldSetter stores a value or an object, and gives up what the field held.
#[check(DCL_0021)]
fn setter_of_objects(t: &Trial) -> Verdict {
    let dynamic = types::new(t, "verify.Held");
    let objects = [kTVMFFIObject, kTVMFFIStr, kTVMFFIError, kTVMFFIArray, kTVMFFIDict, dynamic].map(|index| (index, 1));
    for (index, words) in [(kTVMFFIAny, 2)].into_iter().chain(objects) {
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

/// A setter of ffi.MakeFieldSetter gives up an object of any type, whatever takes its place, be it the object itself.
#[check(DCL_0021)]
fn setter_gives_up_anything(t: &Trial) -> Verdict {
    const STATIC: [i32; 14] = [
        kTVMFFIObject,
        kTVMFFIStr,
        kTVMFFIBytes,
        kTVMFFIError,
        kTVMFFIFunction,
        kTVMFFIShape,
        kTVMFFITensor,
        kTVMFFIArray,
        kTVMFFIMap,
        kTVMFFIModule,
        kTVMFFIOpaquePyObject,
        kTVMFFIList,
        kTVMFFIDict,
        kTVMFFIBigInt,
    ];
    let (text, dynamic) = ([TVMFFIByteArray::new(b"a text"); 4], types::new(t, "verify.Held"));
    for held_type in STATIC.into_iter().chain([dynamic]) {
        let (held, other) = (Homemade::new(held_type, text), Homemade::new(kTVMFFIError, text));
        let nothing = [TVMFFIAny::NONE, held.view(), other.view()];
        let plain = [view::int(7), TVMFFIAny::new(kTVMFFISmallStr, 0), view::c_str(c"a C string")];
        for (field, next) in nothing
            .iter()
            .flat_map(|next| [(kTVMFFIAny, next), (held_type, next)])
            .chain(plain.iter().map(|next| (kTVMFFIAny, next)))
        {
            let mut place = [0_u64; 2];
            write(t, field, &mut place, held.view())?;
            t.eq(format_args!("counts of what a field of type index {field} holds"), held.counts(), (2, 1))?;
            write(t, field, &mut place, *next)?;
            let same = next.payload() == held.handle() as u64;
            let what =
                format_args!("counts of an object of type index {held_type} after the field was set to {next:?}");
            t.eq(what, held.counts(), (if same { 2 } else { 1 }, 1))?;
            write(t, field, &mut place, TVMFFIAny::NONE)?;
            t.eq("counts of what the field held", [held.counts(), other.counts()], [(1, 1); 2])?;
        }
    }
    Ok(())
}

/// A setter of ffi.MakeFieldSetter stores a value of any kind and form over any other.
#[check(DCL_0021, patient = 2)]
fn setter_of_any_value(t: &Trial) -> Verdict {
    let mut field = TVMFFIAny::NONE;
    let setter = setter(t, kTVMFFIAny)?;
    let samples = t.samples()?;
    for sample in samples.iter().chain(samples.iter().rev()) {
        t.call(&setter, &[view::pointer((&raw mut field).cast()), sample.any()])?;
        t.is_sample(format_args!("the field that was set to {}", sample.name), &field, sample)?;
    }
    t.call(&setter, &[view::pointer((&raw mut field).cast()), TVMFFIAny::NONE])?;
    let text = [t.string(b"a text of more than seven bytes")?, t.bytes(b"bytes that are more than seven")?];
    t.no_growth("memory for what a field held", || {
        for value in [text[0].any(), text[1].any(), view::c_str(c"another text of more than seven bytes"), view::int(1)]
        {
            let mut field = TVMFFIAny::NONE;
            let place = view::pointer((&raw mut field).cast());
            [value, view::c_str(c"a third text of more than seven bytes"), TVMFFIAny::NONE]
                .iter()
                .try_for_each(|value| t.call(&setter, &[place, *value]).map(drop))?;
        }
        Ok(())
    })
}

/// A setter of ffi.MakeFieldSetter stores all of a value over one that has the same payload and another type, or the same type and payload and another
/// length.
#[check(DCL_0021)]
fn setter_overwrites_the_like(t: &Trial) -> Verdict {
    let (mut field, setter) = (TVMFFIAny::NONE, setter(t, kTVMFFIAny)?);
    let place = view::pointer((&raw mut field).cast());
    for group in t.alike_in_payload()? {
        let mut before = "None";
        for given in in_the_place_of_each_other(&group) {
            t.call_unnoted(&setter, &[place, given.any()])?;
            // Written to by the target, behind the compiler's back.
            let found = t.read("the field", &raw const field)?;
            t.is_sample(format_args!("the field that was {before} and was set to {},", given.name), &found, given)?;
            before = &given.name;
        }
        t.call_unnoted(&setter, &[place, TVMFFIAny::NONE])?;
    }
    Ok(())
}

/// A converter finds no object in its result, and is given values of every kind and form without stray bytes.
#[check(FUN_0025, ANY_0029)]
fn converter_is_called_as_a_function(t: &Trial) -> Verdict {
    // Of each kind of field with what such a field can hold; each begins with the object that it was set to before.
    let (mut field, setter) = (TVMFFIAny::NONE, setter(t, kTVMFFIAny)?);
    let object = Homemade::new(kTVMFFIError, ());
    for sample in t.samples()? {
        let place = view::pointer((&raw mut field).cast());
        t.call(&setter, &[place, object.view()])?;
        let _ = given();
        t.call(&setter, &[place, sample.any()])?;
        t.clause(id::FUN_0025);
        let found = RESULT_BEFORE.load(Ordering::Relaxed);
        t.that("the result of a converter before", found < kTVMFFIStaticObjectBegin, "less than 64", found)?;
        t.clause(id::ANY_0029);
        let what = format_args!("what a converter is given of {}", sample.name);
        given().iter().try_for_each(|value| t.is_whole(what, value))?;
    }
    t.call(&setter, &[view::pointer((&raw mut field).cast()), TVMFFIAny::NONE]).map(drop)
}

/// A setter of ffi.MakeFieldSetter fails with the error of its converter, and leaves the field as it was.
#[check(DCL_0022)]
fn converter_fails(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    for (index, value) in [
        (kTVMFFIInt, view::int(7)),
        (kTVMFFIFloat, view::float(0.5)),
        (kTVMFFIBool, view::bool(true)),
        (kTVMFFIOpaquePtr, view::pointer(std::ptr::dangling_mut())),
        (kTVMFFIDataType, TVMFFIAny::new(kTVMFFIDataType, 0x0004_1002)),
        (kTVMFFIDevice, TVMFFIAny::new(kTVMFFIDevice, 0x3_0000_0002)),
        (kTVMFFIAny, view::int(7)),
        (kTVMFFIAny, object.view()),
        (kTVMFFIObject, object.view()),
        (kTVMFFIError, object.view()),
    ] {
        let mut place = [0_u64; 2];
        write(t, index, &mut place, value)?;
        let (before, counts) = (place, object.counts());
        let args = [view::pointer((&raw mut place).cast()), UNLUCKY];
        t.call_fails(&setter(t, index)?, &args, &["KeyError"])?;
        t.eq(format_args!("the field of type index {index}"), place, before)?;
        t.eq("counts of what the field holds", object.counts(), counts)?;
        if index == kTVMFFIAny || index >= kTVMFFIStaticObjectBegin {
            write(t, index, &mut place, TVMFFIAny::NONE)?;
            t.eq("counts of what the field held", object.counts(), (1, 1))?;
        }
    }
    Ok(())
}

/// A setter of ffi.MakeFieldSetter whose field refuses what its converter has made keeps no reference to that, and leaves the field as it was.
#[check(DCL_0022)]
fn field_refuses(t: &Trial) -> Verdict {
    let makers = t.containers()?;
    for index in [kTVMFFIInt, kTVMFFIFloat, kTVMFFIBool, kTVMFFIOpaquePtr, kTVMFFIDataType, kTVMFFIDevice] {
        for make in &makers {
            let object = t.call_global(make, &[view::int(1), view::int(2)])?;
            let mut place = [0_u64; 2];
            let args = [view::pointer((&raw mut place).cast()), object.any()];
            t.call_fails(&setter(t, index)?, &args, &[])?;
            let what = format_args!("counts of what {make} has made, which a field of type index {index} refused");
            t.eq(what, t.counts(object.handle())?, (1, 1))?;
            t.eq(format_args!("the field of type index {index}"), place, [0; 2])?;
        }
    }
    Ok(())
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
