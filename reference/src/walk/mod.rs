//! Walks over data of any depth: recursion on an explicit stack, and how much is left of the thread's own.

pub mod recursion;
pub mod stack_guard;
