//! The report of a conformance run.
//!
//! - [`model`]: what a report holds, one set of types, also its JSON;
//! - [`exit`]: the exit codes;
//! - [`json`], [`junit`], [`text`]: renderings, each with a function `render(&Report, &mut dyn Write)`.
//!
//! Nothing here opens a target, reads a clock or touches a file: what a report says is decided by its [`model::Report`]
//! alone, so the same report always renders to the same bytes.

#![deny(missing_docs)]

mod escape;
pub mod exit;
pub mod json;
pub mod junit;
pub mod model;
pub mod text;

pub use model::*;
