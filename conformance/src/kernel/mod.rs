//! Calls of functions that libraries export: what they are given, the memory that they may touch, and what is seen of them.
//!
//! - [`given`]: arguments as plain data; [`calls`]: those that a file of calls has; [`schema`]: those that metadata tells;
//! - [`hostile`]: the calls that a hostile client makes of a good one, or without knowing one;
//! - [`errand`]: what a process is to do with a function, and what it saw;
//! - [`arena`]: tensors in memory of their own, where every byte beside their elements is watched;
//! - `laid`: arguments as they lie in memory for a call;
//! - [`perform`], `result`: the calls themselves, in a process that is made to be lost, and what came of them.

pub mod arena;
pub mod calls;
pub mod errand;
pub mod given;
pub mod hostile;
mod laid;
pub mod perform;
mod remains;
mod result;
pub mod schema;
