//! The raised error: raising, clearing and taking it, and its way through calls.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr::{null, null_mut},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{self, raise_self},
        view,
    },
    trial::Trial,
};

// ---- from C strings -------------------------------------------------------------------------------------------------

/// TVMFFIErrorSetRaisedFromCStr raises an Error with copies of the given kind and message.
#[check(ERR_0010)]
fn raise_c_str(t: &Trial) -> Verdict {
    copies_are_raised(t, |kind, message| t.api.TVMFFIErrorSetRaisedFromCStr(kind, message))
}

/// TVMFFIErrorSetRaisedFromCStrParts raises an Error with copies of the given kind and of the one part of a message.
#[check(ERR_0011)]
fn raise_one_part(t: &Trial) -> Verdict {
    copies_are_raised(t, |kind, message| t.api.TVMFFIErrorSetRaisedFromCStrParts(kind, &mut { message }, 1))
}

/// Raises Errors of texts that are gone right after the call, and not merely changed.
fn copies_are_raised(t: &Trial, raise: impl Fn(*const c_char, *const c_char)) -> Verdict {
    for (kind, message) in
        [("K", "m"), ("CustomKind", "short"), ("AKindOfMoreThanFifteen", "a message of more than fifteen bytes")]
    {
        let [given_kind, given_message] = [kind, message].map(|text| t.guarded(&[text.as_bytes(), b"\0"].concat()));
        let (given_kind, given_message) = (given_kind?, given_message?);
        raise(given_kind.array().data, given_message.array().data);
        drop((given_kind, given_message));
        let error = take_one(t)?;
        t.type_index_eq("type_index", error.any().type_index, kTVMFFIError)?;
        texts_eq(t, error.handle(), kind, message)?;
    }
    Ok(())
}

/// An Error that was raised, in whatever way, and that somebody keeps, has the texts that it had, its backtrace among them, whatever is raised
/// after it on the same thread, in whatever way and below whatever calls.
#[check(ERR_0003, fresh)]
fn kept_beside_later_errors(t: &Trial) -> Verdict {
    let inner = t.callback(|api, _| callback::raise(api, c"KeyError", c"raised by a function"))?;
    let outer = t.function(inner.handle(), call_self, None)?;
    let refusing = t.global("ffi.ArraySize")?;
    let of_c_strings = t.api.bare("TVMFFIErrorSetRaisedFromCStr", |table| table.TVMFFIErrorSetRaisedFromCStr);
    let parts = [c"raised ".as_ptr(), c"of parts".as_ptr()];
    let ways: [(&str, &dyn Fn() -> Verdict); 9] = [
        ("of C strings below a function", &|| t.raise_below_layers(of_c_strings, false)),
        ("of C strings below two functions", &|| t.raise_below_layers(of_c_strings, true)),
        ("of parts below a function", &|| t.raise_below_layers(raise_of_parts, false)),
        ("of C strings", &|| {
            t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"of C strings".as_ptr());
            Ok(())
        }),
        ("of parts", &|| {
            t.api.TVMFFIErrorSetRaisedFromCStrParts(c"ValueError".as_ptr(), { parts }.as_mut_ptr(), 2);
            Ok(())
        }),
        ("by a function", &|| t.ne("the status", t.try_call(&inner, &[], &mut { TVMFFIAny::NONE }), 0)),
        ("by a function below another", &|| t.ne("the status", t.try_call(&outer, &[], &mut { TVMFFIAny::NONE }), 0)),
        ("by the library", &|| t.ne("the status", t.try_call(&refusing, &[view::int(1)], &mut { TVMFFIAny::NONE }), 0)),
        ("as an object", &|| {
            let error = t.new_error("ValueError", "raised as an object", "a backtrace of its own")?;
            t.api.TVMFFIErrorSetRaised(error.handle());
            Ok(())
        }),
    ];
    let texts = |error: &Owned| -> Verdict<_> {
        let cell = common_cell(t, error.handle())?;
        let read = |(what, array)| t.read_array(what, array);
        [("kind", cell.kind), ("message", cell.message), ("backtrace", cell.backtrace)]
            .map(read)
            .into_iter()
            .collect::<Verdict<Vec<_>>>()
    };
    let mut kept = Vec::new();
    for (first, second) in ways.iter().flat_map(|first| ways.iter().map(move |second| (first, second))) {
        for (way, raise) in [first, second] {
            raise()?;
            let error = take_one(t)?;
            kept.push((*way, texts(&error)?, error));
            for (of, before, error) in &kept {
                t.eq(
                    format_args!("texts of the error raised {of} after one was raised {way}"),
                    &texts(error)?,
                    before,
                )?;
            }
        }
        kept.drain(..kept.len().saturating_sub(4));
    }
    Ok(())
}

/// Raises an error of parts.
unsafe extern "C" fn raise_of_parts(kind: *const c_char, message: *const c_char) {
    if let Some(api) = callback::api() {
        api.TVMFFIErrorSetRaisedFromCStrParts(kind, [message, message].as_mut_ptr(), 2);
    }
}

/// An Error raised from C strings has a kind and a message of any length.
#[check(ERR_0010, ERR_0011)]
fn raise_any_length(t: &Trial) -> Verdict {
    const LONGEST: usize = 200_000;
    let longest: String = (0..LONGEST).map(|at| char::from(b'a' + (at % 26) as u8)).collect();
    let mut c_text = longest.clone().into_bytes();
    c_text.push(0);
    for len in [0, 1, 7, 8, 15, 16, 255, 256, 1023, 1024, 4095, 4096, 65_535, 65_536, LONGEST] {
        let long = &longest[..len];
        let next = std::mem::replace(&mut c_text[len], 0);
        let given: *const c_char = c_text.as_ptr().cast();
        t.clause(id::ERR_0010);
        t.api.TVMFFIErrorSetRaisedFromCStr(given, given);
        long_texts_eq(t, long, long)?;
        t.clause(id::ERR_0011);
        t.api.TVMFFIErrorSetRaisedFromCStrParts(given, [given, c"|".as_ptr(), given].as_mut_ptr(), 3);
        long_texts_eq(t, long, &format!("{long}|{long}"))?;
        c_text[len] = next;
    }
    Ok(())
}

/// Expects the raised error to have these texts.
fn long_texts_eq(t: &Trial, kind: &str, message: &str) -> Verdict {
    let error = take_one(t)?;
    let cell = common_cell(t, error.handle())?;
    for (what, got, expected) in [("kind", text(t, cell.kind)?, kind), ("message", text(t, cell.message)?, message)] {
        t.that(what, got == expected, tail(expected), tail(&got))?;
    }
    Ok(())
}

/// TVMFFIErrorSetRaisedFromCStrParts joins the parts of a message in their order.
#[check(ERR_0011)]
fn raise_parts(t: &Trial) -> Verdict {
    let parts = [c"Argument 1 mismatch in `", c"matmul(x: Tensor, y: Tensor)", c"", c"`, dtype mismatch"];
    raise_from_parts(t, &parts.map(|part| part.as_ptr()));
    let error = take_one(t)?;
    texts_eq(t, error.handle(), "TypeError", "Argument 1 mismatch in `matmul(x: Tensor, y: Tensor)`, dtype mismatch")
}

/// TVMFFIErrorSetRaisedFromCStrParts joins a thousand parts into one message.
#[check(ERR_0011)]
fn raise_many_parts(t: &Trial) -> Verdict {
    let numbers: Vec<String> = (0..1000).map(|number| format!("{number},\0")).collect();
    let parts: Vec<*const c_char> = numbers.iter().map(|number| number.as_ptr().cast()).collect();
    raise_from_parts(t, &parts);
    let error = take_one(t)?;
    let expected: String = numbers.iter().map(|number| number.trim_end_matches('\0')).collect();
    let message = text(t, common_cell(t, error.handle())?.message)?;
    t.that("message", message == expected, "the numbers 0 to 999 in order", tail(&message))
}

/// An Error raised from C strings has any bytes of a kind and a message as they are: none of them is a directive.
#[check(ERR_0010, ERR_0011)]
fn raise_any_bytes(t: &Trial) -> Verdict {
    // Dozens of full backtraces would take long.
    t.short_backtraces();
    let all: Vec<u8> = (1..=255).flat_map(|byte| [byte; 2]).collect();
    let texts: [&[u8]; 14] = [
        &all,
        b"%",
        b"%%",
        b"100%",
        b"100%% of %s, %n and %5$d%",
        b"{} {0} {{}} {",
        b"\\ \\n \\0 \\",
        b"\n",
        b" \t\r\n ",
        b"\"quoted\" and 'quoted'",
        b"$(HOME) `ls` ~",
        b"<a&b;>",
        b"caf\xc3\xa9 \xe2\x82\xac",
        b"\xff\xfe\x80",
    ];
    for text in texts {
        let c_text = [text, b"\0"].concat();
        let c_text: *const c_char = c_text.as_ptr().cast();
        t.clause(id::ERR_0010);
        t.api.TVMFFIErrorSetRaisedFromCStr(c_text, c_text);
        bytes_eq(t, text, text)?;
        t.clause(id::ERR_0011);
        t.api.TVMFFIErrorSetRaisedFromCStrParts(c_text, [c_text, c"s".as_ptr(), c_text].as_mut_ptr(), 3);
        bytes_eq(t, text, &[text, b"s", text].concat())?;
    }
    Ok(())
}

/// An Error is raised from texts of the raised error itself, which nobody else holds.
#[check(ERR_0010, ERR_0011)]
fn raise_from_the_raised(t: &Trial) -> Verdict {
    for message in ["inner", "a message of an inner error that is longer than what is kept inline"] {
        // The address of the raised error's message, which lives as long as the error is raised.
        let raised = || -> Verdict<*const c_char> {
            t.api.TVMFFIErrorSetRaised(t.new_error("InnerError", message, "")?.handle());
            let error = take_one(t)?;
            t.api.TVMFFIErrorSetRaised(error.handle());
            Ok(common_cell(t, error.handle())?.message.data)
        };
        let (inner, half) = (raised()?, message.len() / 2);
        t.clause(id::ERR_0010);
        t.api.TVMFFIErrorSetRaisedFromCStr(inner, inner);
        bytes_eq(t, message.as_bytes(), message.as_bytes())?;
        t.clause(id::ERR_0011);
        let inner = raised()?;
        let mut parts = [c"outer: ".as_ptr(), inner, c", ".as_ptr(), inner.wrapping_add(half)];
        t.api.TVMFFIErrorSetRaisedFromCStrParts(inner, parts.as_mut_ptr(), 4);
        bytes_eq(t, message.as_bytes(), format!("outer: {message}, {}", &message[half..]).as_bytes())?;
    }
    Ok(())
}

/// Takes the raised error and expects these bytes of it.
fn bytes_eq(t: &Trial, kind: &[u8], message: &[u8]) -> Verdict {
    let error = take_one(t)?;
    let cell = common_cell(t, error.handle())?;
    for (what, got, expected) in [("kind", cell.kind, kind), ("message", cell.message, message)] {
        let got = t.read_array(what, got)?;
        t.eq(what, got.escape_ascii().to_string(), expected.escape_ascii().to_string())?;
    }
    Ok(())
}

/// TVMFFIErrorSetRaisedFromCStrParts skips parts that are NULL.
#[check(ERR_0012)]
fn null_parts(t: &Trial) -> Verdict {
    let (none, left, right) = (null(), c"left".as_ptr(), c"right".as_ptr());
    for (parts, expected) in [
        ([none, left, none, right], "leftright"),
        ([left, right, none, none], "leftright"),
        ([none, none, left, none], "left"),
        ([none; 4], ""),
    ] {
        raise_from_parts(t, &parts);
        let error = take_one(t)?;
        texts_eq(t, error.handle(), "TypeError", expected)?;
    }
    Ok(())
}

/// A NUL byte follows the message of an Error that is raised from parts, whatever their lengths and however many there are, NULL ones at any
/// place among them.
#[check(ERR_0005)]
fn raise_parts_nul_terminated(t: &Trial) -> Verdict {
    // Hundreds of full backtraces would take long.
    t.short_backtraces();
    let (none, empty): (*const c_char, _) = (null(), c"".as_ptr());
    for len in [0, 1, 6, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 4095, 4096, 4097] {
        let text = format!("{}\0", "x".repeat(len));
        let (whole, half) = (text.as_ptr().cast::<c_char>(), text[len / 2..].as_ptr().cast::<c_char>());
        let many: Vec<_> = (0..100).map(|at| [half, none, empty][at % 3]).collect();
        let many_that_end_in_none = &many[..98];
        for parts in [
            &[] as &[*const c_char],
            &[none],
            &[none; 3],
            &[whole],
            &[whole, none],
            &[whole, none, none],
            &[none, whole],
            &[none, whole, none],
            &[half, half],
            &[half, none, half],
            &[half, none, half, none],
            &[whole, empty],
            &[empty, none, whole, empty, none],
            &many,
            many_that_end_in_none,
        ] {
            raise_from_parts(t, parts);
            let error = take_one(t)?;
            let message = common_cell(t, error.handle())?.message;
            let end = t.read("the byte behind a text", message.data.wrapping_add(message.size).cast::<u8>())?;
            let given: Vec<_> = parts.iter().take(8).map(|part| if part.is_null() { "NULL" } else { "text" }).collect();
            let count = parts.len();
            t.eq(format_args!("byte behind the message ({count} parts, {given:?}, of {len} bytes)"), end, 0)?;
        }
    }
    Ok(())
}

/// TVMFFIErrorSetRaisedFromCStrParts raises an Error with an empty message for no parts.
#[check(ERR_0013)]
fn no_parts(t: &Trial) -> Verdict {
    t.api.TVMFFIErrorSetRaisedFromCStrParts(c"TypeError".as_ptr(), null_mut(), 0);
    let error = take_one(t)?;
    texts_eq(t, error.handle(), "TypeError", "")?;
    let mut part = c"not counted".as_ptr();
    t.api.TVMFFIErrorSetRaisedFromCStrParts(c"TypeError".as_ptr(), &mut part, 0);
    let error = take_one(t)?;
    texts_eq(t, error.handle(), "TypeError", "")
}

/// The message of an Error that is raised from parts is made of these alone, and empty without any, whatever its thread raised before.
#[check(ERR_0013, ERR_0011, ERR_0012)]
fn raise_parts_after_others(t: &Trial) -> Verdict {
    // Hundreds of full backtraces would take long.
    t.short_backtraces();
    let long = "long ".repeat(1000);
    let c_long = format!("{long}\0");
    let (none, one, c_long): (*const c_char, _, _) = (null(), c"a part".as_ptr(), c_long.as_ptr().cast::<c_char>());
    // Their clause, the parts, for which no address is given where there is no list, and the message.
    let all = [
        (id::ERR_0013, None, String::new()),
        (id::ERR_0013, Some(vec![]), String::new()),
        (id::ERR_0011, Some(vec![one]), "a part".to_owned()),
        (id::ERR_0012, Some(vec![none; 3]), String::new()),
        (id::ERR_0012, Some(vec![none, one, none, one]), "a parta part".to_owned()),
        (id::ERR_0011, Some(vec![one; 100]), "a part".repeat(100)),
        (id::ERR_0011, Some(vec![c_long, one, c_long]), format!("{long}a part{long}")),
    ];
    let raise = |parts: &Option<Vec<*const c_char>>| match parts {
        Some(parts) => raise_from_parts(t, parts),
        None => t.api.TVMFFIErrorSetRaisedFromCStrParts(c"TypeError".as_ptr(), null_mut(), 0),
    };
    let pairs = all.iter().flat_map(|before| all.iter().map(move |then| (before, then)));
    for ((_, before, message_before), (clause, parts, expected)) in pairs {
        for between in ["was taken", "is still raised", "was replaced by one of one C string"] {
            raise(before);
            match between {
                "was taken" => drop(take_one(t)?),
                "is still raised" => {}
                _ => t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"of one C string".as_ptr()),
            }
            raise(parts);
            let error = take_one(t)?;
            t.clause(clause);
            let message = text(t, common_cell(t, error.handle())?.message)?;
            let (count, len) = (parts.as_ref().map_or(0, Vec::len), message_before.len());
            let what = format!("message of {count} parts after one of {len} bytes, which {between}");
            t.that(what, message == *expected, tail(expected), tail(&message))?;
        }
    }
    Ok(())
}

/// An error is raised even when the C string of its kind or message is NULL.
#[check(ERR_0033)]
fn null_texts(t: &Trial) -> Verdict {
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), null());
    drop(t.own_object("the error raised without a message", take(t))?);
    t.api.TVMFFIErrorSetRaisedFromCStr(null(), c"no kind".as_ptr());
    drop(t.own_object("the error raised without a kind", take(t))?);
    t.api.TVMFFIErrorSetRaisedFromCStrParts(null(), null_mut(), 0);
    t.own_object("the error raised without anything", take(t)).map(drop)
}

/// Raising errors from C strings and taking them keeps no memory.
#[check(ERR_0031, patient = 3)]
fn no_growth_raising(t: &Trial) -> Verdict {
    // Thousands of full backtraces would take long.
    t.short_backtraces();
    t.no_growth("heap after raising and taking errors", || {
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"replaced by the next one".as_ptr());
        raise_from_parts(t, &[c"in".as_ptr(), c" parts".as_ptr()]);
        drop(take_one(t)?);
        Ok(())
    })
}

// ---- raising and taking objects -------------------------------------------------------------------------------------

/// TVMFFIErrorMoveFromRaised hands over the raised error with its reference and leaves nothing raised.
#[check(ERR_0014)]
fn move_hands_over(t: &Trial) -> Verdict {
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"handed over".as_ptr());
    let error = take_one(t)?;
    t.eq("the raised error after it was taken", take(t), null_mut())?;
    t.eq("strong and weak count of the error taken", t.counts(error.handle())?, (1, 1))
}

/// TVMFFIErrorMoveFromRaised writes NULL when nothing is raised.
#[check(ERR_0015)]
fn move_nothing(t: &Trial) -> Verdict {
    let mut error = 0x6a7ba6e as TVMFFIObjectHandle;
    t.api.TVMFFIErrorMoveFromRaised(&mut error);
    t.eq("the raised error of a thread that has raised nothing", error, null_mut())
}

/// TVMFFIErrorSetRaised raises the very object it is given and takes a reference of its own.
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

/// Raising an Error that is raised already takes no second reference.
#[check(ERR_0016)]
fn raise_same_twice(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "raised twice", "")?;
    t.api.TVMFFIErrorSetRaised(error.handle());
    t.api.TVMFFIErrorSetRaised(error.handle());
    t.eq("strong count while raised", t.counts(error.handle())?.0, 2)?;
    let raised = take_one(t)?;
    t.eq("the raised error", raised.handle(), error.handle())
}

/// An Error that nobody holds but the thread that has raised it can be raised again, whoever made it.
#[check(ERR_0016)]
fn raise_what_is_raised(t: &Trial) -> Verdict {
    let own = new_own_error();
    let made = t.new_error("ValueError", "raised again", "")?.into_any().payload() as TVMFFIObjectHandle;
    // One that is never freed comes first, so that its end is told and not died of.
    for (error, ends) in [(own, 0), (made, 1)] {
        t.api.TVMFFIErrorSetRaised(error);
        t.api.TVMFFIObjectDecRef(error);
        for _ in 0..3 {
            t.api.TVMFFIErrorSetRaised(error);
            t.eq("ends of an error that is raised again", own_ended(), ends)?;
            t.eq("counts of an error that is raised again", t.counts(error)?, (1, 1))?;
        }
        let raised = take_one(t)?;
        t.eq("the raised error", raised.handle(), error)?;
    }
    t.eq("ends of an error that was given up", own_ended(), 1)
}

/// TVMFFIErrorSetRaised with NULL releases the raised error and leaves nothing raised.
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

/// An Error that a client made can be raised and taken, and ends by its own deleter.
#[check(ERR_0032)]
fn made_elsewhere(t: &Trial) -> Verdict {
    let error = new_own_error();
    t.api.TVMFFIErrorSetRaised(error);
    t.api.TVMFFIObjectDecRef(error);
    t.eq("errors that ended while raised", own_ended(), 0)?;
    let raised = take(t);
    t.eq("the raised error", raised, error)?;
    t.api.TVMFFIErrorSetRaised(raised);
    t.api.TVMFFIObjectDecRef(raised);
    clear(t);
    t.eq("times the error's own deleter ran once it was given up", own_ended(), 1)
}

// ---- calls ----------------------------------------------------------------------------------------------------------

/// An error that a callee raises reaches the caller of three nested calls as the same object.
#[check(ERR_0023)]
fn through_layers(t: &Trial) -> Verdict {
    through(t, 3)
}

/// An error that a callee raises reaches the caller of a hundred nested calls as the same object.
#[check(ERR_0023)]
fn deep_layers(t: &Trial) -> Verdict {
    through(t, 100)
}

/// Lets `layers` functions call one another, of which the innermost raises an error.
fn through(t: &Trial, layers: usize) -> Verdict {
    t.serve_callbacks();
    let texts = ["CustomKind", "from the innermost layer", "a line of a backtrace\n"];
    makers(t).into_iter().try_for_each(|(_, make)| {
        passes_through(t, layers, &make(t, texts.map(|text| TVMFFIByteArray::new(text.as_bytes())))?)
    })
}

fn passes_through(t: &Trial, layers: usize, error: &Owned) -> Verdict {
    let made_of = common_cell(t, error.handle())?;
    let mut functions = vec![t.function(error.handle(), raise_self, None)?];
    for _ in 1..layers {
        let inner = functions[functions.len() - 1].handle();
        functions.push(t.function(inner, call_self, None)?);
    }
    let mut result = TVMFFIAny::NONE;
    let status = t.try_call(&functions[layers - 1], &[], &mut result);
    t.ne("status of the outermost call", status, 0)?;
    let raised = take_one(t)?;
    t.eq("the raised error", raised.handle(), error.handle())?;
    t.eq("strong count of the raised error", t.counts(error.handle())?.0, 2)?;
    let cell = common_cell(t, error.handle())?;
    let (kept, before) = [cell, made_of].map(|cell| (cell.kind.data, cell.message.data)).into();
    t.eq("addresses of kind and message", kept, before)?;
    texts_eq(t, error.handle(), "CustomKind", "from the innermost layer")
}

/// Calls the function that is its closure, and passes on what it answers.
unsafe extern "C" fn call_self(inner: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    callback::api().map_or(-1, |api| api.TVMFFIFunctionCall(inner, null_mut(), 0, result))
}
