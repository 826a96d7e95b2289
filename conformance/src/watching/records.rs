//! From the lines that a watched program has left to what is reported: symbols are looked up, and the same is told once.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use tvm_ffi_reports::watch::{Frame, Misuse, Process, rules};
use tvm_ffi_spec::clause::Level;

use crate::target::symbols::Code;

/// A line.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Record {
    Process { process: u32, program: String, library: Option<String> },
    Finding(Found),
    Older(Older),
}

/// A program that uses a library of an older generation of the ABI, which is not watched.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Older {
    /// The program's file.
    pub program: String,
    /// The library's.
    pub library: String,
    /// The name of the generation.
    pub generation: String,
}

/// What lines tell of.
#[derive(Default)]
pub struct Seen {
    /// Processes that called the library.
    pub processes: Vec<Process>,
    /// What they did wrong.
    pub findings: Vec<Misuse>,
    /// Those that are not watched, as their library is one of an older generation.
    pub older: Vec<Older>,
}

/// Something that was seen.
#[derive(Deserialize)]
struct Found {
    process: u32,
    rule: String,
    call: String,
    message: String,
    #[serde(rename = "type")]
    object: Option<String>,
    #[serde(default)]
    at: Vec<(String, u64)>,
    made_by: Option<String>,
    #[serde(default)]
    made: Vec<(String, u64)>,
    #[serde(default)]
    ended: Vec<(String, u64)>,
    python: Option<String>,
}

/// What lines tell of. What is no such line is left out: a process may end while it writes one.
pub fn read(lines: &str) -> Seen {
    let mut seen = Seen::default();
    let mut symbols = Symbols::default();
    for record in lines.lines().filter_map(|line| serde_json::from_str(line).ok()) {
        match record {
            Record::Process { process, program, library } => seen.processes.push(Process { process, program, library }),
            Record::Finding(found) => {
                let misuse = symbols.misuse(found);
                let same = |other: &&mut Misuse| {
                    other.rule == misuse.rule && other.call == misuse.call && other.at == misuse.at
                };
                match seen.findings.iter_mut().find(same) {
                    Some(other) => other.others += 1,
                    None => seen.findings.push(misuse),
                }
            }
            Record::Older(older) => seen.older.push(older),
        }
    }
    seen
}

/// The code of libraries, read once each.
#[derive(Default)]
struct Symbols {
    code: BTreeMap<String, Option<Code>>,
    functions: BTreeMap<(String, u64), Option<String>>,
}

impl Symbols {
    fn misuse(&mut self, found: Found) -> Misuse {
        let rule = rules::find(&found.rule);
        Misuse {
            level: rule.map_or(Level::Must, |rule| rule.level),
            clauses: rule.iter().flat_map(|rule| rule.sources).map(|&clause| clause.to_owned()).collect(),
            rule: found.rule,
            call: found.call,
            message: found.message,
            object: found.object,
            at: self.frames(found.at),
            made_by: found.made_by,
            made: self.frames(found.made),
            ended: self.frames(found.ended),
            python: found.python,
            process: found.process,
            others: 0,
        }
    }

    fn frames(&mut self, places: Vec<(String, u64)>) -> Vec<Frame> {
        let mut frame = |(module, offset): (String, u64)| {
            let function = self.function(&module, offset);
            Frame { module, offset, function }
        };
        let mut frames: Vec<_> = places.into_iter().map(&mut frame).collect();
        // What calls a program's main function is the same for all.
        if let Some(main) = frames.iter().position(|frame| frame.function.as_deref() == Some("main")) {
            frames.truncate(main + 1);
        }
        frames
    }

    fn function(&mut self, module: &str, offset: u64) -> Option<String> {
        let code = &mut self.code;
        let look_up = || {
            let code = code.entry(module.to_owned()).or_insert_with(|| Code::read(Path::new(module))).as_ref();
            code.and_then(|code| code.symbol(offset)).map(|(name, _)| name)
        };
        self.functions.entry((module.to_owned(), offset)).or_insert_with(look_up).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_record_is_left_out_and_the_same_is_told_once() {
        let found = r#"{"kind":"finding","process":7,"rule":"null","call":"TVMFFIObjectIncRef","message":"obj is NULL","at":[["/none",1]]}"#;
        let process = r#"{"kind":"process","process":7,"parent":1,"program":"/bin/client"}"#;
        let Seen { processes, findings, .. } =
            read(&format!("{process}\n{found}\nnonsense\n{found}\n{{\"kind\":\"fin"));
        assert_eq!(processes, [Process { process: 7, program: "/bin/client".to_owned(), library: None }]);
        let [misuse] = &findings[..] else { panic!("{findings:?}") };
        assert_eq!((&*misuse.rule, misuse.level, misuse.others), ("null", Level::Must, 1));
    }
}
