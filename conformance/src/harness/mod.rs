//! Runs checks on a target and survives whatever it does.

pub mod known;
pub mod plan;
pub mod process;
pub mod runner;
