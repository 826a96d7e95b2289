//! Circles among files that use one another.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrows::Arrow;

/// A circle for each group of files that all lead to one another.
pub fn circles(arrows: &BTreeSet<Arrow>) -> Vec<Vec<String>> {
    let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for arrow in arrows {
        graph.entry(&arrow.from).or_default().insert(&arrow.to);
        graph.entry(&arrow.to).or_default();
    }
    let mut search = Tarjan { graph: &graph, numbers: BTreeMap::new(), stack: Vec::new(), groups: Vec::new() };
    for file in graph.keys().copied() {
        if !search.numbers.contains_key(file) {
            search.visit(file);
        }
    }
    search.groups.iter().filter(|group| group.len() > 1).map(|group| circle_in(group, &graph)).collect()
}

/// Tarjan's search for strongly connected components.
struct Tarjan<'a> {
    graph: &'a BTreeMap<&'a str, BTreeSet<&'a str>>,
    numbers: BTreeMap<&'a str, usize>,
    stack: Vec<&'a str>,
    groups: Vec<BTreeSet<&'a str>>,
}

impl<'a> Tarjan<'a> {
    /// The lowest number on the stack that the file leads back to.
    fn visit(&mut self, file: &'a str) -> usize {
        let number = self.numbers.len();
        self.numbers.insert(file, number);
        self.stack.push(file);
        let mut lowest = number;
        for next in self.graph[file].iter().copied() {
            if !self.numbers.contains_key(next) {
                lowest = lowest.min(self.visit(next));
            } else if self.stack.contains(&next) {
                lowest = lowest.min(self.numbers[next]);
            }
        }
        if lowest == number {
            let at = self.stack.iter().position(|on_stack| *on_stack == file).expect("the file is on the stack");
            self.groups.push(self.stack.drain(at..).collect());
        }
        lowest
    }
}

/// The shortest way from the first file of a group back to itself.
fn circle_in(group: &BTreeSet<&str>, graph: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let start = *group.first().expect("a group is not empty");
    let mut ways = vec![vec![start]];
    let mut seen = BTreeSet::new();
    loop {
        let mut longer = Vec::new();
        for way in ways {
            let last = way.last().expect("a way is not empty");
            for &next in graph[last].intersection(group) {
                let way = [way.as_slice(), &[next]].concat();
                if next == start {
                    return way.into_iter().map(str::to_owned).collect();
                }
                if seen.insert(next) {
                    longer.push(way);
                }
            }
        }
        assert!(!longer.is_empty(), "the files of a group lead to one another");
        ways = longer;
    }
}
