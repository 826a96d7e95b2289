//! Edits of a text that may stand within one another, and where they are afterwards.

use std::{cmp::Reverse, ops::Range};

use crate::Region;

/// Text to be put before and after a part of the source.
#[derive(Default)]
pub struct Edit {
    pub range: Range<usize>,
    before: String,
    pub after: String,
    /// What each change puts in, within `before`.
    inserted: Vec<(u32, Range<usize>)>,
    /// The changes that an error anywhere between may come from.
    pub changes: Vec<u32>,
}

impl Edit {
    pub fn of(range: Range<usize>) -> Self {
        Self { range, ..Self::default() }
    }

    pub fn push(&mut self, text: &str) {
        self.before.push_str(text);
    }

    /// Adds text that is there for one change alone.
    pub fn insert(&mut self, change: u32, text: &str) {
        let start = self.before.len();
        self.push(text);
        self.inserted.push((change, start..self.before.len()));
        self.changes.push(change);
    }
}

/// The text with all edits, and the regions of the changes in it.
pub fn apply(file: &str, source: &str, edits: Vec<Edit>) -> (String, Vec<Region>) {
    let mut marks: Vec<_> =
        edits.iter().flat_map(|edit| [(edit.range.end, false, edit), (edit.range.start, true, edit)]).collect();
    // Where several stand at one place, what ends there comes first, and the inner one ends before and begins after the
    // outer one.
    marks.sort_by_key(|&(at, begins, edit)| {
        let Range { start, end } = edit.range;
        (at, begins && start != end, if begins { Reverse(end) } else { Reverse(start) }, !begins)
    });
    let (mut text, mut done, mut regions) = (String::new(), 0, Vec::new());
    let mut open = Vec::new();
    for (at, begins, edit) in marks {
        text.push_str(&source[done..at]);
        done = at;
        let mut region = |range: Range<usize>, changes: &[u32], inserted| {
            let (file, changes) = (file.to_owned(), changes.to_vec());
            regions.push(Region { file, start: range.start, end: range.end, changes, inserted });
        };
        if begins {
            let start = text.len();
            for (change, range) in &edit.inserted {
                region(start + range.start..start + range.end, &[*change], true);
            }
            open.push(start);
            text.push_str(&edit.before);
        } else {
            text.push_str(&edit.after);
            region(open.pop().expect("what ends has begun")..text.len(), &edit.changes, false);
        }
    }
    text.push_str(&source[done..]);
    (text, regions)
}
