//! A conformance test suite for the TVM FFI stable C ABI.
//!
//! The story, module by module:
//! - [`target`]: what the user named becomes a library on disk, identified by path and sha256;
//! - [`plan`]: which checks are asked for, and which of them a target with these capabilities has to pass;
//! - [`runner`]: the parent: hands checks to workers and collects what came of them;
//! - [`process`]: workers and children, in which the target is opened and the checks run;
//! - [`check`], [`checks`], [`trial`]: what a check is, all of them, and what they work with;
//! - [`api`], [`crumb`], [`memory`], [`library`]: calls into the target, breadcrumbs, safe reading, opening;
//! - [`homemade`], [`node`], [`containers`]: objects and containers as clients make and handle them;
//! - [`known`]: failures that are known and tolerated;
//! - [`cli`]: the command line.

// The constants of the ABI keep their C names.
#![allow(non_upper_case_globals)]

pub mod checks;
pub mod cli;
pub mod client;
pub mod harness;
pub mod side_by_side;
pub mod target;
pub mod trial;
