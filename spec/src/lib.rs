//! The TVM FFI C ABI as data.
//!
//! Three things, each in one place:
//! - [`abi`]: `abi.toml`, the facts: functions, structs, constants, capabilities, globals;
//! - [`clause`]: `clauses/*.toml`, the rules: numbered sentences that an implementation keeps or breaks;
//! - [`types`] and [`table`]: the same facts as Rust types and a typed function table.

#![deny(missing_docs)]

pub mod abi;
pub mod clause;
pub mod table;
pub mod types;

pub use table::FunctionTable;
pub use types::*;
