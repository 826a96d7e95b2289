//! What calls do to the raised error: one that succeeds leaves it alone, one that fails puts its own in its place.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Verdict,
        callback::{self, keep_self},
    },
    trial::Trial,
};

/// Calls that succeed leave the raised error as it is, whichever function is called.
#[check(ERR_0022)]
fn outlasts_calls(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "still raised", "")?;
    t.each_success(|name, call| {
        t.api.TVMFFIErrorSetRaised(error.handle());
        let status = call()?;
        let raised = t.api.take_raised();
        t.eq(format_args!("status of {name}"), status, 0)?;
        t.eq(format_args!("the raised error after {name}"), raised, error.handle())?;
        t.api.release(raised);
        Ok(())
    })?;
    t.eq("references to the error that was raised", t.counts(error.handle())?, (1, 1))
}

/// An error that was raised before a process makes a copy of itself is still raised in both.
#[check(ERR_0022)]
fn outlasts_a_fork(t: &Trial) -> Verdict {
    let error = t.new_error("ValueError", "still raised", "")?;
    t.api.TVMFFIErrorSetRaised(error.handle());
    let raised = t.lasts_in_copies("the raised error", |client| {
        // What is taken is put back, so that the next who asks finds it, too.
        let raised = client.api.take_raised();
        client.api.TVMFFIErrorSetRaised(raised);
        client.api.release(raised);
        Ok(raised as usize)
    })?;
    t.eq("the raised error", raised, error.handle() as usize)?;
    t.api.release_raised();
    t.eq("references to the error that was raised", t.counts(error.handle())?, (1, 1))
}

/// An error that a callee has raised is still raised when the callee answers success.
#[check(ERR_0022)]
fn outlasts_success(t: &Trial) -> Verdict {
    unsafe extern "C" fn raise_and_succeed(
        error: *mut c_void,
        _: *const TVMFFIAny,
        _: i32,
        _: *mut TVMFFIAny,
    ) -> c_int {
        if let Some(api) = callback::api() {
            api.TVMFFIErrorSetRaised(error);
        }
        0
    }
    t.serve_callbacks();
    let error = t.new_error("ValueError", "still raised", "")?;
    let function = t.function(error.handle(), raise_and_succeed, Some(keep_self))?;
    t.call(&function, &[])?;
    let raised = t.own_object("the raised error", t.api.take_raised())?;
    t.eq("the raised error", raised.handle(), error.handle())?;
    t.eq("references to it", t.counts(error.handle())?, (2, 1))
}

/// A function of the C API that fails raises an error of its own in the place of the one that was raised before.
#[check(ERR_0035)]
fn each_failure_raises(t: &Trial) -> Verdict {
    t.each_failure(|name, call| {
        let stale = t.new_error("ValueError", "of an earlier call", "")?;
        t.api.TVMFFIErrorSetRaised(stale.handle());
        // Whether it has to fail is another clause.
        let failed = call() != 0;
        let raised = t.own_object(format!("the raised error after {name}"), t.api.take_raised())?;
        t.eq(
            format_args!("whether the error raised before {name} is still raised"),
            raised.handle() == stale.handle(),
            !failed,
        )?;
        drop(raised);
        t.eq("references to the earlier error", t.counts(stale.handle())?, (1, 1))
    })
}

/// A function of the C API that fails raises an error when nothing was raised before, also as a thread's first call.
#[check(ERR_0035)]
fn first_failure_raises(t: &Trial) -> Verdict {
    t.each_failure(|name, call| {
        t.api.release_raised();
        let failed = call() != 0;
        let raised = t.take_raised();
        t.eq(format_args!("whether an error is raised after {name}"), raised.is_some(), failed)
    })?;
    t.threads(1, |t, _| {
        let failed = t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"verify.no_such_thing"), &mut 0) != 0;
        t.eq("whether an error is raised by the first call of a thread", t.take_raised().is_some(), failed)
    })
}

/// Failures keep no memory and no reference, whichever function fails.
#[check(ERR_0031, patient = 6)]
fn no_growth_failing(t: &Trial) -> Verdict {
    // SAFETY: this process has one thread.
    unsafe { std::env::set_var("TVM_TRACEBACK_LIMIT", "0") };
    t.each_failure(|name, call| {
        t.no_growth(format!("heap after failures of {name}"), || {
            call();
            t.api.release_raised();
            Ok(())
        })
    })
}
