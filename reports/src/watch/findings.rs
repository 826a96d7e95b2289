//! What of a watched program speaks against it, in the form that all answers share.

use std::io::{self, Write};

use super::{
    model::{Frame, Misuse, Watched},
    rules::RULES,
};
use crate::{
    answer::Answer,
    duty,
    findings::{Finding, Findings, Severity},
    layout::{Width, counted},
};

impl Answer for Watched {
    fn findings(&self) -> Findings {
        let found = |misuse: &Misuse| {
            let severity = if self.counts(misuse) { Severity::Error } else { Severity::Warning };
            let object = misuse.object.as_ref().map(|key| format!(" ({key})")).unwrap_or_default();
            let at = misuse.at.first().map(|frame| format!(", at {frame}")).unwrap_or_default();
            let finding =
                Finding::new(&misuse.rule, severity, format!("{}: {}{object}{at}", misuse.call, misuse.message));
            let file = misuse.at.first().map_or("", |frame: &Frame| &frame.module);
            let finding = if file.is_empty() { finding } else { finding.in_file(file) };
            finding.about(&misuse.call)
        };
        let findings: Vec<_> = self.findings.iter().map(found).collect();
        let mut facts = vec![("command", self.command.join(" ")), ("program", self.program.to_string())];
        let mut libraries: Vec<_> = self.processes.iter().filter_map(|process| process.library.clone()).collect();
        libraries.sort();
        libraries.dedup();
        facts.extend(libraries.into_iter().map(|library| ("library", library)));
        Findings {
            tool: self.tool.clone(),
            command: "watch".to_owned(),
            facts,
            verdict: self.verdict(),
            exit_code: self.exit_code,
            rules: duty::rules_of(RULES, &findings),
            findings,
        }
    }

    fn exit_code(&self) -> u8 {
        self.exit_code
    }

    fn text(&self, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
        super::text::render(self, &self.verdict(), width, verbose, out)
    }
}

impl Watched {
    /// What comes of all, in one line.
    fn verdict(&self) -> String {
        let program = format!("the program ended with {}", self.program);
        let interrupted = if self.interrupted { "; interrupted" } else { "" };
        if self.processes.is_empty() {
            return format!("no process called the library; {program}{interrupted}");
        }
        let processes = counted(self.processes.len(), "process").replace("processs", "processes");
        let found = match (self.count(true), self.count(false)) {
            (0, 0) => "nothing found".to_owned(),
            (count, 0) => format!("{} found", counted(count, "misuse")),
            (count, mentioned) => {
                format!("{} found, and {mentioned} that only a stricter run counts", counted(count, "misuse"))
            }
        };
        format!("{processes} watched: {found}; {program}{interrupted}")
    }
}
