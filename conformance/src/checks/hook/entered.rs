//! Functions that a hook enters again about other objects of its type, one level after the other.

use std::{
    ffi::c_void,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::*;

use super::kit::{TREE, hooked, kept, numbers};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{call, raise},
        globals,
        node::{changing_node_type_with, copy_of},
        occasion::{HOOKS, Hook},
        view,
    },
    trial::Trial,
};

/// How deep calls go.
const LEVELS: usize = 3;

/// Beside those, what asks for the order alone to tell whether values are equal, and what has no answer of its own: what reads a graph, and
/// what asks for a copy.
const MORE_HOOKS: [Hook; 4] = [
    ("__ffi_compare__", "ffi.RecursiveEq", 2, &[], TVMFFIAny::new(kTVMFFIInt, 5)),
    ("__data_from_json__", "ffi.FromJSONGraphString", 1, &[], TVMFFIAny::new(kTVMFFIInt, 5)),
    ("__data_from_json__", "ffi.FromJSONGraph", 1, &[], TVMFFIAny::new(kTVMFFIInt, 5)),
    ("__ffi_shallow_copy__", "ffi.DeepCopy", 1, &[], TVMFFIAny::NONE),
];

/// A hook may call the very function that asks it about other objects of its type, whose hook does so again, up to three levels deep, and take the error
/// if the innermost hook fails: each of these calls comes to what it comes to by itself.
#[check(HOK_0021)]
fn entered_again(t: &Trial) -> Verdict {
    t.short_backtraces();
    for (number, hook) in HOOKS.into_iter().chain(MORE_HOOKS).enumerate() {
        let (column, name, objects, rest, answer) = hook;
        // Keys of a Map are compared where they are put in.
        if name == "ffi.Map" {
            continue;
        }
        let Some(function) = globals::find(t, name)? else { continue };
        let key = format!("verify.entered.Node{number}");
        let kind = match column {
            "__ffi_shallow_copy__" => changing_node_type_with(t, &key, TREE, [0, 0], enter)?,
            _ => hooked(t, &key, &[(column, enter)])?,
        };
        set(&ANSWER, answer);
        for around in [None, Some("ffi.Array"), Some("ffi.Map")] {
            // Others at each level.
            let calls = (0..=LEVELS as i64).map(|level| {
                let values = (0..objects).map(|_| match column {
                    "__data_from_json__" => graph(t, &key, name, around),
                    _ => {
                        let object = kept(numbers(kind, level, 2));
                        around.map_or(Ok(object), |make| {
                            t.call_global(make, &[view::int(1), object]).map(Owned::into_any)
                        })
                    }
                });
                Ok([values.collect::<Verdict<Vec<_>>>()?, rest.to_vec()].concat())
            });
            let calls = calls.collect::<Verdict<Vec<_>>>()?;
            let come_to = |args: &[TVMFFIAny]| t.come_to(t.answer_of(function.handle(), args)?);
            LEFT.store(0, Ordering::Release);
            let alone = t.answer_of(function.handle(), &calls[0])?;
            let refused = alone.is_err();
            let alone = t.come_to(alone)?;
            set(&CALLS, (function.handle() as usize, calls.clone()));
            for (depth, fails) in (1..=LEVELS).flat_map(|depth| [(depth, false), (depth, true)]) {
                LEFT.store(depth, Ordering::Release);
                FAILS.store(fails, Ordering::Release);
                let what = format!("{name}, which asks {column}, around {around:?}, entered {depth} levels deep");
                let outer = come_to(&calls[0])?;
                let untouched = LEFT.swap(0, Ordering::AcqRel);
                FAILS.store(false, Ordering::Release);
                // The innermost comes back first.
                for (inner, came_to) in take(&CAME_TO).into_iter().enumerate() {
                    let found = match came_to {
                        Some(answer) => t.come_to(Ok(t.own(answer)))?,
                        None => "an error".to_owned(),
                    };
                    // Where nobody was called nothing has failed.
                    let raised = refused || (fails && inner == 0 && untouched == 0);
                    let expected = if raised { "an error".to_owned() } else { alone.clone() };
                    t.eq(format_args!("what a call within has come to of {what}"), found, expected)?;
                }
                t.eq(format_args!("what has come of {what}"), outer, alone.clone())?;
            }
        }
    }
    Ok(())
}

/// A graph with an object of that type, as that function reads it.
fn graph(t: &Trial, key: &str, name: &str, around: Option<&str>) -> Verdict<TVMFFIAny> {
    let (root, more) = match around {
        None => (0, ""),
        Some("ffi.Array") => (1, r#",{"type":"ffi.Array","data":[0]}"#),
        Some(_) => (2, r#",{"type":"ffi.String","data":"key"},{"type":"ffi.Map","data":[1,0]}"#),
    };
    let text = format!(r#"{{"root_index":{root},"nodes":[{{"type":"{key}","data":7}}{more}]}}"#);
    let text = t.string(text.as_bytes())?;
    if name.ends_with("String") {
        Ok(text.into_any())
    } else {
        t.call_global("ffi.json.Parse", &[text.any()]).map(Owned::into_any)
    }
}

/// How many levels are still to be entered.
static LEFT: AtomicUsize = AtomicUsize::new(0);
/// Whether the innermost hook fails.
static FAILS: AtomicBool = AtomicBool::new(false);
/// What hooks answer.
static ANSWER: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);
/// The function, by its address, and the arguments for each level, which the check keeps.
static CALLS: Mutex<(usize, Vec<Vec<TVMFFIAny>>)> = Mutex::new((0, Vec::new()));
/// What calls within have come to; `None` is an error.
static CAME_TO: Mutex<Vec<Option<TVMFFIAny>>> = Mutex::new(Vec::new());

fn set<T>(place: &Mutex<T>, value: T) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = value;
}

fn take<T: Default>(place: &Mutex<T>) -> T {
    std::mem::take(&mut *place.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The hook: it enters the function again as long as there are levels, and answers what the check wants, or a copy.
fn enter(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    match LEFT.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1)) {
        Ok(left) => {
            let (function, args) = {
                let calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
                (calls.0, calls.1.get(left).cloned().unwrap_or_default())
            };
            let answer = call(api, function as *mut c_void, &args);
            if answer.is_none() {
                api.release_raised();
            }
            CAME_TO.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
        }
        Err(_) if FAILS.swap(false, Ordering::AcqRel) => return raise(api, c"KeyError", c"innermost"),
        Err(_) => {}
    }
    let answer = *ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    if answer.type_index == kTVMFFINone { copy_of(args) } else { Some(answer) }
}
