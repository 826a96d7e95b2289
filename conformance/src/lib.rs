//! A conformance test suite for the TVM FFI stable C ABI.
//!
//! Seven rooms and the command line, each above those that it uses:
//! - [`cli`]: the command line;
//! - `harness`: runs checks on a target and survives whatever that does;
//! - `audit`: looks at clients of the library without running them; `installation`: files for use;
//! - `watching`: programs that use the library, and what they leave behind;
//! - `kernel`: calls of functions that other libraries export;
//! - [`checks`]: the checks, and `trial`, what each of them works with;
//! - [`client`]: what a program in another language would be to the target;
//! - [`target`]: what the user named becomes a library on disk, identified by path and sha256, and is opened.

// The constants of the ABI keep their C names.
#![allow(non_upper_case_globals)]

mod audit;
pub mod checks;
pub mod cli;
pub mod client;
mod harness;
mod installation;
mod kernel;
pub mod side_by_side;
pub mod target;
mod trial;
mod watching;

pub use trial::deadline::SILENCE;
