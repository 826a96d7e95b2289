//! The table of global functions: registering, finding, replacing, removing, listing, and what is in it from the start.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::{
        OnceLock, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use proptest::collection::vec;
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, api::Api, memory, view},
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

// ---- set and get -----------------------------------------------------------------------------------------------------

/// Finds the function that was registered.
#[check(GLB_0001)]
fn set_and_get(t: &Trial) -> Verdict {
    let (one, other) = (tagged(t, 1)?, tagged(t, 2)?);
    set(t, "verify.one", &one, false)?;
    set(t, "verify.other", &other, false)?;
    t.eq("function under verify.one", found(t, "verify.one")?.handle(), one.handle())?;
    t.eq("function under verify.other", found(t, "verify.other")?.handle(), other.handle())?;
    t.eq("answer of the function under verify.other", call_tag(t, &found(t, "verify.other")?)?, 2)
}

/// Answers a new reference.
#[check(GLB_0002)]
fn get_is_owned(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    set(t, "verify.owned", &function, false)?;
    let before = t.counts(function.handle())?.0;
    let found = found(t, "verify.owned")?;
    t.eq("strong count after TVMFFIFunctionGetGlobal", t.counts(function.handle())?.0, before + 1)?;
    drop(found);
    t.eq("strong count after the release", t.counts(function.handle())?.0, before)
}

/// Answers NULL for a name that is not registered.
#[check(GLB_0003)]
fn missing(t: &Trial) -> Verdict {
    for name in ["verify.missing", "ffi.Strin", "ffi.String2", "ffi.string", " ffi.String"] {
        t.eq(format!("function under {name:?}"), get(t, name.as_bytes())?, null_mut())?;
    }
    t.that("the raised error", t.take_raised().is_none(), "none", "an error")
}

/// Holds a reference to what is registered.
#[check(GLB_0004)]
fn table_holds(t: &Trial) -> Verdict {
    let function = counted(t, 3)?;
    set(t, "verify.held", &function, false)?;
    t.eq("strong count of a registered function", t.counts(function.handle())?.0, 2)?;
    drop(function);
    t.eq("times the deleter ran while the function is registered", ENDED.load(Ordering::SeqCst), 0)?;
    t.eq("answer of the function, held by the table alone", call_tag(t, &found(t, "verify.held")?)?, 3)
}

/// Refuses a name that is taken.
#[check(GLB_0005)]
fn refuses_taken(t: &Trial) -> Verdict {
    let (old, new) = (tagged(t, 1)?, tagged(t, 2)?);
    set(t, "verify.taken", &old, false)?;
    t.raises(try_set(t, b"verify.taken", &new, false), &[])?;
    t.eq("function under the taken name", found(t, "verify.taken")?.handle(), old.handle())?;
    t.raises(try_set(t, b"verify.taken", &old, false), &[]).map(drop)
}

/// Refuses to replace a function of its own unasked.
#[check(GLB_0005)]
fn refuses_own(t: &Trial) -> Verdict {
    let (name, new) = ("ffi.FunctionRemoveGlobal", tagged(t, 2)?);
    let old = found(t, name)?;
    t.raises(try_set(t, name.as_bytes(), &new, false), &[])?;
    t.eq("function under the taken name", found(t, name)?.handle(), old.handle())
}

/// Takes no reference to a function it refuses.
#[check(GLB_0006)]
fn refused_not_held(t: &Trial) -> Verdict {
    let (old, new) = (tagged(t, 1)?, tagged(t, 2)?);
    set(t, "verify.taken", &old, false)?;
    let before = t.counts(old.handle())?.0;
    t.raises(try_set(t, b"verify.taken", &new, false), &[])?;
    t.eq("strong count of the function refused", t.counts(new.handle())?.0, 1)?;
    t.raises(try_set_info(t, &info("verify.taken", "", new.any()), false), &[])?;
    t.eq("strong count of the function refused in a method info", t.counts(new.handle())?.0, 1)?;
    t.eq("strong count of the function registered", t.counts(old.handle())?.0, before)
}

/// Replaces a function if asked to.
#[check(GLB_0007)]
fn overrides(t: &Trial) -> Verdict {
    for tag in 1..=3 {
        let function = tagged(t, tag)?;
        set(t, "verify.replaced", &function, true)?;
        let found = found(t, "verify.replaced")?;
        t.eq("function under the name", found.handle(), function.handle())?;
        t.eq("answer of the function under the name", call_tag(t, &found)?, tag)?;
    }
    Ok(())
}

/// Registers a free name with override.
#[check(GLB_0007)]
fn overrides_nothing(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    set(t, "verify.free", &function, true)?;
    t.eq("function under the name", found(t, "verify.free")?.handle(), function.handle())
}

/// Releases what was replaced.
#[check(GLB_0008)]
fn releases_replaced(t: &Trial) -> Verdict {
    set(t, "verify.replaced", &counted(t, 1)?, false)?;
    set(t, "verify.replaced", &counted(t, 2)?, true)?;
    t.eq("times a deleter ran after one function was replaced", ENDED.load(Ordering::SeqCst), 1)?;
    t.eq("closure whose deleter ran", LAST_ENDED.load(Ordering::SeqCst), 1)
}

/// Leaves a replaced function to its holders.
#[check(GLB_0008)]
fn replaced_callable(t: &Trial) -> Verdict {
    set(t, "verify.replaced", &counted(t, 1)?, false)?;
    let held = found(t, "verify.replaced")?;
    set(t, "verify.replaced", &tagged(t, 2)?, true)?;
    t.eq("times the deleter ran while the function is held", ENDED.load(Ordering::SeqCst), 0)?;
    t.eq("answer of the function that was replaced", call_tag(t, &held)?, 1)?;
    drop(held);
    t.eq("times the deleter ran once it was released", ENDED.load(Ordering::SeqCst), 1)
}

// ---- names -----------------------------------------------------------------------------------------------------------

/// Takes names by their length.
#[check(GLB_0009)]
fn names_by_length(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    let name = b"verify.slice-of-more";
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(&name[..12]), function.handle(), 0))?;
    t.eq("function under the slice", found(t, "verify.slice")?.handle(), function.handle())?;
    for other in ["verify.slice-of-more", "verify.slic", "verify.slice-", "verify.Slice", "verify.slice\0"] {
        t.eq(format!("function under {other:?}"), get(t, other.as_bytes())?, null_mut())?;
    }
    Ok(())
}

/// Tells names of any bytes apart.
#[check(GLB_0009)]
fn names_of_any_bytes(t: &Trial) -> Verdict {
    let names: [&[u8]; 8] = [b"a\0b", b"a\0c", b"a", b"\0", b"\0\0", b"\xff\xfe\x80", "näme".as_bytes(), b" a"];
    let mut functions = Vec::new();
    for (tag, name) in names.iter().enumerate() {
        let function = tagged(t, tag)?;
        t.ok(try_set(t, name, &function, false))?;
        functions.push(function);
    }
    for (name, function) in names.iter().zip(&functions) {
        let found = t.own_object(format!("function under \"{}\"", name.escape_ascii()), get(t, name)?)?;
        t.eq(format!("function under \"{}\"", name.escape_ascii()), found.handle(), function.handle())?;
    }
    Ok(())
}

/// Keeps a copy of the name.
#[check(GLB_0010)]
fn copies_name(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    for name in ["v.a", "verify.a-name-that-is-not-short"] {
        let mut passed = name.to_owned().into_bytes();
        t.ok(try_set(t, &passed, &function, false))?;
        passed.fill(b'#');
        t.eq(format!("function under {name}"), found(t, name)?.handle(), function.handle())?;
        t.eq("function under what the name's memory holds now", get(t, &passed)?, null_mut())?;
    }
    Ok(())
}

/// Finds each of two thousand functions.
#[check(GLB_0011)]
fn two_thousand(t: &Trial) -> Verdict {
    let name = |number: usize| format!("verify.many.{number}");
    let mut functions = Vec::new();
    for number in 0..2000 {
        let function = tagged(t, number)?;
        t.ok(try_set(t, name(number).as_bytes(), &function, false))?;
        functions.push(function);
    }
    for (number, function) in functions.iter().enumerate() {
        t.eq(format!("function under {}", name(number)), found(t, &name(number))?.handle(), function.handle())?;
    }
    t.eq("function under verify.many.2000", get(t, b"verify.many.2000")?, null_mut())
}

/// Takes the empty string for a name.
#[check(GLB_0012)]
fn empty_name(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    t.eq("function under the empty name before", get(t, b"")?, null_mut())?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::EMPTY, function.handle(), 0))?;
    t.eq("function under the empty name", found(t, "")?.handle(), function.handle())
}

// ---- method info and metadata ----------------------------------------------------------------------------------------

/// Registers the function of a method info.
#[check(GLB_0013)]
fn method_info(t: &Trial) -> Verdict {
    let function = counted(t, 5)?;
    t.ok(try_set_info(t, &info("verify.info", "{}", function.any()), false))?;
    t.eq("strong count of a registered function", t.counts(function.handle())?.0, 2)?;
    let found = found(t, "verify.info")?;
    t.eq("function under the name", found.handle(), function.handle())?;
    drop(function);
    t.eq("answer of the function", call_tag(t, &found)?, 5)
}

/// Keeps to the rules for taken names.
#[check(GLB_0013)]
fn method_info_taken(t: &Trial) -> Verdict {
    let (old, new) = (tagged(t, 1)?, tagged(t, 2)?);
    t.ok(try_set_info(t, &info("verify.info", "", old.any()), false))?;
    t.raises(try_set_info(t, &info("verify.info", "", new.any()), false), &[])?;
    t.eq("function under the taken name", found(t, "verify.info")?.handle(), old.handle())?;
    t.ok(try_set_info(t, &info("verify.info", "", new.any()), true))?;
    t.eq("function under the name, replaced", found(t, "verify.info")?.handle(), new.handle())?;
    t.eq("strong count of the function replaced", t.counts(old.handle())?.0, 1)
}

/// Answers the metadata of a function.
#[check(GLB_0014)]
fn metadata(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    for (name, metadata) in [("verify.m1", "{}"), ("verify.m2", r#"{"type_schema":"{\"type\":\"int\"}","x":[1,2]}"#)] {
        t.ok(try_set_info(t, &info(name, metadata, function.any()), false))?;
        t.eq(format!("metadata of {name}"), metadata_of(t, name)?, metadata.to_owned())?;
    }
    t.ok(try_set_info(t, &info("verify.m1", "another", function.any()), true))?;
    t.eq("metadata of verify.m1, replaced", metadata_of(t, "verify.m1")?, "another".to_owned())
}

/// Answers no metadata where there is none.
#[check(GLB_0014)]
fn no_metadata(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    set(t, "verify.plain", &function, false)?;
    t.eq("metadata of a function set without", metadata_of(t, "verify.plain")?, String::new())?;
    t.ok(try_set_info(t, &info("verify.info", "", function.any()), false))?;
    t.eq("metadata of a function set with none", metadata_of(t, "verify.info")?, String::new())
}

/// Keeps copies of what a method info tells.
#[check(GLB_0015)]
fn copies_info(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    let mut name = *b"verify.a-name-that-is-not-short";
    let mut metadata = *b"{\"metadata\": \"that is not short\"}";
    let mut doc = *b"documentation that is not short";
    let mut info = info("", "", function.any());
    info.name = TVMFFIByteArray::new(&name);
    info.metadata = TVMFFIByteArray::new(&metadata);
    info.doc = TVMFFIByteArray::new(&doc);
    t.ok(try_set_info(t, &info, false))?;
    for text in [&mut name[..], &mut metadata[..], &mut doc[..]] {
        text.fill(b'#');
    }
    // What was passed must be seen to change.
    std::hint::black_box((&name, &metadata, &doc));
    t.eq("function", found(t, "verify.a-name-that-is-not-short")?.handle(), function.handle())?;
    let metadata = metadata_of(t, "verify.a-name-that-is-not-short")?;
    t.eq("metadata", metadata, "{\"metadata\": \"that is not short\"}".to_owned())
}

/// Raises an error for a name it does not know.
#[check(GLB_0016)]
fn metadata_of_missing(t: &Trial) -> Verdict {
    let describe = t.global("ffi.GetGlobalFuncMetadata")?;
    let mut result = TVMFFIAny::NONE;
    t.raises(t.try_call(&describe, &[view::c_str(c"verify.missing")], &mut result), &[]).map(drop)
}

/// Refuses a method that is a number.
#[check(GLB_0017)]
fn method_not_function(t: &Trial) -> Verdict {
    t.raises(try_set_info(t, &info("verify.number", "", view::int(5)), false), &[])?;
    t.eq("function under the name", get(t, b"verify.number")?, null_mut())
}

// ---- removing and listing --------------------------------------------------------------------------------------------

/// Removes a name once.
#[check(GLB_0018)]
fn remove(t: &Trial) -> Verdict {
    let (one, other) = (tagged(t, 1)?, tagged(t, 2)?);
    set(t, "verify.removed", &one, false)?;
    set(t, "verify.kept", &other, false)?;
    t.eq("answer of ffi.FunctionRemoveGlobal", removed(t, "verify.removed")?, true)?;
    t.eq("function under the removed name", get(t, b"verify.removed")?, null_mut())?;
    t.eq("function under another name", found(t, "verify.kept")?.handle(), other.handle())?;
    t.eq("answer for a name that was removed", removed(t, "verify.removed")?, false)?;
    t.eq("answer for a name that never was", removed(t, "verify.never")?, false)
}

/// Releases what was removed.
#[check(GLB_0019)]
fn releases_removed(t: &Trial) -> Verdict {
    set(t, "verify.held", &counted(t, 1)?, false)?;
    let held = found(t, "verify.held")?;
    removed(t, "verify.held")?;
    t.eq("times the deleter ran while the function is held", ENDED.load(Ordering::SeqCst), 0)?;
    t.eq("strong count of the function removed", t.counts(held.handle())?.0, 1)?;
    t.eq("answer of the function removed", call_tag(t, &held)?, 1)?;
    set(t, "verify.alone", &counted(t, 2)?, false)?;
    removed(t, "verify.alone")?;
    t.eq("closure whose deleter ran, of a function that the table alone held", LAST_ENDED.load(Ordering::SeqCst), 2)
}

/// Lists every name once.
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

/// Lists what is registered and not what was removed.
#[check(GLB_0020)]
fn list_follows(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    let listed = |names: &[Vec<u8>], name: &str| names.iter().filter(|listed| *listed == name.as_bytes()).count();
    let before = names(t)?;
    set(t, "verify.short", &function, false)?;
    set(t, "v.s", &function, false)?;
    set(t, "v.s", &function, true)?;
    let now = names(t)?;
    t.eq("number of names after two were registered", now.len(), before.len() + 2)?;
    t.eq("times verify.short is listed", listed(&now, "verify.short"), 1)?;
    t.eq("times v.s is listed, which was replaced", listed(&now, "v.s"), 1)?;
    removed(t, "v.s")?;
    let now = names(t)?;
    t.eq("number of names after one was removed", now.len(), before.len() + 1)?;
    t.eq("times v.s is listed, which was removed", listed(&now, "v.s"), 0)
}

/// Shows the names of one moment.
#[check(GLB_0021)]
fn list_is_snapshot(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    set(t, "verify.before", &function, false)?;
    let lister = t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let before = names_from(t, &lister)?;
    set(t, "verify.after", &function, false)?;
    removed(t, "verify.before")?;
    let after = names_from(t, &lister)?;
    t.eq("number of names in the list", after.len(), before.len())?;
    t.that("names in the list", after == before, "those of the moment it was made", "others")
}

/// Raises an error past the last name.
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

// ---- what is there from the start ------------------------------------------------------------------------------------

/// Registered by every release when it is loaded.
const BASIC: [&str; 5] = [
    "ffi.FunctionListGlobalNamesFunctor",
    "ffi.FunctionRemoveGlobal",
    "ffi.GetGlobalFuncMetadata",
    "ffi.String",
    "ffi.Bytes",
];

/// Has its basic functions from the start.
#[check(GLB_0023)]
fn from_the_start(t: &Trial) -> Verdict {
    for name in BASIC {
        let function = found(t, name)?;
        t.eq(format!("type_index of {name}"), function.any().type_index, kTVMFFIFunction)?;
    }
    Ok(())
}

/// Raises a TypeError for a wrong number of arguments.
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
        let function = t.global(name)?;
        let mut result = TVMFFIAny::NONE;
        let raised = t.raises(t.try_call(&function, args, &mut result), &["TypeError"]);
        raised.map_err(|failure| failure.noting(format!("{name} with {} arguments", args.len())))?;
    }
    Ok(())
}

/// Raises a TypeError for a wrong argument.
#[check(GLB_0025)]
fn argument_type(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    let wrong = [TVMFFIAny::NONE, view::int(5), view::float(0.5), function.any()];
    for name in ["ffi.String", "ffi.Bytes", "ffi.FunctionRemoveGlobal", "ffi.GetGlobalFuncMetadata"] {
        let callee = t.global(name)?;
        for arg in wrong {
            let mut result = TVMFFIAny::NONE;
            let raised = t.raises(t.try_call(&callee, &[arg], &mut result), &["TypeError"]);
            raised.map_err(|failure| failure.noting(format!("{name} with {arg:?}")))?;
        }
    }
    Ok(())
}

/// Describes its own functions.
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

/// Makes strings and bytes of every form.
#[check(GLB_0027)]
fn make_string(t: &Trial) -> Verdict {
    for text in [c"", c"short", c"1234567", c"a string that lies on the heap"] {
        let mut owned = text.to_owned().into_bytes_with_nul();
        let string = t.string(text.to_bytes())?;
        for form in [TVMFFIAny::new(kTVMFFIRawStr, owned.as_ptr() as u64), string.any()] {
            let made = t.call_global("ffi.String", &[form])?;
            let is_string = matches!(made.any().type_index, kTVMFFISmallStr | kTVMFFIStr);
            t.that("type_index of what ffi.String made", is_string, "11 or 65", made.any().type_index)?;
            if form.type_index == kTVMFFIRawStr {
                owned.fill(b'#');
            }
            t.eq("string that ffi.String made", t.text(&made.any())?, text.to_bytes().to_vec())?;
        }
        let mut content = text.to_bytes().to_vec();
        let made = t.call_global("ffi.Bytes", &[view::byte_array(&TVMFFIByteArray::new(&content))])?;
        content.fill(b'#');
        let is_bytes = matches!(made.any().type_index, kTVMFFISmallBytes | kTVMFFIBytes);
        t.that("type_index of what ffi.Bytes made", is_bytes, "12 or 66", made.any().type_index)?;
        t.eq("bytes that ffi.Bytes made", t.text(&made.any())?, text.to_bytes().to_vec())?;
    }
    Ok(())
}

// ---- at large --------------------------------------------------------------------------------------------------------

/// Serves several threads that look functions up.
#[check(GLB_0028)]
fn readers(t: &Trial) -> Verdict {
    const FUNCTIONS: usize = 50;
    let name = |number: usize| format!("verify.read.{number}");
    let mut functions = Vec::new();
    for number in 0..FUNCTIONS {
        let function = tagged(t, number)?;
        set(t, &name(number), &function, false)?;
        functions.push(function);
    }
    let handles: Vec<usize> = functions.iter().map(|function| function.handle() as usize).collect();
    t.api.note("TVMFFIFunctionGetGlobal(...), 3000 times on each of 4 threads");
    t.threads(4, |t, thread| {
        let names: Vec<String> = (0..FUNCTIONS).map(name).collect();
        let (Some(get), Some(release)) = (t.api.table().TVMFFIFunctionGetGlobal, t.api.table().TVMFFIObjectDecRef)
        else {
            return Ok(());
        };
        for round in 0..3000 {
            let number = (round * 7 + thread) % FUNCTIONS;
            let mut found = null_mut();
            // SAFETY: a call as the header asks for; the target is the one under test.
            t.ok(unsafe { get(&TVMFFIByteArray::new(names[number].as_bytes()), &mut found) })?;
            t.eq(format!("function under {}", names[number]), found as usize, handles[number])?;
            // SAFETY: the reference that was just taken.
            t.ok(unsafe { release(found) })?;
        }
        Ok(())
    })?;
    for function in &functions {
        t.eq("strong count of a function that was looked up", t.counts(function.handle())?.0, 2)?;
    }
    Ok(())
}

/// Has one table for all threads.
#[check(GLB_0029)]
fn one_table(t: &Trial) -> Verdict {
    let handles: Vec<usize> = {
        let functions = [tagged(t, 1)?, tagged(t, 2)?, tagged(t, 3)?];
        functions.into_iter().map(|function| function.into_any().payload() as usize).collect()
    };
    let expect = |t: &Trial, name: &str, expected: usize| -> Verdict {
        let found = get(t, name.as_bytes())?;
        t.eq(format!("function under {name} on another thread"), found as usize, expected)?;
        if found.is_null() { Ok(()) } else { t.ok(t.api.TVMFFIObjectDecRef(found)) }
    };
    let put = |t: &Trial, name: &str, handle: usize| -> Verdict {
        let name = TVMFFIByteArray::new(name.as_bytes());
        t.ok(t.api.TVMFFIFunctionSetGlobal(&name, handle as TVMFFIObjectHandle, 1))
    };
    put(t, "verify.from-main", handles[0])?;
    t.threads(1, |t, _| {
        expect(t, "verify.from-main", handles[0])?;
        put(t, "verify.from-thread", handles[1])?;
        put(t, "verify.from-main", handles[2])
    })?;
    expect(t, "verify.from-thread", handles[1])?;
    expect(t, "verify.from-main", handles[2])?;
    t.threads(1, |t, _| removed(t, "verify.from-main").map(drop))?;
    expect(t, "verify.from-main", 0)
}

/// Serves readers and writers that take turns.
///
/// The releases leave it to their callers to lock the table against writers; this is such a caller.
#[check(GLB_0029)]
fn readers_and_writers(t: &Trial) -> Verdict {
    const ROUNDS: usize = 200;
    let turns = RwLock::new(0_usize);
    let functions = [tagged(t, 1)?, tagged(t, 2)?];
    let handles = functions.each_ref().map(|function| function.handle() as usize);
    t.threads(4, |t, thread| {
        for _ in 0..ROUNDS {
            if thread < 2 {
                let mut written = turns.write().unwrap_or_else(PoisonError::into_inner);
                *written += 1;
                let function = handles[*written % 2] as TVMFFIObjectHandle;
                t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"verify.turns"), function, 1))?;
            } else {
                let written = turns.read().unwrap_or_else(PoisonError::into_inner);
                let found = get(t, b"verify.turns")?;
                let expected = if *written == 0 { 0 } else { handles[*written % 2] };
                t.eq("function under the name", found as usize, expected)?;
                if !found.is_null() {
                    t.ok(t.api.TVMFFIObjectDecRef(found))?;
                }
            }
        }
        Ok(())
    })
}

/// Keeps no memory of functions that were removed.
#[check(GLB_0030, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let remove = t.global("ffi.FunctionRemoveGlobal")?;
    t.no_growth("heap after registering, replacing and removing functions", || {
        set(t, "verify.a-name-that-is-not-short", &tagged(t, 1)?, false)?;
        let info = info("verify.a-name-that-is-not-short", "metadata that is not short", tagged(t, 2)?.into_any());
        t.ok(try_set_info(t, &info, true))?;
        t.ok(t.api.TVMFFIObjectDecRef(info.method.payload() as TVMFFIObjectHandle))?;
        t.call(&remove, &[view::c_str(c"verify.a-name-that-is-not-short")]).map(drop)
    })
}

/// Keeps no memory of lookups.
#[check(GLB_0030)]
fn no_growth_lookups(t: &Trial) -> Verdict {
    t.no_growth("heap after lookups", || {
        drop(found(t, "ffi.FunctionListGlobalNamesFunctor")?);
        get(t, b"verify.a-missing-name-that-is-not-short").map(drop)
    })
}

/// Lets the deleter of a replaced function use the table.
#[check(GLB_0031)]
fn reentrant_replace(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    fill(t)?;
    let function = t.function(std::ptr::dangling_mut(), answer_self, Some(use_table))?;
    set(t, "verify.replaced", &function, false)?;
    drop(function);
    let new = tagged(t, 2)?;
    set(t, "verify.replaced", &new, true)?;
    t.eq("times the deleter used the table", ENDED.load(Ordering::SeqCst), 1)?;
    t.eq("function under the name", found(t, "verify.replaced")?.handle(), new.handle())
}

/// Lets the deleter of a removed function use the table.
#[check(GLB_0031)]
fn reentrant_remove(t: &Trial) -> Verdict {
    let _ = API.set(t.api);
    fill(t)?;
    let function = t.function(std::ptr::dangling_mut(), answer_self, Some(use_table))?;
    set(t, "verify.removed", &function, false)?;
    drop(function);
    t.eq("answer of ffi.FunctionRemoveGlobal", removed(t, "verify.removed")?, true)?;
    t.eq("times the deleter used the table", ENDED.load(Ordering::SeqCst), 1)?;
    t.eq("function under the name", get(t, b"verify.removed")?, null_mut())
}

/// Takes a removed name again.
#[check(GLB_0032)]
fn register_again(t: &Trial) -> Verdict {
    for tag in 1..=3 {
        let function = tagged(t, tag)?;
        set(t, "verify.again", &function, false)?;
        t.eq("function under the name", found(t, "verify.again")?.handle(), function.handle())?;
        t.eq("answer of ffi.FunctionRemoveGlobal", removed(t, "verify.again")?, true)?;
    }
    Ok(())
}

/// Is the table that any sequence of registering, replacing and removing leads to.
#[check(GLB_0001, GLB_0005, GLB_0007, GLB_0018)]
fn model(t: &Trial) -> Verdict {
    const NAMES: [&str; 4] = ["v.m", "verify.model", "verify.model.2", "verify.a-name-that-is-not-short"];
    let functions = [tagged(t, 0)?, tagged(t, 1)?, tagged(t, 2)?];
    let step = (0..4_u8, 0..NAMES.len(), 0..functions.len());
    t.property(vec(step, 1..24), |steps| {
        // The sequence before this one has left some of the names.
        NAMES.iter().try_for_each(|name| removed(t, name).map(drop))?;
        let mut model = BTreeMap::new();
        for &(action, name, function) in steps {
            let (name, function) = (NAMES[name], &functions[function]);
            match action {
                0 => {
                    t.clause(id::GLB_0005);
                    let status = try_set(t, name.as_bytes(), function, false);
                    if model.contains_key(name) {
                        t.raises(status, &[])?;
                    } else {
                        t.ok(status)?;
                        model.insert(name, function.handle());
                    }
                }
                1 => {
                    t.clause(id::GLB_0007);
                    set(t, name, function, true)?;
                    model.insert(name, function.handle());
                }
                2 => {
                    t.clause(id::GLB_0018);
                    t.eq(format!("answer of removing {name}"), removed(t, name)?, model.remove(name).is_some())?;
                }
                _ => {}
            }
            t.clause(id::GLB_0001);
            let found = get(t, name.as_bytes())?;
            t.eq(format!("function under {name}"), found, model.get(name).copied().unwrap_or(null_mut()))?;
            if !found.is_null() {
                t.ok(t.api.TVMFFIObjectDecRef(found))?;
            }
        }
        Ok(())
    })
}

// ---- helpers ---------------------------------------------------------------------------------------------------------

/// A function that answers its tag.
fn tagged(t: &Trial, tag: usize) -> Verdict<Owned> {
    t.function(tag as *mut c_void, answer_self, Some(ignore))
}

/// A function that answers its tag and whose end is counted.
fn counted(t: &Trial, tag: usize) -> Verdict<Owned> {
    t.function(tag as *mut c_void, answer_self, Some(count_end))
}

fn call_tag(t: &Trial, function: &Owned) -> Verdict<usize> {
    Ok(t.call(function, &[])?.any().payload() as usize)
}

fn try_set(t: &Trial, name: &[u8], function: &Owned, allow_override: bool) -> c_int {
    t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name), function.handle(), allow_override.into())
}

fn set(t: &Trial, name: &str, function: &Owned, allow_override: bool) -> Verdict {
    t.ok(try_set(t, name.as_bytes(), function, allow_override))
}

/// What lies under a name, as a reference that the caller owns, or NULL.
fn get(t: &Trial, name: &[u8]) -> Verdict<TVMFFIObjectHandle> {
    let mut function = 0x6a7ba6e as TVMFFIObjectHandle;
    t.ok(t.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name), &mut function))?;
    Ok(function)
}

fn found(t: &Trial, name: &str) -> Verdict<Owned> {
    t.own_object(format!("function under {name:?}"), get(t, name.as_bytes())?)
}

fn info(name: &'static str, metadata: &'static str, method: TVMFFIAny) -> TVMFFIMethodInfo {
    let [name, metadata] = [name, metadata].map(|text| TVMFFIByteArray::new(text.as_bytes()));
    let doc = TVMFFIByteArray::new(b"What the function does.");
    TVMFFIMethodInfo { name, doc, metadata, flags: kTVMFFIFieldFlagBitMaskIsStaticMethod, method }
}

fn try_set_info(t: &Trial, info: &TVMFFIMethodInfo, allow_override: bool) -> c_int {
    t.api.TVMFFIFunctionSetGlobalFromMethodInfo(info, allow_override.into())
}

fn metadata_of(t: &Trial, name: &str) -> Verdict<String> {
    let name = t.string(name.as_bytes())?;
    let metadata = t.call_global("ffi.GetGlobalFuncMetadata", &[name.any()])?;
    Ok(String::from_utf8_lossy(&t.text(&metadata.any())?).into_owned())
}

/// Removes a name and answers whether it was there.
fn removed(t: &Trial, name: &str) -> Verdict<bool> {
    let name = t.string(name.as_bytes())?;
    let answer = t.call_global("ffi.FunctionRemoveGlobal", &[name.any()])?;
    t.eq("type_index of the answer", answer.any().type_index, kTVMFFIBool)?;
    Ok(answer.any().payload() != 0)
}

fn names(t: &Trial) -> Verdict<Vec<Vec<u8>>> {
    names_from(t, &t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?)
}

fn names_from(t: &Trial, lister: &Owned) -> Verdict<Vec<Vec<u8>>> {
    let count = t.call(lister, &[view::int(-1)])?;
    t.eq("type_index of the number of names", count.any().type_index, kTVMFFIInt)?;
    let count = count.any().payload() as i64;
    t.that("number of names", (0..100_000).contains(&count), "a number of names", count)?;
    (0..count).map(|index| t.text(&t.call(lister, &[view::int(index)])?.any())).collect()
}

/// Puts a few functions into the table, so that it is not at the edge of anything.
fn fill(t: &Trial) -> Verdict {
    (0..5).try_for_each(|number| set(t, &format!("verify.fill.{number}"), &tagged(t, number)?, false))
}

/// Answers its closure, a number.
unsafe extern "C" fn answer_self(tag: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller passes a result to write to.
    unsafe { result.write(view::int(tag as i64)) };
    0
}

/// How many closures have ended, and the latest of them.
static ENDED: AtomicUsize = AtomicUsize::new(0);
static LAST_ENDED: AtomicUsize = AtomicUsize::new(usize::MAX);

unsafe extern "C" fn count_end(tag: *mut c_void) {
    LAST_ENDED.store(tag as usize, Ordering::SeqCst);
    ENDED.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn ignore(_: *mut c_void) {}

/// Looks a function up and registers another.
unsafe extern "C" fn use_table(_: *mut c_void) {
    let Some(api) = API.get() else { return };
    let mut function = null_mut();
    let found = api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(b"verify.fill.0"), &mut function);
    if found != 0 || memory::read(function.cast::<TVMFFIObject>().cast_const()).is_none() {
        return;
    }
    let registered = api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"verify.by-deleter"), function, 1);
    api.TVMFFIObjectDecRef(function);
    if registered == 0 {
        ENDED.fetch_add(1, Ordering::SeqCst);
    }
}

/// The target, for callbacks.
static API: OnceLock<Api> = OnceLock::new();
