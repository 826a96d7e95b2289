//! Values: a value of any type, and the three forms of strings and bytes.

pub mod any;
pub mod text;
