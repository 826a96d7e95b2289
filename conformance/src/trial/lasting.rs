//! Answers that last: the same wherever in the life of a process they are asked for.

use std::fmt::Debug;

use super::Trial;
use crate::client::{Client, Verdict};

impl Trial<'_> {
    /// Expects a question to have one answer here, on another thread and while one ends that has asked before, in a copy of this process
    /// and in a copy of that, and in one that ends, when all that was to be done `atexit` has been done.
    pub fn lasts<Answer: PartialEq + Debug + Clone + Send + Sync>(
        &self,
        what: &str,
        ask: impl Fn(&Client) -> Verdict<Answer> + Sync,
    ) -> Verdict {
        let here = self.lasts_in_copies(what, &ask)?;
        let is_the_same = |client: &Client, place: &str| is_answer(client, what, place, &ask, &here);
        self.threads(1, |t, _| is_the_same(t, "on another thread"))?;
        self.while_a_thread_ends(
            |client| is_the_same(client, "on a thread that will end"),
            |client| is_the_same(client, "while a thread ends"),
        )?;
        self.while_exiting(|client| is_the_same(client, "while the process ends"))
    }

    /// Expects a question to have one answer here, again, in a copy of this process and in a copy of that, also where the answer is this
    /// thread's alone, and answers it.
    pub fn lasts_in_copies<Answer: PartialEq + Debug + Clone>(
        &self,
        what: &str,
        ask: impl Fn(&Client) -> Verdict<Answer>,
    ) -> Verdict<Answer> {
        let here = ask(self)?;
        let is_the_same = |client: &Client, place: &str| is_answer(client, what, place, &ask, &here);
        is_the_same(self, "again")?;
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
        is_the_same(self, "when copies have ended")?;
        Ok(here)
    }
}

/// Expects a question to have that answer at a place.
fn is_answer<Answer: PartialEq + Debug + Clone>(
    client: &Client,
    what: &str,
    place: &str,
    ask: impl Fn(&Client) -> Verdict<Answer>,
    answer: &Answer,
) -> Verdict {
    client.eq(format_args!("{what}, asked for {place}"), ask(client)?, answer.clone())
}
