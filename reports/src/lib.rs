//! The report of a conformance run.
//!
//! - [`Report`], [`CheckReport`], [`Summary`]: what a report holds, one set of types, also its JSON;
//! - [`Failure`], [`Outcome`]: what went wrong in a check, from the expectation that was not met to the report;
//! - [`exit`]: the exit codes;
//! - [`json`], [`junit`], [`text`]: renderings; [`layout`]: how lines of text are laid out.
//!
//! Nothing here opens a target, reads a clock or touches a file: what a report says is decided by its [`Report`]
//! alone, so the same report always renders to the same bytes.

#![deny(missing_docs)]

mod escape;
pub mod exit;
mod failure;
pub mod json;
pub mod junit;
pub mod layout;
mod model;
mod outcome;
mod report;
mod summary;
pub mod text;

pub use failure::{Dump, Evidence, Failure};
pub use model::{CapabilityReport, CheckReport, Demands, Ended, FAILURE, Repeated, RunInfo, Target, Tool};
pub use outcome::Outcome;
pub use report::{Report, SCHEMA_VERSION};
pub use summary::{Blocker, Counts, Summary};
