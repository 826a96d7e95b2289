//! Objects that outlive the thread that made them.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, shown},
    trial::Trial,
};

/// An object that the library made on a thread that has ended is what it was, when another thread has made the like since, and
/// whoever ends it.
#[check(OBJ_0034, patient = 2)]
fn outlasts_its_thread(t: &Trial) -> Verdict {
    let made = Mutex::new(Vec::new());
    let of_every_kind = |t: &Trial| -> Verdict<Vec<(String, Owned)>> {
        let mut all = t.made_of_every_kind()?;
        all.extend(texts(t)?);
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

/// The texts of data types.
fn texts(t: &Trial) -> Verdict<Vec<(String, Owned)>> {
    let mut all = Vec::new();
    for dtype in [(kDLFloat, 32, 4), (kDLInt, 8, 1), (kDLBfloat, 16, 300)] {
        let (mut written, (code, bits, lanes)) = (TVMFFIAny::NONE, dtype);
        t.ok(t.api.TVMFFIDataTypeToString(&DLDataType { code, bits, lanes }, &mut written))?;
        all.push((format!("the text of the data type {dtype:?}"), t.own(written)));
    }
    Ok(all)
}
