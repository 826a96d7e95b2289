//! Answers that last: the same wherever in the life of a process they are asked for.

use std::fmt::Debug;

use super::Trial;
use crate::client::{Client, Verdict};

impl Trial<'_> {
    /// Expects a question to have one answer here, on another thread, in a copy of this process and in a copy of that, and in one that
    /// ends, when all that was to be done `atexit` has been done.
    pub fn lasts<Answer: PartialEq + Debug + Clone + Send + Sync>(
        &self,
        what: &str,
        ask: impl Fn(&Client) -> Verdict<Answer> + Sync,
    ) -> Verdict {
        let here = ask(self)?;
        let is_the_same = |client: &Client, place: &str| -> Verdict {
            client.eq(format_args!("{what}, asked for {place}"), ask(client)?, here.clone())
        };
        is_the_same(self, "again")?;
        self.threads(1, |t, _| is_the_same(t, "on another thread"))?;
        let in_a_copy = self.forked(|t| {
            let here = is_the_same(t, "in a copy of the process").is_ok();
            let in_its_copy = t.forked(|t| Ok(is_the_same(t, "in a copy of a copy").is_ok().into()))?;
            Ok(i64::from(here) + in_its_copy.unwrap_or_default() * 2)
        })?;
        let told = match in_a_copy {
            None => "the copy died",
            Some(0 | 2) => "another in a copy of the process",
            Some(1) => "another in a copy of a copy",
            Some(_) => "the same",
        };
        self.eq(format_args!("{what}, asked for in copies of the process"), told, "the same")?;
        self.while_exiting(|client| is_the_same(client, "while the process ends"))
    }
}
