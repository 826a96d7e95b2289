//! Errors inside the library: ordinary Rust values on their way to the border.

use std::{borrow::Cow, fmt};

use crate::{
    border::exception::Exception,
    object::{ObjectRef, OutOfMemory},
};

/// What the functions in here return.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something failed, on its way to the border.
#[derive(Debug)]
pub enum Error {
    /// A new error of the given kind, such as `ValueError`.
    New {
        /// The kind.
        kind: &'static str,
        /// The message.
        message: Cow<'static, str>,
    },
    /// An Error object that somebody else made.
    Object(ObjectRef),
    /// What a C++ function has thrown.
    Thrown(Exception),
    /// A callee has failed and has raised its error on this thread already.
    Raised,
}

impl Error {
    /// A new error.
    pub fn new(kind: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::New { kind, message: message.into() }
    }

    /// The error that there is no element at an index.
    #[cold]
    pub fn out_of_bounds(index: i64, size: usize) -> Self {
        Self::new("IndexError", format!("Index {index} out of bounds {size}"))
    }
}

impl From<OutOfMemory> for Error {
    #[cold]
    fn from(OutOfMemory { size }: OutOfMemory) -> Self {
        Self::new("MemoryError", format!("Cannot allocate an object with {size} bytes of data"))
    }
}

impl From<Exception> for Error {
    fn from(exception: Exception) -> Self {
        Self::Thrown(exception)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New { kind, message } => write!(f, "{kind}: {message}"),
            Self::Object(_) | Self::Thrown(_) | Self::Raised => f.write_str("a function has failed"),
        }
    }
}

impl std::error::Error for Error {}
