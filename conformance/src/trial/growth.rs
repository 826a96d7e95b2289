//! Whether repeating something makes the heap grow.

use std::{
    ffi::c_void,
    fmt::Display,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{Trial, blocks, census};
use crate::{
    client::{Verdict, shown},
    target::library,
};

/// Whether a check of this process has looked for growth.
static LOOKED_FOR: AtomicBool = AtomicBool::new(false);

/// Whether a check of this process has looked for growth: such a check leaves nothing of the target's behind.
pub fn was_looked_for() -> bool {
    LOOKED_FOR.load(Ordering::Relaxed)
}

impl Trial<'_> {
    /// Expects that repeating `round` does not make the heap grow. A few rounds come first, so that what is kept once
    /// (a cache, a table) is not taken for a leak. A leak grows all the time, while malloc's own caches fill up in fits
    /// and starts, slower and slower: the first stretch of rounds that grows by less than a leak settles it. Short
    /// stretches come first, which is enough as a rule; nothing is called a leak before it has grown over long ones.
    pub fn no_growth(&self, what: impl Display, round: impl Fn() -> Verdict) -> Verdict {
        LOOKED_FOR.store(true, Ordering::Relaxed);
        let grown = of(self.sanitized, &round)?;
        if grown == 0 {
            return Ok(());
        }
        let before = census::objects();
        rounds(LONG, &round)?;
        let each_time = |(index, count): (i32, usize)| {
            let more = count.saturating_sub(before.get(&index).copied().unwrap_or_default());
            // Something else may have come or gone.
            let each = (more + LONG / 2) / LONG;
            let name = || shown::type_key(index).unwrap_or_else(|| format!("object of type index {index}"));
            (each > 0).then(|| format!("{each} {}", name()))
        };
        let objects: Vec<_> = census::objects().into_iter().filter_map(each_time).collect();
        let bytes = format!("{grown} bytes more each time");
        let got = if objects.is_empty() { bytes } else { format!("{bytes}, with {} more", objects.join(", ")) };
        let failure = self.leak(what, "the same memory in use each time", got);
        Err(failure.noting(format!("the least that {LONG} times in a row took, of {STRETCHES} such rows")))
    }

    /// Expects that the heap does not grow with the number of things that `one` is done with, each of which is another one, by their number. A few
    /// thousand of them may be remembered: what remembers all of them has more each time that there are twice as many, however it makes
    /// room for them.
    pub fn no_growth_with_each(&self, what: impl Display, one: impl Fn(usize) -> Verdict) -> Verdict {
        LOOKED_FOR.store(true, Ordering::Relaxed);
        let mut done = FEW;
        (0..done).try_for_each(&one)?;
        let mut least = usize::MAX;
        while done < MANY {
            let before = heap_in_use(self.sanitized);
            (done..2 * done).try_for_each(&one)?;
            let grown = heap_in_use(self.sanitized).saturating_sub(before) / done;
            if grown < LEAST {
                return Ok(());
            }
            least = least.min(grown);
            done *= 2;
        }
        let failure =
            self.leak(what, "the same memory in use, however many there were", format!("{least} bytes more for each"));
        Err(failure.noting(format!("the least whenever there were twice as many, of {MANY}")))
    }

    /// Expects that `work` leaves nothing behind, neither when this thread repeats it, nor on threads that do it and end.
    pub fn leaves_nothing(&self, what: impl Display, work: impl Fn(&Trial) -> Verdict + Sync) -> Verdict {
        self.no_growth(&what, || work(self))?;
        self.threads_leave_nothing(format_args!("{what}, on threads that have ended"), work)
    }

    /// Expects that threads which do `work` and end leave nothing behind.
    pub fn threads_leave_nothing(&self, what: impl Display, work: impl Fn(&Trial) -> Verdict + Sync) -> Verdict {
        self.no_growth(what, || self.threads(1, |t, _| work(t)))
    }
}

/// How many rounds the first look takes, and how many come before it.
const FIRST: usize = 100;
const BEFORE_IT: usize = 20;

/// How many rounds a short stretch has, and a long one, and how many long ones there are.
const SHORT: usize = 100;
const LONG: usize = 500;
const STRETCHES: usize = 16;

/// From how many different things to how many [`Trial::no_growth_with_each`] looks.
const FEW: usize = 1 << 11;
pub const MANY: usize = 1 << 16;

/// Half the smallest block malloc hands out, for each round: less cannot come from a round that leaks.
const LEAST: usize = 8;

/// By how many bytes each round makes the heap grow, at the least; 0 if it settles.
///
/// # Errors
/// That of the round that failed.
pub fn of(sanitized: bool, round: &dyn Fn() -> Verdict) -> Verdict<usize> {
    let stretch = |count| -> Verdict<usize> {
        let before = heap_in_use(sanitized);
        rounds(count, round)?;
        Ok(heap_in_use(sanitized).saturating_sub(before))
    };
    // Where rounds leave nothing at all, not a block, that settles it, too: so it is as a rule.
    rounds(BEFORE_IT, round)?;
    let before = heap_in_use(sanitized);
    rounds(FIRST, round)?;
    if heap_in_use(sanitized) == before {
        return Ok(0);
    }
    stretch(SHORT)?;
    let mut least = usize::MAX;
    for count in [SHORT; 4].into_iter().chain([LONG; STRETCHES]) {
        let grown = stretch(count)?;
        if grown < count * LEAST {
            return Ok(0);
        }
        if count == LONG {
            least = least.min(grown);
        }
    }
    Ok(least / LONG)
}

fn rounds(count: usize, round: &dyn Fn() -> Verdict) -> Verdict {
    (0..count).try_for_each(|_| round())
}

/// Bytes that malloc has handed out and not got back. Most sanitizers bring an allocator of their own, with an account of its own.
fn heap_in_use(sanitized: bool) -> usize {
    if let Some(account) = sanitized.then(sanitizers_account).flatten() {
        // SAFETY: the function of the sanitizer that has this name, which takes nothing.
        return unsafe { account() };
    }
    // More than a thread's cache takes. Blocks in such a cache count as handed out, and their number drifts for thousands of rounds;
    // only full caches are the same from one look to the next.
    blocks::take::<32>();
    // SAFETY: mallinfo2 only reads malloc's own records.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks + info.hblkhd
}

type Account = unsafe extern "C" fn() -> usize;

fn sanitizers_account() -> Option<Account> {
    let account = library::anywhere(c"__sanitizer_get_current_allocated_bytes");
    // SAFETY: the sanitizer's function, which is of this type, or none.
    unsafe { std::mem::transmute::<*mut c_void, Option<Account>>(account) }
}
