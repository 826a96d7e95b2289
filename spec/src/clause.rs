//! The clauses: numbered sentences that an implementation keeps or breaks.

use std::{
    fmt,
    sync::{LazyLock, OnceLock},
};

use crate::data::{file, read};

mod model;
pub use model::*;

/// The name of the generation of the ABI that `abi.toml` describes, for which clauses hold that say nothing else.
pub const TODAY: &str = "combined";

impl Basis {
    /// Every basis, the strongest first.
    pub const ALL: &[Self] = &[Self::Documented, Self::CompiledIn, Self::Safety, Self::Observed, Self::Courtesy];

    /// Its name in data and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::CompiledIn => "compiled-in",
            Self::Safety => "safety",
            Self::Observed => "observed",
            Self::Courtesy => "courtesy",
        }
    }

    /// What it means, in a sentence without its full stop.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Documented => "A document, a header or DLPack's specification promises it",
            Self::CompiledIn => "Prebuilt clients inline or assume it",
            Self::Safety => {
                "No call on legal input ends the process, hangs, corrupts, leaks, or claims a false success"
            }
            Self::Observed => "Releases happen to do so, and nobody promises it",
            Self::Courtesy => "Nobody promises it; a library that is kind to its callers does it",
        }
    }
}

impl Clause {
    /// Whether it holds for today's generation of the ABI.
    pub fn is_todays(&self) -> bool {
        self.holds_for(TODAY)
    }

    /// Whether it holds for a generation of the ABI.
    pub fn holds_for(&self, generation: &str) -> bool {
        match self.generations.as_slice() {
            [] => generation == TODAY,
            named => named.iter().any(|each| each == generation),
        }
    }

    /// Its example as a whole C program, if it has one: what stands above a line `---`, if there is one, then `main` with
    /// the rest.
    pub fn program(&self) -> Option<String> {
        const INCLUDES: &[&str] =
            &["assert.h", "stdio.h", "stdlib.h", "string.h", "tvm/ffi/c_api.h", "tvm/ffi/extra/c_env_api.h"];
        let example = self.example.as_ref()?;
        let includes: String = INCLUDES.iter().map(|header| format!("#include <{header}>\n")).collect();
        let (before, body) = example.split_once("---\n").unwrap_or(("", example));
        let indented = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") };
        let body: String = body.trim_end().lines().map(indented).collect();
        Some(format!(
            "// {}; compile with: cc -std=c11 example.c -ltvm_ffi\n{includes}\n{before}int main(void) {{\n{body}  return 0;\n}}",
            self.id
        ))
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Every clause's id, as a constant: a check that names an unknown clause does not compile.
pub mod id {
    include!(concat!(env!("OUT_DIR"), "/clause_ids.rs"));
}

/// The files, one for each area, in the order in which the suite reports them.
const FILES: &[(&str, (&str, &str))] = &[
    ("symbols", file!("clauses/symbols")),
    ("any", file!("clauses/any")),
    ("object", file!("clauses/object")),
    ("string", file!("clauses/string")),
    ("error", file!("clauses/error")),
    ("backtrace", file!("clauses/backtrace")),
    ("function", file!("clauses/function")),
    ("global", file!("clauses/global")),
    ("type", file!("clauses/type")),
    ("reflection", file!("clauses/reflection")),
    ("registry", file!("clauses/registry")),
    ("argument", file!("clauses/argument")),
    ("memory", file!("clauses/memory")),
    ("instance", file!("clauses/instance")),
    ("access-path", file!("clauses/access_path")),
    ("declared", file!("clauses/declared")),
    ("enumeration", file!("clauses/enumeration")),
    ("tensor", file!("clauses/tensor")),
    ("dtype", file!("clauses/dtype")),
    ("environment", file!("clauses/environment")),
    ("bigint", file!("clauses/bigint")),
    ("allocator", file!("clauses/allocator")),
    ("once", file!("clauses/once")),
    ("module", file!("clauses/module")),
    ("hash", file!("clauses/hash")),
    ("array", file!("clauses/array")),
    ("list", file!("clauses/list")),
    ("map", file!("clauses/map")),
    ("dict", file!("clauses/dict")),
    ("container", file!("clauses/container")),
    ("json", file!("clauses/json")),
    ("graph", file!("clauses/graph")),
    ("recursive", file!("clauses/recursive")),
    ("structural", file!("clauses/structural")),
    ("hook", file!("clauses/hook")),
    ("visit", file!("clauses/visit")),
    ("cxx", file!("clauses/cxx")),
];

/// The names of the areas, in their order.
pub fn area_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The area in that file: what it says of all its clauses is said of each.
fn area(file: (&str, &str)) -> Area {
    let mut area: Area = read(file);
    for clause in &mut area.clauses {
        clause.presence |= area.presence;
        if clause.generations.is_empty() {
            clause.generations.clone_from(&area.generations);
        }
    }
    area
}

/// The files about what only an older generation has, each an area.
const OLDER: &[(&str, (&str, &str))] =
    &[("legacy", file!("generations/legacy/clauses")), ("split", file!("generations/split/clauses"))];

/// The areas of clauses that hold for older generations alone, with their names.
pub fn older_areas() -> &'static [(&'static str, Area)] {
    static AREAS: LazyLock<Vec<(&str, Area)>> =
        LazyLock::new(|| OLDER.iter().map(|&(name, file)| (name, area(file))).collect());
    &AREAS
}

/// Every clause that holds for a generation: first those that only older ones have, then the others, area by area.
pub fn clauses_of(generation: &str) -> impl Iterator<Item = &'static Clause> {
    every().filter(move |clause| clause.holds_for(generation))
}

/// Every clause of every generation.
pub fn every() -> impl Iterator<Item = &'static Clause> {
    older_areas().iter().flat_map(|(_, area)| &area.clauses).chain(clauses())
}

/// Every area of today's generation with its clauses.
pub fn areas() -> impl ExactSizeIterator<Item = &'static Area> {
    (0..FILES.len()).map(todays)
}

/// The area of today's generation with that number, which is read when it is first asked for: a run of few checks asks for few.
fn todays(number: usize) -> &'static Area {
    static AREAS: [OnceLock<Area>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    AREAS[number].get_or_init(|| area(FILES[number].1))
}

/// Every clause of today's generation, area by area.
pub fn clauses() -> impl Iterator<Item = &'static Clause> {
    areas().flat_map(|area| &area.clauses)
}

/// The clause with that id, of whichever generation.
pub fn find(id: &str) -> Option<&'static Clause> {
    let (prefix, _) = id.split_once('-')?;
    let (_, path) = id::PREFIXES.iter().find(|(known, _)| *known == prefix)?;
    let area = match FILES.iter().position(|(_, (known, _))| known == path) {
        Some(number) => todays(number),
        None => older_areas().iter().map(|(_, area)| area).find(|area| area.prefix == prefix)?,
    };
    let place = area.clauses.binary_search_by(|clause| clause.id.as_str().cmp(id)).ok()?;
    area.clauses.get(place)
}
