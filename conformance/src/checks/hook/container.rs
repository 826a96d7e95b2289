//! Functions of a client's that look at the very container that the call is about.

use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Answer, Verdict,
        api::Api,
        callback::Body,
        globals,
        model::Value,
        node::{node, node_type},
        reentry::{answer, read_container},
        samples::Place,
        view,
    },
    trial::Trial,
};

/// A hook of an object and a callback of a walk may read the container in which the library met the value.
#[check(HOK_0021, patient = 2)]
fn may_read_what_holds_it(t: &Trial) -> Verdict {
    t.serve_reentry()?;
    let function = t.callback(read_and_answer)?;
    for place in Place::all(t)?.into_iter().filter(|place| *place != Place::Alone) {
        for (occasion, container) in t.occasions_about(place, &function)? {
            comes_to_the_same(t, &occasion.name, occasion.answer, || {
                look_at(&container);
                outcome(t, (occasion.provoke)(t)?)
            })?;
        }
    }
    Ok(())
}

/// A hook of an object and a callback of a walk may let the List or the Dict in which the library met the value grow, and take out again what
/// they have put there: the call comes to the same, or to an error.
#[check(HOK_0021, patient = 2)]
fn may_change_what_holds_it(t: &Trial) -> Verdict {
    t.serve_reentry()?;
    let function = t.callback(read_and_answer)?;
    let changing = |place: &Place| matches!(place, Place::InList | Place::DictKey | Place::DictValue);
    for place in Place::all(t)?.into_iter().filter(changing) {
        for (occasion, container) in t.occasions_about(place, &function)? {
            *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = occasion.answer;
            look_at(&container);
            let with = |mode: usize| -> Verdict<Outcome> {
                READING.store(mode, Ordering::Release);
                outcome(t, (occasion.provoke)(t)?)
            };
            let expected = with(NEITHER)?;
            if CALLS.swap(0, Ordering::AcqRel) == 0 {
                continue;
            }
            let got = with(CHANGES_IT)?;
            READING.store(NEITHER, Ordering::Release);
            // A library may refuse to go on with what has changed meanwhile.
            if got.is_ok() {
                let name = &occasion.name;
                let what =
                    format_args!("what {name} has come to with a function that has the container grow and shrink");
                t.eq(what, got, expected)?;
            }
        }
    }
    Ok(())
}

/// The hook of a key may read the very map that is asked for the key or is changed, through every function.
#[check(HOK_0021, patient = 2)]
fn may_read_the_map_of_its_key(t: &Trial) -> Verdict {
    t.serve_reentry()?;
    let function = t.callback(read_and_answer)?;
    for (column, answer) in [("__any_hash__", view::int(5)), ("__any_equal__", view::bool(true))] {
        let kind = node_type(t, &format!("verify.key{column}"), kTVMFFISEqHashKindTreeNode, [0, 0])?;
        t.set_hook(kind, column, &function.any())?;
        if column == "__any_equal__" {
            let seven: Body = |_, _| Some(view::int(7));
            t.set_hook(kind, "__any_hash__", &t.callback(seven)?.any())?;
        }
        let [key, other] = [(); 2].map(|()| node(kind, view::int(1), view::int(2)));
        for make in ["ffi.Map", "ffi.Dict"] {
            for (door, count) in [("GetItem", 2), ("Count", 2), ("GetItemOrMissing", 2), ("SetItem", 3), ("Erase", 2)] {
                let Some(door) = globals::find(t, &format!("{make}{door}"))? else { continue };
                for (asked, others) in [(&key, 1), (&other, 1), (&key, 9), (&other, 9)] {
                    comes_to_the_same(t, &format!("a function of {make}"), answer, || {
                        look_at(&TVMFFIAny::NONE);
                        let entries = (0..others).flat_map(|number| [view::int(number), view::int(number)]);
                        let entries: Vec<_> = [key.view(), view::int(4711)].into_iter().chain(entries).collect();
                        let map = t.call_global(make, &entries)?;
                        look_at(&map.any());
                        let args = [map.any(), asked.view(), view::int(4712)];
                        let outcome = outcome(t, t.answer_of(door.handle(), &args[..count])?)?;
                        look_at(&TVMFFIAny::NONE);
                        let size = t.call_int(&format!("{make}Size"), &[map.any()])?;
                        Ok((outcome, size))
                    })?;
                }
            }
        }
    }
    Ok(())
}

/// A value, or the kind of an error.
type Outcome = Result<Value, String>;

/// What a call has come to, to be compared.
fn outcome(t: &Trial, answer: Answer) -> Verdict<Outcome> {
    match answer {
        Ok(answer) if answer.any().type_index <= kTVMFFISmallBytes || answer.any().type_index == kTVMFFIStr => {
            Value::read(t, &answer.any()).map(Ok)
        }
        // What is in a container that was copied or mapped is for other clauses to say.
        Ok(answer) => Ok(Ok(Value::Int(answer.any().type_index.into()))),
        Err(raised) => Ok(Err(raised.kind)),
    }
}

/// Expects something to come to the same, whether or not the function that the library calls reads the container.
fn comes_to_the_same<T: PartialEq + std::fmt::Debug>(
    t: &Trial,
    name: &str,
    answer: TVMFFIAny,
    provoke: impl Fn() -> Verdict<T>,
) -> Verdict {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    let with = |reading: usize| {
        READING.store(reading, Ordering::Release);
        provoke()
    };
    let expected = with(NEITHER)?;
    if CALLS.swap(0, Ordering::AcqRel) != 0 {
        let got = with(READS_IT)?;
        t.eq(format_args!("what {name} has come to with a function that reads the container"), got, expected)?;
        t.library_was_usable(&format!("within {name}"))?;
    }
    Ok(())
}

/// How often the function was called.
static CALLS: AtomicUsize = AtomicUsize::new(0);
/// What it does with the container.
static READING: AtomicUsize = AtomicUsize::new(NEITHER);
const NEITHER: usize = 0;
const READS_IT: usize = 1;
const CHANGES_IT: usize = 2;
/// The container, and what type it is of.
static CONTAINER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static KIND: AtomicI32 = AtomicI32::new(0);
/// What the function answers.
static ANSWER: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

/// Has the function read that container from now on, or none.
fn look_at(container: &TVMFFIAny) {
    CONTAINER.store(container.payload() as *mut c_void, Ordering::Release);
    KIND.store(container.type_index, Ordering::Release);
}

/// Reads or changes the container, and answers what the check wants.
fn read_and_answer(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    CALLS.fetch_add(1, Ordering::AcqRel);
    let container = TVMFFIAny::new(KIND.load(Ordering::Acquire), CONTAINER.load(Ordering::Acquire) as u64);
    match READING.load(Ordering::Acquire) {
        READS_IT => read_container(&container),
        CHANGES_IT => {
            grow_and_shrink(&container);
            // A library may refuse to change what it looks into.
            api.release_raised();
        }
        _ => {}
    }
    Some(*ANSWER.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Puts so much into a container that its elements move, takes it out again, and has the memory where they lay hold others.
fn grow_and_shrink(container: &TVMFFIAny) {
    const MORE: i64 = 60;
    let (own, int) = (*container, view::int);
    let (make, size) = match own.type_index {
        kTVMFFIList => ("ffi.List", "ffi.ListSize"),
        kTVMFFIDict => ("ffi.Dict", "ffi.DictSize"),
        _ => return,
    };
    let size = answer(size, &[own]).map_or(0, |size| size.any().payload() as i64);
    // No other key is one of these.
    let keys = || (5000..5000 + MORE).map(int);
    if make == "ffi.List" {
        keys().for_each(|value| drop(answer("ffi.ListAppend", &[own, value])));
        drop(answer("ffi.ListEraseRange", &[own, int(size), int(size + MORE)]));
    } else {
        keys().for_each(|key| drop(answer("ffi.DictSetItem", &[own, key, key])));
        keys().for_each(|key| drop(answer("ffi.DictErase", &[own, key])));
    }
    let count = if make == "ffi.List" { size } else { 2 * size };
    let others: Vec<_> = (0..count).map(|at| int(4000 + at)).collect();
    let kept: Vec<_> = (0..20).map(|_| answer(make, &others)).collect();
    drop(kept);
}
