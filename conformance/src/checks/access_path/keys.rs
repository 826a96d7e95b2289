//! The keys of the steps that methods make: values of every kind, in every form that they can be passed in.

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, forms, samples::TEXTS, view},
    trial::Trial,
};

/// Each method that takes any value for the key of a step keeps it as a value of the same type and content, in whatever form it is passed; the
/// steps that `_to_steps` lists have that key, and `_path_equal` knows the path that was made from another form.
#[check(PTH_0002, PTH_0004, PTH_0006)]
fn keys_of_every_form(t: &Trial) -> Verdict {
    let samples = t.samples()?;
    let root = root_path(t)?;
    for (kind, method) in [(2, "_map_item"), (5, "_map_item_missing")] {
        let make = function(t, method)?;
        let mut before: Option<(usize, Owned)> = None;
        for (at, sample) in samples.iter().enumerate() {
            let path = t.call(&make, &[root.any(), sample.any()])?;
            t.clause(id::PTH_0002);
            let step: StepCell = t.cell("fields of a step", cell(t, &path)?.step)?;
            t.eq(format_args!("kind of the step that {method} makes of {}", sample.name), step.kind, kind)?;
            t.is_sample(format_args!("key of the step that {method} makes of {}", sample.name), &step.key, sample)?;
            t.clause(id::PTH_0004);
            let steps = steps_of(t, &path)?;
            t.eq(
                format_args!("steps of the path that {method} makes of {}", sample.name),
                steps,
                vec![(kind, step.key.to_bytes())],
            )?;
            // Where both are one text, in two forms.
            if let Some((other, one)) = &before
                && sample.text().is_some()
                && sample.same(&samples[*other])
            {
                t.clause(id::PTH_0006);
                is(t, "_path_equal", one, &path, true)?;
            }
            before = Some((at, path));
        }
    }
    Ok(())
}

/// Each method that takes a text for the key of a step keeps it as a String of the same content, in whatever form it is passed.
#[check(PTH_0002)]
fn names_of_every_form(t: &Trial) -> Verdict {
    let root = root_path(t)?;
    for (kind, method) in [(0, "_attr"), (3, "_attr_missing")] {
        let make = function(t, method)?;
        for text in TEXTS {
            for form in forms::of_string(text) {
                let path = t.call(&make, &[root.any(), form.view])?;
                let step: StepCell = t.cell("fields of a step", cell(t, &path)?.step)?;
                let what = format!("of the step that {method} makes of {} b\"{}\"", form.name, text.escape_ascii());
                t.eq(format_args!("kind {what}"), step.kind, kind)?;
                let is_string = matches!(step.key.type_index, kTVMFFISmallStr | kTVMFFIStr);
                t.that(format_args!("key {what}"), is_string, "a String", format_args!("{:?}", step.key))?;
                t.eq(format_args!("text of the key {what}"), t.text(&step.key)?, text.to_vec())?;
            }
        }
    }
    Ok(())
}

/// Each method that takes a place for the key of a step keeps it as that integer, however large.
#[check(PTH_0002)]
fn places_of_every_size(t: &Trial) -> Verdict {
    let root = root_path(t)?;
    for (kind, method) in [(1, "_array_item"), (4, "_array_item_missing")] {
        let make = function(t, method)?;
        for place in
            [0, 1, 255, 256, 65_535, 65_536, 1 << 24, i64::from(i32::MAX), 1 << 31, 1 << 32, (1 << 53) + 1, i64::MAX]
        {
            let path = t.call(&make, &[root.any(), view::int(place)])?;
            let step: StepCell = t.cell("fields of a step", cell(t, &path)?.step)?;
            t.eq(format_args!("kind of the step that {method} makes of {place}"), step.kind, kind)?;
            t.any_eq(format_args!("key of the step that {method} makes of {place}"), &step.key, &view::int(place))?;
        }
    }
    Ok(())
}
