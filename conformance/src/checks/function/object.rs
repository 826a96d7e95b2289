//! Function objects: their cells, their selves, and their deleters.

use std::{ffi::c_void, ptr::null_mut};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{self, count_end},
        view,
    },
    trial::Trial,
};

/// A Function made by TVMFFIFunctionCreate has a safe_call and a NULL cpp_call in its cell.
#[check(FUN_0001, lays = TVMFFIFunctionCell)]
fn layout(t: &Trial) -> Verdict {
    for (of, this) in [("with a self", SELF), ("without a self", null_mut())] {
        let cell = function_cell(t, &format!("a function {of}"), &t.function(this, record, None)?)?;
        t.eq(format_args!("cpp_call of a function {of}"), cell.cpp_call, null_mut())?;
    }
    Ok(())
}

/// A Function that the library registers has a safe_call in its cell.
#[check(FUN_0001)]
fn global_layout(t: &Trial) -> Verdict {
    for name in ["ffi.String", "ffi.FunctionRemoveGlobal", "ffi.FunctionListGlobalNamesFunctor", "ffi.Shape"] {
        function_cell(t, name, &t.global(name)?)?;
    }
    Ok(())
}

/// The cell of what is expected to be a Function with a safe_call.
fn function_cell(t: &Trial, of: &str, function: &Owned) -> Verdict<TVMFFIFunctionCell> {
    t.type_index_eq(format_args!("type_index of {of}"), t.header(function.handle())?.type_index, kTVMFFIFunction)?;
    let cell: TVMFFIFunctionCell = t.cell("function cell", function.handle())?;
    t.that(format_args!("safe_call of {of}"), cell.safe_call.is_some(), "a function", "NULL")?;
    Ok(cell)
}

/// TVMFFIFunctionCreate answers a new Function with one reference.
#[check(FUN_0002)]
fn create_is_owned(t: &Trial) -> Verdict {
    for (of, this) in [("with a self", SELF), ("without a self", null_mut())] {
        let function = t.function(this, record, None)?;
        t.eq(format_args!("strong and weak count of a function {of}"), t.counts(function.handle())?, (1, 1))?;
    }
    Ok(())
}

/// The callback of a function receives the function's self for its handle.
#[check(FUN_0003)]
fn self_is_handle(t: &Trial) -> Verdict {
    let mut data = [0_u8; 2];
    for (of, deleter) in [("without a deleter", None), ("with a deleter", Some(count_end as _))] {
        let this = (&raw mut data[usize::from(deleter.is_some())]).cast();
        let function = t.function(this, record, deleter)?;
        t.call(&function, &[])?;
        t.eq(format_args!("handle that the callee of a function {of} received"), seen().handle, this as usize)?;
    }
    Ok(())
}

/// The callback of a function with a deleter and a NULL self receives NULL for its handle.
#[check(FUN_0003)]
fn null_self(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), record, Some(count_end))?;
    t.call(&function, &[])?;
    t.eq("handle that the callee received", seen().handle, 0)
}

/// The callback of a function with neither self nor deleter receives the function object for its handle.
#[check(FUN_0004)]
fn own_handle(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), record, None)?;
    t.call(&function, &[])?;
    t.eq("handle that the callee received", seen().handle, function.handle() as usize)
}

/// A hundred functions that share a callback keep their selves apart.
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

/// Seventy thousand functions that live at once keep their selves apart, and each ends once.
#[check(FUN_0023, FUN_0005, patient = 2)]
fn many_at_once(t: &Trial) -> Verdict {
    const COUNT: usize = 70_000;
    let create = t.api.bare("TVMFFIFunctionCreate", |table| table.TVMFFIFunctionCreate);
    let release = t.api.bare("TVMFFIObjectDecRef", |table| table.TVMFFIObjectDecRef);
    t.api.note(&format!("TVMFFIFunctionCreate and TVMFFIObjectDecRef of {COUNT} functions"));
    let mut functions = Vec::with_capacity(COUNT);
    for this in 1..=COUNT {
        let mut function = null_mut();
        // SAFETY: a call as the header asks for; the target is the one under test.
        t.ok(unsafe { create(this as *mut c_void, Some(answer_handle), Some(count_end), &mut function) })?;
        functions.push(function as usize);
    }
    for (number, function) in functions.iter().enumerate() {
        let answer = t.call_untraced(*function, &[])?;
        t.any_eq("handle that the callee received", &answer, &view::int(number as i64 + 1))?;
    }
    t.clause(id::FUN_0005);
    t.eq("times deleters ran while the functions are held", callback::ends(), 0)?;
    for (number, function) in functions.into_iter().enumerate() {
        // SAFETY: the reference that was just made.
        t.ok(unsafe { release(function as TVMFFIObjectHandle) })?;
        t.eq("self that the deleter received", callback::last_end(), number + 1)?;
    }
    t.eq("times deleters ran", callback::ends(), COUNT)
}

/// The deleter of a function runs once, with the function's self, when the last reference is released.
#[check(FUN_0005)]
fn deleter_once(t: &Trial) -> Verdict {
    let mut data = 0_u8;
    let this: *mut c_void = (&raw mut data).cast();
    let function = t.function(this, record, Some(count_end))?;
    t.ok(t.api.TVMFFIObjectIncRef(function.handle()))?;
    t.call(&function, &[])?;
    t.ok(t.api.TVMFFIObjectDecRef(function.handle()))?;
    t.eq("times the deleter ran while the function is held", callback::ends(), 0)?;
    drop(function);
    t.eq("times the deleter ran at the last release", callback::ends(), 1)?;
    t.eq("self that the deleter received", callback::last_end(), this as usize)
}

/// The deleter of a function runs even for a NULL self.
#[check(FUN_0005)]
fn deleter_null_self(t: &Trial) -> Verdict {
    drop(t.function(null_mut(), record, Some(count_end))?);
    t.eq("times the deleter ran", callback::ends(), 1)?;
    t.eq("self that the deleter received", callback::last_end(), 0)
}

/// The deleter of a function runs once when four threads release the last references.
#[check(FUN_0005)]
fn deleter_other_thread(t: &Trial) -> Verdict {
    const THREADS: usize = 4;
    let function = t.function(null_mut(), record, Some(count_end))?;
    let handle = function.handle() as usize;
    for _ in 0..THREADS {
        t.ok(t.api.TVMFFIObjectIncRef(function.handle()))?;
    }
    drop(function);
    t.eq("times the deleter ran while threads hold the function", callback::ends(), 0)?;
    t.threads(THREADS, |t, _| t.ok(t.api.TVMFFIObjectDecRef(handle as TVMFFIObjectHandle)))?;
    t.eq("times the deleter ran once all threads released it", callback::ends(), 1)
}

/// A function with a self but without a deleter ends without touching its self.
#[check(FUN_0006)]
fn no_deleter(t: &Trial) -> Verdict {
    let data = [0x5a_u8; 64];
    drop(t.function(data.as_ptr().cast_mut().cast(), record, None)?);
    // An address that nothing could be read from or called at.
    drop(t.function(std::ptr::dangling_mut(), record, None)?);
    t.eq("bytes behind self after the function's end", std::hint::black_box(data), [0x5a; 64])
}

/// Making, calling and releasing functions keeps no memory, also on threads that end.
#[check(FUN_0021, patient = 3)]
fn no_growth(t: &Trial) -> Verdict {
    t.leaves_nothing("heap after making, calling and releasing functions", |t| {
        let [bare, closure] = [t.function(null_mut(), record, None)?, t.function(SELF, record, Some(count_end))?];
        t.call(&bare, &[view::int(1)])?;
        t.call(&closure, &[view::int(1)]).map(drop)
    })
}
