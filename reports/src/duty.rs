//! Duties: what one side of a call owes the other, as data. Functions of kernels have duties to their callers, clients to the library.

use tvm_ffi_spec::clause::Level;

use crate::findings::{Finding, Rule};

/// A duty.
#[derive(Debug, PartialEq, Eq)]
pub struct Duty {
    /// Its id, which never changes its meaning.
    pub id: &'static str,
    /// Whether breaking it counts, or is only mentioned.
    pub level: Level,
    /// What has to hold, as a sentence.
    pub text: &'static str,
    /// What comes of breaking it.
    pub why: &'static str,
    /// What it rests on: clauses, a document, or `safety`.
    pub sources: &'static [&'static str],
}

impl Duty {
    /// The duty as the rule that findings are about.
    pub fn rule(&self) -> Rule {
        Rule::new(self.id, self.text, &format!("{} ({})", self.why, self.sources.join(", ")))
    }
}

/// The duty with that id, among some.
pub fn find(duties: &'static [&'static Duty], id: &str) -> Option<&'static Duty> {
    duties.iter().copied().find(|duty| duty.id == id)
}

/// The duties that findings are about, as their rules.
pub(crate) fn rules_of(duties: &[&Duty], findings: &[Finding]) -> Vec<Rule> {
    let used = duties.iter().filter(|duty| findings.iter().any(|finding| finding.rule == duty.id));
    used.map(|duty| duty.rule()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_are_unique_and_sentences_end() {
        for duties in [crate::kernel::rules::RULES, crate::watch::rules::RULES] {
            for (place, duty) in duties.iter().enumerate() {
                assert_eq!(duties.iter().position(|other| other.id == duty.id), Some(place), "{}", duty.id);
                assert!(duty.text.ends_with('.') && duty.why.ends_with('.'), "{}", duty.id);
                assert!(!duty.sources.is_empty(), "{}", duty.id);
            }
        }
    }
}
