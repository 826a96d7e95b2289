//! What is done to a value and everything in it: comparing, hashing, copying and printing by content.

mod compare;
mod copy;
mod extreme;
mod many;
mod print;
