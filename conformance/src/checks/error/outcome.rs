//! What calls do to the raised error: one that succeeds leaves it alone, one that fails puts its own in its place.

use std::{
    ffi::{c_int, c_void},
    ptr::{dangling_mut, null_mut},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicPtr, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Answer, Owned, Verdict,
        api::Api,
        callback::{self, keep_self},
        globals,
        homemade::{Homemade, retain},
        modules::{LOAD, load_args},
        view,
    },
    trial::Trial,
};

/// Calls that succeed leave the raised error as it is, whichever function is called.
#[check(ERR_0022)]
fn outlasts_calls(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "still raised", "")?;
    t.each_success(|name, call| {
        t.api.TVMFFIErrorSetRaised(error.handle());
        let status = call()?;
        let raised = t.api.take_raised();
        t.eq(format_args!("status of {name}"), status, 0)?;
        t.eq(format_args!("the raised error after {name}"), raised, error.handle())?;
        t.api.release(raised);
        Ok(())
    })?;
    t.eq("references to the error that was raised", t.counts(error.handle())?, (1, 1))
}

/// A call in which the library calls a function of a client's, and which succeeds, leaves the raised error as it is, whatever that
/// function answers.
#[check(ERR_0022)]
fn outlasts_calls_of_the_clients(t: &Trial) -> Verdict {
    let function = t.callback(answer_chosen)?;
    let mut answers =
        vec![TVMFFIAny::NONE, view::bool(false), view::bool(true), view::int(0), view::int(1), view::int(4711)];
    // A map goes on in what is put in the place of an integer: there is none in it.
    let (mut interrupts, array) = (Vec::new(), t.call_global("ffi.Array", &[view::float(0.5)])?);
    if let Some(make) = globals::find(t, "ffi.VisitInterrupt")? {
        for held in [TVMFFIAny::NONE, view::bool(false), array.any()] {
            interrupts.push(t.call(&make, &[held])?);
        }
    }
    answers.extend(interrupts.iter().map(Owned::any));
    let error = t.new_error("ValueError", "still raised", "")?;
    for occasion in t.occasions(&function)? {
        for answer in answers.iter().chain([&occasion.answer, &array.any(), &error.any()]) {
            *CHOSEN.lock().unwrap_or_else(PoisonError::into_inner) = *answer;
            t.api.TVMFFIErrorSetRaised(error.handle());
            if (occasion.provoke)(t)?.is_err() {
                // What else was raised meanwhile is for other clauses to say.
                continue;
            }
            let raised = t.api.take_raised();
            let what = format!("the raised error after {}, whose function answers {answer:?}", occasion.name);
            t.eq(what, raised, error.handle())?;
            t.api.release(raised);
        }
    }
    t.eq("references to the error that was raised", t.counts(error.handle())?, (1, 1))
}

/// What [`answer_chosen`] answers, which the check keeps alive.
static CHOSEN: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

fn answer_chosen(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let value = *CHOSEN.lock().unwrap_or_else(PoisonError::into_inner);
    if value.type_index >= kTVMFFIStaticObjectBegin {
        retain(value.payload() as TVMFFIObjectHandle);
    }
    Some(value)
}

/// An error that was raised before a process makes a copy of itself is still raised in both.
#[check(ERR_0022)]
fn outlasts_a_fork(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "still raised", "")?;
    t.api.TVMFFIErrorSetRaised(error.handle());
    let raised = t.lasts_in_copies("the raised error", |client| {
        // What is taken is put back, so that the next who asks finds it, too.
        let raised = client.api.take_raised();
        client.api.TVMFFIErrorSetRaised(raised);
        client.api.release(raised);
        Ok(raised as usize)
    })?;
    t.eq("the raised error", raised, error.handle() as usize)?;
    t.api.release_raised();
    t.eq("references to the error that was raised", t.counts(error.handle())?, (1, 1))
}

/// An error that a callee has raised is still raised when the callee answers success.
#[check(ERR_0022)]
fn outlasts_success(t: &Trial) -> Verdict {
    unsafe extern "C" fn raise_and_succeed(
        error: *mut c_void,
        _: *const TVMFFIAny,
        _: i32,
        _: *mut TVMFFIAny,
    ) -> c_int {
        if let Some(api) = callback::api() {
            api.TVMFFIErrorSetRaised(error);
        }
        0
    }
    t.serve_callbacks();
    let error = t.new_error("ValueError", "still raised", "")?;
    let function = t.function(error.handle(), raise_and_succeed, Some(keep_self))?;
    t.call(&function, &[])?;
    let raised = t.own_object("the raised error", t.api.take_raised())?;
    t.eq("the raised error", raised.handle(), error.handle())?;
    t.eq("references to it", t.counts(error.handle())?, (2, 1))
}

/// What the end of an object takes from the raised error, or raises in its place, stands when the call that has ended it is back.
#[check(ERR_0014, ERR_0018)]
fn ends_take_and_raise(t: &Trial) -> Verdict {
    /// The error that an end raises, or NULL where it takes the one that is raised.
    static RAISED_BY_END: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    fn take_or_raise() {
        let Some(api) = callback::api() else { return };
        match RAISED_BY_END.load(Ordering::Acquire) {
            null if null.is_null() => api.release_raised(),
            error => api.TVMFFIErrorSetRaised(error),
        }
    }
    unsafe extern "C" fn end_of_object(_: TVMFFIObjectHandle, flags: c_int) {
        if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
            take_or_raise();
        }
    }
    unsafe extern "C" fn end_of_closure(_: *mut c_void) {
        take_or_raise();
    }
    t.serve_callbacks();
    let (first, other) = (t.new_error("ValueError", "first", "")?, t.new_error("TypeError", "other", "")?);
    let own = || Homemade::with_deleter(kTVMFFIObject, (), Some(end_of_object));
    let given_up = |object: Homemade| t.own(object.view());
    let held = |make: &str, args: &[TVMFFIAny]| -> Verdict<Option<Owned>> {
        globals::find(t, make)?.map(|make| t.call(&make, args)).transpose()
    };
    // Each makes an object, and answers how it ends.
    type End<'a> = Box<dyn FnOnce() -> Verdict + 'a>;
    let ends = |object: Owned| -> End<'_> {
        Box::new(move || {
            drop(object);
            Ok(())
        })
    };
    let changes = |container: Option<Owned>, change: &'static str, args: Vec<TVMFFIAny>| -> Option<End<'_>> {
        let container = container?;
        Some(Box::new(move || t.call_global(change, &[&[container.any()], &args[..]].concat()).map(drop)))
    };
    type Make<'a> = (&'a str, &'a dyn Fn() -> Verdict<Option<End<'a>>>);
    let (int, none) = (view::int, TVMFFIAny::NONE);
    let makers: [Make<'_>; 9] = [
        ("TVMFFIObjectDecRef", &|| Ok(Some(ends(given_up(own()))))),
        ("TVMFFIObjectDecRef of a function", &|| {
            Ok(Some(ends(t.function(null_mut(), callback::return_none, Some(end_of_closure))?)))
        }),
        ("TVMFFIObjectDecRef of an opaque object", &|| Ok(Some(ends(t.opaque(dangling_mut(), end_of_closure)?)))),
        ("TVMFFIObjectDecRef of an Array", &|| {
            let inner = given_up(own());
            Ok(held("ffi.Array", &[inner.any()])?.map(ends))
        }),
        ("ffi.ListClear", &|| {
            let inner = given_up(own());
            Ok(changes(held("ffi.List", &[inner.any()])?, "ffi.ListClear", vec![]))
        }),
        ("ffi.ListSetItem", &|| {
            let inner = given_up(own());
            Ok(changes(held("ffi.List", &[inner.any()])?, "ffi.ListSetItem", vec![int(0), none]))
        }),
        ("ffi.ListErase", &|| {
            let inner = given_up(own());
            Ok(changes(held("ffi.List", &[inner.any()])?, "ffi.ListErase", vec![int(0)]))
        }),
        ("ffi.DictErase", &|| {
            let inner = given_up(own());
            Ok(changes(held("ffi.Dict", &[int(1), inner.any()])?, "ffi.DictErase", vec![int(1)]))
        }),
        ("ffi.DictClear", &|| {
            let inner = given_up(own());
            Ok(changes(held("ffi.Dict", &[int(1), inner.any()])?, "ffi.DictClear", vec![]))
        }),
    ];
    for (name, make) in makers {
        for raised_by_end in [null_mut(), other.handle()] {
            let Some(end) = make()? else { continue };
            RAISED_BY_END.store(raised_by_end, Ordering::Release);
            t.clause(if raised_by_end.is_null() { id::ERR_0014 } else { id::ERR_0018 });
            t.api.TVMFFIErrorSetRaised(first.handle());
            end()?;
            let (raised, does) = (t.api.take_raised(), if raised_by_end.is_null() { "takes it" } else { "raises" });
            t.eq(format_args!("the raised error after {name} of what {does} at its end"), raised, raised_by_end)?;
            if !raised.is_null() {
                t.api.release(raised);
            }
            let counts = (t.counts(first.handle())?, t.counts(other.handle())?);
            t.eq(format_args!("counts of both errors after {name}"), counts, ((1, 1), (1, 1)))?;
        }
    }
    Ok(())
}

/// A function of the C API that fails raises an error of its own in the place of the one that was raised before.
#[check(ERR_0035)]
fn each_failure_raises(t: &Trial) -> Verdict {
    t.each_failure(|name, call| {
        let stale = t.new_error("ValueError", "of an earlier call", "")?;
        t.api.TVMFFIErrorSetRaised(stale.handle());
        // Whether it has to fail is another clause.
        let failed = call() != 0;
        let raised = t.own_object(format!("the raised error after {name}"), t.api.take_raised())?;
        t.eq(
            format_args!("whether the error raised before {name} is still raised"),
            raised.handle() == stale.handle(),
            !failed,
        )?;
        drop(raised);
        t.eq("references to the earlier error", t.counts(stale.handle())?, (1, 1))
    })
}

/// A function of the C API that fails raises an error when nothing was raised before, also as a thread's first call.
#[check(ERR_0035)]
fn first_failure_raises(t: &Trial) -> Verdict {
    t.each_failure(|name, call| {
        t.api.release_raised();
        let failed = call() != 0;
        let raised = t.take_raised();
        t.eq(format_args!("whether an error is raised after {name}"), raised.is_some(), failed)
    })?;
    t.threads(1, |t, _| {
        let failed = t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"verify.no_such_thing"), &mut 0) != 0;
        t.eq("whether an error is raised by the first call of a thread", t.take_raised().is_some(), failed)
    })
}

/// A global function, one of a module or one that calls back and fails has raised an error of its own in the place of the one that was raised before,
/// of which it keeps nothing.
#[check(ERR_0035)]
fn each_failing_call_raises(t: &Trial) -> Verdict {
    let (far, text, unknown) = (view::int(9), view::c_str(c"{\"two\": 2.5"), view::c_str(c"verify.no_such_thing"));
    let mut calls: Vec<(&str, Vec<TVMFFIAny>)> = vec![
        ("ffi.ModuleGetFunction", vec![far, unknown, view::bool(false)]),
        ("ffi.ModuleGetFunction", vec![far, unknown, view::bool(true)]),
        ("ffi.ModuleImplementsFunction", vec![far, unknown, view::bool(true)]),
        ("ffi.ModuleImportModule", vec![far, far]),
        ("ffi.ModuleClearImports", vec![far]),
        ("ffi.SystemLib", vec![far]),
        ("ffi.GetGlobalFuncMetadata", vec![unknown]),
        ("ffi.FunctionRemoveGlobal", vec![far]),
        ("ffi.json.Parse", vec![text]),
        ("ffi.FromJSONGraphString", vec![text]),
        ("ffi.Shape", vec![text]),
        ("ffi.Map", vec![far]),
        ("ffi.Dict", vec![far]),
        ("ffi.MakeFieldGetter", vec![text]),
        ("ffi._RegisterFFIInit", vec![text]),
    ];
    for path in [c"/no/such/library.so", c"/no/such/library.verify_unknown", c"/no/such/library", c"/dev/null"] {
        calls.push(("ffi.ModuleLoadFromFile", vec![view::c_str(path)]));
        calls.push((LOAD, load_args(path).to_vec()));
    }
    let containers = t.containers_of(3, 3)?;
    for container in &containers {
        let value = container.any();
        let [one, two] = [vec![value, far], vec![value, far, far]];
        calls.extend(match value.type_index {
            kTVMFFIArray => vec![("ffi.ArrayGetItem", one)],
            kTVMFFIMap => vec![("ffi.MapGetItem", one)],
            kTVMFFIList => vec![
                ("ffi.ListGetItem", one.clone()),
                ("ffi.ListPop", one.clone()),
                ("ffi.ListErase", one),
                ("ffi.ListSetItem", two.clone()),
                ("ffi.ListInsert", two),
            ],
            _ => vec![("ffi.DictGetItem", one)],
        });
    }
    for (name, args) in &calls {
        let Some(function) = globals::find(t, name)? else { continue };
        takes_the_place(t, name, || t.answer_of(function.handle(), args))?;
    }
    let module = t.load("functions.so")?;
    let failing = t.callback(|api, _| callback::raise(api, c"KeyError", c"a function of the client's"))?;
    let (raises, call) = (t.function_of(&module, c"raise_value_error")?, t.function_of(&module, c"call")?);
    for (name, function, args) in [
        ("a function of a module", raises.handle(), vec![]),
        ("a function of a module that calls a failing one", call.handle(), vec![failing.any()]),
        ("a function of the client's", failing.handle(), vec![]),
    ] {
        takes_the_place(t, name, || t.answer_of(function, &args))?;
    }
    for occasion in t.occasions(&failing)? {
        takes_the_place(t, &occasion.name, || (occasion.provoke)(t))?;
    }
    Ok(())
}

/// Expects a call, if it fails, to have raised another error than the one that was raised before.
fn takes_the_place(t: &Trial, what: &str, call: impl Fn() -> Verdict<Answer>) -> Verdict {
    let stale = t.new_error("ValueError", "of an earlier call", "")?;
    t.api.TVMFFIErrorSetRaised(stale.handle());
    match call()? {
        // Whether it has to fail is another clause.
        Ok(_) => t.api.release_raised(),
        Err(raised) => {
            let is_stale = raised.object.handle() == stale.handle();
            t.eq(format_args!("whether the error raised before {what} is still raised"), is_stale, false)?;
        }
    }
    t.eq(format_args!("references to the error raised before {what}"), t.counts(stale.handle())?, (1, 1))
}

/// Failures keep no memory and no reference, whichever function fails.
#[check(ERR_0031, patient = 6)]
fn no_growth_failing(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.each_failure(|name, call| {
        t.no_growth(format!("heap after failures of {name}"), || {
            call();
            t.api.release_raised();
            Ok(())
        })
    })
}
