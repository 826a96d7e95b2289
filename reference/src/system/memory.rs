//! Memory: that of the C library, and a reserve for when that has none left.
//!
//! Whoever asks for as much as a client wants (an object, a buffer, room for all that lies in a value) asks in a way that may
//! fail, and reports it: [`RoomFor`], [`room`]. What the library cannot do without, to report an error for instance, are small
//! blocks which it soon gives back: where the C library refuses one, the reserve has it, and no other request takes from that.
//! Rust's collections come here for all their memory. They end the process only where the reserve is used up and they were not
//! asked to try.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    collections::{HashMap, HashSet, TryReserveError, VecDeque},
    hash::{BuildHasher, Hash},
    hint,
    ptr::{self, NonNull},
    sync::atomic::{AtomicBool, Ordering},
};

use crate::system::reserve;

/// Whether the C library has refused something lately.
static SHORT: AtomicBool = AtomicBool::new(false);

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
    allocate(size).or_else(|| NonNull::new(reserve::take_to_keep(size)))
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
    unsafe { if is_reserved(block) { reserve::give_back(block) } else { libc::free(block.cast()) } }
}

/// Whether a block is one of the reserve, which should not be kept for long.
#[inline]
pub fn is_reserved(block: *const u8) -> bool {
    reserve::has(block)
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

/// Whether the process may take so many bytes more from the system. Unlike the C library, which fills what it gives where
/// `MALLOC_PERTURB_` is set, this touches none of them.
pub fn may_grow_by(size: usize) -> bool {
    const BLOCK: usize = 64 << 10;
    let (readable, private) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    if !has(BLOCK) {
        return false;
    }
    // SAFETY: a mapping of its own, which nobody else knows before it is given back.
    unsafe {
        let probe = libc::mmap(ptr::null_mut(), size, readable, private, -1, 0);
        probe != libc::MAP_FAILED && libc::munmap(probe, size) == 0
    }
}

thread_local! {
    /// Whether what the thread keeps for long may come from the reserve.
    static KEEPS_RESERVE: Cell<bool> = const { Cell::new(false) };
    /// Whether what the thread asks for may be refused, so that the reserve is left to others.
    static MAY_BE_REFUSED: Cell<bool> = const { Cell::new(false) };
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

/// Asks for memory in a way that may fail.
#[cold]
pub fn try_for<T>(ask: impl FnOnce() -> T) -> T {
    let outer = MAY_BE_REFUSED.replace(true);
    let answer = ask();
    MAY_BE_REFUSED.set(outer);
    answer
}

/// Room in a collection, asked for in a way that may fail.
pub trait RoomFor {
    /// Room for so many more, or word that there is no memory for it.
    fn room_for(&mut self, more: usize) -> Result<(), TryReserveError>;
}

macro_rules! room_for {
    ($([$($generics:tt)*] $collection:ty;)*) => {$(
        impl<$($generics)*> RoomFor for $collection {
            #[inline]
            fn room_for(&mut self, more: usize) -> Result<(), TryReserveError> {
                if self.capacity() - self.len() >= more { Ok(()) } else { try_for(|| self.try_reserve(more)) }
            }
        }
    )*};
}

room_for! {
    [T] Vec<T>;
    [T] VecDeque<T>;
    [K: Eq + Hash, V, S: BuildHasher] HashMap<K, V, S>;
    [K: Eq + Hash, S: BuildHasher] HashSet<K, S>;
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
    try_for(|| room.try_reserve_exact(capacity))?;
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
    room(capacity).ok()
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
        unsafe { if is_reserved(block) { reserve::give_back(block) } else { System.dealloc(block, layout) } }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !is_reserved(block) {
            // SAFETY: the block is the system's; the rest is the caller's contract.
            let moved = unsafe { System.realloc(block, layout, new_size) };
            if !moved.is_null() || leaves_reserve() {
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

/// Whether what the system has refused is refused altogether.
#[cold]
fn leaves_reserve() -> bool {
    MAY_BE_REFUSED.get() && !has_to_be_sure()
}

/// What the reserve has where the system had nothing.
#[cold]
fn refused(layout: Layout, zeroed: bool) -> *mut u8 {
    SHORT.store(true, Ordering::Relaxed);
    if layout.align() > reserve::ALIGN || leaves_reserve() {
        return ptr::null_mut();
    }
    let block = reserve::take(layout.size());
    if zeroed && !block.is_null() {
        // SAFETY: the block has that size.
        unsafe { block.write_bytes(0, layout.size()) };
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::reserve::{ALIGN, FOR_SMALL, LARGE, SIZE, TO_KEEP, take, take_to_keep};

    /// One test, since the reserve is the process's.
    #[test]
    fn the_reserve_has_blocks_until_it_is_used_up_and_gets_them_back() {
        let blocks: Vec<_> = (0..100_usize).map(|size| (take(size), size)).collect();
        for &(block, size) in &blocks {
            assert!(!block.is_null() && block.addr().is_multiple_of(ALIGN) && is_reserved(block));
            // SAFETY: the block is ours and has that size.
            unsafe { block.write_bytes(0xAB, size) };
        }
        assert!(take(SIZE).is_null() && take(usize::MAX).is_null() && take(SIZE - 2 * ALIGN).is_null());
        // SAFETY: the block is ours, and grows where it can: outside of the reserve.
        unsafe {
            let (first, size) = blocks[99];
            let moved = MEMORY.realloc(first, Layout::from_size_align(size, 1).unwrap(), 2 * size);
            assert!(!is_reserved(moved) && *moved == 0xAB && *moved.add(size - 1) == 0xAB);
            MEMORY.dealloc(moved, Layout::from_size_align(2 * size, 1).unwrap());
        }
        // SAFETY: the blocks are ours.
        unsafe {
            // Those next to each other become one, while others are kept.
            blocks[50..60].iter().rev().for_each(|&(block, _)| free(block));
            assert_eq!(take(300), blocks[50].0);
            free(blocks[50].0);
            blocks[..50].iter().chain(&blocks[60..99]).for_each(|&(block, _)| free(block));
        }
        let kept = take_to_keep(TO_KEEP - ALIGN);
        assert_eq!(kept, blocks[0].0);
        assert!(take_to_keep(1).is_null());
        let large = take(SIZE - FOR_SMALL - TO_KEEP - ALIGN);
        let small = take(1);
        assert!(!large.is_null() && !small.is_null() && take(LARGE + 1).is_null());
        // SAFETY: the blocks are ours.
        unsafe { [kept, large, small].into_iter().for_each(|block| free(block)) };
    }
}
