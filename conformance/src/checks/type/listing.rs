//! The list of all type keys.

use std::collections::BTreeSet;

use tvm_ffi_spec::*;

use super::kit::{
    FREE_STATIC, ROOT, Type, allocate, ancestor_addresses, built_in_objects, built_in_values, bytes, key_to_index,
    names, open_type, spec_key,
};
use crate::{
    checks::check,
    client::{Owned, Verdict, reflected::info, view},
    trial::Trial,
};

/// ffi.GetRegisteredTypeKeys lists the key of each of a thousand registered types once, of one whose index the client chose, and of one that comes later.
#[check(TYP_0039, patient = 2)]
fn registered_keys_are_listed(t: &Trial) -> Verdict {
    let numbered = (0..1000).map(|number| format!("verify.Listed{number}"));
    let mine: Vec<String> = ODD_KEYS.map(str::to_owned).into_iter().chain(numbered).collect();
    for key in &mine {
        open_type(t, key, ROOT);
    }
    // Some of the indices that this one reserves are given away, and more than it has.
    let roomy = allocate(t, "verify.Roomy", ROOT, 4, true);
    let children: Vec<_> = (0..6).map(|number| format!("verify.RoomyChild{number}")).collect();
    for child in &children {
        open_type(t, child, roomy);
    }
    // With an index of the client's own choice.
    let fixed = "verify.ListedStatic".to_owned();
    t.api.TVMFFITypeGetOrAllocIndex(&bytes(&fixed), FREE_STATIC, 1, 0, 1, kTVMFFIObject);
    let listed = listed_keys(t)?;
    open_type(t, "verify.ListedLater", ROOT);
    let later = listed_keys(t)?.iter().filter(|key| *key == "verify.ListedLater").count();
    t.eq("times that a later key is in a later list", later, 1)?;
    let unique: BTreeSet<&String> = listed.iter().collect();
    t.eq("number of different keys in the list", unique.len(), listed.len())?;
    for index in built_in_values().chain(built_in_objects()) {
        let key = spec_key(t, index)?.to_owned();
        t.that(format_args!("{key} in the list"), unique.contains(&key), "once", "not at all")?;
    }
    for key in mine.iter().chain(&children).chain([&fixed]) {
        t.that(format_args!("{key:?} in the list"), unique.contains(key), "once", "not at all")?;
    }
    Ok(())
}

/// ffi.GetRegisteredTypeKeys lists a key once from the time on at which its type is registered, in whatever way that is done, and not before.
#[check(TYP_0039)]
fn each_registration_is_listed(t: &Trial) -> Verdict {
    let is_listed = |when: &str, key: &str, expected: usize| -> Verdict {
        let count = listed_keys(t)?.iter().filter(|listed| *listed == key).count();
        t.eq(format_args!("times that {key:?} is listed {when}"), count, expected)
    };
    let register = |key: &str, parent: Type, slots: i32, overflow: bool| -> Verdict<Type> {
        is_listed("before it is registered", key, 0)?;
        let made = allocate(t, key, parent, slots, overflow);
        is_listed("when it is registered", key, 1)?;
        allocate(t, key, parent, slots, overflow);
        is_listed("when it is registered again", key, 1)?;
        Ok(made)
    };
    register("verify.EachPlain", ROOT, 0, true)?;
    let roomy = register("verify.EachRoomy", ROOT, 6, true)?;
    register("verify.EachBehindRoomy", ROOT, 0, true)?;
    // Within what the parent has reserved, with room of its own and without, and then beyond it.
    let child = register("verify.EachChild", roomy, 2, true)?;
    for number in 0..3 {
        register(&format!("verify.EachGrandchild{number}"), child, 0, true)?;
    }
    for number in 0..6 {
        register(&format!("verify.EachOfMany{number}"), roomy, 0, true)?;
    }
    let closed = register("verify.EachClosed", ROOT, 2, false)?;
    for number in 0..2 {
        register(&format!("verify.EachOfClosed{number}"), closed, 0, true)?;
    }
    // With an index of the client's own choice, and below that.
    let fixed = "verify.EachStatic";
    is_listed("before it is registered", fixed, 0)?;
    let index = t.api.TVMFFITypeGetOrAllocIndex(&bytes(fixed), FREE_STATIC, 1, 0, 1, kTVMFFIObject);
    is_listed("when it is registered", fixed, 1)?;
    register("verify.EachBelowStatic", Type { index, depth: 1 }, 0, true)?;
    let far = "verify.EachOfAnotherThread";
    is_listed("before it is registered", far, 0)?;
    t.elsewhere(|t| Ok(allocate(t, far, roomy, 0, true).index))?;
    is_listed("when another thread has registered it", far, 1)
}

/// The record of each type that ffi.GetRegisteredTypeKeys lists agrees with the records of its ancestors.
#[check(TYP_0039)]
fn listed_types_are_consistent(t: &Trial) -> Verdict {
    for key in listed_keys(t)? {
        let index = key_to_index(t, &key)?;
        names(t, index, &key)?;
        let info = info(t, index)?;
        let ancestors = ancestor_addresses(t, &info)?;
        for (depth, &address) in ancestors.iter().enumerate() {
            let ancestor = t.read("ancestor", address)?;
            t.eq(format_args!("depth of ancestor {depth} of {key}"), ancestor.type_depth, depth as i32)?;
            t.eq(
                format_args!("ancestors of ancestor {depth} of {key}"),
                ancestor_addresses(t, &ancestor)?,
                ancestors[..depth].to_vec(),
            )?;
        }
        if let Some(&root) = ancestors.first() {
            t.eq(format_args!("root of {key}"), t.read("ancestor", root)?.type_index, kTVMFFIObject)?;
        }
    }
    Ok(())
}

/// ffi.GetRegisteredTypeKeys lists the keys by ascending type index.
#[check(TYP_0040)]
fn keys_are_listed_by_index(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Parent", ROOT, 2, true);
    for number in 0..5 {
        open_type(t, &format!("verify.Between{number}"), ROOT);
        open_type(t, &format!("verify.Child{number}"), parent);
    }
    // One that comes late and takes an index below theirs.
    t.api.TVMFFITypeGetOrAllocIndex(&bytes("verify.LateStatic"), FREE_STATIC, 1, 0, 1, kTVMFFIObject);
    let mut last = ("nothing".to_owned(), -1);
    for key in listed_keys(t)? {
        let index = key_to_index(t, &key)?;
        t.that(
            format_args!("index of {key}"),
            index > last.1,
            format_args!("more than {}, as {} comes before", last.1, last.0),
            index,
        )?;
        last = (key, index);
    }
    Ok(())
}

/// Keys that begin alike: they end in any byte or hold a NUL, and are of a small string's length, and longer.
const ODD_KEYS: [&str; 9] = [
    "verify.Odd",
    "verify.Odd\0",
    "verify.Odd\0Tail",
    "verify.Odd\0Other",
    "verify.Odd key",
    "verify.Odd%s%n%%",
    "verify.Odd.gr\u{f6}\u{df}e",
    "verify.Odd\u{fffd}",
    "verify.Odd, and a key that is longer than what is kept inline anywhere, with a \0 in it",
];

/// What `ffi.GetRegisteredTypeKeys` lists.
fn listed_keys(t: &Trial) -> Verdict<Vec<String>> {
    let list = t.call_global("ffi.GetRegisteredTypeKeys", &[])?;
    let size = t.call_global("ffi.ArraySize", &[list.any()])?.any().payload();
    t.that("length of the list of keys", size < 100_000, "a length", size)?;
    let item = t.global("ffi.ArrayGetItem")?;
    let key = |number| {
        let key: Owned = t.call(&item, &[list.any(), view::int(number as i64)])?;
        Ok(String::from_utf8_lossy(&t.text(&key.any())?).into_owned())
    };
    (0..size).map(key).collect()
}
