//! The order of the lines that are taken from the stack, and where it ends.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Verdict, callback},
    trial::Trial,
};

/// The lines of a backtrace begin with the most recent call.
#[check(BTR_0008, fresh)]
fn most_recent_first(t: &Trial) -> Verdict {
    inner_comes_first(t, &deep(t, None)?.across)
}

/// The backtrace of an error that is raised from C strings begins with the most recent call.
#[check(BTR_0008, fresh)]
fn most_recent_first_of_raised(t: &Trial) -> Verdict {
    let raise = t.api.bare("TVMFFIErrorSetRaisedFromCStr", |table| table.TVMFFIErrorSetRaisedFromCStr);
    t.raise_below_layers(raise, true)?;
    inner_comes_first(t, &raised_backtrace(t)?)
}

/// The backtrace of an error that the library raises itself begins with the most recent call.
#[check(BTR_0008, fresh)]
fn most_recent_first_of_own_failures(t: &Trial) -> Verdict {
    unsafe extern "C" fn fail_here(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
        let unknown = TVMFFIByteArray::new(b"verify.no_such_type");
        callback::api().map_or(-1, |api| api.TVMFFITypeKeyToIndex(&unknown, &mut 0))
    }
    let status = t.below_layers(fail_here)?;
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
