//! Functions: the objects, what a callee receives, what comes back from it, and calls within calls.

mod after_failures;
mod arguments;
mod ends;
mod given;
mod kit;
mod meanwhile;
mod misuse;
mod object;
mod one_block;
mod result;
mod sequence;
mod value;
