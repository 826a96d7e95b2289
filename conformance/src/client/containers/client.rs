//! Containers of the suite's own, and growing those of others, as inlined code does both.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::*;

use super::BufferDeleter;
use super::behind;
use super::end_buffer;
use super::load;
use super::map::ENTRY;
use super::map::MapCell;
use super::map::SIZE as MAP_SIZE;
use super::map::SMALL;
use super::map::SMALL_SLOTS;
use super::release;
use super::retain;
use super::sequence::SIZE as SEQUENCE_SIZE;
use super::store;
use super::table::Table;
use crate::client::{
    connection::Client, cxx_heap, header, homemade, homemade::Homemade, homemade::remember_end, verdict::Verdict,
};

/// What lies where no element is. Taken for a value it is a String at an address that nothing has.
pub const GRAFFITI: TVMFFIAny =
    TVMFFIAny { aux: TVMFFIAnyAux { zero_padding: 0x5A5A_5A5A }, ..TVMFFIAny::new(kTVMFFIStr, 0xA5A5_0000_0000_1000) };

/// Every buffer that was ended by [`remember_buffer`].
static BUFFERS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// A deleter of buffers that only remembers the call, so that a buffer that is ended twice is seen.
///
/// # Safety
/// Always sound; `unsafe` because the type of deleters is.
pub unsafe extern "C" fn remember_buffer(buffer: *mut c_void) {
    if !buffer.is_null() {
        BUFFERS.lock().unwrap_or_else(PoisonError::into_inner).push(buffer as usize);
    }
}

/// How often a buffer was [remembered](remember_buffer).
pub fn ends_of(buffer: *mut c_void) -> usize {
    let buffers = BUFFERS.lock().unwrap_or_else(PoisonError::into_inner);
    buffers.iter().filter(|ended| **ended == buffer as usize).count()
}

/// How many buffers were [remembered](remember_buffer), whichever they are.
pub fn all_buffer_ends() -> usize {
    BUFFERS.lock().unwrap_or_else(PoisonError::into_inner).len()
}

/// A deleter of buffers that frees them.
///
/// # Safety
/// The buffer is from malloc and is not used any more.
pub unsafe extern "C" fn free_buffer(buffer: *mut c_void) {
    // SAFETY: by contract.
    unsafe { libc::free(buffer) };
}

/// Memory of the C heap.
pub fn allocate(bytes: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    let buffer = unsafe { libc::malloc(bytes.max(1)) };
    assert!(!buffer.is_null(), "out of memory");
    buffer
}

// ---- containers of the suite's own -----------------------------------------------------------------------------------

/// A container of the suite's own. Its elements are released when its last reference goes; its memory is kept, and the
/// ends of the object and of its buffer are remembered.
pub type Container = Homemade<[u64; CELLS]>;

/// Room behind a header for the largest cell and for eight elements or four entries.
const CELLS: usize = 4 + 16;

/// An Array with its elements behind it and room for `capacity` of at most eight.
pub fn array(items: &[TVMFFIAny], capacity: usize) -> Container {
    let object = container(kTVMFFIArray);
    let cells: *mut TVMFFIAny = behind(object.handle(), SEQUENCE_SIZE);
    fill(cells, items, capacity);
    let (size, capacity) = (items.len() as i64, capacity as i64);
    set_cell(object.handle(), TVMFFISeqCell { data: cells.cast(), size, capacity, data_deleter: None });
    object
}

/// A List with a buffer of its own, whose end is remembered.
pub fn list(items: &[TVMFFIAny], capacity: usize) -> Container {
    sequence_outside(kTVMFFIList, items, capacity, remember_buffer)
}

/// An Array or a List with a buffer of its own, which this function ends.
pub fn sequence_outside(
    type_index: i32,
    items: &[TVMFFIAny],
    capacity: usize,
    data_deleter: BufferDeleter,
) -> Container {
    let object = container(type_index);
    let cells: *mut TVMFFIAny = allocate(capacity * size_of::<TVMFFIAny>()).cast();
    fill(cells, items, capacity);
    let (size, capacity) = (items.len() as i64, capacity as i64);
    set_cell(object.handle(), TVMFFISeqCell { data: cells.cast(), size, capacity, data_deleter: Some(data_deleter) });
    object
}

/// Writes these values, in turn, into the cells behind the last element of a sequence of the suite's own; they stay the caller's.
pub fn leave_rests(sequence: TVMFFIObjectHandle, rests: &[TVMFFIAny]) {
    let cell: TVMFFISeqCell = load(behind(sequence, size_of::<TVMFFIObject>()));
    let cells: *mut TVMFFIAny = cell.data.cast();
    for (index, rest) in (cell.size as usize..cell.capacity as usize).zip(rests.iter().cycle()) {
        store(cells.wrapping_add(index), *rest);
    }
}

/// A Map or a Dict in the small layout, with its entries behind it.
pub fn small_map(type_index: i32, entries: &[[TVMFFIAny; 2]], slots: u64) -> Container {
    let object = container(type_index);
    let data: *mut TVMFFIAny = behind(object.handle(), MAP_SIZE);
    fill(data, entries.as_flattened(), 2 * slots as usize);
    let cell = MapCell { data: data.cast(), size: entries.len() as u64, slots: slots | SMALL, data_deleter: None };
    set_cell(object.handle(), cell);
    object
}

/// A Dict in the small layout with its entries in a buffer of their own, which this function ends.
pub fn dict_outside(entries: &[[TVMFFIAny; 2]], slots: u64, data_deleter: BufferDeleter) -> Container {
    let object = container(kTVMFFIDict);
    let data: *mut TVMFFIAny = allocate(slots as usize * ENTRY).cast();
    fill(data, entries.as_flattened(), 2 * slots as usize);
    let (data, size) = (data.cast(), entries.len() as u64);
    set_cell(object.handle(), MapCell { data, size, slots: slots | SMALL, data_deleter: Some(data_deleter) });
    object
}

/// A Map or a Dict in the dense layout, whose blocks' end is remembered.
pub fn dense_map(client: &Client, type_index: i32, entries: &[[TVMFFIAny; 2]], slots: u64) -> Verdict<Container> {
    dense_map_with(client, type_index, entries, slots, remember_buffer)
}

/// The same with blocks that this function ends.
pub fn dense_map_with(
    client: &Client,
    type_index: i32,
    entries: &[[TVMFFIAny; 2]],
    slots: u64,
    data_deleter: BufferDeleter,
) -> Verdict<Container> {
    let mut table = Table::new(slots, data_deleter);
    for [key, value] in entries {
        table.put_growing(client, retain(key), retain(value), data_deleter)?;
    }
    let object = container(type_index);
    table.give_to(object.handle());
    Ok(object)
}

/// A Dict that had two places and was given four: its entries are in another object, which it owns by way of its
/// data_deleter. The other object comes second.
pub fn switched_dict(entries: &[[TVMFFIAny; 2]]) -> (Container, Container) {
    let (dict, donor) = (small_map(kTVMFFIDict, &[], 2), small_map(kTVMFFIDict, entries, SMALL_SLOTS));
    let cell: MapCell = load(behind(donor.handle(), size_of::<TVMFFIObject>()));
    set_cell(dict.handle(), MapCell { data_deleter: Some(release_donor), ..cell });
    set_cell(donor.handle(), MapCell { data: null_mut(), size: 0, slots: 0, data_deleter: None });
    (dict, donor)
}

/// Drops the reference to the object that entries lie behind.
///
/// # Safety
/// `entries` lie directly behind a map that the caller owns a reference to.
unsafe extern "C" fn release_donor(entries: *mut c_void) {
    homemade::release(entries.wrapping_byte_sub(MAP_SIZE));
}

fn container(type_index: i32) -> Container {
    Homemade::with_deleter(type_index, [0; CELLS], Some(end_container))
}

/// Writes owned copies of `items` and graffiti behind them.
fn fill(cells: *mut TVMFFIAny, items: &[TVMFFIAny], capacity: usize) {
    assert!(items.len() <= capacity, "{} elements in {capacity} cells", items.len());
    for index in 0..capacity {
        store(cells.wrapping_add(index), items.get(index).map_or(GRAFFITI, retain));
    }
}

fn set_cell<C>(object: TVMFFIObjectHandle, cell: C) {
    store(behind(object, size_of::<TVMFFIObject>()), cell);
}

/// The deleter of the suite's containers, which ends elements and buffers as inlined destructors do.
///
/// # Safety
/// `object` is a container, in any state that a client may leave it in.
unsafe extern "C" fn end_container(object: TVMFFIObjectHandle, flags: c_int) {
    // SAFETY: it only remembers.
    unsafe { remember_end(object, flags) };
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong == 0 {
        return;
    }
    let header = header::turned(load(object.cast()));
    match header.type_index {
        kTVMFFIArray | kTVMFFIList => {
            let cell: TVMFFISeqCell = load(behind(object, size_of::<TVMFFIObject>()));
            let cells: *const TVMFFIAny = cell.data.cast();
            (0..cell.size as usize).for_each(|index| release(&load(cells.wrapping_add(index))));
            end_buffer(cell.data_deleter, cell.data);
        }
        _ => {
            let cell: MapCell = load(behind(object, size_of::<TVMFFIObject>()));
            for [key, value] in entries_of(object) {
                release(&key);
                release(&value);
            }
            if !cell.data.is_null() {
                end_buffer(cell.data_deleter, cell.data);
            }
        }
    }
}

/// The entries of a sound map, in iteration order.
fn entries_of(object: TVMFFIObjectHandle) -> Vec<[TVMFFIAny; 2]> {
    let cell: MapCell = load(behind(object, size_of::<TVMFFIObject>()));
    match (cell.size, cell.slots & SMALL) {
        (0, _) => Vec::new(),
        (_, 0) => Table::of(object).entries(),
        (size, _) => {
            let entry = |index: usize| load(cell.data.wrapping_byte_add(index * ENTRY).cast_const().cast());
            (0..size as usize).map(entry).collect()
        }
    }
}

// ---- working on containers of others ---------------------------------------------------------------------------------

/// Appends to an Array in place, if nobody else holds it and it has room; the value becomes the Array's. Answers whether
/// it did.
pub fn append_to_array(array: TVMFFIObjectHandle, value: TVMFFIAny) -> bool {
    let header = header::turned(load(array.cast()));
    let cell: TVMFFISeqCell = load(behind(array, size_of::<TVMFFIObject>()));
    let unique = header.combined_ref_count == 1 << 32 | 1;
    if !unique || cell.size == cell.capacity {
        return false;
    }
    push(array, cell, value);
    true
}

/// Appends to a List, whose buffer is replaced by one from `operator new` if it is full; the value becomes the List's. The
/// List's deleter ends the old buffer and stays, so it will have to end the new one.
pub fn append_to_list(list: TVMFFIObjectHandle, value: TVMFFIAny) {
    let mut cell: TVMFFISeqCell = load(behind(list, size_of::<TVMFFIObject>()));
    if cell.size == cell.capacity {
        let capacity = (cell.capacity * 2).max(cell.size + 1);
        let buffer = cxx_heap::allocate(capacity as usize * size_of::<TVMFFIAny>());
        let (from, to): (*const TVMFFIAny, *mut TVMFFIAny) = (cell.data.cast_const().cast(), buffer.cast());
        (0..cell.size as usize).for_each(|index| store(to.wrapping_add(index), load(from.wrapping_add(index))));
        end_buffer(cell.data_deleter, cell.data);
        cell = TVMFFISeqCell { data: buffer, capacity, ..cell };
    }
    push(list, cell, value);
}

fn push(sequence: TVMFFIObjectHandle, cell: TVMFFISeqCell, value: TVMFFIAny) {
    store(cell.data.cast::<TVMFFIAny>().wrapping_add(cell.size as usize), value);
    set_cell(sequence, TVMFFISeqCell { size: cell.size + 1, ..cell });
}

/// Sets an entry of a Dict in place, in either layout: key and value become the Dict's. New blocks are ended by
/// `data_deleter`.
pub fn set_in_dict(
    client: &Client,
    dict: TVMFFIObjectHandle,
    [key, value]: [TVMFFIAny; 2],
    data_deleter: BufferDeleter,
) -> Verdict {
    let mut cell: MapCell = load(behind(dict, size_of::<TVMFFIObject>()));
    let mut table = if cell.slots & SMALL == 0 {
        Table::of(dict)
    } else {
        if cell.size < cell.slots & !SMALL {
            let entry: *mut [TVMFFIAny; 2] = cell.data.wrapping_byte_add(cell.size as usize * ENTRY).cast();
            for (index, [stored, former]) in entries_of(dict).into_iter().enumerate() {
                if client.same(&stored, &key)? {
                    release(&former);
                    release(&key);
                    store(cell.data.wrapping_byte_add(index * ENTRY).cast(), [stored, value]);
                    return Ok(());
                }
            }
            store(entry, [key, value]);
            cell.size += 1;
            set_cell(dict, cell);
            return Ok(());
        }
        dense_from_small(client, dict, data_deleter)?
    };
    let former = table.put_growing(client, key, value, data_deleter)?;
    table.give_to(dict);
    former.iter().flatten().for_each(release);
    Ok(())
}

/// Takes an entry out of a dense Dict in place and ends it; answers whether it was there.
pub fn erase_from_dense(client: &Client, dict: TVMFFIObjectHandle, key: &TVMFFIAny) -> Verdict<bool> {
    let mut table = Table::of(dict);
    let taken = table.take(client, key)?;
    table.give_to(dict);
    taken.iter().flatten().for_each(release);
    Ok(taken.is_some())
}

/// Takes the last entry out of a small Dict in place and ends it.
pub fn erase_last_from_small(dict: TVMFFIObjectHandle) {
    let cell: MapCell = load(behind(dict, size_of::<TVMFFIObject>()));
    let Some(size) = cell.size.checked_sub(1) else { return };
    let last: *mut [TVMFFIAny; 2] = cell.data.wrapping_byte_add(size as usize * ENTRY).cast();
    let [key, value] = load(last.cast_const());
    store(last, [TVMFFIAny::NONE; 2]);
    set_cell(dict, MapCell { size, ..cell });
    release(&key);
    release(&value);
}

/// Makes a small Dict a dense one in place: its three further fields lie where its entries may have been.
pub fn make_dense(client: &Client, dict: TVMFFIObjectHandle, data_deleter: BufferDeleter) -> Verdict {
    dense_from_small(client, dict, data_deleter)?.give_to(dict);
    Ok(())
}

fn dense_from_small(client: &Client, dict: TVMFFIObjectHandle, data_deleter: BufferDeleter) -> Verdict<Table> {
    let cell: MapCell = load(behind(dict, size_of::<TVMFFIObject>()));
    let mut table = Table::new(Table::slots_for(cell.size.max(SMALL_SLOTS)), data_deleter);
    for [key, value] in entries_of(dict) {
        table.put_growing(client, key, value, data_deleter)?;
    }
    end_buffer(cell.data_deleter, cell.data);
    Ok(table)
}

/// Leaves a map without entries and without places for any, as inlined code leaves one whose content it has moved out.
pub fn leave_moved(map: TVMFFIObjectHandle) {
    set_cell(map, MapCell { data: null_mut(), size: 0, slots: 0, data_deleter: None });
}
