//! State that a function object refers to, although only one thread may use it and it ends before the function might.

use std::{
    sync::{Arc, Weak},
    thread::{self, ThreadId},
};

use crate::border::error::{Error, Result};

/// A reference to state of a thread that can be sent around, but only used on that thread and while the state is there.
pub(super) struct Local<T> {
    state: Weak<T>,
    thread: ThreadId,
}

// SAFETY: the state is only reached on its own thread, and a weak reference never drops it.
unsafe impl<T> Send for Local<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Local<T> {}

impl<T> Local<T> {
    /// A reference to state of this thread.
    pub fn new(state: &Weak<T>) -> Self {
        Self { state: state.clone(), thread: thread::current().id() }
    }

    /// The state.
    ///
    /// # Errors
    /// `RuntimeError` on another thread, or when the state is gone.
    pub fn get(&self) -> Result<Arc<T>> {
        let here = thread::current().id() == self.thread;
        here.then(|| self.state.upgrade()).flatten().ok_or_else(|| {
            Error::new("RuntimeError", "The callback of a structural hook is only there during the hook, on its thread")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_there_on_its_thread_while_it_lasts() {
        let state = Arc::new(7);
        let local = Local::new(&Arc::downgrade(&state));
        assert_eq!(*local.get().unwrap(), 7);
        let elsewhere = Local::new(&Arc::downgrade(&state));
        assert!(thread::spawn(move || elsewhere.get().is_err()).join().unwrap());
        drop(state);
        assert!(local.get().is_err());
    }
}
