//! What calls leave behind in a process beside the heap: open files, threads, and memory that was mapped.

use std::fs;

use crate::client::Verdict;

/// How many rounds a stretch has.
const STRETCH: usize = 100;

/// How much of everything there is.
#[derive(Clone, Copy)]
struct Remains {
    files: usize,
    threads: usize,
    pages: usize,
}

impl Remains {
    fn now() -> Self {
        let entries = |folder: &str| fs::read_dir(folder).map_or(0, Iterator::count);
        let pages = fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = pages.split(' ').next().and_then(|pages| pages.parse().ok()).unwrap_or_default();
        Self { files: entries("/proc/self/fd"), threads: entries("/proc/self/task"), pages }
    }

    /// What each round has left behind since then.
    fn each_since(self, before: Self) -> Self {
        let each = |now: usize, before: usize| now.saturating_sub(before) / STRETCH;
        Self {
            files: each(self.files, before.files),
            threads: each(self.threads, before.threads),
            pages: each(self.pages, before.pages),
        }
    }
}

/// What each round leaves behind, in words; `None` for nothing. What happens once, however late, is nothing.
///
/// # Errors
/// That of the round that failed.
pub fn of(round: &dyn Fn() -> Verdict) -> Verdict<Option<String>> {
    let stretch = || -> Verdict<Remains> {
        let before = Remains::now();
        (0..STRETCH).try_for_each(|_| round())?;
        Ok(Remains::now().each_since(before))
    };
    let (first, second) = (stretch()?, stretch()?);
    let told = |one: usize, other: usize, what: &str| {
        let each = one.min(other);
        (each > 0).then(|| format!("each call leaves behind {each} {what}{}", if each == 1 { "" } else { "s" }))
    };
    let files = told(first.files, second.files, "open file");
    let threads = told(first.threads, second.threads, "thread");
    Ok(files.or(threads).or_else(|| told(first.pages, second.pages, "mapped page")))
}
