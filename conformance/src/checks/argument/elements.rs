//! Elements of sequences whose type is declared: each is taken as a parameter of that type takes it.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Verdict, api::Api, callback::raise, globals, reflected, samples::Place, view},
    trial::Trial,
};

/// The function in `__ffi_convert__` of ffi.Shape takes each element of an Array or a List, first, last or between, as ffi.Shape takes it alone:
/// integers and booleans as the same extents, and nothing else that is refused there; the sequence stays as it was.
#[check(ARG_0014)]
fn extents_in_a_sequence(t: &Trial) -> Verdict {
    let (convert, shape) = (reflected::attribute_function(t, "__ffi_convert__", "ffi.Shape")?, t.global("ffi.Shape")?);
    // Extents of what is answered, or nothing if it is refused.
    let extents = |function, args: &[TVMFFIAny]| -> Verdict<Option<Vec<i64>>> {
        let Ok(made) = t.answer_of(function, args)? else { return Ok(None) };
        t.type_index_eq("type_index of the shape", made.any().type_index, kTVMFFIShape)?;
        let cell: TVMFFIShapeCell = t.cell("shape", made.handle())?;
        let read = |at: usize| t.read("an extent", cell.data.wrapping_add(at));
        (0..cell.size).map(read).collect::<Verdict<Vec<i64>>>().map(Some)
    };
    for sample in t.samples()? {
        let value = Place::Alone.put(t, &sample.any())?;
        let alone = extents(shape.handle(), &[value.any()])?;
        // What is taken alone as something else is for other clauses to say.
        let is_extent = [kTVMFFIInt, kTVMFFIBool].contains(&value.any().type_index);
        if is_extent == alone.is_none() {
            continue;
        }
        for (make, (before, behind)) in ["ffi.Array", "ffi.List"]
            .into_iter()
            .flat_map(|make| [(0, 0), (0, 2), (1, 1), (2, 0)].map(|rest| (make, rest)))
        {
            let Some(make_sequence) = globals::find(t, make)? else { continue };
            let numbers = |count: usize| vec![view::int(5); count];
            let items = [numbers(before), vec![value.any()], numbers(behind)].concat();
            let sequence = t.call(&make_sequence, &items)?;
            let stored = || -> Verdict<Vec<_>> {
                Ok(t.sequence(sequence.handle())?.items.iter().map(TVMFFIAny::to_bytes).collect())
            };
            let as_it_was = stored()?;
            let found = extents(convert.handle(), &[sequence.any()])?;
            let expected = alone.as_ref().map(|alone| [vec![5; before], alone.clone(), vec![5; behind]].concat());
            let what = format!("{} behind {before} and before {behind} integers in an {make}", sample.name);
            t.eq(format_args!("the extents that come of {what}"), found, expected)?;
            t.eq(format_args!("what stands in the sequence afterwards, {what}"), stored()?, as_it_was)?;
        }
    }
    Ok(())
}

/// A callback is listed by a boolean for its type index as by the integer that the boolean stands for, in an Array or a List, whichever function
/// takes the list.
#[check(ARG_0014)]
fn type_indices_of_callbacks(t: &Trial) -> Verdict {
    let value = t.call_global("ffi.Array", &[view::int(1), view::float(0.5)])?;
    let (function, none) = (t.callback(fail)?, t.call_global("ffi.Array", &[])?);
    let (value, function, none) = (value.any(), function.any(), none.any());
    for make in ["ffi.Array", "ffi.List"] {
        // How the functions end whose callback is listed by this type index, and fails if it is called.
        let outcomes = |index: TVMFFIAny| -> Verdict<Vec<(&str, String)>> {
            let pair = t.call_global("ffi.Array", &[index, function])?;
            let triple = t.call_global("ffi.Array", &[index, function, view::bool(false)])?;
            let [pairs, triples] = [t.call_global(make, &[pair.any()])?, t.call_global(make, &[triple.any()])?];
            let mut calls = vec![
                ("ffi.StructuralVisit", vec![value, pairs.any()]),
                ("ffi.StructuralMutate", vec![value, triples.any()]),
            ];
            for (name, order) in ["ffi.StructuralWalk", "ffi.StructuralMap"]
                .into_iter()
                .flat_map(|name| [0, 1].map(|order| (name, view::int(order))))
            {
                calls.push((name, vec![value, pairs.any(), none, order]));
                calls.push((name, vec![value, none, pairs.any(), order]));
            }
            let outcome = |(name, args): (_, Vec<_>)| {
                let ended = t.answer(name, &args)?;
                Ok((name, ended.map_or_else(|raised| raised.kind, |_| "an answer".to_owned())))
            };
            calls.into_iter().map(outcome).collect()
        };
        for flag in [false, true] {
            let (found, expected) = (outcomes(view::bool(flag))?, outcomes(view::int(flag.into()))?);
            t.eq(
                format_args!("how functions end that take {make} of callbacks for the type index {flag}"),
                found,
                expected,
            )?;
        }
    }
    Ok(())
}

fn fail(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    raise(api, c"KeyError", c"by the callback")
}
