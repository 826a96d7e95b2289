//! Errors that are raised, and functions that refuse their arguments.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::*;

use super::kit::{Call, LONG, PASSING, Shortage, WHILE_RAISING};
use crate::{
    checks::check,
    client::{Owned, Verdict, callback, globals, view},
    trial::Trial,
};

/// A global function that refuses its arguments raises an error, that one or another, where memory is refused for it.
#[check(MEM_0001, MEM_0002, MEM_0003)]
fn refuses_arguments(t: &Trial) -> Verdict {
    refusals(t, PASSING)
}

/// An error is raised where memory is refused while it is made, by whichever function raises it.
#[check(MEM_0006)]
fn raises_errors(t: &Trial) -> Verdict {
    raised(t, WHILE_RAISING)
}

/// Wrong arguments.
pub(super) fn refusals(t: &Trial, shortage: Shortage) -> Verdict {
    for name in ["ffi.ArraySize", "ffi.ListSize", "ffi.MapSize", "ffi.json.Parse", "ffi.DeepCopy"] {
        let Some(function) = globals::find(t, name)? else { continue };
        for args in [&[view::c_str(LONG)][..], &[view::int(1), view::int(2), view::int(3)]] {
            fails(t, shortage, name, &|| t.try_call(&function, args, &mut { TVMFFIAny::NONE }))?;
        }
    }
    Ok(())
}

/// Errors of a client's own.
pub(super) fn raised(t: &Trial, shortage: Shortage) -> Verdict {
    unsafe extern "C" fn raise(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
        if let Some(api) = callback::api() {
            api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), LONG.as_ptr());
        }
        -1
    }
    t.serve_callbacks();
    fails(t, shortage, "TVMFFIErrorSetRaisedFromCStr", &|| {
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), LONG.as_ptr());
        -1
    })?;
    if t.api.has("TVMFFIErrorSetRaisedFromCStrParts") {
        let mut parts = [c"one part, ".as_ptr(), LONG.as_ptr()];
        let parts = std::cell::Cell::new(parts.as_mut_ptr());
        fails(t, shortage, "TVMFFIErrorSetRaisedFromCStrParts", &|| {
            t.api.TVMFFIErrorSetRaisedFromCStrParts(c"ValueError".as_ptr(), parts.get(), 2);
            -1
        })?;
    }
    let function = t.function(std::ptr::null_mut(), raise, None)?;
    fails(t, shortage, "a function that raises an error", &|| t.try_call(&function, &[], &mut { TVMFFIAny::NONE }))
}

/// Expects something to fail with an error raised.
fn fails(t: &Trial, shortage: Shortage, name: &str, call: &dyn Fn() -> c_int) -> Verdict {
    Call {
        name,
        prepare: &|| Ok(()),
        // What is to be done is to fail.
        run: &|(), _| c_int::from(call() == 0),
        look: &|(), _: Option<&Owned>| {
            let raised = t.take_raised().map(|raised| raised.kind);
            t.that(format_args!("the error that {name} raises"), raised.is_some(), "an Error", "none")
        },
        raises: true,
        lasts: false,
    }
    .meets(t, shortage)
}
