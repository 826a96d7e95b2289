//! Memory that is refused: what the target asks malloc for is counted, and a request can be answered with NULL.
//!
//! The functions of malloc's are replaced where the libraries that are loaded keep their addresses. The program itself and the C
//! library have their own, so nothing that the suite does is counted or refused.

use std::{
    ffi::{c_int, c_void},
    fmt::Write,
    ptr::null_mut,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering},
    },
};

use super::Trial;
use crate::{
    client::{Verdict, crumb::Crumbs, program},
    target::{imports::imports, library::loaded},
};

/// Which requests for memory are refused while a call is made. The first has the number 1.
#[derive(Clone, Copy)]
pub enum Refused {
    /// This one alone.
    Only(usize),
    /// This one and all after it.
    From(usize),
}

/// The requests of the target, in the hands of this check.
pub struct Scarcity(());

impl Trial<'_> {
    /// Takes the requests for memory of all libraries that are loaded by now into the check's hands, for the rest of its process.
    pub fn scarcity(&self) -> Verdict<Scarcity> {
        program::leave_out("a request of the library's for memory is refused");
        CRUMBS.get_or_init(|| self.crumbs);
        static TAKEN: OnceLock<Result<usize, String>> = OnceLock::new();
        match TAKEN.get_or_init(take_over) {
            Ok(0) => Err(self.not_applicable("the target has its memory from nobody who could be asked to refuse it")),
            Ok(_) => Ok(Scarcity(())),
            Err(problem) => Err(self.error("the target's requests for memory", problem)),
        }
    }
}

impl Scarcity {
    /// Makes a call of which these requests are refused. Answers whether there was any, too.
    pub fn refuse<R>(&self, refused: Refused, call: impl FnOnce() -> R) -> (R, bool) {
        let (Refused::Only(number) | Refused::From(number)) = refused;
        FOR_GOOD.store(matches!(refused, Refused::From(_)), Ordering::Relaxed);
        HAS_REFUSED.store(false, Ordering::Relaxed);
        MADE.store(0, Ordering::Relaxed);
        FIRST_REFUSED.store(number, Ordering::Relaxed);
        let answer = call();
        FIRST_REFUSED.store(0, Ordering::Relaxed);
        (answer, HAS_REFUSED.load(Ordering::Relaxed))
    }

    /// How many blocks the target has asked for and not given back, since its requests were taken over: less than 0 if it has given back more.
    pub fn blocks(&self) -> isize {
        BLOCKS.load(Ordering::Relaxed)
    }
}

static CRUMBS: OnceLock<Crumbs> = OnceLock::new();
/// The number of the first request that is refused; 0 for none.
static FIRST_REFUSED: AtomicUsize = AtomicUsize::new(0);
static FOR_GOOD: AtomicBool = AtomicBool::new(false);
/// How many were made.
static MADE: AtomicUsize = AtomicUsize::new(0);
static HAS_REFUSED: AtomicBool = AtomicBool::new(false);
static BLOCKS: AtomicIsize = AtomicIsize::new(0);

/// The functions that are replaced, and what stands for them.
const REPLACED: [(&str, *const c_void); 7] = [
    ("malloc", malloc as *const c_void),
    ("calloc", calloc as *const c_void),
    ("realloc", realloc as *const c_void),
    ("memalign", aligned_alloc as *const c_void),
    ("aligned_alloc", aligned_alloc as *const c_void),
    ("posix_memalign", posix_memalign as *const c_void),
    ("free", free as *const c_void),
];

/// Replaces them in whatever is loaded, but for the library that defines them. Answers at how many places.
fn take_over() -> Result<usize, String> {
    let names = REPLACED.map(|(name, _)| name);
    let mut places = 0;
    for library in loaded() {
        // What the kernel brings with it is no file, and asks for no memory.
        let Ok(imports) = imports(&library.path, &names) else { continue };
        for import in imports {
            let Some((_, function)) = REPLACED.iter().find(|(name, _)| *name == import.name) else { continue };
            replace(library.base + import.place as usize, *function)?;
            places += 1;
        }
    }
    Ok(places)
}

/// Puts another address where the loader has put one, which may be where nobody is meant to write any more.
fn replace(place: usize, function: *const c_void) -> Result<(), String> {
    let page = rustix::param::page_size();
    let start = place / page * page;
    let length = place + size_of::<usize>() - start;
    // SAFETY: the place is one that a loaded library keeps an address at, which its own code only reads; that it can be written to from now on
    // takes nothing from anybody. This process has one thread.
    unsafe {
        let access = rustix::mm::MprotectFlags::READ | rustix::mm::MprotectFlags::WRITE;
        rustix::mm::mprotect(start as *mut c_void, length, access).map_err(|error| error.to_string())?;
        (place as *mut *const c_void).write_unaligned(function);
    }
    Ok(())
}

/// Whether a request is refused. It is noted behind the call that made it, so that a crash tells of it.
fn is_refused() -> bool {
    let first = FIRST_REFUSED.load(Ordering::Relaxed);
    if first == 0 {
        return false;
    }
    let number = MADE.fetch_add(1, Ordering::Relaxed) + 1;
    let refused = number == first || number > first && FOR_GOOD.load(Ordering::Relaxed);
    if refused && !HAS_REFUSED.swap(true, Ordering::Relaxed) {
        note(number);
    }
    refused
}

fn note(number: usize) {
    let Some(crumbs) = CRUMBS.get() else { return };
    let mut text = Fixed { bytes: [0; 96], len: 0 };
    let also = if FOR_GOOD.load(Ordering::Relaxed) { ", and all after it," } else { "" };
    // What does not fit is cut off.
    let _ = write!(text, ", whose request number {number} for memory{also} was refused");
    crumbs.add(std::str::from_utf8(&text.bytes[..text.len]).unwrap_or_default());
}

/// A text that takes no memory.
struct Fixed {
    bytes: [u8; 96],
    len: usize,
}

impl Write for Fixed {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = self.bytes.get_mut(self.len..self.len + text.len()).ok_or(std::fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

fn counted(block: *mut c_void) -> *mut c_void {
    if !block.is_null() {
        BLOCKS.fetch_add(1, Ordering::Relaxed);
    }
    block
}

/// NULL, as where there is no memory.
fn nothing() -> *mut c_void {
    // SAFETY: the place of this thread's error number.
    unsafe { *libc::__errno_location() = libc::ENOMEM };
    null_mut()
}

/// # Safety
/// As for malloc's own, here and below: each hands on what it was given.
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: by contract.
    if is_refused() { nothing() } else { counted(unsafe { libc::malloc(size) }) }
}

unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: by contract.
    if is_refused() { nothing() } else { counted(unsafe { libc::calloc(count, size) }) }
}

unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    if is_refused() {
        return nothing();
    }
    // SAFETY: by contract.
    let moved = unsafe { libc::realloc(block, size) };
    if block.is_null() { counted(moved) } else { moved }
}

unsafe extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    // SAFETY: by contract.
    if is_refused() { nothing() } else { counted(unsafe { libc::memalign(alignment, size) }) }
}

unsafe extern "C" fn posix_memalign(out: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
    if is_refused() {
        return libc::ENOMEM;
    }
    // SAFETY: by contract.
    let code = unsafe { libc::posix_memalign(out, alignment, size) };
    if code == 0 {
        BLOCKS.fetch_add(1, Ordering::Relaxed);
    }
    code
}

unsafe extern "C" fn free(block: *mut c_void) {
    if !block.is_null() {
        BLOCKS.fetch_sub(1, Ordering::Relaxed);
    }
    // SAFETY: by contract.
    unsafe { libc::free(block) };
}
