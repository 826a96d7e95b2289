//! The line on stderr for what nobody may be there to be told.

use std::fmt;

use crate::system::cancel::without_cancellation;

/// Writes a line to stderr, if anybody listens there.
pub fn log(line: fmt::Arguments<'_>) {
    let text = format!("{line}\n");
    // Not through Rust, whose lock may be held by a thread that a child does not have.
    // SAFETY: the text is readable. Nobody is told when even stderr cannot be written.
    let _ = without_cancellation(|| unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) });
}
