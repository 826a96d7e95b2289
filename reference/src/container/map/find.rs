//! Looking for entries of maps, by position and by key.

use std::{marker::PhantomData, mem::ManuallyDrop, ptr::NonNull, slice};

use tvm_ffi_spec::{kTVMFFIMap, kTVMFFIStaticObjectBegin, kTVMFFIStr};

use super::{
    dense::{self, Dense, NO_SLOT},
    entry::{Entry, Head},
    layout::*,
};
use crate::{
    border::error::{Error, Result},
    container::{
        copies::Copies,
        key::{Key, hash_of_bits},
    },
    system::memory,
    value::any::{Any, AnyView},
};

/// How many entries there are.
#[inline]
pub fn len(map: &Mapping) -> usize {
    head(map).size as usize
}

/// The value of a key.
#[inline]
pub fn get(map: &Mapping, key: &AnyView<'_>) -> Result<Option<Any>> {
    // SAFETY: cloning a value runs no foreign code.
    Ok(unsafe { find(map, key) }?.cloned())
}

/// Whether there is such a key.
#[inline]
pub fn contains(map: &Mapping, key: &AnyView<'_>) -> Result<bool> {
    // SAFETY: nothing runs while the value is borrowed.
    Ok(unsafe { find(map, key) }?.is_some())
}

/// The entries as they are now, in the order of iteration, to be walked while foreign code runs.
pub fn entries(map: &Mapping) -> Result<Vec<(Any, Any)>> {
    let mut entries = memory::room(len(map))?;
    // SAFETY: cloning values runs no foreign code.
    entries.extend(unsafe { iter(map) }.map(|(key, value)| (key.clone(), value.clone())));
    Ok(entries)
}

/// As [`entries`], each key and its value in turn.
pub fn keys_and_values(map: &Mapping) -> Result<Vec<Any>> {
    // SAFETY: cloning values runs no foreign code.
    unsafe { iter(map) }.copied()
}

/// The values as they are now, in the order of iteration, to be walked while foreign code runs.
#[inline]
pub fn copy_values(map: &Mapping, copies: &mut Copies<Any>) -> Result<()> {
    // SAFETY: cloning values runs no foreign code, and the entries are those of the map.
    unsafe {
        match small_entries(map) {
            Some(few) => copies.fill(few.len(), few.iter().map(|entry| Entry::parts(entry).1.clone())),
            None => copies.fill(len(map), BothEnds::of(map).map(|(_, entry)| Entry::parts(entry).1.clone())),
        }
    }
}

/// The value of a key where it lies.
///
/// # Safety
/// Nobody changes the map while the value is borrowed. So no foreign code is called meanwhile.
#[inline]
pub unsafe fn find<'a>(map: &'a Mapping, key: &AnyView<'_>) -> Result<Option<&'a Any>> {
    let found = if Key::is_bits(key) { entry_of_bits(map, key) } else { entry_of(map, key)? };
    // SAFETY: the entry is live, and stays so as long as nobody changes the map.
    Ok(found.map(|entry| unsafe { Entry::parts(entry.as_ptr()) }.1))
}

#[inline(never)]
fn entry_of_bits(map: &Mapping, key: &AnyView<'_>) -> Option<NonNull<Entry>> {
    entry_where(map, || Some(hash_of_bits(key)), |kept| kept.words() == key.words())
}

/// The entry of a key of any kind.
#[inline(never)]
fn entry_of(map: &Mapping, key: &AnyView<'_>) -> Result<Option<NonNull<Entry>>> {
    let key = Key::new(key);
    match key.bits() {
        Some(bits) => Ok(entry_of_bits(map, bits)),
        None if key.is_plain() => Ok(entry_where(map, || key.hash(), |kept| key.equals_plainly(kept))),
        None => {
            let position = hooked_position(map, &key)?;
            // SAFETY: the position has an entry.
            Ok(position.and_then(|position| NonNull::new(unsafe { entry(map, position) })))
        }
    }
}

/// The entry whose key `is_it` knows, where that has this hash, if it has one.
#[inline(always)]
fn entry_where(
    map: &Mapping,
    hash: impl FnOnce() -> Option<u64>,
    is_it: impl Fn(&AnyView<'_>) -> bool,
) -> Option<NonNull<Entry>> {
    // SAFETY: each entry is one of the map, and nothing runs but the comparison.
    let is_at = |entry: &NonNull<Entry>| is_it(unsafe { Entry::parts(entry.as_ptr()) }.0.view());
    match dense(map) {
        None => {
            let first = NonNull::new(head(map).data.cast::<Entry>())?;
            // SAFETY: the map has so many entries, one behind the other.
            (0..head(map).size as usize).map(|index| unsafe { first.add(index) }).find(is_at)
        }
        Some(dense) => dense.entries_with(hash()?).find(is_at),
    }
}

/// Looks the keys of a map up in another. As a rule both have them in the same order, so that each is looked for at the entry
/// behind the last one first.
pub struct InStep<'a> {
    map: ManuallyDrop<Mapping>,
    /// None of a Dict that may change on the way.
    entries: Option<Entries<'a>>,
}

impl<'a> InStep<'a> {
    /// Begins at the first entry of a map.
    ///
    /// # Safety
    /// The map is one that a walk holds, or that one lends to it, for `'a`.
    pub unsafe fn of(map: &Mapping) -> Self {
        // SAFETY: the caller's contract is the same, and a Dict may change from here on.
        unsafe { Self::at_once(map) }.for_longer()
    }

    /// As [`of`](Self::of), to be used before any foreign code runs: up to then a Dict does not change either.
    ///
    /// # Safety
    /// As for [`of`](Self::of), and for [`find`].
    pub unsafe fn at_once(map: &Mapping) -> Self {
        let map: *const Mapping = map;
        // SAFETY: nobody changes the map. What it refers to outlives the entries.
        let entries = Some(Entries(unsafe { Positions::of(&*map) }));
        // SAFETY: a copy that is never dropped takes nothing over.
        let map = ManuallyDrop::new(unsafe { map.read() });
        Self { map, entries }
    }

    /// To be used while foreign code runs in between, which does not change a Map that is held.
    pub fn for_longer(mut self) -> Self {
        if self.map.type_index() != kTVMFFIMap {
            self.entries = None;
        }
        self
    }

    /// The value of a key where it lies.
    ///
    /// # Safety
    /// As for [`find`].
    #[inline]
    pub unsafe fn find(&mut self, key: &AnyView<'_>) -> Result<Option<&Any>> {
        match self.entries.as_mut().and_then(Iterator::next) {
            Some((kept, value)) if is_same_plain(key, kept.view()) => Ok(Some(value)),
            // SAFETY: the caller's contract is the same.
            _ => unsafe { find(&self.map, key) },
        }
    }
}

impl InStep<'_> {
    /// Goes by entries of another map as long as their keys are plain and also here, and the values `equal`.
    ///
    /// # Safety
    /// As for [`find`].
    #[inline]
    pub unsafe fn pass(&mut self, entries: &mut Entries<'_>, equal: impl Fn(&Any, &Any) -> bool) {
        let Some(counterparts) = &mut self.entries else { return };
        while let Some((key, value)) = entries.peek()
            && is_plain(key.view().type_index())
        {
            let counterpart = match counterparts.peek() {
                Some((kept, counterpart)) if is_same_plain(key.view(), kept.view()) => Some(counterpart),
                // SAFETY: the caller's contract is the same, and a plain key has no hook that might fail.
                _ => unsafe { find(&self.map, key.view()) }.unwrap_or_default(),
            };
            if !counterpart.is_some_and(|counterpart| equal(value, counterpart)) {
                return;
            }
            entries.next();
            counterparts.next();
        }
    }
}

/// Whether keys of a type have no hooks, and nothing else corresponds to them.
#[inline]
fn is_plain(type_index: i32) -> bool {
    type_index < kTVMFFIStaticObjectBegin || type_index == kTVMFFIStr
}

/// Whether two keys are the same by what can be seen, and no objects that might have hooks.
#[inline]
fn is_same_plain(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> bool {
    let same = lhs.words() == rhs.words();
    match lhs.type_index() {
        kTVMFFIStr => same || rhs.type_index() == kTVMFFIStr && lhs.as_str() == rhs.as_str(),
        index => same && index < kTVMFFIStaticObjectBegin,
    }
}

/// The entries where they lie, in the order of iteration.
///
/// # Safety
/// As for [`find`].
#[inline]
pub unsafe fn iter(map: &Mapping) -> Entries<'_> {
    // SAFETY: the caller's contract is the same.
    Entries(unsafe { Positions::of(map) })
}

/// A walk over the entries of a map where they lie.
pub struct Entries<'a>(Positions<'a>);

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a Any, &'a Any);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        // SAFETY: the entry stays as long as the walk, as whoever began it sees to.
        self.0.next_entry().map(|(_, entry)| unsafe { Entry::parts(entry) })
    }
}

/// The positions of a map's entries in the order of iteration: indices in the small layout, slots in the dense one.
pub struct Positions<'a> {
    /// The map itself rather than where a reference to it lies, which may move.
    map: ManuallyDrop<Mapping>,
    next: Option<u64>,
    left: u64,
    lifetime: PhantomData<&'a Mapping>,
}

impl Clone for Positions<'_> {
    fn clone(&self) -> Self {
        // SAFETY: a copy that is never dropped takes nothing over.
        Self { map: unsafe { std::ptr::read(&raw const self.map) }, ..*self }
    }
}

impl<'a> Positions<'a> {
    /// # Safety
    /// Nobody changes the map during the walk.
    #[inline]
    pub(super) unsafe fn of(map: &'a Mapping) -> Self {
        // SAFETY: a copy that is never dropped takes nothing over.
        let handle = ManuallyDrop::new(unsafe { std::ptr::read(map) });
        Self { map: handle, next: first(map), left: head(map).size, lifetime: PhantomData }
    }

    /// The position that comes next.
    #[inline]
    fn peek(&self) -> Option<u64> {
        self.next.filter(|_| self.left > 0)
    }

    /// The next position, and the entry there.
    #[inline]
    pub(super) fn next_entry(&mut self) -> Option<(u64, *mut Entry)> {
        let position = self.peek()?;
        // SAFETY: the position has an entry, as nobody changes the map.
        let entry = unsafe { entry(&self.map, position) };
        // SAFETY: it is that of the position.
        self.next = unsafe { behind(&self.map, position, entry) };
        self.left -= 1;
        Some((position, entry))
    }
}

impl Iterator for Positions<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.next_entry().map(|(position, _)| position)
    }
}

/// The entries of a dense map with their positions, to be taken from both ends.
pub(super) struct BothEnds<'a> {
    front: Positions<'a>,
    back: u64,
}

impl<'a> BothEnds<'a> {
    /// # Safety
    /// As for [`Positions::of`].
    #[inline]
    pub(super) unsafe fn of(map: &'a Mapping) -> Self {
        // SAFETY: the caller's contract is the same.
        Self { front: unsafe { Positions::of(map) }, back: dense(map).map_or(NO_SLOT, Dense::last) }
    }
}

impl Iterator for BothEnds<'_> {
    type Item = (u64, *mut Entry);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.front.next_entry()
    }
}

impl DoubleEndedIterator for BothEnds<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let position = self.back;
        if self.front.left == 0 || position == NO_SLOT {
            return None;
        }
        self.front.left -= 1;
        // SAFETY: the position has an entry, as nobody changes the map.
        let entry = unsafe { entry(&self.front.map, position) };
        // SAFETY: it is one of the table.
        self.back = unsafe { dense::previous(entry) };
        Some((position, entry))
    }
}

impl<'a> Entries<'a> {
    /// What comes next.
    #[inline]
    fn peek(&self) -> Option<(&'a Any, &'a Any)> {
        let position = self.0.peek()?;
        // SAFETY: the position has an entry, which stays as long as the walk, as whoever began it sees to.
        Some(unsafe { Entry::parts(entry(&self.0.map, position)) })
    }

    /// Copies of each key and its value in turn, as far as they are still to come.
    pub fn copied(self) -> Result<Vec<Any>> {
        let mut copies = memory::room(self.len().saturating_mul(2))?;
        for (key, value) in self {
            copies.push(key.clone());
            copies.push(value.clone());
        }
        Ok(copies)
    }

    /// How many entries are still to come.
    pub fn len(&self) -> usize {
        self.0.left as usize
    }
}

/// The entries of a small map where they lie, in the order of iteration. None of a dense one.
///
/// # Safety
/// As for [`find`].
#[inline]
pub(super) unsafe fn small_entries(map: &Mapping) -> Option<&[Entry]> {
    let Head { data, size, .. } = *head(map);
    if !is_small(map) {
        return None;
    }
    // SAFETY: a small map has so many entries, one behind the other, if any.
    Some(if size == 0 { &[] } else { unsafe { slice::from_raw_parts(data.cast(), size as usize) } })
}

/// The position of the first entry.
#[inline]
pub(super) fn first(map: &Mapping) -> Option<u64> {
    match dense(map) {
        None => (head(map).size > 0).then_some(0),
        Some(dense) => (dense.head.size > 0).then_some(dense.first()).filter(|&slot| slot != NO_SLOT),
    }
}

/// The position behind another, whose entry this is.
///
/// # Safety
/// The entry is that of the position.
#[inline]
pub(super) unsafe fn behind(map: &Mapping, position: u64, entry: *const Entry) -> Option<u64> {
    match dense(map) {
        None => Some(position + 1).filter(|&next| next < head(map).size),
        // SAFETY: the entry is one of the table.
        Some(_) => Some(unsafe { dense::next(entry) }).filter(|&slot| slot != NO_SLOT),
    }
}

/// Whether there is an entry at a position, wherever that came from.
#[inline]
pub(super) fn has_entry(map: &Mapping, position: u64) -> bool {
    match dense(map) {
        None => position < head(map).size,
        Some(dense) => dense.is_occupied(position),
    }
}

/// Where the entry at a position lies.
///
/// # Safety
/// The position has an entry.
#[inline]
pub(super) unsafe fn entry(map: &Mapping, position: u64) -> *mut Entry {
    // SAFETY: the caller's contract is the same.
    unsafe {
        match dense(map) {
            None => head(map).data.cast::<Entry>().add(position as usize),
            Some(dense) => dense.entry(position),
        }
    }
}

/// The position of a key. It is an error if a hook of the key changes the map.
#[inline(always)]
pub(super) fn position_of(map: &Mapping, key: &Key<'_>) -> Result<Option<u64>> {
    if key.is_plain() { Ok(plain_position(map, key)) } else { hooked_position(map, key) }
}

/// The position of a key that has no hook.
#[inline(always)]
pub(super) fn plain_position(map: &Mapping, key: &Key<'_>) -> Option<u64> {
    match key.bits() {
        Some(bits) => position_of_bits(map, bits),
        None => position_of_content(map, key),
    }
}

#[inline(never)]
fn position_of_bits(map: &Mapping, bits: &AnyView<'_>) -> Option<u64> {
    position_where(map, || Some(hash_of_bits(bits)), |kept| kept.words() == bits.words())
}

#[inline(never)]
fn position_of_content(map: &Mapping, key: &Key<'_>) -> Option<u64> {
    position_where(map, || key.hash(), |kept| key.equals_plainly(kept))
}

/// The position of the entry whose key `is_it` knows, where that has this hash, if it has one.
#[inline]
fn position_where(
    map: &Mapping,
    hash: impl FnOnce() -> Option<u64>,
    is_it: impl Fn(&AnyView<'_>) -> bool,
) -> Option<u64> {
    // SAFETY: each entry is one of the map, and nothing runs but the comparison.
    let is_at = |entry| is_it(unsafe { Entry::parts(entry) }.0.view());
    match dense(map) {
        // SAFETY: the position has an entry.
        None => (0..head(map).size).find(|&position| is_at(unsafe { entry(map, position) })),
        Some(dense) => dense.seek(hash()?, |entry| is_at(entry.cast_mut())).ok(),
    }
}

#[inline(never)]
fn hooked_position(map: &Mapping, key: &Key<'_>) -> Result<Option<u64>> {
    if head(map).size == 0 {
        Ok(None)
    } else if is_small(map) {
        position_in_small(map, key)
    } else {
        position_in_dense(map, key, hash_of(map, key)?)
    }
}

#[inline]
pub(super) fn position_in_small(map: &Mapping, key: &Key<'_>) -> Result<Option<u64>> {
    for position in 0..head(map).size {
        // SAFETY: the map has so many entries; it is an error if a hook changes it.
        if unsafe { is_at(map, position, key)? } {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

#[inline]
pub(super) fn position_in_dense(map: &Mapping, key: &Key<'_>, hash: u64) -> Result<Option<u64>> {
    let mut next = dense(map).and_then(|dense| dense.chain_of(hash));
    while let Some(slot) = next {
        // SAFETY: the members of a chain are occupied; it is an error if a hook changes the map.
        if unsafe { is_at(map, slot, key)? } {
            return Ok(Some(slot));
        }
        // SAFETY: as above.
        next = dense(map).and_then(|dense| unsafe { dense.next_in_chain(slot) });
    }
    Ok(None)
}

/// Whether an entry has this key, which has no hook.
///
/// # Safety
/// The entry is one of a map that nobody changes meanwhile.
#[inline]
pub(super) unsafe fn is_plainly(key: &Key<'_>, entry: *const Entry) -> bool {
    // SAFETY: the caller says that the entry is live.
    let (kept, _) = unsafe { Entry::parts(entry) };
    key.equals_plainly(kept.view())
}

/// Whether the entry at a position has this key, which may have a hook.
///
/// # Safety
/// The position has an entry.
pub(super) unsafe fn is_at(map: &Mapping, position: u64, key: &Key<'_>) -> Result<bool> {
    // SAFETY: the position has an entry.
    let (kept, _) = unsafe { Entry::parts(entry(map, position)) };
    key.equals(kept.view()).map_or_else(|| is_at_by_hook(map, position, key, kept.clone()), Ok)
}

#[cold]
pub(super) fn is_at_by_hook(map: &Mapping, position: u64, key: &Key<'_>, kept: Any) -> Result<bool> {
    let kept_first = is_small(map);
    let equal = unless_changed(map, || key.equals_by_hook(kept.view(), kept_first))?;
    if !still_at(map, position, &kept) {
        return Err(changed());
    }
    Ok(equal)
}

/// The hash of a key, which a hook may have to tell.
#[inline]
pub(super) fn hash_of(map: &Mapping, key: &Key<'_>) -> Result<u64> {
    key.hash().map_or_else(|| unless_changed(map, || key.hash_by_hook()), Ok)
}

/// What foreign code answers, or an error if it changes the map.
#[inline]
pub(super) fn unless_changed<T>(map: &Mapping, foreign: impl FnOnce() -> Result<T>) -> Result<T> {
    let state = |map| {
        let Head { data, size, slots, .. } = *head(map);
        (data, size, slots, dense(map).map(|dense| (dense.first(), dense.last())))
    };
    let before = state(map);
    let answer = foreign()?;
    if state(map) == before { Ok(answer) } else { Err(changed()) }
}

/// Whether a position has an entry with this very key.
#[inline]
pub(super) fn still_at(map: &Mapping, position: u64, key: &Any) -> bool {
    has_entry(map, position) && {
        // SAFETY: the position has an entry.
        let (kept, _) = unsafe { Entry::parts(entry(map, position)) };
        kept.view().words() == key.view().words()
    }
}

#[cold]
pub(super) fn changed() -> Error {
    Error::new("RuntimeError", "The map was changed by a hook of one of its keys")
}
