//! Values: a value of any type, the three forms of strings and bytes, and hashes of bytes and names.

pub mod any;
pub mod bit_hash;
mod name_hash;
pub mod names;
pub mod text;
pub mod text_layout;
