//! What this process and its children have started: found, ended, and waited for, however it was started.

use std::{
    collections::BTreeSet,
    fs, io, thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use crate::trial::deadline::{Deadline, threads};

/// For how long what is left is ended, before what can start processes faster than that is given up.
const PATIENCE: Duration = Duration::from_secs(1);

/// Processes that are not to be ended, with all that they have started.
pub type Household = BTreeSet<i32>;

/// From here on, what a descendant leaves behind becomes a child of this process.
pub fn adopt() -> io::Result<()> {
    // SAFETY: sets an attribute of this process, from numbers.
    match unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The children of this process.
pub fn household() -> Household {
    children("self").into_iter().collect()
}

/// Ends every descendant of this process but for the household, until there is none. Says whether there is none: some start processes
/// faster than they can be ended.
pub fn end_all(household: &Household) -> bool {
    let (start, mut pause) = (Instant::now(), Duration::ZERO);
    while start.elapsed() < PATIENCE {
        let ours = descendants(household);
        if ours.is_empty() {
            return true;
        }
        // This process's own children last, so that what those leave behind is adopted by then.
        for pid in ours.iter().rev().copied().filter_map(Pid::from_raw) {
            // It may have gone by itself.
            let _ = kill_process(pid, Signal::KILL);
        }
        thread::sleep(pause);
        pause = Duration::from_millis(1);
        for pid in ours.into_iter().filter_map(Pid::from_raw) {
            // One that has not ended yet is met again in the next round, and one of another's is that one's to wait for.
            let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
    }
    false
}

/// All that this process has started, and what these have, but for the household and what that has.
pub fn descendants(household: &Household) -> Vec<i32> {
    // As after nearly every check: the kernel says so in one word.
    if household.is_empty() && !has_children() {
        return Vec::new();
    }
    with_descendants(children("self").into_iter().filter(|child| !household.contains(child)).collect())
}

/// These processes, and all that they have started.
pub fn with_descendants(mut found: Vec<i32>) -> Vec<i32> {
    let mut next = 0;
    while let Some(process) = found.get(next) {
        let started = children(&process.to_string());
        found.extend(started);
        next += 1;
    }
    found
}

/// The time that a process has with all that it starts: a worker is not the process that the parent has started but one further down.
pub fn deadline(pid: Pid, allowed: Duration) -> Deadline {
    Deadline::new(allowed, move || {
        let processes = with_descendants(vec![pid.as_raw_pid()]);
        processes.into_iter().flat_map(|process| threads(&process.to_string())).collect()
    })
}

/// Whether this process has children, alive or dead; what ends stays to be waited for.
fn has_children() -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::All, look), Err(rustix::io::Errno::CHILD))
}

fn children(process: &str) -> Vec<i32> {
    let lists = threads(process).into_iter().filter_map(|thread| fs::read_to_string(thread.join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>()).collect()
}
