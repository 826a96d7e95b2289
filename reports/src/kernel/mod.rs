//! The answer of `kernel`: what exported functions did when good and hostile clients called them, and the rules that they broke.

mod findings;
mod model;
pub mod rules;
mod text;

pub use model::{Breach, Function, Kernels, KnownFrom, SCHEMA_VERSION, Tested};
