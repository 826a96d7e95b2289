//! The functions of the library itself, which are in the table from the start.

use std::collections::{BTreeMap, BTreeSet};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, TypeIndex, Verdict, view},
    trial::Trial,
};

/// What every release registers when it is loaded.
const BASIC: [&str; 5] = [
    "ffi.FunctionListGlobalNamesFunctor",
    "ffi.FunctionRemoveGlobal",
    "ffi.GetGlobalFuncMetadata",
    "ffi.String",
    "ffi.Bytes",
];

/// The functions that list, remove and describe global functions and make strings are registered from the start.
#[check(GLB_0023)]
fn from_the_start(t: &Trial) -> Verdict {
    for name in BASIC {
        let function = found(t, name)?;
        t.type_index_eq(format!("type_index of {name}"), function.any().type_index, kTVMFFIFunction)?;
    }
    Ok(())
}

/// A function of the library raises a TypeError when called with a wrong number of arguments.
#[check(GLB_0024)]
fn argument_count(t: &Trial) -> Verdict {
    let text = view::c_str(c"text");
    for (name, args) in [
        ("ffi.String", &[][..]),
        ("ffi.String", &[text, text]),
        ("ffi.FunctionRemoveGlobal", &[]),
        ("ffi.GetGlobalFuncMetadata", &[text, text]),
        ("ffi.FunctionListGlobalNamesFunctor", &[text]),
    ] {
        raises_type_error(t, name, &t.global(name)?, args)?;
    }
    Ok(())
}

/// A function of the library raises a TypeError when called with an argument of a wrong type.
#[check(GLB_0025)]
fn argument_type(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    let wrong = [TVMFFIAny::NONE, view::int(5), view::float(0.5), function.any()];
    for name in ["ffi.String", "ffi.Bytes", "ffi.FunctionRemoveGlobal", "ffi.GetGlobalFuncMetadata"] {
        let callee = t.global(name)?;
        for arg in wrong {
            raises_type_error(t, name, &callee, &[arg])?;
        }
    }
    Ok(())
}

fn raises_type_error(t: &Trial, name: &str, callee: &Owned, args: &[TVMFFIAny]) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    let raised = t.raises(t.try_call(callee, args, &mut result), &["TypeError"]);
    raised.map(drop).map_err(|failure| failure.noting(format!("{name} called with {args:?}")))
}

/// The metadata of each function of the library is a JSON object with a type_schema.
#[check(GLB_0026)]
fn own_metadata(t: &Trial) -> Verdict {
    for name in names(t)?.iter().filter_map(|name| std::str::from_utf8(name).ok()) {
        let metadata = metadata_of(t, name)?;
        let parsed: Option<BTreeMap<String, serde_json::Value>> = serde_json::from_str(&metadata).ok();
        let has_schema = parsed.is_some_and(|fields| fields.contains_key("type_schema"));
        t.that(format!("metadata of {name}"), has_schema, "a JSON object with a type_schema", metadata)?;
    }
    Ok(())
}

/// The functions ffi.String and ffi.Bytes answer owned copies of the strings and bytes they are given.
#[check(GLB_0027)]
fn make_string(t: &Trial) -> Verdict {
    for text in [c"", c"short", c"1234567", c"a string that lies on the heap"] {
        let mut owned = text.to_owned().into_bytes_with_nul();
        let string = t.string(text.to_bytes())?;
        for form in [TVMFFIAny::new(kTVMFFIRawStr, owned.as_ptr() as u64), string.any()] {
            let made = t.call_global("ffi.String", &[form])?;
            if form.type_index == kTVMFFIRawStr {
                owned.fill(b'#');
            }
            is_made(t, "ffi.String", &made.any(), [kTVMFFISmallStr, kTVMFFIStr], text.to_bytes())?;
        }
        let mut content = text.to_bytes().to_vec();
        let made = t.call_global("ffi.Bytes", &[view::byte_array(&TVMFFIByteArray::new(&content))])?;
        content.fill(b'#');
        is_made(t, "ffi.Bytes", &made.any(), [kTVMFFISmallBytes, kTVMFFIBytes], text.to_bytes())?;
    }
    Ok(())
}

/// Expects a value of one of two types with this content.
fn is_made(t: &Trial, by: &str, made: &TVMFFIAny, types: [i32; 2], content: &[u8]) -> Verdict {
    let expected = format!("{} or {}", types[0], types[1]);
    t.that(
        format!("type_index of what {by} made"),
        types.contains(&made.type_index),
        expected,
        TypeIndex(made.type_index),
    )?;
    t.eq(format!("content of what {by} made"), t.text(made)?, content.to_vec())
}

// ---- listing the names ----------------------------------------------------------------------------------------------

/// The function ffi.FunctionListGlobalNamesFunctor lists every registered name once.
#[check(GLB_0020)]
fn list(t: &Trial) -> Verdict {
    let names = names(t)?;
    let distinct: BTreeSet<&Vec<u8>> = names.iter().collect();
    t.eq("different names among those listed", distinct.len(), names.len())?;
    t.that("number of names", names.len() >= 5, "at least 5", names.len())?;
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
    let listed = |names: &[Vec<u8>], name: &str| names.iter().filter(|listed| *listed == name.as_bytes()).count();
    let before = names(t)?;
    set(t, "verify.short", &function)?;
    set(t, "v.s", &function)?;
    replace(t, "v.s", &function)?;
    let now = names(t)?;
    t.eq("number of names after two were registered", now.len(), before.len() + 2)?;
    t.eq("times verify.short is listed", listed(&now, "verify.short"), 1)?;
    t.eq("times v.s is listed, which was replaced", listed(&now, "v.s"), 1)?;
    removed(t, "v.s")?;
    let now = names(t)?;
    t.eq("number of names after one was removed", now.len(), before.len() + 1)?;
    t.eq("times v.s is listed, which was removed", listed(&now, "v.s"), 0)
}

/// A function that lists the global names shows those of the moment in which it was made.
#[check(GLB_0021)]
fn list_is_snapshot(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    set(t, "verify.before", &function)?;
    let lister = t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let before = names_from(t, &lister)?;
    set(t, "verify.after", &function)?;
    removed(t, "verify.before")?;
    let after = names_from(t, &lister)?;
    t.eq("number of names in the list", after.len(), before.len())?;
    t.that("names in the list", after == before, "those of the moment it was made", "others")
}

/// A function that lists the global names raises an error for an index past the last name.
#[check(GLB_0022)]
fn list_past_end(t: &Trial) -> Verdict {
    let lister = t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let count = names_from(t, &lister)?.len() as i64;
    for index in [count, count + 1, i64::MAX] {
        let mut result = TVMFFIAny::NONE;
        t.raises(t.try_call(&lister, &[view::int(index)], &mut result), &[])?;
    }
    Ok(())
}

/// The names that the table lists now.
fn names(t: &Trial) -> Verdict<Vec<Vec<u8>>> {
    names_from(t, &t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?)
}

/// The names that a function which lists them answers.
fn names_from(t: &Trial, lister: &Owned) -> Verdict<Vec<Vec<u8>>> {
    let count = t.call(lister, &[view::int(-1)])?;
    t.type_index_eq("type_index of the number of names", count.any().type_index, kTVMFFIInt)?;
    let count = count.any().payload() as i64;
    t.that("number of names", (0..100_000).contains(&count), "a number of names", count)?;
    (0..count).map(|index| t.text(&t.call(lister, &[view::int(index)])?.any())).collect()
}
