//! How text for terminals is emphasised.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::{
    escape::one_line,
    exit,
    layout::{Width, statement},
};

/// What is as it should be.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// What counts against something.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// What is only mentioned, or not known.
pub(crate) const ODD: Style = AnsiColor::Yellow.on_default().bold();
/// Names.
pub(crate) const STRONG: Style = Style::new().bold();

/// What stands before a finding that counts, or that does not.
pub(crate) const fn label(counts: bool) -> (Style, &'static str) {
    if counts { (BAD, "FAIL") } else { (ODD, "WARN") }
}

/// Writes a verdict, as good as the exit code that goes with it.
pub(crate) fn verdict(out: &mut dyn Write, width: Width, exit_code: u8, text: &str) -> io::Result<()> {
    let style = match exit_code {
        exit::CONFORMS => GOOD,
        exit::NOTHING_RAN | exit::INTERRUPTED => ODD,
        _ => BAD,
    };
    statement(out, width, 0, "", &format!("{style}{}{style:#}", one_line(text)))
}
