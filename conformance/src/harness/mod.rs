//! The harness: runs checks on a target and survives whatever that does.
//!
//! A run, top down:
//! - [`plan`]: which checks are asked for, and which of them a target with these capabilities has to pass;
//! - [`options`]: how they are run;
//! - [`runner`]: hands the checks to workers, one thread for each worker;
//! - [`worker_handle`]: a worker as this process sees it: started, given jobs, killed;
//! - [`process`]: what happens in workers and their children, in which the target is opened and the checks run;
//! - [`outcome`], [`rerun`]: from what happened in a child to what is reported of its check;
//! - [`known`]: which of the failures are known and tolerated.

pub mod known;
pub mod options;
mod outcome;
pub mod plan;
pub mod process;
mod rerun;
pub mod runner;
mod worker_handle;
