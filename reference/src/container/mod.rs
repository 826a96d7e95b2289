//! Containers: the memory that C++ clients walk and change inline, and what the library does with it.

pub mod array;
mod buffer;
pub mod copies;
pub mod devices;
pub mod held;
pub mod key;
pub mod list;
pub mod map;
pub mod sequence;
pub mod shape;
