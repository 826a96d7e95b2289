//! Benchmarks of the TVM FFI C ABI: every operation on the reference and on the newest public release, side by side.
//!
//! From below: [`library`] is one library, [`task`] one operation on it, [`operations`] the list of all; [`pair`] runs a task
//! on both libraries in turns, [`statistics`] makes ratios with an interval of that. [`fresh`] measures what only a new process
//! shows, [`instructions`] counts exactly. [`report`] keeps results as rows, [`plot`] draws them, [`readme`] shows the last ones.

#![deny(missing_docs)]
// The constants of the ABI keep their C names.
#![allow(non_upper_case_globals)]

pub mod fresh;
pub mod instructions;
pub mod library;
pub mod operations;
pub mod pair;
pub mod plot;
pub mod readme;
pub mod report;
pub mod statistics;
pub mod task;
