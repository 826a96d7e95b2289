//! Records: a type's key, depth, ancestors and hash, which never move or change.

use std::collections::BTreeMap;

use tvm_ffi_spec::*;

use super::kit::{
    FREE_STATIC, ROOT, Type, allocate, ancestor_addresses, ancestors, built_in_objects, built_in_values, has_ancestors,
    key_to_index, names, open_type, spec_key,
};
use crate::{
    checks::check,
    client::{
        Failure, Verdict,
        reflected::{self, info},
        types,
    },
    trial::Trial,
};

/// A type key of thousands of bytes, of one byte or outside ASCII is kept byte for byte.
#[check(TYP_0011)]
fn long_and_foreign_keys(t: &Trial) -> Verdict {
    let long = format!("verify.{}", "Long".repeat(1000));
    for key in [long.as_str(), "verify.Größe→型", "v"] {
        let info = info(t, open_type(t, key, ROOT).index)?;
        t.eq("key of the type", reflected::key(t, &info)?, key.to_owned())?;
    }
    Ok(())
}

/// The record of a built-in type has the type's index and key.
#[check(TYP_0011, lays = TVMFFITypeInfo)]
fn info_names_built_in_types(t: &Trial) -> Verdict {
    for index in built_in_values().chain(built_in_objects()) {
        names(t, index, spec_key(t, index)?)?;
    }
    Ok(())
}

/// The record of a type that was registered at run time has the type's index and key.
#[check(TYP_0011)]
fn info_names_registered_types(t: &Trial) -> Verdict {
    for number in 0..20 {
        let key = format!("verify.Named{number}");
        names(t, open_type(t, &key, ROOT).index, &key)?;
    }
    Ok(())
}

/// The key's bytes are copied when a type is registered.
#[check(TYP_0020)]
fn key_is_copied(t: &Trial) -> Verdict {
    let mut name = Box::new(*b"verify.Volatile.And.Longer.Than.Any.Inline.Buffer");
    let key = String::from_utf8_lossy(&*name).into_owned();
    let index = t.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(&*name), -1, 1, 0, 1, kTVMFFIObject);
    name.fill(b'#');
    t.eq("the type's key after the caller's was overwritten", reflected::key(t, &info(t, index)?)?, key.clone())?;
    t.eq("index of the key", key_to_index(t, &key)?, index)
}

/// The key of a type of any kind is copied: the memory in which it was given may be gone right after the call.
#[check(TYP_0020)]
fn key_of_any_type_is_copied(t: &Trial) -> Verdict {
    const LONG: &str = "verify.Volatile.And.Longer.Than.Any.Inline.Buffer";
    let (reserving, late) = (allocate(t, "verify.Parent", ROOT, 8, true), open_type(t, "verify.LateParent", ROOT));
    // With an index that the caller names, and with any: below each kind of parent, with and without indices for children.
    let of_static = [(FREE_STATIC, "v.k"), (FREE_STATIC - 1, "verify.fifteen_"), (FREE_STATIC - 2, LONG)];
    let mut kinds: Vec<_> = of_static.map(|(index, name)| (index, name, ROOT, 0)).to_vec();
    for (parent, slots) in [(ROOT, 0), (ROOT, 4), (reserving, 0), (reserving, 2), (late, 0)] {
        kinds.extend(["v.k", "verify.fifteen_", LONG].map(|name| (-1, name, parent, slots)));
    }
    for (number, (static_index, name, parent, slots)) in kinds.into_iter().enumerate() {
        let key = format!("{name}{number}");
        // Gone right after the call, and not merely changed.
        let passed = t.guarded(key.as_bytes())?;
        let (array, depth) = (passed.array(), parent.depth + 1);
        let index = t.api.TVMFFITypeGetOrAllocIndex(&array, static_index, depth, slots, 1, parent.index);
        drop(passed);
        let note = |failure: Box<Failure>| failure.noting(format!("static_type_index was {static_index}"));
        names(t, index, &key).map_err(note)?;
        t.eq("index of the key", key_to_index(t, &key)?, index).map_err(note)?;
        t.eq("index of the key, registered again", allocate(t, &key, parent, slots, true).index, index)
            .map_err(note)?;
    }
    Ok(())
}

/// The value types and ffi.Object have depth 0.
#[check(TYP_0012, lays = TVMFFITypeInfo)]
fn value_types_are_roots(t: &Trial) -> Verdict {
    for index in built_in_values().chain([kTVMFFIObject]) {
        t.eq(format_args!("type_depth of {}", spec_key(t, index)?), info(t, index)?.type_depth, 0)?;
    }
    Ok(())
}

/// The built-in object types have depth 1 and ffi.Object as their one ancestor.
#[check(TYP_0013, lays = TVMFFITypeInfo)]
fn built_in_objects_descend_from_object(t: &Trial) -> Verdict {
    for index in built_in_objects().skip(1) {
        let key = spec_key(t, index)?;
        let info = info(t, index)?;
        t.eq(format_args!("type_depth of {key}"), info.type_depth, 1)?;
        t.eq(format_args!("ancestors of {key}"), ancestors(t, &info)?, vec![kTVMFFIObject])?;
    }
    Ok(())
}

/// A type's depth is one more than its parent's, down a line of three hundred types.
#[check(TYP_0021)]
fn depth_counts_ancestors(t: &Trial) -> Verdict {
    for ty in line(t, 300) {
        t.eq("type_depth", info(t, ty.index)?.type_depth, ty.depth)?;
    }
    Ok(())
}

/// The ancestors of a type are listed from the root to its parent.
#[check(TYP_0022)]
fn ancestors_run_from_root_to_parent(t: &Trial) -> Verdict {
    let mut expected = vec![kTVMFFIObject];
    for ty in line(t, 300) {
        if ty.depth <= 20 || ty.depth % 50 < 3 || ty.depth >= 255 {
            has_ancestors(t, &format!("the type at depth {}", ty.depth), ty.index, &expected)?;
        }
        expected.push(ty.index);
    }
    Ok(())
}

/// The ancestors that a type lists show what is registered for them later: fields, methods and metadata.
#[check(TYP_0023)]
fn ancestors_show_everything(t: &Trial) -> Verdict {
    let line = line(t, 12);
    let ancestors = line.iter().map(|ty| ancestor_addresses(t, &info(t, ty.index)?));
    let ancestors = ancestors.collect::<Verdict<Vec<_>>>()?;
    let depths: Vec<_> = ancestors.iter().map(Vec::len).collect();
    t.eq("numbers of ancestors", depths, (1..=line.len()).collect())?;
    for (place, ty) in line[..line.len() - 1].iter().enumerate() {
        let name = format!("late{place}");
        t.ok(t.api.TVMFFITypeRegisterField(ty.index, &types::field(name.as_bytes(), kTVMFFIInt, 8, 24)))?;
        t.ok(t.api.TVMFFITypeRegisterMetadata(ty.index, &types::metadata(100 + place as i32)))?;
        for ancestors in &ancestors[place + 1..] {
            let ancestor = t.read("record of an ancestor", ancestors[place + 1])?;
            t.type_index_eq("type_index of an ancestor", ancestor.type_index, ty.index)?;
            t.eq("num_fields of an ancestor", ancestor.num_fields, 1)?;
            let field = t.read("field of an ancestor", ancestor.fields)?;
            t.eq("name of an ancestor's field", reflected::text(t, "name", field.name)?, name.clone())?;
            let metadata = t.read("metadata of an ancestor", ancestor.metadata)?;
            t.eq("total_size of an ancestor", metadata.total_size, 100 + place as i32)?;
        }
    }
    Ok(())
}

/// A line of descent of that many types, the eldest first.
fn line(t: &Trial, length: i32) -> Vec<Type> {
    let mut parent = ROOT;
    let mut next = |number: i32| {
        parent = allocate(t, &format!("verify.Generation{number}"), parent, number % 3, true);
        parent
    };
    (0..length).map(&mut next).collect()
}

/// The address of a type's record stays the same while thousands of types are registered.
#[check(TYP_0014)]
fn info_never_moves(t: &Trial) -> Verdict {
    let early = a_few_types(t);
    let addresses = || early.iter().map(|&index| (index, t.api.TVMFFIGetTypeInfo(index))).collect::<Vec<_>>();
    let before = addresses();
    register_thousands(t);
    for ((index, before), (_, after)) in before.into_iter().zip(addresses()) {
        t.eq(format_args!("address of the record of type {index}"), after, before)?;
    }
    Ok(())
}

/// A type's index, depth, key, hash and ancestors stay the same while thousands of types are registered.
#[check(TYP_0015)]
fn info_never_changes(t: &Trial) -> Verdict {
    let early = a_few_types(t);
    // Read through the addresses that were answered before, as a client does that has kept them.
    let kept: Vec<_> = early.iter().map(|&index| t.api.TVMFFIGetTypeInfo(index)).collect();
    let read = || kept.iter().map(|&address| snapshot(t, address)).collect::<Verdict<Vec<_>>>();
    let before = read()?;
    register_thousands(t);
    for (before, after) in before.into_iter().zip(read()?) {
        t.eq(format!("the record of {}", before.key), after, before)?;
    }
    Ok(())
}

/// A few types, built in and registered, with and without slots and descendants.
fn a_few_types(t: &Trial) -> Vec<i32> {
    let parent = allocate(t, "verify.Early.Parent", ROOT, 3, true);
    let children = (0..6).map(|number| open_type(t, &format!("verify.Early.Child{number}"), parent).index);
    built_in_objects().chain([kTVMFFIInt, parent.index]).chain(children).collect()
}

/// Registers three thousand types.
fn register_thousands(t: &Trial) {
    let parent = open_type(t, "verify.Late.Parent", ROOT);
    for number in 0..3000 {
        open_type(t, &format!("verify.Late.Child{number}"), if number % 2 == 0 { ROOT } else { parent });
    }
}

/// Registering a key again leaves the type's record as it is.
#[check(TYP_0015)]
fn registering_again_changes_nothing(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Parent", ROOT, 4, true);
    let child = allocate(t, "verify.Child", parent, 2, true);
    let address = t.api.TVMFFIGetTypeInfo(child.index);
    let before = snapshot(t, address)?;
    allocate(t, "verify.Child", parent, 2, true);
    t.eq("the record of the type", snapshot(t, address)?, before)
}

/// Types are found and registered by the constructor of a library, before anybody can call that.
#[check(TYP_0046)]
fn at_start(t: &Trial) -> Verdict {
    let module = t.load("at_start.so")?;
    let index = types::find(t, "verify.AtStart").map_or(-1, i64::from);
    t.that("index of a type that a constructor has registered", index >= 128, "one from 128 on", index)?;
    t.answers("index that the constructor was given", &t.function_of(&module, c"made")?, &[], index)?;
    t.answers("index in the record that it found", &t.function_of(&module, c"found")?, &[], index)
}

/// Types are found and registered while the process ends.
#[check(TYP_0046)]
fn at_exit(t: &Trial) -> Verdict {
    types::new(t, "verify.BeforeExit");
    t.while_exiting(|client| {
        for key in ["verify.BeforeExit", "ffi.Array", "verify.AtExit"] {
            let key = TVMFFIByteArray::new(key.as_bytes());
            let index = client.api.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
            let info = client.read("record of a type", client.api.TVMFFIGetTypeInfo(index))?;
            client.type_index_eq("type_index in the record", info.type_index, index)?;
        }
        Ok(())
    })
}

/// The record of a type has one address, and a key one index, on any thread, in copies of the process, and while one ends.
#[check(TYP_0014)]
fn address_lasts(t: &Trial) -> Verdict {
    let key = "verify.Lasting";
    let index = types::new(t, key);
    for (key, index) in [(key, index), ("ffi.Array", kTVMFFIArray)] {
        t.lasts(&format!("the index of {key} and the address of its record"), |client| {
            let (text, mut found) = (TVMFFIByteArray::new(key.as_bytes()), -1);
            client.ok(client.api.TVMFFITypeKeyToIndex(&text, &mut found))?;
            Ok((found, client.api.TVMFFIGetTypeInfo(index) as usize))
        })?;
    }
    Ok(())
}

/// What a record says that must never change.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Snapshot {
    index: i32,
    depth: i32,
    key: String,
    hash: u64,
    pub(super) ancestors: Vec<i32>,
}

pub(super) fn snapshot(t: &Trial, address: *const TVMFFITypeInfo) -> Verdict<Snapshot> {
    let info = t.read("type info", address)?;
    Ok(Snapshot {
        index: info.type_index,
        depth: info.type_depth,
        key: reflected::key(t, &info)?,
        hash: info.type_key_hash,
        ancestors: ancestors(t, &info)?,
    })
}

/// A type key has one key hash in every process, whatever is registered before it.
#[check(TYP_0043, fresh)]
fn hash_is_the_keys_alone(t: &Trial) -> Verdict {
    let hash =
        |t: &Trial| -> Verdict<i64> { Ok(info(t, open_type(t, "verify.Hashed", ROOT).index)?.type_key_hash as i64) };
    let elsewhere = t.forked(|t| {
        for number in 0..5 {
            allocate(t, &format!("verify.Before{number}"), ROOT, number, true);
        }
        hash(t)
    })?;
    t.eq("type_key_hash of the key in another process", elsewhere, Some(hash(t)?))
}

/// A thousand type keys have a thousand different key hashes.
#[check(TYP_0016)]
fn hashes_tell_keys_apart(t: &Trial) -> Verdict {
    let mut owners: BTreeMap<u64, String> = BTreeMap::new();
    let built_in = built_in_values().chain(built_in_objects());
    let registered = (0..1000).map(|number| open_type(t, &format!("verify.Hashed{number}"), ROOT).index);
    for index in built_in.chain(registered) {
        let info = info(t, index)?;
        let key = reflected::key(t, &info)?;
        if let Some(other) = owners.insert(info.type_key_hash, key.clone()) {
            let got = format!("{:#x}, as {other}", info.type_key_hash);
            return Err(t.failure(format!("type_key_hash of {key}"), "a hash of its own", got));
        }
    }
    Ok(())
}

/// A newly registered type has no fields and no methods, and metadata that says nothing, if any.
#[check(TYP_0034)]
fn new_type_is_bare(t: &Trial) -> Verdict {
    // The parent has metadata, which the child must not inherit.
    let parent = open_type(t, "verify.Parent", ROOT);
    t.ok(t.api.TVMFFITypeRegisterMetadata(parent.index, &types::metadata(24)))?;
    let info = info(t, open_type(t, "verify.Bare", parent).index)?;
    t.eq("num_fields", info.num_fields, 0)?;
    t.eq("num_methods", info.num_methods, 0)?;
    if info.metadata.is_null() {
        return Ok(());
    }
    let metadata = t.read("metadata", info.metadata)?;
    t.eq("size of the documentation", metadata.doc.size, 0)?;
    t.that("creator", metadata.creator.is_none(), "NULL", "a function")?;
    t.eq("total_size", metadata.total_size, 0)?;
    t.eq("structural_eq_hash_kind", metadata.structural_eq_hash_kind, kTVMFFISEqHashKindUnsupported)
}

/// The metadata of ffi.Object gives the size of the object header, 24 bytes.
#[check(TYP_0041)]
fn object_metadata_has_a_size(t: &Trial) -> Verdict {
    let metadata = t.read("metadata of ffi.Object", info(t, kTVMFFIObject)?.metadata)?;
    t.eq("total_size", metadata.total_size as usize, size_of::<TVMFFIObject>())
}
