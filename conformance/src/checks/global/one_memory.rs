//! Names that a client puts into one place in memory, one after the other: each is what stands there at the time of the call.

use std::ptr::{null, null_mut};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        one_memory::{OneMemory, pairs},
        reflected, view,
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
