//! The type table.
//!
//! Types are registered here as clients register theirs: by key, below a parent that they have registered before.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicUsize, Ordering},
};

use proptest::{collection, sample};
use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// The keys of the value types are registered at the header's indices.
#[check(TYP_0001)]
fn value_types_have_their_indices(t: &Trial) -> Verdict {
    registered_at(t, built_in_values())
}

/// The keys of the built-in object types are registered at the header's indices.
#[check(TYP_0002)]
fn object_types_have_their_indices(t: &Trial) -> Verdict {
    registered_at(t, built_in_objects())
}

/// The key of a borrowed tensor pointer is registered at index 7.
#[check(TYP_0003)]
fn tensor_pointer_has_its_index(t: &Trial) -> Verdict {
    registered_at(t, [kTVMFFIDLTensorPtr])
}

/// List and Dict are registered at the header's indices.
#[check(TYP_0004)]
fn mutable_containers_have_their_indices(t: &Trial) -> Verdict {
    registered_at(t, [kTVMFFIList, kTVMFFIDict])
}

/// VisitInterrupt is registered at the header's index.
#[check(TYP_0005)]
fn visit_interrupt_has_its_index(t: &Trial) -> Verdict {
    registered_at(t, [kTVMFFIVisitInterrupt])
}

/// Unchanged is registered at the header's index.
#[check(TYP_0006)]
fn unchanged_has_its_index(t: &Trial) -> Verdict {
    registered_at(t, [kTVMFFIUnchanged])
}

/// BigInt is registered at the header's index.
#[check(TYP_0007)]
fn big_int_has_its_index(t: &Trial) -> Verdict {
    registered_at(t, [kTVMFFIBigInt])
}

/// Asking for a key that no type has raises an error.
#[check(TYP_0008)]
fn unknown_key_is_an_error(t: &Trial) -> Verdict {
    for key in ["verify.NoSuchType", "ffi.NoSuchType", "ffi.Arrays"] {
        let mut index = GARBAGE;
        t.raises(t.api.TVMFFITypeKeyToIndex(&bytes(key), &mut index), &[])?;
    }
    Ok(())
}

/// Asking for a NULL key raises an error.
#[check(TYP_0042)]
fn null_key_is_an_error(t: &Trial) -> Verdict {
    let mut index = GARBAGE;
    t.raises(t.api.TVMFFITypeKeyToIndex(std::ptr::null(), &mut index), &[])?;
    Ok(())
}

/// Asking for an index without a place for the answer raises an error.
#[check(TYP_0042)]
fn null_out_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFITypeKeyToIndex(&bytes("ffi.Array"), std::ptr::null_mut()), &[])?;
    Ok(())
}

/// The key of a type that was registered at run time leads to its index.
#[check(TYP_0009)]
fn registered_key_is_found(t: &Trial) -> Verdict {
    let parent = open_type(t, "verify.Parent", ROOT);
    let child = open_type(t, "verify.Child", parent);
    t.eq("index of the parent's key", key_to_index(t, "verify.Parent")?, parent.index)?;
    t.eq("index of the child's key", key_to_index(t, "verify.Child")?, child.index)
}

/// Prefixes, longer keys and keys with a NUL inside are other keys.
#[check(TYP_0010)]
fn keys_are_whole_byte_strings(t: &Trial) -> Verdict {
    let keys = ["verify.Key", "verify.KeyLonger", "verify.Ke", "verify.Key\0", "verify.Key\0Tail", "verify.Key\0Other"];
    let mut owners = BTreeMap::new();
    for key in keys {
        let index = open_type(t, key, ROOT).index;
        let owner = owners.insert(index, key);
        t.that(format!("index of {key:?}"), owner.is_none(), "one of its own", format!("{index}, as {owner:?}"))?;
    }
    Ok(())
}

/// Looking a key up compares its length and bytes, and reads no terminator.
#[check(TYP_0010)]
fn key_lookup_reads_no_terminator(t: &Trial) -> Verdict {
    // The bytes that follow the key would make it another one.
    let index = open_type(t, "verify.Terminated", ROOT).index;
    let text = b"verify.TerminatedOrNot";
    let mut found = GARBAGE;
    t.ok(t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(&text[..17]), &mut found))?;
    t.eq("index of a key that is followed by other bytes", found, index)?;
    for other in ["verify.Terminate", "verify.Terminated\0", "verify.TerminatedOrNot"] {
        t.raises(t.api.TVMFFITypeKeyToIndex(&bytes(other), &mut found), &[])?;
    }
    Ok(())
}

/// A key of thousands of bytes and one outside ASCII are kept byte for byte.
#[check(TYP_0011)]
fn long_and_foreign_keys(t: &Trial) -> Verdict {
    let long = format!("verify.{}", "Long".repeat(1000));
    for key in [long.as_str(), "verify.Größe→型", "v"] {
        let info = info(t, open_type(t, key, ROOT).index)?;
        t.eq("key of the type", type_key(t, &info)?, key.to_owned())?;
    }
    Ok(())
}

/// The record of a built-in type has its index and key.
#[check(TYP_0011)]
fn info_names_built_in_types(t: &Trial) -> Verdict {
    for index in built_in_values().chain(built_in_objects()) {
        names(t, index, spec_key(t, index)?)?;
    }
    Ok(())
}

/// The record of a type that was registered at run time has its index and key.
#[check(TYP_0011)]
fn info_names_registered_types(t: &Trial) -> Verdict {
    for number in 0..20 {
        let key = format!("verify.Named{number}");
        names(t, open_type(t, &key, ROOT).index, &key)?;
    }
    Ok(())
}

/// The value types and ffi.Object have depth 0.
#[check(TYP_0012)]
fn value_types_are_roots(t: &Trial) -> Verdict {
    for index in built_in_values().chain([kTVMFFIObject]) {
        t.eq(format!("type_depth of {}", spec_key(t, index)?), info(t, index)?.type_depth, 0)?;
    }
    Ok(())
}

/// The built-in object types have ffi.Object as their one ancestor.
#[check(TYP_0013)]
fn built_in_objects_descend_from_object(t: &Trial) -> Verdict {
    for index in built_in_objects().skip(1) {
        let key = spec_key(t, index)?;
        let info = info(t, index)?;
        t.eq(format!("type_depth of {key}"), info.type_depth, 1)?;
        t.eq(format!("ancestors of {key}"), ancestors(t, &info)?, vec![kTVMFFIObject])?;
    }
    Ok(())
}

/// The address of a type's record stays the same while thousands of types are registered.
#[check(TYP_0014)]
fn info_never_moves(t: &Trial) -> Verdict {
    let early = a_few_types(t);
    let addresses = || early.iter().map(|&index| (index, t.api.TVMFFIGetTypeInfo(index))).collect::<Vec<_>>();
    let before = addresses();
    register_thousands(t);
    for ((index, before), (_, after)) in before.into_iter().zip(addresses()) {
        t.eq(format!("address of the record of type {index}"), after, before)?;
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

/// A thousand keys have a thousand hashes.
#[check(TYP_0016)]
fn hashes_tell_keys_apart(t: &Trial) -> Verdict {
    let mut owners: BTreeMap<u64, String> = BTreeMap::new();
    let built_in = built_in_values().chain(built_in_objects());
    let registered = (0..1000).map(|number| open_type(t, &format!("verify.Hashed{number}"), ROOT).index);
    for index in built_in.chain(registered) {
        let info = info(t, index)?;
        let key = type_key(t, &info)?;
        if let Some(other) = owners.insert(info.type_key_hash, key.clone()) {
            let got = format!("{:#x}, as {other}", info.type_key_hash);
            return Err(t.failure(format!("type_key_hash of {key}"), "a hash of its own", got));
        }
    }
    Ok(())
}

/// A type without a static index gets one of 128 or more.
#[check(TYP_0017)]
fn dynamic_index_is_128_or_more(t: &Trial) -> Verdict {
    for (number, slots) in [0, 0, 7, 0, 100, 0].into_iter().enumerate() {
        let index = allocate(t, &format!("verify.Dynamic{number}"), ROOT, slots, true).index;
        t.that("the new index", index >= kTVMFFIDynObjectBegin, "at least 128", index)?;
    }
    Ok(())
}

/// Registering a key again answers its index, whatever the other arguments say.
#[check(TYP_0018)]
fn same_key_same_index(t: &Trial) -> Verdict {
    let parent = open_type(t, "verify.Parent", ROOT);
    let index = open_type(t, "verify.Again", parent).index;
    let key = bytes("verify.Again");
    for (static_index, depth, slots, overflow, parent) in [
        (-1, 2, 0, 1, parent.index),
        (-1, 2, 9, 0, parent.index),
        (-1, 1, 0, 1, kTVMFFIObject),
        (-1, 7, 0, 1, kTVMFFIArray),
        (120, 2, 0, 1, parent.index),
        (-1, 0, 0, 0, -1),
    ] {
        let again = t.api.TVMFFITypeGetOrAllocIndex(&key, static_index, depth, slots, overflow, parent);
        t.eq("the index answered again", again, index)?;
    }
    Ok(())
}

/// Registering a built-in key answers its static index.
#[check(TYP_0018)]
fn built_in_key_keeps_its_index(t: &Trial) -> Verdict {
    for index in built_in_values().chain(built_in_objects()) {
        let key = spec_key(t, index)?;
        t.eq(format!("index of {key}"), open_type(t, key, ROOT).index, index)?;
    }
    Ok(())
}

/// Registering a key again with another depth and parent leaves the type as it is.
#[check(TYP_0015)]
fn registering_again_changes_nothing(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Parent", ROOT, 4, true);
    let child = open_type(t, "verify.Child", parent);
    let address = t.api.TVMFFIGetTypeInfo(child.index);
    let before = snapshot(t, address)?;
    t.api.TVMFFITypeGetOrAllocIndex(&bytes("verify.Child"), -1, 1, 3, 0, kTVMFFIObject);
    t.eq("the record of the type", snapshot(t, address)?, before)
}

/// Different keys have different indices.
#[check(TYP_0019)]
fn other_key_other_index(t: &Trial) -> Verdict {
    let mut seen = BTreeSet::new();
    let parent = allocate(t, "verify.Parent", ROOT, 3, true);
    for number in 0..200 {
        let parent = if number % 2 == 0 { ROOT } else { parent };
        let index = allocate(t, &format!("verify.Unique{number}"), parent, number % 5, true).index;
        t.that("the new index", index != parent.index && seen.insert(index), "an index not yet given out", index)?;
    }
    Ok(())
}

/// The key's bytes are the table's own.
#[check(TYP_0020)]
fn key_is_copied(t: &Trial) -> Verdict {
    let mut name = Box::new(*b"verify.Volatile.And.Longer.Than.Any.Inline.Buffer");
    let key = String::from_utf8_lossy(&*name).into_owned();
    let index = t.api.TVMFFITypeGetOrAllocIndex(&TVMFFIByteArray::new(&*name), -1, 1, 0, 1, kTVMFFIObject);
    name.fill(b'#');
    t.eq("the type's key after the caller's was overwritten", type_key(t, &info(t, index)?)?, key.clone())?;
    t.eq("index of the key", key_to_index(t, &key)?, index)
}

/// A type's depth is one more than its parent's, down a long line.
#[check(TYP_0021)]
fn depth_counts_ancestors(t: &Trial) -> Verdict {
    for ty in line(t, 64) {
        t.eq("type_depth", info(t, ty.index)?.type_depth, ty.depth)?;
    }
    Ok(())
}

/// The ancestors of a type are listed from the root to its parent.
#[check(TYP_0022)]
fn ancestors_run_from_root_to_parent(t: &Trial) -> Verdict {
    let mut expected = vec![kTVMFFIObject];
    for ty in line(t, 20) {
        t.eq(
            format!("ancestors of the type at depth {}", ty.depth),
            ancestors(t, &info(t, ty.index)?)?,
            expected.clone(),
        )?;
        expected.push(ty.index);
    }
    Ok(())
}

/// The ancestors are the very records that TVMFFIGetTypeInfo answers.
#[check(TYP_0023)]
fn ancestors_are_the_records(t: &Trial) -> Verdict {
    let line = line(t, 12);
    let youngest = info(t, line[line.len() - 1].index)?;
    let ancestors = ancestor_addresses(t, &youngest)?;
    for (ancestor, ty) in ancestors.into_iter().zip(std::iter::once(&ROOT).chain(&line)) {
        t.eq(format!("address of the ancestor {}", ty.index), ancestor, t.api.TVMFFIGetTypeInfo(ty.index))?;
    }
    Ok(())
}

/// The children of a type that may not overflow lie in its slots.
#[check(TYP_0024)]
fn closed_type_holds_its_children(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Closed", ROOT, 5, false);
    for number in 0..5 {
        // Other types come between, as they do when packages are loaded.
        open_type(t, &format!("verify.Between{number}"), ROOT);
        let child = allocate(t, &format!("verify.Child{number}"), parent, 0, false);
        within(t, "index of the child", child, parent, 5)?;
    }
    Ok(())
}

/// The children of a type that may overflow take its slots first.
#[check(TYP_0025)]
fn open_type_fills_its_slots(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Open", ROOT, 5, true);
    for number in 0..5 {
        open_type(t, &format!("verify.Between{number}"), ROOT);
        within(t, "index of the child", open_type(t, &format!("verify.Child{number}"), parent), parent, 5)?;
    }
    Ok(())
}

/// No stranger gets an index that a type has reserved.
#[check(TYP_0026)]
fn slots_are_for_descendants(t: &Trial) -> Verdict {
    let mut siblings: Vec<(Type, i32)> = Vec::new();
    for number in 0..24 {
        let slots = if number < 4 { 10 } else { number % 3 };
        let sibling = allocate(t, &format!("verify.Sibling{number}"), ROOT, slots, number % 2 == 0);
        for other in &siblings {
            outside(t, "the indices of a sibling", (sibling, slots), *other)?;
        }
        siblings.push((sibling, slots));
    }
    // The first type's children overflow in time; what they then get must not be a sibling's.
    for number in 0..20 {
        let child = open_type(t, &format!("verify.Child{number}"), siblings[0].0);
        for other in &siblings[1..] {
            outside(t, "the index of a sibling's child", (child, 0), *other)?;
        }
    }
    Ok(())
}

/// Children with slots of their own reserve them within their parent's, apart from one another.
#[check(TYP_0027)]
fn slots_within_slots(t: &Trial) -> Verdict {
    for open in [false, true] {
        let parent = allocate(t, &format!("verify.Parent.{open}"), ROOT, 9, open);
        let mut taken = BTreeSet::new();
        for number in 0..3 {
            let child = allocate(t, &format!("verify.Child{number}.{open}"), parent, 2, open);
            let last = Type { index: child.index + 2, ..child };
            if !open || child.index <= parent.index + 9 {
                within(t, "index of a child", child, parent, 9)?;
                within(t, "last slot of a child", last, parent, 9)?;
            }
            for index in child.index..=last.index {
                t.that("a slot of a child", taken.insert(index), "one that its siblings have not reserved", index)?;
            }
        }
    }
    Ok(())
}

/// A grandchild lies in its parent's slots and in its grandparent's.
#[check(TYP_0027)]
fn grandchildren_lie_in_both_ranges(t: &Trial) -> Verdict {
    let grandparent = allocate(t, "verify.Grandparent", ROOT, 8, false);
    for family in 0..2 {
        let parent = allocate(t, &format!("verify.Parent{family}"), grandparent, 3, false);
        for number in 0..3 {
            let child = allocate(t, &format!("verify.Child{family}.{number}"), parent, 0, false);
            within(t, "index of a grandchild", child, parent, 3)?;
            within(t, "index of a grandchild", child, grandparent, 8)?;
        }
    }
    Ok(())
}

/// A type that may overflow has more children than slots.
#[check(TYP_0028)]
fn open_type_overflows(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Open", ROOT, 2, true);
    let mut seen = BTreeSet::from([parent.index]);
    for number in 0..30 {
        let child = open_type(t, &format!("verify.Child{number}"), parent);
        t.that("index of a child", seen.insert(child.index), "one that no sibling has", child.index)?;
        t.eq("ancestors of a child", ancestors(t, &info(t, child.index)?)?, vec![kTVMFFIObject, parent.index])?;
    }
    Ok(())
}

/// A type that may overflow and reserves nothing has children.
#[check(TYP_0028)]
fn open_type_without_slots_has_children(t: &Trial) -> Verdict {
    let parent = open_type(t, "verify.Open", ROOT);
    for number in 0..10 {
        // A child's slots, too, have to come from somewhere else.
        let child = allocate(t, &format!("verify.Child{number}"), parent, number, true);
        t.eq("ancestors of a child", ancestors(t, &info(t, child.index)?)?, vec![kTVMFFIObject, parent.index])?;
    }
    Ok(())
}

/// A child's index is greater than its parent's.
#[check(TYP_0029)]
fn parent_comes_before_child(t: &Trial) -> Verdict {
    let mut line = vec![ROOT];
    for number in 0..30 {
        let parent = line[number / 2];
        let child = allocate(t, &format!("verify.Child{number}"), parent, (number % 3) as i32, true);
        let expected = format!("more than {}, its parent's", parent.index);
        t.that("index of the child", child.index > parent.index, expected, child.index)?;
        line.push(child);
    }
    Ok(())
}

/// A new key with a free static index gets that index.
#[check(TYP_0030)]
fn free_static_index_is_given(t: &Trial) -> Verdict {
    // The last of the static range, which no release has come near.
    let index = kTVMFFIDynObjectBegin - 1;
    let key = bytes("verify.Static");
    let given = t.api.TVMFFITypeGetOrAllocIndex(&key, index, 1, 0, 0, kTVMFFIObject);
    t.eq("the index answered", given, index)?;
    t.eq("index of the key", key_to_index(t, "verify.Static")?, index)?;
    names(t, index, "verify.Static")
}

/// A query answers the index of a built-in and of a registered key.
#[check(TYP_0031)]
fn query_finds_registered_keys(t: &Trial) -> Verdict {
    let registered = open_type(t, "verify.Known", ROOT).index;
    t.eq("index of a built-in key", query(t, "ffi.Array"), kTVMFFIArray)?;
    t.eq("index of the key None", query(t, "None"), kTVMFFINone)?;
    t.eq("index of a registered key", query(t, "verify.Known"), registered)
}

/// A query of an unknown key answers -2.
#[check(TYP_0032)]
fn query_misses_with_minus_two(t: &Trial) -> Verdict {
    for key in ["verify.Unknown", "verify.Unknown", "ffi.Arra", ""] {
        t.eq(format!("answer for {key:?}"), query(t, key), QUERY_ONLY)?;
    }
    Ok(())
}

/// A key that was only asked for is still unknown, and can be registered.
#[check(TYP_0033)]
fn query_registers_nothing(t: &Trial) -> Verdict {
    query(t, "verify.Late");
    let mut index = GARBAGE;
    t.raises(t.api.TVMFFITypeKeyToIndex(&bytes("verify.Late"), &mut index), &[])?;
    let parent = open_type(t, "verify.Parent", ROOT);
    let late = open_type(t, "verify.Late", parent);
    t.eq("ancestors of the type", ancestors(t, &info(t, late.index)?)?, vec![kTVMFFIObject, parent.index])
}

/// A new type has no fields, no methods and no metadata.
#[check(TYP_0034)]
fn new_type_is_bare(t: &Trial) -> Verdict {
    // The parent is not bare: nothing of it is inherited.
    let parent = open_type(t, "verify.Parent", ROOT);
    let metadata = TVMFFITypeMetadata {
        doc: TVMFFIByteArray::EMPTY,
        creator: None,
        total_size: 24,
        structural_eq_hash_kind: kTVMFFISEqHashKindTreeNode,
    };
    t.ok(t.api.TVMFFITypeRegisterMetadata(parent.index, &metadata))?;
    let info = info(t, open_type(t, "verify.Bare", parent).index)?;
    t.eq("num_fields", info.num_fields, 0)?;
    t.eq("num_methods", info.num_methods, 0)?;
    t.that("metadata", info.metadata.is_null(), "NULL", format!("{:p}", info.metadata))
}

/// The instance test of clients tells descent in any hierarchy.
#[check(TYP_0035, patient = 3)]
fn instance_test(t: &Trial) -> Verdict {
    // Which of the types before it is the parent, how many slots, whether they may overflow.
    let node = (proptest::arbitrary::any::<sample::Index>(), 0..5, proptest::bool::ANY);
    t.property(collection::vec(node, 1..14), |nodes| {
        let mut hierarchy = Hierarchy::new();
        for (parent, slots, overflow) in nodes {
            let parent = parent.index(hierarchy.members.len());
            hierarchy.register(t, parent, *slots, *overflow)?;
        }
        for target in 1..hierarchy.members.len() {
            for object in 0..hierarchy.members.len() {
                hierarchy.agrees(t, target, object)?;
            }
        }
        Ok(())
    })
}

/// No built-in type passes for an instance of a registered one.
#[check(TYP_0035)]
fn built_in_objects_are_no_instances(t: &Trial) -> Verdict {
    let mut hierarchy = Hierarchy::new();
    hierarchy.register(t, 0, 0, true)?;
    hierarchy.register(t, 0, 6, true)?;
    hierarchy.register(t, 2, 2, false)?;
    for index in built_in_objects() {
        let info = info(t, index)?;
        for target in &hierarchy.members[1..] {
            let instance = target.has_instance(index, info.type_depth, &ancestors(t, &info)?);
            let what = format!("whether type {index} is an instance of type {}", target.ty.index);
            t.eq(what, instance, false)?;
        }
    }
    Ok(())
}

/// Three thousand types are found by key and by index.
#[check(TYP_0036, patient = 3)]
fn thousands_of_types(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Parent", ROOT, 100, true);
    let keys: Vec<String> = (0..3000).map(|number| format!("verify.generated.module{number}.Type")).collect();
    let indices: Vec<i32> = keys.iter().map(|key| open_type(t, key, parent).index).collect();
    for (key, &index) in keys.iter().zip(&indices) {
        t.eq(format!("index of {key}"), key_to_index(t, key)?, index)?;
        names(t, index, key)?;
    }
    Ok(())
}

/// What one thread registers the others know.
#[check(TYP_0037)]
fn other_threads_know_a_type(t: &Trial) -> Verdict {
    let index = open_type(t, "verify.Shared", ROOT).index;
    let address = t.api.TVMFFIGetTypeInfo(index) as usize;
    t.threads(3, |t, _| {
        t.eq("index of the key", key_to_index(t, "verify.Shared")?, index)?;
        t.eq("index answered again", open_type(t, "verify.Shared", ROOT).index, index)?;
        t.eq("address of the record", t.api.TVMFFIGetTypeInfo(index) as usize, address)
    })
}

/// What a thread has registered is known after the thread has ended.
#[check(TYP_0037)]
fn main_thread_knows_a_type(t: &Trial) -> Verdict {
    let parent = open_type(t, "verify.Parent", ROOT);
    t.threads(1, |t, _| {
        open_type(t, "verify.Child", parent);
        Ok(())
    })?;
    let index = key_to_index(t, "verify.Child")?;
    names(t, index, "verify.Child")?;
    t.eq("ancestors of the type", ancestors(t, &info(t, index)?)?, vec![kTVMFFIObject, parent.index])
}

/// Threads that look types up at once all get the right answers.
#[check(TYP_0038, patient = 3)]
fn many_threads_look_up(t: &Trial) -> Verdict {
    let types: Vec<(String, i32)> = (0..16)
        .map(|number| {
            let key = format!("verify.Read{number}");
            let index = open_type(t, &key, ROOT).index;
            (key, index)
        })
        .collect();
    t.threads(4, |t, thread| {
        t.api.note("TVMFFITypeKeyToIndex, TVMFFIGetTypeInfo and TVMFFITypeGetOrAllocIndex from four threads");
        let table = t.api.table();
        let (Some(key_to_index), Some(get_info), Some(get_or_alloc)) =
            (table.TVMFFITypeKeyToIndex, table.TVMFFIGetTypeInfo, table.TVMFFITypeGetOrAllocIndex)
        else {
            return Err(t.failure("the functions of the type table", "exported by the target", "missing"));
        };
        for round in 0..1000 {
            let (key, index) = &types[(round + 5 * thread) % types.len()];
            let key = bytes(key);
            let mut found = GARBAGE;
            // SAFETY: the pointers lead to live locals; the rest is the target's doing.
            let (code, address, again) = unsafe {
                (key_to_index(&key, &mut found), get_info(*index), get_or_alloc(&key, -1, 1, 0, 1, kTVMFFIObject))
            };
            t.eq("status of TVMFFITypeKeyToIndex", code, 0)?;
            t.eq("index of the key", found, *index)?;
            t.eq("index answered again", again, *index)?;
            t.eq("type_index of the record", t.read("type info", address)?.type_index, *index)?;
        }
        Ok(())
    })
}

/// The list of keys has each registered type once.
#[check(TYP_0039)]
fn registered_keys_are_listed(t: &Trial) -> Verdict {
    let mine: Vec<String> = (0..10).map(|number| format!("verify.Listed{number}")).collect();
    for key in &mine {
        open_type(t, key, ROOT);
    }
    let listed = listed_keys(t)?;
    let unique: BTreeSet<&String> = listed.iter().collect();
    t.eq("number of different keys in the list", unique.len(), listed.len())?;
    for index in built_in_values().chain(built_in_objects()) {
        let key = spec_key(t, index)?.to_owned();
        t.that(format!("{key} in the list"), unique.contains(&key), "once", "not at all")?;
    }
    for key in &mine {
        t.that(format!("{key} in the list"), unique.contains(key), "once", "not at all")?;
    }
    Ok(())
}

/// Every listed type has a record and ancestors that agree with one another.
#[check(TYP_0039)]
fn listed_types_are_consistent(t: &Trial) -> Verdict {
    for key in listed_keys(t)? {
        let index = key_to_index(t, &key)?;
        names(t, index, &key)?;
        let info = info(t, index)?;
        let ancestors = ancestor_addresses(t, &info)?;
        for (depth, &address) in ancestors.iter().enumerate() {
            let ancestor = t.read("ancestor", address)?;
            t.eq(format!("depth of ancestor {depth} of {key}"), ancestor.type_depth, depth as i32)?;
            t.eq(
                format!("ancestors of ancestor {depth} of {key}"),
                ancestor_addresses(t, &ancestor)?,
                ancestors[..depth].to_vec(),
            )?;
        }
        if let Some(&root) = ancestors.first() {
            t.eq(format!("root of {key}"), t.read("ancestor", root)?.type_index, kTVMFFIObject)?;
        }
    }
    Ok(())
}

/// The list of keys ascends by index.
#[check(TYP_0040)]
fn keys_are_listed_by_index(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Parent", ROOT, 2, true);
    for number in 0..5 {
        open_type(t, &format!("verify.Between{number}"), ROOT);
        open_type(t, &format!("verify.Child{number}"), parent);
    }
    let mut last = ("nothing".to_owned(), -1);
    for key in listed_keys(t)? {
        let index = key_to_index(t, &key)?;
        t.that(
            format!("index of {key}"),
            index > last.1,
            format!("more than {}, as {} comes before", last.1, last.0),
            index,
        )?;
        last = (key, index);
    }
    Ok(())
}

/// The metadata of ffi.Object gives the size of the header.
#[check(TYP_0041)]
fn object_metadata_has_a_size(t: &Trial) -> Verdict {
    let metadata = t.read("metadata of ffi.Object", info(t, kTVMFFIObject)?.metadata)?;
    t.eq("total_size", metadata.total_size as usize, size_of::<TVMFFIObject>())
}

// ---------------------------------------------------------------------------------------------------------------------
// Registering
// ---------------------------------------------------------------------------------------------------------------------

/// What an index is before the target has written it.
const GARBAGE: i32 = 0x5a5a_5a5a;
/// The parent that makes a registration a mere query.
const QUERY_ONLY: i32 = -2;

/// A type that has been registered.
#[derive(Clone, Copy)]
struct Type {
    index: i32,
    depth: i32,
}

/// The root of all objects.
const ROOT: Type = Type { index: kTVMFFIObject, depth: 0 };

/// Registers a type below `parent`.
fn allocate(t: &Trial, key: &str, parent: Type, slots: i32, overflow: bool) -> Type {
    let depth = parent.depth + 1;
    let index = t.api.TVMFFITypeGetOrAllocIndex(&bytes(key), -1, depth, slots, overflow.into(), parent.index);
    Type { index, depth }
}

/// Registers a type below `parent` that reserves nothing and may have children, as most types do.
fn open_type(t: &Trial, key: &str, parent: Type) -> Type {
    allocate(t, key, parent, 0, true)
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

/// A few types, built in and registered, with and without slots and descendants.
fn a_few_types(t: &Trial) -> Vec<i32> {
    let parent = allocate(t, "verify.Early.Parent", ROOT, 3, true);
    let children = (0..6).map(|number| open_type(t, &format!("verify.Early.Child{number}"), parent).index);
    built_in_objects().chain([kTVMFFIInt, parent.index]).chain(children).collect()
}

fn register_thousands(t: &Trial) {
    let parent = open_type(t, "verify.Late.Parent", ROOT);
    for number in 0..3000 {
        open_type(t, &format!("verify.Late.Child{number}"), if number % 2 == 0 { ROOT } else { parent });
    }
}

/// The answer to a query.
fn query(t: &Trial, key: &str) -> i32 {
    t.api.TVMFFITypeGetOrAllocIndex(&bytes(key), -1, 0, 0, 0, QUERY_ONLY)
}

fn bytes(text: &str) -> TVMFFIByteArray {
    TVMFFIByteArray::new(text.as_bytes())
}

// ---------------------------------------------------------------------------------------------------------------------
// Looking types up
// ---------------------------------------------------------------------------------------------------------------------

/// The indices of value types that every release registers: all but the tensor pointer's.
fn built_in_values() -> impl Iterator<Item = i32> {
    (kTVMFFINone..=kTVMFFISmallBytes).filter(|&index| index != kTVMFFIDLTensorPtr)
}

/// The indices of object types that every release registers, the root first.
fn built_in_objects() -> impl Iterator<Item = i32> {
    kTVMFFIObject..=kTVMFFIOpaquePyObject
}

/// The key of a built-in type, by the spec.
fn spec_key(t: &Trial, index: i32) -> Verdict<&'static str> {
    let ty = abi::abi().types.iter().find(|ty| ty.index == Some(index));
    ty.map(|ty| ty.key.as_str()).ok_or_else(|| t.error(format!("key of type {index}"), "the spec does not say"))
}

/// Expects the built-in types with these indices to be found by their keys.
fn registered_at(t: &Trial, indices: impl IntoIterator<Item = i32>) -> Verdict {
    for index in indices {
        let key = spec_key(t, index)?;
        t.eq(format!("index of {key}"), key_to_index(t, key)?, index)?;
    }
    Ok(())
}

/// `TVMFFITypeKeyToIndex`, expected to succeed.
fn key_to_index(t: &Trial, key: &str) -> Verdict<i32> {
    let mut index = GARBAGE;
    t.ok(t.api.TVMFFITypeKeyToIndex(&bytes(key), &mut index))?;
    Ok(index)
}

/// The record of a type.
fn info(t: &Trial, index: i32) -> Verdict<TVMFFITypeInfo> {
    t.read(format!("record of type {index}"), t.api.TVMFFIGetTypeInfo(index))
}

/// Expects a type's record to give its index and key.
fn names(t: &Trial, index: i32, key: &str) -> Verdict {
    let info = info(t, index)?;
    t.eq(format!("type_index in the record of {key}"), info.type_index, index)?;
    t.eq(format!("type_key in the record of {key}"), type_key(t, &info)?, key.to_owned())
}

fn type_key(t: &Trial, info: &TVMFFITypeInfo) -> Verdict<String> {
    Ok(String::from_utf8_lossy(&t.read_array("type_key", info.type_key)?).into_owned())
}

/// The addresses of a type's ancestors, as they are listed.
fn ancestor_addresses(t: &Trial, info: &TVMFFITypeInfo) -> Verdict<Vec<*const TVMFFITypeInfo>> {
    t.that("type_depth", (0..=1000).contains(&info.type_depth), "a number of ancestors", info.type_depth)?;
    let place = |depth: i32| info.type_ancestors.wrapping_add(depth as usize);
    (0..info.type_depth).map(|depth| t.read(format!("type_ancestors[{depth}]"), place(depth))).collect()
}

/// The indices of a type's ancestors, as they are listed.
fn ancestors(t: &Trial, info: &TVMFFITypeInfo) -> Verdict<Vec<i32>> {
    let addresses = ancestor_addresses(t, info)?;
    addresses.into_iter().map(|address| Ok(t.read("ancestor", address)?.type_index)).collect()
}

/// What a record says that must never change.
#[derive(Debug, PartialEq)]
struct Snapshot {
    index: i32,
    depth: i32,
    key: String,
    hash: u64,
    ancestors: Vec<i32>,
}

fn snapshot(t: &Trial, address: *const TVMFFITypeInfo) -> Verdict<Snapshot> {
    let info = t.read("type info", address)?;
    Ok(Snapshot {
        index: info.type_index,
        depth: info.type_depth,
        key: type_key(t, &info)?,
        hash: info.type_key_hash,
        ancestors: ancestors(t, &info)?,
    })
}

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

// ---------------------------------------------------------------------------------------------------------------------
// Slots and descent
// ---------------------------------------------------------------------------------------------------------------------

/// Expects a child to lie in its parent's slots.
fn within(t: &Trial, what: &str, child: Type, parent: Type, slots: i32) -> Verdict {
    let range = parent.index + 1..=parent.index + slots;
    let expected = format!("{} to {}", range.start(), range.end());
    t.that(what, range.contains(&child.index), expected, child.index)
}

/// Expects the indices of two types and the slots that they reserve to have nothing in common.
fn outside(t: &Trial, what: &str, (stranger, its_slots): (Type, i32), (owner, slots): (Type, i32)) -> Verdict {
    let apart = stranger.index + its_slots < owner.index || owner.index + slots < stranger.index;
    let expected = format!("apart from {} to {}, which another type has reserved", owner.index, owner.index + slots);
    t.that(what, apart, expected, format!("{} to {}", stranger.index, stranger.index + its_slots))
}

/// A type of a hierarchy: what its author declared, what was found in its record, and what room it has left.
struct Member {
    ty: Type,
    parent: Option<usize>,
    slots: i32,
    declared_open: bool,
    open: bool,
    taken: i32,
    ancestors: Vec<i32>,
}

impl Member {
    /// Whether another child with that many slots may be registered.
    fn has_room(&self, slots: i32) -> bool {
        self.open || self.taken + slots < self.slots
    }

    /// The instance test as clients inline it.
    fn has_instance(&self, index: i32, depth: i32, ancestors: &[i32]) -> bool {
        if (self.ty.index..=self.ty.index + self.slots).contains(&index) {
            return true;
        }
        self.declared_open
            && index >= self.ty.index
            && depth > self.ty.depth
            && ancestors.get(self.ty.depth as usize) == Some(&self.ty.index)
    }
}

/// The model: who descends from whom by what was asked of the target.
struct Hierarchy {
    members: Vec<Member>,
}

impl Hierarchy {
    /// The root alone.
    fn new() -> Self {
        let root = Member {
            ty: ROOT,
            parent: None,
            slots: 0,
            declared_open: true,
            open: true,
            taken: 0,
            ancestors: Vec::new(),
        };
        Self { members: vec![root] }
    }

    /// Registers a type below that member, or below the root if the member may have no more children.
    fn register(&mut self, t: &Trial, parent: usize, slots: i32, declared_open: bool) -> Verdict {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let parent = if self.members[parent].has_room(slots) { parent } else { 0 };
        let above = &mut self.members[parent];
        above.taken += slots + 1;
        let key = format!("verify.Member{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let ty = allocate(t, &key, above.ty, slots, declared_open);
        let open = declared_open && above.open;
        let ancestors = ancestors(t, &info(t, ty.index)?)?;
        self.members.push(Member { ty, parent: Some(parent), slots, declared_open, open, taken: 0, ancestors });
        Ok(())
    }

    fn descends(&self, object: usize, target: usize) -> bool {
        std::iter::successors(Some(object), |&member| self.members[member].parent).any(|member| member == target)
    }

    /// Expects the instance test to answer what the model knows.
    fn agrees(&self, t: &Trial, target: usize, object: usize) -> Verdict {
        let (of, it) = (&self.members[target], &self.members[object]);
        let got = of.has_instance(it.ty.index, it.ancestors.len() as i32, &it.ancestors);
        let what = format!("whether member {object} (type {}) is an instance of member {target}", it.ty.index);
        t.eq(what, got, self.descends(object, target))
    }
}
