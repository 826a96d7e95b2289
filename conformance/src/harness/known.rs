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
//! An entry without an outcome is about whatever breaks a clause. A check that is blocked breaks none, and could not be run: only
//! `outcome = "blocked"` tolerates that, so that a glob does not hide what is not looked at any more.
//!
//! An entry that matches no check, stands there twice, or matches no failure any more is itself an error: a list that is
//! not true hides what it does not mention. The list is edited in place, so that what people wrote stays. The interface to
//! the `toml_edit` crate is here and nowhere else.

use std::collections::BTreeSet;

use serde::Deserialize;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};
use tvm_ffi_reports::{CheckReport, Outcome};

use crate::harness::plan::IdGlob;

/// What the table of entries is called.
const KNOWN: &str = "known";
/// How a new list begins.
const HEAD: &str = "# Known failures; `tvm-ffi-verify check --help` says what an entry holds.\n";

/// A list of known failures.
#[derive(Debug, Default)]
pub struct KnownFailures {
    /// The entries, in the order of the file.
    entries: Vec<Entry>,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "known", default)]
    entries: Vec<Written>,
}

/// One entry as it is written.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(deny_unknown_fields)]
struct Written {
    check: String,
    outcome: Option<String>,
    message: Option<String>,
    reason: String,
}

#[derive(Debug)]
struct Entry {
    written: Written,
    glob: IdGlob,
}

impl KnownFailures {
    /// Reads a list.
    pub fn parse(text: String) -> Result<Self, String> {
        let file: File = toml::from_str(&text).map_err(|error| error.to_string())?;
        let entry = |written: Written| Ok(Entry { glob: IdGlob::parse(&written.check)?, written });
        Ok(Self { entries: file.entries.into_iter().map(entry).collect::<Result<_, String>>()?, text })
    }

    /// Whether a failure of that check may be.
    pub fn name(&self, check: &str) -> bool {
        self.entries.iter().any(|entry| entry.glob.matches(check))
    }

    /// Whether a failure is known.
    pub fn describe(&self, check: &CheckReport) -> bool {
        self.entries.iter().any(|entry| entry.describes(check))
    }

    /// Marks a failure that is known.
    pub fn mark(&self, check: &mut CheckReport) {
        let entry = self.entries.iter().find(|entry| entry.describes(check));
        check.known = entry.map(|entry| entry.written.reason.clone());
    }

    /// What is not true in the list: entries that name no check or stand there twice, and of those for checks that have all
    /// ended, or of which one has, if it is the only one that they name, those that name no failure.
    pub fn untrue(&self, checks: &[CheckReport], all_ids: &[&str]) -> Vec<String> {
        let mut problems = Vec::new();
        let mut seen = BTreeSet::new();
        for entry in &self.entries {
            let Written { check, outcome, message, .. } = &entry.written;
            if !seen.insert((check, outcome, message)) {
                problems.push(format!("known failure `{check}` is listed twice"));
            }
            if !all_ids.iter().any(|id| entry.glob.matches(id)) {
                problems.push(format!("known failure `{check}` names no check"));
            } else if entry.is_past(checks, all_ids) {
                problems.push(format!("known failure `{check}` does not happen any more; remove it"));
            }
        }
        problems
    }

    /// The list as it is true for these checks: entries for what no longer happens go, failures that it does not know come,
    /// and everything else stays as it is written.
    pub fn blessed(&self, checks: &[CheckReport], all_ids: &[&str]) -> Result<Self, String> {
        // Comments without an entry would come last in a document.
        let (head, body) = match (self.entries.is_empty(), self.text.trim().is_empty()) {
            (true, true) => (HEAD, ""),
            (true, false) => (self.text.as_str(), ""),
            (false, _) => ("", self.text.as_str()),
        };
        let mut document: DocumentMut = body.parse().map_err(|error| format!("{error}"))?;
        let list = document.entry(KNOWN).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
        let list = list.as_array_of_tables_mut().ok_or("`known` is no list of tables: write `[[known]]`")?;
        for (place, entry) in self.entries.iter().enumerate().rev() {
            if entry.is_past(checks, all_ids) {
                remove(list, place);
            }
        }
        for check in checks.iter().filter(|check| check.outcome.is_unmet() && check.known.is_none()) {
            let mut table = Table::new();
            table.insert("check", value(&check.id));
            table.insert("outcome", value(check.outcome.as_str()));
            table.insert("reason", value(format!("NOT YET EXPLAINED: {}", check.message())));
            table.decor_mut().set_prefix("\n");
            list.push(table);
        }
        Self::parse(format!("{head}{document}"))
    }

    /// The list as it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many entries it has.
    pub fn count(&self) -> usize {
        self.entries.len()
    }
}

/// Removes an entry with the comment right above it. What stands above that, such as the head of the list, stays.
fn remove(list: &mut ArrayOfTables, place: usize) {
    let above =
        |table: &Table| table.decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default().to_owned();
    let prefix = list.get(place).map(above).unwrap_or_default();
    let kept = prefix.rfind("\n\n").map_or("", |end| &prefix[..end + 1]).to_owned();
    list.remove(place);
    if let (Some(next), false) = (list.get_mut(place), kept.trim().is_empty()) {
        let prefix = kept + &above(next);
        next.decor_mut().set_prefix(prefix);
    }
}

impl Entry {
    fn describes(&self, check: &CheckReport) -> bool {
        let Written { outcome, message, .. } = &self.written;
        // Nothing is known of a check that could not run, unless it is that.
        let outcome = match outcome {
            Some(outcome) => check.outcome.is_unmet() && check.outcome.as_str() == outcome,
            None => check.outcome.is_broken(),
        };
        let message = message.as_ref().is_none_or(|message| check.message().contains(message));
        self.glob.matches(&check.id) && outcome && message
    }

    /// Whether every check that it names has ended, and none as it says. One that is blocked did not show whether it would.
    fn is_past(&self, checks: &[CheckReport], all_ids: &[&str]) -> bool {
        let mut named = all_ids.iter().filter(|id| self.glob.matches(id)).peekable();
        let ended = |id: &&&str| checks.iter().find(|check| check.id == **id);
        named.peek().is_some()
            && named
                .all(|id| ended(&id).is_some_and(|check| check.outcome != Outcome::Blocked && !self.describes(check)))
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    const IDS: &[&str] = &["a.one", "a.two", "b.one"];

    fn blessed(text: &str, checks: &[(&str, Outcome)]) -> String {
        let list = KnownFailures::parse(text.to_owned()).unwrap();
        let mut checks: Vec<_> = checks.iter().map(|(id, outcome)| CheckReport::new(*id, *outcome)).collect();
        checks.iter_mut().for_each(|check| list.mark(check));
        list.blessed(&checks, IDS).unwrap().text().to_owned()
    }

    const LIST: &str = r#"# What the release breaks.

# Mended in the next one.
[[known]]
check = "b.one"   # the only one
outcome = "crash"
reason = "B."

[[known]]
check = "a.*"
reason = "A."
"#;

    #[test]
    fn what_did_not_run_stays_as_it_is_written() {
        assert_eq!(blessed(LIST, &[]), LIST);
        assert_eq!(blessed(LIST, &[("a.one", Outcome::Pass)]), LIST);
        assert_eq!(blessed(LIST, &[("a.one", Outcome::Pass), ("a.two", Outcome::Fail)]), LIST);
        assert_eq!(blessed(LIST, &[("b.one", Outcome::Crash)]), LIST);
    }

    #[test]
    fn what_no_longer_happens_goes_and_the_head_stays() {
        let expected = "# What the release breaks.\n\n[[known]]\ncheck = \"a.*\"\nreason = \"A.\"\n";
        assert_eq!(blessed(LIST, &[("b.one", Outcome::Pass)]), expected);
        let rest = LIST.split("\n[[known]]\ncheck = \"a.*\"").next().unwrap();
        assert_eq!(blessed(LIST, &[("a.one", Outcome::Pass), ("a.two", Outcome::Pass)]), rest);
    }

    #[test]
    fn what_is_blocked_is_known_only_where_that_is_said() {
        let (any, blocked) = ("[[known]]\ncheck = \"b.*\"\nreason = \"B.\"\n", "outcome = \"blocked\"\n");
        let only = format!("{any}{blocked}");
        let said = |text: &str, outcome| {
            KnownFailures::parse(text.to_owned()).unwrap().describe(&CheckReport::new("b.one", outcome))
        };
        assert_eq!(
            [said(any, Outcome::Fail), said(any, Outcome::Blocked), said(any, Outcome::Error)],
            [true, false, false]
        );
        assert_eq!([said(&only, Outcome::Fail), said(&only, Outcome::Blocked)], [false, true]);
        // Whether it would still fail is not known; that it is not blocked any more is.
        let untrue = |text: &str, outcome| {
            KnownFailures::parse(text.to_owned()).unwrap().untrue(&[CheckReport::new("b.one", outcome)], IDS).len()
        };
        assert_eq!([untrue(any, Outcome::Blocked), untrue(any, Outcome::Pass)], [0, 1]);
        assert_eq!([untrue(&only, Outcome::Blocked), untrue(&only, Outcome::Fail)], [0, 1]);
    }

    #[test]
    fn what_is_not_known_is_added_at_the_end() {
        let added = "\n[[known]]\ncheck = \"b.one\"\noutcome = \"fail\"\nreason = \"NOT YET EXPLAINED: fail\"\n";
        assert_eq!(blessed("", &[("b.one", Outcome::Fail)]), format!("{HEAD}{added}"));
        assert_eq!(blessed("# Mine.\n", &[("b.one", Outcome::Fail)]), format!("# Mine.\n{added}"));
        let one = "[[known]]\ncheck = \"a.one\"\nreason = \"A.\"\n";
        assert_eq!(blessed(one, &[("a.one", Outcome::Fail), ("b.one", Outcome::Fail)]), format!("{one}{added}"));
    }
}
