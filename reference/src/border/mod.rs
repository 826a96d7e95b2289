//! The border to C and C++: errors, what C callers pass, and what goes out instead of a panic.

pub mod backtrace;
pub mod c_pointers;
pub mod code;
mod cxx_error;
pub mod error;
pub mod error_object;
pub mod exception;
pub mod guard;
pub mod itanium;
pub mod last_resort;
pub mod log;
pub mod raised;
#[cfg(test)]
mod tests;
pub mod throw;
mod unwind;
