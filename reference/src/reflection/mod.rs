//! Reflection: the types of a process, their fields, methods and attributes, and what can be done knowing only these.

pub mod attribute;
pub mod builtin_types;
pub mod create;
pub mod field;
pub mod published;
pub mod type_table;
