//! Objects that outlive the thread that made them.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, globals, shown, view},
    trial::Trial,
};

/// An object that the library made on a thread that has ended is what it was, when another thread has made the like since, and
/// whoever ends it.
#[check(OBJ_0034, patient = 2)]
fn outlasts_its_thread(t: &Trial) -> Verdict {
    let made = Mutex::new(Vec::new());
    let of_every_kind = |t: &Trial| -> Verdict<Vec<(String, Owned)>> {
        let mut all = t.made_of_every_kind()?;
        all.extend(answers(t)?);
        Ok(all)
    };
    t.threads(1, |t, _| {
        // Functions are shown as what made them.
        let plain = of_every_kind(t)?.into_iter().filter(|(_, object)| object.any().type_index != kTVMFFIFunction);
        let all = plain.map(|(kind, object)| {
            let shown = shown::value(&object.any());
            (kind, object.into_any(), shown)
        });
        made.lock().unwrap_or_else(PoisonError::into_inner).extend(all);
        Ok(())
    })?;
    t.threads(1, |t, _| of_every_kind(t).map(drop))?;
    for (kind, object, before) in made.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let object = t.own(object);
        t.eq(format_args!("{kind} that was made on a thread that has ended"), shown::value(&object.any()), before)?;
    }
    Ok(())
}

/// What functions answer that make texts and other values of values.
fn answers(t: &Trial) -> Verdict<Vec<(String, Owned)>> {
    let mut all = Vec::new();
    for dtype in [(kDLFloat, 32, 4), (kDLInt, 8, 1), (kDLBfloat, 16, 300)] {
        let (mut written, (code, bits, lanes)) = (TVMFFIAny::NONE, dtype);
        t.ok(t.api.TVMFFIDataTypeToString(&DLDataType { code, bits, lanes }, &mut written))?;
        all.push((format!("the text of the data type {dtype:?}"), t.own(written)));
    }
    let (none, text) = (TVMFFIAny::NONE, view::c_str(c"[1, {\"a key that is long\": [2.5, \"a text that is long\"]}]"));
    let array = t.call_global("ffi.Array", &[text, view::int(1), view::float(2.5)])?;
    for (name, args) in [
        ("ffi.json.Parse", &[text][..]),
        ("ffi.json.Stringify", &[array.any(), none]),
        ("ffi.ReprPrint", &[array.any()]),
        ("ffi.ToJSONGraph", &[array.any(), none]),
        ("ffi.ToJSONGraphString", &[array.any(), none]),
        ("ffi.DeepCopy", &[array.any()]),
        ("ffi.StructuralKey", &[array.any()]),
        ("ffi.GetFirstStructuralMismatch", &[array.any(), text, view::bool(false), view::bool(false)]),
    ] {
        if let Some(function) = globals::find(t, name)? {
            all.push((format!("the answer of {name}"), t.call(&function, args)?));
        }
    }
    Ok(all)
}
