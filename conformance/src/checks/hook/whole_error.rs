//! Errors of functions that the library calls: they come through with every byte of their texts, and with all that they have.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::{clause::id, *};

use super::{
    called::{Provoke, makings},
    column::{PLACES, looks, place_in},
    kit::{TREE, kept, numbers},
};
use crate::{
    checks::check,
    client::{
        Client, Verdict, globals,
        node::set_kind,
        occasion::Occasion,
        samples::Place,
        types,
        whole_error::{fail_whole, raise_whole, times_raised},
    },
    trial::Trial,
};

/// The error of a function that the library calls comes through with each byte of its kind and its message, with NUL bytes and bytes that are no UTF-8 in
/// them, empty or long, and with its cause, whatever calls the function, and wherever what it calls it for stands.
#[check(HOK_0009, VIS_0012, ERR_0023, patient = 2)]
fn error_of_any_bytes(t: &Trial) -> Verdict {
    let function = t.callback(raise_whole)?;
    let mut doors: Vec<(String, &'static str, Provoke)> = Vec::new();
    let mut add = |occasion: Occasion| {
        let clause = if occasion.keeps_nothing == id::VIS_0025 { id::VIS_0012 } else { id::HOK_0009 };
        doors.push((occasion.name, clause, occasion.provoke));
    };
    t.occasions(&function)?.into_iter().for_each(&mut add);
    for place in Place::all(t)? {
        t.occasions_about(place, &function)?.into_iter().for_each(|(occasion, _)| add(occasion));
    }
    doors.extend(makings(t, &function)?.into_iter().map(|(name, provoke)| (name, id::HOK_0009, provoke)));
    each_comes_through(t, &doors)
}

/// The error of a client's getter comes through with each byte of its kind and its message, and with its cause, whichever function reads the field,
/// and wherever the object stands.
#[check(HOK_0019, ERR_0023)]
fn error_of_a_getter_of_any_bytes(t: &Trial) -> Verdict {
    unsafe extern "C" fn fail(_: *mut c_void, _: *mut TVMFFIAny) -> c_int {
        fail_whole()
    }
    let kind = types::new(t, "verify.whole.Getter");
    let field = TVMFFIFieldInfo { getter: Some(fail), ..types::field(b"first", kTVMFFIAny, 16, 24) };
    t.ok(t.api.TVMFFITypeRegisterField(kind, &field))?;
    set_kind(t, kind, TREE)?;
    // Only what could be read back is saved.
    t.set_hook(kind, "__ffi_new__", &t.callback(|_, _| None)?.any())?;
    let mut doors: Vec<(String, &'static str, Provoke)> = Vec::new();
    for place in PLACES {
        let [lhs, rhs] = [(); 2].map(|()| place_in(t, place, kept(numbers(kind, 1, 2))));
        let (lhs, rhs) = (lhs?.into_any(), rhs?.into_any());
        let mut calls = looks(place, lhs, rhs);
        calls.push(("ffi.ToJSONGraphString", vec![lhs, TVMFFIAny::NONE]));
        for (name, args) in calls {
            if globals::find(t, name)?.is_some() {
                let provoke: Provoke = Box::new(move |client: &Client| client.answer(name, &args));
                doors.push((format!("{name} of an object in {place:?}"), id::HOK_0019, provoke));
            }
        }
    }
    each_comes_through(t, &doors)
}

/// Expects each error to come through each door at which it is raised.
fn each_comes_through(t: &Trial, doors: &[(String, &'static str, Provoke)]) -> Verdict {
    for (number, whole) in t.whole_errors()?.iter().enumerate() {
        t.choose_error(whole);
        for (at, (name, clause, provoke)) in doors.iter().enumerate() {
            // The first few at each door, and the others in turn.
            if number > 3 && (at + number) % 4 != 0 {
                continue;
            }
            t.clause(clause);
            let before = times_raised();
            let answer = provoke(t)?;
            if times_raised() == before {
                continue;
            }
            let what = format!("{name}, whose function raises {}", whole.name());
            let Err(raised) = answer else {
                return Err(t.failure(format!("what came of {what}"), "the error of the function", "success"));
            };
            t.says_the_same(&what, &raised, whole)?;
            t.clause(id::ERR_0023);
            t.is_the_same_error(&what, &raised, whole)?;
        }
    }
    Ok(())
}
