//! The way back from a call: the result, the status, and the raised error.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI32, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        TypeIndex, Verdict,
        callback::{self, keep_self, raise_self},
        forms, globals, header,
        homemade::{Homemade, retain},
        memory,
        node::{fields_of, node, node_type},
        occasion::Occasion,
        view,
    },
    trial::Trial,
};

/// A caller receives a plain result with its sixteen bytes unchanged.
#[check(FUN_0010)]
fn result_verbatim(t: &Trial) -> Verdict {
    // Plain values, and a small string, whose second word counts.
    let mut small = TVMFFIAny::new(kTVMFFISmallStr, u64::from_le_bytes(*b"1234567\0"));
    small.aux = TVMFFIAnyAux { small_str_len: 7 };
    let values = [
        view::int(0x1122_3344_5566_7788),
        view::float(-0.0),
        view::bool(true),
        view::pointer(0x0dd_ba11 as *mut c_void),
        TVMFFIAny::new(kTVMFFIDevice, 0x0000_0003_0000_0002),
        small,
    ];
    for value in values {
        let function = t.function((&raw const value).cast_mut().cast(), answer_self, None)?;
        let mut result = TVMFFIAny::new(kTVMFFIInt, 0xaaaa_aaaa_aaaa_aaaa);
        t.ok(t.try_call(&function, &[], &mut result))?;
        t.any_eq("result", &result, &value)?;
    }
    Ok(())
}

/// A caller receives an object in the result with the one reference that the callee gives away.
#[check(FUN_0010)]
fn result_object(t: &Trial) -> Verdict {
    let object = t.string(b"a string on the heap")?;
    let value = object.any();
    let function = t.function((&raw const value).cast_mut().cast(), answer_self, None)?;
    let before = t.counts(object.handle())?.0;
    // The reference that the callee gives away.
    t.ok(t.api.TVMFFIObjectIncRef(object.handle()))?;
    let result = t.call(&function, &[])?;
    t.any_eq("result", &result.any(), &value)?;
    t.eq("strong count of the object with its result", t.counts(object.handle())?.0, before + 1)?;
    drop(result);
    t.eq("strong count of the object without its result", t.counts(object.handle())?.0, before)
}

/// A caller receives a result of any kind, in whatever form the callee owns it, with its sixteen bytes unchanged.
#[check(FUN_0010)]
fn result_of_any_kind(t: &Trial) -> Verdict {
    for sample in t.samples()? {
        let value = sample.any();
        // What only a view can be is no result.
        if [kTVMFFIRawStr, kTVMFFIByteArrayPtr].contains(&value.type_index) {
            continue;
        }
        if value.type_index >= kTVMFFIStaticObjectBegin {
            // The reference that the callee gives away.
            t.ok(t.api.TVMFFIObjectIncRef(value.payload() as TVMFFIObjectHandle))?;
        }
        let function = t.function((&raw const value).cast_mut().cast(), answer_self, None)?;
        let result = t.call(&function, &[])?;
        t.any_eq(format_args!("a result that was {}", sample.name), &result.any(), &value)?;
    }
    Ok(())
}

/// What a function answers within the calls of others is its caller's alone, whatever kind of object it is and however deep the calls: no reference
/// is taken or released on the way, and none is left when the caller lets go of it.
#[check(FUN_0010, TEN_0036)]
fn result_within_calls(t: &Trial) -> Verdict {
    t.serve_callbacks();
    for (kind, depth) in
        (kTVMFFIStaticObjectBegin..=kTVMFFIDict).flat_map(|kind| (0..3).map(move |depth| (kind, depth)))
    {
        t.clause(if kind == kTVMFFITensor { id::TEN_0036 } else { id::FUN_0010 });
        let object = Homemade::new(kind, [0_u64; 8]);
        let mut functions = vec![t.function(object.handle(), answer_kept, None)?];
        for level in 0..=depth {
            let callee = if level == depth { let_go_of_answer } else { pass_answer_on };
            functions.push(t.function(functions[level].handle(), callee, None)?);
        }
        COUNTED.lock().unwrap_or_else(PoisonError::into_inner).clear();
        drop(t.call(&functions[depth + 1], &[])?);
        let counted = std::mem::take(&mut *COUNTED.lock().unwrap_or_else(PoisonError::into_inner));
        let expected: Vec<_> = (0..=depth).map(|_| (2, 1)).chain([(1, 1)]).collect();
        let what =
            format!("counts of an object of type index {kind} at each of {depth} callers within the call, and after");
        t.eq(what, counted, expected)?;
    }
    Ok(())
}

/// The counts that were found within calls.
static COUNTED: Mutex<Vec<(u32, u32)>> = Mutex::new(Vec::new());

fn count(object: TVMFFIObjectHandle) {
    let counts = if object.is_null() { (0, 0) } else { header::both(object) };
    COUNTED.lock().unwrap_or_else(PoisonError::into_inner).push(counts);
}

/// A callee that answers the object that is its self, and keeps it.
unsafe extern "C" fn answer_kept(this: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    retain(this);
    let header = memory::read(this.cast_const().cast()).map(header::turned);
    // SAFETY: a result of the calling convention: a value that may be overwritten.
    unsafe { result.write(TVMFFIAny::new(header.map_or(kTVMFFINone, |header| header.type_index), this as u64)) };
    0
}

/// A callee that answers what the function answers that is its self, whose counts are noted.
unsafe extern "C" fn pass_answer_on(this: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let Some(api) = callback::api() else { return -1 };
    let mut answer = TVMFFIAny::NONE;
    let status = api.TVMFFIFunctionCall(this, null_mut(), 0, &mut answer);
    count(answer.payload() as TVMFFIObjectHandle);
    // SAFETY: a result of the calling convention: a value that may be overwritten.
    unsafe { result.write(answer) };
    status
}

/// A callee that lets go of what the function answers that is its self, whose counts are noted before and after.
unsafe extern "C" fn let_go_of_answer(this: *mut c_void, args: *const TVMFFIAny, n: i32, _: *mut TVMFFIAny) -> c_int {
    let mut answer = TVMFFIAny::NONE;
    // SAFETY: called as this function was, with a place for a result.
    let status = unsafe { pass_answer_on(this, args, n, &mut answer) };
    let object = answer.payload() as TVMFFIObjectHandle;
    if let Some(api) = callback::api() {
        api.TVMFFIObjectDecRef(object);
    }
    count(object);
    status
}

/// A callee finds no object in its result.
#[check(FUN_0011)]
fn result_before(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), record, None)?;
    for before in [TVMFFIAny::NONE, view::int(0x5555_5555_5555_5555), view::pointer(0x77 as *mut c_void)] {
        let mut result = before;
        t.ok(t.try_call(&function, &[], &mut result))?;
        let found = seen().result_type_index;
        t.that(
            "type_index of the result before the call",
            found < kTVMFFIStaticObjectBegin,
            "less than 64",
            TypeIndex(found),
        )?;
    }
    Ok(())
}

/// A client's function that the library calls finds no object in its result, and arguments without stray bytes.
#[check(FUN_0025, ANY_0029)]
fn called_by_the_library(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), record_and_answer, None)?;
    // An object that is answered, and taken or not, is not found at the next call.
    let text = t.string(b"a text that is an object")?;
    let occasions = t.occasions(&function)?;
    let answers = |occasion: &Occasion| [occasion.answer, text.any(), text.any(), occasion.answer];
    for (occasion, answer) in occasions.iter().flat_map(|occasion| answers(occasion).map(|answer| (occasion, answer))) {
        *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = answer;
        let _ = seen();
        drop((occasion.provoke)(t)?);
        let seen = seen();
        // That it is called is for the clauses of the occasion to say.
        if seen.num_args < 0 {
            continue;
        }
        let (name, found) = (&occasion.name, seen.result_type_index);
        t.clause(id::FUN_0025);
        let prepared = (0..kTVMFFIStaticObjectBegin).contains(&found);
        t.that(format_args!("the result in which {name} wants an answer"), prepared, "from 0 to 63", TypeIndex(found))?;
        t.clause(id::ANY_0029);
        seen.args.iter().try_for_each(|arg| t.is_whole(format_args!("an argument that {name} gives"), arg))?;
    }
    Ok(())
}

/// A loader of modules that a client has made finds no object in its result, and arguments without stray bytes.
#[check(FUN_0025, ANY_0029)]
fn called_to_load(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), record_and_answer, None)?;
    let name = TVMFFIByteArray::new(b"ffi.Module.load_from_file.verify_result");
    t.ok(t.api.TVMFFIFunctionSetGlobal(&name, function.handle(), 1))?;
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = TVMFFIAny::NONE;
    for file in [c"m.verify_result", c"a_name_that_is_not_short.verify_result"] {
        let _ = seen();
        // What comes of a loader that answers None is for other clauses to say.
        drop(t.answer("ffi.ModuleLoadFromFile", &[view::c_str(file)])?);
        let seen = seen();
        if seen.num_args < 0 {
            continue;
        }
        t.clause(id::FUN_0025);
        let found = seen.result_type_index;
        let prepared = (0..kTVMFFIStaticObjectBegin).contains(&found);
        t.that("the result in which a loader is to answer", prepared, "from 0 to 63", TypeIndex(found))?;
        t.clause(id::ANY_0029);
        seen.args.iter().try_for_each(|arg| t.is_whole("an argument of a loader", arg))?;
    }
    Ok(())
}

/// A function in `__ffi_shallow_copy__` that ffi.DeepCopy calls finds no object in its result.
#[check(FUN_0025)]
fn called_to_copy(t: &Trial) -> Verdict {
    const NOT_CALLED: i32 = i32::MIN;
    static FOUND: AtomicI32 = AtomicI32::new(NOT_CALLED);
    unsafe extern "C" fn copy(_: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
        // SAFETY: the caller passes that many arguments, and where the result goes.
        let (original, result) = unsafe { (args.as_ref().filter(|_| count > 0), &mut *result) };
        FOUND.store(result.type_index, Ordering::Relaxed);
        let copied = original.and_then(|original| Some((original.type_index, fields_of(original)?)));
        if let Some((kind, fields)) = copied {
            *result = node(kind, fields.first, fields.second).view();
        }
        0
    }
    let kind = node_type(t, "verify.Copied", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let function = t.function(null_mut(), copy, None)?;
    t.set_hook(kind, "__ffi_shallow_copy__", &function.any())?;
    let original = node(kind, view::int(1), view::int(2));
    if globals::find(t, "ffi.DeepCopy")?.is_some() {
        // What comes of it is for other clauses to say.
        drop(t.answer("ffi.DeepCopy", &[original.view()])?);
    }
    let found = FOUND.load(Ordering::Relaxed);
    let is_prepared = found == NOT_CALLED || (0..kTVMFFIStaticObjectBegin).contains(&found);
    t.that("the result in which ffi.DeepCopy wants a copy", is_prepared, "from 0 to 63", TypeIndex(found))
}

/// What [`record_and_answer`] answers.
static ANSWER: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

unsafe extern "C" fn record_and_answer(
    this: *mut c_void,
    args: *const TVMFFIAny,
    n: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: called as this function was; the caller passes a result to write to.
    unsafe {
        record(this, args, n, result);
        let answer = *ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
        if answer.type_index >= kTVMFFIStaticObjectBegin {
            retain(answer.payload() as TVMFFIObjectHandle);
        }
        result.write(answer);
    }
    0
}

/// A result that the callee does not touch stays as the caller has set it, whether the call succeeds or fails.
#[check(FUN_0011)]
fn result_untouched(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let small = forms::inline(kTVMFFISmallStr, b"seven_b").unwrap_or(TVMFFIAny::NONE);
    let befores = [TVMFFIAny::NONE, view::int(0x5555_5555_5555_5555), view::float(-0.0), view::pointer(SELF), small];
    for (of, callee) in [("succeeds", record as TVMFFISafeCallType), ("fails", fail)] {
        for this in [null_mut(), SELF] {
            let function = t.function(this, callee, None)?;
            for before in befores {
                let mut result = before;
                let status = t.try_call(&function, &graffiti(2), &mut result);
                t.eq(format_args!("whether a call that {of} answers 0"), status == 0, of == "succeeds")?;
                t.any_eq(
                    format_args!("result that the callee has not touched, of a call that {of}"),
                    &result,
                    &before,
                )?;
                t.api.release_raised();
            }
        }
    }
    Ok(())
}

/// Calls succeed as before when tens of thousands have succeeded and failed.
#[check(FUN_0012, patient = 2)]
fn status_held_over_time(t: &Trial) -> Verdict {
    const CALLS: usize = 70_000;
    let call = t.api.bare("TVMFFIFunctionCall", |table| table.TVMFFIFunctionCall);
    let [succeeds, fails] = [0_isize, -1].map(|status| t.function(status as *mut c_void, status_self, Some(keep_self)));
    let (succeeds, fails) = (succeeds?, fails?);
    t.api.note(&format!("TVMFFIFunctionCall(...), {CALLS} times, of functions that succeed and fail in turn"));
    for number in 0..CALLS {
        for (function, succeeds) in [(&succeeds, true), (&fails, false)] {
            // SAFETY: a call as the header asks for; the target is the one under test.
            let status = unsafe { call(function.handle(), null_mut(), 0, &mut { TVMFFIAny::NONE }) };
            t.eq(format_args!("whether call {number} answers 0"), status == 0, succeeds)?;
        }
    }
    Ok(())
}

/// TVMFFIFunctionCall answers 0 when the callee does, and something else when the callee answers anything else.
#[check(FUN_0012)]
fn status(t: &Trial) -> Verdict {
    for this in [0, 1, -1, 7, i32::MIN, 256] {
        let status = status_where(t, this)?;
        t.that(
            format_args!("status of a call whose callee answers {this}"),
            (status == 0) == (this == 0),
            if this == 0 { "0" } else { "not 0" },
            status,
        )?;
    }
    Ok(())
}

/// TVMFFIFunctionCall answers the very status that the callee answers, also in a call within calls.
#[check(FUN_0013)]
fn status_verbatim(t: &Trial) -> Verdict {
    t.serve_callbacks();
    for this in [-1, -2, 1, 42] {
        t.eq("status of the call", status_where(t, this)?, this)?;
        let mut functions = vec![t.function(this as isize as *mut c_void, status_self, Some(keep_self))?];
        for depth in 1..=3 {
            let inner = functions[depth - 1].handle();
            functions.push(t.function(inner, pass_on, Some(keep_self))?);
            let what =
                format_args!("status that came through {depth} functions that call another and answer its status");
            t.eq(what, status_of(t, &functions[depth], &[]), this)?;
        }
    }
    Ok(())
}

/// Calls the function that it has for its self, and answers what that answers.
unsafe extern "C" fn pass_on(this: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    callback::api().map_or(0, |api| api.TVMFFIFunctionCall(this, args.cast_mut(), count, result))
}

/// The status of a call whose callee answers `status`, with an error raised.
fn status_where(t: &Trial, status: c_int) -> Verdict<c_int> {
    let function = t.function(status as isize as *mut c_void, status_self, Some(keep_self))?;
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"of a failing callee".as_ptr());
    Ok(status_of(t, &function, &[]))
}

/// The error that a callee has raised is still raised when TVMFFIFunctionCall returns, whatever status the callee answered that is not 0.
#[check(FUN_0014)]
fn raised_error(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let error = t.new_error("CustomKind", "of the callee", "")?;
    let plain = t.function(error.handle(), raise_self, None)?;
    let mut functions = vec![("-1 and nothing else".to_owned(), plain)];
    for status in [-2, 1, 42, c_int::MIN, c_int::MAX] {
        let this = Box::into_raw(Box::new((error.handle(), status)));
        functions.push((status.to_string(), t.function(this.cast(), raise_and_answer, None)?));
    }
    for (answer, function) in &functions {
        let status = status_of(t, function, &graffiti(2));
        t.ne(format_args!("status of a call whose callee answered {answer}"), status, 0)?;
        let mut raised = null_mut();
        t.api.TVMFFIErrorMoveFromRaised(&mut raised);
        t.eq(format_args!("the error raised by a callee that answered {answer}"), raised, error.handle())?;
        t.ok(t.api.TVMFFIObjectDecRef(raised))?;
    }
    Ok(())
}

/// Raises the error that its self tells of, and answers the status beside it.
unsafe extern "C" fn raise_and_answer(this: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    // SAFETY: what `raised_error` made, for the life of the process.
    let (error, status) = unsafe { *this.cast::<(TVMFFIObjectHandle, c_int)>() };
    if let Some(api) = callback::api() {
        api.TVMFFIErrorSetRaised(error);
    }
    status
}

/// Calling a function that fails keeps no memory.
#[check(FUN_0021)]
fn no_growth_failing(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.serve_callbacks();
    let error = t.new_error("CustomKind", "of the callee", "")?;
    let function = t.function(error.handle(), raise_self, None)?;
    t.no_growth("heap after calls that fail", || {
        let status = status_of(t, &function, &[]);
        t.raises(status, &[]).map(drop)
    })?;
    t.eq("counts of the error that was raised each time", t.counts(error.handle())?, (1, 1))
}
