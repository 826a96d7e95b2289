//! Maps and dicts: hash maps that remember an order. A Map is immutable once shared, a Dict is changed in place; their
//! memory is the same, and clients walk and change it inline.
//!
//! Up to four entries lie in the object itself, in the order of their insertion (the small layout); more lie in a table
//! (`dense`). An object that began small goes over to a table in place, so that each has room for the table's fields.
//!
//! Keys may have hooks for their hashes and comparisons, which are foreign code: it may fail, and it may reach the map
//! itself. So hashes are known before anything is changed, what is compared by a hook is held by a reference of its own,
//! and a map that has changed meanwhile is an error. Values that go may run foreign code too, and do so last.

mod dense;
mod places;
#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    ffi::c_void,
    ptr,
    sync::atomic::{AtomicU64, Ordering},
};

use tvm_ffi_spec::{kTVMFFIDict, kTVMFFIMap};

use self::dense::{Dense, Entry, NO_SLOT};
pub(crate) use self::places::{Place, exchange, places, take_if, value_at};
use crate::{
    border::error::{Error, Result},
    container::{buffer, key::Key},
    function::arguments::{Arguments, Signature},
    object::{self, ObjectRef, Payload},
    startup::globals::{self, Row, row},
    value::any::{Any, AnyView},
};

/// The fields that both layouts have, behind the header of the object.
#[repr(C)]
#[derive(Clone, Copy)]
struct Head {
    /// Entries in the small layout, blocks in the dense one.
    data: *mut c_void,
    /// Live entries.
    size: u64,
    /// How many entries there can be; the highest bit tells that the layout is small.
    slots: u64,
    /// Frees `data` when it lies outside the object.
    data_deleter: Option<unsafe extern "C" fn(*mut c_void)>,
}

const SMALL: u64 = 1 << 63;
/// The room that a small map claims at first, and that which its object has.
const FIRST_SLOTS: u64 = 2;
const SMALL_SLOTS: u64 = 4;

/// What lies behind the header of a map made here.
#[repr(C)]
struct Storage<const TYPE_INDEX: i32>(Head);

// SAFETY: the type is repr(C) and is what maps and dicts begin with.
unsafe impl<const TYPE_INDEX: i32> Payload for Storage<TYPE_INDEX> {
    const TYPE_INDEX: i32 = TYPE_INDEX;
}

impl<const TYPE_INDEX: i32> Drop for Storage<TYPE_INDEX> {
    fn drop(&mut self) {
        let Self(Head { data, size, slots, data_deleter }) = *self;
        if slots & SMALL != 0 {
            for index in 0..size as usize {
                // SAFETY: that many entries are live and owned by the map.
                drop_entry(unsafe { data.cast::<Entry>().add(index).read() });
            }
        } else if !data.is_null() {
            dense::for_each_entry(&self.0, drop_entry);
        }
        if let Some(data_deleter) = data_deleter {
            // SAFETY: whoever put the entries elsewhere gave this deleter for them.
            unsafe { data_deleter(data) };
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------------------------

/// Makes a Map of these entries; of those with equal keys the last value counts.
pub fn new(entries: Vec<(Any, Any)>) -> Result<ObjectRef> {
    of_entries(kTVMFFIMap, entries)
}

/// Makes a Dict of these entries; of those with equal keys the last value counts.
pub fn new_dict(entries: Vec<(Any, Any)>) -> Result<ObjectRef> {
    of_entries(kTVMFFIDict, entries)
}

fn of_entries(type_index: i32, entries: Vec<(Any, Any)>) -> Result<ObjectRef> {
    let map = small(type_index, entries.len() as u64)?;
    if entries.len() as u64 >= SMALL_SLOTS {
        let table = Dense::allocate(dense::size_for(entries.len()))?;
        // SAFETY: the map is new.
        unsafe { dense_fields(&map).write(table) };
    }
    for (key, value) in entries {
        put(&map, key, value)?;
    }
    Ok(map)
}

/// Makes an empty Map or Dict.
pub fn empty(type_index: i32) -> Result<ObjectRef> {
    small(type_index, FIRST_SLOTS)
}

/// An empty map that claims so many slots of the room in its object.
fn small(type_index: i32, slots: u64) -> Result<ObjectRef> {
    let slots = slots.clamp(FIRST_SLOTS, SMALL_SLOTS) | SMALL;
    let head = |tail: *mut u8| Head { data: tail.cast(), size: 0, slots, data_deleter: None };
    let room = SMALL_SLOTS as usize * size_of::<Entry>();
    match type_index {
        kTVMFFIDict => object::new_with_tail(room, |tail| Storage::<kTVMFFIDict>(head(tail))),
        _ => object::new_with_tail(room, |tail| Storage::<kTVMFFIMap>(head(tail))),
    }
}

/// Another object with the same entries in the same places.
pub(crate) fn copy(map: &ObjectRef) -> Result<ObjectRef> {
    let head = head(map);
    let copy = small(map.type_index(), head.size)?;
    if is_small(map) {
        for (key, value) in entries(map) {
            // SAFETY: the copy is new and claims a slot for each entry.
            unsafe { push_small(&copy, Entry::owning(key, value)) };
        }
    } else if head.slots > 0 {
        // SAFETY: the map is dense, and the copy is new.
        unsafe { dense_fields(&copy).write((*dense_fields(map)).copy(Entry::clone_owned)?) };
    }
    Ok(copy)
}

// ---------------------------------------------------------------------------------------------------------------------
// Looking
// ---------------------------------------------------------------------------------------------------------------------

/// Whether an object is a Map or a Dict.
pub fn is_map(object: &ObjectRef) -> bool {
    matches!(object.type_index(), kTVMFFIMap | kTVMFFIDict)
}

/// How many entries there are.
pub fn len(map: &ObjectRef) -> usize {
    head(map).size as usize
}

/// The value of a key.
pub fn get(map: &ObjectRef, key: &AnyView<'_>) -> Result<Option<Any>> {
    // SAFETY: cloning a value runs no foreign code.
    Ok(unsafe { find(map, key) }?.cloned())
}

/// Whether there is such a key.
pub fn contains(map: &ObjectRef, key: &AnyView<'_>) -> Result<bool> {
    Ok(position_of(map, &Key::new(key))?.is_some())
}

/// The entries as they are now, in the order of iteration, to be walked while foreign code runs.
pub fn entries(map: &ObjectRef) -> Vec<(Any, Any)> {
    // SAFETY: cloning values runs no foreign code.
    unsafe { iter(map) }.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// The value of a key where it lies.
///
/// # Safety
/// Nobody changes the map while the value is borrowed. So no foreign code is called meanwhile.
pub(crate) unsafe fn find<'a>(map: &'a ObjectRef, key: &AnyView<'_>) -> Result<Option<&'a Any>> {
    let position = position_of(map, &Key::new(key))?;
    // SAFETY: the position has an entry.
    Ok(position.map(|position| unsafe { Entry::parts(entry(map, position)) }.1))
}

/// The entries where they lie, in the order of iteration.
///
/// # Safety
/// As for [`find`].
pub(crate) unsafe fn iter(map: &ObjectRef) -> Entries<'_> {
    Entries(Positions::of(map))
}

/// A walk over the entries of a map where they lie.
pub(crate) struct Entries<'a>(Positions<'a>);

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a Any, &'a Any);

    fn next(&mut self) -> Option<Self::Item> {
        // SAFETY: the position has an entry, which stays as long as the walk, as whoever began it sees to.
        self.0.next().map(|position| unsafe { Entry::parts(entry(self.0.map, position)) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// The positions of a map's entries in the order of iteration: indices in the small layout, slots in the dense one.
#[derive(Clone)]
struct Positions<'a> {
    map: &'a ObjectRef,
    next: Option<u64>,
    left: u64,
}

impl<'a> Positions<'a> {
    fn of(map: &'a ObjectRef) -> Self {
        Self { map, next: first(map), left: head(map).size }
    }
}

impl Iterator for Positions<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let position = self.next.filter(|_| self.left > 0)?;
        self.next = following(self.map, position);
        self.left -= 1;
        Some(position)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left as usize))
    }
}

/// The position of the first entry.
fn first(map: &ObjectRef) -> Option<u64> {
    match dense(map) {
        None => (head(map).size > 0).then_some(0),
        Some(dense) => (dense.head.size > 0).then_some(dense.first()).filter(|&slot| slot != NO_SLOT),
    }
}

/// The position behind one that has an entry.
fn following(map: &ObjectRef, position: u64) -> Option<u64> {
    match dense(map) {
        None => Some(position + 1).filter(|&next| next < head(map).size),
        Some(dense) => Some(dense.next(position)).filter(|&slot| slot != NO_SLOT),
    }
}

/// Whether there is an entry at a position, wherever that came from.
fn has_entry(map: &ObjectRef, position: u64) -> bool {
    match dense(map) {
        None => position < head(map).size,
        Some(dense) => dense.is_occupied(position),
    }
}

/// Where the entry at a position lies.
fn entry(map: &ObjectRef, position: u64) -> *mut Entry {
    match dense(map) {
        // SAFETY: the position has an entry.
        None => unsafe { head(map).data.cast::<Entry>().add(position as usize) },
        Some(dense) => dense.entry(position),
    }
}

#[inline]
fn position_of(map: &ObjectRef, key: &Key<'_>) -> Result<Option<u64>> {
    if key.is_plain() {
        Ok(plain_position(map, key))
    } else if head(map).size == 0 {
        Ok(None)
    } else if is_small(map) {
        position_in_small(map, key)
    } else {
        position_in_dense(map, key, hash_of(map, key)?)
    }
}

/// The position of a key that has no hook.
fn plain_position(map: &ObjectRef, key: &Key<'_>) -> Option<u64> {
    match dense(map) {
        None => (0..head(map).size).find(|&position| is_plainly(key, entry(map, position))),
        Some(dense) => dense.find(key.hash()?, |entry| is_plainly(key, entry)),
    }
}

fn position_in_small(map: &ObjectRef, key: &Key<'_>) -> Result<Option<u64>> {
    for position in 0..head(map).size {
        if is_at(map, position, key)? {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

fn position_in_dense(map: &ObjectRef, key: &Key<'_>, hash: u64) -> Result<Option<u64>> {
    let mut next = dense(map).and_then(|dense| dense.chain_of(hash));
    while let Some(slot) = next {
        if is_at(map, slot, key)? {
            return Ok(Some(slot));
        }
        next = dense(map).and_then(|dense| dense.next_in_chain(slot));
    }
    Ok(None)
}

/// Whether an entry has this key, which has no hook.
#[inline]
fn is_plainly(key: &Key<'_>, entry: *const Entry) -> bool {
    // SAFETY: the callers ask for entries of a map that nobody changes meanwhile.
    let (kept, _) = unsafe { Entry::parts(entry) };
    key.equals_plainly(kept.view())
}

/// Whether the entry at a position has this key, which may have a hook.
fn is_at(map: &ObjectRef, position: u64, key: &Key<'_>) -> Result<bool> {
    // SAFETY: the position has an entry.
    let (kept, _) = unsafe { Entry::parts(entry(map, position)) };
    key.equals(kept.view()).map_or_else(|| is_at_by_hook(map, position, key, kept.clone()), Ok)
}

#[cold]
fn is_at_by_hook(map: &ObjectRef, position: u64, key: &Key<'_>, kept: Any) -> Result<bool> {
    let kept_first = is_small(map);
    let equal = unless_changed(map, || key.equals_by_hook(kept.view(), kept_first))?;
    if !still_at(map, position, &kept) {
        return Err(changed());
    }
    Ok(equal)
}

/// The hash of a key, which a hook may have to tell.
fn hash_of(map: &ObjectRef, key: &Key<'_>) -> Result<u64> {
    key.hash().map_or_else(|| unless_changed(map, || key.hash_by_hook()), Ok)
}

/// What foreign code answers, or an error if it changes the map.
fn unless_changed<T>(map: &ObjectRef, foreign: impl FnOnce() -> Result<T>) -> Result<T> {
    let state = |map| {
        let Head { data, size, slots, .. } = *head(map);
        (data, size, slots, dense(map).map(|dense| (dense.first(), dense.last())))
    };
    let before = state(map);
    let answer = foreign()?;
    if state(map) == before { Ok(answer) } else { Err(changed()) }
}

/// Whether a position has an entry with this very key.
fn still_at(map: &ObjectRef, position: u64, key: &Any) -> bool {
    has_entry(map, position) && {
        // SAFETY: the position has an entry.
        let (kept, _) = unsafe { Entry::parts(entry(map, position)) };
        kept.view().words() == key.view().words()
    }
}

#[cold]
fn changed() -> Error {
    Error::new("RuntimeError", "The map was changed by a hook of one of its keys")
}

// ---------------------------------------------------------------------------------------------------------------------
// Changing
// ---------------------------------------------------------------------------------------------------------------------

/// Sets the value of a key in a Dict.
pub fn insert(dict: &ObjectRef, key: Any, value: Any) -> Result<()> {
    put(dict, key, value)
}

/// Sets the value of a key in a Map: in place if `map` is the only reference, else in a copy that takes its place.
pub fn set(map: &mut ObjectRef, key: Any, value: Any) -> Result<()> {
    if !map.is_unique() {
        *map = copy(map)?;
    }
    put(map, key, value)
}

/// Takes a key and its value out of a Dict; `false` if there is no such key.
pub fn erase(dict: &ObjectRef, key: &AnyView<'_>) -> Result<bool> {
    let Some(position) = position_of(dict, &Key::new(key))? else { return Ok(false) };
    let removed = match dense_mut(dict) {
        Some(dense) => dense.remove(position),
        // SAFETY: the position has an entry.
        None => unsafe { remove_small(dict, position) },
    };
    drop_entry(removed);
    Ok(true)
}

/// Takes all entries out of a Dict and keeps its slots.
pub fn clear(dict: &ObjectRef) {
    let removed = match dense_mut(dict) {
        Some(dense) => dense.remove_all(),
        None => {
            // SAFETY: nothing else accesses the fields meanwhile.
            let head = unsafe { &mut *head_ptr(dict) };
            let size = std::mem::take(&mut head.size) as usize;
            // SAFETY: that many entries were live; they are ours from here on.
            (0..size).map(|index| unsafe { head.data.cast::<Entry>().add(index).read() }).collect()
        }
    };
    removed.into_iter().for_each(drop_entry);
}

/// Sets the value of a key in a map that may be changed in place. In the small layout a key keeps its place in the order
/// of iteration, in the dense one it comes last.
fn put(map: &ObjectRef, key: Any, value: Any) -> Result<()> {
    if is_small(map) {
        if !is_full(map) {
            return put_small(map, key, value);
        }
        // Even if the key is there: that is how clients have it.
        rebuild(map, dense::SMALLEST, None)?;
    }
    let probe = Key::new(key.view());
    let (hash, position) = match probe.hash() {
        Some(hash) => (hash, dense(map).and_then(|dense| dense.find(hash, |entry| is_plainly(&probe, entry)))),
        None => {
            let hash = hash_of(map, &probe)?;
            (hash, position_in_dense(map, &probe, hash)?)
        }
    };
    let Some(dense) = dense_mut(map) else { return Err(changed()) };
    if let Some(slot) = position {
        dense.move_last(slot);
        replace_value(map, slot, value);
        return Ok(());
    }
    let entry = Entry::owning(key, value);
    if dense.append(entry, hash) {
        return Ok(());
    }
    let size = dense.doubled();
    rebuild(map, size, Some((entry, hash))).inspect_err(|_| drop_entry(entry))
}

/// As [`put`], in a small map that is not full.
fn put_small(map: &ObjectRef, key: Any, value: Any) -> Result<()> {
    if let Some(position) = position_of(map, &Key::new(key.view()))? {
        replace_value(map, position, value);
        return Ok(());
    }
    make_room(map)?;
    // SAFETY: there is room for one more.
    unsafe { push_small(map, Entry::owning(key, value)) };
    Ok(())
}

/// Replaces the value at a position that has an entry, and gives the old one back.
fn replace_value(map: &ObjectRef, position: u64, value: Any) -> Any {
    // SAFETY: the position has an entry.
    unsafe { Any::from_raw(ptr::replace(&raw mut (*entry(map, position)).value, value.into_raw())) }
}

/// Moves all entries, and perhaps a new one behind them, to a new table, whose fields take the place of the map's.
fn rebuild(map: &ObjectRef, size: (u32, u64), new: Option<(Entry, u64)>) -> Result<()> {
    let hashes = hashes_by_hooks(map)?;
    let old = Positions::of(map).enumerate().map(|(index, position)| {
        // SAFETY: the position has an entry, which is copied bit by bit.
        let entry = unsafe { *entry(map, position) };
        (entry, hashes.as_ref().map_or_else(|| entry.plain_hash(), |hashes| hashes[index]))
    });
    let table = Dense::build(size, old.chain(new))?;
    let Head { data, data_deleter, .. } = *head(map);
    // SAFETY: the object has room for the fields of a table. The entries have moved, so that only the memory remains of
    // the old buffer, if there is one outside of the object.
    unsafe {
        dense_fields(map).write(table);
        if let Some(data_deleter) = data_deleter {
            data_deleter(data);
        }
    }
    Ok(())
}

/// The hashes of all keys in the order of iteration if some of them have hooks.
fn hashes_by_hooks(map: &ObjectRef) -> Result<Option<Vec<u64>>> {
    // SAFETY: no foreign code is called by preparing a key.
    if unsafe { iter(map) }.all(|(key, _)| Key::new(key.view()).is_plain()) {
        return Ok(None);
    }
    let entries = entries(map);
    let hash = |(key, _): &(Any, Any)| Key::new(key.view()).hash_by_hook();
    let hashes = unless_changed(map, || entries.iter().map(hash).collect::<Result<Vec<_>>>())?;
    let mut kept = Positions::of(map).zip(&entries);
    if Positions::of(map).count() != entries.len() || !kept.all(|(position, (key, _))| still_at(map, position, key)) {
        return Err(changed());
    }
    Ok(Some(hashes))
}

/// Whether a small map has an entry in each of the four slots that it can have.
fn is_full(map: &ObjectRef) -> bool {
    head(map).size >= SMALL_SLOTS
}

/// Lets a small map that is not full have a slot for an entry more.
fn make_room(map: &ObjectRef) -> Result<()> {
    // SAFETY: nothing else accesses the fields meanwhile.
    let head = unsafe { &mut *head_ptr(map) };
    if head.size < head.slots & !SMALL {
        return Ok(());
    }
    if !has_room_inside(map) {
        let larger = buffer::allocate(Some(SMALL_SLOTS as usize * size_of::<Entry>()));
        if larger.is_null() {
            return Err(Error::new("MemoryError", "Cannot allocate the entries of a map"));
        }
        let old = *head;
        *head = Head { data: larger, data_deleter: Some(buffer::release), ..old };
        // SAFETY: the entries move to a larger buffer; the old one, unless it is part of the object, goes.
        unsafe {
            larger.cast::<Entry>().copy_from_nonoverlapping(old.data.cast(), old.size as usize);
            if let Some(data_deleter) = old.data_deleter {
                data_deleter(old.data);
            }
        }
    }
    head.slots = SMALL_SLOTS | SMALL;
    Ok(())
}

/// Whether the entries of a small map lie in an object with room for four, as all that are made here have.
fn has_room_inside(map: &ObjectRef) -> bool {
    let made_here =
        object::is_made_here::<Storage<kTVMFFIMap>>(map) || object::is_made_here::<Storage<kTVMFFIDict>>(map);
    // SAFETY: the room for entries follows the fields.
    made_here && head(map).data == unsafe { head_ptr(map).add(1) }.cast()
}

/// # Safety
/// The map is small and has room.
unsafe fn push_small(map: &ObjectRef, entry: Entry) {
    // SAFETY: there is room behind the last entry.
    unsafe {
        let head = &mut *head_ptr(map);
        head.data.cast::<Entry>().add(head.size as usize).write(entry);
        head.size += 1;
    }
}

/// # Safety
/// The map is small and has an entry there.
unsafe fn remove_small(map: &ObjectRef, position: u64) -> Entry {
    // SAFETY: what is read is closed over at once.
    unsafe {
        let head = &mut *head_ptr(map);
        let gap = head.data.cast::<Entry>().add(position as usize);
        let removed = gap.read();
        gap.copy_from(gap.add(1), (head.size - position - 1) as usize);
        head.size -= 1;
        removed
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

impl Entry {
    fn owning(key: Any, value: Any) -> Self {
        Self { key: key.into_raw(), value: value.into_raw() }
    }

    /// The key and the value where they lie.
    ///
    /// # Safety
    /// The entry is live for `'a`.
    unsafe fn parts<'a>(entry: *const Self) -> (&'a Any, &'a Any) {
        // SAFETY: both are owned values, and an `Any` has their layout.
        unsafe { (&*(&raw const (*entry).key).cast(), &*(&raw const (*entry).value).cast()) }
    }

    /// An entry that owns references of its own.
    fn clone_owned(&self) -> Self {
        // SAFETY: the entry is live as long as it is borrowed.
        let (key, value) = unsafe { Self::parts(self) };
        Self::owning(key.clone(), value.clone())
    }

    /// The hash of a key that has no hook.
    fn plain_hash(&self) -> u64 {
        // SAFETY: the key is live.
        let (key, _) = unsafe { Self::parts(self) };
        Key::new(key.view()).hash().unwrap_or_default()
    }
}

/// Ends an entry that was taken out.
fn drop_entry(Entry { key, value }: Entry) {
    // SAFETY: the entry owned both, and nobody has it any more.
    unsafe { drop((Any::from_raw(key), Any::from_raw(value))) };
}

fn head_ptr(map: &ObjectRef) -> *mut Head {
    map.data_ptr()
}

/// The fields that both layouts have. They are read anew after each change.
fn head(map: &ObjectRef) -> &Head {
    // SAFETY: every map begins with these fields, whoever made it.
    unsafe { &*head_ptr(map) }
}

fn is_small(map: &ObjectRef) -> bool {
    head(map).slots & SMALL != 0
}

/// Where a dense map has its fields.
fn dense_fields(map: &ObjectRef) -> *mut Dense {
    map.data_ptr()
}

/// The table of a dense map.
fn dense(map: &ObjectRef) -> Option<&Dense> {
    // SAFETY: such a map has these fields, whoever made it.
    (!is_small(map)).then(|| unsafe { &*dense_fields(map) })
}

/// The table of a dense map, to be changed.
#[expect(clippy::mut_from_ref, reason = "the reference to an object says nothing about access to its fields")]
fn dense_mut(map: &ObjectRef) -> Option<&mut Dense> {
    // SAFETY: such a map has these fields, and nothing else accesses them until the caller is done.
    (!is_small(map)).then(|| unsafe { &mut *dense_fields(map) })
}

// ---------------------------------------------------------------------------------------------------------------------
// Global functions
// ---------------------------------------------------------------------------------------------------------------------

/// The global functions about maps and dicts.
pub(crate) const GLOBALS: &[Row] = &[
    row("ffi.Map", |args| of_arguments(kTVMFFIMap, args.all())),
    row("ffi.MapSize(0: ffi.Map) -> int", |args| Ok((len(args.borrow(0, kTVMFFIMap)?) as i64).into())),
    row("ffi.MapGetItem(0: ffi.Map, 1: Any) -> Any", |args| {
        item(args.borrow(0, kTVMFFIMap)?, args.value(1, &mut Any::default())?)
    }),
    row("ffi.MapCount(0: ffi.Map, 1: Any) -> int", |args| {
        count(args.borrow(0, kTVMFFIMap)?, args.value(1, &mut Any::default())?)
    }),
    row("ffi.MapForwardIterFunctor(0: ffi.Map) -> ffi.Function", |args| {
        Ok(forward_functor(args.borrow(0, kTVMFFIMap)?).into())
    }),
    row("ffi.MapGetItemOrMissing(0: ffi.Map, 1: Any) -> Any", |args| {
        item_or_missing(args.borrow(0, kTVMFFIMap)?, args.value(1, &mut Any::default())?)
    }),
    row("ffi.Dict", |args| of_arguments(kTVMFFIDict, args.all())),
    row("ffi.DictSize(0: ffi.Dict) -> int", |args| Ok((len(args.borrow(0, kTVMFFIDict)?) as i64).into())),
    row("ffi.DictGetItem(0: ffi.Dict, 1: Any) -> Any", |args| {
        item(args.borrow(0, kTVMFFIDict)?, args.value(1, &mut Any::default())?)
    }),
    row("ffi.DictSetItem(0: Dict<Any, Any>, 1: Any, 2: Any) -> void", |args| {
        insert(&*dict_argument(args, 0)?, args.any(1).to_owned()?, args.any(2).to_owned()?)?;
        Ok(Any::NONE)
    }),
    row("ffi.DictCount(0: ffi.Dict, 1: Any) -> int", |args| {
        count(args.borrow(0, kTVMFFIDict)?, args.value(1, &mut Any::default())?)
    }),
    row("ffi.DictErase(0: Dict<Any, Any>, 1: Any) -> void", |args| {
        erase(&*dict_argument(args, 0)?, args.value(1, &mut Any::default())?)?;
        Ok(Any::NONE)
    }),
    row("ffi.DictClear(0: Dict<Any, Any>) -> void", |args| {
        clear(&*dict_argument(args, 0)?);
        Ok(Any::NONE)
    }),
    row("ffi.DictForwardIterFunctor(0: ffi.Dict) -> ffi.Function", |args| {
        Ok(forward_functor(args.borrow(0, kTVMFFIDict)?).into())
    }),
    row("ffi.DictGetItemOrMissing(0: ffi.Dict, 1: Any) -> Any", |args| {
        item_or_missing(args.borrow(0, kTVMFFIDict)?, args.value(1, &mut Any::default())?)
    }),
];

fn of_arguments(type_index: i32, args: &[AnyView<'_>]) -> Result<Any> {
    let (pairs, rest) = args.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Error::new("InternalError", "Check failed: args.size() % 2 == 0 (1 vs. 0) : "));
    }
    let map = empty(type_index)?;
    for [key, value] in pairs {
        put(&map, key.to_owned()?, value.to_owned()?)?;
    }
    Ok(map.into())
}

fn item(map: &ObjectRef, key: &AnyView<'_>) -> Result<Any> {
    // SAFETY: cloning a value runs no foreign code.
    match unsafe { find(map, key) }? {
        Some(value) => Ok(value.clone()),
        None => Err(Error::new("KeyError", "key is not in Map")),
    }
}

fn item_or_missing(map: &ObjectRef, key: &AnyView<'_>) -> Result<Any> {
    // SAFETY: cloning a value runs no foreign code.
    Ok(unsafe { find(map, key) }?.map_or_else(globals::missing, Any::clone))
}

fn count(map: &ObjectRef, key: &AnyView<'_>) -> Result<Any> {
    Ok(i64::from(contains(map, key)?).into())
}

/// A function that walks a map: 0 answers the key and 1 the value of the current entry, anything else goes to the next
/// entry and answers whether there is one. It sees what becomes of the map meanwhile.
fn forward_functor(map: &ObjectRef) -> ObjectRef {
    let map = map.clone();
    let current = AtomicU64::new(first(&map).unwrap_or(NO_SLOT));
    static SIGNATURE: Signature = Signature::new("(0: int) -> Any");
    globals::typed(&SIGNATURE, move |args| {
        let command = args.int(0)?;
        let position = current.load(Ordering::Relaxed);
        if !has_entry(&map, position) {
            return Err(past_the_end());
        }
        // SAFETY: the position has an entry, and cloning runs no foreign code.
        let (key, value) = unsafe { Entry::parts(entry(&map, position)) };
        Ok(match command {
            0 => key.clone(),
            1 => value.clone(),
            _ => {
                let next = following(&map, position);
                current.store(next.unwrap_or(NO_SLOT), Ordering::Relaxed);
                next.is_some().into()
            }
        })
    })
}

#[cold]
fn past_the_end() -> Error {
    Error::new("IndexError", "The iteration over a map is past its end")
}

/// A `Dict<Any, Any>`: a Map stands for a dict of its entries.
fn dict_argument<'a>(args: &Arguments<'a>, index: usize) -> Result<Cow<'a, ObjectRef>> {
    let Some(map) = args.any(index).borrow_object_of(kTVMFFIMap) else {
        return args.borrow(index, kTVMFFIDict).map(Cow::Borrowed);
    };
    let dict = empty(kTVMFFIDict)?;
    for (key, value) in entries(map) {
        put(&dict, key, value)?;
    }
    Ok(Cow::Owned(dict))
}
