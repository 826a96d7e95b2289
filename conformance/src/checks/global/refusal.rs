//! Registrations that are refused: what was under the name, and what was not, is so still.

use std::ptr::null_mut;

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{Failure, Verdict, view},
    trial::Trial,
};

/// Registering a function under a taken name without allow_override raises an error, and the name keeps its function.
#[check(GLB_0005)]
fn refuses_taken(t: &Trial) -> Verdict {
    let (old, new) = (tagged(t, 1)?, tagged(t, 2)?);
    // What a message says of a name is no directive.
    set(t, "verify.%s%n%s%n", &old)?;
    t.raises(try_set(t, "verify.%s%n%s%n", &new, false), &[])?;
    leads_to(t, "verify.%s%n%s%n", &old)?;
    set(t, "verify.taken", &old)?;
    t.raises(try_set(t, "verify.taken", &new, false), &[])?;
    leads_to(t, "verify.taken", &old)?;
    t.raises(try_set(t, "verify.taken", &old, false), &[]).map(drop)
}

/// Registering the name of a function of the library without allow_override raises an error.
#[check(GLB_0005)]
fn refuses_own(t: &Trial) -> Verdict {
    let (name, new) = ("ffi.FunctionRemoveGlobal", tagged(t, 2)?);
    let old = found(t, name)?;
    t.raises(try_set(t, name, &new, false), &[])?;
    leads_to(t, name, &old)
}

/// What was under a name, and what was not, is so still when something was refused to be registered there, for whatever reason.
#[check(GLB_0001, GLB_0014, GLB_0003, GLB_0020)]
fn stays_when_another_is_refused(t: &Trial) -> Verdict {
    let (old, new, text) = (tagged(t, 1)?, tagged(t, 2)?, t.string(b"a text of more than seven bytes")?);
    let array = t.call_global("ffi.Array", &[new.any()])?;
    let metadata = r#"{"of": "the first"}"#;
    let of_no_function = [
        TVMFFIAny::NONE,
        view::bool(false),
        view::int(5),
        view::float(0.0),
        view::pointer(null_mut()),
        text.any(),
        array.any(),
    ];
    let place =
        |name: &str| -> Verdict<usize> { Ok(listed(t)?.iter().filter(|listed| *listed == name.as_bytes()).count()) };
    for (number, with_metadata) in [false, true].into_iter().enumerate() {
        let taken: &'static str = ["v.taken", "verify.taken-by-one-that-is-not-short"][number];
        let take = || match with_metadata {
            true => t.ok(try_set_info(t, &info(taken, metadata, old.any()), false)),
            false => set(t, taken, &old),
        };
        take()?;
        let counts = t.counts(old.handle())?;
        let stays = |what: &str| -> Verdict {
            let note = |failure: Box<Failure>| failure.noting(format!("{what} was refused"));
            t.clause(id::GLB_0001);
            leads_to(t, taken, &old).map_err(note)?;
            t.eq("counts of the function under the name", t.counts(old.handle())?, counts).map_err(note)?;
            t.eq("answer of the function under the name", call_tag(t, &found(t, taken)?)?, 1).map_err(note)?;
            t.clause(id::GLB_0014);
            let expected = if with_metadata { metadata } else { "" };
            t.eq("metadata of the function", metadata_of(t, taken)?, expected.to_owned()).map_err(note)?;
            t.clause(id::GLB_0020);
            t.eq("times that the name is listed", place(taken)?, 1).map_err(note)
        };
        for door in DOORS {
            if door(t, taken.as_bytes(), &new, false) != 0 {
                t.api.release_raised();
                stays("another function")?;
            }
        }
        for (value, allow_override) in of_no_function.iter().flat_map(|value| [(value, false), (value, true)]) {
            for (name, is_taken) in [(taken, true), ("verify.free", false)] {
                // Whether it has to be refused is for other clauses to say.
                if try_set_info(t, &info(name, "another's", *value), allow_override) != 0 {
                    t.api.release_raised();
                    let what = format!(
                        "{value:?} as a function, {}",
                        if allow_override { "in place of another" } else { "unless it is taken" }
                    );
                    if is_taken {
                        stays(&what)?;
                    } else {
                        t.clause(id::GLB_0003);
                        is_free(t, name).map_err(|failure| failure.noting(format!("{what} was refused")))?;
                    }
                } else {
                    // What stands there now may be nothing that is found.
                    remove(t, name)?;
                    if is_taken {
                        take()?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A registration of a global function that is refused takes no reference to the function.
#[check(GLB_0006)]
fn refused_not_held(t: &Trial) -> Verdict {
    let (old, new) = (tagged(t, 1)?, tagged(t, 2)?);
    set(t, "verify.taken", &old)?;
    let before = t.counts(old.handle())?.0;
    t.raises(try_set(t, "verify.taken", &new, false), &[])?;
    t.eq("strong count of the function refused", t.counts(new.handle())?.0, 1)?;
    t.raises(try_set_info(t, &info("verify.taken", "", new.any()), false), &[])?;
    t.eq("strong count of the function refused in a method info", t.counts(new.handle())?.0, 1)?;
    t.eq("strong count of the function registered", t.counts(old.handle())?.0, before)
}
