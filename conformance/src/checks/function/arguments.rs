//! The way into a call: arguments, whose references the caller keeps.

use std::ptr::null_mut;

use proptest::{collection::vec, prelude::any};
use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict},
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
    // Values that refer to nothing: whoever follows their payload goes astray.
    let arg = (0..128_i32, any::<u32>(), any::<u64>());
    t.property(vec(arg, 0..12), |args| {
        let value = |&(type_index, aux, payload): &(i32, u32, u64)| TVMFFIAny {
            type_index,
            aux: TVMFFIAnyAux { zero_padding: aux },
            value: TVMFFIAnyValue { v_uint64: payload },
        };
        let args: Vec<TVMFFIAny> = args.iter().map(value).collect();
        t.call(&function, &args)?;
        received(t, &args).map(drop)
    })
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

/// A callee receives a thousand arguments unchanged.
#[check(FUN_0009)]
fn many_args(t: &Trial) -> Verdict {
    let function = t.function(SELF, record, None)?;
    for count in [1, 16, 17, 64, 255, 256, 1000] {
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
    for (of, callee) in [("succeeds", record as TVMFFISafeCallType), ("fails", fail)] {
        let function = t.function(null_mut(), callee, None)?;
        let _ = status_of(t, &function, &args);
        for object in &objects {
            let what = format!("counts of an argument of type {} after a call that {of}", object.any().type_index);
            t.eq(what, t.counts(object.handle())?, (1, 1))?;
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
            t.eq(format!("counts of a function after a call that {of}"), t.counts(function.handle())?, (1, 1))?;
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
