//! Hooks that take the error of what they have asked for, and ask again.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{TEXT, TREE, compare_first, go_on_with_first, hooked, kept, mix_first, quote_first};
use crate::{
    checks::check,
    client::{
        Verdict,
        api::Api,
        callback::{Body, raise},
        globals,
        homemade::release,
        node::{node, node_type},
        view,
    },
    trial::Trial,
};

/// A hook that takes the error of a part, and asks for the part again, gets what it would have without the error, and so does the call
/// around it.
#[check(HOK_0024)]
fn part_is_asked_for_again(t: &Trial) -> Verdict {
    let outer = hooked(t, "verify.again.Outer", &ASKING)?;
    let inner = hooked(t, "verify.again.Inner", &ASKING.map(|(column, _)| (column, fail_or_answer as Body)))?;
    let plain = node_type(t, "verify.again.Plain", TREE, [0, 0])?;
    let (int, bool) = (view::int, view::bool);
    let places: Vec<_> = t.containers()?.into_iter().map(Some).chain([None]).collect();
    for (around, levels) in places.into_iter().flat_map(|place| [1, 2, 5].map(|levels| (place, levels))) {
        // Twice the same: what is asked for, in a container or a field, as the part of an object with hooks, and once more behind that.
        let mut wholes = Vec::new();
        for _ in 0..2 {
            let mut part = kept(node(inner, int(1), int(2)));
            for _ in 0..levels {
                part = match around {
                    Some(make) => t.call_global(make, &[int(7), part])?.into_any(),
                    None => kept(node(plain, part, int(7))),
                };
            }
            wholes.push(t.call_global("ffi.Array", &[kept(node(outer, part, int(3))), part])?.into_any());
        }
        let (one, other) = (wholes[0], wholes[1]);
        for (name, args, answer) in [
            ("ffi.StructuralEqual", &[one, other, bool(false), bool(false)][..], bool(true)),
            ("ffi.GetFirstStructuralMismatch", &[one, other, bool(false), bool(false)], bool(true)),
            ("ffi.StructuralHash", &[one, bool(false), bool(false)], int(5)),
            ("ffi.RecursiveEq", &[one, other], bool(true)),
            ("ffi.RecursiveLt", &[one, other], int(0)),
            ("ffi.RecursiveHash", &[one], int(5)),
            ("ffi.ReprPrint", &[one], TEXT),
        ] {
            let Some(function) = globals::find(t, name)? else { continue };
            *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = answer;
            let come_to = |fails: bool| -> Verdict<String> {
                FAILS.store(fails, Ordering::Release);
                t.come_to(t.answer_of(function.handle(), args)?)
            };
            let expected = come_to(false)?;
            let before = FAILED.load(Ordering::Acquire);
            let got = come_to(true)?;
            if FAILED.load(Ordering::Acquire) > before {
                let place = around.unwrap_or("a field");
                let what =
                    format_args!("what {name} has come to where what stands {levels} deep in {place} fails at first");
                t.eq(what, got, expected)?;
            }
        }
    }
    Ok(())
}

/// A hook that asks for the same part twice gets the same answer twice.
#[check(HOK_0001, HOK_0004, HOK_0005)]
fn part_is_asked_for_twice(t: &Trial) -> Verdict {
    const TWICE: [Body; 3] = [
        |api, args| asked(2, || compare_first(api, args, true)),
        |api, args| asked(2, || compare_first(api, args, false)),
        |api, args| asked(2, || compare_first(api, args, false)),
    ];
    each_answer_is_the_first(t, TWICE, &t.containers()?, |part| [part, view::int(0)])
}

/// A hook that asks for the same part more than a thousand times gets the same answer each time, whether that is equal to its counterpart or not.
#[check(HOK_0001, HOK_0004, HOK_0005)]
fn part_is_asked_for_very_often(t: &Trial) -> Verdict {
    const OFTEN: [Body; 3] = [
        |api, args| asked(1100, || compare_first(api, args, true)),
        |api, args| asked(1100, || compare_first(api, args, false)),
        |api, args| asked(1100, || compare_first(api, args, false)),
    ];
    let makes: Vec<_> = t.containers()?.into_iter().filter(|make| matches!(*make, "ffi.Array" | "ffi.List")).collect();
    // More than one way leads to the part, so that it may be worth a note.
    each_answer_is_the_first(t, OFTEN, &makes, |part| [part, part])
}

/// Expects hooks for structural equality, for recursive equality and for order to be answered alike each time that they ask, about
/// parts in each of these containers, which objects have in their fields like this.
fn each_answer_is_the_first(
    t: &Trial,
    hooks: [Body; 3],
    makes: &[&str],
    fields: fn(TVMFFIAny) -> [TVMFFIAny; 2],
) -> Verdict {
    const ASKED: [(&str, &str, &str); 3] = [
        ("__s_equal__", "ffi.StructuralEqual", id::HOK_0001),
        ("__ffi_eq__", "ffi.RecursiveEq", id::HOK_0004),
        ("__ffi_compare__", "ffi.RecursiveLt", id::HOK_0005),
    ];
    for ((column, name, clause), hook) in ASKED.into_iter().zip(hooks) {
        t.clause(clause);
        let kind = hooked(t, &format!("verify.again.Asked{column}"), &[(column, hook)])?;
        for (make, last) in makes.iter().flat_map(|make| [1, 2].map(|last| (*make, last))) {
            let holding = |number: i64| -> Verdict<TVMFFIAny> {
                let inner = t.call_global(make, &[view::int(1), view::int(number)])?;
                let [first, second] = fields(t.call_global("ffi.Array", &[inner.any()])?.into_any());
                Ok(kept(node(kind, first, second)))
            };
            let (one, other) = (holding(1)?, holding(last)?);
            let args = [one, other, view::bool(false), view::bool(false)];
            let args = if name == "ffi.StructuralEqual" { &args[..] } else { &args[..2] };
            DIFFERED.store(false, Ordering::Release);
            let _ = t.answer(name, args)?;
            let what = format_args!("whether a later answer in {column} about {make} was another than the first");
            t.eq(what, DIFFERED.load(Ordering::Acquire), false)?;
        }
    }
    Ok(())
}

/// Whether a hook was answered otherwise later than the first time.
static DIFFERED: AtomicBool = AtomicBool::new(false);

/// Asks so many times.
fn asked(times: usize, ask: impl Fn() -> Option<TVMFFIAny>) -> Option<TVMFFIAny> {
    let first = ask()?;
    for _ in 1..times {
        let later = ask()?;
        if (first.type_index, first.payload()) != (later.type_index, later.payload()) {
            DIFFERED.store(true, Ordering::Release);
        }
    }
    Some(first)
}

/// Hooks that ask for the first field, and once more if that fails.
const ASKING: [(&str, Body); 6] = [
    ("__s_equal__", |api, args| again(api, || compare_first(api, args, true))),
    ("__s_hash__", |api, args| again(api, || mix_first(api, args))),
    ("__ffi_eq__", |api, args| again(api, || compare_first(api, args, false))),
    ("__ffi_compare__", |api, args| again(api, || compare_first(api, args, false))),
    ("__ffi_hash__", |api, args| again(api, || go_on_with_first(api, args))),
    ("__ffi_repr__", |api, args| again(api, || quote_first(api, args))),
];

fn again(api: &Api, ask: impl Fn() -> Option<TVMFFIAny>) -> Option<TVMFFIAny> {
    ask().or_else(|| {
        release(api.take_raised());
        ask()
    })
}

/// Whether the next call of [`fail_or_answer`] fails, and how many have.
static FAILS: AtomicBool = AtomicBool::new(false);
static FAILED: AtomicUsize = AtomicUsize::new(0);
/// What it answers otherwise.
static ANSWER: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

fn fail_or_answer(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    if FAILS.swap(false, Ordering::AcqRel) {
        FAILED.fetch_add(1, Ordering::AcqRel);
        return raise(api, c"KeyError", c"at first");
    }
    Some(*ANSWER.lock().unwrap_or_else(PoisonError::into_inner))
}
