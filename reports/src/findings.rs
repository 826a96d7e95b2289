//! What was found, in one form for every command: rules, findings that break or mention them, and a verdict.
//!
//! A command has an answer of its own type ([`Answer`](crate::Answer)); this is what its SARIF, Markdown and JUnit documents
//! are made of.

use crate::model::Tool;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something that is worth knowing.
    Note,
    /// Something that somebody should look at, and that does not count.
    Warning,
    /// Something that has the command exit with [`exit::DOES_NOT_CONFORM`](crate::exit::DOES_NOT_CONFORM), or worse.
    Error,
}

impl Severity {
    /// Its name, as in SARIF.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What findings are about: a clause, or something else that a command looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its id, such as `STR-0001` or `unknown-symbol`; it never changes its meaning.
    pub id: String,
    /// What has to hold, as a sentence.
    pub text: String,
    /// Why that matters; may be empty.
    pub why: String,
    /// The command that tells more of it, if there is one.
    pub help: Option<String>,
}

impl Rule {
    /// A rule of a command's own.
    pub fn new(id: &str, text: &str, why: &str) -> Self {
        Self { id: id.to_owned(), text: text.to_owned(), why: why.to_owned(), help: None }
    }
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The id of the rule.
    pub rule: String,
    /// How much it weighs.
    pub severity: Severity,
    /// What was found, in one line.
    pub message: String,
    /// The file that it is about.
    pub file: Option<String>,
    /// What of the file, where that is an archive or a folder: the path inside.
    pub member: Option<String>,
    /// What in there: a function, a type, a field.
    pub symbol: Option<String>,
    /// Why it is tolerated, if it is.
    pub known: Option<String>,
}

impl Finding {
    /// A finding about no place in particular.
    pub fn new(rule: &str, severity: Severity, message: impl Into<String>) -> Self {
        let (rule, message) = (rule.to_owned(), message.into());
        Self { rule, severity, message, file: None, member: None, symbol: None, known: None }
    }

    /// The same finding, in a file.
    pub fn in_file(self, file: impl Into<String>) -> Self {
        Self { file: Some(file.into()), ..self }
    }

    /// The same finding, about a symbol.
    pub fn about(self, symbol: impl Into<String>) -> Self {
        Self { symbol: Some(symbol.into()), ..self }
    }
}

/// What a command has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// The program.
    pub tool: Tool,
    /// The command, such as `audit`.
    pub command: String,
    /// What the command was asked about and how, key by key.
    pub facts: Vec<(&'static str, String)>,
    /// The verdict, in one line.
    pub verdict: String,
    /// What the process exits with.
    pub exit_code: u8,
    /// The rules that findings name, each once.
    pub rules: Vec<Rule>,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl Findings {
    /// Where the rule of a finding stands among the rules.
    pub(crate) fn rule_index(&self, finding: &Finding) -> Option<usize> {
        self.rules.iter().position(|rule| rule.id == finding.rule)
    }
}
