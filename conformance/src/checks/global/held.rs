//! How often the table holds a function.

use tvm_ffi_spec::clause::id;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, callback},
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
