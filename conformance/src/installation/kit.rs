//! Files that belong together, written into a folder of the user's.
//!
//! A list of checksums says which files are ours, so that what somebody else has put there is not written over.

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use crate::target::sha256;

/// Files that belong together.
pub struct Kit {
    /// Where the list of checksums lies, in the form that `sha256sum --check` reads.
    pub list: &'static str,
    /// Every file but the list.
    pub items: Vec<Item>,
}

/// A file to be written.
pub struct Item {
    /// Its path below the folder.
    pub path: String,
    /// All that is in it.
    pub bytes: Vec<u8>,
    /// Whether it is a program.
    pub executable: bool,
}

/// Writes files into a folder, which is made if it is not there, and answers their paths with their
/// checksums. What lies there already is written over if
/// it was written by this function and not changed since, or if `force` is set.
///
/// # Errors
/// What stands in the way; then nothing was written but, where the system failed half-way, whole files.
pub fn install(
    Kit { list: list_path, mut items }: Kit,
    folder: &Path,
    force: bool,
) -> Result<Vec<(String, String)>, String> {
    let named = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    if fs::metadata(folder).is_ok_and(|found| !found.is_dir()) {
        return Err(format!("{}: is not a directory", folder.display()));
    }
    let line = |item: &Item| format!("{}  {}\n", sha256(&item.bytes), item.path);
    let list = items.iter().map(line).collect::<String>();
    items.push(Item { path: list_path.to_owned(), bytes: list.into_bytes(), executable: false });
    if !force {
        let ours = ours(folder, list_path);
        let foreign = items.iter().find(|item| !may_be_replaced(&folder.join(&item.path), item, &ours, list_path));
        if let Some(item) = foreign {
            let path = folder.join(&item.path);
            return Err(format!("{}: was not written by this command; --force writes over it", path.display()));
        }
    }
    fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
    let builder = tempfile::Builder::new().prefix(".tvm-ffi-verify-").tempdir_in(folder);
    let aside = builder.map_err(|error| named(folder, error))?;
    for (n, item) in items.iter().enumerate() {
        let path = aside.path().join(n.to_string());
        let mode = if item.executable { 0o755 } else { 0o644 };
        let written = fs::write(&path, &item.bytes);
        written
            .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(mode)))
            .map_err(|error| named(&path, error))?;
    }
    // The list comes last: until then, nothing new is ours.
    for (n, item) in items.iter().enumerate() {
        let place = folder.join(&item.path);
        let parent = place.parent().unwrap_or(folder);
        let moved = fs::create_dir_all(parent).and_then(|()| fs::rename(aside.path().join(n.to_string()), &place));
        moved.map_err(|error| named(&place, error))?;
    }
    Ok(items.into_iter().map(|item| (item.path, sha256(&item.bytes))).collect())
}

/// The files that the list in a folder names, each with its checksum.
fn ours(folder: &Path, list: &str) -> BTreeMap<PathBuf, String> {
    let list = fs::read_to_string(folder.join(list)).unwrap_or_default();
    let lines = list.lines().filter_map(|line| line.split_once("  "));
    lines.map(|(sum, path)| (folder.join(path), sum.to_owned())).collect()
}

/// Whether a file is not there, is what will be written, or is ours and unchanged. The list is ours if it is one.
fn may_be_replaced(path: &Path, item: &Item, ours: &BTreeMap<PathBuf, String>, list: &str) -> bool {
    match fs::symlink_metadata(path) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(found) if !found.is_file() => false,
        Ok(_) if item.path == list => !ours.is_empty(),
        Ok(_) => fs::read(path).is_ok_and(|bytes| bytes == item.bytes || ours.get(path) == Some(&sha256(&bytes))),
    }
}
