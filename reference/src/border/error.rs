//! Errors inside the library: ordinary Rust values on their way to the border.

use std::{borrow::Cow, collections::TryReserveError, ptr};

use tvm_ffi_spec::kTVMFFIError;

use crate::{
    border::exception::Exception,
    object::{ObjectRef, OutOfMemory, typed_refs},
};

typed_refs! {
    /// An Error object.
    ErrorObject: ObjectRef = kTVMFFIError;
}

/// What the functions in here return.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something failed, on its way to the border. It is one word, so that the results of what succeeds are small.
#[derive(Debug)]
pub struct Error(Box<Failure>);

/// The ways to fail.
#[derive(Debug)]
pub enum Failure {
    /// A new error of the given kind, such as `ValueError`.
    New {
        /// The kind.
        kind: &'static str,
        /// The message.
        message: Cow<'static, str>,
    },
    /// An Error object that somebody else made.
    Object(ErrorObject),
    /// What a C++ function has thrown.
    Thrown(Exception),
    /// A callee has failed and has raised its error on this thread already.
    Raised,
}

impl Error {
    /// A new error of a kind.
    #[cold]
    pub fn new(kind: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Failure::New { kind, message: message.into() }.into()
    }

    /// An Error object that somebody else made.
    #[cold]
    pub fn object(object: ErrorObject) -> Self {
        Failure::Object(object).into()
    }

    /// A callee has failed and has raised its error on this thread already.
    #[cold]
    pub fn raised() -> Self {
        Failure::Raised.into()
    }

    /// The error as a word, which owns it.
    #[inline]
    pub fn into_word(self) -> u64 {
        Box::into_raw(self.0).expose_provenance() as u64
    }

    /// The error that a word owns.
    ///
    /// # Safety
    /// The word comes from [`into_word`](Self::into_word), and is used once.
    #[inline]
    pub unsafe fn from_word(word: u64) -> Self {
        // SAFETY: the word is the address of the error, and nobody else owns it.
        Self(unsafe { Box::from_raw(ptr::with_exposed_provenance_mut(word as usize)) })
    }

    /// What has failed.
    pub fn into_failure(self) -> Failure {
        *self.0
    }

    /// The message, where no object is wanted.
    #[cold]
    pub fn into_message(self) -> Cow<'static, str> {
        match self.into_failure() {
            Failure::New { message, .. } => message,
            failure => String::from_utf8_lossy(Self::from(failure).into_object().message()).into_owned().into(),
        }
    }

    /// The error that there is no memory for something.
    #[cold]
    pub fn out_of_memory(what: &str) -> Self {
        Self::new("MemoryError", format!("Cannot allocate {what}"))
    }

    /// The error that there is no element at an index.
    #[cold]
    pub fn out_of_bounds(index: i64, size: usize) -> Self {
        Self::new("IndexError", format!("Index {index} out of bounds {size}"))
    }
}

impl From<Failure> for Error {
    #[cold]
    fn from(failure: Failure) -> Self {
        Self(Box::new(failure))
    }
}

impl From<OutOfMemory> for Error {
    #[cold]
    fn from(OutOfMemory { size, is_raised }: OutOfMemory) -> Self {
        if is_raised {
            return Self::raised();
        }
        Self::new("MemoryError", format!("Cannot allocate an object with {size} bytes of data"))
    }
}

impl From<TryReserveError> for Error {
    /// For what the library needs on its own way, as much as what it was given makes it.
    #[cold]
    fn from(_: TryReserveError) -> Self {
        Self::new("MemoryError", "Cannot allocate what is needed on the way")
    }
}

impl From<Exception> for Error {
    #[cold]
    fn from(exception: Exception) -> Self {
        Failure::Thrown(exception).into()
    }
}

#[cfg(test)]
impl std::error::Error for Error {}

#[cfg(test)]
impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &*self.0 {
            Failure::New { kind, message } => write!(f, "{kind}: {message}"),
            Failure::Object(_) | Failure::Thrown(_) | Failure::Raised => f.write_str("a function has failed"),
        }
    }
}
