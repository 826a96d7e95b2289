//! What handles and type indices are called: the names that the suite has looked them up by.
//!
//! A report says `ffi.MapSize`, not `0x55d0c8a4f2e0`. Names are noted for each call, so they are kept in tables of a fixed size:
//! the heap is what some checks measure. Nothing waits here: a name that cannot be noted at once is not noted.

use std::{
    ffi::c_void,
    fmt::{self, Write},
    sync::{LazyLock, Mutex},
};

const PLACES: usize = 256;
const LONGEST: usize = 54;

/// Elsewhere than this program's variables, which tell whether a check has left its process as it was.
static FUNCTIONS: LazyLock<Box<Mutex<Table>>> = LazyLock::new(Box::default);
static TYPES: LazyLock<Box<Mutex<Table>>> = LazyLock::new(Box::default);

/// Makes room for names, which is not to be done within what a check measures.
pub fn prepare() {
    LazyLock::force(&FUNCTIONS);
    LazyLock::force(&TYPES);
}

/// Notes what a function object is called.
pub fn note_function(handle: *mut c_void, name: &[u8]) {
    note(&FUNCTIONS, handle as u64, name);
}

/// What a function object is called, as far as the suite knows.
pub fn function(handle: *mut c_void) -> Option<String> {
    find(&FUNCTIONS, handle as u64).map(|name| name.shown())
}

/// Whether a function object is called something of which that holds.
pub fn is_one_that(handle: *mut c_void, holds: impl FnOnce(&str) -> bool) -> bool {
    find(&FUNCTIONS, handle as u64).is_some_and(|name| str::from_utf8(name.bytes()).is_ok_and(holds))
}

/// Writes what a function object is called; none where the suite does not know.
pub fn write_function(handle: *mut c_void, out: &mut dyn Write) -> Option<fmt::Result> {
    let name = find(&FUNCTIONS, handle as u64)?;
    Some(match str::from_utf8(name.bytes()) {
        Ok(name) => out.write_str(name),
        Err(_) => out.write_str(&name.shown()),
    })
}

/// Notes the key of a type.
pub fn note_type(index: i32, key: &[u8]) {
    note(&TYPES, u64::from(index.cast_unsigned()), key);
}

/// The key of a type, as far as the suite knows.
pub fn type_key(index: i32) -> Option<String> {
    find(&TYPES, u64::from(index.cast_unsigned())).map(|name| name.shown())
}

#[derive(Clone, Copy)]
struct Name {
    of: u64,
    len: u8,
    text: [u8; LONGEST],
}

impl Name {
    fn bytes(&self) -> &[u8] {
        &self.text[..self.len.into()]
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }
}

/// Names by what they are names of. Two that share a place push each other out.
struct Table([Name; PLACES]);

impl Default for Table {
    fn default() -> Self {
        Self([Name { of: 0, len: 0, text: [0; LONGEST] }; PLACES])
    }
}

fn place(of: u64) -> usize {
    (of.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % PLACES
}

fn note(table: &Mutex<Table>, of: u64, name: &[u8]) {
    if let (Ok(mut table), false) = (table.try_lock(), of == 0) {
        let name = &name[..name.len().min(LONGEST)];
        let entry = &mut table.0[place(of)];
        (entry.of, entry.len) = (of, name.len() as u8);
        entry.text[..name.len()].copy_from_slice(name);
    }
}

fn find(table: &Mutex<Table>, of: u64) -> Option<Name> {
    let table = table.try_lock().ok()?;
    let entry = &table.0[place(of)];
    (of != 0 && entry.of == of).then_some(*entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_named_is_known_by_its_latest_name() {
        let handle = 0x5500_0000_1230 as *mut c_void;
        assert_eq!(function(handle), None);
        note_function(handle, b"ffi.MapSize");
        note_function(handle, b"ffi.MapCount");
        assert_eq!(function(handle).as_deref(), Some("ffi.MapCount"));
        note_function(std::ptr::null_mut(), b"nothing");
        assert_eq!(function(std::ptr::null_mut()), None);
    }

    #[test]
    fn a_long_name_is_cut() {
        note_type(131, &[b'x'; 80]);
        assert_eq!(type_key(131), Some("x".repeat(LONGEST)));
    }
}
