//! Causes and extra contexts: an Error holds them, and ends them with itself.

use std::{ffi::c_void, ptr::null_mut};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, callback::return_none},
    trial::Trial,
};

/// An Error holds the handle of its cause at byte 80 and that of its extra context at byte 88.
#[check(ERR_0024)]
fn cause_layout(t: &Trial) -> Verdict {
    let cause = t.new_error("ValueError", "the cause", "")?;
    let context = t.string(b"the extra context")?;
    let error = create_with(t, cause.handle(), context.handle())?;
    let cell: TVMFFIErrorCell = t.cell("error cell", error.handle())?;
    t.eq("cause_chain at byte 80", cell.cause_chain, cause.handle())?;
    t.eq("extra_context at byte 88", cell.extra_context, context.handle())?;
    texts_eq(t, error.handle(), "CauseError", "with cause and context")
}

/// An Error holds a reference to its cause and releases it at its end.
#[check(ERR_0025)]
fn cause_is_owned(t: &Trial) -> Verdict {
    let cause = new_own_error();
    let error = create_with(t, cause, null_mut())?;
    t.eq("strong count of a cause", t.counts(cause)?.0, 2)?;
    t.api.TVMFFIObjectDecRef(cause);
    t.eq("causes that ended before their error", own_ended(), 0)?;
    drop(error);
    t.eq("times the cause's deleter ran with its error's end", own_ended(), 1)
}

/// An Error holds a reference to its extra context and releases it at its end.
#[check(ERR_0026)]
fn context_is_owned(t: &Trial) -> Verdict {
    let context = new_own_error();
    let error = create_with(t, null_mut(), context)?;
    t.eq("strong count of a context", t.counts(context)?.0, 2)?;
    t.api.TVMFFIObjectDecRef(context);
    t.eq("contexts that ended before their error", own_ended(), 0)?;
    drop(error);
    t.eq("times the context's deleter ran with its error's end", own_ended(), 1)
}

/// The extra context of an Error may be an object of any type.
#[check(ERR_0026)]
fn context_of_any_type(t: &Trial) -> Verdict {
    let contexts = [
        t.string(b"a string on the heap")?,
        t.bytes(b"bytes on the heap")?,
        t.function(null_mut(), return_none, None)?,
        t.opaque(0x5eed as *mut c_void, None)?,
    ];
    for context in &contexts {
        let of = format!("a context of type {}", context.any().type_index);
        let error = create_with(t, null_mut(), context.handle())?;
        t.eq(format!("strong count of {of}"), t.counts(context.handle())?.0, 2)?;
        drop(error);
        t.eq(format!("strong count of {of} after its error"), t.counts(context.handle())?.0, 1)?;
    }
    Ok(())
}

/// An Error without cause or extra context holds NULL in the place of either, whichever way it was made.
#[check(ERR_0027)]
fn no_cause(t: &Trial) -> Verdict {
    let with_neither = create_with(t, null_mut(), null_mut())?;
    let created = t.new_error("ValueError", "plain", "")?;
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"raised".as_ptr());
    let raised = take_one(t)?;
    for (error, made) in [(with_neither, "with neither"), (created, "plain"), (raised, "raised from C strings")] {
        let cell: TVMFFIErrorCell = t.cell("error cell", error.handle())?;
        t.eq(format!("cause_chain of an error made {made}"), cell.cause_chain, null_mut())?;
        t.eq(format!("extra_context of an error made {made}"), cell.extra_context, null_mut())?;
    }
    Ok(())
}

fn create_with(t: &Trial, cause: TVMFFIObjectHandle, context: TVMFFIObjectHandle) -> Verdict<Owned> {
    let [kind, message] = ["CauseError", "with cause and context"].map(|text| TVMFFIByteArray::new(text.as_bytes()));
    let (empty, mut error) = (TVMFFIByteArray::EMPTY, null_mut());
    let create = |out| t.api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &empty, cause, context, out);
    t.ok(create(&mut error))?;
    t.own_object("the new error", error)
}

/// The end of an Error ends a chain of a thousand causes that nobody else holds.
#[check(ERR_0028)]
fn chain(t: &Trial) -> Verdict {
    let mut head = new_own_error();
    for _ in 0..1000 {
        head = chained(t, head)?;
    }
    t.eq("errors that ended while the chain is held", own_ended(), 0)?;
    t.api.TVMFFIObjectDecRef(head);
    t.eq("times the last cause's deleter ran", own_ended(), 1)
}

/// An error that holds the only reference to its cause.
fn chained(t: &Trial, cause: TVMFFIObjectHandle) -> Verdict<TVMFFIObjectHandle> {
    let error = create_with(t, cause, null_mut())?;
    t.api.TVMFFIObjectDecRef(cause);
    Ok(error.into_any().payload() as TVMFFIObjectHandle)
}

/// Releasing a chain of fifty thousand causes does not exhaust the stack.
#[check(ERR_0029, patient = 2)]
fn long_chain(t: &Trial) -> Verdict {
    let functions = t.api.table();
    let (Some(create), Some(release)) =
        (functions.TVMFFIErrorCreateWithCauseAndExtraContext, functions.TVMFFIObjectDecRef)
    else {
        return create_with(t, null_mut(), null_mut()).map(drop);
    };
    t.api.note("TVMFFIErrorCreateWithCauseAndExtraContext(...), 50000 times");
    let (empty, mut head) = (TVMFFIByteArray::EMPTY, new_own_error());
    for _ in 0..50_000 {
        let (cause, out) = (head, &raw mut head);
        // SAFETY: the arguments are what the header asks for; the target is the one under test.
        t.ok(unsafe { create(&empty, &empty, &empty, cause, null_mut(), out) })?;
        // SAFETY: as above; the new error holds a reference of its own.
        unsafe { release(cause) };
    }
    t.api.TVMFFIObjectDecRef(head);
    t.eq("times the last cause's deleter ran", own_ended(), 1)
}

/// An Error releases at its end the extra context that a client has put into its cell.
#[check(ERR_0030)]
fn context_replaced(t: &Trial) -> Verdict {
    let (old, new) = (new_own_error(), new_own_error());
    let error = create_with(t, null_mut(), old)?;
    let cell: *mut TVMFFIErrorCell = error.handle().wrapping_byte_add(size_of::<TVMFFIObject>()).cast();
    t.eq("extra_context", t.read("error cell", cell.cast_const())?.extra_context, old)?;
    // As a client does: the reference to the old context is given up, one to the new context put in its place.
    t.api.TVMFFIObjectDecRef(old);
    t.api.TVMFFIObjectIncRef(new);
    // SAFETY: the cell was just read and found to hold the context, so this is the error's own memory, and nobody else
    // looks at it meanwhile.
    unsafe { (*cell).extra_context = new };
    drop(error);
    t.eq("strong count of the context replaced", t.counts(old)?.0, 1)?;
    t.eq("strong count of the context put in its place", t.counts(new)?.0, 1)
}

/// Making and releasing Errors with causes and extra contexts keeps no memory.
#[check(ERR_0025, ERR_0026)]
fn no_growth_causes(t: &Trial) -> Verdict {
    t.no_growth("heap after making and releasing errors with causes and contexts", || {
        let cause = t.new_error("ValueError", "the cause, on the heap", "")?;
        let context = t.string(b"a context on the heap")?;
        create_with(t, cause.handle(), context.handle()).map(drop)
    })
}
