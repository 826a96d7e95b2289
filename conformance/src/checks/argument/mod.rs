//! Arguments of the library's own functions.
//!
//! - [`refusal`]: every function, called with arguments that it cannot take;
//! - [`acceptance`]: what a parameter takes besides values of its own type, and what becomes of it;
//! - [`integers`]: what is no integer, though a part of it would do for one;
//! - [`elements`]: what is declared of the elements of a sequence;
//! - [`moved`]: objects that are given away with an argument;
//! - [`moved_many`]: the same at every place of many, and for keys that are equal;
//! - [`moved_full`]: the same for containers that are full, have room, or grow;
//! - [`looks`]: functions that look through all of a value;
//! - [`changed`]: values that change between two calls;
//! - [`mended`]: values that were refused, and have become such as are not;
//! - [`stale_result`]: plain results where there was something before;
//! - [`one_block`]: objects of a client's that follow each other in one block of memory;
//! - [`one_memory`], [`one_byte`]: texts that follow each other in one place in memory, and what is made of them; the latter differ in one byte.

mod acceptance;
mod changed;
mod elements;
mod integers;
mod kit;
mod looks;
mod mended;
mod moved;
mod moved_full;
mod moved_many;
mod one_block;
mod one_byte;
mod one_memory;
mod refusal;
mod stale_result;
