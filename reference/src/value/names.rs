//! Tables of names in which others look names up without a lock while they change.
//!
//! Changes are made by one thread at a time. What leaves a table may still be looked at, so whoever takes it out has to know
//! when that is over.

use std::{
    ptr,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering},
};

use crate::{system::memory, value::name_hash::name_hash};

/// What names stand for.
pub struct Names<T: 'static> {
    table: AtomicPtr<Table<T>>,
    /// How many names there are, ...
    len: AtomicUsize,
    /// ... and how many places are no longer free.
    used: AtomicUsize,
}

/// The places of a table. A name lies at the one that its hash says, or at the first free one behind it.
struct Table<T>(Box<[AtomicPtr<Named<T>>]>);

/// A table that has become too small, where somebody may still be looking. What it led to is in the larger one now.
pub struct Outgrown<T> {
    _table: Box<Table<T>>,
}

/// A name and what it stands for.
pub struct Named<T> {
    hash: u64,
    name: Box<[u8]>,
    item: T,
}

/// As many places as a table begins with. Half of them, and of those of larger tables, are free.
const FIRST_SIZE: usize = 256;

/// What a place holds that a name has left: others may have had to go behind it.
const fn gone<T>() -> *mut Named<T> {
    ptr::dangling_mut()
}

impl<T> Names<T> {
    /// No names.
    pub const fn new() -> Self {
        Self { table: AtomicPtr::new(ptr::null_mut()), len: AtomicUsize::new(0), used: AtomicUsize::new(0) }
    }

    /// What a name stands for.
    #[inline]
    pub fn get(&self, name: &[u8]) -> Option<&T> {
        let (_, named) = self.table()?.find(name, name_hash(name))?;
        // SAFETY: whoever takes it out keeps it as long as it is looked at.
        Some(unsafe { &(*named).item })
    }

    /// All names and what they stand for, in any order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &T)> {
        // SAFETY: as above.
        let all = self.table().into_iter().flat_map(Table::all).map(|named| unsafe { &*named });
        all.map(|named| (&*named.name, &named.item))
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// Makes room for one more name, and answers the table that is outgrown by that; `None` if there is no memory for it.
    ///
    /// # Safety
    /// One thread at a time changes the names. What was outgrown is dropped when nobody looks at it.
    pub unsafe fn make_room(&self) -> Option<Option<Outgrown<T>>> {
        let size = self.table().map_or(0, |table| table.0.len());
        if 2 * (self.used.load(Ordering::Relaxed) + 1) <= size {
            return Some(None);
        }
        let len = self.len.load(Ordering::Relaxed);
        let size = (4 * len).next_power_of_two().max(FIRST_SIZE);
        let mut places = memory::kept_room(size)?;
        places.resize_with(size, AtomicPtr::default);
        let larger = Table(places.into_boxed_slice());
        for named in self.table().into_iter().flat_map(Table::all) {
            // SAFETY: only this thread takes names out.
            larger.free_place(unsafe { (*named).hash }).store(named, Ordering::Relaxed);
        }
        self.used.store(len, Ordering::Relaxed);
        let outgrown = self.table.swap(Box::into_raw(Box::new(larger)), Ordering::AcqRel);
        // SAFETY: a table comes from a box.
        Some((!outgrown.is_null()).then(|| unsafe { Outgrown { _table: Box::from_raw(outgrown) } }))
    }

    /// Has a name, for which there is [room](Self::make_room), stand for something, and answers what it stood for.
    ///
    /// # Safety
    /// As for [`make_room`](Self::make_room).
    pub unsafe fn put(&self, name: Box<[u8]>, item: T) -> Option<Box<Named<T>>> {
        let table = self.table().expect("there is room for the name");
        let hash = name_hash(&name);
        let found = table.find(&name, hash);
        let named = Box::into_raw(Box::new(Named { hash, name, item }));
        if let Some((place, old)) = found {
            place.store(named, Ordering::Release);
            // SAFETY: it comes from a box, and has left the table.
            return Some(unsafe { Box::from_raw(old) });
        }
        let before = table.free_place(hash).swap(named, Ordering::AcqRel);
        self.len.fetch_add(1, Ordering::Relaxed);
        self.used.fetch_add(usize::from(before != gone()), Ordering::Relaxed);
        None
    }

    /// Takes a name out.
    ///
    /// # Safety
    /// As for [`make_room`](Self::make_room).
    pub unsafe fn remove(&self, name: &[u8]) -> Option<Box<Named<T>>> {
        let (place, named) = self.table()?.find(name, name_hash(name))?;
        place.store(gone(), Ordering::Release);
        self.len.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: it comes from a box, and has left the table.
        Some(unsafe { Box::from_raw(named) })
    }

    #[inline]
    fn table(&self) -> Option<&Table<T>> {
        // SAFETY: whoever makes room keeps what was outgrown as long as it is looked at.
        unsafe { self.table.load(Ordering::Acquire).as_ref() }
    }
}

impl<T> Table<T> {
    /// The place of a name, and what is there.
    #[inline]
    fn find(&self, name: &[u8], hash: u64) -> Option<(&AtomicPtr<Named<T>>, *mut Named<T>)> {
        let mut at = hash as usize;
        loop {
            let place = &self.0[at & (self.0.len() - 1)];
            let named = place.load(Ordering::Acquire);
            if named.is_null() {
                return None;
            }
            // SAFETY: whoever takes it out keeps it as long as it is looked at.
            if named != gone() && unsafe { (*named).hash == hash && *(*named).name == *name } {
                return Some((place, named));
            }
            at = at.wrapping_add(1);
        }
    }

    /// Where a name goes that is not in the table: a place without a name.
    fn free_place(&self, hash: u64) -> &AtomicPtr<Named<T>> {
        let mut places = (0..self.0.len()).map(|step| &self.0[(hash as usize).wrapping_add(step) & (self.0.len() - 1)]);
        let is_free = |place: &&AtomicPtr<Named<T>>| [ptr::null_mut(), gone()].contains(&place.load(Ordering::Relaxed));
        places.find(is_free).expect("half of the places are free")
    }

    fn all(&self) -> impl Iterator<Item = *mut Named<T>> {
        let all = self.0.iter().map(|place| place.load(Ordering::Acquire));
        all.filter(|named| !named.is_null() && *named != gone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(number: usize) -> Box<[u8]> {
        format!("name {number}").into_bytes().into()
    }

    #[test]
    fn names_are_found_while_the_table_grows() {
        static NAMES: Names<usize> = Names::new();
        assert_eq!(NAMES.get(b"name 0"), None);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..1000 {
                    // SAFETY: one thread changes the names, and nothing is ever dropped.
                    unsafe {
                        std::mem::forget(NAMES.make_room().unwrap());
                        assert!(NAMES.put(name(number), number).is_none());
                    }
                }
            });
            for number in 0..1000 {
                let found = std::iter::repeat_with(|| NAMES.get(&name(number))).find_map(|found| found);
                assert_eq!(found, Some(&number));
            }
        });
        assert_eq!(NAMES.get(b"name 1000"), None);
        let mut numbers: Vec<_> = NAMES.iter().map(|(_, number)| *number).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..1000));
    }

    #[test]
    fn names_that_come_and_go_take_no_more_room() {
        let names = Names::new();
        // SAFETY: nobody else looks at the names.
        unsafe {
            for number in 0..10_000 {
                drop(names.make_room().unwrap());
                assert!(names.put(name(number), number).is_none());
                let old = names.put(name(number), number + 1).unwrap();
                assert_eq!((old.item, names.get(&name(number))), (number, Some(&(number + 1))));
                if number >= 5 {
                    assert!(names.remove(&name(number - 5)).is_some() && names.get(&name(number - 5)).is_none());
                }
            }
            assert_eq!(names.iter().count(), 5);
            assert_eq!(names.table().unwrap().0.len(), FIRST_SIZE);
            assert!(names.remove(b"another").is_none());
            (9_995..10_000).for_each(|number| drop(names.remove(&name(number))));
            drop(Box::from_raw(names.table.load(Ordering::Relaxed)));
        }
    }
}
