//! The line on stderr for what nobody may be there to be told.

use std::{
    fmt,
    io::{self, Write},
};

/// Writes a line to stderr, if anybody listens there.
pub fn log(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}
