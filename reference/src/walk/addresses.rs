//! What a walk notes of objects, by their addresses.

use std::{
    collections::{HashMap, HashSet, TryReserveError},
    hash::{BuildHasherDefault, Hash, Hasher},
};

use crate::system::memory::RoomFor;

/// A table of things by addresses or other words that nobody chooses to collide.
pub type ByAddress<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

/// A set of addresses.
#[derive(Default)]
pub struct Addresses<K = usize>(HashSet<K, BuildHasherDefault<WordHasher>>);

impl<K: Hash + Eq> Addresses<K> {
    /// Adds an address; `false` if it was there.
    pub fn insert(&mut self, address: K) -> Result<bool, TryReserveError> {
        self.0.room_for(1)?;
        Ok(self.0.insert(address))
    }

    /// Whether an address is there.
    pub fn contains(&self, address: K) -> bool {
        !self.0.is_empty() && self.0.contains(&address)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes an address out.
    pub fn remove(&mut self, address: K) {
        self.0.remove(&address);
    }
}

/// Hashes words by a multiplication, of which each bit of a word reaches the bits that a table looks at.
#[derive(Default)]
pub struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    #[inline]
    fn write_i32(&mut self, word: i32) {
        self.write_u64(word as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
