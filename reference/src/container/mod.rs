//! Containers: the memory that C++ clients walk and change inline, and what the library does with it.

pub mod array;
pub mod shape;
