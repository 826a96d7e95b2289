//! What gives back, with no memory at all.

use std::ffi::c_void;

use tvm_ffi_spec::*;

use super::{kit::LONG, records, tensors::exported};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{self, count_end, return_none},
        globals,
        homemade::{self, Homemade},
        reflected, set_failed, types, view,
    },
    trial::{
        Trial,
        scarcity::{Refused, Scarcity},
    },
};

/// The last reference to an object of any kind is given up, and all its memory given back, while every request for memory is refused.
#[check(MEM_0004)]
fn releases_objects(t: &Trial) -> Verdict {
    let (int, long) = (view::int, view::c_str(LONG));
    let numbers: Vec<_> = (0..40).map(int).collect();
    let texts: Vec<_> = (0..20).flat_map(|item| [int(item), long]).collect();
    let this = std::ptr::dangling_mut::<c_void>();
    gives_back(t, "a String", || t.string(LONG.to_bytes()))?;
    gives_back(t, "a Bytes", || t.bytes(LONG.to_bytes()))?;
    gives_back(t, "an Error", || {
        t.new_error("ValueError", "a message that is too long to lie in a value", "somewhere")
    })?;
    if t.api.has("TVMFFIErrorCreateWithCauseAndExtraContext") {
        gives_back(t, "an Error with causes and contexts", || {
            (0..20).try_fold(t.new_error("ValueError", "the first cause", "")?, |cause, _| caused_by(t, &cause))
        })?;
    }
    gives_back(t, "a Function", || t.function(this, return_none, Some(count_end)))?;
    gives_back(t, "an opaque object", || t.opaque(this, count_end))?;
    // Of types that were given an index when the library was loaded.
    for key in ["ffi.reflection.AccessPath", "ffi.reflection.AccessStep"] {
        if let Some(index) = types::find(t, key) {
            gives_back(t, key, || reflected::create(t, index))?;
        }
    }
    for (kind, items) in [
        ("ffi.Array", &texts),
        ("ffi.List", &texts),
        ("ffi.Map", &texts),
        ("ffi.Dict", &texts),
        ("ffi.Shape", &numbers),
    ] {
        if let Some(make) = globals::find(t, kind)? {
            gives_back(t, kind, || t.call(&make, items))?;
            gives_back(t, &format!("an empty {kind}"), || t.call(&make, &[]))?;
        }
    }
    for kind in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
        let Some(make) = globals::find(t, kind)? else { continue };
        let key = if kind == "ffi.Map" || kind == "ffi.Dict" { &[int(1)][..] } else { &[] };
        gives_back(t, &format!("{kind} within {kind}, a thousand deep"), || {
            (0..1000).try_fold(t.call(&make, &[])?, |inner, _| t.call(&make, &[key, &[inner.any()]].concat()))
        })?;
    }
    if let Some(nest) = records::nested(t)? {
        gives_back(t, "an instance of a declared class, a hundred in one another", || nest(100))?;
    }
    let graph = t.string(LONG.to_bytes())?;
    gives_back(t, "an Array of what others hold, too", || t.call_global("ffi.Array", &[graph.any(), graph.any()]))
}

/// A Tensor is given up, and its memory given back to the producer, while every request for memory is refused, by its last reference and by the
/// deleter of an export.
#[check(MEM_0004)]
fn gives_tensors_back(t: &Trial) -> Verdict {
    without_memory(t, |scarcity, refused| exported(t, |give_back| scarcity.refuse(refused, give_back).0))
}

/// An error that is raised is taken, and ends with its last reference, while every request for memory is refused.
#[check(MEM_0004)]
fn takes_errors(t: &Trial) -> Verdict {
    let long = "a message that is too long to lie in a value";
    for has_cause in [false, true] {
        if has_cause && !t.api.has("TVMFFIErrorCreateWithCauseAndExtraContext") {
            continue;
        }
        without_memory(t, |scarcity, refused| {
            let mut error = t.new_error("ValueError", long, "")?;
            if has_cause {
                error = caused_by(t, &error)?;
            }
            t.api.TVMFFIErrorSetRaised(error.handle());
            let mut taken = std::ptr::null_mut();
            scarcity.refuse(refused, || t.api.TVMFFIErrorMoveFromRaised(&mut taken));
            t.eq("the raised error", taken, error.handle())?;
            scarcity.refuse(refused, || t.api.release(taken));
            t.eq("counts of the error that was taken", t.counts(error.handle())?, (1, 1))
        })?;
    }
    Ok(())
}

/// An Error that another one is the cause and the context of.
fn caused_by(t: &Trial, cause: &Owned) -> Verdict<Owned> {
    let (kind, text) = (TVMFFIByteArray::new(b"ValueError"), TVMFFIByteArray::new(LONG.to_bytes()));
    let (cause, mut out) = (cause.handle(), std::ptr::null_mut());
    t.ok(t.api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &text, &text, cause, cause, &mut out))?;
    t.own_object("the new Error", out)
}

/// Objects of a client's own that lie in a container end once each when it does, while every request for memory is refused.
#[check(MEM_0004)]
fn ends_what_lies_within(t: &Trial) -> Verdict {
    for kind in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
        let Some(make) = globals::find(t, kind)? else { continue };
        without_memory(t, |scarcity, refused| {
            let objects: Vec<_> = (0..6).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
            let container = t.call(&make, &objects.iter().map(Homemade::view).collect::<Vec<_>>())?;
            // The container is the only one that holds them.
            objects.iter().for_each(|object| homemade::release(object.handle()));
            scarcity.refuse(refused, || drop(container));
            objects.iter().try_for_each(|object| t.ended_once(format_args!("ends of an object in {kind}"), object))
        })?;
    }
    Ok(())
}

/// Objects of which each holds the next, and is held weakly, end once each, while every request for memory is refused.
#[check(MEM_0004)]
fn ends_what_is_held_weakly(t: &Trial) -> Verdict {
    for kind in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
        let Some(make) = globals::find(t, kind)? else { continue };
        let key = if kind == "ffi.Map" || kind == "ffi.Dict" { &[view::int(1)][..] } else { &[] };
        without_memory(t, |scarcity, refused| {
            let innermost = Homemade::new(kTVMFFIObject, ());
            let mut outer = t.call(&make, &[key, &[innermost.view()]].concat())?;
            homemade::release(innermost.handle());
            let mut held = Vec::new();
            for _ in 0..100 {
                homemade::retain_weak(outer.handle());
                held.push(outer.handle());
                outer = t.call(&make, &[key, &[outer.any()]].concat())?;
            }
            scarcity.refuse(refused, || drop(outer));
            t.ended_once(format_args!("ends of what lies innermost in {kind}"), &innermost)?;
            for weak in held {
                t.eq(format_args!("counts of {kind}, which is held weakly"), t.counts(weak)?, (0, 1))?;
                scarcity.refuse(refused, || homemade::release_weak(weak));
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Expects of something what it is without a shortage, too. What goes wrong then is left to the checks that are about it.
fn without_memory(t: &Trial, expectation: impl Fn(&Scarcity, Refused) -> Verdict) -> Verdict {
    let scarcity = t.scarcity()?;
    if expectation(&scarcity, Refused::From(usize::MAX)).is_err() {
        set_failed(false);
        return Ok(());
    }
    expectation(&scarcity, Refused::From(1))
}

/// Expects that an object, once made, leaves nothing when it is given up while no memory is to be had.
fn gives_back(t: &Trial, what: &str, make: impl Fn() -> Verdict<Owned>) -> Verdict {
    const ROUNDS: usize = 100;
    without_memory(t, |scarcity, refused| {
        let mut kept = 0;
        for _ in 0..ROUNDS {
            let (before, ends) = (scarcity.blocks(), callback::ends());
            let object = make()?;
            let has_deleter = matches!(object.any().type_index, kTVMFFIFunction | kTVMFFIOpaquePyObject);
            scarcity.refuse(refused, || drop(object));
            let ends = callback::ends() - ends;
            t.eq(format_args!("calls of the deleter of {what}"), ends, usize::from(has_deleter))?;
            kept = scarcity.blocks() - before;
            if kept <= 0 {
                return Ok(());
            }
        }
        let kept = format!("{kept} more, each of {ROUNDS} times in a row");
        Err(t.leak(format_args!("blocks of memory of {what}"), "none", kept))
    })
}
