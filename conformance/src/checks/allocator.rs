//! The custom allocator: the contract of the built-in one, and installing another.

use std::{
    collections::BTreeMap,
    ffi::c_void,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

use tvm_ffi_spec::*;

use crate::{checks::check, client::Verdict, trial::Trial};

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

/// TVMFFISetCustomAllocator with NULL restores the built-in allocator.
#[check(ALC_0004)]
fn restore(t: &Trial) -> Verdict {
    let before = t.api.TVMFFIGetCustomAllocator();
    for allocator in [another_allocator(t, 1)?, std::ptr::null_mut()] {
        t.ok(t.api.TVMFFISetCustomAllocator(allocator))?;
        t.ok(t.api.TVMFFISetCustomAllocator(std::ptr::null_mut()))?;
        t.eq("the allocator", t.api.TVMFFIGetCustomAllocator(), before)?;
    }
    Ok(())
}

/// An allocator that one thread installs is the one that other threads get.
#[check(ALC_0005)]
fn process_wide(t: &Trial) -> Verdict {
    let installed = another_allocator(t, 1)? as usize;
    let (tell, told) = mpsc::channel();
    let told = Mutex::new(told);
    t.threads(2, |t, number| {
        if number == 0 {
            // Only now, so that the other thread has asked before.
            let asked = told.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let status = t.api.TVMFFISetCustomAllocator(installed as *mut TVMFFICustomAllocator);
            return asked.map_err(|problem| t.error("waiting for a thread", problem)).and_then(|()| t.ok(status));
        }
        t.api.TVMFFIGetCustomAllocator();
        tell.send(()).map_err(|problem| t.error("telling a thread", problem))
    })?;
    t.threads(2, |t, _| t.eq("the allocator on another thread", t.api.TVMFFIGetCustomAllocator() as usize, installed))
}

/// The built-in allocator returns bodies with the alignment asked for.
#[check(ALC_0006)]
fn alignment(t: &Trial) -> Verdict {
    let allocator = built_in(t)?;
    for alignment in [1, 2, 4, 8, 16] {
        for size in SIZES {
            let body = allocate(t, allocator, size, alignment)?;
            t.eq(format!("address modulo the alignment {alignment}"), body as usize % alignment, 0)?;
        }
    }
    Ok(())
}

/// A header with a delete_space function lies right before each body of the built-in allocator.
#[check(ALC_0007)]
fn header(t: &Trial) -> Verdict {
    let allocator = built_in(t)?;
    for size in SIZES {
        give_back(t, allocate(t, allocator, size, 8)?)?;
    }
    Ok(())
}

/// Bodies of the built-in allocator can be written to over their whole size and do not overlap.
#[check(ALC_0008)]
fn room(t: &Trial) -> Verdict {
    let allocator = built_in(t)?;
    let mut bodies = Vec::new();
    for (number, size) in SIZES.into_iter().chain(SIZES).enumerate() {
        let (body, graffiti) = (allocate(t, allocator, size, 8)?, 0xb0 + number as u8);
        // SAFETY: the allocator claims that this much can be written to.
        t.api.noted("writing to a body", || unsafe { body.cast::<u8>().write_bytes(graffiti, size) });
        bodies.push((body, size, graffiti));
    }
    for (body, size, graffiti) in bodies {
        let content = t.read_bytes("body", body, size)?;
        let intact = content.iter().all(|byte| *byte == graffiti);
        t.that(format!("body of {size} bytes"), intact, "what was written to it", "something else")?;
        delete_space_of(t, body)?;
    }
    Ok(())
}

/// The delete_space of the built-in allocator gives back all the memory of a body.
#[check(ALC_0009)]
fn no_leak(t: &Trial) -> Verdict {
    let allocator = built_in(t)?;
    t.no_growth("memory of bodies", || give_back(t, allocate(t, allocator, 100, 8)?))
}

/// The built-in allocator hands bodies out and takes them back on four threads at once.
#[check(ALC_0010)]
fn threads(t: &Trial) -> Verdict {
    let (give, take) = mpsc::channel::<usize>();
    let take = Mutex::new(take);
    t.threads(4, |t, number| {
        let allocator = built_in(t)?;
        for _ in 0..200 {
            let body = allocate(t, allocator, 64, 8)?;
            // SAFETY: the allocator claims that this much can be written to.
            unsafe { body.cast::<u8>().write_bytes(number as u8, 64) };
            let intact = t.read_bytes("body", body, 64)? == [number as u8; 64];
            t.that("body of 64 bytes", intact, "what was written to it", "something else")?;
            give.send(body as usize).map_err(|problem| t.error("handing a body on", problem))?;
            let other = take.lock().unwrap_or_else(PoisonError::into_inner).try_recv();
            if let Ok(other) = other {
                give_back(t, other as *mut c_void)?;
            }
        }
        Ok(())
    })
}

/// While a custom allocator is installed, objects are made and ended as ever, and each body is reclaimed once.
#[check(ALC_0011)]
fn objects(t: &Trial) -> Verdict {
    let allocator =
        Box::into_raw(Box::new(TVMFFICustomAllocator { allocate: Some(spying_allocate), context: CONTEXT }));
    t.ok(t.api.TVMFFISetCustomAllocator(allocator))?;
    for _ in 0..10 {
        let text = t.string(b"longer than seven bytes")?;
        t.eq("text of the String", t.text(&text.any())?, b"longer than seven bytes".to_vec())?;
        t.opaque(CONTEXT, None)?;
        t.new_error("ValueError", "message", "")?;
    }
    t.ok(t.api.TVMFFISetCustomAllocator(std::ptr::null_mut()))?;
    t.eq("calls of allocate with other arguments than the contract's", BAD_REQUESTS.load(Ordering::Relaxed), 0)?;
    t.eq("bodies given back that were not in use", BAD_RETURNS.load(Ordering::Relaxed), 0)?;
    let in_use = in_use().len();
    t.that("bodies that nobody gave back", in_use == 0, 0, in_use)
}

/// Sizes of objects, small and large.
const SIZES: [usize; 8] = [24, 25, 32, 40, 100, 1000, 4096, 100_000];

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
    t.that(format!("body of {size} bytes"), !body.is_null(), "an address", "NULL")?;
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

/// Bodies that were asked for and not given back, by address, with the layout of their blocks.
static IN_USE: Mutex<BTreeMap<usize, std::alloc::Layout>> = Mutex::new(BTreeMap::new());

fn in_use() -> std::sync::MutexGuard<'static, BTreeMap<usize, std::alloc::Layout>> {
    IN_USE.lock().unwrap_or_else(PoisonError::into_inner)
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
    let offset = alignment.max(size_of::<TVMFFIObjectAllocHeader>());
    let Ok(layout) = std::alloc::Layout::from_size_align(offset + size, offset) else { return std::ptr::null_mut() };
    // SAFETY: the layout is not empty, and the header and the body fit into the block.
    unsafe {
        let body = std::alloc::alloc(layout).add(offset);
        body.cast::<TVMFFIObjectAllocHeader>()
            .sub(1)
            .write(TVMFFIObjectAllocHeader { delete_space: Some(spying_delete) });
        in_use().insert(body as usize, layout);
        body.cast()
    }
}

unsafe extern "C" fn spying_delete(body: *mut c_void) {
    match in_use().remove(&(body as usize)) {
        // SAFETY: the block that this body was cut from; its layout's alignment is the body's offset.
        Some(layout) => unsafe { std::alloc::dealloc(body.cast::<u8>().sub(layout.align()), layout) },
        None => drop(BAD_RETURNS.fetch_add(1, Ordering::Relaxed)),
    }
}
