//! A worker as the parent sees it: a process that is started, given jobs, and killed.

use std::{
    ffi::OsString,
    fmt, fs,
    io::{self, Read, Seek, SeekFrom},
    os::{
        fd::{AsRawFd, BorrowedFd},
        unix::{net::UnixStream, process::CommandExt},
    },
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, WaitId, WaitIdOptions, waitid},
};

use super::{
    instrumented::Surroundings,
    options::Options,
    process::{
        descendants,
        message::{End, Greeting, Inbox, Job, Reply, send},
    },
};
use crate::trial::deadline::BUSY;

/// How often a worker is looked at while it is waited for.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 250_000_000 };

/// How much longer than a child's deadline its worker may take to answer.
const GRACE: Duration = Duration::from_secs(30);

/// A worker that takes jobs. Its process is killed when this is dropped.
pub struct Worker {
    process: Child,
    control: UnixStream,
    inbox: Inbox,
}

/// What came of starting a worker.
pub enum Start {
    /// It takes jobs.
    Ready(Worker),
    /// The dynamic loader would not open the target, for this reason.
    Refused(String),
    /// It ended, or did not get on, while it opened the target.
    DiedOpening {
        /// How it ended.
        end: End,
        /// The last of what it printed.
        output: String,
    },
}

impl Worker {
    /// Starts a worker with the setting in that file, whose target keeps what is temporary in that folder. Its name is that of
    /// its log.
    ///
    /// # Errors
    /// The suite could not start it, or it ended before it set out to open the target.
    pub fn start(
        options: &Options,
        surroundings: &Surroundings,
        setting: &Path,
        temporary: &Path,
        name: &str,
    ) -> io::Result<Start> {
        let log = options.scratch.join(format!("worker-{name}.log"));
        let (mut worker, mut opening) = (Self::spawn(options, surroundings, setting, temporary, &log)?, false);
        loop {
            // Until it opens the target, what takes time is not the target's doing.
            let allowed = if opening { options.timeout } else { options.timeout + GRACE };
            let deadline = descendants::deadline(Pid::from_child(&worker.process), allowed);
            let end = match worker.receive(|| deadline.left().is_zero()) {
                Ok(Greeting::Opening) => {
                    opening = true;
                    continue;
                }
                Ok(Greeting::Ready) => return Ok(Start::Ready(worker)),
                Ok(Greeting::Refused(reason)) => return Ok(Start::Refused(reason)),
                Err(Lost::Ended(end)) => end,
                Err(Lost::Error(error)) => return Err(error),
            };
            let output = tail(&log);
            return if opening {
                Ok(Start::DiedOpening { end, output })
            } else {
                Err(io::Error::other(format!("a worker {end} before it opened the target: {}", output.trim())))
            };
        }
    }

    fn spawn(
        options: &Options,
        surroundings: &Surroundings,
        setting: &Path,
        temporary: &Path,
        log: &Path,
    ) -> io::Result<Self> {
        let (control, theirs) = UnixStream::pair()?;
        let log = fs::File::create(log)?;
        let mut command = Command::new(&options.program);
        command.arg("__worker").arg(theirs.as_raw_fd().to_string()).arg(setting);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        command.env("GLIBC_TUNABLES", malloc_settings()).env("TMPDIR", temporary);
        surroundings.apply(&mut command);
        let descriptor = theirs.as_raw_fd();
        // Only in the child, so that no other worker inherits this one's socket. In a session of its own it has no terminal.
        let keep_open = move || {
            rustix::process::setsid()?;
            // SAFETY: the descriptor is open in the child, too, and is only borrowed.
            let theirs = unsafe { BorrowedFd::borrow_raw(descriptor) };
            Ok(rustix::io::fcntl_setfd(theirs, rustix::io::FdFlags::empty())?)
        };
        // SAFETY: the closure makes two system calls, which are allowed between fork and exec.
        unsafe { command.pre_exec(keep_open) };
        let process = command.spawn()?;
        Ok(Self { process, inbox: Inbox::new(control.try_clone()?), control })
    }

    /// Has the worker run a job in a child, and waits for what came of it.
    ///
    /// # Errors
    /// The worker is lost; drop it.
    pub fn run(&mut self, job: &Job) -> Result<Reply, Lost> {
        if let Err(error) = send(&self.control, job) {
            return Err(self.gone().unwrap_or(Lost::Error(error)));
        }
        let latest = Instant::now() + Duration::from_millis(job.deadline_ms) * BUSY + GRACE;
        self.receive(|| Instant::now() >= latest)
    }

    /// Waits for a message until it is too late. One that has arrived with another needs no waiting.
    fn receive<M: serde::de::DeserializeOwned>(&mut self, is_late: impl Fn() -> bool) -> Result<M, Lost> {
        loop {
            match self.inbox.next() {
                Ok(None) => {}
                Ok(Some(message)) => return Ok(message),
                Err(error) => return Err(lost(error)),
            }
            let mut events = [PollFd::new(&self.inbox, PollFlags::IN)];
            match poll(&mut events, Some(&LOOK)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(Lost::Error(error.into())),
            }
            if !events[0].revents().is_empty() {
                match self.inbox.read() {
                    Ok(true) => continue,
                    Ok(false) => return Err(self.gone().unwrap_or(Lost::Ended(End::TimedOut))),
                    Err(error) => return Err(lost(error)),
                }
            }
            if self.is_stopped() {
                return Err(Lost::Ended(End::Stopped));
            }
            if is_late() {
                return Err(Lost::Ended(End::TimedOut));
            }
        }
    }

    /// How its process ended.
    fn gone(&mut self) -> Option<Lost> {
        self.process.wait().ok().map(|status| Lost::Ended(End::from(status)))
    }

    fn is_stopped(&self) -> bool {
        let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(&self.process)), options)
            .is_ok_and(|status| status.is_some_and(|status| status.stopped()))
    }
}

/// Why a worker does not answer.
#[derive(Debug)]
pub enum Lost {
    /// Its process has ended, or does not get on, in this way.
    Ended(End),
    /// It cannot be talked to.
    Error(io::Error),
}

impl Lost {
    /// Whether it is the suite's own doing: what a worker exits with where it fails.
    pub fn is_ours(&self) -> bool {
        matches!(self, Lost::Error(_) | Lost::Ended(End::Exited(3 | 101)))
    }
}

/// What follows "the process".
impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Ended(end) => end.fmt(f),
            Lost::Error(error) => write!(f, "cannot be talked to ({error})"),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have gone by itself already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Settings for the C library of workers and children. Leaks are told from malloc's records, and those count what lies in
/// its caches for each thread as in use. And malloc reserves 64 MiB for each of its arenas, of which it makes as many as there are
/// threads where there are processors enough: hundreds of threads would take more than the target may. What is given and taken back
/// is written over, so that a target that reads either is found whatever its memory held before.
fn malloc_settings() -> OsString {
    let mut settings = std::env::var_os("GLIBC_TUNABLES").unwrap_or_default();
    if !settings.is_empty() {
        settings.push(":");
    }
    settings.push("glibc.malloc.tcache_count=0:glibc.malloc.arena_max=4:glibc.malloc.perturb=165");
    settings
}

/// What it means that nothing can be received.
fn lost(error: io::Error) -> Lost {
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Lost::Ended(End::Garbled),
        _ => Lost::Error(error),
    }
}

/// The last of what a worker printed.
fn tail(log: &Path) -> String {
    const KEPT: u64 = 8 << 10;
    let mut bytes = Vec::new();
    let read = fs::File::open(log).and_then(|mut log| {
        let end = log.seek(SeekFrom::End(0))?;
        log.seek(SeekFrom::Start(end.saturating_sub(KEPT)))?;
        log.take(KEPT).read_to_end(&mut bytes)
    });
    match read {
        Ok(_) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::new(),
    }
}
