//! Objects that outlive the thread that made them, and objects that end on another.

use std::sync::{Mutex, PoisonError};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, globals, homemade, shown, view},
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

/// An object of any kind gives all its memory back whichever thread ends it: one that is not the one that has made it, or one that ends
/// right after.
#[check(OBJ_0020, patient = 4)]
fn no_leak_across_threads(t: &Trial) -> Verdict {
    fn give_up(t: &Trial, made: &[usize]) -> Verdict {
        made.iter().try_for_each(|&object| dec_ref(t, object as TVMFFIObjectHandle))
    }
    t.no_growth("memory of objects that another thread ends than has made them", || {
        let made = one_of_each(t)?;
        t.threads(1, |t, _| give_up(t, &made))
    })?;
    t.no_growth("memory of objects that were made on a thread that has ended", || {
        let made = t.elsewhere(one_of_each)?;
        give_up(t, &made)
    })?;
    t.threads_leave_nothing("memory of objects of threads that have ended", |t| {
        let made = one_of_each(t)?;
        give_up(t, &made)
    })
}

/// An object of any kind gives all its memory back where its last weak reference is given up on another thread than its last strong one.
#[check(OBJ_0016, patient = 4)]
fn no_leak_of_watched_across_threads(t: &Trial) -> Verdict {
    let give_up = |made: &[usize]| made.iter().for_each(|&object| homemade::release(object as TVMFFIObjectHandle));
    let free = |made: &[usize]| made.iter().for_each(|&object| homemade::release_weak(object as TVMFFIObjectHandle));
    for is_given_up_here in [false, true] {
        t.no_growth("memory of objects that a weak reference on another thread outlives", || {
            let made = one_of_each(t)?;
            made.iter().for_each(|&object| homemade::retain_weak(object as TVMFFIObjectHandle));
            if is_given_up_here {
                give_up(&made);
            }
            t.threads(1, |_, _| {
                if is_given_up_here {
                    free(&made)
                } else {
                    give_up(&made)
                }
                Ok(())
            })?;
            if !is_given_up_here {
                free(&made);
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// The addresses of an object of each kind, and of containers with texts in them.
fn one_of_each(t: &Trial) -> Verdict<Vec<usize>> {
    let text = view::c_str(c"a text of more than seven bytes");
    let kinds = KINDS.iter().map(|kind| (kind.make)(t) as usize);
    let mut made: Vec<_> = kinds.filter(|object| *object != 0).collect();
    for name in ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"] {
        if let Some(make) = globals::find(t, name)? {
            made.push(t.call(&make, &[text, text])?.into_any().payload() as usize);
        }
    }
    Ok(made)
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
