//! Taking and giving up references by the library's functions, on one thread and on several.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Verdict,
        callback::{self, keep_self, return_none},
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

/// TVMFFIObjectIncRef adds one to the strong count of a client's object and leaves the weak count alone.
#[check(OBJ_0006)]
fn inc(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for (strong, weak) in [(1, 1), (1, 2), (41, 1), (41, 17)] {
        object.set_counts(strong, weak);
        inc_ref(t, object.handle())?;
        t.eq("strong and weak count", object.counts(), (strong + 1, weak))?;
    }
    t.eq("calls of the deleter", object.ends(), vec![])?;
    let endless = Homemade::with_deleter(kTVMFFIObject, (), None);
    inc_ref(t, endless.handle())?;
    t.eq("strong and weak count of an object without a deleter", endless.counts(), (2, 1))
}

/// TVMFFIObjectIncRef adds one to the strong count of an object of the library and leaves the weak count alone.
#[check(OBJ_0006)]
fn inc_made(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| {
        let (strong, weak) = t.counts(object)?;
        inc_ref(t, object)?;
        let counts = t.counts(object)?;
        // Given back inline: what DecRef does is another clause.
        homemade::release(object);
        t.eq(format_args!("strong and weak count of the {kind}"), counts, (strong + 1, weak))
    })
}

/// TVMFFIObjectIncRef refuses NULL with an error.
#[check(OBJ_0031)]
fn inc_null(t: &Trial) -> Verdict {
    t.raises(t.api.TVMFFIObjectIncRef(null_mut()), &[]).map(drop)
}

/// TVMFFIObjectDecRef only takes one from the strong count of a client's object while strong references remain.
#[check(OBJ_0007)]
fn dec(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    for (strong, weak) in [(2, 1), (2, 2), (42, 1), (42, 17)] {
        object.set_counts(strong, weak);
        dec_ref(t, object.handle())?;
        t.eq("strong and weak count", object.counts(), (strong - 1, weak))?;
    }
    t.eq("calls of the deleter", object.ends(), vec![])
}

/// TVMFFIObjectDecRef only takes one from the strong count of an object of the library while strong references remain.
#[check(OBJ_0007)]
fn dec_made(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| {
        let before = t.counts(object)?;
        homemade::retain(object);
        dec_ref(t, object)?;
        t.eq(format_args!("strong and weak count of the {kind}"), t.counts(object)?, before)
    })
}

/// TVMFFIObjectDecRef of NULL does nothing and returns 0.
#[check(OBJ_0008)]
fn dec_null(t: &Trial) -> Verdict {
    dec_ref(t, null_mut())
}

/// Large strong and weak counts stay in their halves of the header's first eight bytes.
#[check(OBJ_0030)]
fn large_counts(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    // Both sides of where a count would change its sign or run into the other half.
    for strong in [0xff, 0xffff, 0x00ff_ffff, 0x7fff_fffe, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffd] {
        for weak in [1, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe] {
            object.set_counts(strong, weak);
            inc_ref(t, object.handle())?;
            t.eq("strong and weak count after IncRef", object.counts(), (strong + 1, weak))?;
            dec_ref(t, object.handle())?;
            t.eq("strong and weak count after DecRef", object.counts(), (strong, weak))?;
        }
    }
    t.eq("calls of the deleter", object.ends(), vec![])
}

/// A strong reference that a client made of a weak one keeps the object alive.
#[check(OBJ_0017)]
fn promoted(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    homemade::retain_weak(object.handle());
    t.that("promotion of a weak reference", homemade::promote(object.handle()), "to succeed", "no reference")?;
    dec_ref(t, object.handle())?;
    t.eq("calls of the deleter while a promoted reference is held", object.ends().len(), 0)?;
    t.eq("strong and weak count", object.counts(), (1, 2))?;
    dec_ref(t, object.handle())?;
    t.eq("calls of the deleter after the promoted reference is given up", object.ends().len(), 1)
}

/// Taking and giving up references leaves the raised error of the thread alone.
#[check(OBJ_0029)]
fn raised_stays(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    t.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"kept".as_ptr());
    t.api.TVMFFIObjectIncRef(object.handle());
    t.api.TVMFFIObjectDecRef(object.handle());
    t.api.TVMFFIObjectDecRef(object.handle());
    let raised = t.take_raised().map(|raised| (raised.kind, raised.message));
    t.eq("the raised error", raised, Some(("ValueError".to_owned(), "kept".to_owned())))
}

/// The end of an object of any kind, and what its deleter does well, leaves the raised error of the thread alone.
#[check(OBJ_0029)]
fn raised_outlasts_ends(t: &Trial) -> Verdict {
    /// Uses the library, without a failure.
    unsafe extern "C" fn use_library(_: *mut c_void) {
        let Some(api) = callback::api() else { return };
        let mut out = TVMFFIAny::NONE;
        if api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(TEXT), &mut out) == 0 {
            api.TVMFFIObjectDecRef(out.payload() as *mut c_void);
        }
    }
    t.serve_callbacks();
    let error = t.new_error("ValueError", "kept", "")?;
    let still_raised = |after: &str| -> Verdict {
        let raised = t.api.take_raised();
        t.eq(format_args!("the raised error after {after}"), raised, error.handle())?;
        t.api.TVMFFIErrorSetRaised(raised);
        t.api.release(raised);
        Ok(())
    };
    t.api.TVMFFIErrorSetRaised(error.handle());
    for kind in KINDS {
        for weak in [false, true] {
            let object = (kind.make)(t);
            if weak {
                homemade::retain_weak(object);
            }
            dec_ref(t, object)?;
            if weak {
                t.api.labelled("an inline weak release", || homemade::release_weak(object));
            }
            still_raised(&format!("the end of an object of the kind {kind}"))?;
        }
    }
    type Deleter = Option<unsafe extern "C" fn(*mut c_void)>;
    for deleter in [None, Some(keep_self as _), Some(use_library as _)] as [Deleter; 3] {
        let opaque = opaque_if_made(t, HANDLE as *mut c_void, deleter)?;
        // What was refused has raised an error of its own.
        t.api.TVMFFIErrorSetRaised(error.handle());
        drop(opaque);
        still_raised("the end of an opaque object with a deleter")?;
        drop(t.function(HANDLE as *mut c_void, return_none, deleter)?);
        still_raised("the end of a function with a deleter")?;
    }
    for container in ["ffi.Array", "ffi.Map"] {
        let args = [view::int(1), view::c_str(c"a text of more than seven bytes")];
        drop(t.call_global(container, &args)?);
        still_raised(&format!("the end of what {container} has made"))?;
    }
    t.api.release_raised();
    Ok(())
}

// ---- several threads ------------------------------------------------------------------------------------------------

/// TVMFFIObjectIncRef and TVMFFIObjectDecRef count exactly when four threads call them at once.
#[check(OBJ_0018, patient = 2)]
fn threads(t: &Trial) -> Verdict {
    const KEPT: u32 = 1000;
    let object = Homemade::new(kTVMFFIObject, ());
    let (inc, dec) = counting_functions(t);
    t.api.note("TVMFFIObjectIncRef and TVMFFIObjectDecRef on 4 threads");
    t.threads(4, |_, _| {
        for round in 0..10 * KEPT {
            inc(object.handle());
            if round % 10 != 0 {
                dec(object.handle());
            }
        }
        Ok(())
    })?;
    t.eq("strong and weak count", object.counts(), (1 + 4 * KEPT, 1))?;
    t.eq("calls of the deleter", object.ends(), vec![])
}

/// Counts are exact when the library and clients' inline code count references to one object at once.
#[check(OBJ_0018, patient = 2)]
fn threads_inline(t: &Trial) -> Verdict {
    const ROUNDS: u32 = 5000;
    let object = t.opaque(HANDLE as *mut c_void, keep_self)?;
    let handle = object.handle() as usize;
    let (inc, dec) = counting_functions(t);
    t.api.note("TVMFFIObjectIncRef and TVMFFIObjectDecRef on 2 threads, inline counting on 2 others");
    t.threads(4, |_, number| {
        let handle = handle as *mut c_void;
        for _ in 0..ROUNDS {
            match number % 2 {
                0 => {
                    inc(handle);
                    inc(handle);
                    dec(handle);
                }
                _ => {
                    homemade::retain(handle);
                    homemade::retain_weak(handle);
                    homemade::release(handle);
                }
            }
        }
        Ok(())
    })?;
    t.eq("strong and weak count", t.counts(object.handle())?, (1 + 2 * ROUNDS, 1 + 2 * ROUNDS))
}

/// Counts are exact when a thread that has counted while it was alone goes on beside others that it has started since.
#[check(OBJ_0018, patient = 2, fresh)]
fn thread_that_was_alone(t: &Trial) -> Verdict {
    const ROUNDS: u32 = 60_000;
    const OTHERS: u32 = 3;
    let object = Homemade::new(kTVMFFIObject, ());
    let (inc, dec) = counting_functions(t);
    inc(object.handle());
    dec(object.handle());
    t.api.note("TVMFFIObjectIncRef and TVMFFIObjectDecRef on 4 threads");
    let handle = object.handle() as usize;
    let count = || {
        inc(handle as TVMFFIObjectHandle);
        inc(handle as TVMFFIObjectHandle);
        dec(handle as TVMFFIObjectHandle);
    };
    // The thread that was alone counts as long as any other does, and none begins before it: on a busy machine they take turns,
    // and have to meet.
    let (begun, at_work) = (AtomicBool::new(false), AtomicU32::new(OTHERS));
    let counts_beside = || {
        while !begun.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        (0..ROUNDS).for_each(|_| count());
        at_work.fetch_sub(1, Ordering::SeqCst);
    };
    let mut rounds = 0;
    thread::scope(|scope| {
        for _ in 0..OTHERS {
            scope.spawn(counts_beside);
        }
        while at_work.load(Ordering::SeqCst) > 0 {
            count();
            rounds += 1;
            begun.store(true, Ordering::SeqCst);
        }
    });
    t.eq("strong and weak count", object.counts(), (1 + OTHERS * ROUNDS + rounds, 1))
}

/// When four threads give up the last references to an object at once, its deleter runs once.
#[check(OBJ_0019, patient = 2)]
fn threads_last(t: &Trial) -> Verdict {
    const THREADS: usize = 4;
    let objects: Vec<Homemade> = (0..1000).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
    objects.iter().for_each(|object| object.set_counts(THREADS as u32, 1));
    let (_, dec) = counting_functions(t);
    t.api.note("TVMFFIObjectDecRef of one object after another on 4 threads");
    t.threads(THREADS, |_, _| {
        for object in &objects {
            dec(object.handle());
        }
        Ok(())
    })?;
    t.eq("calls of 1000 deleters", homemade::all_ends(), objects.len())?;
    t.eq("flags of the calls of the first", objects[0].ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])
}

type Counting = Box<dyn Fn(TVMFFIObjectHandle) -> c_int + Sync>;

/// IncRef and DecRef without breadcrumbs, for tight loops.
fn counting_functions(t: &Trial) -> (Counting, Counting) {
    let inc = t.api.bare("TVMFFIObjectIncRef", |table| table.TVMFFIObjectIncRef);
    let dec = t.api.bare("TVMFFIObjectDecRef", |table| table.TVMFFIObjectDecRef);
    // SAFETY: callers pass live objects; the rest is the target's affair.
    let bare = |f: unsafe extern "C" fn(TVMFFIObjectHandle) -> c_int| move |object| unsafe { f(object) };
    (Box::new(bare(inc)), Box::new(bare(dec)))
}
