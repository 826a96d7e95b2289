//! The pages of `docs` and of reports, looked at in a browser: whether they open, read well light and dark, on a desk and on a phone,
//! lead where they say, and find what is searched for. Pictures are left in `target/browse`.
//!
//! It needs Chromium, which a machine to build on has no other use for: `.ci/browse` runs it.

mod chromium;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::program;
use chromium::Browser;

const DESK: (u32, u32) = (1280, 1000);
const PHONE: (u32, u32) = (400, 900);
/// What the pages are shown as: a name, whether the reader's system is dark, and the screen.
const READERS: [(&str, bool, (u32, u32)); 4] = [
    ("light-desk", false, DESK),
    ("dark-desk", true, DESK),
    ("light-phone", false, PHONE),
    ("dark-phone", true, PHONE),
];
/// The pages of which pictures are left.
const PICTURED: [&str; 6] = ["index", "structs", "area-string", "types", "matrix", "report"];

fn folder() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the folder of what is built");
    target.join("browse")
}

/// Writes the pages: the specification's, the published matrix, and a report of a run in which something failed.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).unwrap();
    let site = folder.join("site");
    assert!(program::run().args(["docs", "--quiet", "--out"]).arg(&site).status().unwrap().success());
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/published/index.html");
    fs::copy(published, folder.join("matrix.html")).unwrap();
    // An entry that does not happen is a failure of the list.
    fs::write(folder.join("known.toml"), "[[known]]\ncheck = \"string.*\"\nreason = \"none\"\n").unwrap();
    let report = format!("html={}", folder.join("report.html").display());
    let run = ["check", "--only", "string.", "--quiet", "--known-failures", "known.toml", "--report", &report];
    assert_eq!(program::run().args(run).current_dir(folder).status().unwrap().code(), Some(1));

    let mut pages: Vec<_> = fs::read_dir(&site).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "html"));
    pages.sort();
    pages.extend(["matrix.html", "report.html"].map(|name| folder.join(name)));
    pages
}

fn url(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn texts(value: &Value) -> impl Iterator<Item = String> {
    value.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned))
}

/// Looks at every page as every reader, and answers what is wrong.
fn look(browser: &mut Browser, pages: &[PathBuf], pictures: &Path) -> Result<Vec<String>, String> {
    let mut problems = Vec::new();
    let (mut places, mut links) = (BTreeMap::new(), BTreeSet::new());
    for path in pages {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for (reader, dark, screen) in READERS {
            browser.reader(dark, screen)?;
            browser.open(&url(path))?;
            let seen = browser.evaluate(&format!("({})({dark})", include_str!("look.js")))?;
            let complaints = browser.complaints();
            problems.extend(texts(&seen["problems"]).chain(complaints).map(|what| format!("{name}, {reader}: {what}")));
            places.insert(url(path), texts(&seen["ids"]).collect::<BTreeSet<_>>());
            links.extend(texts(&seen["links"]).map(|link| (name.clone(), link)));
            if PICTURED.contains(&&*name) {
                browser.picture(&pictures.join(format!("{name}-{reader}.png")))?;
            }
        }
    }
    for (page, link) in links.iter().filter(|(_, link)| link.starts_with("file:")) {
        let (path, place) = link.split_once('#').unwrap_or((link, ""));
        let leads = places.get(path).is_some_and(|ids| place.is_empty() || ids.contains(place));
        problems.extend((!leads).then(|| format!("{page}: {link} leads nowhere")));
    }
    assert!(links.len() > 1000, "{} links were seen", links.len());
    Ok(problems)
}

/// That a place on the page is marked, on the screen, and covered by nothing.
fn is_shown(browser: &mut Browser, id: &str) -> Result<(), String> {
    browser.until(&format!(
        "(() => {{ const place = document.getElementById({id:?}); if (!place?.matches(':target')) return false; \
         const box = place.getBoundingClientRect(); \
         return place.contains(document.elementFromPoint(box.x + 5, box.y + 5)) || document.elementFromPoint(box.x + 5, box.y + 5)?.contains(place); }})()"
    ))
}

/// Uses the search as readers do, by keyboard and by links.
fn search(browser: &mut Browser, site: &Path) -> Result<(), String> {
    for (reader, dark, screen) in READERS {
        search_as(browser, site, dark, screen).map_err(|problem| format!("{reader}: {problem}"))?;
    }
    Ok(())
}

fn search_as(browser: &mut Browser, site: &Path, dark: bool, screen: (u32, u32)) -> Result<(), String> {
    browser.reader(dark, screen)?;
    browser.open(&url(&site.join("index.html")))?;
    browser.until("document.getElementById('found').hidden")?;
    browser.press("/")?;
    browser.write("tvmffiany")?;
    browser.until("document.querySelector('#found strong')?.textContent === 'TVMFFIAny'")?;
    browser.until("document.querySelector('#found li').getBoundingClientRect().height > 0")?;
    browser.press("Escape")?;
    browser.until("document.getElementById('found').hidden")?;
    browser.evaluate("document.getElementById('query').value = ''")?;
    browser.write("TVMFFIAny")?;
    browser.until("document.querySelector('#found strong')?.textContent === 'TVMFFIAny'")?;
    browser.press("Enter")?;
    browser.until("location.pathname.endsWith('/structs.html') && document.readyState === 'complete'")?;
    is_shown(browser, "TVMFFIAny")?;

    browser.open(&url(&site.join("area-string.html?q=seven+bytes")))?;
    browser.until("!!document.querySelector('#found a[href=\"area-string.html#STR-0001\"]')")?;
    browser.click("#found a[href=\"area-string.html#STR-0001\"]")?;
    browser.until("document.getElementById('found').hidden")?;
    is_shown(browser, "STR-0001")?;

    browser.open(&url(&site.join("index.html?q=no-such-word")))?;
    browser.until("document.getElementById('found').textContent === 'Nothing has these words.'")?;

    browser.open(&url(&site.join("index.html")))?;
    for page in ["functions", "structs", "constants", "globals", "types", "cxx", "promises", "releases", "index"] {
        browser.click(&format!("nav a[href=\"{page}.html\"]"))?;
        browser.until(&format!(
            "location.pathname.endsWith('/{page}.html') && document.readyState === 'complete' && \
                 document.querySelector('[aria-current]')?.getAttribute('href') === '{page}.html'"
        ))?;
    }
    Ok(())
}

#[test]
#[ignore = "needs Chromium: .ci/browse runs it"]
fn the_pages_read_well_lead_on_and_are_searched() {
    let folder = folder();
    let pages = pages(&folder);
    let mut browser = Browser::start().unwrap_or_else(|problem| panic!("{problem}"));
    let problems = look(&mut browser, &pages, &folder).unwrap_or_else(|problem| panic!("{problem}"));
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    search(&mut browser, &folder.join("site")).unwrap_or_else(|problem| panic!("{problem}"));
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:?}");
    println!("{} pages, each as {} readers see it; pictures are in {}", pages.len(), READERS.len(), folder.display());
}
