//! A matrix as an HTML page: a table of libraries and areas, and below it, area by area, what is not passed, why, and by which
//! libraries. A reason stands where it is told of first, and is referred to from everywhere else.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use maud::{Markup, html};
use tvm_ffi_spec::clause::Level;

use super::{Matrix, Reason, Row, Tally, Unmet};
use crate::{
    exit,
    findings::Findings,
    html::{self, Section, Text},
};

/// Writes the page, with the head that its findings have.
pub(super) fn render(matrix: &Matrix, findings: Findings, out: &mut dyn Write) -> io::Result<()> {
    let mut told = BTreeMap::new();
    let areas: Vec<_> = matrix.areas.iter().filter_map(|area| unmet(matrix, area, &mut told)).collect();
    let sections: Vec<_> = [table(matrix)].into_iter().chain(other(matrix)).chain(areas).collect();
    // Known or not, what is not kept is no good news.
    let kept = matrix.rows.iter().all(|row| row.conforms);
    let exit_code = if kept { matrix.exit_code } else { matrix.exit_code.max(exit::DOES_NOT_CONFORM) };
    // What would be findings stands in the sections, each reason once.
    html::page(&Findings { findings: Vec::new(), exit_code, ..findings }, &sections, out)
}

/// How many checks of each area each library does not pass.
fn table(matrix: &Matrix) -> Section {
    let areas = matrix.areas.iter().map(|area| html! { span class="upright" { (Text(area)) } });
    let heads: Vec<_> = ["library", "MUST", "SHOULD"].map(html::plain).into_iter().chain(areas).collect();
    let rows = matrix.rows.iter().enumerate().map(|(place, row)| {
        let count = |level| html! { (matrix.unmet_of(place, level)) };
        let areas = matrix.areas.iter().map(|area| cell(row, area));
        [html::plain(&row.title()), count(Level::Must), count(Level::Should)].into_iter().chain(areas).collect()
    });
    let body = html! {
        p {
            "How many checks of an area a library does not pass; nothing where it passes all that apply, a dash where none applies. \
             MUST and SHOULD: the level of what it does not keep. A number leads to the reasons."
        }
        (html::table(&heads, rows))
    };
    Section { title: "Libraries and areas".to_owned(), body }
}

/// What is wrong with the runs.
fn other(matrix: &Matrix) -> Option<Section> {
    let rows = matrix
        .rows
        .iter()
        .flat_map(|row| row.other.iter().map(move |other| [&row.title(), &*other.message].map(html::plain)));
    let rows: Vec<_> = rows.map(Vec::from).collect();
    let heads = ["library", "what is wrong with its run"].map(html::plain);
    (!rows.is_empty()).then(|| Section { title: "Runs".to_owned(), body: html::table(&heads, rows.into_iter()) })
}

fn cell(row: &Row, area: &str) -> Markup {
    let tally = row.areas.get(area).copied().unwrap_or_default();
    let Tally { pass, broken, blocked, not_applicable } = tally;
    let told = format!("{area}: {pass} pass, {broken} broken, {blocked} blocked, {not_applicable} not applicable");
    let told = Text(&told);
    match (tally.unmet(), pass) {
        (0, 0) => html! { span class="note" title=(told) { "–" } },
        (0, _) => html! { span title=(told) {} },
        (unmet, _) => html! { a class="bad" href={ "#" (place(area)) } title=(told) { (unmet) } },
    }
}

/// The reasons that were told of, by their numbers, each with the check where it stands.
type Told<'a> = BTreeMap<usize, &'a str>;

/// What of an area is not passed; nothing where all is.
fn unmet<'a>(matrix: &'a Matrix, area: &str, told: &mut Told<'a>) -> Option<Section> {
    let numbered = matrix.reasons.iter().enumerate();
    let all = numbered.flat_map(|(number, reason)| reason.unmet.iter().map(move |unmet| (number, reason, unmet)));
    let mut unmet: Vec<_> = all.filter(|(.., unmet)| unmet.is_in(area)).collect();
    unmet.sort_by(|(.., one), (.., other)| one.check.cmp(&other.check));
    let heads = ["level", "clauses", "what has to hold", "why it does not", "libraries"].map(html::plain);
    let rows: Vec<_> =
        unmet.iter().map(|&(number, reason, unmet)| entry(matrix, unmet, why(number, reason, unmet, told))).collect();
    let body = html! { div id=(place(area)) { (html::table(&heads, rows.into_iter())) } };
    (!unmet.is_empty()).then(|| Section { title: area.to_owned(), body })
}

/// The reason, or where it stands.
fn why<'a>(number: usize, reason: &Reason, unmet: &'a Unmet, told: &mut Told<'a>) -> Markup {
    let id = format!("reason-{}", number + 1);
    match told.get(&number) {
        Some(check) => html! { "as for " a href={ "#" (id) } { (html::code(check)) } },
        None => {
            told.insert(number, &unmet.check);
            html! { span id=(id) { (Text(&reason.reason)) } }
        }
    }
}

fn entry(matrix: &Matrix, unmet: &Unmet, why: Markup) -> Vec<Markup> {
    let class = if unmet.level == Level::Must { "error" } else { "warning" };
    vec![
        html! { span class=(class) { (unmet.level.to_string()) } },
        html! { @for (place, clause) in unmet.clauses.iter().enumerate() { @if place > 0 { br; } (Text(clause)) } },
        html! { (Text(&unmet.name)) br; (html::code(&unmet.check)) },
        why,
        html::plain(&told(matrix, &unmet.rows)),
    ]
}

/// Libraries by their names, those that stand one after another as a range.
fn told(matrix: &Matrix, rows: &[usize]) -> String {
    let name = |place: &usize| matrix.rows.get(*place).map_or("?", |row| row.name.as_str());
    if rows.len() == matrix.rows.len() && rows.len() > 1 {
        return "all".to_owned();
    }
    let ranges = rows.chunk_by(|one, next| one + 1 == *next).flat_map(|range| match range {
        [first, _, .., last] => vec![format!("{} to {}", name(first), name(last))],
        few => few.iter().map(|place| name(place).to_owned()).collect(),
    });
    ranges.collect::<Vec<_>>().join(", ")
}

/// Where on the page an area is told of.
fn place(area: &str) -> String {
    let bears = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    format!("area-{}", area.chars().map(bears).collect::<String>())
}
