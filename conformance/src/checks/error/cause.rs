//! Causes and extra contexts: an Error holds them, and ends them with itself.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr::null_mut,
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{self, keep_self, raise_self, return_none},
        homemade::{self, Homemade},
        own_error::error_cell,
    },
    trial::Trial,
};

/// An Error holds the handle of its cause at byte 80 and that of its extra context at byte 88.
#[check(ERR_0024)]
fn cause_layout(t: &Trial) -> Verdict {
    let cause = t.new_error("ValueError", "the cause", "")?;
    let context = t.string(b"the extra context")?;
    let error = made_with(t, cause.handle(), context.handle())?;
    let cell: TVMFFIErrorCell = t.cell("error cell", error.handle())?;
    t.eq("cause_chain at byte 80", cell.cause_chain, cause.handle())?;
    t.eq("extra_context at byte 88", cell.extra_context, context.handle())?;
    texts_eq(t, error.handle(), "CauseError", "with cause and context")
}

/// An Error holds a reference to its cause and releases it at its end.
#[check(ERR_0025)]
fn cause_is_owned(t: &Trial) -> Verdict {
    let cause = new_own_error();
    let error = made_with(t, cause, null_mut())?;
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
    let error = made_with(t, null_mut(), context)?;
    t.eq("strong count of a context", t.counts(context)?.0, 2)?;
    t.api.TVMFFIObjectDecRef(context);
    t.eq("contexts that ended before their error", own_ended(), 0)?;
    drop(error);
    t.eq("times the context's deleter ran with its error's end", own_ended(), 1)
}

/// An Error that nobody holds but the raised error, as its cause or its extra context, at once or by way of other causes and contexts, can be raised
/// in its place.
#[check(ERR_0016)]
fn raise_what_the_raised_holds(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let ways: [Way; 4] = [
        ("TVMFFIErrorSetRaised", |t, error| {
            t.api.TVMFFIErrorSetRaised(error);
            Ok(())
        }),
        ("TVMFFIErrorSetRaised, twice", |t, error| {
            t.api.TVMFFIErrorSetRaised(error);
            t.api.TVMFFIErrorSetRaised(error);
            Ok(())
        }),
        ("a function that raises it", |t, error| {
            let function = t.function(error, raise_self, None)?;
            t.ne("status of a function that raises", t.try_call(&function, &[], &mut { TVMFFIAny::NONE }), 0)
        }),
        ("a function that raises it within another", |t, error| {
            let inner = t.function(error, raise_self, None)?;
            let outer = t.function(inner.handle(), call_it, None)?;
            t.ne("status of a function that raises", t.try_call(&outer, &[], &mut { TVMFFIAny::NONE }), 0)
        }),
    ];
    let texts = [b"ValueError", &b"holds another"[..], b""].map(TVMFFIByteArray::new);
    // Below each other: whether as the cause, the extra context, both, or the only element of an Array that is the extra context.
    let rows: [&[usize]; 9] = [&[0], &[1], &[2], &[3], &[0, 0], &[0, 1], &[1, 0], &[3, 0, 1], &[0, 0, 0]];
    for ((way, raise), row) in ways.iter().flat_map(|way| rows.iter().map(move |row| (way, *row))) {
        let (innermost, ended) = (new_own_error(), own_ended());
        let mut held = t.own(TVMFFIAny::new(kTVMFFIError, innermost as u64));
        for place in row {
            let array = if *place == 3 { Some(t.call_global("ffi.Array", &[held.any()])?) } else { None };
            let (inner, nobody) = (held.handle(), null_mut());
            let context = array.as_ref().map_or(nobody, Owned::handle);
            let [cause, context] = [[inner, nobody], [nobody, inner], [inner; 2], [nobody, context]][*place];
            held = create_with(t, texts, cause, context)?;
        }
        t.api.TVMFFIErrorSetRaised(held.handle());
        drop(held);
        raise(t, innermost)?;
        let what = format!("what the raised error holds, {row:?}, and is raised by {way}");
        t.eq(format_args!("ends of {what}"), own_ended() - ended, 0)?;
        let raised = take(t);
        t.eq(format_args!("the raised error after {what}"), raised, innermost)?;
        t.eq(format_args!("counts of {what}"), t.counts(innermost)?, (1, 1))?;
        homemade::release(raised);
        t.eq(format_args!("ends of {what}, once given up"), own_ended() - ended, 1)?;
    }
    Ok(())
}

/// What raises an Error, for messages, and how.
type Way = (&'static str, fn(&Trial, TVMFFIObjectHandle) -> Verdict);

/// Calls the function that is its self, and passes on what it answers.
unsafe extern "C" fn call_it(inner: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    callback::api().map_or(-1, |api| api.TVMFFIFunctionCall(inner, null_mut(), 0, result))
}

/// An Error is raised from C strings that end with what the raised error holds: its own texts, those of its cause, and those of its extra context.
#[check(ERR_0010, ERR_0011)]
fn raise_from_what_ends_with_the_raised(t: &Trial) -> Verdict {
    /// The texts of the error that ends.
    static TEXTS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());
    unsafe extern "C" fn wipe(_: TVMFFIObjectHandle, flags: c_int) {
        if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
            for (address, size) in TEXTS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
                // SAFETY: texts that the check has leaked, and that nobody reads while they are written to.
                unsafe { std::ptr::write_bytes(address as *mut u8, b'#', size) };
            }
        }
    }
    let texts = [b"ValueError", &b"holds another"[..], b""].map(TVMFFIByteArray::new);
    let (kind, message) = ("KindOfItsOwn", "a message that is too long to be kept inline");
    // The own texts of the raised error, those of its cause, those of its extra context, and of the cause of that.
    for (holders, len) in
        [&[][..], &[0], &[1], &[0, 1]].into_iter().flat_map(|holders| [5, message.len()].map(|len| (holders, len)))
    {
        let raised = || -> Verdict<[*const c_char; 2]> {
            let [kind, message] = [kind, &message[..len]].map(|text| {
                let text: &'static mut [u8] = [text.as_bytes(), b"\0"].concat().leak();
                // The NUL stays, so that who reads too late comes to an end.
                let place = (text.as_ptr() as usize, text.len() - 1);
                TEXTS.lock().unwrap_or_else(PoisonError::into_inner).push(place);
                TVMFFIByteArray { data: text.as_ptr().cast(), size: place.1 }
            });
            let cell = TVMFFIErrorCell { kind, message, ..error_cell() };
            let mut held = t.own(Homemade::with_deleter(kTVMFFIError, cell, Some(wipe)).view());
            for place in holders {
                let [cause, context] = [0, 1].map(|at| if at == *place { held.handle() } else { null_mut() });
                held = create_with(t, texts, cause, context)?;
            }
            t.api.TVMFFIErrorSetRaised(held.handle());
            Ok([kind.data, message.data])
        };
        let is_raised = |told: String| -> Verdict {
            let error = take_one(t)?;
            let what = format!("{told} by C strings of what the raised error holds, {holders:?}");
            let cell = common_cell(t, error.handle())?;
            t.eq(format_args!("the kind of the error that is raised {what}"), text(t, cell.kind)?, kind.to_owned())?;
            let expected =
                if told.ends_with("Parts") { format!("{0}, {0}", &message[..len]) } else { message[..len].to_owned() };
            t.eq(format_args!("the message of the error that is raised {what}"), text(t, cell.message)?, expected)
        };
        t.clause(id::ERR_0010);
        let [kind, message] = raised()?;
        t.api.TVMFFIErrorSetRaisedFromCStr(kind, message);
        is_raised("by TVMFFIErrorSetRaisedFromCStr".to_owned())?;
        t.clause(id::ERR_0011);
        let [kind, message] = raised()?;
        t.api.TVMFFIErrorSetRaisedFromCStrParts(kind, [message, c", ".as_ptr(), message].as_mut_ptr(), 3);
        is_raised("by TVMFFIErrorSetRaisedFromCStrParts".to_owned())?;
    }
    Ok(())
}

/// One object may be both the cause and the extra context of an Error, and of several.
#[check(ERR_0025, ERR_0026)]
fn cause_and_context(t: &Trial) -> Verdict {
    let both = new_own_error();
    let errors = [made_with(t, both, both)?, made_with(t, both, both)?];
    t.eq("strong count of what is cause and context of two errors", t.counts(both)?.0, 5)?;
    drop(errors);
    t.eq("strong count of it once they have ended", t.counts(both)?.0, 1)?;
    t.eq("times its deleter ran", own_ended(), 0)
}

/// A cause and an extra context end with their Error, and not with the thread that all of them were made on.
#[check(ERR_0025, ERR_0026)]
fn parts_outlast_their_thread(t: &Trial) -> Verdict {
    for (clause, is_cause) in [(id::ERR_0025, true), (id::ERR_0026, false)] {
        t.clause(clause);
        let (what, ended) = (if is_cause { "a cause" } else { "a context" }, own_ended());
        let made = Mutex::new(TVMFFIAny::NONE);
        t.threads(1, |t, _| {
            let part = new_own_error();
            let [cause, context] = if is_cause { [part, null_mut()] } else { [null_mut(), part] };
            let error = made_with(t, cause, context)?;
            t.api.TVMFFIObjectDecRef(part);
            *made.lock().unwrap_or_else(PoisonError::into_inner) = error.into_any();
            Ok(())
        })?;
        let error = t.own(made.into_inner().unwrap_or_else(PoisonError::into_inner));
        t.eq(format_args!("times {what} ended with its thread"), own_ended() - ended, 0)?;
        let cell: TVMFFIErrorCell = t.cell("error cell", error.handle())?;
        let part = if is_cause { cell.cause_chain } else { cell.extra_context };
        t.eq(format_args!("strong count of {what} of a thread that has ended"), t.counts(part)?.0, 1)?;
        drop(error);
        t.eq(format_args!("times {what} ended with its error"), own_ended() - ended, 1)?;
    }
    Ok(())
}

/// An Error gives up its cause and its extra context once, with its last strong reference, whether weak references to it are held then, have
/// been held before, or neither.
#[check(ERR_0025, ERR_0026)]
fn parts_of_a_watched_error(t: &Trial) -> Verdict {
    let parts = [
        (id::ERR_0025, true, false),
        (id::ERR_0026, false, true),
        (id::ERR_0025, true, true),
        (id::ERR_0026, true, true),
    ];
    for ((clause, with_cause, with_context), (before, weak)) in
        parts.into_iter().flat_map(|parts| [(0, 0), (1, 0), (0, 1), (0, 2), (2, 1)].map(|counts| (parts, counts)))
    {
        t.clause(clause);
        for is_inline in [false, true] {
            let ended = own_ended();
            let part = |with: bool| if with { new_own_error() } else { null_mut() };
            let (cause, context) = (part(with_cause), part(with_context));
            let error = made_with(t, cause, context)?.into_any().payload() as TVMFFIObjectHandle;
            for part in [cause, context].into_iter().filter(|part| !part.is_null()) {
                t.api.release(part);
            }
            (0..before + weak).for_each(|_| homemade::retain_weak(error));
            (0..before).for_each(|_| homemade::release_weak(error));
            let what =
                format!("cause and context ({with_cause}, {with_context}) of an error with {weak} weak references");
            t.eq(format_args!("ends of {what} while it lives"), own_ended() - ended, 0)?;
            if is_inline {
                t.api.labelled("an inline release", || homemade::release(error));
            } else {
                t.ok(t.api.TVMFFIObjectDecRef(error))?;
            }
            let expected = usize::from(with_cause) + usize::from(with_context);
            t.eq(format_args!("ends of {what} once its last strong one is gone"), own_ended() - ended, expected)?;
            for _ in 0..weak {
                t.api.labelled("an inline weak release", || homemade::release_weak(error));
            }
            t.eq(format_args!("ends of {what} once all are gone"), own_ended() - ended, expected)?;
        }
    }
    Ok(())
}

/// The extra context of an Error may be an object of any type.
#[check(ERR_0026)]
fn context_of_any_type(t: &Trial) -> Verdict {
    let contexts = [
        t.string(b"a string on the heap")?,
        t.bytes(b"bytes on the heap")?,
        t.function(null_mut(), return_none, None)?,
        t.opaque(0x5eed as *mut c_void, keep_self)?,
    ];
    for context in &contexts {
        let of = format!("a context of type {}", context.any().type_index);
        let before = t.counts(context.handle())?.0;
        let error = made_with(t, null_mut(), context.handle())?;
        t.eq(format_args!("strong count of {of}"), t.counts(context.handle())?.0, before + 1)?;
        drop(error);
        t.eq(format_args!("strong count of {of} after its error"), t.counts(context.handle())?.0, before)?;
    }
    Ok(())
}

/// An Error without cause or extra context holds NULL in the place of either, whichever way it was made.
#[check(ERR_0027)]
fn no_cause(t: &Trial) -> Verdict {
    let with_neither = made_with(t, null_mut(), null_mut())?;
    // One of the makers gives both, and to its own failures the library may give what it likes.
    let has_neither = |by: &str| ![OWN_FAILURE, "TVMFFIErrorCreateWithCauseAndExtraContext"].contains(&by);
    let made = of_every_origin(t)?.into_iter().filter(|(by, _)| has_neither(by));
    for (made, error) in made.chain([("with neither", with_neither)]) {
        let cell: TVMFFIErrorCell = t.cell("error cell", error.handle())?;
        t.eq(format_args!("cause_chain of an error ({made})"), cell.cause_chain, null_mut())?;
        t.eq(format_args!("extra_context of an error ({made})"), cell.extra_context, null_mut())?;
    }
    Ok(())
}

/// An Error with this cause and this extra context, either of which may be NULL.
fn made_with(t: &Trial, cause: TVMFFIObjectHandle, context: TVMFFIObjectHandle) -> Verdict<Owned> {
    let texts = [b"CauseError", &b"with cause and context"[..], b""].map(TVMFFIByteArray::new);
    create_with(t, texts, cause, context)
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
    let error = made_with(t, cause, null_mut())?;
    t.api.TVMFFIObjectDecRef(cause);
    Ok(error.into_any().payload() as TVMFFIObjectHandle)
}

/// Releasing a chain of fifty thousand causes does not exhaust the stack, whatever extra contexts the errors in it have beside their causes.
#[check(ERR_0029, ERR_0026, patient = 4)]
fn long_chain(t: &Trial) -> Verdict {
    let create = t
        .api
        .bare("TVMFFIErrorCreateWithCauseAndExtraContext", |table| table.TVMFFIErrorCreateWithCauseAndExtraContext);
    let release = t.api.bare("TVMFFIObjectDecRef", |table| table.TVMFFIObjectDecRef);
    let to_string = t.api.bare("TVMFFIStringFromByteArray", |table| table.TVMFFIStringFromByteArray);
    let (empty, text) = (TVMFFIByteArray::EMPTY, TVMFFIByteArray::new(b"longer than seven bytes"));
    let shared = new_own_error();
    use Beside::*;
    // What is a quarter as long ends on a thread whose stack is a quarter of this one's.
    for (count, beside) in [
        (50_000, &[Nothing][..]),
        (12_500, &[OneForAll]),
        (12_500, &[AText, AnError]),
        (12_500, &[TheCause, OneForAll, Nothing, AnError]),
    ] {
        t.api
            .note(&format!("TVMFFIErrorCreateWithCauseAndExtraContext(...), {count} times, with contexts: {beside:?}"));
        let (ended, mut head) = (own_ended(), new_own_error());
        for at in 0..count {
            let (cause, out) = (head, &raw mut head);
            // The context, and whether its one reference is to be given up here.
            let (context, is_own) = match beside[at % beside.len()] {
                Nothing => (null_mut(), false),
                OneForAll => (shared, false),
                TheCause => (cause, false),
                AText => {
                    let mut made = TVMFFIAny::NONE;
                    // SAFETY: the arguments are what the header asks for; the target is the one under test.
                    t.ok(unsafe { to_string(&text, &mut made) })?;
                    (made.payload() as TVMFFIObjectHandle, true)
                }
                AnError => {
                    let mut made = null_mut();
                    // SAFETY: as above.
                    t.ok(unsafe { create(&empty, &empty, &empty, null_mut(), null_mut(), &mut made) })?;
                    (made, true)
                }
            };
            // SAFETY: as above.
            t.ok(unsafe { create(&empty, &empty, &empty, cause, context, out) })?;
            // SAFETY: as above; the new error holds references of its own.
            unsafe {
                release(cause);
                if is_own {
                    release(context);
                }
            }
        }
        let head = head as usize;
        let end = |t: &Trial| t.ok(t.api.TVMFFIObjectDecRef(head as TVMFFIObjectHandle));
        if count == 50_000 {
            end(t)?
        } else {
            t.threads(1, |t, _| end(t))?
        }
        t.eq(format_args!("times the last cause's deleter ran, with contexts: {beside:?}"), own_ended() - ended, 1)?;
    }
    t.clause(id::ERR_0026);
    t.eq("strong count of what was the context of many errors", t.counts(shared)?.0, 1)
}

/// What an error of a chain has for an extra context.
#[derive(Clone, Copy, Debug)]
enum Beside {
    Nothing,
    /// An object that others have, too.
    OneForAll,
    /// The error's own cause.
    TheCause,
    /// A String of its own.
    AText,
    /// An error of its own.
    AnError,
}

/// An Error releases at its end the extra context that a client has put into its cell.
#[check(ERR_0030)]
fn context_replaced(t: &Trial) -> Verdict {
    let (old, new) = (new_own_error(), new_own_error());
    let error = made_with(t, null_mut(), old)?;
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

/// An Error of any origin releases at its end the cause and the context that a client has put into its cell later, and none
/// that a client has taken out of it.
#[check(ERR_0030)]
fn put_in_later(t: &Trial) -> Verdict {
    for (with_cause, with_context) in [(true, true), (true, false), (false, true), (false, false)] {
        for (by, error) in of_every_origin(t)? {
            let cell: *mut TVMFFIErrorCell = error.handle().wrapping_byte_add(size_of::<TVMFFIObject>()).cast();
            let TVMFFIErrorCell { cause_chain, extra_context, .. } = t.read("error cell", cell.cast_const())?;
            let (old, new) = ([cause_chain, extra_context], [new_own_error(), new_own_error()]);
            let [cause, context] = [(with_cause, new[0]), (with_context, new[1])].map(|(with, new)| {
                if with {
                    t.api.TVMFFIObjectIncRef(new);
                }
                if with { new } else { null_mut() }
            });
            let held = |object: TVMFFIObjectHandle| -> Verdict<u32> {
                if object.is_null() { Ok(0) } else { Ok(t.counts(object)?.0) }
            };
            let before = [held(old[0])?, held(old[1])?];
            // The references that the cell held are the client's now, who keeps them for a while.
            // SAFETY: the cell was just read, so this is the error's own memory, and nobody else looks at it meanwhile.
            unsafe { ((*cell).cause_chain, (*cell).extra_context) = (cause, context) };
            drop(error);
            for (what, old, before, new) in
                [("cause", old[0], before[0], new[0]), ("context", old[1], before[1], new[1])]
            {
                t.eq(
                    format_args!("strong count of the {what} of an error ({by}) that has ended"),
                    t.counts(new)?.0,
                    1,
                )?;
                if !old.is_null() {
                    t.eq(format_args!("strong count of the {what} taken out of an error ({by})"), held(old)?, before)?;
                    t.api.TVMFFIObjectDecRef(old);
                }
            }
        }
    }
    Ok(())
}

/// Making and releasing Errors with causes and extra contexts keeps no memory.
#[check(ERR_0025, ERR_0026)]
fn no_growth_causes(t: &Trial) -> Verdict {
    t.no_growth("heap after making and releasing errors with causes and contexts", || {
        let cause = t.new_error("ValueError", "the cause, on the heap", "")?;
        let context = t.string(b"a context on the heap")?;
        made_with(t, cause.handle(), context.handle()).map(drop)
    })
}
