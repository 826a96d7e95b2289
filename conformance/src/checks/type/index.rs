//! Keys and indices: built-in types, lookups, registering and asking.

use std::collections::{BTreeMap, BTreeSet};

use tvm_ffi_spec::{clause::id, *};

use super::kit::{
    FREE_STATIC, GARBAGE, ROOT, allocate, built_in_objects, built_in_values, bytes, has_ancestors, key_to_index, names,
    open_type, spec_key,
};
use crate::{
    checks::check,
    client::{
        Verdict, memory,
        samples::LENGTHS,
        types::{self, QUERY_ONLY},
        written,
    },
    trial::Trial,
};

/// The keys of the value types are registered at the indices of the header.
#[check(TYP_0001)]
fn value_types_have_their_indices(t: &Trial) -> Verdict {
    registered_at(t, built_in_values())
}

/// The keys of the built-in object types are registered at the indices of the header.
#[check(TYP_0002)]
fn object_types_have_their_indices(t: &Trial) -> Verdict {
    registered_at(t, built_in_objects())
}

/// The key of a borrowed tensor pointer, `DLTensor*`, is registered at index 7.
#[check(TYP_0003)]
fn tensor_pointer_has_its_index(t: &Trial) -> Verdict {
    registered_at(t, [kTVMFFIDLTensorPtr])
}

/// ffi.List and ffi.Dict are registered at the indices 75 and 76.
#[check(TYP_0004)]
fn mutable_containers_have_their_indices(t: &Trial) -> Verdict {
    registered_at(t, [kTVMFFIList, kTVMFFIDict])
}

/// ffi.VisitInterrupt is registered at index 77.
#[check(TYP_0005)]
fn visit_interrupt_has_its_index(t: &Trial) -> Verdict {
    registered_at(t, [kTVMFFIVisitInterrupt])
}

/// ffi.Unchanged is registered at index 13.
#[check(TYP_0006)]
fn unchanged_has_its_index(t: &Trial) -> Verdict {
    registered_at(t, [kTVMFFIUnchanged])
}

/// ffi.BigInt is registered at index 78.
#[check(TYP_0007)]
fn big_int_has_its_index(t: &Trial) -> Verdict {
    registered_at(t, [kTVMFFIBigInt])
}

/// Expects the built-in types with these indices to be found by their keys.
fn registered_at(t: &Trial, indices: impl IntoIterator<Item = i32>) -> Verdict {
    for index in indices {
        let key = spec_key(t, index)?;
        t.eq(format_args!("index of {key}"), key_to_index(t, key)?, index)?;
    }
    Ok(())
}

/// TVMFFITypeKeyToIndex raises an error for a key that no type has.
#[check(TYP_0008)]
fn unknown_key_is_an_error(t: &Trial) -> Verdict {
    for key in ["verify.NoSuchType", "ffi.NoSuchType", "ffi.Arrays", "verify.%s%n%s%n%d"] {
        is_unknown(t, key)?;
    }
    Ok(())
}

/// Expects no type to have that key.
fn is_unknown(t: &Trial, key: &str) -> Verdict {
    t.raises(t.api.TVMFFITypeKeyToIndex(&bytes(key), &mut { GARBAGE }), &[]).map(drop)
}

/// TVMFFITypeKeyToIndex raises an error for a NULL key.
#[check(TYP_0042)]
fn null_key_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFITypeKeyToIndex(std::ptr::null(), &mut { GARBAGE }), &[]).map(drop)
}

/// TVMFFITypeKeyToIndex raises an error when the place for the answer is NULL.
#[check(TYP_0042)]
fn null_out_is_an_error(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFITypeKeyToIndex(&bytes("ffi.Array"), std::ptr::null_mut()), &[]).map(drop)
}

/// TVMFFITypeKeyToIndex answers the index of a type that was registered at run time.
#[check(TYP_0009)]
fn registered_key_is_found(t: &Trial) -> Verdict {
    let parent = open_type(t, "verify.Parent", ROOT);
    let child = open_type(t, "verify.Child", parent);
    t.eq("index of the parent's key", key_to_index(t, "verify.Parent")?, parent.index)?;
    t.eq("index of the child's key", key_to_index(t, "verify.Child")?, child.index)
}

/// Type keys that begin alike, and go on with any byte or a NUL, name different types.
#[check(TYP_0010)]
fn keys_are_whole_byte_strings(t: &Trial) -> Verdict {
    let keys = ["verify.Key", "verify.KeyLonger", "verify.Ke", "verify.Key\0", "verify.Key\0Tail", "verify.Key\0Other"];
    // Keys of one length that differ in one place, wherever that is.
    let alike = (7..48).map(|at| format!("verify.{}x{}", "k".repeat(at - 7), "k".repeat(47 - at)));
    // Longer ones that differ in their last place, or in their first ones.
    let long = LENGTHS.into_iter().filter(|len| *len >= 48).flat_map(|len| {
        let same = "k".repeat(len - 8);
        [format!("verify.{same}y"), format!("verify.{same}z"), format!("verify.z{same}")]
    });
    let keys: Vec<_> = keys.into_iter().map(str::to_owned).chain(alike).chain(long).collect();
    let mut owners = BTreeMap::new();
    for key in &keys {
        let index = open_type(t, key, ROOT).index;
        let owner = owners.insert(index, key);
        t.that(
            format_args!("index of {key:?}"),
            owner.is_none(),
            "one of its own",
            format_args!("{index}, as {}", written(&owner)),
        )?;
    }
    for (index, key) in owners {
        t.eq(format_args!("index of {key:?}"), key_to_index(t, key)?, index)?;
        // Behind a NUL of its own each is another key, which nobody has.
        for (asked, expected) in [(key.clone(), index), (format!("{key}\0\0"), -2)] {
            if let Some(queried) = types::query(t, asked.as_bytes()) {
                t.eq(format_args!("index of {asked:?}, by a query"), queried, expected)?;
            }
        }
        names(t, index, key)?;
    }
    Ok(())
}

/// TVMFFITypeKeyToIndex compares the length and bytes of a key, and reads no terminator.
#[check(TYP_0010)]
fn key_lookup_reads_no_terminator(t: &Trial) -> Verdict {
    // With the bytes that follow it, the key would be another one.
    let index = open_type(t, "verify.Terminated", ROOT).index;
    let text = b"verify.TerminatedOrNot";
    let mut found = GARBAGE;
    t.ok(t.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(&text[..17]), &mut found))?;
    t.eq("index of a key that is followed by other bytes", found, index)?;
    for other in ["verify.Terminate", "verify.Terminated\0", "verify.TerminatedOrNot"] {
        is_unknown(t, other)?;
    }
    Ok(())
}

/// Keys of one length that stand in one buffer, one after the other, name different types.
#[check(TYP_0010)]
fn keys_in_one_buffer(t: &Trial) -> Verdict {
    let mut buffer = *b"verify.Buffer0";
    let mut indices = Vec::new();
    let with_digit = |buffer: &mut [u8; 14], digit: u8| {
        buffer[13] = b'0' + digit;
        TVMFFIByteArray::new(&*buffer)
    };
    for digit in 0..8 {
        let key = with_digit(&mut buffer, digit);
        indices.push(t.api.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject));
    }
    let unique: BTreeSet<_> = indices.iter().collect();
    t.eq("number of different indices", unique.len(), indices.len())?;
    for (digit, &index) in (0..8).zip(&indices).rev() {
        let mut found = GARBAGE;
        t.ok(t.api.TVMFFITypeKeyToIndex(&with_digit(&mut buffer, digit), &mut found))?;
        t.eq(format_args!("index of the key with the digit {digit}"), found, index)?;
        let unknown = with_digit(&mut buffer, 9);
        t.raises(t.api.TVMFFITypeKeyToIndex(&unknown, &mut { GARBAGE }), &[])?;
    }
    Ok(())
}

/// A type that is registered without a static index gets an index of 128 or more.
#[check(TYP_0017)]
fn dynamic_index_is_128_or_more(t: &Trial) -> Verdict {
    for (number, slots) in [0, 0, 7, 0, 100, 0].into_iter().enumerate() {
        let index = allocate(t, &format!("verify.Dynamic{number}"), ROOT, slots, true).index;
        t.that("the new index", index >= kTVMFFIDynObjectBegin, "at least 128", index)?;
    }
    Ok(())
}

/// Registering a key again as it was registered answers the index of its type.
#[check(TYP_0018)]
fn same_key_same_index(t: &Trial) -> Verdict {
    let parent = open_type(t, "verify.Parent", ROOT);
    for (number, (slots, overflow)) in [(0, true), (0, false), (9, true), (9, false)].into_iter().enumerate() {
        let key = format!("verify.Again{number}");
        let index = allocate(t, &key, parent, slots, overflow).index;
        open_type(t, &format!("verify.Between{number}"), parent);
        for _ in 0..2 {
            t.eq("the index answered again", allocate(t, &key, parent, slots, overflow).index, index)?;
        }
    }
    Ok(())
}

/// Registering the key of a built-in object type again, as C++ declares the type, answers its static index.
#[check(TYP_0018)]
fn built_in_key_keeps_its_index(t: &Trial) -> Verdict {
    for index in built_in_objects().filter(|&index| index != kTVMFFIObject) {
        let key = spec_key(t, index)?;
        let again = t.api.TVMFFITypeGetOrAllocIndex(&bytes(key), index, 1, 0, 0, kTVMFFIObject);
        t.eq(format_args!("index of {key}"), again, index)?;
    }
    Ok(())
}

/// Types with different keys have different indices.
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

/// A new key that is registered with a free static index gets that index.
#[check(TYP_0030)]
fn free_static_index_is_given(t: &Trial) -> Verdict {
    let index = FREE_STATIC;
    let key = bytes("verify.Static");
    let given = t.api.TVMFFITypeGetOrAllocIndex(&key, index, 1, 0, 0, kTVMFFIObject);
    t.eq("the index answered", given, index)?;
    t.eq("index of the key", key_to_index(t, "verify.Static")?, index)?;
    names(t, index, "verify.Static")
}

/// A type that is registered with a static index and -1 as its parent has depth 0 and no ancestors.
#[check(TYP_0045)]
fn root_has_no_ancestors(t: &Trial) -> Verdict {
    let index = kTVMFFIDynObjectBegin - 2;
    let given = t.api.TVMFFITypeGetOrAllocIndex(&bytes("verify.Root"), index, 0, 0, 0, -1);
    t.eq("the index answered", given, index)?;
    names(t, index, "verify.Root")?;
    has_ancestors(t, "a root", index, &[])
}

/// A type that is registered without a static index and with -1 as its parent has depth 0 and no ancestors.
#[check(TYP_0045)]
fn dynamic_root_has_no_ancestors(t: &Trial) -> Verdict {
    let index = t.api.TVMFFITypeGetOrAllocIndex(&bytes("verify.DynamicRoot"), -1, 0, 0, 1, -1);
    t.that("the index answered", index >= kTVMFFIDynObjectBegin, "one of dynamic types", index)?;
    names(t, index, "verify.DynamicRoot")?;
    has_ancestors(t, "a root", index, &[])
}

/// With -2 as parent, TVMFFITypeGetOrAllocIndex answers the index of a registered key.
#[check(TYP_0031)]
fn query_finds_registered_keys(t: &Trial) -> Verdict {
    let registered = open_type(t, "verify.Known", ROOT).index;
    t.eq("index of a built-in key", query(t, "ffi.Array"), kTVMFFIArray)?;
    t.eq("index of the key None", query(t, "None"), kTVMFFINone)?;
    t.eq("index of a registered key", query(t, "verify.Known"), registered)
}

/// With -2 as parent, TVMFFITypeGetOrAllocIndex answers -2 for a key that no type has.
#[check(TYP_0032)]
fn query_misses_with_minus_two(t: &Trial) -> Verdict {
    for key in ["verify.Unknown", "verify.Unknown", "ffi.Arra", ""] {
        t.eq(format_args!("answer for {key:?}"), query(t, key), QUERY_ONLY)?;
    }
    Ok(())
}

/// With -2 as parent, TVMFFITypeGetOrAllocIndex registers nothing, and the key can be registered later.
#[check(TYP_0033)]
fn query_registers_nothing(t: &Trial) -> Verdict {
    query(t, "verify.Late");
    is_unknown(t, "verify.Late")?;
    let parent = open_type(t, "verify.Parent", ROOT);
    let late = open_type(t, "verify.Late", parent);
    has_ancestors(t, "the type", late.index, &[kTVMFFIObject, parent.index])
}

/// A query looks at the key alone: it answers the same, whatever else it is given.
#[check(TYP_0031, TYP_0032)]
fn query_looks_at_the_key_alone(t: &Trial) -> Verdict {
    let known = open_type(t, "verify.Known", ROOT).index;
    with_anything_else(known, |what, ask| {
        t.clause(id::TYP_0032);
        t.eq(format_args!("answer for a key that no type has, with {what}"), ask(t, "verify.Asked"), QUERY_ONLY)?;
        t.clause(id::TYP_0031);
        t.eq(format_args!("answer for a registered key, with {what}"), ask(t, "verify.Known"), known)?;
        t.eq(format_args!("answer for a built-in key, with {what}"), ask(t, "ffi.Array"), kTVMFFIArray)
    })
}

/// A query registers nothing, whatever else it is given: neither its key nor the index that it names is taken.
#[check(TYP_0033)]
fn query_of_anything_registers_nothing(t: &Trial) -> Verdict {
    let known = open_type(t, "verify.Known", ROOT).index;
    with_anything_else(known, |_, ask| {
        for key in ["verify.Asked", "verify.Known", "ffi.Array"] {
            ask(t, key);
        }
        is_unknown(t, "verify.Asked")
    })?;
    names(t, known, "verify.Known")?;
    names(t, kTVMFFIArray, "ffi.Array")?;
    for index in [FREE_STATIC - 3, FREE_STATIC] {
        let key = format!("verify.Static{index}");
        let given = t.api.TVMFFITypeGetOrAllocIndex(&bytes(&key), index, 1, 0, 0, kTVMFFIObject);
        t.eq("the index answered", given, index)?;
        names(t, index, &key)?;
    }
    Ok(())
}

/// Runs `work` with a query for each of many static indices, depths and slots, and with what these are.
fn with_anything_else(known: i32, work: impl Fn(&str, &dyn Fn(&Trial, &str) -> i32) -> Verdict) -> Verdict {
    for index in [-1, kTVMFFIInt, kTVMFFIArray, FREE_STATIC - 3, FREE_STATIC, known, known + 1, known + 1000] {
        for (depth, slots, overflow) in [(0, 0, 0), (1, 0, 1), (1, 7, 0), (3, 100, 1)] {
            let what = format!("static index {index}, depth {depth}, {slots} slots and overflow {overflow}");
            work(&what, &|t, key| {
                t.api.TVMFFITypeGetOrAllocIndex(&bytes(key), index, depth, slots, overflow, QUERY_ONLY)
            })?;
        }
    }
    Ok(())
}

/// The answer to a query.
fn query(t: &Trial, key: &str) -> i32 {
    t.api.TVMFFITypeGetOrAllocIndex(&bytes(key), -1, 0, 0, 0, QUERY_ONLY)
}

/// Each of forty thousand registered types is found by its key and by its index.
#[check(TYP_0036, patient = 4)]
fn thousands_of_types(t: &Trial) -> Verdict {
    let parent = allocate(t, "verify.Parent", ROOT, 100, true);
    t.in_large_pages();
    let key = |number: usize| format!("verify.generated.module{number}.Type");
    let (register, find, info) = (
        t.api.bare("TVMFFITypeGetOrAllocIndex", |table| table.TVMFFITypeGetOrAllocIndex),
        t.api.bare("TVMFFITypeKeyToIndex", |table| table.TVMFFITypeKeyToIndex),
        t.api.bare("TVMFFIGetTypeInfo", |table| table.TVMFFIGetTypeInfo),
    );
    t.api.note("TVMFFITypeGetOrAllocIndex, TVMFFITypeKeyToIndex and TVMFFIGetTypeInfo of 40,000 keys");
    // Each key lies where the one before it lay, and in the end something else does: a library that has copied none has one of them at the most.
    let mut place = [0; 64];
    let index_of = |number| {
        let key = key(number);
        place[..key.len()].copy_from_slice(key.as_bytes());
        let key = TVMFFIByteArray::new(&place[..key.len()]);
        // SAFETY: a call as the header asks for; the target is the one under test.
        unsafe { register(&key, -1, parent.depth + 1, 0, 1, parent.index) }
    };
    let indices: Vec<i32> = (0..40_000).map(index_of).collect();
    std::hint::black_box(&mut place).fill(b'z');
    for (number, &index) in indices.iter().enumerate() {
        let (key, mut found) = (key(number), GARBAGE);
        // SAFETY: as above.
        t.ok(unsafe { find(&bytes(&key), &mut found) })?;
        t.eq(format_args!("index of {key}"), found, index)?;
        // SAFETY: as above, with an index that has been given out.
        let record: TVMFFITypeInfo = t.read("type info", unsafe { info(index) })?;
        let (name, mut named) = (record.type_key, [0; 64]);
        let is_whole = name.size == key.len() && memory::read_into(name.data.cast(), &mut named[..key.len()]);
        if record.type_index != index || !is_whole || &named[..key.len()] != key.as_bytes() {
            names(t, index, &key)?;
        }
    }
    Ok(())
}
