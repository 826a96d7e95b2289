//! What the methods of access paths refuse, keep and give back.

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, given::Given, homemade::Homemade, view},
    trial::Trial,
};

/// A method of an access path raises an error for an argument of another type, and keeps no reference to it.
#[check(PTH_0008)]
fn methods_refuse(t: &Trial) -> Verdict {
    refuse(t, &[])
}

/// The error of a method of an access path that refuses an argument of another type is a TypeError.
#[check(PTH_0010)]
fn methods_raise_type_errors(t: &Trial) -> Verdict {
    refuse(t, &["TypeError"])
}

/// A method of an access path that is given an object to keep, in whatever place, gives it up when it fails.
#[check(PTH_0008)]
fn methods_keep_nothing_given(t: &Trial) -> Verdict {
    let values = Values::new(t)?;
    for (method, params) in METHODS {
        let function = function(t, method)?;
        for place in 0..params.len() {
            let mut given = Given::default();
            let mut args = params.map(|param| values.of(param));
            args[place] = given.arg();
            drop(t.answer_of(function.handle(), &args)?);
            given.is_accounted_for(t, format!("{method} as argument {place}"))?;
        }
    }
    values.are_lent(t, "all methods", &values.counts(t)?)
}

/// A method of an access path gives back every reference that it takes when its answer ends.
#[check(PTH_0009)]
fn methods_lend(t: &Trial) -> Verdict {
    let values = Values::new(t)?;
    let before = values.counts(t)?;
    for (method, params) in METHODS {
        drop(call(t, method, &params.map(|param| values.of(param)))?);
        values.are_lent(t, method, &before)?;
        let function = function(t, method)?;
        // One argument too few or too many.
        drop(t.answer_of(function.handle(), &[values.path.any()])?);
        drop(t.answer_of(
            function.handle(),
            &[&params.map(|param| values.of(param))[..], &[values.text.any()]].concat(),
        )?);
        values.are_lent(t, method, &before)?;
    }
    Ok(())
}

/// A method of an access path that takes any value as a key takes the key out of the caller's slot, and the new path alone holds it.
#[check(ARG_0007, PTH_0002)]
fn keys_are_taken(t: &Trial) -> Verdict {
    for (method, type_index) in ["_map_item", "_map_item_missing"]
        .iter()
        .flat_map(|method| [kTVMFFIObject, kTVMFFIError].map(|of| (*method, of)))
    {
        let kind = if method == "_map_item" { 2 } else { 5 };
        let (mut path, mut all) = (root_path(t)?, Vec::new());
        for depth in 1..4 {
            let mut given = Given::of_type(type_index);
            path = call(t, method, &[path.any(), given.arg()])?;
            t.clause(id::PTH_0002);
            is_step(t, cell(t, &path)?.step, kind, &given.view())
                .map_err(|failure| failure.noting(format!("after {method}, {depth} deep")))?;
            all.push(given);
        }
        drop(path);
        t.clause(id::ARG_0007);
        all.iter().try_for_each(|given| given.is_taken_and_gone(t, method))?;
    }
    Ok(())
}

/// What a method takes in a place.
#[derive(Clone, Copy, PartialEq)]
enum Param {
    Path,
    Step,
    Text,
    Int,
    Anything,
}

/// The methods with two arguments, and what they take.
const METHODS: [(&str, [Param; 2]); 9] = [
    ("_attr", [Param::Path, Param::Text]),
    ("_attr_missing", [Param::Path, Param::Text]),
    ("_array_item", [Param::Path, Param::Int]),
    ("_array_item_missing", [Param::Path, Param::Int]),
    ("_map_item", [Param::Path, Param::Anything]),
    ("_map_item_missing", [Param::Path, Param::Anything]),
    ("_extend", [Param::Path, Param::Step]),
    ("_is_prefix_of", [Param::Path, Param::Path]),
    ("_path_equal", [Param::Path, Param::Path]),
];

/// A value for each parameter, and one that no parameter but a key takes.
struct Values {
    path: Owned,
    step: Owned,
    text: Owned,
    stranger: Homemade<[u64; 12]>,
}

impl Values {
    fn new(t: &Trial) -> Verdict<Self> {
        let path = call(t, "_array_item", &[root_path(t)?.any(), view::int(3)])?;
        let (step, text) = (t.access_step(1, view::int(3))?, t.string(b"a text of more than seven bytes")?);
        Ok(Self { path, step, text, stranger: Homemade::new(kTVMFFIError, [0; 12]) })
    }

    fn of(&self, param: Param) -> TVMFFIAny {
        match param {
            Param::Path => self.path.any(),
            Param::Step => self.step.any(),
            Param::Text | Param::Anything => self.text.any(),
            Param::Int => view::int(3),
        }
    }

    /// Values that are of another type than a parameter.
    fn others(&self, param: Param) -> Vec<TVMFFIAny> {
        let all = [
            (Param::Path, self.path.any()),
            (Param::Step, self.step.any()),
            (Param::Text, self.text.any()),
            (Param::Text, view::c_str(c"name")),
            (Param::Int, view::int(1)),
            (Param::Anything, self.stranger.view()),
            (Param::Anything, view::float(1.5)),
        ];
        let other = |(of, _): &(Param, TVMFFIAny)| *of != param && param != Param::Anything;
        all.into_iter().filter(other).map(|(_, value)| value).collect()
    }

    fn counts(&self, t: &Trial) -> Verdict<[(u32, u32); 4]> {
        let of = |owned: &Owned| t.counts(owned.handle());
        Ok([of(&self.path)?, of(&self.step)?, of(&self.text)?, self.stranger.counts()])
    }

    /// Expects nobody to hold more of them than before.
    fn are_lent(&self, t: &Trial, what: &str, before: &[(u32, u32); 4]) -> Verdict {
        t.eq(format_args!("counts of path, step, text and stranger after {what}"), self.counts(t)?, *before)
    }
}

/// Expects the methods to refuse arguments of other types with errors of these kinds, and to keep none.
fn refuse(t: &Trial, kinds: &[&str]) -> Verdict {
    let values = Values::new(t)?;
    let before = values.counts(t)?;
    for (method, params) in METHODS {
        let function = function(t, method)?;
        for (place, param) in params.into_iter().enumerate() {
            for other in values.others(param) {
                let mut args = params.map(|param| values.of(param));
                args[place] = other;
                let refused = t.call_fails(&function, &args, kinds);
                drop(refused.map_err(|failure| failure.noting(format!("{method} with {other:?} in place {place}")))?);
                values.are_lent(t, method, &before)?;
            }
        }
    }
    Ok(())
}

/// Making, listing and releasing access paths does not make the heap grow.
#[check(PTH_0009, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let methods = [function(t, "_root")?, function(t, "_attr")?, function(t, "_to_steps")?];
    t.no_growth("memory for paths", || {
        let root = t.call(&methods[0], &[])?;
        let path = t.call(&methods[1], &[root.any(), view::c_str(c"a text of more than seven bytes")])?;
        t.call(&methods[2], &[path.any()]).map(drop)
    })
}
