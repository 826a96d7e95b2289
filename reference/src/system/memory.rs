//! Memory: that of the C library, and a reserve for when that has none left.
//!
//! Whoever asks for as much as a client wants (an object, a buffer) asks in a way that may fail, and reports it. What the
//! library needs on its own way, to report an error or to walk through a value, are small blocks which it soon gives back:
//! where the C library refuses one, the reserve has it. Rust's collections come here for all their memory. They
//! end the process only where a block is larger than what the reserve has left and they were not asked to try.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::{Cell, UnsafeCell},
    collections::TryReserveError,
    hint,
    ptr::{self, NonNull},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

/// How many bytes the reserve has. They take no memory before they are used.
const RESERVE: usize = 4 << 20;

/// All blocks of the reserve are aligned so.
const ALIGN: usize = 16;

/// A block of the reserve that is larger than this leaves the end of it to smaller ones: those are what is asked for
/// in a way that may not fail, such as an error that tells of a text that has become too long.
const LARGE: usize = 16 << 10;
const FOR_SMALL: usize = 1 << 20;

#[repr(C, align(16))]
struct Arena(UnsafeCell<[u8; RESERVE]>);

// SAFETY: a part of the arena is only accessed by whoever has it, which `STATE` says.
unsafe impl Sync for Arena {}

static ARENA: Arena = Arena(UnsafeCell::new([0; RESERVE]));

/// The blocks of the reserve lie one behind the other. How many are in use is in the high half, where the last one ends in
/// the low half. A block in the middle that is given back is free again when all are.
static STATE: AtomicU64 = AtomicU64::new(0);

/// Whether the C library has refused something lately.
static SHORT: AtomicBool = AtomicBool::new(false);

const ONE_BLOCK: u64 = 1 << 32;
const END: u64 = ONE_BLOCK - 1;

/// A block for an object that was asked for; it is given back with [`free_allocated`].
#[inline]
pub fn allocate(size: usize) -> Option<NonNull<u8>> {
    // SAFETY: malloc may be called with any size.
    let block = NonNull::new(unsafe { libc::malloc(size) }.cast());
    if block.is_none() {
        SHORT.store(true, Ordering::Relaxed);
    }
    block
}

/// As [`allocate`], for what the library cannot do without: from the reserve where there is no other.
pub fn allocate_surely(size: usize) -> Option<NonNull<u8>> {
    allocate(size).or_else(|| NonNull::new(take(size)))
}

/// Gives a block back that comes from [`allocate`].
///
/// # Safety
/// Nobody uses it any more.
#[inline]
pub unsafe fn free_allocated(block: *mut u8) {
    // SAFETY: such a block is the C library's; the caller vouches for the rest.
    unsafe { libc::free(block.cast()) }
}

/// Gives a block back.
///
/// # Safety
/// The block comes from one of the functions above, or from the C library, and nobody uses it any more.
#[inline]
pub unsafe fn free(block: *mut u8) {
    // SAFETY: the caller's contract says whose it is.
    unsafe { if is_reserved(block) { give_back(block) } else { libc::free(block.cast()) } }
}

/// Whether a block is one of the reserve, which should not be kept for long.
#[inline]
pub fn is_reserved(block: *const u8) -> bool {
    block.addr().wrapping_sub((&raw const ARENA).addr()) < RESERVE
}

/// Whether there is so little memory that whatever can be done without should be.
pub fn is_short() -> bool {
    const PLENTY: usize = 1 << 18;
    if !SHORT.load(Ordering::Relaxed) {
        return false;
    }
    let short = !has(PLENTY);
    SHORT.store(short, Ordering::Relaxed);
    short
}

/// More than a map of words asks for when it takes in another one.
pub const ROOM_IN_MAP: usize = 4 << 10;

/// Whether the C library has a block of so many bytes.
pub fn has(size: usize) -> bool {
    // SAFETY: malloc may be called with any size, and free with what it answers.
    unsafe {
        // The compiler would take the two calls for none, which always succeed.
        let probe = hint::black_box(libc::malloc(size));
        libc::free(probe);
        !probe.is_null()
    }
}

thread_local! {
    /// Whether what the thread keeps for long may come from the reserve.
    static KEEPS_RESERVE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `body`, in which what is kept for long may come from the reserve: it is done once in a process, and nothing can
/// be done without it.
pub fn surely<T>(body: impl FnOnce() -> T) -> T {
    let outer = KEEPS_RESERVE.replace(true);
    let result = body();
    KEEPS_RESERVE.set(outer);
    result
}

/// Whether this runs in [`surely`].
pub fn has_to_be_sure() -> bool {
    KEEPS_RESERVE.get()
}

/// The parts behind each other, to be kept for long; none if there is only the reserve left for it.
pub fn kept_copy(parts: &[&[u8]]) -> Option<Box<[u8]>> {
    let mut copy = kept_room(parts.iter().map(|part| part.len()).sum())?;
    parts.iter().for_each(|part| copy.extend_from_slice(part));
    Some(copy.into_boxed_slice())
}

/// Room for so many items, or word that there is no memory for it.
pub fn room<T>(capacity: usize) -> Result<Vec<T>, TryReserveError> {
    let mut room = Vec::new();
    room.try_reserve_exact(capacity)?;
    Ok(room)
}

/// All that an iterator gives, or word that there is no memory for it.
pub fn collected<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, TryReserveError> {
    let mut all = room(items.len())?;
    all.extend(items);
    Ok(all)
}

/// Room for so many items that are to be kept for long; none if there is only the reserve left for it.
pub fn kept_room<T>(capacity: usize) -> Option<Vec<T>> {
    let room = room::<T>(capacity).ok()?;
    (capacity == 0 || !is_reserved(room.as_ptr().cast()) || KEEPS_RESERVE.get()).then_some(room)
}

/// A value that is kept for good; none if there is only the reserve left for it.
pub fn kept<T>(value: T) -> Option<&'static mut T> {
    let mut room = kept_room(1)?;
    room.push(value);
    room.leak().first_mut()
}

/// The memory of Rust's collections.
struct WithReserve;

#[global_allocator]
static MEMORY: WithReserve = WithReserve;

// SAFETY: blocks are the system's or parts of the reserve, which are as large and as aligned as they were asked to be, and
// belong to nobody else until they are given back.
unsafe impl GlobalAlloc for WithReserve {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract is the same.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() { refused(layout, false) } else { block }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract is the same.
        let block = unsafe { System.alloc_zeroed(layout) };
        if block.is_null() { refused(layout, true) } else { block }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract says whose it is.
        unsafe { if is_reserved(block) { give_back(block) } else { System.dealloc(block, layout) } }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !is_reserved(block) {
            // SAFETY: the block is the system's; the rest is the caller's contract.
            let moved = unsafe { System.realloc(block, layout, new_size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller's contract is the same.
        unsafe { self.moved(block, layout, new_size) }
    }
}

impl WithReserve {
    /// # Safety
    /// As for `realloc`.
    #[cold]
    unsafe fn moved(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the size is one that the caller of `realloc` may ask for; what was in the old block fits.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(new_size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
            new
        }
    }
}

/// What the reserve has where the system had nothing.
#[cold]
fn refused(layout: Layout, zeroed: bool) -> *mut u8 {
    SHORT.store(true, Ordering::Relaxed);
    if layout.align() > ALIGN {
        return ptr::null_mut();
    }
    let block = take(layout.size());
    if zeroed && !block.is_null() {
        // SAFETY: the block has that size.
        unsafe { block.write_bytes(0, layout.size()) };
    }
    block
}

/// A block of the reserve, behind a word with its whole size; NULL if there is no room.
#[cold]
fn take(size: usize) -> *mut u8 {
    if size > RESERVE - ALIGN {
        return ptr::null_mut();
    }
    let whole = ALIGN + size.next_multiple_of(ALIGN);
    let limit = if size > LARGE { RESERVE - FOR_SMALL } else { RESERVE };
    let longer = |state: u64| {
        let end = (state & END) as usize + whole;
        (end <= limit).then_some(state + ONE_BLOCK + whole as u64)
    };
    match STATE.fetch_update(Ordering::AcqRel, Ordering::Acquire, longer) {
        Err(_) => ptr::null_mut(),
        // SAFETY: the part from the old end on is inside of the arena, and is ours from here on.
        Ok(state) => unsafe {
            let start = ARENA.0.get().cast::<u8>().add((state & END) as usize);
            start.cast::<usize>().write(whole);
            start.add(ALIGN)
        },
    }
}

/// # Safety
/// The block comes from [`take`], and nobody uses it any more.
#[cold]
unsafe fn give_back(block: *mut u8) {
    // SAFETY: the block lies behind its word.
    let (start, whole) = unsafe {
        let word = block.sub(ALIGN);
        (word.addr() - (&raw const ARENA).addr(), word.cast::<usize>().read())
    };
    let shorter = |state: u64| match state {
        state if state < 2 * ONE_BLOCK => 0,
        state if (state & END) as usize == start + whole => state - ONE_BLOCK - whole as u64,
        state => state - ONE_BLOCK,
    };
    // The closure always has an answer.
    let _ = STATE.fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| Some(shorter(state)));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, since the reserve is the process's.
    #[test]
    fn the_reserve_has_blocks_until_it_is_used_up_and_gets_them_back() {
        let blocks: Vec<_> = (0..100_usize).map(|size| (take(size), size)).collect();
        for &(block, size) in &blocks {
            assert!(!block.is_null() && block.addr().is_multiple_of(ALIGN) && is_reserved(block));
            // SAFETY: the block is ours and has that size.
            unsafe { block.write_bytes(0xAB, size) };
        }
        assert!(take(RESERVE).is_null() && take(usize::MAX).is_null() && take(RESERVE - 2 * ALIGN).is_null());
        let used = STATE.load(Ordering::Relaxed);
        // SAFETY: the block is ours, and grows where it can: outside of the reserve.
        unsafe {
            let (first, size) = blocks[99];
            let moved = MEMORY.realloc(first, Layout::from_size_align(size, 1).unwrap(), 2 * size);
            assert!(!is_reserved(moved) && *moved == 0xAB && *moved.add(size - 1) == 0xAB);
            MEMORY.dealloc(moved, Layout::from_size_align(2 * size, 1).unwrap());
        }
        assert!(STATE.load(Ordering::Relaxed) & END < used & END);
        for &(block, _) in &blocks[..99] {
            // SAFETY: the block is ours.
            unsafe { free(block) };
        }
        assert_eq!(STATE.load(Ordering::Relaxed), 0);
        let large = take(RESERVE - FOR_SMALL - 2 * ALIGN);
        let small = take(1);
        assert!(!large.is_null() && !small.is_null() && take(LARGE + 1).is_null());
        // SAFETY: the blocks are ours.
        unsafe {
            free(large);
            free(small);
        }
    }
}
