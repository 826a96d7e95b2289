//! The border to C and C++: errors, pointers that come in, exceptions that go out.

pub mod backtrace;
pub mod c_pointers;
pub mod error;
pub mod exception;
