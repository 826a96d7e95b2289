//! What a library registers when it is loaded: types, fields, methods, attributes and global functions.
//!
//! The checks hold the target to the tables of `spec/abi.toml`: each reads its part of them, named by type, column or
//! subject. A part begins with the capability that brings it, so that nothing is demanded of a target that need not
//! have it.

mod columns;
mod functions;
mod kit;
mod members;
mod types;
