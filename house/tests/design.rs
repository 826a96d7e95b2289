//! DESIGN.md says of each module what the module says of itself.
//!
//! `BLESS=1 cargo test -p tvm-ffi-house` writes the lines anew.

use std::{env, fmt::Write, fs};

use tvm_ffi_house::sources::{CRATES, Sources, is_for_tests, of_crate, workspace};

/// What stands above the lines in DESIGN.md; they go on to the end of the page.
const HEADING: &str = "## Module by module\n";

#[test]
fn every_module_is_described_as_it_describes_itself() {
    let path = workspace().join("DESIGN.md");
    let page = fs::read_to_string(&path).expect("DESIGN.md can be read");
    let (before, found) = page.split_once(HEADING).expect("DESIGN.md has a section on modules");
    let expected = lines();
    if env::var_os("BLESS").is_some() {
        fs::write(&path, format!("{before}{HEADING}{expected}")).expect("DESIGN.md can be written");
        return;
    }
    for line in expected.lines() {
        assert!(found.lines().any(|other| other == line), "DESIGN.md lacks this line, which BLESS=1 writes:\n{line}");
    }
    for line in found.lines() {
        assert!(expected.lines().any(|other| other == line), "DESIGN.md says what no module says of itself:\n{line}");
    }
}

fn lines() -> String {
    let mut text = String::from("The first sentence of each module, held to it by a test.\n");
    for folder in CRATES {
        write!(text, "\n### `{folder}/`\n").expect("a String takes everything");
        let sources = of_crate(folder);
        let mut modules: Vec<_> = sources.keys().filter_map(|path| Some((place(&sources, path)?, path))).collect();
        modules.sort();
        for (place, path) in modules {
            let sentence = first_sentence(&sources[path]).unwrap_or_else(|| panic!("{folder}/src/{path} says nothing"));
            writeln!(text, "- `{place}` -- {sentence}").expect("a String takes everything");
        }
    }
    text
}

/// How a module is named: a folder for its `mod.rs`. An area of checks is one line, whatever it consists of.
fn place(sources: &Sources, path: &str) -> Option<String> {
    let of_an_area = path.strip_prefix("checks/").and_then(|path| path.split_once('/'));
    if is_for_tests(path) || of_an_area.is_some_and(|(_, file)| file != "mod.rs") {
        return None;
    }
    let alone = sources.len() == 1;
    match path {
        "lib.rs" | "main.rs" if !alone => None,
        _ => Some(path.strip_suffix("mod.rs").unwrap_or(path).to_owned()),
    }
}

/// The first sentence of a module's documentation.
fn first_sentence(source: &str) -> Option<String> {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let words: Vec<_> = lines.map(str::trim).take_while(|line| !line.is_empty()).collect();
    let paragraph = words.join(" ").replace("[`", "`").replace("`]", "`");
    let end = paragraph.find(". ").map_or(paragraph.len(), |stop| stop + 1);
    Some(paragraph[..end].to_owned()).filter(|sentence| !sentence.is_empty())
}

#[test]
fn a_sentence_ends_with_its_paragraph_or_its_full_stop() {
    assert_eq!(first_sentence("//! One\n//! two.\n//!\n//! Three.\n").unwrap(), "One two.");
    assert_eq!(first_sentence("//! One [`two`]. Three.\nuse x;\n//! Four.\n").unwrap(), "One `two`.");
    assert_eq!(first_sentence("use x;\n"), None);
}
