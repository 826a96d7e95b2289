//! A matrix as a table of one line for each library: on terminals, in pipes, and in Markdown.

use std::io::{self, Write};

use tvm_ffi_spec::clause::Level;

use super::{Matrix, Row};
use crate::{
    escape::one_line,
    layout::{Width, statement},
    markdown,
    style::{BAD, GOOD},
};

/// What stands above the columns.
const HEADS: [&str; 6] =
    ["library", "checks passed", "not applicable", "MUST not met", "SHOULD not met", "keeps every MUST"];

fn cells(matrix: &Matrix, (place, row): (usize, &Row)) -> [String; HEADS.len()] {
    let total = row.total();
    [
        row.title(),
        total.pass.to_string(),
        total.not_applicable.to_string(),
        matrix.unmet_of(place, Level::Must).to_string(),
        matrix.unmet_of(place, Level::Should).to_string(),
        if row.conforms { "yes" } else { "no" }.to_owned(),
    ]
}

/// Writes the table and the verdict, `verbose` with what each library does not pass above them.
pub(super) fn render(matrix: &Matrix, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
    for (place, row) in matrix.rows.iter().enumerate().filter(|_| verbose) {
        statement(out, width, 0, "", &one_line(&row.title()))?;
        for (reason, unmet) in matrix.unmet_by(place) {
            let lead = format!("  {:6} {}  ", unmet.level, one_line(&unmet.check));
            statement(out, width, 4, &lead, &one_line(&reason.reason))?;
        }
        writeln!(out)?;
    }
    let rows: Vec<_> = matrix.rows.iter().enumerate().map(|row| cells(matrix, row)).collect();
    let widest = |column: usize| {
        let cells = rows.iter().map(|cells| one_line(&cells[column]).chars().count());
        cells.chain([HEADS[column].len()]).max().unwrap_or_default()
    };
    let widths: Vec<_> = (0..HEADS.len()).map(widest).collect();
    let line = |cells: &[String]| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("{:width$}", one_line(cell)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    writeln!(out, "{}", line(&HEADS.map(str::to_owned)))?;
    for cells in &rows {
        writeln!(out, "{}", line(cells))?;
    }
    writeln!(out)?;
    for row in &matrix.rows {
        for other in &row.other {
            statement(out, width, 2, &format!("{}  ", one_line(&row.title())), &one_line(&other.message))?;
        }
    }
    let is_good = matrix.rows.iter().all(|row| row.conforms && row.other.is_empty());
    let style = if is_good { GOOD } else { BAD };
    statement(out, width, 0, "", &format!("{style}{}{style:#}", matrix.verdict()))
}

/// Writes the table, for pages that have a head of their own, and what it was made with.
pub(super) fn markdown(matrix: &Matrix, out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<_> = matrix
        .rows
        .iter()
        .enumerate()
        .map(|row| cells(matrix, row).map(|cell| markdown::text(&cell)).to_vec())
        .collect();
    markdown::table(&HEADS, &rows, out)?;
    let checks = matrix.rows.iter().map(Row::checks).max().unwrap_or_default();
    let spec =
        matrix.tool.spec.as_ref().map(|spec| format!(", revision {} of the specification", markdown::code(spec)));
    writeln!(out, "{checks} checks{}.", spec.unwrap_or_default())
}
