//! A call of a function object, and all that may be seen of it where memory is refused.

use std::{cell::Cell, ffi::c_int};

use tvm_ffi_spec::*;

use super::kit::{Call, Shortage, have_more};
use crate::{
    client::{Outline, Owned, Verdict, globals, memory::Snapshot, set_failed},
    trial::Trial,
};

/// A call of a function: what fails leaves its arguments as they were, and what succeeds does what it does where no memory is refused.
pub(super) struct FunctionCall<'a> {
    pub name: &'a str,
    pub args: &'a dyn Fn() -> Verdict<Vec<Owned>>,
    /// The types of nodes that may lie in the arguments and in the answer.
    pub nodes: &'a [i32],
    /// What else the call changes: as much with a shortage as without one, if it succeeds.
    pub measure: &'a dyn Fn(&[Owned]) -> Verdict<usize>,
    /// Whether that is as before where the call fails, and not something that has happened by then.
    pub is_undone: bool,
    /// Whether the call is one that fails, with this error or another.
    pub fails: bool,
}

/// The arguments of a call, with what was to be seen of them before it.
struct Given {
    args: Vec<Owned>,
    outline: Outline,
    counts: Vec<(u32, u32)>,
    memory: Snapshot,
    measure: Cell<usize>,
}

impl<'a> FunctionCall<'a> {
    pub fn new(name: &'a str, args: &'a dyn Fn() -> Verdict<Vec<Owned>>) -> Self {
        Self { name, args, nodes: &[], measure: &|_| Ok(0), is_undone: true, fails: false }
    }

    /// A call that fails, also where no memory is refused.
    pub fn failing(name: &'a str, args: &'a dyn Fn() -> Verdict<Vec<Owned>>) -> Self {
        Self { is_undone: false, fails: true, ..Self::new(name, args) }
    }

    /// The call of the global function of that name, which is left out if the target lacks it.
    pub fn meets(&self, t: &Trial, shortage: Shortage) -> Verdict {
        match globals::find(t, self.name)? {
            Some(function) => self.meets_in(t, shortage, &function),
            None => Ok(()),
        }
    }

    /// The call of this function.
    pub fn meets_in(&self, t: &Trial, shortage: Shortage, function: &Owned) -> Verdict {
        // What goes wrong without a shortage is left to the checks that are about it.
        let without_shortage = || -> Verdict<Option<(String, usize)>> {
            let given = self.given(t)?;
            match t.answer_of(function.handle(), &views(&given.args))? {
                Ok(answer) if !self.fails => self.outcome(t, &given, &answer).map(Some),
                Err(_) if self.fails => Ok(Some(Default::default())),
                _ => Ok(None),
            }
        };
        let Ok(Some((expected, expected_measure))) = without_shortage() else {
            set_failed(false);
            return Ok(());
        };
        Call {
            name: self.name,
            prepare: &|| self.given(t),
            run: &|given, out| match t.try_call(function, &views(&given.args), out) {
                status if self.fails => c_int::from(status == 0),
                status => status,
            },
            look: &|given, answer| {
                let answer = answer.filter(|_| !self.fails);
                if self.fails {
                    let raised = t.take_raised().is_some();
                    t.that(format_args!("the error that {} raises", self.name), raised, "an Error", "none")?;
                }
                let Some(answer) = answer else { return self.is_as_before(t, shortage, given) };
                let (outcome, measure) = self.outcome(t, given, answer)?;
                t.eq(format_args!("the arguments and the answer of {}", self.name), &outcome, &expected)?;
                t.eq(format_args!("what {} was to change", self.name), measure, expected_measure)
            },
            is_left: &|given| {
                given.memory.is_unchanged()
                    && (self.measure)(&given.args).is_ok_and(|measure| measure == given.measure.get())
            },
            raises: true,
            lasts: false,
        }
        .meets(t, shortage)
    }

    fn given(&self, t: &Trial) -> Verdict<Given> {
        let args = (self.args)()?;
        let (outline, memory) = Snapshot::of(|| -> Verdict<_> {
            let outline = t.outline_of_all(&views(&args), self.nodes)?;
            Ok((counts(t, &outline)?, outline))
        });
        let (counts, outline) = outline?;
        Ok(Given { counts, measure: Cell::new((self.measure)(&args)?), args, outline, memory })
    }

    /// What comes of the call: in the arguments, in its answer, which may share objects with them, and beside.
    fn outcome(&self, t: &Trial, given: &Given, answer: &Owned) -> Verdict<(String, usize)> {
        let args = match given.memory.is_unchanged() {
            true => given.outline.clone(),
            false => t.outline_of_all(&views(&given.args), self.nodes)?,
        };
        let measure = (self.measure)(&given.args)?.wrapping_sub(given.measure.get());
        Ok((t.outline_behind(args, &[answer.any()], self.nodes)?.text, measure))
    }

    /// What a call that has failed was given, and what it was to change.
    fn is_as_before(&self, t: &Trial, shortage: Shortage, given: &Given) -> Verdict {
        let name = self.name;
        let is_unchanged = given.memory.is_unchanged();
        let outline = if is_unchanged { None } else { Some(t.outline_of_all(&views(&given.args), self.nodes)?) };
        if let Some(outline) = &outline {
            let what = format_args!("the arguments of {name}, which has failed");
            t.eq(what, &outline.text, &given.outline.text)?;
        }
        let before = given.measure.replace((self.measure)(&given.args)?);
        if self.is_undone {
            t.clause(shortage.about(given.measure.get() > before));
            t.eq(format_args!("what {name} was to change"), given.measure.get(), before)?;
        }
        let Some(outline) = outline else { return Ok(()) };
        let counts = counts(t, &outline)?;
        t.clause(shortage.about(have_more(&counts, &given.counts)));
        t.eq(format_args!("counts of what {name} was given"), &counts, &given.counts)
    }
}

fn views(args: &[Owned]) -> Vec<TVMFFIAny> {
    args.iter().map(Owned::any).collect()
}

fn counts(t: &Trial, outline: &Outline) -> Verdict<Vec<(u32, u32)>> {
    outline.objects.iter().map(|object| t.counts(*object as TVMFFIObjectHandle)).collect()
}
