//! A matrix as an HTML page: a table of libraries and areas, and below it what each library does not pass, and why.

use std::io::{self, Write};

use tvm_ffi_spec::clause::Level;

use super::{Matrix, Row, Tally, Unmet};
use crate::{
    findings::Findings,
    html::{self, Section},
};

/// Writes the page, with the head that its findings have.
pub(super) fn render(matrix: &Matrix, findings: Findings, out: &mut dyn Write) -> io::Result<()> {
    let failures = matrix.rows.iter().filter(|row| !row.unmet.is_empty()).map(|row| Section {
        title: row.title(),
        body: format!("<div id=\"{}\">\n{}</div>\n", place(row, None), unmet(matrix, row)),
    });
    let sections: Vec<_> = [table(matrix)].into_iter().chain(failures).collect();
    // What would be findings stands in the sections, library by library.
    html::page(&Findings { findings: Vec::new(), ..findings }, &sections, out)
}

/// How many checks of each area each library does not pass.
fn table(matrix: &Matrix) -> Section {
    let heads: Vec<_> = ["library", "MUST", "SHOULD"].into_iter().map(str::to_owned).collect();
    let areas = matrix.areas.iter().map(|area| format!("<span class=\"upright\">{}</span>", html::text(area)));
    let rows = matrix.rows.iter().map(|row| {
        let link = format!("<a href=\"#{}\">{}</a>", place(row, None), html::text(&row.title()));
        let count = |level| format!("{}", row.unmet_of(level));
        let areas = matrix.areas.iter().map(|area| cell(row, area));
        [link, count(Level::Must), count(Level::Should)].into_iter().chain(areas).collect()
    });
    let body = html::table_with(heads.into_iter().chain(areas), rows);
    let told = "<p>How many checks of an area a library does not pass; nothing where it passes all that apply, a dash where none \
                applies. MUST and SHOULD: the level of what it does not keep.</p>\n";
    Section { title: "Libraries and areas".to_owned(), body: format!("{told}{body}") }
}

fn cell(row: &Row, area: &str) -> String {
    let tally = row.areas.get(area).copied().unwrap_or_default();
    let Tally { pass, broken, blocked, not_applicable } = tally;
    let told = format!("{area}: {pass} pass, {broken} broken, {blocked} blocked, {not_applicable} not applicable");
    let told = html::text(&told);
    match (tally.unmet(), pass) {
        (0, 0) => format!("<span class=\"note\" title=\"{told}\">–</span>"),
        (0, _) => format!("<span title=\"{told}\"></span>"),
        (unmet, _) => {
            format!("<a class=\"bad\" href=\"#{}\" title=\"{told}\">{unmet}</a>", place(row, Some(area)))
        }
    }
}

/// What a library does not pass, area by area.
fn unmet(matrix: &Matrix, row: &Row) -> String {
    let area = |area: &String| {
        let unmet: Vec<_> = row.unmet.iter().filter(|unmet| unmet.is_in(area)).collect();
        if unmet.is_empty() {
            return String::new();
        }
        let summary = format!("{area}: {}", unmet.len());
        let rows = unmet.into_iter().map(entry);
        format!(
            "<details id=\"{}\"><summary>{}</summary>\n{}</details>\n",
            place(row, Some(area)),
            html::text(&summary),
            html::table(&["level", "clauses", "what has to hold", "why it does not"], rows)
        )
    };
    matrix.areas.iter().map(area).collect()
}

fn entry(unmet: &Unmet) -> Vec<String> {
    let class = if unmet.level == Level::Must { "error" } else { "warning" };
    vec![
        format!("<span class=\"{class}\">{}</span>", unmet.level),
        unmet.clauses.iter().map(|clause| html::text(clause)).collect::<Vec<_>>().join("<br>"),
        format!("{}<br>{}", html::text(&unmet.name), html::code(&unmet.check)),
        html::text(&unmet.reason),
    ]
}

/// Where on the page a library is told of, or an area of it.
fn place(row: &Row, area: Option<&str>) -> String {
    let plain = |text: &str| {
        let bears = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        text.chars().map(bears).collect::<String>()
    };
    match area {
        Some(area) => format!("{}-{}", plain(&row.name), plain(area)),
        None => plain(&row.name),
    }
}
