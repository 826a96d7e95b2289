//! Data types as text, both ways.
//!
//! - [`names`]: which text names which data type;
//! - [`near`]: data types that are nearly one, one after the other;
//! - [`text`]: what is read of a text, and the text that is written;
//! - [`refusal`]: what names no data type;
//! - [`custom`]: names that a client registers;
//! - [`one_memory`]: names that follow each other in one place in memory.

mod custom;
mod kit;
mod names;
mod near;
mod one_memory;
mod refusal;
mod text;
