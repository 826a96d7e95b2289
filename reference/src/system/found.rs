//! Values that are found once, and are the same whoever asks.

use std::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

/// A value that is found when it is first asked for. Nobody waits: where two threads are at it, both find it, and the one
/// that comes second takes what the first one has found. So a child that is forked meanwhile does not wait for a thread
/// that it does not have.
#[derive(Debug)]
pub struct Found<T>(AtomicPtr<T>);

// SAFETY: the value goes from the thread that finds it to the one that drops it, ...
unsafe impl<T: Send> Send for Found<T> {}
// SAFETY: ... and is shared with all others.
unsafe impl<T: Send + Sync> Sync for Found<T> {}

impl<T> Found<T> {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// The value, if somebody has found it before.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        // SAFETY: what is stored is a value that lives as long as `self`.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }
    }

    /// The value, which `find` finds if nobody has found it before.
    #[inline]
    pub fn get_or_find(&self, find: impl FnOnce() -> T) -> &T {
        self.get().unwrap_or_else(|| self.keep(find()))
    }

    /// The same where it may not be found.
    #[inline]
    pub fn get_or_try_find<E>(&self, find: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        self.get().map_or_else(|| find().map(|found| self.keep(found)), Ok)
    }

    #[cold]
    fn keep(&self, found: T) -> &T {
        let found = Box::into_raw(Box::new(found));
        match self.0.compare_exchange(ptr::null_mut(), found, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: it has just been made, and is stored for as long as `self` lives.
            Ok(_) => unsafe { &*found },
            // SAFETY: ours was not stored; the other one is, as above.
            Err(first) => unsafe {
                drop(Box::from_raw(found));
                &*first
            },
        }
    }
}

impl<T> Drop for Found<T> {
    fn drop(&mut self) {
        let found = *self.0.get_mut();
        if !found.is_null() {
            // SAFETY: it came from a box, and nobody refers to it any more.
            drop(unsafe { Box::from_raw(found) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_get_the_same_value() {
        let found = &Found::new();
        let addresses: Vec<usize> = std::thread::scope(|scope| {
            let find = |number: i32| ptr::from_ref(found.get_or_find(|| number)).addr();
            let threads: Vec<_> = (0..8).map(|number| scope.spawn(move || find(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(addresses.iter().all(|address| *address == addresses[0]));
    }
}
