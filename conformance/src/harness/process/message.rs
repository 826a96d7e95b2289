//! What the generations say to each other: one JSON text a line.

use std::{
    io::{self, BufRead, BufReader, Write},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    path::PathBuf,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::client::{Failure, crumb::Trail};

/// How children are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// Each check in a copy of a process that has opened the target.
    Fork,
    /// Each check in a fresh process that opens the target itself.
    Exec,
}

impl Isolation {
    /// As on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
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
    /// The directory that holds the fixtures.
    pub fixtures: PathBuf,
    /// How children are kept apart.
    pub isolation: Isolation,
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
    /// Take a backtrace, to find out whether the target survives that.
    Rehearse,
    /// Run one check.
    Check {
        /// Its id.
        id: String,
        /// What its random choices start from.
        seed: u64,
        /// How many cases a property check tries.
        cases: u32,
    },
}

/// Worker to parent.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The target is open, or will be opened by each child.
    Ready,
    /// The dynamic loader would not open the target.
    Refused(String),
    /// A child has ended.
    Ended(Box<Ended>),
    /// A child could not be started: an error of the suite.
    Failed(String),
}

/// How a child ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ended {
    /// What it wrote, if it wrote one well-formed record.
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

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal.
    Signaled(i32),
    /// It was killed at its deadline.
    TimedOut,
}

/// Child to worker: what came of the task.
#[derive(Debug, Serialize, Deserialize)]
pub enum Record {
    /// Every expectation was met.
    Held,
    /// One was not.
    Broke(Box<Failure>),
    /// The answer to [`Task::Probe`].
    Probed(Probed),
}

/// What a target claims and has.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Probed {
    /// The version it claims.
    pub version: Option<(u32, u32, u32)>,
    /// Functions of the ABI that it exports.
    pub functions: Vec<String>,
    /// Of the global functions and type keys that tell capabilities apart, those it has registered.
    pub registered: Vec<String>,
}

/// A record as it travels: with a word that only this child was told, so that nothing the target prints is taken for one.
#[derive(Serialize, Deserialize)]
pub struct Sealed {
    /// The word.
    pub seal: u64,
    /// The record.
    pub record: Record,
}

/// Sends a message as one line.
pub fn send(mut stream: &UnixStream, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    stream.write_all(&line)
}

/// Receives messages, one a line; `None` when the other side has gone.
pub struct Inbox(BufReader<UnixStream>);

impl AsFd for Inbox {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.get_ref().as_fd()
    }
}

impl Inbox {
    /// Receives what arrives on `stream`.
    pub fn new(stream: UnixStream) -> Self {
        Self(BufReader::new(stream))
    }

    /// Sends a message the other way.
    pub fn answer(&self, message: &impl Serialize) -> io::Result<()> {
        send(self.0.get_ref(), message)
    }

    /// Waits for the next message.
    pub fn receive<M: DeserializeOwned>(&mut self) -> io::Result<Option<M>> {
        let mut line = Vec::new();
        match self.0.read_until(b'\n', &mut line) {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(serde_json::from_slice(&line)?)),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(None),
            Err(error) => Err(error),
        }
    }
}
