//! What a check is.

use crate::client::Verdict;
use crate::trial::Trial;

/// One function that decides one or more clauses on a target.
#[derive(Debug)]
pub struct Check {
    /// Area and slug, such as `string.small-is-inline`; never changed and never used again.
    pub id: &'static str,
    /// What the target does if it conforms, as a sentence without its full stop.
    pub name: &'static str,
    /// The clauses it decides; the first is the one that a failure breaks unless the check says otherwise.
    pub clauses: &'static [&'static str],
    /// Decides them.
    pub run: fn(&Trial) -> Verdict,
    /// How many times the usual deadline it may take.
    pub patience: u32,
    /// The struct of the ABI whose layout it decides: where it fails, nothing can be said of what others read there.
    pub lays: Option<&'static str>,
    /// Whether it needs a process in which nothing has been called before, however checks are kept apart otherwise.
    pub fresh: bool,
    /// Why it tells nothing of a target that is built with a sanitizer, if that is so.
    pub plain: Option<&'static str>,
    /// The one generation of the ABI whose headers it is compiled with, if it is: it runs on libraries of no other.
    pub compiled_for: Option<&'static str>,
}

/// What `#[check]` leaves of a check, from which [`Check`] is made.
pub struct Declared {
    /// The path of the module that it stands in.
    pub module: &'static str,
    /// The name of its function.
    pub function: &'static str,
    /// Becomes [`Check::name`].
    pub sentence: &'static str,
    /// Becomes [`Check::clauses`].
    pub clauses: &'static [&'static str],
    /// Becomes [`Check::run`].
    pub run: fn(&Trial) -> Verdict,
    /// Becomes [`Check::patience`].
    pub patience: u32,
    /// Becomes [`Check::lays`].
    pub lays: Option<&'static str>,
    /// Becomes [`Check::fresh`].
    pub fresh: bool,
    /// Becomes [`Check::plain`].
    pub plain: Option<&'static str>,
    /// The line that it stands in.
    pub line: u32,
}
