//! Functions as values that others call: through their cells, as arguments and results, within themselves, on threads.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{self, count_end, keep_self},
        homemade::Homemade,
        memory, view,
    },
    trial::Trial,
};

/// A function made by TVMFFIFunctionCreate can be called through the safe_call in its cell.
#[check(FUN_0017)]
fn direct_call(t: &Trial) -> Verdict {
    let function = t.function(SELF, record, Some(keep_self))?;
    let args = graffiti(3);
    let (status, _) = call_directly(t, &function, &args)?;
    t.eq("status of a direct call", status, 0)?;
    t.eq("handle that the callee received", received(t, &args)?, 0x5e1f)?;
    for status in [-1, -2, 1, 42, i32::MIN] {
        let failing = t.function(status as isize as *mut c_void, status_self, Some(keep_self))?;
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"of a failing callee".as_ptr());
        let direct = call_directly(t, &failing, &[])?.0;
        t.eq("status of a direct call", direct, status_of(t, &failing, &[]))?;
        t.ne("status of a direct call whose callee fails", direct, 0)?;
    }
    Ok(())
}

/// A function of the library can be called through the safe_call in its cell.
#[check(FUN_0017)]
fn direct_call_of_global(t: &Trial) -> Verdict {
    let function = t.global("ffi.String")?;
    let (status, result) = call_directly(t, &function, &[view::c_str(c"short")])?;
    t.ok(status)?;
    t.eq("result of ffi.String", t.text(&result.any())?, b"short".to_vec())?;
    let (status, _) = call_directly(t, &function, &[view::int(3)])?;
    t.raises(status, &["TypeError"]).map(drop)
}

/// A function object of a client's is called through its safe_call, also when it has a cpp_call.
#[check(FUN_0024)]
fn safe_call_first(t: &Trial) -> Verdict {
    /// In C++ it would throw, which must not happen across the boundary.
    unsafe extern "C" fn cpp_call(this: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) {
        // SAFETY: only remembers the call.
        unsafe { count_end(this) };
    }
    let cell = TVMFFIFunctionCell { safe_call: Some(record), cpp_call: cpp_call as *mut c_void };
    let function = Homemade::new(kTVMFFIFunction, cell);
    let mut args = graffiti(3);
    t.ok(t.api.TVMFFIFunctionCall(function.handle(), args.as_mut_ptr(), 3, &mut { TVMFFIAny::NONE }))?;
    t.eq("calls of cpp_call", callback::ends(), 0)?;
    t.eq("handle that safe_call received", received(t, &args)?, function.handle() as usize)
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

/// A function can be passed as an argument to a callee that calls it.
#[check(FUN_0018)]
fn as_argument(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let callback = t.function(0xca11_usize as *mut c_void, record, None)?;
    let caller = t.function(null_mut(), call_first, None)?;
    let args = [callback.any(), view::int(0x0102_0304), view::float(0.5)];
    t.type_index_eq("type_index of a function as an argument", args[0].type_index, kTVMFFIFunction)?;
    t.call(&caller, &args)?;
    t.eq("handle that the function in the argument received", received(t, &args[1..])?, 0xca11)
}

/// Calls its first argument with the others.
unsafe extern "C" fn call_first(_: *mut c_void, args: *const TVMFFIAny, n: i32, result: *mut TVMFFIAny) -> c_int {
    let (Some(api), Some(function)) = (callback::api(), memory::read(args)) else { return -1 };
    api.TVMFFIFunctionCall(function.payload() as *mut c_void, args.wrapping_add(1).cast_mut(), n - 1, result)
}

/// A function can be returned as a result and then called.
#[check(FUN_0018)]
fn as_result(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let made = t.function(0xca11_usize as *mut c_void, record, Some(count_end))?;
    let value = made.any();
    let factory = t.function((&raw const value).cast_mut().cast(), answer_self, None)?;
    // The factory gives its only reference away.
    let _ = made.into_any();
    let result = t.call(&factory, &[])?;
    t.type_index_eq("type_index of a function as a result", result.any().type_index, kTVMFFIFunction)?;
    drop(factory);
    t.call(&result, &graffiti(2))?;
    t.eq("handle that the function in the result received", seen().handle, 0xca11)?;
    drop(result);
    t.eq("times the deleter of the function in the result ran", callback::ends(), 1)
}

/// A function can call itself a thousand levels deep.
#[check(FUN_0019)]
fn recursion(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let function = t.function(null_mut(), sum_below, None)?;
    let result = t.call(&function, &[function.any(), function.any(), view::int(1000)])?;
    t.any_eq("sum of the numbers 1 to 1000, one level for each", &result.any(), &view::int(500_500))?;
    t.eq("counts of the function", t.counts(function.handle())?, (1, 1))
}

/// Two functions can call each other a hundred levels deep.
#[check(FUN_0019)]
fn mutual(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let one = t.function(null_mut(), sum_below, None)?;
    let other = t.function(SELF, sum_below, Some(keep_self))?;
    let result = t.call(&one, &[other.any(), one.any(), view::int(100)])?;
    t.any_eq("sum of the numbers 1 to 100, one level for each", &result.any(), &view::int(5050))
}

/// Answers the sum of the numbers from 1 to its last argument: all but the last by calling its first argument, with the
/// first two arguments exchanged.
unsafe extern "C" fn sum_below(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let (Some(api), Some([next, after, last])) = (callback::api(), memory::read(args.cast::<[TVMFFIAny; 3]>())) else {
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

/// A function can be called from four threads at once.
#[check(FUN_0020)]
fn threads(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let function = t.function(null_mut(), double, None)?;
    let handle = function.handle() as usize;
    let call = t.api.bare("TVMFFIFunctionCall", |table| table.TVMFFIFunctionCall);
    t.api.note("TVMFFIFunctionCall(...), 2000 times on each of 4 threads");
    t.threads(4, |t, number| {
        for round in 0..2000_i64 {
            let arg = (number as i64) << 32 | round;
            let (mut args, mut result) = ([view::int(arg)], TVMFFIAny::NONE);
            // SAFETY: a call as the header asks for; the target is the one under test.
            let status = unsafe { call(handle as TVMFFIObjectHandle, args.as_mut_ptr(), 1, &raw mut result) };
            t.eq(format_args!("status of a call on thread {number}"), status, 0)?;
            t.any_eq(format_args!("result of a call on thread {number}"), &result, &view::int(arg * 2))?;
        }
        Ok(())
    })?;
    t.eq("counts of the function", t.counts(function.handle())?, (1, 1))
}

/// Each call of a function gets its own arguments, however many they are, while three other threads call the same functions with others.
#[check(FUN_0020)]
fn threads_with_their_own_arguments(t: &Trial) -> Verdict {
    const COUNTS: [usize; 9] = [0, 1, 4, 5, 8, 9, 16, 17, 40];
    let call = t.api.bare("TVMFFIFunctionCall", |table| table.TVMFFIFunctionCall);
    let plain = t.function(null_mut(), answer_digest, None)?;
    let with_self = t.function(SELF, answer_digest, Some(keep_self))?;
    let inner = Inner { call, function: with_self.handle() };
    let outer = t.function((&raw const inner).cast_mut().cast(), answer_digest_of_inner, None)?;
    let handles = [&plain, &with_self, &outer].map(|function| function.handle() as usize);
    t.api.note("TVMFFIFunctionCall(...), 2700 times on each of 4 threads");
    t.threads(4, |t, thread| {
        for (round, handle) in (0..900_u64).flat_map(|round| handles.map(|handle| (round, handle))) {
            let count = COUNTS[round as usize % COUNTS.len()];
            // No other argument of any call is the same.
            let payload = |at: usize| (thread as u64) << 48 | round << 16 | at as u64;
            let type_index = |at: usize| [kTVMFFIInt, kTVMFFIFloat, kTVMFFIOpaquePtr][(at + thread) % 3];
            let mut args: Vec<_> = (0..count).map(|at| TVMFFIAny::new(type_index(at), payload(at))).collect();
            let (expected, mut result) = (view::int(digest(&args) as i64), TVMFFIAny::NONE);
            // SAFETY: a call as the header asks for; the target is the one under test.
            let status = unsafe { call(handle as *mut c_void, args.as_mut_ptr(), count as i32, &raw mut result) };
            t.eq(format_args!("status of a call with {count} arguments on thread {thread}"), status, 0)?;
            t.any_eq(format_args!("digest of the {count} arguments of a call on thread {thread}"), &result, &expected)?;
        }
        Ok(())
    })
}

/// A number for arguments that any change makes another, as far as that goes.
fn digest(args: &[TVMFFIAny]) -> u64 {
    let words = args.iter().flat_map(|arg| [arg.type_index as u64, arg.aux_word().into(), arg.payload()]);
    words.fold(args.len() as u64, |digest, word| digest.wrapping_mul(0x0100_0000_01b3).wrapping_add(word))
}

/// Answers a number for its arguments.
unsafe extern "C" fn answer_digest(_: *mut c_void, args: *const TVMFFIAny, n: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller passes that many arguments.
    let args = if n <= 0 { &[] } else { unsafe { std::slice::from_raw_parts(args, n as usize) } };
    // SAFETY: the caller passes a result to write to.
    unsafe { result.write(view::int(digest(args) as i64)) };
    0
}

/// What a function that calls another has for its self.
struct Inner {
    call: unsafe extern "C" fn(TVMFFIObjectHandle, *mut TVMFFIAny, i32, *mut TVMFFIAny) -> c_int,
    function: TVMFFIObjectHandle,
}

/// Has another function answer for its arguments, and then answers for them itself if both say the same.
unsafe extern "C" fn answer_digest_of_inner(
    inner: *mut c_void,
    args: *const TVMFFIAny,
    n: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: the check has made the function with an `Inner` that outlives it.
    let inner = unsafe { &*inner.cast::<Inner>() };
    let mut answer = TVMFFIAny::NONE;
    // SAFETY: called as this function was.
    let status = unsafe { (inner.call)(inner.function, args.cast_mut(), n, &raw mut answer) };
    // SAFETY: called as this function was.
    let own = unsafe { answer_digest(null_mut(), args, n, result) };
    // SAFETY: the result has been written.
    let same = unsafe { (*result).payload() } == answer.payload();
    if status == 0 && own == 0 && same { 0 } else { -1 }
}

/// A callee's arguments and result stay as they are while it makes calls itself.
#[check(FUN_0007, FUN_0010)]
fn calls_within(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let inner = t.function(null_mut(), double, None)?;
    for this in [null_mut(), SELF] {
        let outer = t.function(this, look_after_calling, None)?;
        for count in [1, 2, 3, 8, 9, 17] {
            let args: Vec<TVMFFIAny> = [inner.any()].into_iter().chain(graffiti(count)).collect();
            t.clause(id::FUN_0007);
            let result = t.call(&outer, &args)?;
            received(t, &args)?;
            t.clause(id::FUN_0010);
            t.any_eq("result that was written before other calls", &result.any(), &view::int(count as i64 + 1))?;
        }
    }
    Ok(())
}

/// Writes its result, calls its first argument with as many arguments as it has itself, and then looks at its own.
unsafe extern "C" fn look_after_calling(
    this: *mut c_void,
    args: *const TVMFFIAny,
    n: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    let (Some(api), Some(function)) = (callback::api(), memory::read(args)) else { return -1 };
    // SAFETY: the caller passes a result to write to.
    unsafe { result.write(view::int(n.into())) };
    for number in 0..3 {
        let mut others = vec![view::int(number); n as usize];
        let mut answer = TVMFFIAny::NONE;
        let call = api.TVMFFIFunctionCall(function.payload() as *mut c_void, others.as_mut_ptr(), n, &mut answer);
        if call != 0 || answer.payload() != 2 * number as u64 {
            return -1;
        }
    }
    // SAFETY: called as this function was.
    unsafe { record(this, args, n, result) }
}

/// Answers twice its argument.
unsafe extern "C" fn double(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller passes one argument and a result to write to.
    unsafe { result.write(view::int((*args).payload() as i64 * 2)) };
    0
}
