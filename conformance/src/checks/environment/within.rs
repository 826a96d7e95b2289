//! Allocators and streams that are set while the library waits for a function of the client's.

use std::{
    ffi::{c_int, c_void},
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::{clause::id, *};

use super::{
    allocation::{allocate, stride},
    allocator::{name_of, uses},
    kit::{Allocator, GLOBAL, OWN, ROW_STRIDE, plain, refuse, rows, set_allocator},
};
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::{self, Body, raise},
    },
    trial::Trial,
};

/// What is to be set next: an allocator or none, and where.
static NEXT: Mutex<Option<(Option<Allocator>, c_int)>> = Mutex::new(None);

/// Sets it, and a stream, from within a call of the library.
fn set_next() {
    let next = NEXT.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let (Some((allocator, place)), Some(api)) = (next, callback::api()) {
        api.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, place, std::ptr::null_mut());
        api.TVMFFIEnvSetStream(kDLCUDA, 1, STREAM, std::ptr::null_mut());
    }
}

const STREAM: TVMFFIStreamHandle = std::ptr::without_provenance_mut(0x6161);

/// When an allocator at work sets another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    BeforeItMakes,
    AfterItMade,
    BeforeItFails,
}

static WHEN: Mutex<When> = Mutex::new(When::BeforeItMakes);

/// Who sets it: an allocator at work, or else a function or the end of an object.
type Setter = (&'static str, Option<When>);

const SETTERS: [Setter; 6] = [
    ("an allocator that makes a tensor then", Some(When::BeforeItMakes)),
    ("an allocator that has made a tensor", Some(When::AfterItMade)),
    ("an allocator that fails then", Some(When::BeforeItFails)),
    ("a function", None),
    ("a function that fails", None),
    ("the end of an object", None),
];

/// An allocator that sets another while it is at work.
unsafe extern "C" fn set_at_work(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    context: *mut c_void,
    set_error: Option<DLPackSetError>,
) -> c_int {
    let when = *WHEN.lock().unwrap_or_else(PoisonError::into_inner);
    if when != When::AfterItMade {
        set_next();
    }
    let work = if when == When::BeforeItFails { refuse } else { rows };
    // SAFETY: what this function was given.
    let status = unsafe { work(prototype, out, context, set_error) };
    // Once is all that it does.
    set_next();
    status
}

/// Has one of the setters set what is next.
fn has_set(t: &Trial, setter: Setter) -> Verdict {
    let sets: Body = |_, _| {
        set_next();
        Some(TVMFFIAny::NONE)
    };
    let sets_and_fails: Body = |api, _| {
        set_next();
        raise(api, c"KeyError", c"after an allocator was set")
    };
    unsafe extern "C" fn set_at_end(_: *mut c_void) {
        set_next();
    }
    match setter {
        (_, Some(when)) => {
            *WHEN.lock().unwrap_or_else(PoisonError::into_inner) = when;
            let mut out = std::ptr::null_mut();
            if allocate(t, &[2, 3], &mut out) == 0 {
                drop(t.own_object("the tensor", out)?);
            }
            t.take_raised();
            Ok(())
        }
        ("a function", _) => t.call(&t.callback(sets)?, &[]).map(drop),
        ("a function that fails", _) => t.call_fails(&t.callback(sets_and_fails)?, &[], &[]).map(drop),
        _ => {
            drop(t.opaque(std::ptr::dangling_mut(), set_at_end)?);
            Ok(())
        }
    }
}

/// An allocator that is set, for its thread or for all, or taken away, by an allocator at work, by a function that is called or at the end of an object
/// stays set or away when that has returned or failed; so does a stream.
#[check(ENV_0010, ENV_0011, ENV_0013, ENV_0024, ENV_0002)]
fn allocators_that_a_call_sets_stay(t: &Trial) -> Verdict {
    t.serve_callbacks();
    // Whether NULL stands for none is for another clause to say.
    let none = t.api.TVMFFIEnvGetDLPackManagedTensorAllocator();
    let next = [None, Some(rows as Allocator), Some(plain)].into_iter();
    let next: Vec<_> = next.flat_map(|allocator| [OWN, GLOBAL].map(|place| (allocator, place))).collect();
    for (setter, is_global) in SETTERS.into_iter().flat_map(|setter| [(setter, false), (setter, true)]) {
        for &(allocator, place) in &next {
            let at_first: Allocator = if setter.1.is_some() { set_at_work } else { plain };
            t.clause(match (allocator, place) {
                (None, _) => id::ENV_0013,
                (_, GLOBAL) => id::ENV_0011,
                _ => id::ENV_0010,
            });
            set_allocator(t, None, GLOBAL)?;
            if is_global {
                t.threads(1, |t, _| set_allocator(t, Some(at_first), GLOBAL))?;
            } else {
                set_allocator(t, Some(at_first), OWN)?;
            }
            t.ok(t.api.TVMFFIEnvSetStream(kDLCUDA, 1, std::ptr::null_mut(), std::ptr::null_mut()))?;
            *NEXT.lock().unwrap_or_else(PoisonError::into_inner) = Some((allocator, place));
            has_set(t, setter)?;
            // Which allocator is asked is for another clause to say.
            if NEXT.lock().unwrap_or_else(PoisonError::into_inner).take().is_some() {
                continue;
            }
            let own = allocator;
            let global = if place == GLOBAL { allocator } else { is_global.then_some(at_first) };
            let after = format!(
                "after {} has set {} {}",
                setter.0,
                name_of(allocator),
                if place == GLOBAL { "for all threads" } else { "for its own" }
            );
            uses(t, &after, own.or(global).or(none))?;
            t.threads(1, |t, _| uses(t, &format!("of another thread, {after}"), global.or(none)))?;
            t.clause(id::ENV_0002);
            let stream = t.api.TVMFFIEnvGetStream(kDLCUDA, 1);
            t.eq(format_args!("stream, {after} and a stream"), stream as usize, STREAM as usize)?;
            t.clause(id::ENV_0024);
            for (with, expected) in [(rows as Allocator, ROW_STRIDE), (plain, 3)] {
                if own.or(global).is_some_and(|used| used as usize == with as usize) {
                    t.eq(format_args!("stride {after}"), stride(t)?, expected)?;
                }
            }
        }
    }
    Ok(())
}
