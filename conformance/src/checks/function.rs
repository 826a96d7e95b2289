//! Functions: the objects, what a callee receives, what comes back from it, and calls within calls.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use proptest::{collection::vec, prelude::any};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, api::Api, memory, view},
    trial::Trial,
};

// ---- function objects ------------------------------------------------------------------------------------------------

/// Keeps safe_call and an empty cpp_call in the cell.
#[check(FUN_0001)]
fn layout(t: &Trial) -> Verdict {
    for (of, this) in [("with a self", 0x5e1f_usize as *mut c_void), ("without a self", null_mut())] {
        let function = t.function(this, record, None)?;
        t.eq(format!("type_index of a function {of}"), t.header(function.handle())?.type_index, kTVMFFIFunction)?;
        let cell: TVMFFIFunctionCell = t.cell("function cell", function.handle())?;
        t.that(format!("safe_call of a function {of}"), cell.safe_call.is_some(), "a function", "NULL")?;
        t.eq(format!("cpp_call of a function {of}"), cell.cpp_call, null_mut())?;
    }
    Ok(())
}

/// Has a safe_call in its own functions.
#[check(FUN_0001)]
fn global_layout(t: &Trial) -> Verdict {
    for name in ["ffi.String", "ffi.FunctionRemoveGlobal", "ffi.FunctionListGlobalNamesFunctor", "ffi.Shape"] {
        let function = t.global(name)?;
        t.eq(format!("type_index of {name}"), t.header(function.handle())?.type_index, kTVMFFIFunction)?;
        let cell: TVMFFIFunctionCell = t.cell("function cell", function.handle())?;
        t.that(format!("safe_call of {name}"), cell.safe_call.is_some(), "a function", "NULL")?;
    }
    Ok(())
}

/// Makes a function with one reference.
#[check(FUN_0002)]
fn create_is_owned(t: &Trial) -> Verdict {
    for (of, this) in [("with a self", 0x5e1f_usize as *mut c_void), ("without a self", null_mut())] {
        let function = t.function(this, record, None)?;
        t.eq(format!("strong and weak count of a function {of}"), t.counts(function.handle())?, (1, 1))?;
    }
    Ok(())
}

/// Calls back with self.
#[check(FUN_0003)]
fn self_is_handle(t: &Trial) -> Verdict {
    let mut data = [0_u8; 2];
    for (of, deleter) in [("without a deleter", None), ("with a deleter", Some(count_end as _))] {
        let this = (&raw mut data[usize::from(deleter.is_some())]).cast();
        let function = t.function(this, record, deleter)?;
        t.call(&function, &[])?;
        t.eq(format!("handle that the callee of a function {of} received"), seen().handle, this as usize)?;
    }
    Ok(())
}

/// Calls back with NULL for a NULL self with a deleter.
#[check(FUN_0003)]
fn null_self(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), record, Some(count_end))?;
    t.call(&function, &[])?;
    t.eq("handle that the callee received", seen().handle, 0)
}

/// Calls a bare callback back with the function.
#[check(FUN_0004)]
fn own_handle(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), record, None)?;
    t.call(&function, &[])?;
    t.eq("handle that the callee received", seen().handle, function.handle() as usize)
}

/// Runs the deleter once, at the last release.
#[check(FUN_0005)]
fn deleter_once(t: &Trial) -> Verdict {
    let mut data = 0_u8;
    let this: *mut c_void = (&raw mut data).cast();
    let function = t.function(this, record, Some(count_end))?;
    t.ok(t.api.TVMFFIObjectIncRef(function.handle()))?;
    t.call(&function, &[])?;
    t.ok(t.api.TVMFFIObjectDecRef(function.handle()))?;
    t.eq("times the deleter ran while the function is held", ENDED.load(Ordering::SeqCst), 0)?;
    drop(function);
    t.eq("times the deleter ran at the last release", ENDED.load(Ordering::SeqCst), 1)?;
    t.eq("self that the deleter received", LAST_ENDED.load(Ordering::SeqCst), this as usize)
}

/// Runs the deleter of a NULL self.
#[check(FUN_0005)]
fn deleter_null_self(t: &Trial) -> Verdict {
    drop(t.function(null_mut(), record, Some(count_end))?);
    t.eq("times the deleter ran", ENDED.load(Ordering::SeqCst), 1)?;
    t.eq("self that the deleter received", LAST_ENDED.load(Ordering::SeqCst), 0)
}

/// Runs the deleter on whichever thread is last.
#[check(FUN_0005)]
fn deleter_other_thread(t: &Trial) -> Verdict {
    const THREADS: usize = 4;
    let function = t.function(null_mut(), record, Some(count_end))?;
    let handle = function.handle() as usize;
    for _ in 0..THREADS {
        t.ok(t.api.TVMFFIObjectIncRef(function.handle()))?;
    }
    drop(function);
    t.eq("times the deleter ran while threads hold the function", ENDED.load(Ordering::SeqCst), 0)?;
    t.threads(THREADS, |t, _| t.ok(t.api.TVMFFIObjectDecRef(handle as TVMFFIObjectHandle)))?;
    t.eq("times the deleter ran once all threads released it", ENDED.load(Ordering::SeqCst), 1)
}

/// Leaves a self without deleter alone.
#[check(FUN_0006)]
fn no_deleter(t: &Trial) -> Verdict {
    let data = [0x5a_u8; 64];
    drop(t.function(data.as_ptr().cast_mut().cast(), record, None)?);
    // An address that nothing could be read from or called at.
    drop(t.function(std::ptr::dangling_mut(), record, None)?);
    t.eq("bytes behind self after the function's end", std::hint::black_box(data), [0x5a; 64])
}

// ---- calls -----------------------------------------------------------------------------------------------------------

/// Passes every byte of every argument on.
#[check(FUN_0007)]
fn args_verbatim(t: &Trial) -> Verdict {
    for this in [null_mut(), 0x5e1f_usize as *mut c_void] {
        let function = t.function(this, record, None)?;
        let args = graffiti(9);
        t.call(&function, &args)?;
        received(t, &args)?;
    }
    Ok(())
}

/// Passes arguments of any type and content on.
#[check(FUN_0007)]
fn args_any_bytes(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), record, None)?;
    // Values that refer to nothing: whoever follows their payload goes astray.
    let arg = (0..128_i32, any::<u32>(), any::<u64>());
    t.property(vec(arg, 0..12), |args| {
        let value = |&(type_index, aux, payload): &(i32, u32, u64)| TVMFFIAny {
            type_index,
            aux: TVMFFIAnyAux { zero_padding: aux },
            value: TVMFFIAnyValue { v_uint64: payload },
        };
        let args: Vec<TVMFFIAny> = args.iter().map(value).collect();
        t.call(&function, &args)?;
        received(t, &args).map(drop)
    })
}

/// Takes NULL for no arguments.
#[check(FUN_0008)]
fn no_args(t: &Trial) -> Verdict {
    for this in [null_mut(), 0x5e1f_usize as *mut c_void] {
        let function = t.function(this, record, None)?;
        let mut result = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIFunctionCall(function.handle(), null_mut(), 0, &mut result))?;
        t.eq("num_args that the callee received", seen().num_args, 0)?;
    }
    Ok(())
}

/// Passes up to a thousand arguments on.
#[check(FUN_0009)]
fn many_args(t: &Trial) -> Verdict {
    let function = t.function(0x5e1f_usize as *mut c_void, record, None)?;
    for count in [1, 16, 17, 64, 255, 256, 1000] {
        let args = graffiti(count);
        t.call(&function, &args)?;
        received(t, &args)?;
    }
    Ok(())
}

/// Passes every byte of the result back.
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
        // The callee copies the result from its closure.
        let function = t.function((&raw const value).cast_mut().cast(), answer_self, None)?;
        let mut result = TVMFFIAny::new(kTVMFFIInt, 0xaaaa_aaaa_aaaa_aaaa);
        t.ok(t.try_call(&function, &[], &mut result))?;
        t.any_eq("result", &result, &value)?;
    }
    Ok(())
}

/// Hands an object in the result over.
#[check(FUN_0010)]
fn result_object(t: &Trial) -> Verdict {
    let object = t.string(b"a string on the heap")?;
    let value = object.any();
    let function = t.function((&raw const value).cast_mut().cast(), answer_self, None)?;
    // The reference that the callee gives away.
    t.ok(t.api.TVMFFIObjectIncRef(object.handle()))?;
    let result = t.call(&function, &[])?;
    t.any_eq("result", &result.any(), &value)?;
    t.eq("strong count of the object with its result", t.counts(object.handle())?.0, 2)?;
    drop(result);
    t.eq("strong count of the object without its result", t.counts(object.handle())?.0, 1)
}

/// Shows the callee a result without an object.
#[check(FUN_0011)]
fn result_before(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), record, None)?;
    for before in [TVMFFIAny::NONE, view::int(0x5555_5555_5555_5555), view::pointer(0x77 as *mut c_void)] {
        let mut result = before;
        t.ok(t.try_call(&function, &[], &mut result))?;
        let found = seen().result_type_index;
        t.that("type_index of the result before the call", found < kTVMFFIStaticObjectBegin, "less than 64", found)?;
    }
    Ok(())
}

/// Leaves a result alone that the callee left alone.
#[check(FUN_0011)]
fn result_untouched(t: &Trial) -> Verdict {
    for this in [null_mut(), 0x5e1f_usize as *mut c_void] {
        let function = t.function(this, record, None)?;
        let mut result = TVMFFIAny::NONE;
        t.ok(t.try_call(&function, &graffiti(2), &mut result))?;
        t.any_eq("result that the callee has not touched", &result, &TVMFFIAny::NONE)?;
    }
    Ok(())
}

/// Tells success from failure as the callee does.
#[check(FUN_0012)]
fn status(t: &Trial) -> Verdict {
    for this in [0, 1, -1, 7, i32::MIN, 256] {
        let function = t.function(this as isize as *mut c_void, status_self, Some(ignore))?;
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"of a failing callee".as_ptr());
        let status = status_of(t, &function, &[]);
        t.that(
            format!("status of a call whose callee answers {this}"),
            (status == 0) == (this == 0),
            if this == 0 { "0" } else { "not 0" },
            status,
        )?;
    }
    Ok(())
}

/// Answers the callee's very status.
#[check(FUN_0013)]
fn status_verbatim(t: &Trial) -> Verdict {
    for this in [-1, -2, 1, 42] {
        let function = t.function(this as isize as *mut c_void, status_self, Some(ignore))?;
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"of a failing callee".as_ptr());
        let status = status_of(t, &function, &[]);
        t.eq("status of the call", status, this)?;
    }
    Ok(())
}

/// Leaves the callee's error raised.
#[check(FUN_0014)]
fn raised_error(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    let error = t.new_error("CustomKind", "of the callee", "")?;
    let function = t.function(error.handle(), raise_self, None)?;
    let status = status_of(t, &function, &graffiti(2));
    t.ne("status of a call whose callee failed", status, 0)?;
    let mut raised = null_mut();
    t.api.TVMFFIErrorMoveFromRaised(&mut raised);
    t.eq("the raised error", raised, error.handle())?;
    t.ok(t.api.TVMFFIObjectDecRef(raised))
}

/// Leaves the counts of arguments alone.
#[check(FUN_0015)]
fn args_borrowed(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    let objects = [t.string(b"a string on the heap")?, t.new_error("ValueError", "an argument", "")?];
    let args = objects.each_ref().map(Owned::any);
    for (of, callee) in [("succeeds", record as TVMFFISafeCallType), ("fails", fail)] {
        let function = t.function(null_mut(), callee, None)?;
        let _ = status_of(t, &function, &args);
        for object in &objects {
            let what = format!("counts of an argument of type {} after a call that {of}", object.any().type_index);
            t.eq(what, t.counts(object.handle())?, (1, 1))?;
        }
    }
    Ok(())
}

/// Leaves the count of the function alone.
#[check(FUN_0016)]
fn count_kept(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    for (of, callee) in [("succeeds", record as TVMFFISafeCallType), ("fails", fail)] {
        for this in [null_mut(), 0x5e1f_usize as *mut c_void] {
            let function = t.function(this, callee, None)?;
            for _ in 0..3 {
                let _ = status_of(t, &function, &[]);
            }
            t.eq(format!("counts of a function after a call that {of}"), t.counts(function.handle())?, (1, 1))?;
        }
    }
    Ok(())
}

/// Can be called through its safe_call.
#[check(FUN_0017)]
fn direct_call(t: &Trial) -> Verdict {
    let function = t.function(0x5e1f_usize as *mut c_void, record, Some(ignore))?;
    let args = graffiti(3);
    let (status, _) = call_directly(t, &function, &args)?;
    t.eq("status of a direct call", status, 0)?;
    t.eq("handle that the callee received", received(t, &args)?, 0x5e1f)?;
    let failing = t.function(-5_isize as *mut c_void, status_self, Some(ignore))?;
    t.ne("status of a direct call whose callee fails", call_directly(t, &failing, &[])?.0, 0)
}

/// Lets its own functions be called directly.
#[check(FUN_0017)]
fn direct_call_of_global(t: &Trial) -> Verdict {
    let function = t.global("ffi.String")?;
    let (status, result) = call_directly(t, &function, &[view::c_str(c"short")])?;
    t.ok(status)?;
    t.eq("result of ffi.String", t.text(&result.any())?, b"short".to_vec())?;
    let (status, _) = call_directly(t, &function, &[view::int(3)])?;
    t.raises(status, &["TypeError"]).map(drop)
}

/// Calls a function as C++ clients do.
fn call_directly(t: &Trial, function: &Owned, args: &[TVMFFIAny]) -> Verdict<(c_int, Owned)> {
    let cell: TVMFFIFunctionCell = t.cell("function cell", function.handle())?;
    let Some(safe_call) = cell.safe_call else { return Err(t.failure("safe_call", "a function", "NULL")) };
    let mut result = TVMFFIAny::NONE;
    let status = t.api.noted("safe_call(the function, ...)", || {
        // SAFETY: this is what the cell says of itself; the target is the one under test.
        unsafe { safe_call(function.handle(), args.as_ptr(), args.len() as i32, &raw mut result) }
    });
    Ok((status, t.own(result)))
}

/// Passes a function to a callee that calls it.
#[check(FUN_0018)]
fn as_argument(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    let callback = t.function(0xca11_usize as *mut c_void, record, None)?;
    let caller = t.function(null_mut(), call_first, None)?;
    let args = [callback.any(), view::int(0x0102_0304), view::float(0.5)];
    t.eq("type_index of a function as an argument", args[0].type_index, kTVMFFIFunction)?;
    t.call(&caller, &args)?;
    t.eq("handle that the function in the argument received", received(t, &args[1..])?, 0xca11)
}

/// Returns a function that can be called.
#[check(FUN_0018)]
fn as_result(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    let made = t.function(0xca11_usize as *mut c_void, record, Some(count_end))?;
    let value = made.any();
    let factory = t.function((&raw const value).cast_mut().cast(), answer_self, None)?;
    // The factory gives its only reference away.
    let _ = made.into_any();
    let result = t.call(&factory, &[])?;
    t.eq("type_index of a function as a result", result.any().type_index, kTVMFFIFunction)?;
    drop(factory);
    t.call(&result, &graffiti(2))?;
    t.eq("handle that the function in the result received", seen().handle, 0xca11)?;
    drop(result);
    t.eq("times the deleter of the function in the result ran", ENDED.load(Ordering::SeqCst), 1)
}

/// Calls a function within itself a thousand times.
#[check(FUN_0019)]
fn recursion(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    let function = t.function(null_mut(), sum_below, None)?;
    let result = t.call(&function, &[function.any(), function.any(), view::int(1000)])?;
    t.any_eq("sum of the numbers 1 to 1000, one level for each", &result.any(), &view::int(500_500))?;
    t.eq("counts of the function", t.counts(function.handle())?, (1, 1))
}

/// Calls two functions within each other.
#[check(FUN_0019)]
fn mutual(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    let one = t.function(null_mut(), sum_below, None)?;
    let other = t.function(0x5e1f_usize as *mut c_void, sum_below, Some(ignore))?;
    let result = t.call(&one, &[other.any(), one.any(), view::int(100)])?;
    t.any_eq("sum of the numbers 1 to 100, one level for each", &result.any(), &view::int(5050))
}

/// Calls one function from several threads.
#[check(FUN_0020)]
fn threads(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    let function = t.function(null_mut(), double, None)?;
    let handle = function.handle() as usize;
    t.api.note("TVMFFIFunctionCall(...), 2000 times on each of 4 threads");
    t.threads(4, |t, number| {
        let Some(call) = t.api.table().TVMFFIFunctionCall else { return Ok(()) };
        for round in 0..2000_i64 {
            let arg = (number as i64) << 32 | round;
            let (mut args, mut result) = ([view::int(arg)], TVMFFIAny::NONE);
            // SAFETY: a call as the header asks for; the target is the one under test.
            let status = unsafe { call(handle as TVMFFIObjectHandle, args.as_mut_ptr(), 1, &raw mut result) };
            t.eq(format!("status of a call on thread {number}"), status, 0)?;
            t.any_eq(format!("result of a call on thread {number}"), &result, &view::int(arg * 2))?;
        }
        Ok(())
    })?;
    t.eq("counts of the function", t.counts(function.handle())?, (1, 1))
}

/// Keeps no memory of functions and calls.
#[check(FUN_0021)]
fn no_growth(t: &Trial) -> Verdict {
    t.no_growth("heap after making, calling and releasing functions", || {
        let [bare, closure] =
            [t.function(null_mut(), record, None)?, t.function(0x5e1f_usize as *mut c_void, record, Some(count_end))?];
        t.call(&bare, &[view::int(1)])?;
        t.call(&closure, &[view::int(1)]).map(drop)
    })
}

/// Keeps no memory of calls that fail.
#[check(FUN_0021)]
fn no_growth_failing(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    let error = t.new_error("CustomKind", "of the callee", "")?;
    let function = t.function(error.handle(), raise_self, None)?;
    t.no_growth("heap after calls that fail", || {
        let status = status_of(t, &function, &[]);
        t.ne("status of a call whose callee failed", status, 0)?;
        t.api.TVMFFIErrorSetRaised(null_mut());
        Ok(())
    })?;
    t.eq("counts of the error that was raised each time", t.counts(error.handle())?, (1, 1))
}

/// Raises an error for a NULL function.
#[check(FUN_0022)]
fn null_handle(t: &Trial) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    let status = t.api.TVMFFIFunctionCall(null_mut(), null_mut(), 0, &mut result);
    t.raises(status, &[]).map(drop)
}

/// Keeps a hundred closures of one callback apart.
#[check(FUN_0023)]
fn selves_apart(t: &Trial) -> Verdict {
    let mut functions = Vec::new();
    for this in 1..=100_usize {
        functions.push(t.function(this as *mut c_void, record, None)?);
    }
    for (number, function) in functions.iter().enumerate() {
        t.call(function, &[])?;
        t.eq("handle that the callee received", seen().handle, number + 1)?;
    }
    Ok(())
}

/// Calls a function whose result does not matter and answers the status.
fn status_of(t: &Trial, function: &Owned, args: &[TVMFFIAny]) -> c_int {
    t.try_call(function, args, &mut { TVMFFIAny::NONE })
}

// ---- callees and what they saw ---------------------------------------------------------------------------------------

/// What [`record`] received in its latest call.
#[derive(Clone)]
struct Seen {
    handle: usize,
    num_args: i32,
    args: Vec<[u8; 16]>,
    result_type_index: i32,
}

static SEEN: Mutex<Option<Seen>> = Mutex::new(None);

/// What [`record`] received in its latest call; nothing if it was not called.
fn seen() -> Seen {
    let nothing = Seen { handle: usize::MAX, num_args: -1, args: Vec::new(), result_type_index: i32::MAX };
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or(nothing)
}

/// Expects [`record`] to have received these arguments; answers the handle that it received with them.
fn received(t: &Trial, args: &[TVMFFIAny]) -> Verdict<usize> {
    let seen = seen();
    t.eq("num_args that the callee received", seen.num_args, args.len() as i32)?;
    for (at, (got, expected)) in seen.args.iter().zip(args).enumerate() {
        if *got != expected.to_bytes() {
            let failure = t.failure(format!("argument {at}"), "the bytes that the caller passed", "other bytes");
            return Err(failure.showing("expected", &expected.to_bytes()).showing("got", got));
        }
    }
    Ok(seen.handle)
}

/// Values in which every byte tells its place: argument in the high nibble, byte in the low one.
fn graffiti(count: usize) -> Vec<TVMFFIAny> {
    let value = |at: usize| {
        let payload: [u8; 8] = std::array::from_fn(|byte| ((at as u8) << 4) | (byte as u8 + 8));
        let type_index = [kTVMFFIInt, kTVMFFIFloat, kTVMFFIOpaquePtr][at % 3];
        TVMFFIAny::new(type_index, u64::from_ne_bytes(payload))
    };
    (0..count).map(value).collect()
}

/// Notes what it receives; leaves the result alone.
unsafe extern "C" fn record(handle: *mut c_void, args: *const TVMFFIAny, n: i32, result: *mut TVMFFIAny) -> c_int {
    let arg = |at: i32| memory::read(args.wrapping_add(at as usize).cast()).unwrap_or([0xee; 16]);
    let result_type_index = memory::read(result.cast_const()).map_or(i32::MAX, |result| result.type_index);
    let now = Seen { handle: handle as usize, num_args: n, args: (0..n).map(arg).collect(), result_type_index };
    *SEEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    0
}

/// Answers the value that its closure points to.
unsafe extern "C" fn answer_self(value: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let Some(value) = memory::read(value.cast::<TVMFFIAny>().cast_const()) else { return -1 };
    // SAFETY: the caller passes a result to write to.
    unsafe { result.write(value) };
    0
}

/// Answers its closure, a number, as its status.
unsafe extern "C" fn status_self(status: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    status as isize as c_int
}

/// Raises the error that is its closure.
unsafe extern "C" fn raise_self(error: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    if let Some(api) = API.get() {
        api.TVMFFIErrorSetRaised(error);
    }
    -1
}

/// Raises an error of its own.
unsafe extern "C" fn fail(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    if let Some(api) = API.get() {
        api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"of the callee".as_ptr());
    }
    -1
}

/// Calls its first argument with the others.
unsafe extern "C" fn call_first(_: *mut c_void, args: *const TVMFFIAny, n: i32, result: *mut TVMFFIAny) -> c_int {
    let (Some(api), Some(function)) = (API.get(), memory::read(args)) else { return -1 };
    api.TVMFFIFunctionCall(function.payload() as *mut c_void, args.wrapping_add(1).cast_mut(), n - 1, result)
}

/// Answers the sum of the numbers from 1 to its last argument: all but the last by calling its first argument, with the
/// first two arguments exchanged.
unsafe extern "C" fn sum_below(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let (Some(api), Some([next, after, last])) = (API.get(), memory::read(args.cast::<[TVMFFIAny; 3]>())) else {
        return -1;
    };
    let last = last.payload() as i64;
    let mut below = view::int(0);
    if last > 1 {
        let mut args = [after, next, view::int(last - 1)];
        let status = api.TVMFFIFunctionCall(next.payload() as *mut c_void, args.as_mut_ptr(), 3, &mut below);
        if status != 0 {
            return status;
        }
    }
    // SAFETY: the caller passes a result to write to.
    unsafe { result.write(view::int(last + below.payload() as i64)) };
    0
}

/// Answers twice its argument.
unsafe extern "C" fn double(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller passes one argument and a result to write to.
    unsafe { result.write(view::int((*args).payload() as i64 * 2)) };
    0
}

/// How many closures have ended, and the latest of them.
static ENDED: AtomicUsize = AtomicUsize::new(0);
static LAST_ENDED: AtomicUsize = AtomicUsize::new(usize::MAX);

unsafe extern "C" fn count_end(this: *mut c_void) {
    LAST_ENDED.store(this as usize, Ordering::SeqCst);
    ENDED.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn ignore(_: *mut c_void) {}

/// The target, for callbacks.
static API: OnceLock<Api> = OnceLock::new();
