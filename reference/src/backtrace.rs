//! Backtraces in the form of Python's, most recent call first.

/// Calls `body` with the backtrace of the caller of the library.
pub fn with_current<R>(body: impl FnOnce(&[u8]) -> R) -> R {
    body(b"")
}
