//! How long a backtrace lasts, on which thread, and what is left of it.

use std::{
    ffi::{CString, c_int},
    mem::offset_of,
    ptr::null_mut,
    sync::mpsc,
    thread,
};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, callback},
    trial::{Trial, threads::let_others_run},
};

/// A backtrace stays unchanged until the next call of TVMFFIBacktrace on the same thread.
#[check(BTR_0004)]
fn until_next_call(t: &Trial) -> Verdict {
    let kept = answered(t, (Some(c"kept.c"), 7, Some(c"kept")), 1);
    let before = read_answered(t, kept)?;
    drop(t.string(b"a string that lies on the heap, for a while")?);
    drop(t.function(null_mut(), take_here, None)?);
    t.threads(3, |t, _| {
        for _ in 0..20 {
            take(t, (Some(c"elsewhere.c"), 8, Some(c"another_thread_with_a_longer_name")), 1)?;
        }
        Ok(())
    })?;
    t.eq("backtrace after other calls", read_answered(t, kept)?, before)
}

/// A backtrace stays unchanged while its thread makes calls that succeed, whichever function of the C ABI is called.
#[check(BTR_0004)]
fn outlasts_success(t: &Trial) -> Verdict {
    let kept = answered(t, (Some(c"kept.c"), 7, Some(c"kept_by_every_call")), 1);
    let before = read_answered(t, kept)?;
    t.each_quiet_success(|name, call| {
        call()?;
        t.eq(format_args!("backtrace after {name}"), read_answered(t, kept)?, before.clone())
    })
}

/// A backtrace stays unchanged while errors are made with other backtraces or with itself, put behind or in the place of an error's, raised
/// and taken.
#[check(BTR_0004)]
fn outlasts_errors(t: &Trial) -> Verdict {
    let answered = answered(t, (Some(c"kept.c"), 7, Some(c"kept_by_every_error")), 1);
    let before = read_answered(t, answered)?;
    let array = t.read("the byte array that TVMFFIBacktrace answers", answered)?;
    let others = [0, 1, 40, 300, 5000, 100_000].map(|size| "  File \"other.c\", line 1, in g\n".repeat(size / 32 + 1));
    let others = others.iter().map(|text| TVMFFIByteArray::new(text.as_bytes()));
    let (kind, message) = (TVMFFIByteArray::new(b"ValueError"), TVMFFIByteArray::new(b"a message of its own"));
    for backtrace in others.chain([array]) {
        let kept = |by: &str| {
            let what = format!("backtrace after {by} was given one of {} bytes", backtrace.size);
            t.eq(what, read_answered(t, answered)?, before.clone())
        };
        let (mut plain, mut with_cause) = (null_mut(), null_mut());
        t.ok(t.api.TVMFFIErrorCreate(&kind, &message, &backtrace, &mut plain))?;
        let plain = t.own_object("the new error", plain)?;
        kept("TVMFFIErrorCreate")?;
        let mut all = vec![&plain];
        let another;
        if t.api.table().TVMFFIErrorCreateWithCauseAndExtraContext.is_some() {
            let (cause, context) = (plain.handle(), null_mut());
            let create = t.api.TVMFFIErrorCreateWithCauseAndExtraContext(
                &kind,
                &message,
                &backtrace,
                cause,
                context,
                &mut with_cause,
            );
            t.ok(create)?;
            another = t.own_object("the new error", with_cause)?;
            kept("TVMFFIErrorCreateWithCauseAndExtraContext")?;
            all.push(&another);
        }
        for error in all {
            for mode in [kTVMFFIBacktraceUpdateModeAppend, kTVMFFIBacktraceUpdateModeReplace] {
                if let Some(update) = update_of(t, error)? {
                    // SAFETY: an Error, and bytes that lie there until the call has come back.
                    t.api.noted("update_backtrace", || unsafe { update(error.handle(), &backtrace, mode) });
                    kept("update_backtrace")?;
                }
            }
            t.api.TVMFFIErrorSetRaised(error.handle());
            kept("TVMFFIErrorSetRaised of an error that")?;
            t.api.release_raised();
            kept("TVMFFIErrorMoveFromRaised of an error that")?;
        }
    }
    Ok(())
}

/// A backtrace stays unchanged when it is handed to whatever takes a text or a backtrace, as often as one likes.
#[check(BTR_0004)]
fn outlasts_its_use(t: &Trial) -> Verdict {
    let kept = answered(t, (Some(c"kept.c"), 7, Some(c"kept_by_those_who_copy_it")), 1);
    let before = read_answered(t, kept)?;
    let text = TVMFFIByteArray::new(b"text");
    for what in ["a new error", "a new error with a cause", "replacing", "appending", "a String", "Bytes", "any text"] {
        for _ in 0..2 {
            let (mut out, mut any) = (null_mut(), TVMFFIAny::NONE);
            match what {
                "a new error" => t.ok(t.api.TVMFFIErrorCreate(kept, kept, kept, &mut out))?,
                "a new error with a cause" => {
                    if t.api.table().TVMFFIErrorCreateWithCauseAndExtraContext.is_none() {
                        continue;
                    }
                    let (cause, context) = (null_mut(), null_mut());
                    let create =
                        t.api.TVMFFIErrorCreateWithCauseAndExtraContext(kept, kept, kept, cause, context, &mut out);
                    t.ok(create)?;
                }
                "replacing" | "appending" => {
                    t.ok(t.api.TVMFFIErrorCreate(&text, &text, &text, &mut out))?;
                    let cell: TVMFFIErrorCell = t.cell("error cell", out)?;
                    let mode = (what == "appending").into();
                    if let Some(update) = cell.update_backtrace {
                        // SAFETY: the error's own function, with the error and a text that lives.
                        t.api.noted("update_backtrace", || unsafe { update(out, kept, mode) });
                    }
                }
                "a String" => t.ok(t.api.TVMFFIStringFromByteArray(kept, &mut any))?,
                "Bytes" => t.ok(t.api.TVMFFIBytesFromByteArray(kept, &mut any))?,
                _ => {
                    t.ok(t.api.TVMFFIAnyViewToOwnedAny(&TVMFFIAny::new(kTVMFFIByteArrayPtr, kept as u64), &mut any))?
                }
            }
            t.eq(format_args!("backtrace after it was given for {what}"), read_answered(t, kept)?, before.clone())?;
            drop(t.own(any));
            if !out.is_null() {
                drop(t.own_object(what, out)?);
            }
            t.eq(format_args!("backtrace after the end of {what}"), read_answered(t, kept)?, before.clone())?;
        }
    }
    Ok(())
}

type Update = unsafe extern "C" fn(TVMFFIObjectHandle, *const TVMFFIByteArray, i32);

/// What changes the backtrace of an error.
fn update_of(t: &Trial, error: &Owned) -> Verdict<Option<Update>> {
    const AT: usize = size_of::<TVMFFIObject>() + offset_of!(TVMFFIErrorCell, update_backtrace);
    t.looks_at::<TVMFFIErrorCell>();
    t.read("update_backtrace", error.handle().wrapping_byte_add(AT).cast_const().cast())
}

/// A backtrace stays unchanged when the process makes a copy of itself, in both.
#[check(BTR_0004)]
fn outlasts_a_fork(t: &Trial) -> Verdict {
    let array = raw(t, (Some(c"kept.c"), 7, Some(c"kept_by_copies")), 1)?;
    t.lasts_in_copies("the backtrace", |client| client.read_array("backtrace", array)).map(drop)
}

/// A backtrace that the constructor of a library takes, before anybody can call that, tells of the given place.
#[check(BTR_0014, fresh)]
fn at_start(t: &Trial) -> Verdict {
    let module = t.load("at_start.so")?;
    let text = t.call_of(&module, c"backtrace", &[])?;
    let backtrace = String::from_utf8_lossy(&t.text(&text.any())?).into_owned();
    t.that("the given place", backtrace.contains("at_start.c"), "in the backtrace", &backtrace)
}

/// The first backtrace of a process tells of the given place also where it is taken while the process ends, and so does another one there.
#[check(BTR_0014, fresh)]
fn first_at_exit(t: &Trial) -> Verdict {
    t.while_exiting(|client| {
        for _ in 0..2 {
            let array = client.api.TVMFFIBacktrace(c"at_exit.c".as_ptr(), 7, c"at_exit".as_ptr(), 1);
            let array = client.read("backtrace", array)?;
            let backtrace = String::from_utf8_lossy(&client.read_array("backtrace", array)?).into_owned();
            client.that("the given place", backtrace.contains("at_exit.c"), "in the backtrace", &backtrace)?;
        }
        Ok(())
    })
}

/// Each thread keeps its own backtrace while other threads take theirs.
#[check(BTR_0004)]
fn of_each_thread(t: &Trial) -> Verdict {
    t.threads(4, |t, thread| {
        let function = CString::new(format!("on_thread_{thread}")).unwrap_or_default();
        let own = format!("on_thread_{thread}");
        for _ in 0..25 {
            let answered = answered(t, (Some(c"thread.c"), thread as c_int, Some(&function)), 0);
            let backtrace = read_answered(t, answered)?;
            let_others_run();
            t.eq("backtrace while others take theirs", read_answered(t, answered)?, backtrace.clone())?;
            let stranger = backtrace.lines().find(|line| line.contains("on_thread_") && !line.contains(&own));
            t.that("line of another thread's place", stranger.is_none(), "none", stranger.unwrap_or_default())?;
        }
        Ok(())
    })
}

/// Each of hundreds of threads keeps its own backtrace while all of them live.
#[check(BTR_0004, patient = 2)]
fn of_a_crowd(t: &Trial) -> Verdict {
    // What they have in common, the stack above them, takes long to read.
    set_limit("0");
    let place = |number: usize| CString::new(format!("on_thread_{number}_of_many")).unwrap_or_default();
    t.crowd(
        |t, number| {
            let answered = answered(t, (Some(c"crowd.c"), number as c_int, Some(&place(number))), 1);
            Ok((read_answered(t, answered)?, answered as usize))
        },
        |t, number, (before, answered)| {
            let own = place(number).to_string_lossy().into_owned();
            t.that("the given place", before.contains(&own), format_args!("in the backtrace: {own}"), &before)?;
            let after = read_answered(t, answered as *const TVMFFIByteArray)?;
            t.eq("backtrace when all others have taken theirs", after, before)
        },
    )
}

/// The backtrace of a thread stays unchanged while other threads end, be they older or younger, and new ones take theirs.
#[check(BTR_0004, patient = 2)]
fn while_threads_come_and_go(t: &Trial) -> Verdict {
    const ALIVE: usize = 4;
    set_limit("0");
    t.serve_callbacks();
    let mut alive: Vec<Waiting> = Vec::new();
    let own = answered(t, (Some(c"own.c"), 7, Some(c"on_the_first_thread")), 1);
    let before = read_answered(t, own)?;
    for number in 0..40 {
        if alive.len() == ALIVE {
            // The oldest, the youngest and those between in turn.
            alive.remove(number * 3 % ALIVE).end();
        }
        alive.push(
            Waiting::start(number).ok_or_else(|| t.error("a thread that has taken a backtrace", "it has ended"))?,
        );
        t.eq("backtrace of the thread that waits for the others", read_answered(t, own)?, before.clone())?;
        for (older, waiting) in alive.iter().rev().enumerate() {
            let place = format!("on_thread_{}_", waiting.number);
            let backtrace = read_answered(t, waiting.answered as *const TVMFFIByteArray)?;
            let what =
                format!("backtrace of a thread after {older} younger ones have taken theirs, thread {number} the last");
            t.that(what, backtrace.contains(&place), format_args!("with {place}"), &backtrace)?;
        }
    }
    alive.into_iter().for_each(Waiting::end);
    Ok(())
}

/// A thread that has taken a backtrace and waits.
struct Waiting {
    number: usize,
    answered: usize,
    leave: mpsc::Sender<()>,
    thread: thread::JoinHandle<()>,
}

impl Waiting {
    /// Starts one, which tells its number as the place; nothing if it ends before it waits.
    fn start(number: usize) -> Option<Self> {
        let ((leave, told), (tell, taken)) = (mpsc::channel(), mpsc::channel());
        let thread = thread::spawn(move || {
            let place = CString::new(format!("on_thread_{number}_of_those_that_come_and_go")).unwrap_or_default();
            let Some(api) = callback::api() else { return };
            let answered = api.TVMFFIBacktrace(c"waiting.c".as_ptr(), 7, place.as_ptr(), 1);
            // Neither can be given up first: whoever has the other end waits for this one.
            let _ = tell.send(answered as usize);
            let _ = told.recv();
        });
        Some(Self { number, answered: taken.recv().ok()?, leave, thread })
    }

    fn end(self) {
        drop(self.leave);
        self.thread.join().unwrap_or(());
    }
}

/// A backtrace holds nothing of an earlier one.
#[check(BTR_0005)]
fn starts_afresh(t: &Trial) -> Verdict {
    let long = CString::new("f".repeat(3000)).unwrap_or_default();
    take(t, (Some(c"first.c"), 1, Some(&long)), 1)?;
    let second = take(t, (Some(c"second.c"), 2, Some(c"second")), 1)?;
    t.that("mention of an earlier call", !second.contains("first.c"), "none", &second)?;
    let third = take(t, NOWHERE, 1)?;
    t.that("mention of an earlier call", !third.contains("second.c"), "none", &third)
}

/// A backtrace that is given no file or no function has neither of the backtrace before, nor has a raised error.
#[check(BTR_0005)]
fn missing_names_are_not_the_last(t: &Trial) -> Verdict {
    let (file, function) = (Some(c"earlier_file"), Some(c"earlier_function"));
    let afresh = |what: &str, backtrace: &str| {
        let left = ["earlier_file", "earlier_function", "7654321"].into_iter().find(|word| backtrace.contains(word));
        t.that(format_args!("what is left of an earlier call in {what}"), left.is_none(), "nothing", backtrace)
    };
    for earlier in [(file, 7_654_321, function), (file, 7_654_321, None), (None, 7_654_321, function)] {
        for (own_file, own_function) in
            [(None, None), (Some(c"own_file"), None), (None, Some(c"own_function")), (Some(c""), Some(c""))]
        {
            for cross_ffi_boundary in [0, 1] {
                take(t, earlier, cross_ffi_boundary)?;
                afresh("the next backtrace", &take(t, (own_file, 5, own_function), cross_ffi_boundary)?)?;
            }
        }
        take(t, earlier, 1)?;
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"from C strings".as_ptr());
        afresh("the backtrace of a raised error", &raised_backtrace(t)?)?;
    }
    Ok(())
}

/// Four threads take backtraces at once.
#[check(BTR_0011)]
fn threads(t: &Trial) -> Verdict {
    t.threads(4, |t, _| {
        for line in 1..=25 {
            let backtrace = take(t, (Some(c"thread.c"), line, Some(c"worker")), 1)?;
            let first = backtrace.lines().next().unwrap_or_default();
            let own = first.contains("thread.c") && first.contains(&line.to_string());
            t.that("the most recent call", own, format_args!("line {line} of thread.c"), first)?;
        }
        Ok(())
    })
}

/// Taking backtraces keeps no memory.
#[check(BTR_0012, patient = 3)]
fn no_growth(t: &Trial) -> Verdict {
    // Thousands of full backtraces would take long.
    set_limit("1");
    t.no_growth("heap after taking backtraces", || {
        raw(t, (Some(c"a-file-with-a-long-name.c"), 1, Some(c"a_function_with_a_long_name")), 1).map(drop)
    })
}

/// Threads that take a backtrace and end keep no memory.
#[check(BTR_0012, patient = 3)]
fn threads_leave_none(t: &Trial) -> Verdict {
    set_limit("1");
    t.threads_leave_nothing("heap after threads that have taken backtraces", |t| {
        raw(t, (Some(c"a-file-with-a-long-name.c"), 1, Some(c"a_function_with_a_long_name")), 1).map(drop)
    })
}
