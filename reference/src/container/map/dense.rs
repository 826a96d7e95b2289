//! The dense layout: a table of slots in blocks of sixteen, with chains of jumps through it and a list in the order of
//! iteration over it.
//!
//! Each slot has a byte of metadata: empty, or the head or a member of a chain together with a code for the distance to
//! the chain's next slot. A key's chain begins at the slot that its hash is multiplied to, its home. Where the home is
//! taken by a member of another chain, that member and all behind it move elsewhere. Every byte and link of a table
//! follows from the order of the calls made on it, since clients go on with a table where the library has stopped, and
//! the other way round.
//!
//! Nothing in this file calls foreign code: hashes come from the caller, and what goes is handed to him.

use std::{iter, ptr::NonNull};

use tvm_ffi_spec::dense_map::JUMPS;

use super::entry::{Entry, Head};
use crate::{
    border::error::{self, Error},
    container::buffer,
};

/// What a slot holds, if it is not empty.
#[repr(C)]
struct Item {
    entry: Entry,
    prev: u64,
    next: u64,
}

/// Sixteen slots.
#[repr(C)]
struct Block {
    metadata: [u8; BLOCK],
    items: [Item; BLOCK],
}

const _: () = assert!(size_of::<Block>() == 784);

const BLOCK: usize = 16;

/// The fields of a dense map, behind the header of its object.
#[repr(C)]
pub(super) struct Dense {
    pub(super) head: Head,
    shift: u32,
    first: u64,
    last: u64,
}

const _: () = assert!(size_of::<Dense>() == 56);

/// No slot.
pub(super) const NO_SLOT: u64 = u64::MAX;

/// The size of a table that a small map which is full goes over to: a shift and the slots.
pub(super) const SMALLEST: (u32, u64) = (61, 8);

const EMPTY: u8 = 0xff;
/// A slot that is empty but not to be taken, while the chain that was in its way moves.
const PROTECTED: u8 = 0xfe;
const MEMBER: u8 = 0x80;
const CODE: u8 = 0x7f;

/// The multiplier of Fibonacci hashing: 2^64 divided by the golden ratio.
const FIBONACCI: u64 = 11_400_714_819_323_198_485;

/// The size of the table that as many different keys come to lie in when they are set one by one, unless they have to go
/// over to a larger one still: a smaller table has not the slots.
pub(super) fn grown_for(keys: usize) -> (u32, u64) {
    let slots = (keys as u64).next_power_of_two().max(SMALLEST.1);
    (u64::BITS - slots.trailing_zeros(), slots)
}

/// The shift and the number of slots of a table that is made for `capacity` entries.
pub(super) fn size_for(capacity: usize) -> (u32, u64) {
    let bits = u64::BITS - (capacity as u64).leading_zeros();
    let bits = if 1u64 << bits < 2 * capacity as u64 { bits + 1 } else { bits };
    (u64::BITS - bits, 1 << bits)
}

/// The slot that comes behind that of an entry in the order of iteration; [`NO_SLOT`] behind the last.
///
/// # Safety
/// The entry is one of a table.
#[inline]
pub(super) unsafe fn next(entry: *const Entry) -> u64 {
    // SAFETY: an item begins with its entry.
    unsafe { (*entry.cast::<Item>()).next }
}

/// The slot that comes before it; [`NO_SLOT`] before the first.
///
/// # Safety
/// As for [`next`].
#[inline]
pub(super) unsafe fn previous(entry: *const Entry) -> u64 {
    // SAFETY: the caller's contract is the same.
    unsafe { (*entry.cast::<Item>()).prev }
}

impl Dense {
    /// An empty table.
    pub(super) fn allocate((shift, slots): (u32, u64)) -> error::Result<Self> {
        let blocks = slots.div_ceil(BLOCK as u64);
        let bytes = usize::try_from(blocks).ok().and_then(|blocks| blocks.checked_mul(size_of::<Block>()));
        let data = buffer::allocate(bytes);
        if data.is_null() {
            return Err(Error::new("MemoryError", format!("Cannot allocate a map of {slots} slots")));
        }
        for block in 0..blocks as usize {
            // SAFETY: the buffer has that many blocks.
            unsafe { (&raw mut (*data.cast::<Block>().add(block)).metadata).write([EMPTY; BLOCK]) };
        }
        let head = Head { data, size: 0, slots, data_deleter: Some(buffer::release) };
        Ok(Self { head, shift, first: NO_SLOT, last: NO_SLOT })
    }

    /// A table that takes these entries, in this order, each with its hash and none twice; larger than asked for if they
    /// do not find their places.
    pub(super) fn build(size: (u32, u64), entries: impl Iterator<Item = (Entry, u64)> + Clone) -> error::Result<Self> {
        let mut table = Self::allocate(size)?;
        while !entries.clone().all(|(entry, hash)| table.append(entry, hash)) {
            // SAFETY: the buffer is the table's own; the entries still belong to the caller.
            unsafe { buffer::release(table.head.data) };
            table = Self::allocate(table.doubled())?;
        }
        Ok(table)
    }

    /// The size of a table with twice the slots.
    pub(super) fn doubled(&self) -> (u32, u64) {
        if self.head.slots == 0 { SMALLEST } else { (self.shift - 1, self.head.slots * 2) }
    }

    /// A table of the same layout with entries that `clone` makes of this one's.
    pub(super) fn copy(&self, clone: impl Fn(&Entry) -> Entry) -> error::Result<Self> {
        let mut copy = Self::allocate((self.shift, self.head.slots))?;
        for slot in self.occupied() {
            // SAFETY: both tables have the slot, and here it is occupied.
            unsafe {
                let Item { ref entry, prev, next } = *self.item(slot);
                copy.item(slot).write(Item { entry: clone(entry), prev, next });
            }
            copy.set_metadata(slot, self.metadata(slot));
        }
        (copy.head.size, copy.first, copy.last) = (self.head.size, self.first, self.last);
        Ok(copy)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Looking
    // -----------------------------------------------------------------------------------------------------------------

    /// The first slot of the chain that a key with this hash is in, if it is anywhere.
    #[inline]
    pub(super) fn chain_of(&self, hash: u64) -> Option<u64> {
        if self.head.size == 0 {
            return None;
        }
        let home = self.home(hash);
        (self.metadata(home) & MEMBER == 0).then_some(home)
    }

    /// The slot behind this one in its chain.
    ///
    /// # Safety
    /// The slot is occupied.
    #[inline]
    pub(super) unsafe fn next_in_chain(&self, slot: u64) -> Option<u64> {
        match JUMPS.get(usize::from(self.metadata(slot) & CODE)) {
            None | Some(0) => None,
            Some(jump) => Some(self.jump(slot, *jump)),
        }
    }

    /// The slot of the entry that `is_it` knows, among those whose keys have this hash. If it is not there, the end of the
    /// chain that it would be behind, which may have to be begun.
    #[inline]
    pub(super) fn seek(&self, hash: u64, is_it: impl Fn(*const Entry) -> bool) -> Result<u64, Option<u64>> {
        let mut slot = self.chain_of(hash).ok_or(None)?;
        // SAFETY: the members of a chain are occupied.
        while !is_it(unsafe { self.entry(slot) }) {
            // SAFETY: as above.
            slot = unsafe { self.next_in_chain(slot) }.ok_or(Some(slot))?;
        }
        Ok(slot)
    }

    /// The entries whose keys may have this hash.
    #[inline(always)]
    pub(super) fn entries_with(&self, hash: u64) -> impl Iterator<Item = NonNull<Entry>> {
        // SAFETY: the members of a chain are occupied.
        let chain = iter::successors(self.chain_of(hash), |&slot| unsafe { self.next_in_chain(slot) });
        // SAFETY: as above, and an entry is part of the table.
        chain.map(|slot| unsafe { NonNull::new_unchecked(self.entry(slot)) })
    }

    /// Whether there is such a slot and something in it.
    pub(super) fn is_occupied(&self, slot: u64) -> bool {
        slot < self.head.slots && self.metadata(slot) < PROTECTED
    }

    /// Where the entry in a slot lies.
    ///
    /// # Safety
    /// The slot is occupied.
    #[inline]
    pub(super) unsafe fn entry(&self, slot: u64) -> *mut Entry {
        // SAFETY: the table has the slot.
        unsafe { &raw mut (*self.item(slot)).entry }
    }

    /// Where iteration begins; [`NO_SLOT`] in an empty map.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// Where iteration ends.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// The occupied slots as they lie.
    pub(super) fn occupied(&self) -> impl Iterator<Item = u64> {
        (0..self.head.slots).filter(|&slot| self.metadata(slot) < PROTECTED)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Changing
    // -----------------------------------------------------------------------------------------------------------------

    /// Adds an entry whose key is not in the table, behind all others. `false`, and no change, when it finds no place.
    #[inline]
    pub(super) fn append(&mut self, entry: Entry, hash: u64) -> bool {
        let tail = self.seek(hash, |_| false).err().flatten();
        // SAFETY: the slot has just been claimed.
        self.claim(tail, hash).map(|slot| unsafe { self.put(slot, entry) }).is_some()
    }

    /// A slot for a key with this hash, which is not in the table, where the end of its chain is known. `None`, and no change, when there
    /// is no place for it.
    #[inline]
    pub(super) fn claim(&mut self, tail: Option<u64>, hash: u64) -> Option<u64> {
        match tail {
            Some(_) if self.is_full() => None,
            Some(tail) => self.extend(tail),
            None => self.begin_chain(hash),
        }
    }

    /// Puts an entry behind all others.
    ///
    /// # Safety
    /// The slot has just been claimed for its key, and nothing is in it yet.
    #[inline(always)]
    pub(super) unsafe fn put(&mut self, slot: u64, entry: Entry) {
        // SAFETY: the table has the slot.
        unsafe { self.item(slot).write(Item { entry, prev: self.last, next: NO_SLOT }) };
        self.set_links(self.last, NO_SLOT, slot, slot);
        self.head.size += 1;
    }

    /// Moves an entry to the end of the order of iteration.
    ///
    /// # Safety
    /// The slot is occupied.
    pub(super) unsafe fn move_last(&mut self, slot: u64) {
        self.unlink(slot);
        self.link_last(slot);
    }

    /// Takes an entry out, which is the caller's from here on.
    ///
    /// # Safety
    /// The slot is occupied.
    pub(super) unsafe fn remove(&mut self, slot: u64) -> Entry {
        // SAFETY: the slot is occupied.
        let removed = unsafe { (*self.item(slot)).entry };
        self.head.size -= 1;
        self.unlink(slot);
        // The last of the chain fills the gap, so that the chain stays connected.
        let (mut before_last, mut last) = (None, slot);
        // SAFETY: the members of a chain are occupied.
        while let Some(next) = unsafe { self.next_in_chain(last) } {
            (before_last, last) = (Some(last), next);
        }
        match before_last {
            Some(_) => self.move_item(last, slot),
            None if self.metadata(slot) & MEMBER != 0 => before_last = self.predecessor(slot),
            None => {}
        }
        if let Some(before_last) = before_last {
            self.set_code(before_last, 0);
        }
        self.set_metadata(last, EMPTY);
        removed
    }

    /// Takes all entries out, and keeps the slots.
    pub(super) fn remove_all(&mut self, removed: &mut Vec<Entry>) {
        // SAFETY: the slots are occupied; the entries are the caller's from here on.
        removed.extend(self.occupied().map(|slot| unsafe { *self.entry(slot) }));
        for slot in 0..self.head.slots {
            self.set_metadata(slot, EMPTY);
        }
        (self.head.size, self.first, self.last) = (0, NO_SLOT, NO_SLOT);
    }

    /// Claims the home of a key that is in no chain yet; what was there has moved.
    #[inline]
    fn begin_chain(&mut self, hash: u64) -> Option<u64> {
        if self.head.slots == 0 {
            return None;
        }
        let home = self.home(hash);
        if self.metadata(home) != EMPTY {
            if self.is_full() {
                return None;
            }
            self.evict(home)?;
        }
        self.set_metadata(home, 0);
        Some(home)
    }

    /// Whether an entry more would load the table beyond its limit, which is not asked when its home is empty.
    fn is_full(&self) -> bool {
        (self.head.size + 1) as f64 > self.head.slots as f64 * 0.99
    }

    /// Makes the nearest empty slot the one behind `tail` in its chain.
    fn extend(&mut self, tail: u64) -> Option<u64> {
        let mut candidates = (1..).zip(&JUMPS[1..]).map(|(code, jump)| (code, self.jump(tail, *jump)));
        let (code, slot) = candidates.find(|&(_, slot)| self.metadata(slot) == EMPTY)?;
        self.set_metadata(slot, MEMBER);
        self.set_code(tail, code);
        Some(slot)
    }

    /// Moves the member of a chain that is in `slot`, and all behind it in the chain, to other slots. `None`, and no
    /// change, when they find no place.
    fn evict(&mut self, slot: u64) -> Option<()> {
        let mut tail = self.predecessor(slot)?;
        let tail_before = (tail, self.metadata(tail));
        let (mut moves, mut next) = (Vec::new(), Some(slot));
        // First the metadata, which can be taken back, ...
        while let Some(from) = next {
            let metadata = self.metadata(from);
            // SAFETY: the members of a chain are occupied.
            next = unsafe { self.next_in_chain(from) };
            match self.extend(tail) {
                Some(to) => tail = to,
                None => {
                    self.take_back(&moves);
                    self.set_metadata(tail_before.0, tail_before.1);
                    return None;
                }
            }
            self.set_metadata(from, if from == slot { PROTECTED } else { EMPTY });
            moves.push((from, tail, metadata));
        }
        // ... then the items, in the same order, as a later one may go where an earlier one was.
        for (from, to, _) in moves {
            self.move_item(from, to);
        }
        Some(())
    }

    fn take_back(&mut self, moves: &[(u64, u64, u8)]) {
        for &(from, to, metadata) in moves.iter().rev() {
            self.set_metadata(to, EMPTY);
            self.set_metadata(from, metadata);
        }
    }

    /// The slot before a member in its chain: the one whose jump leads to it.
    fn predecessor(&self, slot: u64) -> Option<u64> {
        let mut candidates = (1..).zip(&JUMPS[1..]).map(|(code, jump)| (code, self.jump(slot, jump.wrapping_neg())));
        candidates.find(|&(code, before)| self.metadata(before) & CODE == code).map(|(_, before)| before)
    }

    /// Moves an item with its place in the order of iteration; metadata is not touched.
    fn move_item(&mut self, from: u64, to: u64) {
        // SAFETY: the table has both slots; what was in `to` has been moved or taken.
        unsafe { self.item(to).copy_from_nonoverlapping(self.item(from), 1) };
        // SAFETY: the item was linked, and has just been copied.
        let Item { prev, next, .. } = unsafe { &*self.item(to) };
        self.set_links(*prev, *next, to, to);
    }

    fn link_last(&mut self, slot: u64) {
        // SAFETY: the slot holds an item.
        unsafe { ((*self.item(slot)).prev, (*self.item(slot)).next) = (self.last, NO_SLOT) };
        self.set_links(self.last, NO_SLOT, slot, slot);
    }

    fn unlink(&mut self, slot: u64) {
        // SAFETY: the slot is occupied.
        let Item { prev, next, .. } = unsafe { &*self.item(slot) };
        let (prev, next) = (*prev, *next);
        self.set_links(prev, next, next, prev);
    }

    /// Makes `after` follow `prev`, and `before` precede `next`; where there is none, they begin and end the order.
    fn set_links(&mut self, prev: u64, next: u64, after: u64, before: u64) {
        match prev {
            NO_SLOT => self.first = after,
            // SAFETY: links lead to occupied slots.
            _ => unsafe { (*self.item(prev)).next = after },
        }
        match next {
            NO_SLOT => self.last = before,
            // SAFETY: links lead to occupied slots.
            _ => unsafe { (*self.item(next)).prev = before },
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Slots
    // -----------------------------------------------------------------------------------------------------------------

    #[inline]
    fn home(&self, hash: u64) -> u64 {
        hash.wrapping_mul(FIBONACCI).wrapping_shr(self.shift) & (self.head.slots - 1)
    }

    #[inline]
    fn jump(&self, slot: u64, distance: u64) -> u64 {
        // The number of slots is a power of two.
        slot.wrapping_add(distance) & (self.head.slots - 1)
    }

    #[inline]
    fn block(&self, slot: u64) -> *mut Block {
        // SAFETY: a table has a block for each sixteen of its slots, and one for what remains.
        unsafe { self.head.data.cast::<Block>().add(slot as usize / BLOCK) }
    }

    #[inline]
    fn item(&self, slot: u64) -> *mut Item {
        // SAFETY: the block is part of the table.
        unsafe { (&raw mut (*self.block(slot)).items).cast::<Item>().add(slot as usize % BLOCK) }
    }

    #[inline]
    fn metadata(&self, slot: u64) -> u8 {
        // SAFETY: the block is part of the table; all metadata is written when a table is made.
        unsafe { (&raw const (*self.block(slot)).metadata).cast::<u8>().add(slot as usize % BLOCK).read() }
    }

    fn set_metadata(&mut self, slot: u64, metadata: u8) {
        // SAFETY: the block is part of the table.
        unsafe { (&raw mut (*self.block(slot)).metadata).cast::<u8>().add(slot as usize % BLOCK).write(metadata) }
    }

    fn set_code(&mut self, slot: u64, code: u8) {
        self.set_metadata(slot, self.metadata(slot) & MEMBER | code);
    }
}

#[cfg(test)]
impl Dense {
    pub(super) fn shift(&self) -> u32 {
        self.shift
    }

    /// An occupied slot, its metadata, its integer key, and the slots before and behind it in the order of iteration.
    pub(super) fn describe(&self, slot: u64) -> (u64, u8, i64, u64, u64) {
        // SAFETY: the slot is occupied.
        let Item { entry, prev, next } = unsafe { &*self.item(slot) };
        (slot, self.metadata(slot), entry.key.payload() as i64, *prev, *next)
    }
}

/// Hands the entries of a table that ends to `take`.
pub(super) fn for_each_entry(head: &Head, take: impl Fn(Entry)) {
    // Only the blocks and the number of slots are asked for.
    let table = Dense { head: *head, shift: 0, first: NO_SLOT, last: NO_SLOT };
    // SAFETY: the slots are occupied, and nobody looks at them any more.
    table.occupied().for_each(|slot| take(unsafe { *table.entry(slot) }));
}
