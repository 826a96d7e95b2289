//! State that a function object refers to, although one thread at a time may use it and it ends before the function might.
//!
//! Whoever uses the state has the turn. A walk has it from the beginning, and lends it to each hook while that runs: so the
//! function that a hook is given may be called on any thread. Who comes back to state that is in other hands leaves it alone
//! from then on.

use std::{
    cell::Cell,
    ops::Deref,
    ptr,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use crate::border::error::{Error, Result};

/// State that knows where it lies.
pub(super) trait Placed: Sized {
    /// Where it lies.
    fn place(&self) -> &Place<Self>;

    /// Shares state, which knows its place from then on. It is made where it stays: there is much of it to be moved.
    #[inline(always)]
    fn shared(make: impl FnOnce() -> Self) -> Arc<Self> {
        let room = Arc::<Self>::new_uninit();
        // SAFETY: nobody else has the room, which is of one state.
        let state = unsafe {
            Arc::as_ptr(&room).cast_mut().cast::<Self>().write(make());
            room.assume_init()
        };
        state.place().state.set(Arc::as_ptr(&state));
        state
    }
}

/// Where state lies, as a field of the state itself, and who uses it. Unlike a weak reference it takes nothing until somebody
/// wants one.
pub(super) struct Place<T> {
    state: Cell<*const T>,
    /// Twice the number of the call that has the turn, and one more while that call lends it.
    turn: AtomicU64,
    /// The thread of that call, unless it lends its turn. Each writes what it is known by, and takes it away, itself.
    thread: AtomicUsize,
    /// How many calls there have been.
    calls: Cell<u64>,
}

/// The turn of the walk itself.
const WALK: u64 = 0;
/// What is added to a turn that is lent.
const LENT: u64 = 1;
/// The turn of a call that has no number yet.
const TAKEN: u64 = u64::MAX - 1;

impl<T> Default for Place<T> {
    fn default() -> Self {
        Self {
            state: Cell::new(ptr::null()),
            turn: AtomicU64::new(WALK),
            thread: AtomicUsize::new(0),
            calls: Cell::new(0),
        }
    }
}

impl<T> Place<T> {
    /// A weak reference to the state.
    fn weak(&self) -> Weak<T> {
        let state = self.state.get();
        if state.is_null() {
            return Weak::new();
        }
        // SAFETY: the state is in an `Arc` and has not ended, since this field of it is borrowed.
        let state = unsafe {
            Arc::increment_strong_count(state);
            Arc::from_raw(state)
        };
        Arc::downgrade(&state)
    }

    /// Calls a hook, to which the turn is lent meanwhile.
    ///
    /// # Errors
    /// What the hook fails with, and `RuntimeError` if the state is in other hands behind the hook. Then it is not the
    /// caller's any more.
    pub fn lend<R>(&self, hook: impl FnOnce() -> Result<R>) -> Result<R> {
        let turn = self.turn.load(Ordering::Relaxed);
        self.thread.store(0, Ordering::Relaxed);
        self.turn.store(turn | LENT, Ordering::Release);
        let answer = hook();
        let back = self.turn.compare_exchange(turn | LENT, turn, Ordering::Acquire, Ordering::Relaxed);
        back.map_err(|_| Error::new("RuntimeError", "A structural hook has ended before all calls of its callback"))?;
        self.thread.store(this_thread(), Ordering::Relaxed);
        answer
    }

    /// Whether the walk itself has the turn, as it has unless it lends it, or has not got it back.
    pub fn is_with_walk(&self) -> bool {
        self.turn.load(Ordering::Relaxed) == WALK
    }
}

/// What no other thread is known by.
fn this_thread() -> usize {
    thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| ptr::from_ref(here).addr())
}

/// A reference to state that can be sent around, but only used by whoever has the turn and while the state is there.
pub(super) struct Local<T>(Weak<T>);

// SAFETY: but for its place, the state is only reached by whoever has the turn, and ends when nobody reaches it any more. Of
// the place, what others look at is atomic.
unsafe impl<T> Send for Local<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Local<T> {}

impl<T: Placed> Local<T> {
    /// A reference to state, made by whoever has the turn.
    pub fn new(place: &Place<T>) -> Self {
        place.thread.store(this_thread(), Ordering::Relaxed);
        Self(place.weak())
    }

    /// The state, with the turn: lent by the walk, or that of a call on this thread, which calls foreign code.
    ///
    /// # Errors
    /// `RuntimeError` when the state is gone, or in use on another thread.
    pub fn get(&self) -> Result<Turn<T>> {
        let refuse = || Error::new("RuntimeError", "The callback of a structural hook is only there during the hook");
        let state = self.0.upgrade().ok_or_else(refuse)?;
        let (place, thread) = (state.place(), this_thread());
        let outer = place.turn.load(Ordering::Relaxed);
        let is_here = place.thread.load(Ordering::Relaxed) == thread;
        let is_taken = || place.turn.compare_exchange(outer, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok();
        if !is_here && (outer & LENT == 0 || !is_taken()) {
            return Err(Error::new("RuntimeError", "The callback of a structural hook is in use on another thread"));
        }
        place.calls.set(place.calls.get() + 1);
        let turn = 2 * place.calls.get();
        place.turn.store(turn, Ordering::Relaxed);
        place.thread.store(thread, Ordering::Relaxed);
        Ok(Turn { state, turn, outer })
    }
}

/// State that a call uses.
pub(super) struct Turn<T: Placed> {
    state: Arc<T>,
    turn: u64,
    /// The turn that it goes back to.
    outer: u64,
}

impl<T: Placed> Turn<T> {
    /// Whether the call has the turn still, or back.
    pub fn is_held(&self) -> bool {
        self.state.place().turn.load(Ordering::Relaxed) == self.turn
    }
}

impl<T: Placed> Deref for Turn<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.state
    }
}

impl<T: Placed> Drop for Turn<T> {
    fn drop(&mut self) {
        if !self.is_held() {
            return;
        }
        let place = self.state.place();
        if self.outer & LENT != 0 {
            place.thread.store(0, Ordering::Relaxed);
        }
        place.turn.store(self.outer, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    struct State {
        value: Cell<u32>,
        place: Place<State>,
    }

    impl Placed for State {
        fn place(&self) -> &Place<Self> {
            &self.place
        }
    }

    fn state() -> (Arc<State>, Arc<Local<State>>) {
        let state = State::shared(|| State { value: Cell::new(7), place: Place::default() });
        let local = Arc::new(Local::new(&state.place));
        (state, local)
    }

    #[test]
    fn state_is_there_while_it_lasts() {
        let (state, local) = state();
        assert_eq!(local.get().unwrap().value.get(), 7);
        drop(state);
        assert!(local.get().is_err());
    }

    #[test]
    fn other_threads_use_what_is_lent() {
        let (state, local) = state();
        let add = |local: &Arc<Local<State>>| {
            let local = Arc::clone(local);
            let add = move || local.get().map(|state| state.value.set(state.value.get() + 1)).is_ok();
            thread::spawn(add).join().unwrap()
        };
        assert!(!add(&local));
        assert!(state.place.lend(|| Ok(add(&local) && add(&local))).unwrap());
        let within = state.place.lend(|| {
            let turn = local.get()?;
            assert!(!add(&local));
            turn.place.lend(|| Ok(add(&local)))
        });
        assert!(within.unwrap() && !add(&local) && state.place.is_with_walk());
        assert_eq!(state.value.get(), 10);
    }

    #[test]
    fn who_does_not_get_it_back_has_lost_it() {
        let (state, local) = state();
        let mut kept = None;
        let back = state.place.lend(|| {
            kept = Some(local.get()?);
            Ok(())
        });
        assert!(back.is_err() && !state.place.is_with_walk());
    }
}
