//! Types that several threads register and look up.

use tvm_ffi_spec::*;

use super::kit::{GARBAGE, ROOT, bytes, has_ancestors, key_to_index, names, open_type};
use crate::{
    checks::check,
    client::{Verdict, types::QUERY_ONLY},
    trial::Trial,
};

/// A type that one thread has registered is known on every other thread.
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

/// A type is still known when the thread that registered it has ended.
#[check(TYP_0037)]
fn main_thread_knows_a_type(t: &Trial) -> Verdict {
    let parent = open_type(t, "verify.Parent", ROOT);
    t.threads(1, |t, _| {
        open_type(t, "verify.Child", parent);
        Ok(())
    })?;
    let index = key_to_index(t, "verify.Child")?;
    names(t, index, "verify.Child")?;
    has_ancestors(t, "the type", index, &[kTVMFFIObject, parent.index])
}

/// A thread that has looked for a type in vain finds it when another thread has registered it.
#[check(TYP_0037)]
fn a_thread_finds_what_it_had_missed(t: &Trial) -> Verdict {
    for key in ["verify.Missed", "verify.MissedAgain"] {
        for _ in 0..2 {
            t.raises(t.api.TVMFFITypeKeyToIndex(&bytes(key), &mut GARBAGE.clone()), &[])?;
        }
        t.threads(1, |t, _| {
            open_type(t, key, ROOT);
            Ok(())
        })?;
        names(t, key_to_index(t, key)?, key)?;
    }
    Ok(())
}

/// A thread that has asked in vain for a type by every function that does so finds it when another thread has registered it,
/// whether the first of its questions was one or the other.
#[check(TYP_0037, TYP_0031)]
fn a_thread_finds_what_every_query_had_missed(t: &Trial) -> Verdict {
    let query = |key: &str| t.api.TVMFFITypeGetOrAllocIndex(&bytes(key), -1, 0, 0, 0, QUERY_ONLY);
    for number in 0..20 {
        let keys = [0, 1, 2].map(|kind| format!("verify.Missed{number}.{kind}"));
        for (key, times) in keys.iter().flat_map(|key| [(key, 0), (key, 1)]) {
            // What is answered for a key that no type has is another clause.
            if key.ends_with(".0") || key.ends_with(".2") && times == 0 {
                query(key);
            } else {
                t.api.TVMFFITypeKeyToIndex(&bytes(key), &mut GARBAGE.clone());
            }
            t.api.release_raised();
        }
        t.threads(1, |t, _| {
            for key in &keys {
                open_type(t, key, ROOT);
            }
            Ok(())
        })?;
        for key in &keys {
            let index = key_to_index(t, key)?;
            names(t, index, key)?;
            t.eq(format_args!("answer to a query for {key}"), query(key), index)?;
        }
    }
    Ok(())
}

/// Four threads that look a type up before anything else has been asked in their process find it.
#[check(TYP_0038, fresh)]
fn first_looked_up_by_threads(t: &Trial) -> Verdict {
    t.threads(4, |t, _| {
        let index = key_to_index(t, "ffi.Array")?;
        t.type_index_eq("index of ffi.Array", index, kTVMFFIArray)?;
        names(t, index, "ffi.Array")
    })
}

/// Threads that look types up at the same time get the right answers.
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
        let key_to_index = t.api.bare("TVMFFITypeKeyToIndex", |table| table.TVMFFITypeKeyToIndex);
        let get_info = t.api.bare("TVMFFIGetTypeInfo", |table| table.TVMFFIGetTypeInfo);
        let get_or_alloc = t.api.bare("TVMFFITypeGetOrAllocIndex", |table| table.TVMFFITypeGetOrAllocIndex);
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
            t.type_index_eq("type_index of the record", t.read("type info", address)?.type_index, *index)?;
        }
        Ok(())
    })
}
