//! How objects end that lie deep in others, while what lies beside them watches them.

use std::{
    ffi::{c_int, c_void},
    sync::atomic::{AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict, callback, globals, header,
        homemade::{self, Homemade},
        memory, view,
    },
    trial::Trial,
};

/// Objects that lie in one another, up to a thousand, and end together each end once, and stay in memory as long as what lies beside one holds a
/// weak reference to it, which that gives up with its own end.
///
/// A library may put ends off from some depth on: then what lies beside an object may end before it.
#[check(OBJ_0014, OBJ_0010)]
fn watched_deep_down(t: &Trial) -> Verdict {
    t.clear_what_is_reclaimed();
    let mut makers = vec![("ffi.Array", t.global("ffi.Array")?)];
    for name in ["ffi.List", "ffi.Map", "ffi.Dict"] {
        makers.extend(globals::find(t, name)?.map(|make| (name, make)));
    }
    for (side, sides) in [[true, false], [false, true], [true, true]].into_iter().enumerate() {
        for opaque in [false, true] {
            let turn = side + usize::from(opaque);
            for (place, maker) in makers.iter().enumerate() {
                // Each is met with each depth, in turn.
                for depth in [1, [70, 150][(turn + place) % 2]] {
                    end_together(t, &[maker], depth, opaque, sides)?;
                }
            }
            if turn % 2 == 0 {
                end_together(t, &makers.iter().collect::<Vec<_>>(), 1000, opaque, sides)?;
            }
        }
    }
    Ok(())
}

/// A client's objects that end within the end of one another, by TVMFFIObjectDecRef, and to which weak references are held, have their deleters called
/// with the flag 1 alone and keep their memory, however deep that is.
#[check(OBJ_0010)]
fn watched_and_ended_in_one_another(t: &Trial) -> Verdict {
    unsafe extern "C" fn end_inner(object: TVMFFIObjectHandle, flags: c_int) {
        // SAFETY: it only remembers.
        unsafe { homemade::remember_end(object, flags) };
        let inner = memory::read(object.wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<usize>());
        let inner = inner.filter(|inner| *inner != 0);
        if let (true, Some(inner), Some(api)) =
            (flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0, inner, callback::api())
        {
            api.TVMFFIObjectDecRef(inner as TVMFFIObjectHandle);
        }
    }
    t.serve_callbacks();
    for depth in [1, 2, 8, 33, 70, 150] {
        let mut chain: Vec<Homemade<usize>> = Vec::new();
        for _ in 0..depth {
            let inner = chain.last().map_or(0, |object| object.handle() as usize);
            let object = Homemade::with_deleter(kTVMFFIObject, inner, Some(end_inner));
            homemade::retain_weak(object.handle());
            chain.push(object);
        }
        if let Some(outermost) = chain.last() {
            t.ok(t.api.TVMFFIObjectDecRef(outermost.handle()))?;
        }
        for (level, object) in chain.iter().rev().enumerate() {
            let what =
                format!("of a client's object that ended within {level} others of {depth}, while it was watched");
            t.eq(format_args!("flags {what}"), object.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskStrong])?;
            t.eq(format_args!("counts {what}"), object.counts(), (0, 1))?;
        }
    }
    Ok(())
}

/// How many of what holds a weak reference have ended.
static ENDED: AtomicUsize = AtomicUsize::new(0);
/// How many of them found an object that has no weak reference left.
static LOST: AtomicUsize = AtomicUsize::new(0);

/// Has containers that lie in one another end, with what watches the next one before it, behind it, or both.
fn end_together(t: &Trial, makers: &[&(&str, Owned)], depth: usize, opaque: bool, sides: [bool; 2]) -> Verdict {
    ENDED.store(0, Ordering::SeqCst);
    LOST.store(0, Ordering::SeqCst);
    let innermost = Homemade::new(kTVMFFIObject, ());
    let mut inner = t.own(innermost.view());
    for level in 0..depth {
        let (name, make) = makers[level % makers.len()];
        let before = if sides[0] { Some(watcher(t, opaque, inner.handle())?) } else { None };
        let behind = if sides[1] { Some(watcher(t, opaque, inner.handle())?) } else { None };
        let parts = [before.as_ref(), Some(&inner), behind.as_ref()].into_iter().flatten().map(Owned::any);
        let args: Vec<TVMFFIAny> = match *name {
            "ffi.Map" | "ffi.Dict" => parts.zip(0..).flat_map(|(part, key)| [view::int(key), part]).collect(),
            _ => parts.collect(),
        };
        inner = t.call(make, &args)?;
    }
    let watchers = depth * sides.into_iter().filter(|there| *there).count();
    t.clause(id::OBJ_0014);
    t.eq("ends of what watches objects that are held", ENDED.load(Ordering::SeqCst), 0)?;
    drop(inner);
    let names: Vec<_> = makers.iter().map(|(name, _)| *name).collect();
    let kind = if opaque { "opaque objects" } else { "a client's objects" };
    let of = |what: &str| format!("{what}, where {depth} of {names:?} lie in one another and {kind} watch each");
    t.eq(of("ends of what watches"), ENDED.load(Ordering::SeqCst), watchers)?;
    t.eq(of("objects whose memory was reclaimed under a weak reference"), LOST.load(Ordering::SeqCst), 0)?;
    t.clause(id::OBJ_0010);
    for flag in [kTVMFFIObjectDeleterFlagBitMaskStrong, kTVMFFIObjectDeleterFlagBitMaskWeak] {
        let times = innermost.ends().iter().filter(|flags| **flags & flag != 0).count();
        t.eq(of(&format!("calls of the innermost object's deleter with the flag {flag}")), times, 1)?;
    }
    Ok(())
}

/// What holds a weak reference to an object, and gives it up with its own end.
fn watcher(t: &Trial, opaque: bool, watched: TVMFFIObjectHandle) -> Verdict<Owned> {
    unsafe extern "C" fn end_own(object: TVMFFIObjectHandle, flags: c_int) {
        let watched = memory::read(object.wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<usize>());
        if let (true, Some(watched)) = (flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0, watched) {
            give_up(watched as TVMFFIObjectHandle);
        }
    }
    unsafe extern "C" fn end_opaque(watched: *mut c_void) {
        give_up(watched);
    }
    homemade::retain_weak(watched);
    if opaque {
        t.opaque(watched, end_opaque)
    } else {
        Ok(t.own(Homemade::with_deleter(kTVMFFIObject, watched as usize, Some(end_own)).view()))
    }
}

fn give_up(watched: TVMFFIObjectHandle) {
    ENDED.fetch_add(1, Ordering::SeqCst);
    if header::both(watched).1 == 0 {
        LOST.fetch_add(1, Ordering::SeqCst);
    } else {
        homemade::release_weak(watched);
    }
}
