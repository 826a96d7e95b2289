//! Arguments of the library's own functions.
//!
//! - [`refusal`]: every function, called with arguments that it cannot take;
//! - [`acceptance`]: what a parameter takes besides values of its own type, and what becomes of it;
//! - [`moved`]: objects that are given away with an argument;
//! - [`one_memory`]: texts that follow each other in one place in memory.

mod acceptance;
mod kit;
mod moved;
mod one_memory;
mod refusal;
