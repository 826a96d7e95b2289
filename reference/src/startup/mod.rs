//! What every process finds: the built-in global functions and types.

pub mod builtin_types;
pub mod globals;
