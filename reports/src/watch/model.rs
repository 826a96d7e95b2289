//! What was seen of a program that was watched. The same types are its JSON, field by field.
//!
//! Text that comes from the program may hold anything; the renderings escape it.

use std::fmt;

use serde::{Deserialize, Serialize};
use tvm_ffi_spec::clause::Level;

use super::rules;
use crate::{duty::Duty, exit, model::Tool};

/// The version of the format; it changes when a program that reads the JSON has to change.
pub const SCHEMA_VERSION: u32 = 1;

/// What was seen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Watched {
    /// The version of the format.
    pub schema_version: u32,
    /// What watched the program.
    pub tool: Tool,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Whether rules that are only mentioned count, too.
    pub strict: bool,
    /// How the program itself ended.
    pub program: Ended,
    /// Its processes that called the library, in the order in which they first did.
    pub processes: Vec<Process>,
    /// What was found, in the order in which it was seen first.
    pub findings: Vec<Misuse>,
    /// Whether a signal to `watch` ended the program.
    pub interrupted: bool,
    /// What `watch` exits with: 0 nothing was found, 1 something was, 4 no process called the library, 5 it was interrupted.
    pub exit_code: u8,
}

/// How a program ended: one of both is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ended {
    /// Its exit code.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(signal)) => write!(f, "signal {signal}"),
            (None, None) => f.write_str("unknown"),
        }
    }
}

/// A process that called the library.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Process {
    /// Its number.
    pub process: u32,
    /// The file that it runs.
    pub program: String,
    /// The file of the library that it uses.
    pub library: Option<String>,
}

/// That a client broke a rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Misuse {
    /// The id of the rule.
    pub rule: String,
    /// `MUST` if it counts, `SHOULD` if it is only mentioned.
    #[cfg_attr(test, schemars(with = "String"))]
    pub level: Level,
    /// The clauses that the rule follows from.
    pub clauses: Vec<String>,
    /// The function of the library that was called; `callback` for a function of the client's that was, `deleter` for an end, `memory` for
    /// none of these.
    pub call: String,
    /// What happened.
    pub message: String,
    /// The key of the type of the object that it is about.
    pub object: Option<String>,
    /// Where it happened, the innermost first; what is about an object's end has the place of that.
    pub at: Vec<Frame>,
    /// The call in which the object was first seen.
    pub made_by: Option<String>,
    /// Where that was.
    pub made: Vec<Frame>,
    /// Where the object ended.
    pub ended: Vec<Frame>,
    /// The traceback of Python, if that is the client's language.
    pub python: Option<String>,
    /// The process that it happened in.
    pub process: u32,
    /// How often the same was written down again; it is only a few times for each place.
    pub others: u32,
}

/// A place in code that a call came from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Frame {
    /// The file of the code.
    pub module: String,
    /// How far into it.
    pub offset: u64,
    /// The function, if its file tells.
    pub function: Option<String>,
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.module.rsplit('/').next().unwrap_or_default();
        match &self.function {
            Some(function) => write!(f, "{function} ({file}+{:#x})", self.offset),
            None => write!(f, "{file}+{:#x}", self.offset),
        }
    }
}

impl Misuse {
    /// The rule itself, if this program knows it.
    pub fn its_rule(&self) -> Option<&'static Duty> {
        rules::find(&self.rule)
    }
}

impl Watched {
    /// The answer with its exit code.
    pub fn new(
        tool: Tool,
        command: Vec<String>,
        strict: bool,
        program: Ended,
        (processes, findings): (Vec<Process>, Vec<Misuse>),
        interrupted: bool,
    ) -> Self {
        let schema_version = SCHEMA_VERSION;
        let exit_code = exit::CONFORMS;
        let mut watched =
            Self { schema_version, tool, command, strict, program, processes, findings, interrupted, exit_code };
        watched.exit_code = match () {
            () if interrupted => exit::INTERRUPTED,
            () if watched.count(true) > 0 => exit::DOES_NOT_CONFORM,
            () if watched.processes.is_empty() => exit::NOTHING_RAN,
            () => exit::CONFORMS,
        };
        watched
    }

    /// Whether a finding keeps the answer from being good.
    pub fn counts(&self, misuse: &Misuse) -> bool {
        self.strict || misuse.level == Level::Must
    }

    /// How many findings there are that count, or that do not.
    pub(super) fn count(&self, counting: bool) -> usize {
        self.findings.iter().filter(|misuse| self.counts(misuse) == counting).count()
    }
}

#[cfg(test)]
mod tests {
    use super::Watched;

    #[test]
    fn schema_file_is_that_of_the_model() {
        crate::json::holds_schema::<Watched>("watch");
    }
}
