//! How much this process and all that it has started write, deleted since or not, as the kernel counts it.
//!
//! What a process has written that has ended is its parent's when that waits for it. What nobody waits for counts as far as it was seen.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Read,
    str,
    time::{Duration, Instant},
};

use super::descendants::{self, Household};

/// How often somebody looks who waits for a process.
pub const LOOK: Duration = Duration::from_millis(50);

/// What the kernel counts of what a process writes.
#[derive(Clone, Copy)]
pub enum Count {
    /// What goes to disks, however.
    ToDisks,
    /// That, or what is written by calls, wherever that goes, if it is more: to files in memory, too, and to who reads what is printed.
    ToAnywhere,
}

impl Count {
    fn names(self) -> &'static [&'static str] {
        match self {
            Count::ToDisks => &["write_bytes: "],
            Count::ToAnywhere => &["write_bytes: ", "wchar: "],
        }
    }

    /// What a process has written, with all that it has waited for; 0 where the kernel does not tell.
    fn of(self, process: &str) -> u64 {
        // All of it in one piece: it is asked for before and after each check.
        let mut room = [0; 512];
        let len = File::open(format!("/proc/{process}/io")).and_then(|mut counts| counts.read(&mut room));
        let counts = str::from_utf8(&room[..len.unwrap_or_default()]).unwrap_or_default();
        let count = |name| counts.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
        self.names().iter().copied().filter_map(count).max().unwrap_or_default()
    }
}

/// What has been written since a moment.
pub struct Written<'a> {
    household: &'a Household,
    count: Count,
    before: u64,
    /// What each process had written when it was last seen.
    seen: BTreeMap<i32, u64>,
    looked: Instant,
    total: u64,
    /// How many processes there were when somebody looked, at most.
    processes: usize,
}

impl<'a> Written<'a> {
    /// From now on, by all but the household.
    pub fn from_now(household: &'a Household, count: Count) -> Self {
        Self {
            household,
            count,
            before: count.of("self"),
            seen: BTreeMap::new(),
            looked: Instant::now(),
            total: 0,
            processes: 0,
        }
    }

    /// How many bytes it is by now, if everybody waits for what they start.
    pub fn counted(&self) -> u64 {
        self.counted_of(&descendants::descendants(self.household))
    }

    /// How many bytes it is, if these are alive.
    fn counted_of(&self, alive: &[i32]) -> u64 {
        let alive = alive.iter().map(|process| self.count.of(&process.to_string()));
        self.count.of("self").saturating_sub(self.before) + alive.sum::<u64>()
    }

    /// How many bytes it is by now, at least where somebody waits, and at most twice as many.
    pub fn look(&mut self) -> u64 {
        let alive = descendants::descendants(self.household);
        self.processes = self.processes.max(alive.len());
        for process in &alive {
            let seen = self.seen.entry(*process).or_default();
            *seen = self.count.of(&process.to_string()).max(*seen);
        }
        self.looked = Instant::now();
        self.total = self.total.max(self.counted_of(&alive)).max(self.seen.values().sum());
        self.total
    }

    /// The same for who asks at every turn: no sooner than there may be something new.
    pub fn glance(&mut self) -> u64 {
        if self.looked.elapsed() < LOOK { self.total } else { self.look() }
    }

    /// How many processes there were at once when somebody looked.
    pub fn processes(&self) -> usize {
        self.processes
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn what_was_deleted_was_written() {
        // Not in a folder that lies in memory.
        let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let household = Household::new();
        let mut written = Written::from_now(&household, Count::ToDisks);
        let shell = format!("dd if=/dev/zero of={0}/file bs=64k count=64 && rm {0}/file", folder.path().display());
        assert!(Command::new("sh").args(["-c", &shell]).output().unwrap().status.success());
        // Some kernels do not count.
        assert!([0, 4 << 20].contains(&(written.look() >> 20 << 20)), "{}", written.look());
    }
}
