//! The answer of `watch`: what a program did wrong as a client of the library while it ran.

mod findings;
mod model;
pub mod rules;
mod text;

pub use model::{Ended, Frame, Misuse, Process, SCHEMA_VERSION, Watched};
