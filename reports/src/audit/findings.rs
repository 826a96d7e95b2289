//! What of an audit speaks against clients: symbols that nothing has, needs that exclude one another, what is damaged.

use std::io::{self, Write};

use super::model::{Audit, Client, Need};
use crate::{
    answer::Answer,
    findings::{Finding, Findings, Rule, Severity},
    layout::{Width, counted},
    markdown,
};

const UNKNOWN: &str = "unknown-symbol";
const NO_RELEASE: &str = "no-release";
const YANKED: &str = "yanked-releases";
const MISSING: &str = "missing-symbol";
const EMBEDDED: &str = "embedded-modules";
const STRAY: &str = "stray-metadata";
const GENERATION: &str = "older-generation";
const UNREADABLE: &str = "unreadable";

/// Every rule: its id, what has to hold, and why.
const RULES: [[&str; 3]; 8] = [
    [
        UNKNOWN,
        "A client needs only symbols that a release has.",
        "A client with another one is not loaded, or fails when it gets there.",
    ],
    [NO_RELEASE, "There is a release that has all that a client needs.", "No installation satisfies the client."],
    [
        YANKED,
        "A release that was not withdrawn has all that a client needs.",
        "Installers do not choose releases that were withdrawn.",
    ],
    [
        MISSING,
        "The library has all that clients need.",
        "A client that misses a symbol is not loaded, or fails when it gets there.",
    ],
    [EMBEDDED, "The modules that are embedded in a client can be read.", "Loading the client fails otherwise."],
    [
        STRAY,
        "Metadata and documentation belong to functions that the client offers.",
        "Nobody finds them otherwise: a name may be misspelt.",
    ],
    [
        GENERATION,
        "A client speaks the generation of the ABI that the library does.",
        "No libtvm_ffi.so has what it needs: values, functions and objects of one generation are none of another.",
    ],
    [UNREADABLE, "Every library in a file can be read.", "Nothing is known of one that cannot."],
];

impl Answer for Audit {
    fn findings(&self) -> Findings {
        let findings = self.all();
        let used = |[id, text, why]: [&str; 3]| {
            findings.iter().any(|finding| finding.rule == id).then(|| Rule::new(id, text, why))
        };
        Findings {
            tool: self.tool.clone(),
            command: "audit".to_owned(),
            facts: self.facts(),
            verdict: self.verdict(),
            exit_code: self.exit_code,
            rules: RULES.into_iter().filter_map(used).collect(),
            findings,
        }
    }

    fn exit_code(&self) -> u8 {
        self.exit_code
    }

    fn text(&self, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
        super::text::render(self, width, verbose, out)
    }

    fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        let findings = self.findings();
        markdown::head(&findings, out)?;
        super::text::tables(self, out)?;
        markdown::table_of(&findings, out)
    }
}

impl Audit {
    /// How many findings are errors.
    pub(super) fn errors(&self) -> usize {
        self.all().iter().filter(|finding| finding.severity == Severity::Error).count()
    }

    /// Every finding, in the order of the files.
    fn all(&self) -> Vec<Finding> {
        let unreadable = self.unreadable.iter().map(|each| {
            let finding = Finding::new(UNREADABLE, Severity::Error, format!("{}: {}", each.member, each.problem));
            Finding { member: Some(each.member.clone()), ..finding.in_file(&each.file) }
        });
        self.clients.iter().flat_map(|client| self.of_client(client)).chain(self.together()).chain(unreadable).collect()
    }

    fn of_client(&self, client: &Client) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut found = |rule: &str, severity, message: String, symbol: Option<&Need>| {
            let symbol = symbol.map(|need| need.name.clone());
            let message = format!("{}: {message}", self.label(client));
            let finding = Finding::new(rule, severity, message).in_file(&client.file);
            findings.push(Finding { member: client.member.clone(), symbol, ..finding });
        };
        // With a library to be held against, that is what counts.
        let by_releases = if self.against.is_some() { Severity::Note } else { Severity::Error };
        for need in client.needs.iter().filter(|need| !need.weak) {
            let other = if need.elsewhere { "; another library may" } else { "" };
            let most = if need.elsewhere { Severity::Warning } else { Severity::Error };
            if need.has == Some(false) && need.defined_by.is_none() {
                found(MISSING, most, format!("needs {}, which the library lacks{other}", need.name), Some(need));
            }
            if need.is_unknown() {
                let older = need.generation.as_ref().map(|name| format!("; the {name} generation of the ABI had it"));
                let message = format!("needs {}, which no release has{other}{}", need.name, older.unwrap_or_default());
                found(UNKNOWN, by_releases.min(most), message, Some(need));
            }
        }
        if client.releases.is_empty() {
            let pair = self.newest_need(client).zip(self.oldest_need(client));
            let apart = |(newest, oldest): &(&Need, &Need)| {
                self.place(newest.since.as_deref()) > self.place(oldest.until.as_deref())
            };
            if let Some((newest, oldest)) = pair.filter(apart) {
                let since = newest.since.as_deref().unwrap_or_default();
                let until = oldest.until.as_deref().unwrap_or_default();
                let message = format!(
                    "needs {} (since {since}) and {} (until {until}), which no release has together",
                    newest.name, oldest.name
                );
                found(NO_RELEASE, by_releases, message, None);
            }
        } else if self.releases.iter().all(|release| release.yanked || !client.releases.contains(&release.name)) {
            let message =
                format!("only releases that were withdrawn have what it needs: {}", client.releases.join(", "));
            found(YANKED, by_releases.min(Severity::Warning), message, None);
        }
        if let Some(problem) = client.embedded.as_ref().and_then(|embedded| embedded.problem.as_ref()) {
            found(EMBEDDED, Severity::Error, format!("__tvm_ffi__library_bin {problem}"), None);
        }
        if let Some(legacy) = &client.legacy {
            found(GENERATION, Severity::Warning, format!("speaks {}", legacy.told(false)), None);
        }
        if !client.lacks.is_empty() && !client.strangers.is_empty() {
            let named = |names: &[String]| {
                let few = names.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
                if names.len() > 3 { format!("{few} and {} more", names.len() - 3) } else { few }
            };
            let message = format!(
                "defines an ABI that is none of a release: it lacks {}, and has {}; those who are linked to it speak that one",
                named(&client.lacks),
                named(&client.strangers)
            );
            found(GENERATION, Severity::Warning, message, None);
        }
        for stray in &client.strays {
            found(STRAY, Severity::Warning, format!("{stray} belongs to no function that it offers"), None);
        }
        findings
    }

    /// That clients exclude one another, each of which a release would do for.
    fn together(&self) -> Option<Finding> {
        let alone = self.in_need().all(|client| !client.releases.is_empty());
        let together = !self.common_releases().is_empty();
        let message = "no release has what all clients need together";
        (alone && !together && self.against.is_none()).then(|| Finding::new(NO_RELEASE, Severity::Warning, message))
    }

    /// The need that the newest release brought.
    pub(super) fn newest_need<'a>(&self, client: &'a Client) -> Option<&'a Need> {
        client.required().max_by_key(|need| self.place(need.since.as_deref()))
    }

    /// The need that was given up first.
    pub(super) fn oldest_need<'a>(&self, client: &'a Client) -> Option<&'a Need> {
        client.required().filter(|need| need.until.is_some()).min_by_key(|need| self.place(need.until.as_deref()))
    }

    fn place(&self, release: Option<&str>) -> Option<usize> {
        self.releases.iter().position(|each| Some(&*each.name) == release)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let files = self.clients.iter().map(|client| &client.file);
        let mut facts: Vec<(&str, String)> = Vec::new();
        for file in files.chain(self.unreadable.iter().map(|each| &each.file)) {
            if !facts.iter().any(|(_, known)| known == file) {
                facts.push(("file", file.clone()));
            }
        }
        facts.extend(self.against.as_ref().map(|against| ("against", against.told())));
        facts
    }

    /// What comes of all, in one line.
    pub(super) fn verdict(&self) -> String {
        let clients = counted(self.users().count(), "client");
        if self.users().next().is_none() && self.unreadable.is_empty() {
            let nothing = "nothing of the library is needed or offered".to_owned();
            let legacy = self.clients.iter().filter(|client| client.legacy.is_some()).count();
            let speak = if legacy == 1 { "speaks" } else { "speak" };
            return match legacy {
                0 => nothing,
                _ => format!("{nothing}; {} {speak} the legacy generation of the ABI", counted(legacy, "client")),
            };
        }
        if self.in_need().next().is_none() && self.errors() == 0 {
            return format!("{clients}, which need nothing of the library");
        }
        match (self.errors(), &self.against) {
            (0, Some(against)) => format!("{clients}: {} has what is needed", against.told()),
            (0, None) => format!("{clients}: what is needed is in {}", self.range(&self.common_releases())),
            (errors, Some(against)) => format!("{} against {}", counted(errors, "error"), against.told()),
            (errors, None) => format!("{clients}, {}", counted(errors, "error")),
        }
    }
}
