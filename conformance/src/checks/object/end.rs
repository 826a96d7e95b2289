//! How an object ends: its deleter, its content, and its memory.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{self, keep_self},
        globals,
        homemade::{self, Homemade},
        memory,
        own_error::error_cell,
        view,
    },
    trial::Trial,
};

// ---- a client's object ----------------------------------------------------------------------------------------------

/// Giving up the last reference to an object calls its deleter once, with the flags 3.
#[check(OBJ_0009)]
fn last(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    dec_ref(t, object.handle())?;
    t.eq("flags of each call of the object's deleter", object.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])?;
    t.eq("calls of the deleter with any address", homemade::all_ends(), 1)
}

/// Objects end within another's end as they do alone, whether weak references watch them or not.
#[check(OBJ_0010)]
fn watched_within_an_end(t: &Trial) -> Verdict {
    static INNER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    unsafe extern "C" fn end_with_inner(handle: TVMFFIObjectHandle, flags: c_int) {
        // SAFETY: only remembers the call.
        unsafe { homemade::remember_end(handle, flags) };
        if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0
            && let Some(api) = callback::api()
        {
            api.TVMFFIObjectDecRef(INNER.load(Ordering::SeqCst));
        }
    }
    t.serve_callbacks();
    for (weak_outer, weak_inner) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 3)] {
        let inner = Homemade::new(kTVMFFIObject, ());
        let outer = Homemade::with_deleter(kTVMFFIObject, (), Some(end_with_inner));
        INNER.store(inner.handle(), Ordering::SeqCst);
        inner.set_counts(1, 1 + weak_inner);
        outer.set_counts(1, 1 + weak_outer);
        dec_ref(t, outer.handle())?;
        for (which, object, weak) in [("outer", &outer, weak_outer), ("inner", &inner, weak_inner)] {
            let flags =
                if weak == 0 { kTVMFFIObjectDeleterFlagBitMaskBoth } else { kTVMFFIObjectDeleterFlagBitMaskStrong };
            let of = |what: &str| format!("{what} of the {which} object, with {weak} weak references");
            t.eq(of("flags of each call of the deleter"), object.ends(), vec![flags])?;
            if weak > 0 {
                t.eq(of("strong and weak count"), object.counts(), (0, weak))?;
            }
        }
    }
    Ok(())
}

/// The last reference to an object ends it also while the process ends, when all that was to be done at exit has been done.
#[check(OBJ_0009)]
fn last_at_exit(t: &Trial) -> Verdict {
    t.while_exiting(|client| {
        let object = Homemade::new(kTVMFFIObject, ());
        client.ok(client.api.TVMFFIObjectIncRef(object.handle()))?;
        for expected in [&[][..], &[kTVMFFIObjectDeleterFlagBitMaskBoth]] {
            client.ok(client.api.TVMFFIObjectDecRef(object.handle()))?;
            client.eq("flags of each call of the object's deleter", object.ends(), expected.to_vec())?;
        }
        Ok(())
    })
}

/// Giving up the last strong reference while weak ones are held calls the deleter with flag 1 and takes one weak count.
#[check(OBJ_0010)]
fn last_strong(t: &Trial) -> Verdict {
    // Both sides of where a count that is narrower would be taken for none or for one.
    for weak in
        [2, 3, 0x80, 0x100, 0x101, 1000, 0x8001, 0x1_0000, 0x1_0001, 0x100_0001, 0x8000_0000, 0x8000_0001, u32::MAX]
    {
        let object = Homemade::new(kTVMFFIObject, ());
        object.set_counts(1, weak);
        dec_ref(t, object.handle())?;
        t.eq("flags of each call of the deleter", object.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskStrong])?;
        t.eq("strong and weak count afterwards", object.counts(), (0, weak - 1))?;
        t.that("promotion of a weak reference", !homemade::promote(object.handle()), "to fail", "a strong reference")?;
    }
    Ok(())
}

/// While a deleter runs with flag 1, the strong count is 0 and the weak reference of the strong ones still counts.
#[check(OBJ_0011)]
fn end_in_order(t: &Trial) -> Verdict {
    static COMBINED_COUNT: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn look_at_counts(handle: TVMFFIObjectHandle, flags: c_int) {
        if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
            let count = memory::read(handle.cast::<u64>()).unwrap_or(u64::MAX);
            COMBINED_COUNT.store(count as usize, Ordering::Relaxed);
        }
    }
    let object = Homemade::with_deleter(kTVMFFIObject, (), Some(look_at_counts));
    object.set_counts(1, 3);
    dec_ref(t, object.handle())?;
    let seen = COMBINED_COUNT.load(Ordering::Relaxed);
    t.eq("strong and weak count while the deleter runs", (seen as u32, (seen >> 32) as u32), (0, 3))
}

/// When a deleter's call with flag 1 gives up the last weak reference, a second call with flag 2 follows.
#[check(OBJ_0012)]
fn last_weak(t: &Trial) -> Verdict {
    /// Ends the content, which holds the only weak reference to its own object, as a tree's child to its parent.
    unsafe extern "C" fn give_up_weak(handle: TVMFFIObjectHandle, flags: c_int) {
        // SAFETY: only remembers the call.
        unsafe { homemade::remember_end(handle, flags) };
        if flags == kTVMFFIObjectDeleterFlagBitMaskStrong {
            homemade::release_weak(handle);
        }
    }
    let object = Homemade::with_deleter(kTVMFFIObject, (), Some(give_up_weak));
    homemade::retain_weak(object.handle());
    dec_ref(t, object.handle())?;
    let expected = vec![kTVMFFIObjectDeleterFlagBitMaskStrong, kTVMFFIObjectDeleterFlagBitMaskWeak];
    t.eq("flags of each call of the deleter", object.ends(), expected)
}

/// An object whose deleter is NULL may lose its last strong reference.
#[check(OBJ_0013)]
fn no_deleter(t: &Trial) -> Verdict {
    for weak in [1, 2] {
        let object = Homemade::with_deleter(kTVMFFIObject, (), None);
        object.set_counts(1, weak);
        dec_ref(t, object.handle())?;
        t.eq("strong count afterwards", object.counts().0, 0)?;
    }
    Ok(())
}

/// What holds the last strong reference to an object, and ends, ends that as TVMFFIObjectDecRef does while weak references are held.
#[check(OBJ_0010)]
fn part_with_weak_references(t: &Trial) -> Verdict {
    let other = t.new_error("ValueError", "in the place of another", "")?;
    for ((what, hold), weak) in holders().iter().flat_map(|holder| [0, 1, 2].map(|weak| (holder, weak))) {
        let object = Homemade::new(kTVMFFIError, error_cell());
        object.set_counts(1, 1 + weak);
        let Some(holder) = hold(t, object.view())? else { continue };
        dec_ref(t, object.handle())?;
        t.eq(format_args!("ends of what is held by {what}"), object.ends(), vec![])?;
        drop(holder);
        t.api.TVMFFIErrorSetRaised(other.handle());
        let flags = if weak == 0 { kTVMFFIObjectDeleterFlagBitMaskBoth } else { kTVMFFIObjectDeleterFlagBitMaskStrong };
        t.eq(format_args!("flags of each call of the deleter of what was held by {what}"), object.ends(), vec![flags])?;
        if weak > 0 {
            t.eq(format_args!("counts of what was held by {what}"), object.counts(), (0, weak))?;
        }
    }
    t.api.release_raised();
    Ok(())
}

/// Gives an object to a new holder, if the target has holders of that kind.
type Hold = fn(&Trial, TVMFFIAny) -> Verdict<Option<Owned>>;

/// All that can hold an object.
fn holders() -> [(&'static str, Hold); 15] {
    const ONE: TVMFFIAny = TVMFFIAny::new(kTVMFFIInt, 1);
    fn made(t: &Trial, name: &str, args: &[TVMFFIAny]) -> Verdict<Option<Owned>> {
        globals::find(t, name)?.map(|make| t.call(&make, args)).transpose()
    }
    fn error(t: &Trial, cause: TVMFFIObjectHandle, context: TVMFFIObjectHandle) -> Verdict<Option<Owned>> {
        if t.api.table().TVMFFIErrorCreateWithCauseAndExtraContext.is_none() {
            return Ok(None);
        }
        let (text, mut out) = (TVMFFIByteArray::new(b"an error"), null_mut());
        t.ok(t.api.TVMFFIErrorCreateWithCauseAndExtraContext(&text, &text, &text, cause, context, &mut out))?;
        t.own_object("the new error", out).map(Some)
    }
    fn changed(
        t: &Trial,
        make: &str,
        args: &[TVMFFIAny],
        change: &str,
        others: &[TVMFFIAny],
    ) -> Verdict<Option<Owned>> {
        let Some(made) = made(t, make, args)? else { return Ok(None) };
        t.call_global(change, &[&[made.any()], others].concat())?;
        Ok(Some(made))
    }
    [
        ("an Array", |t, it| made(t, "ffi.Array", &[ONE, it])),
        ("a List", |t, it| made(t, "ffi.List", &[ONE, it])),
        ("a Map, as a key", |t, it| made(t, "ffi.Map", &[it, ONE])),
        ("a Map, as a value", |t, it| made(t, "ffi.Map", &[ONE, it])),
        ("a Dict, as a key", |t, it| made(t, "ffi.Dict", &[it, ONE])),
        ("a Dict, as a value", |t, it| made(t, "ffi.Dict", &[ONE, it])),
        ("a VisitInterrupt", |t, it| made(t, "ffi.VisitInterrupt", &[it])),
        ("an error, as its cause", |t, it| error(t, it.payload() as TVMFFIObjectHandle, null_mut())),
        ("an error, as its context", |t, it| error(t, null_mut(), it.payload() as TVMFFIObjectHandle)),
        ("the thread, as its raised error", |t, it| {
            t.api.TVMFFIErrorSetRaised(it.payload() as TVMFFIObjectHandle);
            Ok(Some(t.own(TVMFFIAny::NONE)))
        }),
        ("a List that grows", |t, it| changed(t, "ffi.List", &[ONE, it], "ffi.ListAppend", &[it])),
        ("a Dict that grows", |t, it| changed(t, "ffi.Dict", &[ONE, it], "ffi.DictSetItem", &[it, ONE])),
        ("an Array in an Array", |t, it| {
            let inner = t.call_global("ffi.Array", &[it])?;
            made(t, "ffi.Array", &[inner.any(), inner.any()])
        }),
        ("an Array in an error", |t, it| {
            let inner = t.call_global("ffi.Array", &[it])?;
            error(t, null_mut(), inner.handle())
        }),
        ("an AccessStep", |t, it| {
            let (kind, key) = (view::c_str(c"kind"), view::c_str(c"key"));
            made(t, "ffi.MakeObjectFromPackedArgs", &[view::c_str(c"ffi.reflection.AccessStep"), kind, ONE, key, it])
        }),
    ]
}

/// What holds an object lets it go with its own last strong reference, while weak references to it are held, and not once more when those
/// are given up.
#[check(OBJ_0014, OBJ_0015)]
fn watched_holder(t: &Trial) -> Verdict {
    for ((what, hold), (before, weak)) in
        holders().iter().flat_map(|holder| [(0, 0), (1, 0), (0, 1), (0, 2), (1, 1)].map(|counts| (holder, counts)))
    {
        let object = Homemade::new(kTVMFFIError, error_cell());
        let Some(holder) = hold(t, object.view())? else { continue };
        let handle = holder.handle();
        if handle.is_null() {
            // It is the thread that holds it, which is no object.
            t.api.release_raised();
            continue;
        }
        t.clause(id::OBJ_0014);
        dec_ref(t, object.handle())?;
        (0..before + weak).for_each(|_| homemade::retain_weak(handle));
        (0..before).for_each(|_| homemade::release_weak(handle));
        t.eq(format_args!("ends of what is held by {what}"), object.ends(), vec![])?;
        drop(holder);
        let ends = vec![kTVMFFIObjectDeleterFlagBitMaskBoth];
        let left = format!("{what} that {weak} weak references are left to");
        t.eq(
            format_args!("flags of each call of the deleter of what was held by {left}"),
            object.ends(),
            ends.clone(),
        )?;
        if weak == 0 {
            continue;
        }
        t.eq(format_args!("counts of {left}"), t.counts(handle)?, (0, weak))?;
        t.clause(id::OBJ_0015);
        for _ in 0..weak {
            t.api.labelled("an inline weak release", || homemade::release_weak(handle));
        }
        t.eq(format_args!("the same for {what} whose memory was given up"), object.ends(), ends)?;
    }
    Ok(())
}

// ---- an object of the library ---------------------------------------------------------------------------------------

/// An object of the library with only weak references left has ended its content and still shows its counts.
#[check(OBJ_0014)]
fn weak_looks(t: &Trial) -> Verdict {
    let function = counted_function(t)?;
    let object = function.handle();
    homemade::retain_weak(object);
    homemade::retain_weak(object);
    drop(function);
    t.eq("ends of the function's closure", callback::ends(), 1)?;
    t.eq("strong and weak count", t.counts(object)?, (0, 2))?;
    t.that("promotion of a weak reference", !homemade::promote(object), "to fail", "a strong reference")?;
    homemade::release_weak(object);
    t.eq("strong and weak count after one weak reference is given up", t.counts(object)?, (0, 1))
}

/// The deleter of an object of the library ends the content once when called with the flags 3.
#[check(OBJ_0015)]
fn content_once(t: &Trial) -> Verdict {
    for rounds in 1..=10 {
        let function = counted_function(t)?;
        t.eq("ends of closures while the function lives", callback::ends(), rounds - 1)?;
        // Ended inline, so that it is the deleter alone that is judged.
        t.api.labelled("deleter of a function, flags 3", || {
            homemade::release(function.into_any().payload() as *mut c_void)
        });
        t.eq("ends of closures", callback::ends(), rounds)?;
    }
    Ok(())
}

/// The deleter of an object of the library ends the content once when called with flag 1 and later with flag 2.
#[check(OBJ_0015)]
fn content_once_weak(t: &Trial) -> Verdict {
    for rounds in 1..=10 {
        let object = counted_function(t)?.into_any().payload() as *mut c_void;
        homemade::retain_weak(object);
        t.api.labelled("deleter of a function, flags 1", || homemade::release(object));
        t.eq("ends of closures", callback::ends(), rounds)?;
        t.api.labelled("deleter of a function, flags 2", || homemade::release_weak(object));
        t.eq("ends of closures after the memory is freed", callback::ends(), rounds)?;
    }
    Ok(())
}

/// Giving up the last weak reference to an object of the library frees its memory.
#[check(OBJ_0016, patient = 2)]
fn weak_memory(t: &Trial) -> Verdict {
    for kind in KINDS {
        t.no_growth(format!("memory of a {kind} that a weak reference outlives"), || {
            let object = (kind.make)(t);
            if !object.is_null() {
                homemade::retain_weak(object);
                homemade::release(object);
                homemade::release_weak(object);
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Giving up the last reference to a String, Bytes or an Error gives back all its memory.
#[check(OBJ_0020, patient = 2)]
fn no_leak_text(t: &Trial) -> Verdict {
    kinds_give_memory_back(t, &KINDS[..3])
}

/// Giving up the last reference to a Function, a Tensor or an opaque object gives back all its memory.
#[check(OBJ_0020, patient = 2)]
fn no_leak_other(t: &Trial) -> Verdict {
    kinds_give_memory_back(t, &KINDS[3..])
}

fn kinds_give_memory_back(t: &Trial, kinds: &[Kind]) -> Verdict {
    for kind in kinds {
        t.no_growth(format!("memory of objects of the kind {kind}"), || {
            t.api.TVMFFIObjectDecRef((kind.make)(t));
            Ok(())
        })?;
    }
    Ok(())
}

/// An opaque object that a weak reference outlives has ended its handle once.
#[check(OBJ_0014, OBJ_0015)]
fn opaque_once_weak(t: &Trial) -> Verdict {
    for rounds in 1..=10 {
        let object = t.opaque(HANDLE as *mut c_void, callback::count_end)?;
        let handle = object.handle();
        homemade::retain_weak(handle);
        t.clause(id::OBJ_0014);
        drop(object);
        t.eq("ends of handles", callback::ends(), rounds)?;
        t.eq("strong and weak count", t.counts(handle)?, (0, 1))?;
        t.clause(id::OBJ_0015);
        t.api.labelled("deleter of an opaque object, flags 2", || homemade::release_weak(handle));
        t.eq("ends of handles after the memory is freed", callback::ends(), rounds)?;
    }
    Ok(())
}

/// A deleter may call the library to make and end other objects.
#[check(OBJ_0028)]
fn deleter_calls(t: &Trial) -> Verdict {
    const DEPTH: usize = 100;
    static MADE: AtomicUsize = AtomicUsize::new(0);
    /// Ends the next object of the chain, and makes and ends one of its own.
    unsafe extern "C" fn end_next(next: *mut c_void) {
        let Some(api) = callback::api() else { return };
        let mut out = TVMFFIAny::NONE;
        if api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(TEXT), &mut out) == 0 {
            MADE.fetch_add(1, Ordering::Relaxed);
            api.TVMFFIObjectDecRef(out.payload() as *mut c_void);
        }
        api.TVMFFIObjectDecRef(next);
    }
    t.serve_callbacks();
    let mut chain = t.opaque(HANDLE as *mut c_void, keep_self)?;
    for _ in 0..DEPTH {
        chain = t.opaque(chain.into_any().payload() as *mut c_void, end_next)?;
    }
    drop(chain);
    t.eq("deleters that called the library", MADE.load(Ordering::Relaxed), DEPTH)
}
