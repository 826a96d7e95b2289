//! The answer for people: a block for each finding, and the verdict.

use std::io::{self, Write};

use super::model::{Frame, Misuse, Watched};
use crate::{
    escape::one_line,
    layout::{Width, beside_a_key, row, statement},
    style::{self, STRONG},
};

/// The column in which what is said of a finding begins.
const BODY: usize = 4;
/// How many frames of a backtrace are shown, unless all are asked for.
const FRAMES: usize = 6;

/// Writes the answer, `verbose` with the processes and with backtraces to their ends.
pub(super) fn render(
    watched: &Watched,
    verdict: &str,
    width: Width,
    verbose: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    for process in watched.processes.iter().filter(|_| verbose) {
        let library = process.library.as_deref().unwrap_or("a library that is not known");
        let told = format!("{} uses {}", one_line(&process.program), one_line(library));
        statement(out, width, BODY, "", &format!("{STRONG}process {}{STRONG:#}  {told}", process.process))?;
    }
    for misuse in &watched.findings {
        block(watched, misuse, width, verbose, out)?;
        writeln!(out)?;
    }
    style::verdict(out, width, watched.exit_code, verdict)
}

fn block(watched: &Watched, misuse: &Misuse, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
    let (style, word) = style::label(watched.counts(misuse));
    let text = misuse.its_rule().map_or("", |rule| rule.text);
    let lead = format!("{style}{word}{style:#}  {STRONG}{}{STRONG:#}  ", one_line(&misuse.rule));
    statement(out, width, BODY, &lead, text)?;
    let mut say = |key: &str, value: &[String]| row(out, width, BODY, key, value);
    let others = match misuse.others {
        0 => String::new(),
        others => format!("; seen {} times", others + 1),
    };
    say("call", &beside_a_key(&misuse.call, width))?;
    say("what", &beside_a_key(&format!("{}{others}", misuse.message), width))?;
    if let Some(object) = &misuse.object {
        say("object", &beside_a_key(object, width))?;
    }
    let most = if verbose { usize::MAX } else { FRAMES };
    let frames = |frames: &[Frame]| -> Vec<String> {
        frames.iter().take(most).map(|frame| one_line(&frame.to_string())).collect()
    };
    if !misuse.at.is_empty() {
        say("at", &frames(&misuse.at))?;
    }
    if let Some(python) = &misuse.python {
        let lines: Vec<_> = python.lines().skip(1).take(most).map(|line| one_line(line.trim())).collect();
        say("python", &lines)?;
    }
    if let Some(made_by) = &misuse.made_by {
        say("made by", &[vec![one_line(made_by)], frames(&misuse.made)].concat())?;
    }
    if !misuse.ended.is_empty() && misuse.ended != misuse.at {
        say("ended", &frames(&misuse.ended))?;
    }
    if let Some(rule) = misuse.its_rule() {
        say("why", &beside_a_key(rule.why, width))?;
        say("clauses", &beside_a_key(&rule.sources.join(", "), width))?;
    }
    Ok(())
}
