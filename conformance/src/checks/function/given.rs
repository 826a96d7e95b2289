//! Objects that a caller offers with an argument, to be moved out of its slot: where the callee leaves one there, it stays there.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Owned, Verdict, callback, globals,
        homemade::{Homemade, release},
        memory,
        modules::{GET_FUNCTION, LOAD, load_args},
        view,
    },
    trial::Trial,
};

/// How a function is called, with arguments that outlive the call, and the status that this answers.
type Way = (&'static str, fn(&Trial, &Owned, &[TVMFFIAny]) -> Verdict<c_int>);

const WAYS: [Way; 3] = [
    ("by TVMFFIFunctionCall", |t, function, args| Ok(status_of(t, function, args))),
    ("through its safe_call", |t, function, args| {
        let cell: TVMFFIFunctionCell = t.cell("function cell", function.handle())?;
        let Some(safe_call) = cell.safe_call else { return Err(t.failure("safe_call", "a function", "NULL")) };
        let (handle, count, mut result) = (function.handle(), args.len() as i32, TVMFFIAny::NONE);
        let status = t.api.noted("safe_call(the function, ...)", || {
            // SAFETY: this is what the cell says of itself; the target is the one under test.
            unsafe { safe_call(handle, args.as_ptr(), count, &raw mut result) }
        });
        drop(t.own(result));
        Ok(status)
    }),
    ("by a function that hands its arguments on", |t, function, args| {
        let outer = t.function(function.handle(), hand_on, None)?;
        Ok(status_of(t, &outer, args))
    }),
];

/// An object that a callee leaves in the caller's slot stays there with its references, whether the call succeeds or fails, whatever function is
/// called, and in whichever way.
#[check(FUN_0015)]
fn left_in_the_slot(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let failing = |status: isize| t.function(status as *mut c_void, fail_with, None);
    let mut callees = vec![
        ("a function that succeeds", t.function(null_mut(), record, None)?),
        ("a function that fails", t.function(null_mut(), fail, None)?),
        ("a function that fails with -2", failing(-2)?),
        ("a function that fails with 42", failing(42)?),
    ];
    callees.extend(of_a_module(t)?);
    let own = Homemade::new(kTVMFFIObject, ());
    let objects = [
        t.string(b"a string on the heap")?,
        t.call_global("ffi.Array", &[view::int(1)])?,
        t.function(SELF, record, None)?,
    ];
    let handles: Vec<_> = objects.iter().map(Owned::handle).chain([own.handle()]).collect();
    let counts = || handles.iter().map(|handle| t.counts(*handle)).collect::<Verdict<Vec<_>>>();
    for (of, callee) in &callees {
        for (how, call) in WAYS {
            for many in [1, 2, handles.len()] {
                let (mut slots, mut nothing, before) = (handles.clone(), null_mut(), counts()?);
                let mut args: Vec<_> = slots.iter_mut().rev().take(many).map(offered).collect();
                // One that is lent, too, and a slot that is empty.
                args.extend([own.view(), offered(&mut nothing)]);
                call(t, callee, &args)?;
                t.api.release_raised();
                let what = format!("after {of} was called {how} with {many} objects that it might have moved");
                t.eq(format_args!("the caller's slots {what}"), &slots, &handles)?;
                t.eq(format_args!("the counts of the objects {what}"), counts()?, before)?;
                t.eq(format_args!("the ends of the client's own object {what}"), own.ends(), Vec::new())?;
            }
        }
    }
    Ok(())
}

/// Functions of a module, as far as the target loads one; that it does is for other clauses to say.
fn of_a_module(t: &Trial) -> Verdict<Vec<(&'static str, Owned)>> {
    let mut found = Vec::new();
    let (Some(load), Some(find)) = (globals::find(t, LOAD)?, globals::find(t, GET_FUNCTION)?) else { return Ok(found) };
    let path = t.fixture("functions.so")?;
    let Ok(module) = t.answer_of(load.handle(), &load_args(&path))? else { return Ok(found) };
    for (of, name) in
        [("a module's function", c"count_arguments"), ("a module's function that fails", c"raise_value_error")]
    {
        let answer = t.answer_of(find.handle(), &[module.any(), view::c_str(name), view::bool(false)])?;
        found.extend(answer.ok().filter(|it| it.any().type_index == kTVMFFIFunction).map(|function| (of, function)));
    }
    Ok(found)
}

/// Of objects in the caller's slots only those are moved that the callee takes, in whichever places, whether the call succeeds or fails: the others
/// stay there with their references.
#[check(FUN_0015)]
fn taken_beside_left(t: &Trial) -> Verdict {
    t.serve_callbacks();
    for (of, status) in [("succeeds", 0_isize), ("fails", -1)] {
        let callee = t.function(status as *mut c_void, take_chosen, None)?;
        for (how, call) in WAYS {
            for chosen in 0..8_usize {
                let objects: [Homemade; 3] = std::array::from_fn(|_| Homemade::new(kTVMFFIObject, ()));
                let mut slots = objects.each_ref().map(Homemade::handle);
                let args = [&[view::int(chosen as i64)][..], &slots.each_mut().map(offered)].concat();
                call(t, &callee, &args)?;
                t.api.release_raised();
                for (at, object) in objects.iter().enumerate() {
                    let what =
                        format!("object {at}, after a function that takes {chosen:#b} and {of} was called {how}");
                    let is_taken = chosen >> at & 1 == 1;
                    let expected = if is_taken { null_mut() } else { object.handle() };
                    t.eq(format_args!("the slot of {what}"), slots[at], expected)?;
                    t.eq(format_args!("number of ends of {what}"), object.ends().len(), usize::from(is_taken))?;
                    if !is_taken {
                        t.eq(format_args!("counts of {what}"), object.counts(), (1, 1))?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A callee's references to objects that it may move stay as they are while it makes calls with references of its own, and while it hands them on.
#[check(FUN_0007)]
fn offered_within(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let inner = t.function(null_mut(), answer_payload, None)?;
    let outer = t.function(inner.handle(), offer_others, None)?;
    let objects: [Homemade; 17] = std::array::from_fn(|_| Homemade::new(kTVMFFIObject, ()));
    for count in [1, 2, 3, 8, 9, 17] {
        let mut slots = objects.each_ref().map(Homemade::handle);
        let args: Vec<_> = slots[..count].iter_mut().map(offered).collect();
        t.call(&outer, &args)?;
        received(t, &args)?;
    }
    Ok(())
}

/// The argument that offers what is in a slot.
fn offered(slot: &mut TVMFFIObjectHandle) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(slot) as u64)
}

/// Raises an error of its own and answers its self, a number, as its status.
unsafe extern "C" fn fail_with(status: *mut c_void, args: *const TVMFFIAny, n: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: called as this function was.
    unsafe { fail(null_mut(), args, n, result) };
    status as isize as c_int
}

/// Calls the function that is its self with its own arguments, and comes to what that comes to.
unsafe extern "C" fn hand_on(inner: *mut c_void, args: *const TVMFFIAny, n: i32, result: *mut TVMFFIAny) -> c_int {
    callback::api().map_or(-1, |api| api.TVMFFIFunctionCall(inner, args.cast_mut(), n, result))
}

/// Takes the objects out of the slots whose bits are set in its first argument, and fails if its self is not 0.
unsafe extern "C" fn take_chosen(status: *mut c_void, args: *const TVMFFIAny, n: i32, result: *mut TVMFFIAny) -> c_int {
    let chosen = memory::read(args).map_or(0, |arg| arg.payload());
    for at in (1..n.max(1) as usize).filter(|at| chosen >> (at - 1) & 1 == 1) {
        let slot =
            memory::read(args.wrapping_add(at)).map_or(null_mut(), |arg| arg.payload() as *mut TVMFFIObjectHandle);
        if let Some(object) = memory::read(slot.cast_const()).filter(|object| !object.is_null()) {
            // SAFETY: the slot of the caller's, which has just been read.
            unsafe { slot.write(null_mut()) };
            release(object);
        }
    }
    // SAFETY: called as this function was.
    if status.is_null() { 0 } else { unsafe { fail(null_mut(), args, n, result) } }
}

/// Answers the payload of its first argument, as a number.
unsafe extern "C" fn answer_payload(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let Some(first) = memory::read(args) else { return -1 };
    // SAFETY: the caller passes a result to write to.
    unsafe { result.write(TVMFFIAny::new(kTVMFFIInt, first.payload())) };
    0
}

/// Has [`answer_payload`], which is its self, answer for as many slots of its own as it was given, and for those; then looks at its arguments.
unsafe extern "C" fn offer_others(inner: *mut c_void, args: *const TVMFFIAny, n: i32, result: *mut TVMFFIAny) -> c_int {
    let (Some(api), Some(first)) = (callback::api(), memory::read(args)) else { return -1 };
    for _ in 0..3 {
        let object = Homemade::new(kTVMFFIObject, ());
        let mut slot = object.handle();
        let own = offered(&mut slot);
        let mut others = vec![own; n as usize];
        for (given, expected) in [(others.as_mut_ptr(), own), (args.cast_mut(), first)] {
            let mut answer = TVMFFIAny::NONE;
            let status = api.TVMFFIFunctionCall(inner, given, n, &mut answer);
            if status != 0 || answer.payload() != expected.payload() {
                return -1;
            }
        }
    }
    // SAFETY: called as this function was.
    unsafe { record(inner, args, n, result) }
}
