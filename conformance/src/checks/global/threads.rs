//! One table for all threads.

use std::{
    ptr::null_mut,
    sync::{PoisonError, RwLock},
};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Verdict, homemade::retain},
    trial::Trial,
};

/// Four threads look global functions up at once.
#[check(GLB_0028)]
fn readers(t: &Trial) -> Verdict {
    const FUNCTIONS: usize = 50;
    let name = |number: usize| format!("verify.read.{number}");
    let mut functions = Vec::new();
    for number in 0..FUNCTIONS {
        let function = tagged(t, number)?;
        set(t, name(number), &function)?;
        functions.push(function);
    }
    let handles: Vec<usize> = functions.iter().map(|function| function.handle() as usize).collect();
    let get = t.api.bare("TVMFFIFunctionGetGlobal", |table| table.TVMFFIFunctionGetGlobal);
    let release = t.api.bare("TVMFFIObjectDecRef", |table| table.TVMFFIObjectDecRef);
    t.api.note("TVMFFIFunctionGetGlobal(...), 3000 times on each of 4 threads");
    t.threads(4, |t, thread| {
        let names: Vec<String> = (0..FUNCTIONS).map(name).collect();
        for round in 0..3000 {
            let number = (round * 7 + thread) % FUNCTIONS;
            let mut found = null_mut();
            // SAFETY: a call as the header asks for; the target is the one under test.
            t.ok(unsafe { get(&TVMFFIByteArray::new(names[number].as_bytes()), &mut found) })?;
            t.eq(format_args!("function under {}", names[number]), found as usize, handles[number])?;
            // SAFETY: the reference that was just taken.
            t.ok(unsafe { release(found) })?;
        }
        Ok(())
    })?;
    for function in &functions {
        t.eq("strong count of a function that was looked up", t.counts(function.handle())?.0, 2)?;
    }
    Ok(())
}

/// What another thread has registered, and nobody has looked up, is found in a copy of the process.
#[check(GLB_0001)]
fn registered_by_another_thread(t: &Trial) -> Verdict {
    let (function, name) = (tagged(t, 7)?, "verify.of-another-thread");
    let handle = function.handle() as usize;
    t.threads(1, |t, _| {
        t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), handle as TVMFFIObjectHandle, 0))
    })?;
    let found = t.forked(|t| Ok(get(t, name)? as usize as i64))?;
    t.eq("the function under its name in a copy of the process", found, Some(handle as i64))
}

/// A function that lists the global functions answers the same names on every thread, whichever has made it.
#[check(GLB_0020)]
fn lists_on_any_thread(t: &Trial) -> Verdict {
    let make = |t: &Trial| -> Verdict<usize> {
        Ok(t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?.into_any().payload() as usize)
    };
    for lister in [make(t)?, t.elsewhere(make)?] {
        let names = |t: &Trial| -> Verdict<Vec<Vec<u8>>> {
            retain(lister as TVMFFIObjectHandle);
            listed_by(t, &t.own(TVMFFIAny::new(kTVMFFIFunction, lister as u64)))
        };
        let expected = names(t)?;
        let other = t.elsewhere(names)?.iter().zip(&expected).position(|(name, expected)| name != expected);
        t.eq("number of a name that is another on another thread", other, None)?;
        t.api.release(lister as TVMFFIObjectHandle);
    }
    Ok(())
}

/// Four threads that look functions up before anything else has been asked in their process each find the same one.
#[check(GLB_0028, fresh)]
fn first_readers(t: &Trial) -> Verdict {
    let first = RwLock::new(0);
    t.threads(4, |t, _| {
        let mut found = null_mut();
        t.ok(t.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(b"ffi.Array"), &mut found))?;
        t.that("what leads to ffi.Array", !found.is_null(), "a function", "NULL")?;
        let mut first = first.write().unwrap_or_else(PoisonError::into_inner);
        if *first == 0 {
            *first = found as usize;
        }
        t.eq("ffi.Array on another thread", found as usize, *first)
    })
}

/// What one thread registers, replaces or removes in the table of global functions, another thread finds so.
#[check(GLB_0029)]
fn one_table(t: &Trial) -> Verdict {
    let handles: Vec<usize> = {
        let functions = [tagged(t, 1)?, tagged(t, 2)?, tagged(t, 3)?];
        functions.into_iter().map(|function| function.into_any().payload() as usize).collect()
    };
    // That a name was free, is no reason to think that it still is.
    is_free(t, "verify.from-thread")?;
    put(t, "verify.from-main", handles[0])?;
    t.threads(1, |t, _| {
        leads_to_handle(t, "verify.from-main", handles[0] as TVMFFIObjectHandle)?;
        put(t, "verify.from-thread", handles[1])?;
        put(t, "verify.from-main", handles[2])
    })?;
    leads_to_handle(t, "verify.from-thread", handles[1] as TVMFFIObjectHandle)?;
    leads_to_handle(t, "verify.from-main", handles[2] as TVMFFIObjectHandle)?;
    t.threads(1, |t, _| free(t, "verify.from-main"))?;
    is_free(t, "verify.from-main")?;
    t.threads(1, |t, _| put(t, "verify.from-main", handles[1]))?;
    leads_to_handle(t, "verify.from-main", handles[1] as TVMFFIObjectHandle)
}

/// Threads that take turns find the global function that was registered last.
///
/// The releases leave it to their callers to lock the table against writers; this is such a caller.
#[check(GLB_0029)]
fn readers_and_writers(t: &Trial) -> Verdict {
    const ROUNDS: usize = 200;
    let turns = RwLock::new(0_usize);
    let functions = [tagged(t, 1)?, tagged(t, 2)?];
    let handles = functions.each_ref().map(|function| function.handle() as usize);
    t.threads(4, |t, thread| {
        for _ in 0..ROUNDS {
            if thread < 2 {
                let mut written = turns.write().unwrap_or_else(PoisonError::into_inner);
                *written += 1;
                put(t, "verify.turns", handles[*written % 2])?;
            } else {
                let written = turns.read().unwrap_or_else(PoisonError::into_inner);
                let expected = if *written == 0 { 0 } else { handles[*written % 2] };
                leads_to_handle(t, "verify.turns", expected as TVMFFIObjectHandle)?;
            }
        }
        Ok(())
    })
}

/// Registers a function by its handle, as a number that may cross from thread to thread.
fn put(t: &Trial, name: &str, handle: usize) -> Verdict {
    let name = TVMFFIByteArray::new(name.as_bytes());
    t.ok(t.api.TVMFFIFunctionSetGlobal(&name, handle as TVMFFIObjectHandle, 1))
}
