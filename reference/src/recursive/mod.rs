//! What walks through all that a value refers to: copies, texts, hashes and comparisons.
//!
//! Types take part with hooks, which are given a function to go on with. That function works only as long as the walk
//! that made it, and the state of a walk is never locked while a hook runs.

mod children;
pub mod compare;
mod deep_copy;
mod globals;
mod hash;
mod plain;
pub mod repr;
#[cfg(test)]
mod tests;

pub use self::globals::{COMPARISONS, GLOBALS};
