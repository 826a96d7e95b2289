//! Walks over data of any depth: recursion on an explicit stack, what is noted of objects and keys meanwhile, and how much is
//! left of the thread's own stack.

pub mod addresses;
pub mod recursion;
pub mod stack_guard;
pub mod verdicts;
