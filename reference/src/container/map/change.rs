//! Making and changing maps: what the order and the layout are afterwards.

use std::{mem, ptr};

use tvm_ffi_spec::{kTVMFFIDict, kTVMFFIMap};

use super::{
    dense::{self, Dense},
    entry::{Entry, Head, drop_entry},
    find::*,
    layout::*,
};
use crate::{
    border::error::{Error, Result},
    container::{buffer, key::Key},
    object::{self, TypedRef},
    system::memory,
    value::any::{Any, AnyView},
};

/// Makes a Map of these entries; of those with equal keys the last value counts.
pub fn new(entries: Vec<(Any, Any)>) -> Result<Map> {
    let map = of_entries(kTVMFFIMap, entries.len(), entries.into_iter())?.into_object();
    // SAFETY: it was made with this type index.
    Ok(unsafe { map.cast_unchecked() })
}

/// Makes a Dict of these entries; of those with equal keys the last value counts.
pub fn new_dict(entries: Vec<(Any, Any)>) -> Result<Dict> {
    let dict = of_entries(kTVMFFIDict, entries.len(), entries.into_iter())?.into_object();
    // SAFETY: it was made with this type index.
    Ok(unsafe { dict.cast_unchecked() })
}

/// Makes a Map of the values from an index on, each key and its value in turn, which leave the vector, also if this fails.
pub fn of_last(values: &mut Vec<Any>, start: usize) -> Result<Map> {
    let mut last = values.drain(start..);
    let map = with_room(kTVMFFIMap, last.len() / 2)?;
    let (pairs, _) = Any::views(last.as_slice()).as_chunks();
    // SAFETY: the map is new and has room. What it takes over is forgotten here.
    let taken = unsafe { take_plain(&map, pairs, Entry::moved) };
    last.by_ref().take(2 * taken).for_each(mem::forget);
    while let Some((key, value)) = last.next().zip(last.next()) {
        insert(&map, key, value)?;
    }
    // SAFETY: it was made with this type index.
    Ok(unsafe { map.into_object().cast_unchecked() })
}

/// Puts entries into a map as long as their keys are new and have no hooks; how many. `own` makes them where they are to lie: handed
/// from call to call, values are slow to move a moment after they were made.
///
/// # Safety
/// Nobody else has the map, which is empty and has room for all entries.
#[inline(always)]
unsafe fn take_plain(map: &Mapping, pairs: &[[AnyView<'_>; 2]], own: impl Fn(&[AnyView<'_>; 2]) -> Entry) -> usize {
    let is_taken = |pair: &[AnyView<'_>; 2]| {
        let key = Key::new(&pair[0]);
        let Some(dense) = dense_mut(map) else {
            let is_new = key.is_plain() && plain_position(map, &key).is_none();
            if is_new {
                // SAFETY: there is room for one more.
                unsafe { push_small(map, own(pair)) };
            }
            return is_new;
        };
        let Some(hash) = key.hash() else { return false };
        // SAFETY: the table has the entries, and nothing runs but the comparison.
        let Err(tail) = dense.seek(hash, |kept| unsafe { is_plainly(&key, kept) }) else { return false };
        let Some(slot) = dense.claim(tail, hash) else { return false };
        // SAFETY: the slot has just been claimed.
        unsafe { dense.put(slot, own(pair)) };
        true
    };
    pairs.iter().take_while(|pair| is_taken(pair)).count()
}

fn of_entries(type_index: i32, count: usize, entries: impl Iterator<Item = (Any, Any)>) -> Result<Mapping> {
    let map = with_room(type_index, count)?;
    for (key, value) in entries {
        insert(&map, key, value)?;
    }
    Ok(map)
}

/// Makes a map without entries that has room for some.
pub fn with_room(type_index: i32, count: usize) -> Result<Mapping> {
    let map = small(type_index, count as u64)?;
    if count as u64 >= SMALL_SLOTS {
        let table = Dense::allocate(dense::size_for(count))?;
        // SAFETY: the map is new.
        unsafe { dense_fields(&map).write(table) };
    }
    Ok(map)
}

/// Makes a map as if its keys were set one by one.
pub(super) fn of_pairs(type_index: i32, pairs: &[[AnyView<'_>; 2]]) -> Result<Mapping> {
    let few = SMALL_SLOTS as usize;
    let may_be_plain = pairs.len() > few && !pairs.as_flattened().iter().any(AnyView::is_only_argument);
    let plain = if may_be_plain { Some(of_plain_pairs(type_index, pairs)?) } else { None };
    // Few entries are not in a table.
    let (map, done) = match plain.filter(|(_, done)| *done > few) {
        Some(plain) => plain,
        None => (small(type_index, FIRST_SLOTS)?, 0),
    };
    for (set, [key, value]) in pairs.iter().enumerate().skip(done) {
        let all_differ = len(&map) == set;
        let table = all_differ.then(|| dense::grown_for(pairs.len()));
        insert_or_grow(&map, key.to_owned()?, value.to_owned()?, table)?;
    }
    Ok(map)
}

/// A map with a table of the first pairs, as many as have keys that differ and have no hooks, and how many these are. All are
/// values that are kept as they are.
fn of_plain_pairs(type_index: i32, pairs: &[[AnyView<'_>; 2]]) -> Result<(Mapping, usize)> {
    let map = small(type_index, FIRST_SLOTS)?;
    let table = Dense::allocate(dense::grown_for(pairs.len()))?;
    // SAFETY: the map is new, and has room for all pairs from here on.
    unsafe {
        dense_fields(&map).write(table);
        let set = take_plain(&map, pairs, |[key, value]| {
            Entry::owning(key.kept().unwrap_or_default(), value.kept().unwrap_or_default())
        });
        Ok((map, set))
    }
}

/// Makes an empty Map or Dict, whichever has the type index.
pub fn empty(type_index: i32) -> Result<Mapping> {
    small(type_index, FIRST_SLOTS)
}

/// Another object with the same entries in the same places.
pub fn copy(map: &Mapping) -> Result<Mapping> {
    let head = head(map);
    let copy = small(map.type_index(), head.size)?;
    // SAFETY: cloning entries runs no foreign code.
    if let Some(few) = unsafe { small_entries(map) } {
        // SAFETY: the copy is new, nobody else looks at it, and it claims a slot for each entry.
        let head = unsafe { &mut *head_ptr(&copy) };
        head.size = few.len() as u64;
        for (at, entry) in few.iter().enumerate() {
            // SAFETY: as above.
            unsafe { head.data.cast::<Entry>().add(at).write(entry.clone_owned()) };
        }
    } else if head.slots > 0 {
        // SAFETY: the map is dense, and the copy is new.
        unsafe { dense_fields(&copy).write((*dense_fields(map)).copy(Entry::clone_owned)?) };
    }
    Ok(copy)
}

/// Takes a key and its value out of a map that may be changed in place; `false` if there is no such key.
pub fn erase(dict: &Mapping, key: &AnyView<'_>) -> Result<bool> {
    let Some(position) = position_of(dict, &Key::new(key))? else { return Ok(false) };
    // SAFETY: the position has an entry.
    let removed = unsafe {
        match dense_mut(dict) {
            Some(dense) => dense.remove(position),
            None => remove_small(dict, position),
        }
    };
    drop_entry(removed);
    Ok(true)
}

/// Takes all entries out of a map that may be changed in place, and keeps its slots.
pub fn clear(dict: &Mapping) {
    let size = head(dict).size;
    let Ok(mut removed) = memory::room(size as usize) else {
        // There is no memory to keep them together, so they go one by one: no more than there were, should some end by
        // adding others.
        (0..size).filter_map(|_| any_removed(dict)).for_each(drop_entry);
        return;
    };
    match dense_mut(dict) {
        Some(dense) => dense.remove_all(&mut removed),
        None => {
            // SAFETY: nothing else accesses the fields meanwhile.
            let head = unsafe { &mut *head_ptr(dict) };
            let size = mem::take(&mut head.size) as usize;
            // SAFETY: that many entries were live; they are ours from here on.
            removed.extend((0..size).map(|index| unsafe { head.data.cast::<Entry>().add(index).read() }));
        }
    }
    removed.into_iter().for_each(drop_entry);
}

/// Takes an entry out, whichever; none when there is none.
fn any_removed(dict: &Mapping) -> Option<Entry> {
    let size = head(dict).size;
    // SAFETY: the position has an entry.
    (size > 0).then(|| unsafe {
        match dense_mut(dict) {
            Some(dense) => dense.remove(dense.last()),
            None => remove_small(dict, size - 1),
        }
    })
}

/// Sets the value of a key in a map that may be changed in place. In the small layout a key keeps its place in the order
/// of iteration, in the dense one it comes last.
pub fn insert(map: &Mapping, key: Any, value: Any) -> Result<()> {
    insert_or_grow(map, key, value, None)
}

/// As [`insert`], into a map to which keys are added that are expected to differ: it goes over to the table that is given,
/// which has room for all of them. One that does not differ finds the map as if it had grown with each.
#[inline]
fn insert_or_grow(map: &Mapping, key: Any, value: Any, table: Option<(u32, u64)>) -> Result<()> {
    if is_small(map) {
        if !is_full(map) {
            return insert_small(map, key, value);
        }
        // Even if the key is there: that is how clients have it.
        rebuild(map, table.unwrap_or(dense::SMALLEST), None)?;
    }
    let probe = Key::new(key.view());
    let (hash, place) = match probe.hash() {
        // SAFETY: the table has the entries, and nothing runs but the comparison.
        Some(hash) => (hash, dense(map).map(|dense| dense.seek(hash, |entry| unsafe { is_plainly(&probe, entry) }))),
        None => {
            let hash = hash_of(map, &probe)?;
            let position = position_in_dense(map, &probe, hash)?;
            (hash, dense(map).map(|dense| position.ok_or_else(|| dense.seek(hash, |_| false).err().flatten())))
        }
    };
    let (Some(dense), Some(place)) = (dense_mut(map), place) else { return Err(changed()) };
    let tail = match place {
        Err(tail) => tail,
        Ok(_) if table.is_some() => {
            rebuild(map, dense::grown_for(len(map)), None)?;
            return insert(map, key, value);
        }
        Ok(slot) => {
            // SAFETY: the slot has the entry of the key.
            let _old = unsafe {
                dense.move_last(slot);
                replace_value(map, slot, value)
            };
            return Ok(());
        }
    };
    let entry = Entry::owning(key, value);
    if let Some(slot) = dense.claim(tail, hash) {
        // SAFETY: the slot has just been claimed.
        unsafe { dense.put(slot, entry) };
        return Ok(());
    }
    let size = dense.doubled();
    rebuild(map, size, Some((entry, hash))).inspect_err(|_| drop_entry(entry))
}

/// As [`insert`], in a small map that is not full.
pub(super) fn insert_small(map: &Mapping, key: Any, value: Any) -> Result<()> {
    if let Some(position) = position_of(map, &Key::new(key.view()))? {
        // SAFETY: the position has the entry of the key.
        let _old = unsafe { replace_value(map, position, value) };
        return Ok(());
    }
    if make_room(map)? {
        // The deleter of the old buffer may have changed the map.
        return insert(map, key, value);
    }
    // SAFETY: there is room for one more.
    unsafe { push_small(map, Entry::owning(key, value)) };
    Ok(())
}

/// Replaces the value at a position, and gives the old one back.
///
/// # Safety
/// The position has an entry.
#[inline(always)]
pub(super) unsafe fn replace_value(map: &Mapping, position: u64, value: Any) -> Any {
    // SAFETY: the caller's contract is the same.
    unsafe { Any::from_raw(ptr::replace(&raw mut (*entry(map, position)).value, value.into_raw())) }
}

/// Moves all entries, and perhaps a new one behind them, to a new table, whose fields take the place of the map's.
pub(super) fn rebuild(map: &Mapping, size: (u32, u64), new: Option<(Entry, u64)>) -> Result<()> {
    let hashes = hashes_by_hooks(map)?;
    // SAFETY: no foreign code is called while the entries are walked.
    let old = unsafe { Positions::of(map) }.enumerate().map(|(index, position)| {
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
pub(super) fn hashes_by_hooks(map: &Mapping) -> Result<Option<Vec<u64>>> {
    // SAFETY: no foreign code is called by preparing a key.
    if unsafe { iter(map) }.all(|(key, _)| Key::new(key.view()).is_plain()) {
        return Ok(None);
    }
    let entries = entries(map)?;
    let hash = |(key, _): &(Any, Any)| Key::new(key.view()).hash_by_hook();
    let mut hashes = memory::room(entries.len())?;
    unless_changed(map, || entries.iter().map(hash).try_for_each(|hash| hash.map(|hash| hashes.push(hash))))?;
    // SAFETY: no foreign code is called by comparing memory.
    let positions = unsafe { Positions::of(map) };
    let mut kept = positions.clone().zip(&entries);
    if positions.count() != entries.len() || !kept.all(|(position, (key, _))| still_at(map, position, key)) {
        return Err(changed());
    }
    Ok(Some(hashes))
}

/// Whether a small map has an entry in each of the four slots that it can have.
pub(super) fn is_full(map: &Mapping) -> bool {
    head(map).size >= SMALL_SLOTS
}

/// Lets a small map that is not full have a slot for an entry more. Tells whether a deleter has run, which may be a client's
/// and change the map.
fn make_room(map: &Mapping) -> Result<bool> {
    // SAFETY: nothing else accesses the fields meanwhile.
    let head = unsafe { &mut *head_ptr(map) };
    if head.size < head.slots & !SMALL {
        return Ok(false);
    }
    if has_room_inside(map) {
        head.slots = SMALL_SLOTS | SMALL;
        return Ok(false);
    }
    let larger = buffer::allocate(Some(SMALL_SLOTS as usize * size_of::<Entry>()));
    if larger.is_null() {
        return Err(Error::new("MemoryError", "Cannot allocate the entries of a map"));
    }
    let old = *head;
    *head = Head { data: larger, slots: SMALL_SLOTS | SMALL, data_deleter: Some(buffer::release), ..old };
    // SAFETY: the entries move to a larger buffer; the old one, unless it is part of the object, goes.
    unsafe {
        larger.cast::<Entry>().copy_from_nonoverlapping(old.data.cast(), old.size as usize);
        if let Some(data_deleter) = old.data_deleter {
            data_deleter(old.data);
        }
    }
    Ok(old.data_deleter.is_some())
}

/// Whether the entries of a small map lie in an object with room for four, as all that are made here have.
pub(super) fn has_room_inside(map: &Mapping) -> bool {
    let made_here =
        object::is_made_here::<Storage<kTVMFFIMap>>(map) || object::is_made_here::<Storage<kTVMFFIDict>>(map);
    // SAFETY: the room for entries follows the fields.
    made_here && head(map).data == unsafe { head_ptr(map).add(1) }.cast()
}

/// # Safety
/// The map is small and has room.
pub(super) unsafe fn push_small(map: &Mapping, entry: Entry) {
    // SAFETY: there is room behind the last entry.
    unsafe {
        let head = &mut *head_ptr(map);
        head.data.cast::<Entry>().add(head.size as usize).write(entry);
        head.size += 1;
    }
}

/// # Safety
/// The map is small and has an entry there.
pub(super) unsafe fn remove_small(map: &Mapping, position: u64) -> Entry {
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
