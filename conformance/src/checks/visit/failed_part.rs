//! The kind of region that is told after a part has failed, when whoever had it visited or mutated has taken the error.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicI64, AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{POST, PRE, ask, entries, remember_text, saw, take_seen, triples};
use crate::{
    checks::check,
    client::{
        Verdict,
        api::Api,
        callback::{Body, raise},
        homemade::release,
        node::{changing_node_type, fields_of, node},
        samples::Place,
        view,
    },
    trial::Trial,
};

const PATTERN: i64 = kTVMFFIFieldFlagBitMaskSEqHashDefPattern;
const SIMPLE: i64 = kTVMFFIFieldFlagBitMaskSEqHashDefSimple;

/// A visitor and a mutator tell the kind of region of before when a callback has tried a part with them that failed, in whatever regions within the
/// part, and has taken the error.
#[check(VIS_0036, VIS_0017)]
fn kind_after_a_failed_part(t: &Trial) -> Verdict {
    *PARTS.lock().unwrap_or_else(PoisonError::into_inner) = failing_parts(t)?;
    let visit: Body = |api, args| begin(api, args, "Visitor", try_in_visitor);
    let mutate: Body = |api, args| begin(api, args, "Mutator", try_in_mutator);
    let (in_visitor, in_mutator) = (t.callback(try_in_visitor)?, t.callback(try_in_mutator)?);
    for (name, callbacks, function, least) in [
        ("ffi.StructuralVisit", entries(t, &[(kTVMFFIInt, visit), (kTVMFFIFloat, FAIL)])?, &in_visitor, OUTSIDE),
        // That a mutator tells a kind outside of any region is nobody's promise.
        ("ffi.StructuralMutate", triples(t, &[(kTVMFFIInt, mutate), (kTVMFFIFloat, FAIL)])?, &in_mutator, 0),
    ] {
        *FUNCTION.lock().unwrap_or_else(PoisonError::into_inner) = function.any();
        for region in least..=i64::from(kTVMFFIDefRegionKindSimple) {
            t.clause(if region == OUTSIDE { id::VIS_0017 } else { id::VIS_0036 });
            REGION.store(region, Ordering::Release);
            ASKED.store(0, Ordering::Release);
            // Whether the whole goes on when an error was taken is for others to say.
            drop(t.answer(name, &[view::int(3), callbacks.any()])?);
            let what = format!("other kinds than before, told in {name} after a part had failed");
            t.eq(what, take_seen(), vec![])?;
            t.ne(format_args!("how often a kind was told in {name}"), ASKED.load(Ordering::Acquire), 0)?;
        }
    }
    Ok(())
}

/// Callbacks of walks and maps are told the kind of region of where they are called, also when a part before has failed in another region, and a
/// function of a type has taken the error.
#[check(VIS_0013, VIS_0028, VIS_0031, VIS_0042, VIS_0044)]
fn callbacks_after_a_failed_part(t: &Trial) -> Verdict {
    let hooked = changing_node_type(t, "verify.visit.Trying", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    t.set_hook(hooked, "__s_visit__", &t.callback(visit_both)?.any())?;
    t.set_hook(hooked, "__s_mutate__", &t.callback(mutate_both)?.any())?;
    let around = |key: &str, flag| changing_node_type(t, key, kTVMFFISEqHashKindTreeNode, [flag, 0]);
    let (pattern, simple) = (around("verify.visit.Around", PATTERN)?, around("verify.visit.AroundSimple", SIMPLE)?);
    let (none, yes) = (entries(t, &[])?, view::bool(true));
    let walked: Body = |_, args| note_kind(args, TVMFFIAny::NONE);
    let mapped: Body = |_, args| note_kind(args, *args.first()?);
    let told_of_walk = entries(t, &[(kTVMFFIFloat, FAIL), (kTVMFFIBool, walked)])?;
    let told_of_map = entries(t, &[(kTVMFFIFloat, FAIL), (kTVMFFIBool, mapped)])?;
    for part in failing_parts(t)? {
        let trying = node(hooked, part, yes);
        let value = t.call_global("ffi.Array", &[trying.view(), yes])?;
        let [in_pattern, in_simple] = [pattern, simple].map(|kind| node(kind, value.any(), yes));
        for (name, told, whole, clause, expected) in [
            ("ffi.StructuralWalk", &told_of_walk, value.any(), id::VIS_0013, &["0", "0"][..]),
            ("ffi.StructuralWalk", &told_of_walk, in_pattern.view(), id::VIS_0028, &["1", "1", "0"]),
            ("ffi.StructuralWalk", &told_of_walk, in_simple.view(), id::VIS_0031, &["2", "2", "0"]),
            ("ffi.StructuralMap", &told_of_map, value.any(), id::VIS_0013, &["0", "0"]),
        ] {
            for order in [PRE, POST] {
                t.clause(clause);
                // Whether the whole goes on when an error was taken is for others to say.
                match t.answer(name, &[whole, none.any(), told.any(), view::int(order)])? {
                    Ok(_) => saw(t, expected)?,
                    Err(_) => drop(take_seen()),
                }
            }
        }
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// What fails
// ---------------------------------------------------------------------------------------------------------------------

/// A callback, or the function of a type, that fails with a KeyError.
const FAIL: Body = |api, _| raise(api, c"KeyError", c"by a part");

/// Values of which a part fails where floats do: a float, or an object whose type has a function that fails, wherever it stands, below fields that are
/// definitions of each kind, one in the other.
fn failing_parts(t: &Trial) -> Verdict<Vec<TVMFFIAny>> {
    let number = TYPES.fetch_add(1, Ordering::AcqRel);
    let tree = |name: &str, flag| {
        changing_node_type(t, &format!("verify.visit.{name}{number}"), kTVMFFISEqHashKindTreeNode, [flag, 0])
    };
    let (plain, pattern, simple) = (tree("Plain", 0)?, tree("Pattern", PATTERN)?, tree("Simple", SIMPLE)?);
    let failing = tree("Failing", 0)?;
    for column in ["__s_visit__", "__s_mutate__"] {
        t.set_hook(failing, column, &t.callback(FAIL)?.any())?;
    }
    let mut parts = Vec::new();
    for leaf in [view::float(0.5), node(failing, TVMFFIAny::NONE, TVMFFIAny::NONE).view()] {
        for place in [Place::Alone, Place::InList, Place::MapValue] {
            let held = place.put(t, &leaf)?;
            for kinds in [&[plain][..], &[pattern], &[simple], &[simple, pattern], &[pattern, simple]] {
                // The nodes hold what they are made with, and stay.
                let inside = |part, kind: &i32| node(*kind, part, TVMFFIAny::NONE).view();
                parts.push(kinds.iter().fold(held.any(), inside));
            }
        }
    }
    Ok(parts)
}

/// How many times types were made.
static TYPES: AtomicUsize = AtomicUsize::new(0);

// ---------------------------------------------------------------------------------------------------------------------
// Those who try it
// ---------------------------------------------------------------------------------------------------------------------

/// What is tried, which stays.
static PARTS: Mutex<Vec<TVMFFIAny>> = Mutex::new(Vec::new());
/// The kind of region that it is tried in, or [`OUTSIDE`].
static REGION: AtomicI64 = AtomicI64::new(OUTSIDE);
/// In the place of a kind of region: in none.
const OUTSIDE: i64 = -1;
/// The visitor or mutator, for functions that are given nothing.
static ENGINE: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);
/// What tries the parts in a region, which the check keeps alive.
static FUNCTION: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);
/// How often a kind was told.
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// Tries the parts with the visitor or mutator, in the chosen region.
fn begin(api: &Api, args: &[TVMFFIAny], engine: &str, try_within: Body) -> Option<TVMFFIAny> {
    let [value, this, ..] = args else { return None };
    *ENGINE.lock().unwrap_or_else(PoisonError::into_inner) = *this;
    let region = REGION.load(Ordering::Acquire);
    if region == OUTSIDE {
        try_within(api, &[])?;
    } else {
        let function = *FUNCTION.lock().unwrap_or_else(PoisonError::into_inner);
        ask(api, &format!("ffi.Structural{engine}WithDefRegionKind"), &[*this, view::int(region), function])?;
    }
    Some(if engine == "Visitor" { TVMFFIAny::NONE } else { *value })
}

fn try_in_visitor(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    try_parts(api, "Visitor", ["Visit", "DefaultVisit"])
}

fn try_in_mutator(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    try_parts(api, "Mutator", ["Mutate", "DefaultMutate"])
}

/// Has each part visited or mutated, takes the error, and notes the kinds of region that are not the one of before.
fn try_parts(api: &Api, engine: &str, doors: [&str; 2]) -> Option<TVMFFIAny> {
    let this = *ENGINE.lock().unwrap_or_else(PoisonError::into_inner);
    let parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let region = REGION.load(Ordering::Acquire).max(0);
    for door in doors {
        for (number, part) in parts.iter().enumerate() {
            try_part(api, &format!("ffi.Structural{engine}{door}"), &this, part);
            let told = ask(api, &format!("ffi.Structural{engine}DefRegionKind"), &[this])?.payload() as i64;
            ASKED.fetch_add(1, Ordering::AcqRel);
            if told != region {
                remember_text(&format!("{told} in a region of kind {region}, after {door} of part {number}"));
            }
        }
    }
    Some(TVMFFIAny::NONE)
}

/// Has a part visited or mutated, and takes the error.
fn try_part(api: &Api, name: &str, engine: &TVMFFIAny, part: &TVMFFIAny) {
    match ask(api, name, &[*engine, *part]) {
        Some(answer) if answer.type_index >= kTVMFFIStaticObjectBegin => {
            release(answer.payload() as TVMFFIObjectHandle);
        }
        Some(_) => {}
        None => release(api.take_raised()),
    }
}

/// A function in `__s_visit__` that tries the first field and then visits the second.
fn visit_both(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [visitor, value] = args else { return raise(api, c"AssertionError", c"the hook takes a visitor and a value") };
    let fields = fields_of(value)?;
    try_part(api, "ffi.StructuralVisitorVisit", visitor, &fields.first);
    ask(api, "ffi.StructuralVisitorVisit", &[*visitor, fields.second])
}

/// A function in `__s_mutate__` that tries the first field, mutates the second, and answers that nothing has changed.
fn mutate_both(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [mutator, value] = args else { return raise(api, c"AssertionError", c"the hook takes a mutator and a value") };
    let fields = fields_of(value)?;
    try_part(api, "ffi.StructuralMutatorMutate", mutator, &fields.first);
    // A plain value, which is not owned.
    ask(api, "ffi.StructuralMutatorMutate", &[*mutator, fields.second])?;
    Some(TVMFFIAny::new(kTVMFFIUnchanged, 0))
}

/// Notes the kind of region that a callback was given, and goes on with this.
fn note_kind(args: &[TVMFFIAny], answer: TVMFFIAny) -> Option<TVMFFIAny> {
    let [_, kind] = args else { return None };
    remember_text(&(kind.payload() as i64).to_string());
    Some(answer)
}
