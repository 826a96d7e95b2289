//! Initialising and deinitialising handles, on one thread and on several.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering},
    thread,
};

use tvm_ffi_spec::clause::id;

use super::kit::*;
use crate::{
    checks::check,
    client::{Client, Verdict, callback},
    trial::{Trial, meanwhile::others_work, threads::let_others_run},
};

/// TVMFFIHandleInitOnce fills a NULL handle by one call of the initialiser.
#[check(ONC_0001)]
fn init(t: &Trial) -> Verdict {
    let handle = empty();
    t.ok(call_init(t, &handle, make_thing))?;
    t.eq("calls of the initialiser", MADE.load(Ordering::Relaxed), 1)?;
    is_whole(t, &handle)
}

/// A handle is filled whatever it holds, but for NULL: nobody follows what an initialiser makes.
#[check(ONC_0001, ONC_0002, ONC_0009)]
fn any_handle(t: &Trial) -> Verdict {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn make_next(result: *mut *mut c_void) -> c_int {
        MADE.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller passes a place for the result.
        unsafe { *result = NEXT.load(Ordering::Relaxed) as *mut c_void };
        0
    }
    for (round, value) in [1, 2, 3, 7, 8, 0x1000, usize::MAX, usize::MAX - 1, 1 << 63, 1 << 32].into_iter().enumerate()
    {
        let (handle, what) = (empty(), format!("a handle that holds {value:#x}"));
        NEXT.store(value, Ordering::Relaxed);
        for clause in [id::ONC_0001, id::ONC_0002] {
            t.clause(clause);
            t.ok(call_init(t, &handle, make_next))?;
            t.eq(&what, handle.load(Ordering::Acquire) as usize, value)?;
            t.eq("calls of the initialiser, one for each handle", MADE.load(Ordering::Relaxed), round + 1)?;
        }
        t.clause(id::ONC_0009);
        t.ok(call_deinit(t, &handle, end_thing))?;
        t.eq("what the deinitialiser received", LAST_ENDED.load(Ordering::Relaxed) as usize, value)?;
        t.eq("calls of the deinitialiser, one for each handle", ENDED.load(Ordering::Relaxed), round + 1)?;
        is_empty(t, &handle)?;
    }
    Ok(())
}

/// A NULL handle is filled, whatever handles lay at its address before, and however these were given up.
#[check(ONC_0001)]
fn at_a_known_address(t: &Trial) -> Verdict {
    let handles = many(empty);
    for round in 1..=3 {
        for (place, handle) in handles.iter().enumerate() {
            t.ok(call_init(t, handle, make_at_once))?;
            let calls = (round - 1) * handles.len() + place + 1;
            t.eq("calls of the initialiser, one for each handle that is NULL", MADE.load(Ordering::Relaxed), calls)?;
            is_whole(t, handle)?;
        }
        // Some are given up through the library, and some by their owner, with their memory.
        for handle in handles.iter().step_by(3) {
            t.ok(call_deinit(t, handle, end_at_once))?;
            is_empty(t, handle)?;
        }
        for handle in &handles {
            handle.store(null_mut(), Ordering::Release);
        }
    }
    Ok(())
}

/// TVMFFIHandleInitOnce of a filled handle calls nothing and leaves the handle as it is.
#[check(ONC_0002)]
fn init_filled(t: &Trial) -> Verdict {
    let handle = filled();
    let before = handle.load(Ordering::Acquire);
    t.ok(call_init(t, &handle, make_thing))?;
    t.eq("calls of the initialiser", MADE.load(Ordering::Relaxed), 0)?;
    t.eq("the handle", handle.load(Ordering::Acquire), before)
}

/// TVMFFIHandleInitOnce calls the initialiser once, however often a handle is initialised.
#[check(ONC_0002)]
fn init_again(t: &Trial) -> Verdict {
    let handle = empty();
    t.ok(call_init(t, &handle, make_thing))?;
    let first = handle.load(Ordering::Acquire);
    for _ in 0..10 {
        t.ok(call_init(t, &handle, make_thing))?;
        t.eq("the handle", handle.load(Ordering::Acquire), first)?;
    }
    t.eq("calls of the initialiser", MADE.load(Ordering::Relaxed), 1)
}

/// The error that an initialiser raises reaches the caller, and the handle stays NULL.
#[check(ONC_0003)]
fn init_fails(t: &Trial) -> Verdict {
    unsafe extern "C" fn fail_for_a_reason(result: *mut *mut c_void) -> c_int {
        // SAFETY: the caller passes a place for the result.
        unsafe { *result = half_made() };
        if let Some(api) = callback::api() {
            api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"not today".as_ptr());
        }
        -1
    }
    t.serve_callbacks();
    let handle = empty();
    let raised = t.raises(call_init(t, &handle, fail_for_a_reason), &["ValueError"])?;
    t.eq("message of the raised error", raised.message.as_str(), "not today")?;
    is_empty(t, &handle)
}

/// The status of an initialiser that fails reaches the caller, and the handle stays NULL.
#[check(ONC_0003)]
fn init_status(t: &Trial) -> Verdict {
    for (status, handle) in &[(-1, empty()), (1, empty()), (42, empty())] {
        STATUS.store(*status, Ordering::Relaxed);
        t.eq("return value", call_init(t, handle, fail), *status)?;
        is_empty(t, handle)?;
    }
    Ok(())
}

/// An initialiser that tries another handle in vain, and goes on without it, fills its own; one that fails after it has filled another fails.
#[check(ONC_0016, ONC_0003, ONC_0001, patient = 2)]
fn init_within_init(t: &Trial) -> Verdict {
    static INNER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    static INNER_STATUS: AtomicI32 = AtomicI32::new(0);
    fn fill_inner(init: unsafe extern "C" fn(*mut *mut c_void) -> c_int) {
        let status = callback::api().map_or(i32::MIN, |api| api.TVMFFIHandleInitOnce(INNER.as_ptr(), Some(init)));
        INNER_STATUS.store(status, Ordering::Relaxed);
    }
    unsafe extern "C" fn make_after_failure(result: *mut *mut c_void) -> c_int {
        fill_inner(fail);
        // SAFETY: the place that this function was given.
        unsafe { make_thing(result) }
    }
    unsafe extern "C" fn fail_after_success(_: *mut *mut c_void) -> c_int {
        fill_inner(make_thing);
        42
    }
    static FIRST: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    static SECOND: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    t.serve_callbacks();
    STATUS.store(7, Ordering::Relaxed);
    let init = |client: &Client| client.api.TVMFFIHandleInitOnce(FIRST.as_ptr(), Some(make_after_failure));
    t.ok(t.comes_back("TVMFFIHandleInitOnce whose initialiser tries another handle in vain", init)?)?;
    is_whole(t, &FIRST)?;
    t.clause(id::ONC_0003);
    t.eq("status of the handle that was tried within", INNER_STATUS.load(Ordering::Relaxed), 7)?;
    is_empty(t, &INNER)?;
    let init = |client: &Client| client.api.TVMFFIHandleInitOnce(SECOND.as_ptr(), Some(fail_after_success));
    let status = t.comes_back("TVMFFIHandleInitOnce whose initialiser fills another handle and fails", init)?;
    t.eq("status of an initialiser that fails", status, 42)?;
    is_empty(t, &SECOND)?;
    t.clause(id::ONC_0001);
    t.eq("status of the handle that was filled within", INNER_STATUS.load(Ordering::Relaxed), 0)?;
    is_whole(t, &INNER)
}

/// A handle can be initialised after its initialiser has failed.
#[check(ONC_0004)]
fn init_retry(t: &Trial) -> Verdict {
    STATUS.store(-1, Ordering::Relaxed);
    let handle = empty();
    for _ in 0..3 {
        call_init(t, &handle, fail);
    }
    t.ok(call_init(t, &handle, make_thing))?;
    is_whole(t, &handle)
}

/// An initialiser that reports success but makes NULL is an error, and the handle stays NULL.
#[check(ONC_0005)]
fn init_null(t: &Trial) -> Verdict {
    unsafe extern "C" fn make_nothing(result: *mut *mut c_void) -> c_int {
        // SAFETY: the caller passes a place for the result.
        unsafe { *result = null_mut() };
        0
    }
    let handle = empty();
    t.raises(call_init(t, &handle, make_nothing), &[])?;
    is_empty(t, &handle)
}

/// When four threads initialise one handle at once, exactly one initialiser runs.
#[check(ONC_0006, patient = 2)]
fn init_race(t: &Trial) -> Verdict {
    let handles = many(empty);
    race(t, &handles, |t, handle| t.ok(call_init(t, handle, make_thing)))?;
    t.eq("calls of the initialiser, one for each handle", MADE.load(Ordering::Relaxed), handles.len())
}

/// A thread whose call of TVMFFIHandleInitOnce succeeds sees all that the initialiser wrote.
#[check(ONC_0007, patient = 2)]
fn init_visible(t: &Trial) -> Verdict {
    race(t, &many(empty), |t, handle| {
        t.ok(call_init(t, handle, make_thing))?;
        is_whole(t, handle)
    })
}

/// When an initialiser fails at first on four threads, each failure reaches one caller and a success fills the handle.
#[check(ONC_0008, ONC_0003, patient = 2)]
fn init_race_fails(t: &Trial) -> Verdict {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    static FAILED: AtomicUsize = AtomicUsize::new(0);
    /// Every second call fails.
    unsafe extern "C" fn make_or_fail(result: *mut *mut c_void) -> c_int {
        if CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            FAILED.fetch_add(1, Ordering::Relaxed);
            let_others_run();
            // SAFETY: the caller passes a place for the result.
            unsafe { *result = half_made() };
            if let Some(api) = callback::api() {
                callback::raise(api, c"TimeoutError", c"every second time");
            }
            return 42;
        }
        // SAFETY: the caller passes a place for the result.
        unsafe { make_thing(result) }
    }
    t.serve_callbacks();
    let seen = AtomicUsize::new(0);
    let handles = many(empty);
    race(t, &handles, |t, handle| {
        for _ in 0..1000 {
            match call_init(t, handle, make_or_fail) {
                0 => return is_whole(t, handle),
                // A thread that waited may be told of the failure that it waited for, too, but of no other.
                42 => {
                    seen.fetch_add(1, Ordering::Relaxed);
                    t.clause(id::ONC_0003);
                    let raised = t.raises(42, &["TimeoutError"])?;
                    t.eq("message of the raised error", raised.message.as_str(), "every second time")?;
                    t.clause(id::ONC_0008);
                }
                other => return t.eq("return value", other, 42),
            };
        }
        Err(t.failure("the handle after 1000 attempts", "filled", "still failing"))
    })?;
    let (seen, failed) = (seen.load(Ordering::Relaxed), FAILED.load(Ordering::Relaxed));
    t.that("failures that reached a caller", seen >= failed, format_args!("at least {failed}"), seen)?;
    t.eq("handles made, one for each", MADE.load(Ordering::Relaxed), handles.len())
}

/// TVMFFIHandleDeinitOnce sets a filled handle to NULL and calls the deinitialiser once with what the handle held.
#[check(ONC_0009)]
fn deinit(t: &Trial) -> Verdict {
    let handle = filled();
    let held = handle.load(Ordering::Acquire);
    t.ok(call_deinit(t, &handle, end_thing))?;
    is_empty(t, &handle)?;
    t.eq("calls of the deinitialiser", ENDED.load(Ordering::Relaxed), 1)?;
    t.eq("what the deinitialiser received", LAST_ENDED.load(Ordering::Relaxed), held)
}

/// TVMFFIHandleDeinitOnce calls the deinitialiser once, however often a handle is deinitialised.
#[check(ONC_0010)]
fn deinit_again(t: &Trial) -> Verdict {
    let handle = filled();
    for _ in 0..10 {
        t.ok(call_deinit(t, &handle, end_thing))?;
    }
    t.eq("calls of the deinitialiser", ENDED.load(Ordering::Relaxed), 1)
}

/// TVMFFIHandleDeinitOnce of a NULL handle calls nothing and returns 0.
#[check(ONC_0010)]
fn deinit_empty(t: &Trial) -> Verdict {
    let handle = empty();
    t.ok(call_deinit(t, &handle, end_thing))?;
    t.eq("calls of the deinitialiser", ENDED.load(Ordering::Relaxed), 0)?;
    is_empty(t, &handle)
}

/// TVMFFIHandleDeinitOnce of a handle whose initialiser has failed calls nothing and returns 0, on whichever thread; filled later, the handle
/// is deinitialised once.
#[check(ONC_0010, ONC_0003, ONC_0001, ONC_0009)]
fn deinit_after_failed_init(t: &Trial) -> Verdict {
    unsafe extern "C" fn fail_at_once(_: *mut *mut c_void) -> c_int {
        STATUS.load(Ordering::Relaxed)
    }
    let handle = empty();
    for (round, status) in [-1, 1, 42, c_int::MIN].into_iter().enumerate() {
        STATUS.store(status, Ordering::Relaxed);
        for (init, is_elsewhere) in [(fail as Init, false), (fail_at_once, false), (fail, true), (fail_at_once, true)] {
            t.clause(id::ONC_0003);
            t.ne("status of TVMFFIHandleInitOnce", call_init(t, &handle, init), 0)?;
            t.api.release_raised();
            is_empty(t, &handle)?;
            t.clause(id::ONC_0010);
            let deinit = |t: &Trial| t.ok(call_deinit(t, &handle, end_thing));
            if is_elsewhere {
                t.threads(1, |t, _| deinit(t))?
            } else {
                deinit(t)?
            }
            let calls = ENDED.load(Ordering::Relaxed);
            t.eq("calls of the deinitialiser, one for each time that the handle was filled", calls, round)?;
            is_empty(t, &handle)?;
        }
        t.clause(id::ONC_0001);
        t.ok(call_init(t, &handle, make_thing))?;
        is_whole(t, &handle)?;
        let held = handle.load(Ordering::Acquire);
        t.clause(id::ONC_0009);
        t.ok(call_deinit(t, &handle, end_thing))?;
        t.eq("calls of the deinitialiser", ENDED.load(Ordering::Relaxed), round + 1)?;
        t.eq("what the deinitialiser received", LAST_ENDED.load(Ordering::Relaxed), held)?;
    }
    Ok(())
}

type Init = unsafe extern "C" fn(*mut *mut c_void) -> c_int;

/// TVMFFIHandleDeinitOnce does not return 0 when the deinitialiser fails, and the error that it raised is still raised.
#[check(ONC_0011)]
fn deinit_fails(t: &Trial) -> Verdict {
    unsafe extern "C" fn fail_to_end(_: *mut c_void) -> c_int {
        if let Some(api) = callback::api() {
            callback::raise(api, c"ValueError", c"not to be closed");
        }
        STATUS.load(Ordering::Relaxed)
    }
    t.serve_callbacks();
    for status in [-1, 1, 42] {
        STATUS.store(status, Ordering::Relaxed);
        let raised = t.raises(call_deinit(t, &filled(), fail_to_end), &["ValueError"])?;
        t.eq("message of the raised error", raised.message.as_str(), "not to be closed")?;
    }
    Ok(())
}

/// A handle is NULL once its deinitialiser has failed, which is not called again, and can be filled anew.
#[check(ONC_0015, ONC_0010, ONC_0001)]
fn failed_deinit_empties(t: &Trial) -> Verdict {
    unsafe extern "C" fn fail_once(thing: *mut c_void) -> c_int {
        // SAFETY: nobody follows what it is given.
        unsafe { end_thing(thing) };
        STATUS.load(Ordering::Relaxed)
    }
    for (round, status) in [-1, 1, 42, c_int::MIN].into_iter().enumerate() {
        STATUS.store(status, Ordering::Relaxed);
        let handle = filled();
        t.clause(id::ONC_0015);
        t.ne("status of TVMFFIHandleDeinitOnce", call_deinit(t, &handle, fail_once), 0)?;
        t.api.release_raised();
        is_empty(t, &handle)?;
        t.clause(id::ONC_0010);
        t.ok(call_deinit(t, &handle, fail_once))?;
        t.eq("calls of the deinitialiser, one for each handle", ENDED.load(Ordering::Relaxed), round + 1)?;
        t.clause(id::ONC_0001);
        t.ok(call_init(t, &handle, make_thing))?;
        is_whole(t, &handle)?;
    }
    Ok(())
}

/// When four threads deinitialise one handle at once, exactly one deinitialiser runs.
#[check(ONC_0012, patient = 2)]
fn deinit_race(t: &Trial) -> Verdict {
    let handles = many(filled);
    race(t, &handles, |t, handle| {
        t.ok(call_deinit(t, handle, end_thing))?;
        is_empty(t, handle)
    })?;
    t.eq("calls of the deinitialiser, one for each handle", ENDED.load(Ordering::Relaxed), handles.len())
}

/// While its deinitialiser runs, a handle holds what it held before or NULL.
#[check(ONC_0015)]
fn deinit_order(t: &Trial) -> Verdict {
    static HANDLE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    static HELD_MEANWHILE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    unsafe extern "C" fn look_at_handle(_: *mut c_void) -> c_int {
        HELD_MEANWHILE.store(HANDLE.load(Ordering::Acquire), Ordering::Relaxed);
        0
    }
    let before = filled().into_inner();
    HANDLE.store(before, Ordering::Release);
    t.ok(call_deinit(t, &HANDLE, look_at_handle))?;
    let meanwhile = HELD_MEANWHILE.load(Ordering::Relaxed);
    let expected = format!("NULL or {before:p}");
    t.that(
        "the handle while the deinitialiser runs",
        [null_mut(), before].contains(&meanwhile),
        expected,
        format_args!("{meanwhile:p}"),
    )?;
    is_empty(t, &HANDLE)
}

/// While an initialiser or a deinitialiser runs, calls of other threads come back.
#[check(FUN_0026, patient = 8)]
fn others_meanwhile(t: &Trial) -> Verdict {
    unsafe extern "C" fn make_with_others(result: *mut *mut c_void) -> c_int {
        others_work();
        // SAFETY: the caller passes a place for the result.
        unsafe { make_thing(result) }
    }
    unsafe extern "C" fn end_with_others(thing: *mut c_void) -> c_int {
        others_work();
        // SAFETY: nobody follows what it is given.
        unsafe { end_thing(thing) }
    }
    let handle = empty();
    t.others_meanwhile("an initialiser", || t.ok(call_init(t, &handle, make_with_others)))?;
    t.others_meanwhile("a deinitialiser", || t.ok(call_deinit(t, &handle, end_with_others)))
}

/// An initialiser may initialise another handle, and other threads theirs meanwhile.
#[check(ONC_0016, patient = 2)]
fn nested_init(t: &Trial) -> Verdict {
    static OUTER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    static INNER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    unsafe extern "C" fn make_both(result: *mut *mut c_void) -> c_int {
        let inner = callback::api().map_or(-1, |api| api.TVMFFIHandleInitOnce(INNER.as_ptr(), Some(make_thing)));
        // SAFETY: the caller passes a place for the result.
        if inner == 0 { unsafe { make_thing(result) } } else { inner }
    }
    t.serve_callbacks();
    let init = |client: &Client| client.api.TVMFFIHandleInitOnce(OUTER.as_ptr(), Some(make_both));
    t.ok(t.comes_back("TVMFFIHandleInitOnce whose initialiser initialises another handle", init)?)?;
    is_whole(t, &OUTER)?;
    is_whole(t, &INNER)?;
    t.eq("calls of the initialiser, one for each handle", MADE.load(Ordering::Relaxed), 2)?;
    let init = |client: &Client| client.api.TVMFFIHandleInitOnce(TOGETHER.as_ptr(), Some(make_together));
    t.ok(t.comes_back("TVMFFIHandleInitOnce whose initialiser waits for another thread's", init)?)?;
    is_whole(t, &TOGETHER)?;
    line_of_inits(t)
}

/// A deinitialiser may deinitialise another handle and initialise a third, and other threads use theirs meanwhile.
#[check(ONC_0016, patient = 2)]
fn nested_deinit(t: &Trial) -> Verdict {
    static OUTER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    static INNER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    static NEXT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    unsafe extern "C" fn end_both(thing: *mut c_void) -> c_int {
        let Some(api) = callback::api() else { return -1 };
        // SAFETY: a deinitialiser may be called with what a handle held.
        unsafe { end_thing(thing) };
        match api.TVMFFIHandleDeinitOnce(INNER.as_ptr(), Some(end_thing)) {
            0 => api.TVMFFIHandleInitOnce(NEXT.as_ptr(), Some(make_thing)),
            failed => failed,
        }
    }
    t.serve_callbacks();
    OUTER.store(filled().into_inner(), Ordering::Release);
    INNER.store(filled().into_inner(), Ordering::Release);
    let deinit = |client: &Client| client.api.TVMFFIHandleDeinitOnce(OUTER.as_ptr(), Some(end_both));
    t.ok(t.comes_back("TVMFFIHandleDeinitOnce whose deinitialiser uses other handles", deinit)?)?;
    is_empty(t, &OUTER)?;
    is_empty(t, &INNER)?;
    is_whole(t, &NEXT)?;
    t.eq("calls of the deinitialiser, one for each handle", ENDED.load(Ordering::Relaxed), 2)?;
    TOGETHER.store(filled().into_inner(), Ordering::Release);
    let deinit = |client: &Client| client.api.TVMFFIHandleDeinitOnce(TOGETHER.as_ptr(), Some(end_together));
    t.ok(t.comes_back("TVMFFIHandleDeinitOnce whose deinitialiser waits for another thread's", deinit)?)?;
    is_empty(t, &TOGETHER)
}

/// What an initialiser fills while it waits for another thread.
static TOGETHER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

unsafe extern "C" fn make_together(result: *mut *mut c_void) -> c_int {
    // SAFETY: the caller passes a place for the result.
    wait_for_another() | unsafe { make_thing(result) }
}

unsafe extern "C" fn end_together(thing: *mut c_void) -> c_int {
    // SAFETY: called with what a handle held.
    wait_for_another() | unsafe { end_thing(thing) }
}

/// Waits for a thread that fills another handle and empties it.
fn wait_for_another() -> c_int {
    static OTHERS: [AtomicPtr<c_void>; MANY] = [const { AtomicPtr::new(null_mut()) }; MANY];
    let Some(api) = callback::api() else { return -1 };
    let work = || {
        OTHERS.iter().fold(0, |failed, other| {
            failed
                | api.TVMFFIHandleInitOnce(other.as_ptr(), Some(make_thing))
                | api.TVMFFIHandleDeinitOnce(other.as_ptr(), Some(end_thing))
        })
    };
    thread::spawn(work).join().unwrap_or(-1)
}

/// More handles than a library may have locks for them.
const MANY: usize = 300;

/// Expects a line of initialisers, each of which initialises the next one's handle, to come to its end.
fn line_of_inits(t: &Trial) -> Verdict {
    static LINE: [AtomicPtr<c_void>; MANY] = [const { AtomicPtr::new(null_mut()) }; MANY];
    static REACHED: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn make_next(result: *mut *mut c_void) -> c_int {
        let next = REACHED.fetch_add(1, Ordering::Relaxed) + 1;
        let failed = match (callback::api(), LINE.get(next)) {
            (Some(api), Some(handle)) => api.TVMFFIHandleInitOnce(handle.as_ptr(), Some(make_next)),
            _ => 0,
        };
        // SAFETY: the caller passes a place for the result.
        failed | unsafe { make_thing(result) }
    }
    t.serve_callbacks();
    let init = |client: &Client| client.api.TVMFFIHandleInitOnce(LINE[0].as_ptr(), Some(make_next));
    t.ok(t.comes_back("TVMFFIHandleInitOnce whose initialiser begins a line of them", init)?)?;
    LINE.iter().try_for_each(|handle| is_whole(t, handle))
}

/// A handle that was deinitialised can be initialised again.
#[check(ONC_0013)]
fn round_trip(t: &Trial) -> Verdict {
    let handle = empty();
    for round in 1..=3 {
        t.ok(call_init(t, &handle, make_thing))?;
        is_whole(t, &handle)?;
        t.eq("calls of the initialiser", MADE.load(Ordering::Relaxed), round)?;
        t.ok(call_deinit(t, &handle, end_thing))?;
    }
    Ok(())
}

/// Handles at different addresses are initialised independently of each other.
#[check(ONC_0014)]
fn independent(t: &Trial) -> Verdict {
    let handles = many(empty);
    for handle in &handles {
        t.ok(call_init(t, handle, make_thing))?;
    }
    t.eq("calls of the initialiser, one for each handle", MADE.load(Ordering::Relaxed), handles.len())?;
    let mut held: Vec<*mut c_void> = handles.iter().map(|handle| handle.load(Ordering::Acquire)).collect();
    held.sort_unstable();
    held.dedup();
    t.eq("different handles", held.len(), handles.len())
}

/// TVMFFIHandleInitOnce and TVMFFIHandleDeinitOnce raise an error where they are given no handle or no function.
#[check(ONC_0017)]
fn of_null(t: &Trial) -> Verdict {
    let handle = empty();
    t.raises(t.api.TVMFFIHandleInitOnce(handle.as_ptr().cast(), None), &[])?;
    t.eq("the handle", handle.load(Ordering::Acquire), null_mut())?;
    t.raises(t.api.TVMFFIHandleInitOnce(null_mut(), Some(make_thing)), &[])?;
    t.raises(t.api.TVMFFIHandleDeinitOnce(null_mut(), Some(end_thing)), &[])?;
    t.ok(call_init(t, &handle, make_thing))?;
    t.raises(t.api.TVMFFIHandleDeinitOnce(handle.as_ptr().cast(), None), &[])?;
    is_whole(t, &handle)
}
