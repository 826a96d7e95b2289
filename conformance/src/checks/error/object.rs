//! Error objects: their layout, the texts they keep, and the growth of their backtraces.

use std::ptr::{null, null_mut};

use proptest::{collection::vec, prelude::any};
use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, memory, program::Statement, shown},
    trial::Trial,
};

/// An Error holds kind, message, backtrace and update_backtrace at bytes 24, 40, 56 and 72.
#[check(ERR_0001, lays = TVMFFIErrorCell)]
fn layout(t: &Trial) -> Verdict {
    let error = t.new_error("LayoutKind", "the layout's message", "  File \"a.c\", line 1, in f\n")?;
    t.type_index_eq("type_index in the header", t.header(error.handle())?.type_index, kTVMFFIError)?;
    let cell = common_cell(t, error.handle())?;
    t.eq("kind at byte 24", text(t, cell.kind)?, "LayoutKind".to_owned())?;
    t.eq("message at byte 40", text(t, cell.message)?, "the layout's message".to_owned())?;
    t.eq("backtrace at byte 56", text(t, cell.backtrace)?, "  File \"a.c\", line 1, in f\n".to_owned())?;
    t.that("update_backtrace at byte 72", cell.update_backtrace.is_some(), "a function", "NULL")
}

/// An Error of any origin has the type index, the texts and the function of an Error.
#[check(ERR_0001)]
fn layout_of_every_origin(t: &Trial) -> Verdict {
    for (origin, error) in of_every_origin(t)? {
        t.type_index_eq(format_args!("type_index ({origin})"), t.header(error.handle())?.type_index, kTVMFFIError)?;
        let cell = common_cell(t, error.handle())?;
        t.that(format_args!("kind ({origin})"), !text(t, cell.kind)?.is_empty(), "a kind", "nothing")?;
        let message = text(t, cell.message)?;
        // Of its own failures the library may say nothing.
        let may_be_empty = origin == OWN_FAILURE;
        t.that(format_args!("message ({origin})"), may_be_empty || !message.is_empty(), "a message", "nothing")?;
        text(t, cell.backtrace)?;
        t.that(format_args!("update_backtrace ({origin})"), cell.update_backtrace.is_some(), "a function", "NULL")?;
    }
    Ok(())
}

/// TVMFFIErrorCreate answers a new Error with one reference and raises nothing.
#[check(ERR_0002)]
fn create_is_owned(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "owned", "")?;
    t.eq("strong and weak count of a new error", t.counts(error.handle())?, (1, 1))?;
    t.eq("the raised error", take(t), null_mut())
}

/// An Error keeps copies of the kind, the message and the backtrace that it is made of.
#[check(ERR_0003)]
fn create_copies(t: &Trial) -> Verdict {
    for (_, make) in makers(t) {
        let long = ["a kind that is not short", "a message that is not short", "a backtrace that is not short"];
        for texts in [["k", "m", "b"], ["kind-before!", "text-before!", "trace-before"], long] {
            // Gone right after the call, and not merely changed.
            let given = texts.iter().map(|text| t.guarded(text.as_bytes())).collect::<Verdict<Vec<_>>>()?;
            let error = make(t, [given[0].array(), given[1].array(), given[2].array()])?;
            drop(given);
            texts_eq(t, error.handle(), texts[0], texts[1])?;
            backtrace_eq(t, &error, texts[2])?;
        }
    }
    Ok(())
}

/// An Error keeps a kind, a message and a backtrace of random bytes.
#[check(ERR_0004)]
fn any_bytes(t: &Trial) -> Verdict {
    let bytes = || vec(any::<u8>(), 0..40);
    let makers = makers(t);
    t.property((bytes(), bytes(), bytes()), |(kind, message, backtrace)| {
        makers.iter().try_for_each(|(_, make)| {
            let error = make(t, [kind, message, backtrace].map(|text| TVMFFIByteArray::new(text)))?;
            let cell = common_cell(t, error.handle())?;
            t.eq("kind", &t.read_array("kind", cell.kind)?, kind)?;
            t.eq("message", &t.read_array("message", cell.message)?, message)?;
            t.eq("backtrace", &t.read_array("backtrace", cell.backtrace)?, backtrace)
        })
    })
}

/// An Error keeps every byte of its texts, NULs and those that would be a directive elsewhere among them, also when they are
/// put behind its backtrace.
#[check(ERR_0004, ERR_0008)]
fn every_byte(t: &Trial) -> Verdict {
    let all: Vec<u8> = (0..=255).flat_map(|byte| [byte; 2]).collect();
    let texts: [&[u8]; 5] = [&all, b"%", b"100%% of %s, %n and %5$d%", b"{} {0} {{}} {", b"\\n \\\\ \"\n\t\0"];
    for (text, (_, make)) in texts.into_iter().flat_map(|text| makers(t).into_iter().map(move |maker| (text, maker))) {
        let error = make(t, [text; 3].map(TVMFFIByteArray::new))?;
        let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
        let cell = common_cell(t, error.handle())?;
        t.clause(id::ERR_0004);
        for (what, got) in [("kind", cell.kind), ("message", cell.message), ("backtrace", cell.backtrace)] {
            t.eq(what, shown(&t.read_array(what, got)?), shown(text))?;
        }
        t.clause(id::ERR_0008);
        update(t, &error, text, kTVMFFIBacktraceUpdateModeAppend)?;
        let backtrace = t.read_array("backtrace", common_cell(t, error.handle())?.backtrace)?;
        t.eq("backtrace", shown(&backtrace), shown(&[text, text].concat()))?;
    }
    Ok(())
}

/// An Error keeps a message and a backtrace of a million bytes.
#[check(ERR_0004)]
fn long_texts(t: &Trial) -> Verdict {
    let long: Vec<u8> = (0..1_000_000_u32).map(|at| (at % 251) as u8).collect();
    for (_, make) in makers(t) {
        let error = make(t, [b"LongError", &long[..], &long].map(TVMFFIByteArray::new))?;
        let cell = common_cell(t, error.handle())?;
        let [message, backtrace] = [t.read_array("message", cell.message)?, t.read_array("backtrace", cell.backtrace)?];
        t.that("message", message == long, "the million bytes given", "other bytes")?;
        t.that("backtrace", backtrace == long, "the million bytes given", "other bytes")?;
    }
    Ok(())
}

/// A NUL byte follows the message of an Error.
#[check(ERR_0005)]
fn nul_terminated(t: &Trial) -> Verdict {
    nul_behind(t, "message", |cell| cell.message)
}

/// A NUL byte follows the kind of an Error.
#[check(ERR_0034)]
fn kind_nul_terminated(t: &Trial) -> Verdict {
    nul_behind(t, "kind", |cell| cell.kind)
}

/// Expects a NUL behind a text of Errors made in each way there is.
fn nul_behind(t: &Trial, what: &str, of: fn(CommonCell) -> TVMFFIByteArray) -> Verdict {
    let nul_at_end = |error: &Owned, by: &str, len: usize| {
        let text = of(common_cell(t, error.handle())?);
        let end = text.data.wrapping_add(text.size).cast::<u8>();
        t.eq(format_args!("byte behind the {what} ({by}, {len} bytes)"), t.read("the byte behind a text", end)?, 0)
    };
    for len in [0, 1, 7, 8, 15, 16, 31, 100] {
        let text = "x".repeat(len);
        for (by, make) in makers(t) {
            nul_at_end(&make(t, [TVMFFIByteArray::new(text.as_bytes()); 3])?, by, len)?;
        }
        let c_text = format!("{text}\0");
        let c_text = c_text.as_ptr().cast();
        t.api.TVMFFIErrorSetRaisedFromCStr(c_text, c_text);
        nul_at_end(&take_one(t)?, "TVMFFIErrorSetRaisedFromCStr", len)?;
        t.api.TVMFFIErrorSetRaisedFromCStrParts(c_text, &mut { c_text }, 1);
        nul_at_end(&take_one(t)?, "TVMFFIErrorSetRaisedFromCStrParts", len)?;
    }
    Ok(())
}

/// An Error takes NULL of length 0 as the empty string.
#[check(ERR_0006)]
fn null_and_empty(t: &Trial) -> Verdict {
    for (_, make) in makers(t) {
        let error = make(t, [TVMFFIByteArray::EMPTY; 3])?;
        let cell = common_cell(t, error.handle())?;
        t.eq("length of the kind", cell.kind.size, 0)?;
        t.eq("length of the message", cell.message.size, 0)?;
        t.eq("length of the backtrace", cell.backtrace.size, 0)?;
    }
    Ok(())
}

/// The update_backtrace of an Error replaces the backtrace in mode 0.
#[check(ERR_0007)]
fn update_replaces(t: &Trial) -> Verdict {
    for (_, error) in of_every_origin(t)? {
        for now in ["shorter", "quite a bit longer than the first backtrace", "", "again", "again"] {
            update(t, &error, now.as_bytes(), kTVMFFIBacktraceUpdateModeReplace)?;
            backtrace_eq(t, &error, now)?;
        }
    }
    Ok(())
}

/// The update_backtrace of an Error extends the backtrace in mode 1.
#[check(ERR_0008)]
fn update_appends(t: &Trial) -> Verdict {
    for (_, error) in of_every_origin(t)? {
        let mut expected = text(t, common_cell(t, error.handle())?.backtrace)?;
        for more in ["two\n", "", "a third line that is longer than those before it\n", "4\n"] {
            update(t, &error, more.as_bytes(), kTVMFFIBacktraceUpdateModeAppend)?;
            expected += more;
            backtrace_eq(t, &error, &expected)?;
        }
    }
    Ok(())
}

/// The update_backtrace of an Error takes the error's own backtrace and puts it behind itself.
#[check(ERR_0008)]
fn update_by_itself(t: &Trial) -> Verdict {
    for (_, make) in makers(t) {
        let error = make(t, [b"UpdateError", &b"double"[..], b"a line of a backtrace\n"].map(TVMFFIByteArray::new))?;
        let mut expected = "a line of a backtrace\n".to_owned();
        for _ in 0..6 {
            let own = common_cell(t, error.handle())?.backtrace;
            call_update(t, &error, &own, kTVMFFIBacktraceUpdateModeAppend)?;
            expected += &expected.clone();
            backtrace_eq(t, &error, &expected)?;
        }
    }
    Ok(())
}

/// The update_backtrace of an Error puts any part of the error's own texts behind the backtrace, or in its place.
#[check(ERR_0008, ERR_0007)]
fn update_by_a_part(t: &Trial) -> Verdict {
    for (origin, error) in of_every_origin(t)? {
        for first in ["short, but long enough", "a backtrace of more bytes than anybody keeps inline, and some more\n"]
        {
            let (end, roomy) = (first.len(), "x".repeat(10 * first.len()));
            let parts = [0..end, 0..1, 1..end, end / 3..2 * end / 3, end - 1..end, 3..3, end..end];
            for (part, before) in parts.iter().flat_map(|part| [(part, ""), (part, &*roomy)]) {
                // There may be room for more, or none.
                update(t, &error, before.as_bytes(), kTVMFFIBacktraceUpdateModeReplace)?;
                update(t, &error, first.as_bytes(), kTVMFFIBacktraceUpdateModeReplace)?;
                let own = common_cell(t, error.handle())?.backtrace;
                let bytes = TVMFFIByteArray { data: own.data.wrapping_add(part.start), size: part.len() };
                let note = || format!("{origin}; given were bytes {part:?} of the {end} of the backtrace");
                t.clause(id::ERR_0008);
                call_update(t, &error, &bytes, kTVMFFIBacktraceUpdateModeAppend)?;
                let judged = backtrace_eq(t, &error, &[first, &first[part.clone()]].concat());
                judged.map_err(|failure| failure.noting(note()))?;
                t.clause(id::ERR_0007);
                let own = common_cell(t, error.handle())?.backtrace;
                let bytes = TVMFFIByteArray { data: own.data.wrapping_add(part.start), size: part.len() };
                call_update(t, &error, &bytes, kTVMFFIBacktraceUpdateModeReplace)?;
                backtrace_eq(t, &error, &first[part.clone()]).map_err(|failure| failure.noting(note()))?;
            }
        }
        let cell = common_cell(t, error.handle())?;
        update(t, &error, b"at ", kTVMFFIBacktraceUpdateModeReplace)?;
        call_update(t, &error, &cell.message, kTVMFFIBacktraceUpdateModeAppend)?;
        call_update(t, &error, &cell.kind, kTVMFFIBacktraceUpdateModeAppend)?;
        backtrace_eq(t, &error, &format!("at {}{}", text(t, cell.message)?, text(t, cell.kind)?))?;
    }
    Ok(())
}

/// The backtrace of an Error can be extended thousands of times, while kind and message stay as they are.
#[check(ERR_0009)]
fn update_at_length(t: &Trial) -> Verdict {
    let error = t.new_error("UpdateError", "grow", "")?;
    let mut expected = String::new();
    for round in 0..2000 {
        let line = format!("  File \"deep.c\", line {round}, in layer_{round}\n");
        update(t, &error, line.as_bytes(), kTVMFFIBacktraceUpdateModeAppend)?;
        expected += &line;
        if round % 500 == 499 {
            let backtrace = text(t, common_cell(t, error.handle())?.backtrace)?;
            t.that("backtrace", backtrace == expected, format_args!("{} lines in order", round + 1), tail(&backtrace))?;
        }
    }
    texts_eq(t, error.handle(), "UpdateError", "grow")?;
    update(t, &error, b"short again", kTVMFFIBacktraceUpdateModeReplace)?;
    backtrace_eq(t, &error, "short again")
}

/// The backtrace of an Error is what a random sequence of replacing and extending leads to.
#[check(ERR_0009, ERR_0007, ERR_0008)]
fn update_sequences(t: &Trial) -> Verdict {
    let step = (any::<bool>(), vec(any::<u8>(), 0..48));
    t.property((vec(any::<u8>(), 0..16), vec(step, 0..12)), |(first, steps)| {
        let error = create(t, [b"UpdateError", &b"model"[..], first].map(TVMFFIByteArray::new))?;
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

/// Calls an error's `update_backtrace` with bytes that change right after the call.
pub(super) fn update(t: &Trial, error: &Owned, bytes: &[u8], mode: i32) -> Verdict {
    let mut bytes = bytes.to_vec();
    call_update(t, error, &TVMFFIByteArray::new(&bytes), mode)?;
    bytes.fill(b'#');
    // What was passed must be seen to change.
    std::hint::black_box(&bytes);
    Ok(())
}

/// Calls an error's `update_backtrace`.
fn call_update(t: &Trial, error: &Owned, bytes: &TVMFFIByteArray, mode: i32) -> Verdict {
    let Some(update) = common_cell(t, error.handle())?.update_backtrace else {
        return Err(t.failure("update_backtrace", "a function", "NULL"));
    };
    // SAFETY: the function is called as the header says; what it does is what is under test.
    let call = || unsafe { update(error.handle(), bytes, mode) };
    let spell = |c: &mut Statement, _: &str| {
        let (error, bytes) = (c.handle(error.handle()), c.byte_array(bytes));
        format!("((TVMFFIErrorCell*)PLUS({error}, 24))->update_backtrace({error}, {bytes}, {mode})")
    };
    t.api.called(&update_shown(error, bytes, mode), None, spell, call);
    Ok(())
}

/// A call of `update_backtrace` as a person writes it.
fn update_shown(error: &Owned, bytes: &TVMFFIByteArray, mode: i32) -> String {
    const SHOWN: usize = 48;
    let begin = memory::read_bytes(bytes.data.cast(), bytes.size.min(SHOWN)).unwrap_or_default();
    let (more, meant) = (
        if bytes.size > SHOWN { "…" } else { "" },
        match mode {
            kTVMFFIBacktraceUpdateModeReplace => " (replace)",
            kTVMFFIBacktraceUpdateModeAppend => " (append)",
            _ => "",
        },
    );
    let given = format!("{{data: \"{}\"{more}, size: {}}}", begin.escape_ascii(), bytes.size);
    format!(
        "update_backtrace(self = {}, backtrace = {given}, update_mode = {mode}{meant})",
        shown::at_a_glance(&error.any())
    )
}

/// Expects the backtrace of an Error.
fn backtrace_eq(t: &Trial, error: &Owned, expected: &str) -> Verdict {
    t.eq("backtrace", text(t, common_cell(t, error.handle())?.backtrace)?, expected.to_owned())
}

/// Making, updating, raising, taking and releasing Error objects keeps no memory.
#[check(ERR_0031)]
fn no_growth_objects(t: &Trial) -> Verdict {
    t.no_growth("heap after making, updating, raising, taking and releasing errors", || {
        let error = t.new_error("ValueError", "a message that lies on the heap", "and so does the backtrace")?;
        update(t, &error, b"a longer backtrace that lies on the heap", kTVMFFIBacktraceUpdateModeAppend)?;
        t.api.TVMFFIErrorSetRaised(error.handle());
        t.api.TVMFFIErrorSetRaised(error.handle());
        clear(t);
        Ok(())
    })
}

/// No Error is made without a place for it, nor without one of its texts or several, whatever cause and extra context it is given, which keep their
/// counts.
#[check(ERR_0039)]
fn of_null(t: &Trial) -> Verdict {
    let text = TVMFFIByteArray::new(b"text");
    let (text, none) = (&raw const text, null());
    let create = |[kind, message, backtrace]: [*const TVMFFIByteArray; 3], has_place: bool| -> Verdict {
        let mut error = null_mut();
        let out = if has_place { &raw mut error } else { null_mut() };
        let status = t.api.TVMFFIErrorCreate(kind, message, backtrace, out);
        t.that("what TVMFFIErrorCreate answers", status != 0, "not 0", status)?;
        t.eq("the Error", error, null_mut())
    };
    let missing = || (0..7).map(|given| [0, 1, 2].map(|place| if given >> place & 1 == 1 { text } else { none }));
    create([text; 3], false)?;
    missing().try_for_each(|texts| create(texts, true))?;
    if !t.api.has("TVMFFIErrorCreateWithCauseAndExtraContext") {
        return Ok(());
    }
    let whole = t.new_error("ValueError", "a cause with all its texts", "and with a backtrace\n")?;
    let (own, context) = (t.own(TVMFFIAny::new(kTVMFFIError, new_own_error() as u64)), t.string(b"a longer context")?);
    let objects = [&whole, &own, &context];
    let counts = || objects.map(|object| t.counts(object.handle()));
    let before = counts().into_iter().collect::<Verdict<Vec<_>>>()?;
    let some = [null_mut(), whole.handle(), own.handle()];
    let pairs =
        some.into_iter().flat_map(|cause| some.into_iter().chain([context.handle()]).map(move |also| (cause, also)));
    for (cause, also) in pairs {
        let create = |[kind, message, backtrace]: [*const TVMFFIByteArray; 3], has_place: bool| -> Verdict {
            let mut error = null_mut();
            let out = if has_place { &raw mut error } else { null_mut() };
            let status = t.api.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, also, out);
            let what = "what TVMFFIErrorCreateWithCauseAndExtraContext answers";
            t.that(what, status != 0, "not 0", status)?;
            t.eq("the Error", error, null_mut())
        };
        create([text; 3], false)?;
        missing().try_for_each(|texts| create(texts, true))?;
    }
    let after = counts().into_iter().collect::<Verdict<Vec<_>>>()?;
    t.eq("counts of causes and contexts", after, before)
}
