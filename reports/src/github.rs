//! Findings as workflow commands, which GitHub Actions shows beside a run and its changes.
//!
//! The verdict comes first, then a line for each finding, the heaviest first: of each level GitHub shows the first few.

use std::{
    cmp::Reverse,
    io::{self, Write},
};

use crate::{
    escape::escape,
    exit,
    findings::{Finding, Findings, Severity},
};

/// Writes a line for the verdict and one for each finding.
///
/// # Errors
/// Those of `out`.
pub fn render(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let level = if findings.exit_code == exit::CONFORMS { "notice" } else { "error" };
    let title = format!("{} {}", findings.tool.name, findings.command);
    writeln!(out, "::{level} title={}::{}", property(&title), message(&findings.verdict))?;
    let mut sorted: Vec<_> = findings.findings.iter().collect();
    sorted.sort_by_key(|finding| Reverse(weight(finding)));
    sorted.into_iter().try_for_each(|finding| line(finding, out))
}

/// What a finding weighs, when it is tolerated no more than a note.
fn weight(finding: &Finding) -> Severity {
    if finding.known.is_some() { Severity::Note } else { finding.severity }
}

fn line(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let level = match weight(finding) {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let file = finding.file.as_ref().map(|file| format!("file={},", property(file))).unwrap_or_default();
    let place = [&finding.member, &finding.symbol].into_iter().flatten().map(|part| format!(" ({part})"));
    let known = finding.known.as_ref().map(|reason| format!("; known: {reason}")).unwrap_or_default();
    let told = format!("{}{}{known}", finding.message, place.collect::<String>());
    writeln!(out, "::{level} {file}title={}::{}", property(&finding.rule), message(&told))
}

/// A text behind the second `::`, where only these end it.
fn message(text: &str) -> String {
    escape(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text before the second `::`, in which a comma and a colon would begin something else.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_a_command() {
        assert_eq!(message("100%\n::error::x"), "100%25%0A::error::x");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
