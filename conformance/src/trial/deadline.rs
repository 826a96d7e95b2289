//! When threads have had their time. What they waited for a processor or a disk, because others had them, is not counted.

use std::{
    cell::{Cell, RefCell},
    fs,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

/// How many times their deadline threads may take that wait for others meanwhile.
pub const BUSY: u32 = 4;

/// How long another thread is waited for: longer than any call of a check's takes.
pub const PATIENCE: Duration = Duration::from_secs(3);

/// How long threads are waited for that all sleep: longer than any of them sleeps before it looks again.
pub const SILENCE: Duration = Duration::from_secs(1);

/// How often it is looked what they wait for.
pub const LOOK: Duration = Duration::from_millis(50);

/// The time that threads have, from about their start. Whoever watches them asks what is left again and again: that one waits for a disk
/// is seen only at the moment of a look.
pub struct Deadline {
    threads: Box<dyn Fn() -> Vec<PathBuf>>,
    start: Instant,
    allowed: Duration,
    looked: Cell<Instant>,
    on_disks: Cell<Duration>,
}

/// The time that threads have whose answer is waited for, or less where they all sleep and none is left to wake another.
/// Those that hang are told from those that take their time long before the check's deadline, so that a run on a target with such a
/// fault does not last until then.
pub struct Patience {
    deadline: Deadline,
    /// What the threads were seen at when one of them was last seen to move, and since when.
    at_rest: RefCell<(Vec<String>, Instant)>,
}

/// What another thread of this process tells while there is [`PATIENCE`].
pub fn receive<T>(told: &Receiver<T>) -> Result<T, RecvTimeoutError> {
    receive_within(PATIENCE, told)
}

/// The same with that much time.
pub fn receive_within<T>(allowed: Duration, told: &Receiver<T>) -> Result<T, RecvTimeoutError> {
    // Most tell it at once, and nobody looks what they wait for.
    match told.recv_timeout(allowed.min(LOOK)) {
        Err(RecvTimeoutError::Timeout) => {}
        ended => return ended,
    }
    let allowed = allowed.saturating_sub(LOOK);
    let me = rustix::thread::gettid().as_raw_nonzero().to_string();
    let patience =
        Patience::new(allowed, move || threads("self").into_iter().filter(|thread| !thread.ends_with(&me)).collect());
    loop {
        let left = patience.left();
        match told.recv_timeout(left.min(LOOK)) {
            Err(RecvTimeoutError::Timeout) if !left.is_zero() => {}
            ended => return ended,
        }
    }
}

impl Patience {
    /// Patience, from now on, with what `threads` finds, the one that waits for them not among them.
    pub fn new(allowed: Duration, threads: impl Fn() -> Vec<PathBuf> + 'static) -> Self {
        Self { deadline: Deadline::new(allowed, threads), at_rest: RefCell::new((Vec::new(), Instant::now())) }
    }

    /// How much is left of it.
    pub fn left(&self) -> Duration {
        let seen: Option<Vec<String>> = (self.deadline.threads)().iter().map(|thread| sleeping(thread)).collect();
        let mut at_rest = self.at_rest.borrow_mut();
        match seen {
            Some(seen) if seen == at_rest.0 => {}
            moving => *at_rest = (moving.unwrap_or_default(), Instant::now()),
        }
        self.deadline.left().min(SILENCE.saturating_sub(at_rest.1.elapsed()))
    }
}

impl Deadline {
    /// That much time, from now on, for what `threads` finds: each by the place where the system tells of it.
    pub fn new(allowed: Duration, threads: impl Fn() -> Vec<PathBuf> + 'static) -> Self {
        let (threads, start) = (Box::new(threads), Instant::now());
        Self { threads, start, allowed, looked: Cell::new(start), on_disks: Cell::default() }
    }

    /// How long ago the time began, waiting and all.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// How much of the time is left.
    pub fn left(&self) -> Duration {
        let elapsed = self.elapsed();
        if self.looked.get().elapsed() >= LOOK {
            let since = self.looked.replace(Instant::now()).elapsed();
            if (self.threads)().iter().any(|thread| waits_for_disk(thread)) {
                self.on_disks.set(self.on_disks.get() + since);
            }
        }
        if elapsed < self.allowed {
            return self.allowed - elapsed;
        }
        let for_processor =
            (self.threads)().iter().map(|thread| waited_for_processor(thread)).max().unwrap_or_default();
        extended(self.allowed, for_processor + self.on_disks.get()).saturating_sub(elapsed)
    }
}

/// Where the system tells of each thread of a process, which is a number or `self`.
pub fn threads(process: &str) -> Vec<PathBuf> {
    fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten().map(|thread| thread.path()).collect()
}

/// The time that threads get which are allowed so much and waited so long for others.
fn extended(allowed: Duration, waited: Duration) -> Duration {
    allowed + waited.min(allowed * (BUSY - 1))
}

/// How long a thread has waited for a processor since it began, as the kernel counts it; nothing if it does not.
fn waited_for_processor(thread: &Path) -> Duration {
    let counts = fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
    Duration::from_nanos(counts.split_whitespace().nth(1).and_then(|count| count.parse().ok()).unwrap_or_default())
}

/// Whether a thread waits, uninterruptibly, as it does for a disk.
fn waits_for_disk(thread: &Path) -> bool {
    state(thread) == Some('D')
}

/// What a thread has run so far, if it sleeps; the kernel counts how often each has been given a processor.
fn sleeping(thread: &Path) -> Option<String> {
    (state(thread)? == 'S').then(|| fs::read_to_string(thread.join("schedstat")).ok())?
}

/// The letter of what a thread does: it follows the name, which stands in brackets and may hold others.
fn state(thread: &Path) -> Option<char> {
    let stat = fs::read_to_string(thread.join("stat")).ok()?;
    stat.rsplit(')').next()?.trim_start().chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_thread_waits_for_is_read_whatever_it_is_called() {
        let task = tempfile::tempdir().unwrap();
        let tell = |name, text| fs::write(task.path().join(name), text).unwrap();
        tell("schedstat", "1000 2000000 7\n");
        assert_eq!(waited_for_processor(task.path()), Duration::from_millis(2));
        tell("stat", "17 (a) D (b) S 1 17 17\n");
        assert!(!waits_for_disk(task.path()));
        tell("stat", "17 (a) S (b) D 1 17 17\n");
        assert!(waits_for_disk(task.path()));
        assert_eq!(sleeping(task.path()), None);
        tell("stat", "17 (a) R (b) S 1 17 17\n");
        assert_eq!(sleeping(task.path()), Some("1000 2000000 7\n".to_owned()));
        let gone = Path::new("/nothing/here");
        assert_eq!((waited_for_processor(gone), waits_for_disk(gone), sleeping(gone)), (Duration::ZERO, false, None));
    }

    #[test]
    fn threads_that_all_sleep_are_waited_for_until_one_moves_again() {
        let task = tempfile::tempdir().unwrap();
        let tell = |name, text| fs::write(task.path().join(name), text).unwrap();
        tell("stat", "17 (a) S 1 17 17\n");
        tell("schedstat", "1000 2000000 7\n");
        let thread = task.path().to_owned();
        let patience = Patience::new(PATIENCE, move || vec![thread.clone()]);
        assert!(!patience.left().is_zero());
        std::thread::sleep(SILENCE);
        assert!(patience.left().is_zero());
        tell("schedstat", "1000 2000000 8\n");
        assert!(!patience.left().is_zero());
    }

    #[test]
    fn what_is_told_late_is_not_waited_for_without_end() {
        let (tell, told) = std::sync::mpsc::channel();
        tell.send(7).unwrap();
        assert_eq!(receive(&told), Ok(7));
        assert_eq!(receive(&told), Err(RecvTimeoutError::Timeout));
        drop(tell);
        assert_eq!(receive(&told), Err(RecvTimeoutError::Disconnected));
    }

    #[test]
    fn waiting_gives_more_time_but_not_without_end() {
        let [allowed, short, long] = [1, 2, 60].map(Duration::from_secs);
        assert_eq!(extended(allowed, Duration::ZERO), allowed);
        assert_eq!(extended(allowed, short), Duration::from_secs(3));
        assert_eq!(extended(allowed, long), Duration::from_secs(4));
    }
}
