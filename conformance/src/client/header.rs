//! The header of objects, as the generation of the ABI has it that the target speaks.
//!
//! Of the legacy generation nothing is seen here: callers in C do all that its checks do. Of the others, checks see every header as today's. In the split generation the type index and the strong count have each other's places, but
//! for the upper half of the count, which is where today's header has padding: so one is read as the other by an exchange of
//! two words of 32 bits, both ways.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering},
};

use tvm_ffi_spec::{
    FunctionTable, TVMFFIByteArray, TVMFFIObject, TVMFFIObjectDeleter, TVMFFIObjectHandle, generation::TODAY,
};

use crate::client::memory;

/// Whether the target speaks an older generation, and whether that is the split one. A process meets one target.
static OLDER: AtomicBool = AtomicBool::new(false);
static SPLIT: AtomicBool = AtomicBool::new(false);

/// Says which generation the target speaks.
pub fn speak(generation: &str) {
    OLDER.store(generation != TODAY, Ordering::Relaxed);
    SPLIT.store(generation == "split", Ordering::Relaxed);
}

/// Whether it is today's.
pub fn is_todays() -> bool {
    !OLDER.load(Ordering::Relaxed)
}

fn is_split() -> bool {
    SPLIT.load(Ordering::Relaxed)
}

/// The functions of the target, under today's names and signatures. In its first state, the split generation's `TVMFFIErrorCreate`
/// answers the Error in place of a code, and `TVMFFIBacktrace` is called `TVMFFITraceback`.
pub fn functions(mut table: FunctionTable) -> FunctionTable {
    if !is_split() || table.TVMFFIBacktrace.is_some() {
        return table;
    }
    if let Some(create) = table.TVMFFIErrorCreate {
        CREATE.store(create as *mut c_void, Ordering::Relaxed);
        table.TVMFFIErrorCreate = Some(create_error);
    }
    // SAFETY: the name is a C string.
    let traceback = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"TVMFFITraceback".as_ptr()) };
    if !traceback.is_null() {
        TRACEBACKS.store(true, Ordering::Relaxed);
        // SAFETY: the target, which is loaded for all to see, has a function of this type under that name, as both generations declare it.
        table.TVMFFIBacktrace = Some(unsafe { std::mem::transmute::<*mut c_void, Backtrace>(traceback) });
    }
    table
}

type Backtrace = unsafe extern "C" fn(*const c_char, c_int, *const c_char, c_int) -> *const TVMFFIByteArray;

/// Whether backtraces of the target have the most recent call last.
static TRACEBACKS: AtomicBool = AtomicBool::new(false);

/// A backtrace of the target's as today's, with the most recent call first.
pub fn turned_round(backtrace: &str) -> String {
    match TRACEBACKS.load(Ordering::Relaxed) {
        true => backtrace.split_inclusive('\n').rev().collect(),
        false => backtrace.to_owned(),
    }
}

static CREATE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// # Safety
/// As for the target's own function.
unsafe extern "C" fn create_error(
    kind: *const TVMFFIByteArray,
    message: *const TVMFFIByteArray,
    traceback: *const TVMFFIByteArray,
    out: *mut TVMFFIObjectHandle,
) -> c_int {
    type Create = unsafe extern "C" fn(
        *const TVMFFIByteArray,
        *const TVMFFIByteArray,
        *const TVMFFIByteArray,
    ) -> TVMFFIObjectHandle;
    // SAFETY: `functions` has put a function of this type there before anybody could call this one.
    let create = unsafe { std::mem::transmute::<*mut c_void, Create>(CREATE.load(Ordering::Relaxed)) };
    // SAFETY: the caller's contract is the same, and the result is writable.
    unsafe { out.write(create(kind, message, traceback)) };
    0
}

/// What a field of today's is called in the generation that the target speaks.
pub fn name_of(field: &'static str) -> &'static str {
    match field {
        "combined_ref_count" if is_split() => "strong_ref_count",
        "backtrace" if TRACEBACKS.load(Ordering::Relaxed) => "traceback",
        field => field,
    }
}

/// The deleter of a function's closure: libraries of the split generation call it without looking.
pub fn deleter_of_closure(deleter: Option<DeleterOfClosure>) -> Option<DeleterOfClosure> {
    unsafe extern "C" fn nothing(_: *mut c_void) {}
    if is_split() { deleter.or(Some(nothing)) } else { deleter }
}

type DeleterOfClosure = unsafe extern "C" fn(*mut c_void);

/// A header of the target's as today's, and back.
pub fn turned(header: TVMFFIObject) -> TVMFFIObject {
    if is_split() { exchanged(header) } else { header }
}

fn exchanged(header: TVMFFIObject) -> TVMFFIObject {
    let TVMFFIObject { combined_ref_count: first, type_index, .. } = header;
    let counts = first & !u64::from(u32::MAX) | u64::from(type_index.cast_unsigned());
    TVMFFIObject { combined_ref_count: counts, type_index: first as i32, ..header }
}

/// The first two words of a header of the target's as those of today's.
pub fn words([first, second]: [u64; 2]) -> [u64; 2] {
    const LOW: u64 = u32::MAX as u64;
    if is_split() { [first & !LOW | second & LOW, second & !LOW | first & LOW] } else { [first, second] }
}

/// A new header, as the target expects it, with one strong and one weak reference.
pub fn new(type_index: i32, deleter: Option<TVMFFIObjectDeleter>) -> TVMFFIObject {
    turned(TVMFFIObject { combined_ref_count: STRONG_ONE | WEAK_ONE, type_index, __padding: 0, deleter })
}

/// The header of an object, if it can be read.
pub fn read(object: TVMFFIObjectHandle) -> Option<TVMFFIObject> {
    memory::read(object.cast_const().cast()).map(turned)
}

const STRONG_ONE: u64 = 1;
const WEAK_ONE: u64 = 1 << 32;

/// The counts of an object that is still in memory.
enum Counts {
    /// Both in one word.
    Combined(&'static AtomicU64),
    /// The weak and the strong one.
    Split(&'static AtomicU32, &'static AtomicU64),
}

fn counts(object: TVMFFIObjectHandle) -> Counts {
    // SAFETY: the counts lie in the header, aligned like it; that the object is in memory is the black box's claim.
    unsafe {
        match is_split() {
            false => Counts::Combined(AtomicU64::from_ptr(object.cast())),
            true => Counts::Split(
                AtomicU32::from_ptr(object.wrapping_byte_add(4).cast()),
                AtomicU64::from_ptr(object.wrapping_byte_add(8).cast()),
            ),
        }
    }
}

/// The strong and the weak count.
pub fn both(object: TVMFFIObjectHandle) -> (u32, u32) {
    match counts(object) {
        Counts::Combined(both) => {
            let both = both.load(Ordering::Acquire);
            (both as u32, (both >> 32) as u32)
        }
        Counts::Split(weak, strong) => (strong.load(Ordering::Acquire) as u32, weak.load(Ordering::Acquire)),
    }
}

/// Sets both counts.
pub fn set_both(object: TVMFFIObjectHandle, strong_count: u32, weak_count: u32) {
    match counts(object) {
        Counts::Combined(both) => both.store(u64::from(weak_count) << 32 | u64::from(strong_count), Ordering::Release),
        Counts::Split(weak, strong) => {
            strong.store(strong_count.into(), Ordering::Release);
            weak.store(weak_count, Ordering::Release);
        }
    }
}

/// Adds a strong reference.
pub fn add_strong(object: TVMFFIObjectHandle) {
    match counts(object) {
        Counts::Combined(both) => both.fetch_add(STRONG_ONE, Ordering::Relaxed),
        Counts::Split(_, strong) => strong.fetch_add(1, Ordering::Relaxed),
    };
}

/// What giving up a reference has left.
pub enum Left {
    /// Other strong references.
    Others,
    /// Weak ones, that of the strong references together among them, which is still to be given up.
    Weak,
    /// Nobody.
    Nobody,
}

/// Gives up a strong reference.
pub fn sub_strong(object: TVMFFIObjectHandle) -> Left {
    match counts(object) {
        Counts::Combined(both) => match both.fetch_sub(STRONG_ONE, Ordering::Release) {
            before if before == STRONG_ONE | WEAK_ONE => Left::Nobody,
            before if before as u32 == 1 => Left::Weak,
            _ => Left::Others,
        },
        Counts::Split(weak, strong) => match strong.fetch_sub(1, Ordering::Release) {
            1 if weak.load(Ordering::Relaxed) == 1 => Left::Nobody,
            1 => Left::Weak,
            _ => Left::Others,
        },
    }
}

/// Adds a weak reference.
pub fn add_weak(object: TVMFFIObjectHandle) {
    match counts(object) {
        Counts::Combined(both) => {
            both.fetch_add(WEAK_ONE, Ordering::Relaxed);
        }
        Counts::Split(weak, _) => {
            weak.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Gives up a weak reference; whether it was the last of either kind.
pub fn sub_weak(object: TVMFFIObjectHandle) -> bool {
    match counts(object) {
        Counts::Combined(both) => both.fetch_sub(WEAK_ONE, Ordering::Release) == WEAK_ONE,
        Counts::Split(weak, _) => weak.fetch_sub(1, Ordering::Release) == 1,
    }
}

/// Adds a strong reference if there is one.
pub fn promote(object: TVMFFIObjectHandle) -> bool {
    match counts(object) {
        Counts::Combined(both) => {
            let alive = |count: u64| (count as u32 != 0).then(|| count + STRONG_ONE);
            both.fetch_update(Ordering::AcqRel, Ordering::Relaxed, alive).is_ok()
        }
        Counts::Split(_, strong) => {
            let alive = |count: u64| (count != 0).then(|| count + 1);
            strong.fetch_update(Ordering::AcqRel, Ordering::Relaxed, alive).is_ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_of_the_split_generation_is_read_as_todays() {
        let words = [67_u64 | 3 << 32, 2, 0];
        // SAFETY: the header is three words.
        let split = unsafe { std::mem::transmute::<[u64; 3], TVMFFIObject>(words) };
        let header = exchanged(split);
        let back = exchanged(header);
        assert_eq!((header.type_index, header.combined_ref_count, header.__padding), (67, 3 << 32 | 2, 0));
        // SAFETY: as above.
        assert_eq!(unsafe { std::mem::transmute::<TVMFFIObject, [u64; 3]>(back) }, words);
    }
}
