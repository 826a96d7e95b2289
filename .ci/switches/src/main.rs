//! Writes changes into one copy of a crate, each behind a switch, so that one build serves for all of them.
//!
//!     switches FOLDER <changes.json >regions.json
//!
//! The changes are rows of `cargo mutants --list --json`, each with a `number`. Code asks `crate::mutant::is(number)`
//! whether a change is in force. What is printed says where in the new files a change is, for whoever reads the
//! compiler's errors; a change that is nowhere there has no place at which it can be decided while the program runs.

mod edit;
mod places;

use std::{
    collections::BTreeMap,
    env, fs,
    io::{self, Read},
    path::Path,
};

use serde::{Deserialize, Serialize};

/// What a change replaces, as cargo-mutants calls it.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Genre {
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

/// A row of cargo-mutants' list.
#[derive(Deserialize)]
pub struct Change {
    number: u32,
    file: String,
    genre: Genre,
    replacement: String,
    span: Span,
}

#[derive(Deserialize)]
struct Span {
    start: Position,
}

/// Both count from one, columns in characters.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    line: usize,
    column: usize,
}

/// A part of a new file, in bytes, and the changes that an error there may come from.
#[derive(Serialize)]
pub struct Region {
    file: String,
    start: usize,
    end: usize,
    changes: Vec<u32>,
    /// Whether all of it is what one change puts in: then the change is what does not compile.
    inserted: bool,
}

fn main() {
    let folder = env::args().nth(1).expect("the folder of the copy is the first argument");
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).expect("standard input is text");
    let changes: Vec<Change> = serde_json::from_str(&text).expect("standard input is a list of changes");
    let mut files: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
    for change in &changes {
        files.entry(&change.file).or_default().push(change);
    }
    let mut regions = Vec::new();
    for (file, changes) in files {
        let path = Path::new(&folder).join(file);
        let source = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (switched, more) = edit::apply(file, &source, places::find(&source, &changes));
        regions.extend(more);
        fs::write(&path, switched).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    println!("{}", serde_json::to_string(&regions).expect("regions are plain data"));
}
