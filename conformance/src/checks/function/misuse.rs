//! Calls that no caller may make, and that are told apart.

use std::{
    ffi::c_int,
    ptr::{null, null_mut},
};

use tvm_ffi_spec::{abi, *};

use crate::{
    checks::check,
    client::{Owned, Verdict, callback::return_none, globals, homemade::Homemade, reflected, types, view},
    trial::Trial,
};

/// A function of the library's raises an error where it is called with a result that holds an object, or with a number of arguments below 0.
#[check(FUN_0029)]
fn occupied_result(t: &Trial) -> Verdict {
    let held = [kTVMFFIObject, kTVMFFIFunction, kTVMFFIStr].map(|index| Homemade::new(index, [0_u64; 8]));
    each_function(t, |name, function, args| {
        let call = |count: i32, mut result: TVMFFIAny| {
            let status = t.api.TVMFFIFunctionCall(function, args.as_ptr().cast_mut(), count, &mut result);
            let refused = t.raises(status, &[]).map(drop);
            refused.map_err(|failure| failure.noting(format!("{name} was called with {count} for {}", args.len())))
        };
        for object in &held {
            call(args.len() as i32, object.view())?;
            t.eq(format_args!("counts of the object in the result of {name}"), object.counts(), (1, 1))?;
        }
        [-1, -(args.len() as i32) - 1, i32::MIN].into_iter().try_for_each(|count| call(count, TVMFFIAny::NONE))
    })
}

/// A function of the library's raises an error where it is called with NULL for its arguments, of which there are some.
#[check(FUN_0029)]
fn null_arguments(t: &Trial) -> Verdict {
    each_function(t, |name, function, args| {
        for count in [args.len().max(1) as i32, 1] {
            let status = t.api.TVMFFIFunctionCall(function, null_mut(), count, &mut { TVMFFIAny::NONE });
            drop(t.raises(status, &[]).map_err(|failure| failure.noting(format!("{name} of {count}")))?);
        }
        Ok(())
    })
}

/// A function of the library's raises an error where it is called with NULL for its result.
#[check(FUN_0029)]
fn null_result(t: &Trial) -> Verdict {
    each_function(t, |name, function, args| {
        let status = t.api.TVMFFIFunctionCall(function, args.as_ptr().cast_mut(), args.len() as i32, null_mut());
        t.raises(status, &[]).map(drop).map_err(|failure| failure.noting(name))
    })
}

/// Hands functions of the library's to a test, each with arguments: with such as it does something with, where these are known.
fn each_function(t: &Trial, test: impl Fn(&str, TVMFFIObjectHandle, &[TVMFFIAny]) -> Verdict) -> Verdict {
    t.short_backtraces();
    let calls = t.inner_calls()?;
    for call in &calls.calls {
        let (function, args) = call.parts();
        test(call.name, function, args)?;
    }
    let (one, text, long) = (view::int(1), view::c_str(c"ffi.Array"), t.string(b"a text that is long enough")?);
    let made = |make: &str, args: &[TVMFFIAny]| -> Verdict<Owned> {
        // What the target cannot make is None, with which functions that it lacks are not asked.
        globals::find(t, make)?.map_or(Ok(t.own(TVMFFIAny::NONE)), |make| t.call(&make, args))
    };
    let array = made("ffi.Array", &[one, long.any(), TVMFFIAny::NONE])?;
    let (list, map) = (made("ffi.List", &[one, long.any()])?, made("ffi.Map", &[one, long.any(), text, one])?);
    let (dict, system) = (made("ffi.Dict", &[one, long.any(), text, one])?, made("ffi.SystemLib", &[])?);
    let [array, list, map, dict, system] = [&array, &list, &map, &dict, &system].map(Owned::any);
    let zero = view::int(0);
    let known: [(&str, &[TVMFFIAny]); 51] = [
        ("ffi.Array", &[one]),
        ("ffi.List", &[one]),
        ("ffi.Map", &[one, one]),
        ("ffi.Dict", &[one, one]),
        ("ffi.Shape", &[one, one]),
        ("ffi.String", &[text]),
        ("ffi.Bytes", &[text]),
        ("ffi.ArrayGetItem", &[array, one]),
        ("ffi.ArrayGetItem", &[array, view::int(2)]),
        ("ffi.ArraySize", &[array]),
        ("ffi.ListGetItem", &[list, one]),
        ("ffi.ListSize", &[list]),
        ("ffi.ListSetItem", &[list, zero, one]),
        ("ffi.ListAppend", &[list, one]),
        ("ffi.ListInsert", &[list, zero, one]),
        ("ffi.ListPop", &[list, zero]),
        ("ffi.ListErase", &[list, zero]),
        ("ffi.ListEraseRange", &[list, zero, zero]),
        ("ffi.ListReplaceSlice", &[list, zero, zero, list]),
        ("ffi.ListReverse", &[list]),
        ("ffi.ListReserve", &[list, view::int(9)]),
        ("ffi.ListClear", &[list]),
        ("ffi.MapGetItem", &[map, text]),
        ("ffi.MapSize", &[map]),
        ("ffi.MapForwardIterFunctor", &[map]),
        ("ffi.DictGetItem", &[dict, text]),
        ("ffi.DictSize", &[dict]),
        ("ffi.DictSetItem", &[dict, one, one]),
        ("ffi.DictForwardIterFunctor", &[dict]),
        ("ffi.DictErase", &[dict, one]),
        ("ffi.DictClear", &[dict]),
        ("ffi.RecursiveLe", &[one, one]),
        ("ffi.RecursiveGt", &[one, one]),
        ("ffi.RecursiveGe", &[one, one]),
        ("ffi.StructuralKey", &[array]),
        ("ffi.ContainerFindFirstNonCPUDevice", &[array]),
        ("ffi.GetRegisteredTypeKeys", &[]),
        ("ffi.GetGlobalFuncMetadata", &[text]),
        ("ffi.FunctionListGlobalNamesFunctor", &[]),
        ("ffi.GetInvalidObject", &[]),
        ("ffi.GetKwargsObject", &[]),
        ("ffi.MakeFieldGetter", &[one]),
        ("ffi.VisitInterrupt", &[one]),
        ("ffi.SystemLib", &[]),
        ("ffi.ModuleGetKind", &[system]),
        ("ffi.ModuleGetPropertyMask", &[system]),
        ("ffi.ModuleImplementsFunction", &[system, text, view::bool(true)]),
        ("ffi.ModuleGetFunction", &[system, text, view::bool(true)]),
        ("ffi.ModuleClearImports", &[system]),
        (
            "ffi.MakeObjectFromPackedArgs",
            &[view::c_str(c"ffi.reflection.AccessStep"), view::c_str(c"kind"), one, view::c_str(c"key"), one],
        ),
        ("ffi.ReprPrint", &[one]),
    ];
    for (name, args) in known {
        if let Some(function) = globals::find(t, name)? {
            test(name, function.handle(), args)?;
        }
    }
    // What functions of the library's answer, and all that it has: a call that is none is refused whatever its arguments are.
    for (make, of, args) in [
        ("ffi.FunctionListGlobalNamesFunctor", None, [-1, 0]),
        ("ffi.MapForwardIterFunctor", Some(map), [0, 1]),
        ("ffi.DictForwardIterFunctor", Some(dict), [0, 1]),
    ] {
        let Some(function) = globals::find(t, make)? else { continue };
        let function = t.call(&function, of.as_slice())?;
        for arg in args {
            test(&format!("what {make} answers"), function.handle(), &[view::int(arg)])?;
        }
    }
    for global in &abi::abi().globals {
        if let Some(function) = globals::find(t, &global.name)? {
            test(&global.name, function.handle(), &[one, text])?;
        }
    }
    for (ty, index) in abi::abi().types.iter().filter_map(|ty| Some((ty, types::find(t, &ty.key)?))) {
        for method in reflected::methods(t, index)? {
            let name = format!("{}.{}", ty.key, reflected::text(t, "name", method.name)?);
            let function = reflected::share(t, method.method)?;
            test(&name, function.handle(), &[one, text])?;
        }
    }
    Ok(())
}

/// TVMFFIFunctionCreate raises an error where it is given no callback, or no place for the function.
#[check(FUN_0030)]
fn create_of_null(t: &Trial) -> Verdict {
    let mut function = null_mut();
    t.raises(t.api.TVMFFIFunctionCreate(null_mut(), None, None, &mut function), &[])?;
    t.eq("the function", function, null_mut())?;
    t.raises(t.api.TVMFFIFunctionCreate(null_mut(), Some(return_none), None, null_mut()), &[]).map(drop)
}

/// A global function that is looked up without a name, or without a place for it, is refused with an error, whether there is such a function
/// or not.
#[check(FUN_0030)]
fn global_of_null(t: &Trial) -> Verdict {
    let none = TVMFFIByteArray { data: null(), size: 5 };
    t.raises(t.api.TVMFFIFunctionGetGlobal(null(), &mut null_mut()), &[])?;
    t.raises(t.api.TVMFFIFunctionGetGlobal(null(), null_mut()), &[])?;
    t.raises(t.api.TVMFFIFunctionGetGlobal(&none, &mut null_mut()), &[])?;
    for name in [&b"ffi.Array"[..], b"verify.nobody"] {
        t.raises(t.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name), null_mut()), &[])?;
    }
    Ok(())
}

/// A global function that is registered without a name, or that is NULL, is refused with an error, and the name stays as free or as taken as it
/// was, whether it may be taken from another or not.
#[check(FUN_0030)]
fn global_of_no_name(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), return_none, None)?;
    let none = TVMFFIByteArray { data: null(), size: 5 };
    for allow_override in [0, 1, -1] {
        for name in [null(), &raw const none] {
            for handle in [function.handle(), null_mut()] {
                t.raises(t.api.TVMFFIFunctionSetGlobal(name, handle, allow_override), &[])?;
            }
        }
        t.eq("counts of a function that was registered nowhere", t.counts(function.handle())?, (1, 1))?;
        stays_as_it_is(t, |name| t.api.TVMFFIFunctionSetGlobal(name, null_mut(), allow_override))?;
    }
    Ok(())
}

/// A global function that is registered by its description is refused with an error where that is NULL, or has NULL for a text or for the
/// function, and the name stays as free or as taken as it was, whether it may be taken from another or not.
#[check(FUN_0030)]
fn global_of_no_description(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), return_none, None)?;
    let none = TVMFFIByteArray { data: null(), size: 5 };
    let register =
        |info: TVMFFIMethodInfo, allow_override| t.api.TVMFFIFunctionSetGlobalFromMethodInfo(&info, allow_override);
    for allow_override in [0, 1, -1] {
        t.raises(t.api.TVMFFIFunctionSetGlobalFromMethodInfo(null(), allow_override), &[])?;
        t.raises(register(types::method_info(none, function.any()), allow_override), &[])?;
        let of = |name: &TVMFFIByteArray| types::method_info(*name, function.any());
        stays_as_it_is(t, |name| register(TVMFFIMethodInfo { doc: none, ..of(name) }, allow_override))?;
        stays_as_it_is(t, |name| register(TVMFFIMethodInfo { metadata: none, ..of(name) }, allow_override))?;
        let nobody = TVMFFIAny::new(kTVMFFIFunction, 0);
        stays_as_it_is(t, |name| register(TVMFFIMethodInfo { method: nobody, ..of(name) }, allow_override))?;
        t.eq("counts of a function that was registered nowhere", t.counts(function.handle())?, (1, 1))?;
    }
    Ok(())
}

/// An object that is no Function is neither registered as one nor called.
#[check(FUN_0030)]
fn no_function(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[])?;
    for allow_override in [0, 1] {
        stays_as_it_is(t, |name| t.api.TVMFFIFunctionSetGlobal(name, array.handle(), allow_override))?;
    }
    t.eq("counts of an object that is no Function", t.counts(array.handle())?, (1, 1))?;
    let status = t.api.TVMFFIFunctionCall(array.handle(), null_mut(), 0, &mut { TVMFFIAny::NONE });
    t.raises(status, &[]).map(drop)
}

/// Expects a registration under a name to be refused, be the name free, taken by a function of the client's, or by one of the library's, and who
/// has it to be told as before.
fn stays_as_it_is(t: &Trial, register: impl Fn(&TVMFFIByteArray) -> c_int) -> Verdict {
    let leads_to = |name: &TVMFFIByteArray| -> Verdict<usize> {
        let mut function = null_mut();
        t.ok(t.api.TVMFFIFunctionGetGlobal(name, &mut function))?;
        if !function.is_null() {
            t.api.release(function);
        }
        Ok(function as usize)
    };
    let taken = t.function(null_mut(), return_none, None)?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"verify.taken"), taken.handle(), 1))?;
    let counts = t.counts(taken.handle())?;
    for text in [&b"verify.nobody"[..], b"verify.taken", b"ffi.Array"] {
        let name = TVMFFIByteArray::new(text);
        let before = leads_to(&name)?;
        let shown = text.escape_ascii();
        drop(t.raises(register(&name), &[]).map_err(|failure| failure.noting(format!("the name is {shown}")))?);
        t.eq(format_args!("the function under {shown}"), leads_to(&name)?, before)?;
    }
    t.eq("counts of the function whose name was to be taken", t.counts(taken.handle())?, counts)
}
