//! An answer as one HTML page that loads nothing from elsewhere, for whoever looks at it later.
//!
//! Every answer has its verdict, its facts and its findings on the page; a command may add sections of its own.

use std::io::{self, Write};

use crate::{
    escape::escape,
    exit,
    findings::{Finding, Findings},
};

/// How the page looks: as the reader's system does, light or dark, on a phone or a desk.
const STYLE: &str = include_str!("html.css");

/// A part of a page under a title, with a body that is HTML already.
pub(crate) struct Section {
    /// The title, as plain text.
    pub title: String,
    /// What is beneath it.
    pub body: String,
}

/// Writes a page: the verdict, the facts, the findings, and nothing else.
///
/// # Errors
/// Those of `out`.
pub fn render(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    page(findings, &[], out)
}

/// Writes a page whose sections follow the findings.
pub(crate) fn page(findings: &Findings, sections: &[Section], out: &mut dyn Write) -> io::Result<()> {
    let title = text(&format!("{} {}", findings.tool.name, findings.command));
    let verdict = text(&findings.verdict);
    let shade = match findings.exit_code {
        exit::CONFORMS => "good",
        exit::DOES_NOT_CONFORM => "bad",
        _ => "odd",
    };
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}: {verdict}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<p class=\"verdict {shade}\">{verdict}</p>"
    )?;
    let facts = findings.facts.iter().map(|(key, value)| vec![text(key), code(value)]);
    write!(out, "{}", table(&[], facts))?;
    if !findings.findings.is_empty() {
        writeln!(out, "<h2>Findings</h2>\n{}", table_of(findings))?;
    }
    for Section { title, body } in sections {
        writeln!(out, "<h2>{}</h2>\n{body}", text(title))?;
    }
    let version = text(&format!("{} {}", findings.tool.name, findings.tool.version));
    writeln!(out, "<footer>{version}</footer>\n</main>\n</body>\n</html>")
}

/// The findings, the heaviest first.
fn table_of(findings: &Findings) -> String {
    let mut sorted: Vec<_> = findings.findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let row = |finding: &Finding| {
        let place = [&finding.member, &finding.symbol].into_iter().flatten().map(|part| code(part));
        let known = finding.known.as_ref().map(|reason| format!("<br>known: {}", text(reason))).unwrap_or_default();
        let level = if finding.known.is_some() { "known" } else { finding.severity.as_str() };
        let rule = findings.rule_index(finding).map(|index| text(&findings.rules[index].text)).unwrap_or_default();
        vec![
            format!("<span class=\"{level}\">{level}</span>"),
            format!("<span title=\"{rule}\">{}</span>", text(&finding.rule)),
            place.collect::<Vec<_>>().join(" "),
            text(&finding.message) + &known,
        ]
    };
    table(&["level", "rule", "where", "what"], sorted.into_iter().map(row))
}

/// A table of cells that are HTML already; nothing where there are no rows.
pub(crate) fn table(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    table_with(heads.iter().map(|head| text(head)), rows)
}

/// A table whose heads are HTML already, too.
pub(crate) fn table_with(heads: impl Iterator<Item = String>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let row = |tag: &str, cells: Vec<String>| {
        let cells: String = cells.into_iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = rows.map(|cells| row("td", cells)).collect();
    if rows.is_empty() {
        return String::new();
    }
    let head: Vec<_> = heads.collect();
    let head = if head.is_empty() { String::new() } else { format!("<thead>{}</thead>\n", row("th", head)) };
    format!("<div class=\"wide\"><table>\n{head}<tbody>\n{rows}</tbody>\n</table></div>\n")
}

/// Any text, in which nothing means anything to HTML.
pub(crate) fn text(plain: &str) -> String {
    let mut escaped = String::with_capacity(plain.len());
    for c in escape(plain).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c => escaped.push(c),
        }
    }
    escaped
}

/// Any text as code.
pub(crate) fn code(plain: &str) -> String {
    format!("<code>{}</code>", text(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_means_anything() {
        assert_eq!(text("<script>\"a\" & 'b'\u{1b}"), "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;\\u{1b}");
    }

    #[test]
    fn a_table_without_rows_is_none() {
        assert_eq!(table(&["a"], std::iter::empty()), "");
    }
}
