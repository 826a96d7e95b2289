//! Arrays that grow while C clients read them through a pointer and a count.

use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use crate::system::memory::{self, RoomFor};

/// An array that grows while C clients read it through a pointer and a count. Outgrown storage is kept.
pub struct Published<T> {
    items: Vec<T>,
    outgrown: Vec<Vec<T>>,
}

impl<T: Copy> Published<T> {
    /// No items.
    pub const EMPTY: Self = Self { items: Vec::new(), outgrown: Vec::new() };

    /// Appends an item, for which there is room.
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Makes room for `len` items in all; `None` if there is no memory for them. What a reader holds stays as it is.
    pub fn make_room(&mut self, len: usize) -> Option<()> {
        if len > self.items.capacity() {
            let mut larger = memory::kept_room(len.max(2 * self.items.capacity()))?;
            self.outgrown.room_for(1).ok()?;
            larger.extend_from_slice(&self.items);
            self.outgrown.push(std::mem::replace(&mut self.items, larger));
        }
        Some(())
    }

    /// The items.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items, to be changed where no reader minds.
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Appends copies of `item` up to `len`, for which there is room.
    pub fn resize(&mut self, len: usize, item: T) {
        self.items.resize(len.max(self.items.len()), item);
    }

    /// Shows the array to readers: a pointer that has all the items, then their count.
    ///
    /// # Safety
    /// Both places are valid for writing, and readers take them as one array.
    pub unsafe fn publish(&self, data: *mut *const T, count: *mut i32) {
        // SAFETY: the caller vouches for the places; both are naturally aligned.
        unsafe {
            AtomicPtr::from_ptr(data.cast::<*mut T>()).store(self.items.as_ptr().cast_mut(), Ordering::Release);
            AtomicI32::from_ptr(count).store(self.items.len() as i32, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{ptr, slice};

    use super::*;

    #[test]
    fn what_was_shown_stays_readable() {
        let mut array = Published::EMPTY;
        let (mut data, mut count) = (ptr::null(), 0);
        let mut shown: Vec<&[u32]> = Vec::new();
        for item in 0..100 {
            array.make_room(array.items().len() + 1).unwrap();
            array.push(item);
            // SAFETY: both places are valid, and what is shown is never freed before the array is.
            unsafe {
                array.publish(&mut data, &mut count);
                shown.push(slice::from_raw_parts(data, count as usize));
            }
        }
        assert!(shown.iter().enumerate().all(|(last, items)| items.len() == last + 1 && items[last] == last as u32));
    }

    #[test]
    fn resizing_never_shrinks() {
        let mut array = Published::EMPTY;
        array.make_room(3).unwrap();
        array.resize(3, 7);
        array.resize(1, 8);
        assert_eq!(array.items(), [7, 7, 7]);
    }
}
