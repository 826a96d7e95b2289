//! What the library exports.

// The contract of each function is that of its C declaration, said once in `spec/generations/legacy.toml`.
#![allow(clippy::missing_safety_doc)]

pub mod arrays;
pub mod backend;
pub mod errors;
pub mod functions;
mod load;
pub mod objects;
