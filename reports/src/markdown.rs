//! Findings as a Markdown page, for summaries of continuous integration, and what such pages are made of.

use std::io::{self, Write};

use crate::{
    escape::one_line,
    findings::{Finding, Findings},
};

/// Writes a page: a title, the verdict, the facts, and a table of findings.
///
/// # Errors
/// Those of `out`.
pub fn render(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    head(findings, out)?;
    table_of(findings, out)
}

/// Writes what a page begins with: a title, the verdict, and the facts.
///
/// # Errors
/// Those of `out`.
pub fn head(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {} {}\n\n**{}**\n", findings.tool.name, findings.command, text(&findings.verdict))?;
    let facts: Vec<_> = findings.facts.iter().map(|(key, value)| vec![text(key), code(value)]).collect();
    table(&["", ""], &facts, out)
}

/// Writes the table of findings, if there are any: the heaviest first.
///
/// # Errors
/// Those of `out`.
pub fn table_of(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    if findings.findings.is_empty() {
        return Ok(());
    }
    writeln!(out, "## Findings\n")?;
    let mut sorted: Vec<_> = findings.findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let row = |finding: &&Finding| {
        let known = finding.known.as_ref().map(|reason| format!(" (known: {reason})")).unwrap_or_default();
        let place = [&finding.member, &finding.symbol].into_iter().flatten().map(|each| code(each));
        let place: Vec<_> = place.collect();
        vec![
            text(finding.severity.as_str()),
            text(&finding.rule),
            place.join(" "),
            text(&format!("{}{known}", finding.message)),
        ]
    };
    let rows: Vec<_> = sorted.iter().map(row).collect();
    table(&["level", "rule", "where", "what"], &rows, out)
}

/// Writes a table of cells that are Markdown already, and an empty line; nothing where there are no rows.
///
/// # Errors
/// Those of `out`.
pub fn table(heads: &[&str], rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "| {} |\n|{}", heads.join(" | "), "---|".repeat(heads.len()))?;
    rows.iter().try_for_each(|row| writeln!(out, "| {} |", row.join(" | ")))?;
    writeln!(out)
}

/// Any text on one line, in which nothing means anything to Markdown.
pub fn text(plain: &str) -> String {
    let mut escaped = String::with_capacity(plain.len());
    for c in one_line(plain).chars() {
        if "\\`*_{}[]<>#|~&!".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Any text as code on one line, which may stand in a table.
pub fn code(plain: &str) -> String {
    let plain = one_line(plain).replace('|', "\\|");
    let longest = plain.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    match (plain.is_empty(), longest) {
        (true, _) => String::new(),
        (_, 0) => format!("`{plain}`"),
        _ => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {plain} {fence}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_means_anything() {
        assert_eq!(text("a|b *c*\n<d>"), "a\\|b \\*c\\*\\\\n\\<d\\>");
        assert_eq!(code("f(x)"), "`f(x)`");
        assert_eq!(code("a `b` | c"), "`` a `b` \\| c ``");
        assert_eq!(code(""), "");
    }
}
