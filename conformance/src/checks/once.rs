//! Handles that are filled once, by whichever thread comes first.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::{
        OnceLock,
        atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering},
    },
};

use crate::{client::api::Api, trial::{check::{Check, check}, Trial, Verdict, let_others_run}};

pub const CHECKS: &[Check] = &[
    check("once.init", "an empty handle is filled", &["ONC-0001"], empty_handle_is_filled),
    check("once.init-filled", "a filled handle stays", &["ONC-0002"], filled_handle_stays),
    check("once.init-again", "a handle is filled once", &["ONC-0002"], handle_is_filled_once),
    check("once.init-fails", "a failure reaches the caller", &["ONC-0003"], init_failure_is_passed_on),
    check("once.init-status", "any status reaches the caller", &["ONC-0003"], init_status_is_passed_on),
    check("once.init-retry", "a handle can be filled after a failure", &["ONC-0004"], init_can_be_tried_again),
    check("once.init-null", "a handle is not filled with NULL", &["ONC-0005"], null_is_no_handle),
    check("once.init-race", "one of many threads fills a handle", &["ONC-0006"], one_thread_initialises).patient(2),
    check("once.init-visible", "every thread sees the handle filled", &["ONC-0007"], all_threads_see_the_handle)
        .patient(2),
    check("once.init-race-fails", "failures on threads are told apart", &["ONC-0008"], failures_on_threads).patient(2),
    check("once.deinit", "a filled handle is emptied", &["ONC-0009"], filled_handle_is_emptied),
    check("once.deinit-again", "a handle is emptied once", &["ONC-0010"], handle_is_emptied_once),
    check("once.deinit-empty", "an empty handle stays", &["ONC-0010"], empty_handle_stays),
    check("once.deinit-fails", "a failure to empty reaches the caller", &["ONC-0011"], deinit_status_is_passed_on),
    check("once.deinit-race", "one of many threads empties a handle", &["ONC-0012"], one_thread_deinitialises)
        .patient(2),
    check("once.round-trip", "a handle can be filled again", &["ONC-0013"], handle_is_filled_again),
    check("once.independent", "handles are independent", &["ONC-0014"], handles_are_independent),
    check("once.deinit-order", "a handle is empty before what it held ends", &["ONC-0015"], handle_is_empty_first),
];

fn empty_handle_is_filled(t: &Trial) -> Verdict {
    let handle = empty();
    t.ok(init(t, &handle, make_thing))?;
    t.eq("calls of the initialiser", MADE.load(Ordering::Relaxed), 1)?;
    is_whole(t, &handle)
}

fn filled_handle_stays(t: &Trial) -> Verdict {
    let handle = filled();
    let before = handle.load(Ordering::Acquire);
    t.ok(init(t, &handle, make_thing))?;
    t.eq("calls of the initialiser", MADE.load(Ordering::Relaxed), 0)?;
    t.eq("the handle", handle.load(Ordering::Acquire), before)
}

fn handle_is_filled_once(t: &Trial) -> Verdict {
    let handle = empty();
    t.ok(init(t, &handle, make_thing))?;
    let first = handle.load(Ordering::Acquire);
    for _ in 0..10 {
        t.ok(init(t, &handle, make_thing))?;
        t.eq("the handle", handle.load(Ordering::Acquire), first)?;
    }
    t.eq("calls of the initialiser", MADE.load(Ordering::Relaxed), 1)
}

fn init_failure_is_passed_on(t: &Trial) -> Verdict {
    static API: OnceLock<Api> = OnceLock::new();
    unsafe extern "C" fn fail_for_a_reason(_: *mut *mut c_void) -> c_int {
        if let Some(api) = API.get() {
            api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"not today".as_ptr());
        }
        -1
    }
    API.get_or_init(|| t.api);
    let handle = empty();
    let raised = t.raises(init(t, &handle, fail_for_a_reason), &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "not today")?;
    is_empty(t, &handle)
}

fn init_status_is_passed_on(t: &Trial) -> Verdict {
    for (status, handle) in &[(-1, empty()), (1, empty()), (42, empty())] {
        STATUS.store(*status, Ordering::Relaxed);
        t.eq("return value", init(t, handle, fail), *status)?;
        is_empty(t, handle)?;
    }
    Ok(())
}

fn init_can_be_tried_again(t: &Trial) -> Verdict {
    STATUS.store(-1, Ordering::Relaxed);
    let handle = empty();
    for _ in 0..3 {
        init(t, &handle, fail);
    }
    t.ok(init(t, &handle, make_thing))?;
    is_whole(t, &handle)
}

fn null_is_no_handle(t: &Trial) -> Verdict {
    unsafe extern "C" fn make_nothing(result: *mut *mut c_void) -> c_int {
        // SAFETY: the caller passes a place for the result.
        unsafe { *result = null_mut() };
        0
    }
    let handle = empty();
    t.raises(init(t, &handle, make_nothing), &[])?;
    is_empty(t, &handle)
}

fn one_thread_initialises(t: &Trial) -> Verdict {
    let handles = many(empty);
    race(t, &handles, |t, handle| t.ok(init(t, handle, make_thing)))?;
    t.eq("calls of the initialiser, one for each handle", MADE.load(Ordering::Relaxed), handles.len())
}

fn all_threads_see_the_handle(t: &Trial) -> Verdict {
    race(t, &many(empty), |t, handle| {
        t.ok(init(t, handle, make_thing))?;
        is_whole(t, handle)
    })
}

fn failures_on_threads(t: &Trial) -> Verdict {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    static FAILED: AtomicUsize = AtomicUsize::new(0);
    /// Every second call fails.
    unsafe extern "C" fn make_or_fail(result: *mut *mut c_void) -> c_int {
        if CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            FAILED.fetch_add(1, Ordering::Relaxed);
            let_others_run();
            return 42;
        }
        // SAFETY: the caller passes a place for the result.
        unsafe { make_thing(result) }
    }
    let seen = AtomicUsize::new(0);
    let handles = many(empty);
    race(t, &handles, |t, handle| {
        for _ in 0..1000 {
            match init(t, handle, make_or_fail) {
                0 => return is_whole(t, handle),
                42 => seen.fetch_add(1, Ordering::Relaxed),
                other => return t.eq("return value", other, 42),
            };
        }
        Err(t.failure("the handle after 1000 attempts", "filled", "still failing"))
    })?;
    t.eq("failures that reached a caller", seen.load(Ordering::Relaxed), FAILED.load(Ordering::Relaxed))?;
    t.eq("handles made, one for each", MADE.load(Ordering::Relaxed), handles.len())
}

fn filled_handle_is_emptied(t: &Trial) -> Verdict {
    let handle = filled();
    let held = handle.load(Ordering::Acquire);
    t.ok(deinit(t, &handle, end_thing))?;
    is_empty(t, &handle)?;
    t.eq("calls of the deinitialiser", ENDED.load(Ordering::Relaxed), 1)?;
    t.eq("what the deinitialiser received", LAST_ENDED.load(Ordering::Relaxed), held)
}

fn handle_is_emptied_once(t: &Trial) -> Verdict {
    let handle = filled();
    for _ in 0..10 {
        t.ok(deinit(t, &handle, end_thing))?;
    }
    t.eq("calls of the deinitialiser", ENDED.load(Ordering::Relaxed), 1)
}

fn empty_handle_stays(t: &Trial) -> Verdict {
    let handle = empty();
    t.ok(deinit(t, &handle, end_thing))?;
    t.eq("calls of the deinitialiser", ENDED.load(Ordering::Relaxed), 0)?;
    is_empty(t, &handle)
}

fn deinit_status_is_passed_on(t: &Trial) -> Verdict {
    unsafe extern "C" fn fail_to_end(_: *mut c_void) -> c_int {
        STATUS.load(Ordering::Relaxed)
    }
    for status in [-1, 1, 42] {
        STATUS.store(status, Ordering::Relaxed);
        t.eq("return value", deinit(t, &filled(), fail_to_end), status)?;
    }
    Ok(())
}

fn one_thread_deinitialises(t: &Trial) -> Verdict {
    let handles = many(filled);
    race(t, &handles, |t, handle| {
        t.ok(deinit(t, handle, end_thing))?;
        is_empty(t, handle)
    })?;
    t.eq("calls of the deinitialiser, one for each handle", ENDED.load(Ordering::Relaxed), handles.len())
}

fn handle_is_filled_again(t: &Trial) -> Verdict {
    let handle = empty();
    for round in 1..=3 {
        t.ok(init(t, &handle, make_thing))?;
        is_whole(t, &handle)?;
        t.eq("calls of the initialiser", MADE.load(Ordering::Relaxed), round)?;
        t.ok(deinit(t, &handle, end_thing))?;
    }
    Ok(())
}

fn handles_are_independent(t: &Trial) -> Verdict {
    let handles = many(empty);
    for handle in &handles {
        t.ok(init(t, handle, make_thing))?;
    }
    t.eq("calls of the initialiser, one for each handle", MADE.load(Ordering::Relaxed), handles.len())?;
    let mut held: Vec<*mut c_void> = handles.iter().map(|handle| handle.load(Ordering::Acquire)).collect();
    held.sort_unstable();
    held.dedup();
    t.eq("different handles", held.len(), handles.len())
}

fn handle_is_empty_first(t: &Trial) -> Verdict {
    static HANDLE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    static HELD_MEANWHILE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    unsafe extern "C" fn look_at_handle(_: *mut c_void) -> c_int {
        HELD_MEANWHILE.store(HANDLE.load(Ordering::Acquire), Ordering::Relaxed);
        0
    }
    HANDLE.store(filled().into_inner(), Ordering::Release);
    t.ok(deinit(t, &HANDLE, look_at_handle))?;
    t.eq("the handle while the deinitialiser runs", HELD_MEANWHILE.load(Ordering::Relaxed), null_mut())
}

/// What the handles here lead to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Thing {
    first: u64,
    last: u64,
}

const WHOLE: Thing = Thing { first: 0xb1b2_b3b4_b5b6_b7b8, last: 0xc1c2_c3c4_c5c6_c7c8 };

/// How often [`make_thing`] and [`end_thing`] were called, and with what the latter was last.
static MADE: AtomicUsize = AtomicUsize::new(0);
static ENDED: AtomicUsize = AtomicUsize::new(0);
static LAST_ENDED: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// What [`fail`] returns.
static STATUS: AtomicI32 = AtomicI32::new(0);

/// An initialiser that takes its time between the halves of what it makes.
unsafe extern "C" fn make_thing(result: *mut *mut c_void) -> c_int {
    MADE.fetch_add(1, Ordering::Relaxed);
    let thing = Box::into_raw(Box::new(Thing { first: WHOLE.first, last: 0 }));
    let_others_run();
    // SAFETY: nobody else has the thing yet, and the caller passes a place for the result.
    unsafe {
        (*thing).last = WHOLE.last;
        *result = thing.cast();
    }
    0
}

unsafe extern "C" fn end_thing(thing: *mut c_void) -> c_int {
    ENDED.fetch_add(1, Ordering::Relaxed);
    LAST_ENDED.store(thing, Ordering::Relaxed);
    let_others_run();
    0
}

unsafe extern "C" fn fail(_: *mut *mut c_void) -> c_int {
    STATUS.load(Ordering::Relaxed)
}

fn init(t: &Trial, handle: &AtomicPtr<c_void>, init: unsafe extern "C" fn(*mut *mut c_void) -> c_int) -> c_int {
    t.api.TVMFFIHandleInitOnce(handle.as_ptr(), Some(init))
}

fn deinit(t: &Trial, handle: &AtomicPtr<c_void>, deinit: unsafe extern "C" fn(*mut c_void) -> c_int) -> c_int {
    t.api.TVMFFIHandleDeinitOnce(handle.as_ptr(), Some(deinit))
}

fn empty() -> AtomicPtr<c_void> {
    AtomicPtr::new(null_mut())
}

fn filled() -> AtomicPtr<c_void> {
    AtomicPtr::new(Box::into_raw(Box::new(WHOLE)).cast())
}

fn many(handle: fn() -> AtomicPtr<c_void>) -> Vec<AtomicPtr<c_void>> {
    (0..200).map(|_| handle()).collect()
}

/// Has four threads work on the same handles in the same order.
fn race(
    t: &Trial,
    handles: &[AtomicPtr<c_void>],
    work: impl Fn(&Trial, &AtomicPtr<c_void>) -> Verdict + Sync,
) -> Verdict {
    t.threads(4, |t, _| handles.iter().try_for_each(|handle| work(t, handle)))
}

fn is_empty(t: &Trial, handle: &AtomicPtr<c_void>) -> Verdict {
    t.eq("the handle", handle.load(Ordering::Acquire), null_mut())
}

/// Expects a handle to lead to a thing that was made to the end.
fn is_whole(t: &Trial, handle: &AtomicPtr<c_void>) -> Verdict {
    let held = handle.load(Ordering::Acquire);
    t.ne("the handle", held, null_mut())?;
    t.eq("what the handle leads to", t.read("what the handle leads to", held.cast::<Thing>())?, WHOLE)
}
