//! The end of a thread, as a part of a check.

use std::{
    ffi::c_void,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{
    Trial,
    blocks::{self, Filled},
};
use crate::client::{Client, Verdict};

/// What is left to do on a thread that ends, and what came of it.
struct Ending<'a> {
    client: Client,
    work: &'a (dyn Fn(&Client) -> Verdict + Sync),
    key: libc::pthread_key_t,
    /// How often it is to be done.
    all_turns: usize,
    /// How often it has been done.
    turns: AtomicUsize,
    verdict: Mutex<Verdict>,
}

/// The system calls destructors as long as they leave something, but not more often than this.
const TURNS: usize = 4;

/// How many blocks of each size malloc keeps for the thread when its data go, of seven at most. They lie in lists which run through
/// the blocks: who writes to one that was given back breaks its list, which ends the process when the next one is taken.
const KEPT: usize = 3;

impl Trial<'_> {
    /// Does `before` on a thread of its own, and `work` while that ends: in a destructor of the thread's data, again and again until all
    /// that others have for the thread has gone. Answers the first failure; that memory is written which went with the thread is one,
    /// or ends the process.
    pub fn while_a_thread_ends(
        &self,
        before: impl Fn(&Client) -> Verdict + Sync,
        work: impl Fn(&Client) -> Verdict + Sync,
    ) -> Verdict {
        let mut key = 0;
        // SAFETY: a place for a key, and a destructor that is only given what is set below.
        let code = unsafe { libc::pthread_key_create(&mut key, Some(finish)) };
        self.that("a key for data of a thread's own", code == 0, "0", code)?;
        let (turns, verdict) = (AtomicUsize::new(0), Mutex::new(Ok(())));
        // A sanitizer ends what it has for the thread by the last turn, and cannot do without.
        let all_turns = if self.sanitized { TURNS - 1 } else { TURNS };
        let ending = Ending { client: self.client, work: &work, key, all_turns, turns, verdict };
        self.threads(1, |t, _| {
            ending.come_again();
            before(t)?;
            blocks::take::<KEPT>();
            Ok(())
        })?;
        // SAFETY: the key that was made above, whose destructor has been called for the last time.
        unsafe { libc::pthread_key_delete(key) };
        let turns = ending.turns.load(Ordering::SeqCst);
        self.that("destructors of a thread's data", turns > 0, "to be called", turns)?;
        ending.verdict.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ending<'_> {
    /// Has the destructor be called with this, which outlives the thread.
    fn come_again(&self) {
        // SAFETY: the key that this was made with.
        unsafe { libc::pthread_setspecific(self.key, std::ptr::from_ref(self).cast()) };
    }
}

/// The destructor.
unsafe extern "C" fn finish(ending: *mut c_void) {
    // SAFETY: what was set, and lives until its thread has ended.
    let ending = unsafe { &*ending.cast_const().cast::<Ending>() };
    let filled = Filled::take(KEPT);
    let verdict = (ending.work)(&ending.client).and_then(|()| filled.are_untouched(&ending.client));
    match verdict {
        Ok(()) => {
            drop(filled);
            blocks::take::<{ KEPT + 2 }>();
        }
        // Who writes to blocks may have written between them, where malloc keeps their sizes: giving them back would end the process
        // before the failure is told.
        Err(_) => std::mem::forget(filled),
    }
    let mut first = ending.verdict.lock().unwrap_or_else(PoisonError::into_inner);
    if first.is_ok() {
        *first = verdict;
    }
    if ending.turns.fetch_add(1, Ordering::SeqCst) + 1 < ending.all_turns {
        ending.come_again();
    }
}
