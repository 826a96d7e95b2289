//! The sources of a crate of this workspace, as its plan is held to them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Texts by their paths below `src`, such as `value/any.rs`.
pub type Sources = BTreeMap<String, String>;

/// The crates of the workspace that have a house to keep, as folders.
pub const CRATES: &[&str] = &[
    "spec",
    "reference",
    "reference/split",
    "legacy",
    "legacy/adapter",
    "c_fixtures",
    "watch",
    "reports",
    "site",
    "conformance",
    "conformance/check_macro",
    "fuzz",
    "benches",
    "house",
];

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The Rust files of a crate that lies in this folder of the workspace.
///
/// # Panics
/// If one cannot be read.
pub fn of_crate(folder: &str) -> Sources {
    let mut sources = Sources::new();
    read(&workspace().join(folder).join("src"), "", &mut sources);
    assert!(!sources.is_empty(), "{folder}/src has no sources");
    sources
}

fn read(folder: &Path, below: &str, sources: &mut Sources) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("an entry of a folder can be read").path();
        let name = format!("{below}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            read(&path, &format!("{name}/"), sources);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            sources.insert(name, text);
        }
    }
}

/// Whether a file holds nothing but tests.
pub fn is_for_tests(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "test_values.rs" | "fixtures.rs"))
}
