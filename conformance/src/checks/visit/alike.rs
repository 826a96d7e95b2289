//! Values that a callback replaces by one that differs in what is not its payload.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{PRE, entries, index_of_either_form, triples};
use crate::{
    checks::check,
    client::{Verdict, api::Api, callback::Body, globals, homemade, samples::Sample, view},
    trial::Trial,
};

/// What [`answer_all_of_it`] answers, which the check keeps alive.
static ANSWER: Mutex<TVMFFIAny> = Mutex::new(TVMFFIAny::NONE);

/// A structural map and a mutation put all of a callback's answer in the place of a value that has the same payload and another type, or the same type
/// and payload and another length, whatever container it is in.
#[check(VIS_0018, VIS_0021, VIS_0022)]
fn replaced_by_the_like(t: &Trial) -> Verdict {
    let (none, zero, makers) = (entries(t, &[])?, view::int(0), t.containers()?);
    let [map, mutate] = ["ffi.StructuralMap", "ffi.StructuralMutate"].map(|name| globals::find(t, name));
    let (map, mutate) = (map?, mutate?);
    let mut number = 0;
    for group in t.alike_in_payload()? {
        let values: Vec<&Sample> = group.iter().filter(|sample| sample.any().type_index != kTVMFFINone).collect();
        for pair in values.windows(2).flat_map(|pair| [[pair[0], pair[1]], [pair[1], pair[0]]]) {
            let ([before, after], make) = (pair, makers[number % makers.len()]);
            let is_map = matches!(make, "ffi.Map" | "ffi.Dict");
            number += 1;
            let args: &[TVMFFIAny] = if is_map { &[zero, before.any()] } else { &[before.any()] };
            let value = t.call_global(make, args)?;
            *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = after.any();
            let callback = [(index_of_either_form(before.any().type_index), answer_all_of_it as Body)];
            // In either of the two in turn, so that each is tried in each container.
            let (clause, function, args) = if number / makers.len() % 2 == 0 {
                let args = vec![value.any(), entries(t, &callback)?.into_any(), none.any(), view::int(PRE)];
                (if is_map { id::VIS_0021 } else { id::VIS_0018 }, &map, args)
            } else {
                (id::VIS_0022, &mutate, vec![value.any(), triples(t, &callback)?.into_any()])
            };
            let Some(function) = function else { continue };
            t.clause(clause);
            let made = t.call(function, &args)?;
            let found = if is_map {
                t.map(made.handle())?.entries.first().map(|entry| entry.1)
            } else {
                t.sequence(made.handle())?.items.first().copied()
            };
            let found = found.unwrap_or(TVMFFIAny::NONE);
            let what =
                format_args!("what became of {} in {make}, for which a callback answered {},", before.name, after.name);
            t.is_sample(what, &found, after)?;
        }
    }
    Ok(())
}

/// Answers the value that was chosen, with all its bytes.
fn answer_all_of_it(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let answer = *ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    if answer.type_index >= kTVMFFIStaticObjectBegin {
        homemade::retain(answer.payload() as TVMFFIObjectHandle);
    }
    Some(answer)
}
