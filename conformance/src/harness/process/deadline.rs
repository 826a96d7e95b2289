//! When a process has had its time. What it and those that it has started waited for a processor or a disk, because others had
//! them, is not counted.

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rustix::process::Pid;

use super::{descendants, written::LOOK};

/// How many times its deadline a process may take that waits for others meanwhile.
pub const BUSY: u32 = 4;

/// The time that a process has, from about its start. Whoever watches it asks what is left again and again: that it waits for a disk
/// is seen only at the moment of a look.
pub struct Deadline {
    pid: Pid,
    start: Instant,
    allowed: Duration,
    looked: Cell<Instant>,
    on_disks: Cell<Duration>,
}

impl Deadline {
    /// That much time, from now on.
    pub fn new(pid: Pid, allowed: Duration) -> Self {
        let start = Instant::now();
        Self { pid, start, allowed, looked: Cell::new(start), on_disks: Cell::default() }
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
            if self.tasks().any(|task| waits_for_disk(&task)) {
                self.on_disks.set(self.on_disks.get() + since);
            }
        }
        if elapsed < self.allowed {
            return self.allowed - elapsed;
        }
        let for_processor = self.tasks().map(|task| waited_for_processor(&task)).max().unwrap_or_default();
        extended(self.allowed, for_processor + self.on_disks.get()).saturating_sub(elapsed)
    }

    /// Where the system tells of each thread of the process and of those that it has started: a worker is not the process that the
    /// parent has started but one further down.
    fn tasks(&self) -> impl Iterator<Item = PathBuf> {
        let processes = descendants::with_descendants(vec![self.pid.as_raw_pid()]);
        processes.into_iter().flat_map(|process| descendants::tasks(&process.to_string()))
    }
}

/// The time that a process gets which is allowed so much and waited so long for others.
fn extended(allowed: Duration, waited: Duration) -> Duration {
    allowed + waited.min(allowed * (BUSY - 1))
}

/// How long a thread has waited for a processor since it began, as the kernel counts it; nothing if it does not.
fn waited_for_processor(task: &Path) -> Duration {
    let counts = fs::read_to_string(task.join("schedstat")).unwrap_or_default();
    Duration::from_nanos(counts.split_whitespace().nth(1).and_then(|count| count.parse().ok()).unwrap_or_default())
}

/// Whether a thread waits, uninterruptibly, as it does for a disk.
fn waits_for_disk(task: &Path) -> bool {
    let stat = fs::read_to_string(task.join("stat")).unwrap_or_default();
    // The state follows the name, which stands in brackets and may hold others.
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('D'))
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
        let gone = Path::new("/nothing/here");
        assert_eq!((waited_for_processor(gone), waits_for_disk(gone)), (Duration::ZERO, false));
    }

    #[test]
    fn waiting_gives_more_time_but_not_without_end() {
        let [allowed, short, long] = [1, 2, 60].map(Duration::from_secs);
        assert_eq!(extended(allowed, Duration::ZERO), allowed);
        assert_eq!(extended(allowed, short), Duration::from_secs(3));
        assert_eq!(extended(allowed, long), Duration::from_secs(4));
    }
}
