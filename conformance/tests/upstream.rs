//! The defects under `reports/upstream` are real: each program shows its defect on public releases from the one that its page
//! names, and ends well on the reference.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;
use tvm_ffi_fixtures::{compile::program, fail, peers};
use tvm_ffi_spec::{abi::abi, generation::today};
use tvm_ffi_verify::target::Target;

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

/// The programs, each in the folder under its name, linked to a library there.
fn ends(page: &Page, library: &Path, folder: &Path) -> Option<i32> {
    let executable = folder.join(&page.name);
    program(&page.program, library, &executable).unwrap_or_else(|problem| fail(&problem));
    let mut command = Command::new(executable);
    // What cargo puts there would come before the library that the program was linked to.
    command.env_remove("LD_LIBRARY_PATH").stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().code()
}

#[test]
fn the_reference_keeps_the_promise_of_every_page() {
    let folder = TempDir::new().unwrap();
    let library = Target::locate(None, today(), folder.path()).unwrap().path;
    let broken: Vec<_> = pages()
        .into_iter()
        .filter(|page| ends(page, &library, folder.path()) != Some(0))
        .map(|page| page.name)
        .collect();
    assert!(broken.is_empty(), "the reference shows {}", broken.join(", "));
}

#[test]
fn releases_show_the_defect_of_a_page_since_it_says() {
    let mut problems = Vec::new();
    for (release, wheel) in peers::wheels() {
        let folder = TempDir::new().unwrap();
        let library = Target::locate(Some(&wheel), today(), folder.path()).unwrap().path;
        for page in pages() {
            let code = ends(&page, &library, folder.path());
            let shows = code != Some(0) && code != Some(NOT_THERE);
            if shows != abi().at_least(&release.name, &page.since) {
                problems.push(format!("{}: {} ends with {code:?}", page.name, release.name));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
