//! The wheels of public releases, when they are at hand.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The directory that peers are looked for in: `TVM_FFI_PEERS`, or `target/peers` in the workspace, which
/// `.ci/fetch-peers` fills.
pub fn folder() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/peers");
    env::var_os("TVM_FFI_PEERS").map_or_else(default, PathBuf::from)
}

/// Every wheel in [`folder`], in the order of their names; empty when there is none.
pub fn wheels() -> Vec<PathBuf> {
    let entries = folder().read_dir().into_iter().flatten().filter_map(Result::ok);
    let mut wheels: Vec<_> =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ext| ext == "whl")).collect();
    wheels.sort();
    wheels
}

/// The wheel of one release, such as `0.1.15.post2`.
pub fn wheel(release: &str) -> Option<PathBuf> {
    let prefix = format!("apache_tvm_ffi-{release}-");
    wheels().into_iter().find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)))
}
