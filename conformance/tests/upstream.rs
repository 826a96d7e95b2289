//! The defects under `reports/upstream` are real: each program shows its defect on public releases from the one that its page
//! names, and ends well on the reference.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tvm_ffi_fixtures::{compile::program, fail, peers};
use tvm_ffi_spec::abi::abi;

use crate::{library, several};

/// With which a program ends where the library lacks what the defect is about.
const NOT_THERE: i32 = 2;

struct Page {
    name: String,
    since: String,
    program: PathBuf,
}

/// Every page, with the release that its `Since` names.
fn pages() -> Vec<Page> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/upstream");
    let mut programs: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    programs.sort();
    let page = |program: PathBuf| {
        let name = program.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(program.with_extension("md")).unwrap_or_else(|error| panic!("{name}: {error}"));
        let since = text.lines().find_map(|line| line.strip_prefix("- **Since:** "));
        let since = since.unwrap_or_else(|| panic!("{name}.md does not say since when")).to_owned();
        assert!(abi().release(&since).is_some(), "{name}.md: {since} is no release");
        Page { name, since, program }
    };
    programs.into_iter().map(page).collect()
}

/// Runs the program of a page, linked to a library.
fn ends(page: &Page, library: &Path) -> Option<i32> {
    let executable = library.with_file_name("upstream").join(&page.name);
    program(&page.program, library, &executable).unwrap_or_else(|problem| fail(&problem));
    let mut command = Command::new(executable);
    // What cargo puts there would come before the library that the program was linked to.
    command.env_remove("LD_LIBRARY_PATH").stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().code()
}

#[test]
fn the_reference_keeps_the_promise_of_every_page() {
    let library = library::of(None);
    let broken = several::each(&pages(), |page| (ends(page, &library) != Some(0)).then(|| page.name.clone()));
    let broken: Vec<_> = broken.into_iter().flatten().collect();
    assert!(broken.is_empty(), "the reference shows {}", broken.join(", "));
}

#[test]
fn releases_show_the_defect_of_a_page_since_it_says() {
    let (pages, wheels) = (pages(), peers::wheels());
    let all: Vec<_> = wheels.iter().flat_map(|wheel| pages.iter().map(move |page| (wheel, page))).collect();
    let problems = several::each(&all, |((release, wheel), page)| {
        let code = ends(page, &library::of(Some(wheel)));
        let shows = code != Some(0) && code != Some(NOT_THERE);
        let is_right = shows == abi().at_least(&release.name, &page.since);
        (!is_right).then(|| format!("{}: {} ends with {code:?}", page.name, release.name))
    });
    let problems: Vec<_> = problems.into_iter().flatten().collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
