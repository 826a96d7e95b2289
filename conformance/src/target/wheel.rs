//! Wheels: archives of which members are read, and no more of them than there is room for. The interface to the `zip` crate is
//! here and nowhere else.

use std::{borrow::Cow, fs::File, io::Read, path::Path};

use zip::{ZipArchive, result::ZipError};

use super::file::{LARGEST, openable};

/// A wheel that was opened.
pub struct Wheel(ZipArchive<File>);

/// Whether a file of that name is a wheel.
pub fn is_wheel(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "whl")
}

impl Wheel {
    /// Opens a wheel.
    ///
    /// # Errors
    /// Why it is none that can be read, in words that follow its name.
    pub fn open(path: &Path) -> Result<Self, String> {
        ZipArchive::new(openable(path)?).map(Self).map_err(|error| broken(&error))
    }

    /// The names of its members, of those that have one.
    pub fn members(&self) -> Vec<String> {
        self.0.file_names().flatten().map(Cow::into_owned).collect()
    }

    /// How many bytes a member has, by what the wheel says.
    pub fn length(&mut self, name: &str) -> u64 {
        self.0.by_name(name).map_or(0, |member| member.size())
    }

    /// Reads a member; `None` if there is none of that name.
    ///
    /// # Errors
    /// That it is damaged, or more than a library has.
    pub fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let member = match self.0.by_name(name) {
            Err(ZipError::FileNotFound) => return Ok(None),
            member => member.map_err(|error| broken(&error))?,
        };
        let mut bytes = Vec::new();
        let length = member.size();
        if length <= LARGEST {
            // It may be more than it says.
            member.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| broken(&error.into()))?;
        }
        if length.max(bytes.len() as u64) > LARGEST {
            return Err(format!("holds a library of more than {} MiB, which is the most that one has", LARGEST >> 20));
        }
        Ok(Some(bytes))
    }
}

fn broken(error: &ZipError) -> String {
    format!("is not a readable wheel ({error})")
}
