//! What a command answers, and the formats that every answer can be had in.

use std::io::{self, Write};

use serde::Serialize;

use crate::{findings::Findings, html, junit, layout::Width, markdown};

/// What a command answers, in a type of its own whose fields are its JSON.
///
/// Whoever writes a command writes this for its answer, and [`json`](crate::json), [`sarif`](crate::sarif) and the rest render it.
pub trait Answer: Serialize {
    /// What speaks against what was looked at, in the form that is the same for every command.
    fn findings(&self) -> Findings;

    /// What the process exits with: one of [`exit`](crate::exit).
    fn exit_code(&self) -> u8;

    /// Writes it for people, `verbose` with what is as it should be.
    ///
    /// # Errors
    /// Those of `out`.
    fn text(&self, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()>;

    /// Writes it as a Markdown page; where nothing else is said, its findings.
    ///
    /// # Errors
    /// Those of `out`.
    fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        markdown::render(&self.findings(), out)
    }

    /// Writes it as an HTML page; where nothing else is said, its findings.
    ///
    /// # Errors
    /// Those of `out`.
    fn html(&self, out: &mut dyn Write) -> io::Result<()> {
        html::render(&self.findings(), out)
    }

    /// Writes it as JUnit XML; where nothing else is said, a case for each finding.
    ///
    /// # Errors
    /// Those of `out`.
    fn junit(&self, out: &mut dyn Write) -> io::Result<()> {
        junit::render_findings(&self.findings(), out)
    }
}
