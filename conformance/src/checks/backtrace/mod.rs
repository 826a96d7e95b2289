//! Backtraces: their form, the line that the caller gives, limits, and storage for each thread.
//!
//! How much of the stack a backtrace shows depends on the symbols at hand and is nobody's promise: an empty one is fine.
//! The checks look at what is there. Those that need names of functions ask for a process of their own, since a process that
//! was forked may have none.

mod form;
mod generated;
mod kit;
mod lasting;
mod limit;
mod own_stack;
mod stack;
