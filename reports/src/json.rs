//! A report as JSON: the model as it stands, in the order of its fields, indented, with a line feed at the end.
//!
//! `schema/report.schema.json` describes it. Every key is always there; what is not known is `null`.

use std::io::{self, Write};

use crate::report::Report;

/// Writes `report` as one JSON document.
///
/// # Errors
/// Those of `out`.
pub fn render(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    writeln!(out)
}
