//! What a file of clauses holds. The build script reads the files through the same structs, so nothing is here but data.

use serde::{Deserialize, Serialize};

/// How binding a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Level {
    /// Breaking it breaks conformance.
    #[serde(rename = "MUST", alias = "must")]
    Must,
    /// Breaking it is reported and may be tolerated.
    #[serde(rename = "SHOULD", alias = "should")]
    Should,
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Level::Must => "MUST",
            Level::Should => "SHOULD",
        })
    }
}

/// What a clause rests on, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// A document, a header or DLPack's specification promises it.
    Documented,
    /// Prebuilt clients inline or assume it.
    CompiledIn,
    /// What every library owes its process: on legal input no call ends the process, hangs, corrupts or leaks memory, or
    /// reports a success that did not happen.
    Safety,
    /// Releases happen to do so, and nobody promises it.
    Observed,
    /// Nobody promises it and not every release does it: what a library does that is kind to its callers, such as answering
    /// a NULL argument with an error.
    Courtesy,
}

/// One clause. Its id is never changed and never used again.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Area and number, such as `STR-0003`.
    pub id: String,
    /// MUST or SHOULD.
    pub level: Level,
    /// What it rests on. What is only observed, or a courtesy, is never a MUST.
    pub basis: Basis,
    /// Which prebuilt clients rely on it: said of what is compiled in, and of nothing else.
    pub client: Option<String>,
    /// The capability that brings the clause into force.
    #[serde(default = "core")]
    pub capability: String,
    /// The first release that keeps it.
    pub since: String,
    /// The last release that it holds for, if it was given up.
    pub until: Option<String>,
    /// The capability that put an end to the clause: it is in force only on a target without it.
    pub ended_by: Option<String>,
    /// Whether it says that something is there. Where that is missing, the clause is broken; any other, which only needs it, is blocked.
    #[serde(default)]
    pub presence: bool,
    /// The sentence.
    pub text: String,
    /// Where it comes from: document and section, header, or behaviour observed on a release.
    pub source: String,
    /// What happens to a user when it is broken.
    pub why: String,
    /// A minimal C program that shows it: the body of `main`, with the public headers included. What stands above a line
    /// `---` comes before `main`.
    pub example: Option<String>,
    /// The generations of the ABI that it holds for; where a file says nothing else, today's alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generations: Vec<String>,
}

fn core() -> String {
    "core".to_owned()
}

/// One file of clauses.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// The prefix of the ids.
    pub prefix: String,
    /// What the clauses are about.
    pub title: String,
    /// Whether each of them says that something is there.
    #[serde(default)]
    pub presence: bool,
    /// The generations that those of them hold for which say nothing else.
    #[serde(default)]
    pub generations: Vec<String>,
    /// The clauses, by number.
    #[serde(rename = "clause", default)]
    pub clauses: Vec<Clause>,
}
