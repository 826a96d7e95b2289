//! What the handles lead to, how they are filled and emptied, and what is expected of them.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use crate::{
    client::Verdict,
    trial::{Trial, threads::let_others_run},
};

/// What the handles here lead to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(super) struct Thing {
    pub(super) first: u64,
    pub(super) last: u64,
}

pub(super) const WHOLE: Thing = Thing { first: 0xb1b2_b3b4_b5b6_b7b8, last: 0xc1c2_c3c4_c5c6_c7c8 };

/// How often [`make_thing`] and [`end_thing`] were called, and with what the latter was last.
pub(super) static MADE: AtomicUsize = AtomicUsize::new(0);
pub(super) static ENDED: AtomicUsize = AtomicUsize::new(0);
pub(super) static LAST_ENDED: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// What [`fail`] returns.
pub(super) static STATUS: AtomicI32 = AtomicI32::new(0);

/// An initialiser that takes its time between the halves of what it makes.
pub(super) unsafe extern "C" fn make_thing(result: *mut *mut c_void) -> c_int {
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

/// The same for handles that no other thread wants meanwhile.
pub(super) unsafe extern "C" fn make_at_once(result: *mut *mut c_void) -> c_int {
    MADE.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the caller passes a place for the result.
    unsafe { *result = filled().into_inner() };
    0
}

pub(super) unsafe extern "C" fn end_at_once(thing: *mut c_void) -> c_int {
    ENDED.fetch_add(1, Ordering::Relaxed);
    LAST_ENDED.store(thing, Ordering::Relaxed);
    0
}

pub(super) unsafe extern "C" fn end_thing(thing: *mut c_void) -> c_int {
    ENDED.fetch_add(1, Ordering::Relaxed);
    LAST_ENDED.store(thing, Ordering::Relaxed);
    let_others_run();
    0
}

/// Fails after it has written something, as initialisers do that fail halfway.
pub(super) unsafe extern "C" fn fail(result: *mut *mut c_void) -> c_int {
    // SAFETY: the caller passes a place for the result.
    unsafe { *result = half_made() };
    STATUS.load(Ordering::Relaxed)
}

/// What a failing initialiser leaves where the result would be.
pub(super) fn half_made() -> *mut c_void {
    static HALF: Thing = Thing { first: WHOLE.first, last: 0 };
    (&raw const HALF).cast_mut().cast()
}

pub(super) fn call_init(
    t: &Trial,
    handle: &AtomicPtr<c_void>,
    init: unsafe extern "C" fn(*mut *mut c_void) -> c_int,
) -> c_int {
    t.api.TVMFFIHandleInitOnce(handle.as_ptr(), Some(init))
}

pub(super) fn call_deinit(
    t: &Trial,
    handle: &AtomicPtr<c_void>,
    deinit: unsafe extern "C" fn(*mut c_void) -> c_int,
) -> c_int {
    t.api.TVMFFIHandleDeinitOnce(handle.as_ptr(), Some(deinit))
}

pub(super) fn empty() -> AtomicPtr<c_void> {
    AtomicPtr::new(null_mut())
}

pub(super) fn filled() -> AtomicPtr<c_void> {
    AtomicPtr::new(Box::into_raw(Box::new(WHOLE)).cast())
}

pub(super) fn many(handle: fn() -> AtomicPtr<c_void>) -> Vec<AtomicPtr<c_void>> {
    (0..200).map(|_| handle()).collect()
}

/// Has four threads work on the same handles in the same order.
pub(super) fn race(
    t: &Trial,
    handles: &[AtomicPtr<c_void>],
    work: impl Fn(&Trial, &AtomicPtr<c_void>) -> Verdict + Sync,
) -> Verdict {
    t.threads(4, |t, _| handles.iter().try_for_each(|handle| work(t, handle)))
}

pub(super) fn is_empty(t: &Trial, handle: &AtomicPtr<c_void>) -> Verdict {
    t.eq("the handle", handle.load(Ordering::Acquire), null_mut())
}

/// Expects a handle to lead to a thing that was made to the end.
pub(super) fn is_whole(t: &Trial, handle: &AtomicPtr<c_void>) -> Verdict {
    let held = handle.load(Ordering::Acquire);
    t.ne("the handle", held, null_mut())?;
    t.eq("what the handle leads to", t.read("what the handle leads to", held.cast::<Thing>())?, WHOLE)
}

/// Lets others run until something is so, or for so long at most.
pub(super) fn wait_at_most(allowed: Duration, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() && start.elapsed() < allowed {
        let_others_run();
    }
}
