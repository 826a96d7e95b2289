//! How many lines are taken from the stack: what `TVM_TRACEBACK_LIMIT` says.

use tvm_ffi_spec::clause::id;

use super::kit::*;
use crate::{checks::check, client::Verdict, trial::Trial};

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
