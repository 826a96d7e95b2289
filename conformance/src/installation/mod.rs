//! The reference for use: its library and headers in a folder, with what tells compilers how to find them.
//!
//! A list of checksums says which files are ours, so that what somebody else has put there is not written over.

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tvm_ffi_fixtures::HEADERS;
use tvm_ffi_spec::abi::abi;

use crate::target::{REFERENCE, sha256};

/// Where the list of checksums lies, in the form that `sha256sum --check` reads.
const LIST: &str = "share/tvm-ffi-verify/SHA256SUMS";

/// A file to be written.
struct Item {
    /// Its path below the folder.
    path: String,
    bytes: Vec<u8>,
    executable: bool,
}

/// Every file but the list.
fn items() -> Vec<Item> {
    let item = |path: &str, bytes: &[u8]| Item { path: path.to_owned(), bytes: bytes.to_owned(), executable: false };
    let package = include_str!("tvm_ffi.pc").replace("@VERSION@", &abi().newest_peer().claims);
    let config = include_bytes!("tvm-ffi-config");
    let mut items = vec![
        item("lib/libtvm_ffi.so", REFERENCE),
        item("lib/pkgconfig/tvm_ffi.pc", package.as_bytes()),
        Item { executable: true, ..item("bin/tvm-ffi-config", config) },
    ];
    items.extend(HEADERS.iter().map(|(path, text)| item(&format!("include/{path}"), text.as_bytes())));
    items
}

/// Writes the reference into a folder, which is made if it is not there, and answers the files. What lies there already is
/// written over if it was written by this function and not changed since, or if `force` is set.
///
/// # Errors
/// What stands in the way; then nothing was written but, where the system failed half-way, whole files.
pub fn install(folder: &Path, force: bool) -> Result<Vec<String>, String> {
    let named = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    if fs::metadata(folder).is_ok_and(|found| !found.is_dir()) {
        return Err(format!("{}: is not a directory", folder.display()));
    }
    let mut items = items();
    let line = |item: &Item| format!("{}  {}\n", sha256(&item.bytes), item.path);
    let list = items.iter().map(line).collect::<String>();
    items.push(Item { path: LIST.to_owned(), bytes: list.into_bytes(), executable: false });
    if !force {
        let ours = ours(folder);
        let foreign = items.iter().find(|item| !may_be_replaced(&folder.join(&item.path), item, &ours));
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
    Ok(items.into_iter().map(|item| item.path).collect())
}

/// The files that the list in a folder names, each with its checksum.
fn ours(folder: &Path) -> BTreeMap<PathBuf, String> {
    let list = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    let lines = list.lines().filter_map(|line| line.split_once("  "));
    lines.map(|(sum, path)| (folder.join(path), sum.to_owned())).collect()
}

/// Whether a file is not there, is what will be written, or is ours and unchanged. The list is ours if it is one.
fn may_be_replaced(path: &Path, item: &Item, ours: &BTreeMap<PathBuf, String>) -> bool {
    match fs::symlink_metadata(path) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(found) if !found.is_file() => false,
        Ok(_) if item.path == LIST => !ours.is_empty(),
        Ok(_) => fs::read(path).is_ok_and(|bytes| bytes == item.bytes || ours.get(path) == Some(&sha256(&bytes))),
    }
}
