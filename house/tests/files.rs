//! No file is too long to be read in one go.

use tvm_ffi_house::sources::{CRATES, of_crate};

/// How many lines a file may have.
const LIMIT: usize = 600;

#[test]
fn no_file_is_longer_than_the_limit() {
    let mut long = Vec::new();
    for folder in CRATES {
        let sources = of_crate(folder);
        let lines = sources.iter().map(|(path, text)| (text.lines().count(), path));
        let above = lines.filter(|(lines, _)| *lines > LIMIT);
        long.extend(above.map(|(lines, path)| format!("{folder}/src/{path}: {lines} lines")));
    }
    assert!(long.is_empty(), "above {LIMIT} lines, so with more than one subject:\n{}", long.join("\n"));
}
