//! Calls between two libraries: one of today's ABI, one of the legacy generation.
//!
//! A legacy function becomes a Function object of today's library, and a Function object a legacy function; values, errors and
//! ownership are translated on the way, by what both libraries export and nothing else. So it works between any two: `libtvm_runtime.so`
//! of this workspace uses it with the core that it holds. What has no form on the other side is an error that says so.
//!
//! The shared library exports what `include/tvm/ffi_adapter.h` declares, for programs that have both libraries loaded.

#![deny(missing_docs)]
// Constants keep their C names.
#![allow(non_upper_case_globals)]

mod api;
mod call;
mod dtype;
mod problem;
mod tables;
mod to_ffi;
mod to_legacy;
pub mod types;
mod wrapped;

pub use call::Adapter;
pub use problem::Problem;
pub use tables::{Ffi, Legacy};
