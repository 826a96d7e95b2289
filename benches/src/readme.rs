//! The latest results, written into `benches/README.md` between two marks.

use std::{fs, io, path::Path};

use crate::report::Table;

const BEGIN: &str = "<!-- results: begin -->\n";
const END: &str = "<!-- results: end -->\n";
/// The tables that are shown, by the names that they are saved under.
const TABLES: [&str; 4] = ["time", "time_alone", "process", "instructions"];

/// Writes the tables of the latest runs into the page; those that there are none of are left out.
///
/// # Errors
/// If there is none at all, or the page cannot be written or has no marks.
pub fn write() -> io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let tables: Vec<_> = TABLES.iter().filter_map(|name| Table::load(name).ok()).collect();
    if tables.is_empty() {
        return Err(io::Error::other("there are no results yet: run the benchmark first"));
    }
    let tables: Vec<_> = tables.iter().map(Table::markdown).collect();
    let page = with_results(&fs::read_to_string(&path)?, &tables.join("\n"));
    fs::write(&path, page.ok_or_else(|| io::Error::other(format!("{} has no marks", path.display())))?)
}

/// The page with other results between the marks.
fn with_results(page: &str, results: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{results}\n{END}{after}"))
}

#[test]
fn results_stand_between_the_marks() {
    let page = format!("before\n{BEGIN}old\n{END}after\n");
    assert_eq!(with_results(&page, "new").unwrap(), format!("before\n{BEGIN}\nnew\n{END}after\n"));
    assert_eq!(with_results("no marks", "new"), None);
}
