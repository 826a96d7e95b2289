//! What every process finds registered: the lists of the built-in functions and types, and how the registries get them.

mod builtin_types;
pub mod globals;
mod load;
mod types;
