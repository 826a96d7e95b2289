//! When a process has had its time. What it waited for a processor or a disk, because others had them, is not counted.

use std::{
    cell::Cell,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use rustix::process::Pid;

use super::written::LOOK;

/// How many times its deadline a process may take that waits for others meanwhile.
pub const BUSY: u32 = 4;

/// The time that a process has. Whoever watches it asks what is left again and again: what it waits for a disk is known only of
/// the moments in which it was looked at.
pub struct Deadline {
    pid: Option<Pid>,
    start: Instant,
    allowed: Duration,
    looked: Cell<Instant>,
    on_disks: Cell<Duration>,
}

impl Deadline {
    /// That much time, from now on.
    pub fn new(pid: Option<Pid>, allowed: Duration) -> Self {
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
        let left = self.allowed.saturating_sub(elapsed);
        if !left.is_zero() && self.looked.get().elapsed() < LOOK {
            return left;
        }
        let waits = self.look();
        if !left.is_zero() {
            return left;
        }
        let waited = (waits.processor + self.on_disks.get()).min(self.allowed * (BUSY - 1));
        (self.allowed + waited).saturating_sub(elapsed)
    }

    /// What its threads wait for, as the kernel counts it; nothing if it does not. The time since the last look went into a disk
    /// if one of them waits for that now.
    fn look(&self) -> Waits {
        let Some(pid) = self.pid else { return Waits::default() };
        let tasks = fs::read_dir(format!("/proc/{}/task", pid.as_raw_pid())).into_iter().flatten().flatten();
        let waits = tasks.fold(Waits::default(), |waits, task| waits.and(&Waits::of(&task.path())));
        let since = self.looked.replace(Instant::now()).elapsed();
        if waits.disk {
            self.on_disks.set(self.on_disks.get() + since);
        }
        waits
    }
}

#[derive(Default)]
struct Waits {
    /// How long the thread that waited most for a processor has waited.
    processor: Duration,
    /// Whether one waits for a disk.
    disk: bool,
}

impl Waits {
    fn of(task: &Path) -> Self {
        let read = |name: &str| fs::read_to_string(task.join(name)).unwrap_or_default();
        let processor = read("schedstat").split_whitespace().nth(1).and_then(|count| count.parse().ok());
        // The state follows the name, which stands in brackets and may hold others.
        let state = read("stat").rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
        Self { processor: Duration::from_nanos(processor.unwrap_or_default()), disk: state == Some('D') }
    }

    fn and(self, other: &Self) -> Self {
        Self { processor: self.processor.max(other.processor), disk: self.disk || other.disk }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn task(schedstat: &str, stat: &str) -> Waits {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("schedstat"), schedstat).unwrap();
        fs::write(folder.path().join("stat"), stat).unwrap();
        Waits::of(folder.path())
    }

    #[test]
    fn what_a_thread_waits_for_is_read_whatever_it_is_called() {
        let waits = task("1000 2000000 7\n", "17 (a) D (b) S 1 17 17\n");
        assert_eq!((waits.processor, waits.disk), (Duration::from_millis(2), false));
        assert!(task("", "17 (a) S (b) D 1 17 17\n").disk);
        assert!(!Waits::of(Path::new("/nothing/here")).disk);
    }

    #[test]
    fn the_time_is_over_when_nothing_is_waited_for() {
        let deadline = Deadline::new(None, Duration::from_millis(20));
        assert!(!deadline.left().is_zero());
        thread::sleep(Duration::from_millis(30));
        assert!(deadline.left().is_zero());
    }

    #[test]
    fn waiting_for_a_disk_gives_more_time_but_not_without_end() {
        let deadline = Deadline::new(None, Duration::from_millis(20));
        deadline.on_disks.set(Duration::from_secs(60));
        thread::sleep(Duration::from_millis(30));
        assert!(!deadline.left().is_zero());
        thread::sleep(Duration::from_millis(60));
        assert!(deadline.left().is_zero());
    }
}
