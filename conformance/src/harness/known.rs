//! Known failures: what a target is known to break, and why that is tolerated.
//!
//! ```toml
//! [[known]]
//! check = "tensor.import-*"            # a check id or a glob
//! outcome = "crash"                    # the outcome that is known; or
//! message = "strides of the tensor"    # a part of the message that is known
//! reason = "Up to release 0.1.7 … (link)"
//! ```
//!
//! An entry that matches no check, stands there twice, or matches no failure any more is itself an error: a list that is
//! not true hides what it does not mention.

use std::{collections::BTreeSet, fs, io, path::Path};

use serde::{Deserialize, Serialize};
use tvm_ffi_reports::{CheckReport, Outcome};

use crate::harness::plan::IdGlob;

/// A known-failures file.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailures {
    /// The entries, in the order of the file.
    #[serde(rename = "known", default)]
    entries: Vec<Entry>,
}

/// One entry.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(deny_unknown_fields)]
struct Entry {
    check: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    reason: String,
}

impl KnownFailures {
    /// Reads a file. A file that does not exist is an error unless it is about to be written.
    pub fn read(path: &Path, to_be_written: bool) -> Result<Self, String> {
        match fs::read_to_string(path) {
            Ok(text) => toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display())),
            Err(error) if to_be_written && error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    /// Marks the failures that are known, and answers what is wrong with the list: entries among the checks that ran
    /// which name no failure of this run, and entries that stand there twice.
    pub fn apply(&self, checks: &mut [CheckReport], all_ids: &[&str]) -> Result<Vec<String>, String> {
        let mut problems = Vec::new();
        let mut seen = BTreeSet::new();
        for entry in &self.entries {
            let glob = IdGlob::parse(&entry.check).map_err(|error| format!("known failure: {error}"))?;
            if !seen.insert(entry.key()) {
                problems.push(format!("known failure `{}` is listed twice", entry.check));
            }
            if !all_ids.iter().any(|id| glob.matches(id)) {
                problems.push(format!("known failure `{}` names no check", entry.check));
                continue;
            }
            let mut chosen = checks.iter_mut().filter(|check| glob.matches(&check.id)).peekable();
            if chosen.peek().is_none() {
                // Not part of this run: nothing is known of it.
                continue;
            }
            let mut holds = false;
            for check in chosen.filter(|check| entry.describes(check)) {
                check.known.get_or_insert_with(|| entry.reason.clone());
                holds = true;
            }
            if !holds {
                problems.push(format!("known failure `{}` does not happen any more; remove it", entry.check));
            }
        }
        Ok(problems)
    }

    /// Rewrites the file so that it lists exactly the failures of this run; reasons already given are kept.
    pub fn bless(&self, path: &Path, checks: &[CheckReport]) -> io::Result<usize> {
        let failures = checks.iter().filter(|check| check.outcome.is_broken());
        let entries: Vec<_> = failures
            .map(|check| Entry {
                check: check.id.clone(),
                outcome: Some(check.outcome.to_string()),
                message: None,
                reason: check.known.clone().unwrap_or_else(|| format!("NOT YET EXPLAINED: {}", check.message())),
            })
            .collect();
        let count = entries.len();
        let text = toml::to_string(&Self { entries }).map_err(io::Error::other)?;
        fs::write(path, format!("# Known failures; see `tvm-ffi-verify check --help`.\n\n{text}"))?;
        Ok(count)
    }
}

impl Entry {
    fn key(&self) -> (String, Option<String>, Option<String>) {
        (self.check.clone(), self.outcome.clone(), self.message.clone())
    }

    fn describes(&self, check: &CheckReport) -> bool {
        let outcome = self.outcome.as_ref().is_none_or(|outcome| check.outcome.as_str() == outcome);
        let message = self.message.as_ref().is_none_or(|message| check.message().contains(message));
        check.outcome.is_broken() && check.outcome != Outcome::Error && outcome && message
    }
}
