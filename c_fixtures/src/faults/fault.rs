//! What a fault is: its file, and what the head of that says.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use tvm_ffi_spec::generation::Generation;

/// What the suite reports: a clause, and how a check of it ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Broken {
    /// The id of the clause.
    pub clause: String,
    /// The outcome: fail, crash, timeout or leak.
    pub outcome: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.clause, self.outcome)
    }
}

impl Broken {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<_> = text.split_whitespace().collect();
        match words.as_slice() {
            [clause, outcome] => Ok(Self { clause: (*clause).to_owned(), outcome: (*outcome).to_owned() }),
            _ => Err(format!("`{text}` is not a clause and an outcome")),
        }
    }
}

/// A library that is broken on purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The name of its file, without the extension.
    pub name: String,
    /// What is wrong with it, in one line.
    pub story: String,
    /// What it is about: the suite has to report this.
    pub breaks: Vec<Broken>,
    /// Functions that it does not export.
    pub lacks: Vec<String>,
    /// Why it is left to chance what else it breaks, such as memory that is used after its end.
    pub chance: Option<String>,
    /// Of a variant: what leaves open that in which it differs.
    pub admitted: Option<String>,
    /// Its file.
    pub source: PathBuf,
}

impl Fault {
    /// Reads a fault's file. An error says what is wrong with its head.
    pub fn read(source: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self::parse(&text, name, source).map_err(|problem| format!("{}: {problem}", source.display()))
    }

    fn parse(text: &str, name: String, source: &Path) -> Result<Self, String> {
        let (mut stories, mut breaks, mut lacks) = (Vec::new(), Vec::new(), Vec::new());
        let (mut chance, mut admitted) = (None, None);
        for line in text.lines().map_while(|line| line.strip_prefix("//")) {
            match line.trim().split_once(": ") {
                Some(("story", story)) => stories.push(story.trim().to_owned()),
                Some(("breaks", broken)) => breaks.push(Broken::parse(broken)?),
                Some(("lacks", function)) => lacks.push(function.trim().to_owned()),
                Some(("chance", reason)) => chance = Some(reason.trim().to_owned()),
                Some(("admitted", reason)) => admitted = Some(reason.trim().to_owned()),
                _ => return Err(format!("`//{line}` is none of story, breaks, lacks, chance, admitted")),
            }
        }
        let [story] = <[String; 1]>::try_from(stories).map_err(|_| "a fault has one story")?;
        Ok(Self { name, story, breaks, lacks, chance, admitted, source: source.to_owned() })
    }
}

/// The directory of the faults.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("faults")
}

/// The directory of the faults of an older generation of the ABI.
pub fn directory_of(generation: &Generation) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("faults_{}", generation.name))
}

/// The MUST clauses that no fault breaks, and why.
pub fn unbroken() -> Result<BTreeMap<String, String>, String> {
    let path = directory().join("unbroken.toml");
    let text = fs::read_to_string(&path).map_err(|error| error.to_string());
    let list = text.and_then(|text| toml::from_str(&text).map_err(|error| error.to_string()));
    list.map_err(|problem| format!("{}: {problem}", path.display()))
}

/// Every fault, by name.
pub fn all() -> Result<Vec<Fault>, String> {
    files(&directory(), "c")?.iter().map(|path| Fault::read(path)).collect()
}

/// Every variant, by name: a library that differs from the reference in what promises leave open, and is right.
pub fn variants() -> Result<Vec<Fault>, String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("variants");
    files(&directory, "c")?.iter().map(|path| Fault::read(path)).collect()
}

/// Every fault of an older generation of the ABI, by name.
pub fn all_of(generation: &Generation) -> Result<Vec<Fault>, String> {
    files(&directory_of(generation), "c")?.iter().map(|path| Fault::read(path)).collect()
}

/// The files in a directory of faults that have this extension, sorted.
pub(super) fn files(directory: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
    let mut paths = paths.map_err(|error| error.to_string())?;
    paths.retain(|path| path.extension().is_some_and(|own| own == extension));
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Fault, String> {
        Fault::parse(text, "name".to_owned(), Path::new("name.c"))
    }

    #[test]
    fn the_head_tells_story_clauses_and_what_is_missing() {
        let head =
            "// story: It is late: always.\n// breaks: STR-0001 fail\n// breaks: OBJ-0002 crash\n// lacks: F\n#include";
        let fault = parse(head).unwrap();
        assert_eq!(fault.story, "It is late: always.");
        assert_eq!(
            fault.breaks.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["STR-0001 fail", "OBJ-0002 crash"]
        );
        assert_eq!(fault.lacks, ["F"]);
    }

    #[test]
    fn a_head_that_cannot_be_understood_is_refused() {
        assert!(parse("// breaks: STR-0001 fail\n").unwrap_err().contains("one story"));
        assert!(parse("// story: a\n// story: b\n").unwrap_err().contains("one story"));
        assert!(parse("// story: a\n// breaks: STR-0001\n").unwrap_err().contains("not a clause and an outcome"));
        assert!(parse("// story: a\n// braeks: STR-0001 fail\n").unwrap_err().contains("none of"));
    }
}
