//! Which file of a crate uses which, read from every `use` and every path in the code.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use syn::{
    Attribute, Item, ItemMod, ItemUse, Macro, UseTree, Visibility,
    ext::IdentExt,
    visit::{self, Visit},
};

use crate::sources::Sources;

/// One file uses another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    /// The file that uses.
    pub from: String,
    /// The file that is used.
    pub to: String,
    /// What the first takes from the second, as its code spells it.
    pub path: String,
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} (as `{}`)", self.from, self.to, self.path)
    }
}

/// A module of the crate: its path from the root.
type Module = Vec<String>;

/// All arrows between the files of a crate; what is compiled for its tests only does not count.
pub fn arrows(sources: &Sources) -> BTreeSet<Arrow> {
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
        Item::Mod(child) if child.content.is_none() && !is_for_tests(&child.attrs) => {
            Some(child.ident.unraw().to_string())
        }
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
