//! Watching one child: its record, its output, its deadline, its end.

use std::{
    io::{self, Read},
    os::fd::{AsFd, OwnedFd},
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, pidfd_open, waitid},
};

use super::{
    descendants,
    message::{End, Ended, Record, Sealed},
    written::{LOOK, Written},
};
use crate::{
    client::crumb::{Crumbs, Trail},
    trial::deadline::Deadline,
};

/// No record is longer; what is, is not ours.
const RECORD_LIMIT: usize = 1 << 20;
/// How a child ended if a target that waits for every child of the worker has learned it, and nobody else.
const UNKNOWN: End = End::Exited(-1);
/// How much of what a child printed is kept: the last of it.
const OUTPUT_LIMIT: usize = 64 << 10;

/// A child that has been started, leader of a process group of its own.
pub struct Child {
    /// The process.
    pub pid: Pid,
    /// Where its record arrives.
    pub record: OwnedFd,
    /// Where its standard output and error arrive.
    pub output: OwnedFd,
    /// The word that seals its record.
    pub seal: u64,
}

/// How many processes there may be at once while a child runs. Nobody who makes a value needs any.
const MOST_PROCESSES: usize = 500;

/// How much may be written while a child runs.
pub struct Disk<'a> {
    /// What has been written since it began.
    pub written: Written<'a>,
    /// In bytes; 0 for any number.
    pub room: u64,
    /// How much of it was only printed.
    pub printed: u64,
}

impl Disk<'_> {
    /// Whether it is more than that, as far as was seen a moment ago.
    fn is_full(&mut self) -> bool {
        let written = self.written.glance();
        self.room > 0 && written > self.room.saturating_add(self.printed)
    }

    /// Whether there are more processes than there may be, as far as was seen a moment ago.
    fn is_crowded(&self) -> bool {
        self.written.processes() > MOST_PROCESSES
    }

    /// Whether it was more than that when all had ended.
    pub fn was_filled(&mut self) -> bool {
        self.room > 0 && self.written.look() > self.room.saturating_add(self.printed)
    }
}

/// Waits until the child has ended, or ends it at the deadline or when too much is written, and puts together what is known of it.
pub fn watch(child: Child, deadline: Duration, disk: &mut Disk<'_>, crumbs: &Crumbs) -> io::Result<Ended> {
    let deadline = descendants::deadline(child.pid, deadline);
    let mut record = Pipe::new(child.record, Keep::First(RECORD_LIMIT))?;
    let mut output = Pipe::new(child.output, Keep::Last(OUTPUT_LIMIT))?;
    let end = wait(child.pid, &deadline, disk, &mut record, &mut output)?;
    let micros = deadline.elapsed().as_micros() as u64;
    // Whatever the check left running goes with it.
    let _ = kill_process_group(child.pid, Signal::KILL);
    record.drain()?;
    output.drain()?;
    disk.printed = output.arrived;
    Ok(Ended {
        record: unseal(&record.bytes, child.seal, child.pid),
        end,
        trail: Trail { crash: crumbs.crash(child.pid.as_raw_pid()), ..crumbs.trail() },
        output: String::from_utf8_lossy(&output.bytes).into_owned(),
        micros,
    })
}

fn wait(pid: Pid, deadline: &Deadline, disk: &mut Disk<'_>, record: &mut Pipe, output: &mut Pipe) -> io::Result<End> {
    let pidfd = match pidfd_open(pid, PidfdFlags::empty()) {
        Err(rustix::io::Errno::SRCH) => return Ok(UNKNOWN),
        pidfd => pidfd?,
    };
    loop {
        let left = deadline.left();
        let too_much = match (disk.is_full(), disk.is_crowded()) {
            (_, true) => Some(End::Multiplied),
            (true, _) => Some(End::Wrote),
            _ => None,
        };
        if left.is_zero() || too_much.is_some() {
            let _ = kill_process_group(pid, Signal::KILL);
            let _ = kill_process(pid, Signal::KILL);
            reap(&pidfd)?;
            return Ok(too_much.unwrap_or(End::TimedOut));
        }
        let left = left.min(LOOK);
        let timeout = Timespec { tv_sec: left.as_secs() as _, tv_nsec: left.subsec_nanos() as _ };
        let mut events = vec![PollFd::new(&pidfd, PollFlags::IN)];
        let open: Vec<&mut Pipe> = [&mut *record, &mut *output].into_iter().filter(|pipe| !pipe.closed).collect();
        events.extend(open.iter().map(|pipe| PollFd::from_borrowed_fd(pipe.file.as_fd(), PollFlags::IN)));
        match poll(&mut events, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let ended = !events[0].revents().is_empty();
        drop(events);
        for pipe in open {
            pipe.drain()?;
        }
        disk.printed = output.arrived;
        if ended {
            return reap(&pidfd);
        }
    }
}

fn reap(pidfd: &OwnedFd) -> io::Result<End> {
    let status = loop {
        match waitid(WaitId::PidFd(pidfd.as_fd()), WaitIdOptions::EXITED) {
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::CHILD) => return Ok(UNKNOWN),
            other => break other?,
        }
    };
    let status = status.ok_or_else(|| io::Error::other("a child ended without a status"))?;
    Ok(match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Exited(code),
        (None, Some(signal)) => End::Signaled(signal),
        (None, None) => End::Exited(-1),
    })
}

/// Exactly one sealed record, or nothing.
fn unseal(bytes: &[u8], seal: u64, process: Pid) -> Option<Record> {
    let sealed: Sealed = serde_json::from_slice(bytes).ok()?;
    let is_its = sealed.seal == seal && sealed.process == process.as_raw_pid().cast_unsigned();
    is_its.then_some(sealed.record)
}

/// Which part of a long stream is kept.
#[derive(Clone, Copy)]
enum Keep {
    First(usize),
    Last(usize),
}

/// The reading end of a pipe and what has come through it.
struct Pipe {
    file: std::fs::File,
    bytes: Vec<u8>,
    keep: Keep,
    /// How many bytes have come in all.
    arrived: u64,
    closed: bool,
}

impl Pipe {
    fn new(fd: OwnedFd, keep: Keep) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(Self { file: fd.into(), bytes: Vec::new(), keep, arrived: 0, closed: false })
    }

    /// Takes what has arrived, at most a good deal of it, so that a child that never stops printing does not keep its
    /// watcher from looking at the clock.
    fn drain(&mut self) -> io::Result<()> {
        let mut chunk = [0; 16 << 10];
        for _ in 0..64 {
            match self.file.read(&mut chunk) {
                Ok(0) => {
                    self.closed = true;
                    return Ok(());
                }
                Ok(len) => self.take(&chunk[..len]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn take(&mut self, chunk: &[u8]) {
        self.bytes.extend_from_slice(chunk);
        self.arrived += chunk.len() as u64;
        let excess = |limit: usize| self.bytes.len().saturating_sub(limit);
        match self.keep {
            Keep::First(limit) => self.bytes.truncate(limit + 1),
            Keep::Last(limit) => drop(self.bytes.drain(..excess(limit))),
        }
    }
}
