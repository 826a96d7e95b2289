//! The TVM FFI C ABI as data.
//!
//! What is here, each in one place:
//! - [`abi`]: `abi.toml`, the facts: functions, structs, constants, capabilities, globals;
//! - [`clause`]: `clauses/*.toml`, the rules: numbered sentences that an implementation keeps or breaks;
//! - [`promise`]: `promises.toml`, what documents and headers promise, with the clauses that decide it;
//! - [`part`]: what of it a library has or lacks, and the releases that have it; [`layer`]: what is of use without the rest;
//! - [`named`]: everything of these that has a name, with what is known of it and the clauses about it;
//! - [`generation`]: `generations/*.toml`, what tells today's generation of the ABI from older ones, and what these consist of;
//! - [`dense_map`]: the table that dense maps are walked with;
//! - [`types`] and [`table`]: the same facts as Rust types and a typed function table.

#![deny(missing_docs)]

pub mod abi;
pub mod clause;
/// Every constant of `abi.toml`, under its C name.
#[allow(non_upper_case_globals)]
pub mod constants {
    include!(concat!(env!("OUT_DIR"), "/constants.rs"));
}
mod data;
pub mod dense_map;
pub mod generation;
pub mod layer;
pub mod named;
pub mod part;
pub mod promise;
pub mod table;
pub mod types;

/// What tells this specification from any other: twelve digits of a hash of the files that it consists of.
pub const REVISION: &str = env!("TVM_FFI_SPEC_REVISION");

pub use constants::*;
pub use table::FunctionTable;
pub use types::*;
