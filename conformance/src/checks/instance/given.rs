//! Objects that are given away to setters: a field alone holds what it takes, and nobody what it refuses.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{all_fields, creatable, get, objects};
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::{api, raise},
        given::Given,
        globals,
        homemade::{release, retain},
        reflected, view,
    },
    trial::Trial,
};

/// An object that is given away to the setter of a built-in field is held by the field alone where the field takes it, and
/// stays in its slot or is given up where the field refuses it and keeps its value.
#[check(ARG_0001, INS_0004, INS_0006)]
fn given_to_every_field(t: &Trial) -> Verdict {
    for (ty, index) in creatable(t)? {
        for (name, field) in all_fields(t, ty)? {
            if field.setter.is_null() {
                continue;
            }
            for object in objects(t)? {
                let (handle, counts) = (object.handle(), t.counts(object.handle())?);
                let what = format!("an object of type {} given to {}.{name}", object.any().type_index, ty.key);
                let instance = reflected::create(t, index)?;
                let before = get(t, &instance, &field)?;
                retain(handle);
                let mut slot = Box::new(handle);
                let given = TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(&mut *slot) as u64);
                let code = reflected::set(t, instance.handle(), &field, &given)?;
                if code != 0 {
                    t.clause(id::INS_0006);
                    drop(t.raises(code, &[])?);
                    let after = get(t, &instance, &field)?;
                    t.any_eq(format_args!("the field after it refused {what}"), &after.any(), &before.any())?;
                }
                t.clause(if code == 0 { id::INS_0004 } else { id::ARG_0001 });
                drop((before, instance));
                if !slot.is_null() {
                    t.eq(format_args!("the slot of {what}"), *slot, handle)?;
                    release(handle);
                }
                t.eq(format_args!("counts of {what}"), t.counts(handle)?, counts)?;
            }
        }
    }
    Ok(())
}

/// An object that is given away to a setter of ffi.MakeFieldSetter stays in its slot or ends, whether the field takes what the converter
/// makes of it or refuses it, or the converter fails.
#[check(ARG_0001)]
fn given_to_a_made_setter(t: &Trial) -> Verdict {
    let Some(make) = globals::find(t, "ffi.MakeFieldSetter")? else { return Ok(()) };
    t.serve_callbacks();
    for (converter, fails) in [(convert as *const () as i64, false), (refuse as *const () as i64, true)] {
        for index in [
            kTVMFFIAny,
            kTVMFFIObject,
            kTVMFFIInt,
            kTVMFFIFloat,
            kTVMFFIBool,
            kTVMFFIOpaquePtr,
            kTVMFFIDataType,
            kTVMFFIDevice,
        ] {
            let setter = t.call(&make, &[view::int(index.into()), view::int(1), view::int(converter)])?;
            let (mut given, mut place) = (Given::default(), [0_u64; 2]);
            let field = view::pointer((&raw mut place).cast());
            drop(t.answer_of(setter.handle(), &[field, given.arg()])?);
            // What has got into the field goes out of it.
            if !fails && matches!(index, kTVMFFIAny | kTVMFFIObject) {
                t.call(&setter, &[field, TVMFFIAny::NONE])?;
            }
            let how = if fails { "whose converter fails" } else { "whose converter takes it" };
            given.is_accounted_for(t, format_args!("a setter of a field of type index {index}, {how}"))?;
        }
    }
    Ok(())
}

/// A converter that answers the value as it is.
unsafe extern "C" fn convert(_: *mut c_void, value: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int {
    let Some(to_owned) = api().and_then(|api| api.table().TVMFFIAnyViewToOwnedAny) else { return -1 };
    // SAFETY: the caller gives a value and a place for the result.
    unsafe { to_owned(value, result) }
}

/// A converter that fails.
unsafe extern "C" fn refuse(_: *mut c_void, _: *const TVMFFIAny, _: *mut TVMFFIAny) -> c_int {
    if let Some(api) = api() {
        raise(api, c"KeyError", c"a value that is not converted");
    }
    -1
}
