//! What all pages have around what they tell: a title, the way to the others, and the search.

use maud::{DOCTYPE, Markup, html};
use tvm_ffi_spec::REVISION;

use crate::entries::GENERATIONS;

/// A page.
pub struct Page {
    /// The name of its file.
    pub path: String,
    /// What it is about.
    pub title: String,
    /// What it tells.
    pub body: Markup,
}

impl Page {
    /// The page of that path.
    pub fn new(path: &str, title: &str, body: Markup) -> Self {
        Self { path: path.to_owned(), title: title.to_owned(), body }
    }
}

/// The pages that every page leads to.
const WAYS: [(&str, &str); 10] = [
    ("index.html", "Clauses"),
    ("functions.html", "Functions"),
    ("structs.html", "Structs"),
    ("constants.html", "Constants"),
    ("globals.html", "Globals"),
    ("types.html", "Types"),
    ("cxx.html", "C++"),
    ("promises.html", "Promises"),
    ("releases.html", "Releases"),
    (GENERATIONS, "Older generations"),
];

/// The whole page as text.
pub fn around(page: &Page) -> String {
    let here = |path: &str| (path == page.path).then_some("page");
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (page.title) " · TVM FFI ABI" }
                link rel="stylesheet" href="site.css";
                script src="search-index.js" defer {}
                script src="search.js" defer {}
            }
            body {
                header {
                    nav aria-label="Pages" {
                        @for (path, title) in WAYS { a href=(path) aria-current=[here(path)] { (title) } }
                    }
                    search {
                        input #query type="search" placeholder="Search (press /)" aria-label="Search" autocomplete="off";
                        ol #found hidden {}
                    }
                }
                main { h1 { (page.title) } (page.body) }
                footer { "TVM FFI ABI, specification " code { (REVISION) } }
            }
        }
    }
    .into_string()
}
