//! An answer as JSON: its type as it stands, in the order of its fields, indented, with a line feed at the end.
//!
//! `schema/` describes each. Every key is always there; what is not known is `null`.

use std::io::{self, Write};

use serde::Serialize;

/// Writes `answer` as one JSON document.
///
/// # Errors
/// Those of `out`.
pub fn render(answer: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, answer)?;
    writeln!(out)
}
