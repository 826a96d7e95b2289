//! What went wrong in a check, in one type from the expectation that was not met to the report.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

/// A check that did not pass: what that amounts to, and the evidence. [`CheckReport`](crate::CheckReport) holds both.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Failure {
    /// How the check ended; not [`Outcome::Pass`].
    pub outcome: Outcome,
    /// What shows it.
    pub evidence: Evidence,
    /// What was looked for and not found, as a part of the ABI such as `global ffi.MapSize`: if the target lacks it, that is
    /// all there is to say.
    pub missing: Option<String>,
}

impl Failure {
    /// A failure with that evidence.
    pub fn new(outcome: Outcome, evidence: Evidence) -> Self {
        Self { outcome, evidence, missing: None }
    }

    /// The same failure, which is there because a part of the ABI was not found.
    pub fn for_want_of(mut self: Box<Self>, part: impl Display) -> Box<Self> {
        self.missing = Some(part.to_string());
        self
    }

    /// The same failure with a remark, after those it has.
    pub fn noting(mut self: Box<Self>, note: impl Display) -> Box<Self> {
        self.evidence.note = Some(match self.evidence.note.take() {
            Some(earlier) => format!("{earlier}; {note}"),
            None => note.to_string(),
        });
        self
    }

    /// The same failure with memory to look at.
    pub fn showing(mut self: Box<Self>, label: &str, bytes: &[u8]) -> Box<Self> {
        self.evidence.bytes.push(Dump::new(label, bytes));
        self
    }
}

/// Evidence that a clause is broken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Broken"))]
pub struct Evidence {
    /// The id of the clause.
    pub clause: String,
    /// What is wrong, in one line.
    pub message: String,
    /// The call that showed it, with its arguments, as C would write it.
    pub call: Option<String>,
    /// The value that was looked at, such as `type_index of the result`.
    pub what: Option<String>,
    /// What it has to be.
    pub expected: Option<String>,
    /// What it was.
    pub got: Option<String>,
    /// Memory that shows it.
    pub bytes: Vec<Dump>,
    /// What else helps to understand it.
    pub note: Option<String>,
    /// The signal that ended the process, such as `SIGSEGV`.
    pub signal: Option<String>,
    /// The structs of the ABI that were looked at since the call: if one of them lies in memory otherwise, that may be all that
    /// is wrong.
    #[serde(default)]
    pub looked_at: Vec<String>,
    /// Where in the program that happened, such as `reads address 0x8 at libtvm_ffi.so+0x1a20 (TVMFFIFunctionCall+0x10)`.
    #[serde(default)]
    pub place: Option<String>,
    /// What a sanitizer reported, shortened: what is wrong, and lines that say where.
    #[serde(default)]
    pub sanitizer: Vec<String>,
    /// The C program that repeats it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
}

impl Evidence {
    /// Evidence that is told in one line.
    pub fn told(clause: impl Into<String>, message: impl Into<String>) -> Self {
        Self { clause: clause.into(), message: message.into(), ..Self::default() }
    }

    /// Evidence that is a value which is not what it has to be; the message says so.
    pub fn value(clause: impl Into<String>, what: String, expected: String, got: String) -> Self {
        let message = format!("{what}: expected {expected}, got {got}");
        Self { what: Some(what), expected: Some(expected), got: Some(got), ..Self::told(clause, message) }
    }
}

/// A C program that repeats a failure without the suite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Program {
    /// Its text: it is linked with the library, and prints what each call comes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Why there is none, where a program cannot do what the check does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// The file that it was written to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A stretch of memory.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Dump {
    /// What the bytes are.
    pub label: String,
    /// The bytes in the order of their addresses, two lowercase hexadecimal digits each, with nothing between them.
    pub bytes: String,
}

impl Dump {
    /// A dump of `bytes`.
    pub fn new(label: impl Into<String>, bytes: &[u8]) -> Self {
        Self { label: label.into(), bytes: hex::encode(bytes) }
    }
}
