//! The way into a call: arguments, whose references the caller keeps.

use std::{ffi::c_void, ptr::null_mut};

use proptest::{collection::vec, prelude::any};
use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, callback::keep_self, forms, view},
    trial::Trial,
};

/// A callee receives each argument with its sixteen bytes unchanged.
#[check(FUN_0007)]
fn args_verbatim(t: &Trial) -> Verdict {
    for this in [null_mut(), SELF] {
        let function = t.function(this, record, None)?;
        let args = graffiti(9);
        t.call(&function, &args)?;
        received(t, &args)?;
    }
    Ok(())
}

/// A callee receives arguments of random types and contents unchanged.
#[check(FUN_0007)]
fn args_any_bytes(t: &Trial) -> Verdict {
    let function = t.function(null_mut(), record, None)?;
    t.property(vec((0..8_u8, any::<u64>()), 0..12), |args| {
        let args: Vec<TVMFFIAny> = args.iter().map(|&(kind, bits)| plain(kind, bits)).collect();
        t.call(&function, &args)?;
        received(t, &args).map(drop)
    })
}

/// A value that refers to nothing, of a kind and with content that are up to chance.
fn plain(kind: u8, bits: u64) -> TVMFFIAny {
    let text = bits.to_ne_bytes();
    let short = |type_index| forms::inline(type_index, &text[..usize::from(text[7] % 8)]).unwrap_or(TVMFFIAny::NONE);
    match kind {
        0 => view::int(bits as i64),
        1 => view::float(f64::from_bits(bits)),
        2 => view::bool(bits % 2 == 1),
        3 => view::pointer(bits as *mut c_void),
        4 => TVMFFIAny::NONE,
        5 => TVMFFIAny::new(kTVMFFIDataType, bits & 0xffff_ffff),
        6 => short(kTVMFFISmallStr),
        _ => short(kTVMFFISmallBytes),
    }
}

/// A callee receives a String or Bytes in the form in which its caller passed it.
#[check(FUN_0007)]
fn args_in_every_form(t: &Trial) -> Verdict {
    let function = t.function(SELF, record, None)?;
    for text in [&b""[..], b"seven_b", b"eight_by", b"a\0b"] {
        for form in forms::of_string(text).into_iter().chain(forms::of_bytes(text)) {
            let args = [view::int(1), form.view];
            t.call(&function, &args)?;
            received(t, &args).map_err(|failure| failure.noting(format!("passed as {}", form.name)))?;
        }
    }
    Ok(())
}

/// A callee receives a reference to an object that it may move, which it leaves where it is.
#[check(FUN_0007)]
fn args_by_rvalue_reference(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let objects = [t.string(b"a string on the heap")?, t.opaque(SELF, keep_self)?, t.call_global("ffi.Array", &[])?];
    for this in [null_mut(), SELF] {
        let function = t.function(this, record, None)?;
        for object in &objects {
            let mut slots = [object.handle(); 2];
            let [first, second] =
                slots.each_mut().map(|slot| TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(slot) as u64));
            let (args, before) = ([view::int(1), first, object.any(), second], t.counts(object.handle())?);
            t.call(&function, &args)?;
            received(t, &args)?;
            t.eq("what the caller's slots hold after the call", slots, [object.handle(); 2])?;
            t.eq("the counts of the object after the call", t.counts(object.handle())?, before)?;
        }
    }
    Ok(())
}

/// A call without arguments may pass NULL for them and arrives with num_args 0.
#[check(FUN_0008)]
fn no_args(t: &Trial) -> Verdict {
    for this in [null_mut(), SELF] {
        let function = t.function(this, record, None)?;
        let mut result = TVMFFIAny::NONE;
        t.ok(t.api.TVMFFIFunctionCall(function.handle(), null_mut(), 0, &mut result))?;
        t.eq("num_args that the callee received", seen().num_args, 0)?;
    }
    Ok(())
}

/// A callee receives up to seventy thousand arguments unchanged.
#[check(FUN_0009)]
fn many_args(t: &Trial) -> Verdict {
    let function = t.function(SELF, record, None)?;
    for count in [1, 16, 17, 64, 255, 256, 257, 1000, 32_768, 70_000] {
        let args = graffiti(count);
        t.call(&function, &args)?;
        received(t, &args)?;
    }
    Ok(())
}

/// A call leaves the counts of the objects among its arguments as they were, whether it succeeds or fails.
#[check(FUN_0015)]
fn args_borrowed(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let objects = [t.string(b"a string on the heap")?, t.new_error("ValueError", "an argument", "")?];
    let args = objects.each_ref().map(Owned::any);
    let before = [t.counts(objects[0].handle())?, t.counts(objects[1].handle())?];
    for (of, callee) in [("succeeds", record as TVMFFISafeCallType), ("fails", fail)] {
        let function = t.function(null_mut(), callee, None)?;
        let _ = status_of(t, &function, &args);
        for (object, before) in objects.iter().zip(before) {
            let what = format!("counts of an argument of type {} after a call that {of}", object.any().type_index);
            t.eq(what, t.counts(object.handle())?, before)?;
        }
    }
    Ok(())
}

/// A call leaves the counts of the function as they were, whether it succeeds or fails.
#[check(FUN_0016)]
fn count_kept(t: &Trial) -> Verdict {
    t.serve_callbacks();
    for (of, callee) in [("succeeds", record as TVMFFISafeCallType), ("fails", fail)] {
        for this in [null_mut(), SELF] {
            let function = t.function(this, callee, None)?;
            for _ in 0..3 {
                let _ = status_of(t, &function, &[]);
            }
            t.eq(format_args!("counts of a function after a call that {of}"), t.counts(function.handle())?, (1, 1))?;
        }
    }
    Ok(())
}

/// TVMFFIFunctionCall raises an error for a NULL function.
#[check(FUN_0022)]
fn null_handle(t: &Trial) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    let status = t.api.TVMFFIFunctionCall(null_mut(), null_mut(), 0, &mut result);
    t.raises(status, &[]).map(drop)
}
