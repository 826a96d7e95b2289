//! Functions: the objects, their typed arguments and the registry of global functions.

pub mod arguments;
pub mod object;
pub mod registry;

pub use object::*;
