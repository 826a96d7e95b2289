//! Backtraces: their form, the line that the caller gives, limits, and storage for each thread.
//!
//! How much of the stack a backtrace shows depends on the symbols at hand and is nobody's promise: an empty one is fine.
//! The checks look at what is there. Those that need names of functions ask for a process of their own, since a process that
//! was forked may have none.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    mem::offset_of,
    ptr::{null, null_mut},
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{Owned, Verdict, callback, header, memory, view},
    target::library,
    trial::{Trial, threads::let_others_run},
};

/// A backtrace consists of lines of the form `File "<file>", line <number>, in <function>`.
#[check(BTR_0001)]
fn form(t: &Trial) -> Verdict {
    for cross_ffi_boundary in [0, 1] {
        t.well_formed(&take(t, NOWHERE, cross_ffi_boundary)?)?;
        t.well_formed(&take(t, (Some(c"a.c"), 1, Some(c"f")), cross_ffi_boundary)?)?;
    }
    Ok(())
}

/// A backtrace begins with the filename, the line number and the function that the caller gives.
#[check(BTR_0002)]
fn given_place(t: &Trial) -> Verdict {
    for (file, line, function) in [
        (c"kernel.c", 45, c"launch"),
        (c"100%%/of %s.c", 9, c"operator%=<%n, {0}>"),
        (c"gr\u{f6}\u{df}e\\n.c", 10, c"~it(\\0)"),
        (c"src/a file.cc", 1, c"void my_ffi::Raise(tvm::ffi::String)"),
        (c"/with/a/path/of/its/own/and_a_name.cu", 123_456, c"kernel<float, 4>"),
    ] {
        for cross_ffi_boundary in [0, 1] {
            let backtrace = take(t, (Some(file), line, Some(function)), cross_ffi_boundary)?;
            let first = backtrace.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            for given in [&*file.to_string_lossy(), line.to_string().as_str(), &*function.to_string_lossy()] {
                t.that("the most recent call", first.contains(given), format_args!("a line with {given}"), &backtrace)?;
            }
        }
    }
    Ok(())
}

/// A backtrace is made when the filename, the function or both are NULL.
#[check(BTR_0003)]
fn null_names(t: &Trial) -> Verdict {
    for (file, function) in [(None, None), (Some(c"given_file"), None), (None, Some(c"given_function"))] {
        for cross_ffi_boundary in [0, 1] {
            take(t, (file, 42, function), cross_ffi_boundary)?;
        }
    }
    Ok(())
}

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
    let array = raw(t, (Some(c"kept.c"), 7, Some(c"kept_by_every_error")), 1)?;
    let before = read(t, array)?;
    let others = [0, 1, 40, 300, 5000, 100_000].map(|size| "  File \"other.c\", line 1, in g\n".repeat(size / 32 + 1));
    let others = others.iter().map(|text| TVMFFIByteArray::new(text.as_bytes()));
    let (kind, message) = (TVMFFIByteArray::new(b"ValueError"), TVMFFIByteArray::new(b"a message of its own"));
    for backtrace in others.chain([array]) {
        let kept = |by: &str| {
            let what = format!("backtrace after {by} was given one of {} bytes", backtrace.size);
            t.eq(what, read(t, array)?, before.clone())
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

/// A backtrace that the constructor of a library takes, before anybody can call that, is well-formed and tells of the given place.
#[check(BTR_0014, fresh)]
fn at_start(t: &Trial) -> Verdict {
    let module = t.load("at_start.so")?;
    let text = t.call_of(&module, c"backtrace", &[])?;
    let backtrace = String::from_utf8_lossy(&t.text(&text.any())?).into_owned();
    t.that("the given place", backtrace.contains("at_start.c"), "in the backtrace", &backtrace)
}

/// The first backtrace of a process is well-formed also where it is taken while the process ends, and so is another one there.
#[check(BTR_0014, fresh)]
fn first_at_exit(t: &Trial) -> Verdict {
    t.while_exiting(|client| {
        for _ in 0..2 {
            let array = client.api.TVMFFIBacktrace(c"at_exit.c".as_ptr(), 7, c"at_exit".as_ptr(), 1);
            let array = client.read("backtrace", array)?;
            let backtrace = String::from_utf8_lossy(&client.read_array("backtrace", array)?).into_owned();
            client.well_formed(&backtrace)?;
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
            let array = raw(t, (Some(c"thread.c"), thread as c_int, Some(&function)), 0)?;
            let backtrace = read(t, array)?;
            let_others_run();
            t.eq("backtrace while others take theirs", read(t, array)?, backtrace.clone())?;
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
            let array = raw(t, (Some(c"crowd.c"), number as c_int, Some(&place(number))), 1)?;
            Ok((read(t, array)?, (array.data as usize, array.size)))
        },
        |t, number, (before, (data, size))| {
            let own = place(number).to_string_lossy().into_owned();
            t.that("the given place", before.contains(&own), format_args!("in the backtrace: {own}"), &before)?;
            let after = read(t, TVMFFIByteArray { data: data as *const c_char, size })?;
            t.eq("backtrace when all others have taken theirs", after, before)
        },
    )
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

// ---- the limit ------------------------------------------------------------------------------------------------------

/// A backtrace takes no more lines from the stack than TVM_TRACEBACK_LIMIT says.
#[check(BTR_0006, fresh)]
fn limit(t: &Trial) -> Verdict {
    const LIMIT: usize = 2;
    set_limit(&LIMIT.to_string());
    let lines = deep(t, None)?.across.lines().count();
    t.that("lines with a limit of 2", lines <= LIMIT, "at most 2", lines)?;
    let lines = deep(t, Some(c"given_place"))?.across.lines().count();
    t.that("lines with a limit of 2 and a given place", lines <= LIMIT + 1, "at most 3", lines)
}

/// A backtrace takes no line from the stack when TVM_TRACEBACK_LIMIT is 0.
#[check(BTR_0006, fresh)]
fn limit_zero(t: &Trial) -> Verdict {
    set_limit("0");
    t.eq("backtrace with a limit of 0", deep(t, None)?.across, String::new())?;
    let lines = deep(t, Some(c"given_place"))?.across.lines().count();
    t.that("lines with a limit of 0 and a given place", lines <= 1, "at most 1", lines)
}

/// A backtrace is made even when TVM_TRACEBACK_LIMIT is not a number.
#[check(BTR_0007, fresh)]
fn limit_not_a_number(t: &Trial) -> Verdict {
    NO_NUMBERS.iter().try_for_each(|junk| survived(t, junk, [id::BTR_0007; 2]))
}

/// A backtrace is made even when TVM_TRACEBACK_LIMIT is negative or out of range.
#[check(BTR_0007, fresh)]
fn limit_out_of_range(t: &Trial) -> Verdict {
    OUT_OF_RANGE.iter().try_for_each(|number| survived(t, number, [id::BTR_0007; 2]))
}

/// A given place stands in the backtrace, and none has to be given, whatever number TVM_TRACEBACK_LIMIT is.
#[check(BTR_0003, BTR_0002, fresh)]
fn given_place_within_any_limit(t: &Trial) -> Verdict {
    ["0", "1", "2", "512"].iter().try_for_each(|limit| survived(t, limit, [id::BTR_0003, id::BTR_0002]))
}

/// Texts that are no number.
const NO_NUMBERS: [&str; 8] = ["junk", "", " ", "12x", "0x10", "--1", "1.5", "\u{fc}"];
/// Numbers that are no limit.
const OUT_OF_RANGE: [&str; 5] = ["-1", "-2147483649", "2147483648", "4294967296", "99999999999999999999999999999999"];

/// Expects backtraces to be made under this limit, of a place that is given in part or not at all, as the first clause has it,
/// or in full, as the second one has it.
fn survived(t: &Trial, limit: &str, [in_part, in_full]: [&'static str; 2]) -> Verdict {
    t.clause(in_part);
    set_limit(limit);
    t.api.note(&format!("setenv(\"TVM_TRACEBACK_LIMIT\", {limit:?})"));
    for (file, function) in [(None, None), (Some(c"given_file"), None), (None, Some(c"given_function"))] {
        for cross_ffi_boundary in [0, 1] {
            take(t, (file, 42, function), cross_ffi_boundary)?;
        }
    }
    t.clause(in_full);
    let Taken { within, across } = deep(t, Some(c"given_place"))?;
    for backtrace in [within, across] {
        t.that("the given place", backtrace.contains("given_place"), "in the backtrace", &backtrace)?;
    }
    Ok(())
}

/// An error is raised even when TVM_TRACEBACK_LIMIT is not a number or out of range.
#[check(BTR_0007, fresh)]
fn raising_in_junk(t: &Trial) -> Verdict {
    let message = c"the real error".as_ptr();
    let raise: [&dyn Fn(); 2] = [&|| t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), message), &|| {
        t.api.TVMFFIErrorSetRaisedFromCStrParts(c"ValueError".as_ptr(), &mut { message }, 1)
    }];
    for junk in NO_NUMBERS.iter().chain(&OUT_OF_RANGE) {
        set_limit(junk);
        t.api.note(&format!("setenv(\"TVM_TRACEBACK_LIMIT\", {junk:?})"));
        for raise in raise {
            raise();
            let Some(raised) = t.take_raised() else { return Err(t.failure("the raised error", "an error", "NULL")) };
            t.eq("message", raised.message, "the real error".to_owned())?;
        }
    }
    Ok(())
}

/// Changes the limit for all calls to come.
fn set_limit(limit: &str) {
    // SAFETY: this process has one thread.
    unsafe { std::env::set_var("TVM_TRACEBACK_LIMIT", limit) };
}

// ---- the stack ------------------------------------------------------------------------------------------------------

/// The lines of a backtrace begin with the most recent call.
#[check(BTR_0008, fresh)]
fn most_recent_first(t: &Trial) -> Verdict {
    inner_comes_first(t, &deep(t, None)?.across)
}

/// The backtrace of an error that is raised from C strings begins with the most recent call.
#[check(BTR_0008, fresh)]
fn most_recent_first_of_raised(t: &Trial) -> Verdict {
    let raise = t.api.bare("TVMFFIErrorSetRaisedFromCStr", |table| table.TVMFFIErrorSetRaisedFromCStr);
    let layers = t.fixture_symbol("layers.so", "verify_outer_layer_raises")?;
    // SAFETY: the fixture's function, which is declared so.
    let layers: unsafe extern "C" fn(unsafe extern "C" fn(*const c_char, *const c_char)) =
        unsafe { std::mem::transmute(layers) };
    // SAFETY: all that the layers do is call the function, which is the target's, with two C strings.
    t.api.noted("TVMFFIErrorSetRaisedFromCStr(...) below two C functions", || unsafe { layers(raise) });
    inner_comes_first(t, &raised_backtrace(t)?)
}

/// The backtrace of an error that the library raises itself begins with the most recent call.
#[check(BTR_0008, fresh)]
fn most_recent_first_of_own_failures(t: &Trial) -> Verdict {
    unsafe extern "C" fn fail_here(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
        let unknown = TVMFFIByteArray::new(b"verify.no_such_type");
        callback::api().map_or(-1, |api| api.TVMFFITypeKeyToIndex(&unknown, &mut 0))
    }
    let status = below_layers(t, fail_here)?;
    t.ne("status of a call whose callee failed", status, 0)?;
    inner_comes_first(t, &raised_backtrace(t)?)
}

/// Expects the inner layer's call, which is the more recent one, before the outer one's, if both are shown.
fn inner_comes_first(t: &Trial, backtrace: &str) -> Verdict {
    let at = |name: &str| backtrace.lines().position(|line| line.contains(name));
    // Without symbols neither is named, and there is no order to look at.
    let (Some(inner), Some(outer)) = (at("verify_inner_layer"), at("verify_outer_layer")) else { return Ok(()) };
    t.that("line of the inner call", inner < outer, format_args!("before line {outer}"), format_args!("line {inner}"))
}

/// A backtrace that stops at the FFI boundary has no more lines than one taken across it.
#[check(BTR_0009)]
fn boundary(t: &Trial) -> Verdict {
    let Taken { within, across } = deep(t, None)?;
    let (within, across) = (within.lines().count(), across.lines().count());
    t.that("lines within the FFI boundary", within <= across, format_args!("at most the {across} across it"), within)
}

/// A backtrace that is taken across the FFI boundary goes on beyond it.
#[check(BTR_0009, fresh)]
fn beyond_the_boundary(t: &Trial) -> Verdict {
    set_limit("512");
    let across = deep(t, None)?.across;
    // Without symbols neither side is named.
    let goes_on = !across.contains("verify_inner_layer") || across.contains("verify_outer_layer");
    t.that("backtrace across the FFI boundary", goes_on, "verify_outer_layer below verify_inner_layer", &across)
}

/// An error that a caller raises from C strings has a well-formed backtrace.
#[check(BTR_0010)]
fn of_raised(t: &Trial) -> Verdict {
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"from C strings".as_ptr());
    t.well_formed(&raised_backtrace(t)?)?;
    let mut part = c"from parts".as_ptr();
    t.api.TVMFFIErrorSetRaisedFromCStrParts(c"ValueError".as_ptr(), &mut part, 1);
    t.well_formed(&raised_backtrace(t)?)
}

/// An error that the library raises for its own failure has a well-formed backtrace.
#[check(BTR_0010)]
fn of_own_failures(t: &Trial) -> Verdict {
    let mut index = 0;
    let unknown = TVMFFIByteArray::new(b"verify.no_such_type");
    t.ne("status for an unknown type key", t.api.TVMFFITypeKeyToIndex(&unknown, &mut index), 0)?;
    t.well_formed(&raised_backtrace(t)?)?;
    let function = t.global("ffi.String")?;
    let mut result = TVMFFIAny::NONE;
    t.ne("status of ffi.String with a number", t.try_call(&function, &[view::int(1)], &mut result), 0)?;
    t.well_formed(&raised_backtrace(t)?)
}

fn raised_backtrace(t: &Trial) -> Verdict<String> {
    match t.take_raised() {
        Some(raised) => Ok(raised.backtrace),
        None => Err(t.failure("the raised error", "an error", "NULL")),
    }
}

// ---- at large -------------------------------------------------------------------------------------------------------

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

/// A backtrace shows file and function names of any length in full.
#[check(BTR_0013)]
fn long_names(t: &Trial) -> Verdict {
    for len in [100, 1000, 20_000] {
        let (file, function) = ("d/".repeat(len / 2), "n".repeat(len));
        let expected = format!("  File \"{file}\", line 5, in {function}\n");
        let [file, function] = [file, function].map(|name| CString::new(name).unwrap_or_default());
        let backtrace = take(t, (Some(&file), 5, Some(&function)), 0)?;
        let first = backtrace.split_inclusive('\n').next().unwrap_or_default();
        let got = format!("a line of {} bytes", first.len());
        t.that(
            "first line",
            first == expected,
            format_args!("a line of {} bytes with both names", expected.len()),
            got,
        )?;
    }
    Ok(())
}

/// A backtrace shows any line number in full.
#[check(BTR_0013)]
fn line_numbers(t: &Trial) -> Verdict {
    for line in [0, 1, 9, 123_456, c_int::MAX] {
        let backtrace = take(t, (Some(c"a.c"), line, Some(c"f")), 0)?;
        let expected = format!("  File \"a.c\", line {line}, in f");
        t.eq("first line", backtrace.lines().next(), Some(expected.as_str()))?;
    }
    Ok(())
}

// ---- helpers --------------------------------------------------------------------------------------------------------

/// Filename, line number and function, as a caller gives them.
type Place<'a> = (Option<&'a CStr>, c_int, Option<&'a CStr>);

const NOWHERE: Place = (None, 0, None);

/// Where the library keeps a new backtrace.
fn raw(t: &Trial, place: Place, cross_ffi_boundary: c_int) -> Verdict<TVMFFIByteArray> {
    t.read("the byte array that TVMFFIBacktrace answers", answered(t, place, cross_ffi_boundary))
}

/// What TVMFFIBacktrace answers: where the byte array of a new backtrace lies.
fn answered(t: &Trial, (file, line, function): Place, cross_ffi_boundary: c_int) -> *const TVMFFIByteArray {
    let c_str = |text: Option<&CStr>| text.map_or(null::<c_char>(), CStr::as_ptr);
    t.api.TVMFFIBacktrace(c_str(file), line, c_str(function), cross_ffi_boundary)
}

/// A copy of the backtrace that the byte array there refers to by now.
fn read_answered(t: &Trial, answered: *const TVMFFIByteArray) -> Verdict<String> {
    read(t, t.read("the byte array that TVMFFIBacktrace has answered", answered)?)
}

/// A copy of a new backtrace.
fn take(t: &Trial, place: Place, cross_ffi_boundary: c_int) -> Verdict<String> {
    read(t, raw(t, place, cross_ffi_boundary)?)
}

/// A copy of a backtrace.
fn read(t: &Trial, array: TVMFFIByteArray) -> Verdict<String> {
    Ok(header::turned_round(&String::from_utf8_lossy(&t.read_array("backtrace", array)?)))
}

/// Two backtraces from the same place.
#[derive(Clone, Default)]
struct Taken {
    /// Within the FFI boundary.
    within: String,
    /// Across it.
    across: String,
}

/// What [`take_here`] took, and the function that it gave for its own, if any.
static TAKEN: Mutex<(Taken, Option<&CStr>)> =
    Mutex::new((Taken { within: String::new(), across: String::new() }, None));

/// Takes backtraces below functions that are called by one another and have names: one outer layer, three inner ones.
fn deep(t: &Trial, function: Option<&'static CStr>) -> Verdict<Taken> {
    let taken = || TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    *taken() = (Taken::default(), function);
    let status = below_layers(t, take_here)?;
    t.ok(status)?;
    Ok(taken().0.clone())
}

/// The status of a call of `innermost` below functions that are called by one another and have names.
fn below_layers(t: &Trial, innermost: TVMFFISafeCallType) -> Verdict<c_int> {
    t.serve_callbacks();
    let layer = |name: &str| {
        let symbol = library::fixture_symbol(&t.fixtures.join("layers.so"), name);
        let symbol = symbol.map_err(|problem| t.error(name, problem))?;
        // SAFETY: the fixture's layers follow the calling convention.
        t.function(null_mut(), unsafe { std::mem::transmute::<*const c_void, TVMFFISafeCallType>(symbol) }, None)
    };
    let outer = layer("verify_outer_layer")?;
    let inner = [layer("verify_inner_layer")?, layer("verify_inner_layer")?, layer("verify_inner_layer")?];
    let innermost = t.function(null_mut(), innermost, None)?;
    let [first, second, third] = inner.each_ref().map(Owned::any);
    Ok(t.try_call(&outer, &[first, second, third, innermost.any()], &mut { TVMFFIAny::NONE }))
}

/// Takes a backtrace within the FFI boundary and one across it.
unsafe extern "C" fn take_here(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    let (Some(api), mut taken) = (callback::api(), TAKEN.lock().unwrap_or_else(PoisonError::into_inner)) else {
        return -1;
    };
    let (file, function) = taken.1.map_or((null(), null()), |function| (c"deep.c".as_ptr(), function.as_ptr()));
    let take = |cross_ffi_boundary| {
        let array = memory::read(api.TVMFFIBacktrace(file, 3, function, cross_ffi_boundary));
        let bytes = array.and_then(|array| memory::read_bytes(array.data.cast(), array.size));
        bytes.map_or("<unreadable>".to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    taken.0 = Taken { within: take(0), across: take(1) };
    0
}
