//! From a file or folder that the user named to the libraries in it, one after the other.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::target::{
    file::{self, LARGEST},
    release,
    wheel::{Wheel, is_wheel},
};

/// How much all libraries of a wheel may have together: what has more is made to harm.
const TOGETHER: u64 = 4 * LARGEST;
/// What the names of files end with that are looked at in wheels and folders: those of other systems are told to be such.
const ENDINGS: [&str; 6] = ["so", "o", "a", "dylib", "dll", "pyd"];

/// Is given a library: its path inside the file, if it is in one, and its bytes, or why there are none.
pub type Look<'a> = &'a mut dyn FnMut(Option<&str>, Result<&[u8], String>);

/// Has `look` look at all that a file holds.
///
/// # Errors
/// That the file cannot be read, or holds nothing to look at.
pub fn each(path: &Path, look: Look) -> Result<(), String> {
    if let (Some(release), false) = (release::named(path), path.exists()) {
        return in_wheel(&release::wheel(release)?, "", look);
    }
    let metadata = fs::metadata(path).map_err(|error| file::describe(&error))?;
    if metadata.is_dir() {
        in_folder(path, look)
    } else if is_wheel(path) {
        in_wheel(path, "", look)
    } else {
        look(None, Ok(&file::read(path)?));
        Ok(())
    }
}

fn in_wheel(path: &Path, prefix: &str, look: Look) -> Result<(), String> {
    let mut wheel = Wheel::open(path)?;
    let names: Vec<_> = wheel.members().into_iter().filter(|name| is_library(name)).collect();
    if names.is_empty() {
        return Err("is a wheel without a library, an object file or an archive of these".to_owned());
    }
    let too_much =
        || format!("holds libraries of more than {} MiB together, which is the most that is read", TOGETHER >> 20);
    if names.iter().map(|name| wheel.length(name)).fold(0, u64::saturating_add) > TOGETHER {
        return Err(too_much());
    }
    let mut left = TOGETHER;
    for name in names {
        let bytes = wheel.read(&name).map(Option::unwrap_or_default);
        // It may be more than the wheel says.
        let read = bytes.as_ref().map_or(LARGEST, |bytes| bytes.len() as u64);
        left = left.checked_sub(read).ok_or_else(too_much)?;
        look(Some(&format!("{prefix}{name}")), bytes.as_deref().map_err(Clone::clone));
    }
    Ok(())
}

fn in_folder(folder: &Path, look: Look) -> Result<(), String> {
    let mut paths = Vec::new();
    find(folder, &mut paths)?;
    paths.sort();
    let mut known = BTreeSet::new();
    let mut any = false;
    for path in paths {
        // A library often has several names.
        let Ok(metadata) = fs::metadata(&path) else { continue };
        if !metadata.is_file() || !known.insert((metadata.dev(), metadata.ino())) {
            continue;
        }
        any = true;
        let member = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        if is_wheel(&path) {
            if let Err(problem) = in_wheel(&path, &format!("{member}/"), look) {
                look(Some(&member), Err(problem));
            }
        } else {
            look(Some(&member), file::read(&path).as_deref().map_err(Clone::clone));
        }
    }
    if any { Ok(()) } else { Err("holds no library, object file, archive of these, or wheel".to_owned()) }
}

/// The files of a folder and those below it that are called as libraries are; what links to folders is not followed.
fn find(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let named = |error| format!("{} in it {}", folder.display(), file::describe(&error));
    for entry in fs::read_dir(folder).map_err(named)? {
        let entry = entry.map_err(named)?;
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            find(&path, paths)?;
        } else if is_wheel(&path) || is_library(&entry.file_name().to_string_lossy()) {
            paths.push(path);
        }
    }
    Ok(())
}

/// Whether a file of that name is one to look at: `x.so`, `x.so.1`, `x.o`, `x.a`.
fn is_library(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_told_by_their_names() {
        for name in ["a/libx.so", "libx.so.1.2", "core.cpython-311-x86_64-linux-gnu.so", "x.o", "lib/libx.a", "x.dylib"]
        {
            assert!(is_library(name), "{name}");
        }
        for name in ["so", "x.sort_heap.h", "x.so.txt", "x.py", "a.d/x"] {
            assert!(!is_library(name), "{name}");
        }
    }
}
