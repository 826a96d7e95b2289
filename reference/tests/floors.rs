//! The reference stands on floors: files use what lies below them, never what lies above or beside, and never in a circle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::Path,
};

use syn::{
    Attribute, Item, ItemMod, ItemUse, Macro, UseTree, Visibility,
    visit::{self, Visit},
};

/// The sources of a crate by their paths below `src`, such as `value/any.rs`.
type Sources = BTreeMap<String, String>;

/// One file uses another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrow {
    from: String,
    to: String,
    /// What the first takes from the second, as its code spells it.
    path: String,
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} (as `{}`)", self.from, self.to, self.path)
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Which file uses which
// ---------------------------------------------------------------------------------------------------------------------

/// A module of the crate: its path from the root.
type Module = Vec<String>;

/// All arrows between the files of a crate; what is compiled for its tests only does not count.
fn arrows(sources: &Sources) -> BTreeSet<Arrow> {
    let mut files = BTreeMap::new();
    find_modules(sources, "lib.rs", Vec::new(), &mut files);
    let mut arrows = BTreeSet::new();
    for (module, (path, file)) in &files {
        let mut paths = Paths { module: module.clone(), found: Vec::new() };
        paths.visit_file(file);
        for (scope, found) in paths.found {
            let to = resolve(&scope, &found, &files);
            if let Some(to) = to.filter(|to| to != path) {
                arrows.insert(Arrow { from: path.clone(), to, path: found.join("::") });
            }
        }
    }
    arrows
}

type Files = BTreeMap<Module, (String, syn::File)>;

/// Follows the `mod` items from a file on.
fn find_modules(sources: &Sources, path: &str, module: Module, files: &mut Files) {
    let source = sources.get(path).unwrap_or_else(|| panic!("there is no {path}"));
    let file = syn::parse_file(source).unwrap_or_else(|error| panic!("{path}: {error}"));
    let children = file.items.iter().filter_map(|item| match item {
        Item::Mod(child) if child.content.is_none() && !is_for_tests(&child.attrs) => Some(child.ident.to_string()),
        _ => None,
    });
    for child in children.collect::<Vec<_>>() {
        let child = [module.clone(), vec![child]].concat();
        let stem = child.join("/");
        let path = [format!("{stem}.rs"), format!("{stem}/mod.rs")].into_iter().find(|path| sources.contains_key(path));
        find_modules(sources, &path.unwrap_or_else(|| panic!("there is no {stem}.rs")), child, files);
    }
    files.insert(module, (path.to_owned(), file));
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| attribute.parse_args::<syn::Ident>().is_ok_and(|argument| argument == "test");
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg") && is_test(attribute))
}

/// The paths in a file, each with the module that it stands in.
struct Paths {
    module: Module,
    found: Vec<(Module, Vec<String>)>,
}

impl Paths {
    fn add(&mut self, path: Vec<String>) {
        self.found.push((self.module.clone(), path));
    }

    fn add_tree(&mut self, prefix: &[String], tree: &UseTree) {
        let with = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.add_tree(&with(&path.ident), &path.tree),
            UseTree::Name(name) => self.add(with(&name.ident)),
            UseTree::Rename(rename) => self.add(with(&rename.ident)),
            UseTree::Glob(_) => self.add(prefix.to_vec()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_tree(prefix, tree)),
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.content.is_some() && !is_for_tests(&item.attrs) {
            self.module.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add_tree(&[], &item.tree);
    }

    /// `pub(crate)` takes nothing from anywhere.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        // What a macro is given need not be Rust, so all that looks like a path is taken for one.
        let text = item.tokens.to_string().replace(" :: ", "::");
        for path in text.split(|character: char| !character.is_alphanumeric() && !"_:".contains(character)) {
            if path.contains("::") {
                self.add(path.split("::").map(str::to_owned).collect());
            }
        }
    }
}

/// The file that a path in `scope` leads to, if it is one of the crate's.
fn resolve(scope: &Module, path: &[String], files: &Files) -> Option<String> {
    let (mut module, mut rest) = (scope.clone(), path);
    match rest.first()?.as_str() {
        "crate" => (module, rest) = (Vec::new(), &rest[1..]),
        "self" => rest = &rest[1..],
        "super" => {}
        // A module of this one. All else is a name that was imported, and counted where it was.
        child => {
            module.push(child.to_owned());
            files.get(&module)?;
            rest = &rest[1..];
        }
    }
    while let Some((name, further)) = rest.split_first() {
        match name.as_str() {
            "super" => drop(module.pop()?),
            name => {
                module.push(name.to_owned());
                if !files.contains_key(&module) {
                    module.pop();
                    break;
                }
            }
        }
        rest = further;
    }
    // A module that is written inside of another's file is in that file.
    while !files.contains_key(&module) {
        module.pop()?;
    }
    files.get(&module).map(|(path, _)| path.clone())
}

// ---------------------------------------------------------------------------------------------------------------------
// What is wrong with them
// ---------------------------------------------------------------------------------------------------------------------

/// The rooms of each floor, from the top down.
type Floors = Vec<Vec<String>>;

/// The floors in the picture of DESIGN.md: a line each, with `|` between rooms that stand side by side, and behind two
/// spaces what they hold.
fn floors_of(design: &str) -> Floors {
    let (_, rest) = design.split_once("### Floors of the reference").expect("DESIGN.md shows the floors");
    let picture = rest.split("```").nth(1).expect("the floors stand between two lines of backquotes");
    let lines = picture.lines().skip(1).filter(|line| !line.starts_with(' ') && !line.is_empty());
    let rooms = |line: &str| {
        let rooms = line.split("  ").next().unwrap_or_default();
        rooms.split('|').map(|room| room.trim().to_owned()).collect()
    };
    lines.map(rooms).collect()
}

/// Everything that breaks the plan, a line each.
fn violations(sources: &Sources, floors: &Floors) -> Vec<String> {
    let arrows = arrows(sources);
    let room = |path: &str| path.split(['/', '.']).next().unwrap_or_default().to_owned();
    let floor = |path: &str| floors.iter().position(|rooms| rooms.contains(&room(path)));
    let mut wrong = Vec::new();
    for path in sources.keys().filter(|path| path.contains('/') && floor(path).is_none()) {
        wrong.push(format!("{path} stands on no floor"));
    }
    for arrow in &arrows {
        // The root declares the rooms, and has nothing that they could use.
        let root = arrow.from == "lib.rs";
        match (floor(&arrow.from), floor(&arrow.to)) {
            _ if root => {}
            (Some(from), Some(to)) if from < to || room(&arrow.from) == room(&arrow.to) => {}
            (Some(from), Some(to)) if from == to => wrong.push(format!("runs sideways: {arrow}")),
            _ => wrong.push(format!("runs up: {arrow}")),
        }
    }
    wrong.extend(circles(&arrows).into_iter().map(|circle| format!("is a circle: {}", circle.join(" -> "))));
    wrong
}

/// A circle for each group of files that all lead to one another.
fn circles(arrows: &BTreeSet<Arrow>) -> Vec<Vec<String>> {
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

// ---------------------------------------------------------------------------------------------------------------------
// The reference, and a small tree that breaks every rule
// ---------------------------------------------------------------------------------------------------------------------

fn read(folder: &Path, below: &str, sources: &mut Sources) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{below}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            read(&entry.path(), &format!("{name}/"), sources);
        } else if name.ends_with(".rs") {
            sources.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
}

#[test]
fn arrows_of_the_reference_run_down_and_in_no_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Sources::new();
    read(&root.join("src"), "", &mut sources);
    let floors = floors_of(&fs::read_to_string(root.join("../DESIGN.md")).unwrap());
    let wrong = violations(&sources, &floors);
    assert!(wrong.is_empty(), "{} arrows or files break the plan:\n{}", wrong.len(), wrong.join("\n"));
}

fn tree(files: &[(&str, &str)]) -> Sources {
    files.iter().map(|(path, source)| (path.to_string(), source.to_string())).collect()
}

const PLAN: &str =
    "### Floors of the reference\n```\nroof   doors\nleft | right  rooms\n       more of them\ncellar\n```\n";

#[test]
fn what_breaks_the_plan_is_named_at_both_ends() {
    let sources = tree(&[
        ("lib.rs", "mod roof; mod left; mod right; mod cellar; #[cfg(test)] mod values;"),
        ("roof.rs", "use crate::{Door, cellar::nothing};"),
        ("left/mod.rs", "pub mod low; pub mod high; use self::high::Top; use low::Bottom;"),
        ("left/low.rs", "fn low() -> u8 { crate::right::number() }"),
        ("left/high.rs", "use super::low; fn high() { vec![super::Circle]; }"),
        ("right.rs", "use crate::cellar::nothing; #[cfg(test)] mod tests { use crate::roof::Door; }"),
        ("cellar.rs", "impl crate::roof::Door for u8 {} mod inner { use super::Own; } use std::fmt;"),
        ("values.rs", "use crate::roof;"),
        ("attic/mod.rs", ""),
    ]);
    let wrong = violations(&sources, &floors_of(PLAN));
    assert_eq!(
        wrong,
        [
            "attic/mod.rs stands on no floor",
            "runs up: cellar.rs -> roof.rs (as `crate::roof::Door`)",
            "runs sideways: left/low.rs -> right.rs (as `crate::right::number`)",
            "runs up: roof.rs -> lib.rs (as `crate::Door`)",
            "is a circle: cellar.rs -> roof.rs -> cellar.rs",
            "is a circle: left/high.rs -> left/mod.rs -> left/high.rs",
        ]
    );
}

#[test]
fn a_tree_that_keeps_the_plan_has_no_violations() {
    let sources = tree(&[
        ("lib.rs", "mod roof; mod left; mod right; mod cellar;"),
        ("roof.rs", "use crate::{left, right};"),
        ("left.rs", "use crate::cellar::nothing;"),
        ("right.rs", "fn right() { crate::cellar::nothing() }"),
        ("cellar.rs", "pub fn nothing() {}"),
    ]);
    assert_eq!(violations(&sources, &floors_of(PLAN)), Vec::<String>::new());
}
