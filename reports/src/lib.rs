//! What commands answer: the report of a conformance run, and all else.
//!
//! - [`Answer`]: what a command answers, in a type of its own, also its JSON; [`Findings`]: what all of them have in common;
//! - [`Report`], [`CheckReport`], [`Summary`]: the answer of `check`; [`audit`]: that of `audit`;
//! - [`Failure`], [`Outcome`]: what went wrong in a check, from the expectation that was not met to the report;
//! - [`Facts`]: what a library shows of itself; [`comparison`]: what differs between two libraries, and whom it breaks;
//! - [`kernel`]: what exported functions did when they were called;
//! - [`watch`]: what a program did wrong as a client of the library;
//! - [`duty`]: what functions of kernels owe their callers, and clients the library;
//! - [`written`]: which files a command has written;
//! - [`matrix`]: several reports side by side, for publishing;
//! - [`exit`]: the exit codes;
//! - [`json`], [`sarif`], [`markdown`], [`html`], [`junit`], [`github`], [`badge`], [`text`]: renderings; [`layout`]: how lines
//!   of text are laid out.
//!
//! Nothing here opens a target, reads a clock or touches a file: what is said is decided by the [`Answer`] alone, so the same
//! answer always renders to the same bytes.

#![deny(missing_docs)]

mod answer;
pub mod audit;
pub mod badge;
mod check;
pub mod comparison;
pub mod duty;
mod escape;
pub mod exit;
pub mod facts;
mod failure;
mod findings;
pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod kernel;
pub mod layout;
pub mod markdown;
pub mod matrix;
mod model;
mod outcome;
mod report;
pub mod sarif;
mod schema;
mod style;
mod summary;
pub mod text;
pub mod watch;
pub mod written;

pub use answer::Answer;
pub use facts::Facts;
pub use failure::{Dump, Evidence, Failure, Program};
pub use findings::{Finding, Findings, Rule, Severity};
pub use model::{CapabilityReport, CheckReport, Demands, Ended, FAILURE, Repeated, RunInfo, Target, Tool};
pub use outcome::Outcome;
pub use report::{Report, SCHEMA_VERSION};
pub use summary::{Blocker, Counts, Summary};
