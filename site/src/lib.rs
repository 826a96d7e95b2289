//! The specification as pages to browse, made from the crate `tvm-ffi-spec` alone.
//!
//! - `entries`: everything that has a name, and the place on the pages where it is told of;
//! - `text`: prose in which such names lead there;
//! - `frame`: what all pages have around what they tell;
//! - `parts`: what stands on many pages;
//! - `drawing`: a struct as its bytes lie in memory;
//! - `pages`: the pages.
//!
//! A page loads nothing but the style, the search and its index, which stand beside it: a folder of them works from a disk, without
//! a server or a network.

mod drawing;
mod entries;
mod frame;
mod pages;
mod parts;
mod text;

/// A file of the site.
pub struct File {
    /// Its path below the folder of the site.
    pub path: String,
    /// All that is in it.
    pub text: String,
}

/// Every file: the pages, `index.html` first, and what they load.
pub fn files() -> Vec<File> {
    let pages = pages::all().into_iter().map(|page| File { path: page.path.clone(), text: frame::around(&page) });
    let beside = [
        ("site.css", include_str!("site.css").to_owned()),
        ("search.js", include_str!("search.js").to_owned()),
        ("search-index.js", entries::index()),
    ];
    pages.chain(beside.map(|(path, text)| File { path: path.to_owned(), text })).collect()
}
