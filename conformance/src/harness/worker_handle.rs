//! A worker as the parent sees it: a process that is started, given jobs, and killed.

use std::{
    ffi::OsString,
    fs, io,
    os::{
        fd::{AsRawFd, BorrowedFd},
        unix::{net::UnixStream, process::CommandExt},
    },
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use super::{
    options::Options,
    process::message::{End, Greeting, Inbox, Job, Reply, send},
};

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
    /// Starts a worker with the setting in that file. Its name is that of its log.
    ///
    /// # Errors
    /// The suite could not start it, or it ended before it set out to open the target.
    pub fn start(options: &Options, setting: &Path, name: &str) -> io::Result<Start> {
        let log = options.scratch.join(format!("worker-{name}.log"));
        let (mut worker, mut opening) = (Self::spawn(options, setting, &log)?, false);
        loop {
            let end = match worker.inbox.receive() {
                Ok(Some(Greeting::Opening)) => {
                    opening = true;
                    continue;
                }
                Ok(Some(Greeting::Ready)) => return Ok(Start::Ready(worker)),
                Ok(Some(Greeting::Refused(reason))) => return Ok(Start::Refused(reason)),
                Ok(None) => End::from(worker.process.wait()?),
                Err(error) if timed_out(&error) => End::TimedOut,
                Err(error) => return Err(error),
            };
            let output = tail(&log);
            return if opening {
                Ok(Start::DiedOpening { end, output })
            } else {
                Err(io::Error::other(format!("a worker {end} before it opened the target: {}", output.trim())))
            };
        }
    }

    fn spawn(options: &Options, setting: &Path, log: &Path) -> io::Result<Self> {
        let (control, theirs) = UnixStream::pair()?;
        let log = fs::File::create(log)?;
        let mut command = Command::new(&options.program);
        command.arg("__worker").arg(theirs.as_raw_fd().to_string()).arg(setting);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
        command.env("GLIBC_TUNABLES", exact_accounts());
        let descriptor = theirs.as_raw_fd();
        // Only in the child, so that no other worker inherits this one's socket.
        let keep_open = move || {
            // SAFETY: the descriptor is open in the child, too, and is only borrowed.
            let theirs = unsafe { BorrowedFd::borrow_raw(descriptor) };
            Ok(rustix::io::fcntl_setfd(theirs, rustix::io::FdFlags::empty())?)
        };
        // SAFETY: the closure makes one system call, which is allowed between fork and exec.
        unsafe { command.pre_exec(keep_open) };
        let process = command.spawn()?;
        control.set_read_timeout(Some(options.timeout))?;
        Ok(Self { process, inbox: Inbox::new(control.try_clone()?), control })
    }

    /// Has the worker run a job in a child, and waits for what came of it.
    ///
    /// # Errors
    /// The worker is gone, or does not answer in time; drop it.
    pub fn run(&mut self, job: &Job) -> io::Result<Reply> {
        self.control.set_read_timeout(Some(Duration::from_millis(job.deadline_ms) + GRACE))?;
        send(&self.control, job)?;
        self.inbox.receive()?.ok_or_else(|| io::Error::other("it is gone"))
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
/// its caches for each thread as in use.
fn exact_accounts() -> OsString {
    let mut settings = std::env::var_os("GLIBC_TUNABLES").unwrap_or_default();
    if !settings.is_empty() {
        settings.push(":");
    }
    settings.push("glibc.malloc.tcache_count=0");
    settings
}

fn timed_out(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// The last of what a worker printed.
fn tail(log: &Path) -> String {
    const KEPT: usize = 8 << 10;
    let bytes = fs::read(log).unwrap_or_default();
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(KEPT)..]).into_owned()
}
