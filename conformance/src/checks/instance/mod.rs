//! Instances of the built-in reflected types: how they are made, read, written, copied and converted.
//!
//! Everything goes through what the type table offers: creators, getters, setters and functions in columns.

mod conversion;
mod elements;
mod field;
mod given;
mod kit;
mod making;
mod no_setter;
mod packed_args;
