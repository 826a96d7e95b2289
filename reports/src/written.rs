//! The answer of commands that write files for use: which they have written.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::{
    answer::Answer,
    escape::one_line,
    exit,
    findings::Findings,
    layout::{Width, counted},
    markdown,
    model::Tool,
};

/// The version of the format; it changes when a program that reads the JSON has to change.
pub const SCHEMA_VERSION: u32 = 1;

/// What a command has written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Written {
    /// The version of the format.
    pub schema_version: u32,
    /// What wrote the files.
    pub tool: Tool,
    /// The command, such as `reference`.
    pub command: String,
    /// The folder, as it was named.
    pub folder: String,
    /// Every file, the list of checksums last.
    pub files: Vec<WrittenFile>,
    /// What the process exits with: 0.
    pub exit_code: u8,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WrittenFile {
    /// Its path below the folder.
    pub path: String,
    /// SHA-256 of the file, in 64 lowercase hexadecimal digits.
    pub sha256: String,
}

impl Written {
    /// The answer of a command.
    pub fn new(tool: Tool, command: &str, folder: String, files: Vec<WrittenFile>) -> Self {
        let (schema_version, command) = (SCHEMA_VERSION, command.to_owned());
        Self { schema_version, tool, command, folder, files, exit_code: exit::CONFORMS }
    }
}

impl Answer for Written {
    fn findings(&self) -> Findings {
        Findings {
            tool: self.tool.clone(),
            command: self.command.clone(),
            facts: vec![("folder", self.folder.clone())],
            verdict: format!("{} written", counted(self.files.len(), "file")),
            exit_code: self.exit_code,
            rules: Vec::new(),
            findings: Vec::new(),
        }
    }

    fn exit_code(&self) -> u8 {
        self.exit_code
    }

    /// A path a line, for other programs to read.
    fn text(&self, _: Width, _: bool, out: &mut dyn Write) -> io::Result<()> {
        let folder = one_line(self.folder.trim_end_matches('/'));
        self.files.iter().try_for_each(|file| writeln!(out, "{folder}/{}", one_line(&file.path)))
    }

    fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        markdown::head(&self.findings(), out)?;
        let rows: Vec<_> =
            self.files.iter().map(|file| vec![markdown::code(&file.path), markdown::code(&file.sha256)]).collect();
        markdown::table(&["file", "SHA-256"], &rows, out)
    }
}

#[cfg(test)]
mod tests {
    use super::Written;

    #[test]
    fn schema_file_is_that_of_the_model() {
        crate::json::holds_schema::<Written>("written");
    }
}
