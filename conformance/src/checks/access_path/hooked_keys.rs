//! Paths through keys of Maps whose types have hooks: the hooks say which keys are the same.

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, api::Api, homemade::Homemade, memory, types, view},
    trial::Trial,
};

/// Two access paths through objects as keys are equal, and one begins with the other, if the function in the column `__any_equal__` of the objects'
/// type says that their keys are the same, in whichever step these are, and otherwise not.
#[check(HSH_0012)]
fn keys_that_hooks_compare(t: &Trial) -> Verdict {
    let (hook, index) = (t.callback(hash_or_equal)?, types::new(t, "verify.KeyOfPaths"));
    for column in ["__any_hash__", "__any_equal__"] {
        t.set_hook(index, column, &hook.any())?;
    }
    let keys = [1, 1, 2].map(|number| Homemade::new(index, number));
    compares_by(t, &keys.each_ref().map(Homemade::view))?;
    t.eq("counts of the keys", keys.each_ref().map(Homemade::counts), [(1, 1); 3])
}

/// Two access paths through big integers as keys are equal, and one begins with the other, if the integers are, whichever objects they are and in
/// whichever step they stand.
#[check(HSH_0018)]
fn keys_that_are_big_integers(t: &Trial) -> Verdict {
    for [number, other] in [[[0_i64, 1], [1, 1]], [[i64::MIN, 0], [i64::MIN, 1]], [[5, -2], [5, 2]]] {
        let integer = |words: [i64; 2]| -> Verdict<Owned> {
            let (bytes, mut made) = (words.map(i64::to_ne_bytes).concat(), TVMFFIAny::NONE);
            t.ok(t.api.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&bytes), &mut made))?;
            Ok(t.own(made))
        };
        let keys: [Owned; 3] = [integer(number)?, integer(number)?, integer(other)?];
        compares_by(t, &keys.each_ref().map(Owned::any))?;
    }
    Ok(())
}

/// Expects paths to be told apart by keys of which the first two are the same, and the third is another.
fn compares_by(t: &Trial, [one, same, other]: &[TVMFFIAny; 3]) -> Verdict {
    let (is_prefix, is_equal) = (function(t, "_is_prefix_of")?, function(t, "_path_equal")?);
    let (root, attr) = (root_path(t)?, function(t, "_attr")?);
    let (item, missing) = (function(t, "_map_item")?, function(t, "_map_item_missing")?);
    let named = |path: &Owned| t.call(&attr, &[path.any(), view::c_str(c"a name of more than seven bytes")]);
    let compared = |left: &Owned, right: &Owned, longer: &Owned, expected| {
        answers(t, "_path_equal", &is_equal, left, right, expected)?;
        answers(t, "_path_equal", &is_equal, right, left, expected)?;
        answers(t, "_is_prefix_of", &is_prefix, left, right, expected)?;
        answers(t, "_is_prefix_of", &is_prefix, left, longer, expected)?;
        answers(t, "_is_prefix_of", &is_prefix, longer, left, false)
    };
    let before = named(&root)?;
    for (method, begins_with, is_last) in [(&item, &root, true), (&missing, &before, true), (&item, &before, false)] {
        let path = |key: &TVMFFIAny| {
            let path = t.call(method, &[begins_with.any(), *key])?;
            if is_last { Ok(path) } else { named(&path) }
        };
        let left = path(one)?;
        for (key, expected) in [(one, true), (same, true), (other, false)] {
            let right = path(key)?;
            let (keys, place) = (
                if expected { "keys that are the same" } else { "other keys" },
                if is_last { "last" } else { "inner" },
            );
            compared(&left, &right, &named(&right)?, expected)
                .map_err(|failure| failure.noting(format!("of two paths with {keys} in their {place} step")))?;
        }
    }
    // Two such steps in one path, of which either may differ.
    let two = |first: &TVMFFIAny, second: &TVMFFIAny| {
        let path = t.call(&item, &[root.any(), *first])?;
        t.call(&item, &[path.any(), *second])
    };
    let left = two(one, other)?;
    for (right, expected) in [(two(same, other)?, true), (two(other, other)?, false), (two(same, one)?, false)] {
        compared(&left, &right, &named(&right)?, expected)?;
    }
    Ok(())
}

/// The function object for both hooks of objects that hold a number: called with one it answers the number for its hash, with two whether
/// their numbers are equal.
fn hash_or_equal(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let number = |object: &TVMFFIAny| {
        memory::read((object.payload() as *const i64).wrapping_byte_add(size_of::<TVMFFIObject>()))
    };
    match args {
        [object] => number(object).map(view::int),
        [one, other] => Some(view::bool(number(one)? == number(other)?)),
        _ => None,
    }
}
