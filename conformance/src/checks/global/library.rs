//! The functions of the library itself, which are in the table from the start.

use std::collections::{BTreeMap, BTreeSet};

use tvm_ffi_spec::{abi, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{TypeIndex, Verdict, forms, types, view},
    trial::Trial,
};

/// What C++ clients and the Python package look up by name.
const BASIC: [&str; 3] =
    ["ffi.FunctionListGlobalNamesFunctor", "ffi.FunctionRemoveGlobal", "ffi.GetGlobalFuncMetadata"];

/// The functions that list, remove and describe global functions are registered from the start.
#[check(GLB_0023)]
fn from_the_start(t: &Trial) -> Verdict {
    are_functions(t, &BASIC)
}

/// The functions that make strings and bytes are registered from the start.
#[check(GLB_0035)]
fn strings_from_the_start(t: &Trial) -> Verdict {
    are_functions(t, &["ffi.String", "ffi.Bytes"])
}

fn are_functions(t: &Trial, names: &[&str]) -> Verdict {
    names.iter().try_for_each(|name| {
        let function = found(t, name)?;
        t.type_index_eq(format_args!("type_index of {name}"), function.any().type_index, kTVMFFIFunction)
    })
}

/// A function of the library raises an error when called with a wrong number of arguments.
#[check(GLB_0024)]
fn argument_count(t: &Trial) -> Verdict {
    wrong_counts().into_iter().try_for_each(|(name, args)| is_refused(t, name, &args, &[]))
}

/// A function of the library raises an error when called with an argument of a wrong type.
#[check(GLB_0025)]
fn argument_type(t: &Trial) -> Verdict {
    wrong_types(t, &[])
}

/// The error of a function of the library that is called with wrong arguments is a TypeError.
#[check(GLB_0034)]
fn argument_error(t: &Trial) -> Verdict {
    wrong_counts().into_iter().try_for_each(|(name, args)| is_refused(t, name, &args, &["TypeError"]))?;
    wrong_types(t, &["TypeError"])
}

/// Functions, each with a number of arguments that it does not take.
fn wrong_counts() -> [(&'static str, Vec<TVMFFIAny>); 6] {
    let text = view::c_str(c"text");
    [
        ("ffi.FunctionRemoveGlobal", vec![]),
        ("ffi.FunctionRemoveGlobal", vec![text, text]),
        ("ffi.GetGlobalFuncMetadata", vec![]),
        ("ffi.GetGlobalFuncMetadata", vec![text, text]),
        ("ffi.FunctionListGlobalNamesFunctor", vec![text]),
        ("ffi.FunctionListGlobalNamesFunctor", vec![text; 100]),
    ]
}

/// Expects functions that take a name to refuse whatever is none.
fn wrong_types(t: &Trial, kinds: &[&str]) -> Verdict {
    let function = tagged(t, 1)?;
    let wrong = [TVMFFIAny::NONE, view::int(5), view::float(0.5), view::bool(true), function.any()];
    for name in ["ffi.FunctionRemoveGlobal", "ffi.GetGlobalFuncMetadata"] {
        wrong.iter().try_for_each(|arg| is_refused(t, name, &[*arg], kinds))?;
    }
    Ok(())
}

fn is_refused(t: &Trial, name: &str, args: &[TVMFFIAny], kinds: &[&str]) -> Verdict {
    let refused = t.call_fails(&t.global(name)?, args, kinds);
    refused.map(drop).map_err(|failure| failure.noting(format!("{name} called with {args:?}")))
}

/// The metadata of each function of the library is a JSON object with a type_schema.
#[check(GLB_0026)]
fn own_metadata(t: &Trial) -> Verdict {
    for name in listed(t)?.iter().filter_map(|name| std::str::from_utf8(name).ok()) {
        let metadata = metadata_of(t, name)?;
        let parsed: Option<BTreeMap<String, serde_json::Value>> = serde_json::from_str(&metadata).ok();
        let has_schema = parsed.is_some_and(|fields| fields.contains_key("type_schema"));
        t.that(format_args!("metadata of {name}"), has_schema, "a JSON object with a type_schema", metadata)?;
    }
    Ok(())
}

/// The functions ffi.String and ffi.Bytes answer owned copies of the strings and bytes they are given.
#[check(GLB_0027)]
fn make_string(t: &Trial) -> Verdict {
    for text in [&b""[..], b"short", b"1234567", b"a\0b", b"caf\xe9", b"a string that lies on the heap"] {
        for form in forms::of_string(text) {
            let made = t.call_global("ffi.String", &[form.view])?;
            // A copy outlives what it was made of.
            let object_of_client = form.view.type_index == kTVMFFIStr;
            if !object_of_client {
                drop(form);
            }
            is_made(t, "ffi.String", &made.any(), [kTVMFFISmallStr, kTVMFFIStr], text)?;
        }
        for form in forms::of_bytes(text) {
            let made = t.call_global("ffi.Bytes", &[form.view])?;
            let object_of_client = form.view.type_index == kTVMFFIBytes;
            if !object_of_client {
                drop(form);
            }
            is_made(t, "ffi.Bytes", &made.any(), [kTVMFFISmallBytes, kTVMFFIBytes], text)?;
        }
    }
    Ok(())
}

/// Expects a value of one of two types with this content.
fn is_made(t: &Trial, by: &str, made: &TVMFFIAny, types: [i32; 2], content: &[u8]) -> Verdict {
    let expected = format!("{} or {}", types[0], types[1]);
    t.that(
        format_args!("type_index of what {by} made"),
        types.contains(&made.type_index),
        expected,
        TypeIndex(made.type_index),
    )?;
    t.eq(format_args!("content of what {by} made"), t.text(made)?, content.to_vec())
}

// ---- listing the names ----------------------------------------------------------------------------------------------

/// The function ffi.FunctionListGlobalNamesFunctor lists every registered name once.
#[check(GLB_0020)]
fn list(t: &Trial) -> Verdict {
    let names = listed(t)?;
    let distinct: BTreeSet<&Vec<u8>> = names.iter().collect();
    t.eq("different names among those listed", distinct.len(), names.len())?;
    t.that("number of names", names.len() >= BASIC.len(), "at least 3", names.len())?;
    for name in BASIC {
        t.that("the names listed", names.iter().any(|listed| listed == name.as_bytes()), name, "not listed")?;
    }
    for name in &names {
        let what = format!("function under the listed name \"{}\"", name.escape_ascii());
        t.own_object(what, get(t, name)?)?;
    }
    Ok(())
}

/// A new list of the global names has the names registered since and lacks those removed.
#[check(GLB_0020)]
fn list_follows(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    let times = |names: &[Vec<u8>], name: &str| names.iter().filter(|listed| *listed == name.as_bytes()).count();
    let before = listed(t)?;
    set(t, "verify.short", &function)?;
    set(t, "v.s", &function)?;
    replace(t, "v.s", &function)?;
    let now = listed(t)?;
    t.eq("number of names after two were registered", now.len(), before.len() + 2)?;
    t.eq("times verify.short is listed", times(&now, "verify.short"), 1)?;
    t.eq("times v.s is listed, which was replaced", times(&now, "v.s"), 1)?;
    free(t, "v.s")?;
    let now = listed(t)?;
    t.eq("number of names after one was removed", now.len(), before.len() + 1)?;
    t.eq("times v.s is listed, which was removed", times(&now, "v.s"), 0)?;
    // As many names as before, and not the same.
    set(t, "v.s", &function)?;
    listed(t)?;
    free(t, "v.s")?;
    set(t, "v.t", &function)?;
    let now = listed(t)?;
    t.eq("times v.s is listed, in whose place v.t came", times(&now, "v.s"), 0)?;
    t.eq("times v.t is listed, which came in the place of v.s", times(&now, "v.t"), 1)
}

/// A function that lists the global names shows those of the moment in which it was made.
#[check(GLB_0021)]
fn list_is_snapshot(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    set(t, "verify.before", &function)?;
    // One that is read at once, and one that is read only when the table is another.
    let lister = t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let late_lister = t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let before = listed_by(t, &lister)?;
    set(t, "verify.after", &function)?;
    free(t, "verify.before")?;
    let late = listed_by(t, &late_lister)?;
    t.that("names in a list that was not read before", late == before, "those of the moment it was made", "others")?;
    let after = listed_by(t, &lister)?;
    t.eq("number of names in the list", after.len(), before.len())?;
    t.that("names in the list", after == before, "those of the moment it was made", "others")
}

/// A function that lists the global names raises an error for an index past the last name.
#[check(GLB_0022)]
fn list_past_end(t: &Trial) -> Verdict {
    let lister = t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let count = listed_by(t, &lister)?.len() as i64;
    for index in [count, count + 1, i64::MAX] {
        let mut result = TVMFFIAny::NONE;
        t.raises(t.try_call(&lister, &[view::int(index)], &mut result), &[])?;
    }
    Ok(())
}

/// The functions of the library are among the names that are listed before any of them was looked up.
#[check(GLB_0020, fresh)]
fn listed_before_looked_up(t: &Trial) -> Verdict {
    let names: BTreeSet<Vec<u8>> = listed(t)?.into_iter().collect();
    for global in &abi::abi().globals {
        let function = get(t, &global.name)?;
        // Which of them a library has is for other clauses to say: what is found is registered.
        if !function.is_null() {
            t.ok(t.api.TVMFFIObjectDecRef(function))?;
            let is_listed = names.contains(global.name.as_bytes());
            t.that("the names listed before any other was looked up", is_listed, &global.name, "not listed")?;
        }
    }
    Ok(())
}

/// The types of the library are among the keys that ffi.GetRegisteredTypeKeys answers before any of them was looked up.
#[check(TYP_0039, fresh)]
fn type_keys_listed_before_looked_up(t: &Trial) -> Verdict {
    let listed = t.call_global("ffi.GetRegisteredTypeKeys", &[])?;
    let keys = t.sequence(listed.handle())?.items;
    let keys = keys.iter().map(|key| t.text(key)).collect::<Verdict<BTreeSet<_>>>()?;
    for known in &abi::abi().types {
        if types::find(t, &known.key).is_some() {
            let is_listed = keys.contains(known.key.as_bytes());
            t.that("the keys listed before any was looked up", is_listed, &known.key, "not listed")?;
        }
    }
    Ok(())
}
