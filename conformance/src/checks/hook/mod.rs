//! What client types say about themselves: which fields take part in what, and hooks that do the work in their place.
//!
//! - [`column`]: each hook and each flag, and what it decides;
//! - [`called`]: what holds of every function that the library calls of itself.

mod called;
mod column;
