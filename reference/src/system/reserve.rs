//! The reserve: blocks of memory for when the C library has none left.
//!
//! Most of them are given back soon, but some are kept: by a client that keeps an error, or for good. So a block is free for others
//! as soon as it is given back, wherever it lies.

use std::{cell::UnsafeCell, ptr};

use crate::system::fork::Exclusive;

/// How many bytes the reserve has. They take no memory before they are used.
pub const SIZE: usize = 4 << 20;

/// All blocks are aligned so, and begin behind a word with their whole size.
pub const ALIGN: usize = 16;

/// Set in that word if nobody has the block.
const FREE: usize = 1;

/// A block that is larger than this leaves the end of the reserve to smaller ones, as does what clients may keep: those are what is
/// asked for in a way that may not fail, such as an error that tells of a text that has become too long.
pub const LARGE: usize = 16 << 10;
/// How much that is.
pub const FOR_SMALL: usize = 1 << 20;

/// How much of it clients may keep. The rest up to that end is for large blocks that are soon given back, such as a long message on its way
/// into an error: where errors that are kept had all of it, the next one ended the process.
pub const TO_KEEP: usize = SIZE / 2;

#[repr(C, align(16))]
struct Arena(UnsafeCell<[u8; SIZE]>);

// SAFETY: a block is only accessed by whoever has it, and its word under the lock.
unsafe impl Sync for Arena {}

static ARENA: Arena = Arena(UnsafeCell::new([0; SIZE]));

/// The blocks, one behind the other from the beginning of the arena on.
pub struct Blocks {
    /// Where the last one ends.
    end: usize,
    /// Where the next one is looked for first: at the block that was given back last, or behind the one that was taken last.
    next: usize,
}

/// The lock is held for a moment, in which nothing else is locked.
pub static BLOCKS: Exclusive<Blocks> = Exclusive::new(Blocks { end: 0, next: 0 });

/// A block that is soon given back; NULL if there is no room.
#[cold]
pub fn take(size: usize) -> *mut u8 {
    BLOCKS.lock().take(size, if size > LARGE { SIZE - FOR_SMALL } else { SIZE })
}

/// A block that may be kept; NULL if there is no room.
#[cold]
pub fn take_to_keep(size: usize) -> *mut u8 {
    BLOCKS.lock().take(size, TO_KEEP)
}

/// # Safety
/// The block comes from here, and nobody uses it any more.
#[cold]
pub unsafe fn give_back(block: *mut u8) {
    BLOCKS.lock().give_back(block.addr() - (&raw const ARENA).addr() - ALIGN);
}

/// Whether a block is one of the reserve.
#[inline]
pub fn has(block: *const u8) -> bool {
    block.addr().wrapping_sub((&raw const ARENA).addr()) < SIZE
}

impl Blocks {
    /// A block of so many bytes that ends before `limit`.
    fn take(&mut self, size: usize, limit: usize) -> *mut u8 {
        if size > limit - ALIGN {
            return ptr::null_mut();
        }
        let whole = ALIGN + size.max(1).next_multiple_of(ALIGN);
        let found = self.place_from(self.next, whole, limit).or_else(|| self.place_from(0, whole, limit));
        let Some(at) = found else {
            self.next = 0;
            return ptr::null_mut();
        };
        self.set_word(at, whole);
        self.next = at + whole;
        // SAFETY: the block ends inside of the arena.
        unsafe { ARENA.0.get().cast::<u8>().add(at + ALIGN) }
    }

    /// A place for a block, among those from one on or behind the last.
    fn place_from(&mut self, mut at: usize, whole: usize, limit: usize) -> Option<usize> {
        while at < self.end {
            let len = self.free_at(at);
            if len >= whole && at + whole <= limit {
                if len > whole {
                    self.set_word(at + whole, (len - whole) | FREE);
                }
                return Some(at);
            }
            // If it was the last one, nothing is left to be looked at.
            if at < self.end {
                at += self.word(at) & !FREE;
            }
        }
        let at = self.end;
        (at + whole <= limit).then(|| {
            self.end += whole;
            at
        })
    }

    /// How many bytes are free from a block on, which become one block; those at the end are none any more.
    fn free_at(&mut self, at: usize) -> usize {
        let mut end = at;
        while end < self.end && self.word(end) & FREE != 0 {
            end += self.word(end) & !FREE;
        }
        if end == self.end {
            self.end = at;
            return 0;
        }
        if end > at {
            self.set_word(at, (end - at) | FREE);
        }
        end - at
    }

    fn give_back(&mut self, at: usize) {
        let whole = self.word(at);
        self.set_word(at, whole | FREE);
        if at + whole == self.end {
            self.end = at;
        }
        self.next = at;
    }

    /// The word of a block.
    fn word(&self, at: usize) -> usize {
        debug_assert!(at + ALIGN <= SIZE);
        // SAFETY: a block begins there, and the lock is held.
        unsafe { ARENA.0.get().cast::<u8>().add(at).cast::<usize>().read() }
    }

    fn set_word(&mut self, at: usize, word: usize) {
        debug_assert!(at + ALIGN <= SIZE);
        // SAFETY: a block begins there, or is about to, and the lock is held.
        unsafe { ARENA.0.get().cast::<u8>().add(at).cast::<usize>().write(word) }
    }
}
