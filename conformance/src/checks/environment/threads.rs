//! Threads that use the library for what is done every day, and end: nothing of it stays behind.

use std::{ffi::c_void, ptr::null_mut};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{keep_self, return_none},
        view,
    },
    trial::Trial,
};

/// Threads that read and write data types and end keep no memory.
#[check(DTY_0029, patient = 3)]
fn threads_of_data_types(t: &Trial) -> Verdict {
    t.threads_leave_nothing("memory in use after threads that have read and written data types", |t| {
        for text in [c"float32x4", c"float8_e4m3fn", c"bool"] {
            let array = TVMFFIByteArray::new(text.to_bytes());
            let (mut dtype, mut written) = (DLDataType { code: 0, bits: 0, lanes: 0 }, TVMFFIAny::NONE);
            t.ok(t.api.TVMFFIDataTypeFromString(&array, &mut dtype))?;
            t.ok(t.api.TVMFFIDataTypeToString(&dtype, &mut written))?;
            drop(t.own(written));
        }
        Ok(())
    })
}

/// Threads that make functions, call them and end keep no memory.
#[check(FUN_0021, patient = 3)]
fn threads_of_functions(t: &Trial) -> Verdict {
    t.threads_leave_nothing("memory in use after threads that have made and called functions", |t| {
        for deleter in [None, Some(keep_self as unsafe extern "C" fn(*mut c_void))] {
            let function = t.function(null_mut(), return_none, deleter)?;
            t.call(&function, &[view::int(1), view::c_str(c"a text of more than seven bytes")])?;
        }
        Ok(())
    })
}

/// Threads that register, look up and remove functions and end keep no memory.
#[check(GLB_0030, patient = 3)]
fn threads_of_global_functions(t: &Trial) -> Verdict {
    t.threads_leave_nothing("memory in use after threads that have registered and removed functions", |t| {
        let name = c"verify.of-a-thread-that-ends";
        let array = TVMFFIByteArray::new(name.to_bytes());
        let function = t.function(null_mut(), return_none, None)?;
        t.ok(t.api.TVMFFIFunctionSetGlobal(&array, function.handle(), 1))?;
        let mut found = null_mut();
        t.ok(t.api.TVMFFIFunctionGetGlobal(&array, &mut found))?;
        drop(t.own_object("the function that was registered", found)?);
        t.call_global("ffi.FunctionRemoveGlobal", &[view::c_str(name)]).map(drop)
    })
}

/// Threads that read and write JSON and end leave no memory behind.
#[check(JSN_0033, patient = 3)]
fn threads_of_json(t: &Trial) -> Verdict {
    t.threads_leave_nothing("memory in use after threads that have read and written JSON", |t| {
        let text = c"[1, {\"a key that is long\": [2.5, \"a text that is long\"]}]";
        let value = t.call_global("ffi.json.Parse", &[view::c_str(text)])?;
        t.call_global("ffi.json.Stringify", &[value.any(), TVMFFIAny::NONE]).map(drop)
    })
}

/// Threads that write and read graphs and end leave no memory behind.
#[check(GRF_0023, patient = 3)]
fn threads_of_graphs(t: &Trial) -> Verdict {
    t.threads_leave_nothing("memory in use after threads that have written and read graphs", |t| {
        let graph = t.call_global("ffi.ToJSONGraphString", &[nested(t)?.any(), TVMFFIAny::NONE])?;
        t.call_global("ffi.FromJSONGraphString", &[graph.any()]).map(drop)
    })
}

/// Threads that compare, hash, copy and print values and end leave no memory behind.
#[check(REC_0032, patient = 3)]
fn threads_of_recursive_functions(t: &Trial) -> Verdict {
    t.threads_leave_nothing("memory in use after threads that have compared, hashed, copied and printed", |t| {
        let value = nested(t)?;
        let copy = t.call_global("ffi.DeepCopy", &[value.any()])?;
        t.call_global("ffi.RecursiveEq", &[value.any(), copy.any()])?;
        t.call_global("ffi.RecursiveHash", &[value.any()])?;
        t.call_global("ffi.ReprPrint", &[value.any()]).map(drop)
    })
}

/// Threads that compare and hash values structurally and end leave no memory behind.
#[check(SEQ_0032, patient = 3)]
fn threads_of_structural_functions(t: &Trial) -> Verdict {
    t.threads_leave_nothing("memory in use after threads that have compared and hashed structurally", |t| {
        let (lhs, rhs, no) = (nested(t)?, nested(t)?, view::bool(false));
        let other = t.call_global("ffi.Array", &[rhs.any(), view::int(2)])?;
        t.call_global("ffi.StructuralEqual", &[lhs.any(), rhs.any(), no, no])?;
        t.call_global("ffi.StructuralHash", &[lhs.any(), no, no])?;
        t.call_global("ffi.GetFirstStructuralMismatch", &[lhs.any(), other.any(), no, no]).map(drop)
    })
}

/// An Array that holds a Map with texts.
fn nested(t: &Trial) -> Verdict<Owned> {
    let text = view::c_str(c"a text of more than seven bytes");
    let map = t.call_global("ffi.Map", &[text, view::float(2.5), view::int(3), text])?;
    t.call_global("ffi.Array", &[map.any(), view::int(1)])
}
