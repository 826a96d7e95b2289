//! Calls that no caller may make, and that are told apart.

use std::ptr::{null, null_mut};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Verdict, callback::return_none, types, view},
    trial::Trial,
};

/// A function of the library's raises an error where it is called with a result that holds an object, or with a number of arguments below 0.
#[check(FUN_0029)]
fn occupied_result(t: &Trial) -> Verdict {
    let (function, args) = (t.global("ffi.Array")?, [view::int(1)]);
    let before = t.counts(function.handle())?;
    let call = |count: i32, mut result: TVMFFIAny| {
        let status = t.api.TVMFFIFunctionCall(function.handle(), args.as_ptr().cast_mut(), count, &mut result);
        t.raises(status, &[]).map(drop)
    };
    call(1, function.any())?;
    call(-1, TVMFFIAny::NONE)?;
    call(i32::MIN, TVMFFIAny::NONE)?;
    t.eq("counts of the object in the result", t.counts(function.handle())?, before)
}

/// A function of the library's raises an error where it is called with NULL for its arguments, of which there are some.
#[check(FUN_0029)]
fn null_arguments(t: &Trial) -> Verdict {
    let function = t.global("ffi.Array")?;
    let status = t.api.TVMFFIFunctionCall(function.handle(), null_mut(), 1, &mut { TVMFFIAny::NONE });
    t.raises(status, &[]).map(drop)
}

/// A function of the library's raises an error where it is called with NULL for its result.
#[check(FUN_0029)]
fn null_result(t: &Trial) -> Verdict {
    let function = t.global("ffi.Array")?;
    t.raises(t.api.TVMFFIFunctionCall(function.handle(), null_mut(), 0, null_mut()), &[]).map(drop)
}

/// TVMFFIFunctionCreate raises an error where it is given no callback, or no place for the function.
#[check(FUN_0030)]
fn create_of_null(t: &Trial) -> Verdict {
    let mut function = null_mut();
    t.raises(t.api.TVMFFIFunctionCreate(null_mut(), None, None, &mut function), &[])?;
    t.eq("the function", function, null_mut())?;
    t.raises(t.api.TVMFFIFunctionCreate(null_mut(), Some(return_none), None, null_mut()), &[]).map(drop)
}

/// A global function that is looked up without a name, or without a place for it, is refused with an error.
#[check(FUN_0030)]
fn global_of_null(t: &Trial) -> Verdict {
    let name = TVMFFIByteArray::new(b"ffi.Array");
    t.raises(t.api.TVMFFIFunctionGetGlobal(null(), &mut null_mut()), &[])?;
    t.raises(t.api.TVMFFIFunctionGetGlobal(&name, null_mut()), &[]).map(drop)
}

/// A global function that is registered without a name, or that is NULL, is refused with an error, and the name stays free.
#[check(FUN_0030)]
fn global_of_no_name(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), return_none, None)?;
    let name = TVMFFIByteArray::new(b"verify.nobody");
    t.raises(t.api.TVMFFIFunctionSetGlobal(null(), function.handle(), 0), &[])?;
    t.raises(t.api.TVMFFIFunctionSetGlobal(&name, null_mut(), 0), &[])?;
    is_free(t, &name)
}

/// A global function that is registered by its description is refused with an error where that is NULL, or has NULL for a text.
#[check(FUN_0030)]
fn global_of_no_description(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), return_none, None)?;
    let (name, none) = (TVMFFIByteArray::new(b"verify.nobody"), TVMFFIByteArray { data: null(), size: 5 });
    t.raises(t.api.TVMFFIFunctionSetGlobalFromMethodInfo(null(), 0), &[])?;
    let info = types::method_info(name, function.any());
    for info in [
        TVMFFIMethodInfo { name: none, ..info },
        TVMFFIMethodInfo { doc: none, ..info },
        TVMFFIMethodInfo { metadata: none, ..info },
    ] {
        t.raises(t.api.TVMFFIFunctionSetGlobalFromMethodInfo(&info, 0), &[])?;
    }
    is_free(t, &name)
}

/// An object that is no Function is neither registered as one nor called.
#[check(FUN_0030)]
fn no_function(t: &Trial) -> Verdict {
    let (array, name) = (t.call_global("ffi.Array", &[])?, TVMFFIByteArray::new(b"verify.nobody"));
    t.raises(t.api.TVMFFIFunctionSetGlobal(&name, array.handle(), 0), &[])?;
    is_free(t, &name)?;
    let status = t.api.TVMFFIFunctionCall(array.handle(), null_mut(), 0, &mut { TVMFFIAny::NONE });
    t.raises(status, &[]).map(drop)
}

/// Expects no function to have that name.
fn is_free(t: &Trial, name: &TVMFFIByteArray) -> Verdict {
    let mut function = null_mut();
    t.ok(t.api.TVMFFIFunctionGetGlobal(name, &mut function))?;
    t.eq("the function of that name", function, null_mut())
}
