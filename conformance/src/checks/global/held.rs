//! How often the table holds a function.

use std::ffi::c_void;

use tvm_ffi_spec::{TVMFFIAny, TVMFFIObjectHandle, clause::id, kTVMFFIFunction};

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, callback, homemade},
    trial::Trial,
};

/// The table of global functions holds one reference to a function for each name that leads to it, also when the function takes its own
/// place, or that of another and gets it back, whichever function of the ABI registers it.
#[check(GLB_0008, GLB_0019)]
fn replaced_by_itself(t: &Trial) -> Verdict {
    for (first, second) in DOORS.into_iter().flat_map(|first| DOORS.map(|second| (first, second))) {
        for name in ["v.s", "verify.a-name-that-is-not-short"] {
            takes_its_own_place(t, first, second, name)?;
        }
    }
    Ok(())
}

fn takes_its_own_place(t: &Trial, first: Door, second: Door, name: &str) -> Verdict {
    let (one, other) = (counted(t, 1)?, counted(t, 2)?);
    let strong = |step: &str, expected: (u32, u32)| -> Verdict {
        let got = (t.counts(one.handle())?.0, t.counts(other.handle())?.0);
        t.eq(format_args!("strong counts of both functions {step}"), got, expected)
    };
    let put = |door: Door, name: &str, function: &Owned| t.ok(door(t, name.as_bytes(), function, true));
    t.clause(id::GLB_0008);
    put(first, name, &one)?;
    strong("with the first registered", (2, 1))?;
    for _ in 0..3 {
        put(second, name, &one)?;
        strong("with the first registered over itself", (2, 1))?;
        leads_to(t, name, &one)?;
    }
    put(first, name, &other)?;
    strong("with the second in place of the first", (1, 2))?;
    put(second, name, &other)?;
    strong("with the second registered over itself", (1, 2))?;
    put(second, name, &one)?;
    strong("with the first in its place again", (2, 1))?;
    put(first, "verify.another-name", &one)?;
    strong("with the first under two names", (3, 1))?;
    put(second, "verify.another-name", &one)?;
    strong("with the first under two names, under one over itself", (3, 1))?;
    t.clause(id::GLB_0019);
    free(t, name)?;
    strong("with one of two names removed", (2, 1))?;
    free(t, "verify.another-name")?;
    strong("with both names removed", (1, 1))?;
    let ended = callback::ends();
    drop((one, other));
    t.eq("times a deleter ran once nobody held the functions", callback::ends() - ended, 2)
}

/// The table of global functions gives up a function that is replaced or removed, though weak references to it are left, whichever function of the
/// ABI has registered it and the one in its place.
#[check(GLB_0008, GLB_0019)]
fn given_up_while_weak(t: &Trial) -> Verdict {
    for (first, second) in DOORS.into_iter().flat_map(|first| DOORS.map(|second| (first, second))) {
        for (name, weak) in [("v.w", 1), ("v.w", 3), ("verify.a-name-that-is-not-short", 1)] {
            let put = |door: Door, function: Owned| -> Verdict<TVMFFIObjectHandle> {
                t.ok(door(t, name.as_bytes(), &function, true))?;
                let handle = function.handle();
                (0..weak).for_each(|_| homemade::retain_weak(handle));
                drop(function);
                t.eq("strong count of a function that the table alone holds", t.counts(handle)?.0, 1).map(|()| handle)
            };
            let is_gone = |what: &str, function: TVMFFIObjectHandle, ended: usize| -> Verdict {
                t.eq(format_args!("times a deleter ran when a function was {what}"), callback::ends() - ended, 1)?;
                t.eq(format_args!("strong count of a function that was {what}"), t.counts(function)?.0, 0)?;
                (0..weak).for_each(|_| homemade::release_weak(function));
                Ok(())
            };
            let one = put(first, counted(t, 1)?)?;
            let ended = callback::ends();
            t.clause(id::GLB_0008);
            let other = put(second, counted(t, 2)?)?;
            is_gone("replaced", one, ended)?;
            let ended = callback::ends();
            t.clause(id::GLB_0019);
            free(t, name)?;
            is_gone("removed", other, ended)?;
        }
    }
    Ok(())
}

/// A function that nobody holds but the function under a name, as the self of that, can be registered in its place, whichever function of the ABI
/// does so.
#[check(GLB_0007)]
fn replaced_by_what_it_holds(t: &Trial) -> Verdict {
    unsafe extern "C" fn give_up(function: *mut c_void) {
        homemade::release(function);
    }
    for (first, second) in DOORS.into_iter().flat_map(|first| DOORS.map(|second| (first, second))) {
        for name in ["v.h", "verify.another-name-that-is-not-short"] {
            let inner = counted(t, 7)?.into_any().payload() as TVMFFIObjectHandle;
            let ended = callback::ends();
            let outer = t.function(inner, answer_self, Some(give_up))?;
            t.ok(first(t, name.as_bytes(), &outer, true))?;
            drop(outer);
            // What has ended too early is told, and not read.
            homemade::retain_weak(inner);
            // It is lent by the function that it replaces.
            let lent = t.own(TVMFFIAny::new(kTVMFFIFunction, inner as u64));
            let status = second(t, name.as_bytes(), &lent, true);
            let _ = lent.into_any();
            t.ok(status)?;
            t.eq("ends of a function that replaces the one that held it", callback::ends() - ended, 0)?;
            t.eq("strong count of a function that replaces the one that held it", t.counts(inner)?.0, 1)?;
            let found = found(t, name)?;
            t.eq("what the function under the name answers", call_tag(t, &found)?, 7)?;
            drop(found);
            free(t, name)?;
            t.eq("ends of that function, once its name is free", callback::ends() - ended, 1)?;
            homemade::release_weak(inner);
        }
    }
    Ok(())
}
