//! Handles that are filled once, by whichever thread comes first.
//!
//! Two things the simplest form (one lock around everything) gets wrong are handled here: filling a handle may fill
//! another one on the way, and unrelated handles do not wait for each other. So the lock guards only the list of
//! handles that are being filled, never the filling itself; and a thread that would wait for its own work, directly or
//! through others, gets an error instead of waiting for ever.

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    sync::{
        Condvar, MutexGuard, PoisonError,
        atomic::{AtomicPtr, Ordering},
    },
};

use crate::{
    border::error::{Error, Result},
    system::{fork::Exclusive, thread_end},
};

/// What fills a handle; a result other than 0 is a failure whose error it has raised.
pub type InitFn = unsafe extern "C" fn(result: *mut *mut c_void) -> c_int;
/// What takes a handle apart.
pub type DeinitFn = unsafe extern "C" fn(handle: *mut c_void) -> c_int;

/// The right to fill an empty handle, waiting while another thread has it; `None` when the handle is filled. Whoever has
/// the right fills the handle, or does not, before dropping it.
///
/// # Errors
/// `RuntimeError` when the wait would never end.
pub fn claim(handle: &AtomicPtr<c_void>) -> Result<Option<Claim>> {
    if is_filled(handle) { Ok(None) } else { Claim::take(handle.as_ptr() as usize, || is_filled(handle)) }
}

/// Whether the handle is filled, so that nothing is left to be done.
#[inline]
pub fn is_filled(handle: &AtomicPtr<c_void>) -> bool {
    !handle.load(Ordering::Acquire).is_null()
}

/// Fills the handle unless it is filled. After a failure it is still empty, and the next call tries again.
///
/// Returns what `init` returned, 0 when there was nothing to do.
///
/// # Errors
/// `RuntimeError` when `init` succeeds with NULL, or when waiting for the handle would never end.
///
/// # Safety
/// `init` may be called, on this thread.
pub unsafe fn init(handle: &AtomicPtr<c_void>, init: InitFn) -> Result<c_int> {
    let Some(_claim) = claim(handle)? else { return Ok(0) };
    let mut result = std::ptr::null_mut();
    // SAFETY: the caller allows the call, and `result` is a place for the answer.
    let code = unsafe { init(&mut result) };
    if code != 0 {
        return Ok(code);
    }
    if result.is_null() {
        return Err(Error::new("RuntimeError", "init_func must return a non-NULL handle"));
    }
    handle.store(result, Ordering::Release);
    Ok(0)
}

/// Empties the handle and, if it was filled, hands what it held to `deinit`, whose result is returned.
///
/// # Safety
/// `deinit` may be called with what `handle` holds.
pub unsafe fn deinit(handle: &AtomicPtr<c_void>, deinit: DeinitFn) -> c_int {
    let held = handle.swap(std::ptr::null_mut(), Ordering::AcqRel);
    if held.is_null() {
        return 0;
    }
    // SAFETY: the caller allows the call, and the exchange makes this thread the only one with `held`.
    unsafe { deinit(held) }
}

thread_local! {
    /// Its address is a name for the thread.
    static NAME: Cell<u8> = const { Cell::new(0) };
}

/// The name of a thread of this process.
type Thread = usize;

fn current_thread() -> Thread {
    NAME.with(|name| std::ptr::from_ref(name).addr())
}

/// A handle that a thread is filling, or waiting for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    thread: Thread,
    address: usize,
}

/// Who is filling what, and who is waiting.
pub struct Ledger {
    filling: Vec<Entry>,
    waiting: Vec<Entry>,
}

/// The list of the handles that are being filled.
pub static LEDGER: Exclusive<Ledger> =
    Exclusive::with_child(Ledger { filling: Vec::new(), waiting: Vec::new() }, Ledger::keep_own);
static CLAIM_DROPPED: Condvar = Condvar::new();

fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock()
}

impl Ledger {
    fn filler_of(&self, address: usize) -> Option<Thread> {
        self.filling.iter().find(|entry| entry.address == address).map(|entry| entry.thread)
    }

    /// A child has none of its parent's threads but the one that forked, which may be filling handles, and goes on with
    /// them in either process. Another one may get the name of a thread that it does not have.
    fn keep_own(&mut self) {
        let own = current_thread();
        self.filling.retain(|entry| entry.thread == own);
        self.waiting.clear();
    }

    /// Forgets what a thread was filling or waiting for, which is no more.
    fn forget(&mut self, thread: Thread) {
        self.filling.retain(|entry| entry.thread != thread);
        self.waiting.retain(|entry| entry.thread != thread);
    }

    /// Follows who waits for whom, from the filler of `address` on, to `thread` or to an end.
    fn waits_for(&self, address: usize, thread: Thread) -> bool {
        let mut filler = self.filler_of(address);
        while let Some(other) = filler {
            if other == thread {
                return true;
            }
            let next = self.waiting.iter().find(|entry| entry.thread == other);
            filler = next.and_then(|entry| self.filler_of(entry.address));
        }
        false
    }
}

/// Gives up what this thread claims when it ends: whatever fills a handle may end the thread (`pthread_exit`), or somebody else
/// may (`pthread_cancel`).
pub fn forget_claims() {
    ledger().forget(current_thread());
    CLAIM_DROPPED.notify_all();
}

/// The right to fill one handle.
#[derive(Debug)]
pub struct Claim(Entry);

impl Claim {
    fn take(address: usize, filled: impl Fn() -> bool) -> Result<Option<Self>> {
        let me = Entry { thread: current_thread(), address };
        let mut ledger = ledger();
        loop {
            if filled() {
                return Ok(None);
            }
            if ledger.filler_of(address).is_none() {
                thread_end::mark();
                ledger.filling.push(me);
                return Ok(Some(Claim(me)));
            }
            if ledger.waits_for(address, me.thread) {
                return Err(Error::new("RuntimeError", "init_func depends on the handle that it is to initialize"));
            }
            ledger.waiting.push(me);
            ledger = CLAIM_DROPPED.wait(ledger).unwrap_or_else(PoisonError::into_inner);
            ledger.waiting.retain(|entry| *entry != me);
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut ledger = ledger();
        ledger.filling.retain(|entry| *entry != self.0);
        // The system is asked to wake others only if there are any: that takes longer than all the rest.
        if !ledger.waiting.is_empty() {
            CLAIM_DROPPED.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        ptr,
        sync::{
            Barrier,
            atomic::{AtomicUsize, Ordering::Relaxed},
        },
        thread,
        time::Duration,
    };

    use super::*;

    fn empty() -> AtomicPtr<c_void> {
        AtomicPtr::new(ptr::null_mut())
    }

    fn fill(handle: &AtomicPtr<c_void>, with: InitFn) -> Result<c_int> {
        // SAFETY: the functions of these tests may be called at any time.
        unsafe { init(handle, with) }
    }

    /// Writes an answer where a test's `init` function is asked to.
    ///
    /// # Safety
    /// `result` is the place that `init` hands to the function it calls.
    unsafe fn answer(result: *mut *mut c_void, address: usize) -> c_int {
        // SAFETY: see above.
        unsafe { *result = ptr::without_provenance_mut(address) };
        0
    }

    #[test]
    fn one_of_many_threads_fills_it() {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        unsafe extern "C" fn slow(result: *mut *mut c_void) -> c_int {
            CALLS.fetch_add(1, Relaxed);
            thread::sleep(Duration::from_millis(20));
            // SAFETY: called by `init`.
            unsafe { answer(result, 1) }
        }
        let (handle, barrier) = (empty(), Barrier::new(8));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    barrier.wait();
                    assert_eq!(fill(&handle, slow).ok(), Some(0));
                    assert!(!handle.load(Relaxed).is_null());
                });
            }
        });
        assert_eq!(CALLS.load(Relaxed), 1);
    }

    #[test]
    fn a_failure_leaves_it_empty_for_the_next_try() {
        unsafe extern "C" fn fail(_: *mut *mut c_void) -> c_int {
            7
        }
        unsafe extern "C" fn null(_: *mut *mut c_void) -> c_int {
            0
        }
        unsafe extern "C" fn good(result: *mut *mut c_void) -> c_int {
            // SAFETY: called by `init`.
            unsafe { answer(result, 2) }
        }
        let handle = empty();
        assert_eq!(fill(&handle, fail).ok(), Some(7));
        assert!(fill(&handle, null).is_err());
        assert!(handle.load(Relaxed).is_null());
        assert_eq!(fill(&handle, good).ok(), Some(0));
        assert_eq!(fill(&handle, fail).ok(), Some(0));
    }

    #[test]
    fn filling_one_may_fill_another_but_not_itself() {
        static INNER: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        static OUTER: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        unsafe extern "C" fn inner(result: *mut *mut c_void) -> c_int {
            assert!(fill(&OUTER, inner).is_err());
            // SAFETY: called by `init`.
            unsafe { answer(result, 3) }
        }
        unsafe extern "C" fn outer(result: *mut *mut c_void) -> c_int {
            assert_eq!(fill(&INNER, inner).ok(), Some(0));
            // SAFETY: called by `init`.
            unsafe { answer(result, 4) }
        }
        assert_eq!(fill(&OUTER, outer).ok(), Some(0));
        assert_eq!(INNER.load(Relaxed).addr(), 3);
    }

    #[test]
    fn two_threads_that_need_each_other_do_not_wait_for_ever() {
        static A: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        static B: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        static BOTH_CLAIMED: Barrier = Barrier::new(2);
        unsafe extern "C" fn good(result: *mut *mut c_void) -> c_int {
            // SAFETY: called by `init`.
            unsafe { answer(result, 5) }
        }
        unsafe extern "C" fn a_needs_b(result: *mut *mut c_void) -> c_int {
            BOTH_CLAIMED.wait();
            // SAFETY: called by `init`.
            if fill(&B, good).is_ok() { unsafe { answer(result, 6) } } else { -1 }
        }
        unsafe extern "C" fn b_needs_a(result: *mut *mut c_void) -> c_int {
            BOTH_CLAIMED.wait();
            // SAFETY: called by `init`.
            if fill(&A, good).is_ok() { unsafe { answer(result, 7) } } else { -1 }
        }
        let codes = thread::scope(|scope| {
            let threads = [scope.spawn(|| fill(&A, a_needs_b).ok()), scope.spawn(|| fill(&B, b_needs_a).ok())];
            threads.map(|thread| thread.join().expect("the thread ends"))
        });
        assert!(codes.contains(&Some(-1)) && codes.contains(&Some(0)), "{codes:?}");
    }

    #[test]
    fn a_child_keeps_what_the_thread_that_forked_is_filling() {
        let entry = |thread, address| Entry { thread, address };
        let (own, other) = (current_thread(), current_thread() + 1);
        let mut ledger = Ledger { filling: vec![entry(own, 1), entry(other, 2)], waiting: vec![entry(other, 1)] };
        ledger.keep_own();
        assert_eq!((ledger.filler_of(1), ledger.filler_of(2)), (Some(own), None));
        assert!(ledger.waits_for(1, own) && ledger.waiting.is_empty());
    }

    #[test]
    fn it_is_taken_apart_once() {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        unsafe extern "C" fn count(_: *mut c_void) -> c_int {
            CALLS.fetch_add(1, Relaxed);
            5
        }
        let handle = AtomicPtr::new(ptr::without_provenance_mut(8));
        // SAFETY: `count` may be called with anything.
        let codes = [unsafe { deinit(&handle, count) }, unsafe { deinit(&handle, count) }];
        assert_eq!(codes, [5, 0]);
        assert_eq!(CALLS.load(Relaxed), 1);
    }
}
