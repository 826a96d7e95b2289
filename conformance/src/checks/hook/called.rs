//! What holds of every function of a client's that the library calls of itself, on whatever occasion.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Answer, Client, Owned, Verdict,
        api::Api,
        callback::{self, raise},
        globals,
        homemade::{Homemade, retain},
        model::Value,
        node::{node, node_type},
        reentry::use_library,
        samples::Place,
        view,
    },
    trial::Trial,
};

/// The error of a function that the library calls is the very error of the call that it was a part of, whatever status but
/// zero the function answers.
#[check(HOK_0009, VIS_0012, ERR_0023)]
fn error_is_the_same(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let function = t.function(null_mut(), raise_chosen, None)?;
    let occasions = t.occasions(&function)?;
    for (occasion, status) in occasions.iter().flat_map(|occasion| [-1, 1, 7].map(|status| (occasion, status))) {
        STATUS.store(status, Ordering::Release);
        let error = t.new_error("KeyError", "by a function of the client's", "")?;
        CHOSEN.store(error.handle(), Ordering::Release);
        let called = calls();
        let answer = (occasion.provoke)(t)?;
        if calls() == called {
            continue;
        }
        let name = format!("{}, whose function answers {status}", occasion.name);
        t.clause(if occasion.keeps_nothing == id::VIS_0025 { id::VIS_0012 } else { id::HOK_0009 });
        let Err(raised) = answer else {
            return Err(t.failure(format!("what came of {name}"), "the error of the function", "success"));
        };
        t.eq(format_args!("the kind of the error of {name}"), raised.kind.as_str(), "KeyError")?;
        t.clause(id::ERR_0023);
        t.eq(format_args!("the error of {name}"), raised.object.handle(), error.handle())?;
        drop(raised);
        t.eq(format_args!("counts of the error of {name}"), t.counts(error.handle())?, (1, 1))?;
    }
    Ok(())
}

/// The error of a function that the library calls arrives as it was raised, with its kind and message, whatever these are: also where the
/// function was to make a part of a graph that is read, or a copy.
#[check(HOK_0009, VIS_0012, ERR_0023)]
fn error_of_every_kind(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let function = t.function(null_mut(), raise_chosen, None)?;
    let occasions = t.occasions(&function)?;
    let makings = makings(t, &function)?;
    STATUS.store(-1, Ordering::Release);
    let provoked = occasions.iter().map(|occasion| {
        let clause = if occasion.keeps_nothing == id::VIS_0025 { id::VIS_0012 } else { id::HOK_0009 };
        (occasion.name.as_str(), clause, &*occasion.provoke)
    });
    let made = makings.iter().map(|(name, provoke)| (name.as_str(), id::HOK_0009, &**provoke));
    for (name, clause, provoke) in provoked.chain(made) {
        for (kind, message) in KINDS {
            let error = t.new_error(kind, message, "")?;
            CHOSEN.store(error.handle(), Ordering::Release);
            let called = calls();
            let answer = provoke(t)?;
            if calls() == called {
                break;
            }
            t.clause(clause);
            let Err(raised) = answer else {
                return Err(t.failure(format!("what came of {name}"), "the error of the function", "success"));
            };
            t.eq(format_args!("the kind of the error of {name}"), raised.kind.as_str(), kind)?;
            t.eq(format_args!("the message of the error of {name}"), raised.message.as_str(), message)?;
            t.clause(id::ERR_0023);
            t.eq(format_args!("the error of {name}"), raised.object.handle(), error.handle())?;
        }
    }
    Ok(())
}

/// Kinds of errors, those that Python has and others, each with a message.
const KINDS: [(&str, &str); 10] = [
    ("ValueError", "no such value"),
    ("TypeError", "no such type"),
    ("RuntimeError", "not now"),
    ("IndexError", "index 7"),
    ("KeyError", "no such key"),
    ("MemoryError", "no room for\nanother line"),
    ("AttributeError", "no such attribute"),
    ("InternalError", "at fault: the client"),
    ("my.Error", "of a kind that nobody knows"),
    ("A kind of many words, longer than others", "\u{e9}\u{20ac} and more than ASCII"),
];

/// Brings the library to call a function.
pub(super) type Provoke = Box<dyn Fn(&Client) -> Verdict<Answer>>;

/// What has the library call that function to make something: a part of a graph, wherever it stands, or a copy.
pub(super) fn makings(t: &Trial, function: &Owned) -> Verdict<Vec<(String, Provoke)>> {
    const MADE: &str = r#"{"type":"verify.called.Made","data":7}"#;
    let kind = node_type(t, "verify.called.Made", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    for column in ["__data_from_json__", "__ffi_shallow_copy__"] {
        t.set_hook(kind, column, &function.any())?;
    }
    let mut all: Vec<(String, Provoke)> = Vec::new();
    let mut add = |door: &'static str, about: &str, arg: Owned| -> Verdict {
        if globals::find(t, door)?.is_some() {
            let provoke: Provoke = Box::new(move |client: &Client| client.answer(door, &[arg.any()]));
            all.push((format!("{door} of {about}"), provoke));
        }
        Ok(())
    };
    for (about, root, others) in [
        ("an object", 0, ""),
        ("an object in an Array", 1, r#",{"type":"ffi.Array","data":[0]}"#),
        ("an object in a Map", 2, r#",{"type":"ffi.String","data":"key"},{"type":"ffi.Map","data":[1,0]}"#),
        ("an object deep in Arrays", 2, r#",{"type":"ffi.Array","data":[0]},{"type":"ffi.Array","data":[1,1]}"#),
    ] {
        let text = t.string(format!(r#"{{"root_index":{root},"nodes":[{MADE}{others}]}}"#).as_bytes())?;
        if globals::find(t, "ffi.json.Parse")?.is_some() {
            add("ffi.FromJSONGraph", about, t.call_global("ffi.json.Parse", &[text.any()])?)?;
        }
        add("ffi.FromJSONGraphString", about, text)?;
    }
    for place in Place::all(t)?.into_iter().filter(|place| !matches!(place, Place::MapKey | Place::DictKey)) {
        let held = place.put(t, &node(kind, view::int(1), view::int(2)).view())?;
        add("ffi.DeepCopy", &format!("an object, {place:?}"), held)?;
    }
    Ok(all)
}

/// A function that the library calls may use the library, on its thread and on another, which changes nothing.
#[check(HOK_0021, patient = 2)]
fn may_use_the_library(t: &Trial) -> Verdict {
    t.serve_reentry()?;
    let function = t.callback(answer)?;
    for occasion in t.occasions(&function)? {
        answer_with(occasion.answer);
        let result = |using| -> Verdict<Result<Value, String>> {
            USING.store(using, Ordering::Release);
            let answer = (occasion.provoke)(t)?;
            USING.store(false, Ordering::Release);
            match answer {
                Ok(answer) => Value::read(t, &answer.any()).map(Ok),
                Err(raised) => Ok(Err(raised.kind)),
            }
        };
        let called = calls();
        let expected = result(false)?;
        if calls() != called {
            let name = &occasion.name;
            t.eq(
                format_args!("what {name} has come to with a function that uses the library"),
                result(true)?,
                expected,
            )?;
            t.library_was_usable(&format!("within {name}"))?;
        }
    }
    Ok(())
}

/// A function that the library calls may answer what is not expected of it: that is taken or refused, and not kept.
#[check(HOK_0015, VIS_0025, DTY_0029)]
fn unexpected_answers(t: &Trial) -> Verdict {
    let function = t.callback(answer)?;
    for occasion in t.occasions(&function)? {
        t.clause(occasion.keeps_nothing);
        for plain in [TVMFFIAny::NONE, view::int(-1), view::float(0.5), view::pointer(null_mut())] {
            answer_with(plain);
            drop((occasion.provoke)(t)?);
        }
        let object = Homemade::new(kTVMFFIObject, ());
        answer_with(object.view());
        drop((occasion.provoke)(t)?);
        let left = (object.counts(), object.ends());
        t.eq(format_args!("counts and ends of an object answered to {}", occasion.name), left, ((1, 1), vec![]))?;
    }
    Ok(())
}

/// A call whose arguments are given away keeps none of them, whether the function that it calls answers or fails.
#[check(HOK_0015, VIS_0025)]
fn given_away(t: &Trial) -> Verdict {
    let function = t.callback(answer_or_fail)?;
    for occasion in t.occasions(&function)? {
        let Some(provoke) = &occasion.provoke_giving else { continue };
        t.clause(occasion.keeps_nothing);
        answer_with(occasion.answer);
        for failing in [false, true] {
            FAILING.store(failing, Ordering::Release);
            provoke(t).map_err(|failure| failure.noting(format!("the occasion is {}", occasion.name)))?;
        }
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// The functions
// ---------------------------------------------------------------------------------------------------------------------

/// How often a function was called.
static CALLS: AtomicUsize = AtomicUsize::new(0);
/// The error that [`raise_chosen`] raises, which the check keeps alive.
static CHOSEN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// What [`answer`] answers.
static ANSWER: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);
/// Whether it uses the library before.
static USING: AtomicBool = AtomicBool::new(false);

fn calls() -> usize {
    CALLS.load(Ordering::Acquire)
}

fn answer_with(value: TVMFFIAny) {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = value;
}

/// Raises the error that the check has chosen.
unsafe extern "C" fn raise_chosen(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    CALLS.fetch_add(1, Ordering::AcqRel);
    if let Some(api) = callback::api() {
        api.TVMFFIErrorSetRaised(CHOSEN.load(Ordering::Acquire));
    }
    STATUS.load(Ordering::Acquire)
}

/// What [`raise_chosen`] answers.
static STATUS: AtomicI32 = AtomicI32::new(-1);

/// Whether [`answer_or_fail`] fails.
static FAILING: AtomicBool = AtomicBool::new(false);

/// Answers what the check wants, or raises an error of its own.
fn answer_or_fail(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    if FAILING.load(Ordering::Acquire) {
        return raise(api, c"KeyError", c"by a function of the client's");
    }
    answer(api, args)
}

/// Answers what the check wants, with a reference of its own.
fn answer(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    CALLS.fetch_add(1, Ordering::AcqRel);
    if USING.load(Ordering::Acquire) {
        use_library();
    }
    let value = *ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    if value.type_index >= kTVMFFIStaticObjectBegin {
        retain(value.payload() as TVMFFIObjectHandle);
    }
    Some(value)
}
