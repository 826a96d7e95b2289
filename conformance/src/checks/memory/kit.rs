//! A call that is made again and again, with another of its requests for memory refused each time.

use std::ffi::c_int;

use tvm_ffi_spec::{clause::id, *};

use crate::{
    client::{Failure, Outline, Owned, Verdict, globals, set_failed},
    trial::{
        Trial,
        scarcity::{Refused, Scarcity},
    },
};

/// A text that no value holds by itself.
pub(super) const LONG: &std::ffi::CStr = c"a text that is too long to lie in a value";

/// How many requests of one call are refused in turn, at the most: no call that is tried here makes as many.
const MOST: usize = 400;
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

impl<S> Call<'_, S> {
    /// Makes the call again and again, with another request refused each time, until it makes no more. A call that goes wrong while nothing is
    /// refused is left to the checks that are about it.
    pub fn meets(&self, t: &Trial, shortage: Shortage) -> Verdict {
        let scarcity = t.scarcity()?;
        // The first call may fill tables that the others find filled.
        for _ in 0..2 {
            if self.attempt(t, &scarcity, usize::MAX, shortage).is_err() {
                set_failed(false);
                return Ok(());
            }
        }
        let lasts = self.lasts || self.keeps_nothing(t, &scarcity, usize::MAX, shortage).is_err();
        set_failed(false);
        for number in 1..=MOST {
            let noting = |failure: Box<Failure>| {
                failure.noting(format!("request number {number} for memory was refused to {}", self.name))
            };
            if !self.attempt(t, &scarcity, number, shortage).map_err(noting)? {
                break;
            }
            if !lasts {
                self.keeps_nothing(t, &scarcity, number, shortage).map_err(noting)?;
            }
        }
        Ok(())
    }

    /// Makes the call once. Answers whether a request was refused.
    fn attempt(
        &self,
        t: &Trial,
        scarcity: &Scarcity,
        number: usize,
        Shortage { requests, clauses: [reports, loses, keeps] }: Shortage,
    ) -> Verdict<bool> {
        let before = (self.prepare)()?;
        t.clause(reports);
        let mut out = TVMFFIAny::NONE;
        let (status, refused) = scarcity.refuse(requests(number), || (self.run)(&before, &mut out));
        let answer = match status {
            0 => Some(t.own(out)),
            _ if !refused => {
                t.clause(keeps);
                return t.ok(status).map(|()| false);
            }
            _ if self.raises => t.raises(status, &[]).map(|_| None)?,
            _ => {
                let raised = t.take_raised().map_or("none".to_owned(), |raised| raised.kind);
                t.that(format_args!("the error raised by {}", self.name), raised == "none", "none", raised.as_str())?;
                None
            }
        };
        // A success that has not done it all is none.
        t.clause(if answer.is_some() { reports } else { loses });
        (self.look)(&before, answer.as_ref())?;
        if answer.is_none() {
            t.clause(keeps);
            let (status, _) = scarcity.refuse(requests(usize::MAX), || (self.run)(&before, &mut out));
            t.ok(status).map_err(|failure| failure.noting("with memory again"))?;
            (self.look)(&before, Some(&t.own(out))).map_err(|failure| failure.noting("done again, with memory"))?;
        }
        Ok(refused)
    }

    /// Expects no row of calls each of which keeps a block.
    fn keeps_nothing(&self, t: &Trial, scarcity: &Scarcity, number: usize, shortage: Shortage) -> Verdict {
        let mut kept = 0;
        for _ in 0..IN_A_ROW {
            let before = scarcity.blocks();
            self.attempt(t, scarcity, number, shortage)?;
            kept = scarcity.blocks() - before;
            if kept <= 0 {
                return Ok(());
            }
        }
        t.clause(shortage.clauses[2]);
        let kept = format!("{kept} more, after each of {IN_A_ROW} calls in a row");
        Err(t.leak(format_args!("blocks of memory that {} leaves", self.name), "none", kept))
    }
}

/// A call of a global function, which is left out if the target lacks it: what fails leaves its arguments as they were, and what succeeds does what it does
/// where no memory is refused.
pub(super) struct GlobalCall<'a> {
    pub name: &'a str,
    pub args: &'a dyn Fn() -> Verdict<Vec<Owned>>,
    /// What else the call changes: as much with a shortage as without one, if it succeeds.
    pub measure: &'a dyn Fn(&[Owned]) -> Verdict<usize>,
    /// Whether that is as before where the call fails, and not something that has happened by then.
    pub is_undone: bool,
}

/// The arguments of a call, with what was to be seen of them before it.
struct Given {
    args: Vec<Owned>,
    outline: Outline,
    counts: Vec<(u32, u32)>,
    measure: usize,
}

impl<'a> GlobalCall<'a> {
    pub fn new(name: &'a str, args: &'a dyn Fn() -> Verdict<Vec<Owned>>) -> Self {
        Self { name, args, measure: &|_| Ok(0), is_undone: true }
    }

    pub fn meets(&self, t: &Trial, shortage: Shortage) -> Verdict {
        let Some(function) = globals::find(t, self.name)? else { return Ok(()) };
        let name = self.name;
        let views = |args: &[Owned]| args.iter().map(Owned::any).collect::<Vec<_>>();
        let counts = |outline: &Outline| -> Verdict<Vec<_>> {
            outline.objects.iter().map(|object| t.counts(*object as TVMFFIObjectHandle)).collect()
        };
        let prepare = || -> Verdict<Given> {
            let args = (self.args)()?;
            let outline = t.outline_of_all(&views(&args), &[])?;
            Ok(Given { counts: counts(&outline)?, measure: (self.measure)(&args)?, args, outline })
        };
        // What comes of the call: in the arguments, in its answer, which may share objects with them, and beside.
        let outcome = |given: &Given, answer: &Owned| -> Verdict<(String, usize)> {
            let values = [&views(&given.args)[..], &[answer.any()]].concat();
            let measure = (self.measure)(&given.args)?.wrapping_sub(given.measure);
            Ok((t.outline_of_all(&values, &[])?.text, measure))
        };
        // What goes wrong without a shortage is left to the checks that are about it.
        let without_shortage = || -> Verdict<Option<(String, usize)>> {
            let given = prepare()?;
            let answer = t.answer_of(function.handle(), &views(&given.args))?;
            answer.ok().map(|answer| outcome(&given, &answer)).transpose()
        };
        let Ok(Some((expected, expected_measure))) = without_shortage() else {
            set_failed(false);
            return Ok(());
        };
        Call {
            name,
            prepare: &prepare,
            run: &|given, out| t.try_call(&function, &views(&given.args), out),
            look: &|given, answer| {
                let Some(answer) = answer else {
                    let outline = t.outline_of_all(&views(&given.args), &[])?;
                    t.eq(
                        format_args!("the arguments of {name}, which has failed"),
                        &outline.text,
                        &given.outline.text,
                    )?;
                    let measure = if self.is_undone { (self.measure)(&given.args)? } else { given.measure };
                    t.clause(shortage.about(measure > given.measure));
                    t.eq(format_args!("what {name} was to change"), measure, given.measure)?;
                    let counts = counts(&outline)?;
                    t.clause(shortage.about(have_more(&counts, &given.counts)));
                    return t.eq(format_args!("counts of what {name} was given"), &counts, &given.counts);
                };
                let (outcome, measure) = outcome(given, answer)?;
                t.eq(format_args!("the arguments and the answer of {name}"), &outcome, &expected)?;
                t.eq(format_args!("what {name} was to change"), measure, expected_measure)
            },
            raises: true,
            lasts: false,
        }
        .meets(t, shortage)
    }
}

/// Expects an object of the caller's to have these counts of references after a call that has failed.
pub(super) fn counts_stay(t: &Trial, shortage: Shortage, what: &str, object: &Owned, expected: (u32, u32)) -> Verdict {
    let counts = t.counts(object.handle())?;
    t.clause(shortage.about(have_more(&[counts], &[expected])));
    t.eq(format_args!("counts of {what}"), counts, expected)
}

/// Whether any of these objects has more references than before. What has ended has none, or whatever its memory holds by then.
fn have_more(counts: &[(u32, u32)], before: &[(u32, u32)]) -> bool {
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
