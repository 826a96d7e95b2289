//! Everything in the specification that has a name, and where on the pages it is told of.

use std::{collections::HashMap, sync::LazyLock};

use serde_json::json;
use tvm_ffi_spec::{
    abi::abi,
    clause::{area_names, areas},
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
    let abi = abi();
    let mut all = Vec::new();
    let mut add = |page: &str, kind, name: &str, told: &str| {
        let url = format!("{page}#{}", anchor(name));
        all.push(Entry { name: name.to_owned(), kind, told: told.to_owned(), url });
    };
    for function in &abi.functions {
        add("functions.html", "function", &function.name, &function.doc);
    }
    for record in &abi.structs {
        add("structs.html", "struct", &record.name, &record.doc);
        for field in record.fields.iter().filter(|field| !field.name.is_empty()) {
            add("structs.html", "field", &format!("{}.{}", record.name, field.name), &field.doc);
        }
    }
    for typedef in &abi.typedefs {
        add("structs.html", "C type", &typedef.name, &typedef.doc);
    }
    for group in &abi.enums {
        add("constants.html", "constants", &group.name, &group.doc);
        for constant in &group.constants {
            add("constants.html", "constant", &constant.name, &constant.doc);
        }
    }
    for global in &abi.globals {
        add("globals.html", "global", &global.name, &global.signature);
    }
    for ty in &abi.types {
        let index = ty.index.map_or("given out at run time".to_owned(), |index| index.to_string());
        add("types.html", "type", &ty.key, &format!("type index {index}"));
    }
    for attribute in &abi.attributes {
        add("types.html", "attribute", &attribute.name, "attribute column");
    }
    for symbol in &abi.cxx_symbols {
        add("cxx.html", "C++ symbol", &symbol.name, &symbol.declaration);
    }
    for (name, area) in area_names().zip(areas()) {
        for clause in &area.clauses {
            add(&area_page(name), "clause", &clause.id, &clause.text);
        }
    }
    for release in &abi.releases {
        add("releases.html", "release", &release.name, &release.date);
    }
    for capability in &abi.capabilities {
        add("releases.html", "capability", &capability.name, &capability.doc);
    }
    all
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
