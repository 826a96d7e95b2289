//! Errors that are raised or held elsewhere while others give up their references to them.

use std::{ffi::c_void, ptr::null_mut};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{keep_self, raise_self},
        globals,
        homemade::{self, Homemade},
        own_error::error_cell,
        reflected, types, view,
    },
    trial::Trial,
};

/// A raised error of any form, with and without a cause, a context and a backtrace, of the library's and of a client's, stays raised when
/// everybody else gives up their reference: the caller, what raised it, or what holds it.
#[check(OBJ_0029)]
fn raised_outlasts_other_holders(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.serve_callbacks();
    for form in 0..FORMS {
        for (way, raise) in WAYS {
            for holder in HOLDERS {
                let Some((what, error)) = make(t, form)? else { continue };
                let what = format!("{what}, raised by {way}, in {holder}");
                let held = hold(t, holder, error.any())?;
                raise(t, &error)?;
                t.ok(t.api.TVMFFIObjectIncRef(error.handle()))?;
                t.ok(t.api.TVMFFIObjectDecRef(error.handle()))?;
                if let Some(held) = held {
                    t.ok(t.api.TVMFFIObjectDecRef(held.into_any().payload() as TVMFFIObjectHandle))?;
                }
                let handle = error.into_any().payload() as TVMFFIObjectHandle;
                t.ok(t.api.TVMFFIObjectDecRef(handle))?;
                let raised = t.api.take_raised();
                t.eq(format_args!("the raised error, {what}, which its thread alone holds"), raised, handle)?;
                t.eq(format_args!("counts of {what}"), t.counts(raised)?, (1, 1))?;
                t.api.release(raised);
            }
        }
    }
    Ok(())
}

/// An object that something holds stays there, with the references that are left, when the caller gives up its own: in a container, in an error, as
/// an attribute and as a global function.
#[check(OBJ_0007)]
fn held_outlasts_the_caller(t: &Trial) -> Verdict {
    let mut objects = Vec::new();
    for form in 0..FORMS {
        objects.extend(make(t, form)?);
    }
    for make in t.containers()? {
        objects.push((make.to_owned(), t.call_global(make, &[view::int(1), view::int(2)])?));
    }
    objects.push(("a text".to_owned(), t.string(b"a text that is not short")?));
    objects.push(("a function".to_owned(), t.function(null_mut(), raise_self, Some(keep_self))?));
    objects.push(("an opaque object".to_owned(), t.opaque(0x5111 as *mut c_void, keep_self)?));
    let mine = types::new(t, "verify.Holding");
    for (number, (what, object)) in objects.into_iter().enumerate() {
        let (value, handle) = (object.any(), object.handle());
        let mut all = Vec::new();
        for holder in HOLDERS {
            all.extend(hold(t, holder, value)?);
        }
        let name = format!("verify.held{number}");
        t.set_hook(mine, &name, &value)?;
        if value.type_index == kTVMFFIFunction {
            t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), handle, 0))?;
        }
        // How many references a table takes is its own affair.
        let (strong, weak) = t.counts(handle)?;
        t.ok(t.api.TVMFFIObjectIncRef(handle))?;
        t.ok(t.api.TVMFFIObjectDecRef(handle))?;
        t.eq(format_args!("counts of {what} after one more was given up"), t.counts(handle)?, (strong, weak))?;
        t.ok(t.api.TVMFFIObjectDecRef(object.into_any().payload() as TVMFFIObjectHandle))?;
        t.eq(format_args!("counts of {what} without its maker's"), t.counts(handle)?, (strong - 1, weak))?;
        let left = strong - 1 - all.len() as u32;
        drop(all);
        t.eq(format_args!("counts of {what} that no container holds"), t.counts(handle)?, (left, weak))?;
        t.any_eq(format_args!("{what} as an attribute"), &reflected::attribute(t, &name, mine)?, &value)?;
        if value.type_index == kTVMFFIFunction {
            t.eq(format_args!("{what} as a global"), t.global(&name)?.handle(), handle)?;
        }
    }
    Ok(())
}

/// How errors are raised.
type Raise = fn(&Trial, &Owned) -> Verdict;

const WAYS: [(&str, Raise); 3] = [
    ("TVMFFIErrorSetRaised", |t, error| {
        t.api.TVMFFIErrorSetRaised(error.handle());
        Ok(())
    }),
    ("TVMFFIErrorSetRaised, in the place of another", |t, error| {
        t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"another".as_ptr());
        t.api.TVMFFIErrorSetRaised(error.handle());
        t.api.TVMFFIErrorSetRaised(error.handle());
        Ok(())
    }),
    ("a callee", |t, error| {
        let callee = t.function(error.handle(), raise_self, Some(keep_self))?;
        t.ne("status of a function that raises", t.try_call(&callee, &[], &mut { TVMFFIAny::NONE }), 0)
    }),
];

/// What holds an object besides the caller.
const HOLDERS: [&str; 6] = ["nothing", "ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict", "an error"];

/// Such a holder, where the target has it.
fn hold(t: &Trial, holder: &str, object: TVMFFIAny) -> Verdict<Option<Owned>> {
    match holder {
        "nothing" => Ok(None),
        "an error" if t.api.has("TVMFFIErrorCreateWithCauseAndExtraContext") => {
            error_with(t, b"", null_mut(), object.payload() as TVMFFIObjectHandle).map(Some)
        }
        "an error" => Ok(None),
        _ => {
            let Some(make) = globals::find(t, holder)? else { return Ok(None) };
            t.call(&make, &[view::int(1), object]).map(Some)
        }
    }
}

/// How many forms of errors there are.
const FORMS: usize = 9;

/// An error of a form, which the caller alone holds; none where the target has no such error.
fn make(t: &Trial, form: usize) -> Verdict<Option<(String, Owned)>> {
    let long = "  File \"a.c\", line 1, in f\n".repeat(200);
    let (plain, own) = ("an error", "an error of a client's");
    if (3..=6).contains(&form) && !t.api.has("TVMFFIErrorCreateWithCauseAndExtraContext") {
        return Ok(None);
    }
    let cause = |kind: &str| t.new_error(kind, "the cause", "");
    let (what, error) = match form {
        0 => (plain.to_owned(), t.new_error("ValueError", "of some form", "")?),
        1 => (format!("{plain} with a backtrace"), t.new_error("ValueError", "of some form", "  File \"a\"\n")?),
        2 => (format!("{plain} with a long backtrace"), t.new_error("ValueError", "of some form", &long)?),
        3 => (format!("{plain} with a cause"), error_with(t, b"", cause("TypeError")?.handle(), null_mut())?),
        4 => {
            let context = t.string(b"a context that is not short")?;
            (format!("{plain} with a context"), error_with(t, b"", null_mut(), context.handle())?)
        }
        5 => {
            let (cause, context) = (cause("TypeError")?, t.call_global("ffi.Array", &[view::int(1)])?);
            let error = error_with(t, long.as_bytes(), cause.handle(), context.handle())?;
            (format!("{plain} with a cause, a context and a long backtrace"), error)
        }
        6 => {
            let inner = error_with(t, b"", cause("TypeError")?.handle(), null_mut())?;
            (format!("{plain} whose cause has one"), error_with(t, b"", inner.handle(), null_mut())?)
        }
        7 => (own.to_owned(), t.own(Homemade::new(kTVMFFIError, error_cell()).view())),
        _ => {
            let cause = cause("TypeError")?.into_any().payload() as TVMFFIObjectHandle;
            // Nobody but the error refers to its cause, which is kept for the life of the process.
            homemade::retain(cause);
            let cell = TVMFFIErrorCell { cause_chain: cause, ..error_cell() };
            (format!("{own} with a cause"), t.own(Homemade::new(kTVMFFIError, cell).view()))
        }
    };
    Ok(Some((what, error)))
}

/// An error with this backtrace, cause and context.
fn error_with(t: &Trial, backtrace: &[u8], cause: TVMFFIObjectHandle, context: TVMFFIObjectHandle) -> Verdict<Owned> {
    let [kind, message, backtrace] = [&b"ValueError"[..], b"of some form", backtrace].map(TVMFFIByteArray::new);
    let mut error = null_mut();
    let api = &t.api;
    t.ok(api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace, cause, context, &mut error))?;
    t.own_object("the new error", error)
}
