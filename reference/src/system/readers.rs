//! Reading what another thread may take away, without a lock.
//!
//! A reader says in a word of its own that it reads. Whoever has taken something away gives it up when nobody reads any
//! more who may have seen it. Saying so is an ordinary store, which a processor may delay until after the reading; so
//! whoever waits first has the kernel put a barrier into every thread of the process (`membarrier`).

use std::{
    cell::Cell,
    hint, mem, ptr,
    sync::atomic::{AtomicBool, Ordering, compiler_fence},
    thread,
    time::Duration,
};

use libc::{c_int, c_long};

use crate::system::{
    cancel::without_cancellation,
    fork::{self, Exclusive},
    found::Found,
    thread_end,
};

/// A thread that reads now and then.
struct Reader {
    reads: AtomicBool,
    state: Cell<State>,
}

/// What a thread is to those who wait.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unknown,
    Listed,
    Ended,
}

thread_local! {
    // Without a destructor, so that it serves to the very end of the thread.
    static READER: Reader = const { Reader { reads: AtomicBool::new(false), state: Cell::new(State::Unknown) } };
}

/// The threads that those who wait look at.
pub struct Readers {
    threads: Vec<*const Reader>,
    /// The process that these are threads of: a child has none of its parent's but one.
    generation: usize,
}

// SAFETY: a thread is listed only as long as it lives, and others read nothing of it but the atomic word.
unsafe impl Send for Readers {}

/// All readers.
pub static READERS: Exclusive<Readers> = Exclusive::new(Readers { threads: Vec::new(), generation: 0 });

/// Runs `read`, which neither waits nor panics. Nothing that it finds is [given up](give_up) meanwhile. `None` on a thread
/// that nobody would wait for: it has to keep others from taking anything away.
#[inline]
pub fn reading<T>(read: impl FnOnce() -> T) -> Option<T> {
    READER.with(|reader| {
        if reader.state.get() != State::Listed && !reader.join() {
            return None;
        }
        reader.reads.store(true, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        let result = read();
        reader.reads.store(false, Ordering::Release);
        Some(result)
    })
}

/// Drops what has been taken away, when nobody can be reading it any more. Where the kernel has come to refuse the barrier
/// it is lost.
pub fn give_up<T>(taken: T) {
    if wait() { drop(taken) } else { mem::forget(taken) }
}

/// Waits until nobody reads who has begun before; `false` if that cannot be told.
fn wait() -> bool {
    let mut readers = READERS.lock();
    readers.forget_parent();
    let own = READER.with(ptr::from_ref);
    let mut others = readers.threads.iter().filter(|reader| **reader != own).peekable();
    if others.peek().is_none() {
        return true;
    }
    if !barrier() {
        return false;
    }
    // SAFETY: a thread that is listed is alive, and takes itself off the list under the lock.
    others.for_each(|reader| unsafe { (**reader).wait() });
    true
}

/// Takes this thread off the list, when it ends.
pub fn leave() {
    READER.with(|reader| {
        if reader.state.replace(State::Ended) == State::Listed {
            READERS.lock().threads.retain(|other| !ptr::eq(*other, reader));
        }
    });
}

impl Reader {
    /// Has others wait for this thread, if its end will be noticed.
    #[cold]
    fn join(&self) -> bool {
        if self.state.get() == State::Ended || !has_barriers() || !thread_end::mark() {
            return false;
        }
        let mut readers = READERS.lock();
        readers.forget_parent();
        if readers.threads.try_reserve(1).is_err() {
            return false;
        }
        readers.threads.push(self);
        self.state.set(State::Listed);
        true
    }

    fn wait(&self) {
        let mut rounds = 0;
        while self.reads.load(Ordering::Acquire) {
            // Most are through at once; one may have been interrupted.
            match rounds < 1000 {
                true => hint::spin_loop(),
                false => without_cancellation(|| thread::sleep(Duration::from_micros(50))),
            }
            rounds += 1;
        }
    }
}

impl Readers {
    fn forget_parent(&mut self) {
        if mem::replace(&mut self.generation, fork::generation()) != fork::generation() {
            let own = READER.with(ptr::from_ref);
            self.threads.retain(|reader| *reader == own);
        }
    }
}

const QUERY: c_int = 0;
const PRIVATE_EXPEDITED: c_int = 1 << 3;
const REGISTER_PRIVATE_EXPEDITED: c_int = 1 << 4;

fn membarrier(command: c_int) -> c_long {
    // SAFETY: the call takes a command and flags, and changes nothing in memory.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) }
}

/// Whether the kernel has such barriers.
fn has_barriers() -> bool {
    static ANSWER: Found<bool> = Found::new();
    *ANSWER.get_or_find(|| matches!(membarrier(QUERY), known @ 1.. if known & c_long::from(PRIVATE_EXPEDITED) != 0))
}

/// Has every thread see what was stored before, and others see what it has stored. A process asks for the right to that
/// when it first needs it: in one with several threads the kernel takes its time to grant it.
fn barrier() -> bool {
    membarrier(PRIVATE_EXPEDITED) == 0
        || membarrier(REGISTER_PRIVATE_EXPEDITED) == 0 && membarrier(PRIVATE_EXPEDITED) == 0
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicPtr, AtomicUsize};

    use super::*;

    #[test]
    fn nobody_finds_what_has_been_given_up() {
        const INTACT: usize = 7;
        let (current, rounds) = (&AtomicPtr::new(Box::into_raw(Box::new(INTACT))), &AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while rounds.load(Ordering::Relaxed) < 2000 {
                        // SAFETY: it is given up, and overwritten before, only when nobody reads it.
                        let found = reading(|| unsafe { *current.load(Ordering::Acquire) });
                        assert!(found.is_none_or(|found| found == INTACT));
                    }
                });
            }
            while rounds.fetch_add(1, Ordering::Relaxed) < 2000 {
                let old = current.swap(Box::into_raw(Box::new(INTACT)), Ordering::AcqRel);
                struct Overwritten(*mut usize);
                impl Drop for Overwritten {
                    fn drop(&mut self) {
                        // SAFETY: it came from a box, and nobody reads it any more.
                        unsafe {
                            self.0.write_volatile(0);
                            drop(Box::from_raw(self.0));
                        }
                    }
                }
                give_up(Overwritten(old));
            }
        });
        // SAFETY: it came from a box, and is the last one.
        drop(unsafe { Box::from_raw(current.load(Ordering::Relaxed)) });
    }

    #[test]
    fn a_thread_that_has_ended_is_waited_for_no_more() {
        let listed = || READERS.lock().threads.len();
        thread::spawn(|| reading(|| ())).join().unwrap();
        reading(|| ());
        assert!(listed() >= 1 || !has_barriers());
        leave();
        assert!(reading(|| ()).is_none());
    }
}
