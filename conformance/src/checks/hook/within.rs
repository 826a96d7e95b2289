//! Calls that a function of a client's makes while it is called: they have flags, values and ends of their own, and the call
//! around them keeps its own.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicPtr, AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{LOOKING, TEXT, TREE, hooked};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{Body, client, raise},
        globals,
        homemade::retain,
        inner_call::{InnerCall, InnerCalls, interrupt, make_inner_call, make_inner_call_once},
        node::{changing_node_type_with, copy_of, node},
        view,
    },
    trial::Trial,
};

/// A call comes to the same whatever calls a function of a client's within it makes, with which flags, and however they end.
#[check(HOK_0021, patient = 2)]
fn inner_calls_end_otherwise(t: &Trial) -> Verdict {
    t.short_backtraces();
    let (inner, walks, outer) = (t.inner_calls()?, t.inner_walks()?, outer_calls(t)?);
    let outer_turns = turns(&outer.iter().map(|call| call.name).collect::<Vec<_>>());
    let inner_turns = turns(&inner.calls.iter().map(|call| call.name).collect::<Vec<_>>());
    for (call, outer_turn) in outer.iter().zip(outer_turns) {
        answer_with(call.hook_answers);
        let come_to = |inner: Option<&InnerCall>| -> Verdict<(String, usize)> {
            InnerCall::choose(inner);
            let before = CALLED.load(Ordering::Acquire);
            let answer = t.answer_of(call.function.handle(), &call.args)?;
            InnerCall::choose(None);
            Ok((t.come_to(answer)?, CALLED.load(Ordering::Acquire) - before))
        };
        let (expected, called) = come_to(None)?;
        // Where nobody is called nothing is within.
        // Of the walks, those that fail: others end as any call does.
        let walks = walks.calls.iter().rev().take(4);
        let inner =
            inner.calls.iter().zip(&inner_turns).filter(|(_, turn)| turn.meets(&outer_turn)).map(|(call, _)| call);
        for inner in inner.chain(walks).filter(|_| called > 0) {
            let what = format_args!("what {} has come to, in which a hook calls {}", call.name, inner.name);
            t.eq(what, come_to(Some(inner))?.0, expected.clone())?;
        }
    }
    Ok(())
}

/// Calls that a function of a client's makes within another come to what they come to elsewhere, one after the other about the same values with
/// other flags.
#[check(HOK_0021, patient = 2)]
fn inner_calls_come_to_the_same(t: &Trial) -> Verdict {
    t.short_backtraces();
    let inner: &'static InnerCalls = Box::leak(Box::new(t.inner_calls()?));
    let expected = inner.calls.iter().map(|call| call.come_to(t)).collect::<Verdict<Vec<_>>>()?;
    for call in outer_calls(t)? {
        answer_with(call.hook_answers);
        found_within().clear();
        WITHIN.store(std::ptr::from_ref(inner).cast_mut(), Ordering::Release);
        drop(t.answer_of(call.function.handle(), &call.args)?);
        WITHIN.store(std::ptr::null_mut(), Ordering::Release);
        let found = std::mem::take(&mut *found_within());
        for ((inner, found), expected) in inner.calls.iter().zip(found).zip(&expected) {
            t.eq(format_args!("what {inner} comes to within a hook that {} calls", call.name), &found?, expected)?;
        }
    }
    Ok(())
}

/// What all inner calls came to, in the first hook that was called.
static FOUND: Mutex<Vec<Verdict<String>>> = Mutex::new(Vec::new());
/// The inner calls that the next hook makes, if any.
static WITHIN: AtomicPtr<InnerCalls> = AtomicPtr::new(std::ptr::null_mut());

fn found_within() -> MutexGuard<'static, Vec<Verdict<String>>> {
    FOUND.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes all inner calls, if the check wants that, once.
fn make_all_inner_calls() {
    // SAFETY: what the check has put there lives for the life of the process, and this is its only thread.
    let all = unsafe { WITHIN.swap(std::ptr::null_mut(), Ordering::AcqRel).as_ref() };
    if let (Some(all), Some(client)) = (all, client()) {
        let found = all.calls.iter().map(|call| call.come_to(client)).collect();
        *found_within() = found;
    }
}

/// The place of a call among those of one function, and how many these are.
#[derive(Clone, Copy)]
struct Turn {
    at: usize,
    of: usize,
}

impl Turn {
    /// Whether two calls are tried together: those of functions with flags in turn, so that each call of either is tried with each function, and
    /// each flag with each.
    fn meets(&self, other: &Self) -> bool {
        // Of few, each is tried with each.
        let turns = if self.of.min(other.of) < 8 { 1 } else { 4 };
        let place = |turn: &Self| turn.at + turn.at / 4;
        (place(self) + place(other)) % turns == 0
    }
}

fn turns(names: &[&str]) -> Vec<Turn> {
    let count = |name: &str, names: &[&str]| names.iter().filter(|other| **other == name).count();
    names.iter().enumerate().map(|(at, name)| Turn { at: count(name, &names[..at]), of: count(name, names) }).collect()
}

/// A walk of any kind comes to the same whatever calls its callbacks make, and however these and the callbacks themselves end.
#[check(HOK_0021, patient = 2)]
fn inner_calls_of_walks_end_otherwise(t: &Trial) -> Verdict {
    t.short_backtraces();
    let (inner, inner_walks) = (t.inner_calls()?, t.inner_walks()?);
    // Of each function that calls nobody, the last call: it looks into what the others do.
    let of_each = |(at, call): &(usize, &InnerCall)| inner.calls[at + 1..].iter().all(|later| later.name != call.name);
    let inner: Vec<_> =
        inner.calls.iter().enumerate().filter(of_each).map(|(_, call)| call).chain(&inner_walks.calls).collect();
    let walks = t.walks(&[
        ("goes on", |_, _| within_walk(|| Some(TVMFFIAny::NONE))),
        ("skips", |_, _| within_walk(|| Some(view::int(1)))),
        ("replaces", |_, _| within_walk(|| Some(view::int(4711)))),
        ("interrupts", |api, _| within_walk(|| interrupt(api))),
        ("fails", |api, _| within_walk(|| raise(api, c"IndexError", c"of the outer walk"))),
    ])?;
    for (name, args) in &walks.calls {
        let walk = t.global(name)?;
        let come_to = |inner: Option<&InnerCall>| -> Verdict<String> {
            InnerCall::choose(inner);
            let answer = t.answer_of(walk.handle(), args)?;
            InnerCall::choose(None);
            t.come_to(answer)
        };
        let expected = come_to(None)?;
        for inner in &inner {
            let what = format_args!("what {name} has come to, in which a callback calls {}", inner.name);
            t.eq(what, come_to(Some(inner))?, expected.clone())?;
        }
    }
    Ok(())
}

/// Makes the inner call in the first callback of the walk, and ends.
fn within_walk(end: impl FnOnce() -> Option<TVMFFIAny>) -> Option<TVMFFIAny> {
    make_inner_call_once();
    end()
}

/// A call in which a hook is asked first, and which then goes on to what depends on its own flags and on what it has met.
struct OuterCall {
    name: &'static str,
    function: Owned,
    args: Vec<TVMFFIAny>,
    hook_answers: TVMFFIAny,
}

/// Such calls of the functions that the target has. What they look at is kept for the life of the process.
fn outer_calls(t: &Trial) -> Verdict<Vec<OuterCall>> {
    let (int, bool, none) = (view::int, view::bool, TVMFFIAny::NONE);
    let mut calls = Vec::new();
    let mut add = |name: &'static str, args: &[TVMFFIAny], hook_answers| -> Verdict {
        let function = globals::find(t, name)?;
        calls.extend(function.map(|function| OuterCall { name, function, args: args.to_vec(), hook_answers }));
        Ok(())
    };
    let kept = |value: Owned| value.into_any();
    let array = |items: &[TVMFFIAny]| t.call_global("ffi.Array", items).map(kept);
    let answers: Body = answer;
    let kind = hooked(t, "verify.within.Hooked", &LOOKING.map(|column| (column, answers)))?;
    let [lhs, rhs] = [(); 2].map(|()| Box::leak(Box::new(node(kind, int(1), int(2)))).view());
    let pairs = Box::leak(Box::new(t.pairs_by_flag("verify.within.Variable")?));
    for [one, other] in &pairs.pairs {
        let (one, other) = (array(&[lhs, *one, *one])?, array(&[rhs, *other, *other])?);
        for flags in [[false, false], [false, true], [true, false], [true, true]] {
            let [map, skip] = flags.map(bool);
            add("ffi.StructuralEqual", &[one, other, map, skip], bool(true))?;
            add("ffi.GetFirstStructuralMismatch", &[one, other, map, skip], bool(true))?;
            add("ffi.StructuralHash", &[one, map, skip], int(5))?;
        }
        add("ffi.RecursiveEq", &[one, other], bool(true))?;
        add("ffi.RecursiveLt", &[one, other], int(0))?;
        add("ffi.RecursiveHash", &[one], int(5))?;
    }
    // What was met before the hook is asked is met again behind it.
    let shared =
        kept(t.call_global(if globals::find(t, "ffi.List")?.is_some() { "ffi.List" } else { "ffi.Array" }, &[int(1)])?);
    let copied = changing_node_type_with(t, "verify.within.Copied", TREE, [0, 0], copy)?;
    let reading = hooked(t, "verify.within.Read", &[("__data_to_json__", answers), ("__data_from_json__", answers)])?;
    for before in [true, false] {
        let around = |kind: i32| {
            let hooked = Box::leak(Box::new(node(kind, int(1), int(2)))).view();
            array(&if before { [shared, hooked, shared] } else { [hooked, shared, shared] })
        };
        let (printed, copied, read) = (around(kind)?, around(copied)?, around(reading)?);
        add("ffi.ReprPrint", &[printed], TEXT)?;
        add("ffi.DeepCopy", &[copied], none)?;
        for name in ["ffi.ToJSONGraph", "ffi.ToJSONGraphString"] {
            add(name, &[printed, none], int(5))?;
        }
        let made = Box::leak(Box::new(node(reading, int(1), int(2)))).view();
        answer_with(int(5));
        for (write, read_back) in
            [("ffi.ToJSONGraph", "ffi.FromJSONGraph"), ("ffi.ToJSONGraphString", "ffi.FromJSONGraphString")]
        {
            if globals::find(t, write)?.is_some() {
                let graph = kept(t.call_global(write, &[read, none])?);
                add(read_back, &[graph], made)?;
            }
        }
    }
    let seven: Body = |_, _| Some(view::int(7));
    let keyed = hooked(t, "verify.within.Key", &[("__any_equal__", answers), ("__any_hash__", seven)])?;
    let [key, asked] = [(); 2].map(|()| Box::leak(Box::new(node(keyed, int(1), int(2)))).view());
    for kind in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
        let Some(make) = globals::find(t, kind)? else { continue };
        let doors: &[&str] = match kind {
            "ffi.Array" => &["ffi.ArrayContains"],
            "ffi.List" => &["ffi.ListContains"],
            "ffi.Map" => &["ffi.MapGetItem", "ffi.MapCount", "ffi.MapGetItemOrMissing"],
            _ => &["ffi.DictGetItem", "ffi.DictCount", "ffi.DictGetItemOrMissing"],
        };
        let container = kept(t.call(&make, &[key, int(4711)])?);
        for (door, equal) in doors.iter().flat_map(|door| [(door, true), (door, false)]) {
            add(door, &[container, asked], bool(equal))?;
        }
    }
    Ok(calls)
}

/// How often a hook was called.
static CALLED: AtomicUsize = AtomicUsize::new(0);
/// What it answers.
static ANSWER: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

fn answer_with(value: TVMFFIAny) {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = value;
}

/// A hook that makes the inner call, and answers what the check wants.
fn answer(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    CALLED.fetch_add(1, Ordering::AcqRel);
    make_inner_call();
    make_all_inner_calls();
    let value = *ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    if value.type_index >= kTVMFFIStaticObjectBegin {
        retain(value.payload() as TVMFFIObjectHandle);
    }
    Some(value)
}

/// A hook that makes the inner call, and answers a copy of the node that it is given.
fn copy(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    CALLED.fetch_add(1, Ordering::AcqRel);
    make_inner_call();
    copy_of(args)
}
