//! Names that a client puts into one place in memory, one after the other: each is what stands there at the time of the call.

use std::ptr::{null, null_mut};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        one_memory::{LENGTHS, OneMemory, pairs, steps},
        reflected,
        types::QUERY_ONLY,
        view,
    },
    trial::Trial,
};

/// A name that stands in the place in memory where another stood at the call before is the name of the function, the type and the column that
/// it says then.
#[check(GLB_0001, GLB_0003, TYP_0009, TYP_0008, RFL_0020, RFL_0029)]
fn names_in_one_memory(t: &Trial) -> Verdict {
    const NAMES: [&[u8]; 5] = [
        b"verify.memory.one",
        b"verify.memory.two",
        b"verify.memory.o",
        b"verify.memory.one.more",
        // Nobody registers this one.
        b"verify.memory.six",
    ];
    const KNOWN: usize = NAMES.len() - 1;
    let mut memory = OneMemory::new();
    let (mut functions, mut indices, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    for (name, number) in NAMES[..KNOWN].iter().zip(0..) {
        let function = t.callback(|_, _| Some(TVMFFIAny::NONE))?;
        t.ok(t.api.TVMFFIFunctionSetGlobal(memory.put(name), function.handle(), 0))?;
        functions.push(function);
        let index = t.api.TVMFFITypeGetOrAllocIndex(memory.put(name), -1, 1, 0, 1, kTVMFFIObject);
        indices.push(index);
        t.ok(t.api.TVMFFITypeRegisterAttr(index, memory.put(name), &view::int(number)))?;
    }
    for name in &NAMES[..KNOWN] {
        columns.push(reflected::column(t, &String::from_utf8_lossy(name)));
    }
    for at in pairs(NAMES.len()).flatten() {
        let (name, shown) = (NAMES[at], NAMES[at].escape_ascii());
        t.clause(if at < KNOWN { id::GLB_0001 } else { id::GLB_0003 });
        let mut found = null_mut();
        t.ok(t.api.TVMFFIFunctionGetGlobal(memory.put(name), &mut found))?;
        let expected = functions.get(at).map_or(null_mut(), Owned::handle);
        t.eq(format_args!("the function under {shown}"), found, expected)?;
        drop((!found.is_null()).then(|| t.own(TVMFFIAny::new(kTVMFFIFunction, found as u64))));
        t.clause(if at < KNOWN { id::TYP_0009 } else { id::TYP_0008 });
        let mut index = -1;
        let code = t.api.TVMFFITypeKeyToIndex(memory.put(name), &mut index);
        match indices.get(at) {
            Some(expected) => {
                t.ok(code)?;
                t.type_index_eq(format_args!("the index of {shown}"), index, *expected)?;
            }
            None => drop(t.raises(code, &[])?),
        }
        t.clause(if at < KNOWN { id::RFL_0029 } else { id::RFL_0020 });
        let column = t.api.TVMFFIGetTypeAttrColumn(memory.put(name));
        t.eq(format_args!("the column {shown}"), column, columns.get(at).copied().unwrap_or(null()))?;
    }
    Ok(())
}

/// A name that differs in one byte from the one that stood in the same place in memory at the call before is the name of a function, a type and a
/// column of its own, and of nothing before these are registered.
#[check(GLB_0001, GLB_0003, TYP_0009, TYP_0008, RFL_0020, RFL_0029)]
fn names_that_differ_in_one_byte(t: &Trial) -> Verdict {
    /// A name with the function, the type and the column that were registered under it.
    type Registered = (Vec<u8>, Owned, i32, *const TVMFFITypeAttrColumn);
    let mut memory = OneMemory::new();
    // What is shorter may be the library's own.
    for length in LENGTHS.into_iter().filter(|length| *length >= 7) {
        let mut before: Option<Registered> = None;
        for name in steps(length) {
            let shown = name.escape_ascii().to_string();
            let mut found = null_mut();
            t.clause(id::GLB_0003);
            t.ok(t.api.TVMFFIFunctionGetGlobal(memory.put(&name), &mut found))?;
            t.eq(format_args!("the function under {shown}, of which there is none yet"), found, null_mut())?;
            t.clause(id::TYP_0008);
            drop(t.raises(t.api.TVMFFITypeKeyToIndex(memory.put(&name), &mut -1), &[])?);
            t.clause(id::RFL_0020);
            let column = t.api.TVMFFIGetTypeAttrColumn(memory.put(&name));
            t.eq(format_args!("the column {shown}, of which there is none yet"), column, null())?;

            let function = t.callback(|_, _| Some(TVMFFIAny::NONE))?;
            t.clause(id::GLB_0001);
            t.ok(t.api.TVMFFIFunctionSetGlobal(memory.put(&name), function.handle(), 0))?;
            let index = t.api.TVMFFITypeGetOrAllocIndex(memory.put(&name), -1, 1, 0, 1, kTVMFFIObject);
            t.clause(id::RFL_0029);
            t.ok(t.api.TVMFFITypeRegisterAttr(kTVMFFIArray, memory.put(&name), &view::int(index.into())))?;
            let column = t.api.TVMFFIGetTypeAttrColumn(memory.put(&name));
            if let Some((_, _, other, its_column)) = &before {
                t.clause(id::TYP_0009);
                t.ne(format_args!("the index of {shown}"), index, *other)?;
                t.clause(id::RFL_0029);
                t.ne(format_args!("the column {shown}"), column, *its_column)?;
            }
            // Each of the two after the other.
            let this = (name, function, index, column);
            for (name, function, index, column) in before.iter().chain([&this]).chain(&before) {
                let shown = name.escape_ascii();
                t.clause(id::GLB_0001);
                t.ok(t.api.TVMFFIFunctionGetGlobal(memory.put(name), &mut found))?;
                t.eq(format_args!("the function under {shown}"), found, function.handle())?;
                drop(t.own(TVMFFIAny::new(kTVMFFIFunction, found as u64)));
                t.clause(id::TYP_0009);
                let mut known = -1;
                t.ok(t.api.TVMFFITypeKeyToIndex(memory.put(name), &mut known))?;
                t.type_index_eq(format_args!("the index of {shown}"), known, *index)?;
                t.clause(id::RFL_0029);
                let again = t.api.TVMFFIGetTypeAttrColumn(memory.put(name));
                t.eq(format_args!("the column {shown}"), again, *column)?;
                let entry = reflected::entry(t, again, kTVMFFIArray)?;
                t.any_eq(format_args!("the entry in the column {shown}"), &entry, &view::int((*index).into()))?;
            }
            before = Some(this);
        }
    }
    Ok(())
}

/// A query for the key of a type answers for what stands in memory at the time, though it differs in one byte from what stood there before.
#[check(TYP_0031, TYP_0032)]
fn queries_that_differ_in_one_byte(t: &Trial) -> Verdict {
    let mut memory = OneMemory::new();
    let query = |key: &TVMFFIByteArray| t.api.TVMFFITypeGetOrAllocIndex(key, -1, 0, 0, 0, QUERY_ONLY);
    for length in LENGTHS.into_iter().filter(|length| *length >= 7) {
        let mut before: Option<(Vec<u8>, i32)> = None;
        for key in steps(length) {
            t.clause(id::TYP_0032);
            let what = format!("the index of {}, which no type has yet", key.escape_ascii());
            t.eq(what, query(memory.put(&key)), QUERY_ONLY)?;
            let index = t.api.TVMFFITypeGetOrAllocIndex(memory.put(&key), -1, 1, 0, 1, kTVMFFIObject);
            // Each of the two after the other.
            let this = (key, index);
            t.clause(id::TYP_0031);
            for (key, index) in before.iter().chain([&this]).chain(&before) {
                let what = format!("the index of {}, which is only asked for", key.escape_ascii());
                t.type_index_eq(what, query(memory.put(key)), *index)?;
            }
            before = Some(this);
        }
    }
    Ok(())
}
