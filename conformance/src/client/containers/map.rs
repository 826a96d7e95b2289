//! Reading a Map or a Dict, in either layout.

use std::collections::BTreeSet;

use tvm_ffi_spec::{dense_map::JUMPS, *};

use super::sequence::value_of;
pub use crate::client::map_memory::*;
use crate::client::{connection::Client, expectation::TypeIndex, memory, owned::Owned, value::view, verdict::Verdict};

/// A Map or a Dict as it was read.
#[derive(Clone, Debug)]
pub struct Map {
    /// What every map has.
    pub cell: MapCell,
    /// Keys and values in iteration order.
    pub entries: Vec<(TVMFFIAny, TVMFFIAny)>,
    /// What only the dense layout has.
    pub dense: Option<Dense>,
}

/// The dense layout as it was read.
#[derive(Clone, Debug)]
pub struct Dense {
    /// What follows the header.
    pub cell: DenseMapCell,
    /// The slots, each with its byte; an empty one has no item.
    pub slots: Vec<(u8, Option<Item>)>,
}

/// Entries in the memory of a small map begin closer to its header than this, however they are aligned.
const PAGE: usize = 4096;

impl Client {
    /// Reads a Map or a Dict and holds it to the rules of its layout.
    pub fn map(&self, object: TVMFFIObjectHandle) -> Verdict<Map> {
        let type_index = self.header(object)?.type_index;
        let known = matches!(type_index, kTVMFFIMap | kTVMFFIDict);
        self.that("type index of a map", known, "72 or 76", TypeIndex(type_index))?;
        let cell: MapCell = self.cell("cell of the map", object)?;
        let map = if cell.slots & SMALL != 0 { self.small(object, cell)? } else { self.dense(object)? };
        for (index, (key, value)) in map.entries.iter().enumerate() {
            self.storable(format_args!("key {index}"), key)?;
            self.storable(format_args!("value {index}"), value)?;
        }
        Ok(map)
    }

    fn small(&self, object: TVMFFIObjectHandle, cell: MapCell) -> Verdict<Map> {
        let slots = cell.slots & !SMALL;
        self.that("slots of a small map", slots <= SMALL_SLOTS, "at most 4", slots)?;
        self.that("size of a small map", cell.size <= slots, format_args!("at most its {slots} slots"), cell.size)?;
        // A Dict that has grown in place may keep its entries in another block, which its data_deleter then ends.
        if cell.data_deleter.is_none() && slots > 0 {
            let distance = (cell.data as usize).wrapping_sub(object as usize);
            self.that("distance of the entries from the map", (SIZE..PAGE).contains(&distance), "within it", distance)?;
        }
        let bytes = self.read_bytes("entries of a small map", cell.data, cell.size as usize * ENTRY)?;
        let entries: Vec<_> =
            bytes.chunks_exact(ENTRY).map(|entry| (value_of(entry), value_of(&entry[16..]))).collect();
        for (index, (key, _)) in entries.iter().enumerate() {
            for (before, (other, _)) in entries[..index].iter().enumerate() {
                let same = self.same(other, key)?;
                self.that(
                    format_args!("key {index}"),
                    !same,
                    format_args!("a key that differs from key {before}"),
                    "the same",
                )?;
            }
        }
        Ok(Map { cell, entries, dense: None })
    }

    fn dense(&self, object: TVMFFIObjectHandle) -> Verdict<Map> {
        let cell: DenseMapCell = self.cell("cell of the dense map", object)?;
        let MapCell { data, size, slots, .. } = cell.map;
        if (slots, size) == (0, 0) {
            // A map of nothing needs no table.
            let dense = Dense { cell, slots: Vec::new() };
            return Ok(Map { cell: cell.map, entries: self.in_order(&dense)?, dense: Some(dense) });
        }
        let power = slots.is_power_of_two() && slots >= 8 && slots < memory::LIMIT as u64 / 64;
        self.that("slots of a dense map", power, "a power of two from 8 on", slots)?;
        self.eq("fib_shift of a dense map", cell.fib_shift, 64 - slots.trailing_zeros())?;
        self.that("size of a dense map", size <= slots, format_args!("at most its {slots} slots"), size)?;

        let blocks = slots.div_ceil(BLOCK_SLOTS) as usize;
        let bytes = self.read_bytes("blocks of a dense map", data, blocks * BLOCK)?;
        let mut read = Vec::with_capacity(blocks * BLOCK_SLOTS as usize);
        for block in bytes.chunks_exact(BLOCK) {
            let (metadata, items) = block.split_at(BLOCK_SLOTS as usize);
            let items = items.chunks_exact(size_of::<Item>());
            read.extend(
                metadata.iter().zip(items).map(|(meta, item)| (*meta, (*meta != EMPTY).then(|| item_of(item)))),
            );
        }
        for (index, (meta, _)) in read.iter().enumerate() {
            let code = usize::from(*meta & !MEMBER);
            let beyond = index as u64 >= slots;
            let fits = *meta == EMPTY || (!beyond && code < JUMPS.len());
            let expected = if beyond { "0xff, for there is no such slot" } else { "that of an empty or a used slot" };
            self.that(format_args!("metadata of slot {index}"), fits, expected, format_args!("{meta:#04x}"))?;
        }
        read.truncate(slots as usize);
        let live = read.iter().filter(|(_, item)| item.is_some()).count() as u64;
        self.eq("number of used slots of a dense map", live, size)?;
        let dense = Dense { cell, slots: read };
        let entries = self.in_order(&dense)?;
        self.chains(&dense)?;
        Ok(Map { cell: cell.map, entries, dense: Some(dense) })
    }

    /// Follows the links from the first entry to the last.
    fn in_order(&self, dense: &Dense) -> Verdict<Vec<(TVMFFIAny, TVMFFIAny)>> {
        let mut entries = Vec::new();
        let (mut place, mut before) = (dense.cell.head, NOWHERE);
        while place != NOWHERE {
            let item = dense.slots.get(place as usize).and_then(|(_, item)| *item);
            let Some(item) = item else {
                return Err(self.failure("a slot in the iteration order", "a used slot", place));
            };
            self.eq(format_args!("prev of slot {place}"), item.prev, before)?;
            self.that("entries in iteration order", entries.len() < dense.slots.len(), "an end", "a circle")?;
            entries.push((item.key, item.value));
            (before, place) = (place, item.next);
        }
        self.eq("the last slot in iteration order", dense.cell.tail, before)?;
        self.eq("entries in iteration order", entries.len() as u64, dense.cell.map.size)?;
        Ok(entries)
    }

    /// Follows every chain from its first slot and expects to find in it what belongs there, and each used slot once.
    fn chains(&self, dense: &Dense) -> Verdict {
        let mut reached = BTreeSet::new();
        for (first, (meta, item)) in dense.slots.iter().enumerate() {
            if item.is_none() || meta & MEMBER != 0 {
                continue;
            }
            let (mut place, mut chain) = (first, Vec::new());
            loop {
                let (meta, item) = dense.slots[place];
                let Some(Item { key, .. }) = item else {
                    return Err(self.failure(
                        format_args!("slot {place} in the chain of slot {first}"),
                        "a used slot",
                        "empty",
                    ));
                };
                let what = format_args!("whether slot {place} of the chain of slot {first} has the bit of a member");
                self.eq(what, meta & MEMBER != 0, place != first)?;
                self.that(format_args!("slot {place}"), reached.insert(place), "in one chain", "reached twice")?;
                self.eq(
                    format_args!("home of the key in slot {place}"),
                    home(self.hash(&key)?, dense.cell.fib_shift),
                    first,
                )?;
                for other in &chain {
                    let same = self.same(other, &key)?;
                    self.that(
                        format_args!("key in slot {place}"),
                        !same,
                        "a key that its chain has not had",
                        "the same",
                    )?;
                }
                chain.push(key);
                match JUMPS[usize::from(meta & !MEMBER)] {
                    0 => break,
                    jump => place = ((place as u64).wrapping_add(jump) % dense.slots.len() as u64) as usize,
                }
            }
        }
        self.eq("used slots that belong to a chain", reached.len() as u64, dense.cell.map.size)
    }

    /// Expects plain integers as keys and values, in this order.
    pub fn maps_ints(&self, object: TVMFFIObjectHandle, expected: &[(i64, i64)]) -> Verdict {
        let entries = self.map(object)?.entries;
        let plain = entries.iter().all(|(key, value)| (key.type_index, value.type_index) == (kTVMFFIInt, kTVMFFIInt));
        self.that("keys and values", plain, "integers", format_args!("{entries:?}"))?;
        let got: Vec<_> = entries.iter().map(|(key, value)| (key.payload() as i64, value.payload() as i64)).collect();
        self.eq("keys and values in iteration order", got, expected.to_vec())
    }
}

/// The slot in which the chain of a hash begins.
pub fn home(hash: u64, fib_shift: u32) -> usize {
    hash.wrapping_mul(FIBONACCI).wrapping_shr(fib_shift) as usize
}

fn item_of(bytes: &[u8]) -> Item {
    let word = |at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap_or_default());
    Item { key: value_of(bytes), value: value_of(&bytes[16..]), prev: word(32), next: word(40) }
}

impl Client {
    /// Expects the function that walks through a map, as `make` makes it, to find as many entries as there are. Calls of one and the same kind in
    /// thousands: the first are noted.
    pub fn iterates_through(&self, make: &str, map: &Owned, len: i64) -> Verdict {
        const NOTED: i64 = 8;
        let next = self.call_global(make, &[map.any()])?;
        let (mut more, further) = (TVMFFIAny::NONE, [view::int(2)]);
        for at in 0..len {
            self.ok(match at {
                ..NOTED => self.api.TVMFFIFunctionCall(next.handle(), further.as_ptr().cast_mut(), 1, &mut more),
                _ => self.api.call_unnoted(next.handle(), &further, &mut more),
            })?;
            self.any_eq(format_args!("answer behind entry {at} of {len}"), &more, &view::bool(at + 1 < len))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_are_small_numbers_and_then_triangular_ones() {
        assert_eq!(JUMPS[..16], (0..16).collect::<Vec<u64>>());
        assert_eq!(
            (JUMPS[16], JUMPS[17], JUMPS[82], JUMPS[83], JUMPS[125]),
            (21, 28, 2628, 8515, 5_209_859_154_120_846_435)
        );
        for jump in &JUMPS[16..] {
            let root = (8 * u128::from(*jump) + 1).isqrt();
            assert_eq!(root * root, 8 * u128::from(*jump) + 1, "{jump} is triangular");
        }
    }

    /// The keys 0, 7, … 77 in sixteen slots, as they were measured on release 0.1.15.post2.
    #[test]
    fn homes_are_those_of_the_public_library() {
        let home = |key: u64| home(super::super::hash::combine(1, key), 60);
        assert_eq!([0, 7, 14, 21, 28, 35, 42, 49].map(home), [2, 11, 12, 5, 6, 15, 1, 10]);
    }
}
