//! The dense layout of a Map or a Dict, worked on in place as inlined code does it.

use std::ffi::c_void;

use tvm_ffi_spec::{dense_map::JUMPS, *};

use super::BufferDeleter;
use super::behind;
use super::end_buffer;
use super::load;
use super::map::BLOCK;
use super::map::BLOCK_SLOTS;
use super::map::DenseMapCell;
use super::map::EMPTY;
use super::map::Item;
use super::map::MEMBER;
use super::map::MapCell;
use super::map::NOWHERE;
use super::map::home;
use super::store;
use crate::client::{connection::Client, verdict::Verdict};

/// The byte of a slot that was left a moment ago and must not be filled yet.
const LEFT: u8 = 0xFE;

/// The dense layout of one map, apart from its object.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    cell: DenseMapCell,
}

/// What came of an entry that was to be put into a table.
pub enum Put {
    /// It has a slot.
    New,
    /// The key was there; this is the value that it had, and the key that was not needed.
    Replaced([TVMFFIAny; 2]),
    /// There is no room.
    Full,
}

impl Table {
    /// A table without entries, in memory of the C heap.
    pub fn new(slots: u64, data_deleter: BufferDeleter) -> Self {
        let blocks = slots.div_ceil(BLOCK_SLOTS) as usize;
        // SAFETY: any size may be asked for; what is there is bytes, which have no wrong values.
        let data: *mut c_void = unsafe { libc::malloc(blocks * BLOCK) };
        assert!(!data.is_null(), "out of memory");
        // SAFETY: the block is that long. Items of empty slots are not zero: nobody may look at them.
        unsafe { data.cast::<u8>().write_bytes(EMPTY, blocks * BLOCK) };
        let map = MapCell { data, size: 0, slots, data_deleter: Some(data_deleter) };
        Self {
            cell: DenseMapCell { map, fib_shift: 64 - slots.trailing_zeros(), unused: 0, head: NOWHERE, tail: NOWHERE },
        }
    }

    /// How many slots a table for that many entries gets.
    pub fn slots_for(entries: u64) -> u64 {
        let above = (entries + 1).next_power_of_two();
        if above < entries * 2 { above * 2 } else { above }
    }

    /// The table of a dense map.
    pub fn of(object: TVMFFIObjectHandle) -> Self {
        Self { cell: load(behind(object, size_of::<TVMFFIObject>())) }
    }

    /// Makes the table that of a map; what the map had is the caller's to end.
    pub fn give_to(&self, object: TVMFFIObjectHandle) {
        store(behind(object, size_of::<TVMFFIObject>()), self.cell);
    }

    /// What follows the header.
    pub fn cell(&self) -> &DenseMapCell {
        &self.cell
    }

    /// Every entry in iteration order.
    pub fn entries(&self) -> Vec<[TVMFFIAny; 2]> {
        let mut entries = Vec::new();
        let mut place = self.cell.head;
        while place != NOWHERE {
            let item = self.item(place);
            entries.push([item.key, item.value]);
            place = item.next;
        }
        entries
    }

    /// Puts an entry into the table; a key that is there gets the value and becomes the last.
    pub fn put(&mut self, client: &Client, key: TVMFFIAny, value: TVMFFIAny) -> Verdict<Put> {
        let first = self.home(client, &key)?;
        if self.meta(first) == EMPTY {
            return Ok(self.fill(first, 0, key, value));
        }
        if self.meta(first) & MEMBER != 0 {
            let room = !self.is_full() && self.make_way(client, first)?;
            return Ok(if room { self.fill(first, 0, key, value) } else { Put::Full });
        }
        let mut place = first;
        loop {
            let mut item = self.item(place);
            if client.same(&key, &item.key)? {
                let replaced = std::mem::replace(&mut item.value, value);
                store(self.item_at(place), item);
                self.unlink(place);
                self.link_last(place);
                return Ok(Put::Replaced([replaced, key]));
            }
            match self.next(place) {
                Some(next) => place = next,
                None => break,
            }
        }
        let Some((code, free)) = self.free_after(place).filter(|_| !self.is_full()) else { return Ok(Put::Full) };
        self.jump(place, code);
        Ok(self.fill(free, MEMBER, key, value))
    }

    /// The same entries in a table of twice the slots. The old blocks are ended.
    pub fn grown(self, client: &Client, data_deleter: BufferDeleter) -> Verdict<Self> {
        let mut larger = Self::new(self.cell.map.slots * 2, data_deleter);
        for [key, value] in self.entries() {
            larger.put_growing(client, key, value, data_deleter)?;
        }
        end_buffer(self.cell.map.data_deleter, self.cell.map.data);
        Ok(larger)
    }

    /// Puts an entry into the table, which grows if it has to; answers what the entry replaced.
    pub fn put_growing(
        &mut self,
        client: &Client,
        key: TVMFFIAny,
        value: TVMFFIAny,
        data_deleter: BufferDeleter,
    ) -> Verdict<Option<[TVMFFIAny; 2]>> {
        loop {
            match self.put(client, key, value)? {
                Put::New => return Ok(None),
                Put::Replaced(former) => return Ok(Some(former)),
                Put::Full => *self = self.grown(client, data_deleter)?,
            }
        }
    }

    /// Takes an entry out of the table.
    pub fn take(&mut self, client: &Client, key: &TVMFFIAny) -> Verdict<Option<[TVMFFIAny; 2]>> {
        let first = self.home(client, key)?;
        if self.meta(first) & MEMBER != 0 {
            return Ok(None);
        }
        let (mut place, mut before) = (first, None);
        while !client.same(key, &self.item(place).key)? {
            let Some(next) = self.next(place) else { return Ok(None) };
            before = Some(std::mem::replace(&mut place, next));
        }
        let Item { key, value, .. } = self.item(place);
        self.unlink(place);
        self.cell.map.size -= 1;
        // The last of the chain takes the place that becomes free.
        let mut last = place;
        while let Some(next) = self.next(last) {
            before = Some(std::mem::replace(&mut last, next));
        }
        if last != place {
            self.move_item(last, place);
        }
        store(self.meta_at(last), EMPTY);
        if let Some(before) = before {
            self.jump(before, 0);
        }
        Ok(Some([key, value]))
    }

    /// Empties a slot that belongs to the chain of another: the rest of that chain moves on. Answers whether it found room.
    fn make_way(&mut self, client: &Client, wanted: u64) -> Verdict<bool> {
        let mut tail = self.home(client, &self.item(wanted).key)?;
        while let Some(next) = self.next(tail).filter(|next| *next != wanted) {
            tail = next;
        }
        let mut moving = Some(wanted);
        while let Some(place) = moving {
            let Some((code, free)) = self.free_after(tail) else { return Ok(false) };
            moving = self.next(place);
            store(self.meta_at(free), MEMBER);
            self.move_item(place, free);
            store(self.meta_at(place), if place == wanted { LEFT } else { EMPTY });
            self.jump(tail, code);
            tail = free;
        }
        Ok(true)
    }

    fn fill(&mut self, place: u64, meta: u8, key: TVMFFIAny, value: TVMFFIAny) -> Put {
        store(self.meta_at(place), meta);
        store(self.item_at(place), Item { key, value, prev: NOWHERE, next: NOWHERE });
        self.link_last(place);
        self.cell.map.size += 1;
        Put::New
    }

    /// Moves an entry to a slot that is free, in the same place of the iteration order.
    fn move_item(&mut self, from: u64, to: u64) {
        let item = self.item(from);
        store(self.item_at(to), item);
        self.set_next(item.prev, to);
        self.set_prev(item.next, to);
    }

    fn link_last(&mut self, place: u64) {
        let tail = self.cell.tail;
        let item = Item { prev: tail, next: NOWHERE, ..self.item(place) };
        store(self.item_at(place), item);
        self.set_next(tail, place);
        self.cell.tail = place;
    }

    fn unlink(&mut self, place: u64) {
        let Item { prev, next, .. } = self.item(place);
        self.set_next(prev, next);
        self.set_prev(next, prev);
    }

    /// Sets what comes after a slot, or what comes first.
    fn set_next(&mut self, place: u64, next: u64) {
        match place {
            NOWHERE => self.cell.head = next,
            place => store(self.item_at(place), Item { next, ..self.item(place) }),
        }
    }

    /// Sets what comes before a slot, or what comes last.
    fn set_prev(&mut self, place: u64, prev: u64) {
        match place {
            NOWHERE => self.cell.tail = prev,
            place => store(self.item_at(place), Item { prev, ..self.item(place) }),
        }
    }

    fn home(&self, client: &Client, key: &TVMFFIAny) -> Verdict<u64> {
        Ok(home(client.hash(key)?, self.cell.fib_shift) as u64)
    }

    fn is_full(&self) -> bool {
        (self.cell.map.size + 1) as f64 > self.cell.map.slots as f64 * 0.99
    }

    /// The next slot of a chain.
    fn next(&self, place: u64) -> Option<u64> {
        match JUMPS[usize::from(self.meta(place) & !MEMBER)] {
            0 => None,
            jump => Some(place.wrapping_add(jump) % self.cell.map.slots),
        }
    }

    /// The first empty slot that can follow one in a chain, with its code.
    fn free_after(&self, place: u64) -> Option<(u8, u64)> {
        let reached = |code: u8| (code, place.wrapping_add(JUMPS[usize::from(code)]) % self.cell.map.slots);
        (1..JUMPS.len() as u8).map(reached).find(|(_, place)| self.meta(*place) == EMPTY)
    }

    /// Sets which slot follows in a chain.
    fn jump(&self, place: u64, code: u8) {
        store(self.meta_at(place), self.meta(place) & MEMBER | code);
    }

    fn meta(&self, place: u64) -> u8 {
        load(self.meta_at(place))
    }

    fn item(&self, place: u64) -> Item {
        load(self.item_at(place))
    }

    fn meta_at(&self, place: u64) -> *mut u8 {
        let (block, slot) = (place / BLOCK_SLOTS, place % BLOCK_SLOTS);
        self.cell.map.data.wrapping_byte_add(block as usize * BLOCK + slot as usize).cast()
    }

    fn item_at(&self, place: u64) -> *mut Item {
        let (block, slot) = (place / BLOCK_SLOTS, place % BLOCK_SLOTS);
        let items = self.cell.map.data.wrapping_byte_add(block as usize * BLOCK + BLOCK_SLOTS as usize);
        items.cast::<Item>().wrapping_add(slot as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn tables_have_as_many_slots_as_those_of_the_public_library() {
        let known =
            [(4, 8), (5, 16), (7, 16), (8, 16), (9, 32), (15, 32), (16, 32), (17, 64), (100, 256), (1000, 2048)];
        for (entries, slots) in known {
            assert_eq!(Table::slots_for(entries), slots, "{entries} entries");
        }
    }
}
