//! `tvm-ffi-verify.toml`: what a repository holds its library to, so that `tvm-ffi-verify check` says it all.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Deserialize;

use super::{
    choices::{ByBasis, ByGeneration, ByLayer},
    files,
};
use crate::harness::plan::Levels;

/// Where it is looked for if no other file is named.
const FILE_NAME: &str = "tvm-ffi-verify.toml";

/// What such a file says. Paths begin at its folder.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// As the argument of `check`.
    pub target: Option<PathBuf>,
    /// As `--require`.
    #[serde(default)]
    pub require: Vec<String>,
    /// As `--baseline`.
    pub baseline: Option<PathBuf>,
    /// As `--known-failures`.
    pub known_failures: Option<PathBuf>,
    /// As `--level`.
    #[serde(default, deserialize_with = "choice")]
    pub level: Option<Levels>,
    /// As `--basis`.
    #[serde(default, deserialize_with = "choices")]
    pub basis: Vec<ByBasis>,
    /// As `--profile`.
    #[serde(default, deserialize_with = "choice")]
    pub profile: Option<ByLayer>,
    /// As `--generation`.
    #[serde(default, deserialize_with = "choice")]
    pub generation: Option<ByGeneration>,
    /// As `--strict`.
    #[serde(default)]
    pub strict: bool,
}

impl Config {
    /// The file that is read: the one that is named; without one, that in the current directory, if there is one.
    pub fn file(named: Option<&Path>) -> Option<&Path> {
        // One that leads nowhere was meant to say something, too.
        named.or_else(|| Some(Path::new(FILE_NAME)).filter(|path| path.symlink_metadata().is_ok()))
    }

    /// Reads the file that is named; without one, that in the current directory, if there is one.
    pub fn read(named: Option<&Path>) -> Result<Self, String> {
        let Some(path) = Self::file(named) else { return Ok(Self::default()) };
        let text = files::read_text(path)?;
        let mut config: Self = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for path in [&mut config.target, &mut config.baseline, &mut config.known_failures].into_iter().flatten() {
            *path = folder.join(&*path);
        }
        Ok(config)
    }
}

fn choice<'a, T: ValueEnum, D: serde::Deserializer<'a>>(from: D) -> Result<Option<T>, D::Error> {
    T::from_str(&String::deserialize(from)?, false).map(Some).map_err(serde::de::Error::custom)
}

fn choices<'a, T: ValueEnum, D: serde::Deserializer<'a>>(from: D) -> Result<Vec<T>, D::Error> {
    let names = Vec::<String>::deserialize(from)?;
    names.iter().map(|name| T::from_str(name, false).map_err(serde::de::Error::custom)).collect()
}
