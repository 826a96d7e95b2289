//! Whatever a callback answers, and whatever value it is asked about.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::{clause::id, *};

use super::{
    hooks::visit_second,
    interrupts::carried,
    kit::{EVERYTHING, POST, PRE, answer_chosen, choose_value, entries, triples},
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        globals,
        node::{node, node_type},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// A walk in pre order enters all values but those for which the callback answers 1, and one in post order meets every value, whichever of None,
/// 0 and 1 the callback answers, for whichever value, and whatever that is and stands in.
#[check(VIS_0010, VIS_0001, VIS_0002)]
fn walk_goes_on_after_each_answer(t: &Trial) -> Verdict {
    let walk = t.global("ffi.StructuralWalk")?;
    let (none, list) = (entries(t, &[])?, entries(t, &[(EVERYTHING, follow)])?);
    for (what, root) in trees(t)? {
        for (order, clause) in [(PRE, id::VIS_0001), (POST, id::VIS_0002)] {
            let all = root.met(order, &|_| false);
            for at in (0..all.len()).map(Some).chain([None]) {
                for answer in [TVMFFIAny::NONE, view::int(0), view::int(1)] {
                    let skips = answer.type_index == kTVMFFIInt && answer.payload() == 1;
                    let expected = root.met(order, &|met| skips && at.is_none_or(|at| at == met));
                    // Where nothing is said by the answer, a walk that goes elsewhere breaks what says where it goes.
                    t.clause(if answer.type_index == kTVMFFINone { clause } else { id::VIS_0010 });
                    *script() = Script { at, answer, met: Vec::new() };
                    let told = at.is_some_and(|at| at % 2 == 1);
                    let [plain, of_regions] = if told { [&none, &list] } else { [&list, &none] };
                    let args = [root.any, plain.any(), of_regions.any(), view::int(order)];
                    let ended = t.call(&walk, &args)?;
                    let what = format!("a walk of {what} in order {order} that is answered {answer:?} at {at:?}");
                    t.any_eq(format_args!("the answer of {what}"), &ended.any(), &TVMFFIAny::NONE)?;
                    t.eq(format_args!("what is met by {what}"), std::mem::take(&mut script().met), expected)?;
                }
            }
        }
    }
    Ok(())
}

/// What [`follow`] answers, and what it was called with.
struct Script {
    /// The call that is answered so, or all.
    at: Option<usize>,
    answer: TVMFFIAny,
    met: Vec<Met>,
}

/// A value by its type index and its payload.
type Met = (i32, u64);

static SCRIPT: Mutex<Script> = Mutex::new(Script { at: None, answer: TVMFFIAny::NONE, met: Vec::new() });

fn script() -> std::sync::MutexGuard<'static, Script> {
    SCRIPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes the value, and answers as the script has it. Integers are the keys, of which nothing is said.
fn follow(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let (value, mut script) = (args.first()?, script());
    if value.type_index == kTVMFFIInt {
        return Some(TVMFFIAny::NONE);
    }
    let at = script.met.len();
    script.met.push((value.type_index, value.payload()));
    Some(if script.at.is_none_or(|chosen| chosen == at) { script.answer } else { TVMFFIAny::NONE })
}

/// A value with those of its parts that a walk meets.
struct Tree {
    any: TVMFFIAny,
    parts: Vec<Tree>,
    _owner: Owned,
}

impl Tree {
    fn new(owner: Owned, parts: Vec<Self>) -> Self {
        Self { any: owner.any(), parts, _owner: owner }
    }

    /// What a walk meets that does not enter the values of these places in the order of the calls.
    fn met(&self, order: i64, skips: &dyn Fn(usize) -> bool) -> Vec<Met> {
        let mut met = Vec::new();
        self.meet(order, skips, &mut met);
        met
    }

    fn meet(&self, order: i64, skips: &dyn Fn(usize) -> bool, met: &mut Vec<Met>) {
        let own = (self.any.type_index, self.any.payload());
        let at = met.len();
        if order == PRE {
            met.push(own);
        }
        if order == POST || !skips(at) {
            self.parts.iter().for_each(|part| part.meet(order, skips, met));
        }
        if order == POST {
            met.push(own);
        }
    }
}

/// Containers of every kind, objects with fields, and objects that a function of their type visits, each within each.
fn trees(t: &Trial) -> Verdict<Vec<(String, Tree)>> {
    let plain = node_type(t, "verify.visit.Answered", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let hooked = node_type(t, "verify.visit.AnsweredHooked", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let mut kinds: Vec<(&str, i32)> = t.containers()?.into_iter().map(|make| (make, 0)).collect();
    kinds.push(("an object", plain));
    if globals::find(t, "ffi.StructuralVisitorVisit")?.is_some() {
        t.set_hook(hooked, "__s_visit__", &t.callback(visit_second)?.any())?;
        kinds.push(("an object with a hook", hooked));
    }
    let leaf = |value: f64| Tree::new(t.own(view::float(value)), Vec::new());
    let hold = |(make, kind): (&str, i32), first: Tree, second: Tree| -> Verdict<Tree> {
        let [one, other] = [first.any, second.any];
        let owner = match make {
            "ffi.Array" | "ffi.List" => t.call_global(make, &[one, other])?,
            "ffi.Map" | "ffi.Dict" => t.call_global(make, &[view::int(1), one, view::int(2), other])?,
            _ => t.own(node(kind, one, other).view()),
        };
        let both = if kind == hooked { vec![second] } else { vec![first, second] };
        Ok(Tree::new(owner, both))
    };
    let mut all = Vec::new();
    for (outer, inner) in kinds.iter().flat_map(|outer| kinds.iter().map(move |inner| (*outer, *inner))) {
        let within = || hold(inner, leaf(1.5), leaf(2.5));
        all.push((format!("{} behind a number in {}", inner.0, outer.0), hold(outer, leaf(3.5), within()?)?));
        if outer.1 != hooked {
            all.push((format!("{} before a number in {}", inner.0, outer.0), hold(outer, within()?, leaf(3.5))?));
        }
    }
    Ok(all)
}

/// A map and a mutation put whatever value a callback answers in the place of the one it is called with, be it None, zero, empty, or an
/// interrupt, and leave the original as it was.
#[check(VIS_0018, VIS_0022, VIS_0019)]
fn whatever_is_answered_takes_the_place(t: &Trial) -> Verdict {
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(1)])?;
    let answers = carried(t)?.into_iter().chain([interrupt]);
    // What becomes of an Error that a callback answers as a value is left open.
    for answer in answers.filter(|answer| answer.any().type_index != kTVMFFIError) {
        takes_the_place(t, &view::float(0.5), &answer.any(), &PLACES)?;
    }
    Ok(())
}

/// A map and a mutation put an answer in the place of a value of another type that has the same payload, such as true in that of 1.
#[check(VIS_0018, VIS_0022, VIS_0019)]
fn an_answer_of_one_payload_takes_the_place(t: &Trial) -> Verdict {
    let (zeros, ones) = ([view::int(0), view::bool(false), view::float(0.0)], [view::int(1), view::bool(true)]);
    for (given, answer) in [&zeros[..], &ones]
        .into_iter()
        .flat_map(|row| row.iter().flat_map(move |given| row.iter().map(move |answer| (given, answer))))
    {
        if given.type_index == answer.type_index {
            continue;
        }
        // Integers are the keys, of which nothing is said.
        let places = if given.type_index == kTVMFFIInt { &PLACES[..3] } else { &PLACES };
        takes_the_place(t, given, answer, places)?;
    }
    zeros.iter().try_for_each(|given| takes_the_place(t, given, &TVMFFIAny::NONE, &PLACES[..3]))
}

/// Where a value is replaced, those without a key first.
const PLACES: [Place; 5] = [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue];

/// Expects what is answered about a value at these places to be there afterwards.
fn takes_the_place(t: &Trial, given: &TVMFFIAny, answer: &TVMFFIAny, places: &[Place]) -> Verdict {
    let callbacks = [(given.type_index, answer_chosen as _)];
    let (none, pairs, triples) = (entries(t, &[])?, entries(t, &callbacks)?, triples(t, &callbacks)?);
    choose_value(answer);
    for place in places {
        let holder = place.put(t, given)?;
        let mut calls = vec![("ffi.StructuralMutate", id::VIS_0022, vec![holder.any(), triples.any()])];
        for order in [PRE, POST].map(view::int) {
            for [plain, told] in [[&pairs, &none], [&none, &pairs]] {
                let args = vec![holder.any(), plain.any(), told.any(), order];
                calls.push(("ffi.StructuralMap", id::VIS_0018, args));
            }
        }
        for (name, clause, args) in calls {
            t.clause(clause);
            let changed = t.call_global(name, &args)?;
            let what = format_args!("what {name} has put {place:?} for the answer {answer:?} about {given:?}");
            t.any_eq(what, &place.look(t, &changed.any())?, answer)?;
            t.clause(id::VIS_0019);
            t.any_eq(format_args!("the original after {name}, {place:?}"), &place.look(t, &holder.any())?, given)?;
        }
    }
    Ok(())
}

/// A walk and a visit whose callback answers a value that means nothing to them answer or fail, and keep no reference to it.
#[check(VIS_0025)]
fn answers_without_a_meaning(t: &Trial) -> Verdict {
    let value = t.call_global("ffi.Array", &[view::float(0.5), view::float(1.5)])?;
    let (none, list) = (entries(t, &[])?, entries(t, &[(kTVMFFIFloat, answer_chosen)])?);
    let numbers = [2, -1, 1 << 32, i64::MIN].map(view::int);
    let plain = numbers.into_iter().chain([view::bool(true), view::bool(false), view::float(1.0)]);
    let mut answers: Vec<_> = plain.map(|answer| t.own(answer)).collect();
    answers.push(t.string(b"a text that is not short")?);
    answers.push(t.call_global("ffi.Array", &[view::int(1)])?);
    for answer in &answers {
        choose_value(&answer.any());
        for order in [PRE, POST].map(view::int) {
            t.returns("ffi.StructuralWalk", &[value.any(), list.any(), none.any(), order])?;
            t.returns("ffi.StructuralWalk", &[value.any(), none.any(), list.any(), order])?;
        }
        t.returns("ffi.StructuralVisit", &[value.any(), list.any()])?;
        if answer.any().type_index >= kTVMFFIStaticObjectBegin {
            let what = format!("counts of the answer {:?}", answer.any());
            t.eq(what, t.counts(answer.handle())?, (1, 1))?;
        }
    }
    Ok(())
}
