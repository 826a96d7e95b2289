//! Texts of Errors that just fill a buffer which grows in steps, or are a byte or two longer or shorter.

use std::{
    ffi::{CStr, CString, c_char},
    ptr::null,
};

use tvm_ffi_spec::{clause::id, *};

use super::{kit::*, object::update};
use crate::{
    checks::check,
    client::{Owned, Verdict, samples::edges},
    trial::Trial,
};

/// TVMFFIErrorSetRaisedFromCStrParts joins a message of each length at which a buffer is just full, and of those beside it, from one part, from
/// few and from as many as the message has bytes, empty and NULL ones among them; TVMFFIErrorSetRaisedFromCStr raises a kind and a message of
/// these lengths.
#[check(ERR_0010, ERR_0011, ERR_0012, ERR_0005, patient = 2)]
fn raised_texts_that_just_fill_a_buffer(t: &Trial) -> Verdict {
    t.short_backtraces();
    for len in edges() {
        let whole = letters(len);
        let c_text = c_string(t, &whole)?;
        t.clause(id::ERR_0010);
        t.api.TVMFFIErrorSetRaisedFromCStr(c_text.as_ptr(), c_text.as_ptr());
        let error = take_one(t)?;
        text_is(t, "kind", &error, |cell| cell.kind, &whole)?;
        text_is(t, "message", &error, |cell| cell.message, &whole)?;
        for (division, ends) in divisions(len) {
            let parts: Vec<CString> =
                ends.iter().map(|[from, to]| c_string(t, &whole[*from..*to])).collect::<Verdict<_>>()?;
            let given: Vec<*const c_char> = parts.iter().map(|part| part.as_ptr()).collect();
            message_is(t, id::ERR_0011, division, &given, &whole)?;
            // As many NULLs as parts are enough, and cheap.
            if parts.len() < 4 {
                let with_nulls: Vec<_> = given.iter().flat_map(|part| [null(), *part, null()]).collect();
                message_is(t, id::ERR_0012, &format!("{division}, and of NULLs"), &with_nulls, &whole)?;
            }
        }
    }
    Ok(())
}

/// Expects a message of these parts to be raised as a whole.
fn message_is(t: &Trial, clause: &'static str, of: &str, parts: &[*const c_char], whole: &[u8]) -> Verdict {
    t.clause(clause);
    let kind: &CStr = c"TypeError";
    t.api.TVMFFIErrorSetRaisedFromCStrParts(kind.as_ptr(), parts.as_ptr().cast_mut(), parts.len() as i32);
    let error = take_one(t)?;
    text_is(t, &format!("message of {of}"), &error, |cell| cell.message, whole)?;
    t.clause(id::ERR_0005);
    nul_follows(t, &format!("message of {of}"), &error, |cell| cell.message)
}

/// Where the parts of a text begin and end.
fn divisions(len: usize) -> Vec<(&'static str, Vec<[usize; 2]>)> {
    let (half, last) = (len / 2, len.saturating_sub(1));
    vec![
        ("one part", vec![[0, len]]),
        ("two halves between empty parts", vec![[0, 0], [0, half], [half, half], [half, len], [len, len]]),
        ("a part and its last byte", vec![[0, last], [last, len]]),
        ("a part for each byte", (0..len).map(|at| [at, at + 1]).collect()),
    ]
}

/// A text of an Error.
type Text = fn(CommonCell) -> TVMFFIByteArray;

/// An Error has a kind, a message and a backtrace of each length at which a buffer is just full, and of those beside it, each with its NUL, be it made
/// with them, or its backtrace replaced or extended to that length.
#[check(ERR_0004, ERR_0005, ERR_0034, ERR_0007, ERR_0008, patient = 2)]
fn texts_that_just_fill_a_buffer(t: &Trial) -> Verdict {
    for len in edges() {
        let whole = letters(len);
        for (by, make) in makers(t) {
            t.clause(id::ERR_0004);
            let error = make(t, [TVMFFIByteArray::new(&whole); 3])?;
            let texts: [(_, Text); 3] =
                [("kind", |cell| cell.kind), ("message", |cell| cell.message), ("backtrace", |cell| cell.backtrace)];
            for (what, of) in texts {
                text_is(t, &format!("{what} ({by})"), &error, of, &whole)?;
            }
            for ((what, of), clause) in texts.into_iter().zip([id::ERR_0034, id::ERR_0005]) {
                t.clause(clause);
                nul_follows(t, &format!("{what} ({by})"), &error, of)?;
            }
            t.clause(id::ERR_0007);
            for text in [&whole[..len / 3], &whole, &whole[..len / 2]] {
                update(t, &error, text, kTVMFFIBacktraceUpdateModeReplace)?;
                text_is(t, "backtrace that was replaced", &error, |cell| cell.backtrace, text)?;
            }
            t.clause(id::ERR_0008);
            let mut expected = whole[..len / 2].to_vec();
            // It reaches the length, and goes beyond it.
            for more in [&whole[len / 2..], &whole] {
                update(t, &error, more, kTVMFFIBacktraceUpdateModeAppend)?;
                expected.extend_from_slice(more);
                text_is(t, "backtrace that was extended", &error, |cell| cell.backtrace, &expected)?;
            }
        }
    }
    Ok(())
}

/// Expects one of an Error's texts.
fn text_is(t: &Trial, what: &str, error: &Owned, of: fn(CommonCell) -> TVMFFIByteArray, expected: &[u8]) -> Verdict {
    let got = t.read_array(what, of(common_cell(t, error.handle())?))?;
    let shown = |bytes: &[u8]| tail(&String::from_utf8_lossy(bytes));
    t.that(format_args!("{what}, of {} bytes", expected.len()), got == expected, shown(expected), shown(&got))
}

/// Expects a NUL behind one of an Error's texts.
fn nul_follows(t: &Trial, what: &str, error: &Owned, of: fn(CommonCell) -> TVMFFIByteArray) -> Verdict {
    let text = of(common_cell(t, error.handle())?);
    let end = text.data.wrapping_add(text.size).cast::<u8>();
    t.eq(format_args!("byte behind the {what}, of {} bytes", text.size), t.read("the byte behind a text", end)?, 0)
}

/// Letters in an order in which a part that is lost or misplaced is noticed.
fn letters(len: usize) -> Vec<u8> {
    (0..len).map(|at| b'a' + (at % 23) as u8).collect()
}

fn c_string(t: &Trial, bytes: &[u8]) -> Verdict<CString> {
    CString::new(bytes).map_err(|error| t.error("a text", error))
}
