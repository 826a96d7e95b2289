//! Function objects that a client makes in one block of memory, one after the other.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::fail;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{self, answer_number},
        homemade::remember_end,
        memory,
        one_block::OneBlock,
        one_memory::pairs,
        view,
    },
    trial::Trial,
};

/// A function object of a client's as it is made: its safe_call, what that answers (nothing where it fails), and whether there are a cpp_call and
/// a deleter.
#[derive(Clone, Copy)]
struct Made {
    safe_call: TVMFFISafeCallType,
    answer: Option<i64>,
    has_cpp_call: bool,
    has_deleter: bool,
}

/// All that are made.
fn all() -> Vec<Made> {
    let callees = [(answer_number::<1> as TVMFFISafeCallType, Some(1)), (answer_number::<2>, Some(2)), (fail, None)];
    let flags = [(false, false), (false, true), (true, false), (true, true)];
    let made = |(safe_call, answer), (has_cpp_call, has_deleter)| Made { safe_call, answer, has_cpp_call, has_deleter };
    callees.iter().flat_map(|callee| flags.map(|flags| made(*callee, flags))).collect()
}

/// What a function object is called by: its name, the clause, and what comes of the call.
type Way = (&'static str, &'static str, fn(&Trial, &Kit, TVMFFIAny) -> Verdict<Option<i64>>);

const WAYS: [Way; 5] = [
    ("TVMFFIFunctionCall", id::FUN_0024, |t, _, function| called(t, function.payload() as TVMFFIObjectHandle)),
    ("TVMFFIFunctionCall, in a function that it is an argument of", id::FUN_0018, |t, kit, function| {
        answered(t, kit.outer.handle(), &[function])
    }),
    ("its safe_call, which its cell has", id::FUN_0017, |t, _, function| {
        let handle = function.payload() as TVMFFIObjectHandle;
        let cell: TVMFFIFunctionCell = t.cell("function cell", handle)?;
        let (Some(call), mut result) = (cell.safe_call, TVMFFIAny::NONE) else { return Ok(None) };
        // SAFETY: one of the callees below, called as the header asks for.
        let status = unsafe { call(handle, std::ptr::null(), 0, &raw mut result) };
        t.api.release_raised();
        Ok((status == 0).then_some(result.payload() as i64))
    }),
    ("TVMFFIFunctionCall, found in an Array", id::FUN_0024, |t, kit, function| {
        let array = t.call(&kit.array, &[function])?;
        let items = t.sequence(array.handle())?.items;
        t.eq("how many elements an Array of one function has", items.len(), 1)?;
        called(t, items[0].payload() as TVMFFIObjectHandle)
    }),
    ("TVMFFIFunctionCall, found among the global functions", id::GLB_0001, |t, kit, function| {
        let (name, mut found) = (TVMFFIByteArray::new(b"verify.one-block"), null_mut());
        let handle = function.payload() as TVMFFIObjectHandle;
        t.ok(t.api.TVMFFIFunctionSetGlobal(&name, handle, 0))?;
        t.ok(t.api.TVMFFIFunctionGetGlobal(&name, &mut found))?;
        t.eq("the global function", found, handle)?;
        let answer = called(t, found);
        t.ok(t.api.TVMFFIObjectDecRef(found))?;
        t.call(&kit.remove, &[view::c_str(c"verify.one-block")])?;
        answer
    }),
];

/// Functions that all ways share.
struct Kit {
    outer: Owned,
    array: Owned,
    remove: Owned,
}

/// A function object that a client makes where another object of its lay, which has ended, is called through a safe_call of its own, whoever
/// calls it: whatever the other was, and whether either has a deleter, or a cpp_call.
#[check(FUN_0024, FUN_0017, FUN_0018, GLB_0001)]
fn objects_in_one_block(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let kit = Kit {
        outer: t.function(null_mut(), call_first, None)?,
        array: t.global("ffi.Array")?,
        remove: t.global("ffi.FunctionRemoveGlobal")?,
    };
    let (all, block) = (all(), OneBlock::new());
    for (clause, way) in WAYS.iter().map(|way| (way.1, way)) {
        for made in pairs(all.len()).flatten().map(|at| all[at]) {
            let function = put(&block, made);
            // Once more, where the first call is what is remembered.
            for again in [false, true] {
                t.clause(clause);
                let what = format!("what a function answers, called by {}, again: {again}", way.0);
                t.eq(what, way.2(t, &kit, function)?, made.answer)?;
            }
            t.clause(id::FUN_0024);
            t.eq("counts of a function that was called", block.counts(), (1, 1))?;
            t.ok(t.api.TVMFFIObjectDecRef(function.payload() as TVMFFIObjectHandle))?;
        }
    }
    Ok(())
}

/// A function object that a client makes where another object of its lay is called through a safe_call of its own, though another thread has
/// called the other, or the other was no function, or no object at all.
#[check(FUN_0024)]
fn one_block_between_threads(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let (all, block) = (all(), OneBlock::new());
    let give_up = |object: TVMFFIAny| t.ok(t.api.TVMFFIObjectDecRef(object.payload() as TVMFFIObjectHandle));
    let text = b"a text of a client's\0";
    let printed = t.global("ffi.ReprPrint").ok();
    for made in all.iter().chain(all.iter().rev()) {
        let function = put(&block, *made);
        t.eq("what a function answers", called(t, function.payload() as TVMFFIObjectHandle)?, made.answer)?;
        give_up(function)?;
        // Something else lies there meanwhile.
        let other = block.put(kTVMFFIStr, TVMFFIByteArray::new(&text[..text.len() - 1]), None);
        let mut owned = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIAnyViewToOwnedAny(&other, &mut owned))?;
        drop(t.own(owned));
        if let Some(printed) = &printed {
            drop(t.call(printed, &[other])?);
        }
        give_up(other)?;
    }
    // Calls on this thread and on another, in turn.
    for (at, made) in all.iter().enumerate().step_by(4) {
        let there = put(&block, *made).payload() as usize;
        let answer = t.elsewhere(|t| called(t, there as TVMFFIObjectHandle))?;
        t.eq("what a function answers on another thread", answer, made.answer)?;
        t.ok(t.api.TVMFFIObjectDecRef(there as TVMFFIObjectHandle))?;
        let next = all[(at + 5) % all.len()];
        let function = put(&block, next);
        t.eq("what a function answers", called(t, function.payload() as TVMFFIObjectHandle)?, next.answer)?;
        give_up(function)?;
    }
    Ok(())
}

/// Makes a function object where another lay.
fn put(block: &OneBlock, made: Made) -> TVMFFIAny {
    /// In C++ it would throw, which must not happen across the boundary.
    unsafe extern "C" fn cpp_call(this: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) {
        // SAFETY: only remembers the call.
        unsafe { callback::count_end(this) };
    }
    let cpp_call = if made.has_cpp_call { cpp_call as *mut c_void } else { null_mut() };
    let cell = TVMFFIFunctionCell { safe_call: Some(made.safe_call), cpp_call };
    block.put(kTVMFFIFunction, cell, made.has_deleter.then_some(remember_end as TVMFFIObjectDeleter))
}

/// What a function answers to a call without arguments; nothing where it fails.
fn called(t: &Trial, function: TVMFFIObjectHandle) -> Verdict<Option<i64>> {
    answered(t, function, &[])
}

fn answered(t: &Trial, function: TVMFFIObjectHandle, args: &[TVMFFIAny]) -> Verdict<Option<i64>> {
    Ok(t.answer_of(function, args)?.ok().map(|answer| answer.any().payload() as i64))
}

/// Calls its argument, without arguments.
unsafe extern "C" fn call_first(_: *mut c_void, args: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    let (Some(api), Some(function)) = (callback::api(), memory::read(args)) else { return -1 };
    api.TVMFFIFunctionCall(function.payload() as TVMFFIObjectHandle, null_mut(), 0, result)
}
