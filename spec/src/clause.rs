//! The clauses: numbered sentences that an implementation keeps or breaks.

use std::{collections::HashMap, fmt, sync::LazyLock};

mod model;
pub use model::*;

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
const FILES: &[(&str, &str)] = &[
    ("symbols", include_str!("../clauses/symbols.toml")),
    ("any", include_str!("../clauses/any.toml")),
    ("object", include_str!("../clauses/object.toml")),
    ("string", include_str!("../clauses/string.toml")),
    ("error", include_str!("../clauses/error.toml")),
    ("backtrace", include_str!("../clauses/backtrace.toml")),
    ("function", include_str!("../clauses/function.toml")),
    ("global", include_str!("../clauses/global.toml")),
    ("type", include_str!("../clauses/type.toml")),
    ("reflection", include_str!("../clauses/reflection.toml")),
    ("registry", include_str!("../clauses/registry.toml")),
    ("argument", include_str!("../clauses/argument.toml")),
    ("instance", include_str!("../clauses/instance.toml")),
    ("access-path", include_str!("../clauses/access_path.toml")),
    ("declared", include_str!("../clauses/declared.toml")),
    ("enumeration", include_str!("../clauses/enumeration.toml")),
    ("tensor", include_str!("../clauses/tensor.toml")),
    ("dtype", include_str!("../clauses/dtype.toml")),
    ("environment", include_str!("../clauses/environment.toml")),
    ("bigint", include_str!("../clauses/bigint.toml")),
    ("allocator", include_str!("../clauses/allocator.toml")),
    ("once", include_str!("../clauses/once.toml")),
    ("module", include_str!("../clauses/module.toml")),
    ("hash", include_str!("../clauses/hash.toml")),
    ("array", include_str!("../clauses/array.toml")),
    ("list", include_str!("../clauses/list.toml")),
    ("map", include_str!("../clauses/map.toml")),
    ("dict", include_str!("../clauses/dict.toml")),
    ("container", include_str!("../clauses/container.toml")),
    ("json", include_str!("../clauses/json.toml")),
    ("graph", include_str!("../clauses/graph.toml")),
    ("recursive", include_str!("../clauses/recursive.toml")),
    ("structural", include_str!("../clauses/structural.toml")),
    ("hook", include_str!("../clauses/hook.toml")),
    ("visit", include_str!("../clauses/visit.toml")),
    ("cxx", include_str!("../clauses/cxx.toml")),
];

/// The names of the areas, in their order.
pub fn area_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// Every area with its clauses.
pub fn areas() -> &'static [Area] {
    static AREAS: LazyLock<Vec<Area>> = LazyLock::new(|| {
        let parse = |(name, text): &(&str, &str)| {
            toml::from_str(text).unwrap_or_else(|error| panic!("spec/clauses/{name}.toml: {error}"))
        };
        FILES.iter().map(parse).collect()
    });
    &AREAS
}

/// Every clause, area by area.
pub fn clauses() -> impl Iterator<Item = &'static Clause> {
    areas().iter().flat_map(|area| &area.clauses)
}

/// The clause with that id.
pub fn find(id: &str) -> Option<&'static Clause> {
    static BY_ID: LazyLock<HashMap<&str, &Clause>> =
        LazyLock::new(|| clauses().map(|clause| (clause.id.as_str(), clause)).collect());
    BY_ID.get(id).copied()
}
