//! Registering, finding, replacing and removing functions.

use std::{
    collections::{BTreeMap, HashSet},
    ffi::{CString, c_void},
    ptr::{dangling_mut, null_mut},
    sync::atomic::{AtomicUsize, Ordering},
};

use proptest::collection::vec;
use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{Failure, Owned, Verdict, callback, forms, memory, view},
    trial::Trial,
};

/// TVMFFIFunctionGetGlobal finds under a name the very function that was registered under it.
#[check(GLB_0001)]
fn set_and_get(t: &Trial) -> Verdict {
    let (one, other) = (tagged(t, 1)?, tagged(t, 2)?);
    set(t, "verify.one", &one)?;
    set(t, "verify.other", &other)?;
    leads_to(t, "verify.one", &one)?;
    leads_to(t, "verify.other", &other)?;
    t.eq("answer of the function under verify.other", call_tag(t, &found(t, "verify.other")?)?, 2)
}

/// Registered functions are found and can be called and released while the process ends.
#[check(GLB_0001)]
fn at_exit(t: &Trial) -> Verdict {
    set(t, "verify.at-exit", &tagged(t, 7)?)?;
    t.while_exiting(|client| {
        for (name, answer) in [("verify.at-exit", Some(7)), ("ffi.FunctionListGlobalNamesFunctor", None)] {
            let function = client.global(name)?;
            let result = client.call(&function, &[])?;
            if let Some(answer) = answer {
                client.any_eq("answer of the function", &result.any(), &view::int(answer))?;
            }
        }
        Ok(())
    })
}

/// TVMFFIFunctionGetGlobal finds one function under a name, and none under a free one, on any thread, in copies of the process, and while
/// one ends.
#[check(GLB_0001)]
fn found_anywhere(t: &Trial) -> Verdict {
    set(t, "verify.lasting", &tagged(t, 7)?)?;
    for name in ["verify.lasting", "ffi.Array", "verify.no-such-function"] {
        t.lasts(&format!("what is found under {name}"), |client| {
            let mut found = null_mut();
            client.ok(client.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name.as_bytes()), &mut found))?;
            if !found.is_null() {
                client.ok(client.api.TVMFFIObjectDecRef(found))?;
            }
            Ok(found as usize)
        })?;
    }
    Ok(())
}

/// TVMFFIFunctionGetGlobal answers a new reference that the caller owns.
#[check(GLB_0002)]
fn get_is_owned(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    set(t, "verify.owned", &function)?;
    let before = t.counts(function.handle())?.0;
    let found = found(t, "verify.owned")?;
    t.eq("strong count after TVMFFIFunctionGetGlobal", t.counts(function.handle())?.0, before + 1)?;
    drop(found);
    t.eq("strong count after the release", t.counts(function.handle())?.0, before)
}

/// TVMFFIFunctionGetGlobal writes NULL, whatever was there, and raises nothing for a name that is not registered, however long it is.
#[check(GLB_0003)]
fn missing(t: &Trial) -> Verdict {
    for name in ["verify.missing", "ffi.Strin", "ffi.String2", "ffi.string", " ffi.String"] {
        is_free(t, name)?;
    }
    let long = vec![b'v'; 70_000];
    // A library may have a function of its own under the empty name.
    free(t, "")?;
    LENGTHS.iter().try_for_each(|len| is_missing(t, &long[..*len], "that was never registered"))?;
    t.that("the raised error", t.take_raised().is_none(), "none", "an error")
}

/// TVMFFIFunctionGetGlobal writes NULL for a name of any length that is like a registered one, and for one that was removed.
#[check(GLB_0003)]
fn missing_beside_others(t: &Trial) -> Verdict {
    let (function, long) = (tagged(t, 1)?, vec![b'v'; 70_001]);
    let remove = t.global("ffi.FunctionRemoveGlobal")?;
    free(t, "")?;
    for (len, door) in LENGTHS[1..].iter().zip(DOORS.into_iter().cycle()) {
        let name = &long[..*len];
        t.ok(door(t, name, &function, false))?;
        is_missing(t, &[&name[1..], b"w"].concat(), "that differs from a registered one in its last byte")?;
        is_missing(t, &long[..len + 1], "that goes on where a registered one ends")?;
        is_missing(t, &name[1..], "that ends before a registered one does")?;
        t.call(&remove, &[t.string(name)?.any()])?;
        is_missing(t, name, "that was removed")?;
    }
    Ok(())
}

/// How long names are that are looked for in vain.
const LENGTHS: [usize; 15] = [0, 1, 7, 8, 9, 15, 16, 63, 64, 65, 255, 256, 1000, 4096, 70_000];

/// Expects NULL for a name that is too long to be told, whatever was there before.
fn is_missing(t: &Trial, name: &[u8], which: &str) -> Verdict {
    for before in [null_mut(), 0x6a7ba6e as TVMFFIObjectHandle, usize::MAX as TVMFFIObjectHandle] {
        let mut found = before;
        t.ok(t.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name), &mut found))?;
        t.eq(format_args!("function under a name of {} bytes {which}", name.len()), found, null_mut())?;
    }
    Ok(())
}

/// The table of global functions holds a reference of its own to a registered function.
#[check(GLB_0004)]
fn table_holds(t: &Trial) -> Verdict {
    let function = counted(t, 3)?;
    set(t, "verify.held", &function)?;
    t.eq("strong count of a registered function", t.counts(function.handle())?.0, 2)?;
    drop(function);
    t.eq("times the deleter ran while the function is registered", callback::ends(), 0)?;
    t.eq("answer of the function, held by the table alone", call_tag(t, &found(t, "verify.held")?)?, 3)
}

/// Any number but 0 for allow_override allows it.
#[check(GLB_0007)]
fn overrides_by_any_number(t: &Trial) -> Verdict {
    let name = TVMFFIByteArray::new(b"verify.replaced");
    for (place, allow_override) in [1, 2, -1, 256, 1 << 30, i32::MIN].into_iter().enumerate() {
        let (first, second) = (tagged(t, 2 * place)?, tagged(t, 2 * place + 1)?);
        t.ok(t.api.TVMFFIFunctionSetGlobal(&name, first.handle(), allow_override))?;
        leads_to(t, "verify.replaced", &first)?;
        let info = info("verify.replaced", "", second.any());
        t.ok(t.api.TVMFFIFunctionSetGlobalFromMethodInfo(&info, allow_override))?;
        leads_to(t, "verify.replaced", &second)?;
    }
    Ok(())
}

/// Registering a function under a taken name with allow_override replaces the earlier one.
#[check(GLB_0007)]
fn overrides(t: &Trial) -> Verdict {
    for tag in 1..=3 {
        let function = tagged(t, tag)?;
        replace(t, "verify.replaced", &function)?;
        let found = found(t, "verify.replaced")?;
        t.eq("function under the name", found.handle(), function.handle())?;
        t.eq("answer of the function under the name", call_tag(t, &found)?, tag)?;
    }
    Ok(())
}

/// Registering a function under a free name with allow_override succeeds as it does without.
#[check(GLB_0007)]
fn overrides_nothing(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    replace(t, "verify.free", &function)?;
    leads_to(t, "verify.free", &function)
}

/// The table of global functions releases a function that is replaced.
#[check(GLB_0008)]
fn releases_replaced(t: &Trial) -> Verdict {
    set(t, "verify.replaced", &counted(t, 1)?)?;
    replace(t, "verify.replaced", &counted(t, 2)?)?;
    t.eq("times a deleter ran after one function was replaced", callback::ends(), 1)?;
    t.eq("closure whose deleter ran", callback::last_end(), 1)
}

/// A global function that is replaced stays callable for a holder of a reference.
#[check(GLB_0008)]
fn replaced_callable(t: &Trial) -> Verdict {
    set(t, "verify.replaced", &counted(t, 1)?)?;
    let held = found(t, "verify.replaced")?;
    replace(t, "verify.replaced", &tagged(t, 2)?)?;
    t.eq("times the deleter ran while the function is held", callback::ends(), 0)?;
    t.eq("answer of the function that was replaced", call_tag(t, &held)?, 1)?;
    drop(held);
    t.eq("times the deleter ran once it was released", callback::ends(), 1)
}

/// The function ffi.FunctionRemoveGlobal takes a name out of the table and leaves the others.
#[check(GLB_0018)]
fn remove(t: &Trial) -> Verdict {
    let (one, other) = (tagged(t, 1)?, tagged(t, 2)?);
    set(t, "verify.kept", &other)?;
    let call = t.global("ffi.FunctionRemoveGlobal")?;
    for text in ["v.r", "verify.removed"] {
        for form in forms::of_string(text.as_bytes()) {
            set(t, text, &one)?;
            t.call(&call, &[form.view])?;
            is_free(t, text).map_err(|failure| failure.noting(format!("removed by {}", form.name)))?;
            leads_to(t, "verify.kept", &other)?;
        }
    }
    Ok(())
}

/// The function ffi.FunctionRemoveGlobal answers whether the name was registered.
#[check(GLB_0033)]
fn remove_answers(t: &Trial) -> Verdict {
    set(t, "verify.removed", &tagged(t, 1)?)?;
    t.eq("answer of ffi.FunctionRemoveGlobal", removed(t, "verify.removed")?, true)?;
    t.eq("answer for a name that was removed", removed(t, "verify.removed")?, false)?;
    t.eq("answer for a name that never was", removed(t, "verify.never")?, false)
}

/// The table of global functions releases a function that is removed, which its holders may still call.
#[check(GLB_0019)]
fn releases_removed(t: &Trial) -> Verdict {
    set(t, "verify.held", &counted(t, 1)?)?;
    let held = found(t, "verify.held")?;
    free(t, "verify.held")?;
    t.eq("times the deleter ran while the function is held", callback::ends(), 0)?;
    t.eq("strong count of the function removed", t.counts(held.handle())?.0, 1)?;
    t.eq("answer of the function removed", call_tag(t, &held)?, 1)?;
    set(t, "verify.alone", &counted(t, 2)?)?;
    free(t, "verify.alone")?;
    t.eq("closure whose deleter ran, of a function that the table alone held", callback::last_end(), 2)
}

/// A name that was removed from the table of global functions can be registered again.
#[check(GLB_0032)]
fn register_again(t: &Trial) -> Verdict {
    for tag in 1..=3 {
        let function = tagged(t, tag)?;
        set(t, "verify.again", &function)?;
        leads_to(t, "verify.again", &function)?;
        free(t, "verify.again")?;
    }
    Ok(())
}

// ---- names ----------------------------------------------------------------------------------------------------------

/// The name of a global function is the bytes of its given length, compared byte for byte.
#[check(GLB_0009)]
fn names_by_length(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    let name = b"verify.slice-of-more";
    for door in DOORS {
        t.ok(door(t, &name[..12], &function, false))?;
        leads_to(t, "verify.slice", &function)?;
        for other in ["verify.slice-of-more", "verify.slic", "verify.slice-", "verify.Slice", "verify.slice\0"] {
            is_free(t, other)?;
        }
        free(t, "verify.slice")?;
    }
    Ok(())
}

/// The names of global functions may hold any bytes, NUL included, and are told apart.
#[check(GLB_0009)]
fn names_of_any_bytes(t: &Trial) -> Verdict {
    let long = [vec![b'n'; 255], vec![b'n'; 256], vec![b'n'; 70_000]];
    let short: [&[u8]; 8] = [b"a\0b", b"a\0c", b"a", b"\0", b"\0\0", b"\xff\xfe\x80", "näme".as_bytes(), b" a"];
    // Of one length, with one place each in which they differ.
    let alike = LENGTHS.into_iter().filter(|len| *len >= 6).flat_map(|len| {
        [0, len / 2, len - 1].map(|at| (0..len).map(|place| if place == at { b'x' } else { b'n' }).collect::<Vec<_>>())
    });
    let alike: Vec<_> = alike.collect();
    let names: Vec<&[u8]> = short.into_iter().chain(long.iter().chain(&alike).map(Vec::as_slice)).collect();
    for door in DOORS {
        let mut functions = Vec::new();
        for (tag, name) in names.iter().enumerate() {
            let function = tagged(t, tag)?;
            t.ok(door(t, name, &function, true))?;
            functions.push(function);
        }
        for (name, function) in names.iter().zip(&functions) {
            leads_to(t, name, function)?;
        }
    }
    Ok(())
}

/// A name with a NUL, of one byte or of thousands is removed, described and listed as it was registered, and no other.
#[check(GLB_0018, GLB_0014, GLB_0020)]
fn names_of_any_bytes_at_every_door(t: &Trial) -> Verdict {
    let (remove, describe) = (t.global("ffi.FunctionRemoveGlobal")?, t.global("ffi.GetGlobalFuncMetadata")?);
    let long = [vec![b'n'; 255], vec![b'n'; 256], vec![b'n'; 70_000]];
    // Each with one that a reader takes for it who stops at a NUL or at a length.
    let pairs: [(&[u8], &[u8]); 6] = [
        (b"v\0r", b"v"),
        (b"verify.cut\0off", b"verify.cut"),
        (b"\xff\xfe\x80", b"\xff"),
        (b"\0", b""),
        (&long[1], &long[0]),
        (&long[2], &long[1]),
    ];
    let function = tagged(t, 1)?;
    let put = |name: &[u8], metadata: &str| {
        let mut info = info("", "", function.any());
        (info.name, info.metadata) = (TVMFFIByteArray::new(name), TVMFFIByteArray::new(metadata.as_bytes()));
        try_set_info(t, &info, true)
    };
    for (name, other) in pairs {
        for form in forms::of_string(name) {
            let note = |failure: Box<Failure>| failure.noting(format!("passed as {}", form.name));
            t.ok(put(name, "its own"))?;
            let taken = put(other, "the other's");
            // That the empty name can be taken is for another clause to say.
            if other.is_empty() && taken != 0 {
                t.api.release_raised();
                continue;
            }
            t.ok(taken)?;
            t.clause(id::GLB_0014);
            let metadata = t.call(&describe, &[form.view])?;
            t.eq("metadata", t.text(&metadata.any())?, b"its own".to_vec()).map_err(note)?;
            t.clause(id::GLB_0020);
            let names = listed(t)?;
            for name in [name, other] {
                let times = names.iter().filter(|listed| *listed == name).count();
                t.eq(format_args!("times that \"{}\" is listed", shown(name)), times, 1)?;
            }
            t.clause(id::GLB_0018);
            t.call(&remove, &[form.view])?;
            is_free(t, name).map_err(note)?;
            leads_to(t, other, &function).map_err(note)?;
        }
    }
    Ok(())
}

/// The beginning of a name, for a report.
fn shown(name: &[u8]) -> String {
    name[..name.len().min(32)].escape_ascii().to_string()
}

/// The table of global functions keeps a copy of the name.
#[check(GLB_0010)]
fn copies_name(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    for name in ["v.a", "verify.a-name-that-is-not-short"] {
        // Gone right after the call, and not merely changed.
        let passed = t.guarded(name.as_bytes())?;
        t.ok(t.api.TVMFFIFunctionSetGlobal(&passed.array(), function.handle(), 0))?;
        drop(passed);
        leads_to(t, name, &function)?;
        let mut passed = name.replace('.', "-").into_bytes();
        set(t, &passed, &function)?;
        passed.fill(b'#');
        leads_to(t, name.replace('.', "-"), &function)?;
        is_free(t, &passed)?;
    }
    Ok(())
}

/// Each of seventy thousand global functions is found under its name, listed, and removed.
#[check(GLB_0011, GLB_0020, GLB_0018, patient = 4)]
fn seventy_thousand(t: &Trial) -> Verdict {
    const COUNT: usize = 70_000;
    // Made when they are needed: all of them would take as much memory as the table.
    let name = |number: usize| format!("verify.many.{number}");
    let functions = [tagged(t, 0)?, tagged(t, 1)?, tagged(t, 2)?];
    let of = |number: usize| &functions[number % 3];
    let (set, get, release) = (
        t.api.bare("TVMFFIFunctionSetGlobal", |table| table.TVMFFIFunctionSetGlobal),
        t.api.bare("TVMFFIFunctionGetGlobal", |table| table.TVMFFIFunctionGetGlobal),
        t.api.bare("TVMFFIObjectDecRef", |table| table.TVMFFIObjectDecRef),
    );
    t.api.note(&format!("TVMFFIFunctionSetGlobal and TVMFFIFunctionGetGlobal of {COUNT} names"));
    for number in 0..COUNT {
        let name = name(number);
        // SAFETY: a call as the header asks for; the target is the one under test.
        t.ok(unsafe { set(&TVMFFIByteArray::new(name.as_bytes()), of(number).handle(), 0) })?;
    }
    for number in 0..COUNT {
        let (name, mut found) = (name(number), null_mut());
        // SAFETY: as above.
        t.ok(unsafe { get(&TVMFFIByteArray::new(name.as_bytes()), &mut found) })?;
        t.eq(format_args!("function under {name}"), found, of(number).handle())?;
        // SAFETY: the reference that was just taken.
        t.ok(unsafe { release(found) })?;
    }
    is_free(t, name(COUNT))?;
    t.clause(id::GLB_0020);
    let lister = t.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let count = t.call(&lister, &[view::int(-1)])?.any().payload() as i64;
    t.that("number of names", count >= COUNT as i64, format_args!("{COUNT} or more"), count)?;
    // Not each of them: a library may count its way to every single one.
    let middle = 1 << 16;
    let mut listed = HashSet::new();
    for index in [0..64, middle - 32..middle + 32, count - 64..count].into_iter().flatten() {
        let name = t.text(&t.call(&lister, &[view::int(index)])?.any())?;
        t.that(format_args!("name {index}"), listed.insert(name), "another than before", "one that was listed before")?;
    }
    t.clause(id::GLB_0018);
    let remove = t.global("ffi.FunctionRemoveGlobal")?.into_any().payload() as usize;
    for number in (0..COUNT).step_by(7) {
        let name = CString::new(name(number)).unwrap_or_default();
        t.call_untraced(remove, &[view::c_str(&name)])?;
    }
    for number in (0..COUNT).step_by(997) {
        match number % 7 {
            0 => is_free(t, name(number))?,
            _ => leads_to(t, name(number), of(number))?,
        }
    }
    Ok(())
}

/// The empty string is a name for a global function.
#[check(GLB_0012)]
fn empty_name(t: &Trial) -> Verdict {
    let function = tagged(t, 1)?;
    is_free(t, "")?;
    t.ok(t.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::EMPTY, function.handle(), 0))?;
    leads_to(t, "", &function)
}

// ---- deleters that use the table ------------------------------------------------------------------------------------

/// The deleter of a replaced global function may use the table of global functions.
#[check(GLB_0031)]
fn reentrant_replace(t: &Trial) -> Verdict {
    set_table_user(t, "verify.replaced")?;
    let new = tagged(t, 2)?;
    replace(t, "verify.replaced", &new)?;
    t.eq("times the deleter used the table", USED.load(Ordering::SeqCst), 1)?;
    leads_to(t, "verify.replaced", &new)
}

/// The deleter of a removed global function may use the table of global functions.
#[check(GLB_0031)]
fn reentrant_remove(t: &Trial) -> Verdict {
    set_table_user(t, "verify.removed")?;
    free(t, "verify.removed")?;
    t.eq("times the deleter used the table", USED.load(Ordering::SeqCst), 1)?;
    is_free(t, "verify.removed")
}

/// Leaves a function to the table whose deleter uses the table, and some others so that the table is not about to grow.
fn set_table_user(t: &Trial, name: &str) -> Verdict {
    t.serve_callbacks();
    (0..5).try_for_each(|number| set(t, format!("verify.fill.{number}"), &tagged(t, number)?))?;
    set(t, name, &t.function(dangling_mut(), answer_self, Some(use_table))?)
}

/// How often [`use_table`] could use the table.
static USED: AtomicUsize = AtomicUsize::new(0);

/// Looks a function up and registers another.
unsafe extern "C" fn use_table(_: *mut c_void) {
    let Some(api) = callback::api() else { return };
    let mut function = null_mut();
    let found = api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(b"verify.fill.0"), &mut function);
    if found != 0 || memory::read(function.cast::<TVMFFIObject>().cast_const()).is_none() {
        return;
    }
    let registered = api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(b"verify.by-deleter"), function, 1);
    api.TVMFFIObjectDecRef(function);
    if registered == 0 {
        USED.fetch_add(1, Ordering::SeqCst);
    }
}

// ---- at large -------------------------------------------------------------------------------------------------------

/// Registering, replacing and removing global functions keeps no memory, also when a function takes its own place, and on threads that end.
#[check(GLB_0030, patient = 4)]
fn no_growth(t: &Trial) -> Verdict {
    t.leaves_nothing("heap after registering, replacing and removing functions", |t| {
        let function = tagged(t, 1)?;
        set(t, "verify.a-name-that-is-not-short", &function)?;
        for door in DOORS {
            t.ok(door(t, b"verify.a-name-that-is-not-short", &function, true))?;
        }
        drop(function);
        let info = info("verify.a-name-that-is-not-short", "metadata that is not short", tagged(t, 2)?.into_any());
        t.ok(try_set_info(t, &info, true))?;
        t.ok(t.api.TVMFFIObjectDecRef(info.method.payload() as TVMFFIObjectHandle))?;
        t.call_global("ffi.FunctionRemoveGlobal", &[view::c_str(c"verify.a-name-that-is-not-short")]).map(drop)
    })
}

/// Looking global functions up keeps no memory.
#[check(GLB_0030)]
fn no_growth_lookups(t: &Trial) -> Verdict {
    t.no_growth("heap after lookups", || {
        drop(found(t, "ffi.FunctionListGlobalNamesFunctor")?);
        get(t, "verify.a-missing-name-that-is-not-short").map(drop)
    })
}

/// The table of global functions is what any sequence of registering, replacing and removing leads to.
///
/// Whichever function registers: each keeps and replaces what the other has registered, and the metadata are those of the
/// latest.
#[check(GLB_0001, GLB_0005, GLB_0007, GLB_0018, GLB_0013, GLB_0014)]
fn model(t: &Trial) -> Verdict {
    let functions = [tagged(t, 0)?, tagged(t, 1)?, tagged(t, 2)?];
    let step = (0..6_u8, 0..NAMES.len(), 0..functions.len());
    let told = |steps: &Vec<(u8, usize, usize)>| {
        let told = steps.iter().map(|&(action, name, function)| match action {
            0 | 1 => format!("set {} to function {function}, {}", NAMES[name], override_of(action)),
            3 | 4 => format!("set {} to function {function} with metadata, {}", NAMES[name], override_of(action)),
            2 => format!("remove {}", NAMES[name]),
            _ => format!("look {} up", NAMES[name]),
        });
        told.collect::<Vec<_>>().join("; ")
    };
    t.property_told(vec(step, 1..24), told, |steps| {
        // The sequence before this one has left some of the names.
        NAMES.iter().try_for_each(|name| free(t, name))?;
        let mut model = BTreeMap::new();
        steps.iter().try_for_each(|&(action, name, function)| {
            act(t, &mut model, action, NAMES[name], &functions[function])?;
            let (expected, metadata) = model.get(NAMES[name]).copied().unwrap_or((null_mut(), ""));
            t.clause(id::GLB_0001);
            leads_to_handle(t, NAMES[name], expected)?;
            if expected.is_null() {
                return Ok(());
            }
            t.clause(id::GLB_0014);
            t.eq(format_args!("metadata of {}", NAMES[name]), metadata_of(t, NAMES[name])?, metadata.to_owned())
        })
    })
}

fn override_of(action: u8) -> &'static str {
    if matches!(action, 1 | 4) { "in place of another" } else { "unless it is taken" }
}

const NAMES: [&str; 4] = ["v.m", "verify.model", "verify.model.2", "verify.a-name-that-is-not-short"];

/// The function under each name that is taken, with its metadata.
type Model = BTreeMap<&'static str, (TVMFFIObjectHandle, &'static str)>;

/// Registers a function under a name (0), does so with allow_override (1), removes the name (2), or registers with metadata
/// (3), with allow_override (4), or does nothing (5), in the table and in the model.
fn act(t: &Trial, model: &mut Model, action: u8, name: &'static str, function: &Owned) -> Verdict {
    let metadata = if action < 2 { "" } else { r#"{"of": "the suite"}"# };
    match action {
        0 | 3 => {
            t.clause(if action == 0 { id::GLB_0005 } else { id::GLB_0013 });
            let status = match action {
                0 => try_set(t, name, function, false),
                _ => try_set_info(t, &info(name, metadata, function.any()), false),
            };
            if model.contains_key(name) {
                return t.raises(status, &[]).map(drop);
            }
            t.ok(status)?;
            model.insert(name, (function.handle(), metadata));
        }
        1 | 4 => {
            t.clause(if action == 1 { id::GLB_0007 } else { id::GLB_0013 });
            t.ok(match action {
                1 => try_set(t, name, function, true),
                _ => try_set_info(t, &info(name, metadata, function.any()), true),
            })?;
            model.insert(name, (function.handle(), metadata));
        }
        2 => {
            t.clause(id::GLB_0018);
            if model.remove(name).is_some() {
                super::kit::remove(t, name)?;
            }
        }
        _ => {}
    }
    Ok(())
}
