//! Faults: libraries that are broken on purpose, so that the suite can be seen to catch them.
//!
//! A fault is one C file in `faults/`, and `faults/fault.h` tells how to write one. It is built together with a generated
//! file of forwarders: a weak definition of every function of the ABI, which passes the call on to a base library. What
//! the fault defines itself takes the forwarder's place. Everything here is for tests: it needs the source tree and a C
//! compiler at run time.

use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

use tvm_ffi_spec::abi::{Function, abi};

use crate::compile::{compiler, run};

/// A library that is broken on purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The name of its file, without the extension.
    pub name: String,
    /// What is wrong with it, in one line.
    pub story: String,
    /// What the suite has to report, and nothing else: clauses, each with an outcome.
    pub breaks: Vec<(String, String)>,
    /// Functions that it does not export.
    pub lacks: Vec<String>,
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
        for line in text.lines().map_while(|line| line.strip_prefix("//")) {
            match line.trim().split_once(": ") {
                Some(("story", story)) => stories.push(story.trim().to_owned()),
                Some(("breaks", broken)) => breaks.push(two_words(broken)?),
                Some(("lacks", function)) => lacks.push(function.trim().to_owned()),
                _ => return Err(format!("`//{line}` is none of story, breaks, lacks")),
            }
        }
        let [story] = <[String; 1]>::try_from(stories).map_err(|_| "a fault has one story")?;
        Ok(Self { name, story, breaks, lacks, source: source.to_owned() })
    }
}

fn two_words(text: &str) -> Result<(String, String), String> {
    let words: Vec<_> = text.split_whitespace().collect();
    match words.as_slice() {
        [clause, outcome] => Ok(((*clause).to_owned(), (*outcome).to_owned())),
        _ => Err(format!("`breaks: {text}` is not a clause and an outcome")),
    }
}

/// The directory of the faults.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("faults")
}

/// Every fault, by name.
pub fn all() -> Result<Vec<Fault>, String> {
    let entries = fs::read_dir(directory()).map_err(|error| error.to_string())?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
    let mut paths = paths.map_err(|error| error.to_string())?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths.iter().map(|path| Fault::read(path)).collect()
}

/// Builds a fault over `base`, which must stay where it is, and answers the library's path below `out_dir`.
pub fn build(fault: &Fault, base: &Path, out_dir: &Path) -> Result<PathBuf, String> {
    link(Some(&fault.source), &fault.lacks, base, &out_dir.join(&fault.name))
}

/// Builds a library with no fault: it passes every call on to `base`.
pub fn build_forwarder(base: &Path, out_dir: &Path) -> Result<PathBuf, String> {
    link(None, &[], base, &out_dir.join("no fault"))
}

fn link(source: Option<&Path>, lacks: &[String], base: &Path, folder: &Path) -> Result<PathBuf, String> {
    let forwarders = folder.join("forwarders.c");
    let library = folder.join("libtvm_ffi.so");
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(folder.join("fault_functions.h"), functions_header()))
        .and_then(|()| fs::write(&forwarders, forwarders_source(lacks, base)));
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    // With optimisation a forwarder is one jump, which leaves neither a frame nor a trace.
    let mut command = compiler(2);
    command.args(["-std=gnu11", "-Wall", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden"]);
    command.arg("-Wl,-soname,libtvm_ffi.so").arg("-I").arg(directory()).arg("-I").arg(folder);
    command.args(source).arg(&forwarders).arg("-o").arg(&library).arg("-ldl");
    run(&mut command).map(|_| library)
}

fn functions_header() -> String {
    let mut text = "struct fault_functions {\n".to_owned();
    for Function { name, .. } in &abi().functions {
        let _ = writeln!(text, "  __typeof__({name})* {name};");
    }
    text + "};\n"
}

fn forwarders_source(lacks: &[String], base: &Path) -> String {
    let mut text = FORWARDERS.replace("BASE", &format!("{:?}", base.to_string_lossy()));
    for Function { name, .. } in &abi().functions {
        let _ = writeln!(text, "  find(base, \"{name}\", (void**)&real.{name});");
    }
    text += "}\n";
    for function in abi().functions.iter().filter(|function| !lacks.contains(&function.name)) {
        let names: Vec<_> = function.params.iter().map(|(name, _)| name.as_str()).collect();
        let result = if function.returns == "void" { "" } else { "return " };
        let _ = write!(text, "\n__attribute__((weak)) {} {{\n", function.declaration());
        let _ = writeln!(text, "  {result}real.{}({});\n}}", function.name, names.join(", "));
    }
    text
}

/// The base is kept to itself: its own calls and its symbols' names do not meet the fault's.
const FORWARDERS: &str = r#"#define _GNU_SOURCE
#include "fault.h"
#include <dlfcn.h>

struct fault_functions real;

static void find(void* base, const char* name, void** place) {
  *place = dlsym(base, name);
  if (!*place) {
    fprintf(stderr, "%s\n", dlerror());
    abort();
  }
}

__attribute__((constructor)) static void find_all(void) {
  void* base = dlopen(BASE, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!base) {
    fprintf(stderr, "%s\n", dlerror());
    abort();
  }
"#;

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
        let breaks = [("STR-0001", "fail"), ("OBJ-0002", "crash")];
        assert_eq!(fault.breaks, breaks.map(|(clause, outcome)| (clause.to_owned(), outcome.to_owned())));
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
