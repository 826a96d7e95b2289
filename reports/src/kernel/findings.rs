//! What of the calls speaks against the functions, in the form that all answers share.

use std::io::{self, Write};

use super::{
    model::{Breach, Function, Kernels, Tested},
    rules::RULES,
};
use crate::{
    answer::Answer,
    duty,
    findings::{Finding, Findings, Rule, Severity},
    layout::{Width, counted},
    markdown,
};

/// The id of what is told of calls that were not made.
const NOT_TRIED: &str = "not-tried";

impl Answer for Kernels {
    fn findings(&self) -> Findings {
        let found = |file: &Tested, function: &Function, breach: &Breach| {
            let severity = if self.counts(breach) { Severity::Error } else { Severity::Warning };
            let message = format!("{}: {} ({})", breach.call, breach.message, breach.situation);
            Finding::new(&breach.rule, severity, message).in_file(&file.file).about(&function.name)
        };
        let all = self
            .functions()
            .flat_map(|(file, function)| function.breaches.iter().map(move |breach| found(file, function, breach)));
        let not_tried = self.functions().flat_map(|(file, function)| {
            let note = |what: &String| Finding::new(NOT_TRIED, Severity::Note, format!("not tried: {what}"));
            let place = |finding: Finding| finding.in_file(&file.file).about(&function.name);
            function.not_tried.iter().map(note).map(place).collect::<Vec<_>>()
        });
        let findings: Vec<_> = all.chain(not_tried).collect();
        let mut facts: Vec<_> = self.files.iter().map(|file| ("file", file.file.clone())).collect();
        facts.push(("library", self.library.told()));
        facts.extend(self.calls.iter().map(|calls| ("calls", calls.clone())));
        Findings {
            tool: self.tool.clone(),
            command: "kernel".to_owned(),
            facts,
            verdict: self.verdict(),
            exit_code: self.exit_code,
            rules: self.rules(&findings),
            findings,
        }
    }

    fn exit_code(&self) -> u8 {
        self.exit_code
    }

    fn text(&self, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
        super::text::render(self, &self.verdict(), width, verbose, out)
    }

    fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        let findings = self.findings();
        markdown::head(&findings, out)?;
        let row = |(_, function): (&Tested, &Function)| {
            vec![
                markdown::code(&function.name),
                markdown::text(function.known_from.as_str()),
                function.calls.to_string(),
                function.succeeded.to_string(),
                function.refused.to_string(),
                function.breaches.len().to_string(),
            ]
        };
        let rows: Vec<_> = self.functions().map(row).collect();
        if !rows.is_empty() {
            writeln!(out, "## Functions\n")?;
        }
        markdown::table(&["function", "known from", "calls", "succeeded", "refused", "rules broken"], &rows, out)?;
        markdown::table_of(&findings, out)
    }
}

impl Kernels {
    fn rules(&self, findings: &[Finding]) -> Vec<Rule> {
        let mut rules = duty::rules_of(RULES, findings);
        if findings.iter().any(|finding| finding.rule == NOT_TRIED) {
            rules.push(Rule::new(
                NOT_TRIED,
                "Each function is tried with a good call.",
                "What was not tried has passed nothing.",
            ));
        }
        rules
    }

    /// What comes of all, in one line.
    fn verdict(&self) -> String {
        let calls = self.functions().map(|(_, function)| function.calls as usize).sum::<usize>();
        if calls == 0 {
            return "no function was called".to_owned();
        }
        let functions = counted(self.functions().count(), "function");
        let head = format!("{functions}, {}", counted(calls, "call"));
        let mentioned = match self.count(false) {
            0 => String::new(),
            mentioned => format!(
                "; {} broken that {} not count",
                counted(mentioned, "rule"),
                if mentioned == 1 { "does" } else { "do" }
            ),
        };
        let broken = match self.count(true) {
            0 if mentioned.is_empty() => "every rule is kept".to_owned(),
            0 => "every rule is kept that counts".to_owned(),
            broken => format!("{} broken", counted(broken, "rule")),
        };
        let unknown = match self.functions().filter(|(_, function)| !function.is_known()).count() {
            0 => String::new(),
            unknown => format!("; of {} no good call was made", counted(unknown, "function")),
        };
        let interrupted = if self.interrupted { "; interrupted" } else { "" };
        format!("{head}: {broken}{mentioned}{unknown}{interrupted}")
    }
}
