//! An answer as one HTML page that loads nothing from elsewhere, for whoever looks at it later.
//!
//! Every answer has its verdict, its facts and its findings on the page; a command may add sections of its own.

use std::io::{self, Write};

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

use crate::{
    escape::escape,
    exit,
    findings::{Finding, Findings},
};

/// How the page looks: as the reader's system does, light or dark, on a phone or a desk.
const STYLE: &str = include_str!("html.css");

/// Any text, in which nothing moves a cursor, reorders a line, or means anything to HTML. What comes from outside stands on a page
/// as this, and never as a bare text.
pub(crate) struct Text<'a>(pub &'a str);

impl Render for Text<'_> {
    fn render_to(&self, buffer: &mut String) {
        escape(self.0).render_to(buffer);
    }
}

/// A part of a page under a title.
pub(crate) struct Section {
    /// The title.
    pub title: String,
    /// What is beneath it.
    pub body: Markup,
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
    let title = format!("{} {}", findings.tool.name, findings.command);
    let shade = match findings.exit_code {
        exit::CONFORMS => "good",
        exit::DOES_NOT_CONFORM => "bad",
        _ => "odd",
    };
    let facts = findings.facts.iter().map(|(key, value)| vec![html! { (Text(key)) }, code(value)]);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (Text(&title)) ": " (Text(&findings.verdict)) } "\n"
                style { "\n" (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (Text(&title)) }
                    p class={ "verdict " (shade) } { (Text(&findings.verdict)) } "\n"
                    (table(&[], facts))
                    @if !findings.findings.is_empty() {
                        h2 { "Findings" } "\n"
                        (table_of(findings))
                    }
                    @for Section { title, body } in sections {
                        h2 { (Text(title)) } "\n"
                        (body) "\n"
                    }
                    footer { (Text(&findings.tool.name)) " " (Text(&findings.tool.version)) }
                }
            }
        }
    };
    writeln!(out, "{}", page.into_string())
}

/// The findings, the heaviest first.
fn table_of(findings: &Findings) -> Markup {
    let mut sorted: Vec<_> = findings.findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let row = |finding: &Finding| {
        let level = if finding.known.is_some() { "known" } else { finding.severity.as_str() };
        let rule = findings.rule_index(finding).map_or("", |index| &findings.rules[index].text);
        vec![
            html! { span class=(level) { (level) } },
            html! { span title=(Text(rule)) { (Text(&finding.rule)) } },
            html! { @for part in [&finding.member, &finding.symbol].into_iter().flatten() { (code(part)) " " } },
            html! { (Text(&finding.message)) @if let Some(reason) = &finding.known { br; "known: " (Text(reason)) } },
        ]
    };
    table(&["level", "rule", "where", "what"].map(plain), sorted.into_iter().map(row))
}

/// A table; nothing where there are no rows.
pub(crate) fn table(heads: &[Markup], rows: impl Iterator<Item = Vec<Markup>>) -> Markup {
    let mut rows = rows.peekable();
    html! {
        @if rows.peek().is_some() {
            div class="wide" {
                table {
                    @if !heads.is_empty() { thead { tr { @for head in heads { th { (head) } } } } "\n" }
                    tbody { "\n" @for row in rows { tr { @for cell in row { td { (cell) } } } "\n" } }
                }
            }
            "\n"
        }
    }
}

/// A text as a part of a page.
pub(crate) fn plain(text: &str) -> Markup {
    html! { (Text(text)) }
}

/// Any text as code.
pub(crate) fn code(text: &str) -> Markup {
    html! { code { (Text(text)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_means_anything() {
        let shown = html! { span title=(Text("\"a\"")) { (Text("<script>\"a\" & 'b'\u{1b}")) } };
        let expected = "<span title=\"&quot;a&quot;\">&lt;script&gt;&quot;a&quot; &amp; 'b'\\u{1b}</span>";
        assert_eq!(shown.into_string(), expected);
    }

    #[test]
    fn a_table_without_rows_is_none() {
        assert_eq!(table(&[plain("a")], std::iter::empty()).into_string(), "");
    }
}
