//! The raised error that another takes the place of.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicPtr, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::{self, raise_self},
        homemade::{self, Homemade},
        own_error::error_cell,
    },
    trial::Trial,
};

/// An error that is raised takes the place of the earlier one, whose reference is released.
#[check(ERR_0018)]
fn raise_replaces(t: &Trial) -> Verdict {
    let [first, second, third] = [new_own_error(), new_own_error(), new_own_error()];
    t.api.TVMFFIErrorSetRaised(first);
    t.api.TVMFFIErrorSetRaised(second);
    t.eq("strong count of an error that TVMFFIErrorSetRaised replaced", t.counts(first)?.0, 1)?;
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"new".as_ptr());
    t.eq("strong count of an error that TVMFFIErrorSetRaisedFromCStr replaced", t.counts(second)?.0, 1)?;
    t.api.TVMFFIErrorSetRaised(third);
    raise_from_parts(t, &[c"newer".as_ptr()]);
    t.eq("strong count of an error that TVMFFIErrorSetRaisedFromCStrParts replaced", t.counts(third)?.0, 1)?;
    let last = take_one(t)?;
    texts_eq(t, last.handle(), "TypeError", "newer")?;
    t.eq("the raised error after it was taken", take(t), null_mut())
}

/// An error that nobody holds but its thread ends when another is raised in its place, or none, though weak references to it are left, whoever made
/// it: the other is another object with texts of its own, and the first is nobody's any more.
#[check(ERR_0018, ERR_0017)]
fn raise_replaces_while_weak(t: &Trial) -> Verdict {
    // Hundreds of full backtraces would take long.
    t.short_backtraces();
    t.serve_callbacks();
    let (other, unknown) = (t.new_error("KeyError", "in the place of another", "")?, b"verify.no_such_thing");
    let raising = t.function(other.handle(), raise_self, None)?;
    let failing = t.callback(|api, _| callback::raise(api, c"ValueError", c"of a call"))?;
    let long = format!("{}\0", "a message that is longer than that of any other ".repeat(9));
    let (long, same) = (long.trim_end_matches('\0'), ORIGIN);
    let raise = |kind: &CStr, message: *const c_char| t.api.TVMFFIErrorSetRaisedFromCStr(kind.as_ptr(), message);
    let raised_from =
        |parts: &[&CStr]| raise_from_parts(t, &parts.iter().map(|part| part.as_ptr()).collect::<Vec<_>>());
    let doors: [RaiseDoor; 13] = [
        ("TVMFFIErrorSetRaised", Some(["KeyError", "in the place of another"]), &|| {
            t.api.TVMFFIErrorSetRaised(other.handle());
        }),
        ("TVMFFIErrorSetRaisedFromCStr", Some(["ValueError", "new"]), &|| raise(c"ValueError", c"new".as_ptr())),
        ("TVMFFIErrorSetRaisedFromCStr with no texts", Some(["", ""]), &|| raise(c"", c"".as_ptr())),
        ("TVMFFIErrorSetRaisedFromCStr with texts as long", Some(["KindOfSome", ORIGIN_CHANGED]), &|| {
            raise(c"KindOfSome", CHANGED.as_ptr());
        }),
        ("TVMFFIErrorSetRaisedFromCStr with the same texts", Some(["ValueError", same]), &|| {
            raise(c"ValueError", SAME.as_ptr());
        }),
        ("TVMFFIErrorSetRaisedFromCStr with longer texts", Some(["ValueError", long]), &|| {
            raise(c"ValueError", long.as_ptr().cast());
        }),
        ("TVMFFIErrorSetRaisedFromCStrParts", Some(["TypeError", "newer"]), &|| raised_from(&[c"new", c"er"])),
        ("TVMFFIErrorSetRaisedFromCStrParts, without any,", Some(["TypeError", ""]), &|| raised_from(&[])),
        ("a call that fails", None, &|| {
            t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(unknown), &mut 0);
        }),
        ("a function that raises an error", Some(["KeyError", "in the place of another"]), &|| {
            t.try_call(&raising, &[], &mut { TVMFFIAny::NONE });
        }),
        ("a function that raises a text", Some(["ValueError", "of a call"]), &|| {
            t.try_call(&failing, &[], &mut { TVMFFIAny::NONE });
        }),
        ("TVMFFIErrorSetRaised with NULL", None, &|| t.api.TVMFFIErrorSetRaised(null_mut())),
        ("TVMFFIErrorMoveFromRaised", None, &|| clear(t)),
    ];
    let own = || ("a client", Homemade::with_deleter(kTVMFFIError, error_cell(), None).handle());
    let all = |t: &Trial| -> Verdict<Vec<(&'static str, TVMFFIObjectHandle)>> {
        let library = of_every_origin(t)?.into_iter();
        let library = library.map(|(by, error)| (by, error.into_any().payload() as TVMFFIObjectHandle));
        Ok(library.chain([own()]).collect())
    };
    for ((door, texts, raise), weak) in doors.iter().flat_map(|door| [(door, 1), (door, 3)]) {
        for (by, error) in all(t)? {
            // It is raised, perhaps once more, and held by nobody but the thread.
            (0..weak).for_each(|_| homemade::retain_weak(error));
            t.api.TVMFFIErrorSetRaised(error);
            homemade::release(error);
            t.clause(id::ERR_0018);
            t.eq("counts of an error that only its thread holds", t.counts(error)?, (1, 1 + weak))?;
            raise();
            let of =
                |what: &str| format!("{what} that {by} made, has {weak} weak references, and was replaced by {door}");
            t.clause(if door.ends_with("NULL") { id::ERR_0017 } else { id::ERR_0018 });
            t.eq(of("counts of an error"), t.counts(error)?, (0, weak))?;
            if let Some([kind, message]) = *texts {
                let raised = take_one(t)?;
                t.ne(of("what is raised in the place of an error"), raised.handle(), error)?;
                texts_eq(t, raised.handle(), kind, message)?;
                t.api.TVMFFIErrorSetRaised(raised.handle());
            }
            // It stays where it is as long as it is watched.
            for _ in 0..3 {
                t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), SAME.as_ptr());
            }
            t.eq(of("counts, after others were raised, of an error"), t.counts(error)?, (0, weak))?;
            clear(t);
            (0..weak).for_each(|_| homemade::release_weak(error));
        }
    }
    Ok(())
}

/// What raises, with the texts of what it raises, where these are known.
type RaiseDoor<'a> = (&'a str, Option<[&'a str; 2]>, &'a dyn Fn());

/// The message of those [of every origin](of_every_origin), and one of the same length.
const ORIGIN: &str = "an error of some origin";
const SAME: &CStr = c"an error of some origin";
const ORIGIN_CHANGED: &str = "an error of other texts";
const CHANGED: &CStr = c"an error of other texts";

/// An error of the library's that nobody holds but its thread ends when any call fails, though a weak reference to it is left: the error of the
/// call is another object.
#[check(ERR_0018)]
fn failures_replace_while_weak(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.each_failure(|name, call| {
        for (by, error) in of_every_origin(t)? {
            let error = error.into_any().payload() as TVMFFIObjectHandle;
            homemade::retain_weak(error);
            t.api.TVMFFIErrorSetRaised(error);
            homemade::release(error);
            // Whether it has to fail is another clause.
            if call() != 0 {
                let what =
                    format!("counts of an error that {by} made, has a weak reference, and was replaced by {name}");
                t.eq(what, t.counts(error)?, (0, 1))?;
                t.ne(format_args!("the error that {name} raises"), take_one(t)?.handle(), error)?;
            }
            clear(t);
            homemade::release_weak(error);
        }
        Ok(())
    })
}

/// An error that nobody holds but its thread stays what it is when it is raised again, though a weak reference to it is left.
#[check(ERR_0016)]
fn raise_again_while_weak(t: &Trial) -> Verdict {
    for (by, error) in of_every_origin(t)? {
        let error = error.into_any().payload() as TVMFFIObjectHandle;
        homemade::retain_weak(error);
        let texts = common_cell(t, error)?;
        let (kind, message) = (text(t, texts.kind)?, text(t, texts.message)?);
        t.api.TVMFFIErrorSetRaised(error);
        homemade::release(error);
        for _ in 0..3 {
            t.api.TVMFFIErrorSetRaised(error);
            t.eq(format_args!("counts of an error that {by} made and that is raised again"), t.counts(error)?, (1, 2))?;
        }
        let raised = take_one(t)?;
        t.eq("the raised error", raised.handle(), error)?;
        texts_eq(t, error, &kind, &message)?;
        drop(raised);
        t.eq(format_args!("counts of an error that {by} made and that was given up"), t.counts(error)?, (0, 1))?;
        homemade::release_weak(error);
    }
    Ok(())
}

/// An error that the end of another raises is not lost, whatever is raised, cleared or fails in the place of that other: all give up every
/// reference to it.
#[check(ERR_0018, patient = 2)]
fn raised_by_the_end_of_another(t: &Trial) -> Verdict {
    /// The error that an end raises.
    static THIRD: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    unsafe extern "C" fn raise_third(_: *mut c_void, flags: c_int) {
        if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0
            && let Some(api) = callback::api()
        {
            api.TVMFFIErrorSetRaised(THIRD.load(Ordering::Acquire));
        }
    }
    t.serve_callbacks();
    let (second, third) = (t.new_error("TypeError", "second", "")?, t.new_error("KeyError", "third", "")?);
    THIRD.store(third.handle(), Ordering::Release);
    // It raises by its own deleter, or by that of what it alone holds. Nobody holds it but the thread that has raised it.
    let raise_first = |holds: Option<[bool; 2]>| -> Verdict {
        let own = Homemade::with_deleter(kTVMFFIError, error_cell(), Some(raise_third)).handle();
        let first = match holds {
            None => own,
            Some(places) => {
                let [cause, context] = places.map(|here| if here { own } else { null_mut() });
                let texts = [b"ValueError", &b"first"[..], b""].map(TVMFFIByteArray::new);
                let error = create_with(t, texts, cause, context)?;
                t.api.release(own);
                error.into_any().payload() as TVMFFIObjectHandle
            }
        };
        t.api.TVMFFIErrorSetRaised(first);
        t.ok(t.api.TVMFFIObjectDecRef(first))
    };
    let given_up = |how: &str| -> Verdict {
        // What is raised now may raise the third when it is given up.
        for _ in 0..3 {
            clear(t);
        }
        t.eq(format_args!("counts of the second error after {how}"), t.counts(second.handle())?, (1, 1))?;
        t.eq(format_args!("counts of the third error after {how}"), t.counts(third.handle())?, (1, 1))
    };
    let holds_others = t.api.has("TVMFFIErrorCreateWithCauseAndExtraContext");
    let others = [[true, false], [false, true]].map(Some);
    for holds in [None].into_iter().chain(others.into_iter().filter(|_| holds_others)) {
        raise_first(holds)?;
        t.api.TVMFFIErrorSetRaised(second.handle());
        given_up("TVMFFIErrorSetRaised")?;
        raise_first(holds)?;
        t.api.TVMFFIErrorSetRaised(null_mut());
        given_up("TVMFFIErrorSetRaised with NULL")?;
        raise_first(holds)?;
        t.api.TVMFFIErrorSetRaised(third.handle());
        given_up("TVMFFIErrorSetRaised with the third itself")?;
        raise_first(holds)?;
        t.api.TVMFFIErrorSetRaisedFromCStr(c"TypeError".as_ptr(), c"second".as_ptr());
        given_up("TVMFFIErrorSetRaisedFromCStr")?;
        raise_first(holds)?;
        raise_from_parts(t, &[c"sec".as_ptr(), c"ond".as_ptr()]);
        given_up("TVMFFIErrorSetRaisedFromCStrParts")?;
        raise_first(holds)?;
        given_up("TVMFFIErrorMoveFromRaised")?;
        let function = t.function(second.handle(), raise_self, None)?;
        raise_first(holds)?;
        t.ne("status of a function that raises", t.try_call(&function, &[], &mut { TVMFFIAny::NONE }), 0)?;
        drop(function);
        given_up("a function that raises the second")?;
    }
    t.each_failure(|name, call| {
        raise_first(None)?;
        call();
        given_up(name)
    })
}
