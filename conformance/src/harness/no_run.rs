//! Why a run could not take place.

use std::io;

use super::generation::NotJudged;

/// Why a run could not take place.
#[derive(Debug)]
pub enum NoRun {
    /// The dynamic loader would not open the target, for this reason.
    Refused(String),
    /// The target has no function of the ABI.
    NotOne,
    /// The target speaks a generation of the ABI of which there is nothing to judge, or not the one that it has to.
    Generation(NotJudged),
    /// The target is built with a sanitizer that cannot be served, for this reason.
    Sanitizer(String),
    /// The suite itself failed.
    Harness(String),
}

impl From<NotJudged> for NoRun {
    fn from(refusal: NotJudged) -> Self {
        NoRun::Generation(refusal)
    }
}

impl From<io::Error> for NoRun {
    fn from(error: io::Error) -> Self {
        NoRun::Harness(error.to_string())
    }
}
