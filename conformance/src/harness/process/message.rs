//! What the generations say to each other: one JSON text a line. Signals get their names from the `nix` crate, here and in
//! [`interrupt`](crate::harness::interrupt) and nowhere else.

use std::{
    fmt,
    io::{self, Read, Write},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::{net::UnixStream, process::ExitStatusExt},
    },
    path::PathBuf,
    process::ExitStatus,
};

use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tvm_ffi_reports::Failure;

use super::{
    facts::{Shown, Subject},
    objects_shown::ObjectsShown,
};
use crate::{
    client::crumb::Trail,
    kernel::errand::{Errand, Seen},
};

/// How children are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// In copies of a process that has opened the target. Checks that pass and leave their copy as it was share one.
    Shared,
    /// Each check in a copy of a process that has opened the target.
    Fork,
    /// Each check in a fresh process that opens the target itself.
    Exec,
}

impl Isolation {
    /// As on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Isolation::Shared => "shared",
            Isolation::Fork => "fork",
            Isolation::Exec => "exec",
        }
    }
}

/// What a worker is told when it starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// The target.
    pub target: PathBuf,
    /// Parts that are taken from it when it has been opened.
    pub withheld: Vec<String>,
    /// The directory in which checks lay out the fixtures that they ask for.
    pub fixtures: PathBuf,
    /// How children are kept apart.
    pub isolation: Isolation,
    /// How much memory the target may take, in bytes; 0 for any amount.
    pub memory: u64,
    /// How much it may write in a check, in bytes; 0 for any amount.
    pub disk: u64,
    /// Whether a sanitizer watches the process.
    pub sanitized: bool,
}

/// Parent to worker: run this in a child.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// What to run.
    pub task: Task,
    /// How long it may take, in milliseconds.
    pub deadline_ms: u64,
    /// Whether the child has to be a fresh process, whatever the setting says.
    pub fresh: bool,
}

/// What a child does.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Task {
    /// Find out what the target claims and has.
    Probe,
    /// Find out what new objects of it show.
    Objects,
    /// Find out what it has registered.
    Inventory,
    /// Find out what it has registered beyond the ABI.
    Beyond,
    /// Find out what it shows of a subject, as a library of that generation of the ABI.
    Facts {
        /// The subject.
        subject: Subject,
        /// The name of the generation.
        generation: String,
    },
    /// Have the target do what it does at first use, to find out whether it survives that.
    Rehearse,
    /// Run one check.
    Check {
        /// Its id.
        id: String,
        /// What its random choices start from.
        seed: u64,
        /// How many cases a property check tries.
        cases: u32,
        /// Whether calls are noted with all that is in their arguments and results: for a failure that is to be told.
        telling: bool,
        /// The generation of the ABI that the target speaks.
        generation: String,
    },
    /// Run several checks one after the other, as long as each passes and leaves the process as it was.
    Checks {
        /// Their ids, and what their random choices start from.
        checks: Vec<(String, u64)>,
        /// How many cases a property check tries.
        cases: u32,
        /// The generation of the ABI that the target speaks.
        generation: String,
    },
    /// Call a function that a library exports.
    Call(Box<Errand>),
}

/// Worker to parent, until it takes jobs.
#[derive(Debug, Serialize, Deserialize)]
pub enum Greeting {
    /// It sets out to open the target: if it ends now, that is the target's doing.
    Opening,
    /// The target is open, or will be opened by each child.
    Ready,
    /// The dynamic loader would not open the target, for this reason.
    Refused(String),
}

/// Worker to parent: what came of a job.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// A child has ended.
    Ended(Box<Ended>),
    /// A child could not be started or watched: an error of the suite.
    Failed(String),
}

/// How a child ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ended {
    /// What it wrote, if it wrote one well-formed record under its seal.
    pub record: Option<Record>,
    /// How its process ended.
    pub end: End,
    /// What it was doing.
    pub trail: Trail,
    /// The last of what it printed.
    pub output: String,
    /// How long it ran, in microseconds.
    pub micros: u64,
}

impl Ended {
    /// Of a process that ended by itself and printed nothing.
    pub fn by_itself(record: Record, micros: u64) -> Self {
        Self { record: Some(record), end: End::Exited(0), trail: Trail::default(), output: String::new(), micros }
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal.
    Signaled(i32),
    /// It was killed at its deadline.
    TimedOut,
    /// It was killed when it, or what it had started, had written more than it may.
    Wrote,
    /// It was killed when it had started more processes than it may.
    Multiplied,
    /// It was killed when it had been stopped.
    Stopped,
    /// It was killed when something else than messages arrived from it.
    Garbled,
}

impl End {
    /// The name of the signal that ended the process, if one did.
    pub fn signal(self) -> Option<String> {
        match self {
            End::Signaled(signal) => Some(signal_name(signal)),
            End::Exited(_) | End::TimedOut | End::Wrote | End::Multiplied | End::Stopped | End::Garbled => None,
        }
    }
}

impl From<ExitStatus> for End {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => End::Exited(code),
            (None, signal) => End::Signaled(signal.unwrap_or_default()),
        }
    }
}

/// What follows "the process".
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            End::Exited(status) => write!(f, "exited with status {status}"),
            End::Signaled(signal) => write!(f, "was ended by {}", signal_name(signal)),
            End::TimedOut => f.write_str("did not end before its deadline"),
            End::Wrote => f.write_str("wrote more than --disk allows"),
            End::Multiplied => f.write_str("started processes without end"),
            End::Stopped => f.write_str("was stopped"),
            End::Garbled => f.write_str("wrote into the socket that the suite's processes talk through"),
        }
    }
}

fn signal_name(number: i32) -> String {
    // The signals for applications have numbers and no names.
    Signal::try_from(number).map_or_else(|_| format!("signal {number}"), |signal| signal.as_str().to_owned())
}

/// Child to worker: what came of the task.
#[derive(Debug, Serialize, Deserialize)]
pub enum Record {
    /// The dynamic loader would not open the target, for this reason; from a child that opens it for itself.
    Refused(String),
    /// Every expectation was met.
    Held,
    /// One was not, or the child could not tell.
    Broke(Box<Failure>),
    /// The answer to [`Task::Probe`].
    Probed(Probed),
    /// The answer to [`Task::Objects`].
    Saw(ObjectsShown),
    /// The answer to [`Task::Inventory`] and [`Task::Beyond`]: such as `global ffi.MapSize`.
    Registered(Vec<String>),
    /// The answer to [`Task::Facts`].
    Shown(Box<Shown>),
    /// The answer to [`Task::Checks`]: how long each took of those that passed, in microseconds, the first of those asked for.
    Passed {
        /// How long each took.
        micros: Vec<u64>,
        /// Whether the next one broke, and is to be run alone to tell of it.
        next_broke: bool,
    },
    /// The answer to [`Task::Call`].
    Called(Box<Seen>),
}

/// What a target claims and has.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Probed {
    /// The version it claims.
    pub version: Option<(u32, u32, u32)>,
    /// Functions of the ABI that it exports.
    pub functions: Vec<String>,
    /// C++ symbols that are found through it.
    pub cxx_symbols: Vec<String>,
    /// How many functions are found through it in another library.
    pub foreign: usize,
    /// Of the global functions and type keys that tell capabilities apart, those it has registered.
    pub registered: Vec<String>,
    /// Other libraries of the process that have functions of the same names.
    pub beside: Vec<PathBuf>,
}

/// A record as it travels: with a word that only this child was told, so that nothing the target prints is taken for one, and with the
/// number of the process, so that none is taken from a copy of the child that goes on when the child has ended.
#[derive(Serialize, Deserialize)]
pub struct Sealed {
    /// The word.
    pub seal: u64,
    /// The process that writes it.
    pub process: u32,
    /// The record.
    pub record: Record,
}

/// Sends a message as one line.
pub fn send(mut stream: &UnixStream, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    stream.write_all(&line)
}

/// Receives messages, one a line. Several may arrive at once: those that were not asked for yet are kept.
pub struct Inbox {
    stream: UnixStream,
    arrived: Vec<u8>,
}

impl AsFd for Inbox {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl Inbox {
    /// No message is longer; what is, is not ours.
    const LIMIT: usize = 16 << 20;

    /// Receives what arrives on `stream`.
    pub fn new(stream: UnixStream) -> Self {
        Self { stream, arrived: Vec::new() }
    }

    /// Sends a message the other way.
    pub fn answer(&self, message: &impl Serialize) -> io::Result<()> {
        send(&self.stream, message)
    }

    /// Waits for the next message; `None` when the other side has gone.
    pub fn receive<M: DeserializeOwned>(&mut self) -> io::Result<Option<M>> {
        loop {
            if let Some(message) = self.next()? {
                return Ok(Some(message));
            }
            if !self.read()? {
                return Ok(None);
            }
        }
    }

    /// The next message, if it has been read.
    pub fn next<M: DeserializeOwned>(&mut self) -> io::Result<Option<M>> {
        let Some(end) = self.arrived.iter().position(|&byte| byte == b'\n') else { return Ok(None) };
        let line: Vec<u8> = self.arrived.drain(..=end).collect();
        Ok(Some(serde_json::from_slice(&line)?))
    }

    /// Reads what has arrived, and waits only if that is nothing; `false` when the other side has gone.
    ///
    /// # Errors
    /// `InvalidData` for what is no message.
    pub fn read(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 8 << 10];
        match self.stream.read(&mut bytes) {
            Ok(0) if self.arrived.is_empty() => Ok(false),
            Ok(0) => Err(io::Error::new(io::ErrorKind::InvalidData, "the other side has gone within a message")),
            Ok(_) if self.arrived.len() > Self::LIMIT => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "a message without end"))
            }
            Ok(count) => {
                self.arrived.extend_from_slice(&bytes[..count]);
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(false),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_arrive_together_are_received_one_by_one() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut inbox = Inbox::new(ours);
        send(&theirs, &Greeting::Opening).unwrap();
        send(&theirs, &Greeting::Ready).unwrap();
        (&theirs).write_all(b"\"Rea").unwrap();
        assert!(inbox.read().unwrap());
        assert!(matches!(inbox.next().unwrap(), Some(Greeting::Opening)));
        assert!(matches!(inbox.next().unwrap(), Some(Greeting::Ready)));
        assert!(inbox.next::<Greeting>().unwrap().is_none());
        drop(theirs);
        assert_eq!(inbox.read().unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_signal_is_told_by_its_name() {
        assert_eq!(End::Signaled(libc::SIGSEGV).to_string(), "was ended by SIGSEGV");
        assert_eq!(End::Signaled(libc::SIGRTMIN()).signal(), Some(format!("signal {}", libc::SIGRTMIN())));
    }
}
