//! Where on the pages everything is told of that has a name in the specification.

use std::{collections::HashMap, sync::LazyLock};

use serde_json::json;
use tvm_ffi_spec::{
    clause::{area_names, areas, older_areas},
    generation::generations,
    named::{self, Thing},
};

/// Something that has a name.
pub struct Entry {
    pub name: String,
    /// What it is: `function`, `struct`, `clause` and so on.
    pub kind: &'static str,
    /// What there is to say of it in a sentence or two.
    pub told: String,
    /// The page and the place on it.
    pub url: String,
}

/// The page of the older generations of the ABI.
pub const GENERATIONS: &str = "generations.html";

/// The page of an area of clauses.
pub fn area_page(area: &str) -> String {
    format!("area-{area}.html")
}

/// The place of something on its page: its name, with what a link would not bear left out.
pub fn anchor(name: &str) -> String {
    let bears = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    name.chars().map(bears).collect()
}

/// All entries, in the order of the pages.
pub fn entries() -> &'static [Entry] {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(gather);
    &ENTRIES
}

/// Where something of that name is told of.
pub fn url(name: &str) -> Option<&'static str> {
    static URLS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        // Where one name stands for several things, the first is meant: a function before a capability.
        let all = entries().iter().rev();
        all.map(|entry| (entry.name.as_str(), entry.url.as_str())).collect()
    });
    URLS.get(name).copied()
}

/// The entries as the script of the search reads them.
pub fn index() -> String {
    let rows: Vec<_> = entries().iter().map(|e| json!([e.name, e.kind, e.told, e.url])).collect();
    // In a script, `</` might end what holds it.
    format!("const INDEX = {};\n", json!(rows).to_string().replace("</", "<\\/"))
}

fn gather() -> Vec<Entry> {
    let entry = |page: &str, kind, name: &str, told: &str| {
        let url = format!("{page}#{}", anchor(name));
        Entry { name: name.to_owned(), kind, told: told.to_owned(), url }
    };
    let mut all = Vec::new();
    for each in named::entries() {
        if let Some((rank, page, kind)) = place(each.thing) {
            all.push((rank, entry(page, kind, each.name(), &told(&each))));
        }
    }
    let older = older_areas().iter().map(|(name, area)| (*name, area));
    for (name, area) in area_names().zip(areas()).chain(older) {
        let clauses = area.clauses.iter();
        all.extend(clauses.map(|clause| (AREAS, entry(&area_page(name), "clause", &clause.id, &clause.text))));
    }
    for generation in generations().iter().filter(|each| !each.is_today()) {
        all.push((OLDER, entry(GENERATIONS, "generation", &generation.name, &generation.title)));
        for function in &generation.functions {
            all.push((OLDER, entry(GENERATIONS, "older function", &function.name, &function.doc)));
        }
    }
    all.sort_by_key(|(rank, _)| *rank);
    all.into_iter().map(|(_, entry)| entry).collect()
}

/// Where clauses stand among what else is told.
const AREAS: usize = 8;
/// Where older generations do.
const OLDER: usize = 11;

/// When something is told, on which page, and what it is called there. Areas have pages of their own, and what types have is told
/// with them.
const fn place(thing: Thing) -> Option<(usize, &'static str, &'static str)> {
    Some(match thing {
        Thing::Function(_) => (0, "functions.html", "function"),
        Thing::Struct(_) => (1, "structs.html", "struct"),
        // A union without a name.
        Thing::Field(field) if field.name.is_empty() => return None,
        Thing::Field(_) => (1, "structs.html", "field"),
        Thing::Typedef(_) => (2, "structs.html", "C type"),
        Thing::Enumeration(_) => (3, "constants.html", "constants"),
        Thing::Constant(_) => (3, "constants.html", "constant"),
        Thing::Global(_) => (4, "globals.html", "global"),
        Thing::Type(_) => (5, "types.html", "type"),
        Thing::Attribute(_) => (6, "types.html", "attribute"),
        Thing::CxxSymbol(_) => (7, "cxx.html", "C++ symbol"),
        Thing::Release(_) => (9, "releases.html", "release"),
        Thing::Capability(_) => (10, "releases.html", "capability"),
        Thing::ReflectedField(_) | Thing::Method(_) | Thing::Area(_) => return None,
    })
}

/// What the search says of something: what is said of it, or what tells it from others of its kind.
fn told(entry: &named::Entry) -> String {
    match entry.thing {
        Thing::Global(global) => global.signature.clone(),
        Thing::Type(ty) => {
            let index = ty.index.map_or("given out at run time".to_owned(), |index| index.to_string());
            format!("type index {index}")
        }
        Thing::Attribute(_) => "attribute column".to_owned(),
        Thing::CxxSymbol(symbol) => symbol.declaration.clone(),
        Thing::Release(release) => release.date.clone(),
        _ => entry.doc.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_entries_share_a_place() {
        let mut places = HashSet::new();
        for entry in entries() {
            assert!(places.insert(&entry.url), "{} has the place of another: {}", entry.name, entry.url);
        }
    }
}
