//! Errors: the objects, the raised error of each thread, causes and extra contexts.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr::null_mut,
    sync::{
        Condvar, Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use proptest::{collection::vec, prelude::any};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, api::Api},
    trial::{Trial, let_others_run},
};
use tvm_ffi_spec::clause::id;

// ---- error objects ---------------------------------------------------------------------------------------------------

/// Keeps the parts of an error at their offsets.
#[check(ERR_0001)]
fn layout(t: &Trial) -> Verdict {
    let error = t.new_error("LayoutKind", "the layout's message", "  File \"a.c\", line 1, in f\n")?;
    t.eq("type_index in the header", t.header(error.handle())?.type_index, kTVMFFIError)?;
    let cell = common_cell(t, error.handle())?;
    t.eq("kind at byte 24", text(t, cell.kind)?, "LayoutKind".to_owned())?;
    t.eq("message at byte 40", text(t, cell.message)?, "the layout's message".to_owned())?;
    t.eq("backtrace at byte 56", text(t, cell.backtrace)?, "  File \"a.c\", line 1, in f\n".to_owned())?;
    t.that("update_backtrace at byte 72", cell.update_backtrace.is_some(), "a function", "NULL")
}

/// Makes an error with one reference and raises nothing.
#[check(ERR_0002)]
fn create_is_owned(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "owned", "")?;
    t.eq("strong and weak count of a new error", t.counts(error.handle())?, (1, 1))?;
    t.eq("the raised error", take(t), null_mut())
}

/// Keeps copies of what an error is made of.
#[check(ERR_0003)]
fn create_copies(t: &Trial) -> Verdict {
    let mut texts = [*b"kind-before!", *b"text-before!", *b"trace-before"];
    let [kind, message, backtrace] = texts.each_ref().map(|text| TVMFFIByteArray::new(text));
    let mut error = null_mut();
    t.ok(t.api.TVMFFIErrorCreate(&kind, &message, &backtrace, &mut error))?;
    let error = t.own_object("the new error", error)?;
    for text in &mut texts {
        text.fill(b'#');
    }
    // The arrays above must still be seen to change.
    std::hint::black_box(&texts);
    texts_eq(t, error.handle(), "kind-before!", "text-before!")?;
    t.eq("backtrace", text(t, common_cell(t, error.handle())?.backtrace)?, "trace-before".to_owned())
}

/// Takes texts of any length and content.
#[check(ERR_0004)]
fn any_bytes(t: &Trial) -> Verdict {
    let bytes = || vec(any::<u8>(), 0..40);
    t.property((bytes(), bytes(), bytes()), |(kind, message, backtrace)| {
        let error = create(t, kind, message, backtrace)?;
        let cell = common_cell(t, error.handle())?;
        t.eq("kind", &t.read_array("kind", cell.kind)?, kind)?;
        t.eq("message", &t.read_array("message", cell.message)?, message)?;
        t.eq("backtrace", &t.read_array("backtrace", cell.backtrace)?, backtrace)
    })
}

/// Takes a text of a megabyte.
#[check(ERR_0004)]
fn long_texts(t: &Trial) -> Verdict {
    let long: Vec<u8> = (0..1_000_000_u32).map(|at| (at % 251) as u8).collect();
    let error = create(t, b"LongError", &long, &long)?;
    let cell = common_cell(t, error.handle())?;
    t.that("message", t.read_array("message", cell.message)? == long, "the million bytes given", "other bytes")?;
    t.that("backtrace", t.read_array("backtrace", cell.backtrace)? == long, "the million bytes given", "other bytes")
}

/// Puts a NUL behind kind and message.
#[check(ERR_0005)]
fn nul_terminated(t: &Trial) -> Verdict {
    for len in [0, 1, 7, 8, 15, 16, 31, 100] {
        let text = "x".repeat(len);
        let created = t.new_error(&text, &text, "")?;
        nul_behind(t, &created, &format!("TVMFFIErrorCreate, {len} bytes"))?;
        let c_text = format!("{text}\0");
        t.api.TVMFFIErrorSetRaisedFromCStr(c_text.as_ptr().cast(), c_text.as_ptr().cast());
        let raised = t.own_object("the raised error", take(t))?;
        nul_behind(t, &raised, &format!("TVMFFIErrorSetRaisedFromCStr, {len} bytes"))?;
    }
    Ok(())
}

fn nul_behind(t: &Trial, error: &Owned, of: &str) -> Verdict {
    let cell = common_cell(t, error.handle())?;
    for (what, text) in [("kind", cell.kind), ("message", cell.message)] {
        let end = text.data.wrapping_add(text.size).cast::<u8>();
        t.eq(format!("byte behind the {what} ({of})"), t.read("the byte behind a text", end)?, 0)?;
    }
    Ok(())
}

/// Takes NULL of length 0 as the empty string.
#[check(ERR_0006)]
fn null_and_empty(t: &Trial) -> Verdict {
    let empty = TVMFFIByteArray::EMPTY;
    let mut error = null_mut();
    t.ok(t.api.TVMFFIErrorCreate(&empty, &empty, &empty, &mut error))?;
    let error = t.own_object("the new error", error)?;
    let cell = common_cell(t, error.handle())?;
    t.eq("length of the kind", cell.kind.size, 0)?;
    t.eq("length of the message", cell.message.size, 0)?;
    t.eq("length of the backtrace", cell.backtrace.size, 0)
}

/// Replaces the backtrace in mode 0.
#[check(ERR_0007)]
fn update_replaces(t: &Trial) -> Verdict {
    let error = t.new_error("UpdateError", "replace", "the first backtrace")?;
    for now in ["shorter", "quite a bit longer than the first backtrace", "", "again", "again"] {
        update(t, &error, now.as_bytes(), kTVMFFIBacktraceUpdateModeReplace)?;
        t.eq("backtrace", text(t, common_cell(t, error.handle())?.backtrace)?, now.to_owned())?;
    }
    Ok(())
}

/// Extends the backtrace in mode 1.
#[check(ERR_0008)]
fn update_appends(t: &Trial) -> Verdict {
    let error = t.new_error("UpdateError", "append", "one\n")?;
    let mut expected = "one\n".to_owned();
    for more in ["two\n", "", "a third line that is longer than those before it\n", "4\n"] {
        update(t, &error, more.as_bytes(), kTVMFFIBacktraceUpdateModeAppend)?;
        expected += more;
        t.eq("backtrace", text(t, common_cell(t, error.handle())?.backtrace)?, expected.clone())?;
    }
    Ok(())
}

/// Extends a backtrace thousands of times.
#[check(ERR_0009)]
fn update_at_length(t: &Trial) -> Verdict {
    let error = t.new_error("UpdateError", "grow", "")?;
    let mut expected = String::new();
    for round in 0..3000 {
        let line = format!("  File \"deep.c\", line {round}, in layer_{round}\n");
        update(t, &error, line.as_bytes(), kTVMFFIBacktraceUpdateModeAppend)?;
        expected += &line;
        if round % 500 == 499 {
            let backtrace = text(t, common_cell(t, error.handle())?.backtrace)?;
            t.that("backtrace", backtrace == expected, format!("{} lines in order", round + 1), tail(&backtrace))?;
        }
    }
    texts_eq(t, error.handle(), "UpdateError", "grow")?;
    update(t, &error, b"short again", kTVMFFIBacktraceUpdateModeReplace)?;
    t.eq("backtrace", text(t, common_cell(t, error.handle())?.backtrace)?, "short again".to_owned())
}

/// Keeps the backtrace that any sequence of updates leads to.
#[check(ERR_0009, ERR_0007, ERR_0008)]
fn update_sequences(t: &Trial) -> Verdict {
    let step = (any::<bool>(), vec(any::<u8>(), 0..48));
    t.property((vec(any::<u8>(), 0..16), vec(step, 0..12)), |(first, steps)| {
        let error = create(t, b"UpdateError", b"model", first)?;
        let mut model = first.clone();
        for (append, bytes) in steps {
            let mode = if *append { kTVMFFIBacktraceUpdateModeAppend } else { kTVMFFIBacktraceUpdateModeReplace };
            t.clause(if *append { id::ERR_0008 } else { id::ERR_0007 });
            update(t, &error, bytes, mode)?;
            if !append {
                model.clear();
            }
            model.extend_from_slice(bytes);
            t.eq("backtrace", t.read_array("backtrace", common_cell(t, error.handle())?.backtrace)?, model.clone())?;
        }
        t.clause(id::ERR_0009);
        texts_eq(t, error.handle(), "UpdateError", "model")
    })
}

// ---- the raised error ------------------------------------------------------------------------------------------------

/// Raises an error with copies of kind and message.
#[check(ERR_0010)]
fn raise_c_str(t: &Trial) -> Verdict {
    let (mut kind, mut message) = (*b"CustomKind\0", *b"a message of more than fifteen bytes\0");
    t.api.TVMFFIErrorSetRaisedFromCStr(kind.as_ptr().cast(), message.as_ptr().cast());
    kind.fill(b'#');
    message.fill(b'#');
    // What was passed must be seen to change.
    std::hint::black_box((&kind, &message));
    let error = t.own_object("the raised error", take(t))?;
    t.eq("type_index", error.any().type_index, kTVMFFIError)?;
    texts_eq(t, error.handle(), "CustomKind", "a message of more than fifteen bytes")
}

/// Joins the parts of a message in their order.
#[check(ERR_0011)]
fn raise_parts(t: &Trial) -> Verdict {
    let parts = [c"Argument 1 mismatch in `", c"matmul(x: Tensor, y: Tensor)", c"", c"`, dtype mismatch"];
    raise_from_parts(t, &parts.map(|part| part.as_ptr()));
    let error = t.own_object("the raised error", take(t))?;
    texts_eq(t, error.handle(), "TypeError", "Argument 1 mismatch in `matmul(x: Tensor, y: Tensor)`, dtype mismatch")
}

/// Joins a thousand parts.
#[check(ERR_0011)]
fn raise_many_parts(t: &Trial) -> Verdict {
    let numbers: Vec<String> = (0..1000).map(|number| format!("{number},\0")).collect();
    let parts: Vec<*const c_char> = numbers.iter().map(|number| number.as_ptr().cast()).collect();
    raise_from_parts(t, &parts);
    let error = t.own_object("the raised error", take(t))?;
    let expected: String = numbers.iter().map(|number| number.trim_end_matches('\0')).collect();
    let message = text(t, common_cell(t, error.handle())?.message)?;
    t.that("message", message == expected, "the numbers 0 to 999 in order", tail(&message))
}

/// Skips parts that are NULL.
#[check(ERR_0012)]
fn null_parts(t: &Trial) -> Verdict {
    let (none, left, right) = (std::ptr::null(), c"left".as_ptr(), c"right".as_ptr());
    for (parts, expected) in [
        ([none, left, none, right], "leftright"),
        ([left, right, none, none], "leftright"),
        ([none, none, left, none], "left"),
        ([none; 4], ""),
    ] {
        raise_from_parts(t, &parts);
        let error = t.own_object("the raised error", take(t))?;
        texts_eq(t, error.handle(), "TypeError", expected)?;
    }
    Ok(())
}

/// Raises an error with an empty message for no parts.
#[check(ERR_0013)]
fn no_parts(t: &Trial) -> Verdict {
    t.api.TVMFFIErrorSetRaisedFromCStrParts(c"TypeError".as_ptr(), null_mut(), 0);
    let error = t.own_object("the raised error", take(t))?;
    texts_eq(t, error.handle(), "TypeError", "")?;
    let mut part = c"not counted".as_ptr();
    t.api.TVMFFIErrorSetRaisedFromCStrParts(c"TypeError".as_ptr(), &mut part, 0);
    let error = t.own_object("the raised error", take(t))?;
    texts_eq(t, error.handle(), "TypeError", "")
}

/// Hands the raised error over and keeps nothing.
#[check(ERR_0014)]
fn move_hands_over(t: &Trial) -> Verdict {
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"handed over".as_ptr());
    let error = t.own_object("the raised error", take(t))?;
    t.eq("the raised error after it was taken", take(t), null_mut())?;
    t.eq("strong and weak count of the error taken", t.counts(error.handle())?, (1, 1))
}

/// Writes NULL when nothing is raised.
#[check(ERR_0015)]
fn move_nothing(t: &Trial) -> Verdict {
    t.eq("the raised error of a thread that has raised nothing", take(t), null_mut())
}

/// Raises the object itself with a reference of its own.
#[check(ERR_0016)]
fn raise_object(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "the very object", "")?;
    t.api.TVMFFIErrorSetRaised(error.handle());
    t.eq("strong count while raised", t.counts(error.handle())?.0, 2)?;
    let raised = take(t);
    t.eq("the raised error", raised, error.handle())?;
    let raised = t.own_object("the raised error", raised)?;
    t.eq("strong count once taken", t.counts(error.handle())?.0, 2)?;
    drop(raised);
    t.eq("strong count once released", t.counts(error.handle())?.0, 1)
}

/// Raises an object that is raised already.
#[check(ERR_0016)]
fn raise_same_twice(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "raised twice", "")?;
    t.api.TVMFFIErrorSetRaised(error.handle());
    t.api.TVMFFIErrorSetRaised(error.handle());
    t.eq("strong count while raised", t.counts(error.handle())?.0, 2)?;
    let raised = t.own_object("the raised error", take(t))?;
    t.eq("the raised error", raised.handle(), error.handle())
}

/// Clears and releases the raised error.
#[check(ERR_0017)]
fn raise_null(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "cleared", "")?;
    t.api.TVMFFIErrorSetRaised(error.handle());
    t.api.TVMFFIErrorSetRaised(null_mut());
    t.eq("strong count once cleared", t.counts(error.handle())?.0, 1)?;
    t.eq("the raised error once cleared", take(t), null_mut())?;
    t.api.TVMFFIErrorSetRaised(null_mut());
    t.eq("the raised error, cleared though nothing was raised", take(t), null_mut())
}

/// Releases an error that another one replaces.
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
    let last = t.own_object("the raised error", take(t))?;
    texts_eq(t, last.handle(), "TypeError", "newer")?;
    t.eq("the raised error after it was taken", take(t), null_mut())
}

/// Keeps a raised error for each thread.
#[check(ERR_0019)]
fn of_each_thread(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "of the main thread", "")?;
    t.api.TVMFFIErrorSetRaised(error.handle());
    t.threads(3, |t, number| {
        t.eq("the raised error of a new thread", take(t), null_mut())?;
        let own = t.new_error("TypeError", "of this thread", "")?;
        t.api.TVMFFIErrorSetRaised(own.handle());
        for _ in 0..50 {
            let_others_run();
            let raised = take(t);
            t.eq(format!("the raised error of thread {number}"), raised, own.handle())?;
            t.api.TVMFFIErrorSetRaised(raised);
            t.api.TVMFFIObjectDecRef(raised);
        }
        t.api.TVMFFIErrorSetRaised(null_mut());
        Ok(())
    })?;
    let raised = t.own_object("the raised error of the main thread", take(t))?;
    t.eq("the raised error of the main thread", raised.handle(), error.handle())
}

/// Lets an error pass from thread to thread.
#[check(ERR_0020)]
fn across_threads(t: &Trial) -> Verdict {
    // One thread after the other: made and raised, taken, raised elsewhere, released. Only addresses cross over.
    let carried = AtomicUsize::new(0);
    let handle = || carried.load(Ordering::SeqCst) as TVMFFIObjectHandle;
    t.threads(1, |t, _| {
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"from another thread".as_ptr());
        let raised = take(t);
        t.that("the raised error", !raised.is_null(), "an object", "NULL")?;
        carried.store(raised as usize, Ordering::SeqCst);
        Ok(())
    })?;
    t.api.TVMFFIErrorSetRaised(handle());
    t.eq("strong count while raised on the main thread", t.counts(handle())?.0, 2)?;
    t.eq("the raised error of the main thread", take(t), handle())?;
    texts_eq(t, handle(), "ValueError", "from another thread")?;
    t.api.TVMFFIObjectDecRef(handle());
    t.threads(1, |t, _| {
        t.eq("strong count on a third thread", t.counts(handle())?.0, 1)?;
        t.api.TVMFFIObjectDecRef(handle());
        Ok(())
    })
}

/// Releases the raised error of a thread that ends.
#[check(ERR_0021)]
fn thread_ends(t: &Trial) -> Verdict {
    for _ in 0..2 {
        t.threads(1, |t, _| {
            let error = new_own_error();
            t.api.TVMFFIErrorSetRaised(error);
            t.api.TVMFFIObjectDecRef(error);
            t.eq("strong count while raised", t.counts(error)?.0, 1)
        })?;
    }
    match ENDED.load(Ordering::SeqCst) {
        2 => Ok(()),
        ended => Err(t.leak("errors that ended with the two threads that had raised them", 2, ended)),
    }
}

/// Keeps every thread's raised error through any interleaving of raising, clearing and taking.
///
/// Whatever the threads do in turn, each one's raised error is the one it raised last, and an error has one reference
/// for each thread that has it raised.
#[check(ERR_0019, ERR_0016, ERR_0014, patient = 2)]
fn interleavings(t: &Trial) -> Verdict {
    const THREADS: usize = 3;
    const ERRORS: usize = 3;
    let step = (0..THREADS, 0..ERRORS, 0..4_u8);
    t.property(vec(step, 1..20), |steps| {
        let mut errors = Vec::new();
        for _ in 0..ERRORS {
            errors.push(t.new_error("ValueError", "interleaved", "")?);
        }
        let handles: Vec<usize> = errors.iter().map(|error| error.handle() as usize).collect();
        let handle = |error: usize| handles[error] as TVMFFIObjectHandle;
        let schedule = Schedule::default();
        // What each thread has raised; changed by the thread whose turn it is.
        let model = Mutex::new([None::<usize>; THREADS]);
        t.threads(THREADS, |t, me| {
            let mut verdict = Ok(());
            for (turn, &(thread, error, action)) in steps.iter().enumerate() {
                if thread != me {
                    continue;
                }
                let done = schedule.at(turn, || {
                    let mut model = model.lock().unwrap_or_else(PoisonError::into_inner);
                    act(t, action, handle(error), model[me].map(handle))?;
                    model[me] = (action < 2).then_some(error);
                    for at in 0..ERRORS {
                        let raised = model.iter().filter(|raised| **raised == Some(at)).count() as u32;
                        t.eq(format!("strong count of error {at}"), t.counts(handle(at))?.0, 1 + raised)?;
                    }
                    Ok(())
                });
                verdict = verdict.and(done);
            }
            // What is still raised goes, whatever the thread's end would do to it.
            schedule.at_end(steps.len(), || t.api.TVMFFIErrorSetRaised(null_mut()));
            verdict
        })?;
        for error in &errors {
            t.eq("strong count in the end", t.counts(error.handle())?.0, 1)?;
        }
        Ok(())
    })
}

/// Raises (0, 1), clears (2) or takes (3), where `raised` is what the model has raised.
fn act(t: &Trial, action: u8, error: TVMFFIObjectHandle, raised: Option<TVMFFIObjectHandle>) -> Verdict {
    match action {
        0 | 1 => t.api.TVMFFIErrorSetRaised(error),
        2 => t.api.TVMFFIErrorSetRaised(null_mut()),
        _ => {
            let taken = take(t);
            t.eq("the error taken", taken, raised.unwrap_or(null_mut()))?;
            if !taken.is_null() {
                t.api.TVMFFIObjectDecRef(taken);
            }
        }
    }
    Ok(())
}

/// Lets threads take turns in a given order.
#[derive(Default)]
struct Schedule {
    turn: Mutex<usize>,
    changed: Condvar,
}

impl Schedule {
    /// Does `work` when it is this turn, and lets the next turn begin.
    fn at<R>(&self, turn: usize, work: impl FnOnce() -> R) -> R {
        let result = self.at_end(turn, work);
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.changed.notify_all();
        result
    }

    /// Does `work` once this turn has come.
    fn at_end<R>(&self, turn: usize, work: impl FnOnce() -> R) -> R {
        let now = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(now, |now| *now < turn).unwrap_or_else(PoisonError::into_inner));
        work()
    }
}

/// Keeps the raised error while other calls succeed.
#[check(ERR_0022)]
fn outlasts_calls(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "still raised", "")?;
    let function = t.function(null_mut(), succeed, None)?;
    t.api.TVMFFIErrorSetRaised(error.handle());
    drop(t.string(b"a string on the heap")?);
    drop(t.new_error("TypeError", "not raised", "")?);
    let mut missing = null_mut();
    t.ok(t.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(b"verify.no_such_function"), &mut missing))?;
    t.call(&function, &[])?;
    t.ok(t.api.TVMFFIObjectIncRef(function.handle()))?;
    t.ok(t.api.TVMFFIObjectDecRef(function.handle()))?;
    let raised = t.own_object("the raised error", take(t))?;
    t.eq("the raised error", raised.handle(), error.handle())
}

/// Carries one object through three layers of calls.
#[check(ERR_0023)]
fn through_layers(t: &Trial) -> Verdict {
    through(t, 3)
}

/// Carries one object through a hundred layers of calls.
#[check(ERR_0023)]
fn deep_layers(t: &Trial) -> Verdict {
    through(t, 100)
}

/// Lets `layers` functions call one another, of which the innermost raises an error.
fn through(t: &Trial, layers: usize) -> Verdict {
    let _ = API.set(t.api);
    let error = t.new_error("CustomKind", "from the innermost layer", "")?;
    let mut functions = vec![t.function(error.handle(), raise_self, None)?];
    for _ in 1..layers {
        let inner = functions[functions.len() - 1].handle();
        functions.push(t.function(inner, call_self, None)?);
    }
    let mut result = TVMFFIAny::NONE;
    let status = t.try_call(&functions[layers - 1], &[], &mut result);
    t.ne("status of the outermost call", status, 0)?;
    let raised = t.own_object("the raised error", take(t))?;
    t.eq("the raised error", raised.handle(), error.handle())?;
    t.eq("strong count of the raised error", t.counts(error.handle())?.0, 2)?;
    texts_eq(t, error.handle(), "CustomKind", "from the innermost layer")
}

// ---- cause and extra context -----------------------------------------------------------------------------------------

/// Holds cause and context at their offsets.
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

/// Holds a reference to the cause until its end.
#[check(ERR_0025)]
fn cause_is_owned(t: &Trial) -> Verdict {
    let cause = new_own_error();
    let error = create_with(t, cause, null_mut())?;
    t.eq("strong count of a cause", t.counts(cause)?.0, 2)?;
    t.api.TVMFFIObjectDecRef(cause);
    t.eq("causes that ended before their error", ENDED.load(Ordering::SeqCst), 0)?;
    drop(error);
    t.eq("times the cause's deleter ran with its error's end", ENDED.load(Ordering::SeqCst), 1)
}

/// Holds a reference to the context until its end.
#[check(ERR_0026)]
fn context_is_owned(t: &Trial) -> Verdict {
    let context = new_own_error();
    let error = create_with(t, null_mut(), context)?;
    t.eq("strong count of a context", t.counts(context)?.0, 2)?;
    t.api.TVMFFIObjectDecRef(context);
    t.eq("contexts that ended before their error", ENDED.load(Ordering::SeqCst), 0)?;
    drop(error);
    t.eq("times the context's deleter ran with its error's end", ENDED.load(Ordering::SeqCst), 1)
}

/// Takes an object of any type for context.
#[check(ERR_0026)]
fn context_of_any_type(t: &Trial) -> Verdict {
    let contexts = [
        t.string(b"a string on the heap")?,
        t.bytes(b"bytes on the heap")?,
        t.function(null_mut(), succeed, None)?,
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

/// Holds NULL where there is no cause or context.
#[check(ERR_0027)]
fn no_cause(t: &Trial) -> Verdict {
    let with_neither = create_with(t, null_mut(), null_mut())?;
    let created = t.new_error("ValueError", "plain", "")?;
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"raised".as_ptr());
    let raised = t.own_object("the raised error", take(t))?;
    for (error, made) in [(with_neither, "with neither"), (created, "plain"), (raised, "raised from C strings")] {
        let cell: TVMFFIErrorCell = t.cell("error cell", error.handle())?;
        t.eq(format!("cause_chain of an error made {made}"), cell.cause_chain, null_mut())?;
        t.eq(format!("extra_context of an error made {made}"), cell.extra_context, null_mut())?;
    }
    Ok(())
}

/// Ends a chain of a thousand causes with its head.
#[check(ERR_0028)]
fn chain(t: &Trial) -> Verdict {
    let mut head = new_own_error();
    for _ in 0..1000 {
        head = chained(t, head)?;
    }
    t.eq("errors that ended while the chain is held", ENDED.load(Ordering::SeqCst), 0)?;
    t.api.TVMFFIObjectDecRef(head);
    t.eq("times the last cause's deleter ran", ENDED.load(Ordering::SeqCst), 1)
}

/// Survives the end of fifty thousand causes.
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
    t.eq("times the last cause's deleter ran", ENDED.load(Ordering::SeqCst), 1)
}

/// An error that holds the only reference to its cause.
fn chained(t: &Trial, cause: TVMFFIObjectHandle) -> Verdict<TVMFFIObjectHandle> {
    let error = create_with(t, cause, null_mut())?;
    t.api.TVMFFIObjectDecRef(cause);
    Ok(error.into_any().payload() as TVMFFIObjectHandle)
}

/// Releases the context that its cell holds at the end.
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

// ---- at large --------------------------------------------------------------------------------------------------------

/// Keeps no memory of errors raised from C strings.
#[check(ERR_0031, patient = 3)]
fn no_growth_raising(t: &Trial) -> Verdict {
    // Thousands of full backtraces would take long.
    // SAFETY: this process has one thread.
    unsafe { std::env::set_var("TVM_TRACEBACK_LIMIT", "1") };
    t.no_growth("heap after raising and taking errors", || {
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"replaced by the next one".as_ptr());
        raise_from_parts(t, &[c"in".as_ptr(), c" parts".as_ptr()]);
        drop(t.own_object("the raised error", take(t))?);
        Ok(())
    })
}

/// Keeps no memory of error objects.
#[check(ERR_0031)]
fn no_growth_objects(t: &Trial) -> Verdict {
    t.no_growth("heap after making, updating, raising, clearing and releasing errors", || {
        let error = t.new_error("ValueError", "a message that lies on the heap", "and so does the backtrace")?;
        update(t, &error, b"a longer backtrace that lies on the heap", kTVMFFIBacktraceUpdateModeAppend)?;
        t.api.TVMFFIErrorSetRaised(error.handle());
        t.api.TVMFFIErrorSetRaised(null_mut());
        Ok(())
    })
}

/// Keeps no memory of causes and contexts.
#[check(ERR_0025, ERR_0026)]
fn no_growth_causes(t: &Trial) -> Verdict {
    t.no_growth("heap after making and releasing errors with causes and contexts", || {
        let cause = t.new_error("ValueError", "the cause, on the heap", "")?;
        let context = t.string(b"a context on the heap")?;
        create_with(t, cause.handle(), context.handle()).map(drop)
    })
}

/// Ends an error made elsewhere by its own deleter.
#[check(ERR_0032)]
fn made_elsewhere(t: &Trial) -> Verdict {
    let error = new_own_error();
    t.api.TVMFFIErrorSetRaised(error);
    t.api.TVMFFIObjectDecRef(error);
    t.eq("errors that ended while raised", ENDED.load(Ordering::SeqCst), 0)?;
    let raised = take(t);
    t.eq("the raised error", raised, error)?;
    t.api.TVMFFIErrorSetRaised(raised);
    t.api.TVMFFIObjectDecRef(raised);
    t.api.TVMFFIErrorSetRaised(null_mut());
    t.eq("times the error's own deleter ran once it was cleared", ENDED.load(Ordering::SeqCst), 1)
}

/// Raises an error in spite of missing texts.
#[check(ERR_0033)]
fn null_texts(t: &Trial) -> Verdict {
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), std::ptr::null());
    drop(t.own_object("the error raised without a message", take(t))?);
    t.api.TVMFFIErrorSetRaisedFromCStr(std::ptr::null(), c"no kind".as_ptr());
    drop(t.own_object("the error raised without a kind", take(t))?);
    t.api.TVMFFIErrorSetRaisedFromCStrParts(std::ptr::null(), null_mut(), 0);
    t.own_object("the error raised without anything", take(t)).map(drop)
}

// ---- helpers ---------------------------------------------------------------------------------------------------------

/// What every release has in common behind an error's header.
#[repr(C)]
#[derive(Clone, Copy)]
struct CommonCell {
    kind: TVMFFIByteArray,
    message: TVMFFIByteArray,
    backtrace: TVMFFIByteArray,
    update_backtrace: Option<unsafe extern "C" fn(TVMFFIObjectHandle, *const TVMFFIByteArray, i32)>,
}

fn common_cell(t: &Trial, error: TVMFFIObjectHandle) -> Verdict<CommonCell> {
    t.cell("error cell", error)
}

fn text(t: &Trial, array: TVMFFIByteArray) -> Verdict<String> {
    Ok(String::from_utf8_lossy(&t.read_array("text of an error", array)?).into_owned())
}

fn texts_eq(t: &Trial, error: TVMFFIObjectHandle, kind: &str, message: &str) -> Verdict {
    let cell = common_cell(t, error)?;
    t.eq("kind", text(t, cell.kind)?, kind.to_owned())?;
    t.eq("message", text(t, cell.message)?, message.to_owned())
}

/// The end of a long text, for a report.
fn tail(text: &str) -> String {
    let start = text.char_indices().rev().nth(60).map_or(0, |(at, _)| at);
    format!("{} bytes that end in {:?}", text.len(), &text[start..])
}

/// Takes the raised error into a variable that holds something else before; NULL when there is none.
fn take(t: &Trial) -> TVMFFIObjectHandle {
    let mut error = 0x6a7ba6e as TVMFFIObjectHandle;
    t.api.TVMFFIErrorMoveFromRaised(&mut error);
    error
}

fn create(t: &Trial, kind: &[u8], message: &[u8], backtrace: &[u8]) -> Verdict<Owned> {
    let [kind, message, backtrace] = [kind, message, backtrace].map(TVMFFIByteArray::new);
    let mut error = null_mut();
    t.ok(t.api.TVMFFIErrorCreate(&kind, &message, &backtrace, &mut error))?;
    t.own_object("the new error", error)
}

fn create_with(t: &Trial, cause: TVMFFIObjectHandle, context: TVMFFIObjectHandle) -> Verdict<Owned> {
    let [kind, message] = ["CauseError", "with cause and context"].map(|text| TVMFFIByteArray::new(text.as_bytes()));
    let (empty, mut error) = (TVMFFIByteArray::EMPTY, null_mut());
    let create = |out| t.api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &empty, cause, context, out);
    t.ok(create(&mut error))?;
    t.own_object("the new error", error)
}

fn raise_from_parts(t: &Trial, parts: &[*const c_char]) {
    let count = parts.len() as i32;
    t.api.TVMFFIErrorSetRaisedFromCStrParts(c"TypeError".as_ptr(), parts.as_ptr().cast_mut(), count);
}

/// Calls an error's `update_backtrace` with bytes that change right after the call.
fn update(t: &Trial, error: &Owned, bytes: &[u8], mode: i32) -> Verdict {
    let Some(update) = common_cell(t, error.handle())?.update_backtrace else {
        return Err(t.failure("update_backtrace", "a function", "NULL"));
    };
    let mut bytes = bytes.to_vec();
    let array = TVMFFIByteArray::new(&bytes);
    // SAFETY: the function is called as the header says; what it does is what is under test.
    t.api.noted("update_backtrace(...)", || unsafe { update(error.handle(), &array, mode) });
    bytes.fill(b'#');
    // What was passed must be seen to change.
    std::hint::black_box(&bytes);
    Ok(())
}

/// An Error object that the suite has made itself, as C++ clients do. It is never freed, so that it can be looked at
/// after its end, which is counted in [`ENDED`].
#[repr(C)]
struct OwnError {
    header: TVMFFIObject,
    cell: TVMFFIErrorCell,
}

/// How many errors of our own have ended.
static ENDED: AtomicUsize = AtomicUsize::new(0);

/// A new one with one strong reference.
fn new_own_error() -> TVMFFIObjectHandle {
    let header =
        TVMFFIObject { combined_ref_count: 1 << 32 | 1, type_index: kTVMFFIError, __padding: 0, deleter: Some(ended) };
    let cell = TVMFFIErrorCell {
        kind: TVMFFIByteArray::new(c"OwnError".to_bytes()),
        message: TVMFFIByteArray::new(c"made by the suite".to_bytes()),
        backtrace: TVMFFIByteArray::new(c"".to_bytes()),
        update_backtrace: Some(keep_backtrace),
        cause_chain: null_mut(),
        extra_context: null_mut(),
    };
    std::ptr::from_mut(Box::leak(Box::new(OwnError { header, cell }))).cast()
}

unsafe extern "C" fn ended(_: *mut c_void, flags: c_int) {
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
        ENDED.fetch_add(1, Ordering::SeqCst);
    }
}

unsafe extern "C" fn keep_backtrace(_: TVMFFIObjectHandle, _: *const TVMFFIByteArray, _: i32) {}

/// The target, for callbacks.
static API: OnceLock<Api> = OnceLock::new();

unsafe extern "C" fn succeed(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    0
}

/// Raises the error that is its closure.
unsafe extern "C" fn raise_self(error: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    if let Some(api) = API.get() {
        api.TVMFFIErrorSetRaised(error);
    }
    -1
}

/// Calls the function that is its closure, and passes on what it answers.
unsafe extern "C" fn call_self(inner: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    API.get().map_or(-1, |api| api.TVMFFIFunctionCall(inner, null_mut(), 0, result))
}
