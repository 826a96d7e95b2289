//! An allocator that is installed while other threads are at work.

use std::{ffi::CString, ptr::null_mut};

use tvm_ffi_spec::{clause::id, *};

use super::{body_around, install_spy};
use crate::{
    checks::check,
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// An allocator that one thread installs is asked for the objects of every kind that another makes from then on which has made such objects
/// before, and for none from when the built-in one is restored.
#[check(ALC_0012, ALC_0004, patient = 2)]
fn installed_while_others_work(t: &Trial) -> Verdict {
    const CHANGES: [&str; 2] = ["an allocator was installed", "the built-in one was restored"];
    let look = |t: &Trial, case: usize, changed: bool| -> Verdict {
        let made = made(t)?;
        if !changed {
            return Ok(());
        }
        t.clause(if case == 0 { id::ALC_0012 } else { id::ALC_0004 });
        for (kind, object) in made {
            let expected = (case == 0).then(|| object.any().type_index);
            let asked_for = body_around(object.handle() as usize).map(|(_, type_index)| type_index);
            let what = format!("type index that the body of {kind} was asked for with after {}", CHANGES[case]);
            t.eq(what, asked_for, expected)?;
        }
        Ok(())
    };
    t.changes_are_seen(CHANGES.len(), look, |t, case| {
        if case == 0 { install_spy(t) } else { t.ok(t.api.TVMFFISetCustomAllocator(null_mut())) }
    })
}

/// An object of each kind, and such as owned copies of borrowed texts are.
fn made(t: &Trial) -> Verdict<Vec<(String, Owned)>> {
    let mut made = t.made_of_every_kind()?;
    for len in [8, 30, 300] {
        let text = CString::new(vec![b'y'; len]).unwrap_or_default();
        let array = TVMFFIByteArray::new(text.as_bytes());
        for (kind, lent) in [("a C string", view::c_str(&text)), ("a byte array", view::byte_array(&array))] {
            let mut owned = TVMFFIAny::NONE;
            t.ok(t.api.TVMFFIAnyViewToOwnedAny(&lent, &mut owned))?;
            made.push((format!("the owned copy of {kind} of {len} bytes"), t.own(owned)));
        }
    }
    Ok(made)
}
