//! Running a part of a check on several threads at once.

use std::{
    fmt::Debug,
    io,
    sync::{
        Barrier, Mutex, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread::{self, ScopedJoinHandle},
    time::Duration,
};

use tvm_ffi_spec::*;

use super::{Trial, deadline};
use crate::client::{Client, Owned, Verdict, changes, view};

/// How many threads make a crowd: more than a table of fixed size has places for, or a byte can number.
const CROWD: usize = 264;

impl Trial<'_> {
    /// Runs `work` on `count` threads at once and answers the first failure. Each call gets its thread's number. It runs on
    /// none if the system does not give that many.
    pub fn threads(&self, count: usize, work: impl Fn(&Trial, usize) -> Verdict + Sync) -> Verdict {
        let (all_there, barrier) = (RwLock::new(false), Barrier::new(count));
        let results: Vec<Verdict> = thread::scope(|scope| {
            let mut gate = all_there.write().unwrap_or_else(PoisonError::into_inner);
            let begin = |number| {
                let (work, all_there, barrier) = (&work, &all_there, &barrier);
                thread::Builder::new().spawn_scoped(scope, move || {
                    // One alone has nobody to wait for.
                    if count > 1 {
                        if !*all_there.read().unwrap_or_else(PoisonError::into_inner) {
                            return Ok(());
                        }
                        barrier.wait();
                    }
                    work(self, number)
                })
            };
            let begun: Vec<_> = (0..count).map(begin).collect();
            *gate = begun.iter().all(Result::is_ok);
            drop(gate);
            self.ends(begun)
        });
        results.into_iter().collect()
    }

    /// What has come of threads that end, or were not given by the system.
    fn ends(&self, begun: Vec<io::Result<ScopedJoinHandle<Verdict>>>) -> Vec<Verdict> {
        let ended = |thread: ScopedJoinHandle<Verdict>| {
            thread.join().unwrap_or_else(|_| Err(self.error("a thread", "it panicked")))
        };
        begun
            .into_iter()
            .map(|thread| thread.map_or_else(|error| Err(self.error("a thread", error.to_string())), ended))
            .collect()
    }

    /// Runs a part of a check on a thread of its own, which has ended when this is back.
    pub fn elsewhere<R: Send>(&self, work: impl Fn(&Trial) -> Verdict<R> + Sync) -> Verdict<R> {
        let answer = Mutex::new(None);
        self.threads(1, |t, _| {
            *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(work(t)?);
            Ok(())
        })?;
        let answer = answer.into_inner().unwrap_or_else(PoisonError::into_inner);
        answer.ok_or_else(|| self.error("a thread", "the system gives none"))
    }

    /// Expects what a thread does to be seen by another that has looked before. In each case the one has its `look` (the number of the case,
    /// and false), then the other makes its `change`, and then the first looks again (and true).
    pub fn changes_are_seen(
        &self,
        cases: usize,
        look: impl Fn(&Trial, usize, bool) -> Verdict + Sync,
        change: impl Fn(&Trial, usize) -> Verdict + Sync,
    ) -> Verdict {
        let turn = Barrier::new(2);
        self.threads(2, |t, number| {
            let (looks, mut all) = (number == 0, Ok(()));
            for case in 0..cases {
                // Who has failed keeps the turns, for the other waits.
                let before = if looks { look(t, case, false) } else { Ok(()) };
                turn.wait();
                let changed = if looks { Ok(()) } else { change(t, case) };
                turn.wait();
                let after = if looks { look(t, case, true) } else { Ok(()) };
                all = all.and(before).and(changed).and(after);
            }
            all
        })
    }

    /// A stack on which programs with many threads get by, in bytes; a sanitizer has functions take more.
    fn small_stack(&self) -> usize {
        if self.sanitized { 4 << 20 } else { 256 << 10 }
    }

    /// Whether this process may take the memory that a crowd needs. Malloc would reserve most of it for threads that have not begun yet.
    fn has_room_for_a_crowd(&self) -> Verdict {
        const ROOM: u64 = 384 << 20;
        changes::note();
        // SAFETY: sets a number of malloc's.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 2) };
        let most = rustix::process::getrlimit(rustix::process::Resource::As).current;
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages: u64 = statm.split(' ').next().and_then(|size| size.parse().ok()).unwrap_or_default();
        let taken = pages * rustix::param::page_size() as u64;
        match most {
            Some(most) if most.saturating_sub(taken) < ROOM => {
                Err(self.not_applicable("hundreds of threads take more memory than the target may (--memory)"))
            }
            _ => Ok(()),
        }
    }

    /// Has a crowd of threads, all alive at once, do `first` one by one, and then `then`, each when all have done `first`.
    /// What `first` answers is given to `then` on the same thread.
    pub fn crowd<R>(
        &self,
        first: impl Fn(&Trial, usize) -> Verdict<R> + Sync,
        then: impl Fn(&Trial, usize, R) -> Verdict + Sync,
    ) -> Verdict {
        self.has_room_for_a_crowd()?;
        // Hundreds of stacks of the usual size are more than a target may be allowed to take.
        let stack = self.small_stack();
        let (all_done, turn, done) = (RwLock::new(false), Mutex::new(()), AtomicUsize::new(0));
        let results: Vec<Verdict> = thread::scope(|scope| {
            let mut gate = all_done.write().unwrap_or_else(PoisonError::into_inner);
            let begin = |number| {
                let (first, then, all_done, turn, done) = (&first, &then, &all_done, &turn, &done);
                thread::Builder::new().stack_size(stack).spawn_scoped(scope, move || {
                    // Whoever begins while others do does not wait for all of them first: each time that hundreds wait, they are
                    // woken hundreds of times.
                    let answer = {
                        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
                        first(self, number)
                    };
                    done.fetch_add(1, Ordering::SeqCst);
                    if !*all_done.read().unwrap_or_else(PoisonError::into_inner) {
                        return Ok(());
                    }
                    then(self, number, answer?)
                })
            };
            let begun: Vec<_> = (0..CROWD).map(begin).collect();
            *gate = begun.iter().all(Result::is_ok);
            // Who panics in its turn is never done.
            while *gate && done.load(Ordering::SeqCst) < CROWD && !turn.is_poisoned() {
                let_others_run();
            }
            drop(gate);
            self.ends(begun)
        });
        results.into_iter().collect()
    }

    /// Expects a call to come to the same on several threads at once, again and again, as it does on this one alone.
    pub fn same_on_threads<R: PartialEq + Debug + Sync>(
        &self,
        what: &str,
        call: impl Fn(&Client) -> Verdict<R> + Sync,
    ) -> Verdict {
        const ROUNDS: usize = 16;
        let expected = call(self)?;
        self.threads(4, |t, _| {
            (0..ROUNDS).try_for_each(|_| {
                let got = call(t)?;
                t.that(what, got == expected, format_args!("{expected:?}"), format_args!("{got:?}"))
            })
        })
    }

    /// Expects a call to come to the same on a thread with a small stack as it does on this one.
    pub fn same_on_a_small_stack<R: PartialEq + Debug + Send>(
        &self,
        what: &str,
        call: impl Fn(&Client) -> Verdict<R> + Sync,
    ) -> Verdict {
        let expected = call(self)?;
        let got = thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(self.small_stack()).spawn_scoped(scope, || call(self));
            let thread = thread.map_err(|error| self.error("a thread", error.to_string()))?;
            thread.join().unwrap_or_else(|_| Err(self.error("a thread", "it panicked")))
        })?;
        self.that(what, got == expected, format_args!("{expected:?}"), format_args!("{got:?}"))
    }

    /// Makes calls on a thread of which no more than so many bytes of the stack are left, as where functions of clients and of the library have
    /// called one another many times. A sanitizer has functions take more, so that nothing is called.
    pub fn with_stack_left(&self, bytes: usize, calls: impl Fn(&Client) -> Verdict + Sync) -> Verdict {
        const STACK: usize = 1 << 20;
        if self.sanitized {
            return Ok(());
        }
        thread::scope(|scope| {
            let work = || deeper(lowest_of_stack(self)? + bytes, &|| calls(self));
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            self.ends(vec![thread]).into_iter().collect()
        })
    }

    /// Makes a call on a thread of its own and expects it to come back.
    pub fn comes_back<R: Send + 'static>(
        &self,
        what: &str,
        call: impl FnOnce(&Client) -> R + Send + 'static,
    ) -> Verdict<R> {
        self.comes_back_within(deadline::PATIENCE, what, call)
    }

    /// The same with that much time.
    pub fn comes_back_within<R: Send + 'static>(
        &self,
        allowed: Duration,
        what: &str,
        call: impl FnOnce(&Client) -> R + Send + 'static,
    ) -> Verdict<R> {
        let (client, (done, result)) = (self.client, mpsc::channel());
        thread::spawn(move || done.send(call(&client)));
        deadline::receive_within(allowed, &result).map_err(|_| self.late(what))
    }
}

/// Makes calls where the stack has come down to an address.
fn deeper(address: usize, calls: &dyn Fn() -> Verdict) -> Verdict {
    let room = std::hint::black_box([0_u8; 256]);
    let verdict = if room.as_ptr().addr() > address { deeper(address, calls) } else { calls() };
    std::hint::black_box(&room);
    verdict
}

/// The lowest address of the stack of this thread.
fn lowest_of_stack(client: &Client) -> Verdict<usize> {
    let mut attributes = std::mem::MaybeUninit::uninit();
    let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are initialised by the first call, whose success is checked, and destroyed by the last.
    let found = unsafe {
        libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) == 0
            && libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size) == 0
            && libc::pthread_attr_destroy(attributes.as_mut_ptr()) == 0
    };
    if found { Ok(lowest.addr()) } else { Err(client.error("the stack of a thread", "the system does not tell")) }
}

impl Trial<'_> {
    /// Expects functions that walk through a Map or a Dict of integers to meet its entries one after the other, each asked in turn on this
    /// thread and on new ones, and made on either.
    pub fn iterates_on_any_thread(&self, make: &str, map: &Owned, entries: &[(i64, i64)]) -> Verdict {
        let map = map.handle() as usize;
        let made = |t: &Trial| -> Verdict<usize> {
            let map = map as TVMFFIObjectHandle;
            let kind = t.header(map)?.type_index;
            Ok(t.call_global(make, &[TVMFFIAny::new(kind, map as u64)])?.into_any().payload() as usize)
        };
        for iterator in [made(self)?, self.elsewhere(made)?] {
            for (at, (key, value)) in entries.iter().enumerate() {
                let step = |t: &Trial| {
                    let ask = |command| -> Verdict<TVMFFIAny> {
                        let answer = t.answer_of(iterator as TVMFFIObjectHandle, &[view::int(command)])?;
                        answer.map(|answer| answer.any()).map_err(|raised| {
                            t.failure(format!("what a function from {make} answers"), "an answer", raised.kind)
                        })
                    };
                    t.any_eq(format_args!("key {at} of {}", entries.len()), &ask(0)?, &view::int(*key))?;
                    t.any_eq(format_args!("value {at} of {}", entries.len()), &ask(1)?, &view::int(*value))?;
                    let more = view::bool(at + 1 < entries.len());
                    t.any_eq(format_args!("answer behind entry {at}"), &ask(2)?, &more)
                };
                if at % 3 == 0 { step(self)? } else { self.elsewhere(step)? }
            }
            self.api.release(iterator as TVMFFIObjectHandle);
        }
        Ok(())
    }
}

/// Pauses the thread it is called on, so that others arrive while this one is in the middle of something. It sleeps,
/// since a mere yield comes back at once where every processor has other work.
pub fn let_others_run() {
    thread::sleep(std::time::Duration::from_micros(20));
}
