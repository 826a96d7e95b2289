//! What comes of a step of a run: of asking a target what it has, and of trying to run a check.

use tvm_ffi_reports::CheckReport;

use super::{
    process::message::{End, Probed},
    worker_handle::{Lost, Worker},
};

/// What a target has registered.
#[derive(Default)]
pub struct Registered {
    /// Parts of the ABI.
    pub of_abi: Vec<String>,
    /// What is beyond it; `None` if the target does not list it.
    pub beyond: Option<Vec<String>>,
}

/// What came of asking a target what it has.
pub enum Probe {
    /// This; and the worker can be asked more.
    Answered(Probed, Worker),
    /// It was opened, and did not survive the question.
    Died,
    /// It did not survive being opened, which is all there is to report.
    DiedOpening(Box<CheckReport>),
}

/// What became of one try to run a check.
pub enum Try {
    /// A report, and how the child ended.
    Reported(Box<CheckReport>, End),
    /// The worker was lost.
    Lost(Lost),
    /// The worker, with the target open, could not start a process, for this reason.
    Disabled(String),
    /// The suite could not do it, for this reason.
    Failed(String),
}
