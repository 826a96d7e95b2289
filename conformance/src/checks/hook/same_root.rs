//! Walks, visits, maps and mutations that a callback of another of these begins about the very value that this one is about.

use std::{
    ffi::c_void,
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::*;

use super::kit::{TREE, kept};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{Body, api, call},
        globals, homemade,
        node::{changing_node_type, node},
        view,
    },
    trial::Trial,
};

/// How deep calls go: one, one within it, and one within that.
const LEVELS: usize = 3;

/// The callbacks of each level, of calls that look and of those that change: they are other functions, and see other things noted.
const CALLBACKS: [[Body; 2]; LEVELS] = [[look::<0>, change::<0>], [look::<1>, change::<1>], [look::<2>, change::<2>]];

/// A call about a value, for each level with the callbacks of that.
struct Call {
    what: String,
    function: Owned,
    args: [Vec<TVMFFIAny>; LEVELS],
}

/// What a call has come to: how it ended, and what its callbacks were called with.
type Outcome = (String, Vec<String>);

/// Each of structural walk, visit, map and mutation that a callback begins about the value that another of these is about, or that the same is, meets
/// what it meets by itself and comes to the same, and so does the one around it, whatever value it is and whenever it begins.
#[check(HOK_0021, patient = 2)]
fn about_the_same_root(t: &Trial) -> Verdict {
    t.short_backtraces();
    let kind = changing_node_type(t, "verify.root.Node", TREE, [0, 0])?;
    for (number, (what, root, part)) in roots(t, kind)?.into_iter().enumerate() {
        let calls = all_calls(t, &what, root)?;
        let parts = all_calls(t, &format!("a part of {what}"), part)?;
        let alone = |calls: &[Call]| -> Verdict<Vec<[Outcome; LEVELS]>> {
            let of = |call: &Call| -> Verdict<[Outcome; LEVELS]> {
                Ok([outcome(t, kind, call, 0)?, outcome(t, kind, call, 1)?, outcome(t, kind, call, 2)?])
            };
            calls.iter().map(of).collect()
        };
        let (alone, of_parts) = (alone(&calls)?, alone(&parts)?);
        for (at, outer) in calls.iter().enumerate() {
            // Each within each about one of the roots at least.
            let about_root = calls.iter().zip(&alone).skip((at + number) % 3).step_by(3);
            let about_part = parts.iter().zip(&of_parts).skip((at + number) % 6).step_by(6);
            for (place, (inner, expected)) in about_root.chain(about_part).enumerate() {
                // At the first callback, the last, or one between them; and in every other case the outer call once more within the inner.
                let turn = |met: &[String], number: usize| met.len().saturating_sub(1) * (number % 3) / 2;
                let third = (at + place).is_multiple_of(2).then_some((outer, turn(&expected[1].1, place)));
                plan(1, Some((inner, turn(&alone[at][0].1, at + place))));
                plan(2, third);
                let found = outcome(t, kind, outer, 0)?;
                let (inner_found, third_found) = (take(t, kind, 1)?, take(t, kind, 2)?);
                plan(1, None);
                plan(2, None);
                let (outer, inner) = (&outer.what, &inner.what);
                if let Some(found) = inner_found {
                    let what = format_args!("what {inner} meets and comes to within {outer}");
                    t.eq(what, &found, &expected[1])?;
                }
                if let Some(found) = third_found {
                    let what = format_args!("what {outer} meets and comes to within {inner} within {outer}");
                    t.eq(what, &found, &alone[at][2])?;
                }
                t.eq(format_args!("what {outer} meets and comes to around {inner}"), &found, &alone[at][0])?;
            }
        }
    }
    Ok(())
}

/// Containers of each kind and an object, with a container in each, and that. They are kept for the life of the process.
fn roots(t: &Trial, kind: i32) -> Verdict<Vec<(String, TVMFFIAny, TVMFFIAny)>> {
    let part = t.call_global("ffi.Array", &[view::int(2), view::int(3)])?.into_any();
    let mut all = Vec::new();
    for make in t.containers()? {
        let root = t.call_global(make, &[view::int(1), part, view::int(4), view::int(5)])?;
        all.push((make.to_owned(), root.into_any(), part));
    }
    all.push(("an object".to_owned(), kept(node(kind, part, view::int(4))), part));
    Ok(all)
}

/// The calls about a value, as far as the target has them: in each order, by each list of callbacks, for integers and for everything.
fn all_calls(t: &Trial, of: &str, value: TVMFFIAny) -> Verdict<Vec<Call>> {
    let array = |items: &[TVMFFIAny]| t.call_global("ffi.Array", items).map(Owned::into_any);
    let none = array(&[])?;
    let mut calls = Vec::new();
    for (kind, met) in [(kTVMFFIInt, "integers"), (EVERYTHING, "everything")] {
        // Of each level the lists of callbacks that look, of those that change, and of those that change in a mutation.
        let mut lists = Vec::new();
        for bodies in CALLBACKS {
            let [looks, changes] = [t.callback(bodies[0])?.into_any(), t.callback(bodies[1])?.into_any()];
            let of = view::int(kind.into());
            let mutates = array(&[of, changes, view::bool(false)])?;
            lists.push([array(&[array(&[of, looks])?])?, array(&[array(&[of, changes])?])?, array(&[mutates])?]);
        }
        let mut add = |name: &str, how: &str, args: &dyn Fn(&[TVMFFIAny; 3]) -> Vec<TVMFFIAny>| -> Verdict {
            if let Some(function) = globals::find(t, name)? {
                let args = std::array::from_fn(|level| args(&lists[level]));
                calls.push(Call { what: format!("{name} of {met} in {of}{how}"), function, args });
            }
            Ok(())
        };
        for (order, how) in [(view::int(0), ", in pre order"), (view::int(1), ", in post order")] {
            add("ffi.StructuralWalk", how, &|lists| vec![value, lists[0], none, order])?;
            add("ffi.StructuralMap", how, &|lists| vec![value, lists[1], none, order])?;
        }
        add("ffi.StructuralWalk", ", with regions", &|lists| vec![value, none, lists[0], view::int(0)])?;
        add("ffi.StructuralVisit", "", &|lists| vec![value, lists[0]])?;
        add("ffi.StructuralMutate", "", &|lists| vec![value, lists[2]])?;
    }
    Ok(calls)
}

/// A callback's type index that matches every value.
const EVERYTHING: i32 = -1;

/// A call that is planned: its function's address, its arguments, and the callback of the level above which makes it.
type Planned = (usize, Vec<TVMFFIAny>, usize);

/// What there is of one level.
struct Level {
    planned: Option<Planned>,
    met: Vec<String>,
    came_to: Option<Result<TVMFFIAny, usize>>,
}

static STATE: Mutex<[Level; LEVELS]> =
    Mutex::new([const { Level { planned: None, met: Vec::new(), came_to: None } }; LEVELS]);

fn with_level<T>(level: usize, work: impl FnOnce(&mut Level) -> T) -> T {
    work(&mut STATE.lock().unwrap_or_else(PoisonError::into_inner)[level])
}

/// Has the callback that comes at this turn make a call of this level, or none.
fn plan(level: usize, call: Option<(&Call, usize)>) {
    let planned = call.map(|(call, turn)| (call.function.handle() as usize, call.args[level].clone(), turn));
    with_level(level, |level| *level = Level { planned, met: Vec::new(), came_to: None });
}

/// Makes a call at this level, and answers what it came to.
fn outcome(t: &Trial, kind: i32, call: &Call, level: usize) -> Verdict<Outcome> {
    with_level(level, |level| level.met.clear());
    let answer = match t.answer_of(call.function.handle(), &call.args[level])? {
        Ok(answer) => t.outline(&answer.any(), &[kind])?.text,
        Err(raised) => raised.kind,
    };
    Ok((answer, with_level(level, |level| std::mem::take(&mut level.met))))
}

/// What the call of this level that a callback has made came to; `None` where none was made.
fn take(t: &Trial, kind: i32, level: usize) -> Verdict<Option<Outcome>> {
    let (met, came_to) = with_level(level, |level| (std::mem::take(&mut level.met), level.came_to.take()));
    let answer = match came_to {
        None => return Ok(None),
        Some(Ok(answer)) => t.outline(&t.own(answer).any(), &[kind])?.text,
        Some(Err(error)) => {
            let error = t.own(TVMFFIAny::new(kTVMFFIError, error as u64));
            t.api.TVMFFIErrorSetRaised(error.handle());
            t.raises(-1, &[])?.kind
        }
    };
    Ok(Some((answer, met)))
}

/// Notes the value that a callback of this level is called with, and makes the call that is planned for this turn.
fn meet(level: usize, value: &TVMFFIAny) {
    let shown = if value.type_index == kTVMFFIInt {
        (value.payload() as i64).to_string()
    } else {
        format!("type {}", value.type_index)
    };
    let turn = with_level(level, |level| {
        level.met.push(shown);
        level.met.len() - 1
    });
    if level + 1 == LEVELS {
        return;
    }
    let planned = with_level(level + 1, |next| next.planned.take_if(|planned| planned.2 == turn));
    let (Some((function, args, _)), Some(api)) = (planned, api()) else { return };
    let answer = call(api, function as *mut c_void, &args).ok_or_else(|| api.take_raised() as usize);
    with_level(level + 1, |next| next.came_to = Some(answer));
}

/// Meets a value, and goes on.
fn look<const LEVEL: usize>(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    meet(LEVEL, args.first()?);
    Some(TVMFFIAny::NONE)
}

/// Meets a value, and answers an integer that tells the level, and anything else as it is.
fn change<const LEVEL: usize>(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let value = *args.first()?;
    meet(LEVEL, &value);
    if value.type_index == kTVMFFIInt {
        return Some(view::int(value.payload() as i64 + 1000 * (1 + LEVEL as i64)));
    }
    if value.type_index >= kTVMFFIStaticObjectBegin {
        homemade::retain(value.payload() as TVMFFIObjectHandle);
    }
    Some(value)
}
