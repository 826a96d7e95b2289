//! The answer for people: a block for each function, what it broke, and the verdict.

use std::io::{self, Write};

use super::model::{Breach, Function, Kernels};
use crate::{
    escape::one_line,
    layout::{Width, beside_a_key, counted, row, statement},
    style::{self, STRONG},
};

/// The column in which what is said of a function begins.
const BODY: usize = 6;

/// Writes the answer, `verbose` with the functions that broke no rule, the calls that good clients make, and what processes printed.
pub(super) fn render(
    kernels: &Kernels,
    verdict: &str,
    width: Width,
    verbose: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    for file in &kernels.files {
        statement(out, width, BODY, "", &format!("{STRONG}{}{STRONG:#}", one_line(&file.file)))?;
        for function in &file.functions {
            block(kernels, function, width, verbose, out)?;
        }
        writeln!(out)?;
    }
    style::verdict(out, width, kernels.exit_code, verdict)
}

fn block(kernels: &Kernels, function: &Function, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
    let came_of = format!(
        "{}: {} succeeded, {} refused",
        counted(function.calls as usize, "call"),
        function.succeeded,
        function.refused
    );
    let name = format!("  {STRONG}{}{STRONG:#}  ", one_line(&function.name));
    statement(out, width, BODY, &name, &format!("{came_of}; known from {}", function.known_from.as_str()))?;
    let mut say = |key: &str, value: &str| row(out, width, BODY, key, &beside_a_key(value, width));
    if let Some(good) = function.good.as_ref().filter(|_| verbose) {
        say("good call", good)?;
    }
    for undecided in &function.undecided {
        say("undecided", undecided)?;
    }
    for what in &function.not_tried {
        say("not tried", what)?;
    }
    function.breaches.iter().try_for_each(|found| breach(kernels, found, width, verbose, out))
}

fn breach(kernels: &Kernels, found: &Breach, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
    let (style, word) = style::label(kernels.counts(found));
    let text = found.its_rule().map_or("", |rule| rule.text);
    let lead = format!("    {style}{word}{style:#}  {STRONG}{}{STRONG:#}  ", found.rule);
    statement(out, width, BODY, &lead, text)?;
    let others = match found.others {
        0 => String::new(),
        others => format!("; so {} more", counted(others as usize, "call")),
    };
    let mut say = |key: &str, value: &str| row(out, width, BODY + 4, key, &beside_a_key(value, width));
    say("call", &found.call)?;
    say("with", &format!("{}{others}", found.situation))?;
    say("what", &found.message)?;
    if let Some(rule) = found.its_rule() {
        say("why", rule.why)?;
        say("source", &rule.sources.join(", "))?;
    }
    if let Some(output) = found.output.as_ref().filter(|_| verbose) {
        say("printed", output)?;
    }
    Ok(())
}
