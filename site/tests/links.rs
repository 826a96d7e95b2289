//! The site holds together: every link leads somewhere, and every place is there once.

use std::collections::{BTreeMap, BTreeSet};

use tvm_ffi_site::files;

/// The values of an attribute, as they stand in a page.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let lead = format!(" {attribute}=\"");
    page.split(&lead).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let files = files();
    let places: BTreeMap<&str, BTreeSet<&str>> =
        files.iter().map(|file| (file.path.as_str(), values(&file.text, "id").into_iter().collect())).collect();
    for file in files.iter().filter(|file| file.path.ends_with(".html")) {
        let links = [values(&file.text, "href"), values(&file.text, "src")].concat();
        assert!(!links.is_empty(), "{} leads nowhere", file.path);
        for link in links {
            let (path, place) = link.split_once('#').map_or((link, None), |(path, place)| (path, Some(place)));
            let path = if path.is_empty() { &*file.path } else { path };
            let there = places.get(path).is_some_and(|ids| place.is_none_or(|place| ids.contains(place)));
            assert!(there, "{}: {link} leads nowhere", file.path);
        }
    }
}

#[test]
fn every_place_is_there_once() {
    for file in files() {
        let ids = values(&file.text, "id");
        let once: BTreeSet<_> = ids.iter().collect();
        assert_eq!(ids.len(), once.len(), "{} has two places of one name", file.path);
    }
}

#[test]
fn the_search_leads_where_there_is_something() {
    let files = files();
    let text = |path: &str| &files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}")).text;
    let index = text("search-index.js").trim_start_matches("const INDEX = ").trim_end_matches(";\n");
    let index: Vec<[String; 4]> = serde_json::from_str(index).expect("the index is JSON in a statement");
    assert!(index.len() > 1000);
    for [name, _, _, url] in index {
        let (path, place) = url.split_once('#').expect("a place on a page");
        assert!(values(text(path), "id").contains(&place), "{name}: {url} leads nowhere");
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    for file in files() {
        assert!(!file.text.contains("src=\"http") && !file.text.contains("@import"), "{}", file.path);
    }
}
