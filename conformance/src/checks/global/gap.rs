//! What is under a name while a function that was under it ends.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, api::Api, callback, homemade::Homemade, text_of, view},
    trial::Trial,
};

/// A name under which a function is replaced is free at no time: the end of the former function finds the new one under it, and cannot register
/// another without allow_override, whichever functions of the ABI have registered the two.
#[check(GLB_0007, GLB_0005)]
fn no_gap_while_replaced(t: &Trial) -> Verdict {
    each_replacement(t, |kind, new, third, seen| {
        t.clause(id::GLB_0007);
        let while_it = format!("while {kind} that was replaced ends");
        t.eq(format_args!("what is found under the name {while_it}"), seen.found as TVMFFIObjectHandle, new.handle())?;
        t.clause(id::GLB_0005);
        t.eq(format_args!("registrations without allow_override {while_it}"), seen.registered, 0)?;
        t.eq("counts of a function that was refused", t.counts(third.handle())?, (1, 1))
    })
}

/// A name under which a function is replaced is listed once while the former function ends, too.
#[check(GLB_0020)]
fn listed_while_replaced(t: &Trial) -> Verdict {
    each_replacement(t, |kind, _, _, seen| {
        t.eq(format_args!("how often the name is listed while {kind} that was replaced ends"), seen.listed, 1)
    })
}

/// Hands what the end of a function that was replaced has seen to a test, with the new function and that which it has tried to register.
fn each_replacement(t: &Trial, test: impl Fn(&str, &Owned, &Owned, Seen) -> Verdict) -> Verdict {
    t.serve_callbacks();
    for (first, second) in DOORS.into_iter().flat_map(|first| DOORS.map(|second| (first, second))) {
        for (kind, name) in KINDS.into_iter().flat_map(|kind| [(kind, "v.g"), (kind, "verify.a-name-without-a-gap")]) {
            let (former, new, third) = (watching(t, kind, name)?, tagged(t, 2)?, tagged(t, 3)?);
            t.ok(first(t, name.as_bytes(), &t.own(former), true))?;
            let counts = t.counts(new.handle())?;
            let seen = seen_by_the_end(t, kind, &third, || t.ok(second(t, name.as_bytes(), &new, true)))?;
            test(kind, &new, &third, seen)?;
            leads_to(t, name, &new)?;
            t.eq("counts of the new function", t.counts(new.handle())?, (counts.0 + 1, counts.1))?;
            free(t, name)?;
        }
    }
    Ok(())
}

/// What the end of the function that a change takes out of the table has seen; it tries to register another.
fn seen_by_the_end(t: &Trial, kind: &str, third: &Owned, change: impl FnOnce() -> Verdict) -> Verdict<Seen> {
    THIRD.store(third.handle() as usize, SeqCst);
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).clear();
    change()?;
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    t.eq(format_args!("times {kind} that left the table has ended"), seen.len(), 1)?;
    Ok(seen[0])
}

/// A name that is removed is free when the function that was under it ends: nothing is found under it, it is not listed, and another function can be
/// registered.
#[check(GLB_0031, GLB_0018, GLB_0020, GLB_0032)]
fn free_while_removed(t: &Trial) -> Verdict {
    t.serve_callbacks();
    for (kind, name) in KINDS.into_iter().flat_map(|kind| [(kind, "v.g"), (kind, "verify.a-name-that-is-freed")]) {
        for door in DOORS {
            t.clause(id::GLB_0031);
            let (former, third) = (watching(t, kind, name)?, tagged(t, 3)?);
            t.ok(door(t, name.as_bytes(), &t.own(former), true))?;
            let seen = seen_by_the_end(t, kind, &third, || remove(t, name))?;
            t.clause(id::GLB_0018);
            let while_it = format!("while {kind} that was removed ends");
            t.eq(
                format_args!("what is found under the name {while_it}"),
                seen.found as TVMFFIObjectHandle,
                null_mut(),
            )?;
            t.clause(id::GLB_0020);
            t.eq(format_args!("how often the name is listed {while_it}"), seen.listed, 0)?;
            t.clause(id::GLB_0032);
            t.eq(format_args!("registrations without allow_override {while_it}"), seen.registered, 1)?;
            leads_to(t, name, &third)?;
            free(t, name)?;
        }
    }
    Ok(())
}

/// What ends when the table gives it up.
const KINDS: [&str; 2] = ["a function with a closure", "a client's own function object"];

/// What the end of a function has seen of the name that it was under.
#[derive(Clone, Copy)]
struct Seen {
    found: usize,
    listed: usize,
    /// How many registrations without allow_override have succeeded.
    registered: usize,
}

/// What ends have seen.
static SEEN: Mutex<Vec<Seen>> = Mutex::new(Vec::new());
/// The name that they look at.
static NAME: Mutex<&str> = Mutex::new("");
/// The function that they try to register.
static THIRD: AtomicUsize = AtomicUsize::new(0);
/// The function that makes functions which list names.
static LISTER: AtomicUsize = AtomicUsize::new(0);

/// A function whose end looks at its name; the reference is the caller's.
fn watching(t: &Trial, kind: &str, name: &'static str) -> Verdict<TVMFFIAny> {
    unsafe extern "C" fn end_closure(_: *mut c_void) {
        look();
    }
    unsafe extern "C" fn end_own(_: TVMFFIObjectHandle, flags: c_int) {
        if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
            look();
        }
    }
    *NAME.lock().unwrap_or_else(PoisonError::into_inner) = name;
    if LISTER.load(SeqCst) == 0 {
        // It lives as long as the process.
        let lister = t.global("ffi.FunctionListGlobalNamesFunctor")?.into_any();
        LISTER.store(lister.payload() as usize, SeqCst);
    }
    if kind == KINDS[0] {
        return Ok(t.function(std::ptr::dangling_mut(), answer_self, Some(end_closure))?.into_any());
    }
    let cell = TVMFFIFunctionCell { safe_call: Some(answer_self), cpp_call: null_mut() };
    Ok(Homemade::with_deleter(kTVMFFIFunction, cell, Some(end_own)).view())
}

/// Looks at the name, as the end of a function may.
fn look() {
    let Some(api) = callback::api() else { return };
    let name = *NAME.lock().unwrap_or_else(PoisonError::into_inner);
    let array = TVMFFIByteArray::new(name.as_bytes());
    let (mut found, mut seen) = (null_mut(), Seen { found: 0, listed: 0, registered: 0 });
    if api.TVMFFIFunctionGetGlobal(&array, &mut found) == 0 && !found.is_null() {
        seen.found = found as usize;
        api.TVMFFIObjectDecRef(found);
    }
    seen.listed = times_listed(api, name.as_bytes()).unwrap_or(usize::MAX);
    match api.TVMFFIFunctionSetGlobal(&array, THIRD.load(SeqCst) as TVMFFIObjectHandle, 0) {
        0 => seen.registered += 1,
        _ => api.release_raised(),
    }
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).push(seen);
}

/// How often a name is listed now.
fn times_listed(api: &Api, name: &[u8]) -> Option<usize> {
    let names = callback::call(api, LISTER.load(SeqCst) as TVMFFIObjectHandle, &[])?.payload() as TVMFFIObjectHandle;
    let count = callback::call(api, names, &[view::int(-1)])?.payload() as i64;
    let mut times = 0;
    for at in 0..count {
        let listed = callback::call(api, names, &[view::int(at)])?;
        times += usize::from(text_of(&listed).as_deref() == Some(name));
        if listed.type_index >= kTVMFFIStaticObjectBegin {
            api.TVMFFIObjectDecRef(listed.payload() as TVMFFIObjectHandle);
        }
    }
    api.TVMFFIObjectDecRef(names);
    Some(times)
}
