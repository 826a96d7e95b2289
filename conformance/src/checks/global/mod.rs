//! The table of global functions: registering, finding, replacing, removing, listing, and what is in it from the start.

mod gap;
mod held;
mod info;
mod kit;
mod library;
mod many;
mod one_memory;
mod refusal;
mod table;
mod threads;
