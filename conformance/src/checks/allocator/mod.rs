//! The custom allocator: the contract of the built-in one, and installing another.

mod at_work;
mod failing;
mod refused;
mod set_within;
mod within;

use std::{
    collections::BTreeMap,
    ffi::c_void,
    ptr::null_mut,
    sync::{
        Barrier, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{Verdict, callback::keep_self, header, homemade, samples::Place, view},
    trial::{Trial, meanwhile::others_work},
};

/// TVMFFIGetCustomAllocator never returns NULL, and what it returns has an allocate function.
#[check(ALC_0001)]
fn never_null(t: &Trial) -> Verdict {
    built_in(t).map(drop)
}

/// TVMFFIGetCustomAllocator returns the same allocator on every call.
#[check(ALC_0002)]
fn same(t: &Trial) -> Verdict {
    let first = t.api.TVMFFIGetCustomAllocator();
    (0..10).try_for_each(|_| t.eq("the allocator", t.api.TVMFFIGetCustomAllocator(), first))
}

/// TVMFFIGetCustomAllocator returns the same allocator on every thread.
#[check(ALC_0002)]
fn same_threads(t: &Trial) -> Verdict {
    let first = t.api.TVMFFIGetCustomAllocator() as usize;
    t.threads(4, |t, _| t.eq("the allocator on another thread", t.api.TVMFFIGetCustomAllocator() as usize, first))
}

/// TVMFFIGetCustomAllocator returns the installed allocator with its function and context untouched.
#[check(ALC_0003)]
fn install(t: &Trial) -> Verdict {
    install_allocator(t, another_allocator(t, 1)?)
}

/// TVMFFIGetCustomAllocator returns the allocator that was installed last.
#[check(ALC_0003)]
fn reinstall(t: &Trial) -> Verdict {
    let (first, second) = (another_allocator(t, 1)?, another_allocator(t, 2)?);
    [first, second, first].into_iter().try_for_each(|allocator| install_allocator(t, allocator))
}

/// The installed allocator is in force on every thread, in copies of the process and while the process ends.
#[check(ALC_0003)]
fn installed_lasts(t: &Trial) -> Verdict {
    let allocator = another_allocator(t, 1)?;
    install_allocator(t, allocator)?;
    let allocator = allocator as usize;
    t.lasts("whether the allocator is the installed one", |client| {
        Ok(client.api.TVMFFIGetCustomAllocator() as usize == allocator)
    })
}

/// TVMFFISetCustomAllocator with NULL restores the built-in allocator, whatever was installed before, and the built-in one
/// itself can be put back as any other can.
#[check(ALC_0004, ALC_0003)]
fn restore(t: &Trial) -> Verdict {
    let before = t.api.TVMFFIGetCustomAllocator();
    let choices = [another_allocator(t, 1)?, another_allocator(t, 2)?, before, null_mut()];
    // Every row of four: one twice, two in turn, nothing again and again.
    for row in 0..choices.len().pow(4) {
        let four = (0..4).map(|place| choices[row / choices.len().pow(place) % choices.len()]);
        for allocator in four.chain([null_mut()]) {
            t.clause(if allocator.is_null() { id::ALC_0004 } else { id::ALC_0003 });
            t.ok(t.api.TVMFFISetCustomAllocator(allocator))?;
            let expected = if allocator.is_null() { before } else { allocator };
            t.eq("the allocator", t.api.TVMFFIGetCustomAllocator(), expected)?;
        }
    }
    Ok(())
}

/// No object lies in a body of an allocator in whose place the built-in one was restored.
#[check(ALC_0004)]
fn restored_makes_objects(t: &Trial) -> Verdict {
    t.ok(t.api.TVMFFISetCustomAllocator(another_allocator(t, 1)?))?;
    install_spy(t)?;
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))?;
    for (kind, object) in t.made_of_every_kind()? {
        let body = body_around(object.handle() as usize);
        t.that(format_args!("body of {kind}"), body.is_none(), "the built-in allocator's", "the former allocator's")?;
    }
    Ok(())
}

/// An allocator that one thread installs is the one that other threads get, among them one that has asked before.
#[check(ALC_0005)]
fn process_wide(t: &Trial) -> Verdict {
    let installed = another_allocator(t, 1)? as usize;
    let (asked, done) = (Barrier::new(2), Barrier::new(2));
    t.threads(2, |t, number| {
        if number == 0 {
            asked.wait();
            let status = t.api.TVMFFISetCustomAllocator(installed as *mut TVMFFICustomAllocator);
            done.wait();
            return t.ok(status);
        }
        let before = t.api.TVMFFIGetCustomAllocator() as usize;
        asked.wait();
        done.wait();
        t.ne("the allocator before another was installed", before, installed)?;
        t.eq("the allocator on a thread that asked before", t.api.TVMFFIGetCustomAllocator() as usize, installed)
    })?;
    t.eq("the allocator on the main thread", t.api.TVMFFIGetCustomAllocator() as usize, installed)?;
    t.threads(2, |t, _| t.eq("the allocator on a new thread", t.api.TVMFFIGetCustomAllocator() as usize, installed))
}

/// The built-in allocator returns bodies with the alignment asked for, as far as malloc gives it anyway.
#[check(ALC_0006)]
fn alignment(t: &Trial) -> Verdict {
    aligned(t, &[1, 2, 4, 8, 16], &SIZES)?;
    aligned(t, &[1, 16], &[LARGEST])
}

/// The built-in allocator returns bodies with an alignment that malloc does not give, be it that of a vector or of a huge
/// page.
#[check(ALC_0006)]
fn strict_alignment(t: &Trial) -> Verdict {
    aligned(t, &[32, 64, 128, 256, 512, 1024, 2048, 4096], &SIZES)?;
    aligned(t, &[64, 4096], &[LARGEST])?;
    (13..=16).try_for_each(|power| aligned(t, &[1 << power], &[1, 24, 5000, (1 << power) + 1]))?;
    (17..=22).try_for_each(|power| aligned(t, &[1 << power], &[24]))
}

/// Expects each of these alignments of bodies of all sizes, several of which are in use at once.
fn aligned(t: &Trial, alignments: &[usize], sizes: &[usize]) -> Verdict {
    let allocator = built_in(t)?;
    let mut bodies = Vec::new();
    for &alignment in alignments {
        // Two of each size at once, but for those whose pages take long to come by.
        let again = sizes.iter().filter(|size| **size + alignment < 100_000);
        for &size in sizes.iter().chain(again) {
            let body = allocate(t, allocator, size, alignment)?;
            t.eq(format_args!("address modulo the alignment {alignment}"), body as usize % alignment, 0)?;
            bodies.push(body);
        }
    }
    bodies.into_iter().try_for_each(|body| give_back(t, body))
}

/// A header with a delete_space function lies right before each body of the built-in allocator.
#[check(ALC_0007)]
fn header(t: &Trial) -> Verdict {
    let allocator = built_in(t)?;
    for size in SIZES.into_iter().chain([LARGEST]) {
        give_back(t, allocate(t, allocator, size, 8)?)?;
    }
    Ok(())
}

/// Bodies of the built-in allocator can be written to over their whole size and do not overlap.
#[check(ALC_0008)]
fn room(t: &Trial) -> Verdict {
    let allocator = built_in(t)?;
    let mut bodies = Vec::new();
    let wanted = [8, 64, 4096, 1 << 16].into_iter().flat_map(|alignment| SIZES.map(|size| (size, alignment)));
    for (number, (size, alignment)) in wanted.chain([(LARGEST, 8)]).enumerate() {
        let (body, graffiti) = (allocate(t, allocator, size, alignment)?, 0xb0 + number as u8);
        // SAFETY: the allocator claims that this much can be written to.
        t.api.noted("writing to a body", || unsafe { body.cast::<u8>().write_bytes(graffiti, size) });
        bodies.push((body, size, graffiti));
    }
    for (body, size, graffiti) in bodies {
        let content = t.read_bytes("body", body, size)?;
        let intact = content.iter().all(|byte| *byte == graffiti);
        t.that(format_args!("body of {size} bytes"), intact, "what was written to it", "something else")?;
        delete_space_of(t, body)?;
    }
    Ok(())
}

/// Asked for more memory than any process can have, the built-in allocator returns NULL with an error raised, and goes on to
/// work.
#[check(ALC_0016)]
fn more_than_there_is(t: &Trial) -> Verdict {
    let allocator = built_in(t)?;
    let Some(ask) = allocator.allocate else { return Ok(()) };
    let near_the_most = [0, 1, 7, 8, 15, 16, 24, 31, 32, 63, 4095, 1 << 16].map(|less| usize::MAX - less);
    for size in near_the_most.into_iter().chain([usize::MAX / 2, usize::MAX / 2 + 1, usize::MAX / 2 + 25, 1 << 62]) {
        for alignment in [8, 16, 64, 4096] {
            // SAFETY: the allocator's own function with its own context.
            let call = || unsafe { ask(size, alignment, kTVMFFIDynObjectBegin, allocator.context) };
            let body = t.api.noted("allocate of the built-in allocator", call);
            let what = format!("the body of {size} bytes with the alignment {alignment}");
            t.that(&what, body.is_null(), "NULL", "an address")?;
            t.that("the raised error", t.take_raised().is_some(), "an error", "none")?;
        }
    }
    give_back(t, allocate(t, allocator, 100, 8)?)
}

/// The delete_space of the built-in allocator gives back all the memory of a body.
#[check(ALC_0009)]
fn no_leak(t: &Trial) -> Verdict {
    let allocator = built_in(t)?;
    let bodies =
        || [8, 64, 8192].into_iter().try_for_each(|alignment| give_back(t, allocate(t, allocator, 100, alignment)?));
    t.no_growth("memory of bodies", bodies)
}

/// The built-in allocator hands bodies out and takes them back on four threads at once.
#[check(ALC_0010)]
fn threads(t: &Trial) -> Verdict {
    const THREADS: usize = 4;
    const ROUNDS: usize = 40;
    let (round, held) = (Barrier::new(THREADS), Mutex::new(Vec::new()));
    // Sizes that were given back by one thread are asked for by all of them at once.
    t.threads(THREADS, |t, number| {
        let allocator = built_in(t)?;
        let mut verdict = Ok(());
        for _ in 0..ROUNDS {
            round.wait();
            // Several, as the threads do not wake up in one moment.
            let bodies = [64, 24, 40, 100, 400, 64, 24, 40].map(|size| (allocate(t, allocator, size, 8), size));
            for (body, size) in bodies {
                if let Ok(body) = body {
                    // SAFETY: the allocator claims that this much can be written to.
                    unsafe { body.cast::<u8>().write_bytes(number as u8, size) };
                    held.lock().unwrap_or_else(PoisonError::into_inner).push((body as usize, size, number as u8));
                }
                verdict = verdict.and(body.map(drop));
            }
            if round.wait().is_leader() {
                // One thread gives all of them back, whichever asked for them.
                for (body, size, owner) in held.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
                    let body = body as *mut c_void;
                    let look = || -> Verdict {
                        let intact = t.read_bytes("body", body, size)?.iter().all(|byte| *byte == owner);
                        t.that(
                            format_args!("body of {size} bytes"),
                            intact,
                            "what its thread wrote to it",
                            "something else",
                        )?;
                        give_back(t, body)
                    };
                    verdict = verdict.and_then(|()| look());
                }
            }
        }
        verdict
    })
}

/// Threads that ask the built-in allocator for bodies, give them back and end keep no memory.
#[check(ALC_0009, patient = 3)]
fn threads_leave_none(t: &Trial) -> Verdict {
    t.threads_leave_nothing("memory of bodies that threads had", |t| {
        let allocator = built_in(t)?;
        let bodies = [24, 64, 200, 1000].map(|size| allocate(t, allocator, size, 8));
        bodies.into_iter().try_for_each(|body| give_back(t, body?))
    })
}

/// While an installed allocator is asked for a body or given one back, calls of other threads come back.
#[check(FUN_0026, patient = 8)]
fn others_meanwhile(t: &Trial) -> Verdict {
    let allocator = TVMFFICustomAllocator { allocate: Some(allocate_with_others), context: null_mut() };
    t.ok(t.api.TVMFFISetCustomAllocator(Box::into_raw(Box::new(allocator))))?;
    let verdict = t.others_meanwhile("an allocator", || t.string(b"longer than seven bytes").map(drop));
    verdict.and_then(|()| {
        let object = t.string(b"longer than seven bytes")?;
        t.others_meanwhile("the delete_space of a body", || {
            drop(object);
            Ok(())
        })
    })?;
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))
}

/// An allocator of the simplest kind, during which others work.
unsafe extern "C" fn allocate_with_others(size: usize, _: usize, _: i32, _: *mut c_void) -> *mut c_void {
    unsafe extern "C" fn delete_space(body: *mut c_void) {
        others_work();
        // SAFETY: what `body` answered, once.
        unsafe { free_body(body) };
    }
    others_work();
    body(size, delete_space)
}

/// How many bytes lie before a body that [`body`] answers.
const BEFORE: usize = 16;

/// A body of that size, as an allocator of the simplest kind answers it.
fn body(size: usize, delete_space: unsafe extern "C" fn(*mut c_void)) -> *mut c_void {
    // SAFETY: there is room for a header and the body.
    unsafe {
        let body = libc::malloc(BEFORE + size).byte_add(BEFORE);
        let header = TVMFFIObjectAllocHeader { delete_space: Some(delete_space) };
        body.cast::<TVMFFIObjectAllocHeader>().sub(1).write(header);
        body
    }
}

/// Gives back what [`body`] has answered.
unsafe extern "C" fn free_body(body: *mut c_void) {
    // SAFETY: the block that the body was cut from.
    unsafe { libc::free(body.wrapping_byte_sub(BEFORE)) };
}

/// Four threads make and end whole objects while a custom allocator is installed, and each body is reclaimed once.
#[check(ALC_0011, patient = 2)]
fn objects(t: &Trial) -> Verdict {
    // A library may make its functions when the first is asked for, and then keeps them.
    t.call_global("ffi.Array", &[])?;
    install_spy(t)?;
    t.threads(4, |t, _| {
        for _ in 0..10 {
            let text = t.string(b"longer than seven bytes")?;
            t.eq("text of the String", t.text(&text.any())?, b"longer than seven bytes".to_vec())?;
            t.opaque(CONTEXT, keep_self)?;
            let error = t.new_error("ValueError", "message", "")?;
            t.eq("counts of the Error", t.counts(error.handle())?, (1, 1))?;
            let array = t.call_global("ffi.Array", &[text.any(), view::int(7)])?;
            t.eq("counts of the String in an Array", t.counts(text.handle())?.1, 1)?;
            drop(array);
        }
        Ok(())
    })?;
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))?;
    t.eq("calls of allocate with other arguments than the contract's", BAD_REQUESTS.load(Ordering::Relaxed), 0)?;
    t.eq(
        "bodies given back that were not in use, or without what lay before them",
        BAD_RETURNS.load(Ordering::Relaxed),
        0,
    )?;
    let in_use = in_use().len();
    t.that("bodies that nobody gave back", in_use == 0, 0, in_use)
}

/// An allocator that is installed again is in force as it is then, also where it has changed since it was installed, or was not
/// replaced in between.
#[check(ALC_0012)]
fn installed_again(t: &Trial) -> Verdict {
    /// How often the allocator was asked with each context.
    static ASKED: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];
    unsafe extern "C" fn ask(size: usize, _: usize, _: i32, context: *mut c_void) -> *mut c_void {
        if let Some(asked) = ASKED.get(context as usize) {
            asked.fetch_add(1, Ordering::SeqCst);
        }
        body(size, free_body)
    }
    let [one, other] = [0, 1].map(|context: usize| {
        Box::into_raw(Box::new(TVMFFICustomAllocator { allocate: Some(ask), context: context as *mut c_void }))
    });
    for (step, (allocator, context)) in
        [(one, 0_usize), (other, 1), (one, 0), (one, 2), (one, 2), (other, 3), (one, 0)].iter().enumerate()
    {
        // SAFETY: the allocators are never freed, and nobody allocates meanwhile.
        unsafe { (**allocator).context = *context as *mut c_void };
        t.ok(t.api.TVMFFISetCustomAllocator(*allocator))?;
        let before = [0, 1, 2, 3].map(|context: usize| ASKED[context].load(Ordering::SeqCst));
        drop(t.string(b"longer than seven bytes")?);
        let asked = [0, 1, 2, 3].map(|context: usize| ASKED[context].load(Ordering::SeqCst) - before[context]);
        for (at, asked) in asked.iter().enumerate() {
            let what = format!("whether the allocator with context {at} was asked in step {step}");
            t.eq(what, *asked > 0, at == *context)?;
        }
    }
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))
}

/// An object lies in a body of the allocator that is installed, which is reclaimed with the last weak reference.
#[check(ALC_0012, patient = 2)]
fn bodies_of_objects(t: &Trial) -> Verdict {
    install_spy(t)?;
    let made = t.made_of_every_kind();
    // Whoever gave a body is to have it back, also when another allocator is in force by then.
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))?;
    for (kind, object) in made? {
        let (type_index, handle) = (object.any().type_index, object.handle());
        let body = body_around(handle as usize);
        let asked_for = body.map(|(_, type_index)| type_index);
        t.eq(format_args!("type index that the body of {kind} was asked for with"), asked_for, Some(type_index))?;
        let in_use_still = || body.is_some_and(|(body, _)| in_use().contains_key(&body));
        homemade::retain_weak(handle);
        drop(object);
        t.that(format_args!("body of {kind} while a weak reference is held"), in_use_still(), "in use", "reclaimed")?;
        homemade::release_weak(handle);
        t.that(format_args!("body of {kind} without references"), !in_use_still(), "reclaimed", "in use")?;
    }
    t.eq(
        "bodies given back that were not in use, or without what lay before them",
        BAD_RETURNS.load(Ordering::Relaxed),
        0,
    )
}

/// An object of a client's ends by its deleter alone, whatever `delete_space` lies before it, and whoever held the object last.
#[check(ALC_0015)]
fn clients_objects_end_by_their_deleter(t: &Trial) -> Verdict {
    static CALLED: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn delete_space(_: *mut c_void) {
        CALLED.fetch_add(1, Ordering::Relaxed);
    }
    /// What an allocator hands out: the header, and the object right behind it.
    #[repr(C)]
    struct Body {
        space: TVMFFIObjectAllocHeader,
        object: TVMFFIObject,
    }
    static ENDS: Mutex<Vec<i32>> = Mutex::new(Vec::new());
    unsafe extern "C" fn end(_: TVMFFIObjectHandle, flags: i32) {
        ENDS.lock().unwrap_or_else(PoisonError::into_inner).push(flags);
    }
    for (delete_space, weak) in
        [(None, false), (Some(delete_space as _), false), (None, true), (Some(delete_space as _), true)]
    {
        for place in Place::all(t)? {
            let body =
                Body { space: TVMFFIObjectAllocHeader { delete_space }, object: header::new(kTVMFFIObject, Some(end)) };
            // Kept for the life of the process, as whoever ends it once too often is to be told.
            let object: TVMFFIObjectHandle = (&raw mut Box::leak(Box::new(body)).object).cast();
            ENDS.lock().unwrap_or_else(PoisonError::into_inner).clear();
            let holder = place.put(t, &TVMFFIAny::new(kTVMFFIObject, object as u64))?;
            t.ok(t.api.TVMFFIObjectDecRef(object))?;
            if weak {
                homemade::retain_weak(object);
            }
            drop(holder);
            let mut expected = vec![kTVMFFIObjectDeleterFlagBitMaskBoth];
            if weak {
                homemade::release_weak(object);
                expected = vec![kTVMFFIObjectDeleterFlagBitMaskStrong, kTVMFFIObjectDeleterFlagBitMaskWeak];
            }
            let ends = ENDS.lock().unwrap_or_else(PoisonError::into_inner).clone();
            t.eq(format_args!("flags of each call of the deleter of an object, {place:?}"), ends, expected)?;
            let calls = CALLED.load(Ordering::Relaxed);
            t.eq(format_args!("calls of the delete_space before an object, {place:?}"), calls, 0)?;
        }
    }
    Ok(())
}

/// Sizes of bodies, on both sides of what an allocator may treat in its own way.
const SIZES: [usize; 14] = [1, 7, 8, 9, 16, 24, 25, 32, 40, 100, 1000, 4096, 100_000, 300_000];

/// One that is not asked for with every alignment: its pages cost more than all others.
const LARGEST: usize = 1_000_000;

/// The allocator that nobody installed.
fn built_in(t: &Trial) -> Verdict<TVMFFICustomAllocator> {
    let allocator = t.api.TVMFFIGetCustomAllocator();
    t.that("the allocator", !allocator.is_null(), "an allocator", "NULL")?;
    let allocator = t.read("the allocator", allocator)?;
    t.that("its allocate function", allocator.allocate.is_some(), "a function", "NULL")?;
    Ok(allocator)
}

/// A copy of the built-in allocator, with a context of its own.
fn another_allocator(t: &Trial, number: usize) -> Verdict<*mut TVMFFICustomAllocator> {
    let TVMFFICustomAllocator { allocate, .. } = built_in(t)?;
    Ok(Box::into_raw(Box::new(TVMFFICustomAllocator { allocate, context: context(number) })))
}

fn context(number: usize) -> *mut c_void {
    (0x1122_3344_5566_7700 + number) as *mut c_void
}

/// Installs an allocator and expects it to be returned, untouched.
fn install_allocator(t: &Trial, allocator: *mut TVMFFICustomAllocator) -> Verdict {
    let before = t.read("the allocator to be installed", allocator)?;
    t.ok(t.api.TVMFFISetCustomAllocator(allocator))?;
    t.eq("the allocator", t.api.TVMFFIGetCustomAllocator(), allocator)?;
    let after = t.read("the installed allocator", allocator)?;
    t.eq("context of the installed allocator", after.context, before.context)?;
    let same = after.allocate.map(|f| f as usize) == before.allocate.map(|f| f as usize);
    t.that("allocate of the installed allocator", same, "the one it was installed with", "another function")
}

/// Asks an allocator for a body, expecting one.
fn allocate(t: &Trial, allocator: TVMFFICustomAllocator, size: usize, alignment: usize) -> Verdict<*mut c_void> {
    let Some(allocate) = allocator.allocate else { return Err(t.failure("allocate", "a function", "NULL")) };
    // SAFETY: the allocator's own function with its own context.
    let call = || unsafe { allocate(size, alignment, kTVMFFIDynObjectBegin, allocator.context) };
    let body = t.api.noted("allocate of the built-in allocator", call);
    t.that(format_args!("body of {size} bytes"), !body.is_null(), "an address", "NULL")?;
    Ok(body)
}

/// The function in the header right before a body.
fn delete_space_of(t: &Trial, body: *mut c_void) -> Verdict<unsafe extern "C" fn(*mut c_void)> {
    let header: TVMFFIObjectAllocHeader =
        t.read("header before the body", body.cast::<TVMFFIObjectAllocHeader>().wrapping_sub(1))?;
    header.delete_space.ok_or_else(|| t.failure("delete_space before the body", "a function", "NULL"))
}

/// Gives a body back to the allocator that it came from, once.
fn give_back(t: &Trial, body: *mut c_void) -> Verdict {
    let delete_space = delete_space_of(t, body)?;
    // SAFETY: the allocator's own function for its own body, which one thread alone has.
    t.api.noted("delete_space of the built-in allocator", || unsafe { delete_space(body) });
    Ok(())
}

const CONTEXT: *mut c_void = 0x1122_3344_5566_7788_u64 as *mut c_void;
static BAD_REQUESTS: AtomicUsize = AtomicUsize::new(0);
static BAD_RETURNS: AtomicUsize = AtomicUsize::new(0);

/// A body that was asked for: the layout of its block, its size, and the type index of what it is for.
struct Body {
    layout: std::alloc::Layout,
    size: usize,
    type_index: i32,
}

/// Bodies that were asked for and not given back, by address.
static IN_USE: Mutex<BTreeMap<usize, Body>> = Mutex::new(BTreeMap::new());

fn in_use() -> std::sync::MutexGuard<'static, BTreeMap<usize, Body>> {
    IN_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The body in use that an address lies in, and the type index that it was asked for with.
fn body_around(address: usize) -> Option<(usize, i32)> {
    let in_use = in_use();
    let (&start, body) = in_use.range(..=address).next_back()?;
    (address < start + body.size).then_some((start, body.type_index))
}

/// Installs an allocator that remembers what it is asked for.
fn install_spy(t: &Trial) -> Verdict {
    let spy = TVMFFICustomAllocator { allocate: Some(spying_allocate), context: CONTEXT };
    t.ok(t.api.TVMFFISetCustomAllocator(Box::into_raw(Box::new(spy))))
}

/// An allocator as the contract wants it, which remembers what it is asked for.
unsafe extern "C" fn spying_allocate(
    size: usize,
    alignment: usize,
    type_index: i32,
    context: *mut c_void,
) -> *mut c_void {
    let plausible = size >= size_of::<TVMFFIObject>() && alignment.is_power_of_two();
    if !plausible || type_index < kTVMFFIStaticObjectBegin || context != CONTEXT {
        BAD_REQUESTS.fetch_add(1, Ordering::Relaxed);
    }
    // Before the header, in the same block, lies what is the allocator's own: its first eight bytes.
    let offset = alignment.max(size_of::<TVMFFIObjectAllocHeader>() + size_of::<usize>()).next_power_of_two();
    let Ok(layout) = std::alloc::Layout::from_size_align(offset + size, offset) else { return null_mut() };
    // SAFETY: the layout is not empty, and what is the allocator's own, the header and the body fit into the block.
    unsafe {
        let block = std::alloc::alloc(layout);
        // Storage is uninitialised: nobody may rely on zeros.
        block.write_bytes(0xa5, layout.size());
        let body = block.add(offset);
        block.cast::<usize>().write(own_data(body as usize));
        body.cast::<TVMFFIObjectAllocHeader>()
            .sub(1)
            .write(TVMFFIObjectAllocHeader { delete_space: Some(spying_delete) });
        in_use().insert(body as usize, Body { layout, size, type_index });
        body.cast()
    }
}

/// What the allocator keeps before the header of a body.
fn own_data(body: usize) -> usize {
    !body
}

unsafe extern "C" fn spying_delete(body: *mut c_void) {
    match in_use().remove(&(body as usize)) {
        // SAFETY: the block that this body was cut from; its layout's alignment is the body's offset.
        Some(Body { layout, .. }) => unsafe {
            let block = body.cast::<u8>().sub(layout.align());
            if block.cast::<usize>().read() != own_data(body as usize) {
                BAD_RETURNS.fetch_add(1, Ordering::Relaxed);
            }
            std::alloc::dealloc(block, layout);
        },
        None => drop(BAD_RETURNS.fetch_add(1, Ordering::Relaxed)),
    }
}
