//! Tables of names that grow while others look names up in them, without a lock.
//!
//! What has a name keeps it as long as the process lives, so nothing ever leaves a table.

use std::{
    iter, ptr,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering},
};

use crate::{system::memory, value::name_hash::name_hash};

/// What names stand for.
pub struct Names<T: 'static> {
    table: AtomicPtr<Table<T>>,
    len: AtomicUsize,
}

/// A name lies at the place that its hash says, or at the first one behind it that is free.
struct Table<T> {
    /// As many as a power of two, of which at least half are free.
    places: Box<[AtomicPtr<Named<T>>]>,
    /// The table that this one has replaced, where somebody may still be looking.
    _outgrown: *mut Table<T>,
}

struct Named<T> {
    hash: u64,
    name: &'static [u8],
    item: T,
}

const FIRST_SIZE: usize = 64;

impl<T: Copy> Names<T> {
    /// No names.
    pub const fn new() -> Self {
        Self { table: AtomicPtr::new(ptr::null_mut()), len: AtomicUsize::new(0) }
    }

    /// What a name stands for.
    #[inline]
    pub fn get(&self, name: &[u8]) -> Option<T> {
        let hash = name_hash(name);
        let mut all = self.table()?.from(hash);
        // SAFETY: what has been published is never freed.
        iter::from_fn(|| unsafe { all.next()?.load(Ordering::Acquire).as_ref() })
            .find(|named| named.hash == hash && named.name == name)
            .map(|named| named.item)
    }

    /// All names and what they stand for, in any order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static [u8], T)> {
        let places = self.table().into_iter().flat_map(|table| &table.places);
        // SAFETY: as above.
        places
            .filter_map(|place| unsafe { place.load(Ordering::Acquire).as_ref() })
            .map(|named| (named.name, named.item))
    }

    /// Makes room for one more name; `None` if there is no memory for that. One thread at a time.
    pub fn make_room(&self) -> Option<()> {
        let (old, len) = (self.table(), self.len.load(Ordering::Relaxed));
        if old.is_some_and(|old| 2 * (len + 1) <= old.places.len()) {
            return Some(());
        }
        let size = old.map_or(FIRST_SIZE, |old| 2 * old.places.len());
        let mut places = memory::kept_room(size)?;
        places.resize_with(size, AtomicPtr::default);
        let outgrown = self.table.load(Ordering::Relaxed);
        let table = Table { places: places.into_boxed_slice(), _outgrown: outgrown };
        for place in old.into_iter().flat_map(|old| &old.places) {
            let named = place.load(Ordering::Relaxed);
            // SAFETY: what has been published is never freed.
            if let Some(Named { hash, .. }) = unsafe { named.as_ref() } {
                table.put(*hash, named);
            }
        }
        self.table.store(Box::into_raw(Box::new(table)), Ordering::Release);
        Some(())
    }

    /// Adds a name that the table does not have, and has [room](Self::make_room) for. One thread at a time.
    pub fn insert(&self, name: &'static [u8], item: T) {
        let named = Named { hash: name_hash(name), name, item };
        let table = self.table().expect("there is room for the name");
        table.put(named.hash, Box::into_raw(Box::new(named)));
        self.len.fetch_add(1, Ordering::Relaxed);
    }

    #[inline]
    fn table(&self) -> Option<&Table<T>> {
        // SAFETY: what has been published is never freed.
        unsafe { self.table.load(Ordering::Acquire).as_ref() }
    }
}

impl<T> Table<T> {
    /// All places from the one on that a hash says.
    #[inline]
    fn from(&self, hash: u64) -> impl Iterator<Item = &AtomicPtr<Named<T>>> {
        let last = self.places.len() - 1;
        (0..).map(move |step| &self.places[(hash as usize).wrapping_add(step) & last])
    }

    /// Publishes what has a name at the first place that is free.
    fn put(&self, hash: u64, named: *mut Named<T>) {
        let free = self.from(hash).find(|place| place.load(Ordering::Relaxed).is_null());
        free.expect("half of the places are free").store(named, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_while_the_table_grows() {
        static NAMES: Names<usize> = Names::new();
        let name = |number: usize| -> &'static [u8] { format!("name {number}").leak().as_bytes() };
        assert_eq!(NAMES.get(b"name 0"), None);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..1000 {
                    NAMES.make_room().unwrap();
                    NAMES.insert(name(number), number);
                }
            });
            for number in 0..1000 {
                let found = iter::repeat_with(|| NAMES.get(name(number))).find_map(|found| found);
                assert_eq!(found, Some(number));
            }
        });
        assert_eq!(NAMES.get(b"name 1000"), None);
        let mut numbers: Vec<_> = NAMES.iter().map(|(_, number)| number).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..1000));
    }
}
