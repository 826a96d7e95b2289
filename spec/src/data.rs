//! The files as they are read at run time: JSON that the build script has made of the TOML, since every process of a run
//! reads them and JSON takes a fraction of the time.

use serde::de::DeserializeOwned;

/// A file of data by its path without the ending, as [`read`] takes it: that path, and what is in it.
macro_rules! file {
    ($path:literal) => {
        ($path, include_str!(concat!(env!("OUT_DIR"), "/data/", $path, ".json")))
    };
}
pub(crate) use file;

/// What stands in a [`file`](file!).
///
/// # Panics
/// If it is not what `T` says, which a test finds.
pub(crate) fn read<T: DeserializeOwned>((path, json): (&str, &str)) -> T {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("spec/{path}.toml: {error}"))
}
