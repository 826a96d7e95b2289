//! Locks that a fork leaves usable.
//!
//! A child has one thread, and a copy of every lock in the state that it was in. So that none is held by a thread which the
//! child does not have, the thread that forks holds all locks of the library meanwhile. It takes them in the order
//! of the list that `startup` gives, which is the order in which they are ever taken by one thread.
//!
//! No foreign code runs under these locks, so that a thread that forks holds none of them before.

use std::{
    cell::UnsafeCell,
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// A lock that is held during a fork.
pub trait AtFork: Sync {
    /// Takes the lock.
    fn hold(&'static self);
    /// Has the value forget, in the child, what only the parent has.
    ///
    /// # Safety
    /// As for [`release`](AtFork::release).
    unsafe fn enter_child(&'static self);
    /// Gives it up, in the parent or in the child.
    ///
    /// # Safety
    /// This thread, or the thread of the parent that it is a copy of, holds it by [`hold`](AtFork::hold).
    unsafe fn release(&'static self);
}

/// The guard of the thread that forks.
struct Held<G>(UnsafeCell<Option<G>>);

// SAFETY: it is only accessed by the thread that holds the lock.
unsafe impl<G> Sync for Held<G> {}

impl<G> Held<G> {
    const fn none() -> Self {
        Self(UnsafeCell::new(None))
    }
}

/// A value behind a lock for one thread at a time. Nothing under such locks can panic half-way through a change that
/// would matter, so poisoning is ignored.
pub struct Exclusive<T: 'static> {
    lock: Mutex<T>,
    held: Held<MutexGuard<'static, T>>,
    in_child: fn(&mut T),
}

impl<T: Send> Exclusive<T> {
    /// The value, not locked.
    pub const fn new(value: T) -> Self {
        Self::with_child(value, |_| ())
    }

    /// The value, not locked, and what becomes of it in a child. That takes no memory.
    pub const fn with_child(value: T, in_child: fn(&mut T)) -> Self {
        Self { lock: Mutex::new(value), held: Held::none(), in_child }
    }

    /// Locks it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Send> AtFork for Exclusive<T> {
    fn hold(&'static self) {
        let guard = self.lock();
        // SAFETY: the lock is held by this thread.
        unsafe { *self.held.0.get() = Some(guard) };
    }

    unsafe fn enter_child(&'static self) {
        // SAFETY: the lock is held by this thread.
        let held = unsafe { &mut *self.held.0.get() };
        _ = held.as_deref_mut().map(self.in_child);
    }

    unsafe fn release(&'static self) {
        // SAFETY: the lock is held by this thread. The guard leaves its place before it gives the lock up.
        drop(unsafe { (*self.held.0.get()).take() });
    }
}

static LOCKS: OnceLock<&'static [&'static dyn AtFork]> = OnceLock::new();

/// How many forks lead to this process from the one that loaded the library.
static GENERATION: AtomicUsize = AtomicUsize::new(0);

/// How many forks lead to this process: what a thread has noted in another generation is none of this process's threads'.
pub fn generation() -> usize {
    GENERATION.load(Ordering::Relaxed)
}

/// Has these locks held during every fork, taken in this order. Only the first call counts.
pub fn hold_at_fork(locks: &'static [&'static dyn AtFork]) {
    if LOCKS.set(locks).is_ok() {
        // SAFETY: the functions are the library's, and are forgotten when it is unloaded.
        unsafe { libc::pthread_atfork(Some(before), Some(after), Some(in_child)) };
    }
}

fn locks() -> &'static [&'static dyn AtFork] {
    LOCKS.get().copied().unwrap_or_default()
}

unsafe extern "C" fn before() {
    locks().iter().for_each(|lock| lock.hold());
}

unsafe extern "C" fn after() {
    // SAFETY: `before` has run on this thread, or on the one that it is a copy of.
    locks().iter().rev().for_each(|lock| unsafe { lock.release() });
}

unsafe extern "C" fn in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    // SAFETY: as above.
    unsafe {
        locks().iter().for_each(|lock| lock.enter_child());
        after();
    }
}
