//! A call that is made again and again, with another of its requests for memory refused each time.

use std::ffi::c_int;

use tvm_ffi_spec::{clause::id, *};

use crate::{
    client::{Failure, Owned, Verdict, set_failed},
    trial::{
        Trial,
        scarcity::{Refused, Scarcity},
    },
};

/// A text that no value holds by itself.
pub(super) const LONG: &std::ffi::CStr = c"a text that is too long to lie in a value";

/// How many requests of one call are refused in turn, at the most: no call that is tried here makes as many.
const MOST: usize = 400;
/// Behind how many of these the call is made again at once, with memory.
const AGAIN: usize = 4;
/// How many calls in a row have to keep something for it to be a leak: a table grows now and then, and a cache until it is full.
const IN_A_ROW: usize = 250;

/// A call, what comes before it, and what may be seen after it.
pub(super) struct Call<'a, S> {
    /// What is called, for messages.
    pub name: &'a str,
    /// Makes what the call works with.
    pub prepare: &'a dyn Fn() -> Verdict<S>,
    /// Makes the call and writes what it gives, if anything, which is owned.
    pub run: &'a dyn Fn(&S, &mut TVMFFIAny) -> c_int,
    /// Looks at what the call has worked with, and at what it has given: nothing if it has failed.
    pub look: &'a dyn Fn(&S, Option<&Owned>) -> Verdict,
    /// Whether a call that has succeeded has left what it has worked with as it was. One that fails has to.
    pub is_left: &'a dyn Fn(&S) -> bool,
    /// Whether a failure leaves an error raised.
    pub raises: bool,
    /// Whether what is done stays for the life of the process, so that memory is kept.
    pub lasts: bool,
}

/// Which requests are refused, and what the clauses are about what is reported, what is lost, and what is kept.
#[derive(Clone, Copy)]
pub(super) struct Shortage {
    requests: fn(usize) -> Refused,
    clauses: [&'static str; 3],
}

impl Shortage {
    /// The clause that a call has broken which has failed and left things otherwise than they were: with more, which it keeps, or with less.
    pub fn about(self, is_more: bool) -> &'static str {
        self.clauses[if is_more { 2 } else { 1 }]
    }

    /// The number that is tried behind this one. Where all that follow are refused, too, two neighbours show much the same.
    fn behind(self, number: usize) -> usize {
        const FEW: usize = 8;
        number + if number > FEW && matches!((self.requests)(number), Refused::From(_)) { 5 } else { 1 }
    }

    /// Makes a call that is refused the request of that number, and says whether it made one.
    pub fn refuse<R>(self, scarcity: &Scarcity, number: usize, call: impl FnOnce() -> R) -> (R, bool) {
        scarcity.refuse((self.requests)(number), call)
    }
}

/// One request is refused, and there is memory for the next.
pub(super) const PASSING: Shortage =
    Shortage { requests: Refused::Only, clauses: [id::MEM_0001, id::MEM_0002, id::MEM_0003] };
/// Nothing is left.
pub(super) const LASTING: Shortage = Shortage { requests: Refused::From, clauses: [id::MEM_0005; 3] };
/// One request is refused where an error is made that nobody can be told of.
pub(super) const WHILE_RAISING: Shortage = Shortage { requests: Refused::Only, clauses: [id::MEM_0006; 3] };

/// What a call works with, and how many blocks of the target's it has.
type Prepared<S> = (S, isize);

/// What one attempt has come to.
struct Attempt {
    /// Whether a request was refused.
    refused: bool,
    /// How many blocks are left of it.
    kept: isize,
}

impl<S> Call<'_, S> {
    /// Makes the call again and again, with another request refused each time, until it makes no more. A call that goes wrong while nothing is
    /// refused is left to the checks that are about it.
    pub fn meets(&self, t: &Trial, shortage: Shortage) -> Verdict {
        let scarcity = t.scarcity()?;
        // The first call may fill tables that the others find filled.
        for _ in 0..2 {
            if self.attempt(t, &scarcity, usize::MAX, shortage, &mut None).is_err() {
                set_failed(false);
                return Ok(());
            }
        }
        let lasts = self.lasts || self.keeps_nothing(t, &scarcity, usize::MAX, shortage).is_err();
        set_failed(false);
        let (mut number, mut left) = (1, None);
        while number <= MOST {
            let noting = |failure: Box<Failure>| {
                failure.noting(format!("request number {number} for memory was refused to {}", self.name))
            };
            let is_left = left.is_some();
            let Attempt { refused, kept } = self.attempt(t, &scarcity, number, shortage, &mut left).map_err(noting)?;
            if kept > 0 && !lasts {
                self.keeps_nothing(t, &scarcity, number, shortage).map_err(noting)?;
            }
            match refused {
                true => number = shortage.behind(number),
                // What others have left may need fewer requests than what is new.
                false if is_left => left = None,
                false => break,
            }
        }
        Ok(())
    }

    /// Makes the call once, with what a failed one has left if there is any. Where it fails, too, it leaves that as it was, for the next: so
    /// the last one, of which nothing is refused, shows that all of them have. The first ones show it at once.
    fn attempt(
        &self,
        t: &Trial,
        scarcity: &Scarcity,
        number: usize,
        Shortage { requests, clauses: [reports, loses, keeps] }: Shortage,
        left: &mut Option<Prepared<S>>,
    ) -> Verdict<Attempt> {
        let start = scarcity.blocks();
        let (given, blocks) = match left.take() {
            Some(prepared) => prepared,
            None => {
                let given = (self.prepare)()?;
                (given, scarcity.blocks() - start)
            }
        };
        let before = scarcity.blocks();
        t.clause(reports);
        let mut out = TVMFFIAny::NONE;
        let (status, refused) = scarcity.refuse(requests(number), || (self.run)(&given, &mut out));
        if status == 0 {
            let answer = t.own(out);
            // A success that has not done it all is none.
            (self.look)(&given, Some(&answer))?;
            drop(answer);
            if (self.is_left)(&given) {
                *left = Some((given, blocks));
                return Ok(Attempt { refused, kept: scarcity.blocks() - before });
            }
            drop(given);
            return Ok(Attempt { refused, kept: scarcity.blocks() - (before - blocks) });
        }
        if !refused {
            t.clause(keeps);
            t.ok(status).map_err(|failure| failure.noting("with memory again"))?;
        }
        if self.raises {
            t.raises(status, &[])?;
        } else {
            let raised = t.take_raised().map_or("none".to_owned(), |raised| raised.kind);
            t.that(format_args!("the error raised by {}", self.name), raised == "none", "none", raised.as_str())?;
        }
        t.clause(loses);
        (self.look)(&given, None)?;
        let kept = scarcity.blocks() - before;
        if number > AGAIN {
            *left = Some((given, blocks));
            return Ok(Attempt { refused, kept });
        }
        t.clause(keeps);
        let (status, _) = scarcity.refuse(requests(usize::MAX), || (self.run)(&given, &mut out));
        t.ok(status).map_err(|failure| failure.noting("with memory again"))?;
        (self.look)(&given, Some(&t.own(out))).map_err(|failure| failure.noting("done again, with memory"))?;
        Ok(Attempt { refused, kept })
    }

    /// Expects no row of calls each of which keeps a block.
    fn keeps_nothing(&self, t: &Trial, scarcity: &Scarcity, number: usize, shortage: Shortage) -> Verdict {
        let (mut kept, mut left) = (0, None);
        for _ in 0..IN_A_ROW {
            kept = self.attempt(t, scarcity, number, shortage, &mut left)?.kept;
            if kept <= 0 {
                return Ok(());
            }
        }
        t.clause(shortage.clauses[2]);
        let kept = format!("{kept} more, after each of {IN_A_ROW} calls in a row");
        Err(t.leak(format_args!("blocks of memory that {} leaves", self.name), "none", kept))
    }
}

/// Expects an object of the caller's to have these counts of references after a call that has failed.
pub(super) fn counts_stay(t: &Trial, shortage: Shortage, what: &str, object: &Owned, expected: (u32, u32)) -> Verdict {
    let counts = t.counts(object.handle())?;
    t.clause(shortage.about(have_more(&[counts], &[expected])));
    t.eq(format_args!("counts of {what}"), counts, expected)
}

/// Whether any of these objects has more references than before. What has ended has none, or whatever its memory holds by then.
pub(super) fn have_more(counts: &[(u32, u32)], before: &[(u32, u32)]) -> bool {
    const MANY: u32 = 1000;
    counts.iter().zip(before).any(|(now, before)| now > before && now.0 < before.0 + MANY && now.1 < before.1 + MANY)
}

/// Puts an object that a call has given into the place for what it gives.
pub(super) fn given(status: c_int, object: TVMFFIObjectHandle, type_index: i32, out: &mut TVMFFIAny) -> c_int {
    if status == 0 {
        *out = TVMFFIAny::new(type_index, object as u64);
    }
    status
}
